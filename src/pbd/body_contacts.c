// Contacts of free bodies with walls and with each other: balls inscribed in one body against the
// surface of the other.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pbd/pbd.h"

#define REACH_MARGIN 0.02 // search distance beyond the surface, share of the ball's radius
#define NORMAL_TURN 0.1f  // history is reused only while n_before . n_now >= 1 - this
enum { HITS = 4 };        // contacts of a ball with one wall: the deepest

// Bounding box of a wall; sorted along x for sweep and prune.
typedef struct ergi_pbd_extent {
    erg_vec3 low, high;
    uint32_t wall;
} extent;

static int by_low(const void *a, const void *b)
{
    const extent *p = a, *q = b;
    if (p->low.x != q->low.x) return p->low.x < q->low.x ? -1 : 1;
    return p->wall < q->wall ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const ergi_pbd_body_contact *p = a, *q = b;
    if (p->own != q->own) return p->own < q->own ? -1 : 1;
    if (p->other != q->other) return p->other < q->other ? -1 : 1;
    if (p->ball != q->ball) return p->ball < q->ball ? -1 : 1;
    return p->feature < q->feature ? -1 : p->feature > q->feature;
}

static bool boxes_meet(const extent *a, const extent *b)
{
    return a->low.x <= b->high.x && a->high.x >= b->low.x && a->low.y <= b->high.y &&
           a->high.y >= b->low.y && a->low.z <= b->high.z && a->high.z >= b->low.z;
}

// Bodies collide with each other's triangles, even if grains collide with a sphere cloud.
static int hits_of(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach,
                   ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    if (wall->surface.kind != ERGI_SURFACE_CLOUD)
        return ergi_wall_hits(wall, pose, centre, reach, hits);
    ergi_wall exact = *wall;
    exact.surface.kind = ERGI_SURFACE_MESH;
    return ergi_wall_hits(&exact, pose, centre, reach, hits);
}

static erg_vec3 ball_at(const ergi_world_wall *w, const ergi_body_shape *shape,
                        const ergi_pose *pose, uint32_t k)
{
    erg_vec3 from =
        ergi_quat_rotate(w->body.start, ergi_sub(shape->balls.ball[k].centre, shape->centre));
    erg_vec3 at = ergi_sub(ergi_add(w->body.centre, from), w->wall.pivot); // at t = 0
    return ergi_add(ergi_add(w->wall.pivot, pose->position), ergi_quat_rotate(pose->rotation, at));
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
static const float *recall(const ergi_table *held, const ergi_pbd_body_contact *c)
{
    const uint32_t *walls = held->data[ERGI_PBD_BODY_WALLS],
                   *place = held->data[ERGI_PBD_BODY_FEATURES];
    const float *normal = held->data[ERGI_PBD_BODY_NORMAL], *found = NULL;
    uint64_t     wanted = (uint64_t)c->own << 32 | c->other;
    size_t       low = 0, high = held->rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (((uint64_t)walls[2 * mid] << 32 | walls[2 * mid + 1]) < wanted)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < held->rows && walls[2 * low] == c->own && walls[2 * low + 1] == c->other; low++) {
        const float *n = normal + 4 * low;
        double       along =
            (double)n[0] * c->normal.x + (double)n[1] * c->normal.y + (double)n[2] * c->normal.z;
        if (place[2 * low] != c->ball || along < (double)(1 - NORMAL_TURN)) continue;
        found = (const float *)held->data[ERGI_PBD_BODY_HISTORY] + ERGI_PBD_HISTORY * low;
        if (place[2 * low + 1] == c->feature) return found;
    }
    return found;
}

