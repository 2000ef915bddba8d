#include "io/vti.h"

#include "io/number.h"
#include "io/vtp_parts.h"

#include <stdio.h>

static void put_header(ergi_file *file, const ergi_vti *g, uint64_t rows)
{
    char     line[512], n[6][ERGI_NUMBER_ROOM];
    uint64_t offset = 0;
    for (int k = 0; k < 3; k++) {
        ergi_number(g->origin[k], n[k]);
        ergi_number(g->edge[k], n[3 + k]);
    }
    snprintf(line, sizeof line,
             " WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%s %s %s\" Spacing=\"%s %s %s\"",
             g->cells[0], g->cells[1], g->cells[2], n[0], n[1], n[2], n[3], n[4], n[5]);
    ergi_vtk_begin(file, "ImageData", line, g->time);
    snprintf(line, sizeof line,
             "    </FieldData>\n    <Piece Extent=\"0 %d 0 %d 0 %d\">\n"
             "      <CellData Scalars=\"%s\">\n",
             g->cells[0], g->cells[1], g->cells[2], g->fields ? g->field[0].name : "");
    ergi_file_text(file, line);
    for (size_t i = 0; i < g->fields; i++)
        ergi_vtp_declare(
            file, &(ergi_vtp_array){"Float64", g->field[i].name, g->field[i].columns, rows, 8},
            &offset);
    ergi_file_text(file, "      </CellData>\n");
    ergi_vtk_begin_data(file, "ImageData");
}

erg_status ergi_vti_write(const char *path, const ergi_vti *g, erg_error *err)
{
    ergi_file *file;
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    uint64_t rows = (uint64_t)g->cells[0] * (uint64_t)g->cells[1] * (uint64_t)g->cells[2];
    put_header(file, g, rows);
    for (size_t i = 0; i < g->fields; i++) {
        ergi_file_u64(file, 8 * rows * (uint64_t)g->field[i].columns);
        for (uint64_t row = 0; row < rows; row++) ergi_particles_put(file, &g->field[i], row);
    }
    ergi_vtp_end(file);
    return ergi_file_commit(file, NULL, err);
}
