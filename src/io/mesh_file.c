#include "io/mesh_file.h"

#include "base/error.h"
#include "io/file.h"
#include "io/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

erg_status ergi_mesh_format_of(const char *path, ergi_mesh_format *format, erg_error *err)
{
    static const char *const endings[] = {".obj", ".stl", ".ply"};
    const char              *dot = strrchr(path, '.');
    ergi_token               word = {dot, dot ? strlen(dot) : 0};
    for (int i = 0; dot && i < 3; i++)
        if (ergi_token_is(word, endings[i])) {
            *format = (ergi_mesh_format)i;
            return ERG_OK;
        }
    return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                          "%s: the name of a mesh file must end in .obj, .stl or .ply", path);
}

erg_status ergi_mesh_parse(const char *name, ergi_mesh_format format, const unsigned char *bytes,
                           size_t size, ergi_mesh *mesh, erg_error *err)
{
    *mesh = (ergi_mesh){0};
    erg_status status = ERG_OK;
    if (size == 0) status = ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s: the file is empty", name);
    if (status == ERG_OK) switch (format) {
        case ERGI_MESH_OBJ: status = ergi_obj_parse(name, bytes, size, mesh, err); break;
        case ERGI_MESH_STL: status = ergi_stl_parse(name, bytes, size, mesh, err); break;
        case ERGI_MESH_PLY: status = ergi_ply_parse(name, bytes, size, mesh, err); break;
        }
    if (status == ERG_OK && mesh->triangles == 0)
        status =
            ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s: the file contains no triangles", name);
    if (status == ERG_OK &&
        (mesh->triangles > ERGI_MESH_MAX_COUNT || mesh->vertices > ERGI_MESH_MAX_COUNT))
        status = ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s: more than %u vertices or triangles",
                                name, ERGI_MESH_MAX_COUNT);
    if (status != ERG_OK) ergi_mesh_free(mesh);
    return status;
}

erg_status ergi_mesh_read(const char *path, ergi_mesh *mesh, erg_error *err)
{
    *mesh = (ergi_mesh){0};
    ergi_mesh_format format = ERGI_MESH_OBJ;
    unsigned char   *bytes;
    size_t           size;
    erg_status       status = ergi_mesh_format_of(path, &format, err);
    if (status == ERG_OK) status = ergi_file_read(path, &bytes, &size, err);
    if (status != ERG_OK) return status;
    status = ergi_mesh_parse(path, format, bytes, size, mesh, err);
    free(bytes);
    return status;
}

// ---- Writing -----------------------------------------------------------------------------------
static void put_float3(ergi_file *file, erg_vec3 v)
{
    ergi_file_f32(file, (float)v.x);
    ergi_file_f32(file, (float)v.y);
    ergi_file_f32(file, (float)v.z);
}

static void put_stl(ergi_file *file, const ergi_mesh *mesh)
{
    char header[80] = "binary STL written by erg"; // must not begin with "solid"
    ergi_file_write(file, header, sizeof header);
    ergi_file_u32(file, (uint32_t)mesh->triangles);
    for (size_t t = 0; t < mesh->triangles; t++) {
        erg_vec3 p[3];
        ergi_mesh_corners(mesh, t, p);
        put_float3(file, ergi_normalize(ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0]))));
        for (int k = 0; k < 3; k++) put_float3(file, p[k]);
        ergi_file_write(file, "\0", 2);
    }
}

static void put_ply(ergi_file *file, const ergi_mesh *mesh)
{
    char header[300];
    snprintf(header, sizeof header,
             "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty double x\n"
             "property double y\nproperty double z\nelement face %zu\n"
             "property list uchar uint vertex_indices\nend_header\n",
             mesh->vertices, mesh->triangles);
    ergi_file_text(file, header);
    for (size_t v = 0; v < mesh->vertices; v++) {
        ergi_file_f64(file, mesh->vertex[v].x);
        ergi_file_f64(file, mesh->vertex[v].y);
        ergi_file_f64(file, mesh->vertex[v].z);
    }
    for (size_t t = 0; t < mesh->triangles; t++) {
        ergi_file_write(file, "\3", 1);
        for (int k = 0; k < 3; k++) ergi_file_u32(file, mesh->triangle[t].v[k]);
    }
}

erg_status ergi_mesh_write(const char *path, const ergi_mesh *mesh, erg_error *err)
{
    ergi_mesh_format format = ERGI_MESH_OBJ;
    erg_status       status = ergi_mesh_format_of(path, &format, err);
    if (status != ERG_OK) return status;
    if (format == ERGI_MESH_OBJ)
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s: erg writes meshes as .stl or .ply",
                              path);
    ergi_file *file;
    status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    if (format == ERGI_MESH_STL)
        put_stl(file, mesh);
    else
        put_ply(file, mesh);
    return ergi_file_commit(file, NULL, err);
}
