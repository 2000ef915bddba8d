// The state of the real-time solver: shipped scenes give bitwise identical results on one and two
// threads and after loading a checkpoint; rollback and commands work as with DEM.
// labels: asan tsan clang hdf5
#include "erg/erg.h"
#include "scratch.h"
#include "world_helpers.h"

static void set_threads(void *user, erg_world_def *def)
{
    def->threads = *(const int *)user;
    def->fixed_threads = true;
    def->solver = ERG_SOLVER_PBD;
}

static erg_world *build(const char *name, int threads)
{
    char        path[4096];
    erg_error   err;
    erg_scene  *scene = NULL;
    erg_world  *world = NULL;
    const char *folder = getenv("ERG_SOURCE");
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", folder ? folder : ".", name);
    must(erg_scene_load(path, NULL, 0, &scene, &err), &err);
    must(erg_scene_build(scene, set_threads, &threads, &world, &err), &err);
    erg_scene_destroy(scene);
    return world;
}

static uint64_t hash_after(erg_world *world, uint64_t steps)
{
    step(world, steps);
    return erg_world_hash(world);
}

// Spheres, dimers, meshes, moving walls, servos, free bodies, emitters, sinks.
static const char *const scenes[] = {"hourglass-spheres", "pile",   "drum", "piston", "wheel",
                                     "bowling",           "sandbox"};

TEST(scenes_resume_to_the_same_bits)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        erg_error  err;
        erg_world *one = build(scenes[k], 1), *two = build(scenes[k], 2);
        step(one, 60);
        must(erg_world_save(one, path, NULL, NULL, &err), &err);
        must(erg_world_load(two, path, &err), &err);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        for (int n = 0; n < 3; n++) CHECK(hash_after(one, 20) == hash_after(two, 20));
        if (check_failures) printf("    in %s\n", scenes[k]);
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
    scratch_close(&folder);
}

// A failed step leaves the world bitwise as it was after the last good step.
TEST(a_bad_step_is_taken_back)
{
    erg_world *one = build("sandbox", 1), *two = build("sandbox", 1);
    erg_error  err;
    step(one, 100);
    step(two, 100);
    command(two, (erg_command){
                     .kind = ERG_COMMAND_PUSH, .step = 110, .value = 10, .vector = {1e7, 0, 0}});
    CHECK(erg_world_step(two, 50, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_steps(two) == 110);
    step(one, 10);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    erg_world_destroy(one);
    erg_world_destroy(two);
}

TEST(balls_and_friction_come_by_command)
{
    erg_world *one = build("sandbox", 1), *two = build("sandbox", 2);
    for (int k = 0; k < 2; k++) {
        erg_world *world = k ? two : one;
        step(world, 30);
        command(world, (erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                     .id = 1,
                                     .point = {0, 0, 0.15},
                                     .vector = {0, 0, -1},
                                     .value = 0.012});
        command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .step = 60, .value = 0.1});
        command(world,
                (erg_command){.kind = ERG_COMMAND_GRAVITY, .step = 80, .vector = {2, 0, -9}});
    }
    CHECK(hash_after(one, 200) == hash_after(two, 200));
    CHECK(erg_world_time(one) > 0);
    erg_world_destroy(one);
    erg_world_destroy(two);
}

TEST_MAIN(scenes_resume_to_the_same_bits, a_bad_step_is_taken_back,
          balls_and_friction_come_by_command)
