// The contacts of a world, one by one.
#include "api/contacts.h"
#include "api/place.h"
#include "base/error.h"
#include "dem/step.h"
#include "geom/vec3.h"

size_t erg_world_contact_count(const erg_world *world)
{
    if (!world) return 0;
    return (size_t)(world->clock.contacts + world->clock.wall_contacts);
}

size_t erg_world_touching_count(const erg_world *world)
{
    if (!world) return 0;
    // Places where bodies touch are sorted by the two walls.
    const uint32_t *walls = world->rigid_touch.data[ERGI_TOUCH_WALLS];
    size_t          pairs = 0;
    for (size_t r = 0; r < world->rigid_touch.rows; r++)
        pairs += r == 0 || walls[2 * r] != walls[2 * r - 2] || walls[2 * r + 1] != walls[2 * r - 1];
    return erg_world_contact_count(world) + pairs;
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
    ergi_place                pa = ergi_place_of(world, s, i), pb = ergi_place_of(world, s, j);
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
    ergi_place    p = ergi_place_of(world, s, sphere);
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

void ergi_contacts_visit(const erg_world *world, ergi_contact_visitor visit, void *user)
{
    ergi_sphere_arrays s = ergi_world_spheres(world);
    ergi_pair_pass     pairs = ergi_pair_pass_of(world);
    for (uint32_t i = 0; i < (uint32_t)world->lists.spheres; i++)
        for (int side = 0; side < ERGI_SIDES; side++) {
            const ergi_pair_side *l = &pairs.side[side];
            for (uint32_t e = l->start[i]; e < l->start[i + 1]; e++)
                if (l->touching[e]) {
                    erg_contact c = pair_contact(world, &pairs, (ergi_side)side, i, e);
                    visit(user, &c, i, ergi_partner(l->other, (ergi_side)side, i, e));
                }
        }
    const uint32_t *sphere = world->lists.near.data[ERGI_NEAR_SPHERE],
                   *near = world->lists.near.data[ERGI_NEAR_START];
    const uint32_t *feature = world->lists.wall_entry.data[ERGI_WALL_ENTRY_FEATURE];
    for (size_t r = 0; r + 1 < world->lists.near.rows; r++)
        for (uint32_t e = near[r]; e < near[r + 1]; e++)
            for (int k = 0; k < world->wall_slots; k++)
                if (feature[(size_t)e * (size_t)world->wall_slots + (size_t)k] != ERGI_NO_FEATURE) {
                    erg_contact c = wall_contact(world, &s, sphere[r], e, k);
                    visit(user, &c, sphere[r], UINT32_MAX);
                }
}

typedef struct taking {
    erg_contact *out;
    size_t       room, count;
} taking;

static void take(void *user, const erg_contact *c, uint32_t a, uint32_t b)
{
    (void)a, (void)b;
    taking *t = user;
    if (t->count < t->room) t->out[t->count] = *c;
    t->count++;
}

erg_status erg_world_contacts(const erg_world *world, erg_contact *out, size_t room, size_t *count,
                              erg_error *err)
{
    if (!world || !count || (!out && room > 0)) return ergi_fail_null(err, __func__);
    taking t = {out, room, 0};
    ergi_contacts_visit(world, take, &t);
    *count = t.count;
    if (t.count > room)
        return ergi_fail_code(err, ERG_ERROR_NO_FIT, "room for %zu contacts, but there are %zu",
                              room, t.count);
    return ERG_OK;
}
