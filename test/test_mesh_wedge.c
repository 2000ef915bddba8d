// A grain wedged in a hollow of a mesh, where it touches one smooth patch at several points with
// the same overlap, is held by friction.
// labels: asan clang
#include "body_helpers.h"
#include "dem/dem.h"

enum { BOTTOM = 18 }; // bends of the slot

// A slot along y between two walls `2 half` apart, joined by a round bottom: one smooth sheet.
static erg_mesh *new_slot(double half, double height, double length)
{
    double    xyz[2 * (BOTTOM + 3) * 3], *p = xyz;
    uint32_t  corner[6 * (BOTTOM + 2)], *c = corner;
    erg_mesh *mesh = NULL;
    erg_error err;
    for (int k = -1; k <= BOTTOM + 1; k++) {
        double a = ERGI_PI * fmin(fmax(k, 0), BOTTOM) / BOTTOM, z = -height - half * sin(a);
        if (k < 0 || k > BOTTOM) z = height;
        for (int end = 0; end < 2; end++) {
            *p++ = -half * cos(a);
            *p++ = end ? length : -length;
            *p++ = z;
        }
    }
    for (uint32_t k = 0; k < BOTTOM + 2; k++) {
        const uint32_t a = 2 * k, two[6] = {a, a + 1, a + 3, a, a + 3, a + 2};
        for (int i = 0; i < 6; i++) *c++ = two[i];
    }
    must(erg_mesh_create(xyz, 2 * (BOTTOM + 3), corner, 2 * (BOTTOM + 2), NULL, &mesh, &err), &err);
    return mesh;
}

typedef struct wedge {
    erg_mesh *mesh;
    bool      body;  // a ball that is a body, else a grain
    double    shake; // amplitude of the wall, so that now this side is deeper, now that one [m]
} wedge;

// A ball of 10 mm at the origin, a little larger than the gap that it is in: how far it goes in a
// second. Shaken, it creeps by a millionth of a radius a cycle: Mindlin's springs, when they
// stiffen, keep their force and not their stretch.
static double sinks(wedge w, uint64_t least_contacts, uint64_t most_contacts)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.gravity = ergi_vec3(0, 1, -9.81);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.5), kind, body_id = 0;
    erg_wall_def  wall = erg_wall_def_default(ERG_WALL_MESH);
    erg_grain_def grain = erg_grain_def_default();
    erg_body_def  body = erg_body_def_default();
    erg_mesh     *ball = new_ball(0.01);
    erg_vec3      none = {0, 0, 0}, at[2];
    erg_gid       id = 0;
    erg_error     err;
    wall.material = grain.material = body.material = sand;
    wall.mesh.mesh = w.mesh;
    wall.side = ERG_SIDE_BOTH;
    wall.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    wall.motion[0].amplitude = ergi_vec3(w.shake, 0, 0);
    wall.motion[0].frequency = 10;
    wall.motion[0].phase = 0.5 * ERGI_PI; // from rest
    wall.motion_count = w.shake > 0;
    new_wall(world, &wall);
    body.mesh = ball;
    grain.sizes.radius = 0.01;
    must(erg_world_add_grain_kind(world, &grain, &kind, &err), &err);
    if (w.body)
        body_id = new_body(world, &body);
    else
        id = new_grain(world, kind, none, none, none);
    for (int k = 0; k < 2; k++) { // at first it sinks until the springs hold its weight
        run_until(world, k + 0.1);
        at[k] = w.body ? state_of(world, body_id).centre : read3(world, ERG_FIELD_POSITION, id);
        uint64_t contacts =
            w.body ? ergi_dem_of(world)->body_contacts.rows : stats_of(world).wall_contacts;
        CHECK(contacts >= least_contacts && contacts <= most_contacts);
    }
    erg_world_destroy(world);
    erg_mesh_destroy(ball);
    return hypot(at[1].y - at[0].y, at[1].z - at[0].z);
}

TEST(a_grain_in_a_slot_is_held_by_both_walls)
{
    erg_mesh *slot = new_slot(0.01 - 1e-4, 0.03, 0.1);
    for (int k = 0; k < 4; k++) CHECK(sinks((wedge){slot, k & 1, k & 2 ? 3e-5 : 0}, 2, 2) < 1e-6);
    erg_mesh_destroy(slot);
}

TEST(a_grain_in_a_pipe_is_held_all_around)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_TUBE);
    shape.thickness = 0.002;
    shape.radius = 0.01 - 1e-4 + shape.thickness;
    shape.height = 0.1;
    shape.segments = 60;
    erg_mesh *pipe = new_shape(shape);
    for (int k = 0; k < 4; k++) CHECK(sinks((wedge){pipe, k & 1, k & 2 ? 3e-5 : 0}, 8, 14) < 1e-6);
    erg_mesh_destroy(pipe);
}

TEST_MAIN(a_grain_in_a_slot_is_held_by_both_walls, a_grain_in_a_pipe_is_held_all_around)
