#include "upsample/gap_table.h"

#include "base/memory.h"
#include "geom/surface.h"
#include "geom/vec3.h"

static const double MOST_CELLS = 4e6, MARGIN = 4; // cells around the surface

erg_status ergi_gap_table_make(ergi_gap_table *table, const ergi_surface *surface, double side,
                               erg_error *err)
{
    *table = (ergi_gap_table){0};
    if (surface->kind != ERGI_SURFACE_REVOLVED) return ERG_OK;
    const ergi_profile *of = &surface->profile;
    double              wide = of->r_max, high = of->z_max - of->z_min;
    while ((wide / side + MARGIN) * (high / side + 2 * MARGIN) > MOST_CELLS) side *= 1.2;
    table->side = side;
    table->low = of->z_min - MARGIN * side;
    table->columns = (int)ceil(wide / side + MARGIN);
    table->rows = (int)ceil(high / side + 2 * MARGIN);
    table->gap = ergi_memory_new((size_t)table->columns * (size_t)table->rows, sizeof *table->gap,
                                 "distances to a wall", err);
    return table->gap ? ERG_OK : ERG_NO_MEMORY;
}

void ergi_gap_table_free(ergi_gap_table *table)
{
    ergi_memory_free((void *)table->gap);
    *table = (ergi_gap_table){0};
}

size_t ergi_gap_table_bytes(const ergi_gap_table *table)
{
    return table->gap ? (size_t)table->columns * (size_t)table->rows * sizeof *table->gap : 0;
}

// Computed on first use. Threads that race here store the same value.
static double gap_of(const ergi_gap_table *table, const ergi_surface *surface, int column, int row)
{
    _Atomic float *at = &table->gap[(size_t)row * (size_t)table->columns + (size_t)column];
    float          known = atomic_load_explicit(at, memory_order_relaxed);
    if (known != 0) return (double)known;
    double   r = (column + 0.5) * table->side, z = table->low + (row + 0.5) * table->side;
    erg_vec3 p = ergi_madd(ergi_madd(surface->origin, r, surface->ex), z, surface->ez);
    float    gap = (float)ergi_surface_nearest(surface, p).gap;
    atomic_store_explicit(at, gap, memory_order_relaxed);
    return (double)gap;
}

double ergi_gap_table_at_least(const ergi_gap_table *table, const ergi_surface *surface, erg_vec3 p)
{
    if (!table->gap) return -HUGE_VAL;
    erg_vec3 d = ergi_sub(p, surface->origin);
    double   z = ergi_dot(d, surface->ez), r2 = ergi_dot(d, d) - z * z;
    double   r = sqrt(r2 > 0 ? r2 : 0);
    double   x = r / table->side, y = (z - table->low) / table->side;
    if (!(x < table->columns && y >= 0 && y < table->rows)) return -HUGE_VAL;
    int    column = (int)x, row = (int)y;
    double dx = x - column - 0.5, dy = y - row - 0.5;
    // 1e-3 covers the rounding of the table to float.
    return gap_of(table, surface, column, row) - table->side * (sqrt(dx * dx + dy * dy) + 1e-3);
}
