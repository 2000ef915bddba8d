#include "upsample/gap_table.h"

#include <stdlib.h>

#include "base/error.h"
#include "geom/query_mesh.h"
#include "geom/surface.h"
#include "geom/vec3.h"

static const double MARGIN = 4; // cells around the surface

static size_t cells_of(const ergi_gap_table *table)
{
    return table->first[ERGI_GAP_LEVELS];
}

static size_t cells_along(const ergi_gap_table *table, int axis, int level)
{
    return ((size_t)table->cells[axis] + ((size_t)1 << level) - 1) >> level;
}

static void number_levels(ergi_gap_table *table)
{
    table->first[0] = 0;
    for (int l = 0; l < ERGI_GAP_LEVELS; l++)
        table->first[l + 1] = table->first[l] + cells_along(table, 0, l) *
                                                    cells_along(table, 1, l) *
                                                    cells_along(table, 2, l);
}

// Lays at most `most` cells around the box from `low` to `high`, with sides of at least `side`. The
// axis of a surface of revolution is an edge.
static void lay_out(ergi_gap_table *table, const double low[3], const double high[3], double side,
                    double most, bool revolved)
{
    double count[3];
    // No axis can have more cells than the table: this bounds the number of rounds.
    for (int k = 0; k < 3; k++) side = fmax(side, (high[k] - low[k]) / most);
    for (;; side *= 1.2) {
        for (int k = 0; k < 3; k++)
            count[k] = ceil((high[k] - low[k]) / side + (revolved && k == 0 ? 1 : 2) * MARGIN);
        if (revolved) count[2] = 1;
        if (count[0] * count[1] * count[2] <= most) break;
    }
    table->side = side;
    for (int k = 0; k < 3; k++) {
        table->cells[k] = (int)count[k];
        table->low[k] = low[k] - (revolved && k == 0 ? 0 : MARGIN * side);
    }
}

static bool has_table(const ergi_surface *surface)
{
    return surface->kind == ERGI_SURFACE_REVOLVED || ergi_surface_is_mesh(surface);
}

// False: the surface has no table.
static bool shape_table(ergi_gap_table *table, const ergi_surface *surface, double side,
                        double most)
{
    *table = (ergi_gap_table){0};
    if (!has_table(surface)) return false;
    table->surface = *surface;
    table->surface.origin = ergi_vec3(0, 0, 0);
    table->surface.ex = ergi_vec3(1, 0, 0);
    table->surface.ey = ergi_vec3(0, 1, 0);
    table->surface.ez = ergi_vec3(0, 0, 1);
    if (surface->kind == ERGI_SURFACE_REVOLVED) {
        const ergi_profile *of = &surface->profile;
        const double        low[3] = {0, of->z_min, 0}, high[3] = {of->r_max, of->z_max, 0};
        lay_out(table, low, high, side, most, true);
    } else {
        const erg_vec3 from = surface->mesh->low, to = surface->mesh->high;
        const double   low[3] = {from.x, from.y, from.z}, high[3] = {to.x, to.y, to.z};
        lay_out(table, low, high, side, most, false);
    }
    number_levels(table);
    return true;
}

// Untouched pages of calloc take no memory, so that only cells near particles count.
erg_status ergi_gap_table_make(ergi_gap_table *table, const ergi_surface *surface, double side,
                               size_t most, erg_error *err)
{
    if (!shape_table(table, surface, side, (double)most)) return ERG_OK;
    table->gap = calloc(cells_of(table), sizeof *table->gap);
    if (table->gap) return ERG_OK;
    size_t bytes = cells_of(table) * sizeof *table->gap;
    *table = (ergi_gap_table){0};
    return ergi_fail_memory(err, bytes, "distances to a wall");
}

size_t ergi_gap_table_expected_bytes(const ergi_surface *surface, double side, size_t most)
{
    ergi_gap_table table;
    if (!shape_table(&table, surface, side, (double)most)) return 0;
    return cells_of(&table) * sizeof *table.gap;
}

static bool same_profile(const ergi_profile *a, const ergi_profile *b)
{
    bool same = a->count == b->count && a->closed == b->closed;
    for (int k = 0; k < a->count && same; k++) {
        const ergi_piece *p = &a->piece[k], *q = &b->piece[k];
        same = p->a.r == q->a.r && p->a.z == q->a.z && p->b.r == q->b.r && p->b.z == q->b.z &&
               p->round == q->round && p->centre.r == q->centre.r && p->centre.z == q->centre.z &&
               p->radius == q->radius && p->bulge == q->bulge;
    }
    return same;
}

