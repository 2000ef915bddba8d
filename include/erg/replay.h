// Replays a run from its result folder: reads the snapshots one at a time.
#ifndef ERG_REPLAY_H
#define ERG_REPLAY_H

#include "erg/draw.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_replay erg_replay;

// `folder` is a result folder, a folder of snapshots, or a single snapshot file. A folder without
// snapshots is not an error. Reads .vtp files; if there are none, .hdf; if there are none of these,
// .ply.
ERG_API erg_status erg_replay_open(const char *folder, erg_replay **replay, erg_error *err);
ERG_API void       erg_replay_close(erg_replay *replay); // NULL is fine
ERG_API size_t     erg_replay_count(const erg_replay *replay);
ERG_API double     erg_replay_time(const erg_replay *replay, size_t index); // [s]
// The snapshot whose time is nearest; 0 if there are none.
ERG_API size_t erg_replay_nearest(const erg_replay *replay, double time);
// Where the scene has a terrain: call it with the world as the scene defines it, before a
// checkpoint is loaded into it, so that moments have the columns of their time. Without it they
// have none.
ERG_API erg_status erg_replay_terrain(erg_replay *replay, const erg_world *defined, erg_error *err);
// Reads a snapshot. The arrays of `moment` are valid until the next read or close.
ERG_API erg_status erg_replay_read(erg_replay *replay, size_t index, erg_moment *moment,
                                   erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
