#include "geom/shells.h"

#include "base/memory.h"
#include "base/union_find.h"

// Limit on solid angles computed, about one second. Shells that do not enclose each other need
// none.
#define MAX_ANGLES 3e7

static bool has_edges(const ergi_solid *s, size_t triangle)
{
    return s->edges.of[3 * triangle] != ERGI_NO_EDGE;
}

size_t ergi_shells_find(const ergi_solid *s, uint32_t *shell)
{
    size_t count = 0;
    for (uint32_t t = 0; t < s->mesh.triangles; t++) shell[t] = t;
    for (size_t e = 0; e < s->edges.edges; e++)
        for (uint32_t i = 1; i < s->edges.edge[e].count; i++)
            ergi_union_find_join(shell, s->edges.half[s->edges.edge[e].first] / 3,
                                 s->edges.half[s->edges.edge[e].first + i] / 3);
    for (uint32_t t = 0; t < s->mesh.triangles; t++) {
        shell[t] = ergi_union_find_root(shell, t);
        count += shell[t] == t && has_edges(s, t);
    }
    return count;
}

typedef struct search {
    const ergi_solid *solid;
    const uint32_t   *shell;
    uint32_t         *next; // next triangle of the same shell; UINT32_MAX ends the list
    uint32_t         *seen; // shell from which this one was last visited
    double           *volume;
    uint32_t         *found; // scratch
    size_t            room;
    double            angles; // solid angles computed so far
} search;

// Winding number of a closed surface about p: the sum of the solid angles of its triangles over 4
// pi (van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125).
static double winding(search *f, uint32_t shell, erg_vec3 p)
{
    double sum = 0.0;
    for (uint32_t t = shell; t != UINT32_MAX; t = f->next[t]) {
        erg_vec3 q[3];
        ergi_mesh_corners(&f->solid->mesh, t, q);
        erg_vec3 a = ergi_sub(q[0], p), b = ergi_sub(q[1], p), c = ergi_sub(q[2], p);
        double   la = ergi_norm(a), lb = ergi_norm(b), lc = ergi_norm(c);
        sum += 2.0 *
               atan2(ergi_dot(a, ergi_cross(b, c)), la * lb * lc + ergi_dot(a, b) * lc +
                                                        ergi_dot(b, c) * la + ergi_dot(c, a) * lb);
        f->angles++;
    }
    return sum / (4.0 * ERGI_PI);
}

// Sum of the winding numbers of the other shells about a corner of this one. A shell that encloses
// the corner is hit by a ray from it along x, so only shells near the ray are tested.
static erg_status winding_of_others(search *f, uint32_t own, erg_vec3 p, double *sum,
                                    erg_error *err)
{
    erg_vec3 end = {f->solid->high.x, p.y, p.z};
    size_t   count = ergi_bvh_in_box(&f->solid->bvh, p, end, f->found, f->room);
    if (count > f->room) {
        erg_status status =
            ergi_memory_grow(&f->found, &f->room, count, sizeof *f->found, "shells", err);
        if (status != ERG_OK) return status;
        ergi_bvh_in_box(&f->solid->bvh, p, end, f->found, f->room);
    }
    *sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = f->shell[f->found[i]];
        if (other == own || f->seen[other] == own) continue;
        f->seen[other] = own;
        *sum += winding(f, other, p);
    }
    return ERG_OK;
}

static void link_shells(search *f)
{
    const ergi_mesh *mesh = &f->solid->mesh;
    for (uint32_t t = 0; t < mesh->triangles; t++) f->next[t] = f->seen[t] = UINT32_MAX;
    for (uint32_t t = (uint32_t)mesh->triangles; t-- > 0;) {
        uint32_t first = f->shell[t];
        erg_vec3 p[3];
        ergi_mesh_corners(mesh, t, p);
        for (int k = 0; k < 3; k++) p[k] = ergi_sub(p[k], f->solid->low);
        f->volume[first] += ergi_dot(p[0], ergi_cross(p[1], p[2])) / 6.0;
        if (first == t) continue;
        f->next[t] = f->next[first];
        f->next[first] = t;
    }
}

static erg_status compare(search *f, ergi_shell_state *state, erg_error *err)
{
    const ergi_mesh *mesh = &f->solid->mesh;
    erg_status       status = ERG_OK;
    link_shells(f);
    for (uint32_t t = 0; t < mesh->triangles && status == ERG_OK; t++) {
        if (f->shell[t] != t || !has_edges(f->solid, t)) continue;
        double around = 0.0;
        state[t] = f->angles > MAX_ANGLES ? ERGI_SHELL_UNCHECKED : ERGI_SHELL_FINE;
        if (state[t] == ERGI_SHELL_UNCHECKED) continue;
        status = winding_of_others(f, t, mesh->vertex[mesh->triangle[t].v[0]], &around, err);
        bool within = around > 0.5;
        if (f->volume[t] < 0.0 && !within) state[t] = ERGI_SHELL_INVERTED;
        if (f->volume[t] > 0.0 && within) state[t] = ERGI_SHELL_NESTED;
    }
    return status;
}

erg_status ergi_shells_compare(const ergi_solid *solid, const uint32_t *shell,
                               ergi_shell_state *state, erg_error *err)
{
    size_t     n = solid->mesh.triangles;
    search     f = {.solid = solid,
                    .shell = shell,
                    .next = ergi_memory_new(n, sizeof *f.next, "shells", err),
                    .seen = ergi_memory_new(n, sizeof *f.seen, "shells", err),
                    .volume = ergi_memory_new(n, sizeof *f.volume, "shells", err)};
    bool       made = f.next && f.seen && f.volume;
    erg_status status = made ? compare(&f, state, err) : ERG_NO_MEMORY;
    ergi_memory_free(f.next);
    ergi_memory_free(f.seen);
    ergi_memory_free(f.volume);
    ergi_memory_free(f.found);
    return status;
}
