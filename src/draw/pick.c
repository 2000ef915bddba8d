// Picking: what is at a pixel, along a ray or around a point of a picture. Linear search, since it
// runs once per click, not once per pixel.
#include "draw/camera.h"
#include "geom/vec3.h"

typedef struct eye_frame {
    erg_vec3 right, top, back;
    double   slope; // tangent of half the vertical field of view
} eye_frame;

static eye_frame frame_of(const erg_picture *p, double aspect)
{
    eye_frame f;
    f.back = ergi_normalize(ergi_sub(p->eye.position, p->eye.target));
    f.right = ergi_cross(p->eye.up, f.back);
    if (ergi_norm(f.right) < 1e-9 * ergi_norm(p->eye.up)) f.right = ergi_perpendicular(f.back);
    f.right = ergi_normalize(f.right);
    f.top = ergi_cross(f.back, f.right);
    f.slope = tan(0.5 * ergi_camera_angle(p, aspect) * ERGI_PI / 180.0);
    return f;
}

erg_ray erg_picture_ray(const erg_picture *p, int width, int height, double x, double y)
{
    if (!p) return (erg_ray){0};
    double    aspect = (double)width / height;
    eye_frame f = frame_of(p, aspect);
    erg_vec3  d = ergi_scale(f.back, -1);
    d = ergi_madd(d, (2 * x / width - 1) * f.slope * aspect, f.right);
    d = ergi_madd(d, (1 - 2 * y / height) * f.slope, f.top);
    return (erg_ray){p->eye.position, ergi_normalize(d)};
}

bool erg_picture_seen_at(const erg_picture *p, int width, int height, erg_vec3 point, double *x,
                         double *y)
{
    if (!p || !x || !y) return false;
    double    aspect = (double)width / height;
    eye_frame f = frame_of(p, aspect);
    erg_vec3  d = ergi_sub(point, p->eye.position);
    double    depth = -ergi_dot(d, f.back);
    if (!(depth > 0)) return false;
    *x = 0.5 * width * (1 + ergi_dot(d, f.right) / (depth * f.slope * aspect));
    *y = 0.5 * height * (1 - ergi_dot(d, f.top) / (depth * f.slope));
    return true;
}

static erg_vec3 corner_at(const erg_picture *p, size_t i)
{
    const float *q = p->corners[i].place;
    return ergi_vec3((double)q[0], (double)q[1], (double)q[2]);
}

typedef struct triangle {
    erg_vec3 a, b, c;
} triangle;

static triangle triangle_at(const erg_picture *p, size_t first)
{
    return (triangle){corner_at(p, first), corner_at(p, first + 1), corner_at(p, first + 2)};
}

// Distance along the ray, HUGE_VAL when it misses. After Moeller and Trumbore, Fast, minimum
// storage ray/triangle intersection, J. Graphics Tools 2 (1997) 21. Coordinates are relative to the
// picture's origin.
static double meet_triangle(triangle corners, erg_vec3 from, erg_vec3 along)
{
    erg_vec3 a = corners.a, ab = ergi_sub(corners.b, a), ac = ergi_sub(corners.c, a),
             h = ergi_cross(along, ac);
    double determinant = ergi_dot(ab, h);
    if (determinant == 0) return HUGE_VAL;
    erg_vec3 s = ergi_sub(from, a), q = ergi_cross(s, ab);
    double   u = ergi_dot(s, h) / determinant, v = ergi_dot(along, q) / determinant;
    double   t = ergi_dot(ac, q) / determinant;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : HUGE_VAL;
}

// The part of a ray that the cut leaves; everything drawn except the ground ends at its plane.
typedef struct interval {
    double from, to; // distances along the ray; empty when from > to [m]
} interval;

