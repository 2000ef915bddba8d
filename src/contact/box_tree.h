// A tree of boxes: which of many boxes meet a given one, in time that follows the answer and not
// the number of boxes.
#ifndef ERGI_BOX_TREE_H
#define ERGI_BOX_TREE_H

#include "erg/base.h"

// Along the axes. One that is infinite along some axis has no end there.
typedef struct ergi_extents {
    double low[3], high[3];
} ergi_extents;

static inline bool ergi_extents_meet(const ergi_extents *a, const ergi_extents *b)
{
    return a->low[0] <= b->high[0] && a->high[0] >= b->low[0] && a->low[1] <= b->high[1] &&
           a->high[1] >= b->low[1] && a->low[2] <= b->high[2] && a->high[2] >= b->low[2];
}

// Nodes in the order of a walk: a node, what is below its first half, what is below its second.
typedef struct ergi_container_node {
    ergi_extents box;
    uint32_t     next; // the node to go on with when this box is missed
    uint32_t     item; // of a leaf; UINT32_MAX: two halves follow
} ergi_container_node;

typedef struct ergi_container_key {
    uint64_t key; // Morton's, of the middle
    uint32_t item;
} ergi_container_key;

typedef struct ergi_box_tree {
    ergi_container_node *node;
    ergi_container_key *order; // boxes that end everywhere, by space; those that do not, at the end
    size_t              nodes, endless, boxes;
    size_t              node_room, order_room;
} ergi_box_tree;

// Does not keep `box`. Boxes hold no NaN.
erg_status ergi_box_tree_build(ergi_box_tree *tree, const ergi_extents *box, size_t count,
                               erg_error *err);
void       ergi_box_tree_free(ergi_box_tree *tree);
size_t     ergi_box_tree_bytes(const ergi_box_tree *tree);

// Boxes that meet `asked`, and all without an end, ascending: how many. `found` has room for as
// many as there are boxes.
size_t ergi_box_tree_ask(const ergi_box_tree *tree, const ergi_extents *asked, uint32_t *found);

#endif
