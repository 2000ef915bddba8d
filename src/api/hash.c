// Hash of the state of a world. Equal states have equal hashes, whatever their order in memory.
#include "base/hash.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "solver/solver.h"

#include <string.h>

// Numbers are hashed as stored, with -0 taken as 0.
static uint64_t hash_real(uint64_t h, const void *array, ergi_type real, size_t index, double sign)
{
    double   value = sign * ergi_real_at(array, real, index) + 0.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ergi_hash_word(h, bits);
}

static uint64_t hash_grain(const erg_world *world, size_t i)
{
    ergi_type real = ergi_world_real(world);
    uint64_t  h = ergi_hash_word(1, ERGI_GRAIN(world, ID, uint64_t)[i]);
    for (size_t a = 0; a < 3; a++)
        h = hash_real(h, world->grains.data[ERGI_GRAIN_POSITION], ERGI_F64, 4 * i + a, 1);
    for (size_t a = 0; a < 4; a++)
        h = hash_real(h, world->grains.data[ERGI_GRAIN_ORIENTATION], ERGI_F64, 4 * i + a, 1);
    for (size_t a = 0; a < 3; a++)
        h = hash_real(h, world->grains.data[ERGI_GRAIN_MOTION], real, 8 * i + ERGI_VELOCITY + a, 1);
    for (size_t a = 0; a < 3; a++)
        h = hash_real(h, world->grains.data[ERGI_GRAIN_MOTION], real, 8 * i + ERGI_SPIN + a, 1);
    return h;
}

static uint64_t hash_numbers(uint64_t h, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++) h = hash_real(h, x, ERGI_F64, k, 1);
    return h;
}

static uint64_t hash_pose(uint64_t h, const ergi_pose *p)
{
    const double numbers[] = {p->position.x, p->position.y, p->position.z, p->rotation.x,
                              p->rotation.y, p->rotation.z, p->rotation.w, p->velocity.x,
                              p->velocity.y, p->velocity.z};
    return hash_numbers(h, numbers, sizeof numbers / sizeof *numbers);
}

// Walls driven by servos or users: their pose, and the last commanded velocity.
static uint64_t hash_driven(const erg_world *world)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < world->walls; w++) {
        if (!ergi_motion_dynamic(&world->wall[w].wall.motion)) continue;
        const ergi_motion_state *m = &world->wall_state[w].motion;
        const erg_vec3           vectors[] = {m->pose.spin, m->user_velocity, m->user_spin};
        uint64_t                 h = hash_pose(ergi_hash_word(6, w), &m->pose);
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
            h = hash_numbers(h, (double[]){vectors[k].x, vectors[k].y, vectors[k].z}, 3);
        if (ergi_motion_joint(&world->wall[w].wall.motion)) h = hash_numbers(h, &m->joint, 1);
        sum += h;
    }
    return sum;
}

static uint64_t hash_free_bodies(const erg_world *world)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < world->walls && world->free_bodies; w++) {
        if (!world->wall[w].body.free) continue;
        const ergi_motion_state *m = &world->wall_state[w].motion;
        erg_vec3                 l = m->angular_momentum;
        sum +=
            hash_numbers(hash_pose(ergi_hash_word(4, w), &m->pose), (double[]){l.x, l.y, l.z}, 3);
        erg_vec3 f = m->applied_force, t = m->applied_torque;
        if (ergi_norm(f) > 0 || ergi_norm(t) > 0)
            sum += hash_numbers(ergi_hash_word(7, w), (double[]){f.x, f.y, f.z, t.x, t.y, t.z}, 6);
    }
    return sum;
}

// The terrain's force on bodies and walls, which acts until its next tick.
static uint64_t hash_ground(const erg_world *world)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < world->walls && world->terrain; w++) {
        erg_vec3 f = world->wall_state[w].motion.ground_force,
                 t = world->wall_state[w].motion.ground_torque;
        if (ergi_norm(f) > 0 || ergi_norm(t) > 0)
            sum += hash_numbers(ergi_hash_word(9, w), (double[]){f.x, f.y, f.z, t.x, t.y, t.z}, 6);
    }
    return sum;
}

