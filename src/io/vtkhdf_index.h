// One VTKHDF file that opens many snapshots as a film: format version 2.0 with the group Steps, for
// VTK 9.3 (ParaView 5.12) and later. It holds the times and where the rows of each frame begin; the
// rows themselves stay in the .hdf files of the frames, as virtual datasets of HDF5, so that the
// index is small and a frame is written once.
#ifndef ERGI_VTKHDF_INDEX_H
#define ERGI_VTKHDF_INDEX_H

#include "erg/base.h"

typedef struct ergi_vtkhdf_frame {
    const char *file;    // in the folder of the index, written by ergi_vtkhdf_write
    size_t      spheres; // in it
    double      time;    // [s]
} ergi_vtkhdf_frame;

// Frames hold all arrays of ergi_particles; one that a frame lacks reads as 0 there.
// ERG_NOT_BUILT in a build without HDF5.
erg_status ergi_vtkhdf_index(const char *path, const ergi_vtkhdf_frame *frames, size_t count,
                             erg_error *err);

#endif
