// labels: clang
// Samples: even, on the surface, without holes.
//
// ERG_MESHES=folder writes the meshes there and ERG_SHOW=1 prints the measurements.
#include "check.h"
#include "erg/erg.h"
#include "geom/sample.h"
#include "io/mesh_file.h"
#include "mesh_shapes.h"

#include <stdlib.h>

static erg_mesh *take(ergi_mesh mesh)
{
    erg_mesh *made = NULL;
    erg_mesh_create(&mesh.vertex[0].x, mesh.vertices, mesh.triangle[0].v, mesh.triangles, NULL,
                    &made, NULL);
    ergi_mesh_free(&mesh);
    return made;
}

static erg_mesh *primitive(erg_primitive_kind kind, int segments)
{
    erg_primitive shape = erg_primitive_default(kind);
    shape.segments = segments;
    erg_mesh *mesh = NULL;
    erg_mesh_primitive(&shape, &mesh, NULL);
    return mesh;
}

static erg_sample_metrics measure(const erg_mesh *mesh, const erg_sample_def *def)
{
    erg_samples       *samples = NULL;
    erg_sample_metrics m = {0};
    erg_error          err;
    if (erg_sample(mesh, def, &samples, &err) != ERG_OK ||
        erg_samples_measure(samples, mesh, &m, &err) != ERG_OK) {
        printf("    %s\n", err.text);
        check_failures++;
    }
    erg_samples_destroy(samples);
    return m;
}

static void show(const char *name, double radius, const erg_sample_metrics *m)
{
    if (getenv("ERG_SHOW"))
        printf("    | %s | %g | %zu | %.1e | %.3f | %.3f | %.3f |\n", name, radius, m->count,
               m->off_surface_max, m->spacing_mean, m->spacing_cv, m->hole_max);
}

// The bar that was set for the default density.
static void cover(const char *name, erg_mesh *mesh, double radius)
{
    const char *folder = getenv("ERG_MESHES");
    if (folder) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.ply", folder, name);
        CHECK(erg_mesh_write(mesh, path, NULL) == ERG_OK);
    }
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    def.radius = radius;
    erg_sample_metrics m = measure(mesh, &def);
    show(name, radius, &m);
    CHECK(m.count > 100);
    CHECK(m.off_surface_max <= 0.05 && m.off_surface_mean <= m.off_surface_max);
    CHECK(m.spacing_cv <= 0.12);
    CHECK(m.hole_max <= 1.25);
    erg_mesh_destroy(mesh);
}

TEST(cover_of_a_sphere)
{
    cover("sphere", primitive(ERG_PRIMITIVE_SPHERE, 96), 0.025);
}

TEST(cover_of_a_cube)
{
    cover("cube", primitive(ERG_PRIMITIVE_BOX, 3), 0.03);
}

TEST(cover_of_a_torus)
{
    cover("torus", primitive(ERG_PRIMITIVE_TORUS, 96), 0.025);
}

TEST(cover_of_a_trefoil)
{
    cover("trefoil", take(trefoil_mesh(0.4, 400, 48)), 0.1);
}

TEST(cover_of_a_blob)
{
    ergi_mesh blob = blob_mesh(96);
    CHECK(blob.triangles > 68000 && blob.triangles < 72000);
    cover("blob", take(blob), 0.05);
}

// ---- Offset surfaces ---------------------------------------------------------------------------
TEST(offset_covers)
{
    for (int i = -1; i <= 1; i += 2) {
        erg_mesh      *mesh = take(blob_mesh(40));
        erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
        def.radius = 0.08;
        def.offset = i;
        erg_samples       *samples = NULL;
        erg_sample_metrics m;
        REQUIRE(erg_sample(mesh, &def, &samples, NULL) == ERG_OK);
        REQUIRE(erg_samples_measure(samples, mesh, &m, NULL) == ERG_OK);
        show(i < 0 ? "blob, offset -1" : "blob, offset 1", def.radius, &m);
        CHECK(m.off_surface_max <= 0.05 && m.spacing_cv <= 0.12 && m.hole_max <= 1.25);
        size_t        count;
        const double *xyz = erg_samples_positions(samples, &count);
        for (size_t k = 0; k < count; k++) {
            erg_vec3 p = {xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2]};
            CHECK_NEAR(erg_mesh_nearest(mesh, p, HUGE_VAL).distance, i * 0.08, 0.05 * 0.08);
        }
        erg_samples_destroy(samples);
        erg_mesh_destroy(mesh);
    }
}

