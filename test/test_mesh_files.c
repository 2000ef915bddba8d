// labels: asan clang
// OBJ, STL and PLY: valid files are read exactly, invalid ones are rejected with a location, and no
// content crashes the reader.
#include "check.h"
#include "geom/inspect.h"
#include "io/mesh_file.h"
#include "mesh_shapes.h"
#include "scratch.h"

static ergi_mesh mesh;
static erg_error err;

static erg_status parse(ergi_mesh_format format, const char *bytes, size_t size)
{
    // a copy without a zero behind it, so that the address sanitizer sees every step too far
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    ergi_mesh_free(&mesh);
    err.text[0] = '\0';
    erg_status status = ergi_mesh_parse("a.mesh", format, copy, size, &mesh, &err);
    free(copy);
    return status;
}

static erg_status parse_text(ergi_mesh_format format, const char *text)
{
    return parse(format, text, strlen(text));
}

// Refused, with these words.
static void refuse(ergi_mesh_format format, const char *text, const char *words)
{
    erg_status status = parse_text(format, text);
    if (status != ERG_BAD_INPUT || !strstr(err.text, words)) {
        printf("    %s\n    gave: %s\n    expected: %s\n", text, err.text, words);
        check_failures++;
    }
    CHECK(mesh.triangles == 0 && mesh.vertex == NULL);
}

static bool is_closed(void)
{
    ergi_mesh       copy;
    ergi_solid      solid;
    erg_mesh_report report;
    ergi_mesh_copy(&mesh, &copy, NULL);
    if (ergi_solid_make(&copy, &solid, NULL) != ERG_OK) return false;
    ergi_inspect(&solid, &report, NULL);
    ergi_solid_free(&solid);
    return report.solid;
}

#define TETRA_V "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
#define TETRA_F "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

TEST(obj)
{
    CHECK(parse_text(ERGI_MESH_OBJ, "# a comment\no thing\n" TETRA_V TETRA_F) == ERG_OK);
    CHECK(mesh.vertices == 4 && mesh.triangles == 4 && is_closed());
    CHECK_NEAR(ergi_mesh_mass_of(&mesh).volume, 1.0 / 6.0, 1e-15);
    // faces first, textures and normals, negative numbers, CRLF, no newline at the end
    CHECK(parse_text(ERGI_MESH_OBJ, TETRA_F TETRA_V) == ERG_OK && is_closed());
    CHECK(parse_text(ERGI_MESH_OBJ,
                     TETRA_V "vt 0 0\nvn 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf 1/1 4/1 "
                             "3/1\nf -3 -2 -1") == ERG_OK);
    CHECK(is_closed());
    CHECK(parse_text(ERGI_MESH_OBJ, "v 0 0 0\r\nv 1 0 0 \r\nv 0 1 0\r\nf 1 2 3\r\n") == ERG_OK);
    CHECK(mesh.vertices == 3 && mesh.triangles == 1);
    CHECK(parse_text(ERGI_MESH_OBJ, "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r") == ERG_OK);
    // a statement over two lines, an exponent, a weight, colours
    CHECK(parse_text(ERGI_MESH_OBJ,
                     "v 0 0 \\\n 1e-3 1\nv 1 0 0 .5 .5 .5\nv 0 1 0\nf 1 \\\n2 3 # x\n") == ERG_OK);
    CHECK(mesh.vertex[0].z == 1e-3 && mesh.triangles == 1);
}

