// Occlusion culling of spheres before they are drawn. The picture stays the same: a sphere is
// culled only when every cell in which it could be visible is filled by nearer spheres.
//
// A small depth buffer of cells is rasterised on the CPU. A cell is filled at a depth when it lies
// wholly within a sphere's outline, without the outer rim. A sphere whose front is deeper than all
// cells under its outline is hidden.
#ifndef ERGI_CULL_H
#define ERGI_CULL_H

#include "base/threads.h"
#include "draw/matrix.h"
#include "draw/picture.h"

typedef struct ergi_cull ergi_cull; // buffers, reused from picture to picture

ergi_cull *ergi_cull_new(erg_error *err);
void       ergi_cull_free(ergi_cull *cull);

typedef struct ergi_cull_view {
    ergi_matrix  view, projection;
    bool         parallel;
    bool         hide;          // false: cull only spheres outside the view
    float        cut[4];        // plane in the eye frame; the positive side is left out
    double       mean;          // typical radius [m]
    int          width, height; // of the picture [pixels]
    double       largest_point; // larger spheres are drawn as squares [pixels]
    ergi_threads threads;       // the picture does not depend on their number
} ergi_cull_view;

typedef struct ergi_visible {
    const ergi_ball *points, *squares; // valid until the next call
    size_t           point_count, square_count;
} ergi_visible;

erg_status ergi_cull_spheres(ergi_cull *cull, const ergi_ball *balls, size_t count,
                             const ergi_cull_view *sight, ergi_visible *seen, erg_error *err);

#endif
