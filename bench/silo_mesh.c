#include "silo_mesh.h"

#include "input_file.h"

#include <math.h>

enum { CONE_RINGS = 2, RIM_RINGS = 4 }; // rows of facets, to avoid very thin or large ones

static const double PI = 3.14159265358979323846;

static double ring_height(const peer_state *s, int ring)
{
    if (ring <= CONE_RINGS) return s->cone_height * ring / CONE_RINGS;
    return s->cone_height + s->silo_height * (ring - CONE_RINGS) / RIM_RINGS;
}

static void write_vertex(const peer_state *s, int ring, int side, FILE *to)
{
    double z = ring_height(s, ring);
    double radius = ring >= CONE_RINGS ? s->silo_radius
                                       : s->outlet_radius + (s->silo_radius - s->outlet_radius) *
                                                                z / s->cone_height;
    double corner = radius / cos(PI / SILO_SIDES), angle = 2 * PI * side / SILO_SIDES;
    fprintf(to, "vertex %.9g %.9g %.9g\n", corner * cos(angle), corner * sin(angle), z);
}

static void begin_facet(FILE *to)
{
    fprintf(to, "facet normal 0 0 0\nouter loop\n");
}

static void end_facet(FILE *to)
{
    fprintf(to, "endloop\nendfacet\n");
}

erg_status silo_mesh_write(const char *folder, const peer_state *s, erg_error *err)
{
    FILE *to = input_begin(folder, "silo.stl", err);
    if (!to) return ERG_IO;
    fprintf(to, "solid silo\n");
    for (int ring = 0; ring < CONE_RINGS + RIM_RINGS; ring++)
        for (int side = 0; side < SILO_SIDES; side++) {
            begin_facet(to);
            write_vertex(s, ring, side, to);
            write_vertex(s, ring, side + 1, to);
            write_vertex(s, ring + 1, side, to);
            end_facet(to);
            begin_facet(to);
            write_vertex(s, ring + 1, side, to);
            write_vertex(s, ring, side + 1, to);
            write_vertex(s, ring + 1, side + 1, to);
            end_facet(to);
        }
    fprintf(to, "endsolid silo\n");
    return input_end(to, folder, err);
}
