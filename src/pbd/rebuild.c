// Rebuilds the neighbour lists: removes leaving grains, sorts memory by space every SORT_EVERY
// rebuilds, finds pairs, carries contact history over, and colours the candidates.
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/skin.h"
#include "pbd/pbd.h"
#include "world/sources.h"

#define SORT_EVERY 12 // rebuilds
// Smallest skin, share of the smallest diameter. An impact can accelerate a grain at rest to the
// highest speed within one substep; with a skin as thin as a bed at rest needs, every impact would
// cause a rebuild.
#define LEAST_SKIN 0.12
#define MOST_SKIN 1.5 // largest skin, share of the smallest diameter
#define DEFLECTED 0.3 // speed of a grain after an impact, share of the relative speed before it
#define BUILD_COST 40 // of a rebuild, in substeps over the candidates of lists without skin
#define REACH_MARGIN 0.025 // of a radius, added to the displacement of the substep: see motion.c

static void wrap_grains(erg_world *world)
{
    double *x = ERGI_GRAIN(world, POSITION, double);
    if (!(world->space.period[0] > 0 || world->space.period[1] > 0)) return;
    for (size_t i = 0; i < world->grains.rows; i++) ergi_space_wrap(&world->space, x + 4 * i);
}

// ---- Skins -------------------------------------------------------------------------------------
// A sphere may move within its skin around a reference position. That is not where it is now but
// the middle of its path during the planned life of the lists, so that a fast sphere needs half the
// skin; if it is stopped on the way, it stays within.

// Velocity of a sphere, and an upper bound of its speed in the coming substep. [m/s]
static double speed_of(const erg_world *world, size_t i, double v[3])
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const void     *motion = world->grains.data[ERGI_GRAIN_MOTION];
    const double   *g = world->clock.gravity;
    size_t          grain = ergi_pbd_grain_of(pbd, (uint32_t)i);
    double          spin[3], turning = 0;
    ergi_get3(motion, ergi_world_real(world), grain, ERGI_VELOCITY, v);
    if (!pbd->single) {
        const float *o = pbd->offset + 4 * i;
        ergi_get3(motion, ergi_world_real(world), grain, ERGI_SPIN, spin);
        turning = sqrt((spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]) *
                       (double)(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]));
    }
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning +
           world->clock.dt * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

static double largest_skin(const erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    double          most = MOST_SKIN * 2 * pbd->radius;
    for (int a = 0; a < 2; a++) // no sphere may have two images of another in its list
        if (world->space.period[a] > 0)
            most = fmin(most, 0.25 * world->space.period[a] - pbd->largest);
    return most;
}

// Sets the reference position and the skin of a sphere. `half`: half its path. The skin covers at
// least the coming substep, at the start of the path.
static void refer(erg_world *world, size_t i, double half, double least)
{
    ergi_pbd     *pbd = ergi_pbd_of(world);
    const double *x = ergi_pbd_sphere_positions(world) + 4 * i;
    double       *to = (double *)pbd->reference.data[ERGI_PBD_REFERENCE_POSITION] + 4 * i;
    double        v[3], speed = speed_of(world, i, v);
    double        needed = 1.001 * (world->clock.dt * speed + REACH_MARGIN * x[3]);
    for (int k = 0; k < 3; k++) to[k] = x[k] + (half > 0 ? half * v[k] / speed : 0);
    to[3] = fmax(least, needed) + half;
    pbd->sphere_skin[i] = (float)to[3];
    memcpy(pbd->centre + 4 * i, to, 3 * sizeof *to);
    pbd->centre[4 * i + 3] = x[3];
}

static inline void velocity_of(const void *motion, ergi_type real, size_t grain, float v[3])
{
    for (size_t k = 0; k < 3; k++)
        v[k] = real == ERGI_F32 ? ((const float *)motion)[8 * grain + ERGI_VELOCITY + k]
                                : (float)((const double *)motion)[8 * grain + ERGI_VELOCITY + k];
}

