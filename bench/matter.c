#include "matter.h"

// The tangential damping is half the normal one, as in LAMMPS.
erg_world_def matter_world(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.gravity = (erg_vec3){0, 0, -MATTER_GRAVITY};
    def.dt = MATTER_DT;
    def.contact.normal = ERG_NORMAL_HERTZ;
    def.contact.tangential = ERG_TANGENTIAL_MINDLIN;
    def.contact.tangential_damping = 0.5;
    def.threads = threads;
    def.fixed_threads = true;
    return def;
}

erg_status matter_define(erg_world *world, erg_shape shape, erg_id *material, erg_id *kind,
                         erg_error *err)
{
    erg_material_def sand = {.density = MATTER_DENSITY,
                             .young = 1e7,
                             .poisson = 0.25,
                             .restitution = 0.65,
                             .friction = MATTER_FRICTION,
                             .static_friction = ERG_UNSET};
    erg_grain_def    grain = erg_grain_def_default();
    grain.shape = shape;
    grain.sizes.radius = MATTER_RADIUS;
    erg_status status = erg_world_add_material(world, &sand, &grain.material, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(world, &grain, kind, err);
    if (material) *material = grain.material;
    return status;
}

erg_status matter_add_plane(erg_world *world, erg_id material, erg_vec3 point, erg_vec3 normal,
                            erg_error *err)
{
    erg_wall_def wall = erg_wall_def_default(ERG_WALL_PLANE);
    wall.material = material;
    wall.plane.point = point;
    wall.plane.normal = normal;
    return erg_world_add_wall(world, &wall, NULL, err);
}

erg_status matter_add_box(erg_world *world, erg_id material, erg_vec3 low, erg_vec3 high,
                          erg_error *err)
{
    erg_status status = matter_add_plane(world, material, low, (erg_vec3){0, 0, 1}, err);
    if (status == ERG_OK) status = matter_add_plane(world, material, low, (erg_vec3){1, 0, 0}, err);
    if (status == ERG_OK) status = matter_add_plane(world, material, low, (erg_vec3){0, 1, 0}, err);
    if (status == ERG_OK)
        status = matter_add_plane(world, material, high, (erg_vec3){-1, 0, 0}, err);
    if (status == ERG_OK)
        status = matter_add_plane(world, material, high, (erg_vec3){0, -1, 0}, err);
    return status;
}

erg_status matter_set_friction(erg_world *world, double friction, erg_error *err)
{
    erg_command command = {.kind = ERG_COMMAND_FRICTION, .value = friction};
    return erg_world_command(world, &command, err);
}

double matter_kinetic(const erg_stats *stats)
{
    return (stats->kinetic + stats->rotational) /
           (stats->mass * MATTER_GRAVITY * 2 * MATTER_RADIUS);
}

double matter_coordination(const erg_stats *stats)
{
    return 2 * (double)(stats->contacts - stats->wall_contacts) / (double)stats->spheres;
}

// xorshift64*, Vigna 2016.
double matter_shake(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 2685821657736338717u >> 11) * 0x1p-52 - 1;
}
