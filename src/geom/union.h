// Mass properties of the union of spheres at density 1: overlaps count once.
//
// Spheres are grouped by overlap. A single sphere and a pair have closed forms; larger groups are
// cut into slices across z. In a slice the spheres are discs, and the area and the moments of their
// union are exact sums over the outer arcs (Green's theorem). Between the heights where the outline
// changes its topology, the slices are smooth in z except for half powers at the two ends, so Gauss
// quadrature in a variable that grows as the square root of the distance from the ends reaches
// about 1e-12.
#ifndef ERGI_UNION_H
#define ERGI_UNION_H

#include "erg/base.h"
#include "erg/grain.h"
#include "geom/vec3.h"

enum { ERGI_UNION_MAX = 1024 }; // spheres

typedef struct ergi_mass {
    double    volume;          // [m^3]
    erg_vec3  centre;          // of mass [m]
    ergi_mat3 inertia;         // about the centre of mass, density 1 [m^5]
    double    bounding_radius; // of all spheres about the centre of mass [m]
} ergi_mass;

erg_status ergi_union_mass(const erg_sphere *spheres, size_t count, ergi_mass *mass,
                           erg_error *err);

// Eigenvalues of a symmetric matrix, unsorted, and its unit eigenvectors as the columns of a
// rotation. A matrix that is diagonal within rounding gives the identity.
void ergi_principal_axes(ergi_mat3 a, double value[3], ergi_mat3 *axes);

#endif
