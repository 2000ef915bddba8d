// Checks that data read from a checkpoint is a valid DEM state: plain data, classes, spheres.
#include <math.h>
#include <string.h>

#include "dem/dem_solver.h"
#include "dem/step.h"
#include "world/grains.h"

// Tolerance for derived values: the same code computed them, perhaps on another machine.
#define ROUNDING 1e-6

static bool near(double value, double wanted)
{
    return fabs(value - wanted) <= ROUNDING * fabs(wanted);
}

static bool all_finite(const double *value, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(value[k])) return false;
    return true;
}

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

// ---- Plain data --------------------------------------------------------------------------------
static erg_status check_time(const erg_world *world, const ergi_dem_state *l, const ergi_clock *c,
                             erg_error *err)
{
    double expected = ergi_dem_of(world)->state.contact_time;
    if (!(is_positive(l->contact_time) && l->contact_time <= 1e3 * expected &&
          l->contact_time >= 1e-3 * expected))
        return ergi_load_misfit(err, "the shortest contact time is %g s, expected about %g s",
                                l->contact_time, expected);
    double least = world->def.dt > 0 ? 0 : 1e-9 * l->contact_time; // a given dt has no lower limit
    if (!(c->dt > least && c->dt <= (0.1 + ROUNDING) * l->contact_time))
        return ergi_load_misfit(err, "dt is %g s with a shortest contact time of %g s", c->dt,
                                l->contact_time);
    return ERG_OK;
}

static erg_status check_plain(const erg_world *world, const ergi_dem_state *l, const ergi_clock *c,
                              erg_error *err)
{
    if (l->single > 1 || l->class_per_material > 1)
        return ergi_load_misfit(err, "dem/state holds a flag that is neither 0 nor 1");
    const double sum[] = {l->wall_power, l->body_energy, l->extent};
    if (!all_finite(sum, sizeof sum / sizeof *sum) || l->extent < 0)
        return ergi_load_misfit(err, "dem/state holds a sum that is not finite or below 0");
    double most = 2 * ergi_dem_largest_skin(world) * (1 + ROUNDING);
    if (!is_positive(l->skin) || (!c->dirty && l->skin > most))
        return ergi_load_misfit(err, "the skin is %g m, expected at most %g m", l->skin, most);
    return check_time(world, l, c, err);
}

static erg_status check_wall_skins(const erg_world *world, const ergi_loaded *loaded,
                                   erg_error *err)
{
    const ergi_wall_state *state = ergi_loaded_plain(loaded, "world/walls");
    double most = world->def.skin > 0 ? 0.5 * world->def.skin : ergi_dem_of(world)->skin_scale;
    for (size_t w = 0; w < world->walls; w++)
        if (!(state[w].list_skin <= most * (1 + ROUNDING)))
            return ergi_load_misfit(err, "the lists of wall %zu are for another position", w + 1);
    return ERG_OK;
}

// ---- Spheres -----------------------------------------------------------------------------------
static erg_status check_classes(const erg_world *world, const ergi_dem_state *l, erg_error *err)
{
    const ergi_dem *dem = ergi_dem_of(world);
    if (l->classes > ERGI_MAX_CLASSES)
        return ergi_load_misfit(err, "%llu classes of spheres", (unsigned long long)l->classes);
    for (size_t c = 0; c < l->classes; c++) {
        const ergi_class *k = &l->klass[c];
        if (k->material >= world->materials || !is_positive(k->radius) || !is_positive(k->mass) ||
            2 * k->radius > dem->largest_diameter * (1 + ROUNDING))
            return ergi_load_misfit(err, "class %zu has material %u, radius %g m and mass %g kg", c,
                                    k->material, k->radius, k->mass);
    }
    return ERG_OK;
}

