// What all files of VTK XML begin and end with, and how they announce their arrays.
#ifndef ERGI_VTP_PARTS_H
#define ERGI_VTP_PARTS_H

#include "io/file.h"

// Up to the field data, which is left open: TimeValue [s] is in it. `type`: "PolyData";
// `attributes` of its element, with a space before them.
void ergi_vtk_begin(ergi_file *file, const char *type, const char *attributes, double time);
void ergi_vtp_begin(ergi_file *file, double time);

// Between the XML and the raw arrays, and behind these.
void ergi_vtk_begin_data(ergi_file *file, const char *type);
void ergi_vtp_begin_data(ergi_file *file);
void ergi_vtp_end(ergi_file *file);

typedef struct ergi_vtp_array {
    const char *type, *name; // "Float32", "velocity"
    int         columns;
    uint64_t    rows;
    size_t      value_bytes;
} ergi_vtp_array;

// An array whose values follow later, behind their length in bytes; `offset` moves behind them.
// Field data also tells its number of rows.
void ergi_vtp_declare(ergi_file *file, const ergi_vtp_array *array, uint64_t *offset);
void ergi_vtp_declare_field(ergi_file *file, const ergi_vtp_array *array, uint64_t *offset);

#endif
