// Zones: where bodies and moving walls are, and will be within two batches.
#include <math.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "terrain/exchange.h"
#include "terrain/sand.h"

#define AHEAD 5.0        // least distance swept ahead of a tool that moves [d]
#define MARGIN 3.0       // what is this close below or beside a tool wakes with it [d]
#define SIZE_MARGIN 0.75 // and this, of its width, times its Froude number
#define MOST_FROUDE 2.0  // as far as it counts
#define LEAST_ASLEEP 0.5 // grains that a tool may reach within this time stay awake [s]
#define MOST_KEEP 10.0   // up to this distance beyond what it wakes [d]
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

static void add_zone(erg_world *world, uint32_t w)
{
    ergi_exchange         *x = world->terrain->exchange;
    const ergi_world_wall *wall = &world->wall[w];
    const ergi_pose       *pose = &world->wall_state[w].pose;
    erg_vec3               low, high;
    if (w == world->terrain->wall || !ergi_wall_bounds(&wall->wall, pose, &low, &high)) return;
    erg_vec3  v = velocity_at(&wall->wall, pose, ergi_scale(ergi_add(low, high), 0.5));
    ergi_zone z = {{low.x, low.y, low.z}, {high.x, high.y, high.z}, .free = wall->body.free};
    double    d = x->d, bottom = z.low[2];
    double    speed = fastest_corner(&wall->wall, pose, low, high);
    z.moves = speed > x->rest_speed;
    const double way[3] = {v.x, v.y, v.z};
    // Its path in two batches; sideways at least AHEAD.
    double path = 2 * ERGI_BATCH_TIME, now = ergi_norm(v), sideways = path;
    if (now > x->rest_speed) sideways = fmax(path, AHEAD * d / now);
    for (int k = 0; k < 3 && z.moves; k++) {
        double ahead = way[k] * (k < 2 ? sideways : path);
        *(ahead > 0 ? &z.high[k] : &z.low[k]) += ahead;
    }
    double top = highest_sand(world, &z);
    // A large fast tool reaches farther: what stays frozen must not hold the sand that it pushes. An
    // impact goes less deep where walls are closer than about a diameter of the ball (Seguin, Bertho
    // and Gondret, Phys. Rev. E 78, 010301, 2008).
    // hit_speed^2 is g d.
    z.keep = fmin(LEAST_ASLEEP * speed, MOST_KEEP * d);
    double width = fmin(high.x - low.x, high.y - low.y);
    double froude = speed * speed / (x->hit_speed * x->hit_speed * width / d);
    z.margin = MARGIN * d + SIZE_MARGIN * fmin(froude, MOST_FROUDE) * width;
    z.low[2] = fmax(z.low[2], fmin(bottom, top) - PATH_DEPTH * d);
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

// A bowl around each zone that wakes: its bottom is `margin` below the tool, its sides rise at
// ERGI_BOWL_SLOPE.
double ergi_exchange_wake_floor(const ergi_exchange *x, double px, double py, bool frozen)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < x->zones; k++) {
        const ergi_zone *z = &x->zone[k];
        if (!(frozen ? z->stirs : z->wakes)) continue;
        double a = outside(px, z->low[0], z->high[0]), b = outside(py, z->low[1], z->high[1]);
        least = fmin(least, z->low[2] - z->margin + ERGI_BOWL_SLOPE * sqrt(a * a + b * b));
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
        if (z->moves && is_near(z, p, z->margin + z->keep)) return true;
    }
    return false;
}
