// A growing list of inscribed spheres.
#ifndef ERGI_INSCRIBED_H
#define ERGI_INSCRIBED_H

#include "erg/base.h"

typedef struct ergi_inscribed {
    erg_vec3 centre; // [m]
    double   radius; // [m]
} ergi_inscribed;

typedef struct ergi_inscribed_list {
    ergi_inscribed *ball;
    size_t          count, room;
} ergi_inscribed_list;

void ergi_inscribed_free(ergi_inscribed_list *spheres);

#endif
