// Contacts of a sphere with a cloud of spheres. A large sphere touches many at once; together they
// form one contact, like the contact points of two bodies (dem/body_contacts.c). Its depth is a
// smooth maximum of theirs and each gets a share of the stiffness, so the bounce does not depend on
// their number.
#ifndef ERGI_QUERY_CLOUD_H
#define ERGI_QUERY_CLOUD_H

#include "geom/query_points.h"
#include "geom/query_surface.h"
#include "geom/shared_depth.h"

// Equal spheres that represent a surface (Bell et al. 2005).
typedef struct ergi_sphere_cloud {
    double      radius; // [m]
    erg_vec3   *centre; // in the mesh's frame [m]
    size_t      count;
    ergi_points grid;
} ergi_sphere_cloud;

ERG_INLINE void ergi_cloud_touch(const ergi_surface *surface, const ergi_surface_query *query,
                                 uint32_t k, ergi_hit_list *list)
{
    const ergi_sphere_cloud *cloud = surface->cloud;
    erg_vec3                 d = ergi_sub(query->p, cloud->centre[k]);
    double                   distance = ergi_norm(d);
    if (!(distance - cloud->radius < query->reach) || !(distance > 0.0)) return;
    erg_vec3 n = ergi_scale(d, 1.0 / distance);
    erg_vec3 on = ergi_madd(cloud->centre[k], cloud->radius, n);
    ergi_hit_list_add(list,
                      ergi_hit_make(k, distance - cloud->radius, ergi_surface_turn(surface, n),
                                    1.0 / cloud->radius, ergi_surface_to_world(surface, on)));
}

// Shared depth D of spheres at depths d_k: D/d = (sum of cos^2 (d_k/d)^8)^(1/8), and dD/dd =
// (d/D)^7.
ERG_INLINE void ergi_cloud_share(const ergi_surface_query *query, ergi_hit_list *list, int first)
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

// The spheres in the cells within r of the query's point.
ERG_INLINE void ergi_cloud_touch_near(const ergi_surface *surface, const ergi_surface_query *query,
                                      double r, ergi_hit_list *list)
{
    const ergi_sphere_cloud *cloud = surface->cloud;
    erg_vec3                 all = {r, r, r};
    ergi_cell                low = ergi_points_cell(&cloud->grid, ergi_sub(query->p, all));
    ergi_cell                high = ergi_points_cell(&cloud->grid, ergi_add(query->p, all));
    for (int64_t x = low.x; x <= high.x; x++)
        for (int64_t y = low.y; y <= high.y; y++)
            for (int64_t z = low.z; z <= high.z; z++) {
                ergi_cell cell = {x, y, z};
                uint32_t  begin, end;
                ergi_points_bin(&cloud->grid, cell, &begin, &end);
                for (uint32_t k = begin; k < end; k++)
                    if (ergi_points_in(&cloud->grid, cloud->grid.item[k], cell))
                        ergi_cloud_touch(surface, query, cloud->grid.item[k], list);
            }
}

#define ERGI_CLOUD_ACROSS 16.0 // cells; with more, all spheres are looked at

// The reach of what moves absurdly fast is a million cells.
ERG_INLINE void ergi_cloud_hits(const ergi_surface *surface, const ergi_surface_query *query,
                                ergi_hit_list *list)
{
    const ergi_sphere_cloud *cloud = surface->cloud;
    double                   r = query->reach + cloud->radius;
    int                      first = list->count;
    if (2.0 * r <= ERGI_CLOUD_ACROSS * cloud->grid.side)
        ergi_cloud_touch_near(surface, query, r, list);
    else
        for (size_t k = 0; k < cloud->count; k++)
            ergi_cloud_touch(surface, query, (uint32_t)k, list);
    ergi_cloud_share(query, list, first);
}

#endif
