#include "settle.h"

#include "bench.h"

#include <stdlib.h>

enum {
    BLOCK = 20,  // steps between two brakings
    ALONE = 400, // steps without braking that prove rest
};

// Of velocity and spin, kept by a braking: at the pack's step a drag of 100 1/s. What swings is at
// rest after some thousand steps, while a loose grain still falls or rolls to its place.
static const double KEPT = 0.98;

static erg_status brake(erg_world *world, erg_field field, double *value, erg_error *err)
{
    size_t     count = erg_world_grain_count(world);
    erg_status status = erg_world_read(world, field, NULL, count, value, err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < 3 * count; i++) value[i] *= KEPT;
    return erg_world_write(world, field, NULL, count, value, err);
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

erg_status settle(erg_world *world, double quiet, int most, erg_error *err)
{
    size_t  count = erg_world_grain_count(world);
    double *value = malloc(3 * count * sizeof *value);
    if (!value) return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", count);

    bool       rests = false;
    erg_status status = ERG_OK;
    for (int block = 0; block < most / BLOCK && !rests && status == ERG_OK; block++) {
        status = step_and_look(world, BLOCK, 0.2 * quiet, &rests, err);
        if (status == ERG_OK && rests)
            status = step_and_look(world, ALONE, 0.5 * quiet, &rests, err);
        if (status == ERG_OK && !rests) status = brake(world, ERG_FIELD_VELOCITY, value, err);
        if (status == ERG_OK && !rests) status = brake(world, ERG_FIELD_SPIN, value, err);
    }
    free(value);
    return status;
}
