#include "dem/spheres.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/grains.h"

// In a world of single spheres only the columns that grains do not have are stored.
void ergi_spheres_describe(const erg_world *world, bool single, ergi_table *table)
{
    static const ergi_column own[] = {
#define X(NAME, name, type, width) {#name, type, width, false},
        ERGI_SPHERE_COLUMNS(X)
#undef X
    };
    ergi_column column[ERGI_SPHERE_COLUMN_COUNT];
    memcpy(column, own, sizeof column);
    // Computed from the grains' rows.
    column[ERGI_SPHERE_POSITION].derived = column[ERGI_SPHERE_MOTION].derived = true;
    column[ERGI_SPHERE_FORCE_TORQUE].derived = true;
    if (single)
        for (int c = 0; c < ERGI_SPHERE_COLUMN_COUNT; c++)
            if (c != ERGI_SPHERE_CLASS && c != ERGI_SPHERE_REFERENCE) column[c].width = 0;
    ergi_table_init(table, "spheres", column, ERGI_SPHERE_COLUMN_COUNT, ergi_world_real(world));
}

void ergi_spheres_init(erg_world *world, bool single)
{
    ergi_dem *dem = ergi_dem_of(world);
    ergi_table_free(&dem->spheres);
    ergi_spheres_describe(world, single, &dem->spheres);
    dem->state.single = single;
}

ergi_sphere_arrays ergi_dem_spheres(const erg_world *world)
{
    const ergi_dem    *dem = ergi_dem_of(world);
    const ergi_table  *b = &world->grains, *s = &dem->spheres;
    ergi_sphere_arrays a = {.klass = s->data[ERGI_SPHERE_CLASS],
                            .reference = s->data[ERGI_SPHERE_REFERENCE],
                            .count = (erg_index)s->rows};
    if (dem->state.single) {
        a.position = b->data[ERGI_GRAIN_POSITION];
        a.motion = b->data[ERGI_GRAIN_MOTION];
        a.force_torque = b->data[ERGI_GRAIN_FORCE_TORQUE];
    } else {
        a.position = s->data[ERGI_SPHERE_POSITION];
        a.motion = s->data[ERGI_SPHERE_MOTION];
        a.force_torque = s->data[ERGI_SPHERE_FORCE_TORQUE];
        a.grain = s->data[ERGI_SPHERE_GRAIN];
    }
    return a;
}

// ---- Order -------------------------------------------------------------------------------------
// Reverses the order of chunks in the lower half of memory, so that both halves begin at the plane
// that divides them and proceed outwards. dem/lists.h explains why.
static void reverse_lower_half(uint32_t *order, size_t count)
{
    uint32_t chunk[ERGI_CHUNK];
    size_t   half = count > ERGI_CHUNK ? ergi_bisection_middle(count, ERGI_CHUNK) : 0;
    for (size_t a = 0, b = half; a + ERGI_CHUNK < b; a += ERGI_CHUNK) {
        b -= ERGI_CHUNK;
        memcpy(chunk, order + a, sizeof chunk);
        memcpy(order + a, order + b, sizeof chunk);
        memcpy(order + b, chunk, sizeof chunk);
    }
}

erg_status ergi_spheres_order(erg_world *world, const uint8_t *leaves, size_t *count,
                              erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    size_t     n = world->grains.rows;
    erg_status status =
        ergi_memory_grow(&dem->order, &dem->order_room, n, sizeof *dem->order, "sorting", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&dem->sorting, &dem->sorting_room, n, sizeof *dem->sorting,
                                  "sorting", err);
    if (status != ERG_OK) return status;
    *count = ergi_bisection_order(ERGI_GRAIN(world, POSITION, double), n, leaves, ERGI_CHUNK,
                                  dem->sorting, dem->order);
    reverse_lower_half(dem->order, *count);
    return ERG_OK;
}

// ---- Gathering ---------------------------------------------------------------------------------
static size_t sphere_total(const erg_world *world)
{
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    size_t          total = 0;
    for (size_t i = 0; i < world->grains.rows; i++)
        total += (size_t)world->kind[kind[i]].shape.count;
    return total;
}

