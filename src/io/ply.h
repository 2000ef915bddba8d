// Spheres as binary little-endian PLY, one vertex each: x y z (double), then those present of
// radius, vx vy vz, wx wy wz (spin), fx fy fz, sxx syy szz sxy syz sxz (stress), qx qy qz qw
// (float), grain (double, as PLY has no 64-bit integers), material, kind and coordination (uint).
// The time is in a comment: `comment time 0.25`.
#ifndef ERGI_PLY_H
#define ERGI_PLY_H

#include "io/particles.h"

// Grain ids above 2^53, which a double cannot represent exactly, are rejected.
erg_status ergi_ply_write(const char *path, const ergi_particles *particles, erg_error *err);

#endif
