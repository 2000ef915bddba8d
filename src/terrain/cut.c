// Cuts columns into grains: in zones that wake, and as a crust of frozen grains wherever a grain
// may touch bare columns. The grains are those of the packing whose centres lie in the columns;
// what the packing leaves over stays in the columns.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "terrain/exchange.h"
#include "terrain/grain_spheres.h"
#include "terrain/sand.h"

#define CRUST 2.0 // thickness of the crust [d]
#define THIN 1.0  // a crust is renewed when it is thinner than this [d]
#define TOUCH 1.2 // columns this close below a grain get a crust [d]
#define RISE                                                                                       \
    0.4               // centres of the highest grains above the surface of the columns, so that the
                      // mean surface of the grains is there [d]
#define SHRINK 0.95   // spheres may overlap by the rest of this
#define PRESSED 0.1   // and reach into the floor by this share of their radius, as in a deep bed
#define LOOKS 4       // points of a grain's path in two batches at which columns are looked at
#define LEVEL 16      // columns along the side of a patch in which the remainder is levelled
#define SPAN 2        // cells over which a slope is measured
#define ROUGHNESS 0.7 // steps of this height are no slope [d]

typedef struct cut_task {
    erg_world     *world;
    ergi_terrain  *t;
    ergi_exchange *x;
    ergi_columns  *c;
    erg_status     status;
    erg_error     *err;
} cut_task;

// ---- Which columns -----------------------------------------------------------------------------
static void add_column(cut_task *k, int32_t i, int32_t j, double crust)
{
    ergi_exchange *x = k->x;
    if (k->status == ERG_OK)
        k->status = ergi_memory_grow(&x->column, &x->column_room, x->columns + 1, sizeof *x->column,
                                     "columns of a terrain", k->err);
    if (k->status == ERG_OK) x->column[x->columns++] = (ergi_cut_column){i, j, (float)crust};
}

// Columns of the bowls around zones that wake.
static void find_in_zones(cut_task *k)
{
    const ergi_columns *c = k->c;
    // Columns beside the bowl get a crust too: grains at its rim lie on it.
    double d = k->x->d, rim = (THIN + RISE) * d + c->spacing;
    double aslant = ERGI_BOWL_SLOPE * 0.5 * sqrt(2.0) * c->spacing; // from centre to corner
    for (size_t n = 0; n < k->x->zones; n++) {
        const ergi_zone *z = &k->x->zone[n];
        if (!z->wakes) continue;
        // The bowl meets the surface where it has risen from the bottom of the zone.
        ergi_column_range under = ergi_columns_in(c, z->low[0], z->high[0], z->low[1], z->high[1]);
        double            top = z->low[2];
        for (int32_t j = under.j0; j <= under.j1; j++)
            for (int32_t i = under.i0; i <= under.i1; i++)
                top = fmax(top, ergi_columns_top(c, i, j));
        double            reach = top - z->low[2] + z->margin + 3 * d + rim;
        ergi_column_range r = ergi_columns_in(c, z->low[0] - reach, z->high[0] + reach,
                                              z->low[1] - reach, z->high[1] + reach);
        for (int32_t j = r.j0; j <= r.j1; j++)
            for (int32_t i = r.i0; i <= r.i1; i++) {
                double wake = ergi_exchange_wake_floor(k->x, ergi_columns_centre(c, 0, i),
                                                       ergi_columns_centre(c, 1, j), ERGI_COLUMNS);
                double surface = ergi_columns_top(c, i, j);
                if (surface > wake - rim)
                    add_column(k, i, j, fmin(wake - aslant, surface) - CRUST * d);
            }
    }
}

static void crust_under(cut_task *k, double px, double py, double bottom, double radius)
{
    const ergi_columns *c = k->c;
    double              d = k->x->d;
    ergi_column_range   r = ergi_columns_in(c, px - radius, px + radius, py - radius, py + radius);
    if (!ergi_columns_cover(c, px, py)) return;
    for (int32_t j = r.j0; j <= r.j1; j++)
        for (int32_t i = r.i0; i <= r.i1; i++) {
            double z = ergi_columns_top(c, i, j);
            if (z > c->floor && bottom < z + TOUCH * d) add_column(k, i, j, z - CRUST * d);
        }
}

