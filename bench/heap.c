#include "heap.h"

#include "fail.h"

#include <math.h>
#include <stdlib.h>

static const double RATE = 2000; // grains per second
static const double SPEED = 1;   // at which they leave the spout [m/s]
static const double SPOUT = 4;   // its radius [diameters]
static const double GRAVITY = 9.81;

// E of DEM. It is soft, for a long time step: at the bottom of the heap grains overlap by 1 % of
// their diameter.
static const double YOUNG = 5e6; // [Pa]

double heap_pouring(const heap_def *def)
{
    return (double)def->count / RATE;
}

// ---- Building ----------------------------------------------------------------------------------
static erg_status add_floor(erg_world *world, erg_id material, erg_error *err)
{
    erg_wall_def floor = erg_wall_def_default(ERG_WALL_PLANE);
    floor.material = material;
    floor.rough = (erg_rough){.spacing = 1.1 * HEAP_DIAMETER, .radius = 0.5 * HEAP_DIAMETER};
    return erg_world_add_wall(world, &floor, NULL, err);
}

// The spout is just above the top of a heap with a slope of 35 degrees.
static erg_status add_spout(erg_world *world, const heap_def *def, erg_id kind, erg_error *err)
{
    erg_emitter_def spout = erg_emitter_def_default();
    double          top = 0.74 * cbrt((double)def->count) * HEAP_DIAMETER;
    spout.grain = kind;
    spout.region = (erg_region){.shape = ERG_REGION_CYLINDER,
                                .a = {0, 0, top},
                                .b = {0, 0, top + 6 * HEAP_DIAMETER},
                                .radius = SPOUT * HEAP_DIAMETER};
    spout.rate = RATE;
    spout.velocity.z = -SPEED;
    spout.spread = 0.05;
    spout.limit = def->count;
    return erg_world_add_emitter(world, &spout, NULL, err);
}

erg_status heap_build(const heap_def *def, erg_world **world, erg_error *err)
{
    erg_world_def    setting = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    erg_id           kind;
    setting.solver = def->solver;
    setting.threads = def->threads;
    setting.fixed_threads = true;
    setting.seed = def->seed;
    setting.speed = 2 * SPEED;
    sand.young = YOUNG;
    sand.friction = def->friction;
    sand.rolling = def->rolling;
    sand.restitution = def->restitution;
    grain.sizes = (erg_sizes){
        .law = ERG_SIZE_UNIFORM, .min = 0.45 * HEAP_DIAMETER, .max = 0.55 * HEAP_DIAMETER};
    erg_status status = erg_world_create(&setting, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &grain.material, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(*world, &grain, &kind, err);
    if (status == ERG_OK) status = add_floor(*world, grain.material, err);
    return status == ERG_OK ? add_spout(*world, def, kind, err) : status;
}

erg_status heap_pour(const heap_def *def, double rest, erg_world **world, erg_error *err)
{
    erg_status status = heap_build(def, world, err);
    if (status == ERG_OK) status = erg_world_run(*world, heap_pouring(def) + rest, NULL, NULL, err);
    if (status == ERG_OK && erg_world_grain_count(*world) != def->count)
        status = cli_fail(err, ERG_BAD_PHYSICS, "%zu of %llu grains were poured",
                          erg_world_grain_count(*world), (unsigned long long)def->count);
    return status;
}

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status measure_angle(const erg_world *world, double *angle, erg_error *err)
{
    erg_probe_def def = erg_probe_def_default();
    erg_probes   *probes = NULL;
    def.name = "heap";
    def.kind = ERG_PROBE_REPOSE;
    erg_status status = erg_probes_create(&def, 1, world, &probes, err);
    if (status == ERG_OK) status = erg_probes_read(probes, world, angle, err);
    erg_probes_destroy(probes);
    return status;
}

erg_status heap_measure(const erg_world *world, heap_shape *shape, erg_error *err)
{
    erg_stats  s;
    erg_status status = measure_angle(world, &shape->angle, err);
    if (status == ERG_OK) status = erg_world_stats(world, &s, err);
    if (status != ERG_OK) return status;
    double unit = s.mass * GRAVITY * HEAP_DIAMETER;
    shape->height = s.potential / unit; // the floor is at z = 0
    shape->kinetic = (s.kinetic + s.rotational) / unit;
    return ERG_OK;
}
