// Triangles are split until they are small; pieces in the same cube of a lattice that face roughly
// the same way are merged.
#include "terrain/facets.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { SPLITS = 18, LATTICE = 1 << 19 };

typedef struct piece {
    uint64_t   key, number;
    ergi_facet facet; // the normal is multiplied by the area
} piece;

typedef struct pieces {
    piece   *at;
    size_t   count, room;
    double   side;
    erg_vec3 low;
} pieces;

static uint64_t lattice(double x, double low, double side)
{
    return (uint64_t)fmin(fmax((x - low) / side, 0), LATTICE - 1);
}

// -1, 0 or 1 as 0, 1 or 2: 26 directions in all.
static uint64_t sense(double n)
{
    return (uint64_t)(1 + (n > 0.38) - (n < -0.38));
}

static erg_status add_piece(pieces *p, erg_vec3 at, erg_vec3 normal, double area, erg_error *err)
{
    if (!(area > 0)) return ERG_OK;
    erg_status status =
        ergi_memory_grow(&p->at, &p->room, p->count + 1, sizeof *p->at, "facets of a body", err);
    if (status != ERG_OK) return status;
    erg_vec3 n = ergi_scale(normal, 1 / area);
    uint64_t key = lattice(at.x, p->low.x, p->side);
    key = key * LATTICE + lattice(at.y, p->low.y, p->side);
    key = key * LATTICE + lattice(at.z, p->low.z, p->side);
    key = key * 27 + sense(n.x) * 9 + sense(n.y) * 3 + sense(n.z);
    p->at[p->count] = (piece){key, p->count, {at, normal, area}};
    p->count++;
    return ERG_OK;
}

static erg_status split(pieces *p, const erg_vec3 c[3], bool both, int splits, erg_error *err)
{
    int    longest = 0;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double length = ergi_distance(c[k], c[(k + 1) % 3]);
        if (length > most) most = length, longest = k;
    }
    if (most > p->side && splits < SPLITS) {
        const erg_vec3 a = c[longest], b = c[(longest + 1) % 3], o = c[(longest + 2) % 3],
                       m = ergi_scale(ergi_add(a, b), 0.5);
        erg_status status = split(p, (const erg_vec3[3]){a, m, o}, both, splits + 1, err);
        return status == ERG_OK ? split(p, (const erg_vec3[3]){m, b, o}, both, splits + 1, err)
                                : status;
    }
    erg_vec3   n = ergi_scale(ergi_cross(ergi_sub(c[1], c[0]), ergi_sub(c[2], c[0])), 0.5);
    erg_vec3   at = ergi_scale(ergi_add(ergi_add(c[0], c[1]), c[2]), 1.0 / 3);
    double     area = ergi_norm(n);
    erg_status status = add_piece(p, at, n, area, err);
    if (status == ERG_OK && both) status = add_piece(p, at, ergi_scale(n, -1), area, err);
    return status;
}

static int compare(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

// Merges the pieces of equal keys; returns their number.
static size_t merge(pieces *p)
{
    size_t kept = 0;
    if (p->count) qsort(p->at, p->count, sizeof *p->at, compare);
    for (size_t k = 0; k < p->count;) {
        erg_vec3 at = {0, 0, 0}, normal = {0, 0, 0};
        double   area = 0;
        uint64_t key = p->at[k].key;
        for (; k < p->count && p->at[k].key == key; k++) {
            const ergi_facet *f = &p->at[k].facet;
            at = ergi_madd(at, f->area, f->position);
            normal = ergi_add(normal, f->normal);
            area += f->area;
        }
        double size = ergi_norm(normal);
        if (!(size > 1e-9 * area)) continue;
        p->at[kept++].facet =
            (ergi_facet){ergi_scale(at, 1 / area), ergi_scale(normal, 1 / size), size};
    }
    return kept;
}

static erg_status make_pieces(const ergi_mesh *mesh, bool both, pieces *p, erg_error *err)
{
    erg_status status = ERG_OK;
    p->count = 0;
    for (size_t t = 0; t < mesh->triangles && status == ERG_OK; t++) {
        erg_vec3 c[3];
        ergi_mesh_corners(mesh, t, c);
        status = split(p, c, both, 0, err);
    }
    return status;
}

erg_status ergi_facets_add(const ergi_mesh *mesh, double side, bool both, ergi_facet **facets,
                           size_t *count, size_t *room, erg_error *err)
{
    erg_vec3 low, high;
    ergi_mesh_bounds(mesh, &low, &high);
    double area = ergi_mesh_mass_of(mesh).area * (both ? 2 : 1), size = ergi_distance(low, high);
    pieces p = {.low = low};
    p.side = fmax(fmin(side, size / 8), sqrt(area / (ERGI_TOOL_FACETS / 2)));
    erg_status status = make_pieces(mesh, both, &p, err);
    size_t     n = status == ERG_OK ? merge(&p) : 0;
    while (status == ERG_OK && n > ERGI_TOOL_FACETS) {
        p.side *= 1.25;
        status = make_pieces(mesh, both, &p, err);
        n = status == ERG_OK ? merge(&p) : 0;
    }
    if (status == ERG_OK)
        status =
            ergi_memory_grow(facets, room, *count + n, sizeof **facets, "facets of a body", err);
    for (size_t k = 0; k < n && status == ERG_OK; k++) (*facets)[(*count)++] = p.at[k].facet;
    ergi_memory_free(p.at);
    return status;
}
