// Shape matching (Mueller et al. 2005): the rigid motion that brings the particles of a shape to
// their arrangement where they are nearest to the positions found, weighted by mass.
#include <math.h>
#include <string.h>

#include "pbd/pbd.h"

#define ROUNDS 20 // of the rotation; it ends earlier at rest
#define STILL 1e-10

// Rotation R that maximises tr(R^T A), from a first guess, by Mueller et al. 2016: its columns are
// turned towards those of A. A of rank one or two, as of a clump in a line, is no special case: the
// turn about the line stays as guessed.
static erg_quat rotation_of(double a[3][3], erg_quat guess)
{
    erg_quat q = guess;
    for (int round = 0; round < ROUNDS; round++) {
        ergi_mat3 r = ergi_mat3_from_quat(q);
        erg_vec3  twist = {0, 0, 0};
        double    along = 0;
        for (int k = 0; k < 3; k++) {
            erg_vec3 is = {r.m[0][k], r.m[1][k], r.m[2][k]}, to = {a[0][k], a[1][k], a[2][k]};
            twist = ergi_add(twist, ergi_cross(is, to));
            along += ergi_dot(is, to);
        }
        if (!(fabs(along) > 0)) break;
        erg_vec3 by = ergi_scale(twist, 1 / fabs(along));
        if (!(ergi_norm(by) > STILL)) break;
        q = ergi_quat_normalize(ergi_quat_mul(ergi_quat_exp(by), q));
    }
    return q;
}

static erg_vec3 three(const float v[3])
{
    return ergi_vec3((double)v[0], (double)v[1], (double)v[2]);
}

