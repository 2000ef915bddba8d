// labels: asan clang
// Coefficients of pairs of materials: computed for pairs that can meet, shared by equal ones.
#include "body_helpers.h"

enum { MATERIALS = 12 };

static erg_id new_material_of(erg_world *world, double restitution)
{
    erg_material_def def = erg_material_def_default();
    def.restitution = restitution;
    return new_material(world, &def);
}

static double damping(const erg_world *world, size_t a, size_t b)
{
    return world->pair[a * world->materials + b].scales.damping_number;
}

// Finding a damping number takes milliseconds, and 128 materials have 8,256 pairs.
TEST(pairs_that_cannot_meet_are_left_out)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_error     err;
    for (int k = 0; k < MATERIALS; k++) {
        erg_wall_def wall = floor_def(new_material_of(world, 0.3 + 0.05 * k));
        wall.plane.point.z = -k;
        new_wall(world, &wall);
    }
    erg_id grain = 3, body = 5;
    new_kind(world, ERG_SHAPE_SPHERE, grain);
    erg_mesh    *cube = new_box(0.01, 0.01, 0.01);
    erg_body_def box = erg_body_def_default();
    box.mesh = cube;
    box.material = body;
    box.position.z = 1;
    must(erg_world_add_body(world, &box, NULL, &err), &err);
    must(erg_world_prepare(world, &err), &err);
    for (size_t a = 0; a < MATERIALS; a++)
        for (size_t b = 0; b < MATERIALS; b++) {
            bool meet = a == grain - 1 || b == grain - 1 || a == body - 1 || b == body - 1;
            CHECK((damping(world, a, b) > 0) == meet);
        }
    erg_world_destroy(world);
    erg_mesh_destroy(cube);
}

TEST(equal_pairs_share_their_damping)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_error     err;
    erg_id        soft = new_material_of(world, 0.5), hard = new_material_of(world, 0.5);
    new_kind(world, ERG_SHAPE_SPHERE, soft);
    new_kind(world, ERG_SHAPE_SPHERE, hard);
    must(erg_world_prepare(world, &err), &err);
    CHECK(damping(world, 0, 0) > 0 && damping(world, 0, 0) == damping(world, 0, 1));
    CHECK(damping(world, 0, 1) == damping(world, 1, 0));
    CHECK(damping(world, 0, 0) == damping(world, 1, 1));
    erg_world_destroy(world);
}

TEST_MAIN(pairs_that_cannot_meet_are_left_out, equal_pairs_share_their_damping)
