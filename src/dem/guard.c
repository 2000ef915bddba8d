// Guards against unphysical steps. They check the reports of a step before it is accepted.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "dem/step.h"

// Largest displacement in one step, over radius: beyond this, grains could miss contacts and tunnel
// through walls.
#define MAX_DISPLACEMENT 0.5

static const char *grain_name(const erg_world *world, uint32_t sphere, char *text, size_t room)
{
    ergi_sphere_arrays s = ergi_dem_spheres(world);
    uint32_t           grain = s.grain ? s.grain[sphere] : sphere;
    const double      *x = ERGI_GRAIN(world, POSITION, double) + 4 * (size_t)grain;
    snprintf(text, room, "grain %llu at (%.4g, %.4g, %.4g) m",
             (unsigned long long)ERGI_GRAIN(world, ID, uint64_t)[grain], x[0], x[1], x[2]);
    return text;
}

// start_overlap is measured at t = 0 only: grains added to a running world are not covered.
static const char *likely_cause(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    if (world->clock.steps < 10 && dem->start_overlap > 0.01)
        return "grains or walls were placed inside each other";
    if (world->clock.steps < 10)
        return "nothing overlapped at the start: the impact is too hard for this material and dt "
               "(lower the initial velocity or spin, or raise young)";
    if (dem->worst_overlap.overlap_ratio > 1)
        return "one penetrated the other deeply within one step: they meet too fast for this dt, "
               "or were placed inside each other";
    if (world->clock.dt > 0.06 * dem->state.contact_time)
        return "dt is probably too large; try dt: auto";
    return "the material is probably too soft for these speeds or this load (raise young), or an "
           "applied force is too large";
}

static double radius_of(const erg_world *world, size_t grain)
{
    return ERGI_GRAIN(world, SIZE, double)[grain] *
           world->kind[ERGI_GRAIN(world, KIND, uint32_t)[grain]].shape.smallest_radius;
}

static bool too_fast(const erg_world *world, double dt, erg_error *err)
{
    const ergi_dem *dem = ergi_dem_of(world);
    if (dem->speed_ratio <= MAX_DISPLACEMENT) return false;
    size_t        b = dem->fastest;
    const double *x = ERGI_GRAIN(world, POSITION, double) + 4 * b;
    const void   *v = world->grains.data[ERGI_GRAIN_MOTION];
    double        u[3];
    ergi_get3(v, ergi_world_real(world), b, ERGI_VELOCITY, u);
    bool   nan = isnan(u[0] + u[1] + u[2] + x[0] + x[1] + x[2]);
    double spin[3], interval = dt > 0 ? dt : world->clock.dt;
    ergi_get3(v, ergi_world_real(world), b, ERGI_SPIN, spin);
    double by_speed =
        interval * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / radius_of(world, b);
    if (!nan && by_speed <= MAX_DISPLACEMENT) {
        ergi_fail(err, ERG_BAD_PHYSICS,
                  "step %llu, t = %.6g s: grain %llu spins too fast, at (%.3g, %.3g, %.3g) rad/s: "
                  "its surface moves more than half a radius in one step of %.3g s; %s",
                  (unsigned long long)world->clock.steps + (dt > 0), world->clock.time + dt,
                  (unsigned long long)ERGI_GRAIN(world, ID, uint64_t)[b], spin[0], spin[1], spin[2],
                  interval,
                  world->clock.steps < 10 ? "lower the initial spin or dt" : likely_cause(world));
        return true;
    }
    ergi_fail(err, ERG_BAD_PHYSICS,
              "step %llu, t = %.6g s: grain %llu %s (%.3g, %.3g, %.3g) m/s; %s",
              (unsigned long long)world->clock.steps + (dt > 0), world->clock.time + dt,
              (unsigned long long)ERGI_GRAIN(world, ID, uint64_t)[b],
              nan ? "has a velocity that is not a number:" : "is too fast, with a velocity of",
              u[0], u[1], u[2], likely_cause(world));
    return true;
}

bool ergi_dem_too_deep(const erg_world *world, double dt, erg_error *err)
{
    const ergi_dem    *dem = ergi_dem_of(world);
    const ergi_report *r = &dem->worst_overlap;
    if (r->overlap_ratio <= world->def.max_overlap) return false;
    char a[128], b[128];
    grain_name(world, r->overlap_a, a, sizeof a);
    if (r->overlap_wall) {
        const ergi_world_wall *w = &world->wall[r->overlap_b];
        snprintf(b, sizeof b, "wall %s%s%s", w->name[0] ? "'" : "", w->name[0] ? w->name : "",
                 w->name[0] ? "'" : "");
        if (!w->name[0]) snprintf(b, sizeof b, "wall number %u", r->overlap_b + 1);
    } else {
        grain_name(world, r->overlap_b, b, sizeof b);
    }
    ergi_fail(err, ERG_BAD_PHYSICS,
              "step %llu, t = %.6g s: %s and %s overlap by %.3g of a radius, the limit is %g; %s",
              (unsigned long long)world->clock.steps + (dt > 0), world->clock.time + dt, a, b,
              r->overlap_ratio, world->def.max_overlap, likely_cause(world));
    return true;
}

bool ergi_dem_is_unphysical(const erg_world *world, double dt, erg_error *err)
{
    return too_fast(world, dt, err) || ergi_dem_too_deep(world, dt, err);
}
