// State of walls; totals of emitters and sinks.
#include "base/error.h"
#include "erg/world.h"
#include "world/sources.h"
#include "world/walls.h"

static erg_status check_id(erg_id id, size_t count, const char *what, erg_error *err)
{
    if (id >= 1 && id <= count) return ERG_OK;
    return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no %s %u, the world has %zu", what, id,
                          count);
}

erg_status erg_world_wall_state(const erg_world *world, erg_id wall, erg_wall_state *out,
                                erg_error *err)
{
    if (!world || !out) return ergi_fail_null(err, __func__);
    erg_status status = check_id(wall, world->walls, "wall", err);
    if (status != ERG_OK) return status;
    const ergi_wall_state *s = &world->wall_state[wall - 1];
    erg_vec3               force, torque;
    ergi_wall_load(&world->wall[wall - 1], s, &force, &torque);
    *out = (erg_wall_state){.force = force,
                            .torque = torque,
                            .position = s->pose.position,
                            .rotation = s->pose.rotation,
                            .velocity = s->pose.velocity,
                            .spin = s->pose.spin};
    return ERG_OK;
}

erg_status erg_world_emitter_total(const erg_world *world, erg_id id, uint64_t *grains,
                                   double *mass, erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    erg_status status = check_id(id, world->emitters, "emitter", err);
    if (status != ERG_OK) return status;
    if (grains) *grains = world->emitter_state[id - 1].given;
    if (mass) *mass = world->emitter_state[id - 1].mass;
    return ERG_OK;
}

double erg_world_emitter_expected(const erg_world *world, erg_id id, double time)
{
    if (!world || id < 1 || id > world->emitters) return 0;
    return ergi_sources_expected(world, id - 1, time);
}

erg_status erg_world_sink_total(const erg_world *world, erg_id id, uint64_t *grains, double *mass,
                                erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    erg_status status = check_id(id, world->sinks, "sink", err);
    if (status != ERG_OK) return status;
    if (grains) *grains = world->sink_state[id - 1].taken;
    if (mass) *mass = world->sink_state[id - 1].mass;
    return ERG_OK;
}
