// Preparation before the first step: tables of laws and classes, time step, lists, and checks.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dem/body.h"
#include "dem/step.h"
#include "geom/vec3.h"
#include "law/kinds.h"
#include "world/grains.h"
#include "world/walls.h"

// ---- Pairs -------------------------------------------------------------------------------------
// An open cone or cylinder that is as narrow as the sphere is touched on both sides; a mesh that
// surrounds the sphere, such as a pipe, 14 times: every 25 degrees.
int ergi_dem_wall_slots(const ergi_surface *surface)
{
    if (surface->bump_spacing > 0 || ergi_surface_is_mesh(surface)) return 16;
    if (surface->kind == ERGI_SURFACE_HEIGHTS) return 16; // equal spheres around one: 12
    if (surface->kind == ERGI_SURFACE_PLANE) return 1;
    return surface->kind == ERGI_SURFACE_REVOLVED && surface->profile.count == 1 ? 2 : 6;
}

// Finds the laws that all pairs share, and the history width and wall slots that are needed.
static void survey_pairs(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    size_t    n = world->materials;
    dem->normal_law = n ? world->pair[0].scales.normal : 0;
    dem->tangential_law = n ? world->pair[0].scales.tangential : 0;
    dem->rolling = dem->cohesion = false;
    int width = 0;
    for (size_t k = 0; k < n * n; k++) {
        const ergi_material_pair *p = &world->pair[k];
        if (p->scales.normal != dem->normal_law) dem->normal_law = -1;
        if (p->scales.tangential != dem->tangential_law) dem->tangential_law = -1;
        dem->rolling |= p->rolling > 0 || p->twisting > 0;
        dem->cohesion |= p->cohesion > 0;
    }
    for (size_t k = 0; k < n * n; k++) {
        int w = ergi_history_width(world->pair[k].scales.tangential, dem->rolling);
        if (w > width) width = w;
    }
    dem->history_width = width;
    dem->wall_slots = 1;
    for (size_t w = 0; w < world->walls; w++) {
        int slots = ergi_dem_wall_slots(&world->wall[w].wall.surface);
        if (slots > dem->wall_slots) dem->wall_slots = slots;
    }
}

// ---- Classes -----------------------------------------------------------------------------------
static size_t class_count(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return dem->state.class_per_material ? world->materials : dem->state.classes;
}

static const char *law_at(const erg_world *world, size_t index)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return (const char *)dem->law + index * dem->kernels->law_bytes;
}

static bool has_grains_of(const erg_world *world, uint32_t material)
{
    for (size_t k = 0; k < world->kinds; k++)
        if (world->kind[k].material == material) return true;
    return false;
}

// Index of the law that all pairs of grains share, or -1. Wall contacts do not use this table.
static int find_one_law(const erg_world *world, size_t classes)
{
    const ergi_dem *dem = ergi_dem_of(world);
    int             one = -1;
    for (size_t a = 0; a < classes; a++)
        for (size_t b = 0; b < classes; b++) {
            if (!has_grains_of(world, dem->class_material[a]) ||
                !has_grains_of(world, dem->class_material[b]))
                continue;
            size_t here = a * classes + b;
            if (one < 0) one = (int)here;
            if (memcmp(law_at(world, here), law_at(world, (size_t)one), dem->kernels->law_bytes) !=
                0)
                return -1;
        }
    return one;
}

erg_status ergi_dem_laws(erg_world *world, erg_error *err)
{
    ergi_dem               *dem = ergi_dem_of(world);
    size_t                  n = class_count(world);
    const ergi_dem_kernels *kernels = dem->kernels;
    erg_status status = ergi_memory_resize(&dem->law, 0, n * n, kernels->law_bytes, "laws", err);
    if (status == ERG_OK && !dem->state.class_per_material)
        status = ergi_memory_resize(&dem->coef, 0, n * n, kernels->coef_bytes, "laws", err);
    if (status != ERG_OK) return status;
    for (size_t a = 0; a < n; a++) {
        const ergi_class *ca = dem->state.class_per_material ? NULL : &dem->state.klass[a];
        size_t            ma = ca ? ca->material : a;
        dem->class_material[a] = (uint32_t)ma;
        for (size_t b = 0; b < n; b++) {
            const ergi_class *cb = dem->state.class_per_material ? NULL : &dem->state.klass[b];
            size_t            mb = cb ? cb->material : b;
            const ergi_material_pair *pair = &world->pair[ma * world->materials + mb];
            kernels->set_law(dem->law, a * n + b, pair);
            if (ca && cb)
                kernels->set_coefs(dem->coef, a * n + b, 1, pair, &ca->radius, &cb->radius,
                                   &ca->mass, &cb->mass);
        }
    }
    dem->one_law = find_one_law(world, n);
    return ERG_OK;
}

