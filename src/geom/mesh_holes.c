// Closes small holes of a mesh: a repair on request.
#include "base/error.h"
#include "base/memory.h"
#include "geom/edges.h"
#include "geom/polygon.h"

// next[v]: the vertex after v on the rim, against the direction of the triangle at that edge.
// SPLIT: several rims meet at v, so the next vertex is ambiguous and the hole stays open.
#define NONE UINT32_MAX
#define SPLIT (UINT32_MAX - 1)

enum { MAX_EDGES = 1024 }; // of a hole

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

// Follows the rim from v into `loop`; returns its length, or 0 when it is too long or not a simple
// loop.
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
    if (most > MAX_EDGES)
        return ergi_fail_at(err, "fill_holes", ERG_ERROR_OUT_OF_RANGE,
                            "holes of up to %d edges can be filled, got %zu", MAX_EDGES, most);
    uint32_t   loop[MAX_EDGES];
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
