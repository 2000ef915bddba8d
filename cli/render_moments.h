// The moments of a result that can be shown: its snapshots, and its checkpoint as the last one.
#ifndef ERG_CLI_RENDER_MOMENTS_H
#define ERG_CLI_RENDER_MOMENTS_H

#include "erg/erg.h"

typedef struct cli_moments {
    const char *name;   // of the result
    erg_replay *replay; // its snapshots, maybe none
    erg_world  *world;  // at the checkpoint; NULL: snapshots are all there is
} cli_moments;

// There is at least one moment.
double cli_moments_begin(const cli_moments *moments); // [s]
double cli_moments_end(const cli_moments *moments);   // [s]

// Which one is nearest to the time; that of the number of snapshots is the checkpoint, which is
// preferred to a snapshot of the same moment: it holds contacts.
size_t cli_moments_nearest(const cli_moments *moments, double time);
double cli_moments_time(const cli_moments *moments, size_t index); // [s]

// ERG_BAD_INPUT, saying which moments there are, for a time that none is near: farther before the
// first or after the last than half the widest gap between two.
erg_status cli_moments_check(const cli_moments *moments, double time, erg_error *err);

#endif
