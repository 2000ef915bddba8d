// The bench `hopper`: grains flow out of a conical silo, where neighbour lists expire quickly.
//
//     |ooooooo|   A cylinder of 40 mm radius on a cone of 45 degrees with an outlet of 10 mm
//     |ooooooo|   radius, both open at their ends. It is filled from a loose lattice while a plane
//      \ooooo/    closes the outlet, settles, and is opened by moving the plane away. Measuring
//       \ooo/     begins after 0.08 s of flow. Grains that have left keep falling.
//        ' '
#include "scene.h"
#include "settle.h"

#include <math.h>
#include <stdlib.h>

enum {
    FALL = 6000, // steps of falling from the lattice into the silo
    REST = 3000, // steps with drag
    OPEN = 1000, // steps while the shutter moves away
    FLOW = 7000  // steps until measuring begins
};
static const double OUTLET = 0.010, SILO = 0.040, CONE = 0.030; // radii, height of the cone [m]
static const double LEAST_HEIGHT = 0.120;                       // least height of the cylinder [m]
static const double SPACING = 2.06e-3, JITTER = 0.025e-3;       // of the lattice [m]
static const double SHUTTER_SPEED = 1000; // faster than any grain, so that none touches it [m/s]

// ---- Lattice -----------------------------------------------------------------------------------
// Largest distance of centres from the axis at a height; the clearance is larger along the cone.
static double room_at(double z)
{
    double clear = 1.5 * MATTER_RADIUS;
    double cone = OUTLET + z - 1.42 * clear, cylinder = SILO - clear;
    return cone < cylinder ? cone : cylinder;
}

// Writes `count` positions if `position` is not NULL; returns the height above the last one.
static double fill_lattice(size_t count, erg_vec3 *position)
{
    const int reach = (int)(SILO / SPACING) + 1;
    uint64_t  random = 2;
    size_t    k = 0;
    double    z = 1.2 * MATTER_RADIUS;
    for (; k < count; z += SPACING) {
        double room = room_at(z);
        for (int a = -reach; a <= reach; a++)
            for (int b = -reach; b <= reach && k < count; b++) {
                double x = a * SPACING, y = b * SPACING;
                if (x * x + y * y >= room * room) continue;
                if (position) {
                    position[k].x = x + JITTER * matter_shake(&random);
                    position[k].y = y + JITTER * matter_shake(&random);
                    position[k].z = z + JITTER * matter_shake(&random);
                }
                k++;
            }
    }
    return z;
}

static double cylinder_height(size_t grains)
{
    return fmax(LEAST_HEIGHT, fill_lattice(grains, NULL) - CONE);
}

// ---- Scene -------------------------------------------------------------------------------------
static size_t count_grains(size_t spheres)
{
    return spheres;
}

static erg_status define(size_t grains, int threads, erg_world **world, erg_error *err)
{
    erg_world_def def = matter_world(threads);
    erg_wall_def  silo = erg_wall_def_default(ERG_WALL_FUNNEL);
    erg_wall_def  shutter = erg_wall_def_default(ERG_WALL_PLANE);
    silo.funnel.outlet_radius = OUTLET;
    silo.funnel.top_radius = SILO;
    silo.funnel.height = CONE;
    silo.funnel.rim = cylinder_height(grains);
    shutter.name = "shutter";
    shutter.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    shutter.motion_count = 1;
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK)
        status = matter_define(*world, ERG_SHAPE_SPHERE, &silo.material, NULL, err);
    shutter.material = silo.material;
    if (status == ERG_OK) status = erg_world_add_wall(*world, &silo, NULL, err);
    if (status == ERG_OK) status = erg_world_add_wall(*world, &shutter, NULL, err);
    return status;
}

static erg_status fill(size_t grains, erg_world *world, erg_error *err)
{
    erg_vec3 *position = malloc(grains * sizeof *position);
    if (!position) return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", grains);
    fill_lattice(grains, position);
    erg_grains all = {.kind = 1, .count = grains, .position = position};
    erg_status status = erg_world_add_grains(world, &all, NULL, err);
    free(position);
    return status;
}

static erg_status move_shutter(erg_world *world, double speed, erg_error *err)
{
    erg_command command = {.kind = ERG_COMMAND_WALL_VELOCITY,
                           .id = erg_world_find_wall(world, "shutter"),
                           .vector = {0, 0, -speed}};
    return erg_world_command(world, &command, err);
}

static erg_status make(size_t grains, const char *cache, erg_world *world, erg_error *err)
{
    (void)cache;
    bench_say("filling the silo with %zu grains and opening it", grains);
    erg_status status = fill(grains, world, err);
    if (status == ERG_OK) status = erg_world_step(world, FALL, err);
    if (status == ERG_OK) status = settle_drag(world, REST, err);
    if (status == ERG_OK) status = move_shutter(world, SHUTTER_SPEED, err);
    if (status == ERG_OK) status = erg_world_step(world, OPEN, err);
    if (status == ERG_OK) status = move_shutter(world, 0, err);
    if (status == ERG_OK) status = erg_world_step(world, FLOW, err);
    return status;
}

// The space below is deep, so that grains can fall for a while.
static void walls(size_t grains, peer_state *state)
{
    state->outlet_radius = OUTLET;
    state->silo_radius = SILO;
    state->cone_height = CONE;
    state->silo_height = cylinder_height(grains);
    state->low = (erg_vec3){-1.25 * SILO, -1.25 * SILO, -0.35};
    state->high = (erg_vec3){1.25 * SILO, 1.25 * SILO, CONE + state->silo_height + SILO};
}

const bench_scene SCENE_HOPPER = {
    .name = "hopper",
    .peer = PEER_HOPPER,
    .at_rest = false,
    .grains = count_grains,
    .define = define,
    .make = make,
    .walls = walls,
};

erg_status bench_hopper(const bench_options *options, bench_rows *rows, erg_error *err)
{
    return scene_measure(&SCENE_HOPPER, options, rows, err);
}
