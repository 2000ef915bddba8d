// Creation of fine particles: at the start, and later for new grains.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/times.h"
#include "geom/vec3.h"
#include "upsample/fine_seed.h"
#include "upsample/upsample.h"

// ---- When --------------------------------------------------------------------------------------
static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Whether the median speed is below a tenth of the speed gained in falling one diameter, with at
// least one contact per grain on average. The median ignores the fast stream of an hourglass; the
// contacts exclude grains that have not yet begun to fall.
static bool settled(const erg_world *world)
{
    const double *g = world->clock.gravity;
    size_t        n = world->grains.rows;
    double        weight = ergi_norm(ergi_vec3(g[0], g[1], g[2]));
    // Nothing to wait for: all grains come from emitters, or there is no gravity.
    if (world->clock.emitted + 1 == world->clock.next_id || !(weight > 0)) return true;
    if (n == 0 || world->clock.contacts + world->clock.wall_contacts < n) return false;
    double *speed = malloc(n * sizeof *speed);
    if (!speed) return false;
    for (size_t i = 0; i < n; i++) {
        double v[3];
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_VELOCITY,
                  v);
        speed[i] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }
    qsort(speed, n, sizeof *speed, by_size);
    double limit = 0.1 * sqrt(2 * weight * 2 * ergi_upsample_mean_radius(world));
    bool   slow = speed[n / 2] < limit * limit;
    free(speed);
    return slow;
}

bool ergi_upsample_starts(const erg_world *world)
{
    double start = world->upsample->def.start;
    return start < 0 ? settled(world) : ergi_time_reached(world->clock.time, start);
}

// ---- Where -------------------------------------------------------------------------------------
// Fixed-point range that covers the domain; on an unbounded axis, a wide surround of all grains,
// walls and emitters.
static ergi_fine_frame lattice_for(const erg_world *world)
{
    const erg_world_def *def = &world->def;
    double               low[3] = {def->lower.x, def->lower.y, def->lower.z},
           high[3] = {def->upper.x, def->upper.y, def->upper.z};
    double          widest = 0;
    ergi_fine_frame l;
    memset(&l, 0, sizeof l);
    for (int a = 0; a < 3; a++) {
        if (isfinite(low[a]) && isfinite(high[a])) continue;
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (size_t i = 0; i < world->grains.rows; i++) {
            double x = ERGI_GRAIN(world, POSITION, double)[4 * i + (size_t)a];
            least = fmin(least, x);
            most = fmax(most, x);
        }
        for (size_t w = 0; w < world->walls; w++) {
            erg_vec3 from, to;
            if (!ergi_wall_bounds(&world->wall[w].wall, &world->wall_state[w].pose, &from, &to))
                continue;
            least = fmin(least, a == 0 ? from.x : a == 1 ? from.y : from.z);
            most = fmax(most, a == 0 ? to.x : a == 1 ? to.y : to.z);
        }
        for (size_t k = 0; k < world->emitters; k++) {
            erg_vec3 from, to;
            ergi_region_bounds(&world->emitter[k].region, &from, &to);
            least = fmin(least, a == 0 ? from.x : a == 1 ? from.y : from.z);
            most = fmax(most, a == 0 ? to.x : a == 1 ? to.y : to.z);
        }
        if (!(least <= most))
            least = most = isfinite(low[a]) ? low[a] : isfinite(high[a]) ? high[a] : 0;
        double room = 8 * (most - least) + 100 * ergi_upsample_mean_radius(world);
        low[a] = isfinite(low[a]) ? low[a] : least - room;
        high[a] = isfinite(high[a]) ? high[a] : most + room;
    }
    for (int a = 0; a < 3; a++) widest = fmax(widest, high[a] - low[a]);
    for (int a = 0; a < 3; a++) {
        l.periodic[a] = world->space.period[a] > 0;
        l.origin[a] = l.periodic[a] ? world->space.lower[a] : 0.5 * (low[a] + high[a]);
        // The domain uses a quarter of the range, so that particles outside it are still detected.
        l.step[a] = l.periodic[a] ? world->space.period[a] / 4294967296.0 : widest * 0x1p-29;
    }
    return l;
}

enum { MOST_NEAR = 1024 }; // with more walls, all are queried

