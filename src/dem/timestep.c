// The time step: a fraction of the shortest contact time expected from materials, sizes, speeds and
// load.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "dem/step.h"
#include "geom/vec3.h"
#include "law/kinds.h"
#include "world/grains.h"

static const double SHORTEST_STEP = 1e-25; // limit of single precision in the laws [s]

// ---- Expected speed and pressure ---------------------------------------------------------------
typedef struct span {
    double low, high;
} span;

static void widen(span *s, double value)
{
    s->low = fmin(s->low, value);
    s->high = fmax(s->high, value);
}

static void widen_box(span *s, erg_vec3 along, erg_vec3 low, erg_vec3 high)
{
    for (int c = 0; c < 8; c++)
        widen(s, ergi_dot(along, ergi_vec3(c & 1 ? high.x : low.x, c & 2 ? high.y : low.y,
                                           c & 4 ? high.z : low.z)));
}

// Height over which a grain or body may fall, from the positions of grains, emitters and walls. [m]
static double drop_height(const erg_world *world, erg_vec3 down)
{
    span          s = {INFINITY, -INFINITY};
    const double *x = ERGI_GRAIN(world, POSITION, double);
    for (size_t i = 0; i < world->grains.rows; i++)
        widen(&s, ergi_dot(down, ergi_vec3(x[4 * i], x[4 * i + 1], x[4 * i + 2])));
    for (size_t k = 0; k < world->emitters; k++) {
        erg_vec3 low, high;
        ergi_region_bounds(&world->emitter[k].region, &low, &high);
        widen_box(&s, down, low, high);
    }
    for (size_t k = 0; k < world->walls; k++)
        if (world->wall[k].body.free)
            widen(&s, ergi_dot(down, ergi_add(world->wall[k].body.centre,
                                              world->wall_state[k].pose.position)));
    if (s.low > s.high) return 0; // nothing can fall yet
    for (size_t k = 0; k < world->walls; k++) {
        const ergi_wall *wall = &world->wall[k].wall;
        erg_vec3         low, high;
        if (ergi_wall_bounds(wall, &world->wall_state[k].pose, &low, &high))
            widen_box(&s, down, low, high);
        else
            widen(&s, ergi_dot(down, wall->surface.origin));
    }
    return s.high - s.low;
}

// Assumed speed of walls that the user moves, which is unknown in advance. [m/s], [rad/s]
static const double USER_SPEED = 1, USER_RATE = 1.2;

// Largest mean speed between two keyframes, at `extent` from the pivot; with smooth interpolation
// (3u^2 - 2u^3) the peak is 1.5 times the mean. [m/s]
static double keyframes_speed(const erg_motion_def *m, double extent)
{
    double fastest = 0;
    for (int i = 1; i < m->key_count; i++) {
        const erg_keyframe *a = &m->keys[i - 1], *b = &m->keys[i];
        erg_quat            turn = ergi_quat_mul(b->rotation, ergi_quat_conjugate(a->rotation));
        double angle = 2 * atan2(ergi_norm(ergi_vec3(turn.x, turn.y, turn.z)), fabs(turn.w));
        double displacement = ergi_distance(a->position, b->position) + angle * extent;
        fastest = fmax(fastest, displacement / (b->time - a->time));
    }
    return m->smooth ? 1.5 * fastest : fastest;
}

static double user_speed(const erg_motion_def *m, double extent)
{
    if (m->joint == ERG_JOINT_HINGE) return m->max_rate * extent;
    return m->joint == ERG_JOINT_SLIDE ? m->max_speed : fmax(USER_SPEED, USER_RATE * extent);
}

// Largest speed of a point at `extent` from the pivot according to the prescribed motion. [m/s]
static double motion_speed(const ergi_motion *motion, double extent)
{
    double speed = 0;
    for (int k = 0; k < motion->count; k++) {
        const erg_motion_def *m = &motion->part[k];
        switch (m->kind) {
        case ERG_MOTION_VELOCITY: speed += ergi_norm(m->velocity); break;
        case ERG_MOTION_SPIN: speed += fabs(m->rate) * extent; break;
        case ERG_MOTION_OSCILLATION:
            speed += 2 * ERGI_PI * m->frequency * ergi_norm(m->amplitude);
            break;
        case ERG_MOTION_ROCKING:
            speed += 2 * ERGI_PI * m->frequency * fabs(m->angle) * extent;
            break;
        case ERG_MOTION_SERVO: speed += m->max_speed; break;
        case ERG_MOTION_SERVO_TORQUE: speed += m->max_rate * extent; break;
        case ERG_MOTION_KEYFRAMES: speed += keyframes_speed(m, extent); break;
        case ERG_MOTION_USER: speed += user_speed(m, extent); break;
        }
    }
    return speed;
}

