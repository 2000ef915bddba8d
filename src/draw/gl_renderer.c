// Draws a picture in passes:
//
//     shadow    depth of spheres and solid walls, seen from the light
//     geometry  colour, normal and depth of spheres, walls and ground, seen by the camera
//     occlusion visible share of the sky at each point, from that depth (fine only)
//     light     every pixel once: light, shadow, sky
//     glass     transparent surfaces, and lines
//     copy      to the output size; each pixel the mean of four (fine only)
//     labels    caption and legend
#include "draw/gl_frame.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "draw/shaders.h"

#include <math.h>

typedef struct program_def {
    const char *vertex, *fragment, *defines;
} program_def;

static const program_def PROGRAM[ERGI_PROGRAMS] = {
    [ERGI_PROGRAM_BALL_POINTS] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment, ""},
    [ERGI_PROGRAM_BALL_SQUARES] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                                   "#define SQUARES\n"},
    [ERGI_PROGRAM_SHADOW_POINTS] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                                    "#define LIGHT\n"},
    [ERGI_PROGRAM_SHADOW_SQUARES] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                                     "#define LIGHT\n#define SQUARES\n"},
    [ERGI_PROGRAM_BALL_CUT] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                               "#define CUT\n"},
    [ERGI_PROGRAM_BALL_CUT + 1] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                                   "#define CUT\n#define SQUARES\n"},
    [ERGI_PROGRAM_BALL_CUT + 2] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                                   "#define CUT\n#define LIGHT\n"},
    [ERGI_PROGRAM_BALL_CUT + 3] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                                   "#define CUT\n#define LIGHT\n#define SQUARES\n"},
    [ERGI_PROGRAM_MESH] = {ergi_shader_mesh_vertex, ergi_shader_mesh_fragment, ""},
    [ERGI_PROGRAM_SHADOW_MESH] = {ergi_shader_mesh_vertex, ergi_shader_depth_fragment, ""},
    [ERGI_PROGRAM_GLASS] = {ergi_shader_mesh_vertex, ergi_shader_glass_fragment, ""},
    [ERGI_PROGRAM_PROP] = {ergi_shader_prop_vertex, ergi_shader_prop_fragment, ""},
    [ERGI_PROGRAM_PROP_CAP] = {ergi_shader_prop_vertex, ergi_shader_prop_fragment, "#define CAP\n"},
    [ERGI_PROGRAM_SHADOW_PROP] = {ergi_shader_prop_vertex, ergi_shader_prop_fragment,
                                  "#define SHADOW\n"},
    [ERGI_PROGRAM_GLASS_PROP] = {ergi_shader_prop_vertex, ergi_shader_glass_fragment, ""},
    [ERGI_PROGRAM_CELL] = {ergi_shader_cell_vertex, ergi_shader_cell_fragment, ""},
    [ERGI_PROGRAM_SHADOW_CELL] = {ergi_shader_cell_vertex, ergi_shader_cell_fragment,
                                  "#define LIGHT\n"},
    [ERGI_PROGRAM_LAND] = {ergi_shader_land_vertex, ergi_shader_land_fragment, ""},
    [ERGI_PROGRAM_SHADOW_LAND] = {ergi_shader_land_vertex, ergi_shader_land_fragment,
                                  "#define LIGHT\n"},
    [ERGI_PROGRAM_LINE] = {ergi_shader_line_vertex, ergi_shader_line_fragment, ""},
    [ERGI_PROGRAM_OCCLUSION] = {ergi_shader_screen_vertex, ergi_shader_occlusion_fragment, ""},
    [ERGI_PROGRAM_BLUR] = {ergi_shader_screen_vertex, ergi_shader_blur_fragment, ""},
    [ERGI_PROGRAM_LIGHT_FAST] = {ergi_shader_screen_vertex, ergi_shader_light_fragment, ""},
    [ERGI_PROGRAM_LIGHT_FINE] = {ergi_shader_screen_vertex, ergi_shader_light_fragment,
                                 "#define OCCLUSION\n"},
    [ERGI_PROGRAM_COPY] = {ergi_shader_screen_vertex, ergi_shader_copy_fragment, ""},
    [ERGI_PROGRAM_LABEL] = {ergi_shader_label_vertex, ergi_shader_label_fragment, ""},
};

