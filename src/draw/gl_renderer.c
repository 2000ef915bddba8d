// Drawing a picture, pass by pass:
//
//     shadow    spheres and solid walls seen from the lamp: depth
//     geometry  spheres, walls, ground seen by the eye: colour, normal, depth
//     occlusion how much sky each point sees, from that depth (fine)
//     light     every pixel once: lamp, shadow, sky
//     glass     what is transparent, and lines
//     copy      to the wanted size, the mean of four pixels each (fine)
//     labels    caption and legend
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "draw/camera.h"
#include "draw/colours.h"
#include "draw/cull.h"
#include "draw/gl_program.h"
#include "draw/gl_target.h"
#include "draw/label.h"
#include "draw/shaders.h"
#include "geom/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum program_name {
    BALL_POINTS,
    BALL_SQUARES,
    SHADOW_POINTS,
    SHADOW_SQUARES,
    MESH,
    SHADOW_MESH,
    GLASS,
    LINE,
    OCCLUSION,
    BLUR,
    LIGHT_FAST,
    LIGHT_FINE,
    COPY,
    LABEL,
    PROGRAMS
};

typedef struct program_def {
    const char *vertex, *fragment, *defines;
} program_def;

static const program_def PROGRAM[PROGRAMS] = {
    [BALL_POINTS] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment, ""},
    [BALL_SQUARES] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment, "#define SQUARES\n"},
    [SHADOW_POINTS] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment, "#define LIGHT\n"},
    [SHADOW_SQUARES] = {ergi_shader_sphere_vertex, ergi_shader_sphere_fragment,
                        "#define LIGHT\n#define SQUARES\n"},
    [MESH] = {ergi_shader_mesh_vertex, ergi_shader_mesh_fragment, ""},
    [SHADOW_MESH] = {ergi_shader_mesh_vertex, ergi_shader_depth_fragment, ""},
    [GLASS] = {ergi_shader_mesh_vertex, ergi_shader_glass_fragment, ""},
    [LINE] = {ergi_shader_line_vertex, ergi_shader_line_fragment, ""},
    [OCCLUSION] = {ergi_shader_screen_vertex, ergi_shader_occlusion_fragment, ""},
    [BLUR] = {ergi_shader_screen_vertex, ergi_shader_blur_fragment, ""},
    [LIGHT_FAST] = {ergi_shader_screen_vertex, ergi_shader_light_fragment, ""},
    [LIGHT_FINE] = {ergi_shader_screen_vertex, ergi_shader_light_fragment, "#define OCCLUSION\n"},
    [COPY] = {ergi_shader_screen_vertex, ergi_shader_copy_fragment, ""},
    [LABEL] = {ergi_shader_label_vertex, ergi_shader_label_fragment, ""},
};

enum { SHADOW_FAST = 1280, SHADOW_FINE = 3072 }; // pixels of the shadow map, along an edge

struct erg_renderer {
    GLuint          program[PROGRAMS];
    GLuint          balls, meshes, lines, nothing; // vertex arrays
    GLuint          ball_buffer, mesh_buffer, line_buffer;
    GLuint          label; // texture
    ergi_target     shadow, geometry, lit, open, smooth_open;
    ergi_cull      *cull[2];       // for the eye, for the lamp
    double          largest_point; // [pixels]
    int             largest_target;
    erg_draw_report report;
};

// One picture being drawn.
typedef struct frame {
    erg_renderer      *r;
    const erg_picture *p;
    erg_error         *err;
    GLint              out; // framebuffer that was bound
    int                width, height, scale;
    int                shadow_size;
    ergi_matrix        view, projection, light_view, light_projection;
    float              lamp[3], up[3], middle[3]; // in the eye's frame
    float              cut[4], light_cut[4];      // planes in the frames of eye and lamp
    double             extent;                    // radius of the ball around everything [m]
    double             size_unit;
    ergi_seen          seen[2]; // by the eye, by the lamp
} frame;

// ---- Coming and going --------------------------------------------------------------------------
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

erg_status erg_renderer_create(erg_renderer **renderer, erg_error *err)
{
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
    for (int i = 0; i < PROGRAMS && status == ERG_OK; i++)
        status = ergi_program_make(PROGRAM[i].vertex, PROGRAM[i].fragment, PROGRAM[i].defines,
                                   &r->program[i], err);
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
    for (int i = 0; i < PROGRAMS; i++)
        if (r->program[i]) glDeleteProgram(r->program[i]);
    ergi_target *targets[] = {&r->shadow, &r->geometry, &r->lit, &r->open, &r->smooth_open};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) ergi_target_free(targets[i]);
    GLuint arrays[] = {r->balls, r->meshes, r->lines, r->nothing};
    GLuint buffers[] = {r->ball_buffer, r->mesh_buffer, r->line_buffer};
    if (r->balls) {
        glDeleteVertexArrays(4, arrays);
        glDeleteBuffers(3, buffers);
        glDeleteTextures(1, &r->label);
    }
    for (int i = 0; i < 2; i++) ergi_cull_free(r->cull[i]);
    ergi_memory_free(r);
}

