// Free bodies in a substep: motion, and mass splitting among their contacts with grains. (Contacts
// with walls and other bodies are in body_groups.c.)
//
// A body may touch hundreds of grains. Each contact works on a copy of the body's row with mass
// M/n, where n is the number of active contacts in the sweep; afterwards the body takes the mean
// motion of the copies. This conserves momentum to rounding. Contacts of one body do not affect
// each other within a sweep, so their order does not matter.
//
// A body that is driven in some axes enters them in its row as prescribed, and averaging leaves
// them as they are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "pbd/pbd.h"
#include "world/body_axes.h"
#include "world/walls.h"

#define ABOUT 0.02f // of a radius: contacts with a smaller gap count as active

static erg_quat turn_of(const erg_world *world, uint32_t w)
{
    return ergi_quat_mul(world->wall_state[w].motion.pose.rotation, world->wall[w].body.start);
}

erg_status ergi_pbd_body_prepare(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    if (world->free_bodies == 0) return ERG_OK;
    erg_status status = ergi_walls_inscribe(world, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->body, &pbd->body_room, world->free_bodies,
                                  sizeof *pbd->body, "bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->body_of, &pbd->body_of_room, world->walls,
                                  sizeof *pbd->body_of, "bodies", err);
    if (status != ERG_OK) return status;
    pbd->bodies = 0;
    for (uint32_t w = 0; w < world->walls; w++) {
        bool free = world->wall[w].body.free;
        pbd->body_of[w] = free ? (uint32_t)pbd->bodies : UINT32_MAX;
        if (free) pbd->body[pbd->bodies++].wall = w;
    }
    return ERG_OK;
}

static erg_vec3 torque_on(const ergi_motion_state *m)
{
    return ergi_add(m->applied_torque, m->ground_torque);
}

// ---- Prediction --------------------------------------------------------------------------------
static void set_tensor(const erg_world *world, ergi_pbd_body *body)
{
    const ergi_body *r = &world->wall[body->wall].body;
    double           mass = ergi_pbd_of(world)->mass, a[3][3];
    erg_quat         q = turn_of(world, body->wall);
    for (int k = 0; k < 3; k++) {
        erg_vec3 column = ergi_body_spin(r, q, ergi_vec3(k == 0, k == 1, k == 2));
        a[0][k] = mass * column.x;
        a[1][k] = mass * column.y;
        a[2][k] = mass * column.z;
    }
    const double six[6] = {a[0][0], a[1][1], a[2][2], a[0][1], a[0][2], a[1][2]};
    for (int k = 0; k < 6; k++) body->tensor[k] = (float)six[k];
    body->tensor[6] = body->tensor[7] = 0;
    body->row[ERGI_PBD_IW] = (float)((six[0] + six[1] + six[2]) / 3);
    body->row[ERGI_PBD_W] = body->shift[3] = (float)(mass * r->inverse_mass);
    // The scalars are divisors in the sweeps and keep the values of a free body: they must not be 0
    // where it meets a wall.
    const ergi_mat3 *i = &r->inertia;
    if ((r->free_axes & ERG_AXIS_TURNS) != ERG_AXIS_TURNS)
        body->row[ERGI_PBD_IW] = (float)(3 * mass / (i->m[0][0] + i->m[1][1] + i->m[2][2]));
}

// Rotation vector from one orientation to another.
static erg_vec3 turn_between(erg_quat from, erg_quat to)
{
    erg_quat q = ergi_quat_mul(to, ergi_quat_conjugate(from));
    erg_vec3 v = ergi_scale(ergi_vec3(q.x, q.y, q.z), q.w < 0 ? -1 : 1);
    double   sine = ergi_norm(v);
    return sine > 0 ? ergi_scale(v, 2 * atan2(sine, fabs(q.w)) / sine) : v;
}

