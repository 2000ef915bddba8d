// Initial positions of fine particles: blue noise in the union of the grains' spheres, with radii
// enlarged by 1.3 so that the voids between grains are filled. The minimum distance between
// particles is solved for, so that the wanted number fits.
#ifndef ERGI_FINE_SEED_H
#define ERGI_FINE_SEED_H

#include "base/threads.h"
#include "erg/base.h"

typedef struct ergi_fine_seed_def {
    const double *position; // of spheres: x y z radius, 4 each [m]
    size_t        count;    // of spheres
    size_t        wanted;   // number of particles
    uint64_t      seed;
    uint64_t      stream; // of random numbers; a different one for each call
    // Bounds of each periodic axis: particles at opposite bounds keep the minimum distance, too.
    // `may` must reject points beyond them. A period of 0: not periodic.
    double lower[3], period[3]; // [m]
    // Whether a particle may be put at p, a point in the given sphere. NULL: everywhere. Called
    // from several threads.
    bool (*may)(void *user, size_t sphere, erg_vec3 p);
    // Whether `may` holds everywhere in a box, so that it need not be called there. May be NULL.
    bool (*may_all)(void *user, erg_vec3 low, erg_vec3 high);
    void *user;
} ergi_fine_seed_def;

typedef struct ergi_fine_seeds {
    double   *position; // x y z, 3 each [m]; owned
    uint32_t *sphere;   // that contains each particle; owned
    size_t    count;
    double    distance; // minimum between two particles [m]
} ergi_fine_seeds;

// Normally yields `wanted` particles. Yields fewer if several attempts find no more positions, and
// none if no point is allowed.
erg_status ergi_fine_seed(const ergi_fine_seed_def *def, const ergi_threads *threads,
                          ergi_fine_seeds *seeds, erg_error *err);
void       ergi_fine_seeds_free(ergi_fine_seeds *seeds);

#endif
