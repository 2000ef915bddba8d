// Rebuild of the neighbour lists: removes grains, sorts memory by space now and then, finds pairs,
// carries contact history over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "dem/spheres.h"
#include "dem/step.h"
#include "geom/vec3.h"
#include "world/grains.h"

#define SORT_EVERY 12 // rebuilds; sorting costs about as much as one rebuild

static void wrap_grains(erg_world *world)
{
    double *x = ERGI_GRAIN(world, POSITION, double);
    if (!(world->space.period[0] > 0 || world->space.period[1] > 0)) return;
    for (size_t i = 0; i < world->grains.rows; i++) ergi_space_wrap(&world->space, x + 4 * i);
}

static double farthest(const ergi_sphere_arrays *s)
{
    double d2 = 0;
    for (size_t i = 0; i < (size_t)s->count; i++) {
        const double *x = s->position + 4 * i;
        d2 = fmax(d2, x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    return sqrt(d2);
}

typedef struct reference_task {
    const erg_world *world;
    ergi_motion_pass motion;
} reference_task;

static void set_references(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const reference_task *t = ctx;
    ergi_dem_of(t->world)->kernels->set_reference(&t->motion, ergi_dem_of(t->world)->sphere_skin,
                                                  begin, end);
}

// Coefficients of every entry, if there are too many classes for a table.
typedef struct coef_task {
    const erg_world   *world;
    ergi_sphere_arrays s;
    ergi_list_kind     side;
} coef_task;

enum { COEF_BATCH = 64 }; // entries

// Consecutive entries of the same pair of materials.
typedef struct coef_batch {
    const ergi_material_pair *pair;
    size_t                    first, count;
    double                    radius[2][COEF_BATCH], mass[2][COEF_BATCH];
} coef_batch;

static void flush(const coef_task *t, void *coef, coef_batch *b)
{
    if (b->count)
        ergi_dem_of(t->world)->kernels->set_coefs(coef, b->first, b->count, b->pair, b->radius[0],
                                                  b->radius[1], b->mass[0], b->mass[1]);
    b->count = 0;
}

static void set_coefs(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const coef_task      *t = ctx;
    const erg_world      *world = t->world;
    ergi_dem             *dem = ergi_dem_of(world);
    const ergi_pair_list *list = &dem->lists.pairs[t->side];
    const uint32_t       *start = list->span.data[ERGI_SPAN_START];
    const void           *other = list->entry.data[ERGI_ENTRY_OTHER];
    void                 *coef = list->entry.data[ERGI_ENTRY_COEF];
    coef_batch            b = {.count = 0};
    for (erg_index i = begin; i < end; i++) {
        double ra = t->s.position[4 * (size_t)i + 3],
               ma = ergi_grain_mass(world, t->s.grain ? (erg_index)t->s.grain[i] : i);
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t                  j = ergi_partner(other, t->side, (uint32_t)i, e);
            const ergi_material_pair *pair =
                &world->pair[t->s.klass[i] * world->materials + t->s.klass[j]];
            if (b.count == COEF_BATCH || pair != b.pair) flush(t, coef, &b);
            if (b.count == 0) b.first = e;
            b.pair = pair;
            b.radius[0][b.count] = ra;
            b.radius[1][b.count] = t->s.position[4 * (size_t)j + 3];
            b.mass[0][b.count] = ma;
            b.mass[1][b.count++] =
                ergi_grain_mass(world, t->s.grain ? (erg_index)t->s.grain[j] : (erg_index)j);
        }
    }
    flush(t, coef, &b);
}

// Whether the history columns of the lists fit the current laws and walls.
static bool history_fits(const erg_world *world, const ergi_lists *lists)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return lists->near.columns && lists->history_width == dem->history_width &&
           lists->wall_entry.column[ERGI_WALL_ENTRY_FEATURE].width == dem->wall_slots;
}

void ergi_dem_format_lists(const erg_world *world, ergi_lists *lists)
{
    const ergi_dem *dem = ergi_dem_of(world);
    bool            per_entry = lists->pairs[ERGI_INNER].entry.row_bytes[ERGI_ENTRY_COEF] > 0;
    if (history_fits(world, lists) && per_entry == dem->state.class_per_material) return;
    ergi_lists_free(lists);
    ergi_lists_init(lists, dem->history_width, dem->wall_slots, dem->state.class_per_material,
                    ergi_world_real(world));
}

