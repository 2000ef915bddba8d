// Cells and blocks, for building and searching the grid. Included only by grid.c and grid_kernel.h.
#ifndef ERGI_GRID_CELLS_H
#define ERGI_GRID_CELLS_H

#include <math.h>

#include "base/morton.h"
#include "contact/grid.h"

#define NO_BLOCK UINT32_MAX

// `key` is the Morton key of the block: that of any of its cells without the last six bits.
static inline uint64_t block_name(int level, uint64_t key)
{
    return (key | (uint64_t)level << 57) + 1;
}

static inline size_t hash_slot(uint64_t name, size_t slots)
{
    uint64_t h = name * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 20) & (slots - 1);
}

static inline uint32_t find_block(const ergi_grid *grid, uint64_t name)
{
    for (size_t s = hash_slot(name, grid->slots);; s = (s + 1) & (grid->slots - 1)) {
        if (grid->block_key[s] == name) return grid->block_of[s];
        if (grid->block_key[s] == 0) return NO_BLOCK;
    }
}

static inline double reach_of(const ergi_spheres_in *in, size_t i)
{
    return in->position[4 * i + 3] +
           (in->sphere_skin ? (double)in->sphere_skin[i] : 0.5 * in->skin);
}

static inline int level_of(const ergi_grid *grid, double reach)
{
    int l = 0;
    while (l < grid->levels - 1 && reach > grid->bound[l]) l++;
    return l;
}

// Cell of a position on one level, and where in the cell it lies (from 0 to 1); false when it is
// too far away to have one.
static inline bool cell_at(const ergi_grid_level *level, const double *position, int64_t cell[3],
                           double part[3])
{
    for (int a = 0; a < 3; a++) {
        double x = (position[a] - level->origin[a]) * level->inverse[a];
        if (!(x >= -(double)ERGI_AXIS_CELLS && x < (double)(ERGI_AXIS_CELLS - 2))) return false;
        cell[a] = (int64_t)x;
        cell[a] -= (double)cell[a] > x; // rounded down
        part[a] = x - (double)cell[a];
        if (level->cells[a]) { // a clump's spheres may be outside the box that contains its centre
            cell[a] %= level->cells[a];
            if (cell[a] < 0) cell[a] += level->cells[a];
        } else {
            if (cell[a] < 0) return false;
            cell[a]++; // so that the cell below the lowest one still has a number
        }
    }
    return true;
}

#endif