typedef struct room {
    const erg_world *world;
    const double    *position; // spheres to be seeded: x y z radius, 4 each [m]
    const uint32_t  *list;     // all walls
    size_t           count;
    bool             whole[2]; // no particle begins beyond the domain's bounds in x and in y
    double reach; // largest enlarged grain radius, at least the distance kept from walls [m]
} room;

static bool may_begin(void *user, size_t sphere, erg_vec3 p)
{
    const room          *r = user;
    const erg_world     *world = r->world;
    const ergi_upsample *u = world->upsample;
    const erg_world_def *def = &world->def;
    const double        *x = r->position + 4 * sphere;
    if ((r->whole[0] && (p.x < def->lower.x || p.x > def->upper.x)) ||
        (r->whole[1] && (p.y < def->lower.y || p.y > def->upper.y)) || p.z < def->lower.z ||
        p.z > def->upper.z)
        return false;
    uint32_t        near[MOST_NEAR];
    const uint32_t *list = r->list;
    size_t          count = r->count;
    ergi_extents    here = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    if (count <= MOST_NEAR) {
        count = ergi_fine_walls_near(&u->walls, here, near);
        list = near;
    }
    return ergi_fine_walls_clear(&u->walls, list, count, ergi_vec3(x[0], x[1], x[2]), p);
}

// A box farther than 1.3 radii from every wall holds no point of a sphere on the other side of one.
static bool may_begin_all(void *user, erg_vec3 low, erg_vec3 high)
{
    const room          *r = user;
    const ergi_upsample *u = r->world->upsample;
    const erg_world_def *def = &r->world->def;
    if ((r->whole[0] && (low.x < def->lower.x || high.x > def->upper.x)) ||
        (r->whole[1] && (low.y < def->lower.y || high.y > def->upper.y)) || low.z < def->lower.z ||
        high.z > def->upper.z)
        return false;
    erg_vec3 centre = ergi_scale(ergi_add(low, high), 0.5);
    double   radius = 0.5 * ergi_distance(low, high);
    for (size_t k = 0; k < r->count; k++)
        if (ergi_fine_walls_bound(&u->walls, r->list[k], centre, centre, radius) < r->reach)
            return false;
    return true;
}

static erg_status look_at_walls(erg_world *world, room *r, uint32_t **list, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    u->walls.keep = u->clock.radius;
    u->walls.reach = 4 * u->clock.radius / u->def.ratio;
    u->walls.friction = u->def.friction;
    ergi_pose *pose = ergi_memory_new(world->walls + 1, sizeof *pose, "walls", err);
    *list = ergi_memory_new(world->walls + 1, sizeof **list, "walls", err);
    erg_status status = pose && *list ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        for (size_t w = 0; w < world->walls; w++) {
            pose[w] = world->wall_state[w].pose;
            (*list)[w] = (uint32_t)w;
        }
        status =
            ergi_fine_walls_set(&u->walls, world->wall, pose, world->wall_state, world->walls, err);
    }
    ergi_memory_free(pose);
    *r = (room){.world = world,
                .position = u->coarse_position,
                .list = *list,
                .count = world->walls,
                .whole = {!world->def.periodic_x, !world->def.periodic_y},
                .reach = u->walls.keep};
    for (size_t s = 0; s < u->coarse_count; s++)
        r->reach = fmax(r->reach, ERGI_FINE_SEED_SCALE * u->coarse_position[4 * s + 3]);
    return status;
}

// Particle k takes its velocity and material from a grain: from sphere number sphere[k].
static erg_status append(erg_world *world, const double *position, const uint32_t *sphere,
                         size_t count, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    size_t         old = u->fine.rows, n = old;
    if (old + count > INT32_MAX / 2)
        return ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                              "%zu fine particles are more than one process holds", old + count);
    erg_status status = ergi_table_resize(&u->fine, old + count, err);
    if (status != ERG_OK) return status;
    ergi_fine_columns c = ergi_upsample_columns(u);
    uint8_t          *material = u->fine.data[ERGI_FINE_MATERIAL];
    for (size_t k = 0; k < count; k++) {
        const float *velocity = u->coarse_velocity + 3 * (size_t)sphere[k];
        int          inside = 1;
        for (int a = 0; a < 3; a++) {
            inside &= ergi_fine_to_fixed(&u->clock.lattice, a, position[3 * k + (size_t)a],
                                         &c.place[a][n]);
            c.velocity[a][n] = velocity[a];
        }
        material[n] = ergi_upsample_grain_material(world, u->coarse_grain[sphere[k]]);
        ((uint64_t *)u->fine.data[ERGI_FINE_ID])[n] = u->clock.next_id++;
        n += (size_t)inside;
    }
    if (n < old + count) {
        u->clock.lost += old + count - n;
        ergi_log(world, ERG_LOG_WARNING,
                 "%zu fine particles are too far from where the others began; set domain.bounds",
                 old + count - n);
    }
    if (n - old > n / 8) u->clock.unsorted = 1;
    return ergi_table_resize(&u->fine, n, err);
}

