// Looking at a world without touching it: sums, contacts, walls.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "dem/step.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "law/kinds.h"
#include "world/keep.h"

// ---- Sums --------------------------------------------------------------------------------------
static void sum_bodies(const erg_world *world, erg_stats *s)
{
    ergi_type     real = ergi_world_real(world);
    const double *x = ERGI_BODY(world, POSITION, double);
    for (size_t i = 0; i < world->bodies.rows; i++) {
        double v2 = 0, mass = ergi_body_mass(world, (erg_index)i), inertia[3];
        double v[3], w[3];
        ergi_get3(world->bodies.data[ERGI_BODY_MOTION], real, i, ERGI_VELOCITY, v);
        ergi_get3(world->bodies.data[ERGI_BODY_MOTION], real, i, ERGI_SPIN, w);
        for (size_t a = 0; a < 3; a++) {
            v2 += v[a] * v[a];
            s->potential -= mass * world->clock.gravity[a] * x[4 * i + a];
        }
        const double *o = ERGI_BODY(world, ORIENTATION, double) + 4 * i;
        erg_vec3      b =
            ergi_quat_unrotate((erg_quat){o[0], o[1], o[2], o[3]}, ergi_vec3(w[0], w[1], w[2]));
        ergi_body_inertia(world, (erg_index)i, inertia);
        s->mass += mass;
        s->kinetic += 0.5 * mass * v2;
        s->rotational +=
            0.5 * (inertia[0] * b.x * b.x + inertia[1] * b.y * b.y + inertia[2] * b.z * b.z);
        s->max_speed = fmax(s->max_speed, sqrt(v2));
    }
}

static void sum_rigids(const erg_world *world, erg_stats *s)
{
    const double *g = world->clock.gravity;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_rigid *rigid = &world->wall[w].rigid;
        const ergi_pose  *pose = &world->wall_state[w].pose;
        if (!rigid->free) continue;
        erg_vec3 centre = ergi_add(rigid->centre, pose->position);
        s->kinetic += 0.5 * rigid->mass * ergi_dot(pose->velocity, pose->velocity);
        s->rotational += 0.5 * ergi_dot(pose->spin, world->wall_state[w].motion.angular_momentum);
        s->potential -= rigid->mass * ergi_dot(ergi_vec3(g[0], g[1], g[2]), centre);
        s->max_speed = fmax(s->max_speed, ergi_norm(pose->velocity));
    }
}

static size_t bytes_held(const erg_world *world)
{
    size_t bytes =
        sizeof *world + ergi_table_bytes(&world->bodies) + ergi_lists_bytes(&world->lists) +
        ergi_lists_bytes(&world->lists_spare) + world->sorting_bytes +
        ergi_table_bytes(&world->spheres) + ergi_grid_bytes(&world->grid) +
        ergi_keep_bytes(world->keep) + world->report_room * sizeof *world->report +
        world->push_room + world->wall_sum_room * sizeof(double) + world->order_room * 4 +
        world->was_room * 4 + world->curve_room * 8 + world->runge_room * 8 +
        world->scratch.partner_room * 4 + world->scratch.sphere_room * 4 + world->margin_room * 4;
    return bytes;
}

size_t erg_world_expected_bytes(const erg_world *world)
{
    double spheres = (double)erg_world_sphere_count(world), grains = (double)world->bodies.rows;
    for (size_t k = 0; k < world->emitters; k++) {
        double more = (double)world->emitter[k].limit - (double)world->emitter_state[k].given;
        if (more <= 0) continue;
        grains += more;
        spheres += more * world->kind[world->emitter[k].kind].shape.count;
    }
    // A dense bed has about seven candidates a sphere. Lists are there twice, all state once more
    // to go back to, and tables keep a quarter in hand.
    size_t body = 0, sphere = 0, entry = 4;
    for (int c = 0; c < world->bodies.columns; c++) body += world->bodies.row_bytes[c];
    for (int c = 0; c < world->spheres.columns; c++) sphere += world->spheres.row_bytes[c];
    const ergi_table *inner = &world->lists.pairs[ERGI_INNER].entry;
    for (int c = 0; c < inner->columns; c++) entry += inner->row_bytes[c];
    double bytes =
        grains * 3 * (double)body + spheres * (2 * (double)sphere + 7 * 3 * (double)entry + 60);
    return sizeof *world + (size_t)(1.25 * bytes);
}

