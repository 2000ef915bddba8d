// Worlds with bodies: every call must succeed, or the program prints the error and exits.
#ifndef ERG_BODY_HELPERS_H
#define ERG_BODY_HELPERS_H

#include "world_helpers.h"

static inline erg_mesh *new_shape(erg_primitive shape)
{
    erg_mesh *mesh = NULL;
    erg_error err;
    must(erg_mesh_primitive(&shape, &mesh, &err), &err);
    return mesh;
}

static inline erg_mesh *new_box(double x, double y, double z)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    shape.size = (erg_vec3){x, y, z};
    return new_shape(shape);
}

static inline erg_mesh *new_ball(double radius)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    shape.radius = radius;
    return new_shape(shape);
}

static inline erg_id new_body(erg_world *world, const erg_body_def *def)
{
    erg_error err;
    erg_id    id = 0;
    must(erg_world_add_body(world, def, &id, &err), &err);
    return id;
}

static inline erg_body_state state_of(const erg_world *world, erg_id id)
{
    erg_body_state state;
    erg_error      err;
    must(erg_world_body_state(world, id, &state, &err), &err);
    return state;
}

static inline void run_to(erg_world *world, double time)
{
    erg_error err;
    must(erg_world_run(world, time, NULL, NULL, &err), &err);
}

static inline erg_id new_wood(erg_world *world, double restitution, double friction)
{
    erg_material_def def = erg_material_def_default();
    def.density = 600;
    def.young = 1e7;
    def.restitution = restitution;
    def.friction = friction;
    return new_material(world, &def);
}

#endif
