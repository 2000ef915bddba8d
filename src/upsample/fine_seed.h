// Where fine particles begin: blue noise in the union of the coarse grains' spheres, grown by 1.3,
// so that the voids between them are filled. The least distance between two particles is solved for
// the wanted number of them.
#ifndef ERGI_FINE_SEED_H
#define ERGI_FINE_SEED_H

#include "base/threads.h"
#include "erg/base.h"

typedef struct ergi_fine_seed_def {
    const double *position; // of spheres: x y z radius, 4 each [m]
    size_t        count;    // of them
    size_t        wanted;   // particles
    uint64_t      seed;
    uint64_t      stream; // of random numbers, one for each call
    // Whether a particle may begin at a point within the sphere of that number. May be NULL; called
    // from any thread.
    bool (*may)(void *user, size_t sphere, erg_vec3 p);
    // Whether it may anywhere in a box, so that nobody has to ask there. May be NULL.
    bool (*may_all)(void *user, erg_vec3 low, erg_vec3 high);
    void *user;
} ergi_fine_seed_def;

typedef struct ergi_fine_seeds {
    double   *position; // x y z, 3 each [m]; owned
    uint32_t *sphere;   // that each is in, owned
    size_t    count;
    double    distance; // least between two [m]
} ergi_fine_seeds;

// As many as wanted, or none where no point is allowed at all.
erg_status ergi_fine_seed(const ergi_fine_seed_def *def, const ergi_threads *threads,
                          ergi_fine_seeds *seeds, erg_error *err);
void       ergi_fine_seeds_free(ergi_fine_seeds *seeds);

#endif
