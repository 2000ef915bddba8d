#include "world/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "contact/halving.h"
#include "geom/vec3.h"

static void put_motion(erg_world *world, size_t row, const double motion[8])
{
    void *data = world->bodies.data[ERGI_BODY_MOTION];
    for (size_t k = 0; k < 8; k++)
        if (ergi_world_real(world) == ERGI_F64)
            ((double *)data)[8 * row + k] = motion[k];
        else
            ((float *)data)[8 * row + k] = (float)motion[k];
}

static void set_body(erg_world *world, size_t row, const erg_grains *g, size_t k, double size,
                     erg_gid id)
{
    const ergi_kind *kind = &world->kind[g->kind - 1];
    erg_quat         q =
        g->orientation ? ergi_quat_normalize(g->orientation[k]) : kind->shape.principal_to_input;
    erg_vec3 v = g->velocity ? g->velocity[k] : ergi_vec3(0, 0, 0),
             w = g->spin ? g->spin[k] : ergi_vec3(0, 0, 0);
    double  inverse_mass, inverse_inertia = ergi_kind_inverse(kind, size, &inverse_mass);
    double *x = ERGI_BODY(world, POSITION, double) + 4 * row,
           *o = ERGI_BODY(world, ORIENTATION, double) + 4 * row;
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
    ERGI_BODY(world, ID, uint64_t)[row] = id;
    ERGI_BODY(world, KIND, uint32_t)[row] = g->kind - 1;
    ERGI_BODY(world, SIZE, double)[row] = size;
}

erg_status ergi_bodies_add(erg_world *world, const erg_grains *g, const double *size, erg_gid *ids,
                           erg_error *err)
{
    size_t old = world->bodies.rows;
    if (old + g->count > INT32_MAX / 2)
        return ergi_fail_at(err, "count", ERG_ERROR_TOO_MANY,
                            "%zu grains are more than one process holds", old + g->count);
    erg_status status = ergi_table_resize(&world->bodies, old + g->count, err);
    if (status != ERG_OK) return status;
    for (size_t k = 0; k < g->count; k++) {
        erg_gid id = world->clock.next_id++;
        set_body(world, old + k, g, k, size[k], id);
        if (ids) ids[k] = id;
    }
    if (g->count) world->dirty = true;
    if (g->count && !world->kind[g->kind - 1].shape.is_sphere) world->new_clumps = true;
    return ERG_OK;
}

erg_index ergi_bodies_find(const erg_world *world, erg_gid id)
{
    const uint64_t *ids = ERGI_BODY(world, ID, uint64_t);
    for (size_t i = 0; i < world->bodies.rows; i++)
        if (ids[i] == id) return (erg_index)i;
    return -1;
}

// ---- Sorting -----------------------------------------------------------------------------------
// Stable radix sort of `order` by key[order[.]], 11 bits a pass, only as many passes as keys have
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

void ergi_bodies_by_id(const erg_world *world, uint32_t *order)
{
    // The second half of the room is the sort's own.
    size_t n = world->bodies.rows;
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    radix_sort(ERGI_BODY(world, ID, uint64_t), order, order + n, n);
}

// Both halves of memory begin next to each other in space and go outwards, a chunk after the other:
// see contact/lists.h for what that is good for.
static void turn_lower_half(uint32_t *order, size_t count)
{
    uint32_t chunk[ERGI_CHUNK];
    size_t   half = count > ERGI_CHUNK ? ergi_halving_middle(count, ERGI_CHUNK) : 0;
    for (size_t a = 0, b = half; a + ERGI_CHUNK < b; a += ERGI_CHUNK) {
        b -= ERGI_CHUNK;
        memcpy(chunk, order + a, sizeof chunk);
        memcpy(order + a, order + b, sizeof chunk);
        memcpy(order + b, chunk, sizeof chunk);
    }
}

// Seen from the first, as single precision is finest there.
static ergi_halving_item item_of(const double *position, const double *first, uint32_t body)
{
    ergi_halving_item item = {.number = body};
    for (int a = 0; a < 3; a++) {
        double x = position[a] - first[a];
        item.x[a] = isfinite(x) ? (float)x : 0;
    }
    return item;
}

erg_status ergi_bodies_space_order(erg_world *world, const uint8_t *leaves, size_t *count,
                                   erg_error *err)
{
    size_t     n = world->bodies.rows, stay = 0;
    erg_status status = ergi_memory_grow(&world->order, &world->order_room, n, sizeof *world->order,
                                         "sorting", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&world->sorting, &world->sorting_room, n, sizeof *world->sorting,
                                  "sorting", err);
    if (status != ERG_OK) return status;
    const double *x = ERGI_BODY(world, POSITION, double);
    for (size_t i = 0; i < n; i++)
        if (!leaves || !leaves[i]) world->sorting[stay++] = item_of(x + 4 * i, x, (uint32_t)i);
    ergi_halving_sort(world->sorting, stay, ERGI_CHUNK);
    for (size_t i = 0; i < stay; i++) world->order[i] = world->sorting[i].number;
    turn_lower_half(world->order, stay);
    *count = stay;
    return ERG_OK;
}

