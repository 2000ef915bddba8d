#include "terrain/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"
#include "terrain/grain_spheres.h"
#include "terrain/sand.h"
#include "terrain/terrain_def.h"

#define WIDE 8.0  // side of the packing's box [d]
#define HIGH 32.0 // its most height; it need not be higher than the columns [d]
#define MORE 5.0  // than these, since its top is cut off and grains stand out of columns [d]
#define LEAST 400 // of its grains
#define MOST 4000
#define REST 0.05 // speed of grains at rest, of sqrt(g d)
#define FAST 0.5  // speed of tools that wake
#define HARD 1.0  // speed of grains that wake what they hit
#define CELL 2.0  // side of a cell of the plan [d]
#define LINGER 64 // batches without change after which nothing is looked at

// ---- Creation ----------------------------------------------------------------------------------
static erg_status pack(erg_world *world, ergi_exchange *x, erg_error *err)
{
    double side = WIDE * x->d, pressed = 0, least, most;
    double deep = world->terrain->highest - world->terrain->columns.floor;
    double high = fmin(deep + MORE * x->d, HIGH * x->d);
    ergi_sizes_range(&world->kind[x->kind].sizes, &least, &most);
    double  mean = x->d * (least + most) / (2 * most); // about
    double  filled = ERGI_SAND_FRACTION * side * side * high * 6 / (ERGI_PI * mean * mean * mean);
    size_t  count = (size_t)fmin(fmax(filled, LEAST), MOST);
    double *sphere = ergi_memory_new(4 * count, sizeof *sphere, "packing", err);
    erg_status status = sphere ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK)
        status = world->terrain->pour(world, x->kind, side, sphere, &count, &pressed, err);
    if (status == ERG_OK)
        status = ergi_packing_make(&x->packing, sphere, count, side, pressed, deep, err);
    ergi_memory_free(sphere);
    return status;
}

erg_status ergi_exchange_create(erg_world *world, ergi_exchange **out, erg_error *err)
{
    const ergi_terrain *t = world->terrain;
    const double       *g = world->clock.gravity;
    ergi_exchange      *x = calloc(1, sizeof *x);
    double              least, most;
    if (!x) return ergi_fail_memory(err, sizeof *x, "the terrain");
    x->kind = t->def.grain - 1;
    const ergi_kind *kind = &world->kind[x->kind];
    ergi_sizes_range(&kind->sizes, &least, &most);
    x->d = 2 * most * kind->shape.bounding_radius;
    x->r_min = least * kind->shape.bounding_radius;
    double free_fall = sqrt(fmax(sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), 1e-3) * x->d);
    x->rest_speed = REST * free_fall;
    x->wake_speed = FAST * free_fall;
    x->hit_speed = HARD * free_fall;
    double spacing = t->columns.spacing;
    x->grain_height = 1 / (ERGI_SAND_FRACTION * spacing * spacing * t->columns.quantum);
    erg_status status = pack(world, x, err);
    // The packing stands on the floor, or hangs from the highest of the columns as they were: its
    // grains press each other as hard as the grains of the columns do that wake first, and the seam
    // between its copies is far below them.
    x->base = fmax(t->highest - t->columns.floor + x->d - x->packing.height, 0);
    if (status == ERG_OK)
        *out = x;
    else
        ergi_exchange_destroy(x);
    return status;
}

void ergi_exchange_destroy(ergi_exchange *x)
{
    if (!x) return;
    ergi_packing_free(&x->packing);
    ergi_plan_free(&x->plan);
    ergi_placement_grid_free(&x->near);
    void *owned[] = {x->zone,  x->column, x->candidate, x->wakes,
                     x->awake, x->frozen, x->clamped,   x->clamp};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    free(x);
}

void ergi_exchange_forget(ergi_exchange *x)
{
    if (!x) return;
    ergi_memory_free(x->clamped);
    x->clamped = NULL;
    x->clamped_room = 0;
    x->awakes = 0;
}

size_t ergi_exchange_bytes(const ergi_exchange *x)
{
    if (!x) return 0;
    return sizeof *x + ergi_packing_bytes(&x->packing) + ergi_plan_bytes(&x->plan) +
           x->zone_room * sizeof *x->zone + x->column_room * sizeof *x->column +
           x->candidate_room * sizeof *x->candidate + x->wakes_room + x->clamped_room +
           x->clamp_room * sizeof *x->clamp + (x->awake_room + x->frozen_room) * sizeof *x->awake;
}

