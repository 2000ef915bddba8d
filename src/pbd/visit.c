// Visits all contacts of a world. In a pair, grain a is the one with the smaller id, whatever the
// order in the lists.
#include <math.h>
#include <string.h>

#include "geom/vec3.h"
#include "pbd/pbd_solver.h"

static double image(double d, double period)
{
    return period > 0 ? d - period * nearbyint(d / period) : d;
}

static uint32_t name_sphere(const erg_world *world, uint32_t sphere, erg_gid *id, uint32_t *slot)
{
    uint32_t row = ergi_pbd_grain_of(ergi_pbd_of(world), sphere);
    *id = ERGI_GRAIN(world, ID, uint64_t)[row];
    *slot = sphere - ERGI_GRAIN(world, FIRST, uint32_t)[row];
    return row;
}

// The contact force is P times the reference mass over dt^2. With cohesion the history stores P
// plus the pull-off force (the load that limits friction), so the latter is subtracted here.
static void force_of(const erg_world *world, const float *h, double pull, ergi_contact_view *v)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    double          dt = pbd->state.dt, per = dt > 0 ? pbd->mass / (dt * dt) : 0;
    erg_contact    *c = &v->contact;
    erg_vec3        slide = {(double)h[1], (double)h[2], (double)h[3]};
    c->normal_force = per * fabs((double)h[ERGI_PBD_P]) - pull;
    c->force = ergi_add(ergi_scale(slide, per), ergi_scale(c->normal, c->normal_force));
}

static double pull_of(const erg_world *world, uint32_t material_a, uint32_t material_b,
                      double radius)
{
    const ergi_material_pair *pair = &world->pair[material_a * world->materials + material_b];
    return 2 * ERGI_PI * ERGI_PBD_STICKY_DEPTH * pair->cohesion * radius * radius;
}

static void visit_pairs(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const uint32_t *start = pbd->pairs.start.data[ERGI_PAIRS_START],
                   *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    const float  *history = pbd->pairs.pair.data[ERGI_PAIRS_HISTORY];
    const double *x = ergi_pbd_sphere_positions(world);
    size_t        spheres = ergi_pairs_spheres(&pbd->pairs);
    for (uint32_t s = 0; s < spheres; s++)
        for (uint32_t e = start[s]; e < start[s + 1]; e++) {
            const float *h = history + ERGI_PBD_HISTORY * (size_t)e;
            if (h[ERGI_PBD_P] == 0) continue;
            uint32_t          i = s, j = other[e];
            float             own[ERGI_PBD_HISTORY];
            ergi_contact_view v = {.kind = ERGI_CONTACT_PAIR,
                                   .history = own,
                                   .real = ERGI_F32,
                                   .width = ERGI_PBD_HISTORY - 1};
            v.a = name_sphere(world, i, &v.contact.grain_a, &v.contact.slot_a);
            v.b = name_sphere(world, j, &v.contact.grain_b, &v.contact.slot_b);
            bool turned = v.contact.grain_a > v.contact.grain_b;
            if (turned) {
                i = other[e];
                j = s;
                v.a = name_sphere(world, i, &v.contact.grain_a, &v.contact.slot_a);
                v.b = name_sphere(world, j, &v.contact.grain_b, &v.contact.slot_b);
            }
            for (int k = 0; k < ERGI_PBD_HISTORY; k++) own[k] = turned ? -h[k] : h[k];
            own[ERGI_PBD_P] = fabsf(h[ERGI_PBD_P]);
            v.sphere_a = x + 4 * (size_t)i;
            v.sphere_b = x + 4 * (size_t)j;
            if (forces) {
                const double *a = v.sphere_a, *b = v.sphere_b;
                erg_vec3      d = {image(a[0] - b[0], world->space.period[0]),
                                   image(a[1] - b[1], world->space.period[1]), a[2] - b[2]};
                v.contact.normal = ergi_normalize(d);
                v.contact.overlap = a[3] + b[3] - ergi_norm(d);
                v.contact.point = ergi_madd(ergi_vec3(a[0], a[1], a[2]),
                                            -(a[3] - 0.5 * v.contact.overlap), v.contact.normal);
                force_of(world, own,
                         pull_of(world, pbd->sphere_material[i], pbd->sphere_material[j],
                                 a[3] * b[3] / (a[3] + b[3])),
                         &v);
            }
            visit(user, &v);
        }
}

static void visit_walls(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user)
{
    const ergi_pbd   *pbd = ergi_pbd_of(world);
    const ergi_table *t = &pbd->wall_history;
    const uint32_t   *sphere = t->data[ERGI_PBD_WALL_SPHERE], *wall = t->data[ERGI_PBD_WALL_WALL],
                   *feature = t->data[ERGI_PBD_WALL_FEATURE];
    const float *history = t->data[ERGI_PBD_WALL_HISTORY], *normal = t->data[ERGI_PBD_WALL_NORMAL];
    for (size_t r = 0; r < t->rows; r++) {
        const double     *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)sphere[r];
        ergi_contact_view v = {.kind = ERGI_CONTACT_WALL,
                               .contact = {.slot_b = feature[r], .wall = wall[r] + 1},
                               .b = UINT32_MAX,
                               .sphere_a = x,
                               .history = history,
                               .real = ERGI_F32,
                               .at = ERGI_PBD_HISTORY * r,
                               .width = ERGI_PBD_HISTORY - 1};
        v.a = name_sphere(world, sphere[r], &v.contact.grain_a, &v.contact.slot_a);
        if (forces) {
            const float  *n = normal + 4 * r;
            erg_contact  *c = &v.contact;
            ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
            erg_vec3      at = {x[0], x[1], x[2]};
            c->normal = ergi_vec3((double)n[0], (double)n[1], (double)n[2]);
            int found = ergi_wall_hits(&world->wall[wall[r]].wall, &world->wall_state[wall[r]].pose,
                                       at, 1.5 * x[3], hits);
            for (int h = 0; h < found; h++)
                if (hits[h].feature == feature[r]) c->overlap = x[3] - hits[h].gap;
            c->point = ergi_madd(at, -(x[3] - c->overlap), c->normal);
            force_of(world, history + ERGI_PBD_HISTORY * r,
                     pull_of(world, pbd->sphere_material[sphere[r]], world->wall[wall[r]].material,
                             x[3]),
                     &v);
        }
        visit(user, &v);
    }
}

static void visit_bodies(const erg_world *world, ergi_contact_fn *visit, void *user)
{
    const ergi_table *t = &ergi_pbd_of(world)->body_contact_history;
    const uint32_t *walls = t->data[ERGI_PBD_BODY_WALLS], *place = t->data[ERGI_PBD_BODY_FEATURES];
    for (size_t r = 0; r < t->rows; r++) {
        ergi_contact_view v = {.kind = ERGI_CONTACT_BODIES,
                               .a = walls[2 * r],
                               .b = walls[2 * r + 1],
                               .place = {place[2 * r], 0, place[2 * r + 1]},
                               .history = t->data[ERGI_PBD_BODY_HISTORY],
                               .real = ERGI_F32,
                               .at = ERGI_PBD_HISTORY * r,
                               .width = ERGI_PBD_HISTORY - 1};
        visit(user, &v);
    }
}

void ergi_pbd_visit(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    bool            listed = pbd->spheres >= ergi_pairs_spheres(&pbd->pairs) && pbd->reach;
    if (listed) visit_pairs(world, forces, visit, user);
    if (listed) visit_walls(world, forces, visit, user);
    visit_bodies(world, visit, user);
}
