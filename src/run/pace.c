#include "run/pace.h"

#include "base/clock.h"

#include <math.h>

static const double SMOOTHING = 10.0; // time constant of the exponential smoothing, wall time [s]
static const double MIN_INTERVAL = 0.25; // shortest interval between two measurements [s]

ergi_pace ergi_pace_begin(double time)
{
    double now = ergi_clock_seconds();
    return (ergi_pace){.started = now, .mark = now, .mark_time = time};
}

void ergi_pace_update(ergi_pace *pace, double time)
{
    double now = ergi_clock_seconds(), past = now - pace->mark;
    if (past < MIN_INTERVAL) return;
    double rate = (time - pace->mark_time) / past, keep = exp(-past / SMOOTHING);
    pace->rate = pace->rate > 0.0 ? keep * pace->rate + (1.0 - keep) * rate : rate;
    pace->mark = now;
    pace->mark_time = time;
}

double ergi_pace_wall(const ergi_pace *pace)
{
    return ergi_clock_seconds() - pace->started;
}

double ergi_pace_factor(const ergi_pace *pace)
{
    return pace->rate > 0.0 ? pace->rate : (double)NAN;
}

double ergi_pace_eta(const ergi_pace *pace, double time, double end)
{
    if (time >= end) return 0.0;
    return pace->rate > 0.0 ? (end - time) / pace->rate : (double)NAN;
}
