// The questions as a C++ compiler reads them. A library of its own that needs nothing of liberg.
#include "ask_surfaces.h"

extern "C" bool ask_here(const ask_things *things, const erg_vec3 *point, size_t points,
                         double *out)
{
    ask_all(things, point, points, out);
    return true;
}