static interval kept_by_cut(const erg_picture *p, const erg_ray *ray)
{
    interval all = {0, HUGE_VAL};
    if (!p->look.cut) return all;
    erg_vec3 n = p->look.cut_normal;
    double   slope = ergi_dot(ray->direction, n);
    double   before = ergi_dot(ergi_sub(p->look.cut_point, ray->origin),
                               n); // >= 0: the camera is on the kept side
    if (slope > 0) return (interval){0, before / slope};
    if (slope < 0) return (interval){fmax(before / slope, 0), HUGE_VAL};
    return before >= 0 ? all : (interval){HUGE_VAL, 0};
}

static double clip(interval left, double far)
{
    return far >= left.from && far <= left.to ? far : HUGE_VAL;
}

// A cut sphere has a flat face where the ray enters through the plane.
static double meet_sphere(const ergi_ball *b, erg_vec3 from, erg_vec3 along, interval left)
{
    erg_vec3 d = ergi_sub(ergi_vec3((double)b->x, (double)b->y, (double)b->z), from);
    double   middle = ergi_dot(d, along), r = (double)b->r;
    erg_vec3 offset = ergi_madd(d, -middle, along);
    double   inside = r * r - ergi_dot(offset, offset);
    if (inside < 0) return HUGE_VAL;
    double half = sqrt(inside), t = middle - half;
    if (left.from > 0 && t < left.from && left.from < middle + half) t = left.from;
    return t > 0 ? clip(left, t) : HUGE_VAL;
}

// The side of vessels and glass towards the camera is seen through.
static bool is_seen_through(const erg_picture *p, const ergi_sheet *mesh, size_t corner,
                            erg_vec3 along)
{
    const float *n = p->corners[corner].normal;
    if (mesh->kind != ERGI_SHEET_VESSEL && mesh->kind != ERGI_SHEET_GLASS) return false;
    return ergi_dot(ergi_vec3((double)n[0], (double)n[1], (double)n[2]), along) < 0;
}

// Distance to the nearest point of a triangle, by the regions of its plane: Ericson, Real-Time
// Collision Detection (2005), section 5.1.5.
static double triangle_distance(triangle corners, erg_vec3 q)
{
    erg_vec3 a = corners.a, b = corners.b, c = corners.c;
    erg_vec3 ab = ergi_sub(b, a), ac = ergi_sub(c, a), aq = ergi_sub(q, a);
    double   d1 = ergi_dot(ab, aq), d2 = ergi_dot(ac, aq);
    if (d1 <= 0 && d2 <= 0) return ergi_norm(aq);
    erg_vec3 bq = ergi_sub(q, b);
    double   d3 = ergi_dot(ab, bq), d4 = ergi_dot(ac, bq);
    if (d3 >= 0 && d4 <= d3) return ergi_norm(bq);
    erg_vec3 cq = ergi_sub(q, c);
    double   d5 = ergi_dot(ab, cq), d6 = ergi_dot(ac, cq);
    if (d6 >= 0 && d5 <= d6) return ergi_norm(cq);
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return ergi_distance(q, ergi_madd(a, d1 / (d1 - d3), ab));
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return ergi_distance(q, ergi_madd(a, d2 / (d2 - d6), ac));
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return ergi_distance(q, ergi_madd(b, (d4 - d3) / (d4 - d3 + d5 - d6), ergi_sub(c, b)));
    erg_vec3 n = ergi_cross(ab, ac);
    return fabs(ergi_dot(n, aq)) / ergi_norm(n);
}

// ---- Props -------------------------------------------------------------------------------------
static triangle model_triangle(const ergi_model *m, size_t first)
{
    erg_vec3 at[3];
    for (size_t k = 0; k < 3; k++) {
        const float *q = m->corner[m->index[first + k]].place;
        at[k] = ergi_vec3((double)q[0], (double)q[1], (double)q[2]);
    }
    return (triangle){at[0], at[1], at[2]};
}

// From the world to the model frame, centred on the model.
static erg_vec3 to_model(const ergi_prop *prop, erg_vec3 q)
{
    erg_vec3 own = ergi_quat_unrotate(prop->orientation, ergi_sub(q, prop->position));
    return ergi_sub(own, prop->model->middle);
}

