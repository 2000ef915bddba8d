// The terrain of a world: columns, frozen grains, and the exchange between them and the grains.
//
// A stage of the loop. It acts between two steps of the solver, in ticks of 1/480 s of simulated
// time or one step, whichever is longer:
//
//     tick    press     bodies and moving walls push columns down, sand goes to the ring (press.h)
//             resist    force of the columns on free bodies, for the next tick (resist.h)
//             flow      slopes that are too steep flow (erosion.h)
//     batch   the first and every 24th tick after it, where there is a kind of grains (exchange.h)
//             wake      near tools and impacts: columns and frozen grains become grains
//             freeze    grains at rest become frozen
//             merge     frozen grains that are buried become columns
//
// Solvers see the terrain as one wall whose surface is a height field with spheres
// (geom/height_field.h). Between two list builds it may change by the wall's list_skin.
#ifndef ERGI_TERRAIN_H
#define ERGI_TERRAIN_H

#include "erg/terrain.h"
#include "geom/height_field.h"
#include "terrain/column_set.h"
#include "terrain/erosion.h"
#include "terrain/frozen_cells.h"
#include "terrain/press.h"
#include "terrain/resist.h"
#include "terrain/rise.h"
#include "world/world.h"

#define ERGI_TICK_RATE 480.0 // [1/s]
enum { ERGI_BATCH_TICKS = 24 };

// X(NAME, name, type, width): frozen grains, sorted by nothing in particular; the key is the id.
#define ERGI_FROZEN_COLUMNS(X)                                                                     \
    X(ID, id, ERGI_U64, 1)                                                                         \
    X(SPHERE, sphere, ERGI_F64, 4) /* x y z radius */                                              \
    X(SIZE, size, ERGI_F64, 1)                                                                     \
    X(SINCE, since, ERGI_F64, 1) /* time at which it froze, or left a column [s] */                \
    X(SLEPT, slept, ERGI_F64, 1) /* time at which it was last awake; -1: never was [s] */

enum {
#define X(NAME, name, type, width) ERGI_FROZEN_##NAME,
    ERGI_FROZEN_COLUMNS(X)
#undef X
        ERGI_FROZEN_COLUMN_COUNT
};

// Columns of the table `tool_rest`: time at which a tool last moved, -1: it never did [s]; centre
// of its box where it last rested [m].
enum { ERGI_TOOL_REST_MOVED, ERGI_TOOL_REST_PLACE, ERGI_TOOL_REST_COLUMNS };

// State that is saved and restored as one block.
typedef struct ergi_terrain_clock {
    uint64_t  ticks, batches;
    uint64_t  woken, slept;
    uint64_t  changed;    // batch that last changed anything
    ergi_u128 sand;       // quanta in all columns
    ergi_u128 compressed; // quanta that were compressed away
} ergi_terrain_clock;

// Pours *count spheres of a kind (index) into a box that repeats along x and y, with a floor at
// z = 0. Sets x y z radius of each at rest, *count to their number, and *pressed to the share of
// their overlaps that grains of this world would have. A function of a room above this one, for it
// takes a solver.
typedef erg_status ergi_pour_fn(const erg_world *world, uint32_t kind, double side, double *sphere,
                                size_t *count, double *pressed, erg_error *err);

typedef struct ergi_terrain {
    erg_terrain_def    def;
    ergi_pour_fn      *pour;
    double             highest; // z of the highest column at first [m]
    uint32_t           wall;    // index of its wall
    ergi_terrain_clock clock;
    ergi_columns       columns;
    ergi_table         frozen;
    ergi_resist        resist;
    ergi_table         rest;      // by grain: time at rest so far, time at which it woke [s]
    ergi_table         tool_rest; // by tool: when it moved, where it rested

    // Not state: derived from the above, and scratch.
    ergi_height_field     field;
    ergi_frozen_cells     cells;    // the hash table behind `field`
    struct ergi_exchange *exchange; // NULL: no kind of grains
    ergi_erosion          erosion;
    ergi_column_set       covered; // columns below frozen grains: they do not flow
    ergi_tools            tools;
    ergi_press            press;
    ergi_rise             rise;
    uint32_t              still_change;       // of the columns when a sweep last moved nothing
    uint64_t              still_hash;         // of the columns that were held then
    bool                  still;              // there was such a sweep
    double                tick_s, exchange_s; // wall-clock time [s]
    uint64_t              frozen_stamp;       // changes when frozen grains do
} ergi_terrain;

// Sets world->terrain, adds its wall, registers its state.
erg_status ergi_terrain_create(erg_world *world, const erg_terrain_def *def, ergi_pour_fn *pour,
                               erg_error *err);
void       ergi_terrain_destroy(ergi_terrain *t);
size_t     ergi_terrain_bytes(const ergi_terrain *t);

// Called once all walls and kinds are defined.
erg_status ergi_terrain_prepare(erg_world *world, erg_error *err);
// Whether a tick is due at that time [s].
bool ergi_terrain_due(const erg_world *world, double time);
// Takes the ticks that are due. Deferred work of the solver must be finished (sync). Grains that
// fell asleep are marked in world->leaves; *asleep: their number. The solver must then remove them.
erg_status ergi_terrain_tick(erg_world *world, size_t *asleep, erg_error *err);

// After state was restored or loaded: recomputes what is derived from it.
erg_status ergi_terrain_restored(erg_world *world, erg_error *err);
// Rejects loaded state that no run can have produced.
erg_status ergi_terrain_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

// Rebuilds the hash table of the frozen grains.
erg_status ergi_terrain_index_frozen(erg_world *world, erg_error *err);

// The surface, or a sphere on it, moved by this much: neighbour lists account for it [m].
void ergi_terrain_moved(erg_world *world, double distance);

#endif
