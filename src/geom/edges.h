// Edge adjacency: every edge of a mesh once, with the triangles along it.
//
// Half-edge 3 t + k of triangle t runs from corner k to corner k + 1. Collapsed triangles have no
// half-edges.
#ifndef ERGI_EDGES_H
#define ERGI_EDGES_H

#include "geom/mesh.h"

typedef struct ergi_edge {
    uint32_t a, b; // vertices, a < b
    uint32_t
        first; // index of its first half-edge in ergi_edges.half; half-edges are in ascending order
    uint32_t count;
} ergi_edge;

#define ERGI_NO_EDGE UINT32_MAX

typedef struct ergi_edges {
    ergi_edge *edge; // sorted by a, then b
    uint32_t  *half; // half-edges, edge by edge
    uint32_t  *of;   // edge of each half-edge; ERGI_NO_EDGE in collapsed triangles
    size_t     edges;
} ergi_edges;

erg_status ergi_edges_build(const ergi_mesh *mesh, ergi_edges *edges, erg_error *err);
void       ergi_edges_free(ergi_edges *edges);

static inline uint32_t ergi_half_from(const ergi_mesh *mesh, uint32_t half)
{
    return mesh->triangle[half / 3].v[half % 3];
}

static inline uint32_t ergi_half_to(const ergi_mesh *mesh, uint32_t half)
{
    return mesh->triangle[half / 3].v[(half % 3 + 1) % 3];
}

#endif
