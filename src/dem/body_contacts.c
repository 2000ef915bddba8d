// Contacts of bodies with each other and with walls.
//
// Every inscribed sphere of a body that overlaps the other's surface gives a contact point. All
// points with a similar normal form one contact of depth D = (sum of d^p)^(1/p), a smooth maximum
// of their depths d. Its potential is that of a single contact, so the elastic force at a point is
// that of a single contact at depth D times dD/dd = (d/D)^(p-1): for equal normals energy is
// conserved, and points appear and disappear without a jump. The dashpot has the same factor, so
// restitution does not depend on the number of points (n equal points act like one contact at
// n^(1/p) times the depth). Its mass is the effective mass at the weighted mean of the points: the
// whole body's if it lands flat, less at a corner.
#define ERG_REAL_DOUBLE
#include "law/contact.h"

#include "base/error.h"
#include "dem/body.h"
#include "dem/body_history.h"
#include "geom/shared_depth.h"
#include "world/body_axes.h"

// Factor on the overlap over the inscribed radius in a mesh, for the overlap guard: with the
// default max_overlap of 0.3 the guard trips at 1.5 inscribed radii.
#define MESH_DEPTH 0.2

enum { POWER = 8 }; // p

// ---- Contact points ----------------------------------------------------------------------------
// Adds a point; if `points` is full, replaces the shallowest one if the new one is deeper.
static void add_point(ergi_body_contact *points, uint32_t room, uint32_t *count,
                      const ergi_body_contact *found)
{
    uint32_t at = *count;
    if (at == room) {
        at = 0;
        for (uint32_t k = 1; k < room; k++)
            if (points[k].overlap < points[at].overlap) at = k;
        if (found->overlap <= points[at].overlap) return;
    } else {
        ++*count;
    }
    points[at] = *found;
}

// Contact points of one inscribed sphere with the other wall: at most `room`, the deepest.
static uint32_t find_ball_contacts(const erg_world *world, uint32_t of, uint32_t to, uint32_t of_b,
                                   ergi_near_inscribed near, uint32_t room, ergi_body_contact *out)
{
    const ergi_dem        *dem = ergi_dem_of(world);
    const ergi_world_wall *w = &world->wall[of];
    const ergi_body_shape *shape = &world->body_shape[w->body.shape];
    const double          *sweep = dem->body_near.sweep;
    double                 radius = shape->balls.ball[near.ball].radius;
    if ((double)near.gap - sweep[of] - sweep[to] > radius) return 0;
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    erg_vec3      at = ergi_body_ball_at(w, shape, &world->wall_state[of].pose, near.ball);
    int n = ergi_body_hits(&world->wall[to].wall, &world->wall_state[to].pose, at, radius, hits);
    uint32_t count = 0;
    for (int h = 0; h < n; h++) {
        double overlap = radius - hits[h].gap;
        if (!(overlap > 0)) continue;
        ergi_body_contact found = {.ball = near.ball,
                                   .of_b = of_b,
                                   .feature = hits[h].feature,
                                   .overlap = overlap,
                                   .normal = hits[h].normal};
        found.point = ergi_madd(at, 0.5 * overlap - radius, hits[h].normal);
        add_point(out, room, &count, &found);
    }
    return count;
}

static uint32_t find_points(const erg_world *world, const ergi_body_pair *pair,
                            ergi_body_contact *out)
{
    const ergi_dem            *dem = ergi_dem_of(world);
    const ergi_near_inscribed *ball = dem->body_near.ball + pair->first;
    uint32_t                   count = 0, room = (uint32_t)ergi_body_room(pair);
    uint32_t                   balls = pair->of_a + pair->of_b;
    for (uint32_t k = 0; k < balls; k++) {
        uint32_t of_b = k >= pair->of_a, others = ERGI_BODY_HITS * (balls - k - 1);
        count += find_ball_contacts(world, of_b ? pair->b : pair->a, of_b ? pair->a : pair->b, of_b,
                                    ball[k], room - count - others, out + count);
    }
    return count;
}

// ---- Forces ------------------------------------------------------------------------------------
static erg_vec3 normal_on_a(const ergi_body_contact *c)
{
    return c->of_b ? ergi_scale(c->normal, -1.0) : c->normal;
}

