#include "peer_tools.h"

#include <math.h>

double peer_energy_scale(const peer_state *s)
{
    double mass = 4.0 / 3 * 3.14159265358979 * pow(s->radius, 3) * s->density;
    return (double)s->spheres * mass * s->gravity * 2 * s->radius;
}

// Two million particle-steps, more or less, so that what flows makes new lists several times.
static uint64_t trial_steps(const peer_state *s)
{
    double steps = 2e6 / (double)s->spheres;
    return steps < 30 ? 30 : steps > 300 ? 300 : (uint64_t)steps;
}

erg_status peer_try_skins(erg_status (*run)(void *self, uint64_t steps, int threads,
                                            peer_window *window, erg_error *err),
                          void *self, double *skin, const peer_state *s, int threads,
                          erg_error *err)
{
    static const double shares[] = {0.1, 0.2, 0.4, 0.8}; // of the radius
    double              best = INFINITY, fastest = *skin;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        peer_window window;
        *skin = shares[k] * s->radius;
        erg_status status = run(self, trial_steps(s), threads, &window, err);
        if (status != ERG_OK) return status;
        // Processor time, where it is told, does not see who else uses the machine.
        double cost = window.cpu > 0 ? window.cpu : window.wall;
        if (cost < best) fastest = *skin;
        best = fmin(cost, best);
    }
    *skin = fastest;
    return ERG_OK;
}
