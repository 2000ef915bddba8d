#include "geom/region.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"

// ---- Cylinder, hollow cylinder and cone: solids of revolution ----------------------------------
// In the half plane (t along the axis from a, s away from it) each is a quadrilateral with straight
// ends; the distance in space is the distance in that half plane.
typedef struct profile {
    double   length, radius_a, radius_b, inner; // [m]
    erg_vec3 axis;                              // unit
} profile;

static profile profile_of(const erg_region *r)
{
    erg_vec3 ab = ergi_sub(r->b, r->a);
    bool     cone = r->shape == ERG_REGION_CONE;
    return (profile){.length = ergi_norm(ab),
                     .radius_a = r->radius,
                     .radius_b = cone ? r->radius_b : r->radius,
                     .inner = cone ? 0.0 : r->inner_radius,
                     .axis = ergi_normalize(ab)};
}

static void project(const erg_region *r, const profile *f, erg_vec3 p, double *t, double *s)
{
    erg_vec3 ap = ergi_sub(p, r->a);
    *t = ergi_dot(ap, f->axis);
    *s = ergi_norm(ergi_madd(ap, -*t, f->axis));
}

// Length of the slanted side divided by that of the axis.
static double slant(const profile *f)
{
    double fall = (f->radius_b - f->radius_a) / f->length;
    return sqrt(1.0 + fall * fall);
}

static double radius_at(const profile *f, double t)
{
    return f->radius_a + (f->radius_b - f->radius_a) * (t / f->length);
}

static double profile_depth(const profile *f, double t, double s)
{
    double room = fmin(fmin(t, f->length - t), (radius_at(f, t) - s) / slant(f));
    return f->inner > 0.0 ? fmin(room, s - f->inner) : room;
}

static double segment_distance(double t, double s, double t0, double s0, double t1, double s1)
{
    double dt = t1 - t0, ds = s1 - s0;
    double u = ((t - t0) * dt + (s - s0) * ds) / (dt * dt + ds * ds);
    u = fmin(fmax(u, 0.0), 1.0);
    return hypot(t - t0 - u * dt, s - s0 - u * ds);
}

// Distance from a point outside.
static double profile_distance(const profile *f, double t, double s)
{
    if (t < 0.0 || t > f->length) {
        double beyond = t < 0.0 ? -t : t - f->length;
        double r = t < 0.0 ? f->radius_a : f->radius_b;
        if (s >= f->inner && s <= r) return beyond;
        if (s < f->inner) return hypot(beyond, f->inner - s);
    } else if (s < f->inner) {
        return f->inner - s;
    }
    return segment_distance(t, s, 0.0, f->radius_a, f->length, f->radius_b);
}

// ---- Solid without its minus list --------------------------------------------------------------
// Signed depth: distance to the surface, positive inside, negative outside. Exact on both sides.
static double solid_depth(const erg_region *r, erg_vec3 p)
{
    if (!ergi_finite(p)) return -HUGE_VAL; // fmin would hide NaN
    if (r->shape == ERG_REGION_SPHERE) return r->radius - ergi_distance(p, r->a);
    if (r->shape == ERG_REGION_BOX) {
        erg_vec3 room = {fmin(p.x - r->a.x, r->b.x - p.x), fmin(p.y - r->a.y, r->b.y - p.y),
                         fmin(p.z - r->a.z, r->b.z - p.z)};
        double   least = fmin(room.x, fmin(room.y, room.z));
        if (least >= 0.0) return least;
        return -ergi_norm(ergi_vec3(fmin(room.x, 0.0), fmin(room.y, 0.0), fmin(room.z, 0.0)));
    }
    double  t, s;
    profile f = profile_of(r);
    project(r, &f, p, &t, &s);
    double room = profile_depth(&f, t, s);
    return room >= 0.0 ? room : -profile_distance(&f, t, s);
}

