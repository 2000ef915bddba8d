#include "api/memory.h"

#include <math.h>

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
    size_t kept_walls = world->keep ? world->walls : 0;
    size_t bytes =
        sizeof *world + ergi_table_bytes(&world->bodies) + ergi_lists_bytes(&world->lists) +
        ergi_lists_bytes(&world->lists_spare) + ergi_table_bytes(&world->spheres) +
        ergi_grid_bytes(&world->grid) + ergi_keep_bytes(world->keep) +
        kept_walls * sizeof *world->wall_state + world->report_room * sizeof *world->report +
        world->push_room + world->wall_sum_room * sizeof(double) + world->order_room * 4 +
        world->was_room * 4 + world->sorting_room * sizeof *world->sorting + world->runge_room * 8 +
        world->scratch.partner_room * 4 + world->scratch.sphere_room * 4 + world->margin_room * 4 +
        walls_bytes(world) + ergi_rigid_near_bytes(&world->rigid_near);
    return bytes;
}

// Bodies, once they lie in a heap: a ball is near one other thing, may touch it in some places, and
// is looked at for the sixteen whose boxes its body's meets; one in four touches.
static double heap_bytes(const erg_world *world)
{
    double balls = 0, touch = 0, near = (double)ergi_rigid_near_bytes(&world->rigid_near);
    for (size_t w = 0; w < world->walls && world->free_rigids; w++) {
        const ergi_rigid *rigid = &world->wall[w].rigid;
        if (rigid->exists) balls += (double)world->rigid_shape[rigid->shape].balls.count;
    }
    for (int c = 0; c < world->rigid_touch.columns; c++)
        touch += (double)world->rigid_touch.row_bytes[c];
    double heap = balls * (ERGI_RIGID_HITS * sizeof(ergi_rigid_contact) +
                           16 * sizeof(ergi_near_ball) + 0.25 * 2 * touch);
    return fmax(heap, near) + (double)world->walls * sizeof(ergi_pose);
}

// What spheres do to walls, chunk by chunk, and where they are near them: the rim of a bed that is
// as high as wide.
static double near_walls_bytes(const erg_world *world, double spheres)
{
    double            chunks = ceil(spheres / ERGI_CHUNK) + 1, entry = 0;
    const ergi_table *walls = &world->lists.wall_entry;
    for (int c = 0; c < walls->columns; c++) entry += (double)walls->row_bytes[c];
    return chunks * ERGI_WALL_SUM * sizeof(double) * ((double)world->walls + 1) +
           6 * pow(spheres, 2.0 / 3) * 3 * entry;
}

size_t erg_world_expected_bytes(const erg_world *world)
{
    if (!world) return 0;
    double spheres = (double)erg_world_sphere_count(world), grains = (double)world->bodies.rows;
    for (size_t k = 0; k < world->emitters; k++) {
        double more = (double)world->emitter[k].limit - (double)world->emitter_state[k].given;
        if (more <= 0) continue;
        grains += more;
        spheres += more * world->kind[world->emitter[k].kind].shape.count;
    }
    double bytes = grains * ergi_world_grain_bytes(world, spheres / fmax(grains, 1)) +
                   1.125 * (near_walls_bytes(world, spheres) + heap_bytes(world));
    return sizeof *world + walls_bytes(world) + world->walls * sizeof *world->wall_state +
           (size_t)bytes;
}
