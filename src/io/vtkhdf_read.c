// Reads VTKHDF snapshots back. HDF5 may crash on a damaged file, so the seal at its end is checked
// first.
#include "base/error.h"
#include "base/memory.h"
#include "io/hdf5_buffer.h"
#include "io/vtkhdf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static erg_status refuse(const char *path, const char *why, erg_error *err)
{
    return ergi_fail_code(
        err, ERG_ERROR_BAD_FILE,
        "'%s' is not a snapshot of erg, or is damaged (%s): remove it, or run the scene again",
        path, why);
}

erg_status ergi_vtkhdf_time(const char *path, double *time, erg_error *err)
{
    unsigned char seal[ERGI_VTKHDF_SEAL];
    FILE         *file = fopen(path, "rb");
    if (!file)
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "cannot read '%s': %s", path,
                              strerror(errno));
    bool there = fseek(file, -(long)sizeof seal, SEEK_END) == 0 &&
                 fread(seal, 1, sizeof seal, file) == sizeof seal;
    fclose(file);
    const char *why = there ? ergi_vtkhdf_seal_time(seal, time) : "too short";
    if (!why && !isfinite(*time)) why = "no time";
    return why ? refuse(path, why, err) : ERG_OK;
}

// ---- Arrays ------------------------------------------------------------------------------------
typedef struct arrays {
    const ergi_container_item *item;
    size_t                     count;
} arrays;

// The data of the array with this name and shape; NULL: there is none.
static const void *find(const arrays *a, const char *name, ergi_container_type type, int columns,
                        size_t rows)
{
    for (size_t i = 0; i < a->count; i++) {
        const ergi_container_item *item = &a->item[i];
        if (strcmp(item->name, name) == 0 && item->type == type && item->columns == columns &&
            item->rows == rows)
            return item->data;
    }
    return NULL;
}

static void widen(const float *from, size_t count, double *to)
{
    for (size_t i = 0; from && i < count; i++) to[i] = (double)from[i];
}

static const char *copy(const arrays *a, ergi_snapshot *out)
{
    size_t        n = out->count;
    const double *position = find(a, "VTKHDF/Points", ERGI_CONTAINER_F64, 3, n);
    const float  *radius = find(a, "VTKHDF/PointData/radius", ERGI_CONTAINER_F32, 1, n);
    if (!position || !radius) return "positions or radii are missing";
    memcpy(out->position, position, 3 * n * sizeof *position);
    widen(radius, n, out->radius);
    widen(find(a, "VTKHDF/PointData/velocity", ERGI_CONTAINER_F32, 3, n), 3 * n, out->velocity);
    const uint64_t *grain = find(a, "VTKHDF/PointData/grain", ERGI_CONTAINER_U64, 1, n);
    const uint32_t *material = find(a, "VTKHDF/PointData/material", ERGI_CONTAINER_U32, 1, n);
    for (size_t i = 0; i < n; i++) {
        out->grain[i] = grain ? grain[i] : i + 1;
        out->material[i] = material ? material[i] : 1;
    }
    return NULL;
}

erg_status ergi_vtkhdf_read(const char *path, ergi_snapshot *out, erg_error *err)
{
    unsigned char       *bytes = NULL;
    size_t               size = 0, count = 0;
    ergi_container_item *items = NULL;
    double               time = 0;
    *out = (ergi_snapshot){0};
    erg_status status = ergi_file_read(path, &bytes, &size, err);
    if (status != ERG_OK) return status;
    const char *why = ergi_vtkhdf_check(bytes, size, &time);
    if (!why)
        status = ergi_hdf5_buffer_read(bytes, size - ERGI_VTKHDF_SEAL, path, &items, &count, err);
    free(bytes);
    if (!why && status == ERG_OK) {
        arrays         a = {items, count};
        const int64_t *points = find(&a, "VTKHDF/NumberOfPoints", ERGI_CONTAINER_I64, 1, 1);
        if (!points || *points < 0) why = "no number of points";
        if (!why) status = ergi_snapshot_make((size_t)*points, time, out, err);
        if (!why && status == ERG_OK) why = copy(&a, out);
    }
    ergi_hdf5_buffer_free_items(items, count);
    if (!why && status == ERG_OK) return ERG_OK;
    ergi_snapshot_free(out);
    return why ? refuse(path, why, err) : status;
}
