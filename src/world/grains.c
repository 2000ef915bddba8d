#include "world/grains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"

static void put_motion(erg_world *world, size_t row, const double motion[8])
{
    void *data = world->grains.data[ERGI_GRAIN_MOTION];
    for (size_t k = 0; k < 8; k++)
        if (ergi_world_real(world) == ERGI_F64)
            ((double *)data)[8 * row + k] = motion[k];
        else
            ((float *)data)[8 * row + k] = (float)motion[k];
}

static void set_grain(erg_world *world, size_t row, const erg_grains *g, size_t k, double size,
                      erg_gid id)
{
    const ergi_kind *kind = &world->kind[g->kind - 1];
    erg_quat         q =
        g->orientation ? ergi_quat_normalize(g->orientation[k]) : kind->shape.principal_to_input;
    erg_vec3 v = g->velocity ? g->velocity[k] : ergi_vec3(0, 0, 0),
             w = g->spin ? g->spin[k] : ergi_vec3(0, 0, 0);
    double  inverse_mass, inverse_inertia = ergi_kind_inverse(kind, size, &inverse_mass);
    double *x = ERGI_GRAIN(world, POSITION, double) + 4 * row,
           *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * row;
    x[0] = g->position[k].x;
    x[1] = g->position[k].y;
    x[2] = g->position[k].z;
    x[3] = ergi_kind_radius(kind, size);
    ergi_space_wrap(&world->space, x);
    o[0] = q.x;
    o[1] = q.y;
    o[2] = q.z;
    o[3] = q.w;
    put_motion(world, row, (double[]){v.x, v.y, v.z, inverse_mass, w.x, w.y, w.z, inverse_inertia});
    ERGI_GRAIN(world, ID, uint64_t)[row] = id;
    ERGI_GRAIN(world, KIND, uint32_t)[row] = g->kind - 1;
    ERGI_GRAIN(world, SIZE, double)[row] = size;
}

erg_status ergi_grains_add(erg_world *world, const erg_grains *g, const double *size, erg_gid *ids,
                           erg_error *err)
{
    size_t old = world->grains.rows;
    if (old + g->count > INT32_MAX / 2)
        return ergi_fail_at(err, "count", ERG_ERROR_TOO_MANY,
                            "%zu grains are more than one process holds", old + g->count);
    erg_status status = ergi_registry_resize(&world->registry, old, old + g->count, err);
    if (status != ERG_OK) return status;
    for (size_t k = 0; k < g->count; k++) {
        erg_gid id = world->clock.next_id++;
        set_grain(world, old + k, g, k, size[k], id);
        if (ids) ids[k] = id;
    }
    if (g->count) world->clock.dirty = true;
    return ERG_OK;
}

erg_index ergi_grains_find(const erg_world *world, erg_gid id)
{
    const uint64_t *ids = ERGI_GRAIN(world, ID, uint64_t);
    for (size_t i = 0; i < world->grains.rows; i++)
        if (ids[i] == id) return (erg_index)i;
    return -1;
}

// ---- By id -------------------------------------------------------------------------------------
// Stable radix sort of `order` by key[order[.]], 11 bits per pass, only as many passes as keys have
// bits.
static void radix_sort(const uint64_t *key, uint32_t *order, uint32_t *spare, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) all |= key[order[i]];
    for (int shift = 0; shift < 64 && all >> shift; shift += 11) {
        size_t start[2048] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++) start[key[order[i]] >> shift & 2047]++;
        for (int b = 0; b < 2048; b++) {
            size_t here = start[b];
            start[b] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) spare[start[key[order[i]] >> shift & 2047]++] = order[i];
        memcpy(order, spare, count * sizeof *order);
    }
}

void ergi_order_by_id(const uint64_t *id, uint32_t *order, size_t count)
{
    // The second half of `order` is scratch for the sort.
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    radix_sort(id, order, order + count, count);
}

void ergi_grains_by_id(const erg_world *world, uint32_t *order)
{
    ergi_order_by_id(ERGI_GRAIN(world, ID, uint64_t), order, world->grains.rows);
}
