// Builds the profiles of walls that are surfaces of revolution (query_profile.h).
#ifndef ERGI_PROFILE_H
#define ERGI_PROFILE_H

#include "geom/query_profile.h"

// Sizes must be valid (ergi_wall_check). A length of 0 leaves that part out.
void ergi_profile_sphere(ergi_profile *out, double radius);                 // centre at z = 0
void ergi_profile_capsule(ergi_profile *out, double length, double radius); // centre at z = 0
void ergi_profile_frustum(ergi_profile *out, double length, double radius_a, double radius_b,
                          bool cap_a, bool cap_b); // z from -length/2 (a) to length/2 (b)
void ergi_profile_funnel(ergi_profile *out, double outlet_radius, double top_radius, double stem,
                         double height, double rim); // outlet at z = 0
typedef struct ergi_hourglass_size {
    double neck_radius, bulb_radius, cone_height, height, rounding;
    bool   cap_a, cap_b;
} ergi_hourglass_size;
void ergi_profile_hourglass(ergi_profile *out, ergi_hourglass_size size); // neck at z = 0

#endif
