// Snapshots for ParaView in HDF5: VTKHDF, format version 1.0, ending `.hdf` (ParaView 5.11 does not
// offer `.vtkhdf` files to its reader).
//
// The spheres are an UnstructuredGrid of vertex cells. PolyData would fit better, but the reader
// supports it only from VTK 9.3 (ParaView 5.12) on, UnstructuredGrid from VTK 9.1 on. Point data
// and TimeValue are those of vtp.h.
//
// The HDF5 file, whose superblock states its length, is followed by 40 bytes that HDF5 ignores:
//
//     byte  0  "ERGHDF01"
//           8  length of the HDF5 file (64 bit), 16: time (double)
//          24  hash of the HDF5 file
//          32  hash of the 32 bytes before
//
// all little endian. Both hashes are checked before HDF5 reads anything, because it may crash on
// damaged files; and the time can be read without HDF5.
#ifndef ERGI_VTKHDF_H
#define ERGI_VTKHDF_H

#include "io/particles.h"
#include "io/snapshot.h"

// ERG_NOT_BUILT in a build without HDF5.
erg_status ergi_vtkhdf_write(const char *path, const ergi_particles *particles, erg_error *err);

// Only files written by erg; any other, and any with a changed byte, is ERG_BAD_INPUT.
erg_status ergi_vtkhdf_read(const char *path, ergi_snapshot *out, erg_error *err);
erg_status ergi_vtkhdf_time(const char *path, double *time, erg_error *err);

// ---- The seal: vtkhdf_seal.c -------------------------------------------------------------------
enum { ERGI_VTKHDF_SEAL = 40 }; // [bytes]

void ergi_vtkhdf_seal(const unsigned char *bytes, size_t size, double time,
                      unsigned char seal[ERGI_VTKHDF_SEAL]);
// NULL, or a description of the error.
const char *ergi_vtkhdf_seal_time(const unsigned char seal[ERGI_VTKHDF_SEAL], double *time);
const char *ergi_vtkhdf_check(const unsigned char *bytes, size_t size, double *time);

#endif
