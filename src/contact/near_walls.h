// Finds which spheres are near which walls, for any solver, as plain arrays.
//
// Every wall has a box around the region where it acts on spheres, at its current pose, enlarged by
// the distance that it may move. Planes and the insides of containers push spheres back however far
// outside they are, so their boxes are infinite. A tree of these boxes is queried once for each
// block of spheres, which is compact in space, and only the few walls found are tested for each
// sphere. The cost therefore depends on the spheres near walls, not on spheres times walls.
//
//     ergi_near_walls_find     finds and counts: how many spheres, and how many pairs of sphere and
//     wall ergi_near_walls_list     fills arrays of that size with what was found
#ifndef ERGI_NEAR_WALLS_H
#define ERGI_NEAR_WALLS_H

#include "base/threads.h"
#include "contact/box_tree.h"
#include "world/world.h"

enum { ERGI_NEAR_WALLS_BLOCK = 512 }; // spheres

// Spheres and walls. Walls are at `pose` and may move `list_skin` from there. Periodic images of
// spheres are ignored.
typedef struct ergi_near_walls_in {
    const double          *position; // x y z radius, 4 per sphere
    erg_index              count;
    const float           *sphere_skin;  // of each sphere; NULL: uniform_skin for all [m]
    double                 uniform_skin; // if sphere_skin is NULL [m]
    bool                   by_distance;  // cheap: lists may be longer than needed, *spare less
    double                 skin_factor;  // a sphere may move this many of its skins
    const ergi_world_wall *wall;
    const ergi_wall_state *state;
    size_t                 walls;
} ergi_near_walls_in;

// Distance from the centre of sphere i up to which it touches anything while the lists are valid.
static inline double ergi_near_walls_touch(const ergi_near_walls_in *in, size_t i)
{
    double sphere_skin = in->sphere_skin ? (double)in->sphere_skin[i] : in->uniform_skin;
    return in->position[4 * i + 3] + in->skin_factor * sphere_skin;
}

// A wall near a sphere; spare: see below.
typedef struct ergi_near_walls_entry {
    uint32_t wall;
    float    spare; // [m]
} ergi_near_walls_entry;

// What of a terrain a sphere may touch; see near_ground.h.
enum { ERGI_GROUND_SPHERES = 14 }; // a row fills a cache line

typedef struct ergi_ground_row {
    float    spare; // how far the surface must move before the sphere can touch it [m]
    uint32_t count; // of frozen grains; above ERGI_GROUND_SPHERES: too many, look at all
    uint32_t sphere[ERGI_GROUND_SPHERES]; // index in the height field, in the order of its cells
} ergi_ground_row;

// Scratch memory, kept from one search to the next.
typedef struct ergi_near_walls {
    ergi_extents          *box;   // of each wall
    ergi_extents          *block; // of each block of spheres
    ergi_box_tree          tree;
    uint32_t              *wall;   // walls that may be near a sphere of the block, ascending
    size_t                *first;  // first entry in `wall` of each block, plus one
    ergi_near_walls_entry *entry;  // found, from block * entry_room on for each block
    ergi_ground_row       *ground; // of each entry of a terrain; NULL: there is none
    size_t                *total;  // number of entries, by block
    size_t box_room, block_room, wall_room, first_room, total_room, entries_room, entry_room,
        ground_room;
} ergi_near_walls;

void   ergi_near_walls_free(ergi_near_walls *near);
size_t ergi_near_walls_bytes(const ergi_near_walls *near);

// found[i]: number of walls near sphere i. *spheres: number of spheres near any wall; *pairs: total
// number of pairs.
erg_status ergi_near_walls_find(ergi_near_walls *near, const ergi_near_walls_in *in,
                                const ergi_threads *threads, uint32_t *found, size_t *spheres,
                                size_t *pairs, erg_error *err);

// The pairs found, by sphere and then by wall, both ascending.
typedef struct ergi_near_walls_out {
    uint32_t *sphere, *start; // one row per sphere near a wall, plus one
    uint32_t *wall;           // one row per pair
    // Lower bound of their distance less the sphere's radius and skin: how far the wall must move
    // before they can touch; below 0: they may touch if the sphere moves. [m]
    float *spare;
} ergi_near_walls_out;

// After a search with the same `in`.
void ergi_near_walls_list(const ergi_near_walls *near, const ergi_near_walls_in *in,
                          const uint32_t *found, const ergi_near_walls_out *out);

#endif
