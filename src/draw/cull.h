// Leaving out spheres that nobody can see, before they are drawn. The picture stays the same: a
// sphere goes only when each of the cells it could be seen in is filled by nearer spheres.
//
// A small depth buffer of cells is drawn on the processor. A cell counts as filled at a depth when
// the whole of it lies within a sphere's outline, the outer rim left out; then every sphere whose
// front is deeper than all the cells under its outline is hidden.
#ifndef ERGI_CULL_H
#define ERGI_CULL_H

#include "base/threads.h"
#include "draw/matrix.h"
#include "draw/picture.h"

typedef struct ergi_cull ergi_cull; // scratch, kept from picture to picture

ergi_cull *ergi_cull_new(erg_error *err);
void       ergi_cull_free(ergi_cull *cull);

typedef struct ergi_sight {
    ergi_matrix  view, projection;
    bool         parallel;
    bool         hide;          // false: leave out only what is beside the view
    float        cut[4];        // plane in the eye's frame; positive is left out
    double       mean;          // radius of most spheres [m]
    int          width, height; // of the picture [pixels]
    double       largest_point; // spheres that look larger become squares [pixels]
    ergi_threads threads;       // that look for them; the picture does not depend on it
} ergi_sight;

typedef struct ergi_seen {
    const ergi_ball *points, *squares; // valid until the next call
    size_t           point_count, square_count;
} ergi_seen;

erg_status ergi_cull_spheres(ergi_cull *cull, const ergi_ball *balls, size_t count,
                             const ergi_sight *sight, ergi_seen *seen, erg_error *err);

#endif
