// A second solver, for tests: grains fly under gravity with a fixed step and stop for good where
// they meet a wall. They do not interact. It shows what any solver needs: its own state, in tables
// that it registers, and the functions of ergi_solver.
#ifndef ERG_BALLISTIC_H
#define ERG_BALLISTIC_H

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "solver/solver.h"
#include "world/grains.h"
#include "world/sources.h"
#include "world/walls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Grains at rest, in the order of stopping.
enum { REST_ID, REST_PLACE, REST_TIME, REST_COLUMNS };

// Number of impacts on each 1 mm cell of a map of 400 by 250 around the origin: a large table of
// which a step changes few rows.
enum { MAP_IMPACTS, MAP_LAST, MAP_COLUMNS };
enum { MAP_X = 400, MAP_Y = 250, MAP_CELLS = MAP_X * MAP_Y };

// Most steps between two checks which grains leave.
enum { BALLISTIC_BEAT = 16 };

// Plain data.
typedef struct ballistic_state {
    uint64_t impacts; // so far
    uint64_t asked;   // step of the last check which grains leave
} ballistic_state;

typedef struct ballistic {
    ballistic_state state;
    ergi_table      rest, map;
    ergi_tiles      changed; // tiles of the map

    // Derived, per grain.
    uint8_t *resting, *stops;
    size_t   resting_room, stops_room;
    bool     known; // `resting` is valid for the current grains

    // For tests; not part of the state.
    uint64_t bad_step; // the step after this many fails and leaves invalid numbers; 0: none
    uint64_t changes;  // how often a change was reported to it
} ballistic;

static inline ballistic *ballistic_of(const erg_world *world)
{
    return world->self;
}

// ---- Create and destroy ------------------------------------------------------------------------
static inline erg_status ballistic_create(erg_world *world, erg_error *err)
{
    static const ergi_column rest[] = {
        {"id", ERGI_U64, 1, false}, {"place", ERGI_F64, 3, false}, {"time", ERGI_F64, 1, false}};
    static const ergi_column map[] = {{"impacts", ERGI_U32, 1, false},
                                      {"last", ERGI_F64, 1, false}};
    ballistic               *b = calloc(1, sizeof *b);
    if (!b) return ergi_fail_memory(err, sizeof *b, "a world");
    world->self = b;
    ergi_table_init(&b->rest, "rest", rest, REST_COLUMNS, ERGI_F64);
    ergi_table_init(&b->map, "map", map, MAP_COLUMNS, ERGI_F64);
    erg_status status = ergi_table_resize(&b->map, MAP_CELLS, err);
    if (status != ERG_OK) return status;
    ergi_registry_plain(&world->registry, "ballistic/state", &b->state, sizeof b->state);
    ergi_registry_table(&world->registry, &b->rest, REST_ID,
                        ERGI_STATE_HASHED | ERGI_STATE_BY_RANK);
    ergi_registry_tiled(&world->registry, &b->map, -1, &b->changed, ERGI_STATE_HASHED);
    return ERG_OK;
}

static inline void ballistic_destroy(erg_world *world)
{
    ballistic *b = ballistic_of(world);
    if (!b) return;
    ergi_table_free(&b->rest);
    ergi_table_free(&b->map);
    ergi_tiles_free(&b->changed);
    ergi_memory_free(b->resting);
    ergi_memory_free(b->stops);
    free(b);
}

static inline erg_status ballistic_prepare(erg_world *world, erg_error *err)
{
    (void)err;
    world->clock.dt = world->def.dt > 0 ? world->def.dt : 2e-4;
    snprintf(world->dt_reason, sizeof world->dt_reason, "%s",
             world->def.dt > 0 ? "given" : "fixed by the solver");
    return ERG_OK;
}

