#include "geom/ears.h"

#include "base/memory.h"
#include "geom/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 8 };

typedef struct flat {
    double x, y;
} flat;

// Bounds of a range of corners in tree order: node 1 holds all, node k has the children 2k and 2k +
// 1.
typedef struct node {
    flat     low, high;
    uint32_t left; // remaining corners
} node;

typedef struct ranked {
    uint64_t key;
    uint32_t corner;
} ranked;

typedef struct polygon {
    const uint32_t *vertex; // of each corner
    flat           *at;     // of each corner, projected into the plane
    uint32_t       *next, *previous;
    uint32_t       *touched; // last round that cut off a neighbour; GONE: cut off itself
    uint32_t       *now, *later;
    uint32_t       *place; // of each corner in `order`
    ranked         *order; // along a Morton curve
    node           *node;
    size_t          count, left, leaves; // leaves: a power of two
} polygon;

#define GONE UINT32_MAX

// Twice the signed area of a triangle.
static double turn(flat a, flat b, flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// ---- The tree ----------------------------------------------------------------------------------
// Interleaves zero bits, for Morton order.
static uint64_t spread_bits(uint32_t x)
{
    uint64_t v = x;
    v = (v | v << 16) & 0x0000ffff0000ffffu;
    v = (v | v << 8) & 0x00ff00ff00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (v | v << 1) & 0x5555555555555555u;
}

static int compare_ranked(const void *a, const void *b)
{
    const ranked *u = a, *v = b;
    if (u->key != v->key) return u->key < v->key ? -1 : 1;
    return u->corner < v->corner ? -1 : u->corner > v->corner;
}

static void widen(node *n, flat p)
{
    n->low = (flat){fmin(n->low.x, p.x), fmin(n->low.y, p.y)};
    n->high = (flat){fmax(n->high.x, p.x), fmax(n->high.y, p.y)};
}

static void make_tree(polygon *g)
{
    node all = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, 0};
    node none = all;
    for (size_t i = 0; i < g->count; i++) widen(&all, g->at[i]);
    double size = fmax(fmax(all.high.x - all.low.x, all.high.y - all.low.y), 1e-300);
    for (size_t i = 0; i < g->count; i++) {
        uint32_t x = (uint32_t)((g->at[i].x - all.low.x) / size * 4294967295.0);
        uint32_t y = (uint32_t)((g->at[i].y - all.low.y) / size * 4294967295.0);
        g->order[i] = (ranked){spread_bits(x) | spread_bits(y) << 1, (uint32_t)i};
    }
    qsort(g->order, g->count, sizeof *g->order, compare_ranked);
    for (size_t k = 1; k < 2 * g->leaves; k++) g->node[k] = none;
    for (size_t i = 0; i < g->count; i++) {
        g->place[g->order[i].corner] = (uint32_t)i;
        for (size_t k = g->leaves + i / LEAF; k > 0; k /= 2) {
            widen(&g->node[k], g->at[g->order[i].corner]);
            g->node[k].left++;
        }
    }
}

// True when the whole box lies to the right of the line from a to b.
static bool right_of(flat a, flat b, const node *n)
{
    flat best = {b.y - a.y > 0.0 ? n->low.x : n->high.x, b.x - a.x > 0.0 ? n->high.y : n->low.y};
    return turn(a, b, best) < 0.0;
}

static bool is_outside(const flat t[3], const node *n)
{
    return right_of(t[0], t[1], n) || right_of(t[1], t[2], n) || right_of(t[2], t[0], n) ||
           fmin(t[0].x, fmin(t[1].x, t[2].x)) > n->high.x ||
           fmax(t[0].x, fmax(t[1].x, t[2].x)) < n->low.x ||
           fmin(t[0].y, fmin(t[1].y, t[2].y)) > n->high.y ||
           fmax(t[0].y, fmax(t[1].y, t[2].y)) < n->low.y;
}

// True when the triangle, border included, contains a corner of the leaf other than v.
static bool leaf_has_corner_inside(const polygon *g, size_t leaf, const flat t[3],
                                   const uint32_t v[3])
{
    size_t end = (leaf + 1) * LEAF < g->count ? (leaf + 1) * LEAF : g->count;
    for (size_t i = leaf * LEAF; i < end; i++) {
        uint32_t c = g->order[i].corner, p = g->vertex[c];
        if (g->touched[c] == GONE || p == v[0] || p == v[1] || p == v[2]) continue;
        if (turn(t[0], t[1], g->at[c]) >= 0.0 && turn(t[1], t[2], g->at[c]) >= 0.0 &&
            turn(t[2], t[0], g->at[c]) >= 0.0)
            return true;
    }
    return false;
}

static bool is_ear(const polygon *g, uint32_t i)
{
    uint32_t a = g->previous[i], c = g->next[i];
    flat     t[3] = {g->at[a], g->at[i], g->at[c]};
    uint32_t v[3] = {g->vertex[a], g->vertex[i], g->vertex[c]};
    if (!(turn(t[0], t[1], t[2]) > 0.0)) return false;
    size_t stack[64];
    int    top = 0;
    stack[top++] = 1;
    while (top > 0) {
        size_t k = stack[--top];
        if (g->node[k].left == 0 || is_outside(t, &g->node[k])) continue;
        if (k >= g->leaves) {
            if (leaf_has_corner_inside(g, k - g->leaves, t, v)) return false;
        } else {
            stack[top++] = 2 * k;
            stack[top++] = 2 * k + 1;
        }
    }
    return true;
}

