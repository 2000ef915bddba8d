// Parts of the bench `landscape`.
#ifndef ERG_BENCH_LANDSCAPE_H
#define ERG_BENCH_LANDSCAPE_H

#include "bench.h"

// Compares what comes out with the reference. Names as for --check; none: all.
erg_status landscape_check(const bench_options *options, bench_rows *rows, erg_error *err);
// The k-th check; NULL: there are no more.
const char *landscape_check_name(int k);

// The shipped scene `beach`: time per frame, on beaches of several sizes.
erg_status landscape_beach(const bench_options *options, bench_rows *rows, erg_error *err);

#endif
