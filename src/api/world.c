// Worlds come and go.
#include "erg/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dem/kernels.h"
#include "world/bodies.h"
#include "world/fingerprint.h"
#include "world/keep.h"
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
    };
}

static erg_status check_axis(const char *axis, bool periodic, double lower, double upper,
                             erg_error *err)
{
    if (isnan(lower) || isnan(upper) || !(lower < upper))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "the domain's lower %s, %g m, must be below its upper %s, %g m", axis,
                         lower, axis, upper);
    if (periodic && (isinf(lower) || isinf(upper)))
        return ergi_fail(err, ERG_BAD_INPUT, "a domain periodic in %s needs finite bounds in %s",
                         axis, axis);
    return ERG_OK;
}

static erg_status check_def(const erg_world_def *def, erg_error *err)
{
    if (!isfinite(def->gravity.x) || !isfinite(def->gravity.y) || !isfinite(def->gravity.z))
        return ergi_fail(err, ERG_BAD_INPUT, "gravity must be finite");
    erg_status status = check_axis("x", def->periodic_x, def->lower.x, def->upper.x, err);
    if (status == ERG_OK)
        status = check_axis("y", def->periodic_y, def->lower.y, def->upper.y, err);
    if (status == ERG_OK) status = check_axis("z", false, def->lower.z, def->upper.z, err);
    if (status != ERG_OK) return status;
    if (!(def->dt >= 0) || isinf(def->dt))
        return ergi_fail(err, ERG_BAD_INPUT, "dt must be at least 0 s (0: chosen), got %g",
                         def->dt);
    if (!(def->dt_factor > 0 && def->dt_factor <= 0.1))
        return ergi_fail(err, ERG_BAD_INPUT, "dt_factor must be above 0 and at most 0.1, got %g",
                         def->dt_factor);
    if (!(def->tolerance > 0))
        return ergi_fail(err, ERG_BAD_INPUT, "tolerance must be above 0, got %g", def->tolerance);
    if (def->integrator < ERG_VERLET || def->integrator > ERG_RKF45 || def->precision < ERG_FLOAT ||
        def->precision > ERG_DOUBLE)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "the world's integrator or precision is none that erg has");
    const erg_contact_def *c = &def->contact;
    const double coefficient[] = {c->contact_time, c->tangential_ratio, c->tangential_damping,
                                  c->tangential_viscosity, c->rolling_damping};
    for (size_t k = 0; k < sizeof coefficient / sizeof *coefficient; k++)
        if (!(coefficient[k] >= 0 && isfinite(coefficient[k])))
            return ergi_fail(err, ERG_BAD_INPUT,
                             "a coefficient of the contact laws must be at least 0, got %g",
                             coefficient[k]);
    if (!(c->reference_speed > 0 && isfinite(c->reference_speed)))
        return ergi_fail(err, ERG_BAD_INPUT, "reference_speed must be above 0 m/s, got %g",
                         c->reference_speed);
    if (!(def->speed >= 0 && isfinite(def->speed)))
        return ergi_fail(err, ERG_BAD_INPUT, "speed must be at least 0 m/s, got %g", def->speed);
    if (!(def->skin >= 0))
        return ergi_fail(err, ERG_BAD_INPUT, "skin must be at least 0 m, got %g", def->skin);
    if (!(def->max_overlap > 0 && def->max_overlap < 1))
        return ergi_fail(err, ERG_BAD_INPUT, "max_overlap must be above 0 and below 1, got %g",
                         def->max_overlap);
    if (!(def->spin_damping >= 0))
        return ergi_fail(err, ERG_BAD_INPUT, "spin_damping must be at least 0 1/s, got %g",
                         def->spin_damping);
    if (def->threads < 0 || def->threads > 4096)
        return ergi_fail(err, ERG_BAD_INPUT, "threads must be 0 to 4096, got %d", def->threads);
    return ERG_OK;
}

