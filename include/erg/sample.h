// Samples the surface or the volume of a mesh with spheres. docs/meshes.md describes the methods
// and their quality.
//
//     erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
//     erg_samples   *samples = NULL;
//     def.radius = 0.01;
//     if (erg_sample(mesh, &def, &samples, &err) != ERG_OK) ...
//     const double *xyz = erg_samples_positions(samples, &count);
//     erg_samples_destroy(samples);
#ifndef ERG_SAMPLE_H
#define ERG_SAMPLE_H

#include "erg/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_sample_kind {
    ERG_SAMPLE_SURFACE, // an even cover without holes; spheres overlap
    ERG_SAMPLE_VOLUME   // random, no two centres closer than a diameter, no space for one more
} erg_sample_kind;

// Receives the centres of surface samples while they spread: x, y, z of each, first their initial
// positions, then after each move. Samples may be added or removed between two calls. Returning
// false stops the sampling.
typedef bool (*erg_sample_watch_fn)(void *user, const double *xyz, size_t count);

typedef struct erg_sample_def {
    erg_sample_kind kind;
    double          radius; // of the spheres [m]
    double offset;  // of the surface on which, or within which, centres lie: outwards, in radii; -1
                    // keeps whole spheres inside
    double density; // surface: disc area of all spheres over the area of the surface; below 1.21
                    // even a perfect lattice leaves holes. volume: factor on the number of spheres;
                    // distances shrink by its cube root
    uint64_t            seed;
    int                 threads; // 0: all cores; the result does not depend on it
    erg_sample_watch_fn watch;   // may be NULL; surface only
    void               *watch_user;
} erg_sample_def;

// Surface: density 1.3; volume: density 1. The radius is 0 and must be set.
ERG_API erg_sample_def erg_sample_def_default(erg_sample_kind kind);

typedef struct erg_samples erg_samples;

// The mesh must be closed and consistently oriented, unless its own surface (offset 0) is sampled.
// ERG_CANCELLED if `watch` returned false.
ERG_API erg_status    erg_sample(const erg_mesh *mesh, const erg_sample_def *def, erg_samples **out,
                                 erg_error *err);
ERG_API const double *erg_samples_positions(const erg_samples *samples,
                                            size_t            *count);      // x, y, z [m]
ERG_API void          erg_samples_destroy(erg_samples *samples); // NULL is fine

// A recording of the spreading: what `watch` receives, up to 256 MiB; beyond that every second
// move, then every fourth, and so on. The last one is always included. def->watch, if any, is
// called as well and may stop it.
typedef struct erg_spread erg_spread;

ERG_API erg_status    erg_spread_record(const erg_mesh *mesh, const erg_sample_def *def,
                                        erg_spread **out, erg_error *err);
ERG_API size_t        erg_spread_count(const erg_spread *spread); // moments, initial one included
ERG_API const double *erg_spread_at(const erg_spread *spread, size_t moment,
                                    size_t *count);              // x, y, z [m]
ERG_API size_t        erg_spread_most(const erg_spread *spread); // most spheres in any moment
ERG_API void          erg_spread_destroy(erg_spread *spread);    // NULL is fine

// Quality of samples; lengths in radii. "Surface" means the mesh, or its offset surface.
typedef struct erg_sample_metrics {
    size_t count;
    double off_surface_mean, off_surface_max; // distance of centres from the surface; volume: how
                                              // far outside they lie, 0 inside
    double spacing_mean;                      // distance to the nearest other centre
    double spacing_cv;                        // its standard deviation over its mean
    double hole_max; // largest distance from a point of the surface (volume: of the inside) to the
                     // nearest centre, to within 0.005
} erg_sample_metrics;

ERG_API erg_status erg_samples_measure(const erg_samples *samples, const erg_mesh *mesh,
                                       erg_sample_metrics *metrics, erg_error *err);

// PLY, binary little endian: x, y, z (double), radius (float).
ERG_API erg_status erg_samples_write(const erg_samples *samples, const char *path, erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
