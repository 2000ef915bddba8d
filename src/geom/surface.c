#include "geom/surface.h"

#include "geom/query.h"

void ergi_surface_place(ergi_surface *surface, erg_vec3 origin, erg_vec3 ez)
{
    surface->origin = origin;
    surface->ez = ergi_normalize(ez);
    surface->ex = ergi_perpendicular(surface->ez);
    surface->ey = ergi_cross(surface->ez, surface->ex);
}

bool ergi_surface_has_feature(const ergi_surface *surface, uint32_t feature)
{
    if (feature & ERGI_BUMP_FEATURE)
        return (surface->bump_spacing > 0.0 || surface->kind == ERGI_SURFACE_HEIGHTS) &&
               feature != UINT32_MAX;
    switch (surface->kind) {
    case ERGI_SURFACE_PLANE: return feature == 0;
    case ERGI_SURFACE_BOX: return feature < 27 && feature != 13;
    case ERGI_SURFACE_REVOLVED: return feature < 2 * ERGI_SLOT_OPPOSITE;
    case ERGI_SURFACE_MESH: return feature < ERGI_MESH_FEATURES;
    case ERGI_SURFACE_CLOUD: return feature < surface->cloud->count;
    case ERGI_SURFACE_HEIGHTS: return feature == 0;
    }
    return false;
}

// ---- Hits --------------------------------------------------------------------------------------
int ergi_surface_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                      ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS])
{
    return ergi_query_hits(surface, centre, reach, hits);
}

ergi_surface_hit ergi_surface_nearest(const ergi_surface *surface, erg_vec3 point)
{
    return ergi_query_nearest(surface, point);
}

bool ergi_surface_far(const ergi_surface *surface, erg_vec3 centre, double reach)
{
    return ergi_query_far(surface, centre, reach);
}

double ergi_surface_clearance(const ergi_surface *surface, erg_vec3 centre, double reach)
{
    return ergi_heights_clearance(surface->heights, centre, reach);
}

bool ergi_surface_below(const ergi_surface *surface, const double low[3], const double high[3])
{
    return ergi_heights_below(surface->heights, low, high);
}

ergi_heights_near ergi_surface_look(const ergi_surface *surface, erg_vec3 centre, double touch,
                                    double reach, uint32_t *sphere, uint32_t room)
{
    return ergi_heights_look(surface->heights, centre, touch, reach, sphere, room);
}

int ergi_surface_listed_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                             const uint32_t *sphere, uint32_t count, bool smooth,
                             ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS])
{
    ergi_hit_list list = {0, hits};
    for (uint32_t k = 0; k < count; k++)
        ergi_heights_sphere_hit(surface->heights, sphere[k], centre, reach, &list);
    if (smooth) ergi_heights_surface_hit(surface->heights, centre, reach, &list);
    return list.count;
}

// ---- Extent ------------------------------------------------------------------------------------
// Box around a height field and the spheres on it.
static void box_of_heights(const ergi_height_field *field, erg_vec3 *centre, double half[3])
{
    double low[3] = {field->lower[0], field->lower[1], field->low};
    double high[3] = {ergi_heights_end(field, 0), ergi_heights_end(field, 1), field->high};
    for (int k = 0; k < 3 && field->spheres > 0; k++) {
        low[k] = fmin(low[k], field->sphere_low[k]);
        high[k] = fmax(high[k], field->sphere_high[k]);
    }
    for (int k = 0; k < 3; k++) half[k] = 0.5 * (high[k] - low[k]);
    *centre = (erg_vec3){low[0] + half[0], low[1] + half[1], low[2] + half[2]};
}

erg_vec3 ergi_surface_middle(const ergi_surface *surface)
{
    if (surface->kind == ERGI_SURFACE_HEIGHTS) {
        erg_vec3 centre;
        double   half[3];
        box_of_heights(surface->heights, &centre, half);
        return centre;
    }
    if (!ergi_surface_is_mesh(surface)) return surface->origin;
    return ergi_surface_to_world(
        surface, ergi_scale(ergi_add(surface->mesh->low, surface->mesh->high), 0.5));
}

bool ergi_surface_box(const ergi_surface *surface, erg_vec3 *centre, double half[3])
{
    if (surface->kind == ERGI_SURFACE_PLANE) return false;
    if (surface->kind == ERGI_SURFACE_HEIGHTS) {
        box_of_heights(surface->heights, centre, half);
        return true;
    }
    *centre = surface->origin;
    for (int k = 0; k < 3; k++) half[k] = surface->half[k] + surface->bump_radius;
    if (surface->kind == ERGI_SURFACE_REVOLVED) {
        const ergi_profile *profile = &surface->profile;
        *centre = ergi_madd(surface->origin, 0.5 * (profile->z_min + profile->z_max), surface->ez);
        half[0] = half[1] = profile->r_max + surface->bump_radius;
        half[2] = 0.5 * (profile->z_max - profile->z_min) + surface->bump_radius;
    }
    if (ergi_surface_is_mesh(surface)) {
        erg_vec3 size = ergi_sub(surface->mesh->high, surface->mesh->low);
        *centre = ergi_surface_middle(surface);
        half[0] = 0.5 * size.x;
        half[1] = 0.5 * size.y;
        half[2] = 0.5 * size.z;
    }
    return true;
}

double ergi_surface_extent(const ergi_surface *surface)
{
    if (surface->kind == ERGI_SURFACE_PLANE) return HUGE_VAL;
    if (surface->kind == ERGI_SURFACE_HEIGHTS) {
        erg_vec3 centre;
        double   size[3];
        box_of_heights(surface->heights, &centre, size);
        return sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    }
    const double *half = surface->half;
    double        radius2 = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    if (surface->kind == ERGI_SURFACE_REVOLVED) {
        const ergi_profile *profile = &surface->profile;
        double              z = fmax(fabs(profile->z_min), fabs(profile->z_max));
        radius2 = profile->r_max * profile->r_max + z * z;
    }
    if (ergi_surface_is_mesh(surface)) {
        erg_vec3 size = ergi_sub(surface->mesh->high, surface->mesh->low);
        radius2 = 0.25 * ergi_dot(size, size);
    }
    return sqrt(radius2) + surface->bump_radius;
}