// The share of a point in the contact that it belongs to.
typedef struct share {
    double   part;   // dD/dd
    double   depth;  // D [m]
    erg_vec3 middle; // weighted mean of the points [m]
} share;

static share share_of(const ergi_body_contact *c, uint32_t count, uint32_t i)
{
    erg_vec3 n = normal_on_a(&c[i]), sum = {0, 0, 0};
    double   own = c[i].overlap, weights = 0;
    if (count == 1) return (share){1, own, c[i].point};
    for (uint32_t k = 0; k < count; k++) {
        double along = ergi_dot(n, normal_on_a(&c[k]));
        if (!(along > 0)) continue;
        double weight =
            along * along * ergi_eighth_power(c[k].overlap / own); // relative to d^p of point i
        weights += weight;
        sum = ergi_madd(sum, weight, c[k].point);
    }
    double ratio = ergi_eighth_root(weights); // D/d
    return (share){ratio / weights, own * ratio, ergi_scale(sum, 1 / weights)};
}

static erg_vec3 centre_now(const erg_world *world, uint32_t w)
{
    const ergi_world_wall *wall = &world->wall[w];
    const ergi_pose       *pose = &world->wall_state[w].pose;
    erg_vec3 arm = ergi_quat_rotate(pose->rotation, ergi_sub(wall->body.centre, wall->wall.pivot));
    return ergi_add(ergi_add(wall->wall.pivot, pose->position), arm);
}

// Inverse effective mass at a point along n. [1/kg]
static double inverse_mass_at(const erg_world *world, uint32_t w, erg_vec3 point, erg_vec3 n)
{
    const ergi_body *body = &world->wall[w].body;
    if (!body->free) return 0;
    erg_quat q = ergi_quat_mul(world->wall_state[w].pose.rotation, body->start);
    erg_vec3 turn = ergi_cross(ergi_sub(point, centre_now(world, w)), n);
    return body->inverse_mass + ergi_dot(turn, ergi_body_spin(body, q, turn));
}

static double inverse_radius(const erg_world *world, uint32_t w)
{
    return world->wall[w].body.exists ? 1 / world->wall[w].body.radius : 0;
}

static ergi_pair_law law_of(const ergi_material_pair *pair)
{
    return (ergi_pair_law){.normal = pair->scales.normal,
                           .tangential = pair->scales.tangential,
                           .friction = pair->friction,
                           .friction_static = pair->friction_static,
                           .rolling = pair->rolling,
                           .rolling_damping = pair->rolling_damping,
                           .twisting = pair->twisting,
                           .cohesion = pair->cohesion};
}

static ergi_vec to_real(erg_vec3 v)
{
    return ergi_vec_make(v.x, v.y, v.z);
}

static erg_vec3 from_real(ergi_vec v)
{
    return ergi_vec3(v.x, v.y, v.z);
}

// The viscosity of friction laws that have one. It must not reverse the sliding within one step:
// c dt/m_t <= 1, where m_t is a lower bound of the effective mass in any tangential direction. The
// factors (d/D)^8 of a contact's points add up to one, so the points together have the prescribed
// viscosity and respect the same limit.
static double viscosity_of(const erg_world *world, const ergi_body_pair *walls,
                           const ergi_body_contact *c, share s)
{
    double   dt = world->clock.dt, given = world->def.contact.tangential_viscosity, inverse = 0;
    erg_vec3 across[2] = {ergi_perpendicular(c->normal)};
    if (!(dt > 0)) return 0; // before the first step
    across[1] = ergi_cross(c->normal, across[0]);
    for (int k = 0; k < 2; k++)
        inverse += inverse_mass_at(world, walls->a, c->point, across[k]) +
                   inverse_mass_at(world, walls->b, c->point, across[k]);
    double limit = 1 / (inverse * dt);
    return s.part * c->overlap / s.depth * (given > 0 && given < limit ? given : limit);
}

// Coefficients of a point: its share of the whole contact's.
static ergi_coef coef_of(const erg_world *world, const ergi_body_pair *walls,
                         const ergi_pair_scales *scales, const ergi_body_contact *c, share s,
                         double radius)
{
    double kn, cn, kt, ct;
    double inverse = inverse_mass_at(world, walls->a, s.middle, c->normal) +
                     inverse_mass_at(world, walls->b, s.middle, c->normal);
    ergi_contact_coef(scales, radius, 1 / inverse, &kn, &cn, &kt, &ct);
    bool plain = scales->tangential <= ERGI_TANGENTIAL_REGULARISED;
    ct = plain ? viscosity_of(world, walls, c, s) : s.part * ct;
    return (ergi_coef){s.part * kn, s.part * cn, s.part * kt, ct};
}

