#include "geom/union.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// Lengths are scaled by the extent of the input and relative to its centre.
enum { NODES = 24 }; // Gauss points between two events
static const double SAME =
    1e-9; // overlaps thinner than this fraction of the radii count as touching

typedef struct moments {
    double   volume;
    erg_vec3 first;                  // integral of x, y, z
    double   xx, yy, zz, xy, xz, yz; // of the products
} moments;

typedef struct sphere {
    erg_vec3 centre;
    double   radius;
} sphere;

// ---- One sphere and two spheres ----------------------------------------------------------------
// Adds the moments about the origin of a body that is axially symmetric about n. Its volume, first
// moment and second moments along and across the axis are given about `at`.
static void add_axial(moments *sum, erg_vec3 at, erg_vec3 n, double volume, double first,
                      double along, double across)
{
    erg_vec3 f = ergi_scale(n, first);
    double   extra = along - across;
    sum->volume += volume;
    sum->first = ergi_add(sum->first, ergi_madd(f, volume, at));
    sum->xx += across + extra * n.x * n.x + 2.0 * f.x * at.x + volume * at.x * at.x;
    sum->yy += across + extra * n.y * n.y + 2.0 * f.y * at.y + volume * at.y * at.y;
    sum->zz += across + extra * n.z * n.z + 2.0 * f.z * at.z + volume * at.z * at.z;
    sum->xy += extra * n.x * n.y + f.x * at.y + f.y * at.x + volume * at.x * at.y;
    sum->xz += extra * n.x * n.z + f.x * at.z + f.z * at.x + volume * at.x * at.z;
    sum->yz += extra * n.y * n.z + f.y * at.z + f.z * at.y + volume * at.y * at.z;
}

// The part of a sphere behind a plane at distance `cut` from its centre along the unit vector n.
static void add_cut_sphere(moments *sum, sphere b, erg_vec3 n, double cut)
{
    double r = b.radius, r2 = r * r, c2 = cut * cut;
    // integrals over s from -r to cut of pi (r^2 - s^2) {1, s, s^2} and pi/4 (r^2 - s^2)^2
    double volume = ERGI_PI * (r2 * (cut + r) - (c2 * cut + r2 * r) / 3.0);
    double first = -0.25 * ERGI_PI * (r2 - c2) * (r2 - c2);
    double along = ERGI_PI * (r2 * (c2 * cut + r2 * r) / 3.0 - (c2 * c2 * cut + r2 * r2 * r) / 5.0);
    double across = 0.25 * ERGI_PI *
                    (r2 * r2 * (cut + r) - 2.0 / 3.0 * r2 * (c2 * cut + r2 * r) +
                     (c2 * c2 * cut + r2 * r2 * r) / 5.0);
    add_axial(sum, b.centre, n, volume, first, along, across);
}

static void add_sphere(moments *sum, sphere b)
{
    add_cut_sphere(sum, b, ergi_vec3(0.0, 0.0, 1.0), b.radius);
}

// Distance from the first centre to the plane in which two spheres intersect.
static double intersection_plane(sphere a, sphere b, double distance)
{
    return 0.5 * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
}

static void add_pair(moments *sum, sphere a, sphere b)
{
    double   d = ergi_distance(a.centre, b.centre);
    erg_vec3 n = ergi_scale(ergi_sub(b.centre, a.centre), 1.0 / d);
    double   cut = intersection_plane(a, b, d);
    add_cut_sphere(sum, a, n, cut);
    add_cut_sphere(sum, b, ergi_scale(n, -1.0), d - cut);
}

// ---- A slice: the union of discs ---------------------------------------------------------------
typedef struct disc {
    double x, y, r;
} disc;

typedef struct span {
    double from, to; // angles covered by another disc, within 0 .. 2 pi
} span;

typedef struct flat {
    double area, x, y, xx, yy, xy;
} flat;