static erg_status reserve_partner_forces(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    size_t    outer = dem->lists.pairs[ERGI_OUTER].entry.rows;
    return ergi_memory_grow(&dem->partner_force, &dem->partner_force_room,
                            8 * outer * ergi_type_bytes(ergi_world_real(world)), 1,
                            "partner forces", err);
}

erg_status ergi_dem_reserve(erg_world *world, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    size_t     n = dem->spheres.rows > world->grains.rows ? dem->spheres.rows : world->grains.rows;
    size_t     chunks = (size_t)ergi_chunk_count((erg_index)n, ERGI_CHUNK) + 1;
    erg_status status = ergi_memory_grow(&dem->report, &dem->report_room, chunks,
                                         sizeof *dem->report, "reports", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&dem->chunk_work, &dem->chunk_work_room, chunks,
                                  sizeof *dem->chunk_work, "chunks", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&dem->chunk_displacement, &dem->chunk_displacement_room, chunks,
                                  sizeof *dem->chunk_displacement, "chunks", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&dem->leftover_chunks, &dem->leftover_room, chunks,
                                  sizeof *dem->leftover_chunks, "chunks", err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&dem->queues, &dem->queues_room, (size_t)world->thread_tuning.most,
                             sizeof *dem->queues, "threads", err);
    if (status == ERG_OK) status = reserve_partner_forces(world, err);
    dem->displacements_known = false;
    return status;
}

// `reach` exceeds the largest distance of two listed spheres while the lists are valid.
void ergi_dem_set_fixed_point(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    dem->largest_diameter = 0;
    for (size_t k = 0; k < world->kinds; k++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        for (int p = 0; p < world->kind[k].shape.count; p++)
            dem->largest_diameter =
                fmax(dem->largest_diameter, 2 * most * world->kind[k].shape.radius[p]);
    }
    double reach = dem->largest_diameter + 3 * fmax(dem->skin_scale, world->def.skin);
    dem->fixed_point = ergi_fixed_point_make(&world->space, reach);
}

static erg_status sort_grains(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    size_t     stay = 0;
    erg_status status = ergi_spheres_order(world, leaves, &stay, err);
    if (status == ERG_OK) status = ergi_spheres_gather(world, dem->order, stay, err);
    if (status == ERG_OK) status = ergi_dem_laws(world, err);
    if (status == ERG_OK) status = ergi_dem_reserve(world, err);
    world->clock.rebuilds_since_sort = 0;
    return status;
}

static erg_status too_far(const erg_world *world, const ergi_sphere_arrays *s, erg_index far,
                          erg_error *err)
{
    const double  *x = s->position + 4 * (size_t)far;
    const uint64_t id = ERGI_GRAIN(world, ID, uint64_t)[s->grain ? s->grain[far] : (uint32_t)far];
    return ergi_fail(
        err, ERG_BAD_PHYSICS,
        "step %llu, t = %.6g s: grain %llu at (%.4g, %.4g, %.4g) m is too far from the others for "
        "the neighbour lists; give the domain closer bounds, so that grains that fly away are "
        "removed",
        (unsigned long long)world->clock.steps + 1, world->clock.time, (unsigned long long)id, x[0],
        x[1], x[2]);
}

