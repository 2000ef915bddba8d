// labels: asan
// The .hdf snapshot contains the datasets that ParaView's reader requires, with the right values.
#include "check.h"
#include "io/hdf5_buffer.h"
#include "io/vtkhdf.h"
#include "io/vtkhdf_index.h"
#include "sample_particles.h"
#include "scratch.h"

#include <unistd.h>

#if ERG_WITH_HDF5
#include <hdf5.h>
#endif

static bool not_built(const char *path, const ergi_particles *particles)
{
    if (ergi_hdf5_buffer_built(NULL) == ERG_OK) return false;
    erg_error err = {0};
    CHECK(ergi_vtkhdf_write(path, particles, &err) == ERG_NOT_BUILT);
    CHECK(strncmp(err.text, "this build of erg has no HDF5; ", 31) == 0);
    CHECK(!scratch_exists(path));
    return true;
}

static const ergi_container_item *find(const ergi_container_item *items, size_t count,
                                       const char *name, ergi_container_type type, int columns,
                                       size_t rows)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i].name, name) == 0 && items[i].type == type &&
            items[i].columns == columns && items[i].rows == rows)
            return &items[i];
    printf("    no array %s of that kind\n", name);
    return NULL;
}

static bool contains(const unsigned char *bytes, size_t size, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, text, length) == 0) return true;
    return false;
}

TEST(datasets_of_an_unstructured_grid)
{
    scratch s;
    scratch_open(&s);
    const char          *path = scratch_path(&s, "a.hdf");
    erg_error            err = {0};
    unsigned char       *bytes;
    size_t               size, count;
    ergi_container_item *items;
    for (size_t n = 0; n <= 5; n += 5) {
        ergi_particles particles = sample_particles(n);
        if (not_built(path, &particles)) continue;
        REQUIRE(ergi_vtkhdf_write(path, &particles, &err) == ERG_OK);
        REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK);
        REQUIRE(ergi_hdf5_buffer_read(bytes, size, path, &items, &count, &err) == ERG_OK);
        CHECK(contains(bytes, size, "UnstructuredGrid") && contains(bytes, size, "Version"));
        CHECK(count == 13);

        const ergi_container_item *number =
            find(items, count, "VTKHDF/NumberOfPoints", ERGI_CONTAINER_I64, 1, 1);
        CHECK(number && *(const int64_t *)number->data == (int64_t)n);
        CHECK(find(items, count, "VTKHDF/NumberOfCells", ERGI_CONTAINER_I64, 1, 1));
        CHECK(find(items, count, "VTKHDF/NumberOfConnectivityIds", ERGI_CONTAINER_I64, 1, 1));
        CHECK(find(items, count, "VTKHDF/PointData/velocity", ERGI_CONTAINER_F32, 3, n));
        CHECK(find(items, count, "VTKHDF/PointData/orientation", ERGI_CONTAINER_F32, 4, n));
        const ergi_container_item *points =
            find(items, count, "VTKHDF/Points", ERGI_CONTAINER_F64, 3, n);
        const ergi_container_item *cells =
            find(items, count, "VTKHDF/Connectivity", ERGI_CONTAINER_I64, 1, n);
        const ergi_container_item *offsets =
            find(items, count, "VTKHDF/Offsets", ERGI_CONTAINER_I64, 1, n + 1);
        const ergi_container_item *types =
            find(items, count, "VTKHDF/Types", ERGI_CONTAINER_U8, 1, n);
        const ergi_container_item *radius =
            find(items, count, "VTKHDF/PointData/radius", ERGI_CONTAINER_F32, 1, n);
        const ergi_container_item *grain =
            find(items, count, "VTKHDF/PointData/grain", ERGI_CONTAINER_U64, 1, n);
        const ergi_container_item *material =
            find(items, count, "VTKHDF/PointData/material", ERGI_CONTAINER_U32, 1, n);
        const ergi_container_item *time =
            find(items, count, "VTKHDF/FieldData/TimeValue", ERGI_CONTAINER_F64, 1, 1);
        REQUIRE(points && cells && offsets && types && radius && grain && material && time);
        CHECK(*(const double *)time->data == 0.1);
        CHECK(memcmp(points->data, sample_position, 24 * n) == 0);
        CHECK(memcmp(grain->data, sample_grain, 8 * n) == 0);
        CHECK(memcmp(material->data, sample_material, 4 * n) == 0);
        for (size_t i = 0; i < n; i++) {
            CHECK(((const int64_t *)cells->data)[i] == (int64_t)i);
            CHECK(((const int64_t *)offsets->data)[i + 1] == (int64_t)i + 1);
            CHECK(((const uint8_t *)types->data)[i] == 1);
            CHECK(((const float *)radius->data)[i] == (float)sample_radius[i]);
        }
        CHECK(((const int64_t *)offsets->data)[0] == 0);
        ergi_hdf5_buffer_free_items(items, count);
        free(bytes);
    }
    scratch_close(&s);
}

