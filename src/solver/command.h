// The queue through which a running world is touched from outside. Commands are kept for good:
// applied ones, with the step they were applied at, are the record from which a run can be
// replayed.
#ifndef ERGI_COMMAND_H
#define ERGI_COMMAND_H

#include "world/world.h"

// Whether the world can take such a command. Does not check that a grain to be removed
// exists, which is up to the caller: it may leave while the command waits.
erg_status ergi_command_check(const erg_world *world, const erg_command *command, erg_error *err);

// Whether a command waits for that step.
bool ergi_command_due(const erg_world *world, uint64_t step);
// Applies what is due at the present step.
erg_status ergi_command_apply(erg_world *world, erg_error *err);

// The kinds of balls that these commands threw, and no others.
erg_status ergi_command_restore_kinds(erg_world *world, const erg_command *command, size_t count,
                                      erg_error *err);
// After going back or loading: laws, balls and limits as the commands applied until then left them.
erg_status ergi_command_restore_laws(erg_world *world, erg_error *err);

// Takes grains out at a step boundary; unknown ids are an error and nothing happens.
erg_status ergi_grains_remove(erg_world *world, const erg_gid *ids, size_t count, erg_error *err);

#endif
