// The signed distance to a mesh, on a lattice that is kept near the surface only.
//
//     erg_sdf_def def = erg_sdf_def_default();
//     erg_sdf    *field = NULL;
//     def.spacing = 0.005;
//     if (erg_sdf_create(mesh, &def, &field, &err) != ERG_OK) ...
//     double d = erg_sdf_distance(field, p, NULL);
//     erg_sdf_destroy(field);
//
// A field never changes once it is made: any number of threads may ask it at once.
#ifndef ERG_SDF_H
#define ERG_SDF_H

#include "erg/sample.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_sdf erg_sdf;

typedef struct erg_sdf_def {
    double spacing; // of the lattice; must be set [m]
    double level;   // distance around which it is kept; 0: the surface, above 0: outside it [m]
    double band;    // kept where distances differ by less from the level; 0: one spacing [m]
    int    threads; // 0: all cores; the answer does not depend on it
} erg_sdf_def;

ERG_API erg_sdf_def erg_sdf_def_default(void);
// The field of the surface that such samples cover, to be seen together with them: at their offset,
// on a lattice of half their radius.
ERG_API erg_sdf_def erg_sdf_def_under(const erg_sample_def *samples);

// The mesh must be closed and consistently oriented: else nothing is inside it.
ERG_API erg_status erg_sdf_create(const erg_mesh *mesh, const erg_sdf_def *def, erg_sdf **out,
                                  erg_error *err);
ERG_API void       erg_sdf_destroy(erg_sdf *field); // takes NULL

// Distance, below 0 inside, and its gradient (may be NULL). Trilinear between lattice points; far
// from the level it is level +- band, and the gradient is 0 [m].
ERG_API double erg_sdf_distance(const erg_sdf *field, erg_vec3 p, erg_vec3 *gradient);

// What is kept: blocks of 8 x 8 x 8 cubes with the distances at their 9 x 9 x 9 corners, x fastest.
typedef struct erg_sdf_view {
    erg_vec3       origin;         // lattice point (0, 0, 0) [m]
    double         spacing, level; // [m]
    int            blocks[3];
    const int32_t *block; // of each, x fastest: its number in `distance`; -1: outside, -2: inside
    const float   *distance; // 729 of each block that is kept [m]
    size_t         kept;
} erg_sdf_view;

ERG_API erg_sdf_view erg_sdf_look(const erg_sdf *field); // lives as long as the field

#ifdef __cplusplus
}
#endif
#endif
