#include "io/vtp_parts.h"

#include "io/number.h"

#include <stdio.h>

void ergi_vtk_begin(ergi_file *file, const char *type, const char *attributes, double time)
{
    char line[768], number[ERGI_NUMBER_ROOM];
    snprintf(line, sizeof line,
             "<?xml version=\"1.0\"?>\n"
             "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
             "header_type=\"UInt64\">\n"
             "  <%s%s>\n"
             "    <FieldData>\n"
             "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
             "format=\"ascii\">%s</DataArray>\n",
             type, type, attributes, ergi_number(time, number));
    ergi_file_text(file, line);
}

void ergi_vtp_begin(ergi_file *file, double time)
{
    ergi_vtk_begin(file, "PolyData", "", time);
}

void ergi_vtk_begin_data(ergi_file *file, const char *type)
{
    ergi_file_text(file, "    </Piece>\n  </");
    ergi_file_text(file, type);
    ergi_file_text(file, ">\n  <AppendedData encoding=\"raw\">\n   _");
}

void ergi_vtp_begin_data(ergi_file *file)
{
    ergi_vtk_begin_data(file, "PolyData");
}

void ergi_vtp_end(ergi_file *file)
{
    ergi_file_text(file, "\n  </AppendedData>\n</VTKFile>\n");
}

static void declare(ergi_file *file, const ergi_vtp_array *array, const char *rows,
                    uint64_t *offset)
{
    char line[320];
    snprintf(line, sizeof line,
             "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" %s"
             "format=\"appended\" offset=\"%llu\"/>\n",
             array->type, array->name, array->columns, rows, (unsigned long long)*offset);
    ergi_file_text(file, line);
    *offset += 8 + array->rows * (uint64_t)array->columns * array->value_bytes;
}

void ergi_vtp_declare(ergi_file *file, const ergi_vtp_array *array, uint64_t *offset)
{
    declare(file, array, "", offset);
}

void ergi_vtp_declare_field(ergi_file *file, const ergi_vtp_array *array, uint64_t *offset)
{
    char rows[64];
    snprintf(rows, sizeof rows, "NumberOfTuples=\"%llu\" ", (unsigned long long)array->rows);
    declare(file, array, rows, offset);
}
