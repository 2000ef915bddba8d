// Input for other codes in the benches: orientations computed from positions, numbers parsed from
// output, beds with and without walls, braking, and the tangential force of each contact.
// labels: asan clang
#include "../bench/brake_input.c"
#include "../bench/clump_input.c"
#include "../bench/input_file.c"
#include "../bench/lammps_input.c"
#include "../bench/peer_state.c"
#include "../cli/fail.c"

#include "check.h"

#include <stdarg.h>

static erg_vec3 turn(erg_quat q, erg_vec3 v)
{
    erg_vec3 t = {2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z),
                  2 * (q.x * v.y - q.y * v.x)};
    return (erg_vec3){v.x + q.w * t.x + q.y * t.z - q.z * t.y,
                      v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                      v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

// Each part of the quaternion is the largest in one of these.
TEST(orientation_is_found_again)
{
    const erg_quat wanted[] = {{0, 0, 0, 1},          {1, 0, 0, 0},          {0, 1, 0, 0},
                               {0, 0, 1, 0},          {0.8, 0.4, 0.4, 0.2},  {-0.4, 0.8, 0.2, 0.4},
                               {0.4, 0.2, 0.8, -0.4}, {0.5, -0.5, 0.5, -0.5}};
    const erg_vec3 middle = {0.3, -0.2, 0.1};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        erg_vec3   place[2 * CLUMP_SPHERES] = {0};
        peer_state state = {.position = place, .grains = 2, .spheres = 2 * CLUMP_SPHERES};
        for (int k = 0; k < CLUMP_SPHERES; k++)
            place[CLUMP_SPHERES + k] = sum(middle, turn(wanted[i], CLUMP_PLACE[k]), 1e-3);
        erg_vec3 c = clump_centre(&state, 1);
        erg_quat q = clump_orientation(&state, 1), w = wanted[i];
        CHECK_NEAR(c.x, middle.x, 1e-12);
        CHECK_NEAR(c.y, middle.y, 1e-12);
        CHECK_NEAR(c.z, middle.z, 1e-12);
        CHECK_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-9);
        CHECK_NEAR(fabs(q.x * w.x + q.y * w.y + q.z * w.z + q.w * w.w), 1, 1e-9);
    }
}

TEST(last_line_counts)
{
    const char *said = "Loop time of 1.5 on\nsome Loop time of 7\nLoop time of 2.5 on\n";
    CHECK_NEAR(output_number(said, "Loop time of "), 2.5, 0);
    CHECK(isnan(output_number(said, "time of ")));
    CHECK_NEAR(output_gain(said, "Loop time of "), 1, 0);
    CHECK_NEAR(output_gain("builds = 3\n", "builds = "), 3, 0);
    CHECK(isnan(output_gain(said, "time of ")));
}

// LAMMPS input for a bed of one sphere.
static char *told(peer_scene scene, bool periodic, const char *file)
{
    static erg_vec3 place = {1e-3, 1e-3, 1e-3};
    static size_t   grain = 0;
    const char     *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    erg_error       err;
    peer_state      state = {.scene = scene,
                             .spheres = 1,
                             .grains = 1,
                             .radius = 1e-3,
                             .density = 2500,
                             .gravity = 9.81,
                             .dt = 1e-5,
                             .position = &place,
                             .grain = &grain,
                             .high = {0.25, 0.5, 0.1},
                             .floor = true,
                             .box = !periodic,
                             .periodic = periodic,
                             .at_rest = true};
    CHECK(lammps_write_window(folder, &state, &err) == ERG_OK);
    CHECK(lammps_write_state(folder, &state, &err) == ERG_OK);
    return output_text(folder, file);
}

TEST(sides_are_walls_or_periodic)
{
    char *walled = told(PEER_PACK, false, "window.in"),
         *room = told(PEER_PACK, false, "state.data"),
         *periodic = told(PEER_PACK, true, "window.in"),
         *period = told(PEER_PACK, true, "state.data");
    CHECK(strstr(walled, "boundary f f f\n") && strstr(walled, "xplane 0 0.25\n") &&
          strstr(walled, "yplane 0 0.5\n") && strstr(walled, "zplane 0 NULL\n"));
    CHECK(strstr(room, "-0.0001 0.2501 xlo xhi\n-0.0001 0.5001 ylo yhi\n"));
    CHECK(strstr(periodic, "boundary p p f\n") && strstr(periodic, "zplane 0 NULL\n"));
    CHECK(!strstr(periodic, "xplane") && !strstr(periodic, "yplane"));
    CHECK(strstr(period, "0 0.25 xlo xhi\n0 0.5 ylo yhi\n"));
    free(walled);
    free(room);
    free(periodic);
    free(period);
}

// Only forces stop a rigid grain; a sphere's velocity and spin are set.
TEST(brakes_know_what_they_stop)
{
    char *sphere = told(PEER_PACK, false, "rest.in"), *grain = told(PEER_TETRA, false, "rest.in");
    CHECK(strstr(sphere, "velocity all set v_vx v_vy v_vz\nset group all omega v_wx v_wy v_wz\n"));
    CHECK(!strstr(sphere, "addforce"));
    CHECK(strstr(grain, "addforce v_bx v_by v_bz every 20\n"));
    CHECK(strstr(grain, "chunk/atom molecule\n") && !strstr(grain, "velocity all set"));
    free(sphere);
    free(grain);
}

TEST(contacts_name_spheres_and_walls)
{
    const erg_gid id[] = {7, 7, 7, 9, 9};
    erg_contact   pair = {.grain_a = 9,
                          .slot_a = 1,
                          .grain_b = 7,
                          .slot_b = 2,
                          .normal = {0, 0, 1},
                          .force = {1, 2, 3}};
    erg_contact   wall = {.grain_a = 7, .normal = {0, -1, 0}, .force = {1, 2, 3}};
    peer_contact  p = translate(&pair, id, 5), w = translate(&wall, id, 5);
    CHECK(p.a == 4 && p.b == 2);
    CHECK(p.friction.x == 1 && p.friction.y == 2 && p.friction.z == 0);
    CHECK(w.a == 0 && w.b == 5 + PEER_WALL_HIGH_Y);
    CHECK(w.friction.x == 1 && w.friction.y == 0 && w.friction.z == 3);
}

TEST_MAIN(orientation_is_found_again, last_line_counts, sides_are_walls_or_periodic,
          brakes_know_what_they_stop, contacts_name_spheres_and_walls)
