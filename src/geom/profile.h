// Surfaces of revolution: a chain of straight and round pieces in the half plane (r, z) around an
// axis. Cylinder, cone, funnel, hourglass, sphere and capsule are all such chains.
//
//     z |   cap
//       |----------+  vertex     A sphere's centre is brought to (r, z), too, so that closest
//       |          |  piece      points are a matter of two dimensions.
//       |         /
//       |        /  (part of an hourglass)
//       +------------ r
//
// Pieces run so that the outside of a closed shape is on the right of the direction of travel.
#ifndef ERGI_PROFILE_H
#define ERGI_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum { ERGI_PROFILE_PIECES = 8 };

typedef struct ergi_rz {
    double r, z; // [m]
} ergi_rz;

typedef struct ergi_piece {
    ergi_rz  a, b;             // ends
    ergi_rz  along_a, along_b; // unit tangents at the ends, in the direction of travel
    bool     round;            // part of a circle, half of it at most
    bool     ends_on_axis;     // b.r is 0
    ergi_rz  centre;           // of the circle
    double   radius;           // of the circle [m]
    double   bulge;            // circle: +1 when its centre is on the inside of the shape, else -1
    double   length;           // [m]
    uint32_t slot; // names the piece in contacts; pieces that never touch at once may share it
} ergi_piece;

typedef struct ergi_profile {
    int        count;
    ergi_piece piece[ERGI_PROFILE_PIECES];
    bool       closed; // begins and ends on the axis: has an inside
    double     r_max, z_min, z_max;
} ergi_profile;

// Where on a piece the point nearest to p lies.
typedef enum ergi_piece_end { ERGI_AT_A = -1, ERGI_BETWEEN = 0, ERGI_AT_B = 1 } ergi_piece_end;

typedef struct ergi_piece_near {
    ergi_piece_end end;
    ergi_rz        point;
    double         distance2; // [m^2]
} ergi_piece_near;

// ---- Shapes ------------------------------------------------------------------------------------
// Sizes are taken to be right; see ergi_wall_check. A length of 0 leaves that part out.
void ergi_profile_sphere(ergi_profile *out, double radius);                 // about z = 0
void ergi_profile_capsule(ergi_profile *out, double length, double radius); // about z = 0
void ergi_profile_frustum(ergi_profile *out, double length, double radius_a, double radius_b,
                          bool cap_a, bool cap_b); // z from -length/2 (a) to length/2 (b)
void ergi_profile_funnel(ergi_profile *out, double outlet_radius, double top_radius, double stem,
                         double height, double rim); // outlet at z = 0
typedef struct ergi_hourglass_size {
    double neck_radius, bulb_radius, cone_height, height, rounding;
    bool   cap_a, cap_b;
} ergi_hourglass_size;
void ergi_profile_hourglass(ergi_profile *out, ergi_hourglass_size size); // neck at z = 0

// ---- Questions ---------------------------------------------------------------------------------
// The point of a round piece's circle nearest to p.
ergi_rz ergi_circle_point(const ergi_piece *piece, ergi_rz p);

// Here, because walls are asked for every sphere near them in every step.
static inline ergi_piece_near ergi_piece_nearest(const ergi_piece *piece, ergi_rz p)
{
    // The lines through the ends, across the piece, bound what is nearest to its inner part; the
    // circle's centre lies on both, so this holds for round pieces too. A point on the line at b
    // belongs to the next piece.
    ergi_rz a = {p.r - piece->a.r, p.z - piece->a.z}, b = {p.r - piece->b.r, p.z - piece->b.z};
    double  along = a.r * piece->along_a.r + a.z * piece->along_a.z;
    double  beyond = b.r * piece->along_b.r + b.z * piece->along_b.z;
    bool    before = along < 0.0, after = piece->ends_on_axis ? beyond > 0.0 : beyond >= 0.0;
    if (before && after && piece->round) before = a.r * a.r + a.z * a.z < b.r * b.r + b.z * b.z;

    ergi_piece_near out = {
        ERGI_BETWEEN,
        {piece->a.r + along * piece->along_a.r, piece->a.z + along * piece->along_a.z},
        0.0};
    if (before) {
        out.end = ERGI_AT_A;
        out.point = piece->a;
    } else if (after) {
        out.end = ERGI_AT_B;
        out.point = piece->b;
    } else if (piece->round) {
        out.point = ergi_circle_point(piece, p);
    }
    double r = p.r - out.point.r, z = p.z - out.point.z;
    out.distance2 = r * r + z * z;
    return out;
}

// Unit normal on the right of the direction of travel, at a point of the piece.
ergi_rz ergi_piece_outward(const ergi_piece *piece, ergi_rz point);

// The point `s` along the piece from a; and the s of the point nearest to p, not cut to the ends.
ergi_rz ergi_piece_at(const ergi_piece *piece, double s);
double  ergi_piece_along(const ergi_piece *piece, ergi_rz p);

// Distance to the nearest piece; of a closed profile negative inside.
double ergi_profile_distance(const ergi_profile *profile, ergi_rz p);

// Is p outside, given the nearest point of every piece and which of them is nearest?
bool ergi_profile_is_outside(const ergi_profile *profile, const ergi_piece_near *near, int nearest,
                             ergi_rz p);

#endif
