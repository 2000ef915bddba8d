// Balls in a solid that stand for its surface: how a body touches walls and other bodies.
//
// On a smooth part each ball is the largest that fits under its place (its centre lies on the
// medial axis), so that a few balls, or a single one for a sphere, are as smooth as the surface
// itself and roll. Edges and corners are lined with small balls: they are round by that much.
#ifndef ERGI_INSCRIBE_H
#define ERGI_INSCRIBE_H

#include "geom/inscribed.h"
#include "geom/solid.h"

// `rounding`: radius of the balls along edges [m]; `size`: the cube root of the volume, to which
// distances between balls keep a proportion [m].
erg_status ergi_inscribe(const ergi_solid *solid, double rounding, double size,
                         ergi_inscribed_list *balls, erg_error *err);

#endif
