// Fills a region with grains that do not overlap. Each grain is treated as its bounding sphere
// around the centre of mass, so it may have any orientation.
#ifndef ERGI_WORLD_PLACE_H
#define ERGI_WORLD_PLACE_H

#include "erg/base.h"
#include "erg/grain.h"
#include "world/shape.h"

// True if the sphere is clear of walls and existing grains.
typedef bool (*ergi_free_fn)(void *user, erg_vec3 centre, double radius);

// True if no sphere of this radius with its centre in the box is free; false when in doubt.
typedef bool (*ergi_barred_fn)(void *user, erg_vec3 low, erg_vec3 high, double radius);

typedef struct ergi_place_def {
    const ergi_shape *shape;
    const erg_sizes  *sizes;
    const erg_region *region;
    uint64_t          count;   // 0: as many as fit
    double            bytes;   // of memory per grain during a run; 0: memory is not checked
    double            held;    // of memory of the grains that exist already [bytes]
    bool              partial; // fewer than `count` is no error
    erg_placing       placing;
    double            gap;      // lattice: gap between neighbours, share of the largest diameter
    double            jitter;   // lattice: random displacement, share of the gap, 0 to 1
    bool              aligned;  // true: not rotated; else at random. Spheres are never rotated
    int               attempts; // random: tries per grain before it counts as not fitting
    uint64_t          seed;
    uint32_t          stream;
    uint64_t          first;      // number of the first grain: selects its random numbers
    const erg_vec3   *shift;      // random: of each grain from its drawn point; may be NULL [m]
    ergi_free_fn      is_free;    // may be NULL
    ergi_barred_fn    is_barred;  // lets boxes be skipped; may be NULL
    void             *user;       // passed to both
    const char       *hint;       // said behind "only M fit"; may be NULL
    erg_continue_fn   keep_going; // may be NULL
    void             *keep_going_user;
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

// ERG_BAD_INPUT at `region` if it is too long for grains so small.
erg_status ergi_place_check_extent(const erg_region *region, const ergi_shape *shape,
                                   const erg_sizes *sizes, erg_error *err);

// The lattice is hexagonally close packed, with space for the largest grain at every site, and
// filled layer by layer from the lowest z upwards. Random placing puts one grain after the other,
// the largest first, at a free point of the region; it reaches about 0.3 of the volume. If `count`
// grains do not fit: ERG_BAD_INPUT, "N requested, only M fit", and M in *fit (may be NULL);
// `placed` is then empty. Also ERG_BAD_INPUT for more grains than memory can hold, before any is
// placed, and if far more positions were tried than grains placed.
erg_status ergi_place(const ergi_place_def *def, ergi_placed *placed, uint64_t *fit,
                      erg_error *err);
void       ergi_placed_free(ergi_placed *placed);

#endif