// The same for any point of the wall, which may be carried by others: as if its carriers were
// stretched out in a line. [m/s]
static double wall_speed(const erg_world *world, size_t w)
{
    const ergi_wall *wall = &world->wall[w].wall;
    double           extent = ergi_surface_extent(&wall->surface);
    if (!isfinite(extent)) extent = 0;
    extent += ergi_distance(wall->pivot, ergi_surface_middle(&wall->surface));
    double speed = motion_speed(&wall->motion, extent);
    for (uint32_t c = world->wall[w].carrier; c; c = world->wall[c - 1].carrier) {
        const ergi_wall *carrier = &world->wall[c - 1].wall;
        extent += ergi_distance(carrier->pivot, wall->pivot);
        speed += motion_speed(&carrier->motion, extent);
        wall = carrier;
    }
    return speed;
}

// Velocities of a group of grains or bodies: all within `spread` of `mean`. [m/s]
typedef struct velocity_range {
    erg_vec3 mean;
    double   spread;
} velocity_range;

static velocity_range grain_velocities(const erg_world *world)
{
    const void    *v = world->grains.data[ERGI_GRAIN_MOTION];
    span           s[3] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    velocity_range f = {{0, 0, 0}, 0};
    double         u[3];
    for (size_t i = 0; i < world->grains.rows; i++) {
        ergi_get3(v, ergi_world_real(world), i, ERGI_VELOCITY, u);
        for (int a = 0; a < 3; a++) widen(&s[a], u[a]);
    }
    if (world->grains.rows)
        f.mean = ergi_vec3(0.5 * (s[0].low + s[0].high), 0.5 * (s[1].low + s[1].high),
                           0.5 * (s[2].low + s[2].high));
    for (size_t i = 0; i < world->grains.rows; i++) {
        ergi_get3(v, ergi_world_real(world), i, ERGI_VELOCITY, u);
        f.spread = fmax(f.spread, ergi_distance(ergi_vec3(u[0], u[1], u[2]), f.mean));
    }
    return f;
}

// Velocities of emitter k, or of wall k - emitters if it is a free body; wall_speed covers other
// walls.
static velocity_range group_velocities(const erg_world *world, size_t k)
{
    if (k < world->emitters)
        return (velocity_range){world->emitter[k].velocity, world->emitter[k].spread};
    const ergi_body *body = &world->wall[k - world->emitters].body;
    const ergi_pose *pose = &world->wall_state[k - world->emitters].motion.pose;
    if (!body->free) return (velocity_range){{0, 0, 0}, 0};
    return (velocity_range){pose->velocity, body->reach * ergi_norm(pose->spin)};
}

static double impact_speed(velocity_range a, velocity_range b)
{
    return ergi_distance(a.mean, b.mean) + a.spread + b.spread;
}

// Largest speed at which two groups can collide with each other or with something at rest. [m/s]
static double fastest_impact(const erg_world *world)
{
    const velocity_range rest = {{0, 0, 0}, 0}, grains = grain_velocities(world);
    double               speed = fmax(impact_speed(grains, rest), 2 * grains.spread);
    size_t               count = world->emitters + world->walls;
    for (size_t i = 0; i < count; i++) {
        velocity_range f = group_velocities(world, i);
        speed = fmax(speed, fmax(impact_speed(f, rest), impact_speed(f, grains)));
        if (i < world->emitters) speed = fmax(speed, 2 * f.spread);
        for (size_t k = 0; k < i; k++)
            speed = fmax(speed, impact_speed(f, group_velocities(world, k)));
    }
    return speed;
}

static double expected_speed(const erg_world *world)
{
    if (world->def.speed > 0) return world->def.speed;
    erg_vec3 g = {world->clock.gravity[0], world->clock.gravity[1], world->clock.gravity[2]};
    double   size = ergi_norm(g), fall = 0, given = fastest_impact(world), walls = 0;
    if (size > 0) fall = sqrt(2 * size * drop_height(world, ergi_scale(g, 1 / size)));
    for (size_t k = 0; k < world->walls; k++) walls = fmax(walls, wall_speed(world, k));
    return fmax(sqrt(fall * fall + given * given) + walls, 1e-3);
}

