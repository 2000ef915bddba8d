// DEM as a solver: the functions that the simulation loop calls.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dem/dem_solver.h"
#include "dem/spheres.h"
#include "dem/step.h"
#include "solver/solvers.h"

// ---- Creation and destruction ------------------------------------------------------------------
void ergi_dem_list_tables(ergi_lists *lists, ergi_table *tables[ERGI_LIST_TABLES])
{
    int k = 0;
    for (int side = 0; side < ERGI_LIST_KINDS; side++) {
        tables[k++] = &lists->pairs[side].span;
        tables[k++] = &lists->pairs[side].entry;
    }
    tables[k++] = &lists->incoming_span;
    tables[k++] = &lists->incoming;
    tables[k++] = &lists->source;
    tables[k++] = &lists->near;
    tables[k++] = &lists->wall_entry;
}

bool ergi_dem_is_index(int k)
{
    return k >= 2 * ERGI_LIST_KINDS && k < 2 * ERGI_LIST_KINDS + 3;
}

// The state hash covers contacts through the contact visitor, so their tables are not hashed.
static void register_state(erg_world *world)
{
    ergi_dem      *dem = ergi_dem_of(world);
    ergi_registry *r = &world->registry;
    ergi_table    *list[ERGI_LIST_TABLES];
    ergi_registry_plain(r, "dem/state", &dem->state, sizeof dem->state);
    ergi_registry_plain(r, "dem/listed", &dem->lists.spheres, sizeof dem->lists.spheres);
    ergi_registry_table(r, &dem->spheres, -1, 0);
    ergi_dem_list_tables(&dem->lists, list);
    for (int k = 0; k < ERGI_LIST_TABLES; k++)
        ergi_registry_table(r, list[k], -1, ergi_dem_is_index(k) ? ERGI_STATE_DERIVED : 0);
    ergi_registry_table(r, &dem->body_contacts, -1, 0);
}

static erg_status create(erg_world *world, erg_error *err)
{
    ergi_dem *dem = calloc(1, sizeof *dem);
    if (!dem) return ergi_fail_memory(err, sizeof *dem, "a world");
    world->self = dem;
    erg_status status = ergi_dem_choose_kernels(world->def.precision, &dem->kernels, err);
    if (status != ERG_OK) return status;
    static const ergi_column touch[] = {{"walls", ERGI_U32, 2, false},
                                        {"place", ERGI_U32, 3, false},
                                        {"memory", ERGI_F64, 10, false}};
    ergi_spheres_init(world, true);
    ergi_table_init(&dem->body_contacts, "touch", touch, ERGI_BODY_CONTACT_COLUMNS, ERGI_F64);
    ergi_lists_init(&dem->lists, 0, 1, false, ergi_world_real(world));
    register_state(world);
    return ERG_OK;
}

static void destroy(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    if (!dem) return;
    ergi_body_near_free(&dem->body_near);
    ergi_table_free(&dem->body_contacts);
    ergi_table_free(&dem->spheres);
    ergi_grid_free(&dem->grid);
    ergi_lists_free(&dem->lists);
    ergi_lists_free(&dem->lists_spare);
    ergi_candidates_free(&dem->candidates);
    ergi_near_walls_free(&dem->near_walls);
    ergi_near_ground_free(&dem->near_ground);
    ergi_wall_sums_free(&dem->wall_sums);
    void *owned[] = {dem->partner_force,   dem->chunk_work, dem->chunk_displacement,
                     dem->leftover_chunks, dem->queues,     dem->sphere_skin,
                     dem->found,           dem->was,        dem->order,
                     dem->sorting,         dem->law,        dem->coef,
                     dem->report,          dem->runge,      dem->runge_walls};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    free(dem);
}

// ---- Changes from outside ----------------------------------------------------------------------
// Lists left incomplete by a failed build get no index; they must not be used.
static erg_status index_lists(erg_world *world, erg_error *err)
{
    ergi_dem   *dem = ergi_dem_of(world);
    ergi_lists *lists = &dem->lists;
    dem->near_ground.rows = 0; // they are those of other lists
    bool       whole = lists->pairs[ERGI_OUTER].span.rows == (size_t)lists->spheres + 1;
    erg_status status = whole ? ergi_lists_index(lists, err) : ERG_OK;
    return status == ERG_OK ? ergi_wall_sums_index(&dem->wall_sums, lists, world->walls, err)
                            : status;
}

static erg_status restored(erg_world *world, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    erg_status status = index_lists(world, err);
    if (status != ERG_OK) return status;
    dem->kick_deferred = dem->started_ahead = dem->skins_known = dem->displacements_known = false;
    dem->worst_overlap = (ergi_report){0}; // it belongs to the bad step
    dem->speed_ratio = 0;
    ergi_dem_advance(world, ERGI_SET_SPHERES);
    return ERG_OK;
}

