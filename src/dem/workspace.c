// Memory that only the making of lists needs. A bed at rest makes them seldom and holds nothing of
// it between; what flows keeps it, since asking for it each time would cost as much as the lists.
#include "base/memory.h"
#include "dem/step.h"

#define LASTING 200 // steps: beside so many, asking for it again costs half a percent

size_t ergi_dem_listing_bytes(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return ergi_lists_bytes(&dem->lists) + ergi_lists_bytes(&dem->lists_spare) +
           ergi_grid_bytes(&dem->grid) + ergi_candidates_bytes(&dem->candidates) +
           dem->found_room * 4 + dem->order_room * 4 + dem->was_room * 4 +
           dem->sorting_room * sizeof *dem->sorting;
}

void ergi_dem_note_listing(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    size_t    bytes = ergi_dem_listing_bytes(world);
    if (bytes > dem->most_listing) dem->most_listing = bytes;
}

static void release(void *array, size_t *room)
{
    void **history = array;
    ergi_memory_free(*history);
    *history = NULL;
    *room = 0;
}

void ergi_dem_drop_order(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    release(&dem->order, &dem->order_room);
    release(&dem->sorting, &dem->sorting_room);
}

void ergi_dem_rest_workspace(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    if (world->clock.steps + 1 != world->clock.list_step + LASTING) return;
    ergi_lists_free(&dem->lists_spare);
    ergi_grid_free(&dem->grid);
    ergi_candidates_free(&dem->candidates);
    release(&dem->found, &dem->found_room);
    release(&dem->was, &dem->was_room);
    ergi_dem_drop_order(world);
    dem->sparing = true;
}
