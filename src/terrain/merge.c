// Frozen grains that are buried become column height. Only those that lie on the columns do, so
// that the columns grow from below, and only where no grain is awake near.
#include <math.h>

#include "terrain/exchange.h"
#include "terrain/sand.h"

#define COVER 2.0                       // of frozen grains above [d]
#define SIDE_COVER 1.0                  // the same in the cells around [d]
#define CALM 2.0                        // least distance to an awake grain above [d]
#define ON 0.6                          // largest gap to the column below [d]
#define LEAST_FROZEN 0.5                // [s]
enum { ALL_BELOW = 20000, SLICES = 8 }; // more frozen grains are looked at in turns

// Whether a cell of the plan covers what is below `top`. There is no sand beyond the terrain.
static bool is_calm(const ergi_terrain *t, int32_t u, int32_t v, double top, double cover)
{
    const ergi_exchange  *x = t->exchange;
    const ergi_plan_cell *cell = ergi_plan_find(&x->plan, u, v);
    double                side = x->plan.side;
    if (!cell &&
        !ergi_columns_cover(&t->columns, ((double)u + 0.5) * side, ((double)v + 0.5) * side))
        return true;
    return cell && (double)cell->frozen_top >= top + cover &&
           (double)cell->awake_low >= top + CALM * x->d;
}

static bool merges(const erg_world *world, size_t f, const double s[4])
{
    const ergi_terrain  *t = world->terrain;
    const ergi_exchange *x = t->exchange;
    const ergi_columns  *c = &t->columns;
    const double        *since = t->frozen.data[ERGI_FROZEN_SINCE];
    double               d = x->d, top = s[2] + s[3];
    int32_t              u = ergi_plan_index(&x->plan, s[0]), v = ergi_plan_index(&x->plan, s[1]);
    int32_t              i = ergi_columns_at(c, 0, s[0]), j = ergi_columns_at(c, 1, s[1]);
    if (x->wakes[f] || world->clock.time - since[f] < LEAST_FROZEN) return false;
    if (s[2] - s[3] > ergi_columns_top(c, i, j) + ON * d) return false;
    return is_calm(t, u, v, top, COVER * d) && is_calm(t, u + 1, v, top, SIDE_COVER * d) &&
           is_calm(t, u - 1, v, top, SIDE_COVER * d) && is_calm(t, u, v + 1, top, SIDE_COVER * d) &&
           is_calm(t, u, v - 1, top, SIDE_COVER * d) &&
           !ergi_exchange_near_zone(x, s, 6 * d, false);
}

erg_status ergi_exchange_merge(erg_world *world, erg_error *err)
{
    (void)err;
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    const double  *sphere = t->frozen.data[ERGI_FROZEN_SPHERE];
    size_t         n = t->frozen.rows, begin = 0, end = n;
    if (n > ALL_BELOW) {
        size_t slice = t->clock.batches % SLICES;
        begin = n * slice / SLICES;
        end = n * (slice + 1) / SLICES;
    }
    for (size_t f = begin; f < end; f++) {
        const double *s = sphere + 4 * f;
        if (!merges(world, f, s)) continue;
        uint64_t quanta = ergi_exchange_quanta(x, s[3]);
        ergi_sand_give(&t->columns, s, quanta);
        t->clock.sand = ergi_u128_add(t->clock.sand, quanta);
        x->wakes[f] = 1;
        x->changed = true;
    }
    return ERG_OK;
}
