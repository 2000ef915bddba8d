// A scene that is measured and compared with peers: how to build it, bring it to the state to be
// measured, and cache that state.
//
//     define: matter and walls     make: fill, settle, flow     cache: NAME-GRAINS-vN.h5
//            |________________________|______________________________|
//                    scene_open: the world, ready to be timed
#ifndef ERG_BENCH_SCENE_H
#define ERG_BENCH_SCENE_H

#include "matter.h"
#include "measure.h"
#include "peer.h"

typedef struct bench_scene {
    const char *name;
    peer_scene  peer;
    bool        at_rest;
    size_t (*grains)(size_t spheres); // number of grains for about this many spheres
    erg_status (*define)(size_t grains, int threads, erg_world **world, erg_error *err);
    erg_status (*make)(size_t grains, const char *cache, erg_world *world, erg_error *err);
    void (*walls)(size_t grains, peer_state *state); // describes them to peers
    // Away from walls and surface, and of the whole bed; NULL: not measured.
    erg_status (*volume_fractions)(size_t grains, const erg_world *world, double *inner,
                                   double *whole, erg_error *err);
} bench_scene;

extern const bench_scene SCENE_PACK, SCENE_HOPPER, SCENE_TETRA, SCENE_MIXED;

// The world to be measured: from a checkpoint in the cache, or made now, which takes a while, and
// cached. A build without HDF5 has to make it each time.
erg_status scene_open(const bench_scene *scene, size_t grains, const char *cache, int threads,
                      erg_world **world, erg_error *err);

// One row per number of threads, measured alternately, with about options->count spheres.
erg_status scene_measure(const bench_scene *scene, const bench_options *options, bench_rows *rows,
                         erg_error *err);

// Adds the row of a scene whose windows are finished; `before`: statistics at their start.
erg_status scene_row(const bench_scene *scene, size_t grains, const erg_world *world, int threads,
                     const bench_times *times, const erg_stats *before, bench_rows *rows,
                     erg_error *err);

#endif
