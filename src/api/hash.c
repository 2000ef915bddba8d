// A number for the state of a world: equal states have equal ones, in whatever order memory holds
// them.
#include "base/hash.h"
#include "api/place.h"
#include "dem/step.h"
#include "erg/world.h"

#include <string.h>

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

    ergi_place a = ergi_place_of(world, &pass->s, i),
               b = ergi_place_of(world, &pass->s, ergi_partner(side->other, which, i, e));
    bool       turned = a.grain > b.grain || (a.grain == b.grain && a.slot > b.slot);
    ergi_place low = turned ? b : a, high = turned ? a : b;
    uint64_t   h = ergi_hash_word(2, low.grain);
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
                ergi_place p = ergi_place_of(world, s, sphere[r]);
                uint64_t   h = ergi_hash_word(3, p.grain);
                h = ergi_hash_word(h, p.slot);
                h = ergi_hash_word(h, (uint64_t)wall[e] << 32 | feature[row]);
                for (size_t m = 0; m < stride; m++)
                    h = hash_real(h, world->lists.wall_entry.data[ERGI_WALL_ENTRY_MEMORY],
                                  ergi_world_real(world), row * stride + m, 1);
                sum += h;
            }
    return sum;
}

static uint64_t hash_numbers(uint64_t h, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++) h = hash_real(h, x, ERGI_F64, k, 1);
    return h;
}

static uint64_t hash_place(uint64_t h, const ergi_pose *p)
{
    const double place[] = {p->position.x, p->position.y, p->position.z, p->rotation.x,
                            p->rotation.y, p->rotation.z, p->rotation.w, p->velocity.x,
                            p->velocity.y, p->velocity.z};
    return hash_numbers(h, place, sizeof place / sizeof *place);
}

// Walls that servos and users drive: where that has brought them, and what was commanded last.
static uint64_t hash_driven(const erg_world *world)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < world->walls; w++) {
        if (!ergi_motion_dynamic(&world->wall[w].wall.motion)) continue;
        const ergi_motion_state *m = &world->wall_state[w].motion;
        const erg_vec3           vectors[] = {m->pose.spin, m->user_velocity, m->user_spin};
        uint64_t                 h = hash_place(ergi_hash_word(6, w), &m->pose);
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
            h = hash_numbers(h, (double[]){vectors[k].x, vectors[k].y, vectors[k].z}, 3);
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
        erg_vec3                 l = m->angular_momentum;
        sum +=
            hash_numbers(hash_place(ergi_hash_word(4, w), &m->pose), (double[]){l.x, l.y, l.z}, 3);
        erg_vec3 f = m->applied_force, t = m->applied_torque;
        if (ergi_norm(f) > 0 || ergi_norm(t) > 0)
            sum += hash_numbers(ergi_hash_word(7, w), (double[]){f.x, f.y, f.z, t.x, t.y, t.z}, 6);
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
    if (!world) return 0;
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
    return sum + hash_walls(world, &s) + hash_rigids(world) + hash_driven(world);
}
