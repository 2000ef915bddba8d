#include "world/sources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/height_field.h"
#include "geom/vec3.h"
#include "world/grains.h"
#include "world/place.h"
#include "world/placement_grid.h"

// First random stream of each kind; the index of the fill or emitter is added.
enum { STREAM_FILL = 1000, STREAM_EMITTER = 2000000, STREAM_SPREAD = 3000000 };

erg_fill_def erg_fill_def_default(void)
{
    return (erg_fill_def){.placing = ERG_PLACE_LATTICE, .jitter = 0.5, .gap = 0.05};
}

// ---- Obstacles ---------------------------------------------------------------------------------
typedef struct obstacles {
    const erg_world    *world;
    ergi_placement_grid grid;
} obstacles;

static double bounding_radius(const erg_world *world, size_t grain)
{
    return ERGI_GRAIN(world, SIZE, double)[grain] *
           world->kind[ERGI_GRAIN(world, KIND, uint32_t)[grain]].shape.bounding_radius;
}

static bool boxes_meet(erg_vec3 x, double b, erg_vec3 low, erg_vec3 high)
{
    return x.x + b >= low.x && x.x - b <= high.x && x.y + b >= low.y && x.y - b <= high.y &&
           x.z + b >= low.z && x.z - b <= high.z;
}

// Collects the grains, and their periodic images, that could overlap something placed in the box.
static erg_status collect_obstacles(obstacles *r, const erg_world *world, erg_vec3 low,
                                    erg_vec3 high, double largest, erg_error *err)
{
    const double *x = ERGI_GRAIN(world, POSITION, double);
    for (size_t i = 0; i < world->grains.rows; i++)
        largest = fmax(largest, bounding_radius(world, i));
    r->world = world;
    erg_status status = ergi_placement_grid_init(&r->grid, largest, world->grains.rows, err);
    for (size_t i = 0; i < world->grains.rows && status == ERG_OK; i++) {
        const double *period = world->space.period;
        double        b = bounding_radius(world, i);
        int           nx = period[0] > 0, ny = period[1] > 0;
        for (int ix = -nx; ix <= nx && status == ERG_OK; ix++)
            for (int iy = -ny; iy <= ny && status == ERG_OK; iy++) {
                erg_vec3 image = {x[4 * i] + ix * period[0], x[4 * i + 1] + iy * period[1],
                                  x[4 * i + 2]};
                if (boxes_meet(image, b, low, high))
                    status = ergi_placement_grid_add(&r->grid, image, b, err);
            }
    }
    if (status != ERG_OK) ergi_placement_grid_free(&r->grid);
    return status;
}

static bool is_free(void *user, erg_vec3 centre, double radius)
{
    const obstacles *r = user;
    for (size_t w = 0; w < r->world->walls; w++) {
        ergi_wall_hit    hits[ERGI_WALL_MAX_HITS];
        const ergi_wall *wall = &r->world->wall[w].wall;
        const ergi_pose *pose = &r->world->wall_state[w].pose;
        if (!ergi_wall_far(wall, pose, centre, radius) &&
            ergi_wall_hits(wall, pose, centre, radius, hits) > 0)
            return false;
        if (ergi_wall_encloses(wall, pose, centre)) return false;
    }
    return ergi_placement_grid_is_free(&r->grid, centre, radius);
}

static bool is_barred(void *user, erg_vec3 low, erg_vec3 high, double radius)
{
    const obstacles *r = user;
    for (size_t w = 0; w < r->world->walls; w++)
        if (ergi_wall_blocks(&r->world->wall[w].wall, &r->world->wall_state[w].pose, low, high,
                             radius))
            return true;
    return false;
}

// Said of a region that reaches into a terrain.
static const char *hint_of(const erg_world *world, erg_vec3 low, erg_vec3 high)
{
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_surface *s = &world->wall[w].wall.surface;
        if (s->kind != ERGI_SURFACE_HEIGHTS) continue;
        const ergi_height_field *f = s->heights;
        double                   x = f->lower[0] + f->spacing * f->count[0],
               y = f->lower[1] + f->spacing * f->count[1];
        if (low.x < x && high.x > f->lower[0] && low.y < y && high.y > f->lower[1] &&
            low.z < f->high && high.z > f->low)
            return ": the sand of the terrain is in the way; place the region above it";
    }
    return NULL;
}

