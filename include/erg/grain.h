// Grains: rigid clumps of spheres, and how they enter and leave a world.
#ifndef ERG_GRAIN_H
#define ERG_GRAIN_H

#include "erg/base.h"
#include "erg/material.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Regions: where grains are placed, poured, counted or removed ------------------------------
typedef enum erg_region_shape {
    ERG_REGION_BOX,      // a: smallest corner, b: largest corner
    ERG_REGION_CYLINDER, // axis from a to b, radius, optional inner_radius
    ERG_REGION_SPHERE,   // centre a, radius
    ERG_REGION_CONE      // frustum: axis from a to b, radius at a, radius_b at b
} erg_region_shape;

typedef struct erg_region {
    erg_region_shape         shape;
    erg_vec3                 a, b;             // [m]
    double                   radius, radius_b; // [m]
    double                   inner_radius;     // [m]
    const struct erg_region *minus; // regions cut out of this one; borrowed during the call
    size_t                   minus_count;
} erg_region;

// ---- Kinds of grains ---------------------------------------------------------------------------
typedef enum erg_shape {
    ERG_SHAPE_SPHERE,
    ERG_SHAPE_DIMER,       // two touching spheres
    ERG_SHAPE_TETRAHEDRON, // four touching spheres
    ERG_SHAPE_CUBE,        // eight touching spheres
    ERG_SHAPE_SPHERES      // the list in erg_grain_def.spheres
} erg_shape;

typedef struct erg_sphere {
    double x, y, z, radius; // in the grain's frame [m]
} erg_sphere;

typedef enum erg_size_law {
    ERG_SIZE_FIXED,   // radius
    ERG_SIZE_UNIFORM, // min to max
    ERG_SIZE_NORMAL,  // mean, deviation, truncated at min and max (0: three deviations from the
                      // mean)
    ERG_SIZE_LISTED   // values with weights
} erg_size_law;

// Radius of the grain's spheres. For ERG_SHAPE_SPHERES: factor by which the list is scaled.
typedef struct erg_sizes {
    erg_size_law  law;
    double        radius, min, max, mean, deviation; // [m]
    const double *values, *weights;                  // borrowed during the call
    size_t        count;
} erg_sizes;

typedef struct erg_grain_def {
    const char       *name; // optional, unique
    erg_shape         shape;
    erg_sizes         sizes;
    erg_id            material;
    const erg_sphere *spheres; // for ERG_SHAPE_SPHERES; overlaps count once in mass and inertia
    size_t            sphere_count;
} erg_grain_def;

ERG_API erg_grain_def erg_grain_def_default(void); // spheres of 1 mm radius; material must be set

// ---- Sources and sinks -------------------------------------------------------------------------
typedef enum erg_placing { ERG_PLACE_LATTICE, ERG_PLACE_RANDOM } erg_placing;

typedef struct erg_fill_def {
    const char *name;
    erg_id      grain;
    uint64_t    count; // 0: as many as fit
    erg_region  region;
    erg_placing placing;  // default: jittered lattice, from the bottom up
    double      jitter;   // lattice: random displacement, share of the gap, 0 to 1
    double      gap;      // lattice: gap between neighbours, share of the diameter
    bool        aligned;  // true: same orientation for all grains; default: random
    erg_vec3    velocity; // [m/s]
    erg_vec3    spin;     // [rad/s]
} erg_fill_def;

ERG_API erg_fill_def erg_fill_def_default(void);

#define ERG_MAX_EMITTER_RATE 1e9 // [1/s]

typedef struct erg_emitter_def {
    const char *name;
    erg_id      grain;
    erg_region  region;
    double      rate;        // grains per second, above 0, at most ERG_MAX_EMITTER_RATE [1/s]
    erg_vec3    velocity;    // [m/s]
    double      spread;      // random velocity added, uniform in a ball of this radius [m/s]
    double      start, stop; // [s]; stop at INFINITY: never
    uint64_t    limit;       // total number of grains; 0: no limit
} erg_emitter_def;

ERG_API erg_emitter_def erg_emitter_def_default(void);

// Removes grains whose centre of mass lies in the region, and counts them. Checked whenever the
// neighbour lists are rebuilt, that is, before any grain has moved farther than 0.3 of the smallest
// diameter, or half of erg_world_def.skin if that is set.
typedef struct erg_sink_def {
    const char *name;
    erg_region  region;
    double      start, stop; // [s]
} erg_sink_def;

ERG_API erg_sink_def erg_sink_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
