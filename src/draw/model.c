#include "draw/model.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "geom/edges.h"

#include <string.h>

// Faces that meet at a smaller angle than 35 degrees form one smooth surface: a cylinder of 11
// sides is round, one of 10 has edges.
static const double SHARP = 0.8191520442889918; // cosine of that angle

// Hash of the triangles. A field needs no hash: it follows from the triangles, spacing and level.
static uint64_t hash_of(const erg_prop *prop)
{
    uint64_t hash = ergi_hash_word(prop->vertex_count, prop->triangle_count);
    hash = ergi_hash_bytes(prop->vertices, prop->vertex_count * 3 * sizeof *prop->vertices, hash);
    return ergi_hash_bytes(prop->triangles, prop->triangle_count * 3 * sizeof *prop->triangles,
                           hash);
}

bool ergi_model_is(const ergi_model *m, const erg_prop *prop)
{
    const erg_sdf_view *f = prop->field;
    if (m->vertices != prop->vertex_count || m->triangles != prop->triangle_count) return false;
    if (m->cast != (f != NULL)) return false;
    if (f && (m->spacing != f->spacing || m->level != f->level)) return false;
    return prop->shape ? m->number == prop->shape : m->hash == hash_of(prop);
}

// ---- Smoothing groups --------------------------------------------------------------------------
// Corners of triangles are joined across every smooth edge by union-find; each set becomes one
// corner of the model. `parent` is the union-find forest; the root is the lowest corner of its set.
static uint32_t next_in_triangle(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Half-edges and corners share numbers: half-edge h starts at corner h.
static void join_smooth(const ergi_mesh *mesh, const ergi_edges *edges, const erg_vec3 *normal,
                        uint32_t *parent, bool *closed)
{
    *closed = true;
    for (size_t e = 0; e < edges->edges; e++) {
        const uint32_t *half = edges->half + edges->edge[e].first;
        bool            pair = edges->edge[e].count == 2 &&
                    ergi_half_from(mesh, half[0]) == ergi_half_to(mesh, half[1]);
        *closed = *closed && pair;
        if (!pair || ergi_dot(normal[half[0] / 3], normal[half[1] / 3]) < SHARP) continue;
        ergi_union_find_join(parent, half[0], next_in_triangle(half[1]));
        ergi_union_find_join(parent, half[1], next_in_triangle(half[0]));
    }
}

// ---- Normals -----------------------------------------------------------------------------------
static erg_vec3 face_normal(const ergi_mesh *mesh, size_t t)
{
    erg_vec3 p[3];
    ergi_mesh_corners(mesh, t, p);
    return ergi_normalize(ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0])));
}

static double angle_at(const ergi_mesh *mesh, uint32_t corner)
{
    erg_vec3 p[3];
    ergi_mesh_corners(mesh, corner / 3, p);
    uint32_t k = corner % 3;
    erg_vec3 a = ergi_sub(p[(k + 1) % 3], p[k]), b = ergi_sub(p[(k + 2) % 3], p[k]);
    return atan2(ergi_norm(ergi_cross(a, b)), ergi_dot(a, b));
}

typedef struct work {
    ergi_mesh  mesh; // a copy of the prop's triangles
    ergi_edges edges;
    erg_vec3  *face;        // normals of the triangles
    erg_vec3  *sum;         // of weighted normals, at the root of each set of corners
    uint32_t  *parent;      // of each corner
    uint32_t  *model_index; // index of each root in the model
} work;

static void free_work(work *w)
{
    ergi_mesh_free(&w->mesh);
    ergi_edges_free(&w->edges);
    ergi_memory_free(w->face);
    ergi_memory_free(w->sum);
    ergi_memory_free(w->parent);
    ergi_memory_free(w->model_index);
}

static erg_status copy_mesh(const erg_prop *prop, ergi_mesh *mesh, erg_error *err)
{
    mesh->vertex = ergi_memory_new(prop->vertex_count, sizeof *mesh->vertex, "a shape", err);
    mesh->triangle = ergi_memory_new(prop->triangle_count, sizeof *mesh->triangle, "a shape", err);
    if (!mesh->vertex || !mesh->triangle) return ERG_NO_MEMORY;
    for (size_t i = 0; i < prop->vertex_count; i++) {
        const double *q = prop->vertices + 3 * i;
        mesh->vertex[i] = ergi_vec3(q[0], q[1], q[2]);
    }
    if (prop->triangle_count)
        memcpy(mesh->triangle, prop->triangles, prop->triangle_count * sizeof *mesh->triangle);
    mesh->vertices = mesh->vertex_room = prop->vertex_count;
    mesh->triangles = mesh->triangle_room = prop->triangle_count;
    return ergi_mesh_check(mesh, err);
}

