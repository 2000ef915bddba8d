// Filling a region with grains that do not overlap: each is taken as the ball around its centre of
// mass that holds it, so it may be turned any way.
#ifndef ERGI_WORLD_PLACE_H
#define ERGI_WORLD_PLACE_H

#include "erg/base.h"
#include "erg/grain.h"
#include "world/shape.h"

// True when the ball is clear of walls and of the grains that were there before.
typedef bool (*ergi_free_fn)(void *user, erg_vec3 centre, double radius);

// True: no ball of this radius with its centre in the box is free; false when in doubt.
typedef bool (*ergi_barred_fn)(void *user, erg_vec3 low, erg_vec3 high, double radius);

typedef struct ergi_place_def {
    const ergi_shape *shape;
    const erg_sizes  *sizes;
    const erg_region *region;
    uint64_t          count;   // 0: as many as fit
    double            bytes;   // of memory per grain during a run; 0: memory is not checked
    bool              partial; // fewer than `count` is no error: the first ones that fit, in order
    erg_placing       placing;
    double            gap; // lattice: free room between neighbours, share of the largest diameter
    double            jitter;   // lattice: share of that room by which grains are moved, 0 to 1
    bool              aligned;  // true: not turned; else at random. Spheres are never turned
    int               attempts; // random: at one grain before it counts as one that does not fit
    uint64_t          seed;
    uint32_t          stream;
    uint64_t          first; // number of the first grain: names its random numbers
    const erg_vec3 *shift; // at random: from the point of the region to where the grain is put, one
                           // for each; NULL: none [m]
    ergi_free_fn    is_free;    // may be NULL
    ergi_barred_fn  is_barred;  // skips boxes where nothing is free; may be NULL
    void           *user;       // of both
    erg_continue_fn keep_going; // may be NULL
    void           *keep_going_user;
} ergi_place_def;

ergi_place_def ergi_place_def_default(void); // lattice, gap 0.05, jitter 0.5, 20,000 attempts

// Grain i has number first + i. A struct of zeros is empty.
typedef struct ergi_placed {
    size_t    count;
    erg_vec3 *position;    // of the centre of mass [m]
    erg_quat *orientation; // of the principal frame
    double   *size;        // radius, or factor of a sphere list
    size_t    room;
} ergi_placed;

// The lattice is hexagonally close packed, with room for the largest grain at every site, filled
// from the lowest z upward, layer by layer. At random means one after the other, the largest first,
// each at a free point of the region; that ends at about 0.3 of the volume. When the count does not
// fit: ERG_BAD_INPUT, "N asked, only M fit", and M in *fit (may be NULL); `placed` is then empty.
// ERG_BAD_INPUT as well for more grains than memory holds, before any is placed, and when the work
// is out of proportion to the grains that find room.
erg_status ergi_place(const ergi_place_def *def, ergi_placed *placed, uint64_t *fit,
                      erg_error *err);
void       ergi_placed_free(ergi_placed *placed);

#endif