static double solid_volume(const erg_region *r)
{
    if (r->shape == ERG_REGION_SPHERE)
        return 4.0 / 3.0 * ERGI_PI * r->radius * r->radius * r->radius;
    if (r->shape == ERG_REGION_BOX)
        return (r->b.x - r->a.x) * (r->b.y - r->a.y) * (r->b.z - r->a.z);
    profile f = profile_of(r);
    double  squares = f.radius_a * f.radius_a + f.radius_a * f.radius_b + f.radius_b * f.radius_b;
    return ERGI_PI * f.length * (squares / 3.0 - f.inner * f.inner);
}

// ---- With the minus list -----------------------------------------------------------------------
bool ergi_region_contains(const erg_region *region, erg_vec3 p)
{
    if (!(solid_depth(region, p) >= 0.0)) return false;
    for (size_t i = 0; i < region->minus_count; i++) {
        if (ergi_region_contains(&region->minus[i], p)) return false;
    }
    return true;
}

// Lower bound of the distance from p to the region: from its solid, or from inside a hole of it.
// Negative when neither bound holds.
static double distance_to(const erg_region *region, erg_vec3 p)
{
    double away = -solid_depth(region, p);
    for (size_t i = 0; i < region->minus_count; i++)
        away = fmax(away, ergi_region_depth(&region->minus[i], p));
    return away;
}

double ergi_region_depth(const erg_region *region, erg_vec3 p)
{
    double room = solid_depth(region, p);
    for (size_t i = 0; i < region->minus_count; i++)
        room = fmin(room, distance_to(&region->minus[i], p));
    return room;
}

