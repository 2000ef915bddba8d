// Repairs that change a mesh, and are made only when somebody asks.
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "geom/edges.h"
#include "geom/points.h"
#include "geom/polygon.h"

#include <string.h>

// ---- Welding -----------------------------------------------------------------------------------
// Cells of the kept vertices, chained: cells are added one by one while we ask for neighbours.
typedef struct chains {
    uint32_t *head, *next; // vertex + 1, 0 ends
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

static size_t own_bin(const chains *c, erg_vec3 p, ergi_cell cell)
{
    if (c->side == 0.0) return bin_of(c, bits_of(p.x), bits_of(p.y), bits_of(p.z));
    return bin_of(c, (uint64_t)cell.x, (uint64_t)cell.y, (uint64_t)cell.z);
}

static uint32_t look_in(const chains *c, const erg_vec3 *kept, size_t bin, erg_vec3 p,
                        double distance, uint32_t best)
{
    for (uint32_t at = c->head[bin]; at; at = c->next[at - 1])
        if (at - 1 < best && ergi_distance(kept[at - 1], p) <= distance) best = at - 1;
    return best;
}

// The earliest kept vertex within reach, or UINT32_MAX.
static uint32_t find_kept(const chains *c, const erg_vec3 *kept, erg_vec3 p, double distance)
{
    ergi_cell cell = {0};
    if (c->side > 0.0) cell = cell_at(c, p);
    if (c->side == 0.0) return look_in(c, kept, own_bin(c, p, cell), p, 0.0, UINT32_MAX);
    uint32_t best = UINT32_MAX;
    for (int64_t x = -1; x <= 1; x++)
        for (int64_t y = -1; y <= 1; y++)
            for (int64_t z = -1; z <= 1; z++) {
                ergi_cell near = {cell.x + x, cell.y + y, cell.z + z};
                best = look_in(c, kept, own_bin(c, p, near), p, distance, best);
            }
    return best;
}

static void rename_corners(ergi_mesh *mesh, const uint32_t *name, bool tidy)
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
    double reach = 0.0; // also of vertices that belong to no triangle
    for (size_t i = 0; i < mesh->vertices; i++)
        reach = fmax(reach, fmax(fabs(mesh->vertex[i].x),
                                 fmax(fabs(mesh->vertex[i].y), fabs(mesh->vertex[i].z))));
    if (!(distance >= 0.0) || (distance > 0.0 && reach / distance > 1e15))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "vertices can be merged within 0 or at least 1e-15 of the mesh's "
                         "coordinates, got %g m",
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
            size_t bin = own_bin(&c, p, cell);
            c.next[kept] = c.head[bin];
            c.head[bin] = kept + 1;
            mesh->vertex[kept] = p;
            name[i] = kept++;
        }
        *merged = mesh->vertices - kept;
        mesh->vertices = kept;
        rename_corners(mesh, name, tidy);
    }
    ergi_memory_free(c.head);
    ergi_memory_free(c.next);
    ergi_memory_free(name);
    return status;
}

// ---- Holes -------------------------------------------------------------------------------------
// next[v]: where the rim goes from v, against the direction of the triangle at that edge. A vertex
// where two rims meet has no single next one and is left alone: SPLIT.
#define NONE UINT32_MAX
#define SPLIT (UINT32_MAX - 1)

static void find_rims(const ergi_mesh *mesh, const ergi_edges *edges, uint32_t *next)
{
    for (size_t v = 0; v < mesh->vertices; v++) next[v] = NONE;
    for (size_t e = 0; e < edges->edges; e++) {
        if (edges->edge[e].count != 1) continue;
        uint32_t half = edges->half[edges->edge[e].first];
        uint32_t from = ergi_half_to(mesh, half), to = ergi_half_from(mesh, half);
        next[from] = next[from] == NONE ? to : SPLIT;
    }
}

// Follows the rim from v into loop; its length, or 0 when it is too long or not a plain loop.
static size_t follow(uint32_t *next, uint32_t v, uint32_t *loop, size_t most)
{
    size_t count = 0;
    for (uint32_t at = v; count <= most; at = next[at]) {
        if (at >= SPLIT || next[at] >= SPLIT) return 0;
        if (count > 0 && at == v) return count;
        if (count == most) return 0;
        loop[count++] = at;
    }
    return 0;
}

erg_status ergi_mesh_fill_holes(ergi_mesh *mesh, size_t most, size_t *filled, erg_error *err)
{
    *filled = 0;
    if (most > ERGI_POLYGON_CONCAVE_MOST)
        return ergi_fail(err, ERG_BAD_INPUT, "holes of up to %d edges can be filled, got %zu",
                         ERGI_POLYGON_CONCAVE_MOST, most);
    uint32_t   loop[ERGI_POLYGON_CONCAVE_MOST];
    ergi_edges edges;
    erg_status status = ergi_edges_build(mesh, &edges, err);
    if (status != ERG_OK) return status;
    uint32_t *next = ergi_memory_new(mesh->vertices, sizeof *next, "the rims of holes", err);
    if (!next) status = ERG_NO_MEMORY;
    if (next) find_rims(mesh, &edges, next);
    for (uint32_t v = 0; status == ERG_OK && v < mesh->vertices; v++) {
        size_t count = follow(next, v, loop, most);
        if (count >= 3) {
            status = ergi_polygon_add(mesh, loop, count, err);
            ++*filled;
            for (size_t i = 0; i < count; i++) next[loop[i]] = NONE;
        }
    }
    ergi_memory_free(next);
    ergi_edges_free(&edges);
    return status;
}