// A sheet thinner than a tenth of a radius: both sides are covered as if they were alone.
TEST(thin_sheets_keep_two_sides)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_PLATE);
    shape.thickness = 0.002;
    erg_mesh *mesh = NULL;
    REQUIRE(erg_mesh_primitive(&shape, &mesh, NULL) == ERG_OK);
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    def.radius = 0.03;
    erg_samples *samples = NULL;
    REQUIRE(erg_sample(mesh, &def, &samples, NULL) == ERG_OK);
    size_t        count, above = 0, below = 0;
    const double *xyz = erg_samples_positions(samples, &count);
    for (size_t i = 0; i < count; i++) {
        above += xyz[3 * i + 2] > 0.0009;
        below += xyz[3 * i + 2] < -0.0009;
    }
    // each face has its half, but for the few on the rim
    CHECK(20 * above > 9 * count && 20 * below > 9 * count);
    erg_sample_metrics m;
    REQUIRE(erg_samples_measure(samples, mesh, &m, NULL) == ERG_OK);
    CHECK(m.hole_max <= 1.25 && m.off_surface_max <= 0.05);
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
}

// A needle has hardly any area, which asks for a single sphere; its length still is covered.
TEST(needles_are_covered)
{
    static const double   xyz[12] = {0, 0, 0, 1, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9};
    static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    erg_mesh             *mesh = NULL;
    REQUIRE(erg_mesh_create(xyz, 4, corners, 4, NULL, &mesh, NULL) == ERG_OK);
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    def.radius = 0.01;
    erg_sample_metrics m = measure(mesh, &def);
    CHECK(m.count >= 50 && m.count <= 200 && m.hole_max <= 1.25);
    erg_mesh_destroy(mesh);
}

// ---- Volumes -----------------------------------------------------------------------------------
static void fill(double density, double offset)
{
    erg_mesh      *mesh = take(blob_mesh(40));
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_VOLUME);
    def.radius = 0.06;
    def.density = density;
    def.offset = offset;
    erg_samples *samples = NULL;
    REQUIRE(erg_sample(mesh, &def, &samples, NULL) == ERG_OK);
    size_t        count;
    const double *xyz = erg_samples_positions(samples, &count);
    double        least = 2.0 / cbrt(density); // in radii
    for (size_t i = 0; i < count; i++) {
        erg_vec3 p = {xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]};
        CHECK(erg_mesh_nearest(mesh, p, HUGE_VAL).distance <= offset * 0.06 + 1e-12);
        for (size_t k = 0; k < i; k++) {
            erg_vec3 q = {xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2]};
            CHECK(ergi_distance(p, q) >= least * 0.06 * (1.0 - 1e-12));
        }
    }
    erg_sample_metrics m;
    REQUIRE(erg_samples_measure(samples, mesh, &m, NULL) == ERG_OK);
    show("blob, volume", def.radius, &m);
    CHECK(m.count == count && m.off_surface_max <= 1e-9);
    // no room for one more: gaps are at most the least distance, but for the last cut of a cube,
    // 2^-7 of its side, which is 1/sqrt(3) of the distance, and the finding's own 0.005
    CHECK(m.hole_max <= least * (1.0 + 1.0 / 128.0) + 0.005);
    CHECK(m.spacing_mean >= least && m.spacing_mean <= 1.1 * least);
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
}

TEST(volumes_are_full_and_nothing_overlaps)
{
    fill(1.0, 0.0);
    fill(1.0, -1.0);
    fill(2.0, 0.5);
}

// Blue noise has no lattice in it: along each axis, positions within the cells of the grid are
// even. 16 bins, chi squared with 15 degrees of freedom, below 44.3 with the odds of 1e-4 (points
// repel each other, which can only make it smaller).
TEST(volumes_have_no_lattice)
{
    erg_mesh      *mesh = primitive(ERG_PRIMITIVE_BOX, 3);
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_VOLUME);
    def.radius = 0.02;
    erg_samples *samples = NULL;
    REQUIRE(erg_sample(mesh, &def, &samples, NULL) == ERG_OK);
    size_t        count;
    const double *xyz = erg_samples_positions(samples, &count);
    double        cell = 0.04 / sqrt(3.0);
    for (int axis = 0; axis < 3; axis++) {
        int    bin[16] = {0};
        size_t inner = 0;
        for (size_t i = 0; i < count; i++) {
            double u = (xyz[3 * i + (size_t)axis] + 0.5) / cell;
            if (u < 4.0 || u > 38.0) continue; // points crowd along the faces, as they must
            bin[(int)(16.0 * (u - floor(u)))]++;
            inner++;
        }
        double chi = 0.0, each = (double)inner / 16.0;
        for (int b = 0; b < 16; b++) chi += (bin[b] - each) * (bin[b] - each) / each;
        CHECK(inner > 5000);
        CHECK(chi < 44.3);
        if (getenv("ERG_SHOW")) printf("    chi squared %.1f of %zu points\n", chi, inner);
    }
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
}