bool ergi_gap_table_same(const ergi_surface *a, const ergi_surface *b)
{
    return has_table(a) && a->kind == b->kind && a->side == b->side && a->mesh == b->mesh &&
           a->cloud == b->cloud &&
           (a->kind != ERGI_SURFACE_REVOLVED || same_profile(&a->profile, &b->profile));
}

void ergi_gap_table_free(ergi_gap_table *table)
{
    free((void *)table->gap);
    *table = (ergi_gap_table){0};
}

size_t ergi_gap_table_bytes(const ergi_gap_table *table)
{
    return table->gap ? cells_of(table) * sizeof *table->gap : 0;
}

// Computed on first use. Threads that race here store the same value.
static double gap_of(const ergi_gap_table *table, int level, const int cell[3])
{
    size_t n = (size_t)cell[2] * cells_along(table, 1, level) + (size_t)cell[1];
    n = table->first[level] + n * cells_along(table, 0, level) + (size_t)cell[0];
    float known = atomic_load_explicit(&table->gap[n], memory_order_relaxed);
    if (known != 0) return (double)known;
    double x[3], side = ldexp(table->side, level);
    for (int k = 0; k < 3; k++) x[k] = table->low[k] + (cell[k] + 0.5) * side;
    bool     revolved = table->surface.kind == ERGI_SURFACE_REVOLVED;
    erg_vec3 p = revolved ? ergi_vec3(x[0], 0, x[1]) : ergi_vec3(x[0], x[1], x[2]);
    float    gap = (float)ergi_surface_nearest(&table->surface, p).gap;
    atomic_store_explicit(&table->gap[n], gap, memory_order_relaxed);
    return (double)gap;
}

static double outside(const ergi_surface *surface, erg_vec3 p)
{
    if (!ergi_surface_is_mesh(surface) || surface->side == ERGI_SIDE_INSIDE) return -HUGE_VAL;
    erg_vec3 low = surface->mesh->low, high = surface->mesh->high;
    erg_vec3 beyond = {fmax(fmax(low.x - p.x, p.x - high.x), 0),
                       fmax(fmax(low.y - p.y, p.y - high.y), 0),
                       fmax(fmax(low.z - p.z, p.z - high.z), 0)};
    return ergi_norm(beyond);
}

static double at_level(const ergi_gap_table *table, const ergi_surface *surface, erg_vec3 p,
                       int level, double side)
{
    bool     revolved = surface->kind == ERGI_SURFACE_REVOLVED;
    erg_vec3 d = ergi_sub(p, surface->origin);
    double   z = ergi_dot(d, surface->ez), x[3] = {0, 0, z}, square = 0;
    int      cell[3] = {0, 0, 0};
    if (revolved) {
        double r2 = ergi_dot(d, d) - z * z;
        x[0] = sqrt(r2 > 0 ? r2 : 0);
        x[1] = z;
    } else {
        x[0] = ergi_dot(d, surface->ex);
        x[1] = ergi_dot(d, surface->ey);
    }
    for (int k = 0; k < (revolved ? 2 : 3); k++) {
        double at = (x[k] - table->low[k]) / side;
        if (!(at >= 0 && at < (double)cells_along(table, k, level)))
            return outside(surface, ergi_vec3(x[0], x[1], x[2]));
        cell[k] = (int)at;
        square += (at - cell[k] - 0.5) * (at - cell[k] - 0.5);
    }
    // 1e-3 covers the rounding of the table to float.
    return gap_of(table, level, cell) - side * (sqrt(square) + 1e-3);
}

double ergi_gap_table_at_least(const ergi_gap_table *table, const ergi_surface *surface, erg_vec3 p)
{
    return table->gap ? at_level(table, surface, p, 0, table->side) : -HUGE_VAL;
}

double ergi_gap_table_roughly(const ergi_gap_table *table, const ergi_surface *surface, erg_vec3 p,
                              double size)
{
    int    level = 0;
    double side = table->side;
    if (!table->gap) return -HUGE_VAL;
    for (; level + 1 < ERGI_GAP_LEVELS && 2 * side <= size; level++) side *= 2;
    return at_level(table, surface, p, level, side);
}