erg_draw_report erg_renderer_report(const erg_renderer *r)
{
    return r->report;
}

// ---- Where eye and lamp are --------------------------------------------------------------------
static void to_float(erg_vec3 v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void turn_into(const ergi_matrix *view, erg_vec3 direction, float out[3])
{
    float d[3];
    to_float(direction, d);
    ergi_matrix_direction(view, d, out);
}

// A plane that leaves out nothing when there is no cut.
static void cut_in(const frame *f, const ergi_matrix *view, float plane[4])
{
    const erg_look *look = &f->p->look;
    memset(plane, 0, 4 * sizeof *plane);
    plane[3] = -1e30f;
    if (!look->cut) return;
    float at[3], there[3];
    turn_into(view, ergi_normalize(look->cut_normal), plane);
    to_float(ergi_sub(look->cut_point, f->p->origin), at);
    ergi_matrix_point(view, at, there);
    plane[3] = -(plane[0] * there[0] + plane[1] * there[1] + plane[2] * there[2]);
}

static void place(frame *f)
{
    const erg_picture *p = f->p;
    const erg_camera  *eye = &p->eye;
    erg_vec3           centre, lamp = ergi_scale(ergi_normalize(p->look.light.direction), -1);
    double             near, far;
    erg_picture_ball(p, &centre, &f->extent);
    ergi_camera_depths(p, &near, &far);
    f->view = ergi_matrix_look(eye->position, eye->target, eye->up, p->origin);
    double aspect = (double)f->width / (double)f->height;
    f->projection = ergi_matrix_perspective(ergi_camera_angle(p, aspect), aspect, near, far);
    turn_into(&f->view, lamp, f->lamp);
    turn_into(&f->view, p->up, f->up);
    float middle[3];
    to_float(ergi_sub(centre, p->origin), middle);
    ergi_matrix_point(&f->view, middle, f->middle);

    double   reach = 1.04 * f->extent;
    erg_vec3 from = ergi_madd(centre, 2 * reach, lamp);
    f->light_view = ergi_matrix_look(from, centre, p->up, p->origin);
    f->light_projection = ergi_matrix_parallel(reach, 0.9 * reach, 3.1 * reach);
    cut_in(f, &f->view, f->cut);
    cut_in(f, &f->light_view, f->light_cut);
    f->size_unit = p->largest;
}

// From the eye's frame to the shadow map, 0 to 1.
static ergi_matrix to_shadow(const frame *f)
{
    ergi_matrix half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
    ergi_matrix back = ergi_matrix_inverse_rigid(&f->view);
    ergi_matrix a = ergi_matrix_multiply(&half, &f->light_projection);
    ergi_matrix b = ergi_matrix_multiply(&f->light_view, &back);
    return ergi_matrix_multiply(&a, &b);
}

// ---- Spheres -----------------------------------------------------------------------------------
static void set_ball_program(const frame *f, GLuint program, bool lamp, int width, int height)
{
    glUseProgram(program);
    ergi_set_matrix(program, "view", lamp ? &f->light_view : &f->view);
    ergi_set_matrix(program, "projection", lamp ? &f->light_projection : &f->projection);
    ergi_set_vec2(program, "viewport", width, height);
    ergi_set_vec4(program, "cut", lamp ? f->light_cut : f->cut);
    ergi_set_float(program, "size_unit", f->size_unit);
}

static void upload_balls(const ergi_ball *balls, size_t count)
{
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *balls), balls, GL_STREAM_DRAW);
}

