// Initial states for comparing contact laws: spheres of one size distribution, at rest in a box or
// flowing out of a silo. Made once with Hertz and Mindlin; every law starts from the same positions
// and velocities.
#ifndef ERG_BENCH_LAW_STATE_H
#define ERG_BENCH_LAW_STATE_H

#include "erg/world.h"

typedef enum law_sizes { SIZES_ONE, SIZES_TENTH, SIZES_DOUBLE } law_sizes; // one, +-10 %, 1:2

// Contact laws of a world.
typedef struct law_choice {
    erg_normal_law     normal;
    erg_tangential_law tangential;
    bool               rolling, cohesion;
    erg_precision      precision;
} law_choice;

typedef struct law_state {
    size_t    count;
    double   *radius;                     // [m]
    erg_vec3 *position, *velocity, *spin; // [m], [m/s], [rad/s]
} law_state;

// Creates the empty world for a bed or a flow of `count` spheres; settles a bed in it.
erg_status law_state_define(law_sizes sizes, bool flows, size_t count, law_choice laws, int threads,
                            erg_world **world, erg_id *material, erg_error *err);
erg_status law_state_settle(law_sizes sizes, size_t count, erg_world *world, erg_error *err);
// Corners of the box of a bed; no lid.
void law_state_box(law_sizes sizes, size_t count, erg_vec3 *low, erg_vec3 *high);

// Reads the state from the cache folder, or makes it and stores it there.
erg_status law_state_get(law_sizes sizes, bool flows, size_t count, const char *cache,
                         law_state *state, erg_error *err);
void       law_state_free(law_state *state);

// Adds the grains of the state to an empty world and steps it for a short time to adapt.
erg_status law_state_fill(const law_state *state, bool flows, erg_world *world, erg_error *err);

// A world with these laws in that state, stepped for a short time to adapt to them.
erg_status law_state_world(const law_state *state, law_sizes sizes, bool flows, law_choice laws,
                           int threads, erg_world **world, erg_error *err);

#endif
