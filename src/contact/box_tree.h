// A bounding volume hierarchy of boxes: finds the boxes that overlap a given one, at a cost that
// depends on the number found rather than on the number of boxes.
#ifndef ERGI_BOX_TREE_H
#define ERGI_BOX_TREE_H

#include "erg/base.h"

// An axis-aligned box; it may be infinite along an axis.
typedef struct ergi_extents {
    double low[3], high[3];
} ergi_extents;

static inline bool ergi_extents_meet(const ergi_extents *a, const ergi_extents *b)
{
    return a->low[0] <= b->high[0] && a->high[0] >= b->low[0] && a->low[1] <= b->high[1] &&
           a->high[1] >= b->low[1] && a->low[2] <= b->high[2] && a->high[2] >= b->low[2];
}

// Nodes in depth-first order: a node, its first subtree, its second subtree.
typedef struct ergi_box_tree_node {
    ergi_extents box;
    uint32_t     next; // the node to continue with if this box does not overlap
    uint32_t     item; // of a leaf; UINT32_MAX: two subtrees follow
} ergi_box_tree_node;

typedef struct ergi_box_tree_key {
    uint64_t key; // Morton key of the centre
    uint32_t item;
} ergi_box_tree_key;

typedef struct ergi_box_tree {
    ergi_box_tree_node *node;
    ergi_box_tree_key  *order; // finite boxes in Morton order, then the infinite ones
    size_t              nodes, endless, boxes;
    size_t              node_room, order_room;
} ergi_box_tree;

// `box` is not needed afterwards. Boxes must not contain NaN.
erg_status ergi_box_tree_build(ergi_box_tree *tree, const ergi_extents *box, size_t count,
                               erg_error *err);
void       ergi_box_tree_free(ergi_box_tree *tree);
size_t     ergi_box_tree_bytes(const ergi_box_tree *tree);

// Writes the boxes that overlap `asked`, and all infinite ones, in ascending order and returns
// their number. `found` must hold as many elements as there are boxes.
size_t ergi_box_tree_query(const ergi_box_tree *tree, const ergi_extents *asked, uint32_t *found);

#endif
