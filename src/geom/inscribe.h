// Inscribed spheres that represent the surface of a solid: bodies touch walls and other bodies
// through them.
//
// Under a smooth part each sphere is the largest that fits at its surface point (its centre lies on
// the medial axis), so a few spheres, or a single one for a sphere, are as smooth as the surface
// itself and roll. Edges and corners are lined with small spheres, which round them by that radius.
#ifndef ERGI_INSCRIBE_H
#define ERGI_INSCRIBE_H

#include "geom/inscribed.h"
#include "geom/solid.h"

// `rounding`: radius of the spheres along edges [m]; `size`: cube root of the volume, to which
// distances between spheres are proportional [m].
erg_status ergi_inscribe(const ergi_solid *solid, double rounding, double size,
                         ergi_inscribed_list *spheres, erg_error *err);

#endif