// The cut shows a face on closed bodies not made of glass: where the nearest remaining triangle is
// seen from behind.
static double meet_model(const erg_picture *p, const ergi_prop *prop, const erg_ray *ray)
{
    const ergi_model *m = prop->model;
    erg_vec3          from = to_model(prop, ray->origin);
    erg_vec3          along = ergi_quat_unrotate(prop->orientation, ray->direction);
    double            nearest = HUGE_VAL;
    bool              behind = false;
    erg_vec3          offset = ergi_madd(from, -ergi_dot(from, along), along);
    interval          left = kept_by_cut(p, ray);
    if (ergi_norm(offset) > m->radius) return HUGE_VAL;
    for (size_t i = 0; i < m->indices; i += 3) {
        triangle t = model_triangle(m, i);
        double   far = meet_triangle(t, from, along);
        if (!(far >= left.from && far < nearest)) continue;
        nearest = far;
        behind = ergi_dot(ergi_cross(ergi_sub(t.b, t.a), ergi_sub(t.c, t.a)), along) > 0;
    }
    bool face = left.from > 0 && behind && (m->closed || m->cast) && !prop->glass;
    return clip(left, face ? left.from : nearest);
}

static double model_distance(const ergi_prop *prop, erg_vec3 point, double reach)
{
    const ergi_model *m = prop->model;
    erg_vec3          q = to_model(prop, point);
    if (ergi_norm(q) - m->radius > reach) return HUGE_VAL;
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < m->indices; i += 3)
        nearest = fmin(nearest, triangle_distance(model_triangle(m, i), q));
    return nearest;
}

double erg_picture_meet_prop(const erg_picture *p, const erg_ray *ray, uint64_t id)
{
    if (!p || !ray) return (double)INFINITY;
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < p->prop_count; i++)
        if (p->props[i].id == id) nearest = fmin(nearest, meet_model(p, &p->props[i], ray));
    return nearest;
}

// ---- Terrain -----------------------------------------------------------------------------------
// A cut terrain has a face where the ray enters through the plane.
static double meet_land(const erg_picture *p, const erg_ray *ray, interval left)
{
    if (!(left.from < HUGE_VAL)) return HUGE_VAL;
    erg_vec3 start = ergi_madd(ray->origin, left.from, ray->direction);
    bool     face = left.from > 0 && ergi_land_holds(p->land, start);
    return clip(left,
                face ? left.from : left.from + ergi_land_meet(p->land, start, ray->direction));
}

// ---- Whole picture -----------------------------------------------------------------------------
// One triangle of a sheet; the ground is never cut.
static double meet_sheet(const erg_picture *p, const ergi_sheet *sheet, size_t first,
                         const erg_ray *ray, interval left)
{
    double far =
        meet_triangle(triangle_at(p, first), ergi_sub(ray->origin, p->origin), ray->direction);
    return sheet->kind == ERGI_SHEET_GROUND ? far : clip(left, far);
}

double erg_picture_meet(const erg_picture *p, const erg_ray *ray)
{
    if (!p || !ray) return (double)INFINITY;
    erg_vec3 from = ergi_sub(ray->origin, p->origin);
    interval left = kept_by_cut(p, ray);
    double   nearest = HUGE_VAL;
    for (size_t i = 0; i < p->prop_count; i++)
        nearest = fmin(nearest, meet_model(p, &p->props[i], ray));
    if (p->land) nearest = fmin(nearest, meet_land(p, ray, left));
    for (size_t i = 0; i < p->ball_count; i++)
        nearest = fmin(nearest, meet_sphere(&p->balls[i], from, ray->direction, left));
    for (size_t m = 0; m < p->sheet_count; m++) {
        const ergi_sheet *mesh = &p->sheets[m];
        for (size_t i = mesh->first; i < mesh->first + mesh->count; i += 3)
            if (!is_seen_through(p, mesh, i, ray->direction))
                nearest = fmin(nearest, meet_sheet(p, mesh, i, ray, left));
    }
    return nearest;
}

