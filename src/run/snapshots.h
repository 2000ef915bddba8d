// Snapshots of a run: one file a frame and format, and the list that makes a film of them.
#ifndef ERGI_SNAPSHOTS_H
#define ERGI_SNAPSHOTS_H

#include "erg/world.h"
#include "run/path.h"

typedef struct ergi_snapshots {
    ergi_path folder;
    int       formats; // erg_snapshot_format bits
    size_t    count;   // frames taken
    double   *time;    // of each [s]
    size_t    time_room;
    bool      all_listed;        // every frame is there as .vtp
    bool      all_bodies_listed; // and with its bodies
} ergi_snapshots;

// Refuses formats that this build cannot write.
erg_status ergi_snapshots_check(int formats, erg_error *err);

// Makes the folder `snapshots` in the result folder when there is something to write. After a
// resume the lists end with the frames of before it; `bodies`: there is one of bodies, too.
erg_status ergi_snapshots_open(ergi_snapshots *s, const char *result_folder, int formats,
                               bool bodies, erg_error *err);

erg_status ergi_snapshots_take(ergi_snapshots *s, const erg_world *world, erg_error *err);

void ergi_snapshots_close(ergi_snapshots *s);

#endif
