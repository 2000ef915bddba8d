// A grid for ParaView: VTK XML ImageData (.vti), raw appended data as in vtp.h. Field data:
// TimeValue [s].
#ifndef ERGI_VTI_H
#define ERGI_VTI_H

#include "io/particles.h"

typedef struct ergi_vti {
    double                      time;      // [s]
    double                      origin[3]; // smallest corner [m]
    double                      edge[3];   // of a cell [m]
    int                         cells[3];  // along x, y and z; x runs fastest
    const ergi_particles_field *field;     // of the cells
    size_t                      fields;
} ergi_vti;

erg_status ergi_vti_write(const char *path, const ergi_vti *grid, erg_error *err);

#endif
