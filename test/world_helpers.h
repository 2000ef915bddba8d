// Small worlds for tests of the engine: every call must succeed, or the program prints the error
// and exits.
#ifndef ERG_WORLD_HELPERS_H
#define ERG_WORLD_HELPERS_H

#include "base/random.h"
#include "check.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "world/world.h"

#include <float.h>
#include <stdlib.h>

static inline void must(erg_status status, const erg_error *err)
{
    if (status == ERG_OK) return;
    printf("    unexpected: %s\n", err->text);
    printf("0 passed, 1 failed\n");
    exit(1);
}

static inline erg_world *new_world(const erg_world_def *def)
{
    erg_world *world = NULL;
    erg_error  err;
    must(erg_world_create(def, &world, &err), &err);
    return world;
}

// Without gravity, on one thread.
static inline erg_world_def space_def(erg_precision precision)
{
    erg_world_def def = erg_world_def_default();
    def.gravity = (erg_vec3){0, 0, 0};
    def.precision = precision;
    def.threads = 1;
    return def;
}

static inline erg_id new_material(erg_world *world, const erg_material_def *def)
{
    erg_error err;
    erg_id    id = 0;
    must(erg_world_add_material(world, def, &id, &err), &err);
    return id;
}

static inline erg_id new_sand(erg_world *world, double restitution, double friction)
{
    erg_material_def def = erg_material_def_default();
    def.restitution = restitution;
    def.friction = friction;
    return new_material(world, &def);
}

static inline erg_id new_kind(erg_world *world, erg_shape shape, erg_id material)
{
    erg_error     err;
    erg_grain_def def = erg_grain_def_default();
    erg_id        id = 0;
    def.shape = shape;
    def.material = material;
    must(erg_world_add_grain_kind(world, &def, &id, &err), &err);
    return id;
}

static inline erg_id new_mixed_kind(erg_world *world, erg_shape shape, erg_id material,
                                    double least, double most)
{
    erg_error     err;
    erg_grain_def def = erg_grain_def_default();
    erg_id        id = 0;
    def.shape = shape;
    def.material = material;
    def.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = least, .max = most};
    must(erg_world_add_grain_kind(world, &def, &id, &err), &err);
    return id;
}

static inline erg_id new_wall(erg_world *world, const erg_wall_def *def)
{
    erg_error err;
    erg_id    id = 0;
    must(erg_world_add_wall(world, def, &id, &err), &err);
    return id;
}

// The plane z = 0.
static inline erg_wall_def floor_def(erg_id material)
{
    erg_wall_def def = erg_wall_def_default(ERG_WALL_PLANE);
    def.material = material;
    return def;
}

static inline erg_wall_def box_def(erg_id material, erg_vec3 min, erg_vec3 max, uint32_t open)
{
    erg_wall_def def = erg_wall_def_default(ERG_WALL_BOX);
    def.material = material;
    def.box.min = min;
    def.box.max = max;
    def.box.open = open;
    return def;
}

static inline erg_region box_region(erg_vec3 a, erg_vec3 b)
{
    return (erg_region){.shape = ERG_REGION_BOX, .a = a, .b = b};
}

static inline uint64_t fill_box(erg_world *world, erg_id kind, uint64_t count, erg_vec3 a,
                                erg_vec3 b)
{
    erg_error    err;
    uint64_t     placed = 0;
    erg_fill_def def = erg_fill_def_default();
    def.grain = kind;
    def.count = count;
    def.region = box_region(a, b);
    must(erg_world_fill(world, &def, &placed, &err), &err);
    return placed;
}

static inline erg_gid new_grain(erg_world *world, erg_id kind, erg_vec3 position, erg_vec3 velocity,
                                erg_vec3 spin)
{
    erg_error  err;
    erg_gid    id = 0;
    erg_grains grains = {
        .kind = kind, .count = 1, .position = &position, .velocity = &velocity, .spin = &spin};
    must(erg_world_add_grains(world, &grains, &id, &err), &err);
    return id;
}

static inline void step(erg_world *world, uint64_t steps)
{
    erg_error err;
    must(erg_world_step(world, steps, &err), &err);
}