// Displacement and rotation in driven axes.
static void prescribe(const erg_world *world, ergi_pbd_body *body, double next, erg_vec3 *move,
                      erg_vec3 *turn)
{
    const ergi_world_wall *wall = &world->wall[body->wall];
    const ergi_wall_state *s = &world->wall_state[body->wall];
    const ergi_pose       *pose = &s->motion.pose;
    uint32_t               axes = wall->body.free_axes;
    ergi_body_prescribed(&wall->wall.motion, s, world->clock.time, next, &body->given);
    erg_vec3 way = ergi_sub(body->given.position, pose->position);
    *move = ergi_add(ergi_free_move(axes, *move), ergi_driven_move(axes, way));
    if (!(axes & ERG_AXIS_TURNS)) *turn = turn_between(pose->rotation, body->given.rotation);
}

// Rotates by the spin at the middle of the substep (midpoint rule, second order).
void ergi_pbd_body_predict(erg_world *world, double dt, double next)
{
    ergi_pbd     *pbd = ergi_pbd_of(world);
    const double *g = world->clock.gravity;
    for (size_t k = 0; k < pbd->bodies; k++) {
        ergi_pbd_body     *body = &pbd->body[k];
        const ergi_body   *r = &world->wall[body->wall].body;
        ergi_motion_state *m = &world->wall_state[body->wall].motion;
        erg_vec3           push = ergi_add(m->applied_force, m->ground_force);
        erg_vec3           a = ergi_madd(ergi_vec3(g[0], g[1], g[2]), r->inverse_mass, push);
        erg_vec3           move = ergi_scale(ergi_madd(m->pose.velocity, dt, a), dt);
        erg_vec3           twist = ergi_free_turn(r->free_axes, torque_on(m));
        erg_vec3           l = ergi_madd(m->angular_momentum, dt, twist);
        erg_quat           q = turn_of(world, body->wall);
        erg_vec3           half = ergi_scale(ergi_body_spin(r, q, l), 0.5 * dt);
        erg_quat           middle = ergi_quat_normalize(ergi_quat_mul(ergi_quat_exp(half), q));
        erg_vec3           turn = ergi_scale(ergi_body_spin(r, middle, l), dt);
        if (ergi_body_partly_free(r)) prescribe(world, body, next, &move, &turn);
        const double six[6] = {move.x, move.y, move.z, turn.x, turn.y, turn.z};
        for (int n = 0; n < 3; n++) {
            body->row[ERGI_PBD_MOVE + n] = (float)six[n];
            body->row[ERGI_PBD_TURN + n] = (float)six[3 + n];
            body->shift[n] = 0;
        }
        set_tensor(world, body);
        memcpy(body->start, body->row, sizeof body->start);
    }
}

// ---- Copies ------------------------------------------------------------------------------------
typedef void copy_fn(const erg_world *world, ergi_pbd_body *body, const ergi_pbd_group *group,
                     uint32_t lane, uint32_t row);

// Calls fn for every lane of a contact between a grain and a free body, in a fixed order.
static void each_copy(erg_world *world, copy_fn *fn)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    uint32_t  base = (uint32_t)(world->grains.rows + pbd->chunks);
    for (size_t t = pbd->pair_tasks; t < pbd->tasks; t++)
        for (size_t k = 0; k < pbd->task[t].groups; k++) {
            const ergi_pbd_group *g = pbd->group + pbd->task[t].group + k;
            for (uint32_t l = 0; l < g->count; l++) {
                uint32_t number = pbd->body_of[pbd->touch[g->b[l] - base].wall];
                if (number != UINT32_MAX) fn(world, &pbd->body[number], g, l, g->b[l]);
            }
        }
}

// Displacement of a row's contact point along the normal. [m]
static float way_along(const ergi_pbd *pbd, const ergi_pbd_group *g, uint32_t l, uint32_t row,
                       const ergi_pbd_lane *arm)
{
    const float *r = pbd->row + ERGI_PBD_ROW * (size_t)row, *t = r + ERGI_PBD_TURN;
    float        u[3] = {r[0] + t[1] * arm[2][l] - t[2] * arm[1][l],
                         r[1] + t[2] * arm[0][l] - t[0] * arm[2][l],
                         r[2] + t[0] * arm[1][l] - t[1] * arm[0][l]};
    return u[0] * g->x[0][l] + u[1] * g->x[1][l] + u[2] * g->x[2][l];
}

