#include "geom/profile.h"

#include "geom/vec3.h"

static ergi_rz sub(ergi_rz p, ergi_rz q)
{
    return (ergi_rz){p.r - q.r, p.z - q.z};
}

static ergi_rz madd(ergi_rz p, double s, ergi_rz q)
{
    return (ergi_rz){p.r + s * q.r, p.z + s * q.z};
}

static double dot(ergi_rz p, ergi_rz q)
{
    return p.r * q.r + p.z * q.z;
}

// ---- Building ----------------------------------------------------------------------------------
static ergi_piece *add_piece(ergi_profile *out, ergi_rz a, ergi_rz b)
{
    ergi_piece *piece = &out->piece[out->count];
    *piece = (ergi_piece){.a = a, .b = b, .ends_on_axis = b.r == 0.0};
    piece->slot = (uint32_t)out->count++;
    return piece;
}

static void add_line(ergi_profile *out, double ar, double az, double br, double bz)
{
    ergi_rz d = {br - ar, bz - az};
    double  length = sqrt(dot(d, d));
    if (length == 0.0) return;
    ergi_piece *piece = add_piece(out, (ergi_rz){ar, az}, (ergi_rz){br, bz});
    piece->length = length;
    piece->along_a = piece->along_b = (ergi_rz){d.r / length, d.z / length};
}

// Part of a circle from a to b; +1 turns left on the way, -1 right.
static void add_round(ergi_profile *out, ergi_rz a, ergi_rz b, ergi_rz centre, double radius,
                      double bulge)
{
    ergi_piece *piece = add_piece(out, a, b);
    ergi_rz     from = sub(a, centre), to = sub(b, centre);
    piece->round = true;
    piece->centre = centre;
    piece->radius = radius;
    piece->bulge = bulge;
    piece->along_a = (ergi_rz){-bulge * from.z / radius, bulge * from.r / radius};
    piece->along_b = (ergi_rz){-bulge * to.z / radius, bulge * to.r / radius};
    double turn = atan2(bulge * (from.r * to.z - from.z * to.r), dot(from, to));
    piece->length = radius * fabs(turn);
}

// A straight piece beside a round one takes over its tangent bit by bit, so that every point
// belongs to exactly one of the two.
static void join_smoothly(ergi_profile *out)
{
    for (int i = 0; i + 1 < out->count; i++) {
        ergi_piece *first = &out->piece[i], *second = first + 1;
        if (first->round == second->round) continue;
        if (dot(first->along_b, second->along_a) < 1.0 - 1e-12) continue;
        if (first->round)
            second->along_a = first->along_b;
        else
            first->along_b = second->along_a;
    }
}

static void finish(ergi_profile *out)
{
    join_smoothly(out);
    out->closed = out->piece[0].a.r == 0.0 && out->piece[out->count - 1].ends_on_axis;
    out->r_max = 0.0;
    out->z_min = HUGE_VAL;
    out->z_max = -HUGE_VAL;
    for (int i = 0; i < out->count; i++) {
        // The round pieces used here bend over less than a quarter beyond their ends, except the
        // sphere's: three points hold the range of each.
        const ergi_piece *piece = &out->piece[i];
        for (int k = 0; k < 3; k++) {
            ergi_rz p = ergi_piece_at(piece, 0.5 * k * piece->length);
            out->r_max = fmax(out->r_max, p.r);
            out->z_min = fmin(out->z_min, p.z);
            out->z_max = fmax(out->z_max, p.z);
        }
    }
}

void ergi_profile_sphere(ergi_profile *out, double radius)
{
    *out = (ergi_profile){0};
    add_round(out, (ergi_rz){0.0, -radius}, (ergi_rz){0.0, radius}, (ergi_rz){0.0, 0.0}, radius,
              1.0);
    out->piece[0].length = ERGI_PI * radius;
    finish(out);
}

void ergi_profile_capsule(ergi_profile *out, double length, double radius)
{
    double z = 0.5 * length;
    *out = (ergi_profile){0};
    add_round(out, (ergi_rz){0.0, -z - radius}, (ergi_rz){radius, -z}, (ergi_rz){0.0, -z}, radius,
              1.0);
    add_line(out, radius, -z, radius, z);
    add_round(out, (ergi_rz){radius, z}, (ergi_rz){0.0, z + radius}, (ergi_rz){0.0, z}, radius,
              1.0);
    for (int i = 0; i < out->count; i++) {
        // exact, so that the three pieces part space between them without seams
        ergi_piece *piece = &out->piece[i];
        piece->slot = 0;
        if (i == 0) piece->along_a = (ergi_rz){1.0, 0.0};
        if (i > 0) piece->along_a = (ergi_rz){0.0, 1.0};
        piece->along_b = (ergi_rz){0.0, 1.0};
        if (i == out->count - 1) piece->along_b = (ergi_rz){-1.0, 0.0};
    }
    finish(out);
}

