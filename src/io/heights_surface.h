// Heights as a grid and as a mesh, for ParaView and other programs.
#ifndef ERGI_HEIGHTS_SURFACE_H
#define ERGI_HEIGHTS_SURFACE_H

#include "io/heights.h"

typedef struct ergi_heights_place {
    double first[2]; // x and y of the first height [m]
    double spacing;  // [m]
    double time;     // [s]
} ergi_heights_place;

// VTK XML ImageData: a flat grid of points at z = 0 with the array `height`, which is the z of the
// surface [m]. Field data: TimeValue [s].
erg_status ergi_heights_write_vti(const char *path, const erg_heights *heights,
                                  const ergi_heights_place *place, erg_error *err);

// Binary PLY: one vertex per height, two triangles per square, normals up; the time is a comment.
erg_status ergi_heights_write_ply(const char *path, const erg_heights *heights,
                                  const ergi_heights_place *place, erg_error *err);

#endif
