// A world at one moment as files for ParaView and other programs; docs/results.md lists the arrays.
//
//     erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, "spheres-0.vtp", &err);
//     erg_snapshot_write(world, ERG_SNAPSHOT_CONTACTS, "contacts-0.vtp", &err);
//
// Writing does not change the world. A file is written as NAME.part and renamed when complete.
#ifndef ERG_SNAPSHOT_H
#define ERG_SNAPSHOT_H

#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_snapshot_part {
    ERG_SNAPSHOT_SPHERES,  // one point per sphere, frozen grains of a terrain included; .vtp, .hdf
                           // (needs HDF5) or .ply
    ERG_SNAPSHOT_GRAINS,   // one point per grain: centre, orientation, kind; .vtp
    ERG_SNAPSHOT_CONTACTS, // one line per contact of grains, walls included; .vtp
    ERG_SNAPSHOT_BODIES,   // triangles and poses of bodies, which are not grains; .vtp
    ERG_SNAPSHOT_FINE,     // one point per fine particle; .vtp, .hdf (needs HDF5) or .ply
    ERG_SNAPSHOT_TERRAIN   // surface of the columns; .vti, .ply (a mesh) or .png (needs libpng)
} erg_snapshot_part;

// The extension of `path` selects the format; one that the part does not support is ERG_BAD_INPUT.
// Contacts, and what is computed from them, are those of the last step: none before the first.
ERG_API erg_status erg_snapshot_write(const erg_world *world, erg_snapshot_part part,
                                      const char *path, erg_error *err);

// One entry of a list of snapshots.
typedef struct erg_snapshot_entry {
    const char *file; // relative to the folder of the list
    double      time; // [s]
} erg_snapshot_entry;

// Writes `path`, a .pvd file that lists these files, replacing an old one: ParaView opens it as one
// time series.
ERG_API erg_status erg_snapshot_list(const char *path, const erg_snapshot_entry *entries,
                                     size_t count, erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