// ---- Filling -----------------------------------------------------------------------------------
erg_status ergi_sources_fill(erg_world *world, const erg_fill_def *def, double bytes, double held,
                             uint64_t *placed, erg_error *err)
{
    const ergi_kind *kind = &world->kind[def->grain - 1];
    obstacles        r;
    double           least, most;
    erg_vec3         low, high;
    ergi_sizes_range(&kind->sizes, &least, &most);
    ergi_region_bounds(&def->region, &low, &high);
    erg_status status =
        collect_obstacles(&r, world, low, high, most * kind->shape.bounding_radius, err);
    if (status != ERG_OK) return status;
    ergi_place_def place = ergi_place_def_default();
    place.shape = &kind->shape;
    place.sizes = &kind->sizes;
    place.region = &def->region;
    place.count = def->count;
    place.bytes = bytes;
    place.held = held;
    place.placing = def->placing;
    place.gap = def->gap;
    place.jitter = def->jitter;
    place.aligned = def->aligned;
    place.seed = world->def.seed;
    place.stream = (uint32_t)(STREAM_FILL + world->clock.fills);
    place.is_free = is_free;
    place.is_barred = is_barred;
    place.user = &r;
    place.hint = hint_of(world, low, high);
    place.keep_going = world->def.keep_going;
    place.keep_going_user = world->def.keep_going_user;
    ergi_placed grains = {0};
    uint64_t    fit = 0;
    status = ergi_place(&place, &grains, &fit, err);
    if (placed) *placed = status == ERG_OK ? grains.count : fit;
    erg_vec3 *motion = NULL;
    if (status == ERG_OK) {
        motion = ergi_memory_new(2 * grains.count, sizeof *motion, "grains", err);
        if (!motion) status = ERG_NO_MEMORY;
    }
    if (status == ERG_OK) {
        for (size_t i = 0; i < grains.count; i++) {
            motion[i] = def->velocity;
            motion[grains.count + i] = def->spin;
        }
        erg_grains g = {.kind = def->grain,
                        .count = grains.count,
                        .position = grains.position,
                        .orientation = grains.orientation,
                        .velocity = motion,
                        .spin = motion + grains.count};
        status = ergi_grains_add(world, &g, grains.size, NULL, err);
        if (status == ERG_OK) world->clock.fills++;
    }
    ergi_memory_free(motion);
    ergi_placed_free(&grains);
    ergi_placement_grid_free(&r.grid);
    return status;
}

// ---- Emitters ----------------------------------------------------------------------------------
enum { ASK_EVERY = 1 << 16 };                // grains between two calls of keep_going
static const double LONGEST_INTERVAL = 5e-3; // longer intervals would show as pulses [s]

// Interval between releases, in which no grain flies farther than the smallest radius: a grain that
// appears on one side of a thin wall is not placed on the other, and there is space for the next
// [s].
static double release_interval(const erg_world *world, const ergi_emitter *e)
{
    const ergi_kind *kind = &world->kind[e->kind];
    const double    *g = world->clock.gravity;
    double           least, most;
    ergi_sizes_range(&kind->sizes, &least, &most);
    double distance = 0.9 * least * kind->shape.bounding_radius;
    double speed = ergi_norm(e->velocity) + e->spread;
    double gain = 2 * distance * ergi_norm(ergi_vec3(g[0], g[1], g[2]));
    // distance = speed t + 1/2 g t^2, solved so that either term may be 0
    return fmin(2 * distance / (speed + sqrt(speed * speed + gain)), LONGEST_INTERVAL);
}

// The grains of one release: each appeared in the region at its own time and has flown since then.
typedef struct batch {
    erg_vec3 *velocity; // now
    erg_vec3 *shift;    // since it appeared [m]
} batch;

