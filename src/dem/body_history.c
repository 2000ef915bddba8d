#include "dem/body_history.h"

#define NORMAL_TURN 0.1 // springs persist while n_before . n_now > 1 - this

static bool is_still_touching(const ergi_body_contact *now, uint32_t count, const uint32_t *where)
{
    for (uint32_t k = 0; k < count; k++)
        if (now[k].ball == where[0] && now[k].of_b == where[1] && now[k].feature == where[2])
            return true;
    return false;
}

// History of the same inscribed sphere on the same feature; otherwise on the no longer touched
// feature whose normal was closest to c's.
const double *ergi_body_find_history(const ergi_table *contacts, size_t begin, size_t end,
                                     const ergi_body_contact *now, uint32_t count,
                                     const ergi_body_contact *c)
{
    const uint32_t *place = contacts->data[ERGI_BODY_CONTACT_KEY];
    const double   *history = contacts->data[ERGI_BODY_CONTACT_HISTORY], *found = NULL;
    double          nearest = 1 - NORMAL_TURN;
    for (size_t k = begin; k < end; k++) {
        const double *m = history + ERGI_BODY_HISTORY_WIDTH * k, *n = m + ERGI_BODY_HISTORY_NORMAL;
        if (place[3 * k] != c->ball || place[3 * k + 1] != c->of_b) continue;
        double along = n[0] * c->normal.x + n[1] * c->normal.y + n[2] * c->normal.z;
        if (along < 1 - NORMAL_TURN) continue;
        if (place[3 * k + 2] == c->feature) return m;
        if (along < nearest || is_still_touching(now, count, place + 3 * k)) continue;
        nearest = along;
        found = m;
    }
    return found;
}

void ergi_body_store_history(ergi_table *contacts, size_t row, const ergi_body_pair *pair,
                             const ergi_body_contact *c)
{
    uint32_t *walls = (uint32_t *)contacts->data[ERGI_BODY_CONTACT_WALLS] + 2 * row;
    uint32_t *place = (uint32_t *)contacts->data[ERGI_BODY_CONTACT_KEY] + 3 * row;
    double   *history =
        (double *)contacts->data[ERGI_BODY_CONTACT_HISTORY] + ERGI_BODY_HISTORY_WIDTH * row;
    walls[0] = pair->a;
    walls[1] = pair->b;
    place[0] = c->ball;
    place[1] = c->of_b;
    place[2] = c->feature;
    for (int k = 0; k < ERGI_BODY_HISTORY_WIDTH; k++) history[k] = c->history[k];
}
