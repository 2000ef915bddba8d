// Bodies and walls from meshes in scenes: what is read, what is built, where grains may be.
// labels: asan
#include "check.h"
#include "scratch.h"

#include "erg/erg.h"
#include "geom/vec3.h"
#include "scene/scene_def.h"

static erg_error err;

static void must(erg_status status)
{
    if (status == ERG_OK) return;
    printf("    unexpected: %s\n0 passed, 1 failed\n", err.text);
    exit(1);
}

#define WOOD "materials: {wood: {density: 600}}\n"
#define BEAD WOOD "grains: {bead: {material: wood, radius: 5e-3}}\n"

static erg_scene *load(const char *text)
{
    erg_scene *scene = NULL;
    must(erg_scene_load_text(text, strlen(text), "s.yaml", NULL, 0, &scene, &err));
    return scene;
}

static erg_world *build(erg_scene *scene)
{
    erg_world *world = NULL;
    must(erg_scene_build(scene, NULL, NULL, &world, &err));
    erg_scene_destroy(scene);
    return world;
}

static erg_body_state state_of(const erg_world *world, erg_id id)
{
    erg_body_state state;
    must(erg_world_body_state(world, id, &state, &err));
    return state;
}

static erg_wall_surface surface_of(const erg_world *world, erg_id id)
{
    erg_wall_surface surface;
    must(erg_world_wall_surface(world, id, (double)NAN, &surface, &err));
    return surface;
}

// ---- Reading -----------------------------------------------------------------------------------
TEST(defaults_are_those_of_the_api)
{
    erg_scene   *scene = load(WOOD "bodies: [{material: wood, sphere: {radius: 1}}]\n");
    erg_body_def read = scene->def.bodies[0].def, normal = erg_body_def_default();
    normal.material = 1;
    CHECK(memcmp(&read, &normal, sizeof read) == 0);
    erg_primitive ball = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    CHECK(scene->def.bodies[0].primitive.kind == ball.kind);
    CHECK(scene->def.bodies[0].primitive.segments == ball.segments);
    erg_scene_destroy(scene);
}

TEST(every_key_is_read)
{
    erg_scene *scene =
        load(WOOD "bodies:\n"
                  "- {name: a, material: wood, plate: {size: [2, 3], thickness: 0.5}, density: 7,\n"
                  "   velocity: [1, 2, 3], spin: [4, 5, 6], contact: spheres, sphere_radius: 0.1,\n"
                  "   rounding: 0.01, position: [7, 8, 9], rotation: {axis: [0, 2, 0], angle: 1}}\n"
                  "- {material: wood, bucket: {radius: 1, height: 2, thickness: 0.1, taper: 0.5,\n"
                  "   segments: 12}, mass: 3, motion: {spin: {rate: 2}}, pivot: [0, 0, 1]}\n");
    const ergi_scene_body *a = &scene->def.bodies[0], *b = a + 1;
    CHECK_STR(a->def.name, "a");
    CHECK(a->primitive.kind == ERG_PRIMITIVE_PLATE && a->primitive.size.y == 3);
    CHECK(a->primitive.thickness == 0.5 && a->def.density == 7 && a->def.mass == 0);
    CHECK(a->def.velocity.y == 2 && a->def.spin.z == 6 && a->def.position.x == 7);
    CHECK(a->def.contact == ERG_BODY_SPHERES && a->def.sphere_radius == 0.1);
    CHECK(a->def.rounding == 0.01 && a->def.free);
    CHECK_NEAR(a->def.rotation.y, sin(0.5), 1e-15);
    CHECK_NEAR(a->def.rotation.w, cos(0.5), 1e-15);
    CHECK(b->primitive.kind == ERG_PRIMITIVE_BUCKET && b->primitive.taper == 0.5);
    CHECK(b->primitive.segments == 12 && b->def.mass == 3 && !b->def.free);
    CHECK(b->motion_count == 1 && b->motions[0].def.rate == 2);
    CHECK(b->def.has_pivot && b->def.pivot.z == 1);
    erg_scene_destroy(scene);
}

static void check_refused(const char *text, const char *wanted)
{
    erg_scene *scene = NULL;
    CHECK(erg_scene_load_text(text, strlen(text), "s.yaml", NULL, 0, &scene, &err) ==
          ERG_BAD_INPUT);
    CHECK_STR(err.text, wanted);
    erg_scene_destroy(scene);
}

