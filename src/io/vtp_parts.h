// Parts common to all VTK XML files: beginning, end, and declarations of arrays.
#ifndef ERGI_VTP_PARTS_H
#define ERGI_VTP_PARTS_H

#include "io/file.h"

// Writes everything up to the field data, which stays open and contains TimeValue [s]. `type`: e.g.
// "PolyData"; `attributes` of its element, each preceded by a space.
void ergi_vtk_begin(ergi_file *file, const char *type, const char *attributes, double time);
void ergi_vtp_begin(ergi_file *file, double time);

// Between the XML and the raw arrays, and after the arrays.
void ergi_vtk_begin_data(ergi_file *file, const char *type);
void ergi_vtp_begin_data(ergi_file *file);
void ergi_vtp_end(ergi_file *file);

typedef struct ergi_vtp_array {
    const char *type, *name; // "Float32", "velocity"
    int         columns;
    uint64_t    rows;
    size_t      value_bytes;
} ergi_vtp_array;

// Declares an array whose data are written later, after their length in bytes; `offset` is advanced
// past them. Declarations of field data also state the number of rows.
void ergi_vtp_declare(ergi_file *file, const ergi_vtp_array *array, uint64_t *offset);
void ergi_vtp_declare_field(ergi_file *file, const ergi_vtp_array *array, uint64_t *offset);

#endif
