// The space of a world: open, or periodic along x, y or both.
#ifndef ERGI_SPACE_H
#define ERGI_SPACE_H

#include <math.h>

typedef struct ergi_space {
    double lower[3];  // lower corner of the periodic box; ignored on a non-periodic axis [m]
    double period[3]; // 0: not periodic [m]
} ergi_space;

// Brings a position into the periodic box.
static inline void ergi_space_wrap(const ergi_space *space, double position[3])
{
    for (int a = 0; a < 3; a++) {
        double period = space->period[a], x = position[a] - space->lower[a];
        if (!(period > 0) || (x >= 0 && x < period)) continue;
        x -= period * floor(x / period);
        if (x >= period) x = 0; // rounding of a tiny negative x
        position[a] = space->lower[a] + x;
    }
}

#endif
