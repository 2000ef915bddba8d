// Snapshots for ParaView: VTK XML PolyData (.vtp), each sphere a vertex, binary data appended raw
// behind the XML with 64-bit lengths; and the .pvd file that strings snapshots into a film.
// Point data: radius, velocity, force, orientation, grain, material; field data: TimeValue [s].
#ifndef ERGI_VTP_H
#define ERGI_VTP_H

#include "io/particles.h"

erg_status ergi_vtp_write(const char *path, const ergi_particles *particles, erg_error *err);

typedef struct ergi_pvd_entry {
    const char *file; // relative to the folder of the .pvd
    double      time; // [s]
} ergi_pvd_entry;

// Replaces the whole list; called anew after each snapshot. ParaView lists .vtp files only: it
// knows a series of .hdf files by their numbered names.
erg_status ergi_pvd_write(const char *path, const ergi_pvd_entry *entries, size_t count,
                          erg_error *err);

#endif
