#include "io/snapshot.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/vtkhdf.h"
#include "io/vtp_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 4096 };

enum { POSITION, VELOCITY, RADIUS, GRAIN, MATERIAL, FIELDS };

typedef struct content {
    double         time;
    size_t         count;
    ergi_raw_field field[FIELDS];
} content;

static erg_status no_snapshot(const char *path, const char *why, erg_error *err)
{
    return ergi_fail_code(
        err, ERG_ERROR_BAD_FILE,
        "'%s' is not a snapshot of erg, or is damaged (%s): remove it, or run the scene again",
        path, why);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

// ---- VTK ---------------------------------------------------------------------------------------
static const char *parse_vtp(const unsigned char *bytes, size_t size, content *c)
{
    ergi_vtp    vtp;
    const char *points = strstr((const char *)bytes, "NumberOfPoints=\"");
    const char *why = ergi_vtp_parse(&vtp, bytes, size);
    if (why || !points) return why ? why : "no points";
    c->time = vtp.time;
    c->count = (size_t)strtoull(points + 16, NULL, 10);
    if (c->count > size) return "more spheres than bytes";
    if (!ergi_vtp_find(&vtp, "Points", 'd', 3, c->count, &c->field[POSITION]) ||
        !ergi_vtp_find(&vtp, "radius", 'f', 1, c->count, &c->field[RADIUS]))
        return "positions or radii are missing or truncated";
    ergi_vtp_find(&vtp, "velocity", 'f', 3, c->count, &c->field[VELOCITY]);
    ergi_vtp_find(&vtp, "grain", 'q', 1, c->count, &c->field[GRAIN]);
    ergi_vtp_find(&vtp, "material", 'u', 1, c->count, &c->field[MATERIAL]);
    return NULL;
}

// ---- PLY ---------------------------------------------------------------------------------------
static bool time_of_ply(const char *text, double *time)
{
    const char *line = strstr(text, "\ncomment time ");
    return line && sscanf(line + 14, "%lf", time) == 1;
}

static const char *parse_ply(const unsigned char *bytes, size_t size, content *c)
{
    static const struct {
        const char *name;
        int         field;
    } known[] = {{"x", POSITION},
                 {"vx", VELOCITY},
                 {"radius", RADIUS},
                 {"grain", GRAIN},
                 {"material", MATERIAL}};
    const char *text = (const char *)bytes, *end = strstr(text, "\nend_header\n");
    const char *vertex = strstr(text, "\nelement vertex ");
    if (strncmp(text, "ply\nformat binary_little_endian 1.0\n", 36) != 0 || !end || !vertex)
        return "not a binary PLY file";
    if (!time_of_ply(text, &c->time)) return "no time";
    c->count = (size_t)strtoull(vertex + 16, NULL, 10);
    size_t at[FIELDS] = {0}, stride = 0;
    char   type_of[FIELDS] = {0};
    for (const char *line = strstr(text, "\nproperty "); line && line < end;
         line = strstr(line + 1, "\nproperty ")) {
        char type[16], name[32];
        if (sscanf(line, " property %15s %31s", type, name) != 2) return "a bad property";
        char letter = strcmp(type, "double") == 0  ? 'd'
                      : strcmp(type, "float") == 0 ? 'f'
                      : strcmp(type, "uint") == 0  ? 'u'
                                                   : '\0';
        if (!letter) return "a property of an unknown type";
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strcmp(name, known[i].name) == 0) {
                at[known[i].field] = stride;
                type_of[known[i].field] = letter;
            }
        stride += ergi_raw_size(letter);
    }
    const unsigned char *data = (const unsigned char *)end + 12;
    if (!stride || (size_t)(bytes + size - data) / stride < c->count) return "truncated";
    for (int i = 0; i < FIELDS; i++)
        if (type_of[i]) c->field[i] = (ergi_raw_field){data + at[i], stride, type_of[i]};
    return c->field[POSITION].at && c->field[RADIUS].at ? NULL : "no positions or radii";
}

