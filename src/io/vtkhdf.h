// Snapshots for ParaView in HDF5: VTKHDF, format version 1.0, ending `.hdf` (ParaView 5.11 does not
// offer `.vtkhdf` files to its reader).
//
// The spheres are an UnstructuredGrid of vertex cells. PolyData would be the nearer kind, but the
// reader learnt it only in VTK 9.3 (ParaView 5.12), while UnstructuredGrid is read from VTK 9.1 on.
// Point data and TimeValue are those of vtp.h.
#ifndef ERGI_VTKHDF_H
#define ERGI_VTKHDF_H

#include "io/particles.h"

// ERG_NOT_BUILT in a build without HDF5.
erg_status ergi_vtkhdf_write(const char *path, const ergi_particles *particles, erg_error *err);

#endif