// ---- Preparation -------------------------------------------------------------------------------
// In a shorter periodic box a grain could touch its own image, or another grain twice.
// In a much longer one its cells could not be numbered.
static erg_status check_periods(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    double    largest = 0, longest = ergi_grid_longest_period(dem->skin_scale);
    dem->skin_most = INFINITY;
    for (size_t k = 0; k < world->kinds; k++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        largest = fmax(largest, 2 * most * world->kind[k].shape.bounding_radius);
    }
    for (int a = 0; a < 2; a++) {
        double period = world->space.period[a];
        if (period > 0 && period < 2 * (largest + dem->state.skin))
            return ergi_fail_at(err, a ? "periodic_y" : "periodic_x", ERG_ERROR_NO_FIT,
                                "the domain is periodic in %c with a period of %g m, but needs at "
                                "least %g m: two of the largest grains and twice the skin",
                                "xy"[a], period, 2 * (largest + dem->state.skin));
        if (world->kinds && period > longest)
            return ergi_fail_at(err, a ? "upper.y" : "upper.x", ERG_ERROR_OUT_OF_RANGE,
                                "the domain is periodic in %c with a period of %g m, too large for "
                                "grains with spheres of diameter %g m: at most %g m",
                                "xy"[a], period, dem -> skin_scale, longest);
        if (period > 0) dem->skin_most = fmin(dem->skin_most, 0.5 * period - largest);
    }
    return ERG_OK;
}

static double smallest_diameter(const erg_world *world)
{
    double smallest = INFINITY;
    for (size_t k = 0; k < world->kinds; k++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        smallest = fmin(smallest, least * world->kind[k].shape.smallest_radius);
    }
    return isfinite(smallest) ? 2 * smallest : 1e-2;
}

erg_status ergi_dem_prepare(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    double    scale = smallest_diameter(world);
    dem->body_near.made = false;    // built for other definitions
    if (scale != dem->skin_scale) { // a new kind of grain, or the first
        dem->skin_scale = scale;
        dem->state.skin = world->def.skin > 0 ? world->def.skin : 0.1 * scale;
        world->clock.dirty = true;
    }
    if (world->free_bodies && world->def.integrator == ERG_RKF45)
        return ergi_fail_at(err, "integrator", ERG_ERROR_CONFLICT,
                            "free bodies need a fixed time step: choose an integrator other than "
                            "rkf45, or give the bodies a motion");
    survey_pairs(world);
    erg_status status = ergi_walls_inscribe(world, err);
    if (status == ERG_OK) status = check_periods(world, err);
    if (status == ERG_OK) status = ergi_dem_timestep(world, err);
    if (status == ERG_OK && world->clock.dirty) status = ergi_dem_rebuild(world, NULL, err);
    if (status != ERG_OK) return status;
    if (world->clock.steps == 0) {
        double dt = world->clock.dt;
        world->clock.dt = 0; // so that springs do not stretch, however often this is called
        ergi_dem_forces(world, false);
        status = ergi_body_update_lists(world, err);
        if (status == ERG_OK) status = ergi_body_contacts(world, err);
        world->clock.dt = dt;
        if (status != ERG_OK) return status;
        dem->speed_ratio = 0;
        dem->start_overlap = fmax(dem->worst_overlap.overlap_ratio, dem->body_overlap);
        if (ergi_dem_is_unphysical(world, 0, err) || ergi_body_too_deep(world, 0, err))
            return ERG_BAD_PHYSICS;
    }
    return ERG_OK;
}
