// Beds at rest, made of copies of a tile.
//
//        tile                      bed
//     . ' . ' . '      |o o o|o o o|o o o|     Copies of the tile side by side inside four walls;
//     ' . ' . ' .  =>  |oo oo|oo oo|oo oo|     contacts keep their memory, so that only what is
//    _____________     |o_o_o|o_o_o|o_o_o|     near the walls has to come to rest again.
//
// That takes about as many steps whatever the size, hours at millions of grains. Large beds have no
// walls but go on periodically, as the tile does: they are at rest from the beginning.
#ifndef ERG_BENCH_BED_H
#define ERG_BENCH_BED_H

#include "peer.h"
#include "tile.h"

typedef struct bed_kind {
    tile_kind tile;
    double    margin;   // from the outermost centres to the walls [m]
    double    friction; // of the first stage between walls
    uint64_t  rest;     // steps at most until it is at rest there
    size_t    walled;   // grains of the largest bed between walls
} bed_kind;

// Whole tiles; below one tile it is exact.
size_t bed_grains(const bed_kind *kind, size_t grains);
// Whether it goes on at its sides instead of ending at walls.
bool bed_is_periodic(const bed_kind *kind, size_t grains);
// Corners of the space between the walls, or of the period; no lid.
void bed_space(const bed_kind *kind, size_t grains, erg_vec3 *low, erg_vec3 *high);
// Tells a peer about the walls.
void bed_walls(const bed_kind *kind, size_t grains, peer_state *state);

erg_status bed_define(const bed_kind *kind, size_t grains, int threads, erg_world **world,
                      erg_error *err);
erg_status bed_make(const bed_kind *kind, size_t grains, const char *cache, erg_world *world,
                    erg_error *err);

#endif