// Bare columns that a grain touches, or will within two batches.
static void find_under_grains(cut_task *k)
{
    const erg_world *world = k->world;
    const double    *x = ERGI_GRAIN(world, POSITION, double), *g = world->clock.gravity;
    for (size_t i = 0; i < world->grains.rows; i++) {
        const double *s = x + 4 * i;
        double        v[3], speed2, r = ergi_grain_bounding_radius(world, i);
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_VELOCITY,
                  v);
        speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        int looks = speed2 > k->x->wake_speed * k->x->wake_speed ? LOOKS : 0;
        for (int n = 0; n <= looks; n++) {
            double t = 2 * ERGI_BATCH_TIME * n / LOOKS, fall = 0.5 * t * t * g[2];
            crust_under(k, s[0] + t * v[0], s[1] + t * v[1], s[2] + t * v[2] + fall - r,
                        r + 0.5 * k->x->d);
        }
    }
}

// Bare columns next to sand that has sunk below what they can stand above: their crust slides in
// the next batch (wake.c).
static void find_steep(cut_task *k)
{
    static const int    way[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                     {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const ergi_plan    *plan = &k->x->plan;
    const ergi_columns *c = k->c;
    double              steep = tan(k->t->def.angle_start), d = k->x->d;
    for (size_t n = 0; n < plan->count; n++) {
        const ergi_plan_cell *cell = &plan->cell[plan->list[n]];
        if (!(cell->awake_top > -INFINITY)) continue;
        double top = fmax((double)cell->awake_top, (double)cell->frozen_top);
        for (int m = 0; m < 8; m++) {
            int32_t               u = cell->x + SPAN * way[m][0], v = cell->y + SPAN * way[m][1];
            const ergi_plan_cell *other = ergi_plan_find(plan, u, v);
            double                x0 = (double)u * plan->side, y0 = (double)v * plan->side;
            if (!ergi_columns_cover(c, x0, y0) ||
                !ergi_columns_cover(c, x0 + plan->side, y0 + plan->side))
                continue;
            double far = SPAN * plan->side * (m < 4 ? 1 : sqrt(2.0));
            double z = ergi_columns_top(c, ergi_columns_at(c, 0, x0 + 0.5 * plan->side),
                                        ergi_columns_at(c, 1, y0 + 0.5 * plan->side));
            if (z <= top + steep * far + ROUGHNESS * d) continue;
            if (other && (double)other->frozen_top > z) continue;
            ergi_column_range r = ergi_columns_in(c, x0, x0 + plan->side, y0, y0 + plan->side);
            for (int32_t j = r.j0; j <= r.j1; j++)
                for (int32_t i = r.i0; i <= r.i1; i++)
                    add_column(k, i, j, ergi_columns_top(c, i, j) - CRUST * d);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const ergi_cut_column *p = a, *q = b;
    if (p->j / LEVEL != q->j / LEVEL) return p->j / LEVEL < q->j / LEVEL ? -1 : 1;
    if (p->i / LEVEL != q->i / LEVEL) return p->i / LEVEL < q->i / LEVEL ? -1 : 1;
    if (p->j != q->j) return p->j < q->j ? -1 : 1;
    return p->i < q->i ? -1 : p->i > q->i;
}

// Each column once, with the lowest of what was asked for.
static void merge_columns(ergi_exchange *x)
{
    size_t kept = 0;
    qsort(x->column, x->columns, sizeof *x->column, by_place);
    for (size_t n = 0; n < x->columns; n++) {
        ergi_cut_column *last = kept ? &x->column[kept - 1] : NULL, c = x->column[n];
        if (last && last->i == c.i && last->j == c.j) {
            last->crust = fminf(last->crust, c.crust);
        } else {
            x->column[kept++] = c;
        }
    }
    x->columns = kept;
}

// ---- Which grains ------------------------------------------------------------------------------
static void add_candidate(void *user, const double s[4])
{
    cut_task      *k = user;
    ergi_exchange *x = k->x;
    if (s[2] + x->base < (1 - PRESSED) * s[3] || k->status != ERG_OK) return;
    k->status = ergi_memory_grow(&x->candidate, &x->candidate_room, 4 * (x->candidates + 1),
                                 sizeof *x->candidate, "grains of a terrain", k->err);
    if (k->status != ERG_OK) return;
    double *at = x->candidate + 4 * x->candidates++;
    memcpy(at, s, 4 * sizeof *s);
    at[2] += x->base + k->c->floor;
}

static int by_height(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int k = 2; k >= 0; k--)
        if (p[k] != q[k]) return p[k] > q[k] ? -1 : 1;
    return 0;
}

static void find_candidates(cut_task *k)
{
    const ergi_columns *c = k->c;
    k->x->candidates = 0;
    for (size_t n = 0; n < k->x->columns && k->status == ERG_OK; n++) {
        const ergi_cut_column *col = &k->x->column[n];
        double                 a = 0.5 * c->spacing;
        double x = ergi_columns_centre(c, 0, col->i), y = ergi_columns_centre(c, 1, col->j);
        double top = ergi_columns_top(c, col->i, col->j) + RISE * k->x->d;
        double bottom = fmax((double)col->crust, c->floor);
        double low[3] = {x - a, y - a, bottom - c->floor - k->x->base},
               high[3] = {x + a, y + a, top - c->floor - k->x->base};
        if (high[2] > low[2]) ergi_packing_visit(&k->x->packing, low, high, add_candidate, k);
    }
    if (k->x->candidates > 0)
        qsort(k->x->candidate, k->x->candidates, 4 * sizeof *k->x->candidate, by_height);
}

// Moves a grain that reaches into a wall by less than its radius back to it.
static void leave_walls(const erg_world *world, double s[4])
{
    for (size_t w = 0; w < world->walls; w++) {
        ergi_wall_hit    hits[ERGI_WALL_MAX_HITS];
        const ergi_wall *wall = &world->wall[w].wall;
        const ergi_pose *pose = &world->wall_state[w].pose;
        erg_vec3         centre = {s[0], s[1], s[2]};
        if (w == world->terrain->wall || ergi_wall_far(wall, pose, centre, s[3])) continue;
        int found = ergi_wall_hits(wall, pose, centre, s[3], hits);
        for (int k = 0; k < found; k++) {
            centre = ergi_madd(centre, s[3] - hits[k].gap, hits[k].normal);
            if (!(hits[k].gap > 0)) return;
        }
        s[0] = centre.x;
        s[1] = centre.y;
        s[2] = centre.z;
    }
}

static bool clear_of_walls(const erg_world *world, erg_vec3 centre, double radius)
{
    for (size_t w = 0; w < world->walls; w++) {
        ergi_wall_hit    hits[ERGI_WALL_MAX_HITS];
        const ergi_wall *wall = &world->wall[w].wall;
        const ergi_pose *pose = &world->wall_state[w].pose;
        if (w == world->terrain->wall) continue;
        if (!ergi_wall_far(wall, pose, centre, radius) &&
            ergi_wall_hits(wall, pose, centre, radius, hits) > 0)
            return false;
        if (ergi_wall_encloses(wall, pose, centre)) return false;
    }
    return true;
}

static void make_grains(cut_task *k)
{
    ergi_exchange *x = k->x;
    for (size_t n = 0; n < x->candidates && k->status == ERG_OK; n++) {
        double *s = x->candidate + 4 * n;
        leave_walls(k->world, s);
        erg_vec3 centre = {s[0], s[1], s[2]};
        uint64_t quanta = ergi_exchange_quanta(x, s[3]);
        if (!ergi_columns_cover(k->c, s[0], s[1]) || // a wall moved it out of the grid
            !ergi_placement_grid_is_free(&x->near, centre, SHRINK * s[3]) ||
            !clear_of_walls(k->world, centre, SHRINK * s[3]) || !ergi_sand_take(k->c, s, quanta))
            continue;
        bool   awake = s[2] >= ergi_exchange_wake_floor(x, s[0], s[1], ERGI_COLUMNS);
        double size = s[3] / k->world->kind[x->kind].shape.bounding_radius;
        k->t->clock.sand = ergi_u128_subtract(k->t->clock.sand, quanta);
        k->t->clock.woken += awake;
        x->changed = true;
        k->status =
            awake ? ergi_exchange_add(&x->awake, &x->awakes, &x->awake_room, s, size, 0, k->err)
                  : ergi_exchange_add(&x->frozen, &x->frozens, &x->frozen_room, s, size, 0, k->err);
        if (k->status == ERG_OK)
            k->status = ergi_placement_grid_add(&x->near, centre, s[3], k->err);
    }
}

// ---- Levelling ---------------------------------------------------------------------------------
// Height of a column up to its crust [quanta].
static double quanta_below(const ergi_columns *c, const ergi_cut_column *col)
{
    return fmax((double)col->crust - c->floor, 0) / c->quantum;
}

// What is left in a patch of columns is laid below the crust, at one height above or below it. The
// sand of a patch may pass 64 bits.
static void level_patch(cut_task *k, size_t begin, size_t end)
{
    ergi_columns *c = k->c;
    uint64_t     *height = ergi_columns_height(c);
    ergi_u128     sand = {0, 0}, wanted = {0, 0}, more = {0, 0};
    for (size_t n = begin; n < end; n++) {
        const ergi_cut_column *col = &k->x->column[n];
        sand = ergi_u128_add(sand, height[ergi_columns_row(c, col->i, col->j)]);
        wanted = ergi_u128_add(wanted, (uint64_t)quanta_below(c, col));
    }
    double share = 1;
    if (ergi_u128_less(sand, wanted))
        share = ergi_u128_number(sand) / ergi_u128_number(wanted);
    else
        more = ergi_u128_divide(ergi_u128_minus(sand, wanted), (uint32_t)(end - begin));
    ergi_u128 left = sand;
    for (size_t n = begin; n < end; n++) {
        const ergi_cut_column *col = &k->x->column[n];
        size_t                 row = ergi_columns_row(c, col->i, col->j);
        uint64_t               h = (uint64_t)(quanta_below(c, col) * share) + more.low;
        if (ergi_u128_less(left, (ergi_u128){h, 0})) h = left.low;
        ergi_columns_mark(c, row, false);
        height[row] = h;
        left = ergi_u128_subtract(left, h);
    }
    const ergi_cut_column *first = &k->x->column[begin];
    height[ergi_columns_row(c, first->i, first->j)] += left.low;
}

static void level(cut_task *k)
{
    const ergi_cut_column *col = k->x->column;
    for (size_t begin = 0, end; begin < k->x->columns; begin = end) {
        for (end = begin + 1; end < k->x->columns; end++)
            if (col[end].i / LEVEL != col[begin].i / LEVEL ||
                col[end].j / LEVEL != col[begin].j / LEVEL)
                break;
        level_patch(k, begin, end);
    }
}

// ---- All of it ---------------------------------------------------------------------------------
static void collect_near(cut_task *k)
{
    const ergi_columns *c = k->c;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t n = 0; n < k->x->columns; n++) {
        const ergi_cut_column *col = &k->x->column[n];
        const double p[3] = {ergi_columns_centre(c, 0, col->i), ergi_columns_centre(c, 1, col->j),
                             ergi_columns_top(c, col->i, col->j)};
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], a == 2 ? (double)col->crust : p[a]);
            high[a] = fmax(high[a], p[a]);
        }
    }
    double margin = 2 * k->x->d + c->spacing;
    for (int a = 0; a < 3; a++) {
        low[a] -= margin;
        high[a] += margin;
    }
    k->status = ergi_exchange_collect_near(k->world, low, high, k->err);
}

erg_status ergi_exchange_cut(erg_world *world, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    cut_task      k = {world, t, t->exchange, &t->columns, ERG_OK, err};
    t->exchange->columns = 0;
    find_in_zones(&k);
    find_under_grains(&k);
    find_steep(&k);
    if (k.status != ERG_OK || t->exchange->columns == 0) return k.status;
    merge_columns(t->exchange);
    find_candidates(&k);
    if (k.status == ERG_OK) collect_near(&k);
    if (k.status == ERG_OK) make_grains(&k);
    if (k.status == ERG_OK) level(&k);
    return k.status;
}