erg_status ergi_spheres_gather(erg_world *world, const uint32_t *order, size_t count,
                               erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    size_t    old_spheres = (size_t)dem->lists.spheres;
    // Grains added since the last rebuild have no old spheres.
    const uint32_t *old_first = ERGI_GRAIN(world, FIRST, uint32_t);
    const uint32_t *old_kind = ERGI_GRAIN(world, KIND, uint32_t);
    size_t          spheres = 0;
    for (size_t i = 0; i < count; i++)
        spheres += (size_t)world->kind[old_kind[order[i]]].shape.count;
    erg_status status =
        ergi_memory_grow(&dem->was, &dem->was_room, spheres, sizeof *dem->was, "sorting", err);
    if (status != ERG_OK) return status;
    size_t s = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t b = order[i];
        int      parts = world->kind[old_kind[b]].shape.count;
        for (int k = 0; k < parts; k++, s++) {
            size_t was = (size_t)old_first[b] + (size_t)k;
            bool   listed = b < dem->state.listed_grains && was < old_spheres;
            dem->was[s] = listed ? (uint32_t)was : UINT32_MAX;
        }
    }
    ergi_registry_reorder(&world->registry, order, count, (uint64_t *)(void *)dem->sorting);
    return ergi_spheres_make(world, err);
}

// ---- Spheres -----------------------------------------------------------------------------------
// The class of a sphere; a new class is added if needed. If there are too many, the world changes
// to one class per material.
static uint32_t find_class(erg_world *world, uint32_t material, double radius, double mass)
{
    ergi_dem *dem = ergi_dem_of(world);
    if (dem->state.class_per_material) return material;
    for (size_t c = 0; c < dem->state.classes; c++) {
        const ergi_class *k = &dem->state.klass[c];
        if (k->material == material && k->radius == radius && k->mass == mass) return (uint32_t)c;
    }
    if (dem->state.classes == ERGI_MAX_CLASSES) {
        dem->state.class_per_material = true;
        return material;
    }
    ergi_class *k = &dem->state.klass[dem->state.classes]; // member by member: padding stays zero
    k->material = material;
    k->radius = radius;
    k->mass = mass;
    return (uint32_t)dem->state.classes++;
}

static void fill_spheres(erg_world *world)
{
    ergi_dem       *dem = ergi_dem_of(world);
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    const double   *size = ERGI_GRAIN(world, SIZE, double);
    uint32_t       *first = ERGI_GRAIN(world, FIRST, uint32_t);
    uint32_t       *klass = dem->spheres.data[ERGI_SPHERE_CLASS];
    uint32_t       *grain = dem->spheres.data[ERGI_SPHERE_GRAIN];
    double         *position = dem->spheres.data[ERGI_SPHERE_POSITION];
    uint32_t        s = 0;
    for (size_t i = 0; i < world->grains.rows; i++) {
        const ergi_kind *k = &world->kind[kind[i]];
        double           mass = ergi_kind_mass(k, size[i]);
        first[i] = s;
        for (int p = 0; p < k->shape.count; p++, s++) {
            double radius = size[i] * k->shape.radius[p];
            klass[s] = find_class(world, k->material, radius, mass);
            if (grain) grain[s] = (uint32_t)i;
            if (position) position[4 * (size_t)s + 3] = radius;
        }
    }
}

erg_status ergi_spheres_make(erg_world *world, erg_error *err)
{
    ergi_dem       *dem = ergi_dem_of(world);
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    bool            single = true;
    for (size_t i = 0; i < world->grains.rows && single; i++)
        single = world->kind[kind[i]].shape.is_sphere;
    if (single != dem->state.single) ergi_spheres_init(world, single);
    erg_status status = ergi_table_reset(&dem->spheres, sphere_total(world), err);
    if (status != ERG_OK) return status;
    bool before = dem->state.class_per_material;
    fill_spheres(world);
    if (dem->state.class_per_material && !before)
        fill_spheres(world); // assign again: classes are materials now
    dem->state.listed_grains = world->grains.rows;
    return ERG_OK;
}

bool ergi_spheres_new_clumps(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    for (size_t i = dem->state.listed_grains; i < world->grains.rows; i++)
        if (!world->kind[kind[i]].shape.is_sphere) return true;
    return false;
}