static erg_status loaded(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    dem->lists.history_width = dem->history_width;
    dem->skins_known = dem->displacements_known = false;
    ergi_dem_cap_viscosity(world);
    erg_status status = index_lists(world, err);
    if (status == ERG_OK) status = ergi_dem_laws(world, err);
    if (status == ERG_OK) status = ergi_dem_reserve(world, err);
    if (status != ERG_OK) return status;
    ergi_dem_advance(world, ERGI_SET_SPHERES);
    if (!world->clock.dirty) ergi_dem_coefs(world); // recomputed, not trusted from the file
    return ERG_OK;
}

static erg_status changed(erg_world *world, ergi_change what, erg_error *err)
{
    switch (what) {
    case ERGI_CHANGED_LAWS: return ergi_dem_laws(world, err);
    case ERGI_CHANGED_KINDS: ergi_dem_set_fixed_point(world); break;
    case ERGI_CHANGED_RESTORED: return restored(world, err);
    case ERGI_CHANGED_LOADED: return loaded(world, err);
    case ERGI_CHANGED_LOST: ergi_dem_of(world)->lists.spheres = 0; break;
    }
    return ERG_OK;
}

// ---- Checkpoints -------------------------------------------------------------------------------
// The columns of a table depend on the loaded state: clumps need more columns of spheres, and
// spheres of many sizes need coefficients in every entry.
static void describe(const erg_world *world, const ergi_loaded *from, const char *name,
                     ergi_table *table)
{
    const ergi_dem       *dem = ergi_dem_of(world);
    const ergi_dem_state *state = ergi_loaded_plain(from, "dem/state");
    ergi_lists            lists;
    ergi_table           *list[ERGI_LIST_TABLES];
    if (strcmp(name, "spheres") == 0) ergi_spheres_describe(world, state->single != 0, table);
    ergi_lists_init(&lists, dem->history_width, dem->wall_slots, state->class_per_material != 0,
                    ergi_world_real(world));
    ergi_dem_list_tables(&lists, list);
    for (int k = 0; k < ERGI_LIST_TABLES; k++)
        if (strcmp(name, list[k]->name) == 0) *table = *list[k];
}

// ---- Copies ------------------------------------------------------------------------------------
// Copies the original's lists, in which the first build of `world` looks up contact history: every
// copied sphere has its original's old index.
static erg_status inherit(erg_world *world, const erg_world *from, erg_error *err)
{
    ergi_dem       *dem = ergi_dem_of(world);
    const ergi_dem *old = ergi_dem_of(from);
    ergi_lists      lists = old->lists;
    ergi_table     *to[ERGI_LIST_TABLES], *of[ERGI_LIST_TABLES];
    erg_status      status = ERG_OK;
    ergi_lists_free(&dem->lists);
    ergi_dem_list_tables(&dem->lists, to);
    ergi_dem_list_tables(&lists, of);
    for (int k = 0; k < ERGI_LIST_TABLES && status == ERG_OK; k++)
        status = ergi_table_copy(to[k], of[k], false, err);
    if (status != ERG_OK) return status;
    const uint32_t *was = ERGI_GRAIN(from, FIRST, uint32_t);
    uint32_t       *first = ERGI_GRAIN(world, FIRST, uint32_t);
    for (size_t i = 0; i < world->grains.rows; i++) first[i] = was[i % from->grains.rows];
    dem->lists.history_width = old->lists.history_width;
    dem->lists.spheres = old->lists.spheres;
    dem->state.listed_grains = world->grains.rows;
    return ERG_OK;
}

// ---- The table ---------------------------------------------------------------------------------
static bool varies_dt(const erg_world *world)
{
    return world->def.integrator == ERG_RKF45;
}

static const char *isa(const erg_world *world)
{
    return ergi_dem_isa(ergi_dem_of(world)->kernels);
}

static double skin(const erg_world *world)
{
    return ergi_dem_of(world)->state.skin;
}

const ergi_solver ergi_dem_solver = {.create = create,
                                     .destroy = destroy,
                                     .prepare = ergi_dem_prepare,
                                     .step = ergi_dem_step,
                                     .varies_dt = varies_dt,
                                     .sync = ergi_dem_apply_deferred_kick,
                                     .changed = changed,
                                     .remove = ergi_dem_remove,
                                     .contacts = ergi_dem_visit,
                                     .describe = describe,
                                     .check = ergi_dem_check,
                                     .stats = ergi_dem_stats,
                                     .bytes = ergi_dem_bytes,
                                     .grain_bytes = ergi_dem_grain_bytes,
                                     .expected_bytes = ergi_dem_expected_bytes,
                                     .inherit = inherit,
                                     .isa = isa,
                                     .skin = skin};
