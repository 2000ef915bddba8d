#include "geom/sphere_cloud.h"

#include "base/memory.h"
#include "geom/points.h"
#include "geom/sample.h"

erg_status ergi_sphere_cloud_make(const ergi_solid *solid, double radius, ergi_sphere_cloud **out,
                                  erg_error *err)
{
    erg_sample_def def = {
        .kind = ERG_SAMPLE_SURFACE, .radius = radius, .offset = -1.0, .density = 1.3};
    ergi_threads       one = {.count = 1};
    ergi_level         level;
    ergi_cloud         samples = {0};
    ergi_sphere_cloud *cloud = ergi_memory_new(1, sizeof *cloud, "spheres of a body", err);
    *out = NULL;
    if (!cloud) return ERG_NO_MEMORY;
    erg_status status = ergi_level_make(solid, &def, &one, &level, err);
    if (status == ERG_OK) {
        status = ergi_sample_surface(&level, &def, &one, &samples, err);
        ergi_level_free(&level);
    }
    cloud->radius = radius;
    cloud->centre = samples.point;
    cloud->count = samples.count;
    if (status == ERG_OK)
        status = ergi_points_build(&cloud->grid, cloud->centre, cloud->count, 2.0 * radius, err);
    if (status != ERG_OK) {
        ergi_sphere_cloud_free(cloud);
        return status;
    }
    *out = cloud;
    return ERG_OK;
}

void ergi_sphere_cloud_free(ergi_sphere_cloud *cloud)
{
    if (!cloud) return;
    ergi_points_free(&cloud->grid);
    ergi_memory_free(cloud->centre);
    ergi_memory_free(cloud);
}

size_t ergi_sphere_cloud_bytes(const ergi_sphere_cloud *cloud)
{
    const ergi_points *g = &cloud->grid;
    return sizeof *cloud + cloud->count * sizeof *cloud->centre +
           g->room * (sizeof *g->cell + sizeof *g->item) + (g->bins + 1) * sizeof *g->start;
}
