// Pacing: the simulated time due by now, and the measured rates.
#include "sim_internal.h"

#include "base/clock.h"

#include <math.h>

static const double MAX_LAG = 0.1; // largest lag behind the requested pace [s]

void view_pace_start(view_sim *s)
{
    s->pace.wall = ergi_clock_seconds();
    s->pace.time = s->engine->time(s->engine);
}

double view_pace_due(view_sim *s, const view_status *status)
{
    view_pace *p = &s->pace;
    double     speed = status->speed;
    if (speed != p->speed) { // the new speed applies from now on
        view_pace_start(s);
        p->speed = speed;
    }
    double wall = ergi_clock_seconds() - p->wall, time = s->engine->time(s->engine);
    double asked = p->time + speed * wall;
    if (asked - time > speed * MAX_LAG + 1e-12) { // too slow: drop the lag beyond the limit
        p->wall += wall - MAX_LAG;
        p->time = time;
        asked = time + speed * MAX_LAG;
    }
    return status->facts.is_result ? fmin(asked, status->facts.end) : asked;
}

void view_pace_forget_rates(view_sim *s, uint64_t steps)
{
    s->pace.rate_wall = ergi_clock_seconds();
    s->pace.rate_time = s->engine->time(s->engine);
    s->pace.rate_steps = steps;
    s->pace.busy = 0;
}

void view_pace_measure(view_sim *s)
{
    double wall = ergi_clock_seconds() - s->pace.rate_wall;
    if (wall < 0.5) return;
    view_facts facts;
    s->engine->tell(s->engine, &facts);
    double gone = facts.time - s->pace.rate_time;
    pthread_mutex_lock(&s->lock);
    s->status.frame_s = gone > 0 ? s->pace.busy / gone / 60 : 0;
    s->status.factor = gone / wall;
    s->status.steps_per_s = (double)(facts.steps - s->pace.rate_steps) / wall;
    pthread_mutex_unlock(&s->lock);
    view_pace_forget_rates(s, facts.steps);
}
