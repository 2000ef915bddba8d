// Runge-Kutta-Fehlberg 4(5) with error control: the step grows and shrinks so that no grain's
// position error exceeds `tolerance` radii per step. E. Fehlberg, NASA TR R-315 (1969), table
// III.
//
// Contact springs are not part of the error estimate: each stage stretches them from their length
// at the start of the step with the stage's velocity, and only the accepted end state stores them.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dem/step.h"
#include "geom/vec3.h"
#include "world/walls.h"

enum { STAGES = 6, WIDTH = 13 }; // x 3, q 4, v 3, w 3

static const double node[STAGES] = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2};
static const double weight[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
};
static const double fifth[STAGES] = {16.0 / 135,      0,         6656.0 / 12825,
                                     28561.0 / 56430, -9.0 / 50, 2.0 / 55};
static const double error_weight[STAGES] = {1.0 / 360,       0,        -128.0 / 4275,
                                            -2197.0 / 75240, 1.0 / 50, 2.0 / 55};

typedef struct runge {
    double *y0, *k; // state at the start; derivatives, one stage after the other
    size_t  grains;
} runge;

typedef struct task {
    erg_world *world;
    runge      r;
    int        stage;
    double     h;
} task;

// ---- State in and out --------------------------------------------------------------------------
static void read_state(const erg_world *world, size_t i, double *y)
{
    ergi_type real = ergi_world_real(world);
    memcpy(y, ERGI_GRAIN(world, POSITION, double) + 4 * i, 3 * sizeof *y);
    memcpy(y + 3, ERGI_GRAIN(world, ORIENTATION, double) + 4 * i, 4 * sizeof *y);
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_VELOCITY, y + 7);
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_SPIN, y + 10);
}

static void store(erg_world *world, size_t i, const double *y)
{
    ergi_type real = ergi_world_real(world);
    erg_quat  q = ergi_quat_normalize((erg_quat){y[3], y[4], y[5], y[6]});
    memcpy(ERGI_GRAIN(world, POSITION, double) + 4 * i, y, 3 * sizeof *y);
    memcpy(ERGI_GRAIN(world, ORIENTATION, double) + 4 * i, (double[]){q.x, q.y, q.z, q.w},
           4 * sizeof *y);
    ergi_put3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_VELOCITY, y + 7);
    ergi_put3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_SPIN, y + 10);
}

static void slope(const erg_world *world, size_t i, double *dy)
{
    ergi_type real = ergi_world_real(world);
    double    y[WIDTH], f[3], t[3], inertia[3];
    read_state(world, i, y);
    ergi_get3(world->grains.data[ERGI_GRAIN_FORCE_TORQUE], real, i, ERGI_FORCE, f);
    ergi_get3(world->grains.data[ERGI_GRAIN_FORCE_TORQUE], real, i, ERGI_TORQUE, t);
    double   mass = ergi_grain_mass(world, (erg_index)i);
    erg_quat q = {y[3], y[4], y[5], y[6]}, w = {y[10], y[11], y[12], 0}, dq = ergi_quat_mul(w, q);
    ergi_grain_inertia(world, (erg_index)i, inertia);
    erg_vec3 wb = ergi_quat_unrotate(q, ergi_vec3(y[10], y[11], y[12]));
    erg_vec3 tb = ergi_quat_unrotate(q, ergi_vec3(t[0], t[1], t[2]));
    erg_vec3 lb = {inertia[0] * wb.x, inertia[1] * wb.y, inertia[2] * wb.z};
    erg_vec3 net = ergi_sub(tb, ergi_cross(wb, lb));
    erg_vec3 dw =
        ergi_quat_rotate(q, ergi_vec3(net.x / inertia[0], net.y / inertia[1], net.z / inertia[2]));
    for (int a = 0; a < 3; a++) {
        dy[a] = y[7 + a];
        dy[7 + a] = f[a] / mass + world->clock.gravity[a];
    }
    dy[3] = 0.5 * dq.x;
    dy[4] = 0.5 * dq.y;
    dy[5] = 0.5 * dq.z;
    dy[6] = 0.5 * dq.w;
    dy[10] = dw.x;
    dy[11] = dw.y;
    dy[12] = dw.z;
}

// ---- Passes over the grains --------------------------------------------------------------------
static void begin_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    task *t = ctx;
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        read_state(t->world, i, t->r.y0 + WIDTH * i);
}

