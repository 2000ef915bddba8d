// Upsampling: fine particles that follow the grains, so that a coarse simulation looks like sand.
// They push nobody. Each moves 60 times per second of simulated time with the mean velocity of the
// grains around it, falls where there are none, and stays out of walls and bodies.
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
    double   ratio; // radius of a fine particle over the mean radius of the grains, 0.1 to 1
    uint64_t count; // of fine particles at the start; 0: as many as have the volume of the grains
    double   start; // [s]; ERG_UPSAMPLE_SETTLED: once half of the grains have come to
                    // rest; at once where all come from emitters
    uint64_t          seed;   // of where they begin; 0: the world's
    const erg_region *region; // only grains in it get fine particles; NULL: all
    // A particle whose largest weight is at most c1, or at least c2 of the sum of all, falls in
    // part. Weights are (1 - (distance/3 radii)^2)^3. 0.536 is that at 1.3 radii, where particles
    // begin; with Sommer's 512/729 those in the voids of a pile creep onto the grains.
    double c1, c2;
    double friction; // with which they slide on walls and bodies
} erg_upsample_def;

ERG_API erg_upsample_def erg_upsample_def_default(void);

// Only before the first step, once.
ERG_API erg_status erg_world_set_upsample(erg_world *world, const erg_upsample_def *def,
                                          erg_error *err);

ERG_API bool erg_world_has_upsample(const erg_world *world); // whether it was set

// Fine particles now; 0 before they start.
ERG_API size_t erg_world_fine_count(const erg_world *world);
// As many as are to be expected when upsampling starts, for the grains there are now.
ERG_API size_t erg_world_fine_expected(const erg_world *world);

// Where they are in memory, in an order that changes. Read only, valid until the next call that
// steps or changes the world. Coordinate a of particle k is
//     origin[a] + step[a] * place[a][k]
// and on an axis that is not periodic `place` is to be read as int32_t.
typedef struct erg_fine_view {
    size_t          count;
    const uint64_t *id; // never given again
    const uint32_t *place[3];
    const float    *velocity[3];        // [m/s]
    double          origin[3], step[3]; // [m]
    bool            periodic[3];
    double          radius; // mean of all [m]
} erg_fine_view;
ERG_API erg_status erg_world_view_fine(const erg_world *world, erg_fine_view *view, erg_error *err);

ERG_API erg_vec3 erg_fine_position(const erg_fine_view *view, size_t k); // [m]
// Sizes differ a little, by id: between 0.8 and 1.2 of the mean.
ERG_API double erg_fine_radius(const erg_fine_view *view, size_t k); // [m]

// Wall time spent on them since creation [s], and steps of theirs.
typedef struct erg_fine_stats {
    uint64_t frames;
    uint64_t taken, lost; // by sinks; beyond the edge of the domain
    double   seed_s, sort_s, step_s, walls_s, total_s;
} erg_fine_stats;
ERG_API erg_status erg_world_fine_stats(const erg_world *world, erg_fine_stats *stats,
                                        erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
