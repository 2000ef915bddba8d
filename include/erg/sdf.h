// Signed distance field of a mesh, on a lattice that is stored only near the surface.
//
//     erg_sdf_def def = erg_sdf_def_default();
//     erg_sdf    *field = NULL;
//     def.spacing = 0.005;
//     if (erg_sdf_create(mesh, &def, &field, &err) != ERG_OK) ...
//     double d = erg_sdf_distance(field, p, NULL);
//     erg_sdf_destroy(field);
//
// A field never changes after creation, so any number of threads may query it at once.
#ifndef ERG_SDF_H
#define ERG_SDF_H

#include "erg/sample.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_sdf erg_sdf;

typedef struct erg_sdf_def {
    double spacing; // of the lattice; must be set [m]
    double level;   // distance around which it is stored; 0: the surface, above 0: outside it [m]
    double band;    // stored where the distance is this close to the level; 0: one spacing [m]
    int    threads; // 0: all cores; the result does not depend on it
} erg_sdf_def;

ERG_API erg_sdf_def erg_sdf_def_default(void);
// The field of the surface that such samples cover, for drawing both together: at their offset,
// with a spacing of half their radius.
ERG_API erg_sdf_def erg_sdf_def_under(const erg_sample_def *samples);

// The mesh must be closed and consistently oriented, so that it has an inside.
ERG_API erg_status erg_sdf_create(const erg_mesh *mesh, const erg_sdf_def *def, erg_sdf **out,
                                  erg_error *err);
ERG_API void       erg_sdf_destroy(erg_sdf *field); // NULL is fine

// Distance, negative inside, and its gradient (may be NULL). Trilinear between lattice points; far
// from the level it is level +- band, and the gradient is 0 [m].
ERG_API double erg_sdf_distance(const erg_sdf *field, erg_vec3 p, erg_vec3 *gradient);

// The stored blocks: 8 x 8 x 8 cells each, with the distances at their 9 x 9 x 9 corners, x
// fastest.
typedef struct erg_sdf_view {
    erg_vec3       origin;         // lattice point (0, 0, 0) [m]
    double         spacing, level; // [m]
    int            blocks[3];
    const int32_t *block; // index of each block in `distance`, x fastest; -1: outside, -2: inside
    const float   *distance; // 729 for each stored block [m]
    size_t         kept;     // stored blocks
} erg_sdf_view;

ERG_API erg_sdf_view erg_sdf_look(const erg_sdf *field); // valid as long as the field exists

#ifdef __cplusplus
}
#endif
#endif