// ---- Cutting -----------------------------------------------------------------------------------
static void remove_corner(polygon *g, uint32_t i)
{
    g->next[g->previous[i]] = g->next[i];
    g->previous[g->next[i]] = g->previous[i];
    g->touched[i] = GONE;
    g->left--;
    for (size_t k = g->leaves + g->place[i] / LEAF; k > 0; k /= 2) g->node[k].left--;
}

static size_t touch(polygon *g, uint32_t i, uint32_t round, size_t later)
{
    if (g->touched[i] != round) g->later[later++] = i;
    g->touched[i] = round;
    return later;
}

// Cuts the ears among the `count` corners of g->now; candidates for the next round go to g->later.
static erg_status cut_round(polygon *g, size_t count, uint32_t round, size_t *later,
                            ergi_mesh *mesh, erg_error *err)
{
    *later = 0;
    for (size_t k = 0; k < count && g->left > 3; k++) {
        uint32_t i = g->now[k];
        if (g->touched[i] == GONE || g->touched[i] == round || !is_ear(g, i)) continue;
        uint32_t   a = g->previous[i], c = g->next[i];
        erg_status status =
            ergi_mesh_add_triangle(mesh, g->vertex[a], g->vertex[i], g->vertex[c], err);
        if (status != ERG_OK) return status;
        remove_corner(g, i);
        *later = touch(g, c, round, touch(g, a, round, *later));
    }
    return ERG_OK;
}

static size_t remaining_corners(const polygon *g, uint32_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < g->count; i++)
        if (g->touched[i] != GONE) list[count++] = (uint32_t)i;
    return count;
}

static erg_status add_rest(const polygon *g, ergi_mesh *mesh, erg_error *err)
{
    size_t     count = remaining_corners(g, g->now);
    erg_status status = ERG_OK;
    for (size_t i = 1; i + 1 < count && status == ERG_OK; i++)
        status = ergi_mesh_add_triangle(mesh, g->vertex[g->now[0]], g->vertex[g->now[i]],
                                        g->vertex[g->now[i + 1]], err);
    return status;
}

static erg_status cut_all(polygon *g, ergi_mesh *mesh, erg_error *err)
{
    erg_status status = ERG_OK;
    size_t     later, count = remaining_corners(g, g->now);
    bool       all = true;
    for (uint32_t round = 1; g->left > 3; round++) {
        status = cut_round(g, count, round, &later, mesh, err);
        if (status != ERG_OK || (later == 0 && all)) break;
        uint32_t *now = g->now;
        g->now = g->later;
        g->later = now;
        // A corner may have become an ear although neither neighbour was cut off: test all again.
        all = later == 0;
        count = all ? remaining_corners(g, g->now) : later;
    }
    return status == ERG_OK ? add_rest(g, mesh, err) : status;
}

static void flatten(polygon *g, const ergi_mesh *mesh, erg_vec3 normal)
{
    erg_vec3 n = ergi_normalize(normal), e = ergi_perpendicular(n), f = ergi_cross(n, e);
    erg_vec3 o = mesh->vertex[g->vertex[0]];
    for (size_t i = 0; i < g->count; i++) {
        erg_vec3 p = ergi_sub(mesh->vertex[g->vertex[i]], o);
        g->at[i] = (flat){ergi_dot(p, e), ergi_dot(p, f)};
        g->next[i] = (uint32_t)(i + 1 < g->count ? i + 1 : 0);
        g->previous[i] = (uint32_t)(i > 0 ? i - 1 : g->count - 1);
    }
}

erg_status ergi_ears_cut(ergi_mesh *mesh, erg_vec3 normal, const uint32_t *corner, size_t count,
                         erg_error *err)
{
    polygon g = {.vertex = corner, .count = count, .left = count, .leaves = 1};
    while (g.leaves * LEAF < count) g.leaves *= 2;
    // Each corner enters `later` at most once per round, so `count` entries are enough.
    uint32_t *words = ergi_memory_new(6 * count, sizeof *words, "a polygon", err);
    g.at = words ? ergi_memory_new(count, sizeof *g.at, "a polygon", err) : NULL;
    g.order = g.at ? ergi_memory_new(count, sizeof *g.order, "a polygon", err) : NULL;
    g.node = g.order ? ergi_memory_new(2 * g.leaves, sizeof *g.node, "a polygon", err) : NULL;
    erg_status status = g.node ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        g.next = words;
        g.previous = words + count;
        g.touched = words + 2 * count;
        g.now = words + 3 * count;
        g.later = words + 4 * count;
        g.place = words + 5 * count;
        flatten(&g, mesh, normal);
        make_tree(&g);
        status = cut_all(&g, mesh, err);
    }
    ergi_memory_free(g.node);
    ergi_memory_free(g.order);
    ergi_memory_free(g.at);
    ergi_memory_free(words);
    return status;
}
