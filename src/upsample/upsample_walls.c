// Keeps fine particles out of walls and bodies. Each particle stores how far it can travel before a
// wall can affect it (`spare`); only those that may have used that up query the walls.
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "upsample/upsample.h"

enum { MOST_NEAR = 256, BLOCKS = 4, FEW = 4, LEVELS = 9 };

typedef struct pass {
    ergi_upsample    *u;
    ergi_fine_columns fine;
    float             scale[3], most[3];
    atomic_bool       failed; // no memory for a list of walls
} pass;

// A particle that must query the walls, and its path over the last step.
typedef struct asker {
    uint32_t number;         // row of the particle
    double   from[3], to[3]; // [m]
} asker;

static void follow_back(const pass *p, asker *by)
{
    const ergi_fine_frame *l = &p->u->clock.lattice;
    for (int a = 0; a < 3; a++) {
        float v = p->fine.velocity[a][by->number];
        by->to[a] = ergi_fine_position(l, a, p->fine.place[a][by->number]);
        by->from[a] = by->to[a] - l->step[a] * ergi_fine_displacement(v, p->scale[a], p->most[a]);
    }
}

// Corrects one particle against the listed walls. `spare`: bound from walls already ruled out [m].
static void ask_walls(const pass *p, const asker *by, const uint32_t *list, size_t count,
                      double spare)
{
    ergi_upsample *u = p->u;
    size_t         i = by->number;
    erg_vec3       to = {by->to[0], by->to[1], by->to[2]}, end = to;
    erg_vec3       from = {by->from[0], by->from[1], by->from[2]};
    erg_vec3       v = {(double)p->fine.velocity[0][i], (double)p->fine.velocity[1][i],
                        (double)p->fine.velocity[2][i]};
    double         left = fmin(spare, ergi_fine_walls_move(&u->walls, list, count, from, &end, &v));
    u->spare[i] = (float)(0.9999 * left);
    if (end.x == to.x && end.y == to.y && end.z == to.z) return;
    const double x[3] = {end.x, end.y, end.z}, speed[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; a++) {
        uint32_t place;
        if (ergi_fine_to_fixed(&u->clock.lattice, a, x[a], &place)) p->fine.place[a][i] = place;
        p->fine.velocity[a][i] = (float)speed[a];
    }
    // The new position is off the path, where walls were ruled out that may now be near.
    u->spare[i] = -1;
}

// Bounding boxes of the end points of some paths, and of the whole paths.
typedef struct boxes {
    ergi_extents ends, ways;
} boxes;

