// labels: asan
// Force, coordination and stress of spheres, the files that contain them, and that reading them
// changes nothing.
#include "erg/snapshot.h"
#include "io/snapshot.h"
#include "scratch.h"
#include "world_helpers.h"

enum { MOST = 2000 };
static const double PI = 3.14159265358979323846;

typedef struct loads {
    double   radius[MOST], spin[3 * MOST], force[3 * MOST], stress[6 * MOST];
    uint32_t coordination[MOST];
    erg_gid  grain[MOST];
    size_t   count;
} loads;

static void look(const erg_world *world, loads *l)
{
    erg_error       err;
    erg_sphere_view view = {.count = MOST,
                            .radius = l->radius,
                            .grain = l->grain,
                            .spin = l->spin,
                            .force = l->force,
                            .stress = l->stress,
                            .coordination = l->coordination};
    must(erg_world_read_spheres(world, &view, &err), &err);
    l->count = erg_world_sphere_count(world);
}

static erg_world *floor_world(erg_id *kind, erg_shape shape)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.gravity.z = -9.81;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.2, 0.5);
    erg_wall_def wall = floor_def(sand);
    new_wall(world, &wall);
    *kind = new_kind(world, shape, sand);
    return world;
}

// A column of two: the upper one weighs on the lower one, and both on the floor.
TEST(two_spheres_on_a_floor)
{
    static loads l;
    erg_id       kind;
    erg_world   *world = floor_world(&kind, ERG_SHAPE_SPHERE);
    double       r = 1e-3;
    erg_vec3     zero = {0, 0, 0};
    new_grain(world, kind, (erg_vec3){0, 0, r}, zero, zero);
    erg_gid top = new_grain(world, kind, (erg_vec3){0, 0, 3 * r}, zero, zero);
    look(world, &l);
    CHECK(l.coordination[0] == 0 && l.force[2] == 0 && l.stress[2] == 0); // before the first step
    run_until(world, 0.3);
    double mass;
    CHECK(erg_world_read(world, ERG_FIELD_MASS, &top, 1, &mass, NULL) == ERG_OK);
    look(world, &l);
    REQUIRE(l.count == 2);
    double weight = mass * 9.81, volume = 4.0 / 3.0 * PI * r * r * r;
    CHECK(l.coordination[0] == 2 && l.coordination[1] == 1);
    CHECK_NEAR(l.force[2], weight, 1e-3 * weight);
    CHECK_NEAR(l.force[5], weight, 1e-3 * weight);
    // Branch r down with 2 weights up, branch r up with 1 weight down; overlaps are small beside r.
    CHECK_NEAR(l.stress[2], -3 * weight * r / volume, 0.01 * weight * r / volume);
    CHECK_NEAR(l.stress[6 + 2], -weight * r / volume, 0.01 * weight * r / volume);
    for (int k = 0; k < 6; k++)
        if (k != 2) CHECK_NEAR(l.stress[k], 0, 1e-6 * weight * r / volume);
    erg_world_destroy(world);
}

TEST(spin_is_that_of_the_grain)
{
    static loads l;
    erg_id       kind;
    erg_world   *world = floor_world(&kind, ERG_SHAPE_DIMER);
    new_grain(world, kind, (erg_vec3){0, 0, 1}, (erg_vec3){0, 0, 0}, (erg_vec3){1, 2, 3});
    look(world, &l);
    REQUIRE(l.count == 2 && l.grain[0] == l.grain[1]);
    for (int k = 0; k < 6; k++) CHECK_NEAR(l.spin[k], 1 + k % 3, 1e-12);
    erg_world_destroy(world);
}

// Dimers at rest in a box: spheres of a grain share its load, and all of them weigh on the box.
TEST(forces_add_up)
{
    static loads  l;
    erg_error     err;
    erg_world_def def = space_def(ERG_FLOAT);
    def.gravity.z = -9.81;
    erg_world       *world = new_world(&def);
    erg_material_def soft = erg_material_def_default();
    soft.young = 1e6;
    erg_id       sand = new_material(world, &soft);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){0.02, 0.02, 0.1}, ERG_FACE_Z_MAX);
    erg_id wall = new_wall(world, &box), kind = new_kind(world, ERG_SHAPE_DIMER, sand);
    fill_box(world, kind, 200, (erg_vec3){0, 0, 0}, (erg_vec3){0.02, 0.02, 0.1});
    run_until(world, 0.4);
    look(world, &l);
    static erg_contact contact[MOST * 6];
    size_t             count, touches = 0;
    must(erg_world_contacts(world, contact, MOST * 6, &count, &err), &err);
    for (size_t i = 0; i < count; i++) touches += contact[i].grain_b ? 2 : 1;
    double sum[3] = {0}, largest = 0;
    size_t coordination = 0;
    for (size_t i = 0; i < l.count; i++) {
        coordination += l.coordination[i];
        for (size_t k = 0; k < 3; k++) sum[k] += l.force[3 * i + k];
    }
    CHECK(coordination == touches && touches > 400);
    double weight = stats_of(world).mass * 9.81;
    CHECK_NEAR(sum[2], weight, 0.01 * weight);
    erg_wall_state felt;
    must(erg_world_wall_state(world, wall, &felt, &err), &err);
    CHECK_NEAR(-felt.force.z, weight, 0.01 * weight);
    // The spheres of a grain carry what its motion knows as its load.
    for (size_t i = 0; i + 1 < l.count; i += 2) {
        erg_vec3 load = read3(world, ERG_FIELD_FORCE, l.grain[i]);
        double   off = fabs(l.force[3 * i + 2] + l.force[3 * i + 5] - load.z);
        largest = fmax(largest, off);
    }
    CHECK(largest < 0.05 * weight / 200);
    erg_world_destroy(world);
}

