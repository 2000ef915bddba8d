// Zones: where bodies and moving walls are, and will be within two batches.
#include <math.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "terrain/exchange.h"
#include "terrain/sand.h"

#define AHEAD 5.0        // least distance swept ahead of a tool that moves [d]
#define MARGIN 3.0       // what is this close below or beside a tool wakes with it [d]
#define SIZE_MARGIN 0.75 // and this, of its width
#define LEAST_ASLEEP 0.5 // grains that a tool will wake within this time stay awake [s]
#define KEEP_MARGIN 1.0  // and those that are this close to it [d]
#define LEAST_STEP 2.0   // least length of the parts into which its way is cut [d]
#define DEEP 3.0         // a tool deeper than this below the surface wakes at any speed [d]
#define PATH_DEPTH 5.0   // how far the path ahead may lead below the tool and the surface [d]

// Height of the sand at a point: columns and frozen grains.
static double sand_top(const erg_world *world, double x, double y)
{
    const ergi_terrain *t = world->terrain;
    const ergi_columns *c = &t->columns;
    const ergi_plan    *plan = &t->exchange->plan;
    double              z = ergi_columns_top(c, ergi_columns_at(c, 0, x), ergi_columns_at(c, 1, y));
    const ergi_plan_cell *cell =
        ergi_plan_find(plan, ergi_plan_index(plan, x), ergi_plan_index(plan, y));
    if (!cell) return z;
    return fmax(z, fmax((double)cell->frozen_top, (double)cell->awake_top));
}

// Highest sand under a box, sampled.
static double highest_sand(const erg_world *world, const ergi_zone *z)
{
    double top = -HUGE_VAL;
    for (int a = 0; a <= 4; a++)
        for (int b = 0; b <= 4; b++)
            top = fmax(top, sand_top(world, z->low[0] + 0.25 * a * (z->high[0] - z->low[0]),
                                     z->low[1] + 0.25 * b * (z->high[1] - z->low[1])));
    return top;
}

// Velocity of a wall at a point.
static erg_vec3 velocity_at(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 at)
{
    erg_vec3 from = ergi_sub(at, ergi_add(wall->pivot, pose->position));
    return ergi_add(pose->velocity, ergi_cross(pose->spin, from));
}

// The largest of the corners of a box.
static double fastest_corner(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 low,
                             erg_vec3 high)
{
    double most = 0;
    for (int k = 0; k < 8; k++) {
        erg_vec3 at = {k & 1 ? low.x : high.x, k & 2 ? low.y : high.y, k & 4 ? low.z : high.z};
        most = fmax(most, ergi_norm(velocity_at(wall, pose, at)));
    }
    return most;
}

// Mean square speed of the centres of a box's faces. Their corners may be far outside of the tool.
static double mean_square_speed(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 low,
                                erg_vec3 high)
{
    double   sum = 0;
    erg_vec3 half = ergi_scale(ergi_sub(high, low), 0.5), centre = ergi_add(low, half);
    for (int k = 0; k < 6; k++) {
        double   side = k % 2 ? 1 : -1;
        erg_vec3 out = {k / 2 == 0 ? half.x : 0, k / 2 == 1 ? half.y : 0, k / 2 == 2 ? half.z : 0};
        erg_vec3 v = velocity_at(wall, pose, ergi_madd(centre, side, out));
        sum += ergi_dot(v, v) / 6;
    }
    return sum;
}

// ---- The way of a tool -------------------------------------------------------------------------
typedef struct course {
    const ergi_wall *wall;
    const ergi_pose *pose;
    ergi_extents     box;       // of the tool now
    double           down_time; // how long it goes on up or down [s]
} course;