// Boundary integrals over the arc from angle a to b, counter-clockwise.
static void add_arc(flat *sum, disc d, double a, double b)
{
    double sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b), turn = b - a;
    double c1 = sb - sa, s1 = ca - cb;
    double cc = 0.5 * (turn + sb * cb - sa * ca), ss = turn - cc;
    double cs = 0.5 * (sb * sb - sa * sa);
    double c3 = c1 - (sb * sb * sb - sa * sa * sa) / 3.0;
    double s3 = s1 + (cb * cb * cb - ca * ca * ca) / 3.0;
    double ccs = (ca * ca * ca - cb * cb * cb) / 3.0;
    double c4 = 0.25 * (sb * cb * cb * cb - sa * ca * ca * ca + 3.0 * cc);
    double s4 = 0.25 * (sa * sa * sa * ca - sb * sb * sb * cb + 3.0 * ss);
    double c3s = 0.25 * (ca * ca * ca * ca - cb * cb * cb * cb);

    double x = d.x, y = d.y, r = d.r, rr = r * r;
    sum->area += 0.5 * r * (x * c1 + y * s1 + r * turn);
    sum->x += 0.5 * r * (x * x * c1 + 2.0 * x * r * cc + rr * c3);
    sum->y += 0.5 * r * (y * y * s1 + 2.0 * y * r * ss + rr * s3);
    sum->xx += r / 3.0 * (x * x * x * c1 + 3.0 * x * x * r * cc + 3.0 * x * rr * c3 + rr * r * c4);
    sum->yy += r / 3.0 * (y * y * y * s1 + 3.0 * y * y * r * ss + 3.0 * y * rr * s3 + rr * r * s4);
    sum->xy += 0.5 * r *
               (x * x * y * c1 + x * x * r * cs + 2.0 * x * y * r * cc + 2.0 * x * rr * ccs +
                y * rr * c3 + rr * r * c3s);
}

static int compare_spans(const void *a, const void *b)
{
    double u = ((const span *)a)->from, v = ((const span *)b)->from;
    return (u > v) - (u < v);
}

// Adds the angles of disc `d` that lie inside disc `other`. False: all of them.
static bool cover(disc d, disc other, bool other_is_earlier, span *spans, int *count)
{
    double dx = other.x - d.x, dy = other.y - d.y;
    double distance = sqrt(dx * dx + dy * dy);
    if (distance >= d.r + other.r || distance + other.r < d.r) return true;
    // of two equal discs the earlier one keeps its outline
    if (distance + d.r <= other.r) return distance + other.r <= d.r && !other_is_earlier;
    double cosine =
        (distance * distance + (d.r - other.r) * (d.r + other.r)) / (2.0 * distance * d.r);
    double half = acos(cosine < -1.0 ? -1.0 : cosine > 1.0 ? 1.0 : cosine);
    double middle = atan2(dy, dx);
    double from = middle - half, to = middle + half, full = 2.0 * ERGI_PI;
    if (from < 0.0) {
        from += full;
        to += full;
    }
    if (to <= full) {
        spans[(*count)++] = (span){from, to};
    } else {
        spans[(*count)++] = (span){from, full};
        spans[(*count)++] = (span){0.0, to - full};
    }
    return true;
}

static flat slice_discs(const disc *discs, int count, span *spans)
{
    flat sum = {0};
    for (int i = 0; i < count; i++) {
        int  covered = 0;
        bool outside = true;
        for (int j = 0; j < count && outside; j++) {
            if (j != i) outside = cover(discs[i], discs[j], j < i, spans, &covered);
        }
        if (!outside) continue;
        qsort(spans, (size_t)covered, sizeof *spans, compare_spans);
        double open = 0.0;
        for (int k = 0; k < covered; k++) {
            if (spans[k].from > open) add_arc(&sum, discs[i], open, spans[k].from);
            if (spans[k].to > open) open = spans[k].to;
        }
        if (open < 2.0 * ERGI_PI) add_arc(&sum, discs[i], open, 2.0 * ERGI_PI);
    }
    return sum;
}

// ---- Heights where the outline of a slice changes ----------------------------------------------
typedef struct group {
    sphere *members;
    int     count;
    double *events;
    size_t  event_count, event_room;
    disc   *discs; // scratch of a slice
    span   *spans;
} group;

static bool hidden(const group *g, erg_vec3 p)
{
    for (int i = 0; i < g->count; i++) {
        double   inside = g->members[i].radius * (1.0 - SAME);
        erg_vec3 d = ergi_sub(p, g->members[i].centre);
        if (ergi_dot(d, d) < inside * inside) return true;
    }
    return false;
}

static erg_status add_event(group *g, double z, erg_error *err)
{
    erg_status status = ergi_memory_grow(&g->events, &g->event_room, g->event_count + 1,
                                         sizeof *g->events, "heights of a grain", err);
    if (status == ERG_OK) g->events[g->event_count++] = z;
    return status;
}

static erg_status add_point_event(group *g, erg_vec3 p, erg_error *err)
{
    return hidden(g, p) ? ERG_OK : add_event(g, p.z, err);
}

