#include "terrain/resist.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "law/rft.h"
#include "terrain/sand.h"
#include "world/body_axes.h"

#define SPRING 0.5    // stiffness of all bristles of a body, of its mass / hold^2
#define RELAX 1.5     // tau, of hold
#define SHORTEST 2e-4 // delta [m]
#define KEEPS 1.5     // of weight and load that bristles keep
#define HELD 0.5      // share of delta up to which a bristle is a plain spring
#define GRAZE 0.02    // share of the motion along the normal over which a facet loses its load
#define FACES_UP 0.5  // vertical part of normals above which there is no load
#define PULL 0.5      // the same, for one that is held
#define STRAIGHT 0.1  // share of the motion sideways below which tilt counts as its direction
enum { SAMPLES = 8, MARGIN = 3 };

// ---- State -------------------------------------------------------------------------------------
void ergi_resist_init(ergi_resist *r)
{
    static const ergi_column bristles[] = {{"way", ERGI_F64, 3, false}},
                             poses[] = {{"pose", ERGI_F64, 7, false}};
    memset(r, 0, sizeof *r);
    ergi_table_init(&r->bristles, "terrain bristles", bristles, 1, ERGI_F64);
    ergi_table_init(&r->poses, "terrain tools", poses, 1, ERGI_F64);
}

void ergi_resist_free(ergi_resist *r)
{
    ergi_table_free(&r->bristles);
    ergi_table_free(&r->poses);
    ergi_memory_free(r->load);
    ergi_memory_free(r->idle);
}

size_t ergi_resist_bytes(const ergi_resist *r)
{
    return ergi_table_bytes(&r->bristles) + ergi_table_bytes(&r->poses) +
           r->load_room * sizeof *r->load + r->idle_room * sizeof *r->idle;
}

void ergi_resist_register(ergi_resist *r, ergi_registry *registry)
{
    ergi_registry_table(registry, &r->bristles, -1, ERGI_STATE_HASHED);
    ergi_registry_table(registry, &r->poses, -1, ERGI_STATE_HASHED);
}

void ergi_resist_forget(ergi_resist *r)
{
    for (size_t k = 0; k < r->poses.rows && r->idle; k++) r->idle[k] = false;
}

static void put_pose(double *row, const ergi_pose *pose)
{
    const double p[7] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.x,
                         pose->rotation.y, pose->rotation.z, pose->rotation.w};
    memcpy(row, p, sizeof p);
}

erg_status ergi_resist_grow(ergi_resist *r, const ergi_tools *tools, const erg_world *world,
                            erg_error *err)
{
    size_t     old = r->poses.rows;
    erg_status status = ergi_table_resize(&r->bristles, tools->facets, err);
    if (status == ERG_OK) status = ergi_table_resize(&r->poses, tools->tools, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&r->idle, &r->idle_room, tools->tools, sizeof *r->idle,
                                  "bodies in sand", err);
    for (size_t k = old; k < tools->tools && status == ERG_OK; k++)
        put_pose((double *)r->poses.data[0] + 7 * k, &world->wall_state[tools->tool[k].wall].pose);
    return status;
}

const char *ergi_resist_misfit(const ergi_resist *r, const ergi_loaded *loaded)
{
    const ergi_table *bristles = ergi_loaded_table(loaded, r->bristles.name),
                     *poses = ergi_loaded_table(loaded, r->poses.name);
    if (bristles->rows != r->bristles.rows || poses->rows != r->poses.rows)
        return "the terrain has another number of bodies in it";
    const double *u = bristles->data[0], *p = poses->data[0];
    for (size_t k = 0; k < 3 * bristles->rows; k++)
        if (!isfinite(u[k])) return "a body in the terrain has a force that is not finite";
    for (size_t k = 0; k < poses->rows; k++) {
        const double *q = p + 7 * k;
        double        length = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6];
        if (!isfinite(q[0] + q[1] + q[2]) || !(fabs(length - 1) < 1e-6))
            return "a body in the terrain was at an impossible place";
    }
    return NULL;
}