// ---- Which grains are at rest ------------------------------------------------------------------
static inline int ballistic_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline erg_status ballistic_know(erg_world *world, erg_error *err)
{
    ballistic      *b = ballistic_of(world);
    size_t          n = world->grains.rows, at_rest = b->rest.rows;
    const uint64_t *id = ERGI_GRAIN(world, ID, uint64_t);
    erg_status      status =
        ergi_memory_grow(&b->resting, &b->resting_room, n, 1, "grains at rest", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&b->stops, &b->stops_room, n, 1, "grains that stop", err);
    if (status != ERG_OK) return status;
    uint64_t *sorted = ergi_memory_new(at_rest + 1, sizeof *sorted, "grains at rest", err);
    if (!sorted) return ERG_NO_MEMORY;
    for (size_t k = 0; k < at_rest; k++) sorted[k] = ((uint64_t *)b->rest.data[REST_ID])[k];
    qsort(sorted, at_rest, sizeof *sorted, ballistic_compare);
    for (size_t i = 0; i < n; i++)
        b->resting[i] = bsearch(&id[i], sorted, at_rest, sizeof *sorted, ballistic_compare) != NULL;
    ergi_memory_free(sorted);
    b->known = true;
    return ERG_OK;
}

// ---- Removal -----------------------------------------------------------------------------------
// Removes the rows of grains that world->leaves marks, here and among those at rest.
static inline erg_status ballistic_remove(erg_world *world, erg_error *err)
{
    ballistic *b = ballistic_of(world);
    size_t     n = world->grains.rows, at_rest = b->rest.rows, most = n > at_rest ? n : at_rest;
    uint32_t  *order = ergi_memory_new(most + 1, sizeof *order, "grains that stay", err);
    uint64_t  *scratch = ergi_memory_new(most + 1, sizeof *scratch, "grains that stay", err);
    if (order && scratch) {
        const uint64_t *rest = b->rest.data[REST_ID];
        size_t          stay = 0;
        for (size_t k = 0; k < at_rest; k++) {
            erg_index row = ergi_grains_find(world, rest[k]);
            if (row >= 0 && !world->leaves[row]) order[stay++] = (uint32_t)k;
        }
        ergi_table_reorder(&b->rest, order, stay, scratch);
        stay = 0;
        for (size_t i = 0; i < n; i++)
            if (!world->leaves[i]) order[stay++] = (uint32_t)i;
        ergi_table_reorder(&world->grains, order, stay, scratch);
        b->known = false;
    }
    erg_status status = order && scratch ? ERG_OK : ERG_NO_MEMORY;
    ergi_memory_free(order);
    ergi_memory_free(scratch);
    return status;
}

static inline erg_status ballistic_let_out(erg_world *world, erg_error *err)
{
    ballistic     *b = ballistic_of(world);
    const uint8_t *leaves = NULL;
    erg_status     status = ergi_sources_mark_leaving(world, &leaves, err);
    if (status == ERG_OK && leaves) status = ballistic_remove(world, err);
    if (status != ERG_OK) return status;
    b->state.asked = world->clock.steps;
    world->clock.dirty = false;
    return ballistic_know(world, err);
}

// ---- Step --------------------------------------------------------------------------------------
static inline bool ballistic_meets_wall(const erg_world *world, erg_vec3 centre, double radius)
{
    for (size_t w = 0; w < world->walls; w++) {
        ergi_wall_hit    hits[ERGI_WALL_MAX_HITS];
        const ergi_wall *wall = &world->wall[w].wall;
        const ergi_pose *pose = &world->wall_state[w].pose;
        if (!ergi_wall_far(wall, pose, centre, radius) &&
            ergi_wall_hits(wall, pose, centre, radius, hits) > 0)
            return true;
    }
    return false;
}

