// labels: asan
// Files of bodies: poses read back exactly, triangles are at the offsets given in the header, and a
// damaged file is rejected as a whole.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "geom/vec3.h"
#include "io/bodies_file.h"
#include "io/vtp_read.h"
#include "scratch.h"

static const double   corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void sample(ergi_posed_body bodies[2])
{
    for (uint32_t i = 0; i < 2; i++)
        bodies[i] = (ergi_posed_body){
            .pose = {3 + 4 * i,
                     {0.1 + i, 0.2, 1.0 / 3},
                     ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.5 * ERGI_PI)},
            .material = 5 + i,
            .vertices = corner,
            .vertex_count = 4,
            .triangles = face,
            .triangle_count = 4,
            .velocity = {i, 2, 3},
            .force = {0, 0, 7 + i}};
}

TEST(poses_are_read_as_they_were_written)
{
    for (size_t count = 0; count <= 2; count++) {
        scratch s;
        scratch_open(&s);
        const char     *path = scratch_path(&s, "bodies.vtp");
        ergi_posed_body bodies[2];
        erg_body_pose  *got = NULL;
        size_t          n = 9;
        erg_error       err = {0};
        sample(bodies);
        CHECK(ergi_bodies_write(path, 0.1, bodies, count, &err) == ERG_OK);
        REQUIRE(ergi_bodies_read(path, &got, &n, &err) == ERG_OK);
        CHECK(n == count);
        for (size_t i = 0; i < count; i++)
            CHECK(memcmp(&got[i], &bodies[i].pose, sizeof got[i]) == 0);
        ergi_memory_free(got);
        scratch_close(&s);
    }
}

TEST(triangles_stand_where_the_bodies_are)
{
    scratch s;
    scratch_open(&s);
    const char     *path = scratch_path(&s, "bodies.vtp");
    ergi_posed_body bodies[2];
    unsigned char  *file = NULL;
    size_t          size;
    erg_error       err = {0};
    ergi_vtp        vtp;
    ergi_raw_field  points, body, material, force;
    sample(bodies);
    REQUIRE(ergi_bodies_write(path, 0.25, bodies, 2, &err) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, &err) == ERG_OK);
    REQUIRE(!ergi_vtp_parse(&vtp, file, size));
    CHECK(vtp.time == 0.25);
    CHECK(strstr(vtp.text, "NumberOfPoints=\"8\"") && strstr(vtp.text, "NumberOfPolys=\"8\""));
    REQUIRE(ergi_vtp_find(&vtp, "Points", 'f', 3, 8, &points));
    REQUIRE(ergi_vtp_find(&vtp, "body", 'u', 1, 8, &body));
    REQUIRE(ergi_vtp_find(&vtp, "material", 'u', 1, 8, &material));
    REQUIRE(ergi_vtp_find(&vtp, "body_force", 'd', 3, 2, &force));
    // Vertex 1, (1, 0, 0), of the second body, turned to (0, 1, 0). Floats hold 24 bits.
    CHECK_NEAR(ergi_raw_number(&points, 5, 0), 1.1, 1.1 * 6e-8);
    CHECK_NEAR(ergi_raw_number(&points, 5, 1), 1.2, 1.2 * 6e-8);
    CHECK(ergi_raw_whole(&body, 3) == 3 && ergi_raw_whole(&body, 4) == 7);
    CHECK(ergi_raw_whole(&material, 3) == 5 && ergi_raw_whole(&material, 4) == 6);
    CHECK(ergi_raw_number(&force, 1, 2) == 8);
    // Vertex indices of the second body continue after those of the first; the file ends with them.
    const char *tail = "\n  </AppendedData>\n</VTKFile>\n", *text = (const char *)file + size;
    size_t      length = strlen(tail);
    CHECK(memcmp(text - length, tail, length) == 0);
    const unsigned char *offsets = (const unsigned char *)text - length - 64;
    const unsigned char *joined = offsets - 8 - 192;
    ergi_raw_field       ends = {offsets, 8, 'q'}, corners = {joined, 8, 'q'};
    for (size_t t = 0; t < 8; t++) CHECK(ergi_raw_whole(&ends, t) == 3 * (t + 1));
    for (size_t k = 0; k < 24; k++)
        CHECK(ergi_raw_whole(&corners, k) == face[k % 12] + (k < 12 ? 0 : 4));
    free(file);
    scratch_close(&s);
}

TEST(damaged_files_are_refused)
{
    scratch s;
    scratch_open(&s);
    const char     *path = scratch_path(&s, "bodies.vtp"), *hurt = scratch_path(&s, "hurt.vtp");
    ergi_posed_body bodies[2];
    unsigned char  *file = NULL;
    size_t          size, n;
    erg_error       err = {0};
    erg_body_pose  *got;
    sample(bodies);
    REQUIRE(ergi_bodies_write(path, 0.25, bodies, 2, &err) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, &err) == ERG_OK);
    // Cut anywhere before the end of the table.
    size_t table = (size_t)(strchr(strstr((char *)file, "<AppendedData"), '_') - (char *)file);
    for (size_t cut = 0; cut < table + 8 + 8 + 8 + 64 + 8 + 48; cut += 7) {
        REQUIRE(ergi_file_replace(hurt, file, cut, NULL, &err) == ERG_OK);
        CHECK(ergi_bodies_read(hurt, &got, &n, &err) == ERG_BAD_INPUT);
        CHECK(got == NULL && n == 0 && strstr(err.text, "hurt.vtp"));
    }
    // A byte changed: refused, or poses that are poses.
    ergi_random random = {.seed = 1};
    for (int i = 0; i < 2000; i++) {
        size_t        at = (size_t)(ergi_random_u64(&random) % size);
        unsigned char was = file[at];
        file[at] = (unsigned char)ergi_random_u64(&random);
        REQUIRE(ergi_file_replace(hurt, file, size, NULL, &err) == ERG_OK);
        if (ergi_bodies_read(hurt, &got, &n, &err) == ERG_OK) {
            for (size_t k = 0; k < n; k++) CHECK(ergi_finite(got[k].position));
            ergi_memory_free(got);
        }
        file[at] = was;
    }
    free(file);
    scratch_close(&s);
}

TEST_MAIN(poses_are_read_as_they_were_written, triangles_stand_where_the_bodies_are,
          damaged_files_are_refused)