// ---- The undisturbed surface -------------------------------------------------------------------
typedef struct plane {
    double x, y, z, slope[2]; // z at (x, y)
} plane;

static double plane_z(const plane *p, double x, double y)
{
    return p->z + p->slope[0] * (x - p->x) + p->slope[1] * (y - p->y);
}

static void sort(double *v, int n)
{
    for (int i = 1; i < n; i++) {
        double x = v[i];
        int    k = i;
        for (; k > 0 && v[k - 1] > x; k--) v[k] = v[k - 1];
        v[k] = x;
    }
}

// Sampled on a rectangle around the footprint, beyond most of the berm. The slope is that of least
// squares, the height the median, which tracks and berms do not change much.
static plane undisturbed(const ergi_columns *c, const ergi_footprint *f)
{
    double half[2] = {0.5 * (f->i1 - f->i0 + 1), 0.5 * (f->j1 - f->j0 + 1)};
    double wide = 0.5 * fmax(half[0], half[1]) + MARGIN;
    plane  p = {.x = ergi_columns_centre(c, 0, f->i0) + (half[0] - 0.5) * c->spacing,
                .y = ergi_columns_centre(c, 1, f->j0) + (half[1] - 0.5) * c->spacing};
    double dx[4 * SAMPLES], dy[4 * SAMPLES], z[4 * SAMPLES], square[2] = {0, 0}, sum[2] = {0, 0};
    for (int k = 0; k < 4 * SAMPLES; k++) {
        double along = (2.0 * (k % SAMPLES) + 1) / SAMPLES - 1; // -1 to 1
        double side = k / SAMPLES % 2 ? 1 : -1;
        bool   on_x = k / (2 * SAMPLES) == 0; // on a side across x
        dx[k] = (on_x ? side : along) * (half[0] + wide) * c->spacing;
        dy[k] = (on_x ? along : side) * (half[1] + wide) * c->spacing;
        z[k] = ergi_columns_surface_z(c, p.x + dx[k], p.y + dy[k]);
        sum[0] += z[k] * dx[k], square[0] += dx[k] * dx[k];
        sum[1] += z[k] * dy[k], square[1] += dy[k] * dy[k];
    }
    for (int a = 0; a < 2; a++) p.slope[a] = sum[a] / square[a];
    for (int k = 0; k < 4 * SAMPLES; k++) z[k] -= p.slope[0] * dx[k] + p.slope[1] * dy[k];
    sort(z, 4 * SAMPLES);
    p.z = 0.5 * (z[2 * SAMPLES - 1] + z[2 * SAMPLES]);
    return p;
}

// Whether there is sand at a facet, or next to it on its outer side.
static bool is_in_sand(const ergi_columns *c, erg_vec3 p, erg_vec3 n)
{
    double low = p.z - c->spacing;
    if (ergi_columns_surface_z(c, p.x, p.y) >= low) return true;
    return ergi_columns_surface_z(c, p.x + c->spacing * n.x, p.y + c->spacing * n.y) >= low;
}

// ---- Stress ------------------------------------------------------------------------------------
static double ramp(double x, double zero, double one)
{
    return fmin(fmax((x - zero) / (one - zero), 0), 1);
}

// The horizontal direction of motion; straight down, that of the facet's tilt.
static erg_vec3 heading(erg_vec3 n, erg_vec3 way)
{
    double   across = sqrt(way.x * way.x + way.y * way.y), tilt = sqrt(n.x * n.x + n.y * n.y);
    erg_vec3 e = {0, 0, 0};
    if (across > 0) e = ergi_scale(ergi_vec3(way.x, way.y, 0), 1 / across);
    if (across < STRAIGHT && tilt > 0) {
        double   share = 1 - across / STRAIGHT;
        erg_vec3 t = ergi_scale(ergi_vec3(n.x, n.y, 0), 1 / tilt);
        if (ergi_dot(t, e) < 0) t = ergi_scale(t, -1); // either sign gives the same stress
        e = ergi_madd(ergi_scale(e, 1 - share), share, t);
    }
    double size = ergi_norm(e);
    return size > 0 ? ergi_scale(e, 1 / size) : ergi_vec3(1, 0, 0);
}