// Finds what eye and lamp see, before anything is drawn: OpenGL's own threads would be in the way.
static erg_status find_seen(frame *f)
{
    double     start = ergi_clock_seconds();
    erg_status status = ERG_OK;
    for (int lamp = 0; lamp < 2 && status == ERG_OK; lamp++) {
        ergi_sight sight = {.view = lamp ? f->light_view : f->view,
                            .projection = lamp ? f->light_projection : f->projection,
                            .parallel = lamp,
                            .hide = f->p->look.cull,
                            .mean = f->p->mean,
                            .width = lamp ? f->shadow_size : f->width * f->scale,
                            .height = lamp ? f->shadow_size : f->height * f->scale,
                            .largest_point = f->r->largest_point};
        memcpy(sight.cut, lamp ? f->light_cut : f->cut, sizeof sight.cut);
        if (lamp && !f->p->look.light.shadows) continue;
        status = ergi_cull_spheres(f->r->cull[lamp], f->p->balls, f->p->ball_count, &sight,
                                   &f->seen[lamp], f->err);
    }
    f->r->report.drawn = f->seen[0].point_count + f->seen[0].square_count;
    f->r->report.shading = f->seen[1].point_count + f->seen[1].square_count;
    f->r->report.cull_s = ergi_clock_seconds() - start;
    return status;
}

static void draw_balls(const frame *f, bool lamp, int width, int height)
{
    const erg_renderer *r = f->r;
    const ergi_seen    *seen = &f->seen[lamp];
    glBindVertexArray(r->balls);
    glBindBuffer(GL_ARRAY_BUFFER, r->ball_buffer);
    if (seen->point_count) {
        set_ball_program(f, r->program[lamp ? SHADOW_POINTS : BALL_POINTS], lamp, width, height);
        upload_balls(seen->points, seen->point_count);
        glDrawArrays(GL_POINTS, 0, (GLsizei)seen->point_count);
    }
    if (seen->square_count) {
        set_ball_program(f, r->program[lamp ? SHADOW_SQUARES : BALL_SQUARES], lamp, width, height);
        upload_balls(seen->squares, seen->square_count);
        for (GLuint i = 0; i < 2; i++) glVertexAttribDivisor(i, 1);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)seen->square_count);
        for (GLuint i = 0; i < 2; i++) glVertexAttribDivisor(i, 0);
    }
}

// ---- Passes ------------------------------------------------------------------------------------
static void begin_pass(const ergi_target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glViewport(0, 0, target->width, target->height);
}

static erg_status draw_shadow(frame *f)
{
    erg_renderer *r = f->r;
    erg_status    status = ergi_target_make(
           &r->shadow,
           &(ergi_target_def){
               .width = f->shadow_size, .height = f->shadow_size, .depth = true, .compare = true},
           f->err);
    if (status != ERG_OK) return status;
    begin_pass(&r->shadow);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_balls(f, true, f->shadow_size, f->shadow_size);
    GLuint program = r->program[SHADOW_MESH];
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->light_view);
    ergi_set_matrix(program, "projection", &f->light_projection);
    glBindVertexArray(r->meshes);
    for (size_t i = 0; i < f->p->mesh_count; i++)
        if (f->p->meshes[i].kind == ERGI_MESH_SOLID)
            glDrawArrays(GL_TRIANGLES, (GLint)f->p->meshes[i].first,
                         (GLsizei)f->p->meshes[i].count);
    return status;
}

static void colour_of(uint32_t packed, float out[4])
{
    uint8_t bytes[4];
    memcpy(bytes, &packed, 4);
    for (int k = 0; k < 4; k++) out[k] = (float)bytes[k] / 255.0f;
}

static void draw_meshes(const frame *f)
{
    const erg_picture *p = f->p;
    GLuint             program = f->r->program[MESH];
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->view);
    ergi_set_matrix(program, "projection", &f->projection);
    ergi_set_vec4(program, "cut", f->cut);
    ergi_set_float(program, "size_code", 1 + log2(p->mean / f->size_unit) / 16);
    glBindVertexArray(f->r->meshes);
    for (size_t i = 0; i < p->mesh_count; i++) {
        const ergi_mesh *mesh = &p->meshes[i];
        float            colour[4];
        if (mesh->kind == ERGI_MESH_GLASS) continue;
        colour_of(mesh->colour, colour);
        ergi_set_vec3(program, "albedo", colour);
        ergi_set_int(program, "vessel", mesh->kind == ERGI_MESH_VESSEL);
        ergi_set_float(program, "kind", mesh->kind == ERGI_MESH_GROUND ? 2.0 / 3 : 1.0 / 3);
        glDrawArrays(GL_TRIANGLES, (GLint)mesh->first, (GLsizei)mesh->count);
    }
}

static erg_status draw_geometry(frame *f)
{
    erg_renderer   *r = f->r;
    ergi_target_def def = {.width = f->width * f->scale,
                           .height = f->height * f->scale,
                           .colour = {GL_RGBA8, GL_RGB10_A2},
                           .depth = true};
    erg_status      status = ergi_target_make(&r->geometry, &def, f->err);
    if (status != ERG_OK) return status;
    begin_pass(&r->geometry);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_meshes(f);
    draw_balls(f, false, def.width, def.height);
    return ERG_OK;
}

