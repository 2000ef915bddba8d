#include "io/vtkhdf_index.h"

#include "base/memory.h"
#include "io/hdf5_buffer.h"
#include "io/particles.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct index {
    ergi_hdf5_buffer       *image;
    ergi_hdf5_buffer_piece *pieces; // of all frames
    int64_t                *number; // spheres of each frame
    int64_t                *first;  // first row of each frame
    int64_t                *ones, *part;
    double                 *time;
    size_t                  count, rows; // number of frames; total number of spheres
} index;

static erg_status add(index *x, const char *name, ergi_container_type type, const void *data,
                      erg_error *err)
{
    char full[64];
    snprintf(full, sizeof full, "VTKHDF/%s", name);
    return ergi_hdf5_buffer_add(x->image, &(ergi_container_item){full, type, 1, x->count, data},
                                err);
}

// The rows of all frames, concatenated; `more`: rows of a frame in addition to one per sphere.
static erg_status add_rows(index *x, const char *name, ergi_container_type type, int columns,
                           size_t more, erg_error *err)
{
    char full[64];
    snprintf(full, sizeof full, "VTKHDF/%s", name);
    const ergi_container_item item = {full, type, columns, x->rows + more * x->count, NULL};
    for (size_t i = 0; i < x->count; i++) x->pieces[i].rows = (size_t)x->number[i] + more;
    return ergi_hdf5_buffer_add_virtual(x->image, &item, x->pieces, x->count, err);
}

static erg_status add_arrays(index *x, bool terrain, erg_error *err)
{
    static const double   wide = 0;
    static const uint64_t whole = 0;
    static const uint32_t half = 0;
    const ergi_particles  every = {.radius = &wide,
                                   .velocity = &wide,
                                   .spin = &wide,
                                   .force = &wide,
                                   .stress = &wide,
                                   .orientation = &wide,
                                   .grain = &whole,
                                   .material = &half,
                                   .kind = &half,
                                   .coordination = &half,
                                   .frozen = terrain ? &half : NULL};
    ergi_particles_field  fields[ERGI_PARTICLES_FIELDS];
    size_t                count = ergi_particles_fields(&every, fields);
    erg_status            status = ERG_OK;
    for (size_t i = 0; i < count && status == ERG_OK; i++) {
        char name[48];
        snprintf(name, sizeof name, "PointData/%s", fields[i].name);
        status = add_rows(x, name, fields[i].type, fields[i].columns, 0, err);
        snprintf(name, sizeof name, "Steps/PointDataOffsets/%s", fields[i].name);
        if (status == ERG_OK) status = add(x, name, ERGI_CONTAINER_I64, x->first, err);
    }
    return status;
}

static erg_status fill(index *x, bool terrain, erg_error *err)
{
    const struct {
        const char         *name;
        ergi_container_type type;
        const void         *data;
    } arrays[] = {{"NumberOfPoints", ERGI_CONTAINER_I64, x->number},
                  {"NumberOfCells", ERGI_CONTAINER_I64, x->number},
                  {"NumberOfConnectivityIds", ERGI_CONTAINER_I64, x->number},
                  {"Steps/Values", ERGI_CONTAINER_F64, x->time},
                  {"Steps/PartOffsets", ERGI_CONTAINER_I64, x->part},
                  {"Steps/NumberOfParts", ERGI_CONTAINER_I64, x->ones},
                  {"Steps/PointOffsets", ERGI_CONTAINER_I64, x->first},
                  {"Steps/CellOffsets", ERGI_CONTAINER_I64, x->first},
                  {"Steps/ConnectivityIdOffsets", ERGI_CONTAINER_I64, x->first}};

    const int64_t version[2] = {2, 0}, steps = (int64_t)x->count;
    erg_status    status = ERG_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == ERG_OK; i++)
        status = add(x, arrays[i].name, arrays[i].type, arrays[i].data, err);
    if (status == ERG_OK) status = add_rows(x, "Points", ERGI_CONTAINER_F64, 3, 0, err);
    if (status == ERG_OK) status = add_rows(x, "Connectivity", ERGI_CONTAINER_I64, 1, 0, err);
    if (status == ERG_OK) status = add_rows(x, "Offsets", ERGI_CONTAINER_I64, 1, 1, err);
    if (status == ERG_OK) status = add_rows(x, "Types", ERGI_CONTAINER_U8, 1, 0, err);
    if (status == ERG_OK) status = add_arrays(x, terrain, err);
    if (status == ERG_OK)
        status = ergi_hdf5_buffer_set_integers(x->image, "VTKHDF", "Version", version, 2, err);
    if (status == ERG_OK)
        status = ergi_hdf5_buffer_set_text(x->image, "VTKHDF", "Type", "UnstructuredGrid", err);
    if (status == ERG_OK)
        status = ergi_hdf5_buffer_set_integers(x->image, "VTKHDF/Steps", "NSteps", &steps, 1, err);
    return status;
}

static void place_frames(index *x, const ergi_vtkhdf_frame *frames)
{
    for (size_t i = 0; i < x->count; i++) {
        x->pieces[i] = (ergi_hdf5_buffer_piece){frames[i].file, frames[i].spheres};
        x->number[i] = (int64_t)frames[i].spheres;
        x->time[i] = frames[i].time;
        x->first[i] = (int64_t)x->rows;
        x->part[i] = (int64_t)i;
        x->ones[i] = 1;
        x->rows += frames[i].spheres;
    }
}

static erg_status write(index *x, const char *path, bool terrain, erg_error *err)
{
    unsigned char *bytes = NULL;
    size_t         size = 0;
    erg_status     status = ergi_hdf5_buffer_create(0, 2560 * x->count, &x->image, err);
    if (status == ERG_OK) status = fill(x, terrain, err);
    if (status == ERG_OK) status = ergi_hdf5_buffer_finish(x->image, &bytes, &size, err);
    ergi_hdf5_buffer_free(x->image);
    if (status == ERG_OK) status = ergi_file_replace(path, bytes, size, NULL, err);
    free(bytes);
    return status;
}

erg_status ergi_vtkhdf_index(const char *path, const ergi_vtkhdf_frame *frames, size_t count,
                             bool terrain, erg_error *err)
{
    erg_status status = ergi_hdf5_buffer_built(err);
    if (status != ERG_OK || count == 0) return status;
    int64_t *columns = ergi_memory_new(4 * count, sizeof *columns, "the index of snapshots", err);
    index    x = {.count = count};
    x.pieces = ergi_memory_new(count, sizeof *x.pieces, "the index of snapshots", err);
    x.time = ergi_memory_new(count, sizeof *x.time, "the index of snapshots", err);
    if (!columns || !x.pieces || !x.time) status = ERG_NO_MEMORY;
    if (status == ERG_OK) {
        x.number = columns;
        x.first = columns + count;
        x.ones = columns + 2 * count;
        x.part = columns + 3 * count;
        place_frames(&x, frames);
        status = write(&x, path, terrain, err);
    }
    ergi_memory_free(columns);
    ergi_memory_free(x.pieces);
    ergi_memory_free(x.time);
    return status;
}