TEST(obj_that_is_wrong)
{
    refuse(ERGI_MESH_OBJ, "", "a.mesh: the file is empty");
    refuse(ERGI_MESH_OBJ, "\n\n", "a.mesh: the file contains no triangles");
    refuse(ERGI_MESH_OBJ, TETRA_V, "a.mesh: the file contains no triangles");
    refuse(ERGI_MESH_OBJ, "v 0 0 0\nv 1 0\n", "a.mesh:2: a vertex needs 3 coordinates, got 2");
    refuse(ERGI_MESH_OBJ, "v 0 0 nan\n", "a.mesh:1: a coordinate must be a number");
    refuse(ERGI_MESH_OBJ, "v 0 0 -inf\n", "got '-inf'");
    refuse(ERGI_MESH_OBJ, "v 0 0 1e31\n", "a number up to 1e+30, got '1e31'");
    refuse(ERGI_MESH_OBJ, "v 0 0 1e999\n", "got '1e999'");
    refuse(ERGI_MESH_OBJ, "v 0 0 0x10\n", "got '0x10'");
    refuse(ERGI_MESH_OBJ, "v 0 0 1,5\n", "got '1,5'");
    refuse(ERGI_MESH_OBJ, TETRA_V "f 1 2 5\n", "a.mesh:5: there is no vertex '5': the file has 4");
    refuse(ERGI_MESH_OBJ, TETRA_V "f 1 2 0\n", "there is no vertex '0'");
    refuse(ERGI_MESH_OBJ, TETRA_V "f 1 2 -5\n", "there is no vertex '-5'");
    refuse(ERGI_MESH_OBJ, "v 0 0 0\nf -1 -1 -2\nv 0 0 1\n", "1 of them above");
    refuse(ERGI_MESH_OBJ, TETRA_V "f 1 2 99999999999999999999\n", "by number");
    refuse(ERGI_MESH_OBJ, TETRA_V "f 1 2 x\n", "a face refers to vertices by number, got 'x'");
    refuse(ERGI_MESH_OBJ, TETRA_V "f 1 2\n", "a.mesh:5: a face needs 3 corners, got 2");
    refuse(ERGI_MESH_OBJ, "\x89PNG\r\n", "a.mesh:1: expected a statement such as v or f");
    refuse(ERGI_MESH_OBJ, "v 0 0 \1\2\3\n", "got '\?\?\?'");
}

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 0\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c                 \
    "\n endloop\nendfacet\n"
#define O "0 0 0"
#define X "1 0 0"
#define Y "0 1 0"
#define Z "0 0 1"

TEST(stl_as_text)
{
    CHECK(parse_text(ERGI_MESH_STL, "solid a name\n" FACET(O, Y, X) FACET(O, X, Z) FACET(O, Z, Y)
                                        FACET(X, Y, Z) "endsolid a name\n") == ERG_OK);
    CHECK(mesh.vertices == 4 && mesh.triangles == 4 && is_closed()); // shared by position
    CHECK(parse_text(ERGI_MESH_STL, "SOLID\r\n" FACET(O, X, "-0 1 0") "EndSolid\r\nsolid b\n" FACET(
                                        O, Z, Y) "endsolid") == ERG_OK);
    CHECK(mesh.vertices == 4 && mesh.triangles == 2); // -0 is 0
    refuse(ERGI_MESH_STL, "solid x\n",
           "a.mesh:2: the file is truncated: it ends where facet or endsolid");
    refuse(ERGI_MESH_STL, "solid x\nendsolid\n", "contains no triangles");
    refuse(ERGI_MESH_STL, "solid x\nfacet normal 0 0\n", "the file is truncated");
    refuse(ERGI_MESH_STL, "solid x\n" FACET(O, X, "0 nan 0") "endsolid",
           "a.mesh:6: expected a coordinate, a number up to 1e30, got 'nan'");
    refuse(ERGI_MESH_STL, "solid x\n" FACET(O, X, Y) "facet mormal",
           "expected normal, got 'mormal'");
    refuse(ERGI_MESH_STL,
           "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\nendfacet\nendsolid\n",
           "a facet needs 3 vertices, got 1");
    refuse(ERGI_MESH_STL, "hello\n", "which begins with 'solid'");
}

// ---- Binary ------------------------------------------------------------------------------------
static unsigned char file[4096];
static size_t        used;

static void put(const void *bytes, size_t size, bool big)
{
    for (size_t i = 0; i < size; i++)
        file[used + i] = ((const unsigned char *)bytes)[big ? size - 1 - i : i];
    used += size;
}

static void put_u32(uint32_t value, bool big)
{
    put(&value, 4, big);
}