static void stage_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    task *t = ctx;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        double y[WIDTH];
        for (size_t a = 0; a < WIDTH; a++) {
            y[a] = t->r.y0[WIDTH * i + a];
            for (int s = 0; s < t->stage; s++)
                y[a] +=
                    t->h * weight[t->stage][s] * t->r.k[((size_t)s * t->r.grains + i) * WIDTH + a];
        }
        store(t->world, i, y);
    }
}

static void slope_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    task *t = ctx;
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        slope(t->world, i, t->r.k + ((size_t)t->stage * t->r.grains + i) * WIDTH);
}

// Sets the state at the end of the step; reports the largest error and speed of the chunk.
static void end_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    task        *t = ctx;
    ergi_report *report = &ergi_dem_of(t->world)->report[chunk];
    report->error = report->speed_ratio = 0;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        double y[WIDTH], e[WIDTH];
        for (size_t a = 0; a < WIDTH; a++) {
            y[a] = t->r.y0[WIDTH * i + a];
            e[a] = 0;
            for (int s = 0; s < STAGES; s++) {
                double k = t->r.k[((size_t)s * t->r.grains + i) * WIDTH + a];
                y[a] += t->h * fifth[s] * k;
                e[a] += t->h * error_weight[s] * k;
            }
        }
        const ergi_shape *shape = &t->world->kind[ERGI_GRAIN(t->world, KIND, uint32_t)[i]].shape;
        double size = ERGI_GRAIN(t->world, SIZE, double)[i], radius = size * shape->smallest_radius;
        double reach = size * shape->bounding_radius;
        double error = ergi_norm(ergi_vec3(e[0], e[1], e[2])) +
                       t->h * ergi_norm(ergi_vec3(e[7], e[8], e[9])) +
                       t->h * reach * ergi_norm(ergi_vec3(e[10], e[11], e[12]));
        double displacement = t->h * (ergi_norm(ergi_vec3(y[7], y[8], y[9])) +
                                      reach * ergi_norm(ergi_vec3(y[10], y[11], y[12])));
        double damping = 1 / (1 + t->world->def.spin_damping * t->h);
        for (size_t a = 10; a < WIDTH; a++) y[a] *= damping;
        if (!(error / radius <= report->error))
            report->error = isnan(error) ? (double)INFINITY : error / radius;
        if (!(displacement / radius <= report->speed_ratio)) {
            report->speed_ratio = isnan(displacement) ? (double)INFINITY : displacement / radius;
            report->fastest = (uint32_t)i;
        }
        store(t->world, i, y);
    }
}

// ---- The step ----------------------------------------------------------------------------------
// Evaluates forces at the current state, `since` after the start of the step. False if something
// moved beyond its skin.
static bool evaluate(erg_world *world, double time, double since, bool dry_run)
{
    double dt = world->clock.dt;
    ergi_walls_pose(world, time + since);
    ergi_dem_advance(world, ERGI_SET_SPHERES);
    if (ergi_dem_lists_stale(world, 1) || ergi_dem_walls_stale(world, 1)) return false;
    world->clock.dt = since;
    ergi_dem_forces(world, dry_run);
    world->clock.dt = dt;
    return true;
}

static void restore(task *t)
{
    t->stage = 0;
    ergi_parallel_for(&t->world->threads, (erg_index)t->r.grains, ERGI_CHUNK, stage_range, t);
}

// Tries a step of t->h. Returns its error, or INFINITY if something moved beyond its skin.
static double attempt(task *t)
{
    erg_world *world = t->world;
    ergi_dem  *dem = ergi_dem_of(world);
    erg_index  n = (erg_index)t->r.grains;
    for (t->stage = 0; t->stage < STAGES; t->stage++) {
        ergi_parallel_for(&world->threads, n, ERGI_CHUNK, stage_range, t);
        if (!evaluate(world, world->clock.time, node[t->stage] * t->h, true)) return INFINITY;
        ergi_parallel_for(&world->threads, n, ERGI_CHUNK, slope_range, t);
    }
    ergi_parallel_for(&world->threads, n, ERGI_CHUNK, end_range, t);
    double error = 0;
    dem->speed_ratio = 0;
    for (int c = 0; c < ergi_chunk_count(n, ERGI_CHUNK); c++) {
        const ergi_report *r = &dem->report[c];
        error = fmax(error, r->error);
        if (r->speed_ratio > dem->speed_ratio) {
            dem->speed_ratio = r->speed_ratio;
            dem->fastest = r->fastest;
        }
    }
    return error;
}

