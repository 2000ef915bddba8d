#include "upsample/coarse_grid.h"

#include <string.h>

#include "base/memory.h"

#define NOWHERE UINT32_MAX

void ergi_coarse_grid_free(ergi_coarse_grid *grid)
{
    ergi_memory_free(grid->memory);
    ergi_memory_free(grid->start);
    ergi_memory_free(grid->cell);
    *grid = (ergi_coarse_grid){0};
}

size_t ergi_coarse_grid_bytes(const ergi_coarse_grid *grid)
{
    return grid->row_room * sizeof *grid->memory +
           (grid->start_room + grid->cell_room) * sizeof *grid->start;
}

static int place_of(const ergi_fine_frame *lattice, const double *x, uint32_t place[3])
{
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= ergi_fine_to_fixed(lattice, a, x[a], &place[a]);
    return inside;
}

// Largest and mean reach, number of grains in range, and their bounding box.
static void measure(ergi_coarse_grid *grid, const ergi_fine_frame *lattice,
                    const ergi_coarse_spheres *coarse, int32_t low[3], int32_t high[3])
{
    double sum = 0;
    size_t count = 0;
    grid->reach = 0;
    for (int a = 0; a < 3; a++) low[a] = INT32_MAX, high[a] = INT32_MIN;
    for (size_t i = 0; i < coarse->count; i++) {
        const double *x = coarse->position + 4 * i;
        uint32_t      place[3];
        if (!place_of(lattice, x, place)) continue;
        float reach = (float)(3 * x[3]);
        grid->reach = reach > grid->reach ? reach : grid->reach;
        sum += (double)reach;
        count++;
        for (int a = 0; a < 3; a++) {
            int32_t p = (int32_t)place[a];
            low[a] = p < low[a] ? p : low[a];
            high[a] = p > high[a] ? p : high[a];
        }
    }
    grid->count = count;
    grid->middle = count ? (float)(sum / (double)count) : 0;
}

// Cells are as wide as the largest reach, or wider if there would be far more cells than grains.
static void lay_out(ergi_coarse_grid *grid, const ergi_fine_frame *lattice, const int32_t low[3],
                    const int32_t high[3])
{
    double most = 8.0 * (double)grid->count + 64, factor = 1, total;
    do {
        total = 1;
        for (int a = 0; a < 3; a++) {
            double side = factor * (double)grid->reach / lattice->step[a];
            double wide = lattice->periodic[a] ? 4294967296.0 : (double)high[a] - low[a] + 1;
            double n = lattice->periodic[a] ? floor(wide / side) : floor(wide / side) + 1;
            n = fmin(fmax(n, 1), 1 << 20);
            grid->periodic[a] = lattice->periodic[a];
            grid->lower[a] = lattice->periodic[a] ? 0 : (uint32_t)low[a];
            grid->side[a] = lattice->periodic[a] ? wide / n : fmax(side, wide / n);
            grid->cells[a] = (int32_t)n;
            total *= n;
        }
        factor *= 1.5;
    } while (total > most);
}

static uint32_t cell_of(const ergi_coarse_grid *grid, const uint32_t place[3])
{
    int32_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = (int32_t)((double)(place[a] - grid->lower[a]) / grid->side[a]);
        if (at[a] >= grid->cells[a]) at[a] = grid->cells[a] - 1;
    }
    return (uint32_t)((at[2] * grid->cells[1] + at[1]) * grid->cells[0] + at[0]);
}

static void sort_rows(ergi_coarse_grid *grid, const ergi_fine_frame *lattice,
                      const ergi_coarse_spheres *coarse, size_t cells)
{
    memset(grid->start, 0, (cells + 1) * sizeof *grid->start);
    for (size_t i = 0; i < coarse->count; i++) {
        uint32_t place[3];
        grid->cell[i] = NOWHERE;
        if (!place_of(lattice, coarse->position + 4 * i, place)) continue;
        grid->cell[i] = cell_of(grid, place);
        grid->start[grid->cell[i]]++;
    }
    uint32_t sum = 0;
    for (size_t c = 0; c <= cells; c++) {
        uint32_t here = grid->start[c];
        grid->start[c] = sum;
        sum += here;
    }
    for (size_t i = 0; i < coarse->count; i++) {
        if (grid->cell[i] == NOWHERE) continue;
        uint32_t     place[3], k = grid->start[grid->cell[i]]++;
        const double r = 3 * coarse->position[4 * i + 3];
        (void)place_of(lattice, coarse->position + 4 * i, place);
        grid->of.reach2[k] = (float)(r * r);
        grid->of.inverse[k] = (float)(1 / (r * r));
        for (size_t a = 0; a < 3; a++) {
            grid->of.place[a][k] = place[a];
            grid->of.velocity[a][k] = coarse->velocity[3 * i + a];
        }
    }
    // Filling has advanced each start to that of the next cell.
    memmove(grid->start + 1, grid->start, cells * sizeof *grid->start);
    grid->start[0] = 0;
}

// Eight columns of four bytes share one allocation.
static erg_status make_columns(ergi_coarse_grid *grid, erg_error *err)
{
    enum { COLUMNS = 8, SPARE = 16 };
    size_t     rows = (grid->count + 2 * SPARE) / SPARE * SPARE;
    erg_status status = ergi_memory_grow(&grid->memory, &grid->row_room, COLUMNS * rows,
                                         sizeof *grid->memory, "coarse grains", err);
    if (status != ERG_OK) return status;
    float *numbers = (float *)grid->memory + 3 * rows;
    for (size_t a = 0; a < 3; a++) {
        grid->of.place[a] = grid->memory + a * rows;
        grid->of.velocity[a] = numbers + (2 + a) * rows;
    }
    grid->of.reach2 = numbers;
    grid->of.inverse = numbers + rows;
    return ERG_OK;
}

erg_status ergi_coarse_grid_build(ergi_coarse_grid *grid, const ergi_fine_frame *lattice,
                                  const ergi_coarse_spheres *coarse, erg_error *err)
{
    int32_t low[3], high[3];
    measure(grid, lattice, coarse, low, high);
    if (grid->count == 0) return ERG_OK;
    lay_out(grid, lattice, low, high);
    size_t     cells = (size_t)grid->cells[0] * (size_t)grid->cells[1] * (size_t)grid->cells[2];
    erg_status status = make_columns(grid, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&grid->start, &grid->start_room, cells + 1, sizeof *grid->start,
                                  "coarse grains", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&grid->cell, &grid->cell_room, coarse->count, sizeof *grid->cell,
                                  "coarse grains", err);
    if (status == ERG_OK) sort_rows(grid, lattice, coarse, cells);
    return status;
}