static erg_world *pour(void)
{
    erg_id        kind;
    erg_world_def def = space_def(ERG_FLOAT);
    def.gravity.z = -9.81;
    erg_world       *world = new_world(&def);
    erg_material_def soft = erg_material_def_default();
    soft.young = 1e6;
    erg_id       sand = new_material(world, &soft);
    erg_wall_def wall = floor_def(sand);
    new_wall(world, &wall);
    kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 1e-3, 2e-3);
    fill_box(world, kind, 150, (erg_vec3){0, 0, 0}, (erg_vec3){0.015, 0.015, 0.1});
    return world;
}

// Writes every part at every thousandth step and compares with a world that is never read.
TEST(looking_changes_no_bit)
{
    scratch s;
    scratch_open(&s);
    erg_error  err = {0};
    erg_world *seen = pour(), *alone = pour();
    for (int i = 0; i < 8; i++) {
        step(seen, 1000);
        uint64_t before = erg_world_hash(seen);
        CHECK(erg_snapshot_write(seen, ERG_SNAPSHOT_SPHERES, scratch_path(&s, "a.vtp"), &err) ==
              ERG_OK);
        CHECK(erg_snapshot_write(seen, ERG_SNAPSHOT_GRAINS, scratch_path(&s, "b.vtp"), &err) ==
              ERG_OK);
        CHECK(erg_snapshot_write(seen, ERG_SNAPSHOT_CONTACTS, scratch_path(&s, "c.vtp"), &err) ==
              ERG_OK);
        CHECK(erg_snapshot_write(seen, ERG_SNAPSHOT_BODIES, scratch_path(&s, "d.vtp"), &err) ==
              ERG_OK);
        CHECK(erg_world_hash(seen) == before);
    }
    step(alone, 8000);
    CHECK(erg_world_hash(seen) == erg_world_hash(alone));
    CHECK(erg_world_contact_count(seen) > 50);
    ergi_snapshot got;
    REQUIRE(ergi_snapshot_read(scratch_path(&s, "a.vtp"), &got, &err) == ERG_OK);
    CHECK(got.count == 150 && got.time == erg_world_time(seen));
    ergi_snapshot_free(&got);
    erg_world_destroy(seen);
    erg_world_destroy(alone);
    scratch_close(&s);
}

TEST(wrong_names_are_refused)
{
    scratch s;
    scratch_open(&s);
    erg_error  err = {0};
    erg_world *world = pour();
    CHECK(erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, scratch_path(&s, "a.xyz"), &err) ==
          ERG_BAD_INPUT);
    CHECK(strstr(err.text, ".vtp, .hdf or .ply") != NULL);
    CHECK(erg_snapshot_write(world, ERG_SNAPSHOT_CONTACTS, scratch_path(&s, "a.ply"), &err) ==
          ERG_BAD_INPUT);
    CHECK(erg_snapshot_write(world, (erg_snapshot_part)9, scratch_path(&s, "a.vtp"), &err) ==
          ERG_BAD_INPUT);
    CHECK(erg_snapshot_write(NULL, ERG_SNAPSHOT_SPHERES, "a.vtp", &err) == ERG_BAD_INPUT);
    CHECK(erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, NULL, NULL) == ERG_BAD_INPUT);
    CHECK(erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, scratch_path(&s, "no/a.vtp"), &err) !=
          ERG_OK);
    CHECK(erg_snapshot_list(NULL, NULL, 0, &err) == ERG_BAD_INPUT);
    CHECK(erg_snapshot_write(world, ERG_SNAPSHOT_CONTACTS, scratch_path(&s, "e.vtp"), &err) ==
          ERG_OK); // none yet
    erg_world_destroy(world);
    scratch_close(&s);
}

TEST_MAIN(two_spheres_on_a_floor, spin_is_that_of_the_grain, forces_add_up, looking_changes_no_bit,
          wrong_names_are_refused)
