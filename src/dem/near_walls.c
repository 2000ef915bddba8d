// Lists of the spheres near walls (contact/near_walls.h), with contact history carried over from
// the old lists.
#include <string.h>

#include "base/memory.h"
#include "dem/step.h"
#include "dem/wall_sums.h"

typedef struct task {
    erg_world        *world;
    const ergi_lists *old;
    const uint32_t   *was;
} task;

// Row of an old sphere in the old wall lists, or -1. Rows are sorted by sphere.
static long find_near(const ergi_lists *old, uint32_t sphere)
{
    const uint32_t *spheres = old->near.data[ERGI_NEAR_SPHERE];
    size_t          low = 0, high = old->near.rows ? old->near.rows - 1 : 0;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (spheres[mid] < sphere)
            low = mid + 1;
        else
            high = mid;
    }
    return old->near.rows && low < old->near.rows - 1 && spheres[low] == sphere ? (long)low : -1;
}

// Fills features and history of an entry whose wall and `spare` are set.
static void carry_history(const task *t, uint32_t sphere, size_t entry)
{
    const ergi_dem *dem = ergi_dem_of(t->world);
    ergi_table     *to = &ergi_dem_of(t->world)->lists.wall_entry;
    uint32_t       *walls_now = to->data[ERGI_WALL_ENTRY_WALL], wall = walls_now[entry];
    float          *spares = to->data[ERGI_WALL_ENTRY_SPARE], spare = spares[entry];
    uint32_t       *feature =
        (uint32_t *)to->data[ERGI_WALL_ENTRY_FEATURE] + entry * (size_t)dem->wall_slots;
    ergi_table_zero(to, entry, entry + 1);
    walls_now[entry] = wall;
    spares[entry] = spare;
    for (int k = 0; k < dem->wall_slots; k++) feature[k] = ERGI_NO_FEATURE;
    if (spare > 0) return; // not touching; the pass skips it until the wall has moved that far

    uint32_t was = t->was ? t->was[sphere] : sphere;
    long     row = was < (uint32_t)t->old->spheres ? find_near(t->old, was) : -1;
    if (row < 0) return;
    const uint32_t *start = t->old->near.data[ERGI_NEAR_START];
    const uint32_t *walls = t->old->wall_entry.data[ERGI_WALL_ENTRY_WALL];
    for (uint32_t e = start[row]; e < start[row + 1]; e++) {
        if (walls[e] != wall) continue;
        for (int c = 0; c < ERGI_WALL_ENTRY_COLUMNS; c++) {
            size_t bytes = to->row_bytes[c];
            if (bytes && c != ERGI_WALL_ENTRY_SPARE)
                memcpy((char *)to->data[c] + entry * bytes,
                       (const char *)t->old->wall_entry.data[c] + e * bytes, bytes);
        }
        return;
    }
}

static void carry_rows(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const task     *t = ctx;
    const ergi_dem *dem = ergi_dem_of(t->world);
    const uint32_t *sphere = dem->lists.near.data[ERGI_NEAR_SPHERE];
    const uint32_t *start = dem->lists.near.data[ERGI_NEAR_START];
    for (erg_index r = begin; r < end; r++)
        for (size_t entry = start[r]; entry < start[r + 1]; entry++)
            carry_history(t, sphere[r], entry);
}

// Input of the search. Spheres may move until they are one skin away from their reference position.
// If the pair lists are `fresh`, that is one skin from here; otherwise a sphere may already be one
// skin away on the other side, so two.
static ergi_near_walls_in search_input(const erg_world *world, bool fresh)
{
    const ergi_dem    *dem = ergi_dem_of(world);
    ergi_sphere_arrays s = ergi_dem_spheres(world);
    return (ergi_near_walls_in){.position = s.position,
                                .count = s.count,
                                .sphere_skin = fresh || dem->skins_known ? dem->sphere_skin : NULL,
                                .uniform_skin = ergi_dem_largest_skin(world),
                                .skin_factor = fresh ? 1 : 2,
                                .wall = world->wall,
                                .state = world->wall_state,
                                .walls = world->walls};
}

static erg_status find_and_list(erg_world *world, const ergi_near_walls_in *in, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    size_t     rows = 0, entries = 0;
    erg_status status = ergi_memory_grow(&dem->found, &dem->found_room, (size_t)in->count + 1,
                                         sizeof *dem->found, "wall lists", err);
    if (status == ERG_OK)
        status = ergi_near_walls_find(&dem->near_walls, in, &world->threads, dem->found, &rows,
                                      &entries, err);
    if (status == ERG_OK) status = ergi_table_reset(&dem->lists.near, rows + 1, err);
    if (status == ERG_OK) status = ergi_table_reset(&dem->lists.wall_entry, entries, err);
    if (status != ERG_OK) return status;
    ergi_near_walls_out out = {.sphere = dem->lists.near.data[ERGI_NEAR_SPHERE],
                               .start = dem->lists.near.data[ERGI_NEAR_START],
                               .wall = dem->lists.wall_entry.data[ERGI_WALL_ENTRY_WALL],
                               .spare = dem->lists.wall_entry.data[ERGI_WALL_ENTRY_SPARE]};
    ergi_near_walls_list(&dem->near_walls, in, dem->found, &out);
    return ergi_near_ground_take(&dem->near_ground, &dem->near_walls, in, entries, err);
}

static erg_status make_lists(erg_world *world, const ergi_lists *old, const uint32_t *was,
                             bool fresh, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    task      t = {world, old, was};
    ergi_dem_wall_skins(world);
    ergi_near_walls_in in = search_input(world, fresh);
    erg_status         status = find_and_list(world, &in, err);
    if (status == ERG_OK) {
        erg_index rows = (erg_index)dem->lists.near.rows - 1;
        ergi_parallel_for(&world->threads, rows, ERGI_CHUNK, carry_rows, &t);
        status = ergi_wall_sums_index(&dem->wall_sums, &dem->lists, world->walls, err);
    }
    if (status != ERG_OK) dem->lists.near.rows = dem->lists.wall_entry.rows = 0; // incomplete
    return status;
}

erg_status ergi_dem_near_walls(erg_world *world, const ergi_lists *old, const uint32_t *was,
                               erg_error *err)
{
    return make_lists(world, old, was, true, err);
}

static void swap_tables(ergi_table *a, ergi_table *b)
{
    ergi_table kept = *a;
    *a = *b;
    *b = kept;
}

erg_status ergi_dem_rebuild_wall_lists(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    ergi_dem_format_lists(world, &dem->lists_spare);
    swap_tables(&dem->lists.near, &dem->lists_spare.near);
    swap_tables(&dem->lists.wall_entry, &dem->lists_spare.wall_entry);
    ergi_lists old = dem->lists_spare;
    old.spheres = dem->lists.spheres;
    erg_status status = make_lists(world, &old, NULL, false, err);
    if (status != ERG_OK) world->clock.dirty = true;
    return status;
}
