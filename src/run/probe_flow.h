// Counts grains through a plane, or through a disc on it, by sampling positions.
//
// A grain counts if its centre was on one side at the last sample and is on the other now, and the
// straight line between the two positions meets the disc: +1 along the normal, -1 against it. A
// grain that appeared or vanished between two samples (emitted, removed by a sink, lost) is not
// counted, so place planes before sinks, at more than the distance a grain moves between samples. A
// jump across a periodic boundary, or by a caller who moved the grain, is no crossing.
#ifndef ERGI_PROBE_FLOW_H
#define ERGI_PROBE_FLOW_H

#include "erg/base.h"

typedef struct ergi_flow {
    erg_vec3 point, normal; // normal is a unit vector
    double   radius;        // 0: the whole plane [m]
    double   mass;          // through so far, net [kg]
    int64_t  grains;
    double   row_mass, row_time; // at the last reading
    double   rate;               // between the last two readings; NAN before the second [kg/s]
} ergi_flow;

// +1, -1 or 0.
int ergi_flow_crossing(const ergi_flow *flow, erg_vec3 from, erg_vec3 to);

// Longest time between samples in which no grain moves farther than `reach`, if the fastest has
// `speed` now and no acceleration exceeds five times gravity.
double ergi_flow_period(double speed, double reach);

// A grain that moved farther than this within `time` has jumped. `speed`: the larger of the maximum
// speeds at the two samples.
double ergi_flow_jump_distance(double speed, double time);

#endif
