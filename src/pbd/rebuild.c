// Rebuilds the neighbour lists: removes leaving grains, sorts memory by space every SORT_EVERY
// rebuilds, finds pairs, carries contact history over, and colours the candidates.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "pbd/pbd.h"
#include "world/sources.h"

#define SORT_EVERY 12 // rebuilds

static void wrap_grains(erg_world *world)
{
    double *x = ERGI_GRAIN(world, POSITION, double);
    if (!(world->space.period[0] > 0 || world->space.period[1] > 0)) return;
    for (size_t i = 0; i < world->grains.rows; i++) ergi_space_wrap(&world->space, x + 4 * i);
}

// ---- Neighbours --------------------------------------------------------------------------------
static erg_status too_far(const erg_world *world, erg_index far, erg_error *err)
{
    const double *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)far;
    uint32_t      body = ergi_pbd_grain_of(ergi_pbd_of(world), (uint32_t)far);
    return ergi_fail(err, ERG_BAD_PHYSICS,
                     "step %llu, t = %.6g s: grain %llu at (%.4g, %.4g, %.4g) m is too far from "
                     "the others for the neighbour lists; give the domain closer bounds, "
                     "so that grains that fly away are removed",
                     (unsigned long long)world->clock.steps + 1, world->clock.time,
                     (unsigned long long)ERGI_GRAIN(world, ID, uint64_t)[body], x[0], x[1], x[2]);
}

static erg_status find_neighbours(erg_world *world, const uint32_t *was, erg_error *err)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    ergi_spheres_in in = {.position = pbd->centre,
                          .grain = pbd->single ? NULL : pbd->sphere_grain,
                          .count = (erg_index)pbd->spheres,
                          .space = world->space,
                          .sphere_skin = pbd->sphere_skin,
                          .fresh = pbd->fresh};
    ergi_pairs_map  map = {.was = was, .fresh = pbd->fresh};
    erg_index       far;
    erg_status      status =
        ergi_memory_grow(&pbd->kept, &pbd->kept_room, ergi_pairs_spheres(&pbd->pairs) + 1,
                         sizeof *pbd->kept, "neighbour lists", err);
    map.kept = pbd->kept;
    if (status == ERG_OK) status = ergi_grid_build(&pbd->grid, &in, &far, err);
    if (status == ERG_BAD_PHYSICS) return too_far(world, far, err);
    if (status == ERG_OK)
        status = ergi_candidates_find(&pbd->candidates, &pbd->grid, &in, ergi_earlier_in_memory,
                                      &world->threads, err);
    if (status == ERG_OK)
        status = ergi_pairs_build(&pbd->pairs_spare, &pbd->pairs, &map, in.count, &pbd->candidates,
                                  &world->threads, err);
    if (status != ERG_OK) return status;
    ergi_pairs old = pbd->pairs; // tables are registered by address: swap their contents
    pbd->pairs = pbd->pairs_spare;
    pbd->pairs_spare = old;
    return ERG_OK;
}

// Renumbers wall contacts after a sort. Rows are sorted by sphere again afterwards.
static erg_status move_wall_contacts(erg_world *world, erg_error *err)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    ergi_table     *from = &pbd->wall_history, *to = &pbd->wall_history_spare;
    const uint32_t *old = from->data[ERGI_PBD_WALL_SPHERE];
    size_t          rows = from->rows, kept = 0;
    if (rows == 0) return ERG_OK;
    size_t     most = old[rows - 1] + (size_t)1;
    uint32_t  *first = ergi_memory_new(most + 1, sizeof *first, "wall contacts", err);
    erg_status status = first ? ergi_table_reset(to, rows, err) : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        for (size_t r = 0; r < rows; r++) first[old[r] + (size_t)1] = (uint32_t)r + 1;
        for (size_t s = 0; s < most; s++)
            if (first[s + 1] < first[s]) first[s + 1] = first[s]; // rows of s end there
        for (uint32_t s = 0; s < pbd->spheres; s++) {
            uint32_t was = pbd->was[s];
            if (was >= most) continue;
            for (uint32_t r = first[was]; r < first[was + 1]; r++, kept++) {
                for (int c = 0; c < ERGI_PBD_WALL_COLUMNS; c++)
                    memcpy((char *)to->data[c] + kept * to->row_bytes[c],
                           (char *)from->data[c] + r * from->row_bytes[c], to->row_bytes[c]);
                ((uint32_t *)to->data[ERGI_PBD_WALL_SPHERE])[kept] = s;
            }
        }
        to->rows = kept;
        ergi_table kept_from = *from;
        *from = *to;
        *to = kept_from;
    }
    ergi_memory_free(first);
    return status;
}

