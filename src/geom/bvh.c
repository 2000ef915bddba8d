#include "geom/bvh.h"

#include "base/error.h"
#include "base/memory.h"

enum {
    LEAF = 4,  // triangles per leaf, at most
    BINS = 16, // candidate split planes per axis
    DEPTH =
        ERGI_BVH_STACK - 40 // deeper nodes are split at the median, which adds at most 31 levels
};

// ---- Building ----------------------------------------------------------------------------------
typedef struct item {
    float    low[3], high[3], middle[3];
    uint32_t triangle;
} item;

static float round_down(double x)
{
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -HUGE_VALF) : f;
}

static float round_up(double x)
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, HUGE_VALF) : f;
}

static double axis_of(erg_vec3 p, int k)
{
    return k == 0 ? p.x : k == 1 ? p.y : p.z;
}

static item make_item(const erg_vec3 p[3], uint32_t triangle)
{
    item it = {.triangle = triangle};
    for (int k = 0; k < 3; k++) {
        double a = axis_of(p[0], k), b = axis_of(p[1], k), c = axis_of(p[2], k);
        it.low[k] = round_down(fmin(a, fmin(b, c)));
        it.high[k] = round_up(fmax(a, fmax(b, c)));
        it.middle[k] = 0.5f * it.low[k] + 0.5f * it.high[k];
    }
    return it;
}

typedef struct box {
    float low[3], high[3];
} box;

static box no_box(void)
{
    return (box){{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
}

static void include(box *b, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        if (low[k] < b->low[k]) b->low[k] = low[k];
        if (high[k] > b->high[k]) b->high[k] = high[k];
    }
}

static double half_area(const box *b)
{
    double x = (double)b->high[0] - (double)b->low[0], y = (double)b->high[1] - (double)b->low[1];
    double z = (double)b->high[2] - (double)b->low[2];
    return x < 0.0 ? 0.0 : x * y + y * z + z * x;
}

static int bin_of(const item *it, int axis, float from, float scale)
{
    int bin = (int)((it->middle[axis] - from) * scale);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

// Binned surface area heuristic: the cost of splitting before each bin is area times triangle
// count, summed over both sides. Returns the cheapest bin; 0 when no split has triangles on both
// sides.
static int best_cut(const item *items, size_t count, int axis, float from, float scale,
                    double *cost)
{
    box    bin[BINS];
    size_t in[BINS] = {0};
    double left[BINS];
    for (int b = 0; b < BINS; b++) bin[b] = no_box();
    for (size_t i = 0; i < count; i++) {
        int b = bin_of(&items[i], axis, from, scale);
        include(&bin[b], items[i].low, items[i].high);
        in[b]++;
    }
    box    all = no_box();
    size_t n = 0;
    for (int b = 0; b < BINS; b++) { // left[b]: all bins before b
        left[b] = n ? half_area(&all) * (double)n : 0.0;
        include(&all, bin[b].low, bin[b].high);
        n += in[b];
    }
    int    cut = 0;
    size_t right = 0;
    all = no_box();
    for (int b = BINS - 1; b > 0; b--) {
        include(&all, bin[b].low, bin[b].high);
        right += in[b];
        if (right == 0 || right == count) continue;
        double c = left[b] + half_area(&all) * (double)right;
        if (cut == 0 || c < *cost) {
            cut = b;
            *cost = c;
        }
    }
    return cut;
}

static int widest(const float low[3], const float high[3])
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    return axis;
}

static bool comes_before(const item *a, const item *b, int axis)
{
    return a->middle[axis] != b->middle[axis] ? a->middle[axis] < b->middle[axis]
                                              : a->triangle < b->triangle;
}

static void swap_items(item *a, item *b)
{
    item t = *a;
    *a = *b;
    *b = t;
}

// Median split: puts the lower half of the items before the upper half (Hoare's quickselect).
static void cut_in_half(item *items, size_t count, int axis)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, middle = (ptrdiff_t)count / 2;
    while (low < high) {
        item      pivot = items[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (comes_before(&items[i], &pivot, axis)) i++;
            while (comes_before(&pivot, &items[j], axis)) j--;
            if (i <= j) swap_items(&items[i++], &items[j--]);
        }
        // items between j and i equal the pivot
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            break;
    }
}

// Splits where it is cheapest; returns the number of items on the left.
static size_t cut(item *items, size_t count, int depth)
{
    box middles = no_box();
    for (size_t i = 0; i < count; i++) include(&middles, items[i].middle, items[i].middle);
    int    axis = 0, at = 0;
    float  at_from = 0.0f, at_scale = 0.0f;
    double cost = 0.0;
    for (int k = 0; k < 3 && depth < DEPTH; k++) {
        float wide = middles.high[k] - middles.low[k];
        if (!(wide > 0.0f)) continue;
        float  scale = (float)BINS / wide;
        double c = 0.0;
        if (!(scale < HUGE_VALF)) continue;
        int b = best_cut(items, count, k, middles.low[k], scale, &c);
        if (b > 0 && (at == 0 || c < cost)) {
            axis = k, at = b, cost = c;
            at_from = middles.low[k], at_scale = scale;
        }
    }
    if (at == 0) {
        cut_in_half(items, count, widest(middles.low, middles.high));
        return count / 2;
    }
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (bin_of(&items[i], axis, at_from, at_scale) < at) swap_items(&items[left++], &items[i]);
    return left;
}

