// Validates the fine particles of a checkpoint: a damaged file must not crash a run.
#include <math.h>
#include <stdlib.h>

#include "upsample/upsample.h"

// Bounds of the fixed-point positions: with these, no conversion overflows [m].
static const double LEAST_STEP = 1e-24, MOST_STEP = 1e12, MOST_ORIGIN = 1e24;

// Tolerance for derived values, which may have been computed on another machine.
#define ROUNDING 1e-6

// The radius is `ratio` times a mean over the spheres of grains, so it is between those of the
// smallest and the largest sphere.
static bool radius_fits(const erg_world *world, double radius)
{
    double smallest = HUGE_VAL, largest = 0, ratio = world->upsample->def.ratio;
    for (size_t k = 0; k < world->kinds - world->ball_kinds; k++) {
        const ergi_kind *kind = &world->kind[k];
        double           least, most;
        ergi_sizes_range(&kind->sizes, &least, &most);
        smallest = fmin(smallest, least * kind->shape.smallest_radius);
        largest = fmax(largest, most * kind->shape.largest_radius);
    }
    return radius >= ratio * smallest * (1 - ROUNDING) &&
           radius <= ratio * largest * (1 + ROUNDING);
}

// The density is that of particles of the mean radius or, with a count, the count over the volume
// of at least one grain and at most as many as can be counted.
static bool density_fits(const erg_world *world, const ergi_upsample_clock *c)
{
    double own = c->density * 4.0 / 3 * ERGI_PI * pow(c->radius, 3), smallest = HUGE_VAL,
           largest = 0;
    double count = (double)world->upsample->def.count;
    if (fabs(own - 1) <= ROUNDING) return true;
    for (size_t k = 0; k < world->kinds - world->ball_kinds; k++) {
        const ergi_kind *kind = &world->kind[k];
        double           least, most;
        ergi_sizes_range(&kind->sizes, &least, &most);
        smallest = fmin(smallest, pow(least, 3) * kind->shape.volume);
        largest = fmax(largest, pow(most, 3) * kind->shape.volume);
    }
    return count > 0 && c->density * smallest <= count * (1 + ROUNDING) &&
           c->density * largest * 0x1p53 >= count;
}

static erg_status check_clock(const erg_world *world, const ergi_upsample_clock *c,
                              const ergi_clock *now, erg_error *err)
{
    double frames = floor(now->time * ERGI_FINE_RATE * (1 + 1e-12));
    if (c->started > 1 || c->zero != 0 || (double)c->frames > frames + 1 ||
        (double)c->frames < frames - 1 || c->next_grain > now->next_id)
        return ergi_load_misfit(err, "fine particles have made %llu steps in %g s",
                                (unsigned long long)c->frames, now->time);
    if (c->unsorted > 1)
        return ergi_load_misfit(err, "fine particles are to be sorted %llu times",
                                (unsigned long long)c->unsorted);
    if (!c->started) return ERG_OK;
    if (!radius_fits(world, c->radius) || !density_fits(world, c))
        return ergi_load_misfit(err, "fine particles have a radius of %g m, %g per m^3", c->radius,
                                c->density);
    for (int a = 0; a < 3; a++) {
        bool   periodic = world->space.period[a] > 0;
        double origin = c->lattice.origin[a], step = c->lattice.step[a];
        if (c->lattice.periodic[a] != periodic || !(fabs(origin) < MOST_ORIGIN) ||
            !(step > LEAST_STEP && step < MOST_STEP) ||
            (periodic &&
             (step != world->space.period[a] / 4294967296.0 || origin != world->space.lower[a])))
            return ergi_load_misfit(err, "the lattice of the fine particles has steps of %g m",
                                    c->lattice.step[a]);
    }
    return ERG_OK;
}

static erg_status check_rows(const erg_world *world, const ergi_table *fine,
                             const ergi_upsample_clock *c, erg_error *err)
{
    const uint64_t *id = fine->data[ERGI_FINE_ID];
    const uint8_t  *material = fine->data[ERGI_FINE_MATERIAL];
    if (!c->started && fine->rows)
        return ergi_load_misfit(err, "there are %zu fine particles before their start", fine->rows);
    if (c->next_id == 0 || fine->rows + c->taken + c->lost != c->next_id - 1)
        return ergi_load_misfit(err, "of %llu fine particles %zu are left",
                                (unsigned long long)(c->next_id - 1), fine->rows);
    for (size_t i = 0; i < fine->rows; i++)
        if (id[i] == 0 || id[i] >= c->next_id)
            return ergi_load_misfit(err, "fine particle %zu has the id %llu", i,
                                    (unsigned long long)id[i]);
    for (size_t i = 0; i < fine->rows; i++)
        if (material[i] < 1 || material[i] > world->materials)
            return ergi_load_misfit(err, "fine particle %zu is of material %u", i, material[i]);
    for (int a = ERGI_FINE_X; a <= ERGI_FINE_Z; a++)
        for (size_t i = 0; i < fine->rows && !c->lattice.periodic[a - ERGI_FINE_X]; i++)
            if (llabs((int32_t)((const uint32_t *)fine->data[a])[i]) > ERGI_FINE_REACH)
                return ergi_load_misfit(err, "fine particle %zu is outside the range of positions",
                                        i);
    for (int a = ERGI_FINE_VX; a <= ERGI_FINE_VZ; a++)
        for (size_t i = 0; i < fine->rows; i++)
            if (!isfinite(((const float *)fine->data[a])[i]))
                return ergi_load_misfit(err, "fine particle %zu has no velocity", i);
    return ERG_OK;
}

static erg_status check_before(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *before = ergi_loaded_table(loaded, "fine_grains");
    const ergi_pose  *pose = ergi_loaded_plain(loaded, "upsample/walls");
    if (before->rows != ergi_loaded_table(loaded, "grains")->rows)
        return ergi_load_misfit(err, "fine particles follow %zu grains, which do not exist",
                                before->rows);
    for (size_t i = 0; i < 3 * before->rows; i++)
        if (!isfinite(((const double *)before->data[0])[i]))
            return ergi_load_misfit(err, "grain %zu has a previous pose that is not finite", i / 3);
    for (size_t i = 0; i < 4 * before->rows; i++)
        if (!(fabs(((const double *)before->data[1])[i]) < 2))
            return ergi_load_misfit(err, "grain %zu has a previous pose that is not finite", i / 4);
    for (size_t w = 0; w < world->upsample->poses; w++) {
        const ergi_pose *p = &pose[w];
        double           sum = fabs(p->position.x) + fabs(p->position.y) + fabs(p->position.z) +
                     fabs(p->rotation.x) + fabs(p->rotation.y) + fabs(p->rotation.z) +
                     fabs(p->rotation.w);
        if (!isfinite(sum))
            return ergi_load_misfit(err, "wall %zu has a previous pose that is not finite", w + 1);
    }
    return ERG_OK;
}

erg_status ergi_upsample_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    if (!world->upsample) return ERG_OK;
    const ergi_upsample_clock *c = ergi_loaded_plain(loaded, "upsample/clock");
    erg_status status = check_clock(world, c, ergi_loaded_plain(loaded, "world/clock"), err);
    if (status == ERG_OK) status = check_rows(world, ergi_loaded_table(loaded, "fine"), c, err);
    return status == ERG_OK ? check_before(world, loaded, err) : status;
}
