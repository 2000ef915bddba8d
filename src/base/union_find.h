// Union-find: the root of a group is its lowest member. Initially group[i] = i.
#ifndef ERGI_UNION_FIND_H
#define ERGI_UNION_FIND_H

#include <stdint.h>

// Halves the path to the root in each search.
static inline uint32_t ergi_union_find_root(uint32_t *group, uint32_t i)
{
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

static inline void ergi_union_find_join(uint32_t *group, uint32_t a, uint32_t b)
{
    a = ergi_union_find_root(group, a);
    b = ergi_union_find_root(group, b);
    group[a > b ? a : b] = a > b ? b : a;
}

#endif