// The box after some time, if the tool goes on moving and turning as it does now.
static ergi_extents box_after(const course *c, double time)
{
    const ergi_pose *pose = c->pose;
    ergi_extents     box = c->box;
    erg_vec3         low = {box.low[0], box.low[1], box.low[2]},
             high = {box.high[0], box.high[1], box.high[2]};
    erg_vec3 centre = ergi_scale(ergi_add(low, high), 0.5);
    erg_vec3 pivot = ergi_add(c->wall->pivot, pose->position), arm = ergi_sub(centre, pivot);
    double   rate = ergi_norm(pose->spin), moved[3];
    for (int n = 0; n < 2; n++) {
        double   t = n ? fmin(time, c->down_time) : time;
        erg_quat turned = {.w = 1};
        if (rate > 0) {
            erg_vec3 half = ergi_scale(pose->spin, sin(0.5 * rate * t) / rate);
            turned = (erg_quat){.w = cos(0.5 * rate * t), .x = half.x, .y = half.y, .z = half.z};
        }
        erg_vec3 way = ergi_sub(ergi_quat_rotate(turned, arm), arm);
        way = ergi_madd(way, t, pose->velocity);
        if (n) {
            moved[2] = way.z;
        } else {
            moved[0] = way.x;
            moved[1] = way.y;
        }
    }
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

// Appends boxes around the parts of the way between two times; returns their number.
static size_t add_boxes(const course *c, double from, double to, size_t parts, ergi_extents *out)
{
    for (size_t k = 0; k < parts; k++) {
        double       span = (to - from) / (double)parts;
        ergi_extents end = box_after(c, from + (double)(k + 1) * span);
        out[k] = box_after(c, from + (double)k * span);
        enclose(out[k].low, out[k].high, &end);
    }
    return parts;
}

static size_t parts_of(double way, double step)
{
    double parts = ceil(way / step);
    return parts < 1 ? 1 : parts < ERGI_ZONE_PARTS ? (size_t)parts : ERGI_ZONE_PARTS;
}

// Boxes that wake sand, then those that keep it awake, since the tool wakes it soon.
static void add_way(ergi_zone *z, const course *c, double ahead, double speed, double step)
{
    z->wakers = add_boxes(c, 0, ahead, parts_of(speed * ahead, step), z->box);
    z->boxes = z->wakers;
    course later = *c;
    later.down_time += LEAST_ASLEEP;
    z->boxes += add_boxes(&later, ahead, ahead + LEAST_ASLEEP, parts_of(speed * LEAST_ASLEEP, step),
                          z->box + z->boxes);
}

static void add_zone(erg_world *world, uint32_t w)
{
    ergi_exchange         *x = world->terrain->exchange;
    const ergi_world_wall *wall = &world->wall[w];
    const ergi_pose       *pose = &world->wall_state[w].pose;
    erg_vec3               low, high;
    if (w == world->terrain->wall || !ergi_wall_bounds(&wall->wall, pose, &low, &high)) return;
    erg_vec3  v = velocity_at(&wall->wall, pose, ergi_scale(ergi_add(low, high), 0.5));
    ergi_zone z = {{low.x, low.y, low.z}, {high.x, high.y, high.z}, .free = wall->body.free};
    double    d = x->d, bottom = z.low[2], width = fmin(high.x - low.x, high.y - low.y);
    double    speed = fastest_corner(&wall->wall, pose, low, high);
    z.moves = speed > x->rest_speed;
    // Its path in two batches; sideways at least AHEAD.
    course c = {
        &wall->wall, pose, {{low.x, low.y, low.z}, {high.x, high.y, high.z}}, 2 * ERGI_BATCH_TIME};
    double now = ergi_norm(v), ahead = c.down_time;
    if (now > x->rest_speed) ahead = fmax(ahead, AHEAD * d / now);
    if (z.moves) add_way(&z, &c, ahead, now, fmax(LEAST_STEP * d, 0.5 * width));
    for (size_t k = 0; k < z.wakers; k++) enclose(z.low, z.high, &z.box[k]);
    double top = highest_sand(world, &z);
    // A large fast tool reaches farther: what stays frozen must not hold the sand that it pushes.
    // hit_speed^2 is g d.
    double square = mean_square_speed(&wall->wall, pose, low, high);
    double froude = square / (x->hit_speed * x->hit_speed * width / d);
    z.margin = MARGIN * d + SIZE_MARGIN * fmin(froude, 1) * width;
    double deepest = fmin(bottom, top) - PATH_DEPTH * d;
    z.low[2] = fmax(z.low[2], deepest);
    for (size_t k = 0; k < z.boxes; k++) z.box[k].low[2] = fmax(z.box[k].low[2], deepest);
    z.stirs = z.moves && z.low[2] < top + MARGIN * d;
    z.wakes = z.stirs && (speed > x->wake_speed || bottom < top - DEEP * d);
    x->zone[x->zones++] = z;
}

erg_status ergi_exchange_zones(erg_world *world, erg_error *err)
{
    ergi_exchange *x = world->terrain->exchange;
    erg_status     status = ergi_memory_grow(&x->zone, &x->zone_room, world->movers + 1,
                                             sizeof *x->zone, "zones of a terrain", err);
    x->zones = 0;
    for (size_t k = 0; k < world->movers && status == ERG_OK; k++) add_zone(world, world->mover[k]);
    return status;
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

double ergi_exchange_wake_floor(const ergi_exchange *x, double px, double py, bool frozen)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < x->zones; k++) {
        const ergi_zone *z = &x->zone[k];
        if (frozen ? z->stirs : z->wakes) least = bowl(z, z->wakers, px, py, least);
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
