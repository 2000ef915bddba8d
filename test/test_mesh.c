// labels: asan clang
// Mass properties, the report of mesh defects, repairs, and primitives.
#include "check.h"
#include "geom/inspect.h"
#include "mesh_shapes.h"

static erg_mesh_report report_of(const ergi_mesh *mesh)
{
    ergi_mesh       copy;
    erg_mesh_report report = {0};
    ergi_mesh_copy(mesh, &copy, NULL);
    ergi_solid solid = solid_of(copy);
    ergi_inspect(&solid, &report, NULL);
    ergi_solid_free(&solid);
    return report;
}

static ergi_mesh box(double x, double y, double z)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    shape.size = ergi_vec3(x, y, z);
    return shape_mesh(shape);
}

static void shift(ergi_mesh *mesh, erg_vec3 by)
{
    for (size_t i = 0; i < mesh->vertices; i++) mesh->vertex[i] = ergi_add(mesh->vertex[i], by);
}

// Appends b, and frees it.
static void append(ergi_mesh *a, ergi_mesh b)
{
    size_t first = a->vertices;
    for (size_t i = 0; i < b.vertices; i++) ergi_mesh_add_vertex(a, b.vertex[i], NULL);
    for (size_t t = 0; t < b.triangles; t++)
        ergi_mesh_add_triangle(a, first + b.triangle[t].v[0], first + b.triangle[t].v[1],
                               first + b.triangle[t].v[2], NULL);
    ergi_mesh_free(&b);
}

// ---- Mass --------------------------------------------------------------------------------------
TEST(mass_of_a_box)
{
    ergi_mesh mesh = box(1.0, 2.0, 3.0);
    shift(&mesh, ergi_vec3(100.0, -50.0, 20.0));
    ergi_mesh_mass m = ergi_mesh_mass_of(&mesh);
    CHECK_NEAR(m.area, 22.0, 1e-12);
    CHECK_NEAR(m.volume, 6.0, 1e-12);
    CHECK_NEAR(m.centre.x, 100.0, 1e-12);
    CHECK_NEAR(m.centre.y, -50.0, 1e-12);
    CHECK_NEAR(m.inertia.m[0][0], 6.0 * (4.0 + 9.0) / 12.0, 1e-12);
    CHECK_NEAR(m.inertia.m[1][1], 6.0 * (1.0 + 9.0) / 12.0, 1e-12);
    CHECK_NEAR(m.inertia.m[2][2], 6.0 * (1.0 + 4.0) / 12.0, 1e-12);
    CHECK_NEAR(m.inertia.m[0][1], 0.0, 1e-12);
    ergi_mesh_flip(&mesh);
    CHECK_NEAR(ergi_mesh_mass_of(&mesh).volume, -6.0, 1e-12);
    ergi_mesh_free(&mesh);
}

// A corner of a cube, cut off: products of inertia that are not zero.
TEST(mass_of_a_tetrahedron)
{
    ergi_mesh mesh = {0};
    ergi_mesh_add_vertex(&mesh, ergi_vec3(0, 0, 0), NULL);
    ergi_mesh_add_vertex(&mesh, ergi_vec3(1, 0, 0), NULL);
    ergi_mesh_add_vertex(&mesh, ergi_vec3(0, 1, 0), NULL);
    ergi_mesh_add_vertex(&mesh, ergi_vec3(0, 0, 1), NULL);
    ergi_mesh_add_triangle(&mesh, 0, 2, 1, NULL);
    ergi_mesh_add_triangle(&mesh, 0, 1, 3, NULL);
    ergi_mesh_add_triangle(&mesh, 0, 3, 2, NULL);
    ergi_mesh_add_triangle(&mesh, 1, 2, 3, NULL);
    ergi_mesh_mass m = ergi_mesh_mass_of(&mesh);
    // integrals over the corner: x^2 1/60, x y 1/120; centre 1/4
    double own = 1.0 / 60.0 - 1.0 / 96.0, mixed = 1.0 / 120.0 - 1.0 / 96.0;
    CHECK_NEAR(m.volume, 1.0 / 6.0, 1e-15);
    CHECK_NEAR(m.centre.z, 0.25, 1e-15);
    CHECK_NEAR(m.inertia.m[0][0], 2.0 * own, 1e-15);
    CHECK_NEAR(m.inertia.m[1][2], -mixed, 1e-15);
    ergi_mesh_free(&mesh);
}