// ---- The start ---------------------------------------------------------------------------------
// The spheres of all grains that get particles, with those images beyond periodic bounds that reach
// into the domain. Without the images, the particles of two grains would share the space at those
// bounds.
typedef struct seed_spheres {
    double   *position; // x y z radius, 4 each [m]
    uint32_t *from;     // number of each in u->coarse_position
    size_t    count, room, from_room;
} seed_spheres;

static void seed_spheres_free(seed_spheres *s)
{
    ergi_memory_free(s->position);
    ergi_memory_free(s->from);
}

static erg_status add_images(const erg_world *world, size_t sphere, seed_spheres *s, erg_error *err)
{
    const double *x = world->upsample->coarse_position + 4 * sphere;
    const double *period = world->space.period, *lower = world->space.lower;
    double        reach = ERGI_FINE_SEED_SCALE * x[3];
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            double at[4] = {x[0] + i * period[0], x[1] + j * period[1], x[2], x[3]};
            bool   near = true;
            for (int a = 0; a < 2; a++)
                near =
                    near && ((a == 0 ? i : j) == 0 || (period[a] > 0 && at[a] + reach > lower[a] &&
                                                       at[a] - reach < lower[a] + period[a]));
            if (!near) continue;
            erg_status status = ergi_memory_grow(&s->position, &s->room, 4 * (s->count + 1),
                                                 sizeof *s->position, "fine particles", err);
            if (status == ERG_OK)
                status = ergi_memory_grow(&s->from, &s->from_room, s->count + 1, sizeof *s->from,
                                          "fine particles", err);
            if (status != ERG_OK) return status;
            memcpy(s->position + 4 * s->count, at, sizeof at);
            s->from[s->count++] = (uint32_t)sphere;
        }
    return ERG_OK;
}

static erg_status list_spheres(const erg_world *world, seed_spheres *s, erg_error *err)
{
    const ergi_upsample *u = world->upsample;
    erg_status           status = ERG_OK;
    for (size_t k = 0; k < u->coarse_count && status == ERG_OK; k++)
        if (ergi_upsample_in_region(world, u->coarse_grain[k]))
            status = add_images(world, k, s, err);
    return status;
}

static erg_status append_seeds(erg_world *world, const ergi_fine_seeds *seeds, const uint32_t *from,
                               erg_error *err)
{
    uint32_t *sphere = ergi_memory_new(seeds->count, sizeof *sphere, "fine particles", err);
    if (!sphere) return ERG_NO_MEMORY;
    for (size_t k = 0; k < seeds->count; k++) sphere[k] = from[seeds->sphere[k]];
    erg_status status = append(world, seeds->position, sphere, seeds->count, err);
    ergi_memory_free(sphere);
    return status;
}

static uint64_t seed_of(const erg_world *world)
{
    return world->upsample->def.seed ? world->upsample->def.seed : world->def.seed;
}

static erg_status seed_all(erg_world *world, size_t wanted, erg_error *err)
{
    uint32_t       *list = NULL;
    room            r;
    seed_spheres    spheres = {0};
    ergi_fine_seeds seeds = {0};
    erg_status      status = ergi_upsample_coarse(world, true, err);
    if (status == ERG_OK) status = look_at_walls(world, &r, &list, err);
    if (status == ERG_OK) status = list_spheres(world, &spheres, err);
    if (status == ERG_OK) {
        r.position = spheres.position;
        r.whole[0] = r.whole[1] = true;
        ergi_fine_seed_def def = {.position = spheres.position,
                                  .count = spheres.count,
                                  .wanted = wanted,
                                  .seed = seed_of(world),
                                  .may = may_begin,
                                  .may_all = may_begin_all,
                                  .user = &r};
        memcpy(def.lower, world->space.lower, sizeof def.lower);
        memcpy(def.period, world->space.period, sizeof def.period);
        status = ergi_fine_seed(&def, &world->threads, &seeds, err);
    }
    if (status == ERG_OK) status = append_seeds(world, &seeds, spheres.from, err);
    seed_spheres_free(&spheres);
    ergi_memory_free(list);
    ergi_fine_seeds_free(&seeds);
    return status;
}

