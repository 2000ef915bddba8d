// labels: asan
// The .vtp file is parsed by its own header: every array is complete and at its offset.
#include "check.h"
#include "io/vtp.h"
#include "sample_particles.h"
#include "scratch.h"

static uint64_t take(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

// The data of the array `name`, which must hold `bytes`; NULL when anything does not fit.
static const unsigned char *find(const unsigned char *file, size_t size, const char *name,
                                 const char *type, uint64_t bytes)
{
    char        want[128];
    const char *xml = (const char *)file, *mark = strstr(xml, "<AppendedData encoding=\"raw\">");
    snprintf(want, sizeof want, "<DataArray type=\"%s\" Name=\"%s\"", type, name);
    const char *array = strstr(xml, want), *offset = array ? strstr(array, "offset=\"") : NULL;
    if (!mark || !offset || array > mark) return NULL;
    mark = strchr(mark, '_');
    const unsigned char *at = (const unsigned char *)mark + 1 + strtoull(offset + 8, NULL, 10);
    if (at + 8 + bytes > file + size || take(at, 8) != bytes) return NULL;
    return at + 8;
}

TEST(arrays_are_where_the_header_says)
{
    scratch s;
    scratch_open(&s);
    const char    *path = scratch_path(&s, "a.vtp");
    ergi_particles particles = sample_particles(5);
    erg_error      err = {0};
    unsigned char *file;
    size_t         size;
    REQUIRE(ergi_vtp_write(path, &particles, &err) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, &err) == ERG_OK);
    CHECK(strstr((char *)file, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<"));
    CHECK(strstr((char *)file, "NumberOfPoints=\"5\" NumberOfVerts=\"5\""));

    const unsigned char *points = find(file, size, "Points", "Float64", 120);
    const unsigned char *radius = find(file, size, "radius", "Float32", 20);
    const unsigned char *velocity = find(file, size, "velocity", "Float32", 60);
    const unsigned char *grain = find(file, size, "grain", "UInt64", 40);
    const unsigned char *material = find(file, size, "material", "UInt32", 20);
    const unsigned char *joined = find(file, size, "connectivity", "Int64", 40);
    const unsigned char *offsets = find(file, size, "offsets", "Int64", 40);
    CHECK(find(file, size, "orientation", "Float32", 80) != NULL);
    CHECK(!strstr((char *)file, "Name=\"force\""));
    REQUIRE(points && radius && velocity && grain && material && joined && offsets);
    for (size_t i = 0; i < 5; i++) {
        double   x;
        float    r, v;
        uint64_t bits = take(points + 24 * i + 8, 8);
        uint32_t rbits = (uint32_t)take(radius + 4 * i, 4);
        uint32_t vbits = (uint32_t)take(velocity + 12 * i + 4, 4);
        memcpy(&x, &bits, 8);
        memcpy(&r, &rbits, 4);
        memcpy(&v, &vbits, 4);
        CHECK(x == sample_position[3 * i + 1]);
        CHECK(r == (float)sample_radius[i] && v == (float)sample_velocity[3 * i + 1]);
        CHECK(take(grain + 8 * i, 8) == sample_grain[i]);
        CHECK(take(material + 4 * i, 4) == sample_material[i]);
        CHECK(take(joined + 8 * i, 8) == i && take(offsets + 8 * i, 8) == i + 1);
    }
    const char tail[] = "\n  </AppendedData>\n</VTKFile>\n";
    CHECK(offsets + 40 + strlen(tail) == file + size);
    CHECK(memcmp(offsets + 40, tail, strlen(tail)) == 0);
    free(file);
    scratch_close(&s);
}

TEST(no_spheres_are_a_file_too)
{
    scratch s;
    scratch_open(&s);
    const char    *path = scratch_path(&s, "a.vtp");
    ergi_particles none = {.time = 2};
    unsigned char *file;
    size_t         size;
    REQUIRE(ergi_vtp_write(path, &none, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, NULL) == ERG_OK);
    CHECK(find(file, size, "Points", "Float64", 0) != NULL);
    CHECK(find(file, size, "offsets", "Int64", 0) != NULL);
    free(file);
    none.count = 1;
    erg_error err = {0};
    CHECK(ergi_vtp_write(path, &none, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a snapshot of 1 spheres has no positions");
    scratch_close(&s);
}

TEST(pvd_lists_files_and_times)
{
    scratch s;
    scratch_open(&s);
    const char              *path = scratch_path(&s, "erg.pvd");
    const erg_snapshot_entry entries[2] = {{"erg-000000.vtp", 0}, {"a&\"<b>.vtp", 1.0 / 3}};
    unsigned char           *file;
    size_t                   size;
    REQUIRE(ergi_pvd_write(path, entries, 2, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(path, &file, &size, NULL) == ERG_OK);
    CHECK_STR((char *)file,
              "<?xml version=\"1.0\"?>\n"
              "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
              "  <Collection>\n"
              "    <DataSet timestep=\"0\" part=\"0\" file=\"erg-000000.vtp\"/>\n"
              "    <DataSet timestep=\"0.3333333333333333\" part=\"0\" "
              "file=\"a&amp;&quot;&lt;b&gt;.vtp\"/>\n"
              "  </Collection>\n"
              "</VTKFile>\n");
    free(file);
    scratch_close(&s);
}

TEST(a_full_disk_is_told)
{
    ergi_particles particles = sample_particles(5);
    erg_error      err = {0};
    CHECK(ergi_vtp_write("/dev/full", &particles, &err) == ERG_IO);
    CHECK_STR(err.text, "could not write /dev/full: No space left on device");
    CHECK(ergi_pvd_write("/dev/full", NULL, 0, &err) == ERG_IO);
}

TEST_MAIN(arrays_are_where_the_header_says, no_spheres_are_a_file_too, pvd_lists_files_and_times,
          a_full_disk_is_told)
