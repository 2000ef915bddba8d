// Reads back the snapshots that vtp.c, vtkhdf.c and ply.c write. Files of other programs may be
// rejected even if they are valid.
#ifndef ERGI_SNAPSHOT_H
#define ERGI_SNAPSHOT_H

#include "erg/base.h"

typedef struct ergi_snapshot {
    double    time;     // [s]
    size_t    count;    // spheres
    double   *position; // 3 each [m]
    double   *velocity; // 3 each; zero when the file has none [m/s]
    double   *radius;   // [m]
    uint64_t *grain;    // counted from 1 when the file has none
    uint32_t *material; // 1 when the file has none
} ergi_snapshot;

// Chooses the format by the ending .vtp, .hdf or .ply. A file that is no snapshot, or is truncated,
// is ERG_BAD_INPUT with a message that names the file.
erg_status ergi_snapshot_read(const char *path, ergi_snapshot *out, erg_error *err);
void       ergi_snapshot_free(ergi_snapshot *snapshot);

// Allocates zeroed arrays for `count` spheres.
erg_status ergi_snapshot_make(size_t count, double time, ergi_snapshot *out, erg_error *err);

// Reads only the beginning or the end of the file [s].
erg_status ergi_snapshot_time(const char *path, double *time, erg_error *err);

#endif
