#include "geom/packing.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

enum { STREAM = 4000001, ROUNDS = 4000 };
#define DONE 2e-3 // largest overlap left, share of the sum of the radii

// Cells of the search: spheres of one cell touch those of the 27 around it.
typedef struct cells {
    int       along;
    uint32_t *head, *next;
} cells;

static int cell_of(double x, double side, int along)
{
    int k = (int)(x / side * along);
    return k < along ? k : along - 1;
}

static size_t cell_at(const cells *c, const double *x, double side)
{
    size_t n = (size_t)c->along;
    return ((size_t)cell_of(x[2], side, c->along) * n + (size_t)cell_of(x[1], side, c->along)) * n +
           (size_t)cell_of(x[0], side, c->along);
}

static void fill_cells(const cells *c, const ergi_packing *p)
{
    size_t n = (size_t)c->along;
    memset(c->head, 0xff, n * n * n * sizeof *c->head);
    for (size_t i = p->count; i-- > 0;) {
        size_t at = cell_at(c, p->sphere + 4 * i, p->side);
        c->next[i] = c->head[at];
        c->head[at] = (uint32_t)i;
    }
}

// Distance vector from sphere j to the nearest image of i; returns the overlap [m].
static double overlap_of(const ergi_packing *p, size_t i, size_t j, double d[3])
{
    const double *a = p->sphere + 4 * i, *b = p->sphere + 4 * j;
    double        square = 0, sum = a[3] + b[3];
    for (int k = 0; k < 3; k++) {
        d[k] = a[k] - b[k];
        d[k] -= p->side * nearbyint(d[k] / p->side);
        square += d[k] * d[k];
    }
    double distance = sqrt(square);
    for (int k = 0; k < 3; k++) d[k] = distance > 0 ? d[k] / distance : k == 2;
    return sum - distance;
}

typedef void pair_fn(void *user, size_t i, size_t j, double overlap, const double n[3]);

// Every overlapping pair once.
static void each_overlap(const ergi_packing *p, const cells *c, pair_fn *fn, void *user)
{
    int n = c->along;
    for (size_t i = 0; i < p->count; i++) {
        const double *x = p->sphere + 4 * i;
        int           at[3] = {cell_of(x[0], p->side, n), cell_of(x[1], p->side, n),
                               cell_of(x[2], p->side, n)};
        for (int s = 0; s < 27; s++) {
            int u = (at[0] + s % 3 - 1 + n) % n, v = (at[1] + s / 3 % 3 - 1 + n) % n,
                w = (at[2] + s / 9 - 1 + n) % n;
            uint32_t j = c->head[((size_t)w * (size_t)n + (size_t)v) * (size_t)n + (size_t)u];
            for (; j != UINT32_MAX; j = c->next[j]) {
                double d[3];
                if (j <= i) continue;
                double overlap = overlap_of(p, i, j, d);
                if (overlap > 0) fn(user, i, j, overlap, d);
            }
        }
    }
}

typedef struct push {
    ergi_packing *p;
    double       *change; // x y z per sphere
    double        worst;
} push;

static void push_apart(void *user, size_t i, size_t j, double overlap, const double n[3])
{
    push  *t = user;
    double share = overlap / (t->p->sphere[4 * i + 3] + t->p->sphere[4 * j + 3]);
    t->worst = fmax(t->worst, share);
    for (size_t k = 0; k < 3; k++) {
        t->change[3 * i + k] += 0.3 * overlap * n[k];
        t->change[3 * j + k] -= 0.3 * overlap * n[k];
    }
}

static void spread(push *t, const cells *c)
{
    ergi_packing *p = t->p;
    for (int round = 0; round < ROUNDS; round++) {
        memset(t->change, 0, 3 * p->count * sizeof *t->change);
        t->worst = 0;
        fill_cells(c, p);
        each_overlap(p, c, push_apart, t);
        if (t->worst < DONE) break;
        for (size_t i = 0; i < p->count; i++)
            for (size_t k = 0; k < 3; k++) {
                double *x = &p->sphere[4 * i + k];
                *x += t->change[3 * i + k];
                *x -= p->side * floor(*x / p->side);
                if (*x >= p->side) *x = 0;
            }
    }
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

static void place_at_random(ergi_packing *p, const double *radius, uint64_t seed)
{
    ergi_random r = {.seed = seed, .stream = STREAM};
    for (size_t i = 0; i < p->count; i++) {
        r.id = i;
        r.draw = 0;
        for (size_t k = 0; k < 3; k++) p->sphere[4 * i + k] = p->side * ergi_random_uniform(&r);
        p->sphere[4 * i + 3] = radius[i];
    }
}

erg_status ergi_packing_make(ergi_packing *p, const double *radius, size_t count, double share,
                             uint64_t seed, erg_error *err)
{
    double volume = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        volume += 4.0 / 3 * 3.14159265358979323846 * radius[i] * radius[i] * radius[i];
        largest = fmax(largest, radius[i]);
    }
    *p = (ergi_packing){.count = count, .share = share, .side = cbrt(volume / share)};
    p->bins = (int)fmin(fmax(p->side / (2 * largest), 1), 64);
    cells  c = {.along = p->bins};
    push   t = {.p = p};
    size_t n = (size_t)c.along, bins = n * n;
    if (c.along < 3)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "grains of a terrain differ too much in size to be packed: the largest "
                         "has a radius of %g m",
                         largest);
    p->sphere = ergi_memory_new(4 * count, sizeof *p->sphere, "packing", err);
    p->first = ergi_memory_new(bins + 1, sizeof *p->first, "packing", err);
    c.head = ergi_memory_new(n * n * n, sizeof *c.head, "packing", err);
    c.next = ergi_memory_new(count, sizeof *c.next, "packing", err);
    t.change = ergi_memory_new(3 * count, sizeof *t.change, "packing", err);
    bool whole = p->sphere && p->first && c.head && c.next && t.change;
    if (whole) {
        place_at_random(p, radius, seed);
        spread(&t, &c);
        sort_by_bin(p);
    } else {
        ergi_packing_free(p);
    }
    ergi_memory_free(c.head);
    ergi_memory_free(c.next);
    ergi_memory_free(t.change);
    return whole ? ERG_OK : ERG_NO_MEMORY;
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
                double k = ceil((low[2] - s[2]) / p->side);
                for (at[2] = s[2] + k * p->side; at[2] < high[2]; at[2] = s[2] + ++k * p->side)
                    if (at[2] >= low[2]) fn(user, at);
            }
        }
}

static void keep_worst(void *user, size_t i, size_t j, double overlap, const double n[3])
{
    (void)n;
    push *t = user;
    t->worst = fmax(t->worst, overlap / (t->p->sphere[4 * i + 3] + t->p->sphere[4 * j + 3]));
}

double ergi_packing_overlap(const ergi_packing *p)
{
    ergi_packing copy = *p;
    push         t = {.p = &copy};
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = i + 1; j < p->count; j++) {
            double d[3], overlap = overlap_of(p, i, j, d);
            if (overlap > 0) keep_worst(&t, i, j, overlap, d);
        }
    return t.worst;
}