// ---- All formats -------------------------------------------------------------------------------
erg_status ergi_snapshot_make(size_t n, double time, ergi_snapshot *out, erg_error *err)
{
    *out = (ergi_snapshot){.time = time, .count = n};
    out->position = ergi_memory_new(3 * n, sizeof *out->position, "a snapshot", err);
    out->velocity = ergi_memory_new(3 * n, sizeof *out->velocity, "a snapshot", err);
    out->radius = ergi_memory_new(n, sizeof *out->radius, "a snapshot", err);
    out->grain = ergi_memory_new(n, sizeof *out->grain, "a snapshot", err);
    out->material = ergi_memory_new(n, sizeof *out->material, "a snapshot", err);
    if (!out->position || !out->velocity || !out->radius || !out->grain || !out->material) {
        ergi_snapshot_free(out);
        return ERG_NO_MEMORY;
    }
    return ERG_OK;
}

static erg_status copy(const content *c, ergi_snapshot *out, erg_error *err)
{
    erg_status status = ergi_snapshot_make(c->count, c->time, out, err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < 3; k++) {
            out->position[3 * i + k] = ergi_raw_number(&c->field[POSITION], i, k);
            if (c->field[VELOCITY].at)
                out->velocity[3 * i + k] = ergi_raw_number(&c->field[VELOCITY], i, k);
        }
        out->radius[i] = ergi_raw_number(&c->field[RADIUS], i, 0);
        out->grain[i] = c->field[GRAIN].at ? ergi_raw_whole(&c->field[GRAIN], i) : i + 1;
        out->material[i] =
            c->field[MATERIAL].at ? (uint32_t)ergi_raw_whole(&c->field[MATERIAL], i) : 1;
    }
    return ERG_OK;
}

static const char *check_numbers(const ergi_snapshot *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!isfinite(s->position[3 * i] + s->position[3 * i + 1] + s->position[3 * i + 2]) ||
            !(s->radius[i] > 0 && isfinite(s->radius[i])))
            return "a sphere has no valid position or radius";
    return NULL;
}

static erg_status read_hdf(const char *path, ergi_snapshot *out, erg_error *err)
{
    erg_status  status = ergi_vtkhdf_read(path, out, err);
    const char *why = status == ERG_OK ? check_numbers(out) : NULL;
    if (!why) return status;
    ergi_snapshot_free(out);
    return no_snapshot(path, why, err);
}

erg_status ergi_snapshot_read(const char *path, ergi_snapshot *out, erg_error *err)
{
    if (ends_with(path, ".hdf")) return read_hdf(path, out, err);
    unsigned char *bytes = NULL;
    size_t         size = 0;
    content        c = {0};
    *out = (ergi_snapshot){0};
    erg_status status = ergi_file_read(path, &bytes, &size, err);
    if (status != ERG_OK) return status;
    const char *why = ends_with(path, ".vtp")   ? parse_vtp(bytes, size, &c)
                      : ends_with(path, ".ply") ? parse_ply(bytes, size, &c)
                                                : "its name ends in neither .vtp, .hdf nor .ply";
    if (!why) {
        status = copy(&c, out, err);
        if (status == ERG_OK) why = check_numbers(out);
    }
    free(bytes);
    if (!why) return status;
    ergi_snapshot_free(out);
    return no_snapshot(path, why, err);
}

void ergi_snapshot_free(ergi_snapshot *s)
{
    ergi_memory_free(s->position);
    ergi_memory_free(s->velocity);
    ergi_memory_free(s->radius);
    ergi_memory_free(s->grain);
    ergi_memory_free(s->material);
    *s = (ergi_snapshot){0};
}

erg_status ergi_snapshot_time(const char *path, double *time, erg_error *err)
{
    if (ends_with(path, ".hdf")) return ergi_vtkhdf_time(path, time, err);
    char  head[HEAD + 1];
    FILE *file = fopen(path, "rb");
    if (!file)
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "cannot read '%s': %s", path,
                              strerror(errno));
    size_t size = fread(head, 1, HEAD, file);
    fclose(file);
    head[size] = '\0';
    bool found = ends_with(path, ".vtp") ? ergi_vtp_time(head, time) : time_of_ply(head, time);
    return found && isfinite(*time) ? ERG_OK : no_snapshot(path, "no time", err);
}