// ---- Bounds over a box -------------------------------------------------------------------------
static double beyond(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

// Distance from a point to the box.
static double box_distance(erg_vec3 low, erg_vec3 high, erg_vec3 p)
{
    return ergi_norm(ergi_vec3(beyond(p.x, low.x, high.x), beyond(p.y, low.y, high.y),
                               beyond(p.z, low.z, high.z)));
}

// Largest depth between two faces of a coordinate in low .. high.
static double deepest(double low, double high, double face_a, double face_b)
{
    double middle = 0.5 * (face_a + face_b);
    return 0.5 * (face_b - face_a) - beyond(middle, low, high);
}

static double max_solid_depth(const erg_region *r, erg_vec3 low, erg_vec3 high)
{
    if (r->shape == ERG_REGION_SPHERE) return r->radius - box_distance(low, high, r->a);
    if (r->shape == ERG_REGION_BOX)
        return fmin(
            fmin(deepest(low.x, high.x, r->a.x, r->b.x), deepest(low.y, high.y, r->a.y, r->b.y)),
            deepest(low.z, high.z, r->a.z, r->b.z));
    // t and s of the centre, and their largest change within the box
    double   t, s;
    profile  f = profile_of(r);
    erg_vec3 half = ergi_scale(ergi_sub(high, low), 0.5), n = f.axis;
    project(r, &f, ergi_add(low, half), &t, &s);
    double dt = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    double ds = ergi_norm(half);
    double most_t = deepest(t - dt, t + dt, 0.0, f.length);
    double widest = fmax(radius_at(&f, fmin(fmax(t - dt, 0.0), f.length)),
                         radius_at(&f, fmin(fmax(t + dt, 0.0), f.length)));
    double most = fmin(most_t, (widest - fmax(s - ds, 0.0)) / slant(&f));
    return f.inner > 0.0 ? fmin(most, s + ds - f.inner) : most;
}

// Upper bound of distance_to over the box.
static double max_distance_to(const erg_region *region, erg_vec3 low, erg_vec3 high)
{
    // The signed distance to a convex solid is convex, so its maximum is at a corner.
    double most = -HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        erg_vec3 corner = {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
        most = fmax(most, -solid_depth(region, corner));
    }
    if (region->shape == ERG_REGION_CYLINDER && region->inner_radius > 0.0) {
        erg_vec3 half = ergi_scale(ergi_sub(high, low), 0.5);
        most = -solid_depth(region, ergi_add(low, half)) + ergi_norm(half);
    }
    for (size_t i = 0; i < region->minus_count; i++)
        most = fmax(most, ergi_region_max_depth(&region->minus[i], low, high));
    return most;
}

double ergi_region_max_depth(const erg_region *region, erg_vec3 low, erg_vec3 high)
{
    double most = max_solid_depth(region, low, high);
    for (size_t i = 0; i < region->minus_count; i++)
        most = fmin(most, max_distance_to(&region->minus[i], low, high));
    return most;
}

void ergi_region_bounds(const erg_region *region, erg_vec3 *low, erg_vec3 *high)
{
    const erg_region *r = region;
    *low = r->a;
    *high = r->b;
    if (r->shape == ERG_REGION_BOX) return;
    if (r->shape == ERG_REGION_SPHERE) {
        erg_vec3 reach = {r->radius, r->radius, r->radius};
        *low = ergi_sub(r->a, reach);
        *high = ergi_add(r->a, reach);
        return;
    }
    // Bounds of the two end discs: a disc of radius 1 across n extends sqrt(1 - n_x^2) along x.
    profile  f = profile_of(r);
    erg_vec3 n = f.axis;
    erg_vec3 reach = {sqrt(fmax(0.0, 1.0 - n.x * n.x)), sqrt(fmax(0.0, 1.0 - n.y * n.y)),
                      sqrt(fmax(0.0, 1.0 - n.z * n.z))};
    erg_vec3 low_a = ergi_madd(r->a, -f.radius_a, reach),
             low_b = ergi_madd(r->b, -f.radius_b, reach);
    erg_vec3 high_a = ergi_madd(r->a, f.radius_a, reach),
             high_b = ergi_madd(r->b, f.radius_b, reach);
    *low = ergi_vec3(fmin(low_a.x, low_b.x), fmin(low_a.y, low_b.y), fmin(low_a.z, low_b.z));
    *high = ergi_vec3(fmax(high_a.x, high_b.x), fmax(high_a.y, high_b.y), fmax(high_a.z, high_b.z));
}

double ergi_region_volume(const erg_region *region)
{
    double volume = solid_volume(region);
    if (region->minus_count == 0) return volume;
    enum { POINTS = 1 << 17 };
    // Quasi-random points: multiples of these three irrational numbers modulo 1, powers of the real
    // root of x^4 = x + 1, cover the cube evenly.
    const double step[3] = {0.81917251339616443970, 0.67104360670378920841, 0.54970047790197026694};
    double       at[3] = {0.5, 0.5, 0.5};
    erg_vec3     low, high;
    ergi_region_bounds(region, &low, &high);
    int solid = 0, kept = 0;
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3; k++) {
            at[k] += step[k];
            if (at[k] >= 1.0) at[k] -= 1.0;
        }
        erg_vec3 p = {low.x + at[0] * (high.x - low.x), low.y + at[1] * (high.y - low.y),
                      low.z + at[2] * (high.z - low.z)};
        if (solid_depth(region, p) < 0.0) continue;
        solid++;
        kept += ergi_region_contains(region, p);
    }
    return solid > 0 ? volume * kept / solid : 0.0;
}

// ---- Random points -----------------------------------------------------------------------------
// Random height along a frustum with radius p at 0 and q at 1, weighted by the cross-section.
static double frustum_height(double p, double q, double u)
{
    if (fabs(q - p) <= 1e-6 * (p + q)) return u;
    double r3 = p * p * p + u * (q * q * q - p * p * p);
    return (cbrt(r3) - p) / (q - p);
}

// Length that remains after the margins. A slightly negative one counts as 0, so that a gap exactly
// one grain wide still fits the grain in spite of rounding.
static double leftover(double length, double margin)
{
    return length < 0.0 && length > -1e-9 * margin ? 0.0 : length;
}

