#include "geom/packing.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

enum {
    STREAM = 4000001,
    PLACES = 6,
    PASSES = 4,
    MOST_STEPS = 1000,
    MOST_AROUND = 96,
    CELLS = 7,
    TRIES = 4,
    CALM = 16
};
#define WIDTH 10.0 // side of the box [largest diameters]
#define CROWN 2.0  // what is cut off below the highest sphere [largest diameters]
#define DONE 2e-4  // overlap that is none, share of the sum of the radii, twice
// Of a sphere that rolls, in its radii.
#define REACH 0.6
#define WEIGHT 0.03 // downwards, per step
#define LEAST_WEIGHT 2e-4
#define INERTIA 0.85 // of its motion goes on
#define STILL 0.3    // it rests when it moves by less in a step [weights]

// Spheres that are in place, in cells wider than the reach of a sphere.
typedef struct cells {
    int       along, layers;
    uint32_t *head, *next;
} cells;

static int cell_of(double x, double side, int along)
{
    int k = (int)(x / side * along);
    return k < along ? k : along - 1;
}

static int layer_of(const ergi_packing *p, const cells *c, double z)
{
    int k = (int)(fmax(z, 0) / p->side * c->along);
    return k < c->layers ? k : c->layers - 1;
}

static size_t cell_at(const cells *c, int u, int v, int w)
{
    size_t n = (size_t)c->along;
    return ((size_t)w * n + (size_t)((v + c->along) % c->along)) * n +
           (size_t)((u + c->along) % c->along);
}

// Vector from sphere j to the nearest image of a point along x and y.
static void away_from(const ergi_packing *p, const double x[3], uint32_t j, double d[3])
{
    const double *b = p->sphere + 4 * (size_t)j;
    for (int k = 0; k < 3; k++) d[k] = x[k] - b[k];
    for (int k = 0; k < 2; k++) d[k] -= p->side * nearbyint(d[k] / p->side);
}

// z at which a sphere that falls from above comes to touch another, or the floor.
static double first_contact(const ergi_packing *p, const cells *c, const double s[4], double from)
{
    int    u = cell_of(s[0], p->side, c->along), v = cell_of(s[1], p->side, c->along);
    double z = s[3];
    for (int w = layer_of(p, c, from); w >= 0 && w + 1 >= layer_of(p, c, z) - 1; w--)
        for (int m = 0; m < 9; m++) {
            uint32_t j = c->head[cell_at(c, u + m % 3 - 1, v + m / 3 - 1, w)];
            for (; j != UINT32_MAX; j = c->next[j]) {
                const double *b = p->sphere + 4 * (size_t)j;
                double        d[3], sum = s[3] + b[3];
                away_from(p, s, j, d);
                double square = sum * sum - d[0] * d[0] - d[1] * d[1];
                if (square > 0) z = fmax(z, b[2] + sqrt(square));
            }
        }
    return z;
}

// The spheres that a sphere may come to touch before it has moved by REACH of its radius.
typedef struct around {
    double   from[3];
    uint32_t at[MOST_AROUND];
    int      count;
} around;

static void look_around(const ergi_packing *p, const cells *c, const double s[4], around *a)
{
    int u = cell_of(s[0], p->side, c->along), v = cell_of(s[1], p->side, c->along),
        layer = layer_of(p, c, s[2]);
    a->count = 0;
    memcpy(a->from, s, sizeof a->from);
    for (int w = layer > 0 ? layer - 1 : 0; w <= layer + 1 && w < c->layers; w++)
        for (int m = 0; m < 9; m++) {
            uint32_t j = c->head[cell_at(c, u + m % 3 - 1, v + m / 3 - 1, w)];
            for (; j != UINT32_MAX && a->count < MOST_AROUND; j = c->next[j]) {
                double d[3], near = (1 + REACH) * s[3] + p->sphere[4 * (size_t)j + 3];
                away_from(p, s, j, d);
                if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < near * near) a->at[a->count++] = j;
            }
        }
}

// Pushes a sphere out of those that it overlaps. Returns whether it overlapped any.
static bool push_out(const ergi_packing *p, const around *a, double s[4])
{
    bool overlapped = false;
    for (int n = 0; n < a->count; n++) {
        double d[3], sum = s[3] + p->sphere[4 * (size_t)a->at[n] + 3];
        away_from(p, s, a->at[n], d);
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (square >= sum * sum * (1 - DONE)) continue;
        double distance = sqrt(square), more = sum - distance;
        for (int k = 0; k < 3; k++) s[k] += distance > 0 ? more * d[k] / distance : 0;
        overlapped = true;
    }
    s[2] = fmax(s[2], s[3]);
    return overlapped;
}