void ergi_profile_frustum(ergi_profile *out, double length, double radius_a, double radius_b,
                          bool cap_a, bool cap_b)
{
    double z = 0.5 * length;
    *out = (ergi_profile){0};
    if (cap_a) add_line(out, 0.0, -z, radius_a, -z);
    add_line(out, radius_a, -z, radius_b, z);
    if (cap_b) add_line(out, radius_b, z, 0.0, z);
    finish(out);
}

void ergi_profile_funnel(ergi_profile *out, double outlet_radius, double top_radius, double stem,
                         double height, double rim)
{
    *out = (ergi_profile){0};
    add_line(out, outlet_radius, 0.0, outlet_radius, stem);
    add_line(out, outlet_radius, stem, top_radius, stem + height);
    add_line(out, top_radius, stem + height, top_radius, stem + height + rim);
    finish(out);
}

// The rounded neck is a circle that reaches in to neck_radius; the cones are its tangents from the
// cones' wide ends.
static void add_neck(ergi_profile *out, ergi_hourglass_size size)
{
    double  bulb = size.bulb_radius, cone = size.cone_height, rho = size.rounding;
    ergi_rz centre = {size.neck_radius + rho, 0.0};
    ergi_rz v = {bulb - centre.r, cone};
    double  distance2 = dot(v, v), tangent = sqrt(distance2 - rho * rho);
    ergi_rz touch = {centre.r + rho * (v.r * rho - v.z * tangent) / distance2,
                     rho * (v.z * rho + v.r * tangent) / distance2};
    ergi_rz lower = {touch.r, -touch.z};
    add_line(out, bulb, -cone, lower.r, lower.z);
    if (rho > 0.0) add_round(out, lower, touch, centre, rho, -1.0);
    add_line(out, touch.r, touch.z, bulb, cone);
}

void ergi_profile_hourglass(ergi_profile *out, ergi_hourglass_size size)
{
    double end = 0.5 * size.height, bulb = size.bulb_radius;
    *out = (ergi_profile){0};
    if (size.cap_a) add_line(out, 0.0, -end, bulb, -end);
    add_line(out, bulb, -end, bulb, -size.cone_height);
    add_neck(out, size);
    add_line(out, bulb, size.cone_height, bulb, end);
    if (size.cap_b) add_line(out, bulb, end, 0.0, end);
    finish(out);
}

// ---- Questions ---------------------------------------------------------------------------------
ergi_rz ergi_circle_point(const ergi_piece *piece, ergi_rz p)
{
    ergi_rz d = sub(p, piece->centre);
    double  length = sqrt(dot(d, d));
    if (!(length > 0.0)) return piece->a; // all points are equally near
    return madd(piece->centre, piece->radius / length, d);
}

ergi_rz ergi_piece_outward(const ergi_piece *piece, ergi_rz point)
{
    if (!piece->round) return (ergi_rz){piece->along_a.z, -piece->along_a.r};
    ergi_rz d = sub(point, piece->centre);
    double  s = piece->bulge / piece->radius;
    return (ergi_rz){d.r * s, d.z * s};
}

ergi_rz ergi_piece_at(const ergi_piece *piece, double s)
{
    if (!piece->round) return madd(piece->a, s, piece->along_a);
    ergi_rz from = sub(piece->a, piece->centre);
    double  angle = piece->bulge * s / piece->radius, c = cos(angle), t = sin(angle);
    return madd(piece->centre, 1.0, (ergi_rz){c * from.r - t * from.z, t * from.r + c * from.z});
}

double ergi_piece_along(const ergi_piece *piece, ergi_rz p)
{
    if (!piece->round) return dot(sub(p, piece->a), piece->along_a);
    ergi_rz from = sub(piece->a, piece->centre), to = sub(p, piece->centre);
    return piece->radius * atan2(piece->bulge * (from.r * to.z - from.z * to.r), dot(from, to));
}

bool ergi_profile_is_outside(const ergi_profile *profile, const ergi_piece_near *near, int nearest,
                             ergi_rz p)
{
    const ergi_piece *piece = &profile->piece[nearest];
    ergi_piece_near   at = near[nearest];
    ergi_rz           out = ergi_piece_outward(piece, at.point);
    // At a vertex one piece alone cannot tell; the sum of both normals can.
    int other = nearest + (int)at.end;
    if (at.end != ERGI_BETWEEN) {
        if (other >= 0 && other < profile->count)
            out = madd(out, 1.0, ergi_piece_outward(&profile->piece[other], at.point));
        else
            out.r = 0.0; // the tip of a cone, on the axis
    }
    return dot(sub(p, at.point), out) > 0.0;
}

double ergi_profile_distance(const ergi_profile *profile, ergi_rz p)
{
    ergi_piece_near near[ERGI_PROFILE_PIECES];
    int             nearest = 0;
    near[0] = ergi_piece_nearest(&profile->piece[0], p); // there is always one
    for (int i = 1; i < profile->count; i++) {
        near[i] = ergi_piece_nearest(&profile->piece[i], p);
        if (near[i].distance2 < near[nearest].distance2) nearest = i;
    }
    double distance = sqrt(near[nearest].distance2);
    if (!profile->closed || ergi_profile_is_outside(profile, near, nearest, p)) return distance;
    return -distance;
}
