// Zones: where tools are, and will be within two batches. Tools are free bodies, moving walls, and
// fast grains that are much larger than those of the terrain.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "terrain/exchange.h"
#include "terrain/grain_spheres.h"
#include "terrain/sand.h"

#define NEAR                                                                                       \
    1.25 // a tool wakes sand that its way comes this close to: grains that columns give reach 0.9 d
         // above them [d]
#define AHEAD 5.0        // least distance swept ahead of a tool that moves [d]
#define MARGIN 3.0       // what is this close below or beside a tool wakes with it [d]
#define SIZE_MARGIN 1.0  // and this, of its width, times the square of its Froude number
#define MOST_FROUDE 1.5  // as far as it counts
#define LEAST_ASLEEP 0.5 // grains that a tool will wake within this time stay awake [s]
#define KEEP_MARGIN 1.0  // and those that are this close to it [d]
#define MOVES_ON 0.5     // a tool keeps sand awake until so long after it last moved [s]
#define LEAVES 1.0       // a slow free body that rested wakes nothing until it is so far away [d]
#define LEAST_STEP 2.0   // least length of the parts into which its way is cut [d]
#define DEEP 3.0         // a tool deeper than this below the surface wakes at any speed [d]
#define PATH_DEPTH 5.0   // how far the path ahead may lead below the tool and the surface [d]
#define LARGE 1.0        // grains of other kinds with a larger radius are tools [d]
enum { MOST_GRAINS = 128 }; // of these; what the others hit wakes by itself (wake.c)

// Height of the sand at a point: columns, frozen grains and, if asked for, grains awake.
static double sand_top(const erg_world *world, double x, double y, bool awake)
{
    const ergi_terrain *t = world->terrain;
    const ergi_columns *c = &t->columns;
    const ergi_plan    *plan = &t->exchange->plan;
    double              z = ergi_columns_top(c, ergi_columns_at(c, 0, x), ergi_columns_at(c, 1, y));
    const ergi_plan_cell *cell =
        ergi_plan_find(plan, ergi_plan_index(plan, x), ergi_plan_index(plan, y));
    if (!cell) return z;
    return fmax(z, fmax((double)cell->frozen_top, awake ? (double)cell->awake_top : -HUGE_VAL));
}

// Highest sand under a box, sampled.
static double highest_sand(const erg_world *world, const double low[3], const double high[3],
                           bool awake)
{
    double top = -HUGE_VAL;
    for (int a = 0; a <= 4; a++)
        for (int b = 0; b <= 4; b++)
            top = fmax(top, sand_top(world, low[0] + 0.25 * a * (high[0] - low[0]),
                                     low[1] + 0.25 * b * (high[1] - low[1]), awake));
    return top;
}

// What a zone is made for: its box now and how it moves.
typedef struct mover {
    ergi_extents box;
    erg_vec3     pivot;          // now [m]
    erg_vec3     velocity, spin; // of the pivot [m/s], [1/s]
    double      *moved, *rested; // its row of terrain->tool_rest; NULL: none
    bool         free;
    bool         grain; // and itself one of the grains awake
} mover;

static erg_vec3 velocity_at(const mover *m, erg_vec3 at)
{
    return ergi_add(m->velocity, ergi_cross(m->spin, ergi_sub(at, m->pivot)));
}

// The largest of the corners of a box.
static double fastest_corner(const mover *m, erg_vec3 low, erg_vec3 high)
{
    double most = 0;
    for (int k = 0; k < 8; k++) {
        erg_vec3 at = {k & 1 ? low.x : high.x, k & 2 ? low.y : high.y, k & 4 ? low.z : high.z};
        most = fmax(most, ergi_norm(velocity_at(m, at)));
    }
    return most;
}

// Mean square speed of the centres of a box's faces. Their corners may be far outside of the tool.
static double mean_square_speed(const mover *m, erg_vec3 low, erg_vec3 high)
{
    double   sum = 0;
    erg_vec3 half = ergi_scale(ergi_sub(high, low), 0.5), centre = ergi_add(low, half);
    for (int k = 0; k < 6; k++) {
        double   side = k % 2 ? 1 : -1;
        erg_vec3 out = {k / 2 == 0 ? half.x : 0, k / 2 == 1 ? half.y : 0, k / 2 == 2 ? half.z : 0};
        erg_vec3 v = velocity_at(m, ergi_madd(centre, side, out));
        sum += ergi_dot(v, v) / 6;
    }
    return sum;
}