// ---- Shapes by name ----------------------------------------------------------------------------
// A solid of revolution cut into n flat sides is k times as large as the round one of the same
// outline, k = sin(2 pi / n) / (2 pi / n), since each of its cross sections is.
static double flat_share(int n)
{
    return sin(2.0 * ERGI_PI / n) / (2.0 * ERGI_PI / n);
}

// The polar second moment of a regular polygon over that of its circle.
static double flat_moment(int n)
{
    return flat_share(n) * (2.0 + cos(2.0 * ERGI_PI / n)) / 3.0;
}

TEST(shapes_are_solid)
{
    for (int kind = 0; kind <= ERG_PRIMITIVE_BUCKET; kind++)
        for (int segments = 3; segments <= 65; segments += 31) {
            erg_primitive shape = erg_primitive_default((erg_primitive_kind)kind);
            shape.segments = segments;
            ergi_mesh       mesh = shape_mesh(shape);
            erg_mesh_report r = report_of(&mesh);
            if (!r.solid || r.volume <= 0.0 || r.faults[ERG_FAULT_NO_AREA] || r.unused)
                printf("    %s with %d segments: %s\n", erg_primitive_name(shape.kind), segments,
                       r.problem[0].text);
            CHECK(r.solid && r.volume > 0.0 && r.faults[ERG_FAULT_NO_AREA] == 0 && r.unused == 0);
            CHECK(r.shells == 1);
            erg_primitive_kind found;
            CHECK(erg_primitive_find(erg_primitive_name(shape.kind), &found) && (int)found == kind);
            ergi_mesh_free(&mesh);
        }
}

static erg_mesh_report report_shape(erg_primitive shape)
{
    ergi_mesh       mesh = shape_mesh(shape);
    erg_mesh_report r = report_of(&mesh);
    ergi_mesh_free(&mesh);
    return r;
}

TEST(shapes_have_their_mass)
{
    enum { N = 48 };
    double          k = flat_share(N), j = flat_moment(N), r = 0.5, h = 1.0, t = 0.1;
    erg_primitive   s = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
    erg_mesh_report m = report_shape(s);
    CHECK_NEAR(m.volume, k * ERGI_PI * r * r * h, 1e-14);
    CHECK_NEAR(m.inertia[2][2], j * ERGI_PI / 2.0 * pow(r, 4) * h, 1e-14);
    CHECK_NEAR(m.centre.z, 0.0, 1e-15);

    s = erg_primitive_default(ERG_PRIMITIVE_CONE);
    m = report_shape(s);
    CHECK_NEAR(m.volume, k * ERGI_PI * r * r * h / 3.0, 1e-14);
    CHECK_NEAR(m.inertia[2][2], j * ERGI_PI / 10.0 * pow(r, 4) * h, 1e-14);
    CHECK_NEAR(m.centre.z, -h / 4.0, 1e-15);

    s = erg_primitive_default(ERG_PRIMITIVE_TUBE);
    m = report_shape(s);
    double in = r - t;
    CHECK_NEAR(m.volume, k * ERGI_PI * (r * r - in * in) * h, 1e-14);
    CHECK_NEAR(m.inertia[2][2], j * ERGI_PI / 2.0 * (pow(r, 4) - pow(in, 4)) * h, 1e-14);

    s = erg_primitive_default(ERG_PRIMITIVE_PLATE);
    m = report_shape(s);
    CHECK_NEAR(m.volume, t, 1e-15);
    CHECK_NEAR(m.inertia[2][2], t / 6.0, 1e-15);

    // two frusta: the outer one less the hollow
    s = erg_primitive_default(ERG_PRIMITIVE_BUCKET);
    m = report_shape(s);
    double low = r * s.taper, hollow = low + (r - low) * t / h - t;
    double outer = h / 3.0 * (r * r + r * low + low * low);
    double inner = (h - t) / 3.0 * (in * in + in * hollow + hollow * hollow);
    CHECK_NEAR(m.volume, k * ERGI_PI * (outer - inner), 1e-14);
    CHECK_NEAR(m.low.z, 0.0, 0.0);
}

