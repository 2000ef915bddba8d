// Frozen grains become grains again, where they are.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/exchange.h"
#include "terrain/grain_spheres.h"
#include "terrain/sand.h"

#define HIT_REACH 0.1    // a grain this close to a fast one is hit [d]
#define SPAN 2           // cells over which a slope is measured
#define ROUGHNESS 0.7    // steps of this height are no slope [d]
#define SLIDES 1.5       // depth that slides on a slope that is too steep [d]
#define LEAST_ASLEEP 0.5 // only fast tools wake grains that fell asleep later than this [s]
#define CALM 1.0         // after which grains at rest do not make slopes slide any more [s]

typedef struct wake_task {
    erg_world     *world;
    ergi_terrain  *t;
    ergi_exchange *x;
    const double  *sphere; // of frozen grains
} wake_task;

static bool just_fell_asleep(const wake_task *w, size_t f)
{
    double slept = ((const double *)w->t->frozen.data[ERGI_FROZEN_SLEPT])[f];
    return slept >= 0 && w->world->clock.time - slept < LEAST_ASLEEP;
}

// ---- In zones ----------------------------------------------------------------------------------
static void wake_in_zones(const wake_task *w)
{
    bool any = false;
    for (size_t k = 0; k < w->x->zones; k++) any |= w->x->zone[k].stirs;
    for (size_t f = 0; f < w->t->frozen.rows && any; f++) {
        const double *s = w->sphere + 4 * f;
        ergi_asleep   what = just_fell_asleep(w, f) ? ERGI_JUST_FROZEN : ERGI_FROZEN;
        if (s[2] >= ergi_exchange_wake_floor(w->x, s[0], s[1], what)) w->x->wakes[f] = 1;
    }
}

// ---- Hit by a fast grain -----------------------------------------------------------------------
static double speed_of(const erg_world *world, size_t grain)
{
    double v[3];
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), grain, ERGI_VELOCITY,
              v);
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void hit_cell(const wake_task *w, int32_t ix, int32_t iy, const double *s, double reach)
{
    const ergi_height_field *field = &w->t->field;
    ergi_height_cell         cell = ergi_height_field_find(field, ix, iy);
    for (uint32_t k = cell.begin; k < cell.end; k++) {
        const double *o = field->sphere + 4 * (size_t)k;
        double        a = s[0] - o[0], b = s[1] - o[1], c = s[2] - o[2];
        double        most = s[3] + o[3] + reach;
        if (a * a + b * b + c * c < most * most && !just_fell_asleep(w, field->row[k]))
            w->x->wakes[field->row[k]] = 1;
    }
}

static void hit_sphere(const wake_task *w, const double *s)
{
    const ergi_height_field *field = &w->t->field;
    double                   reach = HIT_REACH * w->x->d, far = s[3] + field->largest + reach;
    int32_t                  x0 = ergi_height_field_cell(s[0] - far, field->cell),
            x1 = ergi_height_field_cell(s[0] + far, field->cell),
            y0 = ergi_height_field_cell(s[1] - far, field->cell),
            y1 = ergi_height_field_cell(s[1] + far, field->cell);
    for (int32_t iy = y0; iy <= y1; iy++)
        for (int32_t ix = x0; ix <= x1; ix++) hit_cell(w, ix, iy, s, reach);
}

static void wake_hit(const wake_task *w)
{
    for (size_t i = 0; i < w->world->grains.rows && w->t->field.spheres > 0; i++) {
        if (!(speed_of(w->world, i) > w->x->hit_speed)) continue;
        for (int k = 0; k < ergi_grain_spheres(w->world, i); k++) {
            double s[4];
            ergi_grain_sphere(w->world, i, k, s);
            hit_sphere(w, s);
        }
    }
}

// ---- Slopes ------------------------------------------------------------------------------------
// Top of the sand in a cell; *active: sand moves there, or did a moment ago. Where all is at rest
// the surface is as it was when the grains around froze: one that stands out would only lie where
// it is, freeze and wake again.
static double cell_top(const wake_task *w, int32_t x, int32_t y, bool *active)
{
    const ergi_plan      *plan = &w->x->plan;
    const ergi_columns   *c = &w->t->columns;
    const ergi_plan_cell *cell = ergi_plan_find(plan, x, y);
    double p[3] = {((double)x + 0.5) * plan->side, ((double)y + 0.5) * plan->side, 0};
    double z = ergi_columns_top(c, ergi_columns_at(c, 0, p[0]), ergi_columns_at(c, 1, p[1]));
    if (cell) z = fmax(z, fmax((double)cell->awake_top, (double)cell->frozen_top));
    p[2] = z;
    *active =
        (cell && (double)cell->rest < CALM) || ergi_exchange_near_zone(w->x, p, 2 * w->x->d, false);
    return ergi_columns_cover(c, p[0], p[1]) ? z : HUGE_VAL;
}

// Lowest z above which the sand of this cell slides into an active neighbour; HUGE_VAL: it stands.
static double slides_above(const wake_task *w, const ergi_plan_cell *cell)
{
    static const int way[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                  {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    bool             active;
    double           steep = tan(w->t->def.angle_start), least = HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        double far = SPAN * w->x->plan.side * (k < 4 ? 1 : sqrt(2.0));
        double low = cell_top(w, cell->x + SPAN * way[k][0], cell->y + SPAN * way[k][1], &active);
        double most = low + steep * far + ROUGHNESS * w->x->d;
        if (active && (double)cell->frozen_top > most) least = fmin(least, most);
    }
    return least < HUGE_VAL ? fmax(least, (double)cell->frozen_top - SLIDES * w->x->d) : least;
}

static void wake_slopes(const wake_task *w)
{
    const ergi_plan *plan = &w->x->plan;
    for (size_t k = 0; k < plan->count; k++) {
        ergi_plan_cell *cell = &w->x->plan.cell[plan->list[k]];
        cell->slides = cell->frozen_top > -INFINITY ? (float)slides_above(w, cell) : INFINITY;
    }
    for (size_t f = 0; f < w->t->frozen.rows; f++) {
        const double         *s = w->sphere + 4 * f;
        const ergi_plan_cell *cell =
            ergi_plan_find(plan, ergi_plan_index(plan, s[0]), ergi_plan_index(plan, s[1]));
        if (cell && s[2] + s[3] > (double)cell->slides && !just_fell_asleep(w, f))
            w->x->wakes[f] = 1;
    }
}

// ------------------------------------------------------------------------------------------------
erg_status ergi_exchange_wake(erg_world *world, erg_error *err)
{
    ergi_terrain   *t = world->terrain;
    ergi_exchange  *x = t->exchange;
    const uint64_t *id = t->frozen.data[ERGI_FROZEN_ID];
    const double   *size = t->frozen.data[ERGI_FROZEN_SIZE];
    wake_task       w = {world, t, x, t->frozen.data[ERGI_FROZEN_SPHERE]};
    erg_status      status =
        ergi_memory_grow(&x->wakes, &x->wakes_room, t->frozen.rows + 1, 1, "frozen grains", err);
    if (status != ERG_OK) return status;
    memset(x->wakes, 0, t->frozen.rows);
    wake_in_zones(&w);
    wake_hit(&w);
    wake_slopes(&w);
    for (size_t f = 0; f < t->frozen.rows && status == ERG_OK; f++) {
        if (!x->wakes[f]) continue;
        status = ergi_exchange_add(&x->awake, &x->awakes, &x->awake_room, w.sphere + 4 * f, size[f],
                                   id[f], err);
        t->clock.woken++;
        x->changed = true;
    }
    return status;
}