// ---- The way of a tool -------------------------------------------------------------------------
typedef struct course {
    const mover *mover;
    erg_vec3     centre;
    double       down_time; // how long it goes on up or down [s]
} course;

// How far the tool comes in some time, if it goes on moving and turning as it does now.
static erg_vec3 way_in(const course *c, double time)
{
    const mover *m = c->mover;
    erg_vec3     arm = ergi_sub(c->centre, m->pivot);
    erg_vec3     later = ergi_quat_rotate(ergi_quat_exp(ergi_scale(m->spin, time)), arm);
    return ergi_madd(ergi_sub(later, arm), time, m->velocity);
}

static ergi_extents box_after(const course *c, double time)
{
    ergi_extents box = c->mover->box;
    erg_vec3     way = way_in(c, time);
    way.z = way_in(c, fmin(time, c->down_time)).z;
    const double moved[3] = {way.x, way.y, way.z};
    for (int k = 0; k < 3; k++) {
        box.low[k] += moved[k];
        box.high[k] += moved[k];
    }
    return box;
}

static void enclose(double low[3], double high[3], const ergi_extents *box)
{
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], box->low[k]);
        high[k] = fmax(high[k], box->high[k]);
    }
}

// Boxes around the parts of the way that the tool takes in some time; returns their number.
static size_t add_boxes(const course *c, double time, size_t parts, ergi_extents *out)
{
    for (size_t k = 0; k < parts; k++) {
        double       span = time / (double)parts;
        ergi_extents end = box_after(c, (double)(k + 1) * span);
        out[k] = box_after(c, (double)k * span);
        enclose(out[k].low, out[k].high, &end);
    }
    return parts;
}

static size_t parts_of(double way, double step)
{
    double parts = ceil(way / step);
    return parts < 1 ? 1 : parts < ERGI_ZONE_PARTS ? (size_t)parts : ERGI_ZONE_PARTS;
}

// Boxes that wake sand, then those that keep it awake, since the tool will wake it soon.
static void add_way(ergi_zone *z, const course *c, double ahead, double speed, double step)
{
    course later = *c;
    double soon = ahead + LEAST_ASLEEP;
    later.down_time = soon;
    z->wakers = add_boxes(c, ahead, parts_of(speed * ahead, step), z->box);
    z->boxes =
        z->wakers + add_boxes(&later, soon, parts_of(speed * soon, step), z->box + z->wakers);
}

// Whether a box is in the terrain or right beside it. No sand is below the floor.
static bool meets_terrain(const ergi_columns *c, const ergi_extents *box, double margin)
{
    for (int k = 0; k < 2; k++)
        if (box->high[k] < c->lower[k] - margin ||
            box->low[k] > c->lower[k] + c->spacing * (double)c->count[k] + margin)
            return false;
    return box->high[2] > c->floor;
}

// Leaves only the parts of the way that come close to sand, of these what is above the floor.
static void drop_boxes(ergi_zone *z, const erg_world *world, double reach, bool grain)
{
    const ergi_columns *c = &world->terrain->columns;
    size_t              kept = 0, wakers = 0;
    for (size_t k = 0; k < z->boxes; k++) {
        ergi_extents box = z->box[k];
        if (!meets_terrain(c, &box, reach)) continue;
        if (!(box.low[2] < highest_sand(world, box.low, box.high, !grain) + reach)) continue;
        box.low[2] = fmax(box.low[2], c->floor);
        z->box[kept++] = box;
        wakers += k < z->wakers;
    }
    z->wakers = wakers;
    z->boxes = kept;
}

// A free body that comes to rest trembles about the speed below which grains are at rest, and when
// sand around it freezes the forces on it change and it gives way a little. Therefore it counts as
// moving for a while after it last moved, which keeps sand awake, and wakes sand again only when it
// is fast or has left its place: else grains around it would freeze and wake again and again.
typedef struct mover_state {
    bool moves, stirs; // keeps sand awake; wakes it
} mover_state;

