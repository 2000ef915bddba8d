// Bodies and other triangle meshes: uploaded once, then drawn by pose.
#include "base/memory.h"
#include "draw/gl_frame.h"

#include <math.h>

enum { UNUSED_PICTURES = 300 }; // pictures after which an unused model is freed

// ---- Models on the GPU -------------------------------------------------------------------------
static erg_status upload_model(ergi_gl_model *own, const ergi_model *model, erg_error *err)
{
    *own = (ergi_gl_model){.key = model->key};
    glGenVertexArrays(1, &own->array);
    glGenBuffers(1, &own->corners);
    glGenBuffers(1, &own->index);
    glBindVertexArray(own->array);
    glBindBuffer(GL_ARRAY_BUFFER, own->corners);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(model->corners * sizeof *model->corner),
                 model->corner, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, own->index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(model->indices * sizeof *model->index),
                 model->index, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(ergi_corner), NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(ergi_corner),
                          (const void *)offsetof(ergi_corner, normal));
    for (GLuint i = 0; i < 5; i++) glEnableVertexAttribArray(i);
    for (GLuint i = 2; i < 5; i++) glVertexAttribDivisor(i, 1);
    return model->cast ? ergi_send_cells(own, &model->field, err) : ERG_OK;
}

static void free_model(ergi_gl_model *own)
{
    GLuint buffers[3] = {own->corners, own->index, own->cells};
    GLuint arrays[2] = {own->array, own->cell_array};
    glDeleteVertexArrays(2, arrays);
    glDeleteBuffers(3, buffers);
    glDeleteTextures(1, &own->normals);
}

static ergi_gl_model *find_model(const erg_renderer *r, const ergi_model *model)
{
    for (size_t i = 0; i < r->model_count; i++)
        if (r->models[i].key == model->key) return &r->models[i];
    return NULL;
}

static void free_unused_models(erg_renderer *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->model_count; i++)
        if (r->pictures - r->models[i].last < UNUSED_PICTURES)
            r->models[kept++] = r->models[i];
        else
            free_model(&r->models[i]);
    r->model_count = kept;
}

void ergi_free_gl_models(erg_renderer *r)
{
    for (size_t i = 0; i < r->model_count; i++) free_model(&r->models[i]);
    ergi_memory_free(r->models);
}

static size_t pose_count(const erg_picture *p)
{
    const ergi_batch *last = p->batch_count ? &p->batches[p->batch_count - 1] : NULL;
    return last ? last->first + last->count : 0;
}

erg_status ergi_send_props(ergi_frame *f)
{
    erg_renderer *r = f->r;
    r->pictures++;
    for (size_t i = 0; i < f->p->batch_count; i++) {
        const ergi_model *model = f->p->batches[i].model;
        ergi_gl_model    *own = find_model(r, model);
        if (!own) {
            erg_status status = ergi_memory_grow(&r->models, &r->model_room, r->model_count + 1,
                                                 sizeof *r->models, "shapes", f->err);
            if (status != ERG_OK) return status;
            own = &r->models[r->model_count];
            status = upload_model(own, model, f->err);
            if (status != ERG_OK) {
                free_model(own);
                return status;
            }
            r->model_count++;
        }
        own->last = r->pictures;
    }
    free_unused_models(r);
    glBindBuffer(GL_ARRAY_BUFFER, r->pose_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(pose_count(f->p) * sizeof *f->p->poses), f->p->poses,
                 GL_STREAM_DRAW);
    return ERG_OK;
}

// ---- Drawing -----------------------------------------------------------------------------------
// OpenGL ES 3.0 has no base instance, so the attribute pointers are offset instead.
static void draw_batch(const ergi_frame *f, const ergi_batch *batch)
{
    const ergi_gl_model *own = find_model(f->r, batch->model);
    size_t               at = batch->first * sizeof(ergi_prop_pose);
    glBindVertexArray(own->array);
    glBindBuffer(GL_ARRAY_BUFFER, f->r->pose_buffer);
    glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, sizeof(ergi_prop_pose),
                          (const void *)(at + offsetof(ergi_prop_pose, place)));
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, sizeof(ergi_prop_pose),
                          (const void *)(at + offsetof(ergi_prop_pose, turn)));
    glVertexAttribPointer(4, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(ergi_prop_pose),
                          (const void *)(at + offsetof(ergi_prop_pose, colour)));
    glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)batch->model->indices, GL_UNSIGNED_INT, NULL,
                            (GLsizei)batch->count);
}