static void put_float(float value, bool big)
{
    put(&value, 4, big);
}

static const float tetra[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int   faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void make_binary_stl(const char *header, bool big)
{
    memset(file, 0, sizeof file);
    memcpy(file, header, strlen(header));
    used = 80;
    put_u32(4, big);
    for (int t = 0; t < 4; t++) {
        for (int k = 0; k < 3; k++) put_float(0.0f, big);
        for (int k = 0; k < 9; k++) put_float(tetra[faces[t][k / 3]][k % 3], big);
        used += 2;
    }
}

TEST(stl_as_binary)
{
    const char *bytes = (const char *)file;
    make_binary_stl("from somewhere", false);
    CHECK(parse(ERGI_MESH_STL, bytes, used) == ERG_OK && mesh.vertices == 4 && is_closed());
    make_binary_stl("solid as some exporters write", false);
    CHECK(parse(ERGI_MESH_STL, bytes, used) == ERG_OK && is_closed());
    for (size_t size = 1; size < used; size++) {
        CHECK(parse(ERGI_MESH_STL, bytes, size) == ERG_BAD_INPUT);
        CHECK(strstr(err.text, "a.mesh:"));
    }
    make_binary_stl("big", true);
    CHECK(parse(ERGI_MESH_STL, bytes, used) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a.mesh: byte 80: the numbers are big endian, but STL is little endian");
    make_binary_stl("nan", false);
    used = 84 + 50 + 12 + 4;
    put_float(NAN, false);
    CHECK(parse(ERGI_MESH_STL, bytes, 284) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "a.mesh: byte 150: a coordinate is"));
    make_binary_stl("huge", false);
    used = 80;
    put_u32(0xffffffffu, false);
    CHECK(parse(ERGI_MESH_STL, bytes, 284) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "4294967295 triangles take 214748364834 bytes, but the file has 284"));
}

#define PLY_TOP "ply\nformat ascii 1.0\ncomment hello\n"
#define PLY_V "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_F "element face 4\nproperty list uchar int vertex_indices\n"
#define PLY_BODY "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

TEST(ply_as_text)
{
    CHECK(parse_text(ERGI_MESH_PLY, PLY_TOP PLY_V PLY_F "end_header\n" PLY_BODY) == ERG_OK);
    CHECK(mesh.vertices == 4 && is_closed());
    // further elements and properties, in between
    CHECK(parse_text(ERGI_MESH_PLY,
                     PLY_TOP "element camera 1\nproperty list uchar float view\n"
                             "element vertex 3\nproperty uchar red\nproperty double z\n"
                             "property double y\nproperty double x\n"
                             "element face 1\nproperty float q\nproperty list uint uint "
                             "vertex_index\nend_header\n2 1 1\n9 0 0 0\n9 0 0 1\n9 0 1 0\n0.5 3 0 "
                             "1 2") == ERG_OK);
    CHECK(mesh.triangles == 1 && mesh.vertex[1].x == 1.0 && mesh.vertex[2].y == 1.0);
}

