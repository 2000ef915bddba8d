// The real-time solver keeps grains in: a closed box with walls of no thickness and a partition of
// 1 mm is shaken and rocked for five minutes, while a heavy ball is hurled at the grains again and
// again. Every grain is looked at 60 times a second.
#include "world_helpers.h"

#define R 0.01    // of the grains [m]
#define SIDE 0.4  // of the box [m]
#define BALL 0.03 // radius [m]

enum { GRAINS = 1000, MINUTES = 5 };

static const erg_vec3 pivot = {0, 0, 0};
static const double   hurled = 10; // speed of the ball [m/s]

static void shake(erg_wall_def *wall)
{
    const erg_vec3 amplitude[] = {{0.03, 0, 0}, {0, 0.02, 0}, {0, 0, 0.03}};
    const double   frequency[] = {2.3, 3.1, 4};
    for (int k = 0; k < 3; k++) {
        wall->motion[k] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
        wall->motion[k].amplitude = amplitude[k];
        wall->motion[k].frequency = frequency[k];
    }
    wall->motion[3] = erg_motion_def_default(ERG_MOTION_ROCKING);
    wall->motion[3].axis = (erg_vec3){0.6, 0.8, 0};
    wall->motion[3].angle = 0.3;
    wall->motion[3].frequency = 0.7;
    wall->motion_count = 4;
    wall->has_pivot = true;
    wall->pivot = pivot;
}

// The box is centred on the origin; the partition is at x = 0.
static erg_world *build(erg_gid *ball)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.threads = 1;
    erg_world       *world = new_world(&def);
    erg_material_def heavy = erg_material_def_default();
    erg_id           sand = new_sand(world, 0.5, 0.4);
    heavy.density = 8000;
    heavy.restitution = 0.8;
    erg_id iron = new_material(world, &heavy);

    double       h = SIDE / 2;
    erg_wall_def box = box_def(sand, (erg_vec3){-h, -h, -h}, (erg_vec3){h, h, h}, 0);
    erg_wall_def partition = box_def(sand, (erg_vec3){-5e-4, -h, -h}, (erg_vec3){5e-4, h, h}, 0);
    box.side = ERG_SIDE_BOTH; // a grain that passed it would stay outside
    partition.side = ERG_SIDE_OUTSIDE;
    shake(&box);
    shake(&partition);
    new_wall(world, &box);
    new_wall(world, &partition);

    erg_id grain = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, R, 1.2 * R);
    erg_id big = new_mixed_kind(world, ERG_SHAPE_SPHERE, iron, BALL, BALL);
    *ball = new_grain(world, big, (erg_vec3){h / 2, 0, h / 2}, (erg_vec3){0, 0, 0},
                      (erg_vec3){0, 0, 0});
    fill_box(world, grain, GRAINS / 2, (erg_vec3){-h, -h, -h}, (erg_vec3){0, h, h});
    fill_box(world, grain, GRAINS / 2, (erg_vec3){0, -h, -h}, (erg_vec3){h, h, h / 2 - BALL});
    return world;
}

// Of the walls, which all move alike.
static erg_vec3 in_box(const erg_wall_state *box, erg_vec3 x)
{
    erg_vec3 at = ergi_sub(ergi_sub(x, pivot), box->position);
    return ergi_add(pivot, ergi_quat_unrotate(box->rotation, at));
}

// Grains that are outside, or have changed sides.
static int escaped(const erg_world *world, erg_vec3 *position, const bool *right)
{
    erg_error      err;
    erg_wall_state box;
    size_t         count = erg_world_grain_count(world);
    int            out = 0;
    must(erg_world_wall_state(world, 1, &box, &err), &err);
    must(erg_world_read(world, ERG_FIELD_POSITION, NULL, count, position, &err), &err);
    for (size_t k = 0; k < count; k++) {
        erg_vec3 x = in_box(&box, position[k]);
        double   h = SIDE / 2;
        out += !(fabs(x.x) < h && fabs(x.y) < h && fabs(x.z) < h) || (x.x > 0) != right[k];
    }
    return out;
}

static void hurl(erg_world *world, erg_gid ball, uint64_t turn)
{
    ergi_random r = {.seed = 3, .id = turn};
    erg_vec3    to = ergi_random_in_ball(&r);
    write3(world, ERG_FIELD_VELOCITY, ball, ergi_scale(to, hurled / ergi_norm(to)));
}

TEST(no_grain_ever_leaves_a_closed_box)
{
    static erg_vec3 position[GRAINS + 1];
    static bool     right[GRAINS + 1];
    erg_gid         ball;
    erg_world      *world = build(&ball);
    erg_error       err;
    int             out = 0;
    CHECK(erg_world_grain_count(world) == GRAINS + 1);
    must(erg_world_read(world, ERG_FIELD_POSITION, NULL, GRAINS + 1, position, &err), &err);
    for (int k = 0; k <= GRAINS; k++) right[k] = position[k].x > 0;
    for (int frame = 1; frame <= 60 * 60 * MINUTES && !out; frame++) {
        run_until(world, frame / 60.0);
        out = escaped(world, position, right);
        if (out) printf("    %d grains escaped by t = %.2f s\n", out, frame / 60.0);
        if (frame % 60 == 0) hurl(world, ball, (uint64_t)frame);
    }
    CHECK(out == 0);
    CHECK(erg_world_grain_count(world) == GRAINS + 1);
    CHECK(stats_of(world).lost == 0);
    erg_world_destroy(world);
}

TEST_MAIN(no_grain_ever_leaves_a_closed_box)