// Counts contacts that may act in the sweep: those that carry a force, overlap or are about to. A
// contact that acts without being counted would use more than its share of the mass. Before
// contacts are frozen `gap` is the overlap.
static void count_copy(const erg_world *world, ergi_pbd_body *body, const ergi_pbd_group *g,
                       uint32_t l, uint32_t row)
{
    (void)row;
    const ergi_pbd *pbd = ergi_pbd_of(world);
    float           opening =
        way_along(pbd, g, l, g->a[l], g->arm_a) - way_along(pbd, g, l, g->b[l], g->arm_b);
    body->active += g->p[l] != 0 || g->gap[l] - opening >= -ABOUT * g->ra[l];
}

static void fill_copy(const erg_world *world, ergi_pbd_body *body, const ergi_pbd_group *g,
                      uint32_t l, uint32_t row)
{
    (void)g;
    (void)l;
    ergi_pbd *pbd = ergi_pbd_of(world);
    float     n = (float)body->active, *to = pbd->row + ERGI_PBD_ROW * (size_t)row,
          *shift = pbd->shift + 4 * (size_t)row, *tensor = pbd->tensor + 8 * (size_t)row;
    memcpy(to, body->row, sizeof body->row);
    memcpy(shift, body->shift, sizeof body->shift);
    to[ERGI_PBD_W] *= n;
    to[ERGI_PBD_IW] *= n;
    shift[3] *= n;
    for (int k = 0; k < 8; k++) tensor[k] = n * body->tensor[k];
}

static void add_copy(const erg_world *world, ergi_pbd_body *body, const ergi_pbd_group *g,
                     uint32_t l, uint32_t row)
{
    (void)g;
    (void)l;
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const float    *from = pbd->row + ERGI_PBD_ROW * (size_t)row,
                *shift = pbd->shift + 4 * (size_t)row;
    for (int k = 0; k < 3; k++) {
        body->change[ERGI_PBD_MOVE + k] +=
            (double)from[ERGI_PBD_MOVE + k] - (double)body->row[ERGI_PBD_MOVE + k];
        body->change[ERGI_PBD_TURN + k] +=
            (double)from[ERGI_PBD_TURN + k] - (double)body->row[ERGI_PBD_TURN + k];
        body->shift_change[k] += (double)shift[k] - (double)body->shift[k];
    }
}

void ergi_pbd_body_share(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pbd->bodies; k++) pbd->body[k].active = 1;
    each_copy(world, fill_copy);
    for (size_t k = 0; k < pbd->bodies; k++) pbd->body[k].active = 0;
    each_copy(world, count_copy);
    for (size_t k = 0; k < pbd->bodies; k++)
        if (pbd->body[k].active == 0) pbd->body[k].active = 1;
    each_copy(world, fill_copy);
}

void ergi_pbd_body_average(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pbd->bodies; k++) {
        memset(pbd->body[k].change, 0, sizeof pbd->body[k].change);
        memset(pbd->body[k].shift_change, 0, sizeof pbd->body[k].shift_change);
    }
    each_copy(world, add_copy);
    for (size_t k = 0; k < pbd->bodies; k++) {
        ergi_pbd_body *body = &pbd->body[k];
        double         share = 1.0 / body->active;
        uint32_t       axes = world->wall[body->wall].body.free_axes;
        for (int n = 0; n < 3; n++) {
            if (axes & (uint32_t)ERG_AXIS_X << n) {
                body->row[ERGI_PBD_MOVE + n] += (float)(share * body->change[ERGI_PBD_MOVE + n]);
                body->shift[n] += (float)(share * body->shift_change[n]);
            }
            if (axes & (uint32_t)ERG_AXIS_RX << n)
                body->row[ERGI_PBD_TURN + n] += (float)(share * body->change[ERGI_PBD_TURN + n]);
        }
    }
}

