// Which history of the last substep a contact with a surface inherits: that of the same feature, or
// of one that is no longer hit; either with nearly the same normal. Only one hit can inherit a row,
// since two would push twice as hard.
#ifndef ERGI_PBD_RECALL_H
#define ERGI_PBD_RECALL_H

#include "world/wall.h"

#define ERGI_PBD_NEW UINT32_MAX   // no row
#define ERGI_PBD_NORMAL_TURN 0.1f // history is inherited only while n_before . n_now > 1 - this

typedef struct ergi_pbd_recall {
    const ergi_wall_hit *hits;
    int                  count, hit; // of these, the one that inherits
    const uint32_t      *given;      // rows that the hits before it inherit
    uint32_t             row;        // found so far, or ERGI_PBD_NEW
    float                nearest;
} ergi_pbd_recall;

static inline ergi_pbd_recall ergi_pbd_recall_for(const ergi_wall_hit *hits, int count, int hit,
                                                  const uint32_t *given)
{
    return (ergi_pbd_recall){hits, count, hit, given, ERGI_PBD_NEW, 1 - ERGI_PBD_NORMAL_TURN};
}

static inline bool ergi_pbd_recall_is_free(const ergi_pbd_recall *r, uint32_t row, uint32_t feature)
{
    for (int h = 0; h < r->count; h++)
        if (r->hits[h].feature == feature) return false;
    for (int h = 0; h < r->hit; h++)
        if (r->given[h] == row) return false;
    return true;
}

// Considers a row with that feature and normal. True: no other row can be better.
static inline bool ergi_pbd_recall_row(ergi_pbd_recall *r, size_t row, uint32_t feature,
                                       const float n[3])
{
    const ergi_wall_hit *hit = &r->hits[r->hit];
    float                along =
        n[0] * (float)hit->normal.x + n[1] * (float)hit->normal.y + n[2] * (float)hit->normal.z;
    bool same = feature == hit->feature && along > 1 - ERGI_PBD_NORMAL_TURN;
    if (same || (along > r->nearest && ergi_pbd_recall_is_free(r, (uint32_t)row, feature))) {
        r->nearest = along;
        r->row = (uint32_t)row;
    }
    return same;
}

#endif
