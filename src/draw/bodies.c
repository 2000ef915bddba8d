// Walls and bodies made of triangles, as props of a picture.
#include "base/hash.h"
#include "base/memory.h"
#include "draw/colours.h"
#include "draw/picture.h"
#include "geom/vec3.h"

#include <string.h>

// Hash of a mesh. Bodies of the same mesh are mostly consecutive, so the last one is cached.
typedef struct cached_hash {
    const erg_mesh *mesh;
    uint64_t        hash;
} cached_hash;

static uint64_t mesh_hash(cached_hash *last, const erg_mesh *mesh)
{
    if (last->mesh == mesh) return last->hash;
    size_t          vertices, triangles;
    const double   *xyz = erg_mesh_vertices(mesh, &vertices);
    const uint32_t *corners = erg_mesh_triangles(mesh, &triangles);
    uint64_t        h = ergi_hash_bytes(xyz, 3 * vertices * sizeof *xyz, 1);
    h = ergi_hash_bytes(corners, 3 * triangles * sizeof *corners, h);
    *last = (cached_hash){mesh, h ? h : 1};
    return last->hash;
}

static erg_vec3 colour_of(const char *material, erg_id body)
{
    uint8_t  rgba[4];
    uint32_t jitter = body ? 1 + (uint32_t)ergi_mix64(body) : 0;
    uint32_t packed = ergi_colour_wall(material, jitter);
    memcpy(rgba, &packed, sizeof rgba);
    return ergi_scale(ergi_vec3(rgba[0], rgba[1], rgba[2]), 1.0 / 255.0);
}

static erg_quat rotation_of(const erg_wall_surface *s)
{
    ergi_mat3 m = {
        {{s->ex.x, s->ey.x, s->ez.x}, {s->ex.y, s->ey.y, s->ez.y}, {s->ex.z, s->ey.z, s->ez.z}}};
    return ergi_quat_from_mat3(m);
}

// The pose of the body in a snapshot, which stores poses in order of id.
static const erg_body_pose *pose_in(const erg_moment *moment, erg_id body)
{
    size_t low = 0, high = moment ? moment->body_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (moment->bodies[middle].body < body)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = moment && low < moment->body_count && moment->bodies[low].body == body;
    return found ? &moment->bodies[low] : NULL;
}

erg_status ergi_picture_bodies(erg_picture *p, const erg_world *world, const erg_moment *moment,
                               erg_error *err)
{
    erg_status  status = ERG_OK;
    cached_hash last = {NULL, 0};
    for (erg_id id = 1; id <= erg_world_wall_count(world) && status == ERG_OK; id++) {
        erg_wall_surface s;
        status = erg_world_wall_surface(world, id, moment ? moment->time : (double)NAN, &s, err);
        if (status != ERG_OK || s.kind != ERG_SURFACE_MESH) continue;
        const char          *material = erg_world_material_name(world, s.material);
        const erg_body_pose *pose = s.body ? pose_in(moment, id) : NULL;
        erg_prop             prop = erg_prop_default();
        prop.shape = mesh_hash(&last, s.mesh);
        prop.vertices = erg_mesh_vertices(s.mesh, &prop.vertex_count);
        prop.triangles = erg_mesh_triangles(s.mesh, &prop.triangle_count);
        prop.position = pose ? pose->position : s.origin;
        prop.orientation = pose ? pose->rotation : rotation_of(&s);
        prop.colour = colour_of(material ? material : "", s.body ? id : 0);
        prop.glass = material && ergi_is_glass(material);
        prop.spheres = erg_world_body_spheres(world, id, &prop.sphere_count, &prop.sphere_radius);
        status = ergi_picture_add_prop(p, &prop, err);
        if (status == ERG_OK) p->props[p->prop_count - 1].wall = id;
    }
    return status;
}