// ---- Motion ------------------------------------------------------------------------------------
static erg_vec3 three(const float *v)
{
    return ergi_vec3((double)v[0], (double)v[1], (double)v[2]);
}

void ergi_pbd_body_advance(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pbd->bodies; k++) {
        ergi_pbd_body *body = &pbd->body[k];
        ergi_pose     *pose = &world->wall_state[body->wall].motion.pose;
        erg_vec3       way = ergi_add(three(body->shift), three(body->row + ERGI_PBD_MOVE));
        erg_quat       by = ergi_quat_exp(three(body->row + ERGI_PBD_TURN));
        pose->position = ergi_add(pose->position, way);
        pose->rotation = ergi_quat_normalize(ergi_quat_mul(by, pose->rotation));
        if (ergi_body_partly_free(&world->wall[body->wall].body))
            ergi_body_impose(world->wall[body->wall].body.free_axes, &body->given, pose);
        memcpy(body->shift, body->row + ERGI_PBD_MOVE, 3 * sizeof *body->shift);
    }
}

// Angular momentum is the state variable. Contacts change it by I times the rotation that they
// added, over dt, with the inertia tensor at the start of the substep.
void ergi_pbd_body_finish(erg_world *world, double dt)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pbd->bodies; k++) {
        const ergi_pbd_body *body = &pbd->body[k];
        const ergi_body     *r = &world->wall[body->wall].body;
        ergi_wall_state     *s = &world->wall_state[body->wall];
        ergi_motion_state   *m = &s->motion;
        erg_quat before = ergi_quat_mul(pbd->pose_before[body->wall].rotation, r->start);
        erg_vec3 given = ergi_scale(
            ergi_sub(three(body->row + ERGI_PBD_TURN), three(body->start + ERGI_PBD_TURN)), 1 / dt);
        erg_vec3 twist = ergi_free_turn(r->free_axes, torque_on(m));
        erg_vec3 l = ergi_madd(m->angular_momentum, dt, twist);
        erg_vec3 gain = ergi_free_turn(r->free_axes, ergi_body_momentum(r, before, given));
        m->angular_momentum = ergi_add(l, gain);
        m->pose.velocity = ergi_scale(three(body->row + ERGI_PBD_MOVE), 1 / dt);
        m->pose.spin = ergi_body_spin(r, turn_of(world, body->wall), m->angular_momentum);
        if (ergi_body_partly_free(r)) {
            m->pose.spin = ergi_free_turn(r->free_axes, m->pose.spin);
            ergi_body_impose(r->free_axes, &body->given, &m->pose);
        }
        s->pose = m->pose;
    }
}

bool ergi_pbd_body_bad(const erg_world *world, double dt, erg_error *err)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pbd->bodies; k++) {
        uint32_t         w = pbd->body[k].wall;
        const ergi_pose *pose = &world->wall_state[w].motion.pose;
        double           speed = ergi_norm(pose->velocity), spin = ergi_norm(pose->spin);
        double           size = fmax(world->wall[w].body.radius, pbd->radius);
        if (dt * speed <= ERGI_PBD_MAX_DISPLACEMENT * size && isfinite(spin)) continue;
        ergi_fail(err, ERG_BAD_PHYSICS,
                  "step %llu, t = %.6g s: body %s%s%s number %u runs away with (%.3g, %.3g, %.3g) "
                  "m/s and (%.3g, %.3g, %.3g) rad/s",
                  (unsigned long long)world->clock.steps + 1, world->clock.time + dt,
                  world->wall[w].name[0] ? "'" : "", world->wall[w].name,
                  world->wall[w].name[0] ? "'" : "", w + 1, pose->velocity.x, pose->velocity.y,
                  pose->velocity.z, pose->spin.x, pose->spin.y, pose->spin.z);
        return true;
    }
    return false;
}
