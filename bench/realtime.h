// The bench `realtime`: four scenes of Sommer 2022, how time grows with size, and the physics that
// the real-time solver must keep.
#ifndef ERG_BENCH_REALTIME_H
#define ERG_BENCH_REALTIME_H

#include "bench.h"

#include "erg/scene.h"

typedef struct realtime_scene {
    const char *name;   // of the row
    const char *file;   // name of the shipped scene
    double      time;   // when it is in motion and has fine particles [s]
    double      moving; // for so long; the frames are from several passes if that is short [s]
    double      paper_ms;
} realtime_scene;

extern const realtime_scene REALTIME_SCENES[]; // ends with a NULL name

// Builds the world of a shipped scene. ERG_BAD_INPUT if there is no such scene.
erg_status realtime_build(const char *file, erg_solver solver, int threads, erg_world **world,
                          erg_error *err);

// `--headroom`: rows of growing size, and the largest ones that meet 60 Hz.
erg_status realtime_headroom(const bench_options *options, bench_rows *rows, erg_error *err);

// `--check`: all checks, or those named in the options. ERG_BAD_PHYSICS if one fails.
erg_status realtime_check(const bench_options *options, bench_rows *rows, erg_error *err);
// The k-th of them; NULL: there are no more.
const char *realtime_check_name(int k);

#endif
