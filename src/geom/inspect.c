#include "geom/inspect.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "geom/crossing.h"
#include "geom/shells.h"

#include <stdio.h>

static const char *const WORDS[] = {
    [ERG_FAULT_OPEN_EDGE] = "has an open edge",
    [ERG_FAULT_CROWDED_EDGE] =
        "has an edge that belongs to more than two triangles; another one is",
    [ERG_FAULT_TURNED] = "is oriented opposite to its neighbour",
    [ERG_FAULT_PINCHED] = "touches another part of the surface at a single point, vertex",
    [ERG_FAULT_NO_AREA] = "has no area",
    [ERG_FAULT_CROSSING] = "intersects",
    [ERG_FAULT_SHELL_INVERTED] = "belongs to a closed part that is inside out",
    [ERG_FAULT_SHELL_NESTED] = "belongs to a closed part that lies inside another one",
    [ERG_FAULT_SHELL_UNSEEN] =
        "belongs to a closed part not checked for nesting: too many surround it",
};

static void add_fault(erg_mesh_report *r, erg_mesh_fault fault, uint32_t triangle, uint32_t other,
                      erg_vec3 place)
{
    r->faults[fault]++;
    if (r->problems == ERG_MESH_PROBLEMS) return;
    erg_mesh_problem *p = &r->problem[r->problems++];
    *p = (erg_mesh_problem){.fault = fault, .triangle = triangle, .other = other, .place = place};
    char with[48] = "";
    bool vertex = fault == ERG_FAULT_PINCHED;
    if (fault == ERG_FAULT_OPEN_EDGE)
        snprintf(with, sizeof with, " from vertex %u", other);
    else if (other != UINT32_MAX)
        snprintf(with, sizeof with, "%s %u", vertex ? "" : " triangle", other);
    snprintf(p->text, sizeof p->text, "triangle %u %s%s at (%.6g, %.6g, %.6g)", triangle,
             WORDS[fault], with, place.x, place.y, place.z);
}

// ---- Edges -------------------------------------------------------------------------------------
static void check_edges(const ergi_solid *s, erg_mesh_report *r)
{
    const ergi_mesh *mesh = &s->mesh;
    for (size_t e = 0; e < s->edges.edges; e++) {
        const ergi_edge *edge = &s->edges.edge[e];
        const uint32_t  *half = s->edges.half + edge->first;
        uint32_t         first = half[0] / 3, second = edge->count > 1 ? half[1] / 3 : UINT32_MAX;
        erg_vec3 middle = ergi_scale(ergi_add(mesh->vertex[edge->a], mesh->vertex[edge->b]), 0.5);
        if (edge->count == 1)
            add_fault(r, ERG_FAULT_OPEN_EDGE, first, ergi_half_from(mesh, half[0]), middle);
        else if (edge->count > 2)
            add_fault(r, ERG_FAULT_CROWDED_EDGE, first, second, middle);
        else if (ergi_half_from(mesh, half[0]) == ergi_half_from(mesh, half[1]))
            add_fault(r, ERG_FAULT_TURNED, first, second, middle);
    }
}

// ---- Vertices ----------------------------------------------------------------------------------
// Corners of triangles are joined across edges by union-find. A vertex whose corners form several
// groups is a point where several sheets meet.
static void check_vertices(const ergi_solid *s, uint32_t *corner, uint32_t *seen,
                           erg_mesh_report *r)
{
    const ergi_mesh *mesh = &s->mesh;
    for (uint32_t i = 0; i < 3 * mesh->triangles; i++) corner[i] = i;
    for (size_t e = 0; e < s->edges.edges; e++) {
        const ergi_edge *edge = &s->edges.edge[e];
        for (uint32_t i = 1; i < edge->count; i++) {
            // the corners of both triangles at either end of the edge
            uint32_t p = s->edges.half[edge->first], q = s->edges.half[edge->first + i];
            uint32_t p2 = p / 3 * 3 + (p % 3 + 1) % 3, q2 = q / 3 * 3 + (q % 3 + 1) % 3;
            bool     same = ergi_half_from(mesh, p) == ergi_half_from(mesh, q);
            ergi_union_find_join(corner, p, same ? q : q2);
            ergi_union_find_join(corner, p2, same ? q2 : q);
        }
    }
    for (size_t v = 0; v < mesh->vertices; v++) seen[v] = UINT32_MAX;
    for (uint32_t i = 0; i < 3 * mesh->triangles; i++) {
        if (s->edges.of[i] == ERGI_NO_EDGE) continue;
        uint32_t v = mesh->triangle[i / 3].v[i % 3], group = ergi_union_find_root(corner, i);
        if (seen[v] == UINT32_MAX) seen[v] = group;
        if (seen[v] != group && group == i)
            add_fault(r, ERG_FAULT_PINCHED, i / 3, v, mesh->vertex[v]);
    }
}

// ---- Triangles ---------------------------------------------------------------------------------
static void check_areas(const ergi_solid *s, erg_mesh_report *r)
{
    for (uint32_t t = 0; t < s->mesh.triangles; t++)
        if (ergi_dot(s->face_normal[t], s->face_normal[t]) == 0.0)
            add_fault(r, ERG_FAULT_NO_AREA, t, UINT32_MAX,
                      s->mesh.vertex[s->mesh.triangle[t].v[0]]);
}

