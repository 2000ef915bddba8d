#include "geom/crossing.h"

#include <float.h>

// The side of the plane through a, b, c on which p lies: 1, -1, or 0 when rounding may decide. The
// error bound is Shewchuk's for this determinant (Adaptive precision floating-point arithmetic,
// Discrete Comput. Geom. 18 (1997) 305): (7 + 56 e) e times the sum of the absolute products, e =
// 2^-53; 8 e covers it.
static int side(erg_vec3 a, erg_vec3 b, erg_vec3 c, erg_vec3 p)
{
    erg_vec3 u = ergi_sub(a, p), v = ergi_sub(b, p), w = ergi_sub(c, p);
    double   vw = v.y * w.z, wv = v.z * w.y, wu = w.y * u.z, uw = w.z * u.y;
    double   uv = u.y * v.z, vu = u.z * v.y;
    double   det = u.x * (vw - wv) + v.x * (wu - uw) + w.x * (uv - vu);
    double   sum = fabs(u.x) * (fabs(vw) + fabs(wv)) + fabs(v.x) * (fabs(wu) + fabs(uw)) +
                 fabs(w.x) * (fabs(uv) + fabs(vu));
    double bound = 4.0 * DBL_EPSILON * sum;
    return det > bound ? -1 : det < -bound ? 1 : 0;
}

// True when the ends of segment pq are on opposite sides of the triangle's plane and the segment
// meets the triangle, border included.
static bool pierces(erg_vec3 p, erg_vec3 q, const erg_vec3 t[3], erg_vec3 *place)
{
    int above = side(t[0], t[1], t[2], p), below = side(t[0], t[1], t[2], q);
    if (above * below >= 0) return false;
    int  s0 = side(p, q, t[0], t[1]), s1 = side(p, q, t[1], t[2]), s2 = side(p, q, t[2], t[0]);
    bool left = s0 >= 0 && s1 >= 0 && s2 >= 0, right = s0 <= 0 && s1 <= 0 && s2 <= 0;
    if (left == right) return false; // all 0: a sliver seen edge-on
    erg_vec3 n = ergi_cross(ergi_sub(t[1], t[0]), ergi_sub(t[2], t[0]));
    double   a = ergi_dot(n, ergi_sub(p, t[0])), b = ergi_dot(n, ergi_sub(q, t[0]));
    *place = a != b ? ergi_madd(p, a / (a - b), ergi_sub(q, p)) : p;
    return true;
}

// ---- Coplanar triangles ------------------------------------------------------------------------
typedef struct flat {
    double x, y;
} flat;

// Projects along `axis`, in which the normal is longest, so that the projected area is not small.
static flat flatten(erg_vec3 p, int axis)
{
    return axis == 0 ? (flat){p.y, p.z} : axis == 1 ? (flat){p.z, p.x} : (flat){p.x, p.y};
}

static int turn(flat a, flat b, flat c)
{
    double l = (b.x - a.x) * (c.y - a.y), r = (b.y - a.y) * (c.x - a.x);
    double bound = 4.0 * DBL_EPSILON * (fabs(l) + fabs(r));
    return l - r > bound ? 1 : l - r < -bound ? -1 : 0;
}

// True when the line through a side of s separates s from t.
static bool side_separates(const flat s[3], const flat t[3])
{
    for (int k = 0; k < 3; k++) {
        flat a = s[k], b = s[(k + 1) % 3];
        int  own = turn(a, b, s[(k + 2) % 3]);
        if (own == 0) return true; // no area, no overlap
        bool apart = true;
        for (int i = 0; i < 3; i++) apart = apart && turn(a, b, t[i]) * own <= 0;
        if (apart) return true;
    }
    return false;
}

static bool overlap_in_plane(const erg_vec3 s[3], const erg_vec3 t[3])
{
    erg_vec3 n = ergi_cross(ergi_sub(s[1], s[0]), ergi_sub(s[2], s[0]));
    int      axis =
        fabs(n.x) > fabs(n.y) ? (fabs(n.x) > fabs(n.z) ? 0 : 2) : (fabs(n.y) > fabs(n.z) ? 1 : 2);
    flat a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = flatten(s[k], axis);
        b[k] = flatten(t[k], axis);
    }
    return !side_separates(a, b) && !side_separates(b, a);
}

// ---- Triangle pairs ----------------------------------------------------------------------------
static bool has_corner(const uint32_t v[3], uint32_t corner)
{
    return v[0] == corner || v[1] == corner || v[2] == corner;
}

// Tests the sides of s that share no corner with t against t.
static bool sides_pierce(const uint32_t vs[3], const erg_vec3 s[3], const uint32_t vt[3],
                         const erg_vec3 t[3], erg_vec3 *place)
{
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (has_corner(vt, vs[k]) || has_corner(vt, vs[next])) continue;
        if (pierces(s[k], s[next], t, place)) return true;
    }
    return false;
}

bool ergi_triangles_cross(const ergi_mesh *mesh, size_t s, size_t t, erg_vec3 *place)
{
    const uint32_t *vs = mesh->triangle[s].v, *vt = mesh->triangle[t].v;
    erg_vec3        ps[3], pt[3];
    ergi_mesh_corners(mesh, s, ps);
    ergi_mesh_corners(mesh, t, pt);
    if (sides_pierce(vs, ps, vt, pt, place) || sides_pierce(vt, pt, vs, ps, place)) return true;
    for (int k = 0; k < 3; k++)
        if (side(ps[0], ps[1], ps[2], pt[k]) != 0) return false;
    *place = ergi_scale(ergi_add(ps[0], ergi_add(ps[1], ps[2])), 1.0 / 3.0);
    return overlap_in_plane(ps, pt);
}