static double pair_energy(const erg_world *world)
{
    ergi_pair_pass pairs = ergi_pair_pass_of(world);
    double         energy = 0;
    for (int side = 0; side < ERGI_SIDES; side++) {
        const ergi_pair_side *l = &pairs.side[side];
        for (erg_index i = 0; i < world->lists.spheres; i++)
            for (uint32_t e = l->start[i]; e < l->start[i + 1]; e++)
                if (l->touching[e])
                    energy += world->kernels->pair_state(&pairs, (ergi_side)side, e, i).energy;
    }
    return energy;
}

static double wall_energy(const erg_world *world)
{
    ergi_wall_pass walls = ergi_wall_pass_of(world);
    double         energy = 0;
    for (size_t r = 0; r + 1 < world->lists.near.rows; r++)
        for (uint32_t e = walls.near_start[r]; e < walls.near_start[r + 1]; e++)
            for (int k = 0; k < walls.slots; k++)
                if (walls.feature[(size_t)e * (size_t)walls.slots + (size_t)k] != ERGI_NO_FEATURE)
                    energy += world->kernels->wall_state(&walls, walls.near_sphere[r], e, k).energy;
    return energy;
}

erg_status erg_world_stats(const erg_world *world, erg_stats *s, erg_error *err)
{
    (void)err;
    memset(s, 0, sizeof *s);
    sum_bodies(world, s);
    sum_rigids(world, s);
    if (world->prepared) {
        s->elastic = pair_energy(world) + wall_energy(world) + world->rigid_energy;
        s->dissipated =
            world->def.energy ? -world->clock.work - world->clock.rigid_work - s->elastic : 0;
    }
    s->grains = world->bodies.rows;
    s->spheres = erg_world_sphere_count(world);
    s->contacts = world->clock.contacts + world->clock.wall_contacts;
    s->wall_contacts = world->clock.wall_contacts;
    s->max_overlap_ratio = world->clock.max_overlap_ratio;
    s->rebuilds = world->clock.rebuilds;
    s->emitted = world->clock.emitted;
    s->removed = world->clock.removed;
    s->lost = world->clock.lost;
    s->bytes = bytes_held(world);
    s->sort_s = world->phase[ERGI_PHASE_SORT];
    s->lists_s = world->phase[ERGI_PHASE_LISTS];
    s->forces_s = world->phase[ERGI_PHASE_FORCES];
    s->integrate_s = world->phase[ERGI_PHASE_INTEGRATE];
    return ERG_OK;
}

// ---- Contacts ----------------------------------------------------------------------------------
size_t erg_world_contact_count(const erg_world *world)
{
    return (size_t)(world->clock.contacts + world->clock.wall_contacts);
}

typedef struct place {
    erg_gid  grain;
    uint32_t slot;
} place;

static place place_of(const erg_world *world, const ergi_sphere_arrays *s, uint32_t sphere)
{
    uint32_t body = s->body ? s->body[sphere] : sphere;
    return (place){ERGI_BODY(world, ID, uint64_t)[body],
                   sphere - ERGI_BODY(world, FIRST, uint32_t)[body]};
}

static double image(double d, double period)
{
    return period > 0 ? d - period * nearbyint(d / period) : d;
}

static erg_vec3 real3(const void *array, ergi_type real, size_t at)
{
    return ergi_vec3(ergi_real_at(array, real, at), ergi_real_at(array, real, at + 1),
                     ergi_real_at(array, real, at + 2));
}

