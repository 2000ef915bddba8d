#include "contact/body_pairs.h"

#include <stdlib.h>

static int by_low(const void *a, const void *b)
{
    const ergi_wall_box *p = a, *q = b;
    if (p->low.x != q->low.x) return p->low.x < q->low.x ? -1 : 1;
    return p->wall < q->wall ? -1 : 1;
}

static bool boxes_meet(const ergi_wall_box *a, const ergi_wall_box *b)
{
    return a->low.x <= b->high.x && a->high.x >= b->low.x && a->low.y <= b->high.y &&
           a->high.y >= b->low.y && a->low.z <= b->high.z && a->high.z >= b->low.z;
}

static bool may_touch(const erg_world *world, uint32_t a, uint32_t b)
{
    if (ergi_wall_is_terrain(&world->wall[a]) || ergi_wall_is_terrain(&world->wall[b]))
        return false;
    return world->wall[a].body.free || world->wall[b].body.free;
}

erg_status ergi_body_pairs_find(const erg_world *world, ergi_wall_box *box, size_t count,
                                ergi_body_pair_fn *fn, void *user, erg_error *err)
{
    if (count == 0) return ERG_OK;
    qsort(box, count, sizeof *box, by_low);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && box[k].low.x <= box[i].high.x; k++) {
            if (!may_touch(world, box[i].wall, box[k].wall) || !boxes_meet(&box[i], &box[k]))
                continue;
            erg_status status = fn(user, box[i].wall, box[k].wall, err);
            if (status != ERG_OK) return status;
        }
    return ERG_OK;
}

void ergi_body_pair_rows(const uint32_t *walls, size_t rows, uint32_t a, uint32_t b, size_t *begin,
                         size_t *end)
{
    uint64_t wanted = (uint64_t)a << 32 | b;
    size_t   low = 0, high = rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (((uint64_t)walls[2 * mid] << 32 | walls[2 * mid + 1]) < wanted)
            low = mid + 1;
        else
            high = mid;
    }
    *begin = *end = low;
    while (*end < rows && walls[2 * *end] == a && walls[2 * *end + 1] == b) ++*end;
}
