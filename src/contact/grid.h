// Who is near whom: a sparse hierarchical grid over spheres.
//
// A sphere reaches as far as its radius and its skin; two are neighbours when their reaches meet.
// Spheres go to levels by reach; level l has cubic cells no smaller than twice the longest reach on
// that level, so the 27 cells around a sphere hold all its neighbours of that level. A sphere looks
// into its own level and every coarser one, so each pair is found once, by its smaller sphere (of
// two on one level by the one that the caller says). Only cells that hold something exist: 4x4x4
// cells make a block, and blocks are found by a hash of their Morton key, so that a domain without
// bounds costs nothing.
//
// Spheres stand cell by cell, and cells along x side by side, with their places in single precision
// beside them: a row of three cells is looked through at once. What that finds is looked at again
// in double precision.
#ifndef ERGI_GRID_H
#define ERGI_GRID_H

#include "erg/base.h"
#include "geom/space.h"

#define ERGI_GRID_LEVELS 16

typedef struct ergi_spheres_in {
    const double   *position; // x y z radius, 4 a sphere; at most one period outside a periodic box
    const uint32_t *grain;    // spheres of one grain are no pair; NULL: every sphere is its own
    erg_index       count;
    ergi_space      space;
    double          skin; // pairs are listed up to this gap: each sphere's skin is half of it [m]
    const float    *sphere_skin; // unless each has its own [m]
} ergi_spheres_in;

typedef struct ergi_grid_level {
    double  inverse[3]; // cells a metre
    double  side[3];    // of a cell [m]
    double  origin[3];
    int64_t cells[3]; // along a periodic axis, else 0
    bool    used;
} ergi_grid_level;

typedef struct ergi_grid {
    int             levels; // level 0 is the finest
    ergi_grid_level level[ERGI_GRID_LEVELS];
    double          bound[ERGI_GRID_LEVELS]; // longest reach that goes to each level [m]
    uint64_t       *block_key;               // hash table: key + 1, 0 for an empty slot
    uint32_t       *block_of;                // hash table: block number
    size_t          slots;
    uint32_t        blocks, block_room;
    uint32_t       *cell_start; // 64 cells a block, those along x side by side, plus one
    uint32_t       *item;       // sphere numbers, ascending within a cell
    float          *place[4];   // of each item: x y z from its block's corner, and its reach [m]
    uint32_t       *cell_of;    // of each sphere
    size_t          item_room;
} ergi_grid;

// Fails when a sphere is so far away (2 million cells) that it cannot be placed; `far` names it.
erg_status ergi_grid_build(ergi_grid *grid, const ergi_spheres_in *in, erg_index *far,
                           erg_error *err);
void       ergi_grid_free(ergi_grid *grid);
size_t     ergi_grid_bytes(const ergi_grid *grid);

// Some spheres: of those before `middle` the ones before `end[0]`, of the others those before
// `end[1]`.
typedef struct ergi_owner_ranges {
    uint32_t middle, end[2];
} ergi_owner_ranges;

// The partners of sphere i that i is to list, nearer than the skin. Those that are `earlier` and on
// its level list i themselves; i is one of them. Writes at most `room` and returns how many there
// are.
size_t ergi_grid_partners(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                          ergi_owner_ranges earlier, uint32_t *out, size_t room);

#endif
