// Creates a mesh from arrays and writes it: the square hopper of scenes/mesh-hopper.yaml, open at
// top and bottom.
//
//     cc -std=c17 hopper_mesh.c -o hopper_mesh $(pkg-config --cflags --libs erg)
//     ./hopper_mesh hopper.stl
//
// prints
//     hopper.stl: 24 triangles, 0.0776 m^2
#include <erg/erg.h>

#include <stdio.h>

// Half widths of the square sections, from the spout up, and their heights [m].
static const double HALF[] = {0.014, 0.014, 0.06, 0.06};
static const double HEIGHT[] = {-0.02, 0, 0.08, 0.18};
enum { LEVELS = 4, SIDES = 4 };

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "hopper.stl";
    double      xyz[3 * LEVELS * SIDES];
    uint32_t    corner[3 * 2 * (LEVELS - 1) * SIDES], *c = corner;
    for (int level = 0; level < LEVELS; level++)
        for (int side = 0; side < SIDES; side++) {
            double *at = xyz + 3 * (SIDES * level + side);
            at[0] = side == 1 || side == 2 ? HALF[level] : -HALF[level];
            at[1] = side >= 2 ? HALF[level] : -HALF[level];
            at[2] = HEIGHT[level];
        }
    for (uint32_t level = 0; level + 1 < LEVELS; level++)
        for (uint32_t side = 0; side < SIDES; side++) {
            uint32_t a = SIDES * level + side, b = SIDES * level + (side + 1) % SIDES;
            uint32_t quad[6] = {a, b, b + SIDES, a, b + SIDES, a + SIDES};
            for (int k = 0; k < 6; k++) *c++ = quad[k];
        }

    erg_error       err;
    erg_mesh       *mesh = NULL;
    erg_mesh_report report;
    erg_status      status =
        erg_mesh_create(xyz, LEVELS * SIDES, corner, (size_t)(c - corner) / 3, NULL, &mesh, &err);
    if (status == ERG_OK) status = erg_mesh_get_report(mesh, &report, &err);
    if (status == ERG_OK) status = erg_mesh_write(mesh, path, &err);
    if (status == ERG_OK)
        printf("%s: %zu triangles, %.3g m^2\n", path, report.triangles, report.area);
    else
        fprintf(stderr, "hopper_mesh: %s\n", err.text);
    erg_mesh_destroy(mesh);
    return status == ERG_OK ? 0 : 1;
}