erg_status erg_world_create(const erg_world_def *def, erg_world **out, erg_error *err)
{
    const ergi_dem_kernels *kernels = NULL;
    if (!def || !out)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "erg_world_create needs a definition and a place for the world");
    erg_status status = check_def(def, err);
    if (status == ERG_OK) status = ergi_dem_choose(def->precision, &kernels, err);
    if (status != ERG_OK) return status;
    erg_world *world = calloc(1, sizeof *world);
    if (!world) return ergi_fail_memory(err, sizeof *world, "a world");
    world->def = *def;
    world->threads.count = def->threads ? def->threads : ergi_threads_default_count();
    world->team = ergi_team_make(world->threads.count, def->threads > 0 || def->task);
    world->threads.hook = def->task;
    world->threads.hook_user = def->task_user;
    world->kernels = kernels;
    world->space.lower[0] = def->periodic_x ? def->lower.x : 0;
    world->space.lower[1] = def->periodic_y ? def->lower.y : 0;
    world->space.period[0] = def->periodic_x ? def->upper.x - def->lower.x : 0;
    world->space.period[1] = def->periodic_y ? def->upper.y - def->lower.y : 0;
    world->clock = (ergi_clock){
        .next_id = 1, .dt = def->dt, .gravity = {def->gravity.x, def->gravity.y, def->gravity.z}};

    static const ergi_column body[] = {
#define X(NAME, name, type, width) {#name, type, width, false},
        ERGI_BODY_COLUMNS(X)
#undef X
    };
    ergi_table_init(&world->bodies, "bodies", body, ERGI_BODY_COLUMN_COUNT, ergi_world_real(world));
    ergi_world_init_spheres(world, true);
    static const ergi_column touch[] = {{"walls", ERGI_U32, 2, false},
                                        {"place", ERGI_U32, 3, false},
                                        {"memory", ERGI_F64, 10, false}};
    ergi_table_init(&world->rigid_touch, "touch", touch, ERGI_TOUCH_COLUMNS, ERGI_F64);
    world->dirty = true;
    world->fingerprint = ergi_fingerprint_world(1, def);
    *out = world;
    return ERG_OK;
}

void erg_world_destroy(erg_world *world)
{
    if (!world) return;
    for (size_t k = 0; k < world->kinds; k++) {
        ergi_shape_free(&world->kind[k].shape);
        free((void *)(uintptr_t)world->kind[k].sizes.values);
        free((void *)(uintptr_t)world->kind[k].sizes.weights);
    }
    for (size_t k = 0; k < world->walls; k++) ergi_wall_free(&world->wall[k].wall);
    for (size_t k = 0; k < world->rigid_shapes; k++) ergi_rigid_shape_free(&world->rigid_shape[k]);
    ergi_memory_free(world->rigid_shape);
    ergi_rigid_near_free(&world->rigid_near);
    ergi_table_free(&world->rigid_touch);
    for (size_t k = 0; k < world->emitters; k++) ergi_region_free(&world->emitter[k].region);
    for (size_t k = 0; k < world->sinks; k++) ergi_region_free(&world->sink[k].region);
    ergi_keep_free(world->keep);
    ergi_table_free(&world->bodies);
    ergi_table_free(&world->spheres);
    ergi_grid_free(&world->grid);
    ergi_lists_free(&world->lists);
    ergi_lists_free(&world->lists_spare);
    ergi_list_scratch_free(&world->scratch);
    void *owned[] = {
        world->push,          world->chunk_work,    world->chunk_way,  world->late,
        world->shares,        world->margin,        world->material,   world->pair,
        world->pair_override, world->kind,          world->wall,       world->emitter,
        world->sink,          world->emitter_state, world->sink_state, world->wall_state,
        world->was,           world->order,         world->leaves,     world->sorting,
        world->law,           world->coef,          world->report,     world->wall_sum,
        world->runge,         world->runge_walls,   world->command};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    free(world);
}
