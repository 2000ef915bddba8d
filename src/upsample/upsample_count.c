// How many fine particles there will be: as many per volume of grains, whether the grains are there
// when the particles are created or come later from emitters.
#include "base/error.h"
#include "base/random.h"
#include "geom/vec3.h"
#include "upsample/upsample.h"
#include "world/sources.h"

enum { STREAM = 0xf19f, SAMPLES = 4096 };

// Share of the grains of an emitter that are inside upsample.region when they get particles: up to
// one frame after their release.
static double share_in_region(const erg_world *world, size_t number)
{
    const ergi_upsample *u = world->upsample;
    const ergi_emitter  *e = &world->emitter[number];
    const double        *g = world->clock.gravity;
    size_t               tried = 0, inside = 0;
    if (!u->def.region) return 1;
    for (uint64_t k = 0; k < SAMPLES; k++) {
        ergi_random random = {.seed = world->def.seed, .stream = STREAM, .id = number, .step = k};
        erg_vec3    p;
        if (!ergi_region_draw(&e->region, 0, &random, &p) || !ergi_region_contains(&e->region, p))
            continue;
        double   age = ergi_random_uniform(&random) / ERGI_FINE_RATE;
        erg_vec3 v = ergi_madd(e->velocity, e->spread, ergi_random_in_ball(&random));
        v = ergi_madd(v, 0.5 * age, ergi_vec3(g[0], g[1], g[2]));
        inside += ergi_region_contains(&u->region, ergi_madd(p, age, v));
        tried++;
    }
    return tried ? (double)inside / (double)tried : 0;
}

double ergi_upsample_volume_to_come(const erg_world *world)
{
    double volume = 0, until = world->upsample->def.until;
    for (size_t k = 0; k < world->emitters; k++) {
        const ergi_kind *kind = &world->kind[world->emitter[k].kind];
        double           given = (double)world->emitter_state[k].given;
        double           more = ergi_sources_expected(world, k, until) - given;
        double           share = more > 0 ? share_in_region(world, k) : 0;
        if (share > 0) // infinitely many times 0 is no number
            volume += more * share * kind->shape.volume * ergi_sizes_mean_cube(&kind->sizes);
    }
    return volume;
}

double ergi_upsample_density(const erg_world *world, double radius)
{
    uint64_t count = world->upsample->def.count;
    double   volume = count ? ergi_upsample_volume(world) + ergi_upsample_volume_to_come(world) : 0;
    if (volume > 0) return (double)count / volume;
    return 1 / (4.0 / 3 * ERGI_PI * pow(radius, 3));
}

size_t ergi_upsample_expected(const erg_world *world)
{
    const ergi_upsample *u = world->upsample;
    double               radius = u->def.ratio * ergi_upsample_mean_radius(world);
    double volume = ergi_upsample_volume(world), more = ergi_upsample_volume_to_come(world);
    if (!(radius > 0) || !(volume + more > 0)) return 0;
    if (u->def.count) return (size_t)u->def.count;
    if (isfinite(more)) volume += more;
    return (size_t)fmin(rint(volume * ergi_upsample_density(world, radius)), 1e18);
}

erg_status ergi_upsample_check_count(const erg_world *world, erg_error *err)
{
    const erg_upsample_def *def = &world->upsample->def;
    if (!def->count) return ERG_OK;
    if (world->terrain)
        return ergi_fail_at(err, "upsample.count", ERG_ERROR_CONFLICT,
                            "upsampling: count needs the number of grains, which is unknown on a "
                            "terrain, as its columns become grains: use ratio instead");
    for (size_t k = 0; k < world->emitters && isinf(def->until); k++) {
        const ergi_emitter *e = &world->emitter[k];
        if (!e->limit && isinf(e->stop))
            return ergi_fail_at(err, "upsample.count", ERG_ERROR_CONFLICT,
                                "upsampling: count needs the number of grains, which is unknown "
                                "as emitter number %zu has no end: give it a limit or a stop, or "
                                "use ratio instead",
                                k + 1);
    }
    return ERG_OK;
}
