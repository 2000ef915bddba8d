// The loop around a solver: commands, emitters, the copy of the state to roll back to, the clock.
#ifndef ERGI_LOOP_H
#define ERGI_LOOP_H

#include "world/world.h"

erg_status ergi_loop_prepare(erg_world *world, erg_error *err);

// So many steps, after which everything is in order for whoever looks.
erg_status ergi_loop_steps(erg_world *world, uint64_t steps, erg_error *err);
// To a time. `progress` (may be NULL) is asked every tenth of a second whether to go on.
erg_status ergi_loop_run(erg_world *world, double time, erg_progress_fn progress, void *user,
                         erg_error *err);

#endif