// ---- Finding -----------------------------------------------------------------------------------
static erg_status touch(erg_world *world, uint32_t own, uint32_t other, double way, erg_error *err)
{
    ergi_pbd              *pbd = ergi_pbd_of(world);
    const ergi_world_wall *w = &world->wall[own];
    const ergi_body_shape *shape = &world->body_shape[w->body.shape];
    for (uint32_t k = 0; k < shape->balls.count; k++) {
        double        radius = shape->balls.ball[k].radius;
        double        reach = radius * (1 + REACH_MARGIN) + way;
        erg_vec3      at = ball_at(w, shape, &pbd->pose_before[own], k);
        ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
        if (ergi_wall_far(&world->wall[other].wall, &pbd->pose_before[other], at, reach)) continue;
        int n = hits_of(&world->wall[other].wall, &pbd->pose_before[other], at, reach, hits);
        for (int count = 0; count < HITS && n > 0; count++) {
            int least = 0;
            for (int h = 1; h < n; h++)
                if (hits[h].gap < hits[least].gap) least = h;
            erg_status status = ergi_memory_grow(&pbd->body_contact, &pbd->body_contact_room,
                                                 pbd->body_contacts + 1, sizeof *pbd->body_contact,
                                                 "contacts of bodies", err);
            if (status != ERG_OK) return status;
            ergi_pbd_body_contact *c = &pbd->body_contact[pbd->body_contacts++];
            *c = (ergi_pbd_body_contact){.own = own,
                                         .other = other,
                                         .ball = k,
                                         .feature = hits[least].feature,
                                         .overlap = radius - hits[least].gap,
                                         .radius = radius,
                                         .normal = hits[least].normal,
                                         .at = at};
            const float *kept = recall(&pbd->body_contact_history, c);
            if (kept) memcpy(c->history, kept, sizeof c->history);
            hits[least] = hits[--n];
        }
    }
    return ERG_OK;
}

static erg_status touch_both(erg_world *world, const extent *a, const extent *b, double dt,
                             erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    bool of_a = pbd->body_of[a->wall] != UINT32_MAX, of_b = pbd->body_of[b->wall] != UINT32_MAX;
    erg_status status = ERG_OK;
    if (ergi_wall_is_terrain(&world->wall[a->wall]) || ergi_wall_is_terrain(&world->wall[b->wall]))
        return ERG_OK; // it acts on bodies by ground_force
    if ((!of_a && !of_b) || !boxes_meet(a, b)) return ERG_OK;
    double way = way_of(world, a->wall, dt) + way_of(world, b->wall, dt);
    if (of_a) status = touch(world, a->wall, b->wall, way, err);
    if (of_b && status == ERG_OK) status = touch(world, b->wall, a->wall, way, err);
    return status;
}

static void add_lane(const erg_world *world, ergi_pbd_group *g, uint32_t n, uint32_t row)
{
    const ergi_pbd              *pbd = ergi_pbd_of(world);
    const ergi_pbd_body_contact *c = &pbd->body_contact[n];
    uint32_t                     l = g->count++;
    erg_vec3 point = ergi_madd(c->at, c->overlap - c->radius, c->normal), a = ergi_vec3(0, 0, 0),
             b = a;
    a = ergi_sub(c->at, ergi_pbd_body_centre(world, c->own));
    if (pbd->body_of[c->other] != UINT32_MAX)
        b = ergi_sub(point, ergi_pbd_body_centre(world, c->other));
    const double normal[3] = {c->normal.x, c->normal.y, c->normal.z}, arm_a[3] = {a.x, a.y, a.z},
                 arm_b[3] = {b.x, b.y, b.z};
    g->a[l] = row;
    g->b[l] = row + 1;
    g->entry[l] = n;
    g->law[l] =
        world->wall[c->own].material * (uint32_t)world->materials + world->wall[c->other].material;
    g->gap[l] = (float)c->overlap;
    g->ra[l] = g->rolling_radius[l] = (float)c->radius;
    g->rb[l] = g->approach[l] = g->pull[l] = 0;
    g->p[l] = c->history[ERGI_PBD_P];
    for (int k = 0; k < 3; k++) {
        g->x[k][l] = (float)normal[k];
        g->pt[k][l] = c->history[ERGI_PBD_PT + k];
        g->q[k][l] = c->history[ERGI_PBD_Q + k];
        g->arm_a[k][l] = (float)arm_a[k];
        g->arm_b[k][l] = (float)arm_b[k];
    }
}

// Prescribed motion of a wall at the contact; zero for free bodies, whose rows body.c fills.
static void set_wall_row(const erg_world *world, const ergi_pbd_body_contact *c, uint32_t row,
                         double dt)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    float    *to = pbd->row + ERGI_PBD_ROW * (size_t)row;
    memset(to, 0, ERGI_PBD_ROW * sizeof *to);
    memset(pbd->shift + 4 * (size_t)row, 0, 4 * sizeof *to);
    memset(pbd->tensor + 8 * (size_t)row, 0, 8 * sizeof *to);
    if (pbd->body_of[c->other] != UINT32_MAX || !ergi_wall_moves(&world->wall[c->other])) return;
    const ergi_pose *pose = &world->wall_state[c->other].pose;
    erg_vec3         point = ergi_madd(c->at, c->overlap - c->radius, c->normal);
    erg_vec3     way = ergi_scale(ergi_wall_velocity(&world->wall[c->other].wall, pose, point), dt);
    const double six[6] = {
        way.x, way.y, way.z, dt * pose->spin.x, dt * pose->spin.y, dt * pose->spin.z};
    for (int k = 0; k < 3; k++) {
        to[ERGI_PBD_MOVE + k] = (float)six[k];
        to[ERGI_PBD_TURN + k] = (float)six[3 + k];
    }
}

