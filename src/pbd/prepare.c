// Converts the world's definitions to the parameters of the solver.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "pbd/pbd.h"
#include "world/grains.h"

// If no twisting resistance is given, that of rolling is used: otherwise a grain that spins about
// its contact normal would never stop.
erg_status ergi_pbd_laws(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = world->materials;
    erg_status status = ergi_memory_resize(&pbd->law, 0, n * n + 1, sizeof *pbd->law, "laws", err);
    if (status != ERG_OK) return status;
    pbd->rolling = pbd->rebound = pbd->cohesion = false;
    for (size_t k = 0; k < n * n; k++) {
        const ergi_material_pair *p = &world->pair[k];
        ergi_pbd_law             *law = &pbd->law[k];
        *law = (ergi_pbd_law){.friction_static = (float)fmax(p->friction_static, p->friction),
                              .friction = (float)p->friction,
                              .rolling = (float)p->rolling,
                              .twisting = (float)(p->twisting > 0 ? p->twisting : p->rolling),
                              .restitution = (float)p->scales.restitution,
                              .cohesion = (float)(p->cohesion / pbd->mass)};
        pbd->rolling |= law->rolling > 0 || law->twisting > 0;
        pbd->rebound |= law->restitution > ERGI_PBD_LEAST_RESTITUTION;
        pbd->cohesion |= law->cohesion > 0;
    }
    return ERG_OK;
}

// Reference mass and radius. Balls are added during a run and are excluded from both: the stored
// multipliers are in units of the reference mass.
static void survey_kinds(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    pbd->mass = pbd->radius = INFINITY;
    pbd->largest = 0;
    for (size_t k = 0; k < world->kinds; k++) {
        const ergi_kind *kind = &world->kind[k];
        double           least, most;
        ergi_sizes_range(&kind->sizes, &least, &most);
        pbd->largest = fmax(pbd->largest, most * kind->shape.largest_radius);
        if (k + world->ball_kinds >= world->kinds) continue;
        pbd->mass = fmin(pbd->mass, ergi_kind_mass(kind, least));
        pbd->radius = fmin(pbd->radius, least * kind->shape.smallest_radius);
    }
    for (size_t w = 0; w < world->walls && !isfinite(pbd->mass); w++) // no grains: use a body
        if (world->wall[w].body.free) {
            pbd->mass = world->wall[w].body.mass;
            pbd->radius = world->wall[w].body.radius;
        }
    if (!isfinite(pbd->mass)) pbd->mass = pbd->radius = 1;
}

static erg_status check_period(const erg_world *world, erg_error *err)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    for (int a = 0; a < 2; a++) {
        double period = world->space.period[a];
        if (period > 0 && period < 8 * pbd->largest)
            return ergi_fail_at(err, a ? "upper.y" : "upper.x", ERG_ERROR_OUT_OF_RANGE,
                                "the period along %c, %g m, must be at least four diameters of the "
                                "largest sphere, %g m",
                                "xy"[a], period, 8 * pbd -> largest);
        double longest = ergi_grid_longest_period(2 * pbd->radius);
        if (world->kinds && period > longest)
            return ergi_fail_at(err, a ? "upper.y" : "upper.x", ERG_ERROR_OUT_OF_RANGE,
                                "the domain is periodic in %c with a period of %g m, too large for "
                                "grains with spheres of diameter %g m: at most %g m",
                                "xy"[a], period, 2 * pbd -> radius, longest);
    }
    return ERG_OK;
}

static erg_status check_length(const erg_world *world, erg_error *err)
{
    double limit = ergi_pbd_longest(world);
    if (world->def.dt <= limit) return ERG_OK;
    return ergi_fail_at(err, "dt", ERG_ERROR_OUT_OF_RANGE,
                        "dt is %g s, but may be at most %.4g s: 1/60 s, and half of sqrt(r/g) for "
                        "the smallest radius, %.4g m; lower it or use dt: auto",
                        world->def.dt, limit, ergi_pbd_of(world)->radius);
}

erg_status ergi_pbd_prepare(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    survey_kinds(world);
    erg_status status = check_period(world, err);
    if (status == ERG_OK && world->def.pbd.variant == ERG_PBD_SOMMER)
        status = ergi_sommer_sample(world, err);
    if (status == ERG_OK) status = ergi_pbd_body_prepare(world, err);
    if (status == ERG_OK) status = ergi_pbd_laws(world, err);
    if (status != ERG_OK) return status;
    if (pbd->state.dt > 0) return ERG_OK; // already running
    status = check_length(world, err);
    if (status != ERG_OK) return status;
    double dt = ergi_pbd_first_length(world);
    world->clock.dt = dt;
    if (world->def.dt > 0)
        snprintf(world->dt_reason, sizeof world->dt_reason, "given");
    else if (world->def.pbd.substeps > 0)
        snprintf(world->dt_reason, sizeof world->dt_reason, "1/60 s in %d substeps, as given",
                 world->def.pbd.substeps);
    else
        snprintf(
            world->dt_reason, sizeof world->dt_reason,
            "1/60 s in %.0f substeps or more, as many as keep everything from moving more than "
            "half of the smallest radius in one",
            1 / (60 * dt));
    return ERG_OK;
}