static bool draw_in_profile(const erg_region *r, double margin, ergi_random *random, erg_vec3 *p)
{
    profile f = profile_of(r);
    // the solid shrunk by the margin: ends and side move inwards, each along its normal
    double inner = f.inner > 0.0 ? f.inner + margin : 0.0;
    double from = margin, inset = margin * slant(&f);
    double to = from + leftover(f.length - 2.0 * margin, margin);
    double ra = leftover(radius_at(&f, from) - inset, margin);
    double rb = leftover(radius_at(&f, to) - inset, margin);
    if (from > to || leftover(fmax(ra, rb) - inner, margin) < 0.0) return false;
    if (ra < 0.0) { // a cone that closes before its end
        from += (to - from) * ra / (ra - rb);
        ra = 0.0;
    } else if (rb < 0.0) {
        to -= (to - from) * rb / (rb - ra);
        rb = 0.0;
    }
    double   t = from + (to - from) * frustum_height(ra, rb, ergi_random_uniform(random));
    double   outer = radius_at(&f, t) - inset;
    double   u = ergi_random_uniform(random), angle = 2.0 * ERGI_PI * ergi_random_uniform(random);
    double   s = sqrt(fmax(0.0, inner * inner + u * (outer * outer - inner * inner)));
    erg_vec3 e = ergi_perpendicular(f.axis), g = ergi_cross(f.axis, e);
    *p = ergi_madd(r->a, t, f.axis);
    *p = ergi_madd(ergi_madd(*p, s * cos(angle), e), s * sin(angle), g);
    return true;
}

bool ergi_region_draw(const erg_region *region, double margin, ergi_random *random, erg_vec3 *p)
{
    const erg_region *r = region;
    if (r->shape == ERG_REGION_SPHERE) {
        double room = leftover(r->radius - margin, margin);
        *p = ergi_madd(r->a, room, ergi_random_in_ball(random));
        return room >= 0.0;
    }
    if (r->shape == ERG_REGION_BOX) {
        erg_vec3 size = ergi_sub(r->b, r->a);
        double   x = leftover(size.x - 2.0 * margin, margin);
        double   y = leftover(size.y - 2.0 * margin, margin);
        double   z = leftover(size.z - 2.0 * margin, margin);
        p->x = r->a.x + margin + x * ergi_random_uniform(random);
        p->y = r->a.y + margin + y * ergi_random_uniform(random);
        p->z = r->a.z + margin + z * ergi_random_uniform(random);
        return x >= 0.0 && y >= 0.0 && z >= 0.0;
    }
    return draw_in_profile(r, margin, random, p);
}

// ---- Checks and copies -------------------------------------------------------------------------
static bool has_length(double x)
{
    return x > 0.0 && isfinite(x);
}

// The ends of an axis, or two corners.
static erg_status check_points(const erg_region *r, const char *what, erg_error *err)
{
    if (ergi_finite(r->a) && ergi_finite(r->b)) return ERG_OK;
    return ergi_fail_at(err, ergi_finite(r->a) ? "b" : "a", ERG_ERROR_NOT_FINITE,
                        "%s must be finite", what);
}

static erg_status check_radius(const erg_region *r, erg_error *err)
{
    if (has_length(r->radius)) return ERG_OK;
    return ergi_fail_at(err, "radius", ergi_code_of(r->radius), "radius must be above 0 m, got %g",
                        r->radius);
}

static erg_status check_box(const erg_region *r, erg_error *err)
{
    erg_status status = check_points(r, "corners", err);
    if (status != ERG_OK || (r->a.x < r->b.x && r->a.y < r->b.y && r->a.z < r->b.z)) return status;
    return ergi_fail_at(err, "b", ERG_ERROR_OUT_OF_RANGE,
                        "the first corner must be below the second on every axis, "
                        "got [%g, %g, %g] and [%g, %g, %g]",
                        r->a.x, r->a.y, r->a.z, r->b.x, r->b.y, r->b.z);
}

static erg_status check_axis(const erg_region *r, erg_error *err)
{
    erg_status status = check_points(r, "the axis", err);
    if (status != ERG_OK || ergi_distance(r->a, r->b) > 0.0) return status;
    return ergi_fail_at(err, "b", ERG_ERROR_OUT_OF_RANGE, "the ends of the axis must differ");
}

static erg_status check_cone(const erg_region *r, erg_error *err)
{
    erg_status status = check_axis(r, err);
    bool       first = r->radius >= 0.0 && isfinite(r->radius);
    bool       second = r->radius_b >= 0.0 && isfinite(r->radius_b);
    if (status != ERG_OK || (first && second && has_length(r->radius + r->radius_b))) return status;
    return ergi_fail_at(
        err, first && !second ? "radius_b" : "radius", ergi_code_of(r->radius + r->radius_b),
        "radii must be 0 m or more and one above 0, got %g and %g", r->radius, r->radius_b);
}

