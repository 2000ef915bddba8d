// A world at one moment as files for ParaView and other programs; docs/results.md lists the arrays.
//
//     erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, "spheres-0.vtp", &err);
//     erg_snapshot_write(world, ERG_SNAPSHOT_CONTACTS, "contacts-0.vtp", &err);
//
// Writing changes no bit of the world. A file under its name is whole: it grows as NAME.part.
#ifndef ERG_SNAPSHOT_H
#define ERG_SNAPSHOT_H

#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_snapshot_part {
    ERG_SNAPSHOT_SPHERES,  // a point for each sphere; .vtp, .hdf (needs HDF5) or .ply
    ERG_SNAPSHOT_GRAINS,   // a point for each grain: centre, orientation, kind; .vtp
    ERG_SNAPSHOT_CONTACTS, // a line for each contact of grains, walls included; .vtp
    ERG_SNAPSHOT_BODIES    // the triangles and poses of bodies that are no grains; .vtp
} erg_snapshot_part;

// The ending of `path` is the format; one that the part does not have is ERG_BAD_INPUT. Contacts
// and what follows from them are those of the last step: none before the first.
ERG_API erg_status erg_snapshot_write(const erg_world *world, erg_snapshot_part part,
                                      const char *path, erg_error *err);

// A moment of a list.
typedef struct erg_snapshot_entry {
    const char *file; // relative to the folder of the list
    double      time; // [s]
} erg_snapshot_entry;

// Replaces `path`, a .pvd file, by the list of these files: ParaView opens it as one film.
ERG_API erg_status erg_snapshot_list(const char *path, const erg_snapshot_entry *entries,
                                     size_t count, erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