static void bind_texture(GLuint program, const char *name, int unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    ergi_set_int(program, name, unit);
}

static void draw_screen(const erg_renderer *r)
{
    glBindVertexArray(r->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static erg_status draw_occlusion(frame *f)
{
    erg_renderer   *r = f->r;
    ergi_target_def def = {
        .width = f->width, .height = f->height, .colour = {GL_R8}, .smooth = true};
    erg_status status = ergi_target_make(&r->open, &def, f->err);
    if (status == ERG_OK) status = ergi_target_make(&r->smooth_open, &def, f->err);
    if (status != ERG_OK) return status;
    for (int pass = 0; pass < 2; pass++) {
        GLuint program = r->program[pass ? BLUR : OCCLUSION];
        begin_pass(pass ? &r->smooth_open : &r->open);
        glUseProgram(program);
        ergi_set_matrix(program, "projection", &f->projection);
        ergi_set_vec2(program, "viewport", f->width, f->height);
        ergi_set_vec2(program, "grid", r->geometry.width, r->geometry.height);
        ergi_set_float(program, "size_unit", f->size_unit);
        bind_texture(program, "depth", 0, r->geometry.depth);
        bind_texture(program, "surface", 1, r->geometry.colour[0]);
        bind_texture(program, "facing", 2, r->geometry.colour[1]);
        bind_texture(program, "occlusion", 3, r->open.colour[0]);
        draw_screen(r);
    }
    return ERG_OK;
}

static erg_status draw_light(frame *f)
{
    erg_renderer   *r = f->r;
    const erg_look *look = &f->p->look;
    bool            fine = look->quality == ERG_QUALITY_FINE;
    ergi_target_def def = {.width = f->width * f->scale,
                           .height = f->height * f->scale,
                           .colour = {GL_RGBA8},
                           .smooth = true};
    erg_status      status = ergi_target_make(&r->lit, &def, f->err);
    GLuint          program = r->program[fine ? LIGHT_FINE : LIGHT_FAST];
    ergi_matrix     shadow = to_shadow(f);
    float           background[3];
    if (status != ERG_OK) return status;
    to_float(look->background, background);
    begin_pass(&r->lit);
    glUseProgram(program);
    ergi_set_matrix(program, "projection", &f->projection);
    ergi_set_matrix(program, "to_shadow", &shadow);
    ergi_set_vec3(program, "lamp", f->lamp);
    ergi_set_vec3(program, "up", f->up);
    ergi_set_vec3(program, "middle", f->middle);
    ergi_set_vec3(program, "background", background);
    ergi_set_turn(program, "turned", &f->view);
    ergi_set_float(program, "height", def.height);
    ergi_set_float(program, "extent", f->extent);
    ergi_set_float(program, "brightness", look->light.brightness);
    ergi_set_float(program, "ambient", look->light.ambient);
    ergi_set_float(program, "shadows", look->light.shadows ? 1 : 0);
    ergi_set_float(program, "size_unit", f->size_unit);
    ergi_set_float(program, "texel", 2 * 1.04 * f->extent / f->shadow_size);
    ergi_set_float(program, "texel_step", 1.0 / f->shadow_size);
    bind_texture(program, "depth", 0, r->geometry.depth);
    bind_texture(program, "surface", 1, r->geometry.colour[0]);
    bind_texture(program, "facing", 2, r->geometry.colour[1]);
    bind_texture(program, "occlusion", 3, r->smooth_open.colour[0]);
    bind_texture(program, "shadow", 4, r->shadow.depth);
    draw_screen(r);
    glActiveTexture(GL_TEXTURE0);
    return ERG_OK;
}

// The side of vessels towards the eye is drawn as thin glass, so that one sees that it is there.
static void draw_glass(const frame *f)
{
    const erg_picture *p = f->p;
    GLuint             program = f->r->program[GLASS];
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->view);
    ergi_set_matrix(program, "projection", &f->projection);
    ergi_set_vec4(program, "cut", f->cut);
    ergi_set_vec3(program, "lamp", f->lamp);
    ergi_set_vec3(program, "up", f->up);
    glBindVertexArray(f->r->meshes);
    for (int side = 0; side < 2; side++) // the far side first
        for (size_t i = 0; i < p->mesh_count; i++) {
            const ergi_mesh *mesh = &p->meshes[i];
            bool             glass = mesh->kind == ERGI_MESH_GLASS;
            if (!glass && (mesh->kind != ERGI_MESH_VESSEL || side == 0)) continue;
            const float tint[3] = {0.90f, 0.95f, 0.96f};
            ergi_set_vec3(program, "tint", tint);
            ergi_set_float(program, "strength", glass ? 1.0 : 0.3);
            ergi_set_float(program, "turned", side ? 1.0 : -1.0);
            glDrawArrays(GL_TRIANGLES, (GLint)mesh->first, (GLsizei)mesh->count);
        }
}

static void draw_lines(const frame *f, size_t first, size_t count)
{
    GLuint program = f->r->program[LINE];
    if (count == 0) return;
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->view);
    ergi_set_matrix(program, "projection", &f->projection);
    // Half a pixel of the final picture.
    ergi_set_float(program, "least", 0.55 / ((double)f->projection.m[5] * 0.5 * f->height));
    glBindVertexArray(f->r->lines);
    glBindBuffer(GL_ARRAY_BUFFER, f->r->line_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *f->p->ribbons),
                 f->p->ribbons + first, GL_STREAM_DRAW);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
}