TEST(ply_that_is_wrong)
{
    refuse(ERGI_MESH_PLY, "plx\n", "a.mesh:1: expected ply");
    refuse(ERGI_MESH_PLY, "ply\n", "ends within its header");
    refuse(ERGI_MESH_PLY, "ply\nend_header\n", "declares no format");
    refuse(ERGI_MESH_PLY, "ply\nformat ascii 2.0\n", "expected version 1.0, got '2.0'");
    refuse(ERGI_MESH_PLY, "ply\nformat utf8 1.0\n", "a.mesh:2: expected ascii, binary_little");
    refuse(ERGI_MESH_PLY, PLY_TOP "property float x\n", "a property before any element");
    refuse(ERGI_MESH_PLY, PLY_TOP "element vertex -1\n", "a.mesh:4: expected a count");
    refuse(ERGI_MESH_PLY, PLY_TOP "element vertex 4\nproperty half x\n", "such as float");
    refuse(ERGI_MESH_PLY, PLY_TOP "element vertex 9\nproperty list float int a\n", "whole number");
    refuse(ERGI_MESH_PLY, PLY_TOP PLY_V "end_header\n", "points alone do not form a surface");
    refuse(ERGI_MESH_PLY, PLY_TOP "element face 0\nend_header\n", "faces must come after");
    refuse(ERGI_MESH_PLY, PLY_TOP PLY_V PLY_V, "is declared twice");
    refuse(ERGI_MESH_PLY, PLY_TOP PLY_V "property int x\n", "is declared twice");
    refuse(ERGI_MESH_PLY, PLY_TOP "element vertex 4\nproperty float x\n" PLY_F "end_header\n",
           "a.mesh:4: vertices need the properties x, y and z");
    refuse(ERGI_MESH_PLY,
           PLY_TOP "element vertex 4000000000000\nproperty float x\nproperty float y\n"
                   "property float z\n" PLY_F "end_header\n" PLY_BODY,
           "a.mesh:4: the header declares 4000000000000 elements, but the remaining bytes hold at "
           "most");
    refuse(ERGI_MESH_PLY,
           PLY_TOP PLY_V PLY_F "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 "
                               "4\n3 0 3 2\n3 1 2 3\n",
           "a.mesh:16: a face refers to vertex 4, but there are 4");
    refuse(ERGI_MESH_PLY,
           PLY_TOP PLY_V PLY_F "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n2 0 2 1 1 1 1 1 1",
           "a face needs 3 corners, got 2");
    refuse(ERGI_MESH_PLY,
           PLY_TOP PLY_V PLY_F "end_header\n0 0 0\n1 0 nan\n0 1 0\n0 0 1\n3 0 2 1 1 1 1",
           "a.mesh:12: expected a number, got 'nan'");
    refuse(ERGI_MESH_PLY,
           PLY_TOP PLY_V PLY_F "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0", "truncated");
    refuse(ERGI_MESH_PLY, PLY_TOP "element void 3\n" PLY_V PLY_F "end_header\n" PLY_BODY,
           "an element without properties");
}

static void make_binary_ply(bool says_big, bool big)
{
    used = 0;
    char head[300];
    snprintf(head, sizeof head, "ply\nformat binary_%s_endian 1.0\n" PLY_V PLY_F "end_header\n",
             says_big ? "big" : "little");
    put(head, strlen(head), false);
    for (int i = 0; i < 12; i++) put_float(tetra[i / 3][i % 3], big);
    for (int t = 0; t < 4; t++) {
        file[used++] = 3;
        for (int k = 0; k < 3; k++) put_u32((uint32_t)faces[t][k], big);
    }
}

TEST(ply_as_binary)
{
    const char *bytes = (const char *)file;
    for (int big = 0; big < 2; big++) {
        make_binary_ply(big, big);
        CHECK(parse(ERGI_MESH_PLY, bytes, used) == ERG_OK && mesh.vertices == 4 && is_closed());
        for (size_t size = 1; size < used; size++)
            CHECK(parse(ERGI_MESH_PLY, bytes, size) == ERG_BAD_INPUT);
        make_binary_ply(big, !big);
        CHECK(parse(ERGI_MESH_PLY, bytes, used) == ERG_BAD_INPUT);
        CHECK(strstr(err.text, big ? "is the file little endian?" : "is the file big endian?"));
        CHECK(strstr(err.text, "a.mesh: byte "));
    }
}

// ---- Polygons ----------------------------------------------------------------------------------
static double area(void)
{
    return ergi_mesh_mass_of(&mesh).area;
}

