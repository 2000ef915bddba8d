#include "geom/polygon.h"

#include "geom/ears.h"

#include <string.h>

// Newell's normal: length is twice the polygon's area, direction the side from which it runs
// counter-clockwise.
static erg_vec3 polygon_normal(const ergi_mesh *mesh, const uint32_t *corner, size_t count)
{
    erg_vec3 sum = {0}, o = mesh->vertex[corner[0]];
    for (size_t i = 1; i + 1 < count; i++)
        sum = ergi_add(sum, ergi_cross(ergi_sub(mesh->vertex[corner[i]], o),
                                       ergi_sub(mesh->vertex[corner[i + 1]], o)));
    return sum;
}

// Twice the signed area of a triangle, seen along the normal.
static double turn(const ergi_mesh *mesh, erg_vec3 normal, uint32_t a, uint32_t b, uint32_t c)
{
    erg_vec3 p = mesh->vertex[a];
    return ergi_dot(normal, ergi_cross(ergi_sub(mesh->vertex[b], p), ergi_sub(mesh->vertex[c], p)));
}

static erg_status add_fan(ergi_mesh *mesh, const uint32_t *corner, size_t count, erg_error *err)
{
    erg_status status = ERG_OK;
    for (size_t i = 1; i + 1 < count && status == ERG_OK; i++)
        status = ergi_mesh_add_triangle(mesh, corner[0], corner[i], corner[i + 1], err);
    return status;
}

static bool fan_is_good(const ergi_mesh *mesh, erg_vec3 normal, const uint32_t *corner,
                        size_t count)
{
    for (size_t i = 1; i + 1 < count; i++)
        if (!(turn(mesh, normal, corner[0], corner[i], corner[i + 1]) > 0.0)) return false;
    return true;
}

// Corner i of the remaining ones is convex, and no other corner lies in the triangle it cuts off.
static bool is_ear(const ergi_mesh *mesh, erg_vec3 normal, const uint32_t *left, size_t count,
                   size_t i)
{
    uint32_t a = left[(i + count - 1) % count], b = left[i], c = left[(i + 1) % count];
    if (!(turn(mesh, normal, a, b, c) > 0.0)) return false;
    for (size_t k = 0; k < count; k++) {
        uint32_t p = left[k];
        if (p == a || p == b || p == c) continue;
        if (turn(mesh, normal, a, b, p) >= 0.0 && turn(mesh, normal, b, c, p) >= 0.0 &&
            turn(mesh, normal, c, a, p) >= 0.0)
            return false;
    }
    return true;
}

static erg_status cut_ears(ergi_mesh *mesh, erg_vec3 normal, uint32_t *left, size_t count,
                           erg_error *err)
{
    erg_status status = ERG_OK;
    size_t     at = 0;
    while (count > 3 && status == ERG_OK) {
        size_t tried = 0;
        while (tried < count && !is_ear(mesh, normal, left, count, at % count)) at++, tried++;
        if (tried == count) break; // crosses itself, or has no area
        at %= count;
        status = ergi_mesh_add_triangle(mesh, left[(at + count - 1) % count], left[at],
                                        left[(at + 1) % count], err);
        memmove(left + at, left + at + 1, (count - at - 1) * sizeof *left);
        count--;
    }
    return status == ERG_OK ? add_fan(mesh, left, count, err) : status;
}

erg_status ergi_polygon_add(ergi_mesh *mesh, const uint32_t *corner, size_t count, erg_error *err)
{
    if (count == 3) return add_fan(mesh, corner, count, err);
    erg_vec3 normal = polygon_normal(mesh, corner, count);
    if (count > ERGI_POLYGON_SMALL) return ergi_ears_cut(mesh, normal, corner, count, err);
    if (fan_is_good(mesh, normal, corner, count)) return add_fan(mesh, corner, count, err);
    uint32_t left[ERGI_POLYGON_SMALL];
    memcpy(left, corner, count * sizeof *left);
    return cut_ears(mesh, normal, left, count, err);
}
