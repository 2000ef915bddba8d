#include "dem/fixed_point.h"

#include <math.h>

ergi_fixed_point ergi_fixed_point_make(const ergi_space *space, double reach)
{
    const double     wrap = 0x1p32; // steps until the integers wrap around
    ergi_fixed_point fixed_point;
    for (int a = 0; a < 4; a++) {
        double period = a < 3 ? space->period[a] : 0;
        double wraps = period > 0 ? fmax(1, floor(period / (2 * reach))) : 1;
        fixed_point.step[a] = (period > 0 ? period / wraps : 2 * reach) / wrap;
        fixed_point.inverse[a] = 1 / fixed_point.step[a];
    }
    return fixed_point;
}
