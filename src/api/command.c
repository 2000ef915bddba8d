// Adds commands, and returns those that were applied.
#include "solver/command.h"
#include "base/error.h"
#include "base/memory.h"
#include "erg/world.h"
#include "world/grains.h"

erg_status erg_world_command(erg_world *world, const erg_command *command, erg_error *err)
{
    if (!world || !command) return ergi_fail_null(err, __func__);
    erg_status status = ergi_command_check(world, command, err);
    if (status == ERG_OK && command->kind == ERG_COMMAND_REMOVE_GRAIN &&
        ergi_grains_find(world, command->grain) < 0)
        status = ergi_fail_at(err, "grain", ERG_ERROR_UNKNOWN, "there is no grain %llu",
                              (unsigned long long)command->grain);
    if (status == ERG_OK)
        status = ergi_memory_grow(&world->command, &world->command_room, world->commands + 1,
                                  sizeof *command, "commands", err);
    if (status != ERG_OK) return status;
    // Sorted by step; equal steps in order of arrival. A step in the past means the next step.
    erg_command c = *command;
    if (c.step < world->clock.steps) c.step = world->clock.steps;
    size_t k = world->commands++;
    for (; k > world->clock.commands_done && world->command[k - 1].step > c.step; k--)
        world->command[k] = world->command[k - 1];
    world->command[k] = c;
    return ERG_OK;
}

size_t erg_world_command_log(const erg_world *world, erg_command *room, size_t count)
{
    if (!world || (!room && count > 0)) return 0;
    for (size_t k = 0; k < count && k < world->clock.commands_done; k++)
        room[k] = world->command[k];
    return world->clock.commands_done;
}
