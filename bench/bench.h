// `erg bench`: a table of benches. A bench gets options and fills rows; the command prints them.
//
// Every row starts with the same fields; a bench adds further values by name. To add a bench, write
// its function and add a line to the table in bench.c.
#ifndef ERG_BENCH_H
#define ERG_BENCH_H

#include "fail.h"
#include "row.h"

#include "erg/base.h"

typedef struct bench_options {
    size_t      count;       // approximate number of spheres
    bool        count_given; // set by the user
    int         threads[2];  // one row each; 0: none
    int         repeats;     // windows per row
    double      window;      // approximate duration of one [s]
    bool        repeats_given, window_given;
    const char *scene, *peer; // for `peers`; NULL: the default
    // For `realtime`; check also for `landscape`.
    const char        *realtime_scene;  // NULL: all
    const char        *landscape_scene; // NULL: all rows; or beach, its rows alone
    bool               headroom, check;
    bool               calibrate; // `landscape`
    double             friction;  // of the grains of --calibrate
    const char *const *checks;    // their names; none: all
    int                check_count;
    char               cache[4096]; // folder for cached states; exists
} bench_options;

typedef struct bench {
    const char *name, *summary;
    bool        asked_only; // not part of `all`
    erg_status (*run)(const bench_options *options, bench_rows *rows, erg_error *err);
} bench;

extern const bench BENCHES[]; // ends with a NULL name

erg_status bench_pack(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_hopper(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_tetra(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_poly(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_pour(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_quiet(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_draw(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_sizes(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_laws(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_bodies(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_cundall(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_realtime(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_landscape(const bench_options *options, bench_rows *rows, erg_error *err);
erg_status bench_peers(const bench_options *options, bench_rows *rows, erg_error *err);

bool bench_peer_exists(const char *name);
// The k-th check of `realtime` or `landscape`; NULL: there are no more.
const char *bench_check_name(const char *name, int k);

// Finds or makes the cache folder: $ERG_BENCH_CACHE, bench-cache in the build folder of the
// program, or erg-bench in the user's cache.
erg_status bench_cache_folder(char folder[4096], erg_error *err);

// Description of the machine: processor, number of them, compiler, relevant flags.
void bench_machine(char text[512]);

// Fills err and returns the status, as in the rest of the program.
#define bench_fail cli_fail

// Prints progress to stderr.
void bench_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
