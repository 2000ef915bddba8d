// Broad phase: a sparse hierarchical cell grid of spheres.
//
// The reach of a sphere is its radius plus its skin; two spheres are neighbours if they are closer
// than the sum of their reaches. Spheres are assigned to levels by reach; level l has cubic cells
// no smaller than twice the longest reach on that level, so the 27 cells around a sphere contain
// all its neighbours of that level. A sphere searches its own level and every coarser one, so each
// pair is found once, by its smaller sphere (of two on one level, by the one the caller chooses).
// Only blocks of 4x4x4 cells that contain spheres are stored; they are found by a hash of their
// Morton key, so an unbounded domain costs nothing.
//
// Spheres are stored cell by cell, cells along x next to each other, together with their positions
// in single precision: a row of three cells is scanned at once. Those near the limit are tested
// again in double precision.
#ifndef ERGI_GRID_H
#define ERGI_GRID_H

#include "erg/base.h"
#include "geom/space.h"

#define ERGI_GRID_LEVELS 16

typedef struct ergi_spheres_in {
    const double *position; // x y z radius, 4 per sphere; at most one period outside a periodic box
    const uint32_t *grain;  // spheres of one grain form no pairs; NULL: every sphere is a grain
    erg_index       count;
    ergi_space      space;
    double          skin; // pairs are listed up to this gap: each sphere's skin is half of it [m]
    const float    *sphere_skin; // of each sphere, instead of half of `skin`; may be NULL [m]
    const uint8_t  *fresh; // only pairs with at least one of these spheres are listed; NULL: all
} ergi_spheres_in;

typedef struct ergi_grid_level {
    double  inverse[3]; // cells per metre [1/m]
    double  side[3];    // of a cell [m]
    double  origin[3];
    int64_t cells[3]; // number along a periodic axis, else 0
    bool    used;
    int64_t low[3], high[3]; // range of the cells in use
} ergi_grid_level;

typedef struct ergi_grid {
    int             levels; // level 0 is the finest
    ergi_grid_level level[ERGI_GRID_LEVELS];
    double          bound[ERGI_GRID_LEVELS]; // longest reach allowed on each level [m]
    uint64_t       *block_key;               // hash table: key + 1, 0 for an empty slot
    uint32_t       *block_of;                // hash table: block number
    size_t          slots;
    uint32_t        blocks, block_room;
    uint32_t       *cell_start; // first item of each cell, 64 cells per block, x fastest, plus one
    uint32_t       *item;       // sphere numbers, ascending within a cell
    float          *place[4];   // of each item: x y z from its block's corner, and reach [m]
    uint32_t       *fresh_before; // number of fresh items before each; unless all are fresh
    uint32_t       *cell_of;      // of each sphere
    size_t          item_room;
} ergi_grid;

// The longest period along an axis for which every sphere has a cell, if none has a diameter below
// this [m].
double ergi_grid_longest_period(double diameter);

// Fails if a sphere is too far away (2 million cells); `far` receives its index.
erg_status ergi_grid_build(ergi_grid *grid, const ergi_spheres_in *in, erg_index *far,
                           erg_error *err);
void       ergi_grid_free(ergi_grid *grid);
size_t     ergi_grid_bytes(const ergi_grid *grid);

// A set of spheres: those below `middle` that are also below end[0], and the others that are below
// end[1].
typedef struct ergi_owner_ranges {
    uint32_t middle, end[2];
} ergi_owner_ranges;

// Items in and around one cell. Spheres of one cell share it.
typedef struct ergi_grid_row {
    uint32_t begin, end; // items
    float    shift[3];   // from the corner of the items' block to that of the cell [m]
    bool     fresh;      // one of the items is fresh
} ergi_grid_row;

typedef struct ergi_grid_rows {
    int64_t       cell[3];
    int           count;
    bool          fresh; // one of the rows is
    ergi_grid_row row[27];
} ergi_grid_rows;

// The cells that were searched last, on each level.
typedef struct ergi_grid_around {
    ergi_grid_rows level[ERGI_GRID_LEVELS];
} ergi_grid_around;

void ergi_grid_around_init(ergi_grid_around *around);

// The neighbours of sphere i that i lists. `earlier` spheres on its own level, which include i
// itself, are left out: they list i. Writes at most `room` and returns how many there are. Fastest
// if spheres come in the order of grid->item.
typedef size_t ergi_grid_partners_fn(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                                     ergi_owner_ranges earlier, ergi_grid_around *around,
                                     uint32_t *out, size_t room);

// One per instruction set, and the one for this processor.
ergi_grid_partners_fn  ergi_grid_partners_plain, ergi_grid_partners_avx2, ergi_grid_partners_avx512;
ergi_grid_partners_fn *ergi_grid_choose_partners(void);

#endif