static erg_contact pair_contact(const erg_world *world, const ergi_pair_pass *pass, ergi_side side,
                                uint32_t i, uint32_t e)
{
    const ergi_sphere_arrays *s = &pass->s;
    uint32_t                  j = ergi_partner(pass->side[side].other, side, i, e);
    const double             *a = s->position + 4 * (size_t)i, *b = s->position + 4 * (size_t)j;
    erg_vec3                  d = {image(a[0] - b[0], world->space.period[0]),
                                   image(a[1] - b[1], world->space.period[1]), a[2] - b[2]};
    place                     pa = place_of(world, s, i), pb = place_of(world, s, j);
    ergi_contact_state        now = world->kernels->pair_state(pass, side, e, (erg_index)i);
    erg_contact               c = {.grain_a = pa.grain,
                                   .grain_b = pb.grain,
                                   .slot_a = pa.slot,
                                   .slot_b = pb.slot,
                                   .normal = ergi_normalize(d),
                                   .overlap = a[3] + b[3] - ergi_norm(d),
                                   .force = {now.force[0], now.force[1], now.force[2]}};
    c.point = ergi_madd(ergi_vec3(a[0], a[1], a[2]), -(a[3] - 0.5 * c.overlap), c.normal);
    c.normal_force = ergi_dot(c.force, c.normal);
    return c;
}

static erg_contact wall_contact(const erg_world *world, const ergi_sphere_arrays *s,
                                uint32_t sphere, uint32_t e, int slot)
{
    ergi_type     real = ergi_world_real(world);
    int           stride = world->memory_width + 3;
    const double *x = s->position + 4 * (size_t)sphere;
    size_t        row = (size_t)e * (size_t)world->wall_slots + (size_t)slot;
    uint32_t      wall = ((const uint32_t *)world->lists.wall_entry.data[ERGI_WALL_ENTRY_WALL])[e];
    place         p = place_of(world, s, sphere);
    erg_contact   c = {
          .grain_a = p.grain,
          .slot_a = p.slot,
          .slot_b = ((const uint32_t *)world->lists.wall_entry.data[ERGI_WALL_ENTRY_FEATURE])[row],
          .wall = wall + 1};
    c.normal = real3(world->lists.wall_entry.data[ERGI_WALL_ENTRY_MEMORY], real,
                     row * (size_t)stride + (size_t)world->memory_width);
    ergi_wall_pass     pass = ergi_wall_pass_of(world);
    ergi_contact_state now = world->kernels->wall_state(&pass, sphere, e, slot);
    c.force = ergi_vec3(now.force[0], now.force[1], now.force[2]);
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    int           found = ergi_wall_hits(&world->wall[wall].wall, &world->wall_state[wall].pose,
                                         ergi_vec3(x[0], x[1], x[2]), x[3], hits);
    for (int h = 0; h < found; h++)
        if (hits[h].feature == c.slot_b) c.overlap = x[3] - hits[h].gap;
    c.point = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -(x[3] - 0.5 * c.overlap), c.normal);
    c.normal_force = ergi_dot(c.force, c.normal);
    return c;
}

erg_status erg_world_contacts(const erg_world *world, erg_contact *out, size_t room, size_t *count,
                              erg_error *err)
{
    ergi_sphere_arrays s = ergi_world_spheres(world);
    ergi_pair_pass     pairs = ergi_pair_pass_of(world);
    size_t             n = 0;
    for (uint32_t i = 0; i < (uint32_t)world->lists.spheres; i++)
        for (int side = 0; side < ERGI_SIDES; side++) {
            const ergi_pair_side *l = &pairs.side[side];
            for (uint32_t e = l->start[i]; e < l->start[i + 1]; e++)
                if (l->touching[e]) {
                    if (n < room) out[n] = pair_contact(world, &pairs, (ergi_side)side, i, e);
                    n++;
                }
        }
    const uint32_t *sphere = world->lists.near.data[ERGI_NEAR_SPHERE],
                   *near = world->lists.near.data[ERGI_NEAR_START];
    const uint32_t *feature = world->lists.wall_entry.data[ERGI_WALL_ENTRY_FEATURE];
    for (size_t r = 0; r + 1 < world->lists.near.rows; r++)
        for (uint32_t e = near[r]; e < near[r + 1]; e++)
            for (int k = 0; k < world->wall_slots; k++)
                if (feature[(size_t)e * (size_t)world->wall_slots + (size_t)k] != ERGI_NO_FEATURE) {
                    if (n < room) out[n] = wall_contact(world, &s, sphere[r], e, k);
                    n++;
                }
    *count = n;
    if (n > room)
        return ergi_fail(err, ERG_BAD_INPUT, "room for %zu contacts, but there are %zu", room, n);
    return ERG_OK;
}