// The report stops here: a mesh that crosses itself everywhere would take time quadratic in its
// size.
enum { MAX_CROSSINGS = 1000 };

static erg_status check_crossings(const ergi_solid *s, erg_mesh_report *r, erg_error *err)
{
    uint32_t *found = NULL;
    size_t    room = 0;
    for (uint32_t t = 0; t < s->mesh.triangles; t++) {
        if (r->faults[ERG_FAULT_CROSSING] >= MAX_CROSSINGS) break;
        if (ergi_dot(s->face_normal[t], s->face_normal[t]) == 0.0) continue;
        erg_vec3 p[3], place;
        ergi_mesh_corners(&s->mesh, t, p);
        erg_vec3 low = p[0], high = p[0];
        for (int k = 1; k < 3; k++) {
            low = ergi_vec3(fmin(low.x, p[k].x), fmin(low.y, p[k].y), fmin(low.z, p[k].z));
            high = ergi_vec3(fmax(high.x, p[k].x), fmax(high.y, p[k].y), fmax(high.z, p[k].z));
        }
        size_t count = ergi_bvh_in_box(&s->bvh, low, high, found, room);
        if (count > room) {
            erg_status status =
                ergi_memory_grow(&found, &room, count, sizeof *found, "crossings", err);
            if (status != ERG_OK) {
                ergi_memory_free(found);
                return status;
            }
            ergi_bvh_in_box(&s->bvh, low, high, found, room);
        }
        for (size_t i = 0; i < count; i++)
            if (found[i] > t && ergi_triangles_cross(&s->mesh, t, found[i], &place))
                add_fault(r, ERG_FAULT_CROSSING, t, found[i], place);
    }
    ergi_memory_free(found);
    return ERG_OK;
}

// ---- Shells ------------------------------------------------------------------------------------
static erg_status check_shells(const ergi_solid *s, uint32_t *shell, erg_mesh_report *r,
                               erg_error *err)
{
    static const erg_mesh_fault faults[] = {[ERGI_SHELL_INVERTED] = ERG_FAULT_SHELL_INVERTED,
                                            [ERGI_SHELL_NESTED] = ERG_FAULT_SHELL_NESTED,
                                            [ERGI_SHELL_UNCHECKED] = ERG_FAULT_SHELL_UNSEEN};
    r->shells = ergi_shells_find(s, shell);
    if (!r->closed || !r->oriented || r->shells < 2) return ERG_OK;
    size_t            triangles = s->mesh.triangles;
    ergi_shell_state *state = ergi_memory_new(triangles, sizeof *state, "a mesh report", err);
    erg_status        status = state ? ergi_shells_compare(s, shell, state, err) : ERG_NO_MEMORY;
    for (uint32_t t = 0; t < triangles && status == ERG_OK; t++)
        if (state[t] != ERGI_SHELL_FINE)
            add_fault(r, faults[state[t]], t, UINT32_MAX, s->mesh.vertex[s->mesh.triangle[t].v[0]]);
    ergi_memory_free(state);
    return status;
}

// ---- Report ------------------------------------------------------------------------------------
static void measure(const ergi_solid *s, erg_mesh_report *r)
{
    ergi_mesh_mass mass = ergi_mesh_mass_of(&s->mesh);
    r->area = mass.area;
    r->low = s->low;
    r->high = s->high;
    if (!r->closed) return;
    r->volume = mass.volume;
    r->centre = mass.centre;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r->inertia[i][j] = mass.inertia.m[i][j];
}

erg_status ergi_inspect(const ergi_solid *s, erg_mesh_report *r, erg_error *err)
{
    size_t    triangles = s->mesh.triangles;
    uint32_t *corner = ergi_memory_new(3 * triangles, sizeof *corner, "a mesh report", err);
    uint32_t *seen = ergi_memory_new(s->mesh.vertices, sizeof *seen, "a mesh report", err);
    *r = (erg_mesh_report){
        .vertices = s->mesh.vertices, .triangles = triangles, .edges = s->edges.edges};
    erg_status status = corner && seen ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        check_edges(s, r);
        check_vertices(s, corner, seen, r);
        for (size_t v = 0; v < s->mesh.vertices; v++) r->unused += seen[v] == UINT32_MAX;
        check_areas(s, r);
        r->closed = r->faults[ERG_FAULT_OPEN_EDGE] == 0;
        r->manifold = r->faults[ERG_FAULT_CROWDED_EDGE] == 0 && r->faults[ERG_FAULT_PINCHED] == 0;
        r->oriented = r->faults[ERG_FAULT_TURNED] == 0;
        status = check_crossings(s, r, err);
    }
    if (status == ERG_OK) {
        r->crossing = r->faults[ERG_FAULT_CROSSING] > 0;
        status = check_shells(s, corner, r, err);
        r->solid = r->closed && r->manifold && r->oriented && !r->crossing &&
                   r->faults[ERG_FAULT_SHELL_INVERTED] == 0 &&
                   r->faults[ERG_FAULT_SHELL_NESTED] == 0 && r->faults[ERG_FAULT_SHELL_UNSEEN] == 0;
        measure(s, r);
    }
    ergi_memory_free(corner);
    ergi_memory_free(seen);
    return status;
}
