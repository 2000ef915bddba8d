// The closest point of a triangle, and the part of the triangle it lies on.
#ifndef ERGI_QUERY_TRIANGLE_H
#define ERGI_QUERY_TRIANGLE_H

#include "geom/vec3.h"

typedef struct ergi_triangle {
    uint32_t v[3]; // corners, counter-clockwise seen from outside
} ergi_triangle;

typedef enum ergi_part {
    ERGI_PART_FACE,
    ERGI_PART_EDGE_0, // from corner 0 to 1
    ERGI_PART_EDGE_1,
    ERGI_PART_EDGE_2, // from corner 2 to 0
    ERGI_PART_CORNER_0,
    ERGI_PART_CORNER_1,
    ERGI_PART_CORNER_2
} ergi_part;

// The plane is divided into seven regions: the face, three beyond the edges, three beyond the
// corners. The signs of a few products tell which one holds p.
ERG_INLINE erg_vec3 ergi_closest(erg_vec3 a, erg_vec3 b, erg_vec3 c, erg_vec3 p, ergi_part *part)
{
    erg_vec3 ab = ergi_sub(b, a), ac = ergi_sub(c, a), ap = ergi_sub(p, a);
    double   a1 = ergi_dot(ab, ap), a2 = ergi_dot(ac, ap);
    if (a1 <= 0.0 && a2 <= 0.0) return *part = ERGI_PART_CORNER_0, a;
    erg_vec3 bp = ergi_sub(p, b);
    double   b1 = ergi_dot(ab, bp), b2 = ergi_dot(ac, bp);
    if (b1 >= 0.0 && b2 <= b1) return *part = ERGI_PART_CORNER_1, b;
    erg_vec3 cp = ergi_sub(p, c);
    double   c1 = ergi_dot(ab, cp), c2 = ergi_dot(ac, cp);
    if (c2 >= 0.0 && c1 <= c2) return *part = ERGI_PART_CORNER_2, c;

    // Weights of c, b and a, scaled by four times the squared area.
    double wc = a1 * b2 - b1 * a2;
    if (wc <= 0.0 && a1 >= 0.0 && b1 <= 0.0 && a1 > b1)
        return *part = ERGI_PART_EDGE_0, ergi_madd(a, a1 / (a1 - b1), ab);
    double wb = c1 * a2 - a1 * c2;
    if (wb <= 0.0 && a2 >= 0.0 && c2 <= 0.0 && a2 > c2)
        return *part = ERGI_PART_EDGE_2, ergi_madd(a, a2 / (a2 - c2), ac);
    double wa = b1 * c2 - c1 * b2, along = b2 - b1, back = c1 - c2;
    if (wa <= 0.0 && along >= 0.0 && back >= 0.0 && along + back > 0.0)
        return *part = ERGI_PART_EDGE_1, ergi_madd(b, along / (along + back), ergi_sub(c, b));
    *part = ERGI_PART_FACE;
    double sum = wa + wb + wc;
    return ergi_madd(ergi_madd(a, wb / sum, ab), wc / sum, ac);
}

#endif
