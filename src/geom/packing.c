#include "geom/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BINS = 7, MOST_NEAR = 64, MOST_SWEEPS = 1000, MOST_ROUNDS = 8 };
#define CROWN 2.0 // what is cut off below the highest sphere [largest diameters]
#define NEAR 0.1  // spheres with a gap of less may come to touch, share of the sum of the radii
#define DONE 1e-4 // overlap that is none, share of the sum of the radii

// Vector from sphere j to the nearest image of a point along x and y.
static void away_from(const ergi_packing *p, const double x[3], uint32_t j, double d[3])
{
    const double *b = p->sphere + 4 * (size_t)j;
    for (int k = 0; k < 3; k++) d[k] = x[k] - b[k];
    for (int k = 0; k < 2; k++) d[k] -= p->side * nearbyint(d[k] / p->side);
}

// ---- Overlaps ----------------------------------------------------------------------------------
// Spheres near sphere i that are lower; the spheres are sorted by height.
static int look_below(const ergi_packing *p, size_t i, double largest, uint32_t near[MOST_NEAR])
{
    const double *s = p->sphere + 4 * i;
    double        far = (1 + NEAR) * (s[3] + largest);
    int           count = 0;
    for (size_t j = i; j-- > 0 && p->sphere[4 * j + 2] > s[2] - far && count < MOST_NEAR;) {
        double d[3], most = (1 + NEAR) * (s[3] + p->sphere[4 * j + 3]);
        away_from(p, s, (uint32_t)j, d);
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < most * most) near[count++] = (uint32_t)j;
    }
    return count;
}

// Moves a sphere and those near it out of each other, and out of the floor. Returns the largest
// overlap.
static double push_apart(ergi_packing *p, size_t i, const uint32_t *near, int count)
{
    double *s = p->sphere + 4 * i, worst = 0;
    for (int n = 0; n < count; n++) {
        double *o = p->sphere + 4 * (size_t)near[n], d[3], sum = s[3] + o[3];
        away_from(p, s, near[n], d);
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(square < sum * sum && square > 0)) continue;
        double overlap = sum / sqrt(square) - 1;
        for (int k = 0; k < 3; k++) {
            s[k] += 0.5 * overlap * d[k];
            o[k] -= 0.5 * overlap * d[k];
        }
        worst = fmax(worst, overlap);
    }
    s[2] = fmax(s[2], s[3]);
    return worst;
}

static int by_height(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int k = 2; k >= 0; k--)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

// Returns the largest overlap that the spheres had at first.
static double relax_once(ergi_packing *p, double largest, uint32_t *near, uint8_t *found)
{
    double first = 0, worst = 1;
    qsort(p->sphere, p->count, 4 * sizeof *p->sphere, by_height);
    for (size_t i = 0; i < p->count; i++)
        found[i] = (uint8_t)look_below(p, i, largest, near + MOST_NEAR * i);
    for (int n = 0; n < MOST_SWEEPS && worst > DONE; n++) {
        worst = 0;
        for (size_t i = 0; i < p->count; i++)
            worst = fmax(worst, push_apart(p, i, near + MOST_NEAR * i, found[i]));
        if (n == 0) first = worst;
    }
    return first;
}

// Removes what is left of the pressure under which the spheres settled. They give way into the gaps
// around them, so that the packing remains as dense as it was.
static erg_status relax(ergi_packing *p, double largest, erg_error *err)
{
    uint32_t *near = ergi_memory_new(MOST_NEAR * p->count, sizeof *near, "packing", err);
    uint8_t  *found = ergi_memory_new(p->count, 1, "packing", err);
    bool      whole = near && found;
    for (int n = 0; n < MOST_ROUNDS && whole; n++)
        if (relax_once(p, largest, near, found) <= DONE) break;
    ergi_memory_free(near);
    ergi_memory_free(found);
    return whole ? ERG_OK : ERG_NO_MEMORY;
}

// ---- Making ------------------------------------------------------------------------------------
static int cell_of(double x, double side, int along)
{
    int k = (int)(x / side * along);
    return k < along ? k : along - 1;
}

// Keeps the spheres below the uneven top.
static void cut_top(ergi_packing *p, double largest)
{
    double top = 0, volume = 0;
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) top = fmax(top, p->sphere[4 * i + 2]);
    p->height = top - CROWN * 2 * largest;
    for (size_t i = 0; i < p->count; i++) {
        const double *s = p->sphere + 4 * i;
        if (s[2] >= p->height) continue;
        volume += 4.0 / 3 * 3.14159265358979323846 * s[3] * s[3] * s[3];
        memmove(p->sphere + 4 * kept++, s, 4 * sizeof *s);
    }
    p->count = kept;
    p->share = volume / (p->side * p->side * p->height);
}

