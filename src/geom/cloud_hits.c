// Where a sphere touches a cloud of spheres. A large one touches many at once; together they are
// one contact, as the places of two bodies are (dem/rigid_contacts.c): its depth is a smooth
// maximum of theirs, each has a part of its stiffness, and the bounce does not depend on how many
// there are.
#include "geom/shared_depth.h"
#include "geom/sphere_cloud.h"
#include "geom/surface.h"

static void add_hit(const ergi_surface *surface, const ergi_surface_query *query, uint32_t k,
                    ergi_hit_list *list)
{
    const ergi_sphere_cloud *cloud = surface->cloud;
    erg_vec3                 d = ergi_sub(query->p, cloud->centre[k]);
    double                   distance = ergi_norm(d);
    if (!(distance - cloud->radius < query->reach) || !(distance > 0.0)) return;
    erg_vec3 n = ergi_scale(d, 1.0 / distance);
    erg_vec3 on = ergi_madd(cloud->centre[k], cloud->radius, n);
    ergi_hit_list_add(list, (ergi_surface_hit){.feature = k,
                                               .gap = distance - cloud->radius,
                                               .normal = ergi_surface_turn(surface, n),
                                               .curvature = 1.0 / cloud->radius,
                                               .point = ergi_add(surface->origin,
                                                                 ergi_surface_turn(surface, on))});
}

// D/d = (sum of cos^2 (d_k/d)^8)^(1/8), and dD/dd = (d/D)^7.
static void share(const ergi_surface_query *query, ergi_hit_list *list, int first)
{
    double depth[ERGI_SURFACE_MAX_HITS], ratio[ERGI_SURFACE_MAX_HITS];
    for (int i = first; i < list->count; i++) depth[i] = query->reach - list->hits[i].gap;
    for (int i = first; i < list->count; i++) {
        double sum = 0.0;
        for (int k = first; k < list->count; k++) {
            double along = ergi_dot(list->hits[i].normal, list->hits[k].normal);
            if (along > 0.0) sum += along * along * ergi_eighth_power(depth[k] / depth[i]);
        }
        ratio[i] = ergi_eighth_root(sum);
    }
    for (int i = first; i < list->count; i++) {
        list->hits[i].gap = query->reach - depth[i] * ratio[i];
        list->hits[i].others = 1.0 - ratio[i] / ergi_eighth_power(ratio[i]);
    }
}

void ergi_cloud_hits(const ergi_surface *surface, const ergi_surface_query *query,
                     ergi_hit_list *list)
{
    const ergi_sphere_cloud *cloud = surface->cloud;
    double                   r = query->reach + cloud->radius;
    erg_vec3                 all = {r, r, r};
    ergi_cell                low = ergi_points_cell(&cloud->grid, ergi_sub(query->p, all));
    ergi_cell                high = ergi_points_cell(&cloud->grid, ergi_add(query->p, all));
    int                      first = list->count;
    for (int64_t x = low.x; x <= high.x; x++)
        for (int64_t y = low.y; y <= high.y; y++)
            for (int64_t z = low.z; z <= high.z; z++) {
                ergi_cell cell = {x, y, z};
                uint32_t  begin, end;
                ergi_points_bin(&cloud->grid, cell, &begin, &end);
                for (uint32_t k = begin; k < end; k++)
                    if (ergi_points_in(&cloud->grid, cloud->grid.item[k], cell))
                        add_hit(surface, query, cloud->grid.item[k], list);
            }
    share(query, list, first);
}
