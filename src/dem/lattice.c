#include "dem/lattice.h"

#include <math.h>

ergi_lattice ergi_lattice_make(const ergi_space *space, double reach)
{
    const double turn = 0x1p32; // steps
    ergi_lattice lattice;
    for (int a = 0; a < 4; a++) {
        double period = a < 3 ? space->period[a] : 0;
        double turns = period > 0 ? fmax(1, floor(period / (2 * reach))) : 1;
        lattice.step[a] = (period > 0 ? period / turns : 2 * reach) / turn;
        lattice.inverse[a] = 1 / lattice.step[a];
    }
    return lattice;
}