static erg_status prepare(work *w, const erg_prop *prop, ergi_model *m, erg_error *err)
{
    erg_status status = copy_mesh(prop, &w->mesh, err);
    if (status == ERG_OK) status = ergi_edges_build(&w->mesh, &w->edges, err);
    if (status != ERG_OK) return status;
    size_t corners = 3 * w->mesh.triangles;
    w->face = ergi_memory_new(w->mesh.triangles, sizeof *w->face, "a shape", err);
    w->sum = ergi_memory_new(corners, sizeof *w->sum, "a shape", err);
    w->parent = ergi_memory_new(corners, sizeof *w->parent, "a shape", err);
    w->model_index = ergi_memory_new(corners, sizeof *w->model_index, "a shape", err);
    m->index = ergi_memory_new(corners, sizeof *m->index, "a shape", err);
    if (!w->face || !w->sum || !w->parent || !w->model_index || !m->index) return ERG_NO_MEMORY;
    for (size_t t = 0; t < w->mesh.triangles; t++) w->face[t] = face_normal(&w->mesh, t);
    for (uint32_t c = 0; c < corners; c++) w->parent[c] = c;
    join_smooth(&w->mesh, &w->edges, w->face, w->parent, &m->closed);
    for (uint32_t c = 0; c < corners; c++) {
        uint32_t root = ergi_union_find_root(w->parent, c);
        w->sum[root] = ergi_madd(w->sum[root], angle_at(&w->mesh, c), w->face[c / 3]);
    }
    return ERG_OK;
}

// Triangles without area are skipped.
static void write_corners(const work *w, ergi_model *m)
{
    for (uint32_t c = 0; c < 3 * w->mesh.triangles; c++) {
        if (ergi_norm(w->face[c / 3]) > 0) m->index[m->indices++] = w->model_index[w->parent[c]];
        if (w->parent[c] != c) continue;
        erg_vec3 p = ergi_sub(w->mesh.vertex[ergi_half_from(&w->mesh, c)], m->middle);
        erg_vec3 n = ergi_normalize(w->sum[c]);
        m->corner[w->model_index[c]] = (ergi_corner){{(float)p.x, (float)p.y, (float)p.z},
                                                     {(float)n.x, (float)n.y, (float)n.z}};
        m->radius = fmax(m->radius, ergi_norm(p));
    }
}

erg_status ergi_model_make(const erg_prop *prop, ergi_model **model, erg_error *err)
{
    work w = {0};
    *model = NULL;
    ergi_model *m = ergi_memory_new(1, sizeof *m, "a shape", err);
    if (!m) return ERG_NO_MEMORY;
    erg_status status = prepare(&w, prop, m, err);
    if (status == ERG_OK) {
        erg_vec3 low, high;
        ergi_mesh_bounds(&w.mesh, &low, &high);
        m->number = prop->shape;
        m->hash = hash_of(prop);
        m->vertices = prop->vertex_count;
        m->triangles = prop->triangle_count;
        m->middle = ergi_scale(ergi_add(low, high), 0.5);
        double more = prop->field ? fmax(prop->field->level, 0) : 0;
        m->half[0] = 0.5 * (high.x - low.x) + more;
        m->half[1] = 0.5 * (high.y - low.y) + more;
        m->half[2] = 0.5 * (high.z - low.z) + more;
        for (uint32_t c = 0; c < 3 * w.mesh.triangles; c++) {
            w.parent[c] = ergi_union_find_root(w.parent, c);
            if (w.parent[c] == c) w.model_index[c] = (uint32_t)m->corners++;
        }
        m->corner = ergi_memory_new(m->corners, sizeof *m->corner, "a shape", err);
        if (m->corner)
            write_corners(&w, m);
        else
            status = ERG_NO_MEMORY;
        m->radius += more;
    }
    if (status == ERG_OK && prop->field) {
        m->cast = true;
        m->spacing = prop->field->spacing;
        m->level = prop->field->level;
        status = ergi_cells_make(prop->field, m->middle, &m->field, err);
    }
    m->key = m->cast ? ergi_hash_word(m->hash, m->field.hash) : m->hash;
    free_work(&w);
    if (status == ERG_OK)
        *model = m;
    else
        ergi_model_free(m);
    return status;
}

void ergi_model_free(ergi_model *m)
{
    if (!m) return;
    ergi_memory_free(m->corner);
    ergi_memory_free(m->index);
    ergi_cells_free(&m->field);
    ergi_memory_free(m);
}