// An impact deflects grains and sets others in motion, in any direction. So each sphere's skin also
// grows with the highest relative speed among the pairs that it is listed in, before the old lists
// go. With skins that follow from the own velocity alone, every impact would cause a rebuild.
static erg_status measure_agitation(erg_world *world, erg_error *err)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    const uint32_t *start = pbd->pairs.start.data[ERGI_PAIRS_START];
    const uint32_t *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    const void     *motion = world->grains.data[ERGI_GRAIN_MOTION];
    const ergi_type real = ergi_world_real(world);
    size_t          n = ergi_pairs_spheres(&pbd->pairs);
    erg_status      status = ergi_memory_grow(&pbd->agitation, &pbd->agitation_room, n,
                                              sizeof *pbd->agitation, "skins", err);
    if (status != ERG_OK || n == 0) return status;
    memset(pbd->agitation, 0, n * sizeof *pbd->agitation);
    for (uint32_t i = 0; i < n; i++) {
        float v[3], u[3], most = pbd->agitation[i];
        velocity_of(motion, real, ergi_pbd_grain_of(pbd, i), v);
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            velocity_of(motion, real, ergi_pbd_grain_of(pbd, other[e]), u);
            const float d[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
            float       speed = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            float      *its = &pbd->agitation[other[e]];
            most = speed > most ? speed : most;
            *its = speed > *its ? speed : *its;
        }
        pbd->agitation[i] = most;
    }
    return ERG_OK;
}

static double agitation_of(const ergi_pbd *pbd, const uint32_t *was, size_t i)
{
    size_t old = was ? was[i] : i;
    return old < ergi_pairs_spheres(&pbd->pairs) ? (double)pbd->agitation[old] : 0;
}

// `was`: index of each sphere in the old lists; NULL: the same.
static erg_status set_skins(erg_world *world, const uint32_t *was, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = pbd->spheres;
    double     d = 2 * pbd->radius, v[3];
    erg_status status = ergi_memory_grow(&pbd->sphere_skin, &pbd->sphere_skin_room, n,
                                         sizeof *pbd->sphere_skin, "skins", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->centre, &pbd->centre_room, 4 * n, sizeof *pbd->centre,
                                  "skins", err);
    if (status == ERG_OK) status = ergi_table_reset(&pbd->reference, n, err);
    if (status != ERG_OK || n == 0) return status;
    if (world->def.skin > 0) {
        for (size_t i = 0; i < n; i++) refer(world, i, 0, 0.5 * world->def.skin);
        pbd->state.skin = world->def.skin;
        return ERG_OK;
    }
    double    most = largest_skin(world), least = fmin(LEAST_SKIN * d, most);
    ergi_skin skin = {d, least, most, world->clock.dt, BUILD_COST};
    for (size_t i = 0; i < n; i++)
        pbd->sphere_skin[i] =
            (float)(0.5 * speed_of(world, i, v) + DEFLECTED * agitation_of(pbd, was, i));
    pbd->state.skin = 2 * ergi_skin_choose(&skin, pbd->sphere_skin, n);
    for (size_t i = 0; i < n; i++) {
        double own = 0.5 * speed_of(world, i, v), all = own + DEFLECTED * agitation_of(pbd, was, i);
        double extra = fmax((double)pbd->sphere_skin[i] - least, 0),
               half = all > 0 ? extra * own / all : 0;
        refer(world, i, half, least + extra - half);
    }
    return ERG_OK;
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
                          .sphere_skin = pbd->sphere_skin};
    erg_index       far;
    erg_status      status = ergi_grid_build(&pbd->grid, &in, &far, err);
    if (status == ERG_BAD_PHYSICS) return too_far(world, far, err);
    if (status == ERG_OK)
        status = ergi_candidates_find(&pbd->candidates, &pbd->grid, &in, ergi_earlier_in_memory,
                                      &world->threads, err);
    if (status == ERG_OK)
        status = ergi_pairs_build(&pbd->pairs_spare, &pbd->pairs, was, in.count, &pbd->candidates,
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
    status = measure_agitation(world, err);
    if (status == ERG_OK && sorts) status = sort(world, leaves, err);
    if (status != ERG_OK) return status;
    ergi_pbd_add_time(world, ERGI_PBD_PHASE_SORT, &mark);
    ergi_pbd_spheres_place(world);
    status = set_skins(world, sorts ? pbd->was : NULL, err);
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

erg_status ergi_pbd_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    erg_status status = rebuild(world, leaves, err);
    if (status != ERG_OK) { // grains may have moved in memory: the old lists are invalid
        pbd->pairs.start.rows = pbd->pairs.pair.rows = pbd->wall_history.rows = 0;
        pbd->coloured = pbd->walls_listed = false;
        world->clock.dirty = true;
    }
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
    pbd->pairs.start.rows = pbd->pairs.pair.rows = pbd->wall_history.rows = 0;
    pbd->reference.rows = 0;
    pbd->state.listed_grains = 0;
    pbd->coloured = pbd->walls_listed = false;
    world->clock.dirty = true;
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
