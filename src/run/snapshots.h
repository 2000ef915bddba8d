// Snapshots of a run: one file per frame, part and format, and the lists that ParaView opens as
// time series.
#ifndef ERGI_SNAPSHOTS_H
#define ERGI_SNAPSHOTS_H

#include "erg/scene.h"
#include "run/column_series.h"
#include "run/path.h"

enum { ERGI_SNAPSHOT_PARTS = 6 };

typedef struct ergi_snapshots {
    ergi_path folder;
    int       formats; // erg_snapshot_format bits
    int       terrain; // erg_terrain_format bits
    bool      has_terrain;
    bool      part[ERGI_SNAPSHOT_PARTS];  // whether the part is written
    bool      whole[ERGI_SNAPSHOT_PARTS]; // whether every frame so far exists as .vtp or .vti
    size_t    count;                      // frames taken
    double   *time;                       // of each [s]
    uint64_t *spheres;                    // number in each
    size_t    time_room, spheres_room;
    size_t    indexed;          // frames that the index grains.hdf contains
    ergi_column_series columns; // for play-back; written next to the spheres
} ergi_snapshots;

// Rejects formats that this build cannot write.
erg_status ergi_snapshots_check(const erg_scene_settings *settings, erg_error *err);

// Whether a run with these settings takes any.
static inline bool ergi_snapshots_are_asked(const erg_scene_settings *settings)
{
    return settings->snapshots || settings->terrain;
}

// To be called with the world as its scene defines it, before a checkpoint is loaded. Without it
// the first snapshot holds all columns of the terrain.
erg_status ergi_snapshots_begin(ergi_snapshots *s, const erg_scene_settings *settings,
                                const erg_world *defined, erg_error *err);

// Makes the folder `snapshots` in the result folder if there is anything to write. After a resume
// the lists are cut to the frames before it.
erg_status ergi_snapshots_open(ergi_snapshots *s, const char *result_folder,
                               const erg_scene_settings *settings, const erg_world *world,
                               erg_error *err);

erg_status ergi_snapshots_take(ergi_snapshots *s, const erg_world *world, erg_error *err);

// Reserves capacity for this many frames.
erg_status ergi_snapshots_reserve(ergi_snapshots *s, size_t count, erg_error *err);

// Updates the index of .hdf files. It is rewritten as a whole; doing so for every frame would cost
// O(frames^2), so the index may lag behind a little.
erg_status ergi_snapshots_finish(ergi_snapshots *s, erg_error *err);

void ergi_snapshots_close(ergi_snapshots *s);

#endif
