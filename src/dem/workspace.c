// Memory that only the making of lists needs. A bed at rest makes them seldom and holds nothing of
// it between; what flows keeps it, since asking for it each time would cost as much as the lists.
#include "base/memory.h"
#include "dem/step.h"

#define LASTING 200 // steps: beside so many, asking for it again costs half a percent

static size_t bytes_of(const erg_world *world)
{
    return ergi_lists_bytes(&world->lists_spare) + ergi_grid_bytes(&world->grid) +
           world->sorting_bytes + world->scratch.partner_room * 4 + world->scratch.sphere_room * 4 +
           world->order_room * 4 + world->was_room * 4 + world->curve_room * 8;
}

static void release(void *array, size_t *room)
{
    void **memory = array;
    ergi_memory_free(*memory);
    *memory = NULL;
    *room = 0;
}

void ergi_dem_rest_workspace(erg_world *world)
{
    if (world->clock.steps != world->clock.list_step + LASTING) return;
    world->released_bytes = bytes_of(world);
    ergi_lists_free(&world->lists_spare);
    ergi_grid_free(&world->grid);
    ergi_list_scratch_free(&world->scratch);
    release(&world->sorting, &world->sorting_bytes);
    release(&world->order, &world->order_room);
    release(&world->was, &world->was_room);
    release(&world->curve, &world->curve_room);
}
