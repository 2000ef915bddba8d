// The fine particles of a world. They are advanced in frames: 60 times per second of simulated
// time, after a step of the solver.
#ifndef ERGI_UPSAMPLE_H
#define ERGI_UPSAMPLE_H

#include "erg/upsample.h"
#include "upsample/fine_order.h"
#include "upsample/fine_step.h"
#include "upsample/fine_walls.h"
#include "world/world.h"

// X(NAME, name, type): columns with one number per particle. x, y, z are fixed-point positions.
// `material`, from 1, is that of the grain in which the particle was created; only pictures need
// it.
#define ERGI_FINE_COLUMNS(X)                                                                       \
    X(ID, id, ERGI_U64)                                                                            \
    X(X, x, ERGI_U32)                                                                              \
    X(Y, y, ERGI_U32)                                                                              \
    X(Z, z, ERGI_U32)                                                                              \
    X(VX, vx, ERGI_F32)                                                                            \
    X(VY, vy, ERGI_F32)                                                                            \
    X(VZ, vz, ERGI_F32)                                                                            \
    X(MATERIAL, material, ERGI_U8)

enum {
#define X(NAME, name, type) ERGI_FINE_##NAME,
    ERGI_FINE_COLUMNS(X)
#undef X
        ERGI_FINE_COLUMN_COUNT
};

// State that is saved and restored as one block.
typedef struct ergi_upsample_clock {
    uint64_t        frames;      // completed since t = 0, with or without particles
    uint64_t        started;     // 1: particles exist, or will be created with new grains
    uint64_t        next_id;     // for the next new particle
    uint64_t        next_grain;  // grains from this id on have no particles yet
    uint64_t        unsorted;    // 1: sort all particles before the next step, not a part
    uint64_t        taken, lost; // particles removed by sinks, and outside the domain
    double          radius;      // mean of the particles [m]
    double          density;     // particles per volume of grains [1/m^3]
    ergi_fine_frame lattice;
    int32_t         zero; // padding to a multiple of 8 bytes
} ergi_upsample_clock;

typedef struct ergi_upsample {
    erg_upsample_def    def;
    erg_region          region; // own copy, if def.region is not NULL
    ergi_upsample_clock clock;
    ergi_table          fine;
    // Pose of each grain at the last frame: particles follow the mean velocity since then. An
    // orientation of zero: the grain has none.
    ergi_table before;
    ergi_pose *pose; // of the walls at the last frame
    size_t     poses;

    // Not state: scratch and caches.
    const ergi_fine_kernels *kernels;
    ergi_fine_order          order;
    ergi_fine_scratch        scratch;
    ergi_fine_walls          walls;
    double                  *coarse_position; // x y z radius of each sphere of the grains [m]
    float                   *coarse_velocity; // mean since the last frame [m/s]
    uint32_t                *coarse_grain;    // row of the grain of each sphere; frozen ones follow
    uint32_t                *coarse_first;    // first sphere of each chunk of grains
    size_t                   coarse_count, coarse_room[4];
    // Distance that each of the first travel_rows particles can travel before walls must be queried
    // for it again; valid after frame travel_frame [m].
    float         *travel;
    size_t         travel_room, travel_rows;
    uint64_t       travel_frame;
    uint8_t       *leaves;
    uint32_t      *leaving; // see upsample_leave.c
    size_t         leaves_room, leaving_room;
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

// Sets world->upsample and registers its state.
erg_status ergi_upsample_create(erg_world *world, const erg_upsample_def *def, erg_error *err);
void       ergi_upsample_destroy(ergi_upsample *u);
size_t     ergi_upsample_bytes(const ergi_upsample *u);

// Called once all walls are defined.
erg_status ergi_upsample_prepare(erg_world *world, erg_error *err);

// With `start: 0`, seeds the particles before the first step, so that no picture shows the grains.
erg_status ergi_upsample_begin(erg_world *world, erg_error *err);
// Whether a frame is due at that time [s].
bool ergi_upsample_due(const erg_world *world, double time);
// Advances all frames that are due. Deferred work of the solver must be finished (sync).
erg_status ergi_upsample_frames(erg_world *world, erg_error *err);

// Rejects loaded state that no run can have produced.
erg_status ergi_upsample_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

// ---- Parts of a frame --------------------------------------------------------------------------
// Collects the spheres of all grains, with their mean velocities since the last frame, at their
// positions at the last frame or, if `now`, at the current ones.
erg_status ergi_upsample_coarse(erg_world *world, bool now, erg_error *err);
void       ergi_upsample_store_poses(erg_world *world); // stores the poses of grains and walls
// To be called before the caller of the library places a grain: if that is farther away than two
// diameters, its particles do not follow it there.
void ergi_upsample_place(erg_world *world, size_t grain, erg_vec3 to);

bool       ergi_upsample_starts(const erg_world *world); // whether to start in this frame
erg_status ergi_upsample_start(erg_world *world, erg_error *err);
erg_status ergi_upsample_seed_new_grains(erg_world *world,
                                         erg_error *err); // particles of new grains

erg_status ergi_upsample_collide_walls(erg_world *world, erg_error *err);
erg_status ergi_upsample_leave(erg_world *world, erg_error *err); // into sinks, out of the domain
erg_status ergi_upsample_bury(erg_world *world, erg_error *err);  // under the columns of a terrain

// Grains are given by row; frozen ones of a terrain follow.
uint64_t ergi_upsample_grain_id(const erg_world *world, size_t grain);
uint8_t  ergi_upsample_grain_material(const erg_world *world, size_t grain); // from 1
double   ergi_upsample_grain_volume(const erg_world *world, size_t grain);   // [m^3]
// Whether a grain is in `region`, so that it gets particles if created now.
bool   ergi_upsample_in_region(const erg_world *world, size_t grain);
double ergi_upsample_volume(const erg_world *world);      // of all grains that get particles [m^3]
double ergi_upsample_mean_radius(const erg_world *world); // of spheres of grains [m]

// ---- Numbers -----------------------------------------------------------------------------------
// Volume of the grains that get particles and that emitters will add by def.until [m^3].
double ergi_upsample_volume_to_come(const erg_world *world);
// Particles per volume of grains, for particles of that radius or for def.count [1/m^3].
double ergi_upsample_density(const erg_world *world, double radius);
// Particles once all grains are there, as far as they are known, for a world that has none yet.
size_t ergi_upsample_expected(const erg_world *world);
// Rejects a def.count where the number of grains cannot be known. Called once all is defined.
erg_status ergi_upsample_check_count(const erg_world *world, erg_error *err);

#endif
