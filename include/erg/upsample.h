// Upsampling: fine particles that follow the grains, so that a coarse simulation looks like sand.
// They exert no forces. 60 times per second of simulated time each particle takes the mean velocity
// of the grains around it, or falls freely where there are none; it stays out of walls and bodies.
//
//     erg_upsample_def def = erg_upsample_def_default();
//     def.ratio = 0.3;
//     erg_world_set_upsample(world, &def, &err);
#ifndef ERG_UPSAMPLE_H
#define ERG_UPSAMPLE_H

#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ERG_UPSAMPLE_SETTLED (-1.0) // for erg_upsample_def.start

typedef struct erg_upsample_def {
    double ratio; // radius of a fine particle over the mean radius of the grains, 0.1 to 1
    // Number of particles once all grains are there: those that exist when the particles start, and
    // those that emitters add by `until` if there is room for them. 0: as many as have the volume
    // of the grains. Particles per volume of grains are fixed at the start. erg_world_prepare
    // refuses a count if an emitter has neither limit nor stop and `until` is infinite, or on a
    // terrain.
    uint64_t count;
    double   until; // for `count`: last time at which emitters add grains [s]; scenes: run.time
    double   start; // [s]; ERG_UPSAMPLE_SETTLED: once half of the grains have come to rest, or
                    // immediately if all come from emitters
    uint64_t          seed;   // of the initial positions; 0: the world's
    const erg_region *region; // only grains in it get particles; NULL: all do
    // A particle whose largest weight is at most c1, or at least c2 times the sum of all, partly
    // falls freely. The weight of a grain is (1 - (distance/3 radii)^2)^3. The default c1 of 0.536
    // is the weight at 1.3 radii, the outer edge of the initial positions. With Sommer's value,
    // 512/729, particles in the voids of a pile at rest creep towards the grains.
    double c1, c2;
    double friction; // coefficient on walls and bodies
} erg_upsample_def;

ERG_API erg_upsample_def erg_upsample_def_default(void);

// Can be called once, before the first step.
ERG_API erg_status erg_world_set_upsample(erg_world *world, const erg_upsample_def *def,
                                          erg_error *err);

ERG_API bool erg_world_has_upsample(const erg_world *world); // whether it was set

// Current number of fine particles; 0 before the start.
ERG_API size_t erg_world_fine_count(const erg_world *world);
// Before the start: the expected number once all grains are there, including those of emitters
// until erg_upsample_def.until, without those of emitters that never end. Afterwards the current
// number.
ERG_API size_t erg_world_fine_expected(const erg_world *world);

// Read-only view of the particles, valid until the next call that steps or changes the world. Their
// order changes over time. Positions are fixed-point: coordinate a of particle k is
//     origin[a] + step[a] * place[a][k]
// where `place` is to be read as int32_t on an axis that is not periodic.
typedef struct erg_fine_view {
    size_t          count;
    const uint64_t *id;       // never reused
    const uint8_t  *material; // of the grain in which it was created; for pictures
    const uint32_t *place[3];
    const float    *velocity[3];        // [m/s]
    double          origin[3], step[3]; // [m]
    bool            periodic[3];
    double          radius; // mean; erg_fine_radius gives that of one particle [m]
    double          age;    // time since the last of their steps, which are 1/60 s apart [s]
} erg_fine_view;
ERG_API erg_status erg_world_view_fine(const erg_world *world, erg_fine_view *view, erg_error *err);

// Of particle k of `count`; 0 beyond.
ERG_API erg_vec3 erg_fine_position(const erg_fine_view *view, size_t k); // [m]
// Where it would be now, after moving with its velocity through anything in its way. For display
// only: pictures less than 1/60 s apart show it moving.
ERG_API erg_vec3 erg_fine_position_now(const erg_fine_view *view, size_t k); // [m]
// Between 0.8 and 1.2 times the mean, by id. For display only: the motion uses the mean.
ERG_API double erg_fine_radius(const erg_fine_view *view, size_t k); // [m]

// Steps, removals and wall-clock times of the fine particles since creation of the world. seed_s
// includes the seeding at the start; total_s covers the steps only.
typedef struct erg_fine_stats {
    uint64_t frames;      // steps of the fine particles
    uint64_t taken, lost; // removed by sinks, or under the columns of a terrain that rose over
                          // them; removed outside the domain
    double seed_s, sort_s, step_s, walls_s, total_s; // [s]
} erg_fine_stats;
ERG_API erg_status erg_world_fine_stats(const erg_world *world, erg_fine_stats *stats,
                                        erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
