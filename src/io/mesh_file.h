// Meshes in files: OBJ, STL, PLY.
//
// Readers believe nothing that a file says of itself: memory grows with what was read, counts are
// held against the bytes that follow, indices against the vertices, numbers must be finite and at
// most ERGI_MESH_FARTHEST. Complaints name the line, or in binary files the byte.
#ifndef ERGI_MESH_FILE_H
#define ERGI_MESH_FILE_H

#include "geom/mesh.h"

typedef enum ergi_mesh_format { ERGI_MESH_OBJ, ERGI_MESH_STL, ERGI_MESH_PLY } ergi_mesh_format;

// By the ending of the name, in letters of either case.
erg_status ergi_mesh_format_of(const char *path, ergi_mesh_format *format, erg_error *err);

erg_status ergi_mesh_read(const char *path, ergi_mesh *mesh, erg_error *err);

// From memory; `name` is for complaints. The mesh is overwritten, and empty after a failure.
erg_status ergi_mesh_parse(const char *name, ergi_mesh_format format, const unsigned char *bytes,
                           size_t size, ergi_mesh *mesh, erg_error *err);

// .stl: binary, positions rounded to float. .ply: binary little endian, positions in double.
erg_status ergi_mesh_write(const char *path, const ergi_mesh *mesh, erg_error *err);

// ---- One file each -----------------------------------------------------------------------------
erg_status ergi_obj_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err);
erg_status ergi_stl_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err);
erg_status ergi_ply_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err);

// Finite and near enough?
static inline bool ergi_coordinate_good(double x)
{
    return fabs(x) <= ERGI_MESH_FARTHEST;
}

#endif