static erg_status check_cylinder(const erg_region *r, erg_error *err)
{
    erg_status status = check_axis(r, err);
    if (status == ERG_OK) status = check_radius(r, err);
    if (status != ERG_OK || (r->inner_radius >= 0.0 && r->inner_radius < r->radius)) return status;
    return ergi_fail_at(err, "inner_radius", ergi_code_of(r->inner_radius),
                        "inner radius must be from 0 m to below the radius %g, got %g", r->radius,
                        r->inner_radius);
}

static erg_status check_sphere(const erg_region *r, erg_error *err)
{
    if (!ergi_finite(r->a))
        return ergi_fail_at(err, "a", ERG_ERROR_NOT_FINITE, "the centre must be finite");
    return check_radius(r, err);
}

static erg_status check_solid(const erg_region *r, erg_error *err)
{
    switch (r->shape) {
    case ERG_REGION_BOX: return check_box(r, err);
    case ERG_REGION_SPHERE: return check_sphere(r, err);
    case ERG_REGION_CYLINDER: return check_cylinder(r, err);
    case ERG_REGION_CONE: return check_cone(r, err);
    }
    return ergi_fail_at(err, "shape", ERG_ERROR_UNKNOWN, "unknown shape %d", (int)r->shape);
}

// *name: the shape at fault.
static erg_status check_depth(const erg_region *r, int depth, const char **name, erg_error *err)
{
    static const char *const names[] = {" box", " cylinder", " sphere", " cone"};
    *name = "";
    if (depth > ERGI_REGION_MAX_DEPTH)
        return ergi_fail_code(err, ERG_ERROR_TOO_MANY, "minus nested deeper than %d",
                              ERGI_REGION_MAX_DEPTH);
    if (r->minus_count > 0 && !r->minus)
        return ergi_fail_at(err, "minus", ERG_ERROR_MISSING, "%zu minus regions but no list",
                            r->minus_count);
    erg_status status = check_solid(r, err);
    if (status != ERG_OK && (unsigned)r->shape < sizeof names / sizeof *names)
        *name = names[r->shape];
    for (size_t i = 0; i < r->minus_count && status == ERG_OK; i++)
        status =
            ergi_fail_within(err, check_depth(&r->minus[i], depth + 1, name, err), "minus[%zu]", i);
    return status;
}

erg_status ergi_region_problem(const erg_region *region, erg_error *err)
{
    const char *name;
    return check_depth(region, 0, &name, err);
}

erg_status ergi_region_check(const erg_region *region, erg_error *err)
{
    erg_error   why;
    const char *name;
    erg_status  status = check_depth(region, 0, &name, &why);
    return status == ERG_OK ? ERG_OK : ergi_fail_as(err, &why, "region%s: %s", name, why.text);
}

erg_status ergi_region_copy(const erg_region *region, erg_region *copy, erg_error *err)
{
    *copy = *region;
    copy->minus = NULL;
    copy->minus_count = 0;
    if (region->minus_count == 0) return ERG_OK;
    erg_region *minus =
        ergi_memory_new(region->minus_count, sizeof *minus, "minus list of a region", err);
    if (!minus) return ERG_NO_MEMORY;
    copy->minus = minus;
    for (size_t i = 0; i < region->minus_count; i++) {
        erg_status status = ergi_region_copy(&region->minus[i], &minus[i], err);
        if (status != ERG_OK) {
            ergi_region_free(copy);
            return status;
        }
        copy->minus_count++;
    }
    return ERG_OK;
}

void ergi_region_free(erg_region *copy)
{
    erg_region *minus =
        (erg_region *)copy->minus; // owned here, although the public type only borrows
    for (size_t i = 0; i < copy->minus_count; i++) ergi_region_free(&minus[i]);
    ergi_memory_free(minus);
    copy->minus = NULL;
    copy->minus_count = 0;
}