static inline void ballistic_fly(void *user, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const erg_world *world = user;
    const ballistic *b = ballistic_of(world);
    ergi_type        real = ergi_world_real(world);
    void            *motion = world->grains.data[ERGI_GRAIN_MOTION];
    const double    *g = world->clock.gravity;
    double           dt = world->clock.dt;
    for (erg_index row = begin; row < end; row++) {
        size_t           i = (size_t)row;
        double          *x = ERGI_GRAIN(world, POSITION, double) + 4 * i, v[3], to[3];
        const ergi_kind *kind = &world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]];
        double           radius = ERGI_GRAIN(world, SIZE, double)[i] * kind->shape.bounding_radius;
        b->stops[i] = 0;
        if (b->resting[i]) continue;
        ergi_get3(motion, real, i, ERGI_VELOCITY, v);
        for (int a = 0; a < 3; a++) {
            v[a] += dt * g[a];
            to[a] = x[a] + dt * v[a];
        }
        ergi_space_wrap(&world->space, to);
        if (ballistic_meets_wall(world, ergi_vec3(to[0], to[1], to[2]), radius)) {
            const double none[3] = {0, 0, 0};
            b->stops[i] = 1;
            ergi_put3(motion, real, i, ERGI_VELOCITY, none);
            ergi_put3(motion, real, i, ERGI_SPIN, none);
        } else {
            memcpy(x, to, sizeof to);
            ergi_put3(motion, real, i, ERGI_VELOCITY, v);
        }
    }
}

static inline size_t ballistic_cell(const double *x)
{
    double u = fmin(fmax(1e3 * x[0] + MAP_X / 2, 0), MAP_X - 1);
    double v = fmin(fmax(1e3 * x[1] + MAP_Y / 2, 0), MAP_Y - 1);
    return (size_t)v * MAP_X + (size_t)u;
}

static inline void ballistic_map(ballistic *b, const double *x, double time)
{
    size_t cell = ballistic_cell(x);
    ergi_tiles_mark(&b->changed, cell, cell + 1);
    ((uint32_t *)b->map.data[MAP_IMPACTS])[cell]++;
    ((double *)b->map.data[MAP_LAST])[cell] = time;
    b->state.impacts++;
}

static inline erg_status ballistic_book(erg_world *world, double time, erg_error *err)
{
    ballistic *b = ballistic_of(world);
    for (size_t i = 0; i < world->grains.rows; i++) {
        if (!b->stops[i]) continue;
        const double *x = ERGI_GRAIN(world, POSITION, double) + 4 * i;
        size_t        row = b->rest.rows;
        erg_status    status = ergi_table_resize(&b->rest, row + 1, err);
        if (status != ERG_OK) return status;
        ((uint64_t *)b->rest.data[REST_ID])[row] = ERGI_GRAIN(world, ID, uint64_t)[i];
        ((double *)b->rest.data[REST_TIME])[row] = time;
        memcpy((double *)b->rest.data[REST_PLACE] + 3 * row, x, 3 * sizeof *x);
        b->resting[i] = 1;
        ballistic_map(b, x, time);
    }
    return ERG_OK;
}

// Simulates a step that fails half way: fills everything it may write with invalid numbers.
static inline erg_status ballistic_spoil(erg_world *world, erg_error *err)
{
    ballistic *b = ballistic_of(world);
    for (size_t i = 0; i < world->grains.rows; i++)
        ERGI_GRAIN(world, POSITION, double)[4 * i] = NAN;
    for (size_t k = 0; k < b->rest.rows; k++) ((uint64_t *)b->rest.data[REST_ID])[k] += 7;
    for (size_t cell = 0; cell < MAP_CELLS; cell += 3 * ERGI_TILE_ROWS) {
        ergi_tiles_mark(&b->changed, cell, cell + 1);
        ((uint32_t *)b->map.data[MAP_IMPACTS])[cell] += 1000;
    }
    b->state.impacts = 0;
    return ergi_fail(err, ERG_BAD_PHYSICS, "step %llu was to come out wrong",
                     (unsigned long long)world->clock.steps + 1);
}