// ---- Hash --------------------------------------------------------------------------------------
// Numbers are hashed as stored; a zero has one sign.
static uint64_t hash_real(uint64_t h, const void *array, ergi_type real, size_t index, double sign)
{
    double   value = sign * ergi_real_at(array, real, index) + 0.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ergi_hash_word(h, bits);
}

static uint64_t hash_body(const erg_world *world, size_t i)
{
    ergi_type real = ergi_world_real(world);
    uint64_t  h = ergi_hash_word(1, ERGI_BODY(world, ID, uint64_t)[i]);
    for (size_t a = 0; a < 3; a++)
        h = hash_real(h, world->bodies.data[ERGI_BODY_POSITION], ERGI_F64, 4 * i + a, 1);
    for (size_t a = 0; a < 4; a++)
        h = hash_real(h, world->bodies.data[ERGI_BODY_ORIENTATION], ERGI_F64, 4 * i + a, 1);
    for (size_t a = 0; a < 3; a++)
        h = hash_real(h, world->bodies.data[ERGI_BODY_MOTION], real, 8 * i + ERGI_VELOCITY + a, 1);
    for (size_t a = 0; a < 3; a++)
        h = hash_real(h, world->bodies.data[ERGI_BODY_MOTION], real, 8 * i + ERGI_SPIN + a, 1);
    return h;
}

// A contact is named from its smaller (id, slot), whichever sphere owns the entry.
static uint64_t hash_pair(const erg_world *world, const ergi_pair_pass *pass, ergi_side which,
                          uint32_t i, uint32_t e)
{
    const ergi_pair_side *side = &pass->side[which];

    place a = place_of(world, &pass->s, i),
          b = place_of(world, &pass->s, ergi_partner(side->other, which, i, e));
    bool     turned = a.grain > b.grain || (a.grain == b.grain && a.slot > b.slot);
    place    low = turned ? b : a, high = turned ? a : b;
    uint64_t h = ergi_hash_word(2, low.grain);
    h = ergi_hash_word(h, low.slot);
    h = ergi_hash_word(h, high.grain);
    h = ergi_hash_word(h, high.slot);
    for (int k = 0; k < world->memory_width; k++)
        h = hash_real(h, side->memory, ergi_world_real(world),
                      (size_t)e * (size_t)world->memory_width + (size_t)k, turned ? -1 : 1);
    return h;
}

static uint64_t hash_walls(const erg_world *world, const ergi_sphere_arrays *s)
{
    const uint32_t *sphere = world->lists.near.data[ERGI_NEAR_SPHERE],
                   *near = world->lists.near.data[ERGI_NEAR_START];
    const uint32_t *wall = world->lists.wall_entry.data[ERGI_WALL_ENTRY_WALL];
    const uint32_t *feature = world->lists.wall_entry.data[ERGI_WALL_ENTRY_FEATURE];
    size_t          slots = (size_t)world->wall_slots, stride = (size_t)world->memory_width + 3;
    uint64_t        sum = 0;
    for (size_t r = 0; r + 1 < world->lists.near.rows; r++)
        for (uint32_t e = near[r]; e < near[r + 1]; e++)
            for (size_t k = 0; k < slots; k++) {
                size_t row = (size_t)e * slots + k;
                if (feature[row] == ERGI_NO_FEATURE) continue;
                place    p = place_of(world, s, sphere[r]);
                uint64_t h = ergi_hash_word(3, p.grain);
                h = ergi_hash_word(h, p.slot);
                h = ergi_hash_word(h, (uint64_t)wall[e] << 32 | feature[row]);
                for (size_t m = 0; m < stride; m++)
                    h = hash_real(h, world->lists.wall_entry.data[ERGI_WALL_ENTRY_MEMORY],
                                  ergi_world_real(world), row * stride + m, 1);
                sum += h;
            }
    return sum;
}

