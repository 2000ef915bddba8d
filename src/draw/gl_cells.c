// Ray casting of distance fields: each lattice cube crossed by the surface is drawn, and its
// fragment shader intersects the view ray with the surface.
#include "base/error.h"
#include "draw/gl_frame.h"
#include "geom/vec3.h"

#include <math.h>
#include <string.h>

enum { ACROSS = ERGI_CELLS_ACROSS };

// ---- Upload ------------------------------------------------------------------------------------
static erg_status send_normals(ergi_gl_model *own, const ergi_cells *cells, erg_error *err)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &most);
    if (ACROSS * cells->across[0] > most)
        return ergi_fail(
            err, ERG_BAD_INPUT,
            "a distance field of %zu blocks is too large for this OpenGL: choose a larger spacing",
            cells->slots);
    glGenTextures(1, &own->normals);
    glBindTexture(GL_TEXTURE_3D, own->normals);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8_SNORM, ACROSS * cells->across[0],
                 ACROSS * cells->across[1], ACROSS * cells->across[2], 0, GL_RGBA, GL_BYTE, NULL);
    static const GLenum clamped[] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};
    for (int k = 0; k < 3; k++) glTexParameteri(GL_TEXTURE_3D, clamped[k], GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (size_t slot = 0; slot < cells->slots; slot++) {
        int at[3];
        ergi_cells_slot(cells, slot, at);
        glTexSubImage3D(GL_TEXTURE_3D, 0, at[0], at[1], at[2], ACROSS, ACROSS, ACROSS, GL_RGBA,
                        GL_BYTE, cells->normals + 4 * slot * ERGI_CELLS_POINTS);
    }
    return ERG_OK;
}

erg_status ergi_send_cells(ergi_gl_model *own, const ergi_cells *cells, erg_error *err)
{
    static const struct {
        GLint  count;
        size_t offset;
    } part[] = {{4, offsetof(ergi_cell_vertex, low)},
                {3, offsetof(ergi_cell_vertex, at)},
                {4, offsetof(ergi_cell_vertex, distance[0])},
                {4, offsetof(ergi_cell_vertex, distance[1])}};
    erg_status status = send_normals(own, cells, err);
    if (status != ERG_OK) return status;
    glGenVertexArrays(1, &own->cell_array);
    glGenBuffers(1, &own->cells);
    glBindVertexArray(own->cell_array);
    glBindBuffer(GL_ARRAY_BUFFER, own->cells);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(cells->count * sizeof *cells->cell), cells->cell,
                 GL_STATIC_DRAW);
    for (GLuint i = 0; i < 4; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, part[i].count, GL_FLOAT, GL_FALSE, sizeof(ergi_cell_vertex),
                              (const void *)part[i].offset);
        glVertexAttribDivisor(i, 1);
    }
    return ERG_OK;
}

// ---- Drawing -----------------------------------------------------------------------------------
// From the model frame, centred on the model, to the eye frame.
static ergi_matrix model_view(const ergi_matrix *view, const ergi_prop_pose *pose)
{
    erg_quat    q = {(double)pose->turn[0], (double)pose->turn[1], (double)pose->turn[2],
                     (double)pose->turn[3]};
    ergi_mat3   turn = ergi_mat3_from_quat(q);
    ergi_matrix m = {{0}};
    for (int col = 0; col < 3; col++)
        for (int row = 0; row < 3; row++) m.m[4 * col + row] = (float)turn.m[row][col];
    memcpy(m.m + 12, pose->place, sizeof pose->place);
    m.m[15] = 1;
    return ergi_matrix_multiply(view, &m);
}

static void set_pose(GLuint program, const ergi_matrix *view, const ergi_prop_pose *pose, bool lamp)
{
    ergi_matrix to_eye = model_view(view, pose), back = ergi_matrix_inverse_rigid(&to_eye);
    const float origin[3] = {0, 0, 0}, ahead[3] = {0, 0, -1};
    float       from[3], albedo[3];
    uint8_t     bytes[4];
    if (lamp)
        ergi_matrix_direction(&back, ahead, from);
    else
        ergi_matrix_point(&back, origin, from);
    memcpy(bytes, &pose->colour, 4);
    for (int k = 0; k < 3; k++) albedo[k] = (float)bytes[k] / 255.0f;
    ergi_set_vec3(program, "middle", pose->place);
    ergi_set_vec4(program, "turn", pose->turn);
    ergi_set_vec3(program, "from", from);
    ergi_set_turn(program, "to_eye", &to_eye);
    ergi_set_vec3(program, "albedo", albedo);
}

void ergi_draw_cells(const ergi_frame *f, const ergi_gl_model *own, const ergi_batch *batch,
                     bool lamp)
{
    const ergi_matrix *view = lamp ? &f->light_view : &f->view;
    const ergi_cells  *cells = &batch->model->field;
    GLuint             program = f->r->program[lamp ? ERGI_PROGRAM_SHADOW_CELL : ERGI_PROGRAM_CELL];
    size_t             count = f->p->look.cut ? cells->count : cells->crossing;
    glUseProgram(program);
    ergi_set_matrix(program, "view", view);
    ergi_set_matrix(program, "projection", lamp ? &f->light_projection : &f->projection);
    ergi_set_vec4(program, "cut", lamp ? f->light_cut : f->cut);
    ergi_set_float(program, "size_code", 1 + log2(f->p->mean / f->size_unit) / 16);
    float texel[3];
    for (int k = 0; k < 3; k++) texel[k] = 1.0f / (float)(ACROSS * cells->across[k]);
    ergi_set_vec3(program, "texel", texel);
    ergi_set_int(program, "directions", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_3D, own->normals);
    glBindVertexArray(own->cell_array);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT);
    for (size_t i = 0; i < batch->count; i++) {
        set_pose(program, view, &f->p->poses[batch->first + i], lamp);
        glDrawArraysInstanced(GL_TRIANGLES, 0, 36, (GLsizei)count);
    }
    glDisable(GL_CULL_FACE);
}
