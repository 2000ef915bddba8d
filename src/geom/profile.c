#include "geom/profile.h"

#include "geom/vec3.h"

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
    double  length = sqrt(ergi_rz_dot(d, d));
    if (length == 0.0) return;
    ergi_piece *piece = add_piece(out, (ergi_rz){ar, az}, (ergi_rz){br, bz});
    piece->length = length;
    piece->along_a = piece->along_b = (ergi_rz){d.r / length, d.z / length};
}

// Arc from a to b; bulge +1 turns left in the direction of travel, -1 right.
static void add_round(ergi_profile *out, ergi_rz a, ergi_rz b, ergi_rz centre, double radius,
                      double bulge)
{
    ergi_piece *piece = add_piece(out, a, b);
    ergi_rz     from = ergi_rz_sub(a, centre), to = ergi_rz_sub(b, centre);
    piece->round = true;
    piece->centre = centre;
    piece->radius = radius;
    piece->bulge = bulge;
    piece->along_a = (ergi_rz){-bulge * from.z / radius, bulge * from.r / radius};
    piece->along_b = (ergi_rz){-bulge * to.z / radius, bulge * to.r / radius};
    double turn = atan2(bulge * (from.r * to.z - from.z * to.r), ergi_rz_dot(from, to));
    piece->length = radius * fabs(turn);
}

// A straight piece next to a round one copies its tangent bit for bit, so that every point belongs
// to exactly one of the two.
static void join_smoothly(ergi_profile *out)
{
    for (int i = 0; i + 1 < out->count; i++) {
        ergi_piece *first = &out->piece[i], *second = first + 1;
        if (first->round == second->round) continue;
        if (ergi_rz_dot(first->along_b, second->along_a) < 1.0 - 1e-12) continue;
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
        // Both ends and the midpoint bound every round piece used here: quarter circles, the
        // sphere's half circle and the symmetric arc of the neck.
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
        // exact tangents, so that the regions of the three pieces meet without gaps
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

// The rounded neck is an arc whose smallest radius is neck_radius; the cones are its tangents from
// their wide ends.
static void add_neck(ergi_profile *out, ergi_hourglass_size size)
{
    double  bulb = size.bulb_radius, cone = size.cone_height, rho = size.rounding;
    ergi_rz centre = {size.neck_radius + rho, 0.0};
    ergi_rz v = {bulb - centre.r, cone};
    double  distance2 = ergi_rz_dot(v, v), tangent = sqrt(distance2 - rho * rho);
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
