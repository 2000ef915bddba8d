// Opaque passes: shadow, geometry, occlusion, light.
#include "draw/gl_frame.h"

#include <math.h>
#include <string.h>

void ergi_begin_pass(const ergi_target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glViewport(0, 0, target->width, target->height);
}

erg_status ergi_draw_shadow(ergi_frame *f)
{
    erg_renderer *r = f->r;
    erg_status    status = ergi_target_make(
           &r->shadow,
           &(ergi_target_def){
               .width = f->shadow_size, .height = f->shadow_size, .depth = true, .compare = true},
           f->err);
    if (status != ERG_OK) return status;
    ergi_begin_pass(&r->shadow);
    glClear(GL_DEPTH_BUFFER_BIT);
    if (!f->p->look.light.shadows) return status;
    ergi_draw_spheres(f, true, f->shadow_size, f->shadow_size);
    GLuint program = r->program[ERGI_PROGRAM_SHADOW_MESH];
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->light_view);
    ergi_set_matrix(program, "projection", &f->light_projection);
    ergi_set_vec4(program, "cut", f->light_cut);
    glBindVertexArray(r->meshes);
    for (size_t i = 0; i < f->p->sheet_count; i++)
        if (f->p->sheets[i].kind == ERGI_SHEET_SOLID)
            glDrawArrays(GL_TRIANGLES, (GLint)f->p->sheets[i].first,
                         (GLsizei)f->p->sheets[i].count);
    ergi_draw_prop_shadows(f);
    ergi_draw_land(f, true);
    return status;
}

static void colour_of(uint32_t packed, float out[4])
{
    uint8_t bytes[4];
    memcpy(bytes, &packed, 4);
    for (int k = 0; k < 4; k++) out[k] = (float)bytes[k] / 255.0f;
}

// The ground must not lie in the sand of a terrain, nor where that is dug down to it.
static void set_hole(const erg_picture *p, GLuint program)
{
    float hole[4] = {1, 1, -1, -1};
    for (int k = 0; p->land && k < 2; k++) {
        double origin = k ? p->origin.y : p->origin.x;
        hole[k] = (float)(p->land->grid.lower[k] - origin);
        hole[2 + k] = (float)(ergi_land_upper(p->land, k) - origin);
    }
    ergi_set_vec4(program, "hole", hole);
}

static void draw_sheets(const ergi_frame *f)
{
    const erg_picture *p = f->p;
    GLuint             program = f->r->program[ERGI_PROGRAM_MESH];
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->view);
    ergi_set_matrix(program, "projection", &f->projection);
    ergi_set_vec4(program, "cut", f->cut);
    ergi_set_float(program, "size_code", 1 + log2(p->mean / f->size_unit) / 16);
    set_hole(p, program);
    glBindVertexArray(f->r->meshes);
    for (size_t i = 0; i < p->sheet_count; i++) {
        const ergi_sheet *mesh = &p->sheets[i];
        float             colour[4];
        if (mesh->kind == ERGI_SHEET_GLASS) continue;
        colour_of(mesh->colour, colour);
        ergi_set_vec3(program, "albedo", colour);
        ergi_set_int(program, "vessel", mesh->kind == ERGI_SHEET_VESSEL);
        ergi_set_float(program, "kind", mesh->kind == ERGI_SHEET_GROUND ? 2.0 / 3 : 1.0 / 3);
        glDrawArrays(GL_TRIANGLES, (GLint)mesh->first, (GLsizei)mesh->count);
    }
}

erg_status ergi_draw_geometry(ergi_frame *f)
{
    erg_renderer   *r = f->r;
    ergi_target_def def = {.width = f->width * f->scale,
                           .height = f->height * f->scale,
                           .colour = {GL_RGBA8, GL_RGB10_A2},
                           .depth = true};
    erg_status      status = ergi_target_make(&r->geometry, &def, f->err);
    if (status != ERG_OK) return status;
    ergi_begin_pass(&r->geometry);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_sheets(f);
    ergi_draw_props(f);
    ergi_draw_land(f, false);
    ergi_draw_spheres(f, false, def.width, def.height);
    return ergi_draw_prop_caps(f);
}

