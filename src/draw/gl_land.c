// Draws the terrain of a picture. The tiles that it shows are kept on the GPU; a tile is uploaded
// when it is first shown, and when its heights have changed.
#include "base/error.h"
#include "base/memory.h"
#include "draw/gl_frame.h"
#include "geom/vec3.h"

#include <stddef.h>

static const double CELL_FAST = 14, CELL_FINE = 6; // width of a cell of a tile [pixels]

// A bed of grains looks darker than a smooth surface of their colour, since they shade each other;
// measured in pictures of a level bed.
static const double DIM_FAST = 0.88, DIM_FINE = 0.81;

void ergi_free_gl_land(erg_renderer *r)
{
    for (size_t i = 0; i < r->tile_count; i++) glDeleteBuffers(1, &r->tiles[i].buffer);
    if (r->land_array) {
        glDeleteVertexArrays(1, &r->land_array);
        glDeleteBuffers(1, &r->land_index);
    }
    ergi_memory_free(r->tiles);
    ergi_memory_free(r->chosen);
    ergi_memory_free(r->slot);
}

static erg_status prepare(erg_renderer *r, erg_error *err)
{
    if (r->land_array) return ERG_OK;
    uint16_t index[ERGI_TILE_INDICES];
    r->tiles = ergi_memory_new(ERGI_GL_TILES, sizeof *r->tiles, "the terrain", err);
    r->chosen = ergi_memory_new(ERGI_TILES_MOST, sizeof *r->chosen, "the terrain", err);
    r->slot = ergi_memory_new(ERGI_TILES_MOST, sizeof *r->slot, "the terrain", err);
    if (!r->tiles || !r->chosen || !r->slot) return ERG_NO_MEMORY;
    ergi_tile_indices(index);
    glGenVertexArrays(1, &r->land_array);
    glGenBuffers(1, &r->land_index);
    glBindVertexArray(r->land_array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, r->land_index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
    for (GLuint i = 0; i < 3; i++) glEnableVertexAttribArray(i);
    return ERG_OK;
}

// ---- Upload ------------------------------------------------------------------------------------
static bool holds(const ergi_gl_tile *own, const ergi_tile *t)
{
    return own->tile.level == t->level && own->tile.a == t->a && own->tile.b == t->b &&
           own->tile.content == t->content;
}

// The slot that holds the tile, else the one that was not shown for longest, or a new one.
static size_t find_slot(erg_renderer *r, const ergi_tile *t)
{
    size_t oldest = r->tile_count;
    for (size_t i = 0; i < r->tile_count; i++) {
        if (holds(&r->tiles[i], t)) return i;
        if (r->tiles[i].last != r->pictures &&
            (oldest == r->tile_count || r->tiles[i].last < r->tiles[oldest].last))
            oldest = i;
    }
    if (r->tile_count == ERGI_GL_TILES) return oldest;
    glGenBuffers(1, &r->tiles[r->tile_count].buffer);
    return r->tile_count++;
}

static void send_tile(erg_renderer *r, const ergi_land *land, size_t k)
{
    ergi_tile_corner corners[ERGI_TILE_CORNERS];
    const ergi_tile *t = &r->chosen[k];
    size_t           slot = find_slot(r, t);
    ergi_gl_tile    *own = &r->tiles[slot];
    r->slot[k] = slot;
    if (!own->last || !holds(own, t)) {
        ergi_tile_corners(land, t, corners);
        glBindBuffer(GL_ARRAY_BUFFER, own->buffer);
        glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
        r->report.tiles_sent++;
    }
    own->tile = *t;
    own->last = r->pictures;
}

erg_status ergi_send_land(ergi_frame *f)
{
    erg_renderer      *r = f->r;
    const erg_picture *p = f->p;
    r->chosen_count = 0;
    if (!p->land) return ERG_OK;
    erg_status status = prepare(r, f->err);
    if (status != ERG_OK) return status;
    bool           fine = p->look.quality == ERG_QUALITY_FINE;
    ergi_tile_view view = {.eye = p->eye.position,
                           .to_clip = ergi_matrix_multiply(&f->projection, &f->view),
                           .origin = p->origin,
                           .pixels = 0.5 * f->height * (double)f->projection.m[5],
                           .cell_pixels = fine ? CELL_FINE : CELL_FAST};
    erg_picture_ball(p, &view.centre, &view.radius);
    if (!p->look.light.shadows) view.radius = 0;
    r->chosen_count = ergi_land_choose(p->land, &view, r->chosen);
    for (size_t k = 0; k < r->chosen_count; k++) send_tile(r, p->land, k);
    for (size_t k = 0; k < r->chosen_count; k++) r->report.tiles += r->chosen[k].seen;
    return ERG_OK;
}

// ---- Drawing -----------------------------------------------------------------------------------
static void set_lattice(const ergi_frame *f, GLuint program)
{
    const ergi_land *land = f->p->land;
    double           pitch = 1.85 * f->p->land_radius, row = pitch * 0.8660; // as in the shader
    double       o[3] = {f->p->origin.x - land->grid.lower[0], f->p->origin.y - land->grid.lower[1],
                         f->p->origin.z - land->grid.floor};
    const double at[4] = {o[0] / pitch, o[1] / row, o[1] / pitch, o[2] / row};
    GLint        whole[4];
    float        rest[4];
    for (int k = 0; k < 4; k++) {
        whole[k] = (GLint)floor(at[k]);
        rest[k] = (float)(at[k] - floor(at[k]));
    }
    glUniform4iv(glGetUniformLocation(program, "lattice"), 1, whole);
    ergi_set_vec4(program, "phase", rest);
}

static GLuint set_program(const ergi_frame *f, bool lamp)
{
    const erg_picture *p = f->p;
    GLuint             program = f->r->program[lamp ? ERGI_PROGRAM_SHADOW_LAND : ERGI_PROGRAM_LAND];
    float              from[3];
    double             pixel = 2 * 1.04 * f->extent / f->shadow_size;
    glUseProgram(program);
    ergi_set_matrix(program, "view", lamp ? &f->light_view : &f->view);
    ergi_set_matrix(program, "projection", lamp ? &f->light_projection : &f->projection);
    ergi_set_vec4(program, "cut", lamp ? f->light_cut : f->cut);
    ergi_to_float(lamp ? ergi_normalize(p->look.light.direction)
                       : ergi_sub(p->eye.position, p->origin),
                  from);
    ergi_set_vec3(program, "from", from);
    ergi_set_float(program, "radius", p->land_radius);
    ergi_set_int(program, "most_steps", p->look.quality == ERG_QUALITY_FINE ? 4 : 1);
    ergi_set_float(program, "spread", p->land_spread);
    ergi_set_float(program, "lift", 0.8 * p->land_radius);
    ergi_set_float(program, "crown", ERGI_LAND_CROWN * p->land->grid.radius);
    ergi_set_float(program, "sharp",
                   lamp ? p->land_radius / pixel
                        : 0.5 * f->height * f->scale * (double)f->projection.m[5] * p->land_radius);
    set_lattice(f, program);
    ergi_set_float(program, "back", 2 * pixel); // for the width of the shadows' soft edges
    if (lamp) return program;
    ergi_set_float(program, "size_code", 1 + log2(p->land_radius / f->size_unit) / 16);
    glUniform4fv(glGetUniformLocation(program, "tint"), ERGI_TINTS, p->land_tint[0]);
    ergi_set_int(program, "tints", p->land_tints);
    float  mean[3];
    double dim = p->look.quality == ERG_QUALITY_FINE ? DIM_FINE : DIM_FAST;
    for (int k = 0; k < 3; k++) mean[k] = (float)dim * p->land_mean[k];
    ergi_set_vec3(program, "mean_tint", mean);
    return program;
}

static void draw_tile(const ergi_frame *f, GLuint program, const ergi_tile *t, GLuint buffer)
{
    const erg_terrain_grid *g = &f->p->land->grid;
    double                  cell = ldexp(g->spacing, t->level), side = cell * ERGI_TILE_CELLS;
    double                  x = t->a * side, y = t->b * side;
    float                   corner[3];
    ergi_to_float(ergi_sub(ergi_vec3(g->lower[0] + x, g->lower[1] + y, g->floor), f->p->origin),
                  corner);
    const float extent[4] = {(float)cell, (float)cell,
                             (float)((double)g->count[0] * g->spacing - x),
                             (float)((double)g->count[1] * g->spacing - y)};
    ergi_set_vec3(program, "corner", corner);
    ergi_set_vec4(program, "extent", extent);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, sizeof(ergi_tile_corner), NULL);
    glVertexAttribPointer(1, 2, GL_SHORT, GL_TRUE, sizeof(ergi_tile_corner),
                          (const void *)offsetof(ergi_tile_corner, slant));
    glVertexAttribIPointer(2, 4, GL_UNSIGNED_BYTE, sizeof(ergi_tile_corner),
                           (const void *)offsetof(ergi_tile_corner, at));
    glDrawElements(GL_TRIANGLES, ERGI_TILE_INDICES, GL_UNSIGNED_SHORT, NULL);
}

void ergi_draw_land(const ergi_frame *f, bool lamp)
{
    const erg_renderer *r = f->r;
    if (r->chosen_count == 0) return;
    GLuint program = set_program(f, lamp);
    glBindVertexArray(r->land_array);
    for (size_t k = 0; k < r->chosen_count; k++)
        if (lamp ? r->chosen[k].shading : r->chosen[k].seen)
            draw_tile(f, program, &r->chosen[k], r->tiles[r->slot[k]].buffer);
}
