// Beds at rest between four walls, made of copies of a tile.
//
//        tile                      bed
//     . ' . ' . '      |o o o|o o o|o o o|     Copies of the tile side by side inside four walls
//     ' . ' . ' .  =>  |oo oo|oo oo|oo oo|     spread to them and come to rest again, first with
//    _____________     |o_o_o|o_o_o|o_o_o|     less friction, so that later few contacts slip.
#ifndef ERG_BENCH_BED_H
#define ERG_BENCH_BED_H

#include "peer.h"
#include "tile.h"

typedef struct bed_kind {
    tile_kind tile;
    double    margin;     // from the outermost centres to the walls [m]
    double    slippery;   // friction while it spreads
    uint64_t  drag, rest; // steps: with drag, and at most until it is at rest
} bed_kind;

// Whole tiles; below one tile it is exact.
size_t bed_grains(const bed_kind *kind, size_t grains);
// Corners of the space between the walls; no lid.
void bed_space(const bed_kind *kind, size_t grains, erg_vec3 *low, erg_vec3 *high);

erg_status bed_define(const bed_kind *kind, size_t grains, int threads, erg_world **world,
                      erg_error *err);
erg_status bed_make(const bed_kind *kind, size_t grains, const char *cache, erg_world *world,
                    erg_error *err);

#endif