static bool overlap(sphere a, sphere b)
{
    return ergi_distance(a.centre, b.centre) < (a.radius + b.radius) * (1.0 - SAME);
}

// Lowest and highest point of the circle in which two spheres intersect.
static erg_status add_circle_events(group *g, sphere a, sphere b, erg_error *err)
{
    double   d = ergi_distance(a.centre, b.centre);
    erg_vec3 n = ergi_scale(ergi_sub(b.centre, a.centre), 1.0 / d);
    double   cut = intersection_plane(a, b, d);
    double   r2 = a.radius * a.radius - cut * cut;
    if (r2 <= 0.0) return ERG_OK;
    erg_vec3 centre = ergi_madd(a.centre, cut, n);
    double   level = 1.0 - n.z * n.z;
    if (level < 1e-12) return add_event(g, centre.z, err); // the whole circle is at one height
    erg_vec3   up = ergi_scale(ergi_vec3(-n.z * n.x, -n.z * n.y, level), sqrt(r2 / level));
    erg_status status = add_point_event(g, ergi_add(centre, up), err);
    return status == ERG_OK ? add_point_event(g, ergi_sub(centre, up), err) : status;
}

// The two points in which three spheres intersect.
static erg_status add_corner_events(group *g, sphere a, sphere b, sphere c, erg_error *err)
{
    double   d = ergi_distance(a.centre, b.centre);
    erg_vec3 ex = ergi_scale(ergi_sub(b.centre, a.centre), 1.0 / d);
    erg_vec3 ac = ergi_sub(c.centre, a.centre);
    double   i = ergi_dot(ex, ac);
    erg_vec3 off = ergi_madd(ac, -i, ex);
    double   j = ergi_norm(off);
    if (j < 1e-9 * d) return ERG_OK; // collinear centres: the spheres share a circle or no point
    erg_vec3 ey = ergi_scale(off, 1.0 / j);
    double   x = intersection_plane(a, b, d);
    double   y =
        0.5 * (j + (a.radius - c.radius) * (a.radius + c.radius) / j + i * i / j) - i * x / j;
    double z2 = a.radius * a.radius - x * x - y * y;
    if (z2 <= 0.0) return ERG_OK;
    erg_vec3   foot = ergi_madd(ergi_madd(a.centre, x, ex), y, ey);
    erg_vec3   rise = ergi_scale(ergi_cross(ex, ey), sqrt(z2));
    erg_status status = add_point_event(g, ergi_add(foot, rise), err);
    return status == ERG_OK ? add_point_event(g, ergi_sub(foot, rise), err) : status;
}

