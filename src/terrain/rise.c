#include "terrain/rise.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geom/query_heights.h"
#include "terrain/grain_spheres.h"
#include "terrain/sand.h"

#define ROUNDING 1e-6 // of the surface, which is float, in radii

void ergi_rise_free(ergi_rise *r)
{
    ergi_memory_free(r->place);
    ergi_memory_free(r->block);
    ergi_memory_free(r->known);
    ergi_memory_free(r->gap);
    memset(r, 0, sizeof *r);
}

size_t ergi_rise_bytes(const ergi_rise *r)
{
    return (r->place_room + r->block_room) * sizeof *r->place + r->known_room * sizeof *r->known +
           r->gap_room * sizeof *r->gap;
}

void ergi_rise_forget(ergi_rise *r)
{
    ergi_rise_free(r);
    r->unknown = true;
}

// ---- What waits --------------------------------------------------------------------------------
static erg_status make_room(ergi_rise *r, const ergi_columns *c, erg_error *err)
{
    size_t blocks = ergi_columns_blocks(c);
    if (r->place) return ERG_OK;
    erg_status status = ergi_memory_grow(&r->block, &r->block_room, blocks, sizeof *r->block,
                                         "columns below grains", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&r->place, &r->place_room, blocks, sizeof *r->place,
                                  "columns below grains", err);
    if (status == ERG_OK) memset(r->place, 0, blocks * sizeof *r->place);
    return status;
}

static void add_block(ergi_rise *r, uint32_t block)
{
    if (r->place[block]) return;
    r->block[r->blocks++] = block;
    r->place[block] = (uint32_t)r->blocks;
}

erg_status ergi_rise_wait(ergi_rise *r, const ergi_columns *c, erg_error *err)
{
    if (c->recents == 0 && !r->unknown) return ERG_OK;
    erg_status status = make_room(r, c, err);
    if (status != ERG_OK) return status;
    for (size_t b = 0; b < ergi_columns_blocks(c) && r->unknown; b++) add_block(r, (uint32_t)b);
    for (size_t k = 0; k < c->recents; k++) add_block(r, c->recent[k]);
    r->unknown = false;
    return ERG_OK;
}

// ---- Every tick --------------------------------------------------------------------------------
double ergi_rise_sink(ergi_rise *r, ergi_columns *c, double step)
{
    float most = 0, far = (float)(step * c->spacing);
    for (size_t n = 0; n < r->blocks; n++) {
        size_t          first = (size_t)r->block[n] * ERGI_BLOCK_COLUMNS;
        const uint64_t *height = ergi_columns_height(c) + first;
        float          *surface = ergi_columns_surface(c) + first, moved = 0;
        for (size_t k = 0; k < ERGI_BLOCK_COLUMNS; k++) {
            float z = (float)ergi_columns_z(c, height[k]);
            if (!(z < surface[k])) continue;
            z = fmaxf(z, surface[k] - far);
            moved = fmaxf(moved, surface[k] - z);
            surface[k] = z;
        }
        if (moved > 0) ergi_columns_mark(c, first, false);
        most = fmaxf(most, moved);
    }
    return (double)most;
}

// ---- A batch -----------------------------------------------------------------------------------
typedef struct rising {
    ergi_rise               *r;
    const erg_world         *world;
    ergi_columns            *c;
    const ergi_height_field *field;
    size_t                   spheres;
} rising;

typedef void (*rise_fn)(rising *k, size_t sphere, const double s[4]);

static void for_spheres(rising *k, rise_fn fn)
{
    size_t sphere = 0;
    for (size_t i = 0; i < k->world->grains.rows; i++)
        for (int n = 0; n < ergi_grain_spheres(k->world, i); n++) {
            double s[4];
            ergi_grain_sphere(k->world, i, n, s);
            fn(k, sphere++, s);
        }
}

// What is known of a column that may wait, before and after it rose; NULL: it does not wait.
static float *known_of(const ergi_rise *r, size_t row)
{
    uint32_t place = r->place[row / ERGI_BLOCK_COLUMNS];
    return place ? &r->known[(place - 1) * (size_t)ERGI_BLOCK_COLUMNS + row % ERGI_BLOCK_COLUMNS]
                 : NULL;
}

static double gap_of(const rising *k, const double s[4])
{
    if (!ergi_heights_inside(k->field, s[0], s[1])) return HUGE_VAL;
    ergi_heights_point at = ergi_heights_at(k->field, s[0], s[1]);
    return ergi_heights_smooth(&at, ergi_vec3(s[0], s[1], s[2])).gap;
}