// ---- Contacts ----------------------------------------------------------------------------------
static uint64_t hash_history(uint64_t h, const ergi_contact_view *v, double sign)
{
    for (size_t k = 0; k < (size_t)v->width; k++)
        h = hash_real(h, v->history, v->real, v->at + k, sign);
    return h;
}

// A pair is hashed from the side of its smaller (id, slot), whichever sphere the solver stores it
// with; seen from the other side, history has the opposite sign.
static uint64_t hash_pair(const ergi_contact_view *v)
{
    const erg_contact *c = &v->contact;
    bool turned = c->grain_a > c->grain_b || (c->grain_a == c->grain_b && c->slot_a > c->slot_b);
    uint64_t h = ergi_hash_word(2, turned ? c->grain_b : c->grain_a);
    h = ergi_hash_word(h, turned ? c->slot_b : c->slot_a);
    h = ergi_hash_word(h, turned ? c->grain_a : c->grain_b);
    h = ergi_hash_word(h, turned ? c->slot_a : c->slot_b);
    return hash_history(h, v, turned ? -1 : 1);
}

static uint64_t hash_wall(const ergi_contact_view *v)
{
    const erg_contact *c = &v->contact;
    uint64_t           h = ergi_hash_word(3, c->grain_a);
    h = ergi_hash_word(h, c->slot_a);
    h = ergi_hash_word(h, (uint64_t)(c->wall - 1) << 32 | c->slot_b);
    return hash_history(h, v, 1);
}

static uint64_t hash_bodies(const ergi_contact_view *v)
{
    uint64_t h = ergi_hash_word(5, (uint64_t)v->a << 32 | v->b);
    for (size_t k = 0; k < 3; k++) h = ergi_hash_word(h, v->place[k]);
    return hash_history(h, v, 1);
}

static void hash_contact(void *user, const ergi_contact_view *v)
{
    uint64_t *sum = user;
    switch (v->kind) {
    case ERGI_CONTACT_PAIR: *sum += hash_pair(v); break;
    case ERGI_CONTACT_WALL: *sum += hash_wall(v); break;
    case ERGI_CONTACT_BODIES: *sum += hash_bodies(v); break;
    }
}

// ---- Other tables ------------------------------------------------------------------------------
// One term per row: the table's name, the row's key, and every number that is neither derived nor
// left out.
static uint64_t hash_row(const ergi_state_item *item, size_t row)
{
    const ergi_table *t = item->table;
    uint64_t          h = ergi_hash_bytes(item->name, strlen(item->name), 8);
    h = ergi_hash_word(h, item->key < 0 ? row : ((const uint64_t *)t->data[item->key])[row]);
    for (int c = 0; c < t->columns; c++) {
        bool   out = t->column[c].derived || c == item->key || item->unhashed >> c & 1;
        size_t bytes = out ? 0 : t->row_bytes[c];
        if (bytes) h = ergi_hash_bytes((const char *)t->data[c] + row * bytes, bytes, h);
    }
    return h;
}

static uint64_t hash_tables(const ergi_registry *registry)
{
    uint64_t sum = 0;
    for (int k = 0; k < registry->count; k++) {
        const ergi_state_item *item = &registry->item[k];
        for (size_t r = 0; item->flags & ERGI_STATE_HASHED && r < item->table->rows; r++)
            sum += hash_row(item, r);
    }
    return sum;
}

uint64_t erg_world_hash(const erg_world *world)
{
    if (!world) return 0;
    uint64_t sum = world->clock.steps;
    for (size_t i = 0; i < world->grains.rows; i++) sum += hash_grain(world, i);
    ergi_solver_contacts(world, false, hash_contact, &sum);
    return sum + hash_free_bodies(world) + hash_driven(world) + hash_ground(world) +
           hash_tables(&world->registry);
}
