// Contacts of free bodies with walls and with each other: balls inscribed in one body against the
// surface of the other.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contact/body_pairs.h"
#include "geom/query_placed.h"
#include "pbd/pbd.h"
#include "pbd/recall.h"

#define REACH_MARGIN 0.02 // search distance beyond the surface, share of the ball's radius
enum { HITS = 4 };        // contacts of a ball with one wall: the deepest

static int by_place(const void *a, const void *b)
{
    const ergi_pbd_body_contact *p = a, *q = b;
    if (p->own != q->own) return p->own < q->own ? -1 : 1;
    if (p->other != q->other) return p->other < q->other ? -1 : 1;
    if (p->ball != q->ball) return p->ball < q->ball ? -1 : 1;
    return p->feature < q->feature ? -1 : p->feature > q->feature;
}

// In variant sommer samples meet samples.
static int hits_of(const erg_world *world, uint32_t w, const ergi_pose *pose, erg_vec3 centre,
                   double reach, ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    const ergi_wall *wall = &world->wall[w].wall;
    return world->def.pbd.variant == ERG_PBD_SOMMER
               ? ergi_wall_hits(wall, pose, centre, reach, hits)
               : ergi_body_hits(wall, pose, centre, reach, hits);
}

// Upper bound of the displacement of any point of a wall or free body in the substep. [m]
static double way_of(const erg_world *world, uint32_t w, double dt)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    uint32_t        number = pbd->body_of[w];
    if (number != UINT32_MAX) {
        const float *r = pbd->body[number].row;
        double       move = sqrt((double)(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
        double       turn = sqrt((double)(r[4] * r[4] + r[5] * r[5] + r[6] * r[6]));
        return move + turn * world->wall[w].body.reach;
    }
    if (!ergi_wall_moves(&world->wall[w])) return 0;
    return dt * ergi_pbd_wall_speed(world, w);
}

// ---- History -----------------------------------------------------------------------------------
// Row with the history that hit h inherits, or ERGI_PBD_NEW. `given`: those of hits 0 to h - 1.
static uint32_t recall(const ergi_table *held, const ergi_pbd_body_contact *c,
                       const ergi_wall_hit *hits, int count, int h, const uint32_t *given)
{
    const uint32_t *place = held->data[ERGI_PBD_BODY_FEATURES];
    const float    *normal = held->data[ERGI_PBD_BODY_NORMAL];
    ergi_pbd_recall r = ergi_pbd_recall_for(hits, count, h, given);
    size_t          row, end;
    ergi_body_pair_rows(held->data[ERGI_PBD_BODY_WALLS], held->rows, c->own, c->other, &row, &end);
    for (; row < end; row++)
        if (place[2 * row] == c->ball &&
            ergi_pbd_recall_row(&r, row, place[2 * row + 1], normal + 4 * row))
            break;
    return r.row;
}

// ---- Balls that may touch ----------------------------------------------------------------------
// Maps points of one body's mesh into the frame of a plane or a mesh, where most balls are found to
// be far from it: nine products instead of three rotations. For other surfaces `known` is false.
typedef struct ergi_pbd_body_near {
    bool     known;
    erg_vec3 origin, ex, ey, ez; // images of the mesh's origin and axes
    erg_vec3 low, high;          // of the surface
} body_near;

static erg_vec3 seen_from(const erg_world *world, uint32_t own, uint32_t other, erg_vec3 point)
{
    const ergi_pbd        *pbd = ergi_pbd_of(world);
    const ergi_world_wall *w = &world->wall[own];
    const ergi_wall       *wall = &world->wall[other].wall;
    const ergi_pose       *pose = &pbd->pose_before[other];
    const ergi_placement   at = {wall->pivot, pose->position, pose->rotation};
    erg_vec3               now =
        ergi_body_point_at(w, &world->body_shape[w->body.shape], &pbd->pose_before[own], point);
    erg_vec3 d = ergi_sub(ergi_placement_before(&at, now), wall->surface.origin);
    return ergi_vec3(ergi_dot(d, wall->surface.ex), ergi_dot(d, wall->surface.ey),
                     ergi_dot(d, wall->surface.ez));
}

static body_near near_of(const erg_world *world, uint32_t own, uint32_t other)
{
    const ergi_surface *s = &world->wall[other].wall.surface;
    const double        all = HUGE_VAL;
    body_near           near = {.known = s->kind == ERGI_SURFACE_PLANE || ergi_surface_is_mesh(s)};
    if (!near.known) return near;
    near.low = ergi_vec3(-all, -all, s->side == ERGI_SIDE_BOTH ? 0 : -all);
    near.high = ergi_vec3(all, all, 0);
    if (ergi_surface_is_mesh(s)) {
        near.low = s->mesh->low;
        near.high = s->mesh->high;
    }
    near.origin = seen_from(world, own, other, ergi_vec3(0, 0, 0));
    near.ex = ergi_sub(seen_from(world, own, other, ergi_vec3(1, 0, 0)), near.origin);
    near.ey = ergi_sub(seen_from(world, own, other, ergi_vec3(0, 1, 0)), near.origin);
    near.ez = ergi_sub(seen_from(world, own, other, ergi_vec3(0, 0, 1)), near.origin);
    return near;
}

// Never true where ergi_wall_far is false: rounding is far below the margin in `reach`.
static bool is_far(const body_near *near, erg_vec3 c, double reach)
{
    if (!near->known) return false;
    erg_vec3 p =
        ergi_madd(ergi_madd(ergi_madd(near->origin, c.x, near->ex), c.y, near->ey), c.z, near->ez);
    return p.x < near->low.x - reach || p.y < near->low.y - reach || p.z < near->low.z - reach ||
           p.x > near->high.x + reach || p.y > near->high.y + reach || p.z > near->high.z + reach;
}

// ---- Finding -----------------------------------------------------------------------------------
// Exchanges hit h with the nearest of those from h on.
static void bring_nearest(ergi_wall_hit *hits, int h, int count)
{
    int least = h;
    for (int k = h + 1; k < count; k++)
        if (hits[k].gap < hits[least].gap) least = k;
    ergi_wall_hit nearest = hits[least];
    hits[least] = hits[h];
    hits[h] = nearest;
}

static erg_status touch(erg_world *world, uint32_t own, uint32_t other, double way, erg_error *err)
{
    ergi_pbd              *pbd = ergi_pbd_of(world);
    const ergi_world_wall *w = &world->wall[own];
    const ergi_body_shape *shape = &world->body_shape[w->body.shape];
    const body_near        near = near_of(world, own, other);
    const ergi_table      *held = &pbd->body_contact_history;
    for (uint32_t k = 0; k < shape->balls.count; k++) {
        double        radius = shape->balls.ball[k].radius;
        double        reach = radius * (1 + REACH_MARGIN) + way;
        ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
        if (is_far(&near, shape->balls.ball[k].centre, 1.01 * reach)) continue;
        erg_vec3 at = ergi_body_ball_at(w, shape, &pbd->pose_before[own], k);
        if (ergi_wall_far(&world->wall[other].wall, &pbd->pose_before[other], at, reach)) continue;
        int      n = hits_of(world, other, &pbd->pose_before[other], at, reach, hits);
        uint32_t given[HITS];
        for (int h = 0; h < HITS && h < n; h++) {
            bring_nearest(hits, h, n);
            erg_status status = ergi_memory_grow(&pbd->body_contact, &pbd->body_contact_room,
                                                 pbd->body_contacts + 1, sizeof *pbd->body_contact,
                                                 "contacts of bodies", err);
            if (status != ERG_OK) return status;
            ergi_pbd_body_contact *c = &pbd->body_contact[pbd->body_contacts++];
            *c = (ergi_pbd_body_contact){.own = own,
                                         .other = other,
                                         .ball = k,
                                         .feature = hits[h].feature,
                                         .overlap = radius - hits[h].gap,
                                         .radius = radius,
                                         .normal = hits[h].normal,
                                         .at = at};
            given[h] = recall(held, c, hits, n, h, given);
            if (given[h] != ERGI_PBD_NEW)
                memcpy(c->history,
                       (const float *)held->data[ERGI_PBD_BODY_HISTORY] +
                           ERGI_PBD_HISTORY * given[h],
                       sizeof c->history);
        }
    }
    return ERG_OK;
}

typedef struct ergi_pbd_body_search {
    erg_world *world;
    double     dt;
} body_search;

static erg_status touch_both(void *user, uint32_t a, uint32_t b, erg_error *err)
{
    erg_world *world = ((body_search *)user)->world;
    double     dt = ((body_search *)user)->dt;
    ergi_pbd  *pbd = ergi_pbd_of(world);
    bool       of_a = pbd->body_of[a] != UINT32_MAX, of_b = pbd->body_of[b] != UINT32_MAX;
    erg_status status = ERG_OK;
    double     way = way_of(world, a, dt) + way_of(world, b, dt);
    if (of_a) status = touch(world, a, b, way, err);
    if (of_a && world->def.pbd.variant == ERG_PBD_SOMMER) return status; // samples of both met
    if (of_b && status == ERG_OK) status = touch(world, b, a, way, err);
    return status;
}

erg_status ergi_pbd_body_find(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    walls = world->walls;
    if (pbd->bodies == 0) return ERG_OK;
    ergi_wall_box *e = ergi_memory_new(walls, sizeof *e, "boxes of bodies", err);
    if (!e) return ERG_NO_MEMORY;
    for (uint32_t w = 0; w < walls; w++) {
        double   way = way_of(world, w, dt) + pbd->radius;
        erg_vec3 more = {way, way, way};
        e[w].wall = w;
        (void)ergi_wall_bounds(&world->wall[w].wall, &pbd->pose_before[w], &e[w].low, &e[w].high);
        e[w].low = ergi_sub(e[w].low, more);
        e[w].high = ergi_add(e[w].high, more);
    }
    pbd->body_contacts = 0;
    body_search search = {world, dt};
    erg_status  status = ergi_body_pairs_find(world, e, walls, touch_both, &search, err);
    ergi_memory_free(e);
    if (pbd->body_contacts) // an order that does not depend on positions
        qsort(pbd->body_contact, pbd->body_contacts, sizeof *pbd->body_contact, by_place);
    if (status == ERG_OK) status = ergi_pbd_body_loads(world, dt, err);
    return status == ERG_OK ? ergi_pbd_body_group(world, dt, err) : status;
}

// ---- Afterwards --------------------------------------------------------------------------------
static void push(erg_world *world, uint32_t w, erg_vec3 point, erg_vec3 force, erg_vec3 couple,
                 double sign)
{
    ergi_wall_state *s = &world->wall_state[w];
    erg_vec3         arm = ergi_sub(point, ergi_add(world->wall[w].wall.pivot, s->pose.position));
    erg_vec3         torque = ergi_add(ergi_cross(arm, force), couple);
    s->force[0] += sign * force.x;
    s->force[1] += sign * force.y;
    s->force[2] += sign * force.z;
    s->torque[0] += sign * torque.x;
    s->torque[1] += sign * torque.y;
    s->torque[2] += sign * torque.z;
}

// Stores the history of contacts that carried a force, and adds up forces on bodies and walls.
erg_status ergi_pbd_body_store_history(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    double    per = pbd->mass / (dt * dt);
    size_t    rows = 0, row = 0;
    if (pbd->bodies == 0) return ERG_OK;
    for (size_t k = 0; k < pbd->body_task.groups; k++)
        rows += (size_t)__builtin_popcount(pbd->body_group[k].touched);
    ergi_table *to = &pbd->body_contact_history;
    erg_status  status = ergi_table_reset(to, rows, err);
    if (status != ERG_OK) return status;
    world->clock.body_contacts = 0;
    uint64_t last = UINT64_MAX;
    for (size_t n = 0; n < pbd->body_contacts; n++) {
        const ergi_pbd_body_contact *c = &pbd->body_contact[n];
        const ergi_pbd_group        *g = pbd->body_group + c->lane / ERGI_PBD_LANES;
        uint32_t                     l = c->lane % ERGI_PBD_LANES;
        if (!(g->touched >> l & 1)) continue;
        double f[3], q[3];
        for (int a = 0; a < 3; a++) {
            f[a] = per * (double)(g->p[l] * g->x[a][l] + g->pt[a][l]);
            q[a] = per * (double)g->q[a][l];
        }
        erg_vec3 point = ergi_madd(c->at, c->overlap - c->radius, c->normal);
        erg_vec3 force = {f[0], f[1], f[2]}, couple = {q[0], q[1], q[2]};
        push(world, c->own, point, force, couple, 1);
        push(world, c->other, point, force, couple, -1);
        uint64_t pair = (uint64_t)(c->own < c->other ? c->own : c->other) << 32 |
                        (c->own < c->other ? c->other : c->own);
        world->clock.body_contacts += pair != last;
        last = pair;
        uint32_t *walls = (uint32_t *)to->data[ERGI_PBD_BODY_WALLS] + 2 * row,
                 *place = (uint32_t *)to->data[ERGI_PBD_BODY_FEATURES] + 2 * row;
        float *normal = (float *)to->data[ERGI_PBD_BODY_NORMAL] + 4 * row;
        walls[0] = c->own;
        walls[1] = c->other;
        place[0] = c->ball;
        place[1] = c->feature;
        memcpy((float *)to->data[ERGI_PBD_BODY_HISTORY] + ERGI_PBD_HISTORY * row,
               pbd->body_history + ERGI_PBD_HISTORY * n, ERGI_PBD_HISTORY * sizeof(float));
        for (int a = 0; a < 3; a++) normal[a] = g->x[a][l];
        normal[3] = 0;
        row++;
    }
    return ERG_OK;
}
