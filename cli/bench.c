// erg bench: measures speed on this machine.
#include "bench.h"

#include "commands.h"
#include "json.h"
#include "measure.h"
#include "options.h"
#include "problem.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_option OPTIONS[] = {
    {"n", "N", "approximate number of spheres (default: 50000)", false},
    {"threads", "N", "number of threads (default: one row for 1 thread, one for all processors)",
     false},
    {"repeats", "N", "timed windows per row (default: 5)", false},
    {"window", "S", "approximate duration of a window [s] (default: 2)", false},
    {"scene", "NAME",
     "peers: pack (default), hopper, tetra, mixed or all; realtime: one of its scenes;\n"
     "landscape: beach, its rows alone",
     false},
    {"peer", "NAME", "peers only: the code to compare with (default: all that are installed)",
     false},
    {"headroom", NULL, "realtime only: growing numbers of grains and fine particles instead",
     false},
    {"check", NULL,
     "realtime and landscape: check the physics instead; words after it name the checks (default:\n"
     "all)",
     false},
    {"calibrate", NULL,
     "landscape only: push a plate into a bed of grains and print the resistance of a terrain of\n"
     "such sand (default: 10000 grains)",
     false},
    {"friction", "MU", "of the grains for --calibrate (default: 0.5)", false},
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "bench",
    "[NAME...|all]",
    "Measures speed in particle-steps per second: median and best of several timed windows.\n"
    "  pack       a settled pack of frictional spheres with contact history\n"
    "  hopper     spheres flowing out of a conical silo\n"
    "  tetra      a settled pack of rigid grains of four spheres\n"
    "  poly       settled beds of sizes 1:1, 1:10 and 1:20, cost per contact\n"
    "  pour       a box that fills from empty\n"
    "  quiet      the pack long after it has come to rest\n"
    "  all        all of the above (the default)\n"
    "The following run only if named:\n"
    "  sizes      cost per particle-step in beds of 200,000 to 4,000,000 spheres\n"
    "  draw       rendering of a heap; default: a million spheres\n"
    "  laws       every contact law compared with Hertz-Mindlin, in a bed and in a flow; default:\n"
    "             10,000 spheres on one thread\n"
    "  bodies     1,000 fixed or free bodies far from all grains, compared with no bodies, in a\n"
    "             bed and in a flow; default: 20,000 spheres on one thread\n"
    "  cundall    16K, 64K and 256K tetrahedral grains, compared with a published figure\n"
    "  realtime   sandcastle, excavator, hourglass and squirrel with the real-time solver and\n"
    "             upsampling: time per frame of 1/60 s, median of 300 frames, best of 3 runs\n"
    "             (--window: simulated time of the frames, --repeats: runs); its checks:\n"
    "             heap-rest, heap-dem, heap-friction, hourglass-spheres, overlap, momentum,\n"
    "             threads\n"
    "  landscape  a pour and beds stirred at their surface, as columns that wake and as grains\n"
    "             alone; then the scene beach while its excavator digs, on 10 m to 200 m, time "
    "per\n"
    "             frame as for realtime; its checks: heap, ball, crater\n"
    "  peers      the same scenes in erg and in other DEM codes, run alternately\n"
    "Settled states are cached in $ERG_BENCH_CACHE, or in bench-cache in the build folder.\n"
    "$ERG_LAMMPS, $ERG_LIGGGHTS and $ERG_YADE select other builds of the peers.\n"
    "See docs/performance.md.",
    OPTIONS,
    0,
    CLI_MANY,
    false,
};

// ---- Selection ---------------------------------------------------------------------------------
static const bench *find(const char *name)
{
    cli_guess guess = {.word = name};
    for (const bench *b = BENCHES; b->name; b++) {
        if (strcmp(b->name, name) == 0) return b;
        cli_guess_offer(&guess, b->name);
    }
    cli_guess_offer(&guess, "all");
    if (guess.best)
        cli_error_usage("unknown benchmark '%s'; did you mean '%s'?", name, guess.best);
    else
        cli_error_usage("unknown benchmark '%s'; erg bench --help lists them", name);
    return NULL;
}

static bool is_named(const cli_args *args, const char *name)
{
    for (int i = 0; i < args->word_count; i++)
        if (strcmp(args->words[i], name) == 0) return true;
    return false;
}

// The bench whose physics is checked; NULL: none is named.
static const char *checked_bench(const cli_args *args)
{
    return is_named(args, "realtime")    ? "realtime"
           : is_named(args, "landscape") ? "landscape"
                                         : NULL;
}

static bool is_check(const char *checked, const char *name)
{
    cli_guess guess = {.word = name};
    for (int k = 0; bench_check_name(checked, k); k++) {
        if (strcmp(bench_check_name(checked, k), name) == 0) return true;
        cli_guess_offer(&guess, bench_check_name(checked, k));
    }
    cli_error_usage("unknown check '%s'; %s%s%s", name,
                    guess.best ? "did you mean '" : "erg bench --help",
                    guess.best ? guess.best : " lists them", guess.best ? "'?" : "");
    return false;
}

static bool check_names(const cli_args *args)
{
    bool        checks = cli_has(args, "check");
    const char *checked = checked_bench(args);
    if ((checks && !checked) || (cli_has(args, "headroom") && !is_named(args, "realtime"))) {
        cli_error_usage("--check and --headroom are for `erg bench realtime`, --check also for "
                        "`erg bench landscape`");
        return false;
    }
    if (cli_has(args, "calibrate") ? !is_named(args, "landscape") || checks
                                   : cli_has(args, "friction")) {
        cli_error_usage("--calibrate is for `erg bench landscape`, without --check; --friction is "
                        "for --calibrate");
        return false;
    }
    for (int i = 0; i < args->word_count; i++) {
        const char *word = args->words[i];
        if (checks && strcmp(word, checked) != 0) {
            if (!is_check(checked, word)) return false;
        } else if (strcmp(word, "all") != 0 && !find(word))
            return false;
    }
    return true;
}