static inline void run_until(erg_world *world, double time)
{
    erg_error err;
    must(erg_world_run(world, time, NULL, NULL, &err), &err);
}

static inline void prepare(erg_world *world)
{
    erg_error err;
    must(erg_world_prepare(world, &err), &err);
}

static inline void command(erg_world *world, erg_command c)
{
    erg_error err;
    must(erg_world_command(world, &c, &err), &err);
}

static inline erg_vec3 read3(const erg_world *world, erg_field field, erg_gid id)
{
    erg_error err;
    erg_vec3  v;
    must(erg_world_read(world, field, &id, 1, &v, &err), &err);
    return v;
}

static inline erg_quat read_orientation(const erg_world *world, erg_gid id)
{
    erg_error err;
    erg_quat  q;
    must(erg_world_read(world, ERG_FIELD_ORIENTATION, &id, 1, &q, &err), &err);
    return q;
}

static inline void write3(erg_world *world, erg_field field, erg_gid id, erg_vec3 v)
{
    erg_error err;
    must(erg_world_write(world, field, &id, 1, &v, &err), &err);
}

static inline erg_stats stats_of(const erg_world *world)
{
    erg_error err;
    erg_stats s;
    must(erg_world_stats(world, &s, &err), &err);
    return s;
}

static inline double energy_of(const erg_world *world)
{
    erg_stats s = stats_of(world);
    return s.kinetic + s.rotational + s.potential + s.elastic;
}

// Momentum, angular momentum about the origin, and the sums of the magnitudes of their terms,
// relative to which rounding is measured.
typedef struct totals {
    erg_vec3 p, l;
    double   p_size, l_size;
} totals;

static inline totals totals_of(const erg_world *world)
{
    totals    t = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    ergi_type real = ergi_world_real(world);
    for (size_t i = 0; i < world->grains.rows; i++) {
        const double *x = ERGI_GRAIN(world, POSITION, double) + 4 * i;
        const double *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i;
        double        v[3], w[3];
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_VELOCITY, v);
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_SPIN, w);
        double m = ergi_grain_mass(world, (erg_index)i), inertia[3];
        ergi_grain_inertia(world, (erg_index)i, inertia);
        erg_vec3 at = {x[0], x[1], x[2]};
        erg_vec3 u = {v[0], v[1], v[2]}, spin = {w[0], w[1], w[2]};
        erg_quat q = {o[0], o[1], o[2], o[3]};
        erg_vec3 b = ergi_quat_unrotate(q, spin);
        b = (erg_vec3){inertia[0] * b.x, inertia[1] * b.y, inertia[2] * b.z};
        erg_vec3 own = ergi_quat_rotate(q, b), orbit = ergi_scale(ergi_cross(at, u), m);
        t.p = ergi_madd(t.p, m, u);
        t.l = ergi_add(t.l, ergi_add(own, orbit));
        t.p_size += m * ergi_norm(u);
        t.l_size += m * ergi_norm(at) * ergi_norm(u) + ergi_norm(own);
    }
    return t;
}

// side^3 grains around the origin, `spacing` apart, with random velocities and towards the centre,
// so that they collide.
static inline void add_cloud(erg_world *world, erg_id kind, int side, double spacing, double speed,
                             double spin)
{
    for (int k = 0; k < side * side * side; k++) {
        ergi_random r = {.seed = 7, .id = (uint64_t)k};
        erg_vec3    at = {k % side - 0.5 * (side - 1), k / side % side - 0.5 * (side - 1),
                          k / side / side - 0.5 * (side - 1)};
        at = ergi_madd(ergi_scale(at, spacing), 0.1 * spacing, ergi_random_in_ball(&r));
        erg_vec3 v =
            ergi_madd(ergi_scale(at, -speed / (spacing * side)), speed, ergi_random_in_ball(&r));
        erg_vec3   w = ergi_scale(ergi_random_in_ball(&r), spin);
        erg_quat   q = ergi_random_rotation(&r);
        erg_error  err;
        erg_grains g = {.kind = kind,
                        .count = 1,
                        .position = &at,
                        .orientation = &q,
                        .velocity = &v,
                        .spin = &w};
        must(erg_world_add_grains(world, &g, NULL, &err), &err);
    }
}

#endif
