#include "contact/curve.h"

#include <math.h>

#include "base/morton.h"

enum { SAMPLES = 1024 };

// The number that would stand at `rank` if `x` were sorted. (Hoare's selection)
static double select_rank(double *x, int count, int rank)
{
    for (int low = 0, high = count - 1; low < high;) {
        double pivot = x[(low + high) / 2];
        int    i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            double other = x[i];
            x[i++] = x[j];
            x[j--] = other;
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break;
    }
    return x[rank];
}

static int take_samples(const double *position, size_t count, int axis, double sample[SAMPLES])
{
    int n = count < SAMPLES ? (int)count : SAMPLES;
    for (int k = 0; k < n; k++) {
        double x = position[4 * (count * (size_t)k / (size_t)n) + (size_t)axis];
        sample[k] = isfinite(x) ? x : 0;
    }
    return n;
}

// Where the part `before` is below; *spread: mean distance from there, a quarter of the width where
// all is filled evenly.
static double cut_at(const double *position, size_t count, int axis, double before, double *spread)
{
    double sample[SAMPLES];
    int    n = take_samples(position, count, axis, sample), rank = (int)(before * n);
    *spread = 0;
    if (n == 0) return 0;
    double cut = select_rank(sample, n, rank < n ? rank : n - 1);
    for (int k = 0; k < n; k++) *spread += fabs(sample[k] - cut) / n;
    return cut;
}

// A power of two of cells that is longer than that, at most `most`.
static double cells_over(double length, double cell, double most)
{
    double cells = 1;
    while (cells * cell <= length && cells < most) cells *= 2;
    return cells;
}

ergi_curve ergi_curve_through(const double *position, size_t count, double cell, double before)
{
    ergi_curve curve = {.cell = cell};
    double     spread[3] = {0}, far = 0;
    for (int a = 0; a < 3; a++) curve.middle[a] = cut_at(position, count, a, 0.5, &spread[a]);
    // The axis of the widest spread has the highest of three bits.
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            curve.shift[a] += spread[b] < spread[a] || (b > a && !(spread[b] > spread[a]));
    for (int a = 0; a < 3; a++)
        if (curve.shift[a] == 2) curve.middle[a] = cut_at(position, count, a, before, &spread[a]);
    for (size_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++)
            far = fmax(far, fabs(position[4 * i + (size_t)a] - curve.middle[a]));
    double half = cells_over(far, cell, (double)(ERGI_AXIS_CELLS / 2));
    curve.cells = 2 * half;
    for (int a = 0; a < 3; a++) {
        double own = curve.shift[a] == 2 ? half : cells_over(2 * spread[a], cell, half);
        curve.number[a] = own < half ? half + own : half;
    }
    return curve;
}

uint64_t ergi_curve_key(const ergi_curve *curve, const double position[3])
{
    uint64_t key = 0;
    for (int a = 0; a < 3; a++) {
        double c = floor((position[a] - curve->middle[a]) / curve->cell) + curve->number[a];
        if (!(c > 0)) c = 0;
        if (c > curve->cells - 1) c = curve->cells - 1;
        key |= ergi_spread((uint64_t)c) << curve->shift[a];
    }
    return key;
}
