// Samples of solids (sommer.h).
#include "base/error.h"
#include "base/memory.h"
#include "geom/held_mesh.h"
#include "pbd/pbd.h"

#define HALVINGS 5 // of the radius of the samples, until they fit into a thin mesh

void ergi_sommer_free(ergi_sommer *s)
{
    for (size_t k = 0; k < s->clouds; k++) ergi_sphere_cloud_free(s->cloud[k]);
    void *owned[] = {s->particle, s->contact, s->shape, s->body_first, s->entry, s->cloud};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    *s = (ergi_sommer){0};
}

size_t ergi_sommer_bytes(const ergi_sommer *s)
{
    size_t sum = s->particle_room * sizeof *s->particle + s->contact_room * sizeof *s->contact +
                 s->shape_room * sizeof *s->shape + s->body_first_room * 4 + s->entry_room * 4;
    for (size_t k = 0; k < s->clouds; k++) sum += ergi_sphere_cloud_bytes(s->cloud[k]);
    return sum;
}

static erg_status cover(const ergi_solid *solid, double radius, ergi_sphere_cloud **cloud,
                        erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k <= HALVINGS; k++, radius *= 0.5) {
        status = ergi_sphere_cloud_make(solid, radius, cloud, err);
        if (status == ERG_OK || status == ERG_NO_MEMORY) return status;
    }
    return status;
}

// What touches a body is a cloud of equal spheres, in contacts of bodies too.
static erg_status sample_body(erg_world *world, ergi_body_shape *shape, double radius,
                              erg_error *err)
{
    (void)world;
    erg_status status = ERG_OK;
    if (!shape->cloud) status = cover(&shape->mesh->solid, radius, &shape->cloud, err);
    if (status != ERG_OK || shape->balls.count) return status;
    const ergi_sphere_cloud *cloud = shape->cloud;
    ergi_inscribed_list     *balls = &shape->balls;
    status = ergi_memory_grow(&balls->ball, &balls->room, cloud->count, sizeof *balls->ball,
                              "samples of a body", err);
    if (status != ERG_OK) return status;
    for (size_t k = 0; k < cloud->count; k++)
        balls->ball[k] = (ergi_inscribed){cloud->centre[k], cloud->radius};
    balls->count = cloud->count;
    return ERG_OK;
}

// A mesh that cannot be covered stays an exact surface.
static erg_status sample_wall(ergi_sommer *s, ergi_wall *wall, double radius, erg_error *err)
{
    erg_error          unused;
    ergi_sphere_cloud *cloud = NULL;
    erg_status status = ergi_memory_grow(&s->cloud, &s->cloud_room, s->clouds + 1, sizeof *s->cloud,
                                         "samples of walls", err);
    if (status != ERG_OK) return status;
    status = cover(&wall->mesh->solid, radius, &cloud, &unused);
    if (status == ERG_NO_MEMORY) return ergi_fail_memory(err, 0, "samples of walls");
    if (status != ERG_OK) return ERG_OK;
    s->cloud[s->clouds++] = cloud;
    wall->surface.kind = ERGI_SURFACE_CLOUD;
    wall->surface.cloud = cloud;
    return ERG_OK;
}

erg_status ergi_sommer_sample(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    erg_status status = ERG_OK;
    for (size_t w = 0; w < world->walls && status == ERG_OK; w++) {
        ergi_world_wall *wall = &world->wall[w];
        ergi_surface    *surface = &wall->wall.surface;
        if (wall->body.exists) {
            ergi_body_shape *shape = &world->body_shape[wall->body.shape];
            status = sample_body(world, shape, fmin(pbd->radius, wall->body.radius / 4), err);
            ergi_fail_within(err, status, "walls[%zu]", w);
            if (status != ERG_OK) break;
            surface->kind = ERGI_SURFACE_CLOUD;
            surface->cloud = shape->cloud;
        } else if (surface->kind == ERGI_SURFACE_MESH && surface->side == ERGI_SIDE_OUTSIDE) {
            status = sample_wall(&pbd->sommer, &wall->wall, pbd->radius, err);
        }
    }
    return status;
}
