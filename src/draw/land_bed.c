// Columns below grains that lie on them are drawn as high as these grains.
//
// Where sand has woken, columns end below a crust of grains. Drawn as they are, their neighbours
// would slope down to them, and a trench would show around everything that woke. The drawn surface
// follows the grains instead: the second highest sphere above each column, if the spheres above it
// fill the space down to it and move slowly. Spray and what a bucket lifts do not.
#include "base/memory.h"
#include "draw/picture.h"
#include "geom/vec3.h"

#include <math.h>
#include <string.h>

enum { SIDE = ERGI_LAND_SIDE, COLUMNS = SIDE * SIDE };

static const double FILLED = 0.4;   // least share of the space that spheres fill
static const double BELOW = 1.45;   // highest grains drawn on columns, above these [radii]
static const double SLOW = 0.25;    // of the speed of a fall from a diameter
static const double REACH = 0.7071; // a sphere covers the columns within this square [radii]

// Of one block, by column.
typedef struct bed {
    float top[COLUMNS], second[COLUMNS]; // of the spheres above it [m]
    float volume[COLUMNS];               // of these [m^3]
} bed;

typedef struct bed_task {
    const ergi_land *land;
    double           gravity; // [m/s^2]
    bed            **of;      // by block; NULL: no spheres there
    size_t          *number;
    size_t           count;
    erg_error       *err;
} bed_task;

static bed *bed_of(bed_task *k, size_t block)
{
    if (k->of[block]) return k->of[block];
    bed *b = ergi_memory_new(1, sizeof *b, "the terrain of a picture", k->err);
    if (!b) return NULL;
    for (int i = 0; i < COLUMNS; i++) b->top[i] = b->second[i] = -INFINITY;
    k->number[k->count++] = block;
    return k->of[block] = b;
}

// Columns from `first` to `last` along an axis, those that a sphere covers.
static bool covered(const ergi_land *land, int axis, double centre, double radius, int64_t *first,
                    int64_t *last)
{
    double at = (centre - land->grid.lower[axis]) / land->grid.spacing;
    double far = REACH * radius / land->grid.spacing, most = (double)land->grid.count[axis];
    if (!(at >= 0 && at < most)) return false;
    *first = (int64_t)fmax(at - far, 0);
    *last = (int64_t)fmin(at + far, most - 1);
    return true;
}

static bool add(bed_task *k, const double x[3], double radius)
{
    int64_t i0, i1, j0, j1;
    if (!covered(k->land, 0, x[0], radius, &i0, &i1) ||
        !covered(k->land, 1, x[1], radius, &j0, &j1))
        return true;
    float top = (float)(x[2] + radius), share = (float)((i1 - i0 + 1) * (j1 - j0 + 1));
    float volume = (float)(4.18879 * radius * radius * radius) / share;
    for (int64_t j = j0; j <= j1; j++)
        for (int64_t i = i0; i <= i1; i++) {
            bed *b = bed_of(k, (size_t)(j / SIDE) * k->land->blocks[0] + (size_t)(i / SIDE));
            if (!b) return false;
            size_t at = (size_t)(j % SIDE * SIDE + i % SIDE);
            b->volume[at] += volume;
            if (top > b->top[at]) {
                b->second[at] = b->top[at];
                b->top[at] = top;
            } else if (top > b->second[at]) {
                b->second[at] = top;
            }
        }
    return true;
}

static bool is_slow(const bed_task *k, const erg_sphere_view *view, size_t i)
{
    if (!view->velocity) return true;
    const double *v = view->velocity + 3 * i;
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < SLOW * SLOW * 4 * k->gravity * view->radius[i];
}

// Heights of the columns of a block; whether any differs from those of the land.
static bool raise(const bed_task *k, size_t block, double below, float z[COLUMNS])
{
    const ergi_land *land = k->land;
    const bed       *b = k->of[block];
    double           area = land->grid.spacing * land->grid.spacing;
    bool             changed = false;
    for (int n = 0; n < COLUMNS; n++) {
        int64_t i = (int64_t)(block % land->blocks[0] * SIDE) + n % SIDE,
                j = (int64_t)(block / land->blocks[0] * SIDE) + n / SIDE;
        z[n] = ergi_land_mean(land, 0, i, j);
        double space = ((double)b->second[n] - (double)z[n]) * area;
        float  high = (float)((double)b->second[n] - below);
        if (!(high > z[n]) || !((double)b->volume[n] >= FILLED * space)) continue;
        z[n] = high;
        changed = true;
    }
    return changed;
}

static erg_status raise_all(erg_picture *p, bed_task *k)
{
    double     below = ERGI_LAND_CROWN * p->land->grid.radius + BELOW * p->land_radius;
    ergi_land *raised = NULL;
    erg_status status = ERG_OK;
    size_t     changed = 0;
    float *z = ergi_memory_new(k->count * COLUMNS, sizeof *z, "the terrain of a picture", k->err);
    if (!z) return ERG_NO_MEMORY;
    for (size_t n = 0; n < k->count; n++) {
        k->number[changed] = k->number[n];
        changed += raise(k, k->number[n], below, z + changed * COLUMNS);
    }
    if (changed > 0) status = ergi_land_with(p->land, k->number, z, changed, &raised, k->err);
    ergi_memory_free(z);
    if (!raised) return status;
    ergi_land_leave(p->land);
    p->land = raised;
    return status;
}

erg_status ergi_picture_land_bed(erg_picture *p, const erg_world *world,
                                 const erg_sphere_view *view, erg_error *err)
{
    if (!p->land || view->count == 0) return ERG_OK;
    size_t   blocks = p->land->blocks[0] * p->land->blocks[1];
    bed_task k = {.land = p->land, .err = err};
    k.gravity = ergi_norm(erg_world_get_def(world).gravity);
    erg_status status = ERG_NO_MEMORY;
    k.of = ergi_memory_new(blocks, sizeof(bed *), "the terrain of a picture", err);
    k.number = ergi_memory_new(blocks, sizeof *k.number, "the terrain of a picture", err);
    if (k.of && k.number) {
        bool added = true;
        for (size_t i = 0; i < view->count && added; i++)
            if (is_slow(&k, view, i)) added = add(&k, view->position + 3 * i, view->radius[i]);
        if (added) status = raise_all(p, &k);
    }
    for (size_t n = 0; n < blocks && k.of; n++) ergi_memory_free(k.of[n]);
    ergi_memory_free(k.of);
    ergi_memory_free(k.number);
    return status;
}