static void add_outer(double a[3][3], double m, erg_vec3 x, erg_vec3 o)
{
    const double p[3] = {x.x, x.y, x.z}, q[3] = {o.x, o.y, o.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a[i][k] += m * p[i] * q[k];
}

// The rigid motion of x after stabilisation, or (`moved`) of the prediction.
static void match(const ergi_sommer *s, const ergi_sommer_shape *shape, bool moved, erg_quat *turn,
                  erg_vec3 *shift)
{
    const ergi_sommer_particle *p = s->particle + shape->first;
    double                      a[3][3] = {{0}}, m = (shape->mass - shape->inner) / shape->count;
    // The inner mass moves as it last did.
    erg_vec3 inner = {0, 0, 0};
    if (moved)
        inner =
            ergi_add(*shift, ergi_sub(ergi_quat_rotate(*turn, shape->inner_arm), shape->inner_arm));
    erg_vec3 mean = ergi_scale(inner, shape->inner / shape->mass);
    for (uint32_t k = 0; k < shape->count; k++) {
        erg_vec3 u = three(p[k].shift);
        if (moved) u = ergi_add(u, three(p[k].move));
        mean = ergi_madd(mean, m / shape->mass, u);
    }
    add_outer(a, shape->inner, ergi_sub(ergi_add(shape->inner_arm, inner), mean), shape->inner_arm);
    for (uint32_t k = 0; k < shape->count; k++) {
        erg_vec3 u = three(p[k].shift);
        if (moved) u = ergi_add(u, three(p[k].move));
        add_outer(a, m, ergi_sub(ergi_add(p[k].arm, u), mean), p[k].arm);
    }
    *turn = rotation_of(a, *turn);
    *shift = mean;
}

void ergi_sommer_match(erg_world *world)
{
    ergi_sommer *s = &ergi_pbd_of(world)->sommer;
    for (size_t n = 0; n < s->shapes; n++) {
        ergi_sommer_shape *shape = &s->shape[n];
        match(s, shape, true, &shape->turn, &shape->shift);
        for (uint32_t k = 0; k < shape->count; k++) {
            ergi_sommer_particle *p = &s->particle[shape->first + k];
            erg_vec3              goal =
                ergi_add(shape->shift, ergi_sub(ergi_quat_rotate(shape->turn, p->arm), p->arm));
            const double to[3] = {goal.x, goal.y, goal.z};
            for (int d = 0; d < 3; d++) p->sum[d] += (float)to[d] - p->shift[d] - p->move[d];
            p->count += 1;
        }
    }
}

// ---- Afterwards --------------------------------------------------------------------------------
static erg_vec3 turn_vector(erg_quat q)
{
    erg_vec3 v = ergi_scale(ergi_vec3(q.x, q.y, q.z), q.w < 0 ? -1 : 1);
    double   sine = ergi_norm(v);
    return sine > 0 ? ergi_scale(v, 2 * atan2(sine, fabs(q.w)) / sine) : v;
}

static void set3(float to[3], erg_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

// Displacement of the centre of mass, from that of the middle of the particles.
static erg_vec3 centre_way(const ergi_sommer_shape *shape, erg_quat turn, erg_vec3 way)
{
    return ergi_sub(way, ergi_sub(ergi_quat_rotate(turn, shape->middle), shape->middle));
}

// Turns the orientation of a clump or body, as stabilisation shifts its position.
static void turn_start(erg_world *world, const ergi_sommer_shape *shape, erg_quat by)
{
    if (shape->body == ERGI_SOMMER_NONE) {
        double  *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * (size_t)shape->row;
        erg_quat q = {o[0], o[1], o[2], o[3]};
        q = ergi_quat_normalize(ergi_quat_mul(by, q));
        const double to[4] = {q.x, q.y, q.z, q.w};
        memcpy(o, to, sizeof to);
        return;
    }
    uint32_t   w = ergi_pbd_of(world)->body[shape->body].wall;
    ergi_pose *pose = &world->wall_state[w].motion.pose;
    if ((world->wall[w].body.free_axes & ERG_AXIS_TURNS) == ERG_AXIS_TURNS)
        pose->rotation = ergi_quat_normalize(ergi_quat_mul(by, pose->rotation));
}

// Keeps the driven axes of a body as they are in its row.
static void write_body(const erg_world *world, ergi_pbd_body *body, const float move[3],
                       const float shift[3], const float turn[3])
{
    uint32_t axes = world->wall[body->wall].body.free_axes;
    for (int k = 0; k < 3; k++) {
        if (axes & (uint32_t)ERG_AXIS_X << k) {
            body->row[ERGI_PBD_MOVE + k] = move[k];
            body->shift[k] = shift[k];
        }
        if (axes & (uint32_t)ERG_AXIS_RX << k) body->row[ERGI_PBD_TURN + k] = turn[k];
    }
}

static void settle_shape(erg_world *world, ergi_sommer_shape *shape)
{
    ergi_pbd    *pbd = ergi_pbd_of(world);
    ergi_sommer *s = &pbd->sommer;
    erg_quat     before = ergi_quat_identity();
    erg_vec3     from = {0, 0, 0};
    float        move[3], shift[3], turn[3];
    match(s, shape, false, &before, &from);
    match(s, shape, true, &shape->turn, &shape->shift);
    from = centre_way(shape, before, from);
    erg_vec3 to = centre_way(shape, shape->turn, shape->shift);
    set3(shift, from);
    set3(move, ergi_sub(to, from));
    set3(turn, turn_vector(ergi_quat_mul(shape->turn, ergi_quat_conjugate(before))));
    turn_start(world, shape, before);
    if (shape->body != ERGI_SOMMER_NONE) {
        write_body(world, &pbd->body[shape->body], move, shift, turn);
        return;
    }
    float *row = pbd->row + ERGI_PBD_ROW * (size_t)shape->row;
    memcpy(row + ERGI_PBD_MOVE, move, sizeof move);
    memcpy(row + ERGI_PBD_TURN, turn, sizeof turn);
    memcpy(pbd->shift + 4 * (size_t)shape->row, shift, sizeof shift);
}

void ergi_sommer_settle(erg_world *world)
{
    ergi_pbd       *pbd = ergi_pbd_of(world);
    ergi_sommer    *s = &pbd->sommer;
    const uint32_t *first = ERGI_GRAIN(world, FIRST, uint32_t);
    for (size_t i = 0; i < world->grains.rows; i++) {
        const ergi_sommer_particle *p = &s->particle[pbd->single ? i : first[i]];
        memcpy(pbd->row + ERGI_PBD_ROW * i + ERGI_PBD_MOVE, p->move, sizeof p->move);
        memcpy(pbd->shift + 4 * i, p->shift, sizeof p->shift);
    }
    for (size_t n = 0; n < s->shapes; n++) settle_shape(world, &s->shape[n]);
}
