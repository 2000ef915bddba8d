#include "geom/solid.h"

#include "base/memory.h"
#include "base/union_find.h"

static double angle_between(erg_vec3 a, erg_vec3 b)
{
    return atan2(ergi_norm(ergi_cross(a, b)), ergi_dot(a, b)); // accurate for all angles
}

static void sum_normals(ergi_solid *s)
{
    const ergi_mesh *mesh = &s->mesh;
    for (size_t t = 0; t < mesh->triangles; t++) {
        erg_vec3 p[3];
        ergi_mesh_corners(mesh, t, p);
        erg_vec3 n = ergi_normalize(ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0])));
        s->face_normal[t] = n;
        for (int k = 0; k < 3; k++) {
            uint32_t v = mesh->triangle[t].v[k], edge = s->edges.of[3 * t + (size_t)k];
            double   angle =
                angle_between(ergi_sub(p[(k + 1) % 3], p[k]), ergi_sub(p[(k + 2) % 3], p[k]));
            s->vertex_normal[v] = ergi_madd(s->vertex_normal[v], angle, n);
            if (edge != ERGI_NO_EDGE) s->edge_normal[edge] = ergi_add(s->edge_normal[edge], n);
        }
    }
}

static void find_patches(ergi_solid *s)
{
    uint32_t count = (uint32_t)s->mesh.triangles;
    for (uint32_t t = 0; t < count; t++) s->patch[t] = t;
    for (size_t e = 0; e < s->edges.edges; e++) {
        const ergi_edge *edge = &s->edges.edge[e];
        if (edge->count != 2) continue;
        uint32_t a = s->edges.half[edge->first] / 3, b = s->edges.half[edge->first + 1] / 3;
        if (ergi_dot(s->face_normal[a], s->face_normal[b]) < ERGI_SMOOTH_COSINE) continue;
        ergi_union_find_join(s->patch, a, b);
    }
    for (uint32_t t = 0; t < count; t++) s->patch[t] = ergi_union_find_root(s->patch, t);
    // The root is the lowest triangle of its patch, so it is renumbered before the others read it.
    for (uint32_t t = 0; t < count; t++)
        s->patch[t] = s->patch[t] == t ? s->patches++ : s->patch[s->patch[t]];
}

erg_status ergi_solid_make(ergi_mesh *mesh, ergi_solid *solid, erg_error *err)
{
    *solid = (ergi_solid){0};
    erg_status status = ergi_mesh_check(mesh, err);
    if (status == ERG_OK) status = ergi_bvh_build(mesh, &solid->bvh, err);
    if (status == ERG_OK) status = ergi_edges_build(mesh, &solid->edges, err);
    if (status == ERG_OK) {
        size_t size = sizeof *solid->face_normal;
        solid->face_normal = ergi_memory_new(mesh->triangles, size, "normals", err);
        solid->edge_normal = ergi_memory_new(solid->edges.edges, size, "normals", err);
        solid->vertex_normal = ergi_memory_new(mesh->vertices, size, "normals", err);
        solid->patch =
            ergi_memory_new(mesh->triangles, sizeof *solid->patch, "patches of a mesh", err);
        if (!solid->face_normal || !solid->edge_normal || !solid->vertex_normal || !solid->patch)
            status = ERG_NO_MEMORY;
    }
    if (status != ERG_OK) {
        ergi_solid_free(solid);
        return status;
    }
    solid->mesh = *mesh;
    *mesh = (ergi_mesh){0};
    ergi_mesh_bounds(&solid->mesh, &solid->low, &solid->high);
    sum_normals(solid);
    find_patches(solid);
    solid->view = (ergi_mesh_view){.bvh = solid->bvh,
                                   .triangle = solid->mesh.triangle,
                                   .edge = solid->edges.of,
                                   .face_normal = solid->face_normal,
                                   .edge_normal = solid->edge_normal,
                                   .vertex_normal = solid->vertex_normal,
                                   .low = solid->low,
                                   .high = solid->high,
                                   .triangles = solid->mesh.triangles,
                                   .edges = solid->edges.edges,
                                   .vertices = solid->mesh.vertices};
    return ERG_OK;
}

void ergi_solid_free(ergi_solid *solid)
{
    ergi_mesh_free(&solid->mesh);
    ergi_bvh_free(&solid->bvh);
    ergi_edges_free(&solid->edges);
    ergi_memory_free(solid->face_normal);
    ergi_memory_free(solid->edge_normal);
    ergi_memory_free(solid->vertex_normal);
    ergi_memory_free(solid->patch);
    *solid = (ergi_solid){0};
}

size_t ergi_solid_bytes(const ergi_solid *s)
{
    const ergi_mesh *m = &s->mesh;
    return m->vertex_room * sizeof *m->vertex + m->triangle_room * sizeof *m->triangle +
           m->vertices * sizeof *s->vertex_normal +
           m->triangles * (sizeof *s->face_normal + sizeof *s->patch) +
           s->bvh.nodes * sizeof *s->bvh.node + s->bvh.triangles * sizeof *s->bvh.triangle +
           s->edges.edges * (sizeof *s->edges.edge + sizeof *s->edge_normal) +
           3 * m->triangles * (sizeof *s->edges.half + sizeof *s->edges.of);
}

ergi_nearest ergi_solid_nearest(const ergi_solid *solid, erg_vec3 p, double reach)
{
    return ergi_mesh_nearest(&solid->view, p, reach);
}
