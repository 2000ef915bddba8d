// Times of outputs: the first step boundary at or after k * every, k = 0, 1, 2, ..., up to
// rounding.
#ifndef ERGI_SCHEDULE_H
#define ERGI_SCHEDULE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/times.h"

typedef struct ergi_schedule {
    double   every; // [s]; 0: never
    uint64_t next;  // k
} ergi_schedule;

static inline double ergi_schedule_time(const ergi_schedule *s)
{
    return s->every > 0.0 ? ergi_time_earliest((double)s->next * s->every) : (double)INFINITY;
}

static inline bool ergi_schedule_due(const ergi_schedule *s, double time)
{
    return time >= ergi_schedule_time(s);
}

// Above this, consecutive integers are not distinct in a double.
#define ERGI_SCHEDULE_MOST 0x1p53

// Whether the output times up to `time` can be counted.
static inline bool ergi_schedule_counts(double every, double time)
{
    return !(every > 0.0) || time / every <= ERGI_SCHEDULE_MOST;
}

// Advances to the first k whose time is after `time`: outputs closer together than a step are taken
// once. A schedule whose times cannot be counted is due at every step.
static inline void ergi_schedule_advance(ergi_schedule *s, double time)
{
    if (!(s->every > 0.0)) return;
    double k = floor(time / s->every);
    if (!(k < ERGI_SCHEDULE_MOST)) {
        s->next = (uint64_t)ERGI_SCHEDULE_MOST;
        return;
    }
    if (k > (double)s->next) s->next = (uint64_t)k;
    while (ergi_schedule_due(s, time)) s->next++;
}

#endif
