// Counting grains through a plane, or through a disc on it, by looking now and then.
//
// A grain counts when its centre lay on one side at the last look and lies on the other at this
// one, and the straight line between the two places meets the disc: along the normal it counts as
// +1, against it as -1. A grain that came or went between two looks (poured, sunk, lost) is not
// counted: planes belong before sinks, farther than a look apart. A grain that leapt, across a
// periodic border or because a caller moved it, has crossed nothing.
#ifndef ERGI_PROBE_FLOW_H
#define ERGI_PROBE_FLOW_H

#include "erg/base.h"

typedef struct ergi_flow {
    erg_vec3 point, normal; // normal is a unit vector
    double   radius;        // 0: the whole plane [m]
    double   mass;          // through so far, net [kg]
    int64_t  grains;
    double   row_mass, row_time; // when it was read last
    double   rate;               // between the last two readings; NAN before [kg/s]
} ergi_flow;

// +1, -1 or 0.
int ergi_flow_crossing(const ergi_flow *flow, erg_vec3 from, erg_vec3 to);

// How long one may look away so that no grain moves farther than `reach`, when the fastest now has
// `speed` and none gains speed faster than five times gravity.
double ergi_flow_period(double speed, double reach);

// Farther than this in `time` is a leap. `speed`: the larger of the highest speeds at the two
// looks.
double ergi_flow_leap(double speed, double time);

#endif
