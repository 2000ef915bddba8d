// Grains at rest become frozen: where they are covered by others after a short while, at the
// surface after a longer one and away from tools. Only grains that lie on frozen ones or on columns
// do, so that the frozen sand grows from below.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geom/query_heights.h"
#include "terrain/exchange.h"
#include "terrain/sand.h"

#define COVERED_REST 0.5 // [s]
#define BARE_REST 2.0    // [s]
#define JAMMED_REST 4.0  // frozen grains beside or above are enough for a grain at rest so long [s]
#define LEAST_AWAKE 0.5  // [s]
#define COVER 2.0        // [d]
#define SIDE_COVER 0.5   // the same in the cells around [d]
#define FAR_TOOL 10.0    // bare grains this close do [d]
#define NEAR_BODY 2.0    // grains this close to a free body do: frozen ones would not carry it [d]
#define SUPPORT 0.1      // largest gap to what carries a grain [d]
#define UPWARD 0.3       // z of the normal of walls that carry grains, at least

enum { REST_TIME, REST_WOKE };

static bool on_columns(const ergi_terrain *t, const double s[4], double gap)
{
    if (!ergi_heights_inside(&t->field, s[0], s[1])) return false;
    ergi_heights_point at = ergi_heights_at(&t->field, s[0], s[1]);
    return ergi_heights_smooth(&at, ergi_vec3(s[0], s[1], s[2])).gap < s[3] + gap;
}

// On a wall that stays where it is.
static bool on_wall(const erg_world *world, const double s[4], double gap)
{
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    erg_vec3      centre = {s[0], s[1], s[2]};
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_wall *wall = &world->wall[w].wall;
        const ergi_pose *pose = &world->wall_state[w].pose;
        if (ergi_wall_moves(&world->wall[w]) || ergi_wall_far(wall, pose, centre, s[3] + gap))
            continue;
        int found = ergi_wall_hits(wall, pose, centre, s[3] + gap, hits);
        for (int k = 0; k < found; k++)
            if (hits[k].normal.z > UPWARD) return true;
    }
    return false;
}

// Whether a frozen grain lower than this one, the columns or a wall are within the gap; of a jammed
// grain, any frozen grain.
static bool is_supported(const erg_world *world, const double s[4], bool jammed)
{
    const ergi_terrain      *t = world->terrain;
    const ergi_height_field *f = &t->field;
    double                   gap = SUPPORT * t->exchange->d;
    if (on_columns(t, s, gap) || on_wall(world, s, gap)) return true;
    if (f->spheres == 0) return false;
    double far = s[3] + f->largest + gap;
    for (int32_t iy = ergi_height_field_cell(s[1] - far, f->cell),
                 y1 = ergi_height_field_cell(s[1] + far, f->cell);
         iy <= y1; iy++)
        for (int32_t ix = ergi_height_field_cell(s[0] - far, f->cell),
                     x1 = ergi_height_field_cell(s[0] + far, f->cell);
             ix <= x1; ix++) {
            ergi_height_cell cell = ergi_height_field_find(f, ix, iy);
            for (uint32_t k = cell.begin; k < cell.end; k++) {
                const double *o = f->sphere + 4 * (size_t)k;
                double        a = s[0] - o[0], b = s[1] - o[1], h = s[2] - o[2];
                double        most = s[3] + o[3] + gap;
                if ((h > 0 || jammed) && a * a + b * b + h * h < most * most) return true;
            }
        }
    return false;
}

static double top_of(const ergi_plan *plan, int32_t x, int32_t y)
{
    const ergi_plan_cell *cell = ergi_plan_find(plan, x, y);
    return cell ? fmax((double)cell->awake_top, (double)cell->frozen_top) : -HUGE_VAL;
}

static bool is_covered(const ergi_exchange *x, const double s[4])
{
    int32_t u = ergi_plan_index(&x->plan, s[0]), v = ergi_plan_index(&x->plan, s[1]);
    double  top = s[2] + s[3], around = top + SIDE_COVER * x->d;
    return top_of(&x->plan, u, v) >= top + COVER * x->d && top_of(&x->plan, u + 1, v) >= around &&
           top_of(&x->plan, u - 1, v) >= around && top_of(&x->plan, u, v + 1) >= around &&
           top_of(&x->plan, u, v - 1) >= around;
}

static bool freezes(const erg_world *world, size_t i, const double s[4])
{
    const ergi_terrain  *t = world->terrain;
    const ergi_exchange *x = t->exchange;
    const double        *rest = t->rest.data[REST_TIME], *woke = t->rest.data[REST_WOKE];
    if (rest[i] < COVERED_REST || world->clock.time - woke[i] < LEAST_AWAKE ||
        !ergi_columns_cover(&t->columns, s[0], s[1]))
        return false;
    if (ergi_exchange_wakes_soon(x, s) || ergi_exchange_near_zone(x, s, NEAR_BODY * x->d, true))
        return false;
    if (!is_covered(x, s) &&
        (rest[i] < BARE_REST || ergi_exchange_near_zone(x, s, FAR_TOOL * x->d, false)))
        return false;
    return is_supported(world, s, rest[i] >= JAMMED_REST);
}

// Adds up how long each grain has been at rest. Spin about the vertical does not count: without
// twisting resistance nothing ends that of a sphere on flat ground.
static void count_rest(erg_world *world)
{
    ergi_terrain *t = world->terrain;
    double       *rest = t->rest.data[REST_TIME], limit = t->exchange->rest_speed;
    const double *x = ERGI_GRAIN(world, POSITION, double);
    for (size_t i = 0; i < world->grains.rows; i++) {
        double      v[3], w[3], r = x[4 * i + 3];
        const void *motion = world->grains.data[ERGI_GRAIN_MOTION];
        ergi_get3(motion, ergi_world_real(world), i, ERGI_VELOCITY, v);
        ergi_get3(motion, ergi_world_real(world), i, ERGI_SPIN, w);
        double square =
            v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + r * r * (w[0] * w[0] + w[1] * w[1]);
        rest[i] = square < limit * limit ? rest[i] + ERGI_BATCH_TIME : 0;
    }
}

erg_status ergi_exchange_freeze(erg_world *world, size_t *asleep, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    const double  *sphere = ERGI_GRAIN(world, POSITION, double),
                 *size = ERGI_GRAIN(world, SIZE, double);
    const uint64_t *id = ERGI_GRAIN(world, ID, uint64_t);
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    size_t          n = world->grains.rows;
    erg_status      status =
        ergi_memory_grow(&world->leaves, &world->leaves_room, n + 1, 1, "grains at rest", err);
    if (status != ERG_OK) return status;
    memset(world->leaves, 0, n);
    count_rest(world);
    for (size_t i = 0; i < n && status == ERG_OK; i++) {
        const double *s = sphere + 4 * i;
        if (kind[i] != x->kind || !freezes(world, i, s)) continue;
        world->leaves[i] = 1;
        (*asleep)++;
        t->clock.slept++;
        x->changed = true;
        status =
            ergi_exchange_add(&x->frozen, &x->frozens, &x->frozen_room, s, size[i], id[i], err);
    }
    return status;
}