static mover_state update_state(const mover *m, const ergi_exchange *x, erg_vec3 centre,
                                double speed, double time)
{
    bool moves = speed > x->rest_speed;
    if (!m->moved) return (mover_state){moves, moves};
    bool lately = *m->moved >= 0 && time - *m->moved < MOVES_ON;
    if (!lately) memcpy(m->rested, (double[]){centre.x, centre.y, centre.z}, 3 * sizeof(double));
    if (moves) *m->moved = time;
    erg_vec3 place = {m->rested[0], m->rested[1], m->rested[2]};
    bool     left = ergi_norm(ergi_sub(centre, place)) > LEAVES * x->d;
    return (mover_state){.moves = moves || lately,
                         .stirs = moves && (!m->free || speed > x->wake_speed || left)};
}

static void add_zone(erg_world *world, const mover *m)
{
    ergi_exchange *x = world->terrain->exchange;
    const double  *l = m->box.low, *h = m->box.high;
    erg_vec3       low = {l[0], l[1], l[2]}, high = {h[0], h[1], h[2]};
    erg_vec3       centre = ergi_scale(ergi_add(low, high), 0.5), v = velocity_at(m, centre);
    ergi_zone      z = {{low.x, low.y, low.z}, {high.x, high.y, high.z}, .free = m->free};
    double         d = x->d, bottom = z.low[2], width = fmin(high.x - low.x, high.y - low.y);
    double         speed = fastest_corner(m, low, high);
    mover_state    state = update_state(m, x, centre, speed, world->clock.time);
    z.moves = state.moves;
    // Its path in two batches; sideways at least AHEAD.
    course c = {m, centre, 2 * ERGI_BATCH_TIME};
    double now = ergi_norm(v), ahead = c.down_time;
    if (now > x->rest_speed) ahead = fmax(ahead, AHEAD * d / now);
    if (z.moves) add_way(&z, &c, ahead, now, fmax(LEAST_STEP * d, 0.5 * width));
    for (size_t k = 0; k < z.wakers; k++) enclose(z.low, z.high, &z.box[k]);
    double top = highest_sand(world, z.low, z.high, !m->grain);
    // A large fast tool reaches farther: it compacts the sand around it, and what stays frozen must
    // not hold the sand that it pushes.
    // An impact goes less deep where walls are closer than about a diameter of the ball (Seguin,
    // Bertho and Gondret, Phys. Rev. E 78, 010301, 2008). hit_speed^2 is g d.
    double square = mean_square_speed(m, low, high);
    double froude = fmin(square / (x->hit_speed * x->hit_speed * width / d), MOST_FROUDE);
    z.margin = MARGIN * d + SIZE_MARGIN * froude * froude * width;
    double deepest = fmin(bottom, top) - PATH_DEPTH * d;
    z.low[2] = fmax(fmax(z.low[2], deepest), world->terrain->columns.floor);
    for (size_t k = 0; k < z.boxes; k++) z.box[k].low[2] = fmax(z.box[k].low[2], deepest);
    // What falls also gains speed until the next batch.
    double fall = m->free ? 0.5 * ERGI_BATCH_TIME * ERGI_BATCH_TIME * -world->clock.gravity[2] : 0;
    drop_boxes(&z, world, NEAR * d + fmax(fall, 0), m->grain);
    z.stirs = state.stirs && z.wakers > 0;
    z.fast = z.stirs && speed > x->wake_speed;
    z.wakes = z.fast || (z.stirs && bottom < top - DEEP * d);
    x->zone[x->zones++] = z;
}

static void add_tool(erg_world *world, size_t k)
{
    uint32_t               w = world->terrain->tools.tool[k].wall;
    const ergi_world_wall *wall = &world->wall[w];
    const ergi_pose       *pose = &world->wall_state[w].pose;
    erg_vec3               low, high;
    if (!ergi_wall_bounds(&wall->wall, pose, &low, &high)) return;
    mover m = {.box = {{low.x, low.y, low.z}, {high.x, high.y, high.z}},
               .pivot = ergi_add(wall->wall.pivot, pose->position),
               .velocity = pose->velocity,
               .spin = pose->spin,
               .moved = (double *)world->terrain->tool_rest.data[ERGI_TOOL_REST_MOVED] + k,
               .rested = (double *)world->terrain->tool_rest.data[ERGI_TOOL_REST_PLACE] + 3 * k,
               .free = wall->body.free};
    add_zone(world, &m);
}

