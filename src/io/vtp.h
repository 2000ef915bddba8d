// Files for ParaView: VTK XML PolyData (.vtp), with raw binary data appended after the XML with
// 64-bit lengths; and the .pvd file that lists snapshots as an animation. Field data: TimeValue
// [s].
#ifndef ERGI_VTP_H
#define ERGI_VTP_H

#include "erg/snapshot.h"
#include "io/particles.h"

// One vertex per sphere, with the arrays of ergi_particles_fields.
erg_status ergi_vtp_write(const char *path, const ergi_particles *particles, erg_error *err);

// Points, or lines between the points 0 and 1, 2 and 3, ... `cell` has one row per line, else one
// per point.
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

// Rewrites the whole list; call it after each snapshot. Only .vtp files need a list: ParaView
// recognises a series of .hdf files by its numbered names.
erg_status ergi_pvd_write(const char *path, const erg_snapshot_entry *entries, size_t count,
                          erg_error *err);

#endif
