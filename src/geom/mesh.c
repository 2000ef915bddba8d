#include "geom/mesh.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void ergi_mesh_free(ergi_mesh *mesh)
{
    ergi_memory_free(mesh->vertex);
    ergi_memory_free(mesh->triangle);
    *mesh = (ergi_mesh){0};
}

erg_status ergi_mesh_copy(const ergi_mesh *mesh, ergi_mesh *copy, erg_error *err)
{
    *copy = (ergi_mesh){.vertices = mesh->vertices,
                        .triangles = mesh->triangles,
                        .vertex_room = mesh->vertices,
                        .triangle_room = mesh->triangles};
    copy->vertex = ergi_memory_new(mesh->vertices, sizeof *copy->vertex, "a mesh", err);
    copy->triangle = ergi_memory_new(mesh->triangles, sizeof *copy->triangle, "a mesh", err);
    if (!copy->vertex || !copy->triangle) {
        ergi_mesh_free(copy);
        return ERG_NO_MEMORY;
    }
    if (mesh->vertices) memcpy(copy->vertex, mesh->vertex, mesh->vertices * sizeof *copy->vertex);
    if (mesh->triangles)
        memcpy(copy->triangle, mesh->triangle, mesh->triangles * sizeof *copy->triangle);
    return ERG_OK;
}

erg_status ergi_mesh_add_vertex(ergi_mesh *mesh, erg_vec3 p, erg_error *err)
{
    erg_status status = ergi_memory_grow(&mesh->vertex, &mesh->vertex_room, mesh->vertices + 1,
                                         sizeof p, "the vertices of a mesh", err);
    if (status != ERG_OK) return status;
    mesh->vertex[mesh->vertices++] = p;
    return ERG_OK;
}

erg_status ergi_mesh_add_triangle(ergi_mesh *mesh, size_t a, size_t b, size_t c, erg_error *err)
{
    erg_status status = ergi_memory_grow(&mesh->triangle, &mesh->triangle_room, mesh->triangles + 1,
                                         sizeof *mesh->triangle, "the triangles of a mesh", err);
    if (status != ERG_OK) return status;
    mesh->triangle[mesh->triangles++] = (ergi_triangle){{(uint32_t)a, (uint32_t)b, (uint32_t)c}};
    return ERG_OK;
}

static bool is_in_range(erg_vec3 p)
{
    // NaN fails every comparison
    return fabs(p.x) <= ERGI_MESH_MAX_COORDINATE && fabs(p.y) <= ERGI_MESH_MAX_COORDINATE &&
           fabs(p.z) <= ERGI_MESH_MAX_COORDINATE;
}

erg_status ergi_mesh_check(const ergi_mesh *mesh, erg_error *err)
{
    if (mesh->triangles == 0)
        return ergi_fail_code(err, ERG_ERROR_BAD_MESH, "the mesh has no triangles");
    if (mesh->triangles > ERGI_MESH_MAX_COUNT || mesh->vertices > ERGI_MESH_MAX_COUNT)
        return ergi_fail_code(
            err, ERG_ERROR_TOO_MANY,
            "a mesh may have at most %u vertices and as many triangles, got %zu and %zu",
            ERGI_MESH_MAX_COUNT, mesh->vertices, mesh->triangles);
    for (size_t i = 0; i < mesh->vertices; i++) {
        erg_vec3 p = mesh->vertex[i];
        if (!is_in_range(p))
            return ergi_fail_code(err, ergi_code_of(p.x + p.y + p.z),
                                  "vertex %zu is at (%g, %g, %g), expected numbers up to %g", i,
                                  p.x, p.y, p.z, ERGI_MESH_MAX_COORDINATE);
    }
    for (size_t t = 0; t < mesh->triangles; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangle[t].v[k] >= mesh->vertices)
                return ergi_fail_code(err, ERG_ERROR_BAD_MESH,
                                      "triangle %zu refers to vertex %u, but the last one is %zu",
                                      t, mesh->triangle[t].v[k], mesh->vertices - 1);
    return ERG_OK;
}

void ergi_mesh_bounds(const ergi_mesh *mesh, erg_vec3 *low, erg_vec3 *high)
{
    *low = ergi_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = ergi_scale(*low, -1.0);
    for (size_t t = 0; t < mesh->triangles; t++)
        for (int k = 0; k < 3; k++) { // only vertices in use count
            erg_vec3 p = mesh->vertex[mesh->triangle[t].v[k]];
            *low = ergi_vec3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
            *high = ergi_vec3(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
        }
}

void ergi_mesh_flip(ergi_mesh *mesh)
{
    for (size_t t = 0; t < mesh->triangles; t++) {
        uint32_t *v = mesh->triangle[t].v, last = v[2];
        v[2] = v[1];
        v[1] = last;
    }
}