// Pressure at the bottom of the bed: its weight plus the force of servos, over its footprint. [Pa]
static double expected_pressure(const erg_world *world)
{
    const double *x = ERGI_GRAIN(world, POSITION, double);
    span          sx = {INFINITY, -INFINITY}, sy = sx;
    double        mass = 0, press = 0;
    for (size_t i = 0; i < world->grains.rows; i++) {
        widen(&sx, x[4 * i]);
        widen(&sy, x[4 * i + 1]);
        mass += ergi_grain_mass(world, (erg_index)i);
    }
    for (size_t k = 0; k < world->walls; k++)
        for (int p = 0; p < world->wall[k].wall.motion.count; p++)
            if (world->wall[k].wall.motion.part[p].kind == ERG_MOTION_SERVO)
                press += world->wall[k].wall.motion.part[p].force;
    double area = (sx.high - sx.low) * (sy.high - sy.low);
    double g = ergi_norm(
        ergi_vec3(world->clock.gravity[0], world->clock.gravity[1], world->clock.gravity[2]));
    return area > 0 && isfinite(area) ? (mass * g + press) / area : 0;
}

// ---- Contact times -----------------------------------------------------------------------------
typedef struct shortest {
    double      time;
    const char *why; // "impact" or "load"
    char        between[160];
    double      speed;
} shortest;

// Response time of a contact under load: half an oscillation period about its static overlap. The
// load is 5 times the mean, as in strong force chains. [s]
static double loaded_time(const ergi_pair_scales *p, double radius_star, double mass_star,
                          double pressure)
{
    if (p->normal == ERGI_NORMAL_LINEAR || !(pressure > 0)) return INFINITY;
    double force = 5 * pressure * ERGI_PI * 4 * radius_star * radius_star;
    double kn = 4.0 / 3 * p->e_star * sqrt(radius_star);
    double xi = pow(force / kn, 2.0 / 3);
    return ERGI_PI * sqrt(mass_star / (1.5 * kn * sqrt(xi)));
}

static void consider(shortest *s, const ergi_pair_scales *p, double r, double m, double speed,
                     double pressure, const char *a, const char *b)
{
    double impact = ergi_contact_time(p, r, m, speed), load = loaded_time(p, r, m, pressure);
    double time = fmin(impact, load);
    if (!(time < s->time)) return;
    s->time = time;
    s->why = impact <= load ? "impact" : "load";
    s->speed = speed;
    snprintf(s->between, sizeof s->between, "%s on %s", a, b);
}

static const char *name_of(const char *name, const char *otherwise)
{
    return name[0] ? name : otherwise;
}

// Contacts of bodies with walls and with each other. The mass is divided by 10: at a corner the
// effective mass is smaller, by a factor of four at the end of a rod, and a face with many contact
// points is up to three times as stiff.
static void consider_bodies(const erg_world *world, shortest *s, double speed)
{
    for (size_t a = 0; a < world->walls; a++) {
        const ergi_world_wall *wa = &world->wall[a];
        if (!wa->body.free) continue;
        for (size_t b = 0; b < world->walls; b++) {
            const ergi_world_wall *wb = &world->wall[b];
            if (a == b || ergi_wall_is_terrain(wb)) continue;
            double radius = 1 / (1 / wa->body.radius + (wb->body.exists ? 1 / wb->body.radius : 0));
            double mass = 0.1 / (wa->body.inverse_mass + wb->body.inverse_mass);
            consider(s, &world->pair[wa->material * world->materials + wb->material].scales, radius,
                     mass, speed, 0, name_of(wa->name, "a body"),
                     name_of(wb->name, wb->body.exists ? "a body" : "a wall"));
        }
    }
}

static shortest shortest_contact(const erg_world *world, double speed, double pressure)
{
    shortest s = {.time = INFINITY, .why = "impact"};
    for (size_t a = 0; a < world->kinds; a++) {
        const ergi_kind *ka = &world->kind[a];
        double           sa, most;
        ergi_sizes_range(&ka->sizes, &sa, &most);
        double ra = sa * ka->shape.smallest_radius, ma = ergi_kind_mass(ka, sa);
        for (size_t b = a; b < world->kinds; b++) {
            const ergi_kind *kb = &world->kind[b];
            double           sb;
            ergi_sizes_range(&kb->sizes, &sb, &most);
            double rb = sb * kb->shape.smallest_radius, mb = ergi_kind_mass(kb, sb);
            consider(&s, &world->pair[ka->material * world->materials + kb->material].scales,
                     ra * rb / (ra + rb), ma * mb / (ma + mb), speed, pressure,
                     name_of(ka->name, "a grain"), name_of(kb->name, "a grain"));
        }
        for (size_t w = 0; w < world->walls; w++)
            consider(&s,
                     &world->pair[ka->material * world->materials + world->wall[w].material].scales,
                     ra, 1 / (1 / ma + 10 * world->wall[w].body.inverse_mass), speed, pressure,
                     name_of(ka->name, "a grain"), name_of(world->wall[w].name, "a wall"));
    }
    consider_bodies(world, &s, speed);
    return s;
}

