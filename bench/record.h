// What every row about a world tells.
#ifndef ERG_BENCH_RECORD_H
#define ERG_BENCH_RECORD_H

#include "measure.h"
#include "row.h"

// A new row: speed, kind of state, lists, memory, and the shares of the phases of a step. `before`
// was taken when the windows began.
erg_status record_row(bench_rows *rows, const char *name, const erg_world *world, int threads,
                      const bench_times *times, const erg_stats *before, erg_error *err);

// Adds `settled`, and says so on stderr when it is not: the kinetic energy was MATTER_QUIET or
// above.
void record_settled(bench_row *row, const erg_world *world);

// Adds the shares of the time between two looks at a world.
void record_phases(bench_row *row, const erg_stats *before, const erg_stats *after);

#endif