// Power of a contact on the driven axes of a wall; that on free ones is added in body_motion.c. [W]
static double power_on(const erg_world *world, uint32_t w, const ergi_body_contact *c, double sign)
{
    ergi_pose pose = world->wall_state[w].pose;
    uint32_t  axes = world->wall[w].body.free_axes;
    if (axes == ERG_AXIS_ALL) return 0;
    pose.velocity = ergi_driven_move(axes, pose.velocity);
    pose.spin = ergi_driven_turn(axes, pose.spin);
    return sign * (ergi_dot(c->force, ergi_wall_velocity(&world->wall[w].wall, &pose, c->point)) +
                   ergi_dot(c->couple, pose.spin));
}

// The stored springs of a point, carried over to its new normal and share.
static ergi_contact_history springs_of(const double *kept, const ergi_body_contact *c, share s)
{
    const double *before = kept + ERGI_BODY_HISTORY_NORMAL, *roll = kept + ERGI_BODY_HISTORY_ROLL;
    ergi_vec      from = ergi_vec_make(before[0], before[1], before[2]), to = to_real(c->normal);
    ergi_contact_history history = {
        ergi_spring_rotate(ergi_vec_make(kept[0], kept[1], kept[2]), from, to),
        ergi_spring_rotate(ergi_vec_make(roll[0], roll[1], roll[2]), from, to)};
    // A spring that stiffens keeps its force, not its stretch, which would create energy.
    double part = kept[ERGI_BODY_HISTORY_PART];
    if (part < s.part) {
        history.slide = ergi_vec_scale(part / s.part, history.slide);
        history.roll = ergi_vec_scale(part / s.part, history.roll);
    }
    return history;
}

static void evaluate_point(const erg_world *world, const ergi_body_pair *walls,
                           ergi_body_contact *c, share s, const double *kept, ergi_body_sum *sum)
{
    const ergi_dem *dem = ergi_dem_of(world);
    uint32_t        own = c->of_b ? walls->b : walls->a, other = c->of_b ? walls->a : walls->b;
    const ergi_material_pair *pair =
        &world->pair[world->wall[own].material * world->materials + world->wall[other].material];
    ergi_pair_law    law = law_of(pair);
    const ergi_pose *pose = &world->wall_state[own].pose, *back = &world->wall_state[other].pose;
    double    radius = 1 / (inverse_radius(world, walls->a) + inverse_radius(world, walls->b));
    ergi_coef coef = coef_of(world, walls, &pair->scales, c, s, radius);
    erg_vec3  v = ergi_sub(ergi_wall_velocity(&world->wall[own].wall, pose, c->point),
                           ergi_wall_velocity(&world->wall[other].wall, back, c->point));
    ergi_contact_kinematics kinematics = {.n = to_real(c->normal),
                                          .overlap = s.depth,
                                          .v = to_real(v),
                                          .spin = to_real(ergi_sub(pose->spin, back->spin)),
                                          .radius = radius,
                                          .dt = world->clock.dt};
    ergi_contact_history    history = {ergi_vec_zero(), ergi_vec_zero()};
    bool rolling = dem->history_width >= ERGI_ROLLING_WIDTH, cohesion = pair->cohesion > 0;
    if (kept) history = springs_of(kept, c, s);
    law.cohesion *= s.part;
    ergi_contact_force contact_force = ergi_contact_evaluate(
        law.normal, law.tangential, rolling, cohesion, law, coef, kinematics, history);
    c->force = from_real(contact_force.force);
    c->couple = from_real(contact_force.couple);
    // Each point holds (d/D)^8 of the contact's normal energy, of which the coefficients contain
    // (d/D)^7. The tangential springs belong to the point alone.
    c->energy = ergi_contact_normal_energy(law.normal, cohesion, law, coef, kinematics) *
                    c->overlap / s.depth +
                ergi_contact_shear_energy(law.normal, law.tangential, rolling, law, coef,
                                          kinematics, contact_force.history);
    const ergi_vec now[3] = {contact_force.history.slide, contact_force.history.roll,
                             to_real(c->normal)};
    for (int k = 0; k < 3; k++) {
        c->history[3 * k] = now[k].x;
        c->history[3 * k + 1] = now[k].y;
        c->history[3 * k + 2] = now[k].z;
    }
    c->history[ERGI_BODY_HISTORY_PART] = s.part;
    sum->power += power_on(world, own, c, 1) + power_on(world, other, c, -1);
    sum->overlap = fmax(sum->overlap, c->overlap / radius);
    // An inscribed sphere deep in a mesh may leave it on the other side.
    double ball = world->body_shape[world->wall[own].body.shape].balls.ball[c->ball].radius;
    if (ergi_surface_is_mesh(&world->wall[other].wall.surface))
        sum->overlap = fmax(sum->overlap, MESH_DEPTH * c->overlap / ball);
}

