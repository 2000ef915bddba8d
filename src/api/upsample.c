// Fine particles: definition, counts and read access.
#include "erg/upsample.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "upsample/upsample.h"
#include "world/fingerprint.h"
#include "world/rollback.h"

erg_upsample_def erg_upsample_def_default(void)
{
    return (erg_upsample_def){.ratio = 0.3,
                              .until = INFINITY,
                              .start = ERG_UPSAMPLE_SETTLED,
                              .c1 = 0.536,
                              .c2 = 0.6,
                              .friction = 0.5};
}

static erg_status refuse(const char *field, const char *wanted, double got, erg_error *err)
{
    return ergi_fail_at(err, field, ergi_code_of(got), "upsampling: %s must be %s, got %g", field,
                        wanted, got);
}

static erg_status check_def(const erg_upsample_def *def, erg_error *err)
{
    if (!(def->ratio >= 0.1 && def->ratio <= 1))
        return refuse("ratio", "between 0.1 and 1", def->ratio, err);
    if (!(def->until >= 0)) return refuse("until", "at least 0 s", def->until, err);
    if (!isfinite(def->start)) return refuse("start", "a time in s", def->start, err);
    if (!(def->c1 >= 0 && def->c1 <= 1)) return refuse("c1", "between 0 and 1", def->c1, err);
    if (!(def->c2 > 0 && def->c2 <= 1)) return refuse("c2", "above 0, at most 1", def->c2, err);
    if (!(def->friction >= 0 && isfinite(def->friction)))
        return refuse("friction", "at least 0", def->friction, err);
    return def->region ? ergi_fail_within(err, ergi_region_check(def->region, err), "region")
                       : ERG_OK;
}

erg_status erg_world_set_upsample(erg_world *world, const erg_upsample_def *def, erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    erg_status status = check_def(def, err);
    if (status != ERG_OK) return status;
    if (world->clock.steps > 0 || world->upsample)
        return ergi_fail_code(err, world->upsample ? ERG_ERROR_CONFLICT : ERG_ERROR_TOO_LATE,
                              "upsampling is set once, before the first step");
    uint64_t fingerprint = ergi_fingerprint_upsample(world->fingerprint, def);
    status = ergi_upsample_create(world, def, err);
    if (status != ERG_OK) return status;
    world->fingerprint = fingerprint;
    world->prepared = false;
    ergi_rollback_free(world->rollback);
    world->rollback = NULL;
    return ERG_OK;
}

bool erg_world_has_upsample(const erg_world *world)
{
    return world && world->upsample;
}

size_t erg_world_fine_count(const erg_world *world)
{
    return world && world->upsample ? world->upsample->fine.rows : 0;
}

size_t erg_world_fine_expected(const erg_world *world)
{
    if (!world || !world->upsample) return 0;
    const ergi_upsample *u = world->upsample;
    if (u->clock.started) return u->fine.rows;
    return ergi_upsample_expected(world);
}

// 0 at a step of the particles, up to rounding.
static double age_of(const erg_world *world)
{
    double step = (double)world->upsample->clock.frames / ERGI_FINE_RATE;
    double age = world->clock.time - step;
    return age > 1e-12 * step ? fmin(age, 1.0 / ERGI_FINE_RATE) : 0;
}

erg_status erg_world_view_fine(const erg_world *world, erg_fine_view *view, erg_error *err)
{
    if (!world || !view) return ergi_fail_null(err, __func__);
    memset(view, 0, sizeof *view);
    const ergi_upsample *u = world->upsample;
    if (!u || u->fine.rows == 0) return ERG_OK;
    ergi_fine_columns c = ergi_upsample_columns(u);
    view->count = c.count;
    view->id = u->fine.data[ERGI_FINE_ID];
    view->material = u->fine.data[ERGI_FINE_MATERIAL];
    view->radius = u->clock.radius;
    view->age = age_of(world);
    for (int a = 0; a < 3; a++) {
        view->place[a] = c.place[a];
        view->velocity[a] = c.velocity[a];
        view->origin[a] = u->clock.lattice.origin[a];
        view->step[a] = u->clock.lattice.step[a];
        view->periodic[a] = u->clock.lattice.periodic[a];
    }
    return ERG_OK;
}

erg_vec3 erg_fine_position(const erg_fine_view *v, size_t k)
{
    double x[3];
    if (!v || k >= v->count) return ergi_vec3(0, 0, 0);
    for (int a = 0; a < 3; a++) {
        uint32_t place = v->place[a][k];
        x[a] =
            v->origin[a] + v->step[a] * (v->periodic[a] ? (double)place : (double)(int32_t)place);
    }
    return ergi_vec3(x[0], x[1], x[2]);
}

erg_vec3 erg_fine_position_now(const erg_fine_view *v, size_t k)
{
    erg_vec3 x = erg_fine_position(v, k);
    if (!v || k >= v->count || !(v->age > 0)) return x;
    return ergi_madd(
        x, v->age,
        ergi_vec3((double)v->velocity[0][k], (double)v->velocity[1][k], (double)v->velocity[2][k]));
}

double erg_fine_radius(const erg_fine_view *v, size_t k)
{
    if (!v || k >= v->count) return 0;
    double u = (double)(ergi_hash_word(0xf19e, v->id[k]) >> 11) * 0x1p-53;
    return v->radius * (0.8 + 0.4 * u);
}

erg_status erg_world_fine_stats(const erg_world *world, erg_fine_stats *stats, erg_error *err)
{
    if (!world || !stats) return ergi_fail_null(err, __func__);
    memset(stats, 0, sizeof *stats);
    if (!world->upsample) return ERG_OK;
    *stats = world->upsample->stats;
    stats->taken = world->upsample->clock.taken;
    stats->lost = world->upsample->clock.lost;
    return ERG_OK;
}
