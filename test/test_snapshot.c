// labels: asan
// Snapshots read back as written, and damaged ones are rejected as a whole.
#include "base/random.h"
#include "check.h"
#include "io/ply.h"
#include "io/snapshot.h"
#include "io/vtkhdf.h"
#include "io/vtp.h"
#include "sample_particles.h"
#include "scratch.h"

static erg_status write_as(const char *path, const ergi_particles *particles, erg_error *err)
{
    return strstr(path, ".ply")   ? ergi_ply_write(path, particles, err)
           : strstr(path, ".hdf") ? ergi_vtkhdf_write(path, particles, err)
                                  : ergi_vtp_write(path, particles, err);
}

// The last needs HDF5.
static const char *const NAMES[] = {"a.vtp", "a.ply", "a.hdf"}, *const HURT[] = {"b.vtp", "b.ply",
                                                                                 "b.hdf"};
enum { FORMATS = ERG_WITH_HDF5 ? 3 : 2 };

TEST(what_was_written_is_read)
{
    for (int format = 0; format < FORMATS; format++)
        for (size_t count = 0; count <= 5; count += 5) {
            scratch s;
            scratch_open(&s);
            const char    *path = scratch_path(&s, NAMES[format]);
            ergi_particles particles = sample_particles(count);
            ergi_snapshot  got;
            erg_error      err = {0};
            double         time = 0;
            CHECK(write_as(path, &particles, &err) == ERG_OK);
            CHECK(ergi_snapshot_time(path, &time, &err) == ERG_OK && time == 0.1);
            REQUIRE(ergi_snapshot_read(path, &got, &err) == ERG_OK);
            CHECK(got.count == count && got.time == 0.1);
            for (size_t i = 0; i < count; i++) {
                for (size_t k = 0; k < 3; k++) {
                    CHECK(got.position[3 * i + k] == sample_position[3 * i + k]);
                    CHECK(got.velocity[3 * i + k] == (double)(float)sample_velocity[3 * i + k]);
                }
                CHECK(got.radius[i] == (double)(float)sample_radius[i]);
                CHECK(got.grain[i] == sample_grain[i] && got.material[i] == sample_material[i]);
            }
            ergi_snapshot_free(&got);
            scratch_close(&s);
        }
}

TEST(what_is_missing_has_a_default)
{
    for (int format = 0; format < FORMATS; format++) {
        scratch s;
        scratch_open(&s);
        const char    *path = scratch_path(&s, NAMES[format]);
        ergi_particles bare = {
            .time = 2, .count = 2, .position = sample_position, .radius = sample_radius};
        ergi_snapshot got;
        erg_error     err = {0};
        CHECK(write_as(path, &bare, &err) == ERG_OK);
        REQUIRE(ergi_snapshot_read(path, &got, &err) == ERG_OK);
        CHECK(got.velocity[4] == 0 && got.grain[1] == 2 && got.material[1] == 1);
        ergi_snapshot_free(&got);
        scratch_close(&s);
    }
}

// Cut anywhere it is refused; with flipped bytes it is refused or read whole, and nothing is read
// beyond its end (the address sanitizer looks).
TEST(damaged_files_do_no_harm)
{
    for (int format = 0; format < FORMATS; format++) {
        scratch s;
        scratch_open(&s);
        const char    *path = scratch_path(&s, NAMES[format]);
        const char    *hurt = scratch_path(&s, HURT[format]);
        ergi_particles particles = sample_particles(5);
        erg_error      err = {0};
        unsigned char *bytes;
        size_t         size;
        REQUIRE(write_as(path, &particles, &err) == ERG_OK);
        REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK);
        ergi_snapshot got;
        size_t        needed = format ? size : size - 100; // a .vtp ends with what is not used
        for (size_t cut = 0; cut < needed; cut += 7) {
            REQUIRE(ergi_file_replace(hurt, bytes, cut, NULL, &err) == ERG_OK);
            erg_status status = ergi_snapshot_read(hurt, &got, &err);
            if (status == ERG_OK) ergi_snapshot_free(&got);
            CHECK(status == ERG_BAD_INPUT || cut > size - 250);
            if (status == ERG_BAD_INPUT) CHECK(strstr(err.text, "b.") != NULL);
        }
        ergi_random r = {.seed = 5};
        for (int i = 0; i < 400; i++) {
            size_t        at = (size_t)(ergi_random_uniform(&r) * (double)size);
            unsigned char was = bytes[at];
            bytes[at] = (unsigned char)(ergi_random_uniform(&r) * 256);
            REQUIRE(ergi_file_replace(hurt, bytes, size, NULL, &err) == ERG_OK);
            if (ergi_snapshot_read(hurt, &got, &err) == ERG_OK) {
                CHECK(got.count <= size);
                CHECK(format != 2 || bytes[at] == was); // HDF5 must never see a damaged file
                ergi_snapshot_free(&got);
            }
            bytes[at] = was;
        }
        free(bytes);
        scratch_close(&s);
    }
}

TEST_MAIN(what_was_written_is_read, what_is_missing_has_a_default, damaged_files_do_no_harm)