TEST(motions_of_bodies_and_meshes_are_checked_where_they_stand)
{
    check_refused(WOOD "bodies:\n"
                       "- {name: blade, material: wood, sphere: {radius: 1},\n"
                       "   motion: [{servo_torque: {torque: 1, max_rate: 1}}, {user: true}]}\n",
                  "s.yaml:4:55: bodies.0: number of servo_torque and user motions must be at "
                  "most 1, got 2");
    check_refused(
        WOOD "walls:\n"
             "- material: wood\n"
             "  mesh: {file: any.stl}\n"
             "  motion: [{servo: {force: 1, max_speed: 1}}, {user: true}]\n",
        "s.yaml:5:47: walls.0: number of servo and user motions must be at most 1, got 2");
}

// A probe refers to an entry; the world counts the bodies of grids before it, too.
TEST(force_probes_take_bodies)
{
#define PROBED(wall)                                                                               \
    WOOD "walls: [{name: floor, material: wood, plane: {}}]\n"                                     \
         "bodies:\n"                                                                               \
         "- {name: crowd, material: wood, sphere: {radius: 0.1}, position: [0, 0, 2],\n"           \
         "   grid: {count: [3, 1, 2], spacing: [1, 1, 1]}}\n"                                      \
         "- {name: ball, material: wood, sphere: {radius: 0.1}, position: [0, 5, 1]}\n"            \
         "probes: [{name: push, force: {wall: " wall "}}]\n"
    static const char *const names[] = {"floor", "ball"};
    erg_scene               *scenes[] = {load(PROBED("floor")), load(PROBED("ball"))};
    for (int k = 0; k < 2; k++) {
        erg_id     probed = erg_scene_get_settings(scenes[k])->probes[0].wall;
        erg_world *world = build(scenes[k]);
        CHECK(probed == erg_world_find_wall(world, names[k]));
        erg_world_destroy(world);
    }
    check_refused(PROBED("crowd"), "s.yaml:7:9: probe 'push' measures body 'crowd', a grid of 6 "
                                   "bodies, expected a single body");
    check_refused(PROBED("bal"), "s.yaml:7:37: wall is 'bal', expected a name "
                                 "from walls or bodies (floor, crowd, ball); did you mean 'ball'?");
}

// ---- Building ----------------------------------------------------------------------------------
TEST(bodies_are_free_fixed_driven_or_the_users)
{
    erg_world *world = build(
        load(WOOD "gravity: [0, 0, 0]\n"
                  "bodies:\n"
                  "- {name: free, material: wood, sphere: {radius: 0.1}, velocity: [1, 0, 0]}\n"
                  "- {name: fixed, material: wood, sphere: {radius: 0.1}, position: [0, 9, 0],\n"
                  "   motion: fixed}\n"
                  "- {name: driven, material: wood, sphere: {radius: 0.1}, position: [0, 6, 0],\n"
                  "   motion: [{velocity: [0, 0, 2]}, {keyframes: {keys: [{time: 0}, {time: 1,\n"
                  "   position: [1, 0, 0]}], smooth: false}}]}\n"
                  "- {name: mine, material: wood, sphere: {radius: 0.1}, position: [0, 3, 0],\n"
                  "   motion: user}\n"));
    CHECK(erg_world_body_count(world) == 4 && erg_world_wall_count(world) == 4);
    must(erg_world_run(world, 0.25, NULL, NULL, &err));
    double         t = erg_world_time(world);
    erg_body_state s = state_of(world, erg_world_find_wall(world, "free"));
    CHECK(s.free);
    CHECK_NEAR(s.centre.x, t, 1e-12);
    s = state_of(world, erg_world_find_wall(world, "fixed"));
    CHECK(!s.free);
    CHECK_NEAR(s.centre.z, 0, 1e-12);
    s = state_of(world, erg_world_find_wall(world, "driven"));
    CHECK_NEAR(s.centre.z, 2 * t, 1e-9);
    CHECK_NEAR(s.centre.x, t, 1e-9);
    erg_id mine = erg_world_find_wall(world, "mine");
    CHECK(surface_of(world, mine).movable && !surface_of(world, 1).movable);
    erg_world_destroy(world);
}

