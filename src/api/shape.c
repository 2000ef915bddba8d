// Describes a world for drawing and measuring: wall surfaces, names, the definition.
#include <math.h>

#include "base/error.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "terrain/terrain.h"
#include "world/walls.h"

size_t erg_world_wall_count(const erg_world *world)
{
    if (!world) return 0;
    return world->walls;
}

static erg_wall_side side_of(ergi_surface_side side)
{
    switch (side) {
    case ERGI_SIDE_INSIDE: return ERG_SIDE_INSIDE;
    case ERGI_SIDE_OUTSIDE: return ERG_SIDE_OUTSIDE;
    case ERGI_SIDE_BOTH: break;
    }
    return ERG_SIDE_BOTH;
}

static erg_surface_kind kind_of(ergi_surface_kind kind)
{
    switch (kind) {
    case ERGI_SURFACE_PLANE: return ERG_SURFACE_PLANE;
    case ERGI_SURFACE_BOX: return ERG_SURFACE_BOX;
    case ERGI_SURFACE_MESH:
    case ERGI_SURFACE_CLOUD: return ERG_SURFACE_MESH;
    case ERGI_SURFACE_HEIGHTS: return ERG_SURFACE_TERRAIN;
    case ERGI_SURFACE_REVOLVED: break;
    }
    return ERG_SURFACE_REVOLVED;
}

// The surface of grains, and the floor below it.
static bool is_terrain(const erg_world *world, uint32_t wall)
{
    return world->terrain && (wall == world->terrain->wall || wall == world->terrain->wall + 1);
}

_Static_assert((int)ERG_OUTLINE_PIECES == (int)ERGI_PROFILE_PIECES, "every profile has room");

static void copy_outline(erg_wall_surface *out, const ergi_profile *profile)
{
    out->piece_count = profile->count;
    for (int i = 0; i < profile->count; i++) {
        const ergi_piece *p = &profile->piece[i];
        out->piece[i] = (erg_outline_piece){.r_a = p->a.r,
                                            .z_a = p->a.z,
                                            .r_b = p->b.r,
                                            .z_b = p->b.z,
                                            .round = p->round,
                                            .r_c = p->centre.r,
                                            .z_c = p->centre.z};
    }
}

erg_status erg_world_wall_surface(const erg_world *world, erg_id id, double time,
                                  erg_wall_surface *out, erg_error *err)
{
    if (!world || !out) return ergi_fail_null(err, __func__);
    if (id < 1 || id > world->walls)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no wall %u, the world has %zu", id,
                              world->walls);
    const ergi_world_wall *w = &world->wall[id - 1];
    const ergi_wall_state *state = &world->wall_state[id - 1];
    const ergi_surface    *s = &w->wall.surface;
    ergi_pose              pose = state->pose;
    if (!isnan(time)) ergi_wall_pose(world->wall, world->wall_state, id - 1, time, &pose);
    erg_vec3 arm = ergi_quat_rotate(pose.rotation, ergi_sub(s->origin, w->wall.pivot));
    *out = (erg_wall_surface){.name = w->name,
                              .material = w->material + 1,
                              .kind = is_terrain(world, id - 1) ? ERG_SURFACE_TERRAIN
                                                                : kind_of(s->kind),
                              .side = side_of(s->side),
                              .origin = ergi_add(ergi_add(w->wall.pivot, pose.position), arm),
                              .ex = ergi_quat_rotate(pose.rotation, s->ex),
                              .ey = ergi_quat_rotate(pose.rotation, s->ey),
                              .ez = ergi_quat_rotate(pose.rotation, s->ez),
                              .half = {s->half[0], s->half[1], s->half[2]},
                              .faces = s->kind == ERGI_SURFACE_BOX ? s->faces : 0,
                              .rough = {s->bump_spacing, s->bump_radius},
                              .mesh = w->wall.mesh,
                              .body = w->body.exists};
    // Joints, and walls that are carried along, do not follow a velocity in world coordinates.
    for (int k = 0; k < w->wall.motion.count && !w->carried; k++)
        out->movable |= w->wall.motion.part[k].kind == ERG_MOTION_USER &&
                        w->wall.motion.part[k].joint == ERG_JOINT_NONE;
    if (s->kind == ERGI_SURFACE_REVOLVED) copy_outline(out, &s->profile);
    return ERG_OK;
}

erg_status erg_world_joint(const erg_world *world, erg_id wall, erg_joint_state *out,
                           erg_error *err)
{
    if (!world || !out) return ergi_fail_null(err, __func__);
    if (wall < 1 || wall > world->walls)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no wall %u, the world has %zu",
                              wall, world->walls);
    const erg_motion_def *joint = ergi_motion_joint(&world->wall[wall - 1].wall.motion);
    *out = (erg_joint_state){0};
    if (!joint) return ERG_OK;
    bool hinge = joint->joint == ERG_JOINT_HINGE;
    *out = (erg_joint_state){.kind = joint->joint,
                             .value = world->wall_state[wall - 1].motion.joint,
                             .range = {joint->range[0], joint->range[1]},
                             .speed = hinge ? joint->max_rate : joint->max_speed,
                             .along = hinge ? joint->axis : joint->direction,
                             .key_up = joint->key_up,
                             .key_down = joint->key_down};
    return ERG_OK;
}

const char *erg_world_material_name(const erg_world *world, erg_id id)
{
    if (!world) return NULL;
    return id >= 1 && id <= world->materials ? world->material[id - 1].name : NULL;
}

erg_status erg_world_get_material(const erg_world *world, erg_id id, erg_material_def *def,
                                  erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    if (id < 1 || id > world->materials)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no material %u, the world has %zu",
                              id, world->materials);
    *def = world->material[id - 1].def;
    def->name = world->material[id - 1].name;
    return ERG_OK;
}

erg_world_def erg_world_get_def(const erg_world *world)
{
    if (!world) return erg_world_def_default();
    return world->def;
}

size_t erg_world_material_count(const erg_world *world)
{
    if (!world) return 0;
    return world->materials;
}

size_t erg_world_grain_kind_count(const erg_world *world)
{
    if (!world) return 0;
    return world->kinds - world->ball_kinds;
}

size_t erg_world_emitter_count(const erg_world *world)
{
    if (!world) return 0;
    return world->emitters;
}

erg_vec3 erg_world_gravity(const erg_world *world)
{
    if (!world) return (erg_vec3){0};
    const double *g = world->clock.gravity;
    return ergi_vec3(g[0], g[1], g[2]);
}

double erg_world_friction(const erg_world *world, erg_id a, erg_id b)
{
    if (!world) return 0;
    size_t n = world->materials;
    if (!world->pair || a < 1 || b < 1 || a > n || b > n) return (double)NAN;
    return world->pair[(a - 1) * n + b - 1].friction;
}

double erg_world_emitter_rate(const erg_world *world, erg_id emitter)
{
    if (!world) return 0;
    if (emitter < 1 || emitter > world->emitters) return (double)NAN;
    return world->emitter_state[emitter - 1].rate;
}

erg_id erg_world_kind_material(const erg_world *world, erg_id kind)
{
    if (!world) return 0;
    return kind >= 1 && kind <= world->kinds ? world->kind[kind - 1].material + 1 : 0;
}
