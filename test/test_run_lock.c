// A result folder can be used by only one run at a time, even within a process.
// labels: asan hdf5
#include "check.h"
#include "scratch.h"

#include "erg/erg.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char SCENE[] =
    "materials:\n  sand: {density: 2500, young: 1e6}\n"
    "grains:\n  bead: {shape: sphere, radius: 2e-3, material: sand}\n"
    "fill:\n  - {grain: bead, count: 4, region: {box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, "
    "0.1]}}}\n"
    "run: {time: 0.002, threads: 1}\n";

static erg_run_def outer;
static char        named[64];
static int         asked;

static void check_refused(erg_status status, const erg_error *err)
{
    CHECK(status == ERG_BAD_INPUT);
    CHECK(strstr(err->text, named) != NULL);
}

static bool meanwhile(void *user, const erg_run_progress *p)
{
    (void)user, (void)p;
    erg_run_result result;
    erg_error      err = {0};
    erg_run_def    inner = outer;
    erg_world     *world = NULL;
    inner.progress = NULL;
    inner.end = NULL;
    check_refused(erg_run(&inner, &result, &err), &err);
    inner.force = true;
    check_refused(erg_run(&inner, &result, &err), &err);
    CHECK(erg_scene_build(outer.scene, NULL, NULL, &world, &err) == ERG_OK);
    check_refused(erg_run_keep(&inner, world, &result, &err), &err);
    erg_world_destroy(world);
    asked++;
    return true;
}

// What was begun in the folder is finished while it is still ours.
static void at_the_end(void *user)
{
    int *ended = user;
    meanwhile(NULL, NULL);
    (*ended)++;
}

static bool stop_at_once(void *user, const erg_run_progress *p)
{
    (void)user, (void)p;
    return false;
}

TEST(the_end_is_told_before_the_folder_is_free)
{
    static const erg_status outcome[] = {ERG_OK, ERG_CANCELLED, ERG_BAD_INPUT};

    erg_scene     *scene = NULL;
    erg_error      err = {0};
    erg_run_result result;
    scratch        here;
    scratch_open(&here);
    const char *folder = scratch_path(&here, "result");
    snprintf(named, sizeof named, "is in use by a run in process %ld:", (long)getpid());
    CHECK(erg_scene_load_text(SCENE, strlen(SCENE), "s.yaml", NULL, 0, &scene, &err) == ERG_OK);
    for (int i = 0; i < 3; i++) {
        int ended = 0;
        outer = erg_run_def_default();
        outer.scene = scene;
        outer.out = folder;
        outer.force = i < 2; // the third is refused before it starts
        outer.progress = i == 1 ? stop_at_once : NULL;
        outer.end = at_the_end;
        outer.user = &ended;
        CHECK(erg_run(&outer, &result, &err) == outcome[i]);
        CHECK(ended == (i < 2));
    }
    erg_scene_destroy(scene);
    scratch_close(&here);
}

TEST(the_second_run_is_refused)
{
    erg_scene     *scene = NULL;
    erg_error      err = {0};
    erg_run_result result;
    scratch        here;
    scratch_open(&here);
    const char *folder = scratch_path(&here, "result"),
               *lock = scratch_path(&here, "result/erg.lock");
    snprintf(named, sizeof named, "is in use by a run in process %ld:", (long)getpid());
    CHECK(erg_scene_load_text(SCENE, strlen(SCENE), "s.yaml", NULL, 0, &scene, &err) == ERG_OK);
    outer = erg_run_def_default();
    outer.scene = scene;
    outer.out = folder;
    outer.progress = meanwhile;
    CHECK(erg_run(&outer, &result, &err) == ERG_OK);
    CHECK(asked > 0);
    CHECK(access(lock, F_OK) != 0);

    // Left by a process that was killed: the lock is free.
    FILE *file = fopen(lock, "w");
    CHECK(file && fprintf(file, "1\n") > 0 && fclose(file) == 0);
    outer.progress = NULL;
    outer.force = true;
    CHECK(erg_run(&outer, &result, &err) == ERG_OK);
    CHECK(access(lock, F_OK) != 0);
    erg_scene_destroy(scene);
    scratch_close(&here);
}

TEST_MAIN(the_end_is_told_before_the_folder_is_free, the_second_run_is_refused)
