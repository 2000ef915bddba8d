// The fine particles of a world, and their frame: a stage of the loop, 60 times per second of
// simulated time, after the solver's step.
#ifndef ERGI_UPSAMPLE_H
#define ERGI_UPSAMPLE_H

#include "erg/upsample.h"
#include "upsample/fine_order.h"
#include "upsample/fine_step.h"
#include "upsample/fine_walls.h"
#include "world/world.h"

// X(NAME, name, type): columns of one number each.
#define ERGI_FINE_COLUMNS(X)                                                                       \
    X(ID, id, ERGI_U64)                                                                            \
    X(X, x, ERGI_U32)                                                                              \
    X(Y, y, ERGI_U32)                                                                              \
    X(Z, z, ERGI_U32)                                                                              \
    X(VX, vx, ERGI_F32)                                                                            \
    X(VY, vy, ERGI_F32)                                                                            \
    X(VZ, vz, ERGI_F32)

enum {
#define X(NAME, name, type) ERGI_FINE_##NAME,
    ERGI_FINE_COLUMNS(X)
#undef X
        ERGI_FINE_COLUMN_COUNT
};

// Plain state.
typedef struct ergi_upsample_clock {
    uint64_t          frames;     // done, from t = 0
    uint64_t          started;    // 1: there are particles, or grains that come bring some
    uint64_t          next_id;    // of a particle
    uint64_t          next_grain; // grains from this id on have no particles yet
    uint64_t          unsorted;   // frames since the last sort
    uint64_t          taken, lost;
    double            radius;  // of a particle [m]
    double            density; // particles per volume of grains [1/m^3]
    ergi_fine_lattice lattice;
    int32_t           zero; // fills up to whole words
} ergi_upsample_clock;

typedef struct ergi_upsample {
    erg_upsample_def    def;
    erg_region          region; // a copy of our own, where def.region is not NULL
    ergi_upsample_clock clock;
    ergi_table          fine;
    // Per grain, where it was at the last frame: particles follow the mean velocity since then.
    ergi_table before;
    ergi_pose *pose; // of the walls at the last frame
    size_t     poses;

    // Not state.
    ergi_fine_block_fn *kernel;
    ergi_fine_order     order;
    ergi_fine_scratch   scratch;
    ergi_fine_walls     walls;
    double             *coarse_position; // of spheres, x y z radius, at the last frame [m]
    float              *coarse_velocity; // mean since then [m/s]
    uint32_t           *coarse_grain;    // the row of their grain
    size_t              coarse_count, coarse_room[3];
    // How far each of the first spare_rows particles may go before it must look at the walls; true
    // after frame spare_frame [m].
    float         *spare;
    size_t         spare_room, spare_rows;
    uint64_t       spare_frame;
    uint8_t       *leaves;
    size_t         leaves_room;
    erg_fine_stats stats;
} ergi_upsample;

static inline ergi_fine_columns ergi_upsample_columns(const ergi_upsample *u)
{
    ergi_fine_columns c = {.count = u->fine.rows};
    for (int a = 0; a < 3; a++) {
        c.place[a] = u->fine.data[ERGI_FINE_X + a];
        c.velocity[a] = u->fine.data[ERGI_FINE_VX + a];
    }
    return c;
}

// world->upsample, with its state registered.
erg_status ergi_upsample_create(erg_world *world, const erg_upsample_def *def, erg_error *err);
void       ergi_upsample_destroy(ergi_upsample *u);
size_t     ergi_upsample_bytes(const ergi_upsample *u);

// Once all walls are defined.
erg_status ergi_upsample_prepare(erg_world *world, erg_error *err);

// Whether a frame is due at that time [s].
bool ergi_upsample_due(const erg_world *world, double time);
// All frames that are due. The solver's state is in order.
erg_status ergi_upsample_frames(erg_world *world, erg_error *err);

// Refuses loaded state that no run can have led to.
erg_status ergi_upsample_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

// ---- Parts of a frame --------------------------------------------------------------------------
// Spheres of all grains, with their mean velocity since the last frame, where they were then, or
// where they are now.
erg_status ergi_upsample_coarse(erg_world *world, bool now, erg_error *err);
void       ergi_upsample_remember(erg_world *world); // where grains and walls are now

bool       ergi_upsample_starts(const erg_world *world); // whether to start in this frame
erg_status ergi_upsample_start(erg_world *world, erg_error *err);
erg_status ergi_upsample_newcomers(erg_world *world, erg_error *err); // of grains that came

erg_status ergi_upsample_meet_walls(erg_world *world, erg_error *err);
erg_status ergi_upsample_leave(erg_world *world, erg_error *err); // to sinks and beyond the edge

// Particles that the grains there are now would get.
double ergi_upsample_volume(const erg_world *world);      // of grains that get some [m^3]
double ergi_upsample_mean_radius(const erg_world *world); // of spheres of grains [m]

#endif