// Sorts the spheres by bin of x and y; within a bin by z.
static void sort_by_bin(ergi_packing *p)
{
    size_t n = p->count;
    for (size_t i = 1; i < n; i++) { // few spheres, once: insertion sort
        double s[4];
        memcpy(s, p->sphere + 4 * i, sizeof s);
        size_t key = (size_t)cell_of(s[1], p->side, p->bins) * (size_t)p->bins +
                     (size_t)cell_of(s[0], p->side, p->bins);
        size_t k = i;
        for (; k > 0; k--) {
            const double *b = p->sphere + 4 * (k - 1);
            size_t        other = (size_t)cell_of(b[1], p->side, p->bins) * (size_t)p->bins +
                           (size_t)cell_of(b[0], p->side, p->bins);
            if (other < key || (other == key && b[2] <= s[2])) break;
            memcpy(p->sphere + 4 * k, b, sizeof s);
        }
        memcpy(p->sphere + 4 * k, s, sizeof s);
    }
    size_t bins = (size_t)p->bins * (size_t)p->bins, i = 0;
    for (size_t b = 0; b <= bins; b++) {
        while (i < n) {
            const double *s = p->sphere + 4 * i;
            size_t        key = (size_t)cell_of(s[1], p->side, p->bins) * (size_t)p->bins +
                         (size_t)cell_of(s[0], p->side, p->bins);
            if (key >= b) break;
            i++;
        }
        p->first[b] = (uint32_t)i;
    }
}

erg_status ergi_packing_make(ergi_packing *p, const double *sphere, size_t count, double side,
                             erg_error *err)
{
    double largest = 0;
    *p = (ergi_packing){.count = count, .side = side, .bins = BINS};
    p->sphere = ergi_memory_new(4 * count, sizeof *p->sphere, "packing", err);
    p->first = ergi_memory_new((size_t)BINS * BINS + 1, sizeof *p->first, "packing", err);
    erg_status status = p->sphere && p->first ? ERG_OK : ERG_NO_MEMORY;
    for (size_t i = 0; i < count && status == ERG_OK; i++) {
        memcpy(p->sphere + 4 * i, sphere + 4 * i, 4 * sizeof *sphere);
        largest = fmax(largest, sphere[4 * i + 3]);
    }
    if (status == ERG_OK) status = relax(p, largest, err);
    for (size_t i = 0; i < 4 * count && status == ERG_OK; i++) {
        double *x = p->sphere + i;
        if (i % 4 < 2) *x -= side * floor(*x / side);
        if (i % 4 < 2 && *x >= side) *x = 0;
    }
    if (status != ERG_OK) {
        ergi_packing_free(p);
        return status;
    }
    cut_top(p, largest);
    sort_by_bin(p);
    return ERG_OK;
}

void ergi_packing_free(ergi_packing *p)
{
    ergi_memory_free(p->sphere);
    ergi_memory_free(p->first);
    *p = (ergi_packing){0};
}

size_t ergi_packing_bytes(const ergi_packing *p)
{
    return 4 * p->count * sizeof *p->sphere +
           ((size_t)p->bins * (size_t)p->bins + 1) * sizeof *p->first;
}

// ---- Reading -----------------------------------------------------------------------------------
static long floor_div(long a, long n)
{
    return a >= 0 ? a / n : -((-a + n - 1) / n);
}

void ergi_packing_visit(const ergi_packing *p, const double low[3], const double high[3],
                        ergi_packing_fn *fn, void *user)
{
    double width = p->side / p->bins;
    long   u0 = (long)floor(low[0] / width), u1 = (long)floor(high[0] / width),
         v0 = (long)floor(low[1] / width), v1 = (long)floor(high[1] / width);
    for (long v = v0; v <= v1; v++)
        for (long u = u0; u <= u1; u++) {
            long   bx = floor_div(u, p->bins), by = floor_div(v, p->bins);
            size_t bin = (size_t)((v - by * p->bins) * p->bins + (u - bx * p->bins));
            for (uint32_t i = p->first[bin]; i < p->first[bin + 1]; i++) {
                const double *s = p->sphere + 4 * (size_t)i;
                double at[4] = {s[0] + (double)bx * p->side, s[1] + (double)by * p->side, 0, s[3]};
                if (!(at[0] >= low[0] && at[0] < high[0] && at[1] >= low[1] && at[1] < high[1]))
                    continue;
                double k = ceil((low[2] - s[2]) / p->height);
                for (at[2] = s[2] + k * p->height; at[2] < high[2]; at[2] = s[2] + ++k * p->height)
                    if (at[2] >= low[2]) fn(user, at);
            }
        }
}

double ergi_packing_overlap(const ergi_packing *p)
{
    double worst = 0;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = i + 1; j < p->count; j++) {
            double d[3], sum = p->sphere[4 * i + 3] + p->sphere[4 * j + 3];
            away_from(p, p->sphere + 4 * i, (uint32_t)j, d);
            worst = fmax(worst, 1 - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / sum);
        }
    return worst;
}