static bool class_fits(const ergi_dem_state *l, uint32_t klass, const ergi_kind *kind,
                       double radius, double mass)
{
    if (l->class_per_material) return klass == kind->material;
    if (klass >= l->classes) return false;
    const ergi_class *c = &l->klass[klass];
    return c->material == kind->material && near(c->radius, radius) && near(c->mass, mass);
}

// Checks the fixed-point position and 1/skin of a sphere at the list build.
static bool reference_fits(const erg_world *world, const ergi_table *t, size_t s)
{
    const ergi_dem *dem = ergi_dem_of(world);
    double          inverse;
    if (ergi_world_real(world) == ERGI_F64) {
        const double *r = (const double *)t->data[ERGI_SPHERE_REFERENCE] + 4 * s;
        if (!all_finite(r, 3)) return false;
        inverse = r[3];
    } else {
        float bits;
        memcpy(&bits, (const uint32_t *)t->data[ERGI_SPHERE_REFERENCE] + 4 * s + 3, sizeof bits);
        inverse = (double)bits * dem->fixed_point.inverse[3];
    }
    return is_positive(inverse) && 1 / inverse <= ergi_dem_largest_skin(world) * (1 + 1e-5);
}

static erg_status check_spheres(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *grains = ergi_loaded_table(loaded, "grains"),
                     *t = ergi_loaded_table(loaded, "spheres");
    const ergi_dem_state *l = ergi_loaded_plain(loaded, "dem/state");
    const ergi_clock     *clock = ergi_loaded_plain(loaded, "world/clock");
    const erg_index      *listed = ergi_loaded_plain(loaded, "dem/listed");
    const uint32_t *kind = grains->data[ERGI_GRAIN_KIND], *first = grains->data[ERGI_GRAIN_FIRST],
                   *klass = t->data[ERGI_SPHERE_CLASS], *grain = t->data[ERGI_SPHERE_GRAIN];
    const double *size = grains->data[ERGI_GRAIN_SIZE];
    size_t        s = 0;
    bool          single = true;
    if (grains->rows < l->listed_grains || (!clock->dirty && grains->rows != l->listed_grains))
        return ergi_load_misfit(err, "%llu of %zu grains are in lists",
                                (unsigned long long)l->listed_grains, grains->rows);
    if (*listed < 0 || t->rows != (size_t)*listed || t->rows > ERGI_MOST_SPHERES)
        return ergi_load_misfit(err, "%zu spheres, %lld of them in lists", t->rows,
                                (long long)*listed);
    for (size_t i = 0; i < l->listed_grains; i++) {
        const ergi_kind *k = &world->kind[kind[i]];
        double           mass = ergi_kind_mass(k, size[i]);
        single = single && k->shape.is_sphere;
        if (first[i] != s || s + (size_t)k->shape.count > t->rows)
            return ergi_load_misfit(err, "grain %zu begins with sphere %u, expected %zu", i,
                                    first[i], s);
        for (int p = 0; p < k->shape.count; p++, s++)
            if (!class_fits(l, klass[s], k, size[i] * k->shape.radius[p], mass) ||
                (grain && grain[s] != i) || (!clock->dirty && !reference_fits(world, t, s)))
                return ergi_load_misfit(err, "sphere %zu is not one of grain %zu", s, i);
    }
    if (s != t->rows || single != (l->single != 0))
        return ergi_load_misfit(err, "%zu spheres of %llu grains", t->rows,
                                (unsigned long long)l->listed_grains);
    return ERG_OK;
}

erg_status ergi_dem_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_dem_state *l = ergi_loaded_plain(loaded, "dem/state");
    const ergi_clock     *clock = ergi_loaded_plain(loaded, "world/clock");
    erg_status            status = check_plain(world, l, clock, err);
    if (status == ERG_OK) status = check_wall_skins(world, loaded, err);
    if (status == ERG_OK) status = check_classes(world, l, err);
    if (status == ERG_OK) status = check_spheres(world, loaded, err);
    return status == ERG_OK ? ergi_dem_check_lists(world, loaded, err) : status;
}