// Free bodies, and the memory of their contacts.
static uint64_t hash_rigids(const erg_world *world)
{
    const ergi_table *touch = &world->rigid_touch;
    const uint32_t   *walls = touch->data[ERGI_TOUCH_WALLS], *where = touch->data[ERGI_TOUCH_PLACE];
    uint64_t          sum = 0;
    for (size_t w = 0; w < world->walls && world->free_rigids; w++) {
        if (!world->wall[w].rigid.free) continue;
        const ergi_motion_state *m = &world->wall_state[w].motion;
        const double state[] = {m->pose.position.x,   m->pose.position.y,    m->pose.position.z,
                                m->pose.rotation.x,   m->pose.rotation.y,    m->pose.rotation.z,
                                m->pose.rotation.w,   m->pose.velocity.x,    m->pose.velocity.y,
                                m->pose.velocity.z,   m->angular_momentum.x, m->angular_momentum.y,
                                m->angular_momentum.z};
        uint64_t     h = ergi_hash_word(4, w);
        for (size_t k = 0; k < sizeof state / sizeof *state; k++)
            h = hash_real(h, state, ERGI_F64, k, 1);
        sum += h;
    }
    for (size_t r = 0; r < touch->rows; r++) {
        uint64_t h = ergi_hash_word(5, (uint64_t)walls[2 * r] << 32 | walls[2 * r + 1]);
        for (size_t k = 0; k < 3; k++) h = ergi_hash_word(h, where[3 * r + k]);
        for (size_t k = 0; k < 10; k++)
            h = hash_real(h, touch->data[ERGI_TOUCH_MEMORY], ERGI_F64, 10 * r + k, 1);
        sum += h;
    }
    return sum;
}

uint64_t erg_world_hash(const erg_world *world)
{
    ergi_sphere_arrays s = ergi_world_spheres(world);
    uint64_t           sum = world->clock.steps;
    for (size_t i = 0; i < world->bodies.rows; i++) sum += hash_body(world, i);
    ergi_pair_pass pairs = ergi_pair_pass_of(world);
    for (int side = 0; side < ERGI_SIDES; side++) {
        const ergi_pair_side *l = &pairs.side[side];
        for (erg_index i = 0; i < world->lists.spheres; i++)
            for (uint32_t e = l->start[i]; e < l->start[i + 1]; e++)
                if (l->touching[e])
                    sum += hash_pair(world, &pairs, (ergi_side)side, (uint32_t)i, e);
    }
    return sum + hash_walls(world, &s) + hash_rigids(world);
}

// ---- Walls and flows ---------------------------------------------------------------------------
static erg_status check_id(erg_id id, size_t count, const char *what, erg_error *err)
{
    if (id >= 1 && id <= count) return ERG_OK;
    return ergi_fail(err, ERG_BAD_INPUT, "there is no %s %u, the world has %zu", what, id, count);
}

erg_status erg_world_wall_state(const erg_world *world, erg_id wall, erg_wall_state *out,
                                erg_error *err)
{
    erg_status status = check_id(wall, world->walls, "wall", err);
    if (status != ERG_OK) return status;
    const ergi_wall_state *s = &world->wall_state[wall - 1];
    *out = (erg_wall_state){.force = {s->force[0], s->force[1], s->force[2]},
                            .torque = {s->torque[0], s->torque[1], s->torque[2]},
                            .position = s->pose.position,
                            .rotation = s->pose.rotation,
                            .velocity = s->pose.velocity,
                            .spin = s->pose.spin};
    return ERG_OK;
}

erg_status erg_world_emitter_total(const erg_world *world, erg_id id, uint64_t *grains,
                                   double *mass, erg_error *err)
{
    erg_status status = check_id(id, world->emitters, "emitter", err);
    if (status != ERG_OK) return status;
    if (grains) *grains = world->emitter_state[id - 1].given;
    if (mass) *mass = world->emitter_state[id - 1].mass;
    return ERG_OK;
}

erg_status erg_world_sink_total(const erg_world *world, erg_id id, uint64_t *grains, double *mass,
                                erg_error *err)
{
    erg_status status = check_id(id, world->sinks, "sink", err);
    if (status != ERG_OK) return status;
    if (grains) *grains = world->sink_state[id - 1].taken;
    if (mass) *mass = world->sink_state[id - 1].mass;
    return ERG_OK;
}
