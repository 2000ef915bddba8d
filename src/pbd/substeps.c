// Length of a substep: 1/60 s divided by k. A change of length disturbs a bed at rest, so k rises
// at once when it must, but falls only after a delay. k depends on the state alone.
#include <math.h>

#include "pbd/pbd.h"

#define FRAME (1.0 / 60) // [s]
#define LEAST 8          // substeps
#define LEAST_SOMMER 4   // the paper's 5 ms, rounded down
#define MOST 1024        // substeps
#define FALL 0.1         // longest substep at rest, share of the free-fall time sqrt(r/g)
#define LONGEST 5        // longest that may be given, in those
#define MOST_WAY 0.5     // largest displacement per substep, share of the smallest radius
#define CALM_TIME 0.5    // delay before k falls [s]

static double clamp_substeps(double k)
{
    return fmin(fmax(ceil(k), 1), MOST);
}

// Longest substep at rest. [s]
static double fall_time(const erg_world *world)
{
    const double *g = world->clock.gravity;
    double        weight = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return FALL * sqrt(ergi_pbd_of(world)->radius / fmax(weight, 1e-12));
}

// Number of substeps at rest.
static double least_substeps(const erg_world *world)
{
    if (world->def.pbd.variant == ERG_PBD_SOMMER) return LEAST_SOMMER;
    return fmax(LEAST, clamp_substeps(FRAME / fall_time(world)));
}

double ergi_pbd_longest(const erg_world *world)
{
    return fmin(FRAME, fmax(LONGEST * fall_time(world), FRAME / least_substeps(world)));
}

double ergi_pbd_first_length(const erg_world *world)
{
    if (world->def.dt > 0) return world->def.dt;
    if (world->def.pbd.substeps > 0) return FRAME / world->def.pbd.substeps;
    return FRAME / least_substeps(world);
}

double ergi_pbd_substep_length(erg_world *world, double fastest)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    ergi_pbd_state *s = &pbd->state;
    if (world->def.dt > 0 || world->def.pbd.substeps > 0) return ergi_pbd_first_length(world);
    double least = least_substeps(world), k = (double)s->substeps;
    double needed = fmax(least, clamp_substeps(FRAME * fastest / (MOST_WAY * pbd->radius)));
    double calm = fmax(least, clamp_substeps(2 * FRAME * fastest / (MOST_WAY * pbd->radius)));
    if (needed > k) {
        k = needed;
        s->calm = 0;
    } else if (calm < k) {
        s->calm += FRAME / k;
        if (s->calm > CALM_TIME) {
            k = calm;
            s->calm = 0;
        }
    } else {
        s->calm = 0;
    }
    s->substeps = (uint64_t)k;
    return FRAME / k;
}