// ---- What is measured --------------------------------------------------------------------------
// A known bad cover, so that the measures can be trusted: the eight corners of a unit cube.
TEST(measures_of_eight_corners)
{
    ergi_solid     solid = solid_of(shape_mesh(erg_primitive_default(ERG_PRIMITIVE_BOX)));
    ergi_threads   threads = {.count = 2};
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    ergi_level     level;
    def.radius = 0.5;
    REQUIRE(ergi_level_make(&solid, &def, &threads, &level, NULL) == ERG_OK);
    ergi_cloud cloud = {0};
    for (int i = 0; i < 8; i++)
        ergi_cloud_add(&cloud,
                       ergi_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5), NULL);
    erg_sample_metrics m;
    REQUIRE(ergi_sample_measure(&level, &def, &threads, &cloud, &m, NULL) == ERG_OK);
    CHECK_NEAR(m.hole_max, sqrt(0.5) / 0.5, 0.005); // the middle of a face
    CHECK_NEAR(m.spacing_mean, 2.0, 1e-12);
    CHECK_NEAR(m.spacing_cv, 0.0, 1e-12);
    CHECK_NEAR(m.off_surface_max, 0.0, 1e-12);
    cloud.point[0] = ergi_vec3(-0.6, -0.5, -0.5);
    cloud.point[7] = ergi_vec3(0.45, 0.45, 0.45);
    REQUIRE(ergi_sample_measure(&level, &def, &threads, &cloud, &m, NULL) == ERG_OK);
    CHECK_NEAR(m.off_surface_max, 0.2, 1e-12);
    CHECK_NEAR(m.off_surface_mean, 0.3 / 8.0, 1e-12);
    CHECK(m.spacing_cv > 0.01);
    ergi_cloud_free(&cloud);
    ergi_level_free(&level);
    def.kind = ERG_SAMPLE_VOLUME;
    def.density = 1.0;
    cloud = (ergi_cloud){0};
    for (int i = 0; i < 8; i++)
        ergi_cloud_add(&cloud,
                       ergi_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5), NULL);
    REQUIRE(ergi_level_make(&solid, &def, &threads, &level, NULL) == ERG_OK);
    REQUIRE(ergi_sample_measure(&level, &def, &threads, &cloud, &m, NULL) == ERG_OK);
    CHECK_NEAR(m.hole_max, sqrt(0.75) / 0.5, 0.005); // the middle of the cube
    ergi_cloud_free(&cloud);
    ergi_level_free(&level);
    ergi_solid_free(&solid);
}

TEST(what_cannot_be_sampled)
{
    erg_mesh      *mesh = primitive(ERG_PRIMITIVE_BOX, 3);
    erg_error      err;
    erg_samples   *samples = NULL;
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "the radius must be above 0 m, got 0");
    def.radius = 1e-5;
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "choose a larger radius"));
    def.radius = 0.1;
    def.density = -1.0;
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_BAD_INPUT && strstr(err.text, "density"));
    def.density = 1.3;
    def.offset = -6.0;
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "no point inside the mesh is deep enough"));
    CHECK(samples == NULL);
    erg_mesh_destroy(mesh);

    // arrays that are no mesh
    static const double   xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const double   wild[9] = {0, 0, 0, 1, 0, 0, 0, 1e300, 0};
    static const uint32_t good[3] = {0, 1, 2}, far[3] = {0, 1, 3};
    CHECK(erg_mesh_create(xyz, 3, far, 1, NULL, &mesh, &err) == ERG_BAD_INPUT && !mesh);
    CHECK_STR(err.text, "triangle 0 refers to vertex 3, but the last one is 2");
    CHECK(erg_mesh_create(wild, 3, good, 1, NULL, &mesh, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "vertex 2 is at (0, 1e+300, 0)"));
    CHECK(erg_mesh_create(xyz, 3, good, 0, NULL, &mesh, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "the mesh has no triangles");

    // an open box has a surface, but no inside
    ergi_mesh open = shape_mesh(erg_primitive_default(ERG_PRIMITIVE_BOX));
    open.triangles -= 2;
    mesh = take(open);
    def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    def.radius = 0.1;
    CHECK(measure(mesh, &def).hole_max <= 1.25);
    def.offset = 0.5;
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "an offset needs a closed mesh") && strstr(err.text, "is open"));
    def = erg_sample_def_default(ERG_SAMPLE_VOLUME);
    def.radius = 0.1;
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "a volume needs a closed mesh"));
    erg_mesh_destroy(mesh);
}

// A radius larger than the body: one sphere is the cover.
TEST(spheres_larger_than_the_mesh)
{
    erg_mesh      *mesh = primitive(ERG_PRIMITIVE_SPHERE, 24);
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    def.radius = 10.0;
    erg_sample_metrics m = measure(mesh, &def);
    CHECK(m.count == 1 && m.spacing_mean == 0.0 && m.hole_max <= 0.1 + 0.005);
    def = erg_sample_def_default(ERG_SAMPLE_VOLUME);
    def.radius = 10.0;
    CHECK(measure(mesh, &def).count == 1);
    erg_mesh_destroy(mesh);
}

TEST_MAIN(cover_of_a_sphere, cover_of_a_cube, cover_of_a_torus, cover_of_a_trefoil, cover_of_a_blob,
          offset_covers, thin_sheets_keep_two_sides, needles_are_covered,
          volumes_are_full_and_nothing_overlaps, volumes_have_no_lattice, measures_of_eight_corners,
          what_cannot_be_sampled, spheres_larger_than_the_mesh)
