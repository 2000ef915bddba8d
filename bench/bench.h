// `erg bench`: a table of benches. A bench is given options and fills rows; the command prints
// them.
//
// The rows are open: a bench adds whatever it has to tell by name, after the fields every row has.
// To add a bench, write its function and put a line into the table of bench.c.
#ifndef ERG_BENCH_H
#define ERG_BENCH_H

#include "fail.h"
#include "row.h"

#include "erg/base.h"

typedef struct bench_options {
    size_t      count;        // about how many spheres
    bool        count_given;  // it was asked for
    int         threads[2];   // each a row; 0: none
    int         repeats;      // windows a row
    double      window;       // about how long one lasts [s]
    const char *scene, *peer; // of peers; NULL: the default
    char        cache[4096];  // folder for settled states; exists
} bench_options;

typedef struct bench {
    const char *name, *summary;
    bool        asked_only; // not part of `all`
    erg_status (*run)(const bench_options *options, bench_rows *rows, erg_error *err);
} bench;

extern const bench BENCHES[]; // a name of NULL ends it

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
erg_status bench_peers(const bench_options *options, bench_rows *rows, erg_error *err);

bool bench_peer_exists(const char *name);

// Finds or makes the folder: $ERG_BENCH_CACHE, bench-cache in the build folder the program lies in,
// or erg-bench in the user's cache.
erg_status bench_cache_folder(char folder[4096], erg_error *err);

// What this is measured on, in words: processor, how many, compiler, flags that matter.
void bench_machine(char text[512]);

// Fills err and returns the status, as in the rest of the program.
#define bench_fail cli_fail

// What a bench is busy with, on stderr.
void bench_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