// Grains appear 1/rate apart, the first when the fraction left over from before has grown to a
// whole grain. Those that found no space before appear now. None flies longer than an interval,
// even if the time step is longer or a command has just raised gravity.
static erg_status make_batch(const erg_world *world, size_t number, uint64_t count,
                             double left_over, batch *made, erg_error *err)
{
    const ergi_emitter *e = &world->emitter[number];
    double        rate = world->emitter_state[number].rate, longest = release_interval(world, e);
    double        elapsed = world->clock.time - world->emitter_state[number].last;
    const double *g = world->clock.gravity;
    made->velocity = ergi_memory_new(2 * count, sizeof *made->velocity, "grains", err);
    if (!made->velocity) return ERG_NO_MEMORY;
    made->shift = made->velocity + count;
    for (uint64_t i = 0; i < count; i++) {
        if (i % ASK_EVERY == ASK_EVERY - 1 && world->def.keep_going &&
            !world->def.keep_going(world->def.keep_going_user)) {
            ergi_memory_free(made->velocity);
            return ergi_fail(err, ERG_CANCELLED, "releasing grains was cancelled");
        }
        ergi_random random = {.seed = world->def.seed,
                              .stream = (uint32_t)(STREAM_SPREAD + number),
                              .id = world->clock.next_id + i};
        double      wait = ((double)(i + 1) - left_over) / rate;
        double      age = wait < 0 ? 0 : fmin(fmax(elapsed - wait, 0), longest);
        erg_vec3    v = ergi_madd(e->velocity, e->spread, ergi_random_in_ball(&random));
        erg_vec3    gain = ergi_scale(ergi_vec3(g[0], g[1], g[2]), age);
        made->shift[i] = ergi_scale(ergi_madd(v, 0.5, gain), age);
        made->velocity[i] = ergi_add(v, gain);
    }
    return ERG_OK;
}

// Upper bound: the number of spheres that fill the volume of the region's bounding box.
static uint64_t most_in_region(const ergi_emitter *e, double smallest)
{
    erg_vec3 low, high;
    ergi_region_bounds(&e->region, &low, &high);
    erg_vec3 size = ergi_scale(ergi_sub(high, low), 1 / smallest);
    return (uint64_t)fmin(size.x * size.y * size.z / (4.0 / 3.0 * ERGI_PI) + 1, 1e9);
}

// Bounds of the positions that the grains of a batch may have now.
static void batch_bounds(const batch *b, uint64_t count, const erg_region *region, erg_vec3 *low,
                         erg_vec3 *high)
{
    ergi_region_bounds(region, low, high);
    erg_vec3 least = {0}, most = {0};
    for (uint64_t i = 0; i < count; i++) {
        erg_vec3 s = b->shift[i];
        least = ergi_vec3(fmin(least.x, s.x), fmin(least.y, s.y), fmin(least.z, s.z));
        most = ergi_vec3(fmax(most.x, s.x), fmax(most.y, s.y), fmax(most.z, s.z));
    }
    *low = ergi_add(*low, least);
    *high = ergi_add(*high, most);
}

// Positions across a periodic face are not free either: grains of one batch are not checked against
// each other's images.
static bool emitted_is_free(void *user, erg_vec3 c, double radius)
{
    const erg_world_def *def = &((const obstacles *)user)->world->def;
    double               touch = radius * (1 - 1e-9);
    if (def->periodic_x && (c.x - touch < def->lower.x || c.x + touch > def->upper.x)) return false;
    if (def->periodic_y && (c.y - touch < def->lower.y || c.y + touch > def->upper.y)) return false;
    return is_free(user, c, radius);
}

static erg_status emit(erg_world *world, size_t number, uint64_t count, double left_over,
                       uint64_t *given, erg_error *err)
{
    const ergi_emitter *e = &world->emitter[number];
    ergi_emitter_state *state = &world->emitter_state[number];
    const ergi_kind    *kind = &world->kind[e->kind];
    double              least, most;
    ergi_sizes_range(&kind->sizes, &least, &most);
    uint64_t tried = most_in_region(e, least * kind->shape.bounding_radius);
    if (tried > count) tried = count;
    obstacles  r;
    batch      b = {0};
    erg_status status = make_batch(world, number, tried, left_over, &b, err);
    if (status != ERG_OK) return status;
    erg_vec3 low, high;
    batch_bounds(&b, tried, &e->region, &low, &high);
    status = collect_obstacles(&r, world, low, high, most * kind->shape.bounding_radius, err);
    if (status != ERG_OK) {
        ergi_memory_free(b.velocity);
        return status;
    }
    ergi_place_def place = ergi_place_def_default();
    place.shape = &kind->shape;
    place.sizes = &kind->sizes;
    place.region = &e->region;
    place.count = tried;
    place.partial = true;
    place.placing = ERG_PLACE_RANDOM;
    place.attempts = 100;
    place.seed = world->def.seed;
    place.stream = (uint32_t)(STREAM_EMITTER + number);
    place.first = state->tries;
    place.shift = b.shift;
    place.is_free = emitted_is_free;
    place.user = &r;
    place.keep_going = world->def.keep_going;
    place.keep_going_user = world->def.keep_going_user;
    ergi_placed grains = {0};
    status = ergi_place(&place, &grains, NULL, err);
    state->tries += count;
    if (status == ERG_OK) {
        for (size_t i = 0; i < grains.count; i++)
            state->mass += ergi_kind_mass(kind, grains.size[i]);
        erg_grains g = {.kind = e->kind + 1,
                        .count = grains.count,
                        .position = grains.position,
                        .orientation = grains.orientation,
                        .velocity = b.velocity};
        status = ergi_grains_add(world, &g, grains.size, NULL, err);
        *given = grains.count;
    }
    ergi_memory_free(b.velocity);
    ergi_placed_free(&grains);
    ergi_placement_grid_free(&r.grid);
    return status;
}

