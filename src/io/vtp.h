// Files for ParaView: VTK XML PolyData (.vtp), binary data appended raw behind the XML with 64-bit
// lengths; and the .pvd file that strings snapshots into a film. Field data: TimeValue [s].
#ifndef ERGI_VTP_H
#define ERGI_VTP_H

#include "erg/snapshot.h"
#include "io/particles.h"

// Each sphere a vertex, with the arrays of ergi_particles_fields.
erg_status ergi_vtp_write(const char *path, const ergi_particles *particles, erg_error *err);

// Points, or lines from the points 0, 2, 4, ... to those behind them. Rows of `cell` are those of
// the lines.
typedef struct ergi_vtp_points {
    double                      time; // [s]
    size_t                      count;
    const double               *position;   // 3 each [m]
    const char                 *attributes; // of the point data: `Scalars="radius"`
    const ergi_particles_field *point, *cell;
    size_t                      point_fields, cell_fields;
    bool                        lines;
} ergi_vtp_points;
erg_status ergi_vtp_write_points(const char *path, const ergi_vtp_points *points, erg_error *err);

// Replaces the whole list; called anew after each snapshot. ParaView lists .vtp files only: it
// knows a series of .hdf files by their numbered names.
erg_status ergi_pvd_write(const char *path, const erg_snapshot_entry *entries, size_t count,
                          erg_error *err);

#endif