// Large fast grains near the sand. The cheap tests first: there may be many grains of other kinds.
static erg_status add_grains(erg_world *world, erg_error *err)
{
    const ergi_terrain *t = world->terrain;
    ergi_exchange      *x = t->exchange;
    const uint32_t     *kind = ERGI_GRAIN(world, KIND, uint32_t);
    const double       *at = ERGI_GRAIN(world, POSITION, double);
    erg_status          status = ERG_OK;
    size_t              found = 0;
    for (size_t i = 0; i < world->grains.rows && found < MOST_GRAINS && status == ERG_OK; i++) {
        if (kind[i] == x->kind) continue;
        double r = ergi_grain_bounding_radius(world, i), v[3];
        if (!(r > LARGE * x->d)) continue;
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_VELOCITY,
                  v);
        if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > x->wake_speed * x->wake_speed)) continue;
        const double *p = at + 4 * i;
        mover         m = {.box = {{p[0] - r, p[1] - r, p[2] - r}, {p[0] + r, p[1] + r, p[2] + r}},
                           .pivot = {p[0], p[1], p[2]},
                           .velocity = {v[0], v[1], v[2]},
                           .free = true,
                           .grain = true};
        status = ergi_memory_grow(&x->zone, &x->zone_room, x->zones + 1, sizeof *x->zone,
                                  "zones of a terrain", err);
        if (status != ERG_OK) break;
        add_zone(world, &m);
        if (x->zone[x->zones - 1].stirs)
            found++;
        else
            x->zones--;
    }
    return status;
}

erg_status ergi_exchange_zones(erg_world *world, erg_error *err)
{
    ergi_exchange *x = world->terrain->exchange;
    size_t         tools = world->terrain->tools.tools;
    erg_status     status = ergi_memory_grow(&x->zone, &x->zone_room, tools + 1, sizeof *x->zone,
                                             "zones of a terrain", err);
    x->zones = 0;
    for (size_t k = 0; k < tools && status == ERG_OK; k++) add_tool(world, k);
    return status == ERG_OK ? add_grains(world, err) : status;
}

static double outside(double p, double low, double high)
{
    return fmax(fmax(low - p, p - high), 0);
}

static bool is_near(const ergi_zone *z, const double p[3], double margin)
{
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double out = outside(p[a], z->low[a], z->high[a]);
        square += out * out;
    }
    return square <= margin * margin;
}

// A bowl around each part of a tool's way: its bottom is `margin` below the tool, its sides rise at
// ERGI_BOWL_SLOPE. Returns its height, or `least` if that is lower.
static double bowl(const ergi_zone *z, size_t boxes, double px, double py, double least)
{
    for (size_t k = 0; k < boxes; k++) {
        const ergi_extents *box = &z->box[k];
        double              bottom = box->low[2] - z->margin;
        if (bottom >= least) continue;
        double a = outside(px, box->low[0], box->high[0]),
               b = outside(py, box->low[1], box->high[1]);
        least = fmin(least, bottom + ERGI_BOWL_SLOPE * sqrt(a * a + b * b));
    }
    return least;
}

static bool wakes(const ergi_zone *z, ergi_asleep what)
{
    return what == ERGI_COLUMNS ? z->wakes : what == ERGI_FROZEN ? z->stirs : z->fast;
}

double ergi_exchange_wake_floor(const ergi_exchange *x, double px, double py, ergi_asleep what)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < x->zones; k++) {
        const ergi_zone *z = &x->zone[k];
        if (wakes(z, what)) least = bowl(z, z->wakers, px, py, least);
    }
    return least;
}

bool ergi_exchange_near_zone(const ergi_exchange *x, const double p[3], double margin,
                             bool free_only)
{
    for (size_t k = 0; k < x->zones; k++) {
        const ergi_zone *z = &x->zone[k];
        if ((free_only ? z->free : z->moves) && is_near(z, p, margin)) return true;
    }
    return false;
}

bool ergi_exchange_wakes_soon(const ergi_exchange *x, const double p[3])
{
    for (size_t k = 0; k < x->zones; k++) {
        const ergi_zone *z = &x->zone[k];
        double           top = p[2] + KEEP_MARGIN * x->d;
        if (z->moves && bowl(z, z->boxes, p[0], p[1], HUGE_VAL) <= top) return true;
    }
    return false;
}
