#include "geom/points.h"

#include "base/memory.h"

#include <string.h>

static erg_status reserve(ergi_points *points, size_t count, erg_error *err)
{
    size_t bins = 16;
    while (bins < 2 * count) bins *= 2;
    if (count <= points->room && points->start) return ERG_OK;
    ergi_points_free(points);
    points->cell = ergi_memory_new(count, sizeof *points->cell, "a grid of points", err);
    points->item = ergi_memory_new(count, sizeof *points->item, "a grid of points", err);
    points->start = ergi_memory_new(bins + 2, sizeof *points->start, "a grid of points", err);
    if (!points->cell || !points->item || !points->start) {
        ergi_points_free(points);
        return ERG_NO_MEMORY;
    }
    points->room = count;
    points->bins = bins;
    return ERG_OK;
}

erg_status ergi_points_build(ergi_points *points, const erg_vec3 *point, size_t count, double side,
                             erg_error *err)
{
    erg_status status = reserve(points, count, err);
    if (status != ERG_OK) return status;
    points->side = side;
    points->point = point;
    points->count = count;
    memset(points->start, 0, (points->bins + 2) * sizeof *points->start);
    for (size_t i = 0; i < count; i++) {
        points->cell[i] = ergi_points_cell(points, point[i]);
        points->start[ergi_points_bin_of(points, points->cell[i]) + 2]++;
    }
    for (size_t i = 2; i < points->bins + 2; i++) points->start[i] += points->start[i - 1];
    for (size_t i = 0; i < count; i++)
        points->item[points->start[ergi_points_bin_of(points, points->cell[i]) + 1]++] =
            (uint32_t)i;
    return ERG_OK;
}

void ergi_points_free(ergi_points *points)
{
    ergi_memory_free(points->cell);
    ergi_memory_free(points->item);
    ergi_memory_free(points->start);
    *points = (ergi_points){0};
}

typedef struct search {
    erg_vec3 p;
    uint32_t except, best;
    double   d2;
} search;

static void search_cell(const ergi_points *points, ergi_cell cell, search *s)
{
    uint32_t begin, end;
    ergi_points_bin(points, cell, &begin, &end);
    for (uint32_t k = begin; k < end; k++) {
        uint32_t i = points->item[k];
        if (i == s->except || !ergi_points_in(points, i, cell)) continue;
        erg_vec3 d = ergi_sub(points->point[i], s->p);
        double   d2 = ergi_dot(d, d);
        if (d2 < s->d2 || (d2 == s->d2 && i < s->best)) {
            s->d2 = d2;
            s->best = i;
        }
    }
}

// Searches the cells whose largest offset from the middle one is exactly `ring`.
static void search_ring(const ergi_points *points, ergi_cell c, int64_t ring, search *s)
{
    for (int64_t x = -ring; x <= ring; x++)
        for (int64_t y = -ring; y <= ring; y++) {
            bool    side = x == -ring || x == ring || y == -ring || y == ring;
            int64_t step = side || ring == 0 ? 1 : 2 * ring;
            for (int64_t z = -ring; z <= ring; z += step)
                search_cell(points, (ergi_cell){c.x + x, c.y + y, c.z + z}, s);
        }
}

// Tests every point, which is cheaper than visiting more cells than there are points.
static void search_all(const ergi_points *points, search *s)
{
    for (uint32_t i = 0; i < points->count; i++) {
        if (i == s->except) continue;
        erg_vec3 d = ergi_sub(points->point[i], s->p);
        double   d2 = ergi_dot(d, d);
        if (d2 < s->d2) {
            s->d2 = d2;
            s->best = i;
        }
    }
}

uint32_t ergi_points_nearest(const ergi_points *points, erg_vec3 p, uint32_t except, double reach,
                             double *distance)
{
    search    s = {p, except, UINT32_MAX, reach * reach};
    ergi_cell c = ergi_points_cell(points, p);
    // Before ring k, all points nearer than k - 1 cells have been found.
    for (int64_t ring = 0;; ring++) {
        double seen = (double)(ring - 1) * points->side;
        if (ring > 0 && seen >= 0.0 && seen * seen >= s.d2) break;
        if ((double)((2 * ring + 1) * (2 * ring + 1)) > (double)points->count + 27.0) {
            s = (search){p, except, UINT32_MAX, reach * reach};
            search_all(points, &s);
            break;
        }
        search_ring(points, c, ring, &s);
    }
    *distance = s.best == UINT32_MAX ? HUGE_VAL : sqrt(s.d2);
    return s.best;
}