TEST(mass_is_given_or_follows_from_density)
{
    erg_world *world = build(load(
        WOOD
        "bodies:\n"
        "- {material: wood, box: {size: [0.1, 0.2, 0.3]}}\n"
        "- {material: wood, box: {size: [0.1, 0.2, 0.3]}, density: 1000, position: [1, 0, 0]}\n"
        "- {material: wood, box: {size: [0.1, 0.2, 0.3]}, mass: 5, position: [2, 0, 0]}\n"));
    CHECK_NEAR(state_of(world, 1).mass, 3.6, 1e-12);
    CHECK_NEAR(state_of(world, 2).mass, 6, 1e-12);
    CHECK_NEAR(state_of(world, 3).mass, 5, 1e-12);
    CHECK(surface_of(world, 1).mesh == surface_of(world, 3).mesh); // made once
    erg_world_destroy(world);
}

#define GRID(seed, extra)                                                                          \
    WOOD "seed: " seed "\n"                                                                        \
         "bodies: [{name: crowd, material: wood, box: {size: [0.1, 0.1, 0.1]},\n"                  \
         "  position: [1, 2, 3], grid: {count: [2, 3, 4], spacing: [0.3, 0.4, 0.5]" extra "}}]\n"

TEST(a_grid_is_many_bodies_of_one_mesh)
{
    erg_world *world = build(load(GRID("1", "")));
    CHECK(erg_world_body_count(world) == 24);
    erg_body_state last = state_of(world, 24);
    CHECK_NEAR(last.centre.x, 1.3, 1e-12);
    CHECK_NEAR(last.centre.y, 2.8, 1e-12);
    CHECK_NEAR(last.centre.z, 4.5, 1e-12);
    CHECK(surface_of(world, 24).mesh == surface_of(world, 1).mesh);
    CHECK_STR(surface_of(world, 1).name, "");
    erg_world_destroy(world);
}

TEST(a_grid_is_shifted_and_turned_at_random_by_the_seed)
{
    erg_world *world = build(load(GRID("1", ", shift: 0.05, turn: 0.4")));
    erg_world *again = build(load(GRID("1", ", shift: 0.05, turn: 0.4")));
    erg_world *other = build(load(GRID("2", ", shift: 0.05, turn: 0.4")));
    double     far = 0, turned = 0;
    for (erg_id id = 1; id <= 24; id++) {
        erg_body_state a = state_of(world, id), b = state_of(again, id), c = state_of(other, id);
        uint32_t       k = id - 1;
        erg_vec3       site = {1 + 0.3 * (k % 2), 2 + 0.4 * (k / 2 % 3), 3 + 0.5 * (k / 6)};
        CHECK(ergi_distance(a.centre, b.centre) == 0 && a.rotation.w == b.rotation.w);
        CHECK(ergi_distance(a.centre, c.centre) > 0 && a.rotation.w != c.rotation.w);
        double angle = 2 * acos(a.rotation.w);
        CHECK(ergi_distance(a.centre, site) <= 0.05 && angle <= 0.4 + 1e-7);
        far = fmax(far, ergi_distance(a.centre, site));
        turned = fmax(turned, angle);
    }
    // Of 24, each below half of the range once in 8 (shift) and 2 (turn) times.
    CHECK(far > 0.025 && turned > 0.2);
    erg_world_destroy(world);
    erg_world_destroy(again);
    erg_world_destroy(other);
}

// ---- Files -------------------------------------------------------------------------------------
static void write_box(scratch *folder, const char *name, double x, double y, double z)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    erg_mesh     *mesh = NULL;
    shape.size = (erg_vec3){x, y, z};
    must(erg_mesh_primitive(&shape, &mesh, &err));
    must(erg_mesh_write(mesh, scratch_path(folder, name), &err));
    erg_mesh_destroy(mesh);
}

static erg_scene *load_in(scratch *folder, const char *text)
{
    const char *path = scratch_path(folder, "s.yaml");
    erg_scene  *scene = NULL;
    FILE       *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    must(erg_scene_load(path, NULL, 0, &scene, &err));
    return scene;
}

