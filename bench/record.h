// Values common to all rows about a world.
#ifndef ERG_BENCH_RECORD_H
#define ERG_BENCH_RECORD_H

#include "measure.h"
#include "row.h"

// Adds a row: speed, state, lists, memory, and the shares of the phases of a step. `before`:
// statistics at the start of the windows.
erg_status record_row(bench_rows *rows, const char *name, const erg_world *world, int threads,
                      const bench_times *times, const erg_stats *before, erg_error *err);

// Adds `settled`; if false, because the kinetic energy was MATTER_QUIET or more, also prints a
// warning to stderr.
void record_settled(bench_row *row, const erg_world *world);

// Adds the shares of the phases in the time between two statistics of a world.
void record_phases(bench_row *row, const erg_stats *before, const erg_stats *after);

#endif
