#include "api/memory.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "erg/upsample.h"
#include "erg/world.h"
#include "geom/held_mesh.h"
#include "geom/sphere_cloud.h"
#include "solver/solver.h"
#include "terrain/terrain.h"
#include "terrain/terrain_def.h"
#include "upsample/upsample.h"
#include "world/rollback.h"

// A mesh shared by several walls is counted with the first of them.
static bool held_before(const erg_world *world, size_t wall)
{
    const erg_mesh *mesh = world->wall[wall].wall.mesh;
    for (size_t w = wall; w-- > 0;)
        if (world->wall[w].wall.mesh == mesh) return true;
    return false;
}

static size_t walls_bytes(const erg_world *world)
{
    size_t bytes = world->walls * (sizeof *world->wall + sizeof *world->wall_state);
    for (size_t w = 0; w < world->walls; w++) {
        const erg_mesh *mesh = world->wall[w].wall.mesh;
        if (mesh && !held_before(world, w)) bytes += sizeof *mesh + ergi_solid_bytes(&mesh->solid);
    }
    for (size_t k = 0; k < world->body_shapes; k++) {
        const ergi_body_shape *shape = &world->body_shape[k];
        bytes += sizeof *shape + shape->balls.room * sizeof *shape->balls.ball;
        if (shape->cloud) bytes += ergi_sphere_cloud_bytes(shape->cloud);
    }
    return bytes;
}

size_t ergi_world_bytes(const erg_world *world)
{
    size_t own = world->solver->bytes ? world->solver->bytes(world) : 0;
    if (world->terrain) own += ergi_terrain_bytes(world->terrain);
    return sizeof *world + ergi_table_bytes(&world->grains) + ergi_rollback_bytes(world->rollback) +
           walls_bytes(world) + ergi_upsample_bytes(world->upsample) + own;
}

size_t erg_world_expected_bytes(const erg_world *world, double end)
{
    if (!world) return 0;
    double spheres = (double)erg_world_sphere_count(world), grains = (double)world->grains.rows;
    for (size_t k = 0; k < world->emitters; k++) {
        double more = erg_world_emitter_expected(world, (erg_id)(k + 1), end) -
                      (double)world->emitter_state[k].given;
        if (!(more > 0 && isfinite(more))) continue;
        grains += more;
        spheres += more * world->kind[world->emitter[k].kind].shape.count;
    }
    double bytes = grains * ergi_solver_grain_bytes(world, spheres / fmax(grains, 1));
    if (world->solver->expected_bytes) bytes += world->solver->expected_bytes(world, spheres);
    // A fine particle and its copy to roll back to; tables keep an eighth in hand.
    if (world->upsample) {
        double keep = world->upsample->def.ratio * ergi_upsample_mean_radius(world);
        bytes += 1.125 * (62 + 33) * (double)erg_world_fine_expected(world);
        bytes += (double)ergi_fine_walls_expected_bytes(world->wall, world->walls, keep);
    }
    if (world->terrain) bytes += ergi_terrain_def_bytes(&world->terrain->def);
    return sizeof *world + walls_bytes(world) + world->walls * sizeof *world->wall_state +
           (size_t)fmin(bytes, (double)(SIZE_MAX / 2));
}

erg_status erg_world_check_memory(const erg_world *world, double end, erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    double bytes = (double)erg_world_expected_bytes(world, end), memory = ergi_memory_total();
    if (bytes <= memory) return ERG_OK;
    return ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                          "the run would need about %.3g GB of memory, but there are %.3g GB",
                          bytes * 1e-9, memory * 1e-9);
}