TEST(mesh_paths_begin_at_the_scenes_folder)
{
    scratch folder;
    scratch_open(&folder);
    write_box(&folder, "brick.stl", 100, 200, 300);
    erg_world       *world = build(load_in(
              &folder,
              WOOD "walls: [{name: w, material: wood, side: both, mesh: {file: brick.stl, scale: 1e-3,\n"
                         "  position: [5, 0, 0], rotation: {axis: [1, 0, 0], angle: 1.5707963267948966}}}]\n"
                         "bodies: [{name: b, material: wood, mesh: {file: brick.stl, scale: 2e-3}}]\n"));
    erg_wall_surface w = surface_of(world, 1);
    CHECK(w.kind == ERG_SURFACE_MESH && w.side == ERG_SIDE_BOTH && !w.body);
    CHECK(w.origin.x == 5);
    CHECK_NEAR(w.ey.z, 1, 1e-12);
    // Floats in the file: 2e-3 times 100 is right to 1e-7 of it.
    CHECK_NEAR(state_of(world, 2).mass, 600 * 0.2 * 0.4 * 0.6, 600 * 0.2 * 0.4 * 0.6 * 1e-6);
    erg_world_destroy(world);
    scratch_close(&folder);
}

TEST(a_mesh_that_is_not_there_or_no_solid_is_told_with_its_place)
{
    scratch    folder;
    erg_world *world = NULL;
    char       wanted[900];
    scratch_open(&folder);
    FILE *file = fopen(scratch_path(&folder, "open.obj"), "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    erg_scene *scene = load_in(&folder, WOOD "bodies:\n"
                                             "- {material: wood,\n"
                                             "   mesh: {file: none.stl}}\n");
    CHECK(erg_scene_build(scene, NULL, NULL, &world, &err) == ERG_BAD_INPUT);
    snprintf(wanted, sizeof wanted,
             "%s/s.yaml:4:17: bodies.0: there is no mesh '%s/none.stl'; its path is relative to "
             "the folder of the scene file",
             folder.folder, folder.folder);
    CHECK_STR(err.text, wanted);
    erg_scene_destroy(scene);
    scene = load_in(&folder, WOOD "bodies:\n"
                                  "- {material: wood, mesh: {file: open.obj}}\n");
    CHECK(erg_scene_build(scene, NULL, NULL, &world, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "s.yaml:3:26: bodies.0: body: its mesh is not a solid: "));
    CHECK(strstr(err.text, "repair it, or make it a wall"));
    erg_scene_destroy(scene);
    scratch_close(&folder);
}

TEST(a_body_too_thin_is_told_with_its_name_and_place)
{
#define LEAF(name)                                                                                 \
    WOOD "walls: [{material: wood, plane: {}}]\n"                                                  \
         "bodies:\n"                                                                               \
         "- {material: wood, sphere: {radius: 0.1}, grid: {count: [2, 1, 1], spacing: [1, 1, "     \
         "1]},\n"                                                                                  \
         "   position: [0, 0, 5]}\n"                                                               \
         "- {" name "material: wood, box: {size: [1, 1, 1e-5]}, rounding: 0.3,\n"                  \
         "   position: [0, 0, 1]}\n"
    static const char *const texts[] = {LEAF("name: leaf, "), LEAF("")};
    static const char *const wanted[] = {
        "s.yaml:6:69: bodies.leaf: body 'leaf': its mesh is so thin that nothing fits into it: ",
        "s.yaml:6:57: bodies.1: body number 4: its mesh is so thin that nothing fits into it: "};
    for (int k = 0; k < 2; k++) {
        erg_world *world = NULL;
        erg_scene *scene = load(texts[k]);
        CHECK(erg_scene_build(scene, NULL, NULL, &world, &err) == ERG_BAD_INPUT);
        CHECK(strncmp(err.text, wanted[k], strlen(wanted[k])) == 0);
        erg_scene_destroy(scene);
    }
}

