// Calibration of the resistive force of a terrain from grains.
#ifndef ERG_BENCH_CALIBRATE_PLATE_H
#define ERG_BENCH_CALIBRATE_PLATE_H

#include "bench.h"

// Pushes a plate slowly into a bed of grains and adds a row with zeta, the `resistance` of a
// terrain of the same sand. `options->friction` between the grains, and with the plate.
erg_status calibrate_plate(const bench_options *options, bench_rows *rows, erg_error *err);

#endif
