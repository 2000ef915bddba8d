// Space sorting of the grains, and the spheres that they consist of.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"
#include "pbd/pbd.h"

erg_status ergi_pbd_order(erg_world *world, const uint8_t *leaves, size_t *stay, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = world->grains.rows;
    erg_status status =
        ergi_memory_grow(&pbd->order, &pbd->order_room, n, sizeof *pbd->order, "sorting", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->sorting, &pbd->sorting_room, n, sizeof *pbd->sorting,
                                  "sorting", err);
    if (status != ERG_OK) return status;
    *stay = ergi_bisection_order(ERGI_GRAIN(world, POSITION, double), n, leaves, ERGI_PBD_CHUNK,
                                 pbd->sorting, pbd->order);
    return ERG_OK;
}

// Reorders the grains by pbd->order. Sets pbd->was: the previous index of each sphere.
erg_status ergi_pbd_gather(erg_world *world, size_t count, erg_error *err)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    const uint32_t *first = ERGI_GRAIN(world, FIRST, uint32_t),
                   *kind = ERGI_GRAIN(world, KIND, uint32_t);
    size_t spheres = 0, s = 0, old = ergi_pairs_spheres(&pbd->pairs);
    for (size_t i = 0; i < count; i++)
        spheres += (size_t)world->kind[kind[pbd->order[i]]].shape.count;
    erg_status status =
        ergi_memory_grow(&pbd->was, &pbd->was_room, spheres, sizeof *pbd->was, "sorting", err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < count; i++) {
        uint32_t b = pbd->order[i];
        int      parts = world->kind[kind[b]].shape.count;
        for (int k = 0; k < parts; k++, s++) {
            size_t was = (size_t)first[b] + (size_t)k;
            bool   listed = b < pbd->state.listed_grains && was < old;
            pbd->was[s] = listed ? (uint32_t)was : UINT32_MAX;
        }
    }
    ergi_registry_reorder(&world->registry, pbd->order, count, (uint64_t *)(void *)pbd->sorting);
    return ERG_OK;
}

static erg_status make_room(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = pbd->spheres;
    erg_status status = ergi_memory_grow(&pbd->sphere_material, &pbd->sphere_material_room, n,
                                         sizeof *pbd->sphere_material, "spheres", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->reach, &pbd->reach_room, 2 * n, sizeof *pbd->reach,
                                  "spheres", err);
    if (status == ERG_OK && pbd->general)
        status = ergi_memory_grow(&pbd->offset, &pbd->offset_room, 4 * n, sizeof *pbd->offset,
                                  "spheres", err);
    if (status != ERG_OK || pbd->single) return status;
    status =
        ergi_memory_grow(&pbd->place, &pbd->place_room, 4 * n, sizeof *pbd->place, "spheres", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->sphere_grain, &pbd->sphere_grain_room, n,
                                  sizeof *pbd->sphere_grain, "spheres", err);
    return status;
}

erg_status ergi_pbd_spheres_make(erg_world *world, erg_error *err)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    const double   *size = ERGI_GRAIN(world, SIZE, double);
    uint32_t       *first = ERGI_GRAIN(world, FIRST, uint32_t), s = 0;
    pbd->single = true;
    pbd->spheres = 0;
    for (size_t i = 0; i < world->grains.rows; i++) {
        const ergi_shape *shape = &world->kind[kind[i]].shape;
        pbd->single = pbd->single && shape->is_sphere;
        pbd->spheres += (size_t)shape->count;
    }
    pbd->general = !pbd->single || world->free_bodies > 0;
    erg_status status = make_room(world, err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < world->grains.rows; i++) {
        const ergi_kind *k = &world->kind[kind[i]];
        first[i] = s;
        for (int p = 0; p < k->shape.count; p++, s++) {
            pbd->sphere_material[s] = k->material;
            if (pbd->single) continue;
            pbd->sphere_grain[s] = (uint32_t)i;
            pbd->place[4 * (size_t)s + 3] = size[i] * k->shape.radius[p];
        }
    }
    pbd->state.listed_grains = world->grains.rows;
    return ERG_OK;
}

static void place_bodies(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    erg_world      *world = ctx;
    ergi_pbd       *pbd = ergi_pbd_of(world);
    const double   *x = ERGI_GRAIN(world, POSITION, double);
    const double   *q = ERGI_GRAIN(world, ORIENTATION, double);
    const double   *size = ERGI_GRAIN(world, SIZE, double);
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t),
                   *first = ERGI_GRAIN(world, FIRST, uint32_t);
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        const ergi_shape *shape = &world->kind[kind[i]].shape;
        erg_quat          turn = {q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]};
        for (int p = 0; p < shape->count; p++) {
            size_t        s = first[i] + (size_t)p;
            const double *o = shape->offset + 3 * p;
            erg_vec3      at = {0, 0, 0};
            if (!shape->is_sphere)
                at = ergi_quat_rotate(turn, ergi_scale(ergi_vec3(o[0], o[1], o[2]), size[i]));
            const double arm[3] = {at.x, at.y, at.z};
            for (size_t k = 0; k < 3; k++) {
                if (pbd->general) pbd->offset[4 * s + k] = (float)arm[k];
                if (!pbd->single) pbd->place[4 * s + k] = x[4 * i + k] + arm[k];
            }
        }
    }
}

void ergi_pbd_spheres_place(erg_world *world)
{
    if (ergi_pbd_of(world)->general)
        ergi_parallel_for(&world->threads, (erg_index)world->grains.rows, ERGI_PBD_CHUNK,
                          place_bodies, world);
}