double erg_picture_meet_wall(const erg_picture *p, const erg_ray *ray, erg_id wall)
{
    if (!p || !ray) return (double)INFINITY;
    interval left = kept_by_cut(p, ray);
    double   nearest = HUGE_VAL;
    for (size_t m = 0; m < p->sheet_count; m++) {
        const ergi_sheet *mesh = &p->sheets[m];
        if (mesh->wall != wall) continue;
        for (size_t i = mesh->first; i < mesh->first + mesh->count; i += 3)
            nearest = fmin(nearest, meet_sheet(p, mesh, i, ray, left));
    }
    for (size_t i = 0; i < p->prop_count; i++)
        if (p->props[i].wall == wall) nearest = fmin(nearest, meet_model(p, &p->props[i], ray));
    return nearest;
}

double erg_picture_wall_ahead(const erg_picture *p, const erg_ray *ray)
{
    if (!p || !ray) return (double)INFINITY;
    erg_vec3 from = ergi_sub(ray->origin, p->origin);
    double   nearest = p->land ? ergi_land_meet(p->land, ray->origin, ray->direction) : HUGE_VAL;
    for (size_t m = 0; m < p->sheet_count; m++) {
        const ergi_sheet *mesh = &p->sheets[m];
        if (mesh->kind == ERGI_SHEET_GROUND) continue;
        for (size_t i = mesh->first; i < mesh->first + mesh->count; i += 3)
            nearest = fmin(nearest, meet_triangle(triangle_at(p, i), from, ray->direction));
    }
    for (size_t i = 0; i < p->prop_count; i++) {
        const ergi_prop *prop = &p->props[i];
        erg_vec3         own = to_model(prop, ray->origin);
        erg_vec3         along = ergi_quat_unrotate(prop->orientation, ray->direction);
        for (size_t k = 0; k < prop->model->indices; k += 3)
            nearest = fmin(nearest, meet_triangle(model_triangle(prop->model, k), own, along));
    }
    return nearest;
}

bool erg_picture_meets_mere_floor(const erg_picture *p, const erg_ray *ray)
{
    if (!p || !ray) return false;
    if (!p->has_ground || p->ground_holds) return false;
    double fall = -ergi_dot(ray->direction, p->up);
    double far = fall > 0 ? (ergi_dot(ray->origin, p->up) - p->ground) / fall : HUGE_VAL;
    return far > 0 && far <= erg_picture_meet(p, ray) * (1 + 1e-5);
}

static double sphere_distance(const ergi_ball *balls, size_t count, erg_vec3 q)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        const ergi_ball *b = &balls[i];
        erg_vec3         c = ergi_vec3((double)b->x, (double)b->y, (double)b->z);
        nearest = fmin(nearest, ergi_distance(q, c) - (double)b->r);
    }
    return nearest;
}

double erg_picture_clearance(const erg_picture *p, erg_vec3 point)
{
    if (!p) return (double)INFINITY;
    erg_vec3 q = ergi_sub(point, p->origin);
    double   nearest = fmin(sphere_distance(p->balls, p->ball_count, q),
                            sphere_distance(p->left_out, p->left_out_count, q));
    if (p->land) nearest = fmin(nearest, ergi_land_clearance(p->land, point));
    for (size_t i = 0; i < p->plane_count; i++) {
        double height = ergi_dot(ergi_sub(point, p->planes[i].origin), p->planes[i].normal);
        nearest = fmin(nearest, p->planes[i].thin ? fabs(height) : height);
    }
    for (size_t m = 0; m < p->sheet_count; m++)
        for (size_t i = p->sheets[m].first; i < p->sheets[m].first + p->sheets[m].count; i += 3)
            nearest = fmin(nearest, triangle_distance(triangle_at(p, i), q));
    for (size_t i = 0; i < p->prop_count; i++)
        nearest = fmin(nearest, model_distance(&p->props[i], point, nearest));
    return nearest;
}

double erg_picture_grain_radius(const erg_picture *p)
{
    if (!p) return 0;
    return p->mean;
}
