// The flux of sand into one patch of columns in one sweep, from the heights before it.
//
// Between two of eight neighbours flows max(0, h_k - h_l - limit) / 9, rounded down, from the
// higher column k to the lower one l. The limit is d tan(angle), d the distance of their centres;
// the angle is angle_stop if sand moved in one of them in the last sweep, else angle_start. Both
// columns compute the same number, so that none is lost. (A ninth: a pit among eight high
// neighbours must not overshoot and swing.)
//
// The sum is taken in doubles that hold whole numbers, which are exact below 2^53 and need a third
// of the instructions of 64-bit integers; patches with cliffs beyond that take the integers.
#ifndef ERGI_FLUX_H
#define ERGI_FLUX_H

#include "terrain/columns.h"

enum { ERGI_FLUX_SIDE = ERGI_PATCH_SIDE + 2, ERGI_FLUX_STRIDE = 12 };

// Largest difference of heights in a window: beyond it quotients could be rounded wrongly [quanta].
#define ERGI_FLUX_WIDEST ((uint64_t)1 << 48)

// Limits [quanta].
typedef struct ergi_flux_limits {
    int64_t straight[2], diagonal[2]; // where nothing moved, where something did
} ergi_flux_limits;

// The patch and the columns around it, row by row along x.
typedef struct ergi_flux_window {
    double height[ERGI_FLUX_SIDE][ERGI_FLUX_STRIDE];   // above a common base [quanta]
    double straight[ERGI_FLUX_SIDE][ERGI_FLUX_STRIDE]; // limit of each column
    double diagonal[ERGI_FLUX_SIDE][ERGI_FLUX_STRIDE];
    double open[ERGI_FLUX_SIDE][ERGI_FLUX_STRIDE]; // 1: exchanges sand with the patch, 0: does not
} ergi_flux_window;

// Writes what each column of the patch gains; returns the columns in which sand moved, one bit
// each.
typedef uint64_t (*ergi_flux_fn)(const ergi_flux_window *w, double net[ERGI_PATCH_COLUMNS]);

uint64_t ergi_flux_plain(const ergi_flux_window *w, double net[ERGI_PATCH_COLUMNS]);
#if defined(ERG_X86_KERNELS)
uint64_t ergi_flux_avx2(const ergi_flux_window *w, double net[ERGI_PATCH_COLUMNS]);
#endif
ergi_flux_fn ergi_flux_choose(void); // the fastest on this processor; all give the same bits

#endif