// ---- Grains keep clear -------------------------------------------------------------------------
TEST(fills_leave_bodies_and_meshes_free_however_large_they_are)
{
    // Forty grains would lie side by side across the box, most of them deep inside.
    erg_world *world = build(
        load(BEAD "gravity: [0, 0, 0]\n"
                  "bodies: [{material: wood, box: {size: [0.2, 0.2, 0.2]}, motion: fixed}]\n"
                  "fill: [{grain: bead, count: max,\n"
                  "  region: {box: {min: [-0.15, -0.15, -0.15], max: [0.15, 0.15, 0.15]}}}]\n"));
    size_t  n = erg_world_grain_count(world), inside = 0;
    double *x = calloc(3 * n, sizeof *x);
    must(erg_world_read(world, ERG_FIELD_POSITION, NULL, n, x, &err));
    for (size_t i = 0; i < n; i++) {
        double gap2 = 0; // squared distance to the box
        for (size_t k = 0; k < 3; k++) {
            double out = fmax(fabs(x[3 * i + k]) - 0.1, 0);
            gap2 += out * out;
        }
        inside += sqrt(gap2) < 5e-3 - 1e-9;
    }
    CHECK(n > 1000);
    CHECK(inside == 0);
    free(x);
    erg_world_destroy(world);
}

TEST(fills_stay_in_a_mesh_that_is_a_container)
{
    scratch folder;
    scratch_open(&folder);
    write_box(&folder, "box.ply", 0.2, 0.2, 0.2);
    erg_world *world = build(
        load_in(&folder,
                BEAD "gravity: [0, 0, 0]\n"
                     "walls: [{material: wood, side: inside, mesh: {file: box.ply}}]\n"
                     "fill: [{grain: bead, count: max,\n"
                     "  region: {box: {min: [-0.15, -0.15, -0.15], max: [0.15, 0.15, 0.15]}}}]\n"));
    size_t  n = erg_world_grain_count(world), outside = 0;
    double *x = calloc(3 * n, sizeof *x);
    must(erg_world_read(world, ERG_FIELD_POSITION, NULL, n, x, &err));
    for (size_t i = 0; i < n; i++) {
        double out = fmax(fabs(x[3 * i]), fmax(fabs(x[3 * i + 1]), fabs(x[3 * i + 2])));
        outside += out > 0.1 - 5e-3 + 1e-9;
    }
    CHECK(n > 1000);
    CHECK(outside == 0);
    free(x);
    erg_world_destroy(world);
    scratch_close(&folder);
}

// ---- Resuming ----------------------------------------------------------------------------------
TEST(scenes_differ_by_their_bodies)
{
#define BODY(motion) WOOD "bodies: [{material: wood, sphere: {radius: 1}" motion "}]\n"
    static const struct {
        const char *a, *b;
        bool        differ;
    } cases[] = {
        {BODY(", motion: fixed"), BODY(", motion: fixed"), false},
        {BODY(", motion: fixed"), BODY(", motion: user"), true},
        {BODY(", motion: fixed"), BODY(""), true},
        {BODY(", motion: fixed"), BODY(", motion: {velocity: [1, 0, 0]}"), true},
        {BODY(", motion: {velocity: [1, 0, 0]}"), BODY(", motion: [{velocity: [1, 0, 0]}]"), false},
        {BODY(", grid: {count: [1, 1, 1]}"), BODY(""), false},
        {BODY(", rotation: {angle: 0}"), BODY(""), false},
        {BODY(", rotation: {angle: 1}"), BODY(""), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char       key[64] = "";
        erg_scene *a = load(cases[i].a), *b = load(cases[i].b);
        CHECK(erg_scene_differs(a, b, key, sizeof key) == cases[i].differ);
        CHECK(!cases[i].differ || strncmp(key, "bodies.0.", 9) == 0);
        erg_scene_destroy(a);
        erg_scene_destroy(b);
    }
}

TEST_MAIN(defaults_are_those_of_the_api, every_key_is_read,
          motions_of_bodies_and_meshes_are_checked_where_they_stand, force_probes_take_bodies,
          a_body_too_thin_is_told_with_its_name_and_place,
          bodies_are_free_fixed_driven_or_the_users, mass_is_given_or_follows_from_density,
          a_grid_is_many_bodies_of_one_mesh, a_grid_is_shifted_and_turned_at_random_by_the_seed,
          mesh_paths_begin_at_the_scenes_folder,
          a_mesh_that_is_not_there_or_no_solid_is_told_with_its_place,
          fills_leave_bodies_and_meshes_free_however_large_they_are,
          fills_stay_in_a_mesh_that_is_a_container, scenes_differ_by_their_bodies)
