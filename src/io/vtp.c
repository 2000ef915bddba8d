#include "io/vtp.h"

#include "base/error.h"
#include "io/number.h"
#include "io/vtp_parts.h"

#include <stdio.h>

static const char *type_name(ergi_box_type type)
{
    return type == ERGI_BOX_U32 ? "UInt32" : type == ERGI_BOX_U64 ? "UInt64" : "Float32";
}

static uint64_t field_bytes(const ergi_particles_field *field, uint64_t count)
{
    return count * (uint64_t)field->columns * ergi_box_type_size(field->type);
}

static void put_header(ergi_file *file, const ergi_particles *particles,
                       const ergi_particles_field *fields, size_t field_count)
{
    char               line[512];
    unsigned long long count = particles->count;
    ergi_vtp_begin(file, particles->time);
    snprintf(line, sizeof line,
             "    </FieldData>\n"
             "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"%llu\" NumberOfLines=\"0\" "
             "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
             "      <PointData Scalars=\"radius\"%s>\n",
             count, count, particles->velocity ? " Vectors=\"velocity\"" : "");
    ergi_file_text(file, line);

    uint64_t offset = 0;
    for (size_t i = 0; i < field_count; i++) {
        const ergi_particles_field *f = &fields[i];
        ergi_vtp_array              array = {type_name(f->type), f->name, f->columns, count,
                                             ergi_box_type_size(f->type)};
        ergi_vtp_declare(file, &array, &offset);
    }
    ergi_file_text(file, "      </PointData>\n      <Points>\n");
    ergi_vtp_declare(file, &(ergi_vtp_array){"Float64", "Points", 3, count, 8}, &offset);
    ergi_file_text(file, "      </Points>\n      <Verts>\n");
    ergi_vtp_declare(file, &(ergi_vtp_array){"Int64", "connectivity", 1, count, 8}, &offset);
    ergi_vtp_declare(file, &(ergi_vtp_array){"Int64", "offsets", 1, count, 8}, &offset);
    ergi_file_text(file, "      </Verts>\n");
    ergi_vtp_begin_data(file);
}

// In the order of put_header: each array behind its length in bytes.
static void put_data(ergi_file *file, const ergi_particles *particles,
                     const ergi_particles_field *fields, size_t field_count)
{
    uint64_t count = particles->count;
    for (size_t i = 0; i < field_count; i++) {
        ergi_file_u64(file, field_bytes(&fields[i], count));
        for (uint64_t row = 0; row < count; row++) ergi_particles_put(file, &fields[i], row);
    }
    ergi_file_u64(file, 24 * count);
    for (uint64_t i = 0; i < 3 * count; i++) ergi_file_f64(file, particles->position[i]);
    ergi_file_u64(file, 8 * count);
    for (uint64_t i = 0; i < count; i++) ergi_file_u64(file, i);
    ergi_file_u64(file, 8 * count);
    for (uint64_t i = 0; i < count; i++) ergi_file_u64(file, i + 1);
    ergi_vtp_end(file);
}

erg_status ergi_vtp_write(const char *path, const ergi_particles *particles, erg_error *err)
{
    erg_status status = ergi_particles_check(particles, err);
    if (status != ERG_OK) return status;
    ergi_file *file;
    status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    ergi_particles_field fields[ERGI_PARTICLES_FIELDS];
    size_t               count = ergi_particles_fields(particles, fields);
    put_header(file, particles, fields, count);
    put_data(file, particles, fields, count);
    return ergi_file_commit(file, NULL, err);
}

// File names may hold what XML keeps for itself.
static void put_escaped(ergi_file *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': ergi_file_text(file, "&amp;"); break;
        case '<': ergi_file_text(file, "&lt;"); break;
        case '>': ergi_file_text(file, "&gt;"); break;
        case '"': ergi_file_text(file, "&quot;"); break;
        default: ergi_file_write(file, text, 1); break;
        }
    }
}

erg_status ergi_pvd_write(const char *path, const ergi_pvd_entry *entries, size_t count,
                          erg_error *err)
{
    ergi_file *file;
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    ergi_file_text(file, "<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"0.1\" "
                         "byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (size_t i = 0; i < count; i++) {
        char time[ERGI_NUMBER_ROOM];
        ergi_file_text(file, "    <DataSet timestep=\"");
        ergi_file_text(file, ergi_number(entries[i].time, time));
        ergi_file_text(file, "\" part=\"0\" file=\"");
        put_escaped(file, entries[i].file);
        ergi_file_text(file, "\"/>\n");
    }
    ergi_file_text(file, "  </Collection>\n</VTKFile>\n");
    return ergi_file_commit(file, NULL, err);
}
