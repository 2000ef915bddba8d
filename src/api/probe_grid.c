#include "api/probe_grid.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { MAX_REACH = 64 }; // cells in the range of a kernel

void ergi_probe_corners(const erg_probe_def *def, double low[3], double high[3])
{
    memcpy(low, (double[]){def->bounds[0].x, def->bounds[0].y, def->bounds[0].z}, 3 * sizeof *low);
    memcpy(high, (double[]){def->bounds[1].x, def->bounds[1].y, def->bounds[1].z},
           3 * sizeof *high);
}

double ergi_probe_cells(const erg_probe_def *def, int axis)
{
    double low[3], high[3];
    if (def->cells[0] || def->cells[1] || def->cells[2]) return def->cells[axis];
    ergi_probe_corners(def, low, high);
    return fmax(1, ceil((high[axis] - low[axis]) / def->spacing * (1 - 1e-12)));
}

static double largest_edge(const erg_probe_def *def)
{
    double low[3], high[3], edge = 0;
    ergi_probe_corners(def, low, high);
    for (int k = 0; k < 3; k++) {
        double n = ergi_probe_cells(def, k);
        if (n > 1) edge = fmax(edge, (high[k] - low[k]) / n);
    }
    return edge;
}

double ergi_probe_width(const erg_probe_def *def)
{
    if (def->width > 0) return def->width;
    return (def->kernel == ERG_KERNEL_GAUSS ? 1 : 2) * largest_edge(def);
}

double ergi_probe_range(const erg_probe_def *def)
{
    return (def->kernel == ERG_KERNEL_GAUSS ? ERGI_PROBE_CUT : 1) * ergi_probe_width(def);
}

erg_status ergi_probe_check_kernel(const erg_probe_def *def, erg_error *err)
{
    double low[3], high[3];
    ergi_probe_corners(def, low, high);
    for (int k = 0; k < 3; k++) {
        double n = ergi_probe_cells(def, k);
        double spans = ceil(2 * ergi_probe_range(def) / ((high[k] - low[k]) / n) + 2);
        if (n > 1 && def->kernel != ERG_KERNEL_CELL && !(spans <= MAX_REACH))
            return ergi_fail_at(err, "width", ERG_ERROR_OUT_OF_RANGE,
                                "the kernel spans %g cells along %c, expected at most %d: use "
                                "larger cells or a smaller width",
                                spans, "xyz"[k], MAX_REACH);
    }
    return ERG_OK;
}
