// Copies a world's grains with their contact history.
#include "base/error.h"
#include "base/memory.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "solver/solver.h"
#include "world/grains.h"
#include "world/rollback.h"

// The grains to copy, in memory order.
typedef struct originals {
    size_t    count;
    erg_vec3 *position, *shifted, *velocity, *spin;
    erg_quat *orientation;
} originals;

static void free_originals(originals *o)
{
    ergi_memory_free(o->position);
    ergi_memory_free(o->shifted);
    ergi_memory_free(o->velocity);
    ergi_memory_free(o->spin);
    ergi_memory_free(o->orientation);
}

static erg_status read_originals(originals *o, const erg_world *from, erg_error *err)
{
    size_t n = from->grains.rows;
    *o = (originals){n,
                     ergi_memory_new(n + 1, sizeof *o->position, "copies", err),
                     ergi_memory_new(n + 1, sizeof *o->shifted, "copies", err),
                     ergi_memory_new(n + 1, sizeof *o->velocity, "copies", err),
                     ergi_memory_new(n + 1, sizeof *o->spin, "copies", err),
                     ergi_memory_new(n + 1, sizeof *o->orientation, "copies", err)};
    if (!o->position || !o->shifted || !o->velocity || !o->spin || !o->orientation)
        return ERG_NO_MEMORY;
    const double *x = ERGI_GRAIN(from, POSITION, double),
                 *q = ERGI_GRAIN(from, ORIENTATION, double);
    const void *motion = from->grains.data[ERGI_GRAIN_MOTION];
    ergi_type   real = ergi_world_real(from);
    for (size_t i = 0; i < n; i++, x += 4, q += 4) {
        double v[3], w[3];
        ergi_get3(motion, real, i, ERGI_VELOCITY, v);
        ergi_get3(motion, real, i, ERGI_SPIN, w);
        o->position[i] = ergi_vec3(x[0], x[1], x[2]);
        o->orientation[i] = (erg_quat){q[0], q[1], q[2], q[3]};
        o->velocity[i] = ergi_vec3(v[0], v[1], v[2]);
        o->spin[i] = ergi_vec3(w[0], w[1], w[2]);
    }
    return ERG_OK;
}

static erg_status check_copies(const erg_world *world, const erg_world *from, erg_error *err)
{
    if (world == from || world->grains.rows > 0 || world->clock.steps > 0)
        return ergi_fail_code(err, ERG_ERROR_TOO_LATE,
                              "the target world must have no grains and must not have stepped yet");
    if (ergi_world_real(world) != ergi_world_real(from))
        return ergi_fail_code(err, ERG_ERROR_CONFLICT, "both worlds must have the same precision");
    for (size_t k = 0; k < from->kinds; k++)
        if (k >= world->kinds || world->kind[k].shape.count != from->kind[k].shape.count)
            return ergi_fail_code(err, ERG_ERROR_CONFLICT,
                                  "grain kind %zu differs between the two worlds: define the same "
                                  "grain kinds in the same order",
                                  k + 1);
    return ERG_OK;
}

// Makes one copy, with one call per run of consecutive grains of the same kind.
static erg_status add_copy(erg_world *world, const erg_world *from, const originals *o,
                           erg_vec3 shift, erg_error *err)
{
    const uint32_t *kind = ERGI_GRAIN(from, KIND, uint32_t);
    const double   *size = ERGI_GRAIN(from, SIZE, double);
    erg_status      status = ERG_OK;
    for (size_t i = 0; i < o->count; i++) o->shifted[i] = ergi_add(o->position[i], shift);
    for (size_t i = 0, next; i < o->count && status == ERG_OK; i = next) {
        for (next = i + 1; next < o->count && kind[next] == kind[i];) next++;
        erg_grains run = {.kind = kind[i] + 1,
                          .count = next - i,
                          .position = o->shifted + i,
                          .orientation = o->orientation + i,
                          .velocity = o->velocity + i,
                          .spin = o->spin + i};
        status = ergi_grains_add(world, &run, size + i, NULL, err);
    }
    return status;
}

erg_status erg_world_add_copies(erg_world *world, const erg_world *from, const erg_vec3 *shift,
                                size_t shifts, erg_error *err)
{
    if (!world || !from || (!shift && shifts > 0)) return ergi_fail_null(err, __func__);
    originals  o = {0};
    erg_status status = check_copies(world, from, err);
    if (status == ERG_OK) status = read_originals(&o, from, err);
    for (size_t k = 0; k < shifts && status == ERG_OK; k++) {
        if (!ergi_finite(shift[k]))
            status = ergi_fail_code(err, ERG_ERROR_NOT_FINITE, "shift %zu of %zu is not finite", k,
                                    shifts);
        else
            status = add_copy(world, from, &o, shift[k], err);
    }
    if (status == ERG_OK && o.count && shifts && from->prepared && !from->clock.dirty &&
        world->solver == from->solver && world->solver->inherit)
        status = world->solver->inherit(world, from, err);
    free_originals(&o);
    ergi_rollback_drop(world);
    world->prepared = false;
    return status;
}