static void draw_batches(const ergi_frame *f, bool glass, bool only_closed)
{
    for (size_t i = 0; i < f->p->batch_count; i++) {
        const ergi_batch *batch = &f->p->batches[i];
        if (batch->model->cast || batch->glass != glass) continue;
        if (batch->model->closed || !only_closed) draw_batch(f, batch);
    }
}

static GLuint set_program(const ergi_frame *f, ergi_program_name name, bool lamp)
{
    GLuint program = f->r->program[name];
    glUseProgram(program);
    ergi_set_matrix(program, "view", lamp ? &f->light_view : &f->view);
    ergi_set_matrix(program, "projection", lamp ? &f->light_projection : &f->projection);
    ergi_set_vec4(program, "cut", lamp ? f->light_cut : f->cut);
    ergi_set_float(program, "size_code", 1 + log2(f->p->mean / f->size_unit) / 16);
    return program;
}

// At level 0 the triangles cast the same shadow, without ray casting. They are offset away from the
// light by a quarter of a spacing, since the field is rounder than the triangles at edges.
static void draw_fields(const ergi_frame *f, bool lamp)
{
    for (size_t i = 0; i < f->p->batch_count; i++) {
        const ergi_batch *batch = &f->p->batches[i];
        if (!batch->model->cast) continue;
        if (!lamp || batch->model->level != 0) {
            ergi_draw_cells(f, find_model(f->r, batch->model), batch, lamp);
            continue;
        }
        GLuint program = set_program(f, ERGI_PROGRAM_SHADOW_PROP, true);
        ergi_set_float(program, "back", 0.25 * batch->model->spacing);
        draw_batch(f, batch);
    }
}

void ergi_draw_props(const ergi_frame *f)
{
    set_program(f, ERGI_PROGRAM_PROP, false);
    draw_batches(f, false, false);
    draw_fields(f, false);
}

// A body opened by the cut needs no cap in the shadow map: light that enters it ends at its inner
// side, which lies behind the cap.
void ergi_draw_prop_shadows(const ergi_frame *f)
{
    GLuint program = set_program(f, ERGI_PROGRAM_SHADOW_PROP, true);
    ergi_set_float(program, "back", 0);
    draw_batches(f, false, false);
    draw_fields(f, true);
}

void ergi_draw_prop_glass(const ergi_frame *f, bool towards)
{
    GLuint program = f->r->program[ERGI_PROGRAM_GLASS_PROP];
    ergi_set_glass(f, program);
    ergi_set_float(program, "turned", towards ? 1 : -1);
    draw_batches(f, true, false);
}

erg_status ergi_draw_prop_caps(ergi_frame *f)
{
    erg_renderer   *r = f->r;
    ergi_target_def def = {.width = r->geometry.width, .height = r->geometry.height, .depth = true};
    if (!f->p->look.cut || f->p->batch_count == 0) return ERG_OK;
    erg_status status = ergi_target_make(&r->uncapped, &def, f->err);
    if (status != ERG_OK) return status;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->geometry.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->uncapped.frame);
    glBlitFramebuffer(0, 0, def.width, def.height, 0, 0, def.width, def.height, GL_DEPTH_BUFFER_BIT,
                      GL_NEAREST);
    ergi_begin_pass(&r->geometry);
    GLuint program = set_program(f, ERGI_PROGRAM_PROP_CAP, false);
    ergi_bind_texture(program, "nearest", 0, r->uncapped.depth);
    draw_batches(f, false, true);
    return ERG_OK;
}