static erg_status sort(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    size_t     stay = 0;
    erg_status status = ergi_pbd_order(world, leaves, &stay, err);
    if (status == ERG_OK) status = ergi_pbd_gather(world, stay, err);
    if (status == ERG_OK) status = ergi_pbd_spheres_make(world, err);
    if (status == ERG_OK) status = move_wall_contacts(world, err);
    world->clock.rebuilds_since_sort = 0;
    return status;
}

static erg_status rebuild(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    erg_status status = ERG_OK;
    bool   sorts = world->clock.dirty || leaves || ++world->clock.rebuilds_since_sort >= SORT_EVERY;
    double mark = ergi_clock_seconds();
    wrap_grains(world);
    status = ergi_pbd_measure_agitation(world, err);
    if (status == ERG_OK && sorts) status = sort(world, leaves, err);
    if (status != ERG_OK) return status;
    ergi_pbd_add_time(world, ERGI_PBD_PHASE_SORT, &mark);
    ergi_pbd_spheres_place(world);
    status = ergi_pbd_set_skins(world, sorts ? pbd->was : NULL, err);
    if (status == ERG_OK) status = find_neighbours(world, sorts ? pbd->was : NULL, err);
    if (status == ERG_OK) status = ergi_pbd_colour_tasks(world, err);
    if (status == ERG_OK) status = ergi_pbd_list_walls(world, err);
    if (status != ERG_OK) return status;
    world->clock.rebuilds++;
    world->clock.list_step = world->clock.steps;
    world->clock.dirty = false;
    ergi_pbd_add_time(world, ERGI_PBD_PHASE_LISTS, &mark);
    return ERG_OK;
}

void ergi_pbd_drop_lists(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    pbd->pairs.start.rows = pbd->pairs.pair.rows = pbd->wall_history.rows = 0;
    pbd->reference.rows = 0;
    pbd->coloured = pbd->walls_listed = false;
    world->clock.dirty = true;
}

erg_status ergi_pbd_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    erg_status status = rebuild(world, leaves, err);
    if (status != ERG_OK) ergi_pbd_drop_lists(world); // grains may have moved in memory
    return status;
}

erg_status ergi_pbd_remove_and_rebuild(erg_world *world, erg_error *err)
{
    const uint8_t *leaves = NULL;
    erg_status     status = ergi_sources_mark_leaving(world, &leaves, err);
    return status == ERG_OK ? ergi_pbd_rebuild(world, leaves, err) : status;
}

erg_status ergi_pbd_remove(erg_world *world, erg_error *err)
{
    if (world->prepared) return ergi_pbd_rebuild(world, world->leaves, err);
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     stay = 0;
    erg_status status = ergi_pbd_order(world, world->leaves, &stay, err);
    if (status == ERG_OK) status = ergi_pbd_gather(world, stay, err);
    ergi_pbd_drop_lists(world);
    pbd->state.listed_grains = 0;
    return status;
}

erg_status ergi_pbd_reserve(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     now = (size_t)ergi_chunk_count((erg_index)world->grains.rows, ERGI_PBD_CHUNK);
    size_t     chunks = (now > pbd->chunks ? now : pbd->chunks) + 1;
    size_t     rows = world->grains.rows + chunks; // those of contacts follow in each substep
    erg_status status = ergi_memory_renew(&pbd->row, &pbd->row_room, 0, ERGI_PBD_ROW * rows,
                                          sizeof *pbd->row, "motion", err);
    if (status == ERG_OK)
        status = ergi_memory_renew(&pbd->shift, &pbd->shift_room, 0, 4 * rows, sizeof *pbd->shift,
                                   "motion", err);
    if (status == ERG_OK && pbd->general)
        status = ergi_memory_renew(&pbd->tensor, &pbd->tensor_room, 0, 8 * rows,
                                   sizeof *pbd->tensor, "motion", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->report, &pbd->report_room, chunks, sizeof *pbd->report,
                                  "reports", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->turns, &pbd->turns_room, chunks, sizeof *pbd->turns,
                                  "tasks", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->pose_before, &pbd->pose_room, world->walls + 1,
                                  sizeof *pbd->pose_before, "poses of walls", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->wall_step, &pbd->wall_step_room, world->walls + 1,
                                  sizeof *pbd->wall_step, "poses of walls", err);
    return status;
}