static int compare_doubles(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

static erg_status find_events(group *g, erg_error *err)
{
    erg_status    status = ERG_OK;
    const sphere *b = g->members;
    for (int i = 0; i < g->count && status == ERG_OK; i++) {
        erg_vec3 pole = {0.0, 0.0, b[i].radius};
        status = add_point_event(g, ergi_sub(b[i].centre, pole), err);
        if (status == ERG_OK) status = add_point_event(g, ergi_add(b[i].centre, pole), err);
        for (int j = i + 1; j < g->count && status == ERG_OK; j++) {
            if (!overlap(b[i], b[j])) continue;
            status = add_circle_events(g, b[i], b[j], err);
            for (int k = j + 1; k < g->count && status == ERG_OK; k++) {
                if (overlap(b[i], b[k]) && overlap(b[j], b[k]))
                    status = add_corner_events(g, b[i], b[j], b[k], err);
            }
        }
    }
    if (status == ERG_OK) qsort(g->events, g->event_count, sizeof *g->events, compare_doubles);
    return status;
}

// ---- Three and more spheres --------------------------------------------------------------------
// Gauss-Legendre points on 0 .. 1: the roots of the Legendre polynomial by Newton's method.
static void gauss(double node[NODES], double weight[NODES])
{
    for (int i = 0; i < NODES; i++) {
        double x = cos(ERGI_PI * (i + 0.75) / (NODES + 0.5)), slope = 1.0;
        for (int step = 0; step < 8; step++) {
            double p0 = 1.0, p1 = x;
            for (int k = 2; k <= NODES; k++) {
                double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
                p0 = p1;
                p1 = p2;
            }
            slope = NODES * (x * p1 - p0) / (x * x - 1.0);
            x -= p1 / slope;
        }
        node[i] = 0.5 * (1.0 + x);
        weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
}

static void add_slice(moments *sum, const group *g, double z, double thickness)
{
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        double h = z - g->members[i].centre.z, r = g->members[i].radius;
        if (fabs(h) >= r) continue;
        g->discs[count++] =
            (disc){g->members[i].centre.x, g->members[i].centre.y, sqrt((r - h) * (r + h))};
    }
    flat f = slice_discs(g->discs, count, g->spans);
    sum->volume += thickness * f.area;
    sum->first = ergi_madd(sum->first, thickness, ergi_vec3(f.x, f.y, z * f.area));
    sum->xx += thickness * f.xx;
    sum->yy += thickness * f.yy;
    sum->zz += thickness * z * z * f.area;
    sum->xy += thickness * f.xy;
    sum->xz += thickness * z * f.x;
    sum->yz += thickness * z * f.y;
}

static void add_slices(moments *sum, const group *g)
{
    double node[NODES], weight[NODES];
    gauss(node, weight);
    for (size_t e = 1; e < g->event_count; e++) {
        double low = g->events[e - 1], high = g->events[e];
        if (high - low < 1e-13) continue;
        for (int k = 0; k < NODES; k++) {
            double t = node[k];
            add_slice(sum, g, low + (high - low) * t * t * (3.0 - 2.0 * t),
                      (high - low) * 6.0 * t * (1.0 - t) * weight[k]);
        }
    }
}

// ---- Union of all spheres ----------------------------------------------------------------------
// Moves all spheres connected to the first one by overlaps to the front; returns their number.
static int gather_group(sphere *members, int count)
{
    int reached = 1;
    for (int next = 0; next < reached; next++) {
        for (int i = reached; i < count; i++) {
            if (!overlap(members[next], members[i])) continue;
            sphere swap = members[reached];
            members[reached++] = members[i];
            members[i] = swap;
        }
    }
    return reached;
}

// Drops spheres that lie inside others.
static int drop_covered(sphere *members, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool covered = false;
        for (int j = 0; j < count && !covered; j++) {
            double room = members[j].radius - members[i].radius;
            double d = ergi_distance(members[i].centre, members[j].centre);
            if (j < kept || j > i) covered = d <= room && (room > 0.0 || j < kept);
        }
        if (!covered) members[kept++] = members[i];
    }
    return kept;
}

static erg_status sum_groups(group *g, sphere *members, int count, moments *sum, erg_error *err)
{
    while (count > 0) {
        int size = gather_group(members, count);
        if (size == 1) {
            add_sphere(sum, members[0]);
        } else if (size == 2) {
            add_pair(sum, members[0], members[1]);
        } else {
            g->members = members;
            g->count = size;
            g->event_count = 0;
            erg_status status = find_events(g, err);
            if (status != ERG_OK) return status;
            add_slices(sum, g);
        }
        members += size;
        count -= size;
    }
    return ERG_OK;
}

static erg_status check_one(const erg_sphere *s, size_t i, erg_error *err)
{
    if (!isfinite(s->x) || !isfinite(s->y) || !isfinite(s->z))
        return ergi_fail_at(err, isfinite(s->x) ? isfinite(s->y) ? "z" : "y" : "x",
                            ERG_ERROR_NOT_FINITE, "sphere %zu of a grain is at %g, %g, %g", i, s->x,
                            s->y, s->z);
    if (!(s->radius > 0.0) || !isfinite(s->radius))
        return ergi_fail_at(err, "radius", ergi_code_of(s->radius),
                            "sphere %zu of a grain: radius must be above 0 m, got %g", i,
                            s->radius);
    return ERG_OK;
}

static erg_status check(const erg_sphere *spheres, size_t count, erg_error *err)
{
    erg_status status = ERG_OK;
    if (count < 1 || count > ERGI_UNION_MAX)
        return ergi_fail_at(err, "sphere_count", count ? ERG_ERROR_TOO_MANY : ERG_ERROR_MISSING,
                            "a grain has 1 to %d spheres, got %zu", ERGI_UNION_MAX, count);
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        status = ergi_fail_within(err, check_one(&spheres[i], i, err), "spheres[%zu]", i);
    return status;
}

