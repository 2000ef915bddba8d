// The stored moments of a result: its snapshots, and its checkpoint as the last one.
#ifndef ERG_CLI_RENDER_MOMENTS_H
#define ERG_CLI_RENDER_MOMENTS_H

#include "erg/erg.h"

typedef struct cli_moments {
    const char *name;   // of the result
    erg_replay *replay; // its snapshots, possibly none
    erg_world  *world;  // at the checkpoint; NULL: snapshots only
} cli_moments;

// There must be at least one moment.
double cli_moments_begin(const cli_moments *moments); // [s]
double cli_moments_end(const cli_moments *moments);   // [s]

// Index of the moment nearest to the time; the number of snapshots stands for the checkpoint, which
// is preferred to a snapshot of the same time, since it holds contacts.
size_t cli_moments_nearest(const cli_moments *moments, double time);
double cli_moments_time(const cli_moments *moments, size_t index); // [s]

// ERG_BAD_INPUT with a list of the stored times when the time is farther before the first or after
// the last moment than half the widest gap between two.
erg_status cli_moments_check(const cli_moments *moments, double time, erg_error *err);

#endif