// ---- Viscous friction --------------------------------------------------------------------------
// A viscosity above m_t/dt would reverse the sliding within one step and chatter, so it is limited
// by dt. 1/m_t = 1/m1 + 1/m2 + R1^2/I1 + R2^2/I2, which is 7/m for a pair of the lightest spheres.
// This is for contacts of grains with each other and with bodies (counted with half their mass, as
// at a corner). Contacts between bodies have their own limit (body_contacts.c).
void ergi_dem_cap_viscosity(erg_world *world)
{
    double lightest = INFINITY;
    for (size_t w = 0; w < world->walls; w++)
        if (world->wall[w].body.free) lightest = fmin(lightest, 0.5 * world->wall[w].body.mass);
    for (size_t k = 0; k < world->kinds; k++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        lightest = fmin(lightest, ergi_kind_mass(&world->kind[k], least));
    }
    if (!isfinite(lightest)) return; // nothing can move
    double limit = lightest / 7 / world->clock.dt, given = world->def.contact.tangential_viscosity;
    bool   capped = given > limit;
    for (size_t k = 0; k < world->materials * world->materials; k++) {
        ergi_pair_scales *p = &world->pair[k].scales;
        p->tangential_viscosity = given > 0 && !capped ? given : limit;
        world->pair[k].coefs = ergi_coef_scales_of(p);
        if (capped && p->tangential <= ERGI_TANGENTIAL_REGULARISED &&
            p->tangential != ERGI_TANGENTIAL_COULOMB) {
            ergi_log(world, ERG_LOG_WARNING,
                     "tangential viscosity %g N s/m is lowered to %g, the maximum that dt allows",
                     given, limit);
            capped = false;
            given = limit;
        }
    }
}

erg_status ergi_dem_timestep(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    double    speed = expected_speed(world);
    shortest  s = shortest_contact(world, speed, expected_pressure(world));
    if (!isfinite(s.time)) { // no kind of grain yet: nothing can collide
        s.time = 1e-3 / world->def.dt_factor;
        snprintf(s.between, sizeof s.between, "nothing");
    }
    dem->state.contact_time = s.time;
    double limit = 0.1 * s.time;
    if (world->def.dt > limit)
        return ergi_fail_at(err, "dt", ERG_ERROR_OUT_OF_RANGE,
                            "dt is %g s, but may be at most %.4g s: a tenth of the shortest "
                            "contact time, %.4g s (%s, %s, %.3g m/s); lower it or use dt: auto",
                            world->def.dt, limit, s.time, s.between, s.why, s.speed);
    if (world->clock.steps > 0 && world->clock.dt > limit && world->def.integrator != ERG_RKF45)
        return ergi_fail_at(err, "dt", ERG_ERROR_OUT_OF_RANGE,
                            "dt is %g s, but a contact that was added (%s) needs at most %.4g s; "
                            "start with a smaller dt",
                            world->clock.dt, s.between, limit);
    if (world->clock.steps == 0 || !(world->clock.dt > 0))
        world->clock.dt = world->def.dt > 0 ? world->def.dt : world->def.dt_factor * s.time;
    // A grain may move at most a tenth of its radius per step, or it could tunnel through walls.
    double reach = INFINITY;
    for (size_t k = 0; k < world->kinds; k++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        reach = fmin(reach, 0.1 * least * world->kind[k].shape.smallest_radius / speed);
    }
    if (world->def.dt <= 0 && world->clock.steps == 0 && reach < world->clock.dt) {
        world->clock.dt = reach;
        snprintf(world->dt_reason, sizeof world->dt_reason,
                 "a tenth of the smallest radius at %.3g m/s", speed);
    } else if (world->def.dt > 0) {
        snprintf(world->dt_reason, sizeof world->dt_reason,
                 "as given; 1/%.3g of the shortest contact time, %.3g s", s.time / world->def.dt,
                 s.time);
    } else {
        snprintf(world->dt_reason, sizeof world->dt_reason,
                 "1/%.3g of the shortest contact time, %.3g s (%s, %s at %.3g m/s)",
                 1 / world->def.dt_factor, s.time, s.between, s.why, s.speed);
    }
    if (!(world->clock.dt >= SHORTEST_STEP))
        return ergi_fail_at(err, "dt", ERG_ERROR_OUT_OF_RANGE,
                            "dt would be %.3g s (%s), expected at least %g s: something is too "
                            "stiff, too small or too fast",
                            world->clock.dt, world->dt_reason, SHORTEST_STEP);
    ergi_dem_cap_viscosity(world);
    return ERG_OK;
}
