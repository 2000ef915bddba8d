#include "settle.h"

#include "bench.h"
#include "matter.h"

#include <stdlib.h>

enum {
    BLOCK = 20,  // steps between two brakings
    CHECK = 200, // steps between two checks of the energy, which cost more
};

// Factors applied to velocity and spin.
static const double DRAG_KEPT = 0.98; // a drag of 100 1/s, about critical damping
static const double CLIMB_KEPT = 0.5; // for grains that lose speed

typedef struct motion {
    size_t    count;
    erg_vec3 *velocity, *spin, *force, *torque;
    double   *mass;
} motion;

static void free_motion(motion *m)
{
    free(m->velocity);
    free(m->spin);
    free(m->force);
    free(m->torque);
    free(m->mass);
}

static erg_status make_motion(motion *m, const erg_world *world, erg_error *err)
{
    size_t n = erg_world_grain_count(world);
    *m = (motion){n,
                  malloc(n * sizeof *m->velocity),
                  malloc(n * sizeof *m->spin),
                  malloc(n * sizeof *m->force),
                  malloc(n * sizeof *m->torque),
                  malloc(n * sizeof *m->mass)};
    if (!m->velocity || !m->spin || !m->force || !m->torque || !m->mass)
        return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", n);
    return erg_world_read(world, ERG_FIELD_MASS, NULL, n, m->mass, err);
}

static double dot(erg_vec3 a, erg_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void scale(erg_vec3 *a, double factor)
{
    a->x *= factor;
    a->y *= factor;
    a->z *= factor;
}

// Reads velocities and spins, changes them by `how`, and writes them back.
static erg_status brake(erg_world *world, motion *m, bool forces, void (*how)(motion *),
                        erg_error *err)
{
    size_t     n = m->count;
    erg_status status = erg_world_read(world, ERG_FIELD_VELOCITY, NULL, n, m->velocity, err);
    if (status == ERG_OK) status = erg_world_read(world, ERG_FIELD_SPIN, NULL, n, m->spin, err);
    if (status == ERG_OK && forces)
        status = erg_world_read(world, ERG_FIELD_FORCE, NULL, n, m->force, err);
    if (status == ERG_OK && forces)
        status = erg_world_read(world, ERG_FIELD_TORQUE, NULL, n, m->torque, err);
    if (status != ERG_OK) return status;
    how(m);
    status = erg_world_write(world, ERG_FIELD_VELOCITY, NULL, n, m->velocity, err);
    if (status == ERG_OK) status = erg_world_write(world, ERG_FIELD_SPIN, NULL, n, m->spin, err);
    return status;
}

static void drag_all(motion *m)
{
    for (size_t i = 0; i < m->count; i++) {
        scale(&m->velocity[i], DRAG_KEPT);
        scale(&m->spin[i], DRAG_KEPT);
    }
}

// Brakes grains that lose energy: the power of forces and weight is negative.
static void stop_climbing(motion *m)
{
    for (size_t i = 0; i < m->count; i++) {
        double power = dot(m->velocity[i], m->force[i]) + dot(m->spin[i], m->torque[i]) -
                       m->velocity[i].z * m->mass[i] * MATTER_GRAVITY;
        if (!(power < 0)) continue;
        scale(&m->velocity[i], CLIMB_KEPT);
        scale(&m->spin[i], CLIMB_KEPT);
    }
}

static erg_status is_below(const erg_world *world, double kinetic, bool *below, erg_error *err)
{
    erg_stats  stats;
    erg_status status = erg_world_stats(world, &stats, err);
    if (status == ERG_OK) *below = matter_kinetic(&stats) < kinetic;
    return status;
}

erg_status settle_drag(erg_world *world, uint64_t steps, erg_error *err)
{
    motion     m;
    erg_status status = make_motion(&m, world, err);
    for (uint64_t k = 0; k < steps && status == ERG_OK; k += BLOCK) {
        status = erg_world_step(world, BLOCK, err);
        if (status == ERG_OK) status = brake(world, &m, false, drag_all, err);
    }
    free_motion(&m);
    return status;
}

// If the energy is low, steps the world without braking to check that it stays low.
static erg_status try_rest(erg_world *world, uint64_t alone, uint64_t *steps, bool *rests,
                           erg_error *err)
{
    erg_status status = is_below(world, 0.1 * MATTER_QUIET, rests, err);
    if (status != ERG_OK || !*rests) return status;
    *steps += alone;
    status = erg_world_step(world, alone, err);
    if (status == ERG_OK) status = is_below(world, 0.3 * MATTER_QUIET, rests, err);
    return status;
}

erg_status settle_rest(erg_world *world, uint64_t most, uint64_t alone, erg_error *err)
{
    motion     m;
    bool       rests = false;
    erg_status status = make_motion(&m, world, err);
    for (uint64_t k = 0; k < most && !rests && status == ERG_OK; k += BLOCK) {
        status = erg_world_step(world, BLOCK, err);
        if (status == ERG_OK && k % CHECK == 0) status = try_rest(world, alone, &k, &rests, err);
        if (status == ERG_OK && !rests) status = brake(world, &m, true, stop_climbing, err);
    }
    free_motion(&m);
    return status;
}