static void finish(const moments *sum, erg_vec3 middle, double extent, ergi_mass *mass)
{
    erg_vec3 c = ergi_scale(sum->first, 1.0 / sum->volume);
    double   xx = sum->xx - c.x * sum->first.x, yy = sum->yy - c.y * sum->first.y;
    double   zz = sum->zz - c.z * sum->first.z, xy = sum->xy - c.x * sum->first.y;
    double   xz = sum->xz - c.x * sum->first.z, yz = sum->yz - c.y * sum->first.z;
    double   s3 = extent * extent * extent, s5 = s3 * extent * extent;
    mass->volume = sum->volume * s3;
    mass->centre = ergi_madd(middle, extent, c);
    mass->inertia = (ergi_mat3){{{s5 * (yy + zz), -s5 * xy, -s5 * xz},
                                 {-s5 * xy, s5 * (xx + zz), -s5 * yz},
                                 {-s5 * xz, -s5 * yz, s5 * (xx + yy)}}};
}

erg_status ergi_union_mass(const erg_sphere *spheres, size_t count, ergi_mass *mass, erg_error *err)
{
    erg_status status = check(spheres, count, err);
    if (status != ERG_OK) return status;

    erg_vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const erg_sphere *s = &spheres[i];
        low = ergi_vec3(fmin(low.x, s->x - s->radius), fmin(low.y, s->y - s->radius),
                        fmin(low.z, s->z - s->radius));
        high = ergi_vec3(fmax(high.x, s->x + s->radius), fmax(high.y, s->y + s->radius),
                         fmax(high.z, s->z + s->radius));
    }
    erg_vec3 middle = ergi_scale(ergi_add(low, high), 0.5), size = ergi_sub(high, low);
    double   extent = 0.5 * fmax(size.x, fmax(size.y, size.z));

    group   g = {0};
    moments sum = {0};
    sphere *members = ergi_memory_new(count, sizeof *members, "spheres of a grain", err);
    g.discs = ergi_memory_new(count, sizeof *g.discs, "discs of a grain", err);
    g.spans = ergi_memory_new(2 * count, sizeof *g.spans, "arcs of a grain", err);
    if (members && g.discs && g.spans) {
        for (size_t i = 0; i < count; i++) {
            erg_vec3 at = {spheres[i].x, spheres[i].y, spheres[i].z};
            members[i].centre = ergi_scale(ergi_sub(at, middle), 1.0 / extent);
            members[i].radius = spheres[i].radius / extent;
        }
        status = sum_groups(&g, members, drop_covered(members, (int)count), &sum, err);
    } else {
        status = ERG_NO_MEMORY;
    }
    ergi_memory_free(members);
    ergi_memory_free(g.discs);
    ergi_memory_free(g.spans);
    ergi_memory_free(g.events);
    if (status != ERG_OK) return status;

    finish(&sum, middle, extent, mass);
    mass->bounding_radius = 0.0;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 at = {spheres[i].x, spheres[i].y, spheres[i].z};
        double   reach = ergi_distance(at, mass->centre) + spheres[i].radius;
        mass->bounding_radius = fmax(mass->bounding_radius, reach);
    }
    return ERG_OK;
}

// ---- Principal axes ----------------------------------------------------------------------------
// Jacobi's method: rotate in the plane of the largest off-diagonal element until all are
// negligible.
void ergi_principal_axes(ergi_mat3 a, double value[3], ergi_mat3 *axes)
{
    ergi_mat3 v = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    double    scale = fabs(a.m[0][0]) + fabs(a.m[1][1]) + fabs(a.m[2][2]);
    for (int sweep = 0; sweep < 60; sweep++) {
        int p = 0, q = 1;
        if (fabs(a.m[0][2]) > fabs(a.m[p][q])) q = 2;
        if (fabs(a.m[1][2]) > fabs(a.m[p][q])) {
            p = 1;
            q = 2;
        }
        if (fabs(a.m[p][q]) <= 1e-14 * scale) break;
        double theta = 0.5 * (a.m[q][q] - a.m[p][p]) / a.m[p][q];
        double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
        if (theta < 0.0) t = -t;
        double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; k++) {
            double kp = a.m[k][p], kq = a.m[k][q];
            a.m[k][p] = c * kp - s * kq;
            a.m[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
            double pk = a.m[p][k], qk = a.m[q][k], vp = v.m[k][p], vq = v.m[k][q];
            a.m[p][k] = c * pk - s * qk;
            a.m[q][k] = s * pk + c * qk;
            v.m[k][p] = c * vp - s * vq;
            v.m[k][q] = s * vp + c * vq;
        }
    }
    for (int k = 0; k < 3; k++) value[k] = a.m[k][k];
    *axes = v; // a product of rotations, so right-handed
}
