// Sand for the columns of a terrain to turn into: spheres placed at random in a tall periodic box,
// which fall and come to rest by DEM with the friction of the terrain's material. How large, heavy
// and hard they are hardly changes the packing, so all terrains pour soft grains of one size, which
// settle in few steps, and scale the result.
#include "api/pour.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "erg/world.h"
#include "geom/vec3.h"

#define DIAMETER 0.01    // of the largest sphere [m]
#define YOUNG 1e7        // [Pa]
#define RESTITUTION 0.3  //
#define MOST_OVERLAP 0.9 // over a radius
#define LOOSE 0.2        // share of the volume that they fill at first
#define SETTLED 0.58     // and in the end, about
#define LEAST_DEPTH 4.0  // of the settled sand [diameters]
#define FALLS 2.0        // they are at rest after this many times the fall of the highest

// The sizes that `kind` has, as radii of spheres, scaled.
static erg_status scale_sizes(const ergi_kind *kind, double scale, erg_sizes *sizes,
                              double **values, erg_error *err)
{
    scale *= kind->shape.bounding_radius;
    *sizes = kind->sizes;
    sizes->radius *= scale;
    sizes->min *= scale;
    sizes->max *= scale;
    sizes->mean *= scale;
    sizes->deviation *= scale;
    if (sizes->law != ERG_SIZE_LISTED) return ERG_OK;
    *values = ergi_memory_new(sizes->count, sizeof **values, "packing", err);
    if (!*values) return ERG_NO_MEMORY;
    for (size_t i = 0; i < sizes->count; i++) (*values)[i] = scale * kind->sizes.values[i];
    sizes->values = *values;
    return ERG_OK;
}

static erg_status make_box(const erg_world *world, uint32_t kind, const erg_sizes *sizes,
                           double side, erg_world **box, erg_error *err)
{
    const erg_material_def *sand = &world->material[world->kind[kind].material].def;

    erg_world_def    def = erg_world_def_default();
    erg_material_def soft = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    erg_wall_def     floor = erg_wall_def_default(ERG_WALL_PLANE);
    def.threads = 1;
    def.seed = world->def.seed;
    def.keep_going = world->def.keep_going;
    def.keep_going_user = world->def.keep_going_user;
    def.max_overlap = MOST_OVERLAP;
    def.periodic_x = def.periodic_y = true;
    def.lower = (erg_vec3){0, 0, -(double)INFINITY};
    def.upper = (erg_vec3){side, side, (double)INFINITY};
    soft.young = YOUNG;
    soft.restitution = RESTITUTION;
    soft.friction = sand->friction;
    soft.rolling = sand->rolling;
    grain.sizes = *sizes;
    erg_status status = erg_world_create(&def, box, err);
    if (status == ERG_OK) status = erg_world_add_material(*box, &soft, &grain.material, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(*box, &grain, NULL, err);
    floor.material = grain.material;
    return status == ERG_OK ? erg_world_add_wall(*box, &floor, NULL, err) : status;
}

static double mean_volume(const erg_sizes *sizes, uint64_t seed, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        ergi_random random = {.seed = seed, .id = i};
        double      r = ergi_sizes_draw(sizes, &random);
        sum += 4.0 / 3 * ERGI_PI * r * r * r;
    }
    return sum / (double)count;
}

// Of the caller who builds the world.
static bool goes_on(void *user, const erg_world *box)
{
    const erg_world *world = user;
    (void)box;
    return !world->def.keep_going || world->def.keep_going(world->def.keep_going_user);
}

// Room for all at a fifth of the volume, on average.
static erg_status settle(const erg_world *world, erg_world *box, const erg_sizes *sizes,
                         size_t count, double side, erg_error *err)
{
    double volume = (double)count * mean_volume(sizes, 0, count);
    double high = volume / (LOOSE * side * side);
    if (high * LOOSE / SETTLED < LEAST_DEPTH * DIAMETER)
        return ergi_fail_at(err, "grain", ERG_ERROR_OUT_OF_RANGE,
                            "grains of a terrain differ too much in size to be packed: %zu of "
                            "them are less than %g diameters of the largest deep",
                            count, LEAST_DEPTH);
    double       fall = sqrt(2 * (1 - LOOSE / SETTLED) * high / 9.81);
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = 1;
    fill.count = count;
    fill.placing = ERG_PLACE_RANDOM;
    fill.region = (erg_region){.shape = ERG_REGION_BOX, .a = {0, 0, 0}, .b = {side, side, high}};
    erg_status status = erg_world_fill(box, &fill, NULL, err);
    if (status == ERG_OK) status = erg_world_run(box, FALLS * fall, goes_on, (void *)world, err);
    if (status == ERG_CANCELLED)
        return ergi_fail(err, status, "pouring the sand of the terrain was cancelled");
    if (status == ERG_BAD_PHYSICS)
        return ergi_fail_at(err, "grain", ERG_ERROR_OUT_OF_RANGE,
                            "grains of a terrain could not be packed: give a narrower range of "
                            "sizes");
    return status;
}

// Scaled back; some may have left the box.
static erg_status read_box(const erg_world *box, double scale, double *sphere, size_t *count,
                           erg_error *err)
{
    *count = erg_world_sphere_count(box);
    double         *x = ergi_memory_new(3 * *count, sizeof *x, "packing", err);
    double         *r = ergi_memory_new(*count, sizeof *r, "packing", err);
    erg_sphere_view view = {.count = *count, .position = x, .radius = r};
    erg_status      status = x && r ? erg_world_read_spheres(box, &view, err) : ERG_NO_MEMORY;
    for (size_t i = 0; i < *count && status == ERG_OK; i++) {
        for (int k = 0; k < 3; k++) sphere[4 * i + (size_t)k] = x[3 * i + (size_t)k] / scale;
        sphere[4 * i + 3] = r[i] / scale;
    }
    ergi_memory_free(x);
    ergi_memory_free(r);
    return status;
}

// Hertz: the overlap over the diameter is (pressure / stiffness)^(2/3), and the pressure is that of
// some diameters of sand. The real-time solver knows no stiffness: its grains are hard.
static double share_pressed(const erg_world *world, const ergi_kind *kind, double diameter)
{
    const double *g = world->clock.gravity;
    double        weight = kind->density * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * diameter;
    double        soft = YOUNG / (erg_material_def_default().density * 9.81 * DIAMETER);
    double        hard = world->material[kind->material].def.young / weight;
    if (world->def.solver != ERG_SOLVER_DEM || !(weight > 0)) return 0;
    return fmin(cbrt(soft / hard * (soft / hard)), 1);
}

erg_status ergi_pour(const erg_world *world, uint32_t kind, double side, double *sphere,
                     size_t *count, double *pressed, erg_error *err)
{
    const ergi_kind *grains = &world->kind[kind];
    erg_world       *box = NULL;
    erg_sizes        sizes;
    double           least, most, *values = NULL;
    ergi_sizes_range(&grains->sizes, &least, &most);
    double scale = 0.5 * DIAMETER / (most * grains->shape.bounding_radius);
    *pressed = share_pressed(world, grains, DIAMETER / scale);
    erg_status status = scale_sizes(grains, scale, &sizes, &values, err);
    if (status == ERG_OK) status = make_box(world, kind, &sizes, scale * side, &box, err);
    if (status == ERG_OK) status = settle(world, box, &sizes, *count, scale * side, err);
    if (status == ERG_OK) status = read_box(box, scale, sphere, count, err);
    erg_world_destroy(box);
    ergi_memory_free(values);
    return ergi_fail_within(err, status, "terrain");
}
