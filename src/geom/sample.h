// Samples a surface or a solid with spheres, and measures how evenly they are spaced.
//
// The samples lie on or within a `level`: the surface at a fixed distance from a mesh, at distance
// 0 the mesh itself.
#ifndef ERGI_SAMPLE_H
#define ERGI_SAMPLE_H

#include "base/threads.h"
#include "erg/sample.h"
#include "geom/points.h"
#include "geom/solid.h"

typedef struct ergi_level {
    const ergi_solid *solid;
    double            offset; // outwards [m]
    double            close;  // tolerance: a point nearer than this is on the level [m]
    const ergi_mesh  *mesh;   // triangles of the level: the solid's, or `own`
    ergi_mesh         own;
    double            area; // [m^2]
} ergi_level;

// Checks the definition and builds the triangles.
erg_status ergi_level_make(const ergi_solid *solid, const erg_sample_def *def,
                           const ergi_threads *threads, ergi_level *level, erg_error *err);
void       ergi_level_free(ergi_level *level);

// Projects p, at most `reach` from the level, onto the level and returns the outward normal there.
// False when the level is not found, for example beyond the depth of the solid.
bool ergi_level_project(const ergi_level *level, double reach, erg_vec3 *p, erg_vec3 *normal);

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

// Least distance between two centres in a volume of this density, in radii.
double ergi_volume_spacing(const erg_sample_def *def);

erg_status ergi_sample_measure(const ergi_level *level, const erg_sample_def *def,
                               const ergi_threads *threads, const ergi_cloud *cloud,
                               erg_sample_metrics *metrics, erg_error *err);

// ---- Coverage gaps -----------------------------------------------------------------------------
typedef struct ergi_cover_gap {
    erg_vec3 place;
    double   distance; // to the nearest sample [m]
} ergi_cover_gap;

// The point of the level's triangles, or of the volume within it, that is farthest from its nearest
// sample, with tolerance `fine`, by branch and bound.
erg_status ergi_cover_gap_largest(const ergi_level *level, const ergi_points *samples, bool volume,
                                  double fine, const ergi_threads *threads, ergi_cover_gap *hole,
                                  erg_error *err);

// Points of the level's triangles farther than `limit` from every sample, about `fine` apart.
erg_status ergi_cover_gap_list(const ergi_level *level, const ergi_points *samples, double limit,
                               double fine, ergi_cover_gap **holes, size_t *count, erg_error *err);

#endif
