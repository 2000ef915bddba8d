// Checks of the real-time solver. Each adds rows with a measured and an allowed value.
#ifndef ERG_BENCH_REALTIME_CHECK_H
#define ERG_BENCH_REALTIME_CHECK_H

#include "bench.h"

typedef struct check_run {
    const char *name;    // of the check at work
    int         threads; // for worlds whose number of threads does not matter
    size_t      count;   // grains of beds and heaps
    bench_rows *rows;
    int         failed; // rows
} check_run;

// Adds a row and prints it. `quantity` says what is measured, with its unit; it is not copied.
erg_status check_add(check_run *run, const char *quantity, double measured, double allowed,
                     bool pass, erg_error *err);
// Passes if measured is below allowed.
erg_status check_below(check_run *run, const char *quantity, double measured, double allowed,
                       erg_error *err);

erg_status check_heap_rest(check_run *run, erg_error *err);
erg_status check_heap_dem(check_run *run, erg_error *err);
erg_status check_heap_friction(check_run *run, erg_error *err);
erg_status check_hourglass(check_run *run, erg_error *err);
erg_status check_overlap(check_run *run, erg_error *err);
erg_status check_momentum(check_run *run, erg_error *err);
erg_status check_threads(check_run *run, erg_error *err);

#endif
