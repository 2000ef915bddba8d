// Creates and destroys worlds.
#include "erg/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/create.h"
#include "base/error.h"
#include "base/memory.h"
#include "solver/solvers.h"
#include "terrain/terrain.h"
#include "upsample/upsample.h"
#include "world/fingerprint.h"
#include "world/grains.h"
#include "world/rollback.h"
#include "world/world.h"

erg_world_def erg_world_def_default(void)
{
    return (erg_world_def){
        .gravity = {0, 0, -9.81},
        .seed = 1,
        .lower = {-INFINITY, -INFINITY, -INFINITY},
        .upper = {INFINITY, INFINITY, INFINITY},
        .dt_factor = 0.05,
        .tolerance = 1e-6,
        .max_overlap = 0.3,
        .energy = true,
        .contact = erg_contact_def_default(),
        .pbd = {.mass_scaling = 1},
    };
}

// `k`: index of the axis.
static erg_status check_axis(int k, bool periodic, double lower, double upper, erg_error *err)
{
    static const char *const axes[] = {"x", "y", "z"}, *const lowers[] = {"lower.x", "lower.y",
                                                                          "lower.z"};
    static const char *const uppers[] = {"upper.x", "upper.y", "upper.z"}, *const periods[] = {
                                                                               "periodic_x",
                                                                               "periodic_y"};
    if (isnan(lower) || isnan(upper) || !(lower < upper))
        return ergi_fail_at(err, isnan(lower) ? lowers[k] : uppers[k],
                            isnan(lower + upper) ? ERG_ERROR_NOT_FINITE : ERG_ERROR_OUT_OF_RANGE,
                            "the domain's lower %s, %g m, must be below its upper %s, %g m",
                            axes[k], lower, axes[k], upper);
    if (periodic && (isinf(lower) || isinf(upper)))
        return ergi_fail_at(err, periods[k], ERG_ERROR_CONFLICT,
                            "a domain periodic in %s needs finite bounds in %s", axes[k], axes[k]);
    return ERG_OK;
}

static erg_status check_domain(const erg_world_def *d, erg_error *err)
{
    erg_status status = check_axis(0, d->periodic_x, d->lower.x, d->upper.x, err);
    if (status == ERG_OK) status = check_axis(1, d->periodic_y, d->lower.y, d->upper.y, err);
    if (status == ERG_OK) status = check_axis(2, false, d->lower.z, d->upper.z, err);
    return status;
}

