// The loop around a solver: commands, emitters, rollback, the clock.
#ifndef ERGI_LOOP_H
#define ERGI_LOOP_H

#include "world/world.h"

erg_status ergi_loop_prepare(erg_world *world, erg_error *err);

// Takes `steps` steps. Afterwards the state is complete: nothing is deferred.
erg_status ergi_loop_steps(erg_world *world, uint64_t steps, erg_error *err);
// Steps until `time` [s]. `progress` (may be NULL) is called every 0.1 s of wall time; false
// cancels.
erg_status ergi_loop_run(erg_world *world, double time, erg_progress_fn progress, void *user,
                         erg_error *err);

#endif
