// erg bench: how fast, on this machine.
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
    {"n", "N", "about how many spheres (default: 50000)", false},
    {"threads", "N", "threads to run on (default: a row for 1 and one for all processors)", false},
    {"repeats", "N", "timed windows a row (default: 5)", false},
    {"window", "S", "about how long a window lasts [s] (default: 2)", false},
    {"scene", "NAME", "of peers: pack (default), hopper, tetra, mixed or all", false},
    {"peer", "NAME", "of peers: one of them (default: all that are installed)", false},
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "bench",
    "[NAME...|all]",
    "Measures speed in particle-steps a second: median and best of several windows.\n"
    "  pack    a settled pack of frictional spheres with contact history\n"
    "  hopper  spheres flowing out of a conical silo\n"
    "  tetra   a settled pack of rigid grains of four spheres\n"
    "  poly    settled beds of sizes 1:1, 1:10 and 1:20, cost per contact\n"
    "  pour    a box that fills from empty\n"
    "  quiet   the pack long after it came to rest\n"
    "  sizes   cost of a particle-step in beds of 200,000 to 4,000,000 spheres; by name only\n"
    "  draw    pictures of a heap, by default of a million spheres; by name only\n"
    "  laws    every contact law beside Hertz and Mindlin, in a bed and in a flow, by default of\n"
    "          10,000 spheres on one thread; by name only\n"
    "  bodies  1,000 fixed or free bodies that no grain is near, beside none, in a bed and in a "
    "flow,\n"
    "          by default of 20,000 spheres, on one thread; by name only\n"
    "  cundall tetrahedra, 16K, 64K and 256K grains, beside a published figure; by name only\n"
    "  peers   the same scenes in erg and in other codes by turns; by name only\n"
    "  all     all but sizes, draw, laws, bodies, cundall and peers (the default)\n"
    "Settled states are kept for the next time: in $ERG_BENCH_CACHE, or in bench-cache of the "
    "build\n"
    "folder. $ERG_LAMMPS, $ERG_LIGGGHTS and $ERG_YADE name other builds of the peers.\n"
    "docs/performance.md says more.",
    OPTIONS,
    0,
    CLI_MANY,
    false,
};

// ---- What to run -------------------------------------------------------------------------------
static const bench *find(const char *name)
{
    cli_guess guess = {.word = name};
    for (const bench *b = BENCHES; b->name; b++) {
        if (strcmp(b->name, name) == 0) return b;
        cli_guess_offer(&guess, b->name);
    }
    cli_guess_offer(&guess, "all");
    if (guess.best)
        cli_complain("there is no bench '%s'; did you mean '%s'?", name, guess.best);
    else
        cli_complain("there is no bench '%s'; erg bench --help lists them", name);
    return NULL;
}

static bool names_are_known(const cli_args *args)
{
    for (int i = 0; i < args->word_count; i++)
        if (strcmp(args->words[i], "all") != 0 && !find(args->words[i])) return false;
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

static bool read_race(const cli_args *args, bench_options *options)
{
    static const char *const scenes[] = {"pack", "hopper", "tetra", "mixed", "all", NULL};
    if (!cli_choice(args, "scene", scenes)) return false;
    options->scene = cli_has(args, "scene") ? cli_value(args, "scene") : "pack";
    options->peer = cli_value(args, "peer");
    if (!options->peer || bench_peer_exists(options->peer)) return true;
    cli_complain("there is no peer '%s'; leave --peer out for all that are installed",
                 options->peer);
    return false;
}

static bool read_options(const cli_args *args, bench_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long count = 50000, threads = 0, repeats = 5;
    options->window = 2;
    if (!cli_count(args, "n", 100, 100000000, &count) ||
        !cli_count(args, "threads", 1, 1024, &threads) ||
        !cli_count(args, "repeats", 1, BENCH_MAX_REPEATS, &repeats) ||
        !cli_number(args, "window", 0, &options->window))
        return false;
    if (!read_race(args, options)) return false;
    options->count = (size_t)count;
    options->count_given = cli_has(args, "n");
    options->repeats = (int)repeats;
    options->threads[0] = threads ? (int)threads : 1;
    options->threads[1] = threads || processors < 2 ? 0 : (int)processors;
    return true;
}

// ---- What came out -----------------------------------------------------------------------------
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
    // What was measured before something failed is not lost.
    if (status != ERG_OK) cli_problem(err.text, NULL);
    if (cli_has(args, "json") && (status == ERG_OK || rows.count))
        print_json(args, machine, &rows);
    else if (status == ERG_OK || rows.count)
        print_text(machine, &rows);
    bench_rows_free(&rows);
    return status == ERG_OK ? CLI_DONE : CLI_FAILED;
}

int erg_cli_bench(int argc, char **argv)
{
    cli_args      args;
    bench_options options;
    erg_error     err;
    int           exit_code;
    if (!cli_parse(&COMMAND, argc, argv, &args, &exit_code)) return exit_code;
    exit_code = CLI_BAD_USAGE;
    if (names_are_known(&args) && read_options(&args, &options)) {
        exit_code = CLI_FAILED;
        if (bench_cache_folder(options.cache, &err) == ERG_OK)
            exit_code = measure(&args, &options);
        else
            cli_complain("%s", err.text);
    }
    cli_args_free(&args);
    return exit_code;
}
