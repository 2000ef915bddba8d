// erg check: loads and builds a scene and prints its contents, without running it.
#include "commands.h"
#include "json.h"
#include "problem.h"
#include "scene_args.h"
#include "signals.h"

#include "erg/terrain.h"
#include "erg/upsample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const cli_option OPTIONS[] = {
    CLI_SCENE_OPTIONS,
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "check",
    "SCENE",
    "Validates a scene and prints its contents: counts, time step, expected memory. Runs nothing.\n"
    "SCENE is a path, or the name of a scene that ships with erg.",
    OPTIONS,
    1,
    1,
    false,
};

// The terrain is a wall of the world, but not of the scene.
static size_t count_walls(const erg_world *world)
{
    return erg_world_wall_count(world) - erg_world_body_count(world) -
           2 * erg_world_has_terrain(world); // its surface and floor
}

// Columns of the terrain and their memory; both 0 without one.
static erg_terrain_stats read_terrain(const erg_world *world)
{
    erg_terrain_stats stats = {0};
    erg_world_terrain_stats(world, &stats, NULL);
    return stats;
}

// Number of grains that the emitters will add by the end of the run.
static double emitted(const erg_scene *scene, const erg_world *world)
{
    double sum = 0, time = erg_scene_get_settings(scene)->time;
    for (size_t k = 1; k <= erg_world_emitter_count(world); k++)
        sum += erg_world_emitter_expected(world, (erg_id)k, time);
    return sum;
}

static size_t expected_bytes(const erg_scene *scene, const erg_world *world)
{
    return erg_world_expected_bytes(world, erg_scene_get_settings(scene)->time);
}

static double steps(const erg_scene *scene, const erg_world *world)
{
    return ceil(erg_scene_get_settings(scene)->time / erg_world_dt(world));
}

static void print_json(const char *name, const erg_scene *scene, const erg_world *world,
                       const erg_stats *stats)
{
    printf("{\"ok\":true,\"scene\":");
    cli_json_string(stdout, name);
    printf(",\"grains\":%" PRIu64 ",\"spheres\":%" PRIu64
           ",\"bodies\":%zu,\"walls\":%zu,\"dt\":%.17g,\"memory_bytes\":%zu"
           ",\"steps\":%.0f,\"emitters\":%zu,\"emitted\":%.0f",
           stats->grains, stats->spheres, erg_world_body_count(world), count_walls(world),
           erg_world_dt(world), expected_bytes(scene, world), steps(scene, world),
           erg_world_emitter_count(world), emitted(scene, world));
    if (erg_world_has_upsample(world)) printf(",\"fine\":%zu", erg_world_fine_expected(world));
    if (erg_world_has_terrain(world)) {
        erg_terrain_stats terrain = read_terrain(world);
        printf(",\"columns\":%" PRIu64 ",\"terrain_bytes\":%.0f", terrain.columns, terrain.bytes);
    }
    printf("}\n");
}

static void print_text(const char *name, const erg_scene *scene, const erg_world *world,
                       const erg_stats *stats)
{
    const erg_scene_settings *settings = erg_scene_get_settings(scene);
    if (settings->title && *settings->title)
        printf("%s: %s\n", name, settings->title);
    else
        printf("%s\n", name);
    printf("  %" PRIu64 " grain%s (%" PRIu64 " sphere%s), %.6g kg, at the start\n", stats->grains,
           stats->grains == 1 ? "" : "s", stats->spheres, stats->spheres == 1 ? "" : "s",
           stats->mass);
    size_t walls = count_walls(world), bodies = erg_world_body_count(world);
    printf("  %zu wall%s, ", walls, walls == 1 ? "" : "s");
    if (bodies) printf("%zu bod%s, ", bodies, bodies == 1 ? "y" : "ies");
    printf("%zu probe%s\n", settings->probe_count, settings->probe_count == 1 ? "" : "s");
    size_t emitters = erg_world_emitter_count(world);
    if (emitters)
        printf("  %zu emitter%s, %.0f more grains by the end if there is room\n", emitters,
               emitters == 1 ? "" : "s", emitted(scene, world));
    if (erg_world_has_upsample(world))
        printf("  %zu fine particles%s\n", erg_world_fine_expected(world),
               emitters ? " by the end, including those of the grains from emitters" : "");
    if (erg_world_has_terrain(world)) {
        erg_terrain_stats terrain = read_terrain(world);
        printf("  %" PRIu64 " columns, %.6g kg of sand, %.1f MB\n", terrain.columns,
               terrain.column_mass, terrain.bytes / 1e6);
    }
    printf("  dt %.4g s: %s\n", erg_world_dt(world), erg_world_dt_reason(world));
    printf("  run time %.6g s, %.0f steps\n", settings->time, steps(scene, world));
    printf("  about %.1f MB of memory while running\n", (double)expected_bytes(scene, world) / 1e6);
    printf("ok\n");
}

static void warn(void *user, erg_log_level level, const char *text)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", level == ERG_LOG_WARNING ? "warning" : "note", text);
}

static void adjust(void *user, erg_world_def *def)
{
    const cli_scene_args *s = user;
    if (s->threads) def->threads = s->threads;
    def->backend = s->backend;
    def->log = warn;
}

static int check(const cli_args *args, const cli_scene_args *scene_args, const char *program)
{
    (void)program;
    const char *word = args->words[0];
    bool        json = cli_has(args, "json");
    char        path[CLI_PATH], name[256];
    erg_error   err;
    erg_scene  *scene = NULL;
    erg_world  *world = NULL;
    erg_stats   stats;
    erg_probes *probes = NULL;
    erg_run_scene_name(word, name, sizeof name);
    cli_signals_end();
    int exit_code = cli_scene_load(word, scene_args, path, &scene, &err);
    if (exit_code == CLI_DONE) {
        const erg_scene_settings *settings = erg_scene_get_settings(scene);
        cli_scene_args            s = *scene_args;
        erg_status                status = erg_scene_build(scene, adjust, &s, &world, &err);
        if (status == ERG_OK)
            status =
                erg_probes_create(settings->probes, settings->probe_count, world, &probes, &err);
        if (status == ERG_OK) status = erg_world_check_memory(world, settings->time, &err);
        if (status == ERG_OK) status = erg_world_stats(world, &stats, &err);
        if (status != ERG_OK) cli_problem(err.text, path);
        exit_code = cli_exit_code(status);
    }
    if (exit_code == CLI_DONE && json) print_json(name, scene, world, &stats);
    if (exit_code == CLI_DONE && !json) print_text(name, scene, world, &stats);
    if (exit_code != CLI_DONE && json) {
        printf("{\"ok\":false,\"scene\":");
        cli_json_string(stdout, name);
        printf(",\"error\":");
        cli_json_string(stdout, err.text);
        printf("}\n");
        cli_problem_answered();
    }
    erg_probes_destroy(probes);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    return exit_code;
}

int erg_cli_check(int argc, char **argv)
{
    return cli_scene_main(&COMMAND, argc, argv, check);
}