// ---- Gathering ---------------------------------------------------------------------------------
static size_t sphere_total(const erg_world *world)
{
    const uint32_t *kind = ERGI_BODY(world, KIND, uint32_t);
    size_t          total = 0;
    for (size_t i = 0; i < world->bodies.rows; i++)
        total += (size_t)world->kind[kind[i]].shape.count;
    return total;
}

erg_status ergi_bodies_gather(erg_world *world, const uint32_t *order, size_t count, erg_error *err)
{
    size_t old_spheres = (size_t)world->lists.spheres;
    // Rows added since the spheres were last made have no old spheres.
    const uint32_t *old_first = ERGI_BODY(world, FIRST, uint32_t);
    const uint32_t *old_kind = ERGI_BODY(world, KIND, uint32_t);
    size_t          spheres = 0;
    for (size_t i = 0; i < count; i++)
        spheres += (size_t)world->kind[old_kind[order[i]]].shape.count;
    erg_status status = ergi_memory_grow(&world->was, &world->was_room, spheres, sizeof *world->was,
                                         "sorting", err);
    if (status != ERG_OK) return status;
    size_t s = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t b = order[i];
        int      parts = world->kind[old_kind[b]].shape.count;
        for (int k = 0; k < parts; k++, s++) {
            size_t was = (size_t)old_first[b] + (size_t)k;
            bool   listed = b < world->listed_bodies && was < old_spheres;
            world->was[s] = listed ? (uint32_t)was : UINT32_MAX;
        }
    }
    ergi_table_reorder(&world->bodies, order, count, (uint64_t *)(void *)world->sorting);
    return ergi_spheres_make(world, err);
}

// ---- Spheres -----------------------------------------------------------------------------------
// The class of a sphere; a new one is opened when there is room. Otherwise all sink back to
// materials.
static uint32_t find_class(erg_world *world, uint32_t material, double radius, double mass)
{
    if (world->class_per_material) return material;
    for (size_t c = 0; c < world->classes; c++) {
        const ergi_class *k = &world->klass[c];
        if (k->material == material && k->radius == radius && k->mass == mass) return (uint32_t)c;
    }
    if (world->classes == ERGI_MAX_CLASSES) {
        world->class_per_material = true;
        return material;
    }
    world->klass[world->classes] = (ergi_class){material, radius, mass};
    return (uint32_t)world->classes++;
}

static void fill_spheres(erg_world *world)
{
    const uint32_t *kind = ERGI_BODY(world, KIND, uint32_t);
    const double   *size = ERGI_BODY(world, SIZE, double);
    uint32_t       *first = ERGI_BODY(world, FIRST, uint32_t);
    uint32_t       *klass = world->spheres.data[ERGI_SPHERE_CLASS];
    uint32_t       *body = world->spheres.data[ERGI_SPHERE_BODY];
    double         *position = world->spheres.data[ERGI_SPHERE_POSITION];
    uint32_t        s = 0;
    for (size_t i = 0; i < world->bodies.rows; i++) {
        const ergi_kind *k = &world->kind[kind[i]];
        double           mass = ergi_kind_mass(k, size[i]);
        first[i] = s;
        for (int p = 0; p < k->shape.count; p++, s++) {
            double radius = size[i] * k->shape.radius[p];
            klass[s] = find_class(world, k->material, radius, mass);
            if (body) body[s] = (uint32_t)i;
            if (position) position[4 * (size_t)s + 3] = radius;
        }
    }
}

erg_status ergi_spheres_make(erg_world *world, erg_error *err)
{
    const uint32_t *kind = ERGI_BODY(world, KIND, uint32_t);
    bool            single = true;
    for (size_t i = 0; i < world->bodies.rows && single; i++)
        single = world->kind[kind[i]].shape.is_sphere;
    if (single != world->single) ergi_world_init_spheres(world, single);
    erg_status status = ergi_table_reset(&world->spheres, sphere_total(world), err);
    if (status != ERG_OK) return status;
    bool before = world->class_per_material;
    fill_spheres(world);
    if (world->class_per_material && !before) fill_spheres(world); // classes now mean materials
    world->listed_bodies = world->bodies.rows;
    world->new_clumps = false;
    return ERG_OK;
}
