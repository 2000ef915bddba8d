// Mass properties of the solid that a closed mesh bounds, as sums over the tetrahedra between its
// triangles and one point. Those sums are the divergence theorem's surface integrals (Mirtich, Fast
// and accurate computation of polyhedral mass properties, J. Graphics Tools 1 (1996) 31); for
// triangles the integrals over a tetrahedron with one corner in the origin are closed forms:
//
//     volume            V = a.(b x c) / 6
//     integral of x     V (a + b + c) / 4
//     integral of x x^T V (a a^T + b b^T + c c^T + s s^T) / 20,  s = a + b + c
//
// The point is the centre of the bounding box, so that a small body far from the origin loses no
// precision.
#include "geom/mesh.h"

static void add_square(double sum[3][3], erg_vec3 p, double weight)
{
    const double c[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum[i][j] += weight * c[i] * c[j];
}

ergi_mesh_mass ergi_mesh_mass_of(const ergi_mesh *mesh)
{
    erg_vec3 low, high;
    ergi_mesh_bounds(mesh, &low, &high);
    erg_vec3       middle = ergi_scale(ergi_add(low, high), 0.5), first = {0};
    double         second[3][3] = {{0}};
    ergi_mesh_mass mass = {0};
    if (mesh->triangles == 0) return mass;

    for (size_t t = 0; t < mesh->triangles; t++) {
        erg_vec3 p[3];
        ergi_mesh_corners(mesh, t, p);
        for (int k = 0; k < 3; k++) p[k] = ergi_sub(p[k], middle);
        erg_vec3 cross = ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0]));
        double   v = ergi_dot(p[0], cross) / 6.0;
        erg_vec3 s = ergi_add(p[0], ergi_add(p[1], p[2]));
        mass.area += 0.5 * ergi_norm(cross);
        mass.volume += v;
        first = ergi_madd(first, v / 4.0, s);
        for (int k = 0; k < 3; k++) add_square(second, p[k], v / 20.0);
        add_square(second, s, v / 20.0);
    }
    if (mass.volume == 0.0) {
        mass.centre = middle;
        return mass;
    }
    erg_vec3 arm = ergi_scale(first, 1.0 / mass.volume);
    add_square(second, arm, -mass.volume); // to the centre of mass
    mass.centre = ergi_add(middle, arm);
    double trace = second[0][0] + second[1][1] + second[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) mass.inertia.m[i][j] = (i == j ? trace : 0.0) - second[i][j];
    return mass;
}