erg_status ergi_upsample_start(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    double         begun = ergi_clock_seconds(), volume = ergi_upsample_volume(world);
    u->travel_rows = 0; // after a rollback there may be distances of other particles
    u->clock.radius = u->def.ratio * ergi_upsample_mean_radius(world);
    if (!(u->clock.radius > 0)) return ERG_OK; // no grains, and none to come
    u->clock.lattice = lattice_for(world);
    u->clock.density = ergi_upsample_density(world, u->clock.radius);
    double wanted = rint(volume * u->clock.density);
    if (wanted > 1e9)
        return ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                              "%.3g fine particles are more than one process holds", wanted);
    erg_status status = seed_all(world, (size_t)wanted, err);
    if (status != ERG_OK) return status;
    u->clock.started = 1;
    u->stats.seed_s += ergi_clock_seconds() - begun;
    if (u->fine.rows == 0 && !(ergi_upsample_volume_to_come(world) > 0) && !world->terrain)
        ergi_log(world, ERG_LOG_WARNING,
                 "there are no fine particles: no grain is inside "
                 "upsample.region");
    ergi_log(world, ERG_LOG_INFO, "%zu fine particles of %.3g m from t = %.4g s", u->fine.rows,
             u->clock.radius, world->clock.time);
    return ERG_OK;
}

// ---- New grains --------------------------------------------------------------------------------
enum { STREAM = 0xf19e, MOST_TRIES = 40, FEW = 256, CHUNK = 8 };

// The spheres of one new grain: `count` from number `first` on.
typedef struct new_grain {
    size_t   first, count;
    uint64_t id;
    size_t   wanted; // particles
    size_t   place;  // of few particles: of the first one's room in `darts`
    size_t   thrown;
} new_grain;

typedef struct new_grains {
    const erg_world *world;
    room             room;
    new_grain       *grain;
    double          *dart; // x y z [m]
    size_t           grains, darts, grain_room, dart_room;
} new_grains;

// Dart throwing for few particles; the minimum distance shrinks with each rejected dart.
static size_t throw_darts(const erg_world *world, const room *r, const new_grain *g, double *out)
{
    const double *s = world->upsample->coarse_position + 4 * g->first;
    ergi_random   random = {.seed = seed_of(world), .stream = STREAM, .id = g->id};
    double        total = 0, wanted = (double)g->wanted;
    for (size_t k = 0; k < g->count; k++) total += pow(s[4 * k + 3], 3);
    double apart = 0.85 * cbrt(4.0 / 3 * ERGI_PI * pow(ERGI_FINE_SEED_SCALE, 3) * total / wanted);
    size_t count = 0;
    for (size_t tries = 0; count < g->wanted && tries < MOST_TRIES * g->wanted; tries++) {
        double pick = ergi_random_uniform(&random) * total;
        size_t k = 0;
        for (; k + 1 < g->count && pick >= pow(s[4 * k + 3], 3); k++) pick -= pow(s[4 * k + 3], 3);
        erg_vec3 p = ergi_madd(ergi_vec3(s[4 * k], s[4 * k + 1], s[4 * k + 2]),
                               ERGI_FINE_SEED_SCALE * s[4 * k + 3], ergi_random_in_ball(&random));
        bool     is_free = true;
        for (size_t j = 0; j < count && is_free; j++)
            is_free =
                ergi_distance(p, ergi_vec3(out[3 * j], out[3 * j + 1], out[3 * j + 2])) >= apart;
        if (is_free && may_begin((void *)(uintptr_t)r, g->first + k, p)) {
            out[3 * count] = p.x;
            out[3 * count + 1] = p.y;
            out[3 * count + 2] = p.z;
            count++;
        } else
            apart *= 0.98;
    }
    return count;
}

// Grains are seeded independently of each other, and then added in order.
static void throw_at_grains(void *ctx, erg_index begin, erg_index end, int chunk)
{
    new_grains *n = ctx;
    (void)chunk;
    for (erg_index k = begin; k < end; k++) {
        new_grain *g = &n->grain[k];
        if (g->wanted <= FEW) g->thrown = throw_darts(n->world, &n->room, g, n->dart + g->place);
    }
}