// Decimals for three significant digits, and none of a whole number.
static int digits_of(double value)
{
    return value == rint(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
}

// Warns once, if there was too little space for twenty intervals in a row and a tenth of the grains
// of that time is missing.
static void warn_of_shortfall(erg_world *world, size_t number, double step)
{
    ergi_emitter             *e = &world->emitter[number];
    const ergi_emitter_state *state = &world->emitter_state[number];
    double                    asked = state->rate * state->short_time;
    if (e->warned || state->short_time < 20 * step ||
        asked - (double)state->short_given < fmax(1, 0.1 * asked))
        return;
    e->warned = true;
    char name[ERGI_NAME_ROOM + 16];
    if (e->name[0])
        snprintf(name, sizeof name, "emitter '%s'", e->name);
    else
        snprintf(name, sizeof name, "emitter number %zu", number + 1);
    double had = (double)state->short_given / state->short_time;
    ergi_log(world, ERG_LOG_WARNING,
             "%s cannot keep its rate of %.*f grains per second: its region had room for about "
             "%.*f; make the region larger, the grains faster, or the rate lower",
             name, digits_of(state->rate), state->rate, digits_of(had), had);
}

// A sink that opens on grains at rest must be checked even though the lists are still valid.
static void open_sinks(erg_world *world)
{
    for (size_t k = 0; k < world->sinks; k++)
        if (!world->sink_state[k].opened && world->clock.time >= world->sink[k].start) {
            world->sink_state[k].opened = 1;
            world->clock.dirty = true;
        }
}

// Grains are released before the step that would make the interval too long. The last release
// covers the time up to the emitter's stop.
static bool emitter_due(const erg_world *world, size_t k)
{
    const ergi_emitter       *e = &world->emitter[k];
    const ergi_emitter_state *state = &world->emitter_state[k];
    double                    elapsed = world->clock.time - state->last;
    return elapsed > 0 && elapsed >= release_interval(world, e) - world->clock.dt &&
           state->last < e->stop && !(e->limit && state->given >= e->limit);
}

bool ergi_sources_due(const erg_world *world)
{
    for (size_t k = 0; k < world->emitters; k++)
        if (emitter_due(world, k)) return true;
    return false;
}

static erg_status release(erg_world *world, size_t k, erg_error *err)
{
    const ergi_emitter *e = &world->emitter[k];
    ergi_emitter_state *state = &world->emitter_state[k];
    double              now = world->clock.time, step = release_interval(world, e);
    double              elapsed = fmin(now, e->stop) - state->last, left_over = state->due;
    // A blocked emitter does not catch up later: at most two intervals' worth of grains is kept.
    double most = state->rate > 0 ? 2 * state->rate * fmax(step, elapsed) + 1 : 0;
    state->due += state->rate * elapsed;
    bool is_short = state->rate > 0 && state->due > most;
    state->due = fmin(state->due, most);
    uint64_t count = (uint64_t)state->due, given = 0;
    if (e->limit && state->given + count > e->limit) count = e->limit - state->given;
    if (count) {
        erg_status status = emit(world, k, count, left_over, &given, err);
        if (status != ERG_OK) return status;
    }
    state->last = now;
    state->due -= (double)given;
    state->given += given;
    state->short_time = is_short ? state->short_time + elapsed : 0;
    state->short_given = is_short ? state->short_given + given : 0;
    world->clock.emitted += given;
    if (is_short) warn_of_shortfall(world, k, step);
    return ERG_OK;
}

double ergi_sources_expected(const erg_world *world, size_t emitter, double time)
{
    const ergi_emitter       *e = &world->emitter[emitter];
    const ergi_emitter_state *state = &world->emitter_state[emitter];
    double from = fmax(e->start, world->clock.time), more = fmax(0, fmin(time, e->stop) - from);
    double all = (double)state->given;
    if (state->rate > 0) all += floor(state->rate * more); // 0 times infinity is no number
    return e->limit ? fmin(all, (double)e->limit) : all;
}

void ergi_sources_set_rate(erg_world *world, size_t emitter, double rate)
{
    ergi_emitter_state *state = &world->emitter_state[emitter];
    state->rate = rate;
    state->short_time = 0;
    state->short_given = 0;
}

// All that releases change, so that they can be undone.
typedef struct before {
    ergi_clock          clock;
    ergi_emitter_state *emitter;
    size_t              grains;
} before;

static void undo(erg_world *world, const before *b)
{
    erg_status status = ergi_registry_resize(&world->registry, world->grains.rows, b->grains, NULL);
    (void)status; // shrinking does not fail
    memcpy(world->emitter_state, b->emitter, world->emitters * sizeof *b->emitter);
    world->clock = b->clock;
}

erg_status ergi_sources_emit(erg_world *world, erg_error *err)
{
    erg_status status = ERG_OK;
    if (ergi_sources_due(world)) {
        size_t n = world->emitters;
        before b = {world->clock, NULL, world->grains.rows};
        b.emitter = ergi_memory_new(n, sizeof *b.emitter, "emitters", err);
        if (!b.emitter) return ERG_NO_MEMORY;
        memcpy(b.emitter, world->emitter_state, n * sizeof *b.emitter);
        for (size_t k = 0; k < n && status == ERG_OK; k++)
            if (emitter_due(world, k)) status = release(world, k, err);
        if (status != ERG_OK) undo(world, &b);
        ergi_memory_free(b.emitter);
    }
    if (status == ERG_OK) open_sinks(world);
    return status;
}

// ---- Sinks and the edge of the domain ----------------------------------------------------------
static bool outside(const erg_world_def *def, const double *x)
{
    return (!def->periodic_x && (x[0] < def->lower.x || x[0] > def->upper.x)) ||
           (!def->periodic_y && (x[1] < def->lower.y || x[1] > def->upper.y)) ||
           x[2] < def->lower.z || x[2] > def->upper.z;
}

static bool bounded(const erg_world_def *def)
{
    return isfinite(def->lower.x) || isfinite(def->lower.y) || isfinite(def->lower.z) ||
           isfinite(def->upper.x) || isfinite(def->upper.y) || isfinite(def->upper.z);
}

erg_status ergi_sources_mark_leaving(erg_world *world, const uint8_t **leaves, erg_error *err)
{
    *leaves = NULL;
    bool box = bounded(&world->def);
    if (!box && world->sinks == 0) return ERG_OK;
    size_t     n = world->grains.rows, gone = 0;
    erg_status status = ergi_memory_grow(&world->leaves, &world->leaves_room, n, 1, "sinks", err);
    if (status != ERG_OK) return status;
    const double *x = ERGI_GRAIN(world, POSITION, double);
    for (size_t i = 0; i < n; i++) {
        const double *p = x + 4 * i;
        world->leaves[i] = 0;
        if (box && outside(&world->def, p)) {
            world->leaves[i] = 1;
            world->clock.lost++;
            gone++;
            continue;
        }
        for (size_t k = 0; k < world->sinks; k++) {
            const ergi_sink *s = &world->sink[k];
            if (world->clock.time < s->start || world->clock.time >= s->stop ||
                !ergi_region_contains(&s->region, ergi_vec3(p[0], p[1], p[2])))
                continue;
            world->leaves[i] = 1;
            world->sink_state[k].taken++;
            world->sink_state[k].mass += ergi_grain_mass(world, (erg_index)i);
            world->clock.removed++;
            gone++;
            break;
        }
    }
    if (gone) *leaves = world->leaves;
    return ERG_OK;
}