// Of facets that lead or not. Motion and normal need not be in one upright plane. The facet then
// counts as its cut with the plane of the motion, whose length is smaller by the normal's part in
// that plane.
static erg_vec3 stress_of(erg_vec3 n, erg_vec3 way, erg_vec3 v, double depth,
                          const ergi_resist_params *params)
{
    double   load = 1 - ramp(n.z, FACES_UP, FACES_UP + 0.1), speed = fmax(ergi_dot(n, v), 0);
    erg_vec3 x = heading(n, way), stress = ergi_scale(n, -params->density * speed * speed * load);
    double   nx = ergi_dot(n, x), nz = n.z, square = nx * nx + nz * nz;
    if (!(square > 0)) return stress;
    ergi_rft a = ergi_rft_alpha((nz * nz - nx * nx) / square, -2 * nx * nz / square,
                                ergi_dot(way, x), -way.z);
    double   size = params->zeta * ERGI_RFT_UNIT * depth * load * sqrt(square);
    stress = ergi_madd(stress, -a.x * size, x);
    stress.z += a.z * size;
    return stress;
}

erg_vec3 ergi_resist_stress(erg_vec3 n, erg_vec3 way, erg_vec3 v, double depth,
                            const ergi_resist_params *params)
{
    double leads = ramp(ergi_dot(n, way), -GRAZE, 0);
    if (!(depth > 0) || !(leads > 0)) return ergi_vec3(0, 0, 0);
    return ergi_scale(stress_of(n, way, v, depth, params), leads);
}

// ---- One tool ----------------------------------------------------------------------------------
typedef struct acting {
    ergi_resist              *r;
    const ergi_world_wall    *wall;
    const ergi_pose          *pose;
    ergi_placement            now, before;
    erg_vec3                  centre; // about which torques are taken
    const ergi_columns       *c;
    const ergi_resist_params *params;
    plane                     surface;
    double                    relax; // tau [s]
    size_t                    loads;
    erg_vec3                  twist; // of their torques [N m]
    erg_vec3 slowed, turned; // velocity and spin that they give the body until the next tick
    double   soft;           // how the wall gives way, see yielding
    erg_vec3 sum;            // of the largest forces [N]
    double   total;          // of their magnitudes [N]
    double   yield;          // the same, each divided by the mass that it moves [m/s^2]
} acting;

// `rise` is added to its z.
static double depth_of(const acting *a, erg_vec3 p, erg_vec3 n, double rise)
{
    double z = p.z + rise, depth = plane_z(&a->surface, p.x, p.y) - z;
    if (!(depth > 0) || !ergi_columns_cover(a->c, p.x, p.y) || !is_in_sand(a->c, p, n)) return 0;
    return depth;
}

// Inverse of the least mass that a force at `arm` moves, in any direction; an upper bound [1/kg].
static double inverse_mass(const ergi_body *body, erg_vec3 arm)
{
    double square = 0;
    for (int k = 0; k < 9; k++) {
        double i = body->inverse_inertia.m[k / 3][k % 3];
        square += i * i;
    }
    return body->free ? body->inverse_mass + ergi_dot(arm, arm) * sqrt(square) : 0;
}