// Over the lit picture, against the depth of what is opaque.
static erg_status draw_transparent(frame *f)
{
    erg_renderer      *r = f->r;
    const erg_picture *p = f->p;
    glBindFramebuffer(GL_FRAMEBUFFER, r->lit.frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->geometry.depth,
                           0);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glEnable(GL_DEPTH_TEST);
    draw_lines(f, 0, p->edge_count);
    draw_glass(f);
    glDisable(GL_DEPTH_TEST);
    draw_lines(f, p->edge_count, p->ribbon_count - p->edge_count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 0);
    return ERG_OK;
}

static void draw_label(const frame *f, const ergi_label *label)
{
    GLuint program = f->r->program[LABEL];
    if (!label->image.rgba) return;
    double x0 = 2.0 * label->x / f->width - 1, x1 = x0 + 2.0 * label->image.width / f->width;
    double y1 = 1 - 2.0 * label->y / f->height, y0 = y1 - 2.0 * label->image.height / f->height;
    float  corners[4] = {(float)x0, (float)y0, (float)x1, (float)y1};
    glUseProgram(program);
    ergi_set_vec4(program, "frame", corners);
    bind_texture(program, "picture", 0, f->r->label);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, label->image.width, label->image.height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, label->image.rgba);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindVertexArray(f->r->nothing);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static erg_status draw_out(frame *f)
{
    GLuint program = f->r->program[COPY];
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)f->out);
    glViewport(0, 0, f->width, f->height);
    glUseProgram(program);
    bind_texture(program, "picture", 0, f->r->lit.colour[0]);
    draw_screen(f->r);
    glEnable(GL_BLEND);
    ergi_label caption, legend = {0};
    erg_status status = ergi_label_caption(f->p, f->width, f->height, &caption, f->err);
    if (status == ERG_OK) status = ergi_label_legend(f->p, f->width, f->height, &legend, f->err);
    if (status == ERG_OK) {
        draw_label(f, &caption);
        draw_label(f, &legend);
    }
    ergi_label_free(&caption);
    ergi_label_free(&legend);
    glDisable(GL_BLEND);
    return status;
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
    bool  fine = p->look.quality == ERG_QUALITY_FINE;
    frame f = {.r = r, .p = p, .err = err, .width = width, .height = height};
    f.scale = fine && 2 * (width > height ? width : height) <= r->largest_target ? 2 : 1;
    f.shadow_size = fine ? SHADOW_FINE : SHADOW_FAST;
    double start = ergi_clock_seconds();
    r->report = (erg_draw_report){.spheres = p->ball_count};
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &f.out);
    set_state();
    place(&f);
    glBindBuffer(GL_ARRAY_BUFFER, r->mesh_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(p->corner_count * sizeof *p->corners), p->corners,
                 GL_STREAM_DRAW);

    erg_status status = find_seen(&f);
    if (status == ERG_OK) status = draw_shadow(&f);
    if (status == ERG_OK) status = draw_geometry(&f);
    glDisable(GL_DEPTH_TEST);
    if (status == ERG_OK && fine) status = draw_occlusion(&f);
    if (status == ERG_OK) status = draw_light(&f);
    if (status == ERG_OK) status = draw_transparent(&f);
    if (status == ERG_OK) status = draw_out(&f);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)f.out);
    r->report.draw_s = ergi_clock_seconds() - start - r->report.cull_s;
    if (status == ERG_OK && glGetError() == GL_OUT_OF_MEMORY)
        status = ergi_fail(err, ERG_NO_MEMORY, "the OpenGL driver ran out of memory");
    return status;
}
