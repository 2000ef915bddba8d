#include "contact/box_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/morton.h"

// ---- Building ----------------------------------------------------------------------------------
static bool is_finite(const ergi_extents *box)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(box->high[k] - box->low[k])) return false;
    return true;
}

static void include(ergi_extents *all, const ergi_extents *box)
{
    for (int k = 0; k < 3; k++) {
        all->low[k] = fmin(all->low[k], box->low[k]);
        all->high[k] = fmax(all->high[k], box->high[k]);
    }
}

// Morton key of the box's centre, relative to the bounding box of all.
static uint64_t key_of(const ergi_extents *box, const ergi_extents *all)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double wide = all->high[k] - all->low[k];
        double share = wide > 0 ? (0.5 * (box->low[k] + box->high[k]) - all->low[k]) / wide : 0;
        key |= ergi_spread((uint64_t)(fmin(fmax(share, 0), 1) * (ERGI_AXIS_CELLS - 1))) << k;
    }
    return key;
}

static int by_key(const void *a, const void *b)
{
    const ergi_box_tree_key *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->item > q->item) - (p->item < q->item);
}

// Adds the node of boxes first .. first + count - 1 of the order, and its subtrees.
static void add_node(ergi_box_tree *tree, const ergi_extents *box, size_t first, size_t count)
{
    uint32_t            at = (uint32_t)tree->nodes++, item = tree->order[first].item;
    ergi_box_tree_node *node = &tree->node[at];
    node->item = count == 1 ? item : UINT32_MAX;
    if (count == 1) {
        node->box = box[item];
    } else {
        add_node(tree, box, first, count / 2);
        node->box = tree->node[at + 1].box;
        uint32_t second = (uint32_t)tree->nodes;
        add_node(tree, box, first + count / 2, count - count / 2);
        include(&node->box, &tree->node[second].box);
    }
    node->next = (uint32_t)tree->nodes;
}

erg_status ergi_box_tree_build(ergi_box_tree *tree, const ergi_extents *box, size_t count,
                               erg_error *err)
{
    static const char what[] = "a tree of boxes";
    ergi_extents      all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    erg_status        status =
        ergi_memory_grow(&tree->order, &tree->order_room, count, sizeof *tree->order, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&tree->node, &tree->node_room, 2 * count, sizeof *tree->node,
                                  what, err);
    if (status != ERG_OK) return status;
    size_t ends = 0, endless = 0;
    for (size_t i = 0; i < count; i++) {
        bool   end = is_finite(&box[i]);
        size_t at = end ? ends++ : count - ++endless;
        tree->order[at].item = (uint32_t)i;
        if (end) include(&all, &box[i]);
    }
    for (size_t k = 0; k < ends; k++) tree->order[k].key = key_of(&box[tree->order[k].item], &all);
    if (ends) qsort(tree->order, ends, sizeof *tree->order, by_key);
    tree->nodes = 0;
    tree->endless = endless;
    tree->boxes = count;
    if (ends) add_node(tree, box, 0, ends);
    return ERG_OK;
}

void ergi_box_tree_free(ergi_box_tree *tree)
{
    ergi_memory_free(tree->node);
    ergi_memory_free(tree->order);
    *tree = (ergi_box_tree){0};
}

size_t ergi_box_tree_bytes(const ergi_box_tree *tree)
{
    return tree->node_room * sizeof *tree->node + tree->order_room * sizeof *tree->order;
}

// ---- Query -------------------------------------------------------------------------------------
static int ascending(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

size_t ergi_box_tree_query(const ergi_box_tree *tree, const ergi_extents *asked, uint32_t *found)
{
    size_t count = 0;
    for (size_t k = tree->boxes - tree->endless; k < tree->boxes; k++)
        found[count++] = tree->order[k].item;
    for (size_t n = 0; n < tree->nodes;) {
        const ergi_box_tree_node *node = &tree->node[n];
        bool                      meets = ergi_extents_meet(&node->box, asked);
        if (meets && node->item != UINT32_MAX) found[count++] = node->item;
        n = meets ? n + 1 : node->next;
    }
    if (count > 1) qsort(found, count, sizeof *found, ascending);
    return count;
}
