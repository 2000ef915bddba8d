// Spheres on a surface or in a solid, and how even they stand.
//
// Where: `level` is a surface at a distance from a mesh; at distance 0 it is the triangles.
#ifndef ERGI_SAMPLE_H
#define ERGI_SAMPLE_H

#include "base/threads.h"
#include "erg/sample.h"
#include "geom/points.h"
#include "geom/solid.h"

typedef struct ergi_level {
    const ergi_solid *solid;
    double            offset; // outwards [m]
    double            close;  // off by less than this is on it [m]
    const ergi_mesh  *mesh;   // triangles that follow it: the solid's, or marched ones of our own
    ergi_mesh         own;
    double            area; // [m^2]
} ergi_level;

// Checks the definition and makes the triangles.
erg_status ergi_level_make(const ergi_solid *solid, const erg_sample_def *def,
                           const ergi_threads *threads, ergi_level *level, erg_error *err);
void       ergi_level_free(ergi_level *level);

// Moves p to the level and tells its outward normal there. p is at most `reach` away from it. False
// when the level is not found, as beyond the depth of the solid.
bool ergi_level_land(const ergi_level *level, double reach, erg_vec3 *p, erg_vec3 *normal);

typedef struct ergi_cloud {
    erg_vec3 *point;
    size_t    count, room;
} ergi_cloud;

erg_status ergi_cloud_add(ergi_cloud *cloud, erg_vec3 p, erg_error *err);
void       ergi_cloud_free(ergi_cloud *cloud);

erg_status ergi_sample_surface(const ergi_level *level, const erg_sample_def *def,
                               const ergi_threads *threads, ergi_cloud *cloud, erg_error *err);
erg_status ergi_sample_volume(const ergi_level *level, const erg_sample_def *def,
                              const ergi_threads *threads, ergi_cloud *cloud, erg_error *err);

// How many radii lie between the closest two centres in a volume of this density.
double ergi_volume_spacing(const erg_sample_def *def);

erg_status ergi_sample_measure(const ergi_level *level, const erg_sample_def *def,
                               const ergi_threads *threads, const ergi_cloud *cloud,
                               erg_sample_metrics *metrics, erg_error *err);

// ---- Holes -------------------------------------------------------------------------------------
typedef struct ergi_cover_gap {
    erg_vec3 place;
    double   distance; // to the nearest sample [m]
} ergi_cover_gap;

// The point of the level's triangles, or of all within it, that is farthest from its nearest
// sample, to `fine`. Pieces are cut in two as long as they may hold a point that is farther than
// the best known.
erg_status ergi_cover_gap_largest(const ergi_level *level, const ergi_points *samples, bool volume,
                                  double fine, const ergi_threads *threads, ergi_cover_gap *hole,
                                  erg_error *err);

// Points of the level's triangles farther than `limit` from every sample, about `fine` apart.
erg_status ergi_cover_gap_list(const ergi_level *level, const ergi_points *samples, double limit,
                               double fine, ergi_cover_gap **holes, size_t *count, erg_error *err);

#endif