static void limit_below(rising *k, size_t sphere, const double s[4])
{
    const ergi_columns *c = k->c;
    double              a = fmax(s[3], 0.5 * c->spacing);
    ergi_column_range   r = ergi_columns_in(c, s[0] - a, s[0] + a, s[1] - a, s[1] + a);
    k->r->gap[sphere] = gap_of(k, s);
    for (int32_t j = r.j0; j <= r.j1; j++)
        for (int32_t i = r.i0; i <= r.i1; i++) {
            float *limit = known_of(k->r, ergi_columns_row(c, i, j));
            if (limit) *limit = fminf(*limit, (float)(s[2] - s[3]));
        }
}

// From here on, the surface before is known of each column.
static void move_columns(rising *k, size_t n)
{
    size_t          first = (size_t)k->r->block[n] * ERGI_BLOCK_COLUMNS;
    const uint64_t *height = ergi_columns_height(k->c) + first;
    float          *surface = ergi_columns_surface(k->c) + first,
          *known = k->r->known + n * ERGI_BLOCK_COLUMNS;
    for (size_t m = 0; m < ERGI_BLOCK_COLUMNS; m++) {
        float before = surface[m], z = (float)ergi_columns_z(k->c, height[m]);
        surface[m] = z < before ? z : fmaxf(before, fminf(z, known[m]));
        known[m] = before;
    }
}

// Where a sphere now overlaps the surface, and more than before, the columns that it feels stay.
static void take_back(rising *k, size_t sphere, const double s[4])
{
    const ergi_columns *c = k->c;
    double              a = 1.5 * c->spacing;
    if (gap_of(k, s) >= fmin(k->r->gap[sphere], s[3] * (1 - ROUNDING))) return;
    ergi_column_range r = ergi_columns_in(c, s[0] - a, s[0] + a, s[1] - a, s[1] + a);
    for (int32_t j = r.j0; j <= r.j1; j++)
        for (int32_t i = r.i0; i <= r.i1; i++) {
            size_t row = ergi_columns_row(c, i, j);
            float *before = known_of(k->r, row), *surface = &ergi_columns_surface(c)[row];
            if (!before || *surface == *before) continue;
            *surface = *before;
            k->r->again = true;
        }
}

// Returns whether something of the block still waits.
static bool end_block(rising *k, size_t n, double *most, double *high)
{
    size_t          first = (size_t)k->r->block[n] * ERGI_BLOCK_COLUMNS;
    const uint64_t *height = ergi_columns_height(k->c) + first;
    const float    *surface = ergi_columns_surface(k->c) + first,
                *before = k->r->known + n * ERGI_BLOCK_COLUMNS;
    bool  waits = false;
    float moved = 0, top = -INFINITY;
    for (size_t m = 0; m < ERGI_BLOCK_COLUMNS; m++) {
        moved = fmaxf(moved, fabsf(surface[m] - before[m]));
        top = fmaxf(top, surface[m]);
        waits |= surface[m] != (float)ergi_columns_z(k->c, height[m]);
    }
    if (moved > 0) ergi_columns_mark(k->c, first, false);
    *most = fmax(*most, (double)moved);
    *high = fmax(*high, (double)top);
    return waits;
}

static erg_status make_lists(rising *k, erg_error *err)
{
    ergi_rise *r = k->r;
    erg_status status = ERG_OK;
    for (size_t i = 0; i < k->world->grains.rows; i++)
        k->spheres += (size_t)ergi_grain_spheres(k->world, i);
    size_t columns = r->blocks * ERGI_BLOCK_COLUMNS;
    if (status == ERG_OK && columns > 0)
        status = ergi_memory_grow(&r->known, &r->known_room, columns, sizeof *r->known,
                                  "columns below grains", err);
    if (status == ERG_OK && k->spheres > 0)
        status = ergi_memory_grow(&r->gap, &r->gap_room, k->spheres, sizeof *r->gap,
                                  "grains on columns", err);
    for (size_t m = 0; m < columns && status == ERG_OK; m++) r->known[m] = INFINITY;
    return status;
}

erg_status ergi_rise_batch(ergi_rise *r, const erg_world *world, ergi_columns *c,
                           const ergi_height_field *field, double *most, double *high,
                           erg_error *err)
{
    rising k = {r, world, c, field, 0};
    *most = 0;
    *high = c->floor;
    if (r->blocks == 0) return ERG_OK;
    erg_status status = make_lists(&k, err);
    if (status != ERG_OK) return status;
    for_spheres(&k, limit_below);
    for (size_t n = 0; n < r->blocks; n++) move_columns(&k, n);
    do { // each time, columns were taken back, at most all of them
        r->again = false;
        for_spheres(&k, take_back);
    } while (r->again);
    size_t kept = 0, blocks = r->blocks;
    for (size_t n = 0; n < blocks; n++) {
        uint32_t b = r->block[n];
        bool     waits = end_block(&k, n, most, high);
        r->place[b] = 0;
        if (!waits) continue;
        r->block[kept++] = b;
        r->place[b] = (uint32_t)kept;
    }
    r->blocks = kept;
    return ERG_OK;
}