static inline erg_status ballistic_step(erg_world *world, bool more, double *dt, erg_error *err)
{
    (void)more;
    ballistic *b = ballistic_of(world);
    double     next = (double)(world->clock.steps + 1) * world->clock.dt;
    bool       ask = world->clock.dirty || world->clock.steps >= b->state.asked + BALLISTIC_BEAT;
    erg_status status = ask         ? ballistic_let_out(world, err)
                        : !b->known ? ballistic_know(world, err)
                                    : ERG_OK;
    if (status != ERG_OK) return status;
    ergi_walls_drive(world, world->clock.time, world->clock.dt);
    ergi_walls_pose(world, next);
    ergi_parallel_for(&world->threads, (erg_index)world->grains.rows, 64, ballistic_fly, world);
    status = ballistic_book(world, next, err);
    if (b->bad_step && world->clock.steps == b->bad_step) status = ballistic_spoil(world, err);
    *dt = world->clock.dt;
    return status;
}

static inline erg_status ballistic_changed(erg_world *world, ergi_change what, erg_error *err)
{
    (void)what;
    (void)err;
    ballistic_of(world)->known = false;
    ballistic_of(world)->changes++;
    return ERG_OK;
}

// ---- Checkpoints -------------------------------------------------------------------------------
static inline erg_status ballistic_check_rest(const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *rest = ergi_loaded_table(loaded, "rest"),
                     *grains = ergi_loaded_table(loaded, "grains");
    const ergi_clock *clock = ergi_loaded_plain(loaded, "world/clock");
    const uint64_t   *id = rest->data[REST_ID], *grain = grains->data[ERGI_GRAIN_ID];
    for (size_t k = 0; k < rest->rows; k++) {
        const double *x = (const double *)rest->data[REST_PLACE] + 3 * k;
        double        time = ((const double *)rest->data[REST_TIME])[k];
        size_t        i = 0, twice = k;
        while (i < grains->rows && grain[i] != id[k]) i++;
        while (twice > 0 && id[twice - 1] != id[k]) twice--;
        if (i == grains->rows || twice > 0)
            return ergi_load_misfit(err, "grain %llu is at rest, but is none, or is so twice",
                                    (unsigned long long)id[k]);
        if (memcmp(x, (const double *)grains->data[ERGI_GRAIN_POSITION] + 4 * i, 3 * sizeof *x) !=
            0)
            return ergi_load_misfit(err, "grain %llu is at rest in another place than it is",
                                    (unsigned long long)id[k]);
        if (!(time > 0 && time <= clock->time))
            return ergi_load_misfit(err, "grain %llu is at rest since %g s",
                                    (unsigned long long)id[k], time);
    }
    return ERG_OK;
}

static inline erg_status ballistic_check(const erg_world *world, const ergi_loaded *loaded,
                                         erg_error *err)
{
    (void)world;
    const ballistic_state *state = ergi_loaded_plain(loaded, "ballistic/state");
    const ergi_clock      *clock = ergi_loaded_plain(loaded, "world/clock");
    const ergi_table      *map = ergi_loaded_table(loaded, "map");
    uint64_t               impacts = 0;
    if (map->rows != MAP_CELLS)
        return ergi_load_misfit(err, "the map has %zu cells, expected %d", map->rows, MAP_CELLS);
    for (size_t k = 0; k < map->rows; k++) {
        double last = ((const double *)map->data[MAP_LAST])[k];
        impacts += ((const uint32_t *)map->data[MAP_IMPACTS])[k];
        if (!(last >= 0 && last <= clock->time))
            return ergi_load_misfit(err, "cell %zu was last hit at %g s", k, last);
    }
    if (impacts != state->impacts || state->asked > clock->steps)
        return ergi_load_misfit(err, "%llu impacts are on the map, %llu were counted",
                                (unsigned long long)impacts, (unsigned long long)state->impacts);
    return ballistic_check_rest(loaded, err);
}

// Functions that it does not need are NULL.
static const ergi_solver ballistic_solver = {.create = ballistic_create,
                                             .destroy = ballistic_destroy,
                                             .prepare = ballistic_prepare,
                                             .step = ballistic_step,
                                             .changed = ballistic_changed,
                                             .remove = ballistic_remove,
                                             .check = ballistic_check};

#endif