// Two rows per contact, after those of wall contacts. Padding lanes also get rows of their own.
static erg_status make_groups(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = pbd->body_contacts, groups = (n + ERGI_PBD_LANES - 1) / ERGI_PBD_LANES;
    size_t     rows = pbd->rows + 2 * ERGI_PBD_LANES * groups + 1;
    erg_status status = ergi_memory_grow(&pbd->body_group, &pbd->body_group_room, groups + 1,
                                         sizeof *pbd->body_group, "contacts of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->body_history, &pbd->body_history_room,
                                  ERGI_PBD_HISTORY * (n + 1), sizeof *pbd->body_history,
                                  "contacts of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->row, &pbd->row_room, ERGI_PBD_ROW * rows, sizeof *pbd->row,
                                  "motion", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->shift, &pbd->shift_room, 4 * rows, sizeof *pbd->shift,
                                  "motion", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->tensor, &pbd->tensor_room, 8 * rows, sizeof *pbd->tensor,
                                  "motion", err);
    if (status != ERG_OK) return status;
    pbd->body_task = (ergi_pbd_task){.walls = true, .groups = groups};
    for (size_t k = 0; k < groups; k++) {
        ergi_pbd_group *g = pbd->body_group + k;
        memset(g, 0, sizeof *g);
        for (uint32_t l = 0; l < ERGI_PBD_LANES; l++) {
            size_t   at = k * ERGI_PBD_LANES + l;
            uint32_t row = (uint32_t)(pbd->rows + 2 * at);
            if (at < n) {
                add_lane(world, g, (uint32_t)at, row);
                set_wall_row(world, &pbd->body_contact[at], row + 1, dt);
                continue;
            }
            const ergi_pbd_body_contact none = {.other = pbd->body[0].wall};
            set_wall_row(world, &none, row, dt);
            set_wall_row(world, &none, row + 1, dt);
            float *nothing = pbd->row + ERGI_PBD_ROW * (size_t)row;
            nothing[ERGI_PBD_W] = nothing[ERGI_PBD_IW] = pbd->shift[4 * (size_t)row + 3] = 1;
            for (int d = 0; d < 3; d++) pbd->tensor[8 * (size_t)row + (size_t)d] = 1;
            g->a[l] = row;
            g->b[l] = row + 1;
            g->gap[l] = -1e9f;
            g->ra[l] = g->rolling_radius[l] = g->x[2][l] = 1;
        }
    }
    return ERG_OK;
}

erg_status ergi_pbd_body_find(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    walls = world->walls;
    if (pbd->bodies == 0) return ERG_OK;
    extent *e = ergi_memory_new(walls, sizeof *e, "boxes of bodies", err);
    if (!e) return ERG_NO_MEMORY;
    for (uint32_t w = 0; w < walls; w++) {
        double   way = way_of(world, w, dt) + pbd->radius;
        erg_vec3 more = {way, way, way};
        e[w].wall = w;
        (void)ergi_wall_bounds(&world->wall[w].wall, &pbd->pose_before[w], &e[w].low, &e[w].high);
        e[w].low = ergi_sub(e[w].low, more);
        e[w].high = ergi_add(e[w].high, more);
    }
    qsort(e, walls, sizeof *e, by_low);
    pbd->body_contacts = 0;
    erg_status status = ERG_OK;
    for (size_t i = 0; i < walls; i++)
        for (size_t k = i + 1; k < walls && e[k].low.x <= e[i].high.x && status == ERG_OK; k++)
            status = touch_both(world, &e[i], &e[k], dt, err);
    ergi_memory_free(e);
    if (pbd->body_contacts) // an order that does not depend on positions
        qsort(pbd->body_contact, pbd->body_contacts, sizeof *pbd->body_contact, by_place);
    return status == ERG_OK ? make_groups(world, dt, err) : status;
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
        const ergi_pbd_group        *g = pbd->body_group + n / ERGI_PBD_LANES;
        uint32_t                     l = n % ERGI_PBD_LANES;
        const ergi_pbd_body_contact *c = &pbd->body_contact[n];
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
