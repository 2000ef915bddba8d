// The real-time solver's table of functions (solver/solver.h).
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "pbd/pbd_solver.h"
#include "solver/solvers.h"

// ---- Creation ----------------------------------------------------------------------------------
static void init_wall_table(ergi_table *table)
{
    static const ergi_column column[] = {{"sphere", ERGI_U32, 1, false},
                                         {"wall", ERGI_U32, 1, false},
                                         {"feature", ERGI_U32, 1, false},
                                         {"history", ERGI_F32, ERGI_PBD_HISTORY, false},
                                         {"normal", ERGI_F32, 4, false}};
    ergi_table_init(table, "pbd walls", column, ERGI_PBD_WALL_COLUMNS, ERGI_F32);
}

static void init_body_table(ergi_table *table)
{
    static const ergi_column column[] = {{"walls", ERGI_U32, 2, false},
                                         {"place", ERGI_U32, 2, false},
                                         {"history", ERGI_F32, ERGI_PBD_HISTORY, false},
                                         {"normal", ERGI_F32, 4, false}};
    ergi_table_init(table, "pbd bodies", column, ERGI_PBD_BODY_COLUMNS, ERGI_F32);
}

static erg_status create(erg_world *world, erg_error *err)
{
    static const ergi_column reference[] = {{"place", ERGI_F64, 4, false}};
    const ergi_history       history = {ERGI_PBD_HISTORY, ERGI_F32, ERGI_ON_SWAP_NEGATE};
    ergi_pbd                *pbd = calloc(1, sizeof *pbd);
    ergi_registry           *r = &world->registry;
    if (!pbd) return ergi_fail_memory(err, sizeof *pbd, "a world");
    world->self = pbd;
    erg_status status = ergi_pbd_choose(&pbd->kernels, err);
    if (status != ERG_OK) return status;
    pbd->single = true;
    ergi_pairs_init(&pbd->pairs, "pbd pairs", "pbd pair", history);
    ergi_pairs_init(&pbd->pairs_spare, "pbd pairs", "pbd pair", history);
    init_wall_table(&pbd->wall_history);
    init_wall_table(&pbd->wall_history_spare);
    init_body_table(&pbd->body_contact_history);
    ergi_table_init(&pbd->reference, "pbd reference", reference, ERGI_PBD_REFERENCE_COLUMNS,
                    ERGI_F64);
    ergi_registry_plain(r, "pbd/state", &pbd->state, sizeof pbd->state);
    ergi_registry_table(r, &pbd->pairs.start, -1, 0);
    ergi_registry_table(r, &pbd->pairs.pair, -1, 0);
    ergi_registry_table(r, &pbd->wall_history, -1, 0);
    ergi_registry_table(r, &pbd->body_contact_history, -1, 0);
    ergi_registry_table(r, &pbd->reference, -1, 0);
    return ERG_OK;
}

static void destroy(erg_world *world)
{
    ergi_pbd *p = ergi_pbd_of(world);
    if (!p) return;
    ergi_pairs_free(&p->pairs);
    ergi_pairs_free(&p->pairs_spare);
    ergi_table_free(&p->wall_history);
    ergi_table_free(&p->wall_history_spare);
    ergi_table_free(&p->body_contact_history);
    ergi_table_free(&p->reference);
    ergi_grid_free(&p->grid);
    ergi_candidates_free(&p->candidates);
    ergi_near_walls_free(&p->near_walls);
    ergi_near_ground_free(&p->near_ground);
    void *owned[] = {p->law,           p->place,        p->sphere_grain, p->sphere_material,
                     p->offset,        p->reach,        p->sphere_skin,  p->found,
                     p->was,           p->order,        p->sorting,      p->near_sphere,
                     p->near_start,    p->near_wall,    p->near_spare,   p->candidate,
                     p->colour,        p->task,         p->group,        p->task_turns,
                     p->row,           p->shift,        p->tensor,       p->touch,
                     p->touch_history, p->wall_chunk,   p->wall_found,   p->pose_before,
                     p->wall_step,     p->report,       p->turns,        p->body,
                     p->body_of,       p->body_contact, p->body_group,   p->body_history,
                     p->held,          p->entry_task,   p->by_task,      p->chunk_link,
                     p->link,          p->centre,       p->agitation,    p->body_turn,
                     p->body_next,     p->body_pair,    p->fresh,        p->kept};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    ergi_sommer_free(&p->sommer);
    free(p);
}

// ---- Changes from outside ----------------------------------------------------------------------
// Recomputes what is derived from the state: spheres, skins, colours, wall lists.
static erg_status derive(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    listed = ergi_pairs_spheres(&pbd->pairs);
    pbd->coloured = pbd->walls_listed = false;
    const uint64_t grains = pbd->state.listed_grains;
    erg_status     status = ergi_pbd_spheres_make(world, err);
    pbd->state.listed_grains = grains; // grains that were added since are in no list yet
    if (status != ERG_OK) return status;
    ergi_pbd_spheres_place(world);
    if (world->clock.dirty || listed != pbd->spheres || pbd->reference.rows != listed)
        return ERG_OK; // the next step rebuilds the lists
    status = ergi_memory_grow(&pbd->sphere_skin, &pbd->sphere_skin_room, listed,
                              sizeof *pbd->sphere_skin, "lists", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->centre, &pbd->centre_room, 4 * listed, sizeof *pbd->centre,
                                  "lists", err);
    if (status != ERG_OK) return status;
    const double *reference = pbd->reference.data[ERGI_PBD_REFERENCE_POSITION];
    for (size_t i = 0; i < listed; i++) {
        pbd->sphere_skin[i] = (float)reference[4 * i + 3];
        memcpy(pbd->centre + 4 * i, reference + 4 * i, 3 * sizeof *reference);
        pbd->centre[4 * i + 3] = ergi_pbd_sphere_positions(world)[4 * i + 3];
    }
    status = ergi_pbd_colour_tasks(world, err);
    return status == ERG_OK ? ergi_pbd_list_walls(world, err) : status;
}

static erg_status changed(erg_world *world, ergi_change what, erg_error *err)
{
    switch (what) {
    case ERGI_CHANGED_LAWS: return ergi_pbd_laws(world, err);
    case ERGI_CHANGED_KINDS: break;
    case ERGI_CHANGED_RESTORED: return derive(world, err);
    case ERGI_CHANGED_LOADED: {
        erg_status status = ergi_pbd_laws(world, err);
        return status == ERG_OK ? derive(world, err) : status;
    }
    case ERGI_CHANGED_LOST: ergi_pbd_drop_lists(world); break;
    }
    return ERG_OK;
}

static bool varies_dt(const erg_world *world)
{
    return !(world->def.dt > 0);
}

static const char *isa(const erg_world *world)
{
    return ergi_pbd_isa(ergi_pbd_of(world)->kernels);
}

static double skin(const erg_world *world)
{
    return ergi_pbd_of(world)->state.skin;
}

const ergi_solver ergi_pbd_solver = {.create = create,
                                     .destroy = destroy,
                                     .prepare = ergi_pbd_prepare,
                                     .step = ergi_pbd_step,
                                     .varies_dt = varies_dt,
                                     .changed = changed,
                                     .remove = ergi_pbd_remove,
                                     .contacts = ergi_pbd_visit,
                                     .check = ergi_pbd_check,
                                     .stats = ergi_pbd_stats,
                                     .bytes = ergi_pbd_bytes,
                                     .grain_bytes = ergi_pbd_grain_bytes,
                                     .isa = isa,
                                     .skin = skin};