typedef struct span {
    uint32_t node, first, count;
    int      depth;
} span;

static void build(ergi_bvh *bvh, item *items, size_t count)
{
    span stack[ERGI_BVH_STACK];
    int  top = 0;
    stack[top++] = (span){0, 0, (uint32_t)count, 0};
    bvh->nodes = 1;
    while (top > 0) {
        span s = stack[--top];
        box  all = no_box();
        for (uint32_t i = 0; i < s.count; i++)
            include(&all, items[s.first + i].low, items[s.first + i].high);
        ergi_bvh_node *node = &bvh->node[s.node];
        for (int k = 0; k < 3; k++) {
            node->low[k] = all.low[k];
            node->high[k] = all.high[k];
        }
        node->first = s.first;
        node->count = s.count;
        if (s.count <= LEAF) continue;
        uint32_t left = (uint32_t)cut(items + s.first, s.count, s.depth);
        node->first = (uint32_t)bvh->nodes;
        node->count = 0;
        bvh->nodes += 2;
        stack[top++] = (span){node->first + 1, s.first + left, s.count - left, s.depth + 1};
        stack[top++] = (span){node->first, s.first, left, s.depth + 1};
    }
}

static bool has_area(const erg_vec3 p[3])
{
    erg_vec3 n = ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0]));
    return ergi_dot(n, n) > 0.0;
}

erg_status ergi_bvh_build(const ergi_mesh *mesh, ergi_bvh *bvh, erg_error *err)
{
    size_t room = mesh->triangles, count = 0;
    *bvh = (ergi_bvh){0};
    item *items = ergi_memory_new(room, sizeof *items, "a tree of triangles", err);
    bvh->node = ergi_memory_new(2 * room, sizeof *bvh->node, "a tree of triangles", err);
    bvh->triangle = ergi_memory_new(room, sizeof *bvh->triangle, "a tree of triangles", err);
    erg_status status = items && bvh->node && bvh->triangle ? ERG_OK : ERG_NO_MEMORY;
    erg_vec3   p[3];
    for (size_t t = 0; status == ERG_OK && t < mesh->triangles; t++) {
        ergi_mesh_corners(mesh, t, p);
        if (has_area(p)) items[count++] = make_item(p, (uint32_t)t);
    }
    if (status == ERG_OK && count == 0)
        status = ergi_fail_code(err, ERG_ERROR_BAD_MESH, "no triangle of the mesh has an area");
    if (status == ERG_OK) {
        build(bvh, items, count);
        bvh->triangles = count;
        for (size_t i = 0; i < count; i++) {
            bvh->triangle[i].index = items[i].triangle;
            ergi_mesh_corners(mesh, items[i].triangle, bvh->triangle[i].p);
        }
    }
    ergi_memory_free(items);
    if (status != ERG_OK) ergi_bvh_free(bvh);
    return status;
}

void ergi_bvh_free(ergi_bvh *bvh)
{
    ergi_memory_free(bvh->node);
    ergi_memory_free(bvh->triangle);
    *bvh = (ergi_bvh){0};
}

// ---- Queries -----------------------------------------------------------------------------------
static bool meets(const float low[3], const float high[3], erg_vec3 a, erg_vec3 b)
{
    return (double)low[0] <= b.x && (double)high[0] >= a.x && (double)low[1] <= b.y &&
           (double)high[1] >= a.y && (double)low[2] <= b.z && (double)high[2] >= a.z;
}

size_t ergi_bvh_in_box(const ergi_bvh *bvh, erg_vec3 low, erg_vec3 high, uint32_t *found,
                       size_t room)
{
    uint32_t stack[ERGI_BVH_STACK];
    int      top = 0;
    size_t   count = 0;
    stack[top++] = 0;
    while (top > 0) {
        const ergi_bvh_node *n = &bvh->node[stack[--top]];
        if (!meets(n->low, n->high, low, high)) continue;
        if (n->count == 0) {
            stack[top++] = n->first + 1;
            stack[top++] = n->first;
        }
        for (uint32_t i = 0; i < n->count; i++) {
            const ergi_bvh_triangle *t = &bvh->triangle[n->first + i];
            item                     it = make_item(t->p, t->index);
            if (!meets(it.low, it.high, low, high)) continue;
            if (count < room) found[count] = t->index;
            count++;
        }
    }
    return count;
}