TEST(same_spheres_same_bytes)
{
    scratch s;
    scratch_open(&s);
    const char    *a = scratch_path(&s, "a.hdf"), *b = scratch_path(&s, "b.hdf");
    ergi_particles particles = sample_particles(5);
    unsigned char *x, *y;
    size_t         nx, ny;
    if (not_built(a, &particles)) {
        scratch_close(&s);
        return;
    }
    CHECK(ergi_vtkhdf_write(a, &particles, NULL) == ERG_OK);
    sleep(1); // a stored date would differ
    CHECK(ergi_vtkhdf_write(b, &particles, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(a, &x, &nx, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(b, &y, &ny, NULL) == ERG_OK);
    CHECK(nx == ny && memcmp(x, y, nx) == 0);
    free(x);
    free(y);
    scratch_close(&s);
}

// The rows of three frames, one of them empty, are found through the index; from another folder.
TEST(an_index_holds_all_frames)
{
    static const size_t     spheres[] = {5, 0, 3};
    static const char       names[][16] = {"f-0.hdf", "f-1.hdf", "f-2.hdf"};
    const ergi_vtkhdf_frame frames[] = {{names[0], 5, 0.5}, {names[1], 0, 1.5}, {names[2], 3, 2.5}};
    scratch                 s;
    scratch_open(&s);
    erg_error   err = {0};
    const char *path = scratch_path(&s, "all.hdf");
    bool        built = ergi_hdf5_buffer_built(NULL) == ERG_OK;
    for (int i = 0; i < 3 && built; i++) {
        ergi_particles particles = sample_particles(spheres[i]);
        CHECK(ergi_vtkhdf_write(scratch_path(&s, names[i]), &particles, &err) == ERG_OK);
    }
    CHECK(ergi_vtkhdf_index(path, frames, 3, false, &err) == (built ? ERG_OK : ERG_NOT_BUILT));
#if ERG_WITH_HDF5
    double  position[24] = {0}, values[3] = {0};
    float   radius[8] = {0};
    int64_t offsets[11] = {0}, first[3] = {0};
    hid_t   file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    REQUIRE(file >= 0);
    const struct {
        const char *name;
        hid_t       type;
        void       *to;
    } sets[] = {{"VTKHDF/Points", H5T_NATIVE_DOUBLE, position},
                {"VTKHDF/PointData/radius", H5T_NATIVE_FLOAT, radius},
                {"VTKHDF/Offsets", H5T_NATIVE_INT64, offsets},
                {"VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, values},
                {"VTKHDF/Steps/PointOffsets", H5T_NATIVE_INT64, first}};
    for (int i = 0; i < 5; i++) {
        hid_t set = H5Dopen2(file, sets[i].name, H5P_DEFAULT);
        CHECK(H5Dread(set, sets[i].type, H5S_ALL, H5S_ALL, H5P_DEFAULT, sets[i].to) >= 0);
        H5Dclose(set);
    }
    H5Fclose(file);
    CHECK(memcmp(position, sample_position, 15 * sizeof *position) == 0);
    CHECK(memcmp(position + 15, sample_position, 9 * sizeof *position) == 0);
    for (size_t i = 0; i < 8; i++) CHECK(radius[i] == (float)sample_radius[i < 5 ? i : i - 5]);
    CHECK(values[0] == 0.5 && values[1] == 1.5 && values[2] == 2.5);
    CHECK(first[0] == 0 && first[1] == 5 && first[2] == 5);
    CHECK(offsets[5] == 5 && offsets[6] == 0 && offsets[7] == 0 && offsets[10] == 3);
#endif
    scratch_close(&s);
}

TEST_MAIN(datasets_of_an_unstructured_grid, same_spheres_same_bytes, an_index_holds_all_frames)
