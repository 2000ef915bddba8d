#include "run/probe_flow.h"

#include "geom/vec3.h"

static const double MAX_ACCELERATION = 50.0; // assumed upper bound of acceleration [m/s^2]

int ergi_flow_crossing(const ergi_flow *flow, erg_vec3 from, erg_vec3 to)
{
    double before = ergi_dot(ergi_sub(from, flow->point), flow->normal);
    double after = ergi_dot(ergi_sub(to, flow->point), flow->normal);
    if ((before >= 0.0) == (after >= 0.0)) return 0;

    if (flow->radius > 0.0) {
        double   s = before / (before - after);
        erg_vec3 hit = ergi_madd(from, s, ergi_sub(to, from));
        if (ergi_distance(hit, flow->point) > flow->radius) return 0;
    }
    return after >= 0.0 ? 1 : -1;
}

double ergi_flow_period(double speed, double reach)
{
    return 2.0 * reach / (speed + sqrt(speed * speed + 2.0 * MAX_ACCELERATION * reach));
}

double ergi_flow_jump_distance(double speed, double time)
{
    return 4.0 * (speed + MAX_ACCELERATION * time) * time;
}
