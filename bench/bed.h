// Beds at rest between four walls, made of copies of a tile.
//
//        tile                      bed
//     . ' . ' . '      |o o o|o o o|o o o|     Copies of the tile side by side inside four walls;
//     ' . ' . ' .  =>  |oo oo|oo oo|oo oo|     contacts keep their memory, so that only what is
//    _____________     |o_o_o|o_o_o|o_o_o|     near the walls has to come to rest again.
#ifndef ERG_BENCH_BED_H
#define ERG_BENCH_BED_H

#include "peer.h"
#include "tile.h"

typedef struct bed_kind {
    tile_kind tile;
    double    margin; // from the outermost centres to the walls [m]
    uint64_t  rest;   // steps at most until it is at rest
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