// Power of the contacts on the grains, minus that put in by driven walls. [W]
static double contact_power(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    ergi_type       real = ergi_world_real(world);
    double          power = -dem->state.wall_power;
    for (size_t k = 0; k < 8 * world->grains.rows; k++)
        power += ergi_real_at(world->grains.data[ERGI_GRAIN_FORCE_TORQUE], real, k) *
                 ergi_real_at(world->grains.data[ERGI_GRAIN_MOTION], real, k);
    return power;
}

erg_status ergi_runge_step(erg_world *world, double *took, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    double    most = 0.1 * dem->state.contact_time, least = 1e-5 * dem->state.contact_time;
    double    tolerance = world->def.tolerance, h = fmin(world->clock.dt, most), error = INFINITY,
           power = contact_power(world);
    // Rebuild early: the attempts cannot rebuild the lists within the step.
    if (!world->clock.dirty) ergi_dem_advance(world, ERGI_SET_SPHERES);
    if (ergi_dem_lists_stale(world, 0.5) || ergi_dem_walls_stale(world, 0.5)) {
        erg_status status = ergi_dem_remove_and_rebuild(world, err);
        if (status != ERG_OK) return status;
    }
    size_t     n = world->grains.rows;
    erg_status status = ergi_memory_grow(&dem->runge, &dem->runge_room, n * WIDTH * (STAGES + 1),
                                         sizeof(double), "RKF45", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&dem->runge_walls, &dem->runge_walls_room, world->walls,
                                  sizeof *dem->runge_walls, "RKF45", err);
    if (status != ERG_OK) return status;
    for (size_t w = 0; w < world->walls; w++) dem->runge_walls[w] = world->wall_state[w];
    double *scratch = dem->runge;
    task    t = {world, {scratch, scratch + n * WIDTH, n}, 0, h};
    ergi_parallel_for(&world->threads, (erg_index)n, ERGI_CHUNK, begin_range, &t);
    for (;;) {
        t.h = h;
        // Every attempt drives servos and user-controlled walls from their state at the start.
        for (size_t w = 0; w < world->walls; w++) world->wall_state[w] = dem->runge_walls[w];
        ergi_walls_drive(world, world->clock.time, h);
        error = attempt(&t);
        if (error <= tolerance || h <= least) break;
        h = fmax(least,
                 isfinite(error) ? h * fmax(0.2, 0.9 * pow(tolerance / error, 0.2)) : 0.5 * h);
        restore(&t);
    }
    if (!isfinite(error) && dem->speed_ratio <= 0.5)
        return ergi_fail(
            err, ERG_BAD_PHYSICS,
            "step %llu, t = %.6g s: rkf45 found no step that is small enough: something moves more "
            "than half a skin, %g m, in the shortest step; is a wall too fast?",
            (unsigned long long)world->clock.steps + 1, world->clock.time, 0.5 * dem->state.skin);
    if (ergi_dem_is_unphysical(world, h, err)) return ERG_BAD_PHYSICS;
    if (!evaluate(world, world->clock.time, h,
                  false)) { // the accepted state is just beyond the skins
        status = ergi_dem_remove_and_rebuild(world, err);
        if (status != ERG_OK) return status;
        (void)evaluate(world, world->clock.time, h, false);
    }
    if (ergi_dem_is_unphysical(world, h, err)) return ERG_BAD_PHYSICS;
    double after = contact_power(world);
    if (!isfinite(after))
        return ergi_fail(err, ERG_BAD_PHYSICS,
                         "step %llu, t = %.6g s: a contact force is not a number",
                         (unsigned long long)world->clock.steps + 1, world->clock.time + h);
    world->clock.work += 0.5 * h * (power + after);
    world->clock.max_overlap_ratio =
        fmax(world->clock.max_overlap_ratio, dem->worst_overlap.overlap_ratio);
    ergi_dem_release_workspace(world);
    *took = h;
    world->clock.dt = fmin(
        most, fmax(least, h * fmin(4, 0.9 * pow(tolerance / fmax(error, 1e-12 * tolerance), 0.2))));
    return ERG_OK;
}