static boxes boxes_of(const asker *asks, int count)
{
    boxes b;
    for (int a = 0; a < 3; a++) {
        double low = HUGE_VAL, high = -HUGE_VAL, from_low = HUGE_VAL, from_high = -HUGE_VAL;
        for (int k = 0; k < count; k++) {
            double x = asks[k].from[a], y = asks[k].to[a];
            from_low = x < from_low ? x : from_low;
            from_high = x > from_high ? x : from_high;
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
        b.ends.low[a] = low;
        b.ends.high[a] = high;
        b.ways.low[a] = low < from_low ? low : from_low;
        b.ways.high[a] = high > from_high ? high : from_high;
    }
    return b;
}

static erg_vec3 ball_around(const ergi_extents *box, double *radius)
{
    erg_vec3 low = {box->low[0], box->low[1], box->low[2]},
             high = {box->high[0], box->high[1], box->high[2]};
    *radius = 0.5 * ergi_distance(low, high);
    return ergi_scale(ergi_add(low, high), 0.5);
}

// Rules out walls for a group of particles at once, then for its halves, so that only particles
// next to a wall are processed one by one. `list` has capacity for all walls at each of LEVELS
// levels.
static void ask_together(const pass *p, const asker *asks, int count, uint32_t *list, size_t walls,
                         double spare)
{
    const ergi_fine_walls *all = &p->u->walls;
    boxes                  box = boxes_of(asks, count);
    double                 end_radius, way_radius;
    erg_vec3 ends = ball_around(&box.ends, &end_radius), ways = ball_around(&box.ways, &way_radius);
    uint32_t *near = list + walls;
    size_t    left = 0;
    for (size_t k = 0; k < walls; k++) {
        bool   one = ergi_fine_walls_one_sided(all, list[k]);
        double bound =
            ergi_fine_walls_bound(all, list[k], one ? ends : ways, one ? end_radius : way_radius) -
            all->keep;
        if (bound > 0)
            spare = fmin(spare, bound);
        else
            near[left++] = list[k];
    }
    if (left > 0 && count > FEW) {
        ask_together(p, asks, count / 2, near, left, spare);
        ask_together(p, asks + count / 2, count - count / 2, near, left, spare);
        return;
    }
    for (int k = 0; k < count; k++)
        if (left > 0)
            ask_walls(p, &asks[k], near, left, spare);
        else
            p->u->spare[asks[k].number] = (float)(0.9999 * spare);
}

// Lists the particles of a block that must query the walls; reduces `spare` of the others.
static int used_up(const pass *p, size_t begin, size_t end, asker *asks)
{
    const float *vx = p->fine.velocity[0], *vy = p->fine.velocity[1], *vz = p->fine.velocity[2];
    float       *spare = p->u->spare, far[ERGI_FINE_BLOCK];
    float        dt = 1.0001f / ERGI_FINE_RATE, sweep = (float)(1.0001 * p->u->walls.sweep);
    int          count = 0, n = (int)(end - begin);
    for (int k = 0; k < n; k++) {
        size_t i = begin + (size_t)k;
        far[k] = spare[i] - (sqrtf(vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) * dt + sweep);
    }
    for (int k = 0; k < n; k++) {
        size_t i = begin + (size_t)k;
        if (far[k] > 0)
            spare[i] = far[k];
        else
            asks[count++].number = (uint32_t)i;
    }
    return count;
}

static void meet_block(const pass *p, size_t begin, size_t end, uint32_t *list)
{
    asker asks[ERGI_FINE_BLOCK];
    int   count = used_up(p, begin, end, asks);
    if (count == 0) return;
    for (int k = 0; k < count; k++) follow_back(p, &asks[k]);
    const ergi_fine_walls *walls = &p->u->walls;
    size_t                 near = ergi_fine_walls_near(walls, boxes_of(asks, count).ways, list);
    ask_together(p, asks, count, list, near, walls->reach - walls->keep);
}

static void meet_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    pass    *p = ctx;
    uint32_t few[LEVELS * MOST_NEAR], *list = few;
    (void)chunk;
    if (p->u->walls.count > MOST_NEAR) list = malloc(LEVELS * p->u->walls.count * sizeof *list);
    if (!list) {
        atomic_store(&p->failed, true);
        return;
    }
    for (erg_index b = begin; b < end; b++) {
        size_t from = (size_t)b * ERGI_FINE_BLOCK, to = from + ERGI_FINE_BLOCK;
        meet_block(p, from, to < p->fine.count ? to : p->fine.count, list);
    }
    if (list != few) free(list);
}

erg_status ergi_upsample_collide_walls(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    if (world->walls == 0 || u->fine.rows == 0) return ERG_OK;
    u->walls.keep = u->clock.radius;
    u->walls.reach = 4 * u->clock.radius / u->def.ratio;
    u->walls.friction = u->def.friction;
    erg_status status =
        ergi_fine_walls_set(&u->walls, world->wall, u->pose, world->wall_state, world->walls, err);
    if (status != ERG_OK) return status;
    pass p = {.u = u, .fine = ergi_upsample_columns(u)};
    for (int a = 0; a < 3; a++) {
        p.scale[a] = ergi_fine_scale(&u->clock.lattice, a, (double)(1.0f / ERGI_FINE_RATE));
        p.most[a] = ergi_fine_max_displacement(&u->clock.lattice, a);
    }
    erg_index blocks = (erg_index)((u->fine.rows + ERGI_FINE_BLOCK - 1) / ERGI_FINE_BLOCK);
    ergi_parallel_for(&world->threads, blocks, BLOCKS, meet_blocks, &p);
    return atomic_load(&p.failed)
               ? ergi_fail_memory(err, world->walls * sizeof(uint32_t), "walls of fine particles")
               : ERG_OK;
}