// The laws themselves are checked when material pairs are made.
static erg_status check_contact(const erg_contact_def *c, erg_error *err)
{
    const struct {
        const char *field;
        double      value;
    } of[] = {{"contact_time", c->contact_time},
              {"tangential_ratio", c->tangential_ratio},
              {"tangential_damping", c->tangential_damping},
              {"tangential_viscosity", c->tangential_viscosity},
              {"rolling_damping", c->rolling_damping}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (!(of[k].value >= 0 && isfinite(of[k].value)))
            return ergi_fail_at(err, of[k].field, ergi_code_of(of[k].value),
                                "a coefficient of the contact laws must be at least 0, got %g",
                                of[k].value);
    if (!(c->reference_speed > 0 && isfinite(c->reference_speed)))
        return ergi_fail_at(err, "reference_speed", ergi_code_of(c->reference_speed),
                            "reference_speed must be above 0 m/s, got %g", c->reference_speed);
    return ERG_OK;
}

static erg_status refuse(const char *field, const char *wanted, double got, erg_error *err)
{
    return ergi_fail_at(err, field, ergi_code_of(got), "%s must be %s, got %g", field, wanted, got);
}

static erg_status check_def(const erg_world_def *def, erg_error *err)
{
    if (!isfinite(def->gravity.x) || !isfinite(def->gravity.y) || !isfinite(def->gravity.z))
        return ergi_fail_at(err, "gravity", ERG_ERROR_NOT_FINITE, "gravity must be finite");
    erg_status status = check_domain(def, err);
    if (status != ERG_OK) return status;
    if (!(def->dt >= 0) || isinf(def->dt))
        return refuse("dt", "at least 0 s (0: automatic)", def->dt, err);
    if (!(def->dt_factor > 0 && def->dt_factor <= 0.1))
        return refuse("dt_factor", "above 0 and at most 0.1", def->dt_factor, err);
    if (!(def->tolerance >= 1e-14 && def->tolerance <= 1))
        return refuse("tolerance", "from 1e-14 to 1", def->tolerance, err);
    bool integrator = def->integrator >= ERG_VERLET && def->integrator <= ERG_RKF45;
    if (!integrator || def->precision < ERG_FLOAT || def->precision > ERG_DOUBLE)
        return ergi_fail_at(err, integrator ? "precision" : "integrator", ERG_ERROR_UNKNOWN,
                            "unknown integrator or precision");
    status = ergi_fail_within(err, check_contact(&def->contact, err), "contact");
    if (status != ERG_OK) return status;
    if (!(def->speed >= 0 && isfinite(def->speed)))
        return refuse("speed", "at least 0 m/s", def->speed, err);
    if (!(def->skin >= 0)) return refuse("skin", "at least 0 m", def->skin, err);
    if (!(def->max_overlap > 0 && def->max_overlap < 1))
        return refuse("max_overlap", "above 0 and below 1", def->max_overlap, err);
    if (!(def->spin_damping >= 0))
        return refuse("spin_damping", "at least 0 1/s", def->spin_damping, err);
    if (def->pbd.variant < ERG_PBD_ERG || def->pbd.variant > ERG_PBD_SOMMER)
        return ergi_fail_at(err, "pbd.variant", ERG_ERROR_UNKNOWN, "there is no variant %d of pbd",
                            (int)def->pbd.variant);
    if (def->pbd.substeps < 0 || def->pbd.substeps > 1024)
        return refuse("pbd.substeps", "0 to 1024 (0: chosen)", def->pbd.substeps, err);
    if (def->pbd.iterations < 0 || def->pbd.iterations > 64)
        return refuse("pbd.iterations", "0 to 64 (0: chosen)", def->pbd.iterations, err);
    if (!(def->pbd.mass_scaling >= 0 && isfinite(def->pbd.mass_scaling)))
        return refuse("pbd.mass_scaling", "at least 0 1/m", def->pbd.mass_scaling, err);
    if (def->pbd.friction_limit < ERG_PBD_LIMIT_DEPTH ||
        def->pbd.friction_limit > ERG_PBD_LIMIT_DIAMETER)
        return ergi_fail_at(err, "pbd.friction_limit", ERG_ERROR_UNKNOWN,
                            "there is no limit %d of friction", (int)def->pbd.friction_limit);
    if (def->threads < 0 || def->threads > 4096)
        return refuse("threads", "0 to 4096", def->threads, err);
    return ERG_OK;
}

static void register_state(erg_world *world)
{
    ergi_registry *r = &world->registry;
    ergi_registry_plain(r, "world/clock", &world->clock, sizeof world->clock);
    ergi_registry_array(r, "world/walls", (void **)&world->wall_state, sizeof *world->wall_state,
                        &world->walls);
    ergi_registry_array(r, "world/emitters", (void **)&world->emitter_state,
                        sizeof *world->emitter_state, &world->emitters);
    ergi_registry_array(r, "world/sinks", (void **)&world->sink_state, sizeof *world->sink_state,
                        &world->sinks);
    ergi_registry_table(r, &world->grains, ERGI_GRAIN_ID, ERGI_STATE_BY_GRAIN | ERGI_STATE_BY_RANK);
}

erg_status ergi_world_create_with(const erg_world_def *def, const ergi_solver *solver,
                                  erg_world **out, erg_error *err)
{
    erg_status status = check_def(def, err);
    if (status != ERG_OK) return status;
    erg_world *world = calloc(1, sizeof *world);
    if (!world) return ergi_fail_memory(err, sizeof *world, "a world");
    world->def = *def;
    world->solver = solver;
    world->threads.count = def->threads ? def->threads : ergi_threads_default_count();
    world->thread_tuning =
        ergi_thread_tuning_make(world->threads.count, def->fixed_threads || def->task);
    world->threads.hook = def->task;
    world->threads.hook_user = def->task_user;
    world->space.lower[0] = def->periodic_x ? def->lower.x : 0;
    world->space.lower[1] = def->periodic_y ? def->lower.y : 0;
    world->space.period[0] = def->periodic_x ? def->upper.x - def->lower.x : 0;
    world->space.period[1] = def->periodic_y ? def->upper.y - def->lower.y : 0;
    world->clock = (ergi_clock){.next_id = 1,
                                .dt = def->dt,
                                .gravity = {def->gravity.x, def->gravity.y, def->gravity.z},
                                .dirty = true};

    static const ergi_column grain[] = {
#define X(NAME, name, type, width) {#name, type, width, false},
        ERGI_GRAIN_COLUMNS(X)
#undef X
    };
    ergi_table_init(&world->grains, "grains", grain, ERGI_GRAIN_COLUMN_COUNT,
                    ergi_world_real(world));
    register_state(world);
    world->fingerprint = ergi_fingerprint_world(1, def);
    status = solver->create(world, err);
    if (status == ERG_OK) status = ergi_registry_check(&world->registry, err);
    if (status == ERG_OK)
        *out = world;
    else
        erg_world_destroy(world);
    return status;
}

erg_status erg_world_create(const erg_world_def *def, erg_world **out, erg_error *err)
{
    if (!def || !out)
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "erg_world_create needs a definition and a place for the world");
    erg_status status = ergi_solver_check(def, err);
    if (status != ERG_OK) return status;
    return ergi_world_create_with(def, ergi_solver_of(def->solver), out, err);
}

void erg_world_destroy(erg_world *world)
{
    if (!world) return;
    world->solver->destroy(world);
    for (size_t k = 0; k < world->kinds; k++) {
        ergi_shape_free(&world->kind[k].shape);
        free((void *)(uintptr_t)world->kind[k].sizes.values);
        free((void *)(uintptr_t)world->kind[k].sizes.weights);
    }
    for (size_t k = 0; k < world->walls; k++) ergi_wall_free(&world->wall[k].wall);
    for (size_t k = 0; k < world->body_shapes; k++) ergi_body_shape_free(&world->body_shape[k]);
    for (size_t k = 0; k < world->emitters; k++) ergi_region_free(&world->emitter[k].region);
    for (size_t k = 0; k < world->sinks; k++) ergi_region_free(&world->sink[k].region);
    ergi_rollback_free(world->rollback);
    ergi_table_free(&world->grains);
    ergi_upsample_destroy(world->upsample);
    ergi_terrain_destroy(world->terrain);
    void *owned[] = {
        world->body_shape, world->material, world->pair,   world->pair_override, world->kind,
        world->wall,       world->emitter,  world->sink,   world->emitter_state, world->sink_state,
        world->wall_state, world->mover,    world->leaves, world->command};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    free(world);
}
