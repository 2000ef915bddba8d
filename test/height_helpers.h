// A small height field with random columns and spheres, for tests.
#ifndef ERG_HEIGHT_HELPERS_H
#define ERG_HEIGHT_HELPERS_H

#include "base/random.h"
#include "terrain/frozen_cells.h"
#include "world_helpers.h"

typedef struct some_heights {
    ergi_height_field field;
    ergi_frozen_cells cells;
    float            *surface;
    double           *sphere; // x y z radius
    uint64_t         *id;
    size_t            spheres;
} some_heights;

static inline float *column_of(some_heights *h, int32_t i, int32_t j)
{
    const ergi_height_field *f = &h->field;
    size_t side = (size_t)f->side, block = (size_t)(j / f->side * f->blocks + i / f->side);
    return &h->surface[block * side * side + (size_t)(j % f->side) * side + (size_t)(i % f->side)];
}

static inline void bound_heights(some_heights *h)
{
    h->field.low = HUGE_VAL;
    h->field.high = -HUGE_VAL;
    for (int32_t j = 0; j < h->field.count[1]; j++)
        for (int32_t i = 0; i < h->field.count[0]; i++) {
            h->field.low = fmin(h->field.low, (double)*column_of(h, i, j));
            h->field.high = fmax(h->field.high, (double)*column_of(h, i, j));
        }
}

// All columns at z = 0, no spheres.
static inline some_heights new_heights(double x, double y, double spacing, int32_t nx, int32_t ny,
                                       int32_t side)
{
    some_heights h = {0};
    int32_t      across = (nx + side - 1) / side, up = (ny + side - 1) / side;
    size_t       columns = (size_t)(across * up) * (size_t)side * (size_t)side;
    h.surface = calloc(columns, sizeof *h.surface);
    if (!h.surface) exit(1);
    h.field = (ergi_height_field){.lower = {x, y},
                                  .spacing = spacing,
                                  .count = {nx, ny},
                                  .blocks = across,
                                  .side = side,
                                  .surface = h.surface};
    return h;
}

static inline void roughen_heights(some_heights *h, ergi_random *r, double low, double high)
{
    for (int32_t j = 0; j < h->field.count[1]; j++)
        for (int32_t i = 0; i < h->field.count[0]; i++)
            *column_of(h, i, j) = (float)ergi_random_range(r, low, high);
    bound_heights(h);
}

static inline void index_spheres(some_heights *h)
{
    erg_error err;
    must(ergi_frozen_cells_build(&h->cells, &h->field, h->sphere, h->id, h->spheres, &err), &err);
}

// Anywhere in a box over the whole grid.
static inline void scatter_spheres(some_heights *h, ergi_random *r, size_t count, double low,
                                   double high, double least, double most)
{
    const ergi_height_field *f = &h->field;
    h->sphere = calloc(4 * count + 4, sizeof *h->sphere);
    h->id = calloc(count + 1, sizeof *h->id);
    if (!h->sphere || !h->id) exit(1);
    h->spheres = count;
    for (size_t i = 0; i < count; i++) {
        double *s = h->sphere + 4 * i;
        s[0] = f->lower[0] + ergi_random_range(r, 0, f->count[0] * f->spacing);
        s[1] = f->lower[1] + ergi_random_range(r, 0, f->count[1] * f->spacing);
        s[2] = ergi_random_range(r, low, high);
        s[3] = ergi_random_range(r, least, most);
        h->id[i] = 1 + i;
    }
    index_spheres(h);
}

static inline ergi_surface surface_of(const some_heights *h)
{
    return (ergi_surface){.kind = ERGI_SURFACE_HEIGHTS,
                          .side = ERGI_SIDE_OUTSIDE,
                          .ex = {1, 0, 0},
                          .ey = {0, 1, 0},
                          .ez = {0, 0, 1},
                          .heights = &h->field};
}

static inline void free_heights(some_heights *h)
{
    free(h->surface);
    free(h->sphere);
    free(h->id);
    ergi_frozen_cells_free(&h->cells);
}

#endif
