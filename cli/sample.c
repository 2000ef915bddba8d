// erg sample: checks a mesh, covers it with spheres or fills it, and reports how evenly they are
// spaced.
#include "commands.h"
#include "erg/erg.h"
#include "options.h"
#include "problem.h"
#include "scene_args.h"
#include "signals.h"

#include <stdio.h>

static const cli_option OPTIONS[] = {
    {"radius", "R", "sphere radius [m]; required", false},
    {"surface", NULL, "cover the surface (default)", false},
    {"volume", NULL, "fill the volume", false},
    {"offset", "X", "outward offset of the surface [radii] (default: 0)", false},
    {"density", "D", "relative density of the spheres (default: 1.3 surface, 1 volume)", false},
    {"merge", "X", "merge vertices that are at most X apart [m]", false},
    {"fill-holes", "N", "fill holes of at most N edges", false},
    {"seed", "N", "random seed (default: 0)", false},
    {"threads", "N", "number of threads (default: all cores); does not affect the result", false},
    {"out", "FILE.ply", "write the spheres to this file", false},
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "sample",
    "MESH",
    "Covers a mesh (.obj, .stl, .ply) with spheres, or fills it, and reports how evenly they are\n"
    "spaced. Mesh problems are printed to stderr. Lengths in the report are in radii.",
    OPTIONS,
    1,
    1,
    false,
};

static void note(void *user, erg_log_level level, const char *text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "note: %s\n", text);
}

static bool read_args(const cli_args *args, erg_sample_def *def, erg_mesh_def *mesh_def)
{
    long holes = 0, seed = 0, threads = 0;
    if (cli_has(args, "surface") && cli_has(args, "volume")) {
        cli_error_usage("--surface and --volume contradict each other");
        return false;
    }
    *def = erg_sample_def_default(cli_has(args, "volume") ? ERG_SAMPLE_VOLUME : ERG_SAMPLE_SURFACE);
    *mesh_def = erg_mesh_def_default();
    mesh_def->log = note;
    if (!cli_number(args, "radius", 0.0, &def->radius) ||
        !cli_number(args, "offset", -1e6, &def->offset) ||
        !cli_number(args, "density", 0.0, &def->density) ||
        !cli_number(args, "merge", 0.0, &mesh_def->merge) ||
        !cli_count(args, "fill-holes", 3, 1024, &holes) ||
        !cli_count(args, "seed", 0, 1L << 30, &seed) ||
        !cli_count(args, "threads", 1, 1024, &threads))
        return false;
    if (!cli_has(args, "radius")) {
        cli_error_usage("'erg sample' needs --radius R, in metres");
        return false;
    }
    mesh_def->fill_holes = (size_t)holes;
    def->seed = (uint64_t)seed;
    def->threads = (int)threads;
    return true;
}

static void note_problems(const char *path, const erg_mesh_report *r)
{
    size_t all = 0;
    for (int i = 0; i < ERG_FAULT_KINDS; i++) all += r->faults[i];
    for (size_t i = 0; i < r->problems; i++)
        fprintf(stderr, "note: %s: %s\n", path, r->problem[i].text);
    if (all > r->problems)
        fprintf(stderr, "note: %s: and %zu more problems\n", path, all - r->problems);
}

static void print_mesh(const char *path, const erg_mesh_report *r)
{
    printf("%s: %zu vertices, %zu triangles, %zu part%s\n", path, r->vertices, r->triangles,
           r->shells, r->shells == 1 ? "" : "s");
    printf("  %s, %s, %s, %s\n", r->closed ? "closed" : "not closed",
           r->manifold ? "manifold" : "not manifold",
           r->oriented ? "consistently oriented" : "not consistently oriented",
           r->crossing ? "self-intersecting" : "not self-intersecting");
    printf("  bounding box (%g, %g, %g) to (%g, %g, %g) m\n", r->low.x, r->low.y, r->low.z,
           r->high.x, r->high.y, r->high.z);
    printf("  area %.6g m^2", r->area);
    if (r->closed)
        printf(", volume %.6g m^3, centre (%g, %g, %g) m", r->volume, r->centre.x, r->centre.y,
               r->centre.z);
    printf("\n");
}

static void print_metrics(const erg_sample_metrics *m)
{
    printf("  %zu spheres\n", m->count);
    printf("  distance from the surface: mean %.3g, max %.3g\n", m->off_surface_mean,
           m->off_surface_max);
    printf("  spacing: mean %.4g, coefficient of variation %.3g\n", m->spacing_mean, m->spacing_cv);
    printf("  largest hole %.4g\n", m->hole_max);
}

static void print_json(const erg_sample_metrics *m)
{
    printf("{\"count\":%zu,\"off_surface_mean\":%.9g,\"off_surface_max\":%.9g,"
           "\"spacing_mean\":%.9g,\"spacing_cv\":%.9g,\"hole_max\":%.9g}\n",
           m->count, m->off_surface_mean, m->off_surface_max, m->spacing_mean, m->spacing_cv,
           m->hole_max);
}

static int sample(const char *path, const erg_sample_def *def, const erg_mesh_def *mesh_def,
                  const char *out, bool json)
{
    erg_error          err;
    erg_mesh          *mesh = NULL;
    erg_samples       *samples = NULL;
    erg_mesh_report    report;
    erg_sample_metrics metrics;
    cli_signals_end();
    erg_status status = erg_mesh_read(path, mesh_def, &mesh, &err);
    if (status == ERG_OK) status = erg_mesh_get_report(mesh, &report, &err);
    if (status == ERG_OK) {
        note_problems(path, &report);
        status = erg_sample(mesh, def, &samples, &err);
    }
    if (status == ERG_OK) status = erg_samples_measure(samples, mesh, &metrics, &err);
    cli_signals_catch(true); // a signal must not interrupt the writing
    if (status == ERG_OK && out) status = erg_samples_write(samples, out, &err);
    if (status != ERG_OK)
        cli_problem(err.text, path);
    else if (json)
        print_json(&metrics);
    else {
        print_mesh(path, &report);
        print_metrics(&metrics);
    }
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
    return cli_exit_code(status);
}

int erg_cli_sample(int argc, char **argv)
{
    cli_args       args;
    erg_sample_def def;
    erg_mesh_def   mesh_def;
    int            exit_code;
    if (!cli_parse(&COMMAND, argc, argv, &args, &exit_code)) return exit_code;
    exit_code = CLI_BAD_USAGE;
    if (read_args(&args, &def, &mesh_def))
        exit_code =
            sample(args.words[0], &def, &mesh_def, cli_value(&args, "out"), cli_has(&args, "json"));
    cli_args_free(&args);
    return exit_code;
}
