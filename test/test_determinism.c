// labels: asan tsan clang
// The same bits on any number of threads and with the caller's own scheduler; other seeds give
// other bits.
#include "world_helpers.h"

// Runs the tasks backwards: the answer must not notice.
static void backwards(void *user, void (*task)(void *arg, int index), void *arg, int tasks)
{
    ++*(int *)user;
    for (int k = tasks - 1; k >= 0; k--) task(arg, k);
}

typedef struct setting {
    int         threads;
    erg_task_fn task;
    void       *user;
    uint64_t    seed;
} setting;

typedef erg_world *(*build_fn)(setting s);

static erg_world_def def_of(setting s)
{
    erg_world_def def = erg_world_def_default();
    def.threads = s.threads;
    def.fixed_threads = true;
    def.task = s.task;
    def.task_user = s.user;
    def.seed = s.seed;
    return def;
}

// More than one chunk of spheres (512 each), in a box.
static erg_world *spheres(setting s)
{
    erg_world_def def = def_of(s);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.5, 0.5);
    erg_wall_def  box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){20e-3, 20e-3, 1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 1300, (erg_vec3){0, 0, 0},
             (erg_vec3){20e-3, 20e-3, 0.1});
    return world;
}

// Clumps and spheres of all sizes, an emitter, a sink, a shaking plate, a spinning cylinder;
// periodic in y.
static erg_world *everything(setting s)
{
    erg_world_def def = def_of(s);
    def.periodic_y = true;
    def.lower = (erg_vec3){-1, -15e-3, -1};
    def.upper = (erg_vec3){1, 15e-3, 1};
    def.speed = 1.5;
    erg_world       *world = new_world(&def);
    erg_material_def soft = erg_material_def_default(), rough = soft;
    soft.young = rough.young = 2e6;
    rough.rolling = 0.1;
    erg_id       sand = new_material(world, &soft), rubber = new_material(world, &rough);
    erg_id       clumps = new_mixed_kind(world, ERG_SHAPE_TETRAHEDRON, sand, 0.5e-3, 0.8e-3);
    erg_id       grains = new_mixed_kind(world, ERG_SHAPE_SPHERE, rubber, 0.4e-3, 1.2e-3);
    erg_wall_def plate = floor_def(sand);
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    plate.motion[0].amplitude = (erg_vec3){1e-3, 0, 0.5e-3};
    plate.motion[0].frequency = 40;
    plate.motion_count = 1;
    new_wall(world, &plate);
    erg_wall_def drum = erg_wall_def_default(ERG_WALL_CYLINDER);
    drum.material = rubber;
    drum.side = ERG_SIDE_OUTSIDE;
    drum.cylinder = (erg_wall_cylinder){
        .a = {0, -0.05, 8e-3}, .b = {0, 0.05, 8e-3}, .radius = 3e-3, .cap_a = true, .cap_b = true};
    drum.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    drum.motion[0].axis = (erg_vec3){0, 1, 0};
    drum.motion[0].rate = 100;
    drum.motion_count = 1;
    new_wall(world, &drum);
    erg_error    err;
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = grains;
    fill.count = 600;
    fill.region = box_region((erg_vec3){-9e-3, -15e-3, 2e-3}, (erg_vec3){9e-3, 15e-3, 60e-3});
    fill.velocity = (erg_vec3){0.2, 0.1, -1};
    must(erg_world_fill(world, &fill, NULL, &err), &err);
    erg_emitter_def pour = erg_emitter_def_default();
    pour.grain = clumps;
    pour.rate = 4000;
    pour.region = box_region((erg_vec3){-15e-3, -15e-3, 70e-3}, (erg_vec3){15e-3, 15e-3, 80e-3});
    pour.velocity = (erg_vec3){0, 0, -1};
    pour.spread = 0.3;
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    erg_sink_def drain = erg_sink_def_default();
    drain.region = box_region((erg_vec3){10e-3, -1, -1}, (erg_vec3){1, 1, 20e-3});
    must(erg_world_add_sink(world, &drain, NULL, &err), &err);
    return world;
}

// Hashes at several times, so that a difference shows when it began.
enum { STATIONS = 6 };
static void travel(build_fn build, setting s, uint64_t steps, uint64_t hash[STATIONS])
{
    erg_world *world = build(s);
    for (int k = 0; k < STATIONS; k++) {
        step(world, steps / STATIONS);
        hash[k] = erg_world_hash(world);
    }
    erg_stats stats = stats_of(world);
    CHECK(stats.contacts > (build == everything ? 20 : 200));
    if (build == everything) CHECK(stats.emitted > 40 && stats.removed > 0);
    erg_world_destroy(world);
}

static void check_threads(build_fn build, uint64_t steps)
{
    static const int count[] = {2, 3, 8};
    uint64_t         alone[STATIONS], many[STATIONS];
    travel(build, (setting){.threads = 1, .seed = 1}, steps, alone);
    for (int k = 0; k < STATIONS; k++) CHECK(k == 0 || alone[k] != alone[k - 1]);
    for (int t = 0; t < 3; t++) {
        travel(build, (setting){.threads = count[t], .seed = 1}, steps, many);
        for (int k = 0; k < STATIONS; k++) CHECK(many[k] == alone[k]);
    }
    int called = 0;
    travel(build, (setting){.threads = 5, .task = backwards, .user = &called, .seed = 1}, steps,
           many);
    for (int k = 0; k < STATIONS; k++) CHECK(many[k] == alone[k]);
    CHECK(called > 0);
    travel(build, (setting){.threads = 1, .seed = 2}, steps, many);
    for (int k = 0; k < STATIONS; k++) CHECK(many[k] != alone[k]);
}

TEST(spheres_do_not_know_the_threads)
{
    check_threads(spheres, 1200);
}

TEST(everything_at_once_does_not_know_the_threads)
{
    check_threads(everything, 1800);
}

// Looking changes nothing.
TEST(looking_changes_no_bit)
{
    erg_world *a = spheres((setting){.threads = 1, .seed = 1}),
              *b = spheres((setting){.threads = 1, .seed = 1});
    static erg_contact contact[20000];
    static double      x[4 * 1300];
    for (int k = 0; k < 30; k++) {
        step(a, 10);
        step(b, 10);
        size_t    count;
        erg_error err;
        must(erg_world_contacts(a, contact, 20000, &count, &err), &err);
        must(erg_world_read(a, ERG_FIELD_ORIENTATION, NULL, 1300, x, &err), &err);
        (void)stats_of(a);
        (void)erg_world_hash(a);
    }
    CHECK(erg_world_hash(a) == erg_world_hash(b));
    step(a, 1);
    CHECK(erg_world_hash(a) != erg_world_hash(b));
    erg_world_destroy(a);
    erg_world_destroy(b);
}

// A jump of many steps is as many steps.
TEST(steps_add_up)
{
    erg_world *a = spheres((setting){.threads = 1, .seed = 1}),
              *b = spheres((setting){.threads = 1, .seed = 1});
    step(a, 300);
    for (int k = 0; k < 300; k++) step(b, 1);
    CHECK(erg_world_hash(a) == erg_world_hash(b));
    CHECK(erg_world_steps(a) == 300 && erg_world_time(a) == erg_world_time(b));
    erg_world_destroy(a);
    erg_world_destroy(b);
}

TEST_MAIN(spheres_do_not_know_the_threads, everything_at_once_does_not_know_the_threads,
          looking_changes_no_bit, steps_add_up)
