#include "run/probe_repose.h"

#include "base/memory.h"
#include "geom/vec3.h"
#include "run/median.h"

#include <string.h>

enum { MAX_RINGS = 200, MIN_FLANK = 4 };

// The slope is fitted between these shares of the height of the heap.
static const double FLANK_LOW = 0.2, FLANK_HIGH = 0.8;
static const double STREAM = 0.15; // share of the foot's radius that the pouring stream may cover
static const double BASE_SHARE = 0.01; // share of spheres that may lie below the base

typedef struct heap {
    size_t  count;
    double *distance; // of each sphere from the axis [m]
    double *top;      // highest point of each sphere, along the axis [m]
    double  base;     // [m]
    double  diameter; // mean [m]
    double  width;    // of a ring; patches are about as wide [m]
    int     rings;
    int     first[MAX_RINGS + 1]; // first patch of each ring
    double  surface[MAX_RINGS];   // [m]
} heap;

static int patches_of_ring(int ring)
{
    return (int)(2.0 * ERGI_PI * (ring + 0.5) +
                 0.5); // so that patches are as long as they are wide
}

// Computes distances, tops, the base level and the resolution of the rings.
static void survey(heap *h, const double *centre, const double *radius, erg_vec3 point, erg_vec3 up,
                   double *scratch)
{
    double sum = 0.0, farthest = 0.0;
    for (size_t i = 0; i < h->count; i++) {
        erg_vec3 x =
            ergi_sub(ergi_vec3(centre[3 * i], centre[3 * i + 1], centre[3 * i + 2]), point);
        double height = ergi_dot(x, up);
        h->distance[i] = ergi_norm(ergi_madd(x, -height, up));
        h->top[i] = height + radius[i];
        scratch[i] = height - radius[i];
        sum += radius[i];
        if (h->distance[i] > farthest) farthest = h->distance[i];
    }
    h->base = ergi_quantile(scratch, h->count, BASE_SHARE);
    h->diameter = 2.0 * sum / (double)h->count;
    h->width = fmax(1.5 * h->diameter, farthest / (MAX_RINGS - 1));
    h->rings = (int)(farthest / h->width) + 1;
    for (int i = 0; i <= h->rings; i++)
        h->first[i] = i ? h->first[i - 1] + patches_of_ring(i - 1) : 0;
}

static void find_surface(heap *h, const double *centre, erg_vec3 point, erg_vec3 up,
                         double *highest)
{
    erg_vec3 east = ergi_perpendicular(up), north = ergi_cross(up, east);
    for (int i = 0; i < h->first[h->rings]; i++)
        highest[i] = h->base; // a patch without grains is at floor level
    for (size_t i = 0; i < h->count; i++) {
        erg_vec3 x =
            ergi_sub(ergi_vec3(centre[3 * i], centre[3 * i + 1], centre[3 * i + 2]), point);
        double  turn = atan2(ergi_dot(x, north), ergi_dot(x, east)) / (2.0 * ERGI_PI) + 0.5;
        int     ring = (int)(h->distance[i] / h->width);
        int     n = patches_of_ring(ring), patch = (int)(turn * n);
        double *high = &highest[h->first[ring] + (patch < n ? patch : n - 1)];
        if (h->top[i] > *high) *high = h->top[i];
    }
    for (int i = 0; i < h->rings; i++)
        h->surface[i] = ergi_quantile(&highest[h->first[i]], (size_t)patches_of_ring(i), 0.5);
}

// The outermost ring whose surface is clearly above the floor and above single grains on it.
static int find_foot(const heap *h)
{
    int foot = 0;
    for (int i = 0; i < h->rings; i++)
        if (h->surface[i] > h->base + 1.5 * h->diameter) foot = i;
    return foot;
}

static double slope_of_flank(const heap *h, double *slopes)
{
    int    foot = find_foot(h), first = (int)ceil(STREAM * foot);
    double top = h->base;
    for (int i = first; i <= foot; i++) top = fmax(top, h->surface[i]);
    if (top - h->base < 3.0 * h->diameter) return (double)NAN;

    int    ring[MAX_RINGS], rings = 0;
    double low = h->base + FLANK_LOW * (top - h->base),
           high = h->base + FLANK_HIGH * (top - h->base);
    for (int i = first; i <= foot; i++)
        if (h->surface[i] >= low && h->surface[i] <= high) ring[rings++] = i;
    if (rings < MIN_FLANK) return (double)NAN;

    size_t n = 0;
    for (int i = 0; i < rings; i++)
        for (int j = i + 1; j < rings; j++)
            slopes[n++] =
                (h->surface[ring[i]] - h->surface[ring[j]]) / (h->width * (ring[j] - ring[i]));
    return ergi_quantile(slopes, n, 0.5);
}

erg_status ergi_repose_angle(const double *centre, const double *radius, size_t count,
                             erg_vec3 point, erg_vec3 up, double *degrees, erg_error *err)
{
    *degrees = (double)NAN;
    if (count < 50) return ERG_OK;

    // One scratch array serves the spheres, the patches and the pairs of rings: allocate the
    // maximum.
    size_t patches = 0, pairs = (size_t)MAX_RINGS * MAX_RINGS / 2;
    for (int i = 0; i < MAX_RINGS; i++) patches += (size_t)patches_of_ring(i);
    size_t  room = count > patches ? count : patches;
    double *scratch = ergi_memory_new(room > pairs ? room : pairs, sizeof *scratch, "a heap", err);
    double *spheres = ergi_memory_new(2 * count, sizeof *spheres, "a heap", err);
    erg_status status = scratch && spheres ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        heap h = {.count = count, .distance = spheres, .top = spheres + count};
        survey(&h, centre, radius, point, up, scratch);
        find_surface(&h, centre, point, up, scratch);
        double slope = slope_of_flank(&h, scratch);
        if (slope > 0.0) *degrees = atan(slope) * 180.0 / ERGI_PI;
    }
    ergi_memory_free(scratch);
    ergi_memory_free(spheres);
    return status;
}
