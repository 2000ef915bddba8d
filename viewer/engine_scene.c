// A scene, simulated.
#include "engine.h"

#include "base/clock.h"
#include "base/error.h"
#include "geom/vec3.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct scene_engine {
    view_engine      base;
    const erg_scene *scene;
    const char      *name;
    int              threads;
    erg_world       *world;
    double           step_s;      // that a step takes, lately [s]
    double           mass;        // of all grains [kg]
    size_t           mass_grains; // how many there were when they were weighed
} scene_engine;

static void adjust(void *user, erg_world_def *def)
{
    const scene_engine *e = user;
    if (e->threads > 0) def->threads = e->threads;
}

static erg_status open_scene(view_engine *base, erg_error *err)
{
    scene_engine *e = (scene_engine *)base;
    erg_world_destroy(e->world);
    e->world = NULL;
    e->mass_grains = SIZE_MAX;
    e->step_s = 0;
    return erg_scene_build(e->scene, adjust, e, &e->world, err);
}

// Steps in bulk, as many as the budget is likely to allow.
static erg_status advance(view_engine *base, double time, double budget, erg_error *err)
{
    scene_engine *e = (scene_engine *)base;
    double        dt = erg_world_dt(e->world), missing = (time - erg_world_time(e->world)) / dt;
    if (!(missing > 0)) return ERG_OK;
    double     afford = e->step_s > 0 ? budget / e->step_s : 1;
    double     count = fmax(1, floor(fmin(fmin(ceil(missing - 1e-6), afford), 1e6)));
    double     start = ergi_clock_seconds();
    uint64_t   before = erg_world_steps(e->world);
    erg_status status = erg_world_step(e->world, (uint64_t)count, err);
    double     taken = (double)(erg_world_steps(e->world) - before);
    double     each = (ergi_clock_seconds() - start) / fmax(taken, 1);
    e->step_s = e->step_s > 0 ? 0.7 * e->step_s + 0.3 * each : each;
    return status;
}

static erg_status step(view_engine *base, int steps, erg_error *err)
{
    scene_engine *e = (scene_engine *)base;
    if (steps < 0)
        return ergi_fail(err, ERG_BAD_INPUT, "a simulation does not go back: R begins again");
    return erg_world_step(e->world, (uint64_t)steps, err);
}

static erg_status seek(view_engine *base, double time, erg_error *err)
{
    (void)base, (void)time;
    return ergi_fail(err, ERG_BAD_INPUT, "a simulation has no time line");
}

static erg_status command(view_engine *base, const erg_command *c, erg_error *err)
{
    return erg_world_command(((scene_engine *)base)->world, c, err);
}

static erg_status take(view_engine *base, const erg_look *look, erg_picture *picture,
                       erg_error *err)
{
    return erg_picture_take(picture, look, ((scene_engine *)base)->world, NULL, err);
}

static double time_of(const view_engine *base)
{
    const erg_world *world = ((const scene_engine *)base)->world;
    return world ? erg_world_time(world) : 0;
}

static uint64_t moment(const view_engine *base)
{
    const erg_world *world = ((const scene_engine *)base)->world;
    return world ? erg_world_steps(world) : 0;
}

static void tell_walls(const erg_world *world, view_facts *f)
{
    for (erg_id id = 1; id <= erg_world_wall_count(world) && f->walls < VIEW_WALLS; id++) {
        erg_wall_surface surface;
        erg_wall_state   state;
        if (erg_world_wall_surface(world, id, (double)NAN, &surface, NULL) != ERG_OK ||
            !surface.movable || erg_world_wall_state(world, id, &state, NULL) != ERG_OK)
            continue;
        view_wall *w = &f->wall[f->walls++];
        *w = (view_wall){.id = id,
                         .position = state.position,
                         .velocity = state.velocity,
                         .force = ergi_norm(state.force)};
        snprintf(w->name, sizeof w->name, "%s", surface.name);
    }
}

static void tell(view_engine *base, view_facts *f)
{
    scene_engine    *e = (scene_engine *)base;
    const erg_world *world = e->world;
    *f = (view_facts){.begin = 0, .end = erg_scene_get_settings(e->scene)->time};
    if (!world) return;
    erg_world_def def = erg_world_get_def(world);
    f->time = erg_world_time(world);
    f->dt = erg_world_dt(world);
    f->steps = erg_world_steps(world);
    f->grains = erg_world_grain_count(world);
    f->spheres = erg_world_sphere_count(world);
    f->contacts = erg_world_touching_count(world);
    f->commands = erg_world_command_log(world, NULL, 0);
    f->gravity = erg_world_gravity(world);
    f->material = erg_world_kind_material(world, 1);
    f->friction = erg_world_friction(world, f->material, f->material);
    erg_material_def material;
    if (erg_world_get_material(world, f->material, &material, NULL) == ERG_OK) {
        f->density = material.density;
        f->stiffness = material.young / (2 * (1 - material.poisson * material.poisson));
    }
    f->lower = def.lower;
    f->upper = def.upper;
    f->emitters = erg_world_emitter_count(world);
    if (f->emitters > VIEW_EMITTERS) f->emitters = VIEW_EMITTERS;
    for (size_t i = 0; i < f->emitters; i++)
        f->rate[i] = erg_world_emitter_rate(world, (erg_id)i + 1);
    if (f->grains != e->mass_grains) {
        erg_stats stats;
        if (erg_world_stats(world, &stats, NULL) == ERG_OK) e->mass = stats.mass;
        e->mass_grains = f->grains;
    }
    f->mass = e->mass;
    tell_walls(world, f);
}

static erg_status keep(view_engine *base, const char *folder, erg_run_result *result,
                       erg_error *err)
{
    scene_engine *e = (scene_engine *)base;
    *result = (erg_run_result){0};
    if (!e->world) return ERG_OK;
    if (!folder) {
        result->state_hash = erg_world_hash(e->world);
        return ERG_OK;
    }
    erg_run_def def = erg_run_def_default();
    def.scene = e->scene;
    def.name = e->name;
    def.out = folder;
    def.force = true; // pictures may lie there already; the window chose a folder without results
    def.threads = e->threads;
    return erg_run_keep(&def, e->world, result, err);
}

static void destroy(view_engine *base)
{
    scene_engine *e = (scene_engine *)base;
    if (!e) return;
    erg_world_destroy(e->world);
    free(e);
}

erg_status view_engine_scene(const erg_scene *scene, const char *name, int threads,
                             view_engine **engine, erg_error *err)
{
    scene_engine *e = calloc(1, sizeof *e);
    *engine = NULL;
    if (!e) return ergi_fail_memory(err, sizeof *e, "the simulation");
    e->base = (view_engine){open_scene, advance, step, seek, command, take,
                            time_of,    moment,  tell, keep, destroy};
    e->scene = scene;
    e->name = name;
    e->threads = threads;
    *engine = &e->base;
    return ERG_OK;
}

size_t view_engine_scene_log(const view_engine *base, erg_command *commands, size_t count)
{
    return erg_world_command_log(((const scene_engine *)base)->world, commands, count);
}
