#include "api/memory.h"

#include "erg/world.h"
#include "geom/held_mesh.h"
#include "geom/sphere_cloud.h"
#include "world/keep.h"

// A mesh counts where its first wall stands.
static bool held_before(const erg_world *world, size_t wall)
{
    const erg_mesh *mesh = world->wall[wall].wall.mesh;
    for (size_t w = wall; w-- > 0;)
        if (world->wall[w].wall.mesh == mesh) return true;
    return false;
}

static size_t walls_bytes(const erg_world *world)
{
    size_t bytes = world->walls * (sizeof *world->wall + sizeof *world->wall_state) +
                   ergi_table_bytes(&world->rigid_touch);
    for (size_t w = 0; w < world->walls; w++) {
        const erg_mesh *mesh = world->wall[w].wall.mesh;
        if (mesh && !held_before(world, w)) bytes += sizeof *mesh + ergi_solid_bytes(&mesh->solid);
    }
    for (size_t k = 0; k < world->rigid_shapes; k++) {
        const ergi_rigid_shape *shape = &world->rigid_shape[k];
        bytes += sizeof *shape + shape->balls.room * sizeof *shape->balls.ball;
        if (shape->cloud) bytes += ergi_sphere_cloud_bytes(shape->cloud);
    }
    return bytes;
}

size_t ergi_world_bytes(const erg_world *world)
{
    size_t bytes =
        sizeof *world + ergi_table_bytes(&world->bodies) + ergi_lists_bytes(&world->lists) +
        ergi_lists_bytes(&world->lists_spare) + world->sorting_bytes +
        ergi_table_bytes(&world->spheres) + ergi_grid_bytes(&world->grid) +
        ergi_keep_bytes(world->keep) + world->report_room * sizeof *world->report +
        world->push_room + world->wall_sum_room * sizeof(double) + world->order_room * 4 +
        world->was_room * 4 + world->curve_room * 8 + world->runge_room * 8 +
        world->scratch.partner_room * 4 + world->scratch.sphere_room * 4 + world->margin_room * 4 +
        walls_bytes(world) + ergi_rigid_near_bytes(&world->rigid_near);
    return bytes;
}

size_t erg_world_expected_bytes(const erg_world *world)
{
    double spheres = (double)erg_world_sphere_count(world), grains = (double)world->bodies.rows;
    for (size_t k = 0; k < world->emitters; k++) {
        double more = (double)world->emitter[k].limit - (double)world->emitter_state[k].given;
        if (more <= 0) continue;
        grains += more;
        spheres += more * world->kind[world->emitter[k].kind].shape.count;
    }
    // A dense bed has about seven candidates a sphere. Lists are there twice, all state once more
    // to go back to, and tables keep a quarter in hand.
    size_t body = 0, sphere = 0, entry = 4;
    for (int c = 0; c < world->bodies.columns; c++) body += world->bodies.row_bytes[c];
    for (int c = 0; c < world->spheres.columns; c++) sphere += world->spheres.row_bytes[c];
    const ergi_table *inner = &world->lists.pairs[ERGI_INNER].entry;
    for (int c = 0; c < inner->columns; c++) entry += inner->row_bytes[c];
    double bytes =
        grains * 3 * (double)body + spheres * (2 * (double)sphere + 7 * 3 * (double)entry + 60);
    return sizeof *world + walls_bytes(world) + (size_t)(1.25 * bytes);
}