// Round outlines are polygons of N sides inside the true ones. An inscribed curve falls short of an
// arc by at most 1 - cos(pi / N) of its radius, so radii lie between that and the true ones, and
// volumes between the third power of it (times the flat share).
TEST(round_shapes_have_nearly_their_mass)
{
    for (int n = 24; n <= 96; n *= 2) {
        double        c = cos(ERGI_PI / n), least = flat_share(n) * c * c * c, r = 0.5, h = 1.0;
        erg_primitive s = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
        s.segments = n;
        double          true_volume = 4.0 / 3.0 * ERGI_PI * r * r * r;
        double          true_inertia = 8.0 / 15.0 * ERGI_PI * pow(r, 5);
        erg_mesh_report m = report_shape(s);
        CHECK(m.volume < true_volume && m.volume > least * true_volume);
        for (int k = 0; k < 3; k++)
            CHECK(m.inertia[k][k] < true_inertia &&
                  m.inertia[k][k] > least * c * c * c * true_inertia);

        s.kind = ERG_PRIMITIVE_CAPSULE;
        true_volume += ERGI_PI * r * r * h;
        m = report_shape(s);
        CHECK(m.volume < true_volume && m.volume > least * true_volume);
        CHECK_NEAR(m.high.z, h / 2.0 + r, 1e-15);

        s = erg_primitive_default(ERG_PRIMITIVE_TORUS);
        s.segments = n;
        true_volume = 2.0 * ERGI_PI * ERGI_PI * r * 0.04;
        m = report_shape(s);
        // Pappus: the polygon's own area times the way of its centre
        CHECK_NEAR(m.volume, flat_share(n) * flat_share(n) * true_volume, 1e-13);
    }
}

