// Reading back the snapshots that vtp.c, vtkhdf.c and ply.c write. Files of other programs, even
// right ones, may be refused.
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

// By its ending, .vtp, .hdf or .ply. What is no snapshot, or cut short, is ERG_BAD_INPUT with a
// sentence that names the file.
erg_status ergi_snapshot_read(const char *path, ergi_snapshot *out, erg_error *err);
void       ergi_snapshot_free(ergi_snapshot *snapshot);

// Arrays for so many spheres, zeroed.
erg_status ergi_snapshot_make(size_t count, double time, ergi_snapshot *out, erg_error *err);

// From the beginning or the end of the file alone [s].
erg_status ergi_snapshot_time(const char *path, double *time, erg_error *err);

#endif
