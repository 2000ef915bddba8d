// Memory that is needed only while lists are built. A bed at rest rebuilds rarely and frees it in
// between; flowing grains keep it, since allocating it each time would cost as much as the rebuild.
#include "base/memory.h"
#include "dem/step.h"

// Steps without a rebuild after which the memory is freed. Allocating it again then costs half a
// percent of the run time.
#define RELEASE_AFTER 200

size_t ergi_dem_list_bytes(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return ergi_lists_bytes(&dem->lists) + ergi_lists_bytes(&dem->lists_spare) +
           ergi_grid_bytes(&dem->grid) + ergi_candidates_bytes(&dem->candidates) +
           dem->found_room * 4 + dem->order_room * 4 + dem->was_room * 4 +
           dem->sorting_room * sizeof *dem->sorting;
}

void ergi_dem_record_peak(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    size_t    bytes = ergi_dem_list_bytes(world);
    if (bytes > dem->peak_list_bytes) dem->peak_list_bytes = bytes;
}

static void release(void *array, size_t *room)
{
    void **pointer = array;
    ergi_memory_free(*pointer);
    *pointer = NULL;
    *room = 0;
}

void ergi_dem_drop_order(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    release(&dem->order, &dem->order_room);
    release(&dem->sorting, &dem->sorting_room);
}

void ergi_dem_release_workspace(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    if (world->clock.steps + 1 != world->clock.list_step + RELEASE_AFTER) return;
    ergi_lists_free(&dem->lists_spare);
    ergi_grid_free(&dem->grid);
    ergi_candidates_free(&dem->candidates);
    release(&dem->found, &dem->found_room);
    release(&dem->was, &dem->was_room);
    ergi_dem_drop_order(world);
    dem->low_memory = true;
}
