// The queue of commands that change a running world. Applied commands stay in it, with the step
// they were applied at, so that a run can be replayed.
#ifndef ERGI_COMMAND_H
#define ERGI_COMMAND_H

#include "world/world.h"

// Whether the command is valid for this world. Does not check that a grain to be removed exists,
// which is up to the caller: it may leave while the command waits.
erg_status ergi_command_check(const erg_world *world, const erg_command *command, erg_error *err);

// Whether a command is due at that step.
bool ergi_command_due(const erg_world *world, uint64_t step);
// Applies the commands due at the current step.
erg_status ergi_command_apply(erg_world *world, erg_error *err);

// Restores the kinds of balls that these commands added, and no others.
erg_status ergi_command_restore_kinds(erg_world *world, const erg_command *command, size_t count,
                                      erg_error *err);
// After rollback or loading: restores friction, kinds of balls and force limits as the commands
// applied so far have set them.
erg_status ergi_command_restore_laws(erg_world *world, erg_error *err);

// Removes grains between steps. Unknown ids are an error, and then no grain is removed.
erg_status ergi_grains_remove(erg_world *world, const erg_gid *ids, size_t count, erg_error *err);

#endif
