// The grid and the kernel of a field probe, as its definition gives them: for the reader of scenes
// and for the probe itself.
#ifndef ERGI_API_PROBE_GRID_H
#define ERGI_API_PROBE_GRID_H

#include "erg/probe.h"

#define ERGI_PROBE_CUT 3.0 // radius at which a Gaussian is cut off, in widths

void   ergi_probe_corners(const erg_probe_def *def, double low[3], double high[3]); // [m]
double ergi_probe_cells(const erg_probe_def *def, int axis); // may exceed the limit
double ergi_probe_width(const erg_probe_def *def);           // of the kernel [m]
double ergi_probe_range(const erg_probe_def *def);           // beyond which it is 0 [m]

// ERG_BAD_INPUT at `width` if the kernel spans too many cells. The grid must be valid.
erg_status ergi_probe_check_kernel(const erg_probe_def *def, erg_error *err);

#endif
