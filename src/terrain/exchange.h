// The exchange between columns, frozen grains and grains, in batches:
//
//     zones    around bodies and moving walls, swept ahead (zones.c)
//     wake     frozen grains in a zone, hit hard, or on a slope that is too steep (wake.c)
//     cut      columns in a zone become grains, those below them a crust of frozen ones (cut.c)
//     freeze   grains at rest on frozen ones become frozen (freeze.c)
//     merge    frozen grains that are buried become column height (merge.c)
//     settle   the hash table of frozen grains, the surface that grains touch (settle.c)
//
// Lengths are in diameters d of the largest grain. Every decision depends on the state alone and is
// taken in a fixed order.
#ifndef ERGI_EXCHANGE_H
#define ERGI_EXCHANGE_H

#include "contact/box_tree.h"
#include "geom/packing.h"
#include "terrain/plan.h"
#include "terrain/terrain.h"
#include "world/placement_grid.h"

#define ERGI_BATCH_TIME (ERGI_BATCH_TICKS / ERGI_TICK_RATE) // [s]

#define ERGI_BOWL_SLOPE 1.0 // of the sides of the bowl that a tool wakes

enum { ERGI_ZONE_PARTS = 16 }; // of a tool's way, at most, now and later

// What zones wake: columns; frozen grains; those that have slept for less than half a second.
typedef enum ergi_asleep { ERGI_COLUMNS, ERGI_FROZEN, ERGI_JUST_FROZEN } ergi_asleep;

// Box around a body or moving wall, enlarged by the way it takes in two batches.
typedef struct ergi_zone {
    double       low[3], high[3];          // [m]
    ergi_extents box[2 * ERGI_ZONE_PARTS]; // around the parts of its way
    size_t       wakers; // of these: within two batches. The others keep awake: half a second more
    size_t       boxes;
    double       margin; // of what wakes, below and beside it [m]
    bool         moves;  // faster than grains at rest, or was so lately
    bool         stirs;  // moves in the sand or close to it: wakes frozen grains
    bool         fast;   // even those that just fell asleep
    bool         wakes;  // fast or deep enough to wake columns, too
    bool         free;   // a free body: grains that carry it stay awake
} ergi_zone;

// A column to be cut: what is above `crust` becomes grains, awake in the bowls of zones, else
// frozen.
typedef struct ergi_cut_column {
    int32_t i, j;
    float   crust; // z [m]
} ergi_cut_column;

// A grain that a batch makes.
typedef struct ergi_new_grain {
    double   sphere[4]; // x y z radius [m]
    double   size;
    uint64_t id; // 0: a new one
} ergi_new_grain;

typedef struct ergi_exchange {
    // From the definitions.
    ergi_packing packing;
    double       base;                              // of the packing, above the floor [m]
    uint32_t     kind;                              // index
    double       d, r_min;                          // largest diameter, smallest radius [m]
    double       grain_height;                      // quanta of a grain of volume 1 m^3
    double       rest_speed, wake_speed, hit_speed; // [m/s]

    // The batch.
    ergi_zone          *zone;
    size_t              zones, zone_room;
    ergi_plan           plan;
    ergi_cut_column    *column;
    size_t              columns, column_room;
    double             *candidate; // x y z radius of the packing's spheres
    size_t              candidates, candidate_room;
    ergi_placement_grid near;  // spheres that a new grain must not overlap
    uint8_t            *wakes; // per frozen grain: becomes awake or is merged
    size_t              wakes_room;
    ergi_new_grain     *awake, *frozen; // to be added
    size_t              awakes, frozens, awake_room, frozen_room;
    uint8_t            *clamped; // per block: the surface of a column may be below its height
    uint32_t           *clamp;   // these blocks, in any order
    size_t              clamps, clamped_room, clamp_room;
    bool                changed; // frozen grains or columns did
} ergi_exchange;

erg_status ergi_exchange_create(erg_world *world, ergi_exchange **exchange, erg_error *err);
void       ergi_exchange_destroy(ergi_exchange *x);
size_t     ergi_exchange_bytes(const ergi_exchange *x);
void       ergi_exchange_forget(ergi_exchange *x); // what was derived from the state

// One batch. Grains that fall asleep are marked in world->leaves and counted.
erg_status ergi_exchange_batch(erg_world *world, size_t *asleep, erg_error *err);

// ---- Parts of a batch --------------------------------------------------------------------------
erg_status ergi_exchange_zones(erg_world *world, erg_error *err);
// Lowest z that the zones wake at a point of the plan; HUGE_VAL: none [m].
double ergi_exchange_wake_floor(const ergi_exchange *x, double px, double py, ergi_asleep what);
bool   ergi_exchange_near_zone(const ergi_exchange *x, const double p[3], double margin,
                               bool free_only);
// Whether a tool may wake what is at this point before it has slept for long.
bool       ergi_exchange_wakes_soon(const ergi_exchange *x, const double p[3]);
erg_status ergi_exchange_wake(erg_world *world, erg_error *err);
erg_status ergi_exchange_cut(erg_world *world, erg_error *err);
erg_status ergi_exchange_freeze(erg_world *world, size_t *asleep, erg_error *err);
erg_status ergi_exchange_merge(erg_world *world, erg_error *err);
erg_status ergi_exchange_settle(erg_world *world, erg_error *err);

// Spheres of the world and of the terrain, in a grid for overlap tests. `low`, `high`: only those
// near this box.
erg_status ergi_exchange_collect_near(erg_world *world, const double low[3], const double high[3],
                                      erg_error *err);

// The surface of this block is, or may be, below the height of its columns.
static inline void ergi_exchange_clamp(ergi_exchange *x, size_t block)
{
    if (!x->clamped[block]) x->clamp[x->clamps++] = (uint32_t)block;
    x->clamped[block] = 1;
}

// Quanta of a grain with this radius.
static inline uint64_t ergi_exchange_quanta(const ergi_exchange *x, double radius)
{
    return (uint64_t)(x->grain_height * (4.0 / 3 * 3.14159265358979323846) * radius * radius *
                          radius +
                      0.5);
}

erg_status ergi_exchange_add(ergi_new_grain **list, size_t *count, size_t *room,
                             const double sphere[4], double size, uint64_t id, erg_error *err);

#endif
