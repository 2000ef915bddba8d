// One VTKHDF file that opens many snapshots as an animation: format version 2.0 with the group
// Steps, for VTK 9.3 (ParaView 5.12) and later. It holds the times and the first row of each frame.
// The rows themselves stay in the .hdf files of the frames and are referenced as virtual datasets,
// so that the index is small and each frame is written only once.
#ifndef ERGI_VTKHDF_INDEX_H
#define ERGI_VTKHDF_INDEX_H

#include "erg/base.h"

typedef struct ergi_vtkhdf_frame {
    const char *file; // relative to the folder of the index; written by ergi_vtkhdf_write
    size_t      spheres;
    double      time; // [s]
} ergi_vtkhdf_frame;

// Frames should hold all arrays of ergi_particles; an array that a frame lacks reads as 0 there.
// `terrain`: they also have the array `frozen`.
// ERG_NOT_BUILT in a build without HDF5.
erg_status ergi_vtkhdf_index(const char *path, const ergi_vtkhdf_frame *frames, size_t count,
                             bool terrain, erg_error *err);

#endif
