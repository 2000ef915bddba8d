// Merges vertices that lie close together: a repair on request.
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/points.h"

#include <string.h>

// Cell grid of the kept vertices as linked lists, since vertices are added between the queries.
typedef struct chains {
    uint32_t *head, *next; // vertex + 1; 0 ends the list
    size_t    bins;
    double    side;
} chains;

static ergi_cell cell_at(const chains *c, erg_vec3 p)
{
    return (ergi_cell){(int64_t)floor(p.x / c->side), (int64_t)floor(p.y / c->side),
                       (int64_t)floor(p.z / c->side)};
}

static uint64_t bits_of(double x)
{
    double   plain = x + 0.0; // -0 is 0
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static size_t bin_of(const chains *c, uint64_t x, uint64_t y, uint64_t z)
{
    return (size_t)ergi_hash_word(ergi_hash_word(ergi_hash_word(1, x), y), z) & (c->bins - 1);
}

static size_t cell_bin(const chains *c, erg_vec3 p, ergi_cell cell)
{
    if (c->side == 0.0) return bin_of(c, bits_of(p.x), bits_of(p.y), bits_of(p.z));
    return bin_of(c, (uint64_t)cell.x, (uint64_t)cell.y, (uint64_t)cell.z);
}

static uint32_t earliest_in_bin(const chains *c, const erg_vec3 *kept, size_t bin, erg_vec3 p,
                                double distance, uint32_t best)
{
    for (uint32_t at = c->head[bin]; at; at = c->next[at - 1])
        if (at - 1 < best && ergi_distance(kept[at - 1], p) <= distance) best = at - 1;
    return best;
}

// The earliest kept vertex within `distance`, or UINT32_MAX.
static uint32_t find_kept(const chains *c, const erg_vec3 *kept, erg_vec3 p, double distance)
{
    ergi_cell cell = {0};
    if (c->side > 0.0) cell = cell_at(c, p);
    if (c->side == 0.0) return earliest_in_bin(c, kept, cell_bin(c, p, cell), p, 0.0, UINT32_MAX);
    uint32_t best = UINT32_MAX;
    for (int64_t x = -1; x <= 1; x++)
        for (int64_t y = -1; y <= 1; y++)
            for (int64_t z = -1; z <= 1; z++) {
                ergi_cell near = {cell.x + x, cell.y + y, cell.z + z};
                best = earliest_in_bin(c, kept, cell_bin(c, p, near), p, distance, best);
            }
    return best;
}

static void renumber_corners(ergi_mesh *mesh, const uint32_t *name, bool tidy)
{
    size_t kept = 0;
    for (size_t t = 0; t < mesh->triangles; t++) {
        ergi_triangle triangle = mesh->triangle[t];
        for (int k = 0; k < 3; k++) triangle.v[k] = name[triangle.v[k]];
        if (!tidy || !ergi_triangle_collapsed(triangle)) mesh->triangle[kept++] = triangle;
    }
    mesh->triangles = kept;
}

erg_status ergi_mesh_weld(ergi_mesh *mesh, double distance, bool tidy, size_t *merged,
                          erg_error *err)
{
    double reach = 0.0; // largest coordinate, including vertices of no triangle
    for (size_t i = 0; i < mesh->vertices; i++)
        reach = fmax(reach, fmax(fabs(mesh->vertex[i].x),
                                 fmax(fabs(mesh->vertex[i].y), fabs(mesh->vertex[i].z))));
    if (!(distance >= 0.0) || (distance > 0.0 && reach / distance > 1e15))
        return ergi_fail_at(
            err, "merge", ergi_code_of(distance),
            "the merge distance must be 0 or at least 1e-15 of the mesh's coordinates, got %g m",
            distance);
    chains c = {.bins = 16, .side = distance};
    while (c.bins < mesh->vertices) c.bins *= 2;
    c.head = ergi_memory_new(c.bins, sizeof *c.head, "merging vertices", err);
    c.next = ergi_memory_new(mesh->vertices, sizeof *c.next, "merging vertices", err);
    uint32_t  *name = ergi_memory_new(mesh->vertices, sizeof *name, "merging vertices", err);
    erg_status status = c.head && c.next && name ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        uint32_t kept = 0;
        for (size_t i = 0; i < mesh->vertices; i++) {
            erg_vec3 p = mesh->vertex[i];
            name[i] = find_kept(&c, mesh->vertex, p, distance);
            if (name[i] != UINT32_MAX) continue;
            ergi_cell cell = {0};
            if (distance > 0.0) cell = cell_at(&c, p);
            size_t bin = cell_bin(&c, p, cell);
            c.next[kept] = c.head[bin];
            c.head[bin] = kept + 1;
            mesh->vertex[kept] = p;
            name[i] = kept++;
        }
        *merged = mesh->vertices - kept;
        mesh->vertices = kept;
        renumber_corners(mesh, name, tidy);
    }
    ergi_memory_free(c.head);
    ergi_memory_free(c.next);
    ergi_memory_free(name);
    return status;
}