// Rolls down over others, with some inertia, until it rests; then with less weight, so that it
// rests without overlap. Returns whether it does.
static bool roll(const ergi_packing *p, const cells *c, double weight, double s[4])
{
    double v[3] = {0, 0, 0};
    around a;
    look_around(p, c, s, &a);
    for (int n = 0, still = 0; n < MOST_STEPS && weight > LEAST_WEIGHT * s[3]; n++) {
        double before[3], moved = 0, gone = 0;
        memcpy(before, s, sizeof before);
        v[2] -= weight;
        for (int k = 0; k < 3; k++) s[k] += v[k];
        for (int k = 0; k < PASSES && push_out(p, &a, s); k++) continue;
        for (int k = 0; k < 3; k++) {
            v[k] = INERTIA * (s[k] - before[k]);
            moved += (s[k] - before[k]) * (s[k] - before[k]);
            gone += (s[k] - a.from[k]) * (s[k] - a.from[k]);
        }
        still = moved < STILL * STILL * weight * weight ? still + 1 : 0;
        if (still > CALM) {
            weight *= 0.25;
            still = 0;
        }
        if (gone < 0.25 * REACH * REACH * s[3] * s[3]) continue;
        for (int k = 0; k < 2; k++) {
            s[k] -= p->side * floor(s[k] / p->side);
            if (s[k] >= p->side) s[k] = 0;
        }
        look_around(p, c, s, &a);
    }
    bool overlaps = true;
    for (int k = 0; k < 50 && overlaps; k++) overlaps = push_out(p, &a, s);
    for (int k = 0; k < 2; k++) {
        s[k] -= p->side * floor(s[k] / p->side);
        if (s[k] >= p->side) s[k] = 0;
    }
    return !overlaps;
}

// One that has squeezed itself into a hole that is too small is put on top and rolls more slowly.
static void settle(const ergi_packing *p, const cells *c, double top, double s[4])
{
    double weight = WEIGHT * s[3];
    for (int k = 0; k < TRIES; k++, weight *= 0.3) {
        if (roll(p, c, weight, s)) return;
        s[2] = first_contact(p, c, s, top);
    }
}

// Drops spheres one by one, each at the lowest of some random places.
static void drop_all(ergi_packing *p, const cells *c, const double *radius, uint64_t seed)
{
    ergi_random r = {.seed = seed, .stream = STREAM};
    double      top = 0;
    for (size_t i = 0; i < p->count; i++) {
        double *s = p->sphere + 4 * i, best[4] = {0, 0, HUGE_VAL, radius[i]};
        r.id = i;
        r.draw = 0;
        for (int k = 0; k < PLACES; k++) {
            double at[4] = {p->side * ergi_random_uniform(&r), p->side * ergi_random_uniform(&r), 0,
                            radius[i]};
            at[2] = first_contact(p, c, at, top);
            if (at[2] < best[2]) memcpy(best, at, sizeof at);
        }
        settle(p, c, top, best);
        memcpy(s, best, sizeof best);
        size_t at = cell_at(c, cell_of(s[0], p->side, c->along), cell_of(s[1], p->side, c->along),
                            layer_of(p, c, s[2]));
        c->next[i] = c->head[at];
        c->head[at] = (uint32_t)i;
        top = fmax(top, s[2]);
    }
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

erg_status ergi_packing_make(ergi_packing *p, const double *radius, size_t count, uint64_t seed,
                             erg_error *err)
{
    double volume = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        volume += 4.0 / 3 * 3.14159265358979323846 * radius[i] * radius[i] * radius[i];
        largest = fmax(largest, radius[i]);
    }
    *p = (ergi_packing){.count = count, .side = WIDTH * 2 * largest, .bins = CELLS};
    double high = volume / (0.4 * p->side * p->side) + 10 * largest;
    cells  c = {.along = CELLS, .layers = (int)ceil(high / p->side * CELLS) + 1};
    size_t bins = (size_t)p->bins * (size_t)p->bins, all = bins * (size_t)c.layers;
    if (high < 2 * CROWN * 2 * largest + 10 * largest)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "grains of a terrain differ too much in size to be packed: the largest "
                         "has a radius of %g m",
                         largest);
    p->sphere = ergi_memory_new(4 * count, sizeof *p->sphere, "packing", err);
    p->first = ergi_memory_new(bins + 1, sizeof *p->first, "packing", err);
    c.head = ergi_memory_new(all, sizeof *c.head, "packing", err);
    c.next = ergi_memory_new(count, sizeof *c.next, "packing", err);
    bool whole = p->sphere && p->first && c.head && c.next;
    if (whole) {
        memset(c.head, 0xff, all * sizeof *c.head);
        drop_all(p, &c, radius, seed);
        cut_top(p, largest);
        sort_by_bin(p);
    } else {
        ergi_packing_free(p);
    }
    ergi_memory_free(c.head);
    ergi_memory_free(c.next);
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