TEST(polygons_become_triangles)
{
    CHECK(parse_text(ERGI_MESH_OBJ, "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n") == ERG_OK);
    CHECK(mesh.triangles == 2);
    CHECK_NEAR(area(), 2.0, 1e-15);
    // An L, begun at each of its corners in turn: fans overlap for most of them, area would be
    // larger than 3.
    for (int first = 0; first < 6; first++) {
        char text[200] = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf";
        for (int k = 0; k < 6; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %d", (first + k) % 6 + 1);
        CHECK(parse_text(ERGI_MESH_OBJ, text) == ERG_OK && mesh.triangles == 4);
        CHECK_NEAR(area(), 3.0, 1e-15);
    }
    // Corners in line are kept: neighbours may use them.
    CHECK(parse_text(ERGI_MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4 5\n") ==
          ERG_OK);
    CHECK(mesh.triangles == 3);
    CHECK_NEAR(area(), 2.0, 1e-15);
    // One that crosses itself has no right answer, but one of the right size.
    CHECK(parse_text(ERGI_MESH_OBJ, "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n") == ERG_OK);
    CHECK(mesh.triangles == 2);
}

// Few corners and many, so that both ear-clipping algorithms are used.
TEST(a_comb_of_many_corners)
{
    char *text = malloc(4000000);
    for (int teeth = 10; teeth <= 30000; teeth *= teeth < 1000 ? 10 : 30) {
        size_t at = 0;
        for (int i = 0; i < 2 * teeth; i++)
            at += (size_t)sprintf(text + at, "v %d %d 0\n", i, i % 2 ? 5 : 1);
        at += (size_t)sprintf(text + at, "v %d 0 0\nv 0 0 0\nf", 2 * teeth - 1);
        for (int i = 2 * teeth + 2; i > 0; i--) at += (size_t)sprintf(text + at, " %d", i);
        CHECK(parse(ERGI_MESH_OBJ, text, at) == ERG_OK && mesh.triangles == (size_t)(2 * teeth));
        CHECK_NEAR(area(), 3.0 * (2 * teeth - 1), 1e-9 * teeth); // mean height 3
    }
    free(text);
}

// A disc of 60,000 corners, a star and a spiral: right in area and number, and no corner of the
// disc has thousands of triangles, which made the search for crossings take minutes.
TEST(faces_of_60000_corners)
{
    enum { CORNERS = 60000 };
    char *text = malloc(CORNERS * 60);
    for (int kind = 0; kind < 3; kind++) {
        size_t at = 0;
        double twice = 0, first[2] = {0}, last[2] = {0};
        for (int i = 0; i < CORNERS; i++) {
            int    k = kind < 2 || i < CORNERS / 2 ? i : CORNERS - 1 - i; // out, and back beside it
            double turn = 2.0 * ERGI_PI * (kind < 2 ? 1.0 * i / CORNERS : 40.0 * k / CORNERS);
            double r = kind == 0 ? 1.0 : kind == 1 ? 1.0 - 0.5 * (i % 2) : 1.0 + turn;
            if (kind == 2 && k == i) r += 1.0; // the outer side
            double p[2] = {r * cos(turn), r * sin(turn)};
            at += (size_t)sprintf(text + at, "v %.17g %.17g 0\n", p[0], p[1]);
            if (i > 0) twice += last[0] * p[1] - last[1] * p[0];
            memcpy(i > 0 ? last : first, p, sizeof p);
            memcpy(last, p, sizeof p);
        }
        twice += last[0] * first[1] - last[1] * first[0];
        at += (size_t)sprintf(text + at, "f");
        for (int i = 1; i <= CORNERS; i++) at += (size_t)sprintf(text + at, " %d", i);
        CHECK(parse(ERGI_MESH_OBJ, text, at) == ERG_OK && mesh.triangles == CORNERS - 2);
        CHECK_NEAR(area(), 0.5 * fabs(twice), 1e-9 * fabs(twice));
        uint16_t *meets = calloc(CORNERS, sizeof *meets);
        int       most = 0;
        for (size_t t = 0; t < mesh.triangles; t++)
            for (int k = 0; k < 3; k++)
                if (++meets[mesh.triangle[t].v[k]] > most) most = meets[mesh.triangle[t].v[k]];
        printf("    at most %d triangles at a corner\n", most);
        CHECK(kind > 0 || most < 100);
        free(meets);
    }
    free(text);
}

// ---- Out and in again --------------------------------------------------------------------------
TEST(written_and_read_again)
{
    scratch s;
    scratch_open(&s);
    ergi_mesh   torus = shape_mesh(erg_primitive_default(ERG_PRIMITIVE_TORUS)), back;
    const char *ply = scratch_path(&s, "a.PLY"), *stl = scratch_path(&s, "a.stl");
    REQUIRE(ergi_mesh_write(ply, &torus, NULL) == ERG_OK);
    REQUIRE(ergi_mesh_read(ply, &back, NULL) == ERG_OK);
    CHECK(back.vertices == torus.vertices && back.triangles == torus.triangles);
    CHECK(memcmp(back.vertex, torus.vertex, torus.vertices * sizeof *torus.vertex) == 0);
    CHECK(memcmp(back.triangle, torus.triangle, torus.triangles * sizeof *torus.triangle) == 0);
    ergi_mesh_free(&back);

    REQUIRE(ergi_mesh_write(stl, &torus, NULL) == ERG_OK);
    REQUIRE(ergi_mesh_read(stl, &back, NULL) == ERG_OK);
    CHECK(back.vertices == torus.vertices && back.triangles == torus.triangles);
    for (size_t t = 0; t < torus.triangles; t++) {
        erg_vec3 p[3], q[3];
        ergi_mesh_corners(&torus, t, p);
        ergi_mesh_corners(&back, t, q);
        for (int k = 0; k < 3; k++)
            CHECK(q[k].x == (double)(float)p[k].x && q[k].z == (double)(float)p[k].z);
    }
    ergi_mesh_free(&back);
    CHECK(ergi_mesh_write(scratch_path(&s, "a.obj"), &torus, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "erg writes meshes as .stl or .ply"));
    CHECK(ergi_mesh_read(scratch_path(&s, "a.txt"), &back, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "end in .obj, .stl or .ply"));
    CHECK(ergi_mesh_read(scratch_path(&s, "no.stl"), &back, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "No such file"));
    CHECK(ergi_mesh_write(scratch_path(&s, "nowhere/a.ply"), &torus, &err) == ERG_IO);
    ergi_mesh_free(&torus);
    scratch_close(&s);
}

// ---- Damage ------------------------------------------------------------------------------------
// Every byte of a good file, in turn replaced by others: read or refused, never worse, and what is
// read passes the check that everything else relies on.
static void damage(ergi_mesh_format format)
{
    static const unsigned char others[] = {0, 1, 0x7f, 0x80, 0xff, ' ', '\n', '-', '9', 'e', '.'};
    static char                copy[sizeof file];
    for (size_t i = 0; i < used; i++)
        for (size_t k = 0; k < sizeof others; k++) {
            memcpy(copy, file, used);
            copy[i] = (char)others[k];
            if (parse(format, copy, used) == ERG_OK)
                CHECK(ergi_mesh_check(&mesh, NULL) == ERG_OK);
            else
                CHECK(strncmp(err.text, "a.mesh:", 7) == 0);
        }
}

static void take_text(const char *text)
{
    used = strlen(text);
    memcpy(file, text, used);
}

TEST(damaged_files)
{
    make_binary_stl("x", false);
    damage(ERGI_MESH_STL);
    make_binary_ply(false, false);
    damage(ERGI_MESH_PLY);
    make_binary_ply(true, true);
    damage(ERGI_MESH_PLY);
    take_text(PLY_TOP PLY_V PLY_F "end_header\n" PLY_BODY);
    damage(ERGI_MESH_PLY);
    take_text("solid a\n" FACET(O, Y, X) FACET(O, X, Z) "endsolid a\n");
    damage(ERGI_MESH_STL);
    take_text(TETRA_V "f 1 2 3 4\n" TETRA_F);
    damage(ERGI_MESH_OBJ);
    ergi_mesh_free(&mesh);
}

TEST_MAIN(obj, obj_that_is_wrong, stl_as_text, stl_as_binary, ply_as_text, ply_that_is_wrong,
          ply_as_binary, polygons_become_triangles, a_comb_of_many_corners, faces_of_60000_corners,
          written_and_read_again, damaged_files)
