#include "io/ply.h"

#include "base/error.h"
#include "io/number.h"

#include <stdio.h>
#include <string.h>

// The property names of each field, in its column order.
static const struct {
    const char *field, *columns[6];
} names[] = {
    {"radius", {"radius"}},
    {"velocity", {"vx", "vy", "vz"}},
    {"spin", {"wx", "wy", "wz"}},
    {"force", {"fx", "fy", "fz"}},
    {"stress", {"sxx", "syy", "szz", "sxy", "syz", "sxz"}},
    {"orientation", {"qx", "qy", "qz", "qw"}},
    {"grain", {"grain"}},
    {"material", {"material"}},
    {"kind", {"kind"}},
    {"coordination", {"coordination"}},
};

static const char *column_name(const ergi_particles_field *field, int column)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].field, field->name) == 0) return names[i].columns[column];
    return field->name;
}

static const char *type_name(ergi_container_type type)
{
    return type == ERGI_CONTAINER_U32 ? "uint" : type == ERGI_CONTAINER_U64 ? "double" : "float";
}

static void put_header(ergi_file *file, const ergi_particles *particles,
                       const ergi_particles_field *fields, size_t field_count)
{
    char line[160], time[ERGI_NUMBER_ROOM];
    snprintf(line, sizeof line,
             "ply\nformat binary_little_endian 1.0\ncomment time %s\nelement vertex %zu\n",
             ergi_number(particles->time, time), particles->count);
    ergi_file_text(file, line);
    ergi_file_text(file, "property double x\nproperty double y\nproperty double z\n");
    for (size_t i = 0; i < field_count; i++)
        for (int column = 0; column < fields[i].columns; column++) {
            snprintf(line, sizeof line, "property %s %s\n", type_name(fields[i].type),
                     column_name(&fields[i], column));
            ergi_file_text(file, line);
        }
    ergi_file_text(file, "end_header\n");
}

erg_status ergi_ply_write(const char *path, const ergi_particles *particles, erg_error *err)
{
    erg_status status = ergi_particles_check(particles, err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; particles->grain && i < particles->count; i++)
        if (particles->grain[i] > (uint64_t)1 << 53)
            return ergi_fail(err, ERG_BAD_INPUT,
                             "%s: PLY holds grain ids up to 2^53, got %llu: write VTK instead",
                             path, (unsigned long long)particles->grain[i]);

    ergi_file *file;
    status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    ergi_particles_field fields[ERGI_PARTICLES_FIELDS];
    size_t               field_count = ergi_particles_fields(particles, fields);
    put_header(file, particles, fields, field_count);
    for (size_t row = 0; row < particles->count; row++) {
        for (int i = 0; i < 3; i++) ergi_file_f64(file, particles->position[3 * row + i]);
        for (size_t i = 0; i < field_count; i++) {
            if (fields[i].type == ERGI_CONTAINER_U64)
                ergi_file_f64(file, (double)((const uint64_t *)fields[i].data)[row]);
            else
                ergi_particles_put(file, &fields[i], row);
        }
    }
    return ergi_file_commit(file, NULL, err);
}
