// Rows of four numbers that move between memory and registers at once: a position with its radius,
// a velocity with what follows it. Arithmetic on rows is lane by lane and rounds like single
// numbers.
#ifndef ERGI_LAW_ROW_H
#define ERGI_LAW_ROW_H

#include <string.h>

#include "law/real.h"

typedef double   ergi_row64 __attribute__((vector_size(32)));
typedef erg_real ergi_row __attribute__((vector_size(4 * sizeof(erg_real))));

ERG_FN ergi_row64 ergi_row64_load(const double *from)
{
    ergi_row64 r;
    memcpy(&r, from, sizeof r);
    return r;
}

ERG_FN ergi_row ergi_row_load(const erg_real *from)
{
    ergi_row r;
    memcpy(&r, from, sizeof r);
    return r;
}

ERG_FN void ergi_row_store(erg_real *to, ergi_row r)
{
    memcpy(to, &r, sizeof r);
}

#endif
