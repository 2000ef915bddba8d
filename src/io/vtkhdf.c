#include "io/vtkhdf.h"

#include "base/error.h"
#include "io/hdf5_buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static erg_status add(ergi_hdf5_buffer *image, const char *name, ergi_container_type type,
                      int columns, size_t rows, const void *data, erg_error *err)
{
    char full[64];
    snprintf(full, sizeof full, "VTKHDF/%s", name);
    const ergi_container_item item = {full, type, columns, rows, data};
    return ergi_hdf5_buffer_add(image, &item, err);
}

static erg_status add_field(ergi_hdf5_buffer *image, const ergi_particles_field *field, size_t rows,
                            void *scratch, erg_error *err)
{
    char name[48];
    snprintf(name, sizeof name, "PointData/%s", field->name);
    const void *data = field->data;
    if (field->type == ERGI_CONTAINER_F32) {
        const double *from = field->data;
        float        *to = scratch;
        for (size_t i = 0; i < rows * (size_t)field->columns; i++) to[i] = (float)from[i];
        data = scratch;
    }
    return add(image, name, field->type, field->columns, rows, data, err);
}

// One vertex cell per sphere: cell i is point i. `scratch` holds 24 bytes per row and 8 more.
static erg_status add_cells(ergi_hdf5_buffer *image, size_t count, void *scratch, erg_error *err)
{
    int64_t   *numbers = scratch;
    const char vertex = 1; // VTK_VERTEX
    for (size_t i = 0; i <= count; i++) numbers[i] = (int64_t)i;
    erg_status status = add(image, "Connectivity", ERGI_CONTAINER_I64, 1, count, numbers, err);
    if (status == ERG_OK)
        status = add(image, "Offsets", ERGI_CONTAINER_I64, 1, count + 1, numbers, err);
    memset(scratch, vertex, count);
    if (status == ERG_OK) status = add(image, "Types", ERGI_CONTAINER_U8, 1, count, scratch, err);
    return status;
}

static erg_status fill(ergi_hdf5_buffer *image, const ergi_particles *particles, void *scratch,
                       erg_error *err)
{
    static const char *const counts[] = {"NumberOfPoints", "NumberOfCells",
                                         "NumberOfConnectivityIds"};

    size_t               count = particles->count;
    int64_t              signed_count = (int64_t)count;
    ergi_particles_field fields[ERGI_PARTICLES_FIELDS];
    size_t               field_count = ergi_particles_fields(particles, fields);

    erg_status status = ERG_OK;
    for (size_t i = 0; i < 3 && status == ERG_OK; i++)
        status = add(image, counts[i], ERGI_CONTAINER_I64, 1, 1, &signed_count, err);
    if (status == ERG_OK)
        status = add(image, "Points", ERGI_CONTAINER_F64, 3, count, particles->position, err);
    if (status == ERG_OK) status = add_cells(image, count, scratch, err);
    for (size_t i = 0; i < field_count && status == ERG_OK; i++)
        status = add_field(image, &fields[i], count, scratch, err);
    if (status == ERG_OK)
        status = add(image, "FieldData/TimeValue", ERGI_CONTAINER_F64, 1, 1, &particles->time, err);

    const int64_t version[2] = {1, 0};
    if (status == ERG_OK)
        status = ergi_hdf5_buffer_set_integers(image, "VTKHDF", "Version", version, 2, err);
    if (status == ERG_OK)
        status = ergi_hdf5_buffer_set_text(image, "VTKHDF", "Type", "UnstructuredGrid", err);
    return status;
}

erg_status ergi_vtkhdf_write(const char *path, const ergi_particles *particles, erg_error *err)
{
    erg_status status = ergi_particles_check(particles, err);
    if (status == ERG_OK) status = ergi_hdf5_buffer_built(err);
    if (status != ERG_OK) return status;

    size_t scratch_bytes = 24 * particles->count + 8;
    void  *scratch = malloc(scratch_bytes);
    if (!scratch) return ergi_fail_memory(err, scratch_bytes, "a snapshot");

    // About 180 bytes per sphere: position, cell, and the fields.
    ergi_hdf5_buffer *image;
    unsigned char    *bytes = NULL;
    size_t            size = 0;
    status = ergi_hdf5_buffer_create(0, 180 * particles->count, &image, err);
    if (status == ERG_OK) status = fill(image, particles, scratch, err);
    if (status == ERG_OK) status = ergi_hdf5_buffer_finish(image, &bytes, &size, err);
    ergi_hdf5_buffer_free(image);
    ergi_file *file = NULL;
    if (status == ERG_OK) status = ergi_file_begin(path, &file, err);
    if (status == ERG_OK) {
        unsigned char seal[ERGI_VTKHDF_SEAL];
        ergi_vtkhdf_seal(bytes, size, particles->time, seal);
        ergi_file_write(file, bytes, size);
        ergi_file_write(file, seal, sizeof seal);
        status = ergi_file_commit(file, NULL, err);
    }
    free(bytes);
    free(scratch);
    return status;
}
