// Visits the contacts of a world one by one.
#include <math.h>

#include "dem/body_history.h"
#include "dem/dem_solver.h"
#include "dem/step.h"
#include "geom/vec3.h"

static double image(double d, double period)
{
    return period > 0 ? d - period * nearbyint(d / period) : d;
}

static erg_vec3 real3(const void *array, ergi_type real, size_t at)
{
    return ergi_vec3(ergi_real_at(array, real, at), ergi_real_at(array, real, at + 1),
                     ergi_real_at(array, real, at + 2));
}

// Returns the row of a sphere's grain; sets the grain's id and the sphere's slot in it, which do
// not change when memory is sorted.
static uint32_t name_sphere(const erg_world *world, const ergi_sphere_arrays *s, uint32_t sphere,
                            erg_gid *id, uint32_t *slot)
{
    uint32_t row = s->grain ? s->grain[sphere] : sphere;
    *id = ERGI_GRAIN(world, ID, uint64_t)[row];
    *slot = sphere - ERGI_GRAIN(world, FIRST, uint32_t)[row];
    return row;
}

// ---- Spheres -----------------------------------------------------------------------------------
static void pair_force(const erg_world *world, const ergi_pair_pass *pass, ergi_list_kind side,
                       uint32_t i, uint32_t e, ergi_contact_view *v)
{
    const double      *a = v->sphere_a, *b = v->sphere_b;
    erg_vec3           d = {image(a[0] - b[0], world->space.period[0]),
                            image(a[1] - b[1], world->space.period[1]), a[2] - b[2]};
    ergi_contact_state now = ergi_dem_of(world)->kernels->pair_state(pass, side, e, (erg_index)i);
    erg_contact       *c = &v->contact;
    c->normal = ergi_normalize(d);
    c->overlap = a[3] + b[3] - ergi_norm(d);
    c->force = ergi_vec3(now.force[0], now.force[1], now.force[2]);
    c->point = ergi_madd(ergi_vec3(a[0], a[1], a[2]), -(a[3] - 0.5 * c->overlap), c->normal);
    c->normal_force = ergi_dot(c->force, c->normal);
    v->energy = now.energy;
}

static void visit_pairs(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user)
{
    const ergi_dem *dem = ergi_dem_of(world);
    ergi_pair_pass  pass = ergi_pair_pass_of(world);
    for (uint32_t i = 0; i < (uint32_t)dem->lists.spheres; i++)
        for (int side = 0; side < ERGI_LIST_KINDS; side++) {
            const ergi_pair_entries *l = &pass.side[side];
            for (uint32_t e = l->start[i]; e < l->start[i + 1]; e++) {
                if (!l->touching[e]) continue;
                uint32_t          j = ergi_partner(l->other, (ergi_list_kind)side, i, e);
                ergi_contact_view v = {.kind = ERGI_CONTACT_PAIR,
                                       .sphere_a = pass.s.position + 4 * (size_t)i,
                                       .sphere_b = pass.s.position + 4 * (size_t)j,
                                       .history = l->history,
                                       .real = ergi_world_real(world),
                                       .at = (size_t)e * (size_t)dem->history_width,
                                       .width = dem->history_width};
                v.a = name_sphere(world, &pass.s, i, &v.contact.grain_a, &v.contact.slot_a);
                v.b = name_sphere(world, &pass.s, j, &v.contact.grain_b, &v.contact.slot_b);
                if (forces) pair_force(world, &pass, (ergi_list_kind)side, i, e, &v);
                visit(user, &v);
            }
        }
}

// ---- Walls -------------------------------------------------------------------------------------
static void wall_force(const erg_world *world, const ergi_wall_pass *pass, uint32_t sphere,
                       uint32_t e, int slot, ergi_contact_view *v)
{
    ergi_contact_state now = ergi_dem_of(world)->kernels->wall_state(pass, sphere, e, slot);
    const double      *x = v->sphere_a;
    erg_contact       *c = &v->contact;
    size_t             wall = c->wall - 1;
    ergi_wall_hit      hits[ERGI_WALL_MAX_HITS];
    c->normal = real3(v->history, v->real, v->at + (size_t)v->width - 3);
    c->force = ergi_vec3(now.force[0], now.force[1], now.force[2]);
    int found = ergi_wall_hits(&world->wall[wall].wall, &world->wall_state[wall].pose,
                               ergi_vec3(x[0], x[1], x[2]), x[3], hits);
    for (int h = 0; h < found; h++)
        if (hits[h].feature == c->slot_b) c->overlap = x[3] - hits[h].gap;
    c->point = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -(x[3] - 0.5 * c->overlap), c->normal);
    c->normal_force = ergi_dot(c->force, c->normal);
    v->energy = now.energy;
}

static void visit_walls(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user)
{
    const ergi_dem *dem = ergi_dem_of(world);
    ergi_wall_pass  pass = ergi_wall_pass_of(world);
    for (size_t r = 0; r < pass.near_count; r++)
        for (uint32_t e = pass.near_start[r]; e < pass.near_start[r + 1]; e++)
            for (int k = 0; k < pass.slots; k++) {
                size_t row = (size_t)e * (size_t)pass.slots + (size_t)k;
                if (pass.feature[row] == ERGI_NO_FEATURE) continue;
                ergi_contact_view v = {
                    .kind = ERGI_CONTACT_WALL,
                    .contact = {.slot_b = pass.feature[row], .wall = pass.wall_of[e] + 1},
                    .b = UINT32_MAX,
                    .sphere_a = pass.s.position + 4 * (size_t)pass.near_sphere[r],
                    .history = pass.history,
                    .real = ergi_world_real(world),
                    .at = row * (size_t)(dem->history_width + 3),
                    .width = dem->history_width + 3};
                v.a = name_sphere(world, &pass.s, pass.near_sphere[r], &v.contact.grain_a,
                                  &v.contact.slot_a);
                if (forces) wall_force(world, &pass, pass.near_sphere[r], e, k, &v);
                visit(user, &v);
            }
}

// ---- Bodies ------------------------------------------------------------------------------------
static void visit_bodies(const erg_world *world, ergi_contact_fn *visit, void *user)
{
    const ergi_table *contacts = &ergi_dem_of(world)->body_contacts;
    const uint32_t   *walls = contacts->data[ERGI_BODY_CONTACT_WALLS],
                   *place = contacts->data[ERGI_BODY_CONTACT_KEY];
    for (size_t r = 0; r < contacts->rows; r++) {
        ergi_contact_view v = {.kind = ERGI_CONTACT_BODIES,
                               .a = walls[2 * r],
                               .b = walls[2 * r + 1],
                               .place = {place[3 * r], place[3 * r + 1], place[3 * r + 2]},
                               .history = contacts->data[ERGI_BODY_CONTACT_HISTORY],
                               .real = ERGI_F64,
                               .at = ERGI_BODY_HISTORY_WIDTH * r,
                               .width = ERGI_BODY_HISTORY_WIDTH};
        visit(user, &v);
    }
}

void ergi_dem_visit(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user)
{
    if (ergi_dem_of(world)->lists.near.columns == 0) return; // no lists yet
    visit_pairs(world, forces, visit, user);
    visit_walls(world, forces, visit, user);
    visit_bodies(world, visit, user);
}
