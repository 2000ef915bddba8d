// Simulates a scene.
#include "engine.h"

#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct scene_engine {
    view_engine      base;
    const erg_scene *scene;
    erg_scene       *own; // the same if owned, else NULL
    char             name[4096];
    int              threads;
    erg_backend      backend;
    erg_world       *world;
    double           step_s; // recent wall time per step [s]
    double          *rate;   // of each emitter in the scene [1/s]
} scene_engine;

static bool keep_going(void *user)
{
    const view_engine *e = user;
    return !e->stopped || !e->stopped();
}

static void adjust(void *user, erg_world_def *def)
{
    scene_engine *e = user;
    if (e->threads > 0) def->threads = e->threads;
    def->backend = e->backend;
    def->keep_going = keep_going;
    def->keep_going_user = &e->base;
}

static erg_status store_rates(scene_engine *e, erg_error *err)
{
    size_t emitters = erg_world_emitter_count(e->world);
    free(e->rate);
    e->rate = malloc((emitters + 1) * sizeof *e->rate);
    if (!e->rate) return ergi_fail_memory(err, (emitters + 1) * sizeof *e->rate, "emitters");
    for (size_t i = 0; i < emitters; i++)
        e->rate[i] = erg_world_emitter_rate(e->world, (erg_id)i + 1);
    return ERG_OK;
}

static erg_status open_scene(view_engine *base, erg_error *err)
{
    scene_engine *e = (scene_engine *)base;
    erg_world_destroy(e->world);
    e->world = NULL;
    e->step_s = 0;
    erg_status status = erg_scene_build(e->scene, adjust, e, &e->world, err);
    // Fine particles that exist from the start are seeded before the first picture.
    if (status == ERG_OK) status = erg_world_step(e->world, 0, err);
    return status == ERG_OK ? store_rates(e, err) : status;
}

// Takes as many steps at once as the budget is expected to allow.
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
        return ergi_fail(err, ERG_BAD_INPUT, "a simulation cannot run backwards; R restarts it");
    return erg_world_step(e->world, (uint64_t)steps, err);
}

static erg_status seek(view_engine *base, double time, erg_error *err)
{
    (void)base, (void)time;
    return ergi_fail(err, ERG_BAD_INPUT, "a simulation has no timeline");
}

// Distributes a total rate over the emitters in the proportions of the scene, where all rates are
// above 0.
static erg_status pour(scene_engine *e, const erg_command *all, erg_error *err)
{
    size_t     emitters = erg_world_emitter_count(e->world);
    double     sum = 0;
    erg_status status = ERG_OK;
    for (size_t i = 0; i < emitters; i++) sum += e->rate[i];
    for (size_t i = 0; i < emitters && status == ERG_OK; i++) {
        erg_command one = *all;
        one.id = (erg_id)i + 1;
        one.value *= e->rate[i] / sum;
        status = erg_world_command(e->world, &one, err);
    }
    return status;
}

static erg_status command(view_engine *base, const erg_command *c, erg_error *err)
{
    scene_engine *e = (scene_engine *)base;
    bool          all = c->kind == ERG_COMMAND_EMITTER_RATE && c->id == 0;
    return all ? pour(e, c, err) : erg_world_command(e->world, c, err);
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

static void fill_walls(const erg_world *world, view_facts *f)
{
    for (erg_id id = 1; id <= erg_world_wall_count(world); id++) {
        erg_wall_surface surface;
        erg_wall_state   state;
        if (erg_world_wall_surface(world, id, (double)NAN, &surface, NULL) != ERG_OK ||
            !surface.movable || erg_world_wall_state(world, id, &state, NULL) != ERG_OK)
            continue;
        if (f->walls == VIEW_WALLS) {
            f->walls_left_out++;
            continue;
        }
        view_wall *w = &f->wall[f->walls++];
        *w = (view_wall){.id = id, .position = state.position};
        snprintf(w->name, sizeof w->name, "%s", surface.name);
    }
}

static void fill_joints(const erg_world *world, view_facts *f)
{
    for (erg_id id = 1; id <= erg_world_wall_count(world) && f->joints < VIEW_JOINTS; id++) {
        erg_joint_state  joint;
        erg_wall_surface surface;
        if (erg_world_joint(world, id, &joint, NULL) != ERG_OK || !joint.key_up ||
            erg_world_wall_surface(world, id, (double)NAN, &surface, NULL) != ERG_OK)
            continue;
        view_joint *j = &f->joint[f->joints++];
        *j = (view_joint){.wall = id,
                          .hinge = joint.kind == ERG_JOINT_HINGE,
                          .along = joint.along,
                          .speed = joint.speed,
                          .key_up = joint.key_up,
                          .key_down = joint.key_down};
        snprintf(j->name, sizeof j->name, "%s", surface.name);
    }
}

static void fill_facts(view_engine *base, view_facts *f)
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
    for (size_t i = 0; i < f->emitters; i++)
        f->pouring += erg_world_emitter_rate(world, (erg_id)i + 1);
    fill_walls(world, f);
    fill_joints(world, f);
}

static erg_status save(view_engine *base, const char *folder, erg_run_result *result,
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
    def.force = true; // pictures may already be there; the window chose a folder without results
    def.threads = e->threads;
    def.backend = e->backend;
    return erg_run_keep(&def, e->world, result, err);
}

static void destroy(view_engine *base)
{
    scene_engine *e = (scene_engine *)base;
    if (!e) return;
    erg_world_destroy(e->world);
    erg_scene_destroy(e->own);
    free(e->rate);
    free(e);
}

erg_status view_engine_scene(const erg_scene *scene, erg_scene *own, const char *name, int threads,
                             erg_backend backend, view_engine **engine, erg_error *err)
{
    scene_engine *e = calloc(1, sizeof *e);
    *engine = NULL;
    if (!e) {
        erg_scene_destroy(own);
        return ergi_fail_memory(err, sizeof *e, "the simulation");
    }
    e->base = (view_engine){open_scene, advance, step,       seek, command, take,
                            time_of,    moment,  fill_facts, save, destroy, NULL};
    e->scene = scene;
    e->own = own;
    snprintf(e->name, sizeof e->name, "%s", name);
    e->threads = threads;
    e->backend = backend;
    *engine = &e->base;
    return ERG_OK;
}

size_t view_engine_scene_log(const view_engine *base, erg_command *commands, size_t count)
{
    return erg_world_command_log(((const scene_engine *)base)->world, commands, count);
}
