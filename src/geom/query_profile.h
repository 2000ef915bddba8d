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
// Pieces are directed so that the outside of a closed shape is on their right.
#ifndef ERGI_QUERY_PROFILE_H
#define ERGI_QUERY_PROFILE_H

#include "base/inline.h"

#include <math.h>
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
    uint32_t slot; // identifies the piece in contacts; shared by pieces never touched at once
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

// ---- Vectors of the half plane -----------------------------------------------------------------
ERG_INLINE ergi_rz ergi_rz_make(double r, double z)
{
    ergi_rz p = {r, z};
    return p;
}

ERG_INLINE ergi_rz ergi_rz_sub(ergi_rz p, ergi_rz q)
{
    return ergi_rz_make(p.r - q.r, p.z - q.z);
}

// p + s q
ERG_INLINE ergi_rz ergi_rz_madd(ergi_rz p, double s, ergi_rz q)
{
    return ergi_rz_make(p.r + s * q.r, p.z + s * q.z);
}

ERG_INLINE double ergi_rz_dot(ergi_rz p, ergi_rz q)
{
    return p.r * q.r + p.z * q.z;
}

// ---- Pieces ------------------------------------------------------------------------------------
ERG_INLINE ergi_rz ergi_circle_point(const ergi_piece *piece, ergi_rz p)
{
    ergi_rz d = ergi_rz_sub(p, piece->centre);
    double  length = sqrt(ergi_rz_dot(d, d));
    if (!(length > 0.0)) return piece->a; // every point of the circle is equally near
    return ergi_rz_madd(piece->centre, piece->radius / length, d);
}

ERG_INLINE ergi_piece_near ergi_piece_nearest(const ergi_piece *piece, ergi_rz p)
{
    // The lines across the piece through its ends bound the region nearest to its interior. The
    // circle's centre lies on both lines, so this also holds for round pieces. A point on the line
    // at b belongs to the next piece.
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
ERG_INLINE ergi_rz ergi_piece_outward(const ergi_piece *piece, ergi_rz point)
{
    if (!piece->round) return ergi_rz_make(piece->along_a.z, -piece->along_a.r);
    ergi_rz d = ergi_rz_sub(point, piece->centre);
    double  s = piece->bulge / piece->radius;
    return ergi_rz_make(d.r * s, d.z * s);
}

// The point at arc length `s` from a.
ERG_INLINE ergi_rz ergi_piece_at(const ergi_piece *piece, double s)
{
    if (!piece->round) return ergi_rz_madd(piece->a, s, piece->along_a);
    ergi_rz from = ergi_rz_sub(piece->a, piece->centre);
    double  angle = piece->bulge * s / piece->radius, c = cos(angle), t = sin(angle);
    return ergi_rz_madd(piece->centre, 1.0,
                        ergi_rz_make(c * from.r - t * from.z, t * from.r + c * from.z));
}

// The arc length s of the point nearest to p, not limited to the ends.
ERG_INLINE double ergi_piece_along(const ergi_piece *piece, ergi_rz p)
{
    if (!piece->round) return ergi_rz_dot(ergi_rz_sub(p, piece->a), piece->along_a);
    ergi_rz from = ergi_rz_sub(piece->a, piece->centre), to = ergi_rz_sub(p, piece->centre);
    return piece->radius *
           atan2(piece->bulge * (from.r * to.z - from.z * to.r), ergi_rz_dot(from, to));
}

// ---- Profiles ----------------------------------------------------------------------------------
// The nearest point of every piece; returns the nearest piece, the first of equals.
ERG_INLINE int ergi_profile_nearest(const ergi_profile *profile, ergi_rz p,
                                    ergi_piece_near near[ERGI_PROFILE_PIECES])
{
    int nearest = 0;
    near[0] = ergi_piece_nearest(&profile->piece[0], p); // a profile has at least one piece
    for (int i = 1; i < profile->count; i++) {
        near[i] = ergi_piece_nearest(&profile->piece[i], p);
        if (near[i].distance2 < near[nearest].distance2) nearest = i;
    }
    return nearest;
}

// True when p is outside; takes the result of ergi_profile_nearest.
ERG_INLINE bool ergi_profile_is_outside(const ergi_profile *profile, const ergi_piece_near *near,
                                        int nearest, ergi_rz p)
{
    const ergi_piece *piece = &profile->piece[nearest];
    ergi_piece_near   at = near[nearest];
    ergi_rz           out = ergi_piece_outward(piece, at.point);
    // At a vertex the normal of one piece is ambiguous; the sum of both normals decides.
    int other = nearest + (int)at.end;
    if (at.end != ERGI_BETWEEN) {
        if (other >= 0 && other < profile->count)
            out = ergi_rz_madd(out, 1.0, ergi_piece_outward(&profile->piece[other], at.point));
        else
            out.r = 0.0; // the tip of a cone, on the axis
    }
    return ergi_rz_dot(ergi_rz_sub(p, at.point), out) > 0.0;
}

// Distance to the nearest piece; negative inside a closed profile.
ERG_INLINE double ergi_profile_distance(const ergi_profile *profile, ergi_rz p)
{
    ergi_piece_near near[ERGI_PROFILE_PIECES];
    int             nearest = ergi_profile_nearest(profile, p, near);
    double          distance = sqrt(near[nearest].distance2);
    if (!profile->closed || ergi_profile_is_outside(profile, near, nearest, p)) return distance;
    return -distance;
}

#endif