static bool is_wanted(const bench *b, const cli_args *args)
{
    bool wanted = args->word_count == 0 && !b->asked_only;
    for (int i = 0; i < args->word_count; i++)
        wanted |= strcmp(args->words[i], b->name) == 0 ||
                  (strcmp(args->words[i], "all") == 0 && !b->asked_only);
    return wanted;
}

static bool read_peer_options(const cli_args *args, bench_options *options)
{
    static const char *const scenes[] = {"pack", "hopper", "tetra", "mixed", "all", NULL};
    options->peer = NULL;
    // --scene is one of their own
    if (is_named(args, "realtime") || is_named(args, "landscape")) return true;
    if (!cli_choice(args, "scene", scenes)) return false;
    options->scene = cli_has(args, "scene") ? cli_value(args, "scene") : "pack";
    options->peer = cli_value(args, "peer");
    if (!options->peer || bench_peer_exists(options->peer)) return true;
    cli_error_usage("unknown peer '%s'; omit --peer to run all that are installed", options->peer);
    return false;
}

static bool read_realtime_options(const cli_args *args, bench_options *options)
{
    static const char *const scenes[] = {"sandcastle", "excavator", "hourglass", "squirrel", NULL};
    static const char *const terrains[] = {"beach", NULL};
    options->headroom = cli_has(args, "headroom");
    options->check = cli_has(args, "check");
    options->checks = args->words;
    options->check_count = options->check ? args->word_count : 0;
    if (is_named(args, "landscape") && !is_named(args, "realtime")) {
        options->landscape_scene = cli_value(args, "scene");
        return cli_choice(args, "scene", terrains);
    }
    if (!is_named(args, "realtime")) return true;
    options->realtime_scene = cli_value(args, "scene");
    return cli_choice(args, "scene", scenes);
}

static bool read_options(const cli_args *args, bench_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long count = 50000, threads = 0, repeats = 5;
    options->window = 2;
    options->friction = 0.5;
    options->calibrate = cli_has(args, "calibrate");
    if (!cli_count(args, "n", 100, 100000000, &count) ||
        !cli_count(args, "threads", 1, 1024, &threads) ||
        !cli_count(args, "repeats", 1, BENCH_MAX_REPEATS, &repeats) ||
        !cli_number(args, "window", 0, &options->window) ||
        !cli_number(args, "friction", 0, &options->friction))
        return false;
    if (!read_peer_options(args, options) || !read_realtime_options(args, options)) return false;
    options->count = (size_t)count;
    options->count_given = cli_has(args, "n");
    options->repeats = (int)repeats;
    options->repeats_given = cli_has(args, "repeats");
    options->window_given = cli_has(args, "window");
    options->threads[0] = threads ? (int)threads : 1;
    options->threads[1] = threads || processors < 2 ? 0 : (int)processors;
    return true;
}

// ---- Output ------------------------------------------------------------------------------------
static void print_json(const cli_args *args, const char *machine, const bench_rows *rows)
{
    char names[256] = "";
    for (const bench *b = BENCHES; b->name; b++) {
        size_t used = strlen(names);
        if (is_wanted(b, args))
            snprintf(names + used, sizeof names - used, "%s%s", used ? " " : "", b->name);
    }
    printf("{\"bench\":");
    cli_json_string(stdout, names);
    printf(",\"machine\":");
    cli_json_string(stdout, machine);
    printf(",\"rows\":[");
    for (size_t i = 0; i < rows->count; i++) {
        if (i) putchar(',');
        bench_row_json(&rows->row[i], stdout);
    }
    printf("]}\n");
}

static void print_text(const char *machine, const bench_rows *rows)
{
    printf("on %s\n", machine);
    for (size_t i = 0; i < rows->count; i++) bench_row_print(&rows->row[i], stdout);
}

static int measure(const cli_args *args, const bench_options *options)
{
    erg_error  err;
    bench_rows rows = {0};
    erg_status status = ERG_OK;
    for (const bench *b = BENCHES; b->name && status == ERG_OK; b++)
        if (is_wanted(b, args)) status = b->run(options, &rows, &err);
    char machine[512];
    bench_machine(machine);
    // Prints the rows measured before a failure.
    if (status != ERG_OK) cli_problem(err.text, NULL);
    if (cli_has(args, "json") && (status == ERG_OK || rows.count))
        print_json(args, machine, &rows);
    else if (status == ERG_OK || rows.count)
        print_text(machine, &rows);
    bench_rows_free(&rows);
    return status == ERG_OK ? CLI_DONE : status == ERG_BAD_INPUT ? CLI_BAD_USAGE : CLI_FAILED;
}

int erg_cli_bench(int argc, char **argv)
{
    cli_args      args;
    bench_options options = {0};
    erg_error     err;
    int           exit_code;
    if (!cli_parse(&COMMAND, argc, argv, &args, &exit_code)) return exit_code;
    exit_code = CLI_BAD_USAGE;
    if (check_names(&args) && read_options(&args, &options)) {
        exit_code = CLI_FAILED;
        if (bench_cache_folder(options.cache, &err) == ERG_OK)
            exit_code = measure(&args, &options);
        else
            cli_error_usage("%s", err.text);
    }
    cli_args_free(&args);
    return exit_code;
}