TEST(shapes_that_cannot_be)
{
    erg_error     err;
    ergi_mesh     mesh;
    erg_primitive s = erg_primitive_default(ERG_PRIMITIVE_TUBE);
    s.thickness = 0.6;
    CHECK(ergi_primitive(&s, &mesh, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "tube: the thickness must be below the radius 0.5, got 0.6");
    s = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    s.radius = NAN;
    CHECK(ergi_primitive(&s, &mesh, &err) == ERG_BAD_INPUT && strstr(err.text, "radius"));
    s = erg_primitive_default(ERG_PRIMITIVE_CONE);
    s.segments = 2;
    CHECK(ergi_primitive(&s, &mesh, &err) == ERG_BAD_INPUT && strstr(err.text, "3 to 4096"));
    s = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    s.segments = 4096;
    CHECK(ergi_primitive(&s, &mesh, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "torus: 4096 segments make 33554432 triangles, about 7.4 GB; use at most "
                        "1448 segments");
    s = erg_primitive_default(ERG_PRIMITIVE_BUCKET);
    s.taper = 1e9;
    CHECK(ergi_primitive(&s, &mesh, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "bucket: the taper must be above 0 and at most 1000, got 1e+09");
    s.kind = (erg_primitive_kind)77;
    CHECK(ergi_primitive(&s, &mesh, &err) == ERG_BAD_INPUT);
    CHECK(!erg_primitive_find("blob", &s.kind) &&
          erg_primitive_name((erg_primitive_kind)77) == NULL);
}

// ---- The report --------------------------------------------------------------------------------
TEST(a_hole)
{
    ergi_mesh mesh = box(1, 1, 1);
    mesh.triangles -= 2; // the face x = 1/2
    erg_mesh_report r = report_of(&mesh);
    CHECK(!r.closed && !r.solid && r.manifold && r.oriented && !r.crossing);
    CHECK(r.faults[ERG_FAULT_OPEN_EDGE] == 4 && r.problems == 4);
    CHECK_NEAR(r.problem[0].place.x, 0.5, 0.0);
    CHECK(strstr(r.problem[0].text, "has an open edge from vertex"));
    CHECK(r.volume == 0.0 && r.area == 5.0);

    size_t filled;
    CHECK(ergi_mesh_fill_holes(&mesh, 3, &filled, NULL) == ERG_OK && filled == 0);
    CHECK(ergi_mesh_fill_holes(&mesh, 4, &filled, NULL) == ERG_OK && filled == 1);
    r = report_of(&mesh);
    CHECK(r.solid && r.volume == 1.0);
    ergi_mesh_free(&mesh);
}

TEST(a_turned_triangle)
{
    ergi_mesh mesh = box(1, 1, 1);
    uint32_t *v = mesh.triangle[3].v, first = v[0];
    v[0] = v[1];
    v[1] = first;
    erg_mesh_report r = report_of(&mesh);
    CHECK(r.closed && r.manifold && !r.oriented && !r.solid);
    CHECK(r.faults[ERG_FAULT_TURNED] == 3);
    CHECK(r.problem[0].triangle == 3 || r.problem[0].other == 3);
    ergi_mesh_free(&mesh);
}

TEST(an_edge_of_four)
{
    ergi_mesh mesh = box(1, 1, 1), other = box(1, 1, 1);
    shift(&other, ergi_vec3(1, 1, 0)); // touches along an edge
    append(&mesh, other);
    size_t merged;
    CHECK(report_of(&mesh).manifold);
    CHECK(ergi_mesh_weld(&mesh, 0.0, false, &merged, NULL) == ERG_OK && merged == 2);
    erg_mesh_report r = report_of(&mesh);
    CHECK(!r.manifold && r.faults[ERG_FAULT_CROWDED_EDGE] == 1 && r.closed);
    CHECK_NEAR(r.problem[0].place.x, 0.5, 0.0);
    CHECK_NEAR(r.problem[0].place.z, 0.0, 0.0);
    ergi_mesh_free(&mesh);
}

TEST(a_pinch)
{
    ergi_mesh mesh = box(1, 1, 1), other = box(1, 1, 1);
    shift(&other, ergi_vec3(1, 1, 1)); // touches in a corner
    append(&mesh, other);
    size_t merged;
    CHECK(ergi_mesh_weld(&mesh, 0.0, false, &merged, NULL) == ERG_OK && merged == 1);
    erg_mesh_report r = report_of(&mesh);
    CHECK(!r.manifold && r.faults[ERG_FAULT_PINCHED] == 1 && r.closed && r.shells == 2);
    CHECK_NEAR(r.problem[0].place.y, 0.5, 0.0);
    ergi_mesh_free(&mesh);
}

TEST(triangles_without_area)
{
    ergi_mesh mesh = box(1, 1, 1);
    ergi_mesh_add_triangle(&mesh, 0, 1, 1, NULL);
    erg_mesh_report r = report_of(&mesh);
    CHECK(r.closed && r.manifold && r.solid); // no part of the surface
    CHECK(r.faults[ERG_FAULT_NO_AREA] == 1 && r.problem[0].triangle == 12);
    size_t merged;
    ergi_mesh_weld(&mesh, 1e-9, true, &merged, NULL);
    CHECK(mesh.triangles == 12 && merged == 0);
    ergi_mesh_free(&mesh);
}

TEST(crossings)
{
    for (int i = 0; i < 4; i++) {
        // through each other; the same with exact diagonals; touching; apart
        static const double by[4] = {0.37, 0.5, 1.0, 1.5};
        ergi_mesh           mesh = box(1, 1, 1), other = box(1, 1, 1);
        shift(&other, ergi_vec3(by[i], by[i], by[i]));
        append(&mesh, other);
        erg_mesh_report r = report_of(&mesh);
        CHECK(r.crossing == (i < 2) && r.shells == 2);
        if (i != 2) CHECK(r.solid == (i == 3)); // a corner on another shell is neither in nor out
        if (i < 2) CHECK(strstr(r.problem[0].text, "intersects triangle"));
        ergi_mesh_free(&mesh);
    }
    // two sheets in one plane
    ergi_mesh mesh = box(1, 1, 1), other = box(1, 1, 1);
    shift(&other, ergi_vec3(0.3, 0.2, 1.0));
    append(&mesh, other);
    CHECK(report_of(&mesh).crossing);
    ergi_mesh_free(&mesh);
    // a fold: a flap laid back on its neighbour
    ergi_mesh flap = {0};
    ergi_mesh_add_vertex(&flap, ergi_vec3(0, 0, 0), NULL);
    ergi_mesh_add_vertex(&flap, ergi_vec3(1, 0, 0), NULL);
    ergi_mesh_add_vertex(&flap, ergi_vec3(0, 1, 0), NULL);
    ergi_mesh_add_vertex(&flap, ergi_vec3(0.2, 0.7, 0), NULL);
    ergi_mesh_add_triangle(&flap, 0, 1, 2, NULL);
    ergi_mesh_add_triangle(&flap, 1, 0, 3, NULL);
    CHECK(report_of(&flap).crossing);
    flap.vertex[3].z = 0.1; // lifted
    CHECK(!report_of(&flap).crossing);
    ergi_mesh_free(&flap);
}

TEST(shells_within_shells)
{
    ergi_mesh mesh = box(3, 3, 3), inner = box(1, 1, 1);
    ergi_mesh_flip(&inner);
    append(&mesh, inner);
    erg_mesh_report r = report_of(&mesh);
    CHECK(r.solid && r.shells == 2); // a hollow
    CHECK_NEAR(r.volume, 26.0, 1e-12);
    for (size_t t = 12; t < 24; t++) { // the same as matter within matter
        uint32_t *v = mesh.triangle[t].v, last = v[2];
        v[2] = v[1];
        v[1] = last;
    }
    r = report_of(&mesh);
    CHECK(!r.solid && r.faults[ERG_FAULT_SHELL_NESTED] == 1);
    ergi_mesh_free(&mesh);

    mesh = box(3, 3, 3);
    inner = box(1, 1, 1);
    ergi_mesh_flip(&inner);
    shift(&inner, ergi_vec3(5, 0, 0));
    append(&mesh, inner);
    r = report_of(&mesh);
    CHECK(!r.solid && r.faults[ERG_FAULT_SHELL_INVERTED] == 1 && r.problem[0].triangle == 12);
    ergi_mesh_free(&mesh);
}

// Many separate closed parts cost little; one that is inside out is found.
TEST(many_shells_are_compared)
{
    enum { SIDE = 18, SHELLS = SIDE * SIDE * SIDE }; // with 12 triangles each, pairs would be 4e8
    ergi_mesh mesh = {0};
    for (int i = 0; i < SHELLS; i++) {
        ergi_mesh brick = box(1, 1, 1);
        if (i == SHELLS / 2) ergi_mesh_flip(&brick);
        shift(&brick,
              ergi_vec3(1.5 * (i % SIDE), 1.5 * (i / SIDE % SIDE), 1.5 * (i / SIDE / SIDE)));
        append(&mesh, brick);
    }
    erg_mesh_report r = report_of(&mesh);
    CHECK(r.shells == SHELLS && !r.solid);
    CHECK(r.faults[ERG_FAULT_SHELL_INVERTED] == 1 && r.problem[0].triangle == 12 * (SHELLS / 2));
    CHECK(r.faults[ERG_FAULT_SHELL_UNSEEN] == 0 && r.problems == 1);
    ergi_mesh_free(&mesh);
}

// An onion takes the square of its shells: what is not looked at is not called solid.
TEST(shells_that_are_not_compared_are_told)
{
    enum { SHELLS = 2600 };
    ergi_mesh mesh = {0};
    for (int i = 0; i < SHELLS; i++) {
        double    size = 1 + 1e-3 * (SHELLS - i);
        ergi_mesh skin = box(size, size, size);
        if (i % 2) ergi_mesh_flip(&skin);
        append(&mesh, skin);
    }
    erg_mesh_report r = report_of(&mesh);
    CHECK(r.shells == SHELLS && r.closed && r.oriented && !r.crossing);
    CHECK(!r.solid && r.faults[ERG_FAULT_SHELL_UNSEEN] > 0);
    CHECK(r.faults[ERG_FAULT_SHELL_UNSEEN] < SHELLS / 2);
    CHECK(r.faults[ERG_FAULT_SHELL_INVERTED] + r.faults[ERG_FAULT_SHELL_NESTED] == 0);
    ergi_mesh_free(&mesh);
}

TEST(organic_meshes_are_solid)
{
    ergi_mesh       blob = blob_mesh(40), knot = trefoil_mesh(0.4, 120, 16);
    erg_mesh_report r = report_of(&blob);
    CHECK(r.solid && r.shells == 1);
    // Euler: a ball has V - E + F = 2, a knotted tube 0
    CHECK(r.vertices + r.triangles == r.edges + 2);
    r = report_of(&knot);
    CHECK(r.solid && r.shells == 1 && r.vertices + r.triangles == r.edges);
    ergi_mesh_free(&blob);
    ergi_mesh_free(&knot);
}

TEST(vertices_are_merged_on_request)
{
    ergi_mesh mesh = {0};
    ergi_mesh whole = box(1, 1, 1);
    for (size_t t = 0; t < whole.triangles; t++) { // a soup, off by up to 1e-6
        erg_vec3 p[3];
        ergi_mesh_corners(&whole, t, p);
        for (int k = 0; k < 3; k++) {
            p[k].x += 1e-6 * sin((double)(3 * t + (size_t)k)) / 2.0;
            ergi_mesh_add_vertex(&mesh, p[k], NULL);
        }
        ergi_mesh_add_triangle(&mesh, 3 * t, 3 * t + 1, 3 * t + 2, NULL);
    }
    size_t merged;
    CHECK(report_of(&mesh).faults[ERG_FAULT_OPEN_EDGE] == 36);
    CHECK(ergi_mesh_weld(&mesh, 1e-6, true, &merged, NULL) == ERG_OK && merged == 28);
    CHECK(report_of(&mesh).solid);
    erg_error err;
    CHECK(ergi_mesh_weld(&mesh, 1e-20, true, &merged, &err) == ERG_BAD_INPUT);
    ergi_mesh_free(&mesh);
    ergi_mesh_free(&whole);
}

TEST(a_mesh_in_millimetres_is_scaled)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    erg_mesh     *box = NULL, *small = NULL;
    erg_error     err = {0};
    shape.size = (erg_vec3){200, 300, 400};
    CHECK(erg_mesh_primitive(&shape, &box, &err) == ERG_OK);
    size_t          vertices, triangles;
    const double   *xyz = erg_mesh_vertices(box, &vertices);
    const uint32_t *corners = erg_mesh_triangles(box, &triangles);
    erg_mesh_def    def = erg_mesh_def_default();
    erg_mesh_report report;
    CHECK(def.scale == 1);
    def.scale = 1e-3;
    def.merge = 1e-3; // of the mesh as it comes out
    CHECK(erg_mesh_create(xyz, vertices, corners, triangles, &def, &small, &err) == ERG_OK);
    CHECK(erg_mesh_get_report(small, &report, &err) == ERG_OK);
    CHECK(report.solid && report.vertices == vertices);
    CHECK_NEAR(report.volume, 0.024, 1e-15);
    erg_mesh_destroy(small);
    const double bad[] = {-1, (double)NAN, HUGE_VAL, 1e308};
    for (int i = 0; i < 4; i++) {
        def.scale = bad[i];
        CHECK(erg_mesh_create(xyz, vertices, corners, triangles, &def, &small, &err) ==
              ERG_BAD_INPUT);
        CHECK(small == NULL);
    }
    def = (erg_mesh_def){0}; // as they are
    CHECK(erg_mesh_create(xyz, vertices, corners, triangles, &def, &small, &err) == ERG_OK);
    CHECK(erg_mesh_vertices(small, &vertices)[0] == xyz[0]);
    erg_mesh_destroy(small);
    erg_mesh_destroy(box);
}

TEST_MAIN(a_mesh_in_millimetres_is_scaled, mass_of_a_box, mass_of_a_tetrahedron, shapes_are_solid,
          shapes_have_their_mass, round_shapes_have_nearly_their_mass, shapes_that_cannot_be,
          a_hole, a_turned_triangle, an_edge_of_four, a_pinch, triangles_without_area, crossings,
          shells_within_shells, many_shells_are_compared, shells_that_are_not_compared_are_told,
          organic_meshes_are_solid, vertices_are_merged_on_request)