static void evaluate_pairs(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    erg_world      *world = ctx;
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    for (erg_index p = begin; p < end; p++) {
        const ergi_body_pair *pair = &near->pair[p];
        ergi_body_contact    *c = near->contact + pair->place;
        ergi_body_sum         sum = {.contacts = find_points(world, pair, c)};
        size_t                first, last;
        ergi_body_pair_rows(dem->body_contacts.data[ERGI_BODY_CONTACT_WALLS],
                            dem->body_contacts.rows, pair->a, pair->b, &first, &last);
        for (uint32_t k = 0; k < sum.contacts; k++)
            evaluate_point(
                world, pair, &c[k], share_of(c, sum.contacts, k),
                ergi_body_find_history(&dem->body_contacts, first, last, c, sum.contacts, &c[k]),
                &sum);
        near->sum[p] = sum;
    }
}

// ---- Sums, in the order of the pairs -----------------------------------------------------------
static void add_to_wall(erg_world *world, uint32_t w, const ergi_body_contact *c, double sign)
{
    ergi_wall_state *s = &world->wall_state[w];
    erg_vec3 arm = ergi_sub(c->point, ergi_add(world->wall[w].wall.pivot, s->pose.position));
    erg_vec3 torque = ergi_add(ergi_cross(arm, c->force), c->couple);
    s->force[0] += sign * c->force.x;
    s->force[1] += sign * c->force.y;
    s->force[2] += sign * c->force.z;
    s->torque[0] += sign * torque.x;
    s->torque[1] += sign * torque.y;
    s->torque[2] += sign * torque.z;
}

erg_status ergi_body_contacts(erg_world *world, erg_error *err)
{
    ergi_dem       *dem = ergi_dem_of(world);
    ergi_body_near *near = &dem->body_near;
    size_t          rows = 0, row = 0;
    double          power = 0;
    if (world->free_bodies == 0) return ERG_OK;
    ergi_parallel_for(&world->threads, (erg_index)near->pairs, 4, evaluate_pairs, world);
    for (size_t p = 0; p < near->pairs; p++) rows += near->sum[p].contacts;
    erg_status status = ergi_table_reset(&dem->body_contacts, rows, err);
    if (status != ERG_OK) return status;
    dem->body_overlap = dem->state.body_energy = 0;
    world->clock.body_contacts = 0;
    for (size_t p = 0; p < near->pairs; p++) {
        const ergi_body_pair    *pair = &near->pair[p];
        const ergi_body_contact *c = near->contact + pair->place;
        power += near->sum[p].power;
        world->clock.body_contacts += near->sum[p].contacts > 0;
        if (near->sum[p].overlap > dem->body_overlap) {
            dem->body_overlap = near->sum[p].overlap;
            dem->body_deepest = (uint32_t)p;
        }
        for (uint32_t k = 0; k < near->sum[p].contacts; k++) {
            add_to_wall(world, c[k].of_b ? pair->b : pair->a, &c[k], 1);
            add_to_wall(world, c[k].of_b ? pair->a : pair->b, &c[k], -1);
            dem->state.body_energy += c[k].energy;
            ergi_body_store_history(&dem->body_contacts, row++, pair, &c[k]);
        }
    }
    world->clock.body_work += world->clock.dt * power;
    world->clock.max_overlap_ratio = fmax(world->clock.max_overlap_ratio, dem->body_overlap);
    return ERG_OK;
}