// Builds new lists; the old ones become lists_spare. `was` as for ergi_lists_build.
static erg_status find_neighbours(erg_world *world, const uint32_t *was, bool low_memory,
                                  erg_error *err)
{
    ergi_dem          *dem = ergi_dem_of(world);
    ergi_sphere_arrays s = ergi_dem_spheres(world);
    ergi_spheres_in    in = {.position = s.position,
                             .grain = s.grain,
                             .count = s.count,
                             .space = world->space,
                             .sphere_skin = dem->sphere_skin};
    erg_index          far;
    erg_status         status = ergi_grid_build(&dem->grid, &in, &far, err);
    if (status == ERG_BAD_PHYSICS) return too_far(world, &s, far, err);
    if (status == ERG_OK)
        status = ergi_candidates_find(&dem->candidates, &dem->grid, &in, ergi_lists_owners,
                                      &world->threads, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&dem->found, &dem->found_room, (size_t)s.count + 1,
                                  sizeof *dem->found, "neighbour lists", err);
    if (status != ERG_OK) return status;
    ergi_dem_record_peak(world);
    if (low_memory) ergi_grid_free(&dem->grid);
    ergi_dem_format_lists(world, &dem->lists_spare);
    if (!history_fits(world, &dem->lists)) ergi_dem_format_lists(world, &dem->lists);
    status = ergi_lists_build(&dem->lists_spare, &dem->lists, was, s.count, &dem->candidates,
                              dem->found, &world->threads, err);
    if (status != ERG_OK) return status;
    ergi_lists old = dem->lists;
    dem->lists = dem->lists_spare;
    dem->lists_spare = old;
    status = ergi_dem_near_walls(world, &dem->lists_spare, was, err);
    return status == ERG_OK ? reserve_partner_forces(world, err) : status;
}

void ergi_dem_coefs(erg_world *world)
{
    ergi_dem          *dem = ergi_dem_of(world);
    ergi_sphere_arrays s = ergi_dem_spheres(world);
    for (int side = 0; side < ERGI_LIST_KINDS && dem->state.class_per_material; side++) {
        coef_task t = {world, s, (ergi_list_kind)side};
        ergi_parallel_for(&world->threads, s.count, ERGI_CHUNK, set_coefs, &t);
    }
}

// Sets the data that belongs to new lists: coefficients of entries and reference positions.
static void set_list_data(erg_world *world)
{
    ergi_dem          *dem = ergi_dem_of(world);
    ergi_sphere_arrays s = ergi_dem_spheres(world);
    ergi_dem_coefs(world);
    reference_task reference = {world, ergi_motion_pass_of(world)};
    ergi_parallel_for(&world->threads, s.count, ERGI_CHUNK, set_references, &reference);
    dem->displacement2 = 0;
    dem->displacements_known = false;
    dem->state.extent = farthest(&s);
}

static erg_status rebuild(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    erg_status status = ERG_OK;
    bool   sort = world->clock.dirty || leaves || ++world->clock.rebuilds_since_sort >= SORT_EVERY;
    bool   low_memory = dem->low_memory;
    double mark = ergi_clock_seconds();
    dem->peak_list_bytes = 0;
    dem->low_memory = world->grains.rows == 0;
    wrap_grains(world);
    if (sort) {
        status = sort_grains(world, leaves, err);
        if (status != ERG_OK) return status;
        ergi_dem_record_peak(world);
        if (low_memory) ergi_dem_drop_order(world);
        ergi_dem_add_time(world, ERGI_PHASE_SORT, &mark);
    }
    ergi_dem_set_fixed_point(world);
    ergi_dem_advance(world, ERGI_SET_SPHERES);
    status = ergi_dem_sphere_skins(world, err);
    if (status == ERG_OK) status = find_neighbours(world, sort ? dem->was : NULL, low_memory, err);
    if (status != ERG_OK) return status;
    set_list_data(world);
    ergi_dem_record_peak(world);
    world->clock.rebuilds++;
    world->clock.list_step = world->clock.steps;
    world->clock.dirty = false;
    ergi_dem_add_time(world, ERGI_PHASE_LISTS, &mark);
    return ERG_OK;
}

erg_status ergi_dem_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    erg_status status = rebuild(world, leaves, err);
    if (status != ERG_OK) { // sphere indices may have changed: the old lists are invalid
        dem->lists.spheres = 0;
        world->clock.dirty = true;
    }
    return status;
}

erg_status ergi_dem_remove(erg_world *world, erg_error *err)
{
    if (world->prepared) return ergi_dem_rebuild(world, world->leaves, err);
    // There are no lists yet: remove only the rows, so that a world that cannot be prepared
    // (because grains overlap, for example) can be repaired.
    ergi_dem  *dem = ergi_dem_of(world);
    size_t     stay = 0;
    erg_status status = ergi_spheres_order(world, world->leaves, &stay, err);
    if (status == ERG_OK) status = ergi_spheres_gather(world, dem->order, stay, err);
    dem->lists.spheres = 0;
    world->clock.dirty = true;
    return status;
}
