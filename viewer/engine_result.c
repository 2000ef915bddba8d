// Plays a result folder: its snapshots, and its checkpoint as the last moment when that is later.
// Also snapshots without a checkpoint, then without walls.
#include "engine.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct result_engine {
    view_engine      base;
    const erg_scene *scene;
    const char      *folder;
    erg_world       *world; // from the checkpoint: walls, names, the last moment
    erg_replay      *replay;
    size_t           snapshots, moments; // the last moment may be the checkpoint
    double           begin, end, at;     // [s]
    size_t           grains, spheres;    // of the current moment
} result_engine;

static void close_result(result_engine *e)
{
    erg_replay_close(e->replay);
    erg_world_destroy(e->world);
    e->replay = NULL;
    e->world = NULL;
}

static erg_status open_result(view_engine *base, erg_error *err)
{
    result_engine *e = (result_engine *)base;
    char           path[4200];
    if (e->world) { // a restart needs no reading
        e->at = e->begin;
        return ERG_OK;
    }
    snprintf(path, sizeof path, "%s/checkpoint.h5", e->folder);
    bool       bare = access(path, F_OK) != 0; // snapshots without a checkpoint
    erg_status status = erg_scene_build(e->scene, NULL, NULL, &e->world, err);
    if (status == ERG_OK) status = erg_replay_open(e->folder, &e->replay, err);
    if (status == ERG_OK) status = erg_replay_terrain(e->replay, e->world, err);
    bare = bare && status == ERG_OK && erg_replay_count(e->replay) > 0;
    if (status == ERG_OK && !bare) status = erg_world_load(e->world, path, err);
    if (status != ERG_OK) {
        close_result(e);
        return status;
    }
    e->snapshots = e->moments = erg_replay_count(e->replay);
    e->end = erg_world_time(e->world);
    e->begin = e->snapshots ? erg_replay_time(e->replay, 0) : e->end;
    double last = e->snapshots ? erg_replay_time(e->replay, e->snapshots - 1) : (double)-INFINITY;
    double half_step = 0.5 * erg_world_dt(e->world);
    if (!bare && e->end > last + half_step)
        e->moments++;
    else
        e->end = last;
    e->at = e->begin;
    return ERG_OK;
}

// The current moment: the last one not after the clock.
static size_t index_at(const result_engine *e)
{
    size_t low = 0, high = e->snapshots; // the result is below `high`
    if (e->moments > e->snapshots && e->at >= e->end) return e->snapshots;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (erg_replay_time(e->replay, middle) <= e->at * (1 + 1e-12))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double time_at(const result_engine *e, size_t index)
{
    return index < e->snapshots ? erg_replay_time(e->replay, index) : e->end;
}

static erg_status advance(view_engine *base, double time, double budget, erg_error *err)
{
    result_engine *e = (result_engine *)base;
    (void)budget, (void)err;
    e->at = fmin(fmax(time, e->begin), e->end);
    return ERG_OK;
}

static erg_status step(view_engine *base, int steps, erg_error *err)
{
    result_engine *e = (result_engine *)base;
    (void)err;
    long index = (long)index_at(e) + steps, last = (long)e->moments - 1;
    if (index < 0) index = 0;
    if (index > last) index = last;
    e->at = time_at(e, (size_t)index);
    return ERG_OK;
}

static erg_status seek(view_engine *base, double time, erg_error *err)
{
    return advance(base, time, 0, err);
}

static erg_status command(view_engine *base, const erg_command *c, erg_error *err)
{
    (void)base, (void)c;
    return ergi_fail(err, ERG_BAD_INPUT,
                     "a result can only be played back; use erg view SCENE to interact");
}

static erg_status take(view_engine *base, const erg_look *look, erg_picture *picture,
                       erg_error *err)
{
    result_engine *e = (result_engine *)base;
    size_t         index = index_at(e);
    if (index >= e->snapshots) {
        e->grains = erg_world_grain_count(e->world);
        e->spheres = erg_world_sphere_count(e->world);
        return erg_picture_take(picture, look, e->world, NULL, err);
    }
    erg_look   without = *look; // contacts are not read from snapshots
    erg_moment moment;
    without.chains = false;
    if (without.colour == ERG_COLOUR_FORCE) without.colour = ERG_COLOUR_MATERIAL;
    erg_status status = erg_replay_read(e->replay, index, &moment, err);
    if (status != ERG_OK) return status;
    e->grains = moment.grains;
    e->spheres = moment.spheres.count;
    return erg_picture_take(picture, &without, e->world, &moment, err);
}

static double time_of(const view_engine *base)
{
    return ((const result_engine *)base)->at;
}

static uint64_t moment(const view_engine *base)
{
    const result_engine *e = (const result_engine *)base;
    return e->world ? index_at(e) : 0;
}

static void fill_facts(view_engine *base, view_facts *f)
{
    result_engine *e = (result_engine *)base;
    *f = (view_facts){.is_result = true};
    if (!e->world) return;
    f->begin = e->begin;
    f->end = e->end;
    f->index = index_at(e);
    f->count = e->moments;
    f->time = time_at(e, f->index);
    f->ticks = e->moments <= VIEW_TICKS ? e->moments : 0;
    for (size_t i = 0; i < f->ticks; i++) f->tick[i] = time_at(e, i);
    f->no_contacts = f->index < e->snapshots;
    f->dt = erg_world_dt(e->world);
    f->steps = (uint64_t)llround(f->time / f->dt);
    f->grains = e->grains;
    f->spheres = e->spheres;
    f->contacts = f->no_contacts ? 0 : erg_world_touching_count(e->world);
    f->gravity = erg_world_gravity(e->world);
}

static erg_status save(view_engine *base, const char *folder, erg_run_result *result,
                       erg_error *err)
{
    const result_engine *e = (const result_engine *)base;
    *result = (erg_run_result){0};
    if (folder) return ergi_fail(err, ERG_BAD_INPUT, "a result is already saved");
    if (e->world) result->state_hash = erg_world_hash(e->world);
    return ERG_OK;
}

static void destroy(view_engine *base)
{
    if (!base) return;
    close_result((result_engine *)base);
    free(base);
}

erg_status view_engine_result(const erg_scene *scene, const char *folder, view_engine **engine,
                              erg_error *err)
{
    result_engine *e = calloc(1, sizeof *e);
    *engine = NULL;
    if (!e) return ergi_fail_memory(err, sizeof *e, "the result");
    e->base = (view_engine){open_result, advance, step,       seek, command, take,
                            time_of,     moment,  fill_facts, save, destroy, NULL};
    e->scene = scene;
    e->folder = folder;
    *engine = &e->base;
    return ERG_OK;
}
