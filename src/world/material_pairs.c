#include "world/material_pairs.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

static double mixed(double a, double b)
{
    return sqrt(a * b);
}

static double static_friction(const erg_material_def *m)
{
    return m->static_friction >= 0 ? m->static_friction : m->friction;
}

static erg_status make_pair(const erg_world *world, size_t a, size_t b, ergi_material_pair *pair,
                            erg_error *err)
{
    const erg_material_def *ma = &world->material[a].def, *mb = &world->material[b].def;
    const erg_contact_def  *c = &world->def.contact;
    ergi_pair_scales        s = ergi_pair_scales_default();
    s.normal = (int)c->normal;
    s.tangential = (int)c->tangential;
    s.restitution = mixed(ma->restitution, mb->restitution);
    s.contact_time = c->contact_time;
    s.reference_speed = c->reference_speed;
    s.tangential_ratio = c->tangential_ratio;
    s.tangential_damping = c->tangential_damping;
    s.tangential_viscosity = c->tangential_viscosity;
    *pair = (ergi_material_pair){.friction = mixed(ma->friction, mb->friction),
                                 .friction_static = mixed(static_friction(ma), static_friction(mb)),
                                 .rolling = mixed(ma->rolling, mb->rolling),
                                 .rolling_damping = c->rolling_damping,
                                 .twisting = mixed(ma->twisting, mb->twisting),
                                 .cohesion = mixed(ma->cohesion, mb->cohesion)};
    for (size_t k = 0; k < world->pair_overrides; k++) {
        const erg_pair_def *o = &world->pair_override[k];
        bool mine = (o->a - 1 == a && o->b - 1 == b) || (o->a - 1 == b && o->b - 1 == a);
        if (!mine) continue;
        if (o->restitution >= 0) s.restitution = o->restitution;
        if (o->friction >= 0) pair->friction = pair->friction_static = o->friction;
        if (o->static_friction >= 0) pair->friction_static = o->static_friction;
        if (o->rolling >= 0) pair->rolling = o->rolling;
        if (o->twisting >= 0) pair->twisting = o->twisting;
        if (o->cohesion >= 0) pair->cohesion = o->cohesion;
        if (o->normal >= 0) s.normal = o->normal;
        if (o->tangential >= 0) s.tangential = o->tangential;
    }
    pair->friction_static = fmax(pair->friction_static, pair->friction);
    pair->friction_defined = pair->friction;
    pair->friction_static_defined = pair->friction_static;
    erg_status status = ergi_pair_scales_moduli(&s, (ergi_elastic){ma->young, ma->poisson},
                                                (ergi_elastic){mb->young, mb->poisson}, err);
    pair->scales = s;
    return status;
}

// Finding the damping number takes milliseconds, so pairs with the same law and restitution share
// it. Pairs that cannot meet have none: neither material belongs to a grain or body. Balls have the
// material of some grain kind.
typedef struct damping {
    int    law;
    double restitution, number;
} damping;

static void mark_moving(const erg_world *world, bool moving[ERGI_MAX_MATERIALS])
{
    for (size_t k = 0; k < world->kinds; k++) moving[world->kind[k].material] = true;
    for (size_t w = 0; w < world->walls; w++)
        if (world->wall[w].body.exists) moving[world->wall[w].material] = true;
}

static erg_status find_damping(ergi_pair_scales *s, damping *known, size_t *count, erg_error *err)
{
    for (size_t k = 0; k < *count; k++)
        if (known[k].law == s->normal && known[k].restitution == s->restitution) {
            s->damping_number = known[k].number;
            return ERG_OK;
        }
    erg_status status = ergi_damping_number(s->normal, s->restitution, &s->damping_number, err);
    if (status == ERG_OK)
        known[(*count)++] = (damping){s->normal, s->restitution, s->damping_number};
    return status;
}

static erg_status make_pairs(erg_world *world, erg_error *err)
{
    size_t   n = world->materials, count = 0;
    bool     moving[ERGI_MAX_MATERIALS] = {false};
    damping *known = ergi_memory_new(n * (n + 1) / 2, sizeof *known, "pairs of materials", err);
    if (!known) return ERG_NO_MEMORY;
    mark_moving(world, moving);
    erg_status status = ERG_OK;
    for (size_t a = 0; a < n && status == ERG_OK; a++)
        for (size_t b = a; b < n && status == ERG_OK; b++) {
            ergi_material_pair *pair = &world->pair[a * n + b];
            status = make_pair(world, a, b, pair, err);
            if (status == ERG_OK && (moving[a] || moving[b]))
                status = find_damping(&pair->scales, known, &count, err);
            pair->coefs = ergi_coef_scales_of(&pair->scales);
            world->pair[b * n + a] = *pair;
        }
    ergi_memory_free(known);
    return status;
}

erg_status ergi_material_pairs_make(erg_world *world, erg_error *err)
{
    size_t     n = world->materials;
    erg_status status =
        ergi_memory_resize(&world->pair, 0, n * n, sizeof *world->pair, "pairs of materials", err);
    return status == ERG_OK ? ergi_fail_within(err, make_pairs(world, err), "contact") : status;
}