// ---- A batch -----------------------------------------------------------------------------------
erg_status ergi_exchange_add(ergi_new_grain **list, size_t *count, size_t *room,
                             const double sphere[4], double size, uint64_t id, erg_error *err)
{
    erg_status status = ergi_memory_grow(list, room, *count + 1, sizeof **list, "grains", err);
    if (status != ERG_OK) return status;
    ergi_new_grain *g = &(*list)[(*count)++];
    memcpy(g->sphere, sphere, sizeof g->sphere);
    g->size = size;
    g->id = id;
    return ERG_OK;
}

static bool is_near(const double *s, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++)
        if (s[a] + s[3] < low[a] || s[a] - s[3] > high[a]) return false;
    return true;
}

erg_status ergi_exchange_collect_near(erg_world *world, const double low[3], const double high[3],
                                      erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    const double  *grain = ERGI_GRAIN(world, POSITION, double),
                 *frozen = t->frozen.data[ERGI_FROZEN_SPHERE];
    double largest = 0.5 * x->d;
    size_t n = world->grains.rows;
    for (size_t i = 0; i < n; i++) {
        double r = grain[4 * i + 3], size = ERGI_GRAIN(world, SIZE, double)[i];
        largest = fmax(largest, r > 0 ? r : size * ergi_grain_shape(world, i)->largest_radius);
    }
    ergi_placement_grid_free(&x->near);
    erg_status status = ergi_placement_grid_init(&x->near, largest,
                                                 n + x->candidates + t->frozen.rows / 4 + 64, err);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < ergi_grain_spheres(world, i) && status == ERG_OK; k++) {
            double s[4];
            ergi_grain_sphere(world, i, k, s);
            if (is_near(s, low, high))
                status = ergi_placement_grid_add(&x->near, (erg_vec3){s[0], s[1], s[2]}, s[3], err);
        }
    for (size_t f = 0; f < t->frozen.rows && status == ERG_OK; f++) {
        const double *s = frozen + 4 * f;
        if (is_near(s, low, high))
            status = ergi_placement_grid_add(&x->near, (erg_vec3){s[0], s[1], s[2]}, s[3], err);
    }
    return status;
}

static erg_status map_plan(erg_world *world, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    const double  *grain = ERGI_GRAIN(world, POSITION, double),
                 *frozen = t->frozen.data[ERGI_FROZEN_SPHERE], *rest = t->rest.data[0];
    size_t     n = world->grains.rows, most = n + t->frozen.rows;
    erg_status status = ergi_plan_clear(&x->plan, CELL * x->d, most, err);
    for (size_t i = 0; i < n && status == ERG_OK; i++)
        ergi_plan_add_awake(&x->plan, grain + 4 * i, rest[i]);
    for (size_t f = 0; f < t->frozen.rows && status == ERG_OK; f++)
        ergi_plan_add_frozen(&x->plan, frozen + 4 * f);
    return status;
}

// Whether nothing is awake, no tool moves, and frozen grains have had the time to merge.
static bool is_quiet(const erg_world *world)
{
    const ergi_terrain *t = world->terrain;
    if (world->grains.rows > 0 || t->clock.batches < t->clock.changed + LINGER) return false;
    for (size_t k = 0; k < world->movers; k++) {
        const ergi_pose *pose = &world->wall_state[world->mover[k]].pose;
        if (ergi_norm(pose->velocity) > 0 || ergi_norm(pose->spin) > 0) return false;
    }
    return true;
}

erg_status ergi_exchange_batch(erg_world *world, size_t *asleep, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    x->changed = false;
    x->awakes = x->frozens = 0;
    t->clock.batches++;
    if (is_quiet(world)) return ERG_OK;
    erg_status status = map_plan(world, err);
    if (status == ERG_OK) status = ergi_exchange_zones(world, err);
    if (status == ERG_OK) status = ergi_exchange_wake(world, err);
    if (status == ERG_OK) status = ergi_exchange_cut(world, err);
    if (status == ERG_OK) status = ergi_exchange_freeze(world, asleep, err);
    if (status == ERG_OK) status = ergi_exchange_merge(world, err);
    return status == ERG_OK ? ergi_exchange_settle(world, err) : status;
}