enum { SHADOW_FAST = 1280, SHADOW_FINE = 3072 }; // shadow map edge [pixels]

// ---- Setup and teardown ------------------------------------------------------------------------
static void describe_balls(erg_renderer *r)
{
    glGenVertexArrays(1, &r->balls);
    glGenBuffers(1, &r->ball_buffer);
    glBindVertexArray(r->balls);
    glBindBuffer(GL_ARRAY_BUFFER, r->ball_buffer);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(ergi_ball), NULL);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(ergi_ball),
                          (const void *)offsetof(ergi_ball, colour));
}

static void describe_meshes(erg_renderer *r)
{
    glGenVertexArrays(1, &r->meshes);
    glGenBuffers(1, &r->mesh_buffer);
    glBindVertexArray(r->meshes);
    glBindBuffer(GL_ARRAY_BUFFER, r->mesh_buffer);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(ergi_corner), NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(ergi_corner),
                          (const void *)offsetof(ergi_corner, normal));
}

static void describe_lines(erg_renderer *r)
{
    glGenVertexArrays(1, &r->lines);
    glGenBuffers(1, &r->line_buffer);
    glBindVertexArray(r->lines);
    glBindBuffer(GL_ARRAY_BUFFER, r->line_buffer);
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(ergi_ribbon), NULL);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(ergi_ribbon),
                          (const void *)offsetof(ergi_ribbon, to));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(ergi_ribbon),
                          (const void *)offsetof(ergi_ribbon, colour));
}

static erg_status make_program(erg_renderer *r, int i, erg_error *err)
{
    return ergi_program_make(PROGRAM[i].vertex, PROGRAM[i].fragment, PROGRAM[i].defines,
                             &r->program[i], err);
}

// Programs of terrains take long to compile and are made when the first terrain is drawn.
static bool is_for_land(int i)
{
    return i == ERGI_PROGRAM_LAND || i == ERGI_PROGRAM_SHADOW_LAND;
}

static erg_status make_land_programs(ergi_frame *f)
{
    erg_status status = ERG_OK;
    for (int i = 0; i < ERGI_PROGRAMS && f->p->land && status == ERG_OK; i++)
        if (is_for_land(i) && !f->r->program[i]) status = make_program(f->r, i, f->err);
    return status;
}

erg_status erg_renderer_create(erg_renderer **renderer, erg_error *err)
{
    if (!renderer) return ergi_fail_null(err, __func__);
    *renderer = NULL;
    erg_renderer *r = ergi_memory_new(1, sizeof *r, "a renderer", err);
    if (!r) return ERG_NO_MEMORY;
    int version = epoxy_gl_version(), wanted = epoxy_is_desktop_gl() ? 33 : 30;
    if (version < wanted) {
        erg_renderer_destroy(r);
        return ergi_fail(err, ERG_NOT_BUILT,
                         "this machine's OpenGL is %d.%d, pictures need 3.3 (or ES 3.0); on Debian "
                         "install libgl1-mesa-dri",
                         version / 10, version % 10);
    }
    erg_status status = ERG_OK;
    for (int i = 0; i < ERGI_PROGRAMS && status == ERG_OK; i++)
        if (!is_for_land(i)) status = make_program(r, i, err);
    for (int i = 0; i < 2 && status == ERG_OK; i++)
        if (!(r->cull[i] = ergi_cull_new(err))) status = ERG_NO_MEMORY;
    if (status != ERG_OK) {
        erg_renderer_destroy(r);
        return status;
    }
    describe_balls(r);
    describe_meshes(r);
    describe_lines(r);
    glGenVertexArrays(1, &r->nothing);
    glGenTextures(1, &r->label);
    glGenBuffers(1, &r->pose_buffer);
    GLfloat range[2] = {1, 1};
    glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &r->largest_target);
    r->largest_point = fmax((double)range[1] - 2, 1);
    *renderer = r;
    return ERG_OK;
}

