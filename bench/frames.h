// Frames of 1/60 s of simulated time, timed one by one, and the row they make.
#ifndef ERG_BENCH_FRAMES_H
#define ERG_BENCH_FRAMES_H

#include "row.h"

#include "erg/upsample.h"
#include "erg/world.h"

enum { FRAMES_MOST = 600 };

#define FRAMES_BUDGET_MS (1000.0 / 60) // for pictures at 60 Hz

typedef struct bench_frames {
    int       count;
    double    wall[FRAMES_MOST];           // [s]
    double    cpu[FRAMES_MOST];            // all threads together [s]
    double    fine[FRAMES_MOST];           // of `wall`, the step of the fine particles [s]
    double    speed[FRAMES_MOST];          // root mean square of the grains' after the frame [m/s]
    uint64_t  steps, rebuilds, iterations; // of the solver, in all frames
    double    search, solver, motion;      // its phases, in all frames [s]
    erg_stats after;                       // the last frame
} bench_frames;

// Steps the world to `time` [s], then by `count` frames, times these and appends them to `frames`.
// Frames begin about half-way between two steps of the fine particles, so that each contains
// exactly one.
erg_status frames_measure(erg_world *world, double time, int count, bench_frames *frames,
                          erg_error *err);

double frames_median_ms(const bench_frames *frames);
double frames_median(const double *values, int count); // one value per frame

// Adds a row: the fields of every bench, then those of a real-time row.
erg_status frames_row(bench_rows *rows, const char *name, const erg_world *world, int threads,
                      const bench_frames *frames, erg_error *err);

#endif
