#include "io/vtp.h"

#include "base/error.h"
#include "io/number.h"
#include "io/vtp_parts.h"

#include <stdio.h>

static const char *type_name(ergi_container_type type)
{
    switch (type) {
    case ERGI_CONTAINER_U32: return "UInt32";
    case ERGI_CONTAINER_U64: return "UInt64";
    case ERGI_CONTAINER_F64: return "Float64";
    default: return "Float32";
    }
}

static void declare_fields(ergi_file *file, const ergi_particles_field *fields, size_t count,
                           uint64_t rows, uint64_t *offset)
{
    for (size_t i = 0; i < count; i++) {
        const ergi_particles_field *f = &fields[i];
        ergi_vtp_array              array = {type_name(f->type), f->name, f->columns, rows,
                                             ergi_container_type_size(f->type)};
        ergi_vtp_declare(file, &array, offset);
    }
}

static void put_header(ergi_file *file, const ergi_vtp_points *p, uint64_t cells)
{
    char               line[512];
    unsigned long long count = p->count, verts = p->lines ? 0 : cells, lines = p->lines ? cells : 0;
    const char        *cell_name = p->lines ? "Lines" : "Verts";
    ergi_vtp_begin(file, p->time);
    snprintf(line, sizeof line,
             "    </FieldData>\n"
             "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"%llu\" NumberOfLines=\"%llu\" "
             "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
             "      <PointData %s>\n",
             count, verts, lines, p->attributes);
    ergi_file_text(file, line);
    uint64_t offset = 0;
    declare_fields(file, p->point, p->point_fields, count, &offset);
    ergi_file_text(file, "      </PointData>\n      <CellData>\n");
    declare_fields(file, p->cell, p->cell_fields, cells, &offset);
    ergi_file_text(file, "      </CellData>\n      <Points>\n");
    ergi_vtp_declare(file, &(ergi_vtp_array){"Float64", "Points", 3, count, 8}, &offset);
    snprintf(line, sizeof line, "      </Points>\n      <%s>\n", cell_name);
    ergi_file_text(file, line);
    ergi_vtp_declare(file, &(ergi_vtp_array){"Int64", "connectivity", 1, count, 8}, &offset);
    ergi_vtp_declare(file, &(ergi_vtp_array){"Int64", "offsets", 1, cells, 8}, &offset);
    snprintf(line, sizeof line, "      </%s>\n", cell_name);
    ergi_file_text(file, line);
    ergi_vtp_begin_data(file);
}

// Puts each array after its length in bytes.
static void put_fields(ergi_file *file, const ergi_particles_field *fields, size_t count,
                       uint64_t rows)
{
    for (size_t i = 0; i < count; i++) {
        ergi_file_u64(file, rows * (uint64_t)fields[i].columns *
                                ergi_container_type_size(fields[i].type));
        for (uint64_t row = 0; row < rows; row++) ergi_particles_put(file, &fields[i], row);
    }
}

// In the order in which put_header declares the arrays.
static void put_data(ergi_file *file, const ergi_vtp_points *p, uint64_t cells)
{
    uint64_t count = p->count, corners = p->lines ? 2 : 1;
    put_fields(file, p->point, p->point_fields, count);
    put_fields(file, p->cell, p->cell_fields, cells);
    ergi_file_u64(file, 24 * count);
    for (uint64_t i = 0; i < 3 * count; i++) ergi_file_f64(file, p->position[i]);
    ergi_file_u64(file, 8 * count);
    for (uint64_t i = 0; i < count; i++) ergi_file_u64(file, i);
    ergi_file_u64(file, 8 * cells);
    for (uint64_t i = 0; i < cells; i++) ergi_file_u64(file, corners * (i + 1));
    ergi_vtp_end(file);
}

erg_status ergi_vtp_write_points(const char *path, const ergi_vtp_points *points, erg_error *err)
{
    ergi_file *file;
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    uint64_t cells = points->lines ? points->count / 2 : points->count;
    put_header(file, points, cells);
    put_data(file, points, cells);
    return ergi_file_commit(file, NULL, err);
}

erg_status ergi_vtp_write(const char *path, const ergi_particles *particles, erg_error *err)
{
    erg_status status = ergi_particles_check(particles, err);
    if (status != ERG_OK) return status;
    ergi_particles_field fields[ERGI_PARTICLES_FIELDS];
    size_t               count = ergi_particles_fields(particles, fields);
    ergi_vtp_points      points = {.time = particles->time,
                                   .count = particles->count,
                                   .position = particles->position,
                                   .attributes = particles->velocity
                                                     ? "Scalars=\"radius\" Vectors=\"velocity\""
                                                     : "Scalars=\"radius\"",
                                   .point = fields,
                                   .point_fields = count};
    return ergi_vtp_write_points(path, &points, err);
}

// File names may contain characters that are special in XML.
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

erg_status ergi_pvd_write(const char *path, const erg_snapshot_entry *entries, size_t count,
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