static void load_facet(acting *a, const ergi_facet *f, size_t row)
{
    double  *u = (double *)a->r->bristles.data[0] + 3 * row;
    erg_vec3 p = ergi_placement_now(&a->now, f->position);
    erg_vec3 n = ergi_quat_rotate(a->now.rotation, f->normal);
    erg_vec3 v = ergi_wall_velocity(&a->wall->wall, a->pose, p);
    // The force acts until the next tick: the depth is that in the middle of this time.
    double depth = depth_of(a, p, n, 0.5 * a->params->hold * v.z);
    if (!(depth > 0)) {
        u[0] = u[1] = u[2] = 0;
        return;
    }
    erg_vec3 went = ergi_sub(p, ergi_placement_now(&a->before, f->position));
    u[0] += went.x, u[1] += went.y, u[2] += went.z;
    erg_vec3 q = ergi_madd(ergi_vec3(u[0], u[1], u[2]), a->relax, v);
    double   size = ergi_norm(q);
    if (!(size > 0)) return;
    q = ergi_scale(q, 1 / size);
    erg_vec3 force = ergi_scale(stress_of(n, q, v, depth, a->params), f->area);
    erg_vec3 arm = ergi_sub(p, a->centre);
    double   lean = ergi_dot(n, q), leads = ramp(lean, -GRAZE, 0);
    a->r->load[a->loads++] = (ergi_facet_load){row, arm, q, force, size, lean, ergi_norm(v)};
    a->sum = ergi_madd(a->sum, leads, force);
    a->twist = ergi_madd(a->twist, leads, ergi_cross(arm, force));
    a->total += leads * ergi_norm(force);
    a->yield += leads * ergi_norm(force) * inverse_mass(&a->wall->body, arm);
}

// How fast the wall gives way to a force on it, of its own motion or that of its carriers
// [m/(s N)].
static double yielding(const erg_world *world, uint32_t w)
{
    double sum = 0;
    for (uint32_t at = w + 1; at; at = world->wall[at - 1].carrier) {
        const ergi_motion       *m = &world->wall[at - 1].wall.motion;
        const ergi_motion_state *s = &world->wall_state[at - 1].motion;
        for (int k = 0; k < m->count; k++) {
            const erg_motion_def *part = &m->part[k];
            if (part->kind == ERG_MOTION_SERVO) sum += part->gain;
            if (part->kind == ERG_MOTION_USER && m->user_force > 0)
                sum += 2 * ergi_norm(s->user_velocity) / m->user_force;
        }
    }
    return sum;
}

// 1 if the facet moves so fast that the full forces on the body do not nearly stop it until the
// next tick, 0 if they do.
static double goes_on(const acting *a, const ergi_facet_load *f)
{
    if (a->soft > 0) return 0;
    erg_vec3 change = ergi_add(a->slowed, ergi_cross(a->turned, f->arm));
    return ramp(f->speed, ergi_norm(change), 1.5 * ergi_norm(change) + 1e-12);
}

// Force of a bristle. Bent less than delta it is a spring against its bend, with the strength of
// the stress; a plain one, so that bodies come to rest.
static erg_vec3 force_of(const acting *a, const ergi_facet_load *f, double delta)
{
    double bend = fmin(f->bend / delta, 1), slides = ramp(bend, HELD, 1), goes = goes_on(a, f);
    bend = fmax(bend, goes);
    slides = fmax(slides, goes);
    double   leads = ramp(f->lean, -(GRAZE * slides + PULL * (1 - slides)), 0);
    erg_vec3 force = ergi_scale(f->force, slides);
    force = ergi_madd(force, -(1 - slides) * ergi_norm(f->force), f->way);
    return ergi_scale(force, bend * leads);
}

// `most`: bend up to which a bristle keeps a force when the motion ends [m].
static void apply(acting *a, double delta, double most, ergi_motion_state *m)
{
    double *way = a->r->bristles.data[0];
    m->ground_force = m->ground_torque = ergi_vec3(0, 0, 0);
    for (size_t k = 0; k < a->loads; k++) {
        const ergi_facet_load *f = &a->r->load[k];
        double                *u = way + 3 * f->row;
        erg_vec3               force = force_of(a, f, delta);
        m->ground_force = ergi_add(m->ground_force, force);
        m->ground_torque = ergi_add(m->ground_torque, ergi_cross(f->arm, force));
        double bent = ergi_norm(ergi_vec3(u[0], u[1], u[2]));
        for (int n = 0; n < 3 && bent > most; n++) u[n] *= most / bent;
    }
}

