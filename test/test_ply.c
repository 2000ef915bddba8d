// labels: asan
// The header byte for byte, and each row at its offset.
#include "check.h"
#include "io/ply.h"
#include "sample_particles.h"
#include "scratch.h"

static double take_double(const unsigned char *at)
{
    uint64_t bits = 0;
    double   value;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)at[i] << (8 * i);
    memcpy(&value, &bits, 8);
    return value;
}

static uint32_t take_uint(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float take_float(const unsigned char *at)
{
    uint32_t bits = take_uint(at);
    float    value;
    memcpy(&value, &bits, 4);
    return value;
}

TEST(header_and_rows)
{
    static const char header[] =
        "ply\nformat binary_little_endian 1.0\ncomment time 0.1\nelement vertex 5\n"
        "property double x\nproperty double y\nproperty double z\nproperty float radius\n"
        "property float vx\nproperty float vy\nproperty float vz\n"
        "property float qx\nproperty float qy\nproperty float qz\nproperty float qw\n"
        "property double grain\nproperty uint material\nend_header\n";
    enum { ROW = 24 + 4 + 12 + 16 + 8 + 4 };

    scratch s;
    scratch_open(&s);
    const char    *path = scratch_path(&s, "a.ply");
    ergi_particles particles = sample_particles(5);
    unsigned char *file;
    size_t         size, start = strlen(header);
    REQUIRE(ergi_ply_write(path, &particles, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, NULL) == ERG_OK);
    REQUIRE(size == start + 5 * ROW);
    CHECK(memcmp(file, header, start) == 0);
    for (size_t i = 0; i < 5; i++) {
        const unsigned char *row = file + start + ROW * i;
        CHECK(take_double(row + 16) == sample_position[3 * i + 2]);
        CHECK(take_float(row + 24) == (float)sample_radius[i]);
        CHECK(take_float(row + 28) == (float)sample_velocity[3 * i]);
        CHECK(take_float(row + 52) == (float)sample_orientation[4 * i + 3]);
        CHECK(take_double(row + 56) == (double)sample_grain[i]);
        CHECK(take_uint(row + 64) == sample_material[i]);
    }
    free(file);
    scratch_close(&s);
}

TEST(only_what_is_there)
{
    scratch s;
    scratch_open(&s);
    const char    *path = scratch_path(&s, "a.ply");
    ergi_particles particles = {.count = 1, .position = sample_position, .radius = sample_radius};
    unsigned char *file;
    size_t         size;
    REQUIRE(ergi_ply_write(path, &particles, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, NULL) == ERG_OK);
    CHECK(!strstr((char *)file, "vx") && !strstr((char *)file, "grain"));
    free(file);
    scratch_close(&s);
}

TEST(ids_that_do_not_fit_are_refused)
{
    scratch s;
    scratch_open(&s);
    const char    *path = scratch_path(&s, "a.ply");
    ergi_particles particles = sample_particles(1);
    const uint64_t id = ((uint64_t)1 << 53) + 1;
    erg_error      err = {0};
    particles.grain = &id;
    CHECK(ergi_ply_write(path, &particles, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "PLY holds grain ids up to 2^53, got 9007199254740993"));
    CHECK(!scratch_exists(path));
    CHECK(ergi_ply_write("/dev/full", &(ergi_particles){0}, &err) == ERG_IO);
    scratch_close(&s);
}

TEST_MAIN(header_and_rows, only_what_is_there, ids_that_do_not_fit_are_refused)
