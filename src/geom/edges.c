#include "geom/edges.h"

#include "base/memory.h"

// Half-edges go into the bin of their lower vertex; each bin, usually a handful of entries, is
// sorted by the higher vertex, then by half-edge.
typedef struct entry {
    uint32_t high, half;
} entry;

static bool before(entry a, entry b)
{
    return a.high != b.high ? a.high < b.high : a.half < b.half;
}

static void sift(entry *e, size_t from, size_t count)
{
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && before(e[child], e[child + 1])) child++;
        if (!before(e[from], e[child])) return;
        entry t = e[from];
        e[from] = e[child];
        e[child] = t;
    }
}

// Insertion sort for short bins, else heap sort: a vertex may have a million edges.
static void sort_bin(entry *e, size_t count)
{
    if (count > 32) {
        for (size_t i = count / 2; i-- > 0;) sift(e, i, count);
        for (size_t i = count; i-- > 1;) {
            entry t = e[0];
            e[0] = e[i];
            e[i] = t;
            sift(e, 0, i);
        }
        return;
    }
    for (size_t i = 1; i < count; i++) {
        entry  t = e[i];
        size_t k = i;
        for (; k > 0 && before(t, e[k - 1]); k--) e[k] = e[k - 1];
        e[k] = t;
    }
}

static void fill_bins(const ergi_mesh *mesh, size_t *start, entry *entries)
{
    for (int pass = 0; pass < 2; pass++) { // count, then place
        for (uint32_t t = 0; t < mesh->triangles; t++) {
            if (ergi_triangle_collapsed(mesh->triangle[t])) continue;
            for (uint32_t half = 3 * t; half < 3 * t + 3; half++) {
                uint32_t a = ergi_half_from(mesh, half), b = ergi_half_to(mesh, half);
                uint32_t low = a < b ? a : b, high = a < b ? b : a;
                if (pass == 0)
                    start[low + 2]++;
                else
                    entries[start[low + 1]++] = (entry){high, half};
            }
        }
        if (pass == 0)
            for (size_t i = 2; i < mesh->vertices + 2; i++) start[i] += start[i - 1];
    }
}

erg_status ergi_edges_build(const ergi_mesh *mesh, ergi_edges *edges, erg_error *err)
{
    size_t  halves = 3 * mesh->triangles;
    size_t *start = ergi_memory_new(mesh->vertices + 2, sizeof *start, "edges", err);
    entry  *entries = ergi_memory_new(halves, sizeof *entries, "edges", err);
    *edges = (ergi_edges){0};
    edges->edge = ergi_memory_new(halves, sizeof *edges->edge, "edges", err);
    edges->half = ergi_memory_new(halves, sizeof *edges->half, "edges", err);
    edges->of = ergi_memory_new(halves, sizeof *edges->of, "edges", err);
    bool good = start && entries && edges->edge && edges->half && edges->of;
    if (good) {
        fill_bins(mesh, start, entries); // bin of vertex v is now start[v] .. start[v + 1]
        for (size_t i = 0; i < halves; i++) edges->of[i] = ERGI_NO_EDGE;
        uint32_t placed = 0;
        for (uint32_t v = 0; v < mesh->vertices; v++) {
            sort_bin(entries + start[v], start[v + 1] - start[v]);
            for (size_t i = start[v]; i < start[v + 1]; i++) {
                if (i == start[v] || entries[i].high != entries[i - 1].high)
                    edges->edge[edges->edges++] = (ergi_edge){v, entries[i].high, placed, 0};
                edges->edge[edges->edges - 1].count++;
                edges->of[entries[i].half] = (uint32_t)(edges->edges - 1);
                edges->half[placed++] = entries[i].half;
            }
        }
    }
    ergi_memory_free(start);
    ergi_memory_free(entries);
    if (!good) ergi_edges_free(edges);
    return good ? ERG_OK : ERG_NO_MEMORY;
}

void ergi_edges_free(ergi_edges *edges)
{
    ergi_memory_free(edges->edge);
    ergi_memory_free(edges->half);
    ergi_memory_free(edges->of);
    *edges = (ergi_edges){0};
}
