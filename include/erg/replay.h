// Looking at a run that was written to a result folder: its snapshots, one after the other.
#ifndef ERG_REPLAY_H
#define ERG_REPLAY_H

#include "erg/draw.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_replay erg_replay;

// Lists the snapshots of a result folder, or of a folder that holds nothing else; there may be
// none. Or a single one: its file. Reads .vtp, where there is none .hdf, and where there is none of
// these .ply.
ERG_API erg_status erg_replay_open(const char *folder, erg_replay **replay, erg_error *err);
ERG_API void       erg_replay_close(erg_replay *replay); // NULL is fine
ERG_API size_t     erg_replay_count(const erg_replay *replay);
ERG_API double     erg_replay_time(const erg_replay *replay, size_t index); // [s]
// The snapshot whose time is nearest; of an empty replay 0.
ERG_API size_t erg_replay_nearest(const erg_replay *replay, double time);
// Reads a snapshot. What `moment` points to lives until the next read or close.
ERG_API erg_status erg_replay_read(erg_replay *replay, size_t index, erg_moment *moment,
                                   erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
