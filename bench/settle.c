#include "settle.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum {
    BLOCK = 20,  // steps between two brakings
    FIRM = 10,   // blocks at first in which all are held back
    ALONE = 400, // steps without braking that prove rest
};

// Of velocity and spin, kept by a braking. At first little, of all: grains that were put down
// without memory find their friction again before they have moved. Then less of what is slowing
// down, and more of the rest: what swings loses its energy within a few swings, while a loose grain
// falls or rolls to its place almost unhindered, where a strong drag would let it creep.
typedef struct kept {
    double slowing, other;
} kept;
static const kept KEPT_FIRM = {0.8, 0.8}, KEPT = {0.5, 0.995};

typedef struct brakes {
    size_t    count;
    erg_vec3 *speed, *push; // velocity and force, or spin and torque
    double   *mass;
} brakes;

static bool brakes_make(brakes *b, size_t count)
{
    *b = (brakes){count, malloc(count * sizeof *b->speed), malloc(count * sizeof *b->push),
                  malloc(count * sizeof *b->mass)};
    return b->speed && b->push && b->mass;
}

static void brakes_free(brakes *b)
{
    free(b->speed);
    free(b->push);
    free(b->mass);
}

// Takes speed from all grains, by the power that acts on each.
static erg_status brake(erg_world *world, brakes *b, kept share, erg_field speed, erg_field push,
                        double gravity, erg_error *err)
{
    erg_status status = erg_world_read(world, speed, NULL, b->count, b->speed, err);
    if (status == ERG_OK) status = erg_world_read(world, push, NULL, b->count, b->push, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_MASS, NULL, b->count, b->mass, err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < b->count; i++) {
        erg_vec3 *v = &b->speed[i], f = b->push[i];
        double    power = f.x * v->x + f.y * v->y + (f.z - b->mass[i] * gravity) * v->z;
        double    k = power < 0 ? share.slowing : share.other;
        *v = (erg_vec3){k * v->x, k * v->y, k * v->z};
    }
    return erg_world_write(world, speed, NULL, b->count, b->speed, err);
}

// Steps, then asks whether the grains are quiet.
static erg_status step_and_look(erg_world *world, uint64_t steps, double quiet, bool *rests,
                                erg_error *err)
{
    erg_stats  stats;
    erg_status status = erg_world_step(world, steps, err);
    if (status == ERG_OK) status = erg_world_stats(world, &stats, err);
    if (status == ERG_OK) *rests = stats.kinetic + stats.rotational < quiet * (double)stats.grains;
    return status;
}

erg_status settle(erg_world *world, double gravity, double quiet, int most, erg_error *err)
{
    brakes     b;
    size_t     count = erg_world_grain_count(world);
    erg_status status = ERG_OK;
    if (!brakes_make(&b, count))
        status = bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", count);

    bool rests = false;
    for (int block = 0; block < most / BLOCK && !rests && status == ERG_OK; block++) {
        kept share = block < FIRM ? KEPT_FIRM : KEPT;
        status = step_and_look(world, BLOCK, 0.2 * quiet, &rests, err);
        if (status == ERG_OK && rests)
            status = step_and_look(world, ALONE, 0.5 * quiet, &rests, err);
        if (status == ERG_OK && !rests)
            status = brake(world, &b, share, ERG_FIELD_VELOCITY, ERG_FIELD_FORCE, gravity, err);
        if (status == ERG_OK && !rests)
            status = brake(world, &b, share, ERG_FIELD_SPIN, ERG_FIELD_TORQUE, 0, err);
    }
    brakes_free(&b);
    return status;
}
