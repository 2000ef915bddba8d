// Small worlds in which columns wake and grains sleep, for tests.
#ifndef ERG_HYBRID_WORLDS_H
#define ERG_HYBRID_WORLDS_H

#include "erg/terrain.h"
#include "terrain/terrain.h"
#include "world_helpers.h"

#define HYBRID_D 0.01                 // largest diameter [m]
#define HYBRID_DEPTH (6.0 * HYBRID_D) // of the columns [m]

typedef enum hybrid_tool { HYBRID_NONE, HYBRID_STIRS, HYBRID_HOVERS, HYBRID_POUR } hybrid_tool;

typedef struct hybrid_def {
    erg_solver    solver;
    erg_precision precision;
    hybrid_tool   tool;
    int           threads;
    double        half; // of the width; 0: as it needs [d]
} hybrid_def;

static inline void add_hybrid_tool(erg_world *world, erg_id sand, hybrid_tool kind)
{
    const double d = HYBRID_D;
    erg_wall_def tool = erg_wall_def_default(ERG_WALL_SPHERE);
    tool.material = sand;
    tool.side = ERG_SIDE_OUTSIDE;
    tool.sphere.radius = 1.5 * d;
    tool.motion_count = 1;
    tool.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    tool.motion[0].velocity.x = 0.4;
    if (kind == HYBRID_HOVERS) { // close to the surface, touches nothing
        tool.sphere.centre = (erg_vec3){-6 * d, 0, HYBRID_DEPTH + (1.5 + 1.2) * d};
        tool.motion[0].velocity.x = 0.3;
        tool.motion[0].stop = 0.1;
    } else { // through it, and out again
        tool.sphere.centre = (erg_vec3){-4 * d, 0, HYBRID_DEPTH + 2 * d};
        tool.motion[0].velocity.z = -0.2;
        tool.motion[0].stop = 0.15;
        tool.motion[1] = erg_motion_def_default(ERG_MOTION_VELOCITY);
        tool.motion[1].velocity.z = 0.4;
        tool.motion[1].start = 0.15;
        tool.motion[1].stop = 0.35;
        tool.motion_count = 2;
    }
    new_wall(world, &tool);
}

// Pours 600 grains onto a plate with hardly any sand.
static inline void add_hybrid_pour(erg_world *world, erg_id kind)
{
    const double    d = HYBRID_D;
    erg_error       err;
    erg_emitter_def spout = erg_emitter_def_default();
    spout.grain = kind;
    spout.region = box_region((erg_vec3){-3 * d, -3 * d, 12 * d}, (erg_vec3){3 * d, 3 * d, 17 * d});
    spout.rate = 2000;
    spout.velocity.z = -0.5;
    spout.limit = 600;
    must(erg_world_add_emitter(world, &spout, NULL, &err), &err);
}

// A box with columns, without sand for a pour. What hovers is far from its walls.
static inline erg_world *hybrid_world(const hybrid_def *of)
{
    const double d = HYBRID_D, half = (of->half > 0                ? of->half
                                       : of->tool == HYBRID_HOVERS ? 16
                                                                   : 6) *
                                      d;
    erg_error        err;
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_terrain_def  t = erg_terrain_def_default();
    def.solver = of->solver;
    def.precision = of->precision;
    def.threads = of->threads ? of->threads : 1;
    def.fixed_threads = true;
    def.speed = 1;
    m.young = 5e6;
    m.rolling = 0.1;
    m.restitution = 0.3;
    erg_world *world = new_world(&def);
    erg_id     sand = new_material(world, &m),
           kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.4 * d, 0.5 * d);
    erg_wall_def box =
        box_def(sand, (erg_vec3){-half, -half, 0}, (erg_vec3){half, half, 40 * d}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    t.material = sand;
    t.grain = kind;
    t.spacing = 2 * d;
    t.height = of->tool == HYBRID_POUR ? 1e-6 * d : HYBRID_DEPTH;
    t.lower[0] = t.lower[1] = -half;
    t.upper[0] = t.upper[1] = half;
    must(erg_world_set_terrain(world, &t, &err), &err);
    if (of->tool == HYBRID_POUR)
        add_hybrid_pour(world, kind);
    else if (of->tool != HYBRID_NONE)
        add_hybrid_tool(world, sand, of->tool);
    return world;
}

static inline erg_terrain_stats terrain_of(const erg_world *world)
{
    erg_error         err;
    erg_terrain_stats s;
    must(erg_world_terrain_stats(world, &s, &err), &err);
    return s;
}

// What the columns hold is what the account of the terrain says, and none is above its highest.
static inline void check_columns(const erg_world *world)
{
    const ergi_terrain *t = world->terrain;
    ergi_u128           sand = ergi_columns_sand(&t->columns, &world->threads);
    CHECK(ergi_u128_equal(sand, t->clock.sand));
    uint64_t most = 0;
    for (size_t k = 0; k < t->columns.table.rows; k++)
        if (ergi_columns_height(&t->columns)[k] > most) most = ergi_columns_height(&t->columns)[k];
    CHECK(ergi_columns_z(&t->columns, most) <= t->field.high);
}

// Of grains, frozen grains and columns [kg].
static inline double hybrid_mass(const erg_world *world)
{
    check_columns(world);
    erg_terrain_stats t = terrain_of(world);
    return stats_of(world).mass + t.frozen_mass + t.column_mass;
}

static inline double hybrid_scale(void) // sqrt(g d) [m/s]
{
    return sqrt(9.81 * HYBRID_D);
}

#endif
