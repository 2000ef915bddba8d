// Which spheres are near which walls, for any solver, as plain arrays.
//
// Every wall has a box around the place where it is felt, at its present pose, grown by the way
// that it may go; planes and the insides of containers, which hold spheres back however far they
// are outside, have no end. A tree of these boxes is asked once for each block of spheres, which is
// compact in space, and only the few walls that it names are asked for each sphere. So the cost
// follows the spheres near walls, not spheres times walls.
//
//     ergi_near_walls_find     counts: how many spheres, and how many pairs of sphere and wall
//     ergi_near_walls_list     fills arrays of that size
#ifndef ERGI_NEAR_WALLS_H
#define ERGI_NEAR_WALLS_H

#include "base/threads.h"
#include "contact/box_tree.h"
#include "world/world.h"

enum { ERGI_NEAR_WALLS_BLOCK = 512 }; // spheres

// Spheres and walls. Walls are at `pose` and may go `list_skin` from there; walls feel no
// periodic images.
typedef struct ergi_near_walls_in {
    const double          *position; // x y z radius, 4 a sphere
    erg_index              count;
    const float           *sphere_skin;  // of each sphere, that it may go; NULL: all alike [m]
    double                 uniform_skin; // then
    double                 skin_factor;  // so many skins are what a sphere may go
    const ergi_world_wall *wall;
    const ergi_wall_state *state;
    size_t                 walls;
} ergi_near_walls_in;

// Scratch of a search, kept from one to the next.
typedef struct ergi_near_walls {
    ergi_extents *box;   // of each wall
    ergi_extents *block; // of each block of spheres
    ergi_box_tree tree;
    uint32_t     *wall;  // that some sphere of a block may be near, ascending
    size_t       *first; // in `wall`, of each block, and one more
    size_t        box_room, block_room, wall_room, first_room;
} ergi_near_walls;

void   ergi_near_walls_free(ergi_near_walls *near);
size_t ergi_near_walls_bytes(const ergi_near_walls *near);

// found[i]: how many walls sphere i is near. *spheres are near some, with *pairs altogether.
erg_status ergi_near_walls_find(ergi_near_walls *near, const ergi_near_walls_in *in,
                                const ergi_threads *threads, uint32_t *found, size_t *spheres,
                                size_t *pairs, erg_error *err);

// What was found, by sphere and then by wall, both ascending.
typedef struct ergi_near_walls_out {
    uint32_t *sphere, *start; // one row a sphere that is near a wall, and one more
    uint32_t *wall;           // one row a pair
    float    *spare; // how far the wall must go before they can touch, at least; below 0: they may
                     // now [m]
} ergi_near_walls_out;

// After a search with the same `in`.
void ergi_near_walls_list(const ergi_near_walls *near, const ergi_near_walls_in *in,
                          const ergi_threads *threads, const uint32_t *found,
                          const ergi_near_walls_out *out);

#endif
