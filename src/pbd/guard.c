// Guards: reject a substep in which a grain has a velocity that is not finite or too high.
#include <math.h>

#include "base/error.h"
#include "pbd/pbd.h"

static bool tell(const erg_world *world, size_t i, double dt, const char *what, erg_error *err)
{
    const double *x = ERGI_GRAIN(world, POSITION, double) + 4 * i;
    double        v[3], spin[3];
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_VELOCITY, v);
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_SPIN, spin);
    ergi_fail(err, ERG_BAD_PHYSICS,
              "step %llu, t = %.6g s: grain %llu at (%.4g, %.4g, %.4g) m %s (%.3g, %.3g, %.3g) m/s "
              "and (%.3g, %.3g, %.3g) rad/s",
              (unsigned long long)world->clock.steps + 1, world->clock.time + dt,
              (unsigned long long)ERGI_GRAIN(world, ID, uint64_t)[i], x[0], x[1], x[2], what, v[0],
              v[1], v[2], spin[0], spin[1], spin[2]);
    return true;
}

bool ergi_pbd_find_bad_grain(const erg_world *world, double dt, erg_error *err)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    double          limit = ERGI_PBD_MAX_DISPLACEMENT * pbd->radius / dt;
    for (size_t c = 0; c < pbd->chunks; c++) {
        if (!pbd->report[c].bad) continue;
        for (size_t i = c * ERGI_PBD_CHUNK; i < world->grains.rows; i++) {
            double v[3], spin[3];
            ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i,
                      ERGI_VELOCITY, v);
            ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_SPIN,
                      spin);
            if (!isfinite(v[0] + v[1] + v[2] + spin[0] + spin[1] + spin[2]))
                return tell(world, i, dt, "has no number for a velocity:", err);
            if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= limit * limit))
                return tell(world, i, dt,
                            "goes farther than four diameters in one substep, too far for its "
                            "contacts to be found, with",
                            err);
        }
    }
    return false;
}
