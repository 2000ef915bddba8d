// Memory that only the making of lists needs. A bed at rest makes them seldom and holds nothing of
// it between; what flows keeps it, since asking for it each time would cost as much as the lists.
#include "base/memory.h"
#include "dem/step.h"

#define LASTING 200 // steps: beside so many, asking for it again costs half a percent

size_t ergi_dem_listing_bytes(const erg_world *world)
{
    return ergi_lists_bytes(&world->lists) + ergi_lists_bytes(&world->lists_spare) +
           ergi_grid_bytes(&world->grid) + world->scratch.partner_room * 4 +
           world->scratch.sphere_room * 4 + world->order_room * 4 + world->was_room * 4 +
           world->sorting_room * sizeof *world->sorting;
}

void ergi_dem_note_listing(erg_world *world)
{
    size_t bytes = ergi_dem_listing_bytes(world);
    if (bytes > world->most_listing) world->most_listing = bytes;
}

static void release(void *array, size_t *room)
{
    void **memory = array;
    ergi_memory_free(*memory);
    *memory = NULL;
    *room = 0;
}

void ergi_dem_drop_order(erg_world *world)
{
    release(&world->order, &world->order_room);
    release(&world->sorting, &world->sorting_room);
}

void ergi_dem_rest_workspace(erg_world *world)
{
    if (world->clock.steps != world->clock.list_step + LASTING) return;
    ergi_lists_free(&world->lists_spare);
    ergi_grid_free(&world->grid);
    ergi_list_scratch_free(&world->scratch);
    release(&world->was, &world->was_room);
    ergi_dem_drop_order(world);
    world->sparing = true;
}
