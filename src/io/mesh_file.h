// Mesh files: OBJ, STL, PLY.
//
// Readers trust nothing in a file: memory grows with the data actually read, counts are checked
// against the bytes that follow, indices against the number of vertices, and coordinates must be
// finite and at most ERGI_MESH_MAX_COORDINATE. Error messages name the line, or in binary files the
// byte.
#ifndef ERGI_MESH_FILE_H
#define ERGI_MESH_FILE_H

#include "geom/mesh.h"

typedef enum ergi_mesh_format { ERGI_MESH_OBJ, ERGI_MESH_STL, ERGI_MESH_PLY } ergi_mesh_format;

// By the ending of the name, ignoring case.
erg_status ergi_mesh_format_of(const char *path, ergi_mesh_format *format, erg_error *err);

erg_status ergi_mesh_read(const char *path, ergi_mesh *mesh, erg_error *err);

// From memory; `name` is for error messages. The mesh is overwritten; it is empty after a failure.
erg_status ergi_mesh_parse(const char *name, ergi_mesh_format format, const unsigned char *bytes,
                           size_t size, ergi_mesh *mesh, erg_error *err);

// .stl: binary, positions rounded to float. .ply: binary little endian, positions in double.
erg_status ergi_mesh_write(const char *path, const ergi_mesh *mesh, erg_error *err);

// ---- One parser per format ---------------------------------------------------------------------
erg_status ergi_obj_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err);
erg_status ergi_stl_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err);
erg_status ergi_ply_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err);

// Finite and within ERGI_MESH_MAX_COORDINATE.
static inline bool ergi_coordinate_good(double x)
{
    return fabs(x) <= ERGI_MESH_MAX_COORDINATE;
}

#endif
