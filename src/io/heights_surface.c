#include "io/heights_surface.h"

#include "io/file.h"
#include "io/number.h"
#include "io/vtp_parts.h"

#include <stdio.h>

// ---- VTI ---------------------------------------------------------------------------------------
static void put_header(ergi_file *file, const erg_heights *h, const ergi_heights_place *at)
{
    char     line[512], x[ERGI_NUMBER_ROOM], y[ERGI_NUMBER_ROOM], d[ERGI_NUMBER_ROOM];
    size_t   nx = h->columns[0], ny = h->columns[1];
    uint64_t offset = 0;
    ergi_number(at->first[0], x);
    ergi_number(at->first[1], y);
    ergi_number(at->spacing, d);
    snprintf(line, sizeof line,
             " WholeExtent=\"0 %zu 0 %zu 0 0\" Origin=\"%s %s 0\" Spacing=\"%s %s %s\"", nx - 1,
             ny - 1, x, y, d, d, d);
    ergi_vtk_begin(file, "ImageData", line, at->time);
    snprintf(line, sizeof line,
             "    </FieldData>\n    <Piece Extent=\"0 %zu 0 %zu 0 0\">\n"
             "      <PointData Scalars=\"height\">\n",
             nx - 1, ny - 1);
    ergi_file_text(file, line);
    ergi_vtp_declare(file, &(ergi_vtp_array){"Float32", "height", 1, (uint64_t)nx * ny, 4},
                     &offset);
    ergi_file_text(file, "      </PointData>\n");
    ergi_vtk_begin_data(file, "ImageData");
}

erg_status ergi_heights_write_vti(const char *path, const erg_heights *h,
                                  const ergi_heights_place *at, erg_error *err)
{
    ergi_file *file;
    size_t     count = h->columns[0] * h->columns[1];
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    put_header(file, h, at);
    ergi_file_u64(file, 4 * (uint64_t)count);
    for (size_t k = 0; k < count; k++) ergi_file_f32(file, h->z[k]);
    ergi_vtp_end(file);
    return ergi_file_commit(file, NULL, err);
}

// ---- PLY ---------------------------------------------------------------------------------------
static void put_triangle(ergi_file *file, size_t a, size_t b, size_t c)
{
    ergi_file_write(file, "\3", 1);
    ergi_file_u32(file, (uint32_t)a);
    ergi_file_u32(file, (uint32_t)b);
    ergi_file_u32(file, (uint32_t)c);
}

erg_status ergi_heights_write_ply(const char *path, const erg_heights *h,
                                  const ergi_heights_place *at, erg_error *err)
{
    ergi_file *file;
    char       header[400], time[ERGI_NUMBER_ROOM];
    size_t     nx = h->columns[0], ny = h->columns[1];
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    snprintf(header, sizeof header,
             "ply\nformat binary_little_endian 1.0\ncomment time %s\nelement vertex %zu\n"
             "property double x\nproperty double y\nproperty float z\nelement face %zu\n"
             "property list uchar uint vertex_indices\nend_header\n",
             ergi_number(at->time, time), nx * ny, 2 * (nx - 1) * (ny - 1));
    ergi_file_text(file, header);
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            ergi_file_f64(file, at->first[0] + (double)i * at->spacing);
            ergi_file_f64(file, at->first[1] + (double)j * at->spacing);
            ergi_file_f32(file, h->z[j * nx + i]);
        }
    for (size_t j = 0; j + 1 < ny; j++)
        for (size_t i = 0; i + 1 < nx; i++) {
            size_t a = j * nx + i, b = a + nx;
            put_triangle(file, a, a + 1, b + 1);
            put_triangle(file, a, b + 1, b);
        }
    return ergi_file_commit(file, NULL, err);
}