static void find_change(acting *a)
{
    const ergi_body *body = &a->wall->body;
    erg_quat         q = ergi_quat_mul(a->pose->rotation, body->start);
    if (!body->free) return;
    a->slowed =
        ergi_scale(ergi_free_move(body->free_axes, a->sum), a->params->hold * body->inverse_mass);
    a->turned = ergi_scale(ergi_body_spin(body, q, a->twist), a->params->hold);
}

// A body that stops must not be thrown back by what stopped it: bristles keep what carries its
// weight and load, and half as much again.
static double kept_share(const acting *a, const erg_world *world, const ergi_wall_state *state)
{
    const ergi_body *body = &a->wall->body;
    const double    *g = world->clock.gravity;
    if (!body->free) return 1;
    double   weight = body->mass * ergi_norm(ergi_vec3(g[0], g[1], g[2]));
    erg_vec3 load = ergi_vec3(state->force[0], state->force[1], state->force[2]);
    load = ergi_add(load, state->motion.applied_force);
    double keeps = KEEPS * (weight + ergi_norm(load)), sum = ergi_norm(a->sum);
    return keeps < sum ? keeps / sum : 1;
}

static void resist_tool(ergi_resist *r, erg_world *world, const ergi_tool *tool, size_t number,
                        const ergi_footprint *foot, const ergi_tools *tools, const ergi_columns *c,
                        const ergi_resist_params *params)
{
    ergi_wall_state       *state = &world->wall_state[tool->wall];
    const ergi_world_wall *wall = &world->wall[tool->wall];
    double                *last = (double *)r->poses.data[0] + 7 * number;
    acting                 a = {.r = r,
                                .wall = wall,
                                .pose = &state->pose,
                                .now = ergi_tool_placement(tool, world, &state->pose),
                                .before = {wall->wall.pivot,
                                           {last[0], last[1], last[2]},
                                           {last[3], last[4], last[5], last[6]}},
                                .c = c,
                                .params = params,
                                .relax = RELAX * params->hold};
    a.centre = ergi_placement_now(&a.now, wall->body.exists ? wall->body.centre : wall->wall.pivot);
    bool touches = foot->end > foot->begin;
    if (touches) {
        a.surface = undisturbed(c, foot);
        a.soft = wall->body.free ? 0 : yielding(world, tool->wall);
        if (a.soft > 0) a.relax = 0;
        for (size_t k = 0; k < tool->facets; k++)
            load_facet(&a, &tools->facet[tool->first + k], tool->first + k);
        find_change(&a);
        double hold = params->hold, delta = a.yield * hold * hold / SPRING;
        delta = fmax(SHORTEST, fmax(delta, 2 * a.soft * a.total * hold));
        apply(&a, delta, delta * kept_share(&a, world, state), &state->motion);
    } else if (!r->idle[number]) {
        memset((double *)r->bristles.data[0] + 3 * tool->first, 0,
               3 * tool->facets * sizeof(double));
        state->motion.ground_force = state->motion.ground_torque = ergi_vec3(0, 0, 0);
    }
    r->idle[number] = !touches;
    put_pose(last, &state->pose);
}

erg_status ergi_resist_tools(ergi_resist *r, erg_world *world, const ergi_tools *tools,
                             const ergi_press *press, const ergi_columns *c,
                             const ergi_resist_params *params, erg_error *err)
{
    erg_status status = ergi_memory_grow(&r->load, &r->load_room, ERGI_TOOL_FACETS, sizeof *r->load,
                                         "facets of a body", err);
    for (size_t k = 0; k < tools->tools && status == ERG_OK; k++)
        resist_tool(r, world, &tools->tool[k], k, &press->foot[k], tools, c, params);
    return status;
}