static erg_status append_darts(erg_world *world, const new_grains *n, const new_grain *g,
                               erg_error *err)
{
    uint32_t sphere[FEW];
    for (size_t k = 0; k < g->thrown; k++) sphere[k] = (uint32_t)g->first;
    return append(world, n->dart + g->place, sphere, g->thrown, err);
}

// A grain with many particles is seeded like all grains at the start.
static erg_status seed_large_grain(erg_world *world, const room *r, const new_grain *g,
                                   erg_error *err)
{
    room               own = *r;
    ergi_fine_seeds    seeds;
    ergi_fine_seed_def def = {.position = world->upsample->coarse_position + 4 * g->first,
                              .count = g->count,
                              .wanted = g->wanted,
                              .seed = seed_of(world),
                              .stream = g->id,
                              .may = may_begin,
                              .may_all = may_begin_all,
                              .user = &own};
    own.position = def.position;
    uint32_t *from = ergi_memory_new(g->count, sizeof *from, "fine particles", err);
    if (!from) return ERG_NO_MEMORY;
    for (size_t k = 0; k < g->count; k++) from[k] = (uint32_t)(g->first + k);
    erg_status status = ergi_fine_seed(&def, &world->threads, &seeds, err);
    if (status == ERG_OK) status = append_seeds(world, &seeds, from, err);
    ergi_fine_seeds_free(&seeds);
    ergi_memory_free(from);
    return status;
}

// Number of particles of a grain: the expected number, rounded up or down at random.
static size_t share_of(const erg_world *world, size_t i, uint64_t id)
{
    const ergi_upsample *u = world->upsample;
    ergi_random          random = {.seed = world->def.seed, .stream = STREAM, .id = id, .step = 1};
    double               wanted = u->clock.density * ergi_upsample_grain_volume(world, i);
    if (!ergi_upsample_in_region(world, i)) return 0;
    return (size_t)(fmin(wanted, 1e8) + ergi_random_uniform(&random));
}

static erg_status list_new_grains(const erg_world *world, new_grains *n, erg_error *err)
{
    const ergi_upsample *u = world->upsample;
    erg_status           status = ERG_OK;
    for (size_t s = 0, end; s < u->coarse_count && status == ERG_OK; s = end) {
        size_t i = u->coarse_grain[s];
        for (end = s + 1; end < u->coarse_count && u->coarse_grain[end] == i;) end++;
        uint64_t id = ergi_upsample_grain_id(world, i);
        if (id < u->clock.next_grain) continue;
        new_grain g = {s, end - s, id, share_of(world, i, id), n->darts, 0};
        if (g.wanted == 0) continue;
        status = ergi_memory_grow(&n->grain, &n->grain_room, n->grains + 1, sizeof *n->grain,
                                  "new grains", err);
        if (status != ERG_OK) break;
        n->grain[n->grains++] = g;
        if (g.wanted <= FEW) n->darts += 3 * g.wanted;
    }
    if (status != ERG_OK) return status;
    return ergi_memory_grow(&n->dart, &n->dart_room, n->darts, sizeof *n->dart, "fine particles",
                            err);
}

erg_status ergi_upsample_seed_new_grains(erg_world *world, erg_error *err)
{
    if (world->upsample->clock.next_grain == world->clock.next_id) return ERG_OK;
    uint32_t  *list = NULL;
    new_grains n = {.world = world};
    erg_status status = ergi_upsample_coarse(world, true, err);
    if (status == ERG_OK) status = look_at_walls(world, &n.room, &list, err);
    if (status == ERG_OK) status = list_new_grains(world, &n, err);
    if (status == ERG_OK)
        ergi_parallel_for(&world->threads, (erg_index)n.grains, CHUNK, throw_at_grains, &n);
    for (size_t k = 0; k < n.grains && status == ERG_OK; k++) {
        const new_grain *g = &n.grain[k];
        status = g->wanted > FEW ? seed_large_grain(world, &n.room, g, err)
                                 : append_darts(world, &n, g, err);
    }
    ergi_memory_free(n.grain);
    ergi_memory_free(n.dart);
    ergi_memory_free(list);
    return status;
}
