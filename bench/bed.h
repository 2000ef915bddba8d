// Beds at rest, assembled from copies of a tile.
//
//        tile                      bed
//     . ' . ' . '      |o o o|o o o|o o o|     Copies of the tile side by side between four walls.
//     ' . ' . ' .  =>  |oo oo|oo oo|oo oo|     Contact history is copied too, so that only the
//    _____________     |o_o_o|o_o_o|o_o_o|     grains near the walls have to settle again.
//
// Settling takes about the same number of steps for any size, which would be hours for millions of
// grains. Large beds therefore have no walls but are periodic like the tile, and at rest from the
// start.
#ifndef ERG_BENCH_BED_H
#define ERG_BENCH_BED_H

#include "peer.h"
#include "tile.h"

typedef struct bed_kind {
    tile_kind tile;
    double    margin;   // distance from the outermost centres to the walls [m]
    double    friction; // in the first stage between walls
    uint64_t  rest;     // maximum number of steps until the bed is at rest there
    size_t    walled;   // grains of the largest bed between walls
} bed_kind;

// A multiple of the tile; exact below one tile.
size_t bed_grains(const bed_kind *kind, size_t grains);
// Whether the bed is periodic instead of ending at walls.
bool bed_is_periodic(const bed_kind *kind, size_t grains);
// Corners of the space between the walls, or of the periodic cell; no lid.
void bed_space(const bed_kind *kind, size_t grains, erg_vec3 *low, erg_vec3 *high);
// Describes the walls to a peer.
void bed_walls(const bed_kind *kind, size_t grains, peer_state *state);

erg_status bed_define(const bed_kind *kind, size_t grains, int threads, erg_world **world,
                      erg_error *err);
erg_status bed_make(const bed_kind *kind, size_t grains, const char *cache, erg_world *world,
                    erg_error *err);

#endif