void erg_renderer_destroy(erg_renderer *r)
{
    if (!r) return;
    for (int i = 0; i < ERGI_PROGRAMS; i++)
        if (r->program[i]) glDeleteProgram(r->program[i]);
    ergi_target *targets[] = {&r->shadow, &r->geometry, &r->uncapped,
                              &r->lit,    &r->open,     &r->smooth_open};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) ergi_target_free(targets[i]);
    GLuint arrays[] = {r->balls, r->meshes, r->lines, r->nothing};
    GLuint buffers[] = {r->ball_buffer, r->mesh_buffer, r->line_buffer, r->pose_buffer};
    ergi_free_gl_models(r);
    ergi_free_gl_land(r);
    if (r->balls) {
        glDeleteVertexArrays(4, arrays);
        glDeleteBuffers(4, buffers);
        glDeleteTextures(1, &r->label);
    }
    for (int i = 0; i < 2; i++) ergi_cull_free(r->cull[i]);
    ergi_memory_free(r);
}

erg_draw_report erg_renderer_report(const erg_renderer *r)
{
    if (!r) return (erg_draw_report){0};
    return r->report;
}

static void set_state(void)
{
    if (epoxy_is_desktop_gl()) glEnable(GL_PROGRAM_POINT_SIZE);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClearColor(0, 0, 0, 0);
    glEnable(GL_DEPTH_TEST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

erg_status erg_renderer_draw(erg_renderer *r, const erg_picture *p, int width, int height,
                             erg_error *err)
{
    if (!r || !p) return ergi_fail_null(err, __func__);
    bool       fine = p->look.quality == ERG_QUALITY_FINE;
    ergi_frame f = {.r = r, .p = p, .err = err, .width = width, .height = height};
    f.scale = fine && 2 * (width > height ? width : height) <= r->largest_target ? 2 : 1;
    f.shadow_size = fine ? SHADOW_FINE : SHADOW_FAST;
    double start = ergi_clock_seconds();
    r->report = (erg_draw_report){.spheres = p->ball_count};
    GLint many = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &f.out);
    glGetIntegerv(GL_SAMPLE_BUFFERS, &many);
    f.blits = many == 0;
    set_state();
    ergi_place_frame(&f);
    glBindBuffer(GL_ARRAY_BUFFER, r->mesh_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(p->corner_count * sizeof *p->corners), p->corners,
                 GL_STREAM_DRAW);

    erg_status status = ergi_send_props(&f);
    if (status == ERG_OK) status = make_land_programs(&f);
    if (status == ERG_OK) status = ergi_send_land(&f);
    if (status == ERG_OK) status = ergi_cull_frame(&f);
    if (status == ERG_OK) status = ergi_draw_shadow(&f);
    if (status == ERG_OK) status = ergi_draw_geometry(&f);
    glDisable(GL_DEPTH_TEST);
    if (status == ERG_OK && fine) status = ergi_draw_occlusion(&f);
    if (status == ERG_OK) status = ergi_draw_light(&f);
    if (status == ERG_OK) status = ergi_draw_transparent(&f);
    if (status == ERG_OK) status = ergi_draw_out(&f);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)f.out);
    r->report.draw_s = ergi_clock_seconds() - start - r->report.cull_s;
    if (status == ERG_OK && glGetError() == GL_OUT_OF_MEMORY)
        status = ergi_fail(err, ERG_NO_MEMORY, "the OpenGL driver ran out of memory");
    return status;
}
