// Meshes from formulas, for tests: a trefoil tube and a blob with limbs.
#ifndef ERG_MESH_SHAPES_H
#define ERG_MESH_SHAPES_H

#include "geom/march.h"
#include "geom/primitive.h"
#include "geom/solid.h"

static inline ergi_mesh shape_mesh(erg_primitive shape)
{
    ergi_mesh mesh;
    ergi_primitive(&shape, &mesh, NULL);
    return mesh;
}

static inline ergi_solid solid_of(ergi_mesh mesh)
{
    ergi_solid solid;
    ergi_solid_make(&mesh, &solid, NULL);
    return solid;
}

static inline erg_vec3 trefoil_point(double t)
{
    return ergi_vec3(sin(t) + 2.0 * sin(2.0 * t), cos(t) - 2.0 * cos(2.0 * t), -sin(3.0 * t));
}

// A tube of the given radius around the trefoil knot, `along` rings of `around` vertices. The frame
// is (tangent x up), which never degenerates since the tangent is never along z.
static inline ergi_mesh trefoil_mesh(double radius, int along, int around)
{
    ergi_mesh mesh = {0};
    for (int i = 0; i < along; i++) {
        double   t = 2.0 * ERGI_PI * i / along;
        erg_vec3 c = trefoil_point(t);
        erg_vec3 tangent = ergi_normalize(ergi_vec3(
            cos(t) + 4.0 * cos(2.0 * t), -sin(t) + 4.0 * sin(2.0 * t), -3.0 * cos(3.0 * t)));
        erg_vec3 side = ergi_normalize(ergi_cross(tangent, ergi_vec3(0.0, 0.0, 1.0)));
        erg_vec3 up = ergi_cross(side, tangent);
        for (int j = 0; j < around; j++) {
            double a = 2.0 * ERGI_PI * j / around;
            ergi_mesh_add_vertex(
                &mesh, ergi_madd(ergi_madd(c, radius * cos(a), side), radius * sin(a), up), NULL);
        }
    }
    for (int i = 0; i < along; i++)
        for (int j = 0; j < around; j++) {
            int    k = (i + 1) % along, l = (j + 1) % around;
            size_t a = (size_t)(i * around + j), b = (size_t)(i * around + l);
            size_t c = (size_t)(k * around + l), d = (size_t)(k * around + j);
            ergi_mesh_add_triangle(&mesh, a, b, c, NULL);
            ergi_mesh_add_triangle(&mesh, a, c, d, NULL);
        }
    if (ergi_mesh_mass_of(&mesh).volume < 0.0) ergi_mesh_flip(&mesh);
    return mesh;
}

// Six smooth metaballs that merge into a body with limbs, with waves on its surface.
static inline double blob_value(erg_vec3 p)
{
    static const double ball[6][4] = {{0.0, 0.0, 0.0, 0.55},   {0.75, 0.1, 0.05, 0.35},
                                      {-0.6, 0.45, 0.1, 0.32}, {-0.3, -0.7, 0.2, 0.35},
                                      {0.2, 0.2, 0.75, 0.33},  {0.1, -0.1, -0.7, 0.3}};
    double              sum = 0.0;
    for (int i = 0; i < 6; i++) {
        erg_vec3 d = ergi_sub(p, ergi_vec3(ball[i][0], ball[i][1], ball[i][2]));
        sum += exp(2.0 - 2.0 * ergi_dot(d, d) / (ball[i][3] * ball[i][3]));
    }
    double waves = sin(9.0 * p.x) * sin(8.0 * p.y + 1.0) * sin(10.0 * p.z + 2.0);
    return -log(sum) + 0.25 * waves;
}

// `cells` cubes across; 96 give about 70,000 triangles.
static inline ergi_mesh blob_mesh(int cells)
{
    ergi_march march = {.origin = {-1.6, -1.6, -1.6}, .spacing = 3.2 / cells, .level = 0.0};
    for (int k = 0; k < cells; k++)
        for (int j = 0; j < cells; j++)
            for (int i = 0; i < cells; i++) {
                double value[8];
                for (int c = 0; c < 8; c++)
                    value[c] = blob_value(
                        ergi_madd(march.origin, march.spacing,
                                  ergi_vec3(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))));
                ergi_march_cube(&march, i, j, k, value, NULL);
            }
    ergi_mesh mesh = march.mesh;
    march.mesh = (ergi_mesh){0};
    ergi_march_free(&march);
    return mesh;
}

#endif
