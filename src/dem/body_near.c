// Lists of inscribed spheres that may touch a wall or another body before any wall has moved half
// the skin.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "dem/body.h"

#define BODY_SKIN 0.1 // of the smallest free body's radius

static size_t ball_count(const erg_world *world, uint32_t wall)
{
    const ergi_body *body = &world->wall[wall].body;
    return body->exists ? world->body_shape[body->shape].balls.count : 0;
}

typedef struct ergi_body_pair_search {
    erg_world *world;
    size_t     balls; // of all pairs
} pair_search;

static erg_status add_pair(void *user, uint32_t a, uint32_t b, erg_error *err)
{
    pair_search    *search = user;
    erg_world      *world = search->world;
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    erg_status      status = ergi_memory_grow(&near->pair, &near->pair_room, near->pairs + 1,
                                              sizeof *near->pair, "pairs of bodies", err);
    if (status != ERG_OK) return status;
    near->pair[near->pairs++] =
        (ergi_body_pair){.a = a < b ? a : b, .b = a < b ? b : a, .first = (uint32_t)search->balls};
    search->balls += ball_count(world, a) + ball_count(world, b);
    return ERG_OK;
}

static int by_walls(const void *a, const void *b)
{
    const ergi_body_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static erg_status find_pairs(erg_world *world, size_t *balls, erg_error *err)
{
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    erg_status      status = ergi_memory_grow(&near->extent, &near->extent_room, world->walls,
                                              sizeof *near->extent, "boxes of bodies", err);
    if (status != ERG_OK) return status;
    ergi_wall_box *e = near->extent;
    for (size_t w = 0; w < world->walls; w++) {
        e[w].wall = (uint32_t)w;
        (void)ergi_wall_bounds(&world->wall[w].wall, &world->wall_state[w].pose, &e[w].low,
                               &e[w].high);
        erg_vec3 more = {near->skin, near->skin, near->skin};
        e[w].high = ergi_add(e[w].high, more);
    }
    near->pairs = 0;
    pair_search search = {.world = world};
    status = ergi_body_pairs_find(world, e, world->walls, add_pair, &search, err);
    *balls = search.balls;
    if (status != ERG_OK) return status;
    // An order that does not depend on positions.
    if (near->pairs) qsort(near->pair, near->pairs, sizeof *near->pair, by_walls);
    return ERG_OK;
}

// Writes the inscribed spheres of wall `of` near wall `to` to `out`; returns their number.
static uint32_t near_balls(const erg_world *world, uint32_t of, uint32_t to,
                           ergi_near_inscribed *out)
{
    const ergi_dem        *dem = ergi_dem_of(world);
    ergi_wall_hit          hits[ERGI_WALL_MAX_HITS];
    const ergi_world_wall *w = &world->wall[of];
    const ergi_wall       *other = &world->wall[to].wall;
    const ergi_pose       *pose = &world->wall_state[to].pose;
    size_t                 count = ball_count(world, of);
    uint32_t               found = 0;
    if (count == 0) return 0;
    const ergi_body_shape *shape = &world->body_shape[w->body.shape];
    for (uint32_t k = 0; k < count; k++) {
        double   reach = shape->balls.ball[k].radius + dem->body_near.skin;
        erg_vec3 at = ergi_body_ball_at(w, shape, &world->wall_state[of].pose, k);
        if (ergi_wall_far(other, pose, at, reach)) continue;
        int    n = ergi_body_hits(other, pose, at, reach, hits);
        double gap = INFINITY;
        for (int h = 0; h < n; h++) gap = fmin(gap, hits[h].gap);
        if (n) out[found++] = (ergi_near_inscribed){k, (float)(gap - 1e-6 * fabs(gap))};
    }
    return found;
}

static void list_near_balls(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    erg_world      *world = ctx;
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    for (erg_index p = begin; p < end; p++) {
        ergi_body_pair *pair = &near->pair[p];
        pair->of_a = near_balls(world, pair->a, pair->b, near->ball + pair->first);
        pair->of_b = near_balls(world, pair->b, pair->a, near->ball + pair->first + pair->of_a);
    }
}

static erg_status make_lists(erg_world *world, erg_error *err)
{
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    double          radius = INFINITY;
    size_t          balls = 0;
    for (size_t w = 0; w < world->walls; w++)
        if (world->wall[w].body.free) radius = fmin(radius, world->wall[w].body.radius);
    near->made = false;
    near->skin = BODY_SKIN * radius;
    erg_status status = find_pairs(world, &balls, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->ball, &near->ball_room, balls, sizeof *near->ball,
                                  "balls of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->sum, &near->sum_room, near->pairs, sizeof *near->sum,
                                  "pairs of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->pose, &near->pose_room, world->walls, sizeof *near->pose,
                                  "poses of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->sweep, &near->sweep_room, world->walls,
                                  sizeof *near->sweep, "ways of bodies", err);
    if (status != ERG_OK) return status;
    for (size_t w = 0; w < world->walls; w++) {
        near->pose[w] = world->wall_state[w].pose;
        near->sweep[w] = 0;
    }
    ergi_parallel_for(&world->threads, (erg_index)near->pairs, 4, list_near_balls, world);
    size_t places = 0;
    for (size_t p = 0; p < near->pairs; p++) {
        near->pair[p].place = places;
        places += ergi_body_room(&near->pair[p]);
    }
    status = ergi_memory_grow(&near->contact, &near->contact_room, places, sizeof *near->contact,
                              "contacts of bodies", err);
    near->made = status == ERG_OK;
    return status;
}

static double extent_of_all(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    double          far = dem->state.extent;
    for (size_t w = 0; w < world->walls; w++)
        if (world->wall[w].body.free)
            far = fmax(far, ergi_norm(ergi_add(world->wall[w].wall.pivot,
                                               world->wall_state[w].pose.position)) +
                                2 * ergi_surface_extent(&world->wall[w].wall.surface));
    return far;
}

erg_status ergi_body_update_lists(erg_world *world, erg_error *err)
{
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    if (world->free_bodies == 0) return ERG_OK;
    if (!near->made) return make_lists(world, err);
    double far = extent_of_all(world);
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_wall *wall = &world->wall[w].wall;
        near->sweep[w] = ergi_wall_moves(&world->wall[w])
                             ? ergi_wall_sweep(wall, &near->pose[w], &world->wall_state[w].pose,
                                               far + ergi_norm(wall->pivot))
                             : 0;
        if (!(near->sweep[w] <= 0.5 * near->skin)) return make_lists(world, err);
    }
    return ERG_OK;
}

void ergi_body_near_free(ergi_body_near *near)
{
    ergi_memory_free(near->pair);
    ergi_memory_free(near->ball);
    ergi_memory_free(near->pose);
    ergi_memory_free(near->contact);
    ergi_memory_free(near->sum);
    ergi_memory_free(near->sweep);
    ergi_memory_free(near->extent);
    *near = (ergi_body_near){0};
}

// Does not count the boxes: their type is private here, and a box is smaller than a pose.
size_t ergi_body_near_bytes(const ergi_body_near *near)
{
    return near->pair_room * sizeof *near->pair + near->ball_room * sizeof *near->ball +
           near->pose_room * sizeof *near->pose + near->contact_room * sizeof *near->contact +
           near->sum_room * sizeof *near->sum + near->sweep_room * sizeof *near->sweep;
}