void ergi_bind_texture(GLuint program, const char *name, int unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    ergi_set_int(program, name, unit);
}

void ergi_draw_screen(const erg_renderer *r)
{
    glBindVertexArray(r->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

erg_status ergi_draw_occlusion(ergi_frame *f)
{
    erg_renderer   *r = f->r;
    ergi_target_def def = {
        .width = f->width, .height = f->height, .colour = {GL_R8}, .smooth = true};
    erg_status status = ergi_target_make(&r->open, &def, f->err);
    if (status == ERG_OK) status = ergi_target_make(&r->smooth_open, &def, f->err);
    if (status != ERG_OK) return status;
    for (int pass = 0; pass < 2; pass++) {
        GLuint program = r->program[pass ? ERGI_PROGRAM_BLUR : ERGI_PROGRAM_OCCLUSION];
        ergi_begin_pass(pass ? &r->smooth_open : &r->open);
        glUseProgram(program);
        ergi_set_matrix(program, "projection", &f->projection);
        ergi_set_vec2(program, "viewport", f->width, f->height);
        ergi_set_vec2(program, "grid", r->geometry.width, r->geometry.height);
        ergi_set_float(program, "size_unit", f->size_unit);
        ergi_bind_texture(program, "depth", 0, r->geometry.depth);
        ergi_bind_texture(program, "surface", 1, r->geometry.colour[0]);
        ergi_bind_texture(program, "facing", 2, r->geometry.colour[1]);
        ergi_bind_texture(program, "occlusion", 3, r->open.colour[0]);
        ergi_draw_screen(r);
    }
    return ERG_OK;
}

erg_status ergi_draw_light(ergi_frame *f)
{
    erg_renderer   *r = f->r;
    const erg_look *look = &f->p->look;
    bool            fine = look->quality == ERG_QUALITY_FINE;
    ergi_target_def def = {.width = f->width * f->scale,
                           .height = f->height * f->scale,
                           .colour = {GL_RGBA8},
                           .smooth = true};
    erg_status      status = ergi_target_make(&r->lit, &def, f->err);
    GLuint          program = r->program[fine ? ERGI_PROGRAM_LIGHT_FINE : ERGI_PROGRAM_LIGHT_FAST];
    ergi_matrix     shadow = ergi_frame_to_shadow(f);
    float           horizon[3];
    if (status != ERG_OK) return status;
    ergi_to_float(look->background, horizon);
    for (int k = 0; k < 3; k++) horizon[k] = powf(horizon[k], 2.2f);
    ergi_begin_pass(&r->lit);
    glUseProgram(program);
    ergi_set_matrix(program, "projection", &f->projection);
    ergi_set_matrix(program, "to_shadow", &shadow);
    ergi_set_vec3(program, "lamp", f->lamp);
    ergi_set_vec3(program, "up", f->up);
    ergi_set_vec3(program, "middle", f->middle);
    ergi_set_vec3(program, "horizon", horizon);
    ergi_set_turn(program, "turned", &f->view);
    ergi_set_float(program, "height", def.height);
    ergi_set_float(program, "extent", f->extent);
    ergi_set_float(program, "brightness", look->light.brightness);
    ergi_set_float(program, "ambient", look->light.ambient);
    ergi_set_float(program, "transparent", look->transparent ? 1 : 0);
    ergi_set_float(program, "shadows", look->light.shadows ? 1 : 0);
    ergi_set_float(program, "size_unit", f->size_unit);
    ergi_set_float(program, "texel", 2 * 1.04 * f->extent / f->shadow_size);
    ergi_set_float(program, "texel_step", 1.0 / f->shadow_size);
    ergi_bind_texture(program, "depth", 0, r->geometry.depth);
    ergi_bind_texture(program, "surface", 1, r->geometry.colour[0]);
    ergi_bind_texture(program, "facing", 2, r->geometry.colour[1]);
    ergi_bind_texture(program, "occlusion", 3, r->smooth_open.colour[0]);
    ergi_bind_texture(program, "shadow", 4, r->shadow.depth);
    ergi_draw_screen(r);
    glActiveTexture(GL_TEXTURE0);
    return ERG_OK;
}
