#include "clump_input.h"

#include <math.h>

#define HALF_ROOT 0.70710678118654752440
const erg_vec3 CLUMP_PLACE[CLUMP_SPHERES] = {{HALF_ROOT, HALF_ROOT, HALF_ROOT},
                                             {HALF_ROOT, -HALF_ROOT, -HALF_ROOT},
                                             {-HALF_ROOT, HALF_ROOT, -HALF_ROOT},
                                             {-HALF_ROOT, -HALF_ROOT, HALF_ROOT}};

static erg_vec3 sum(erg_vec3 a, erg_vec3 b, double factor)
{
    return (erg_vec3){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

erg_vec3 clump_centre(const peer_state *s, size_t grain)
{
    const erg_vec3 *sphere = s->position + CLUMP_SPHERES * grain;
    erg_vec3        centre = {0};
    for (int k = 0; k < CLUMP_SPHERES; k++) centre = sum(centre, sphere[k], 1.0 / CLUMP_SPHERES);
    return centre;
}

// Along each axis of a grain, two spheres are on either side of its centre: the difference of their
// sums is the direction of the axis.
static erg_vec3 axis(const erg_vec3 *sphere, int partner)
{
    erg_vec3 a = {0};
    for (int k = 0; k < CLUMP_SPHERES; k++) a = sum(a, sphere[k], k == 0 || k == partner ? 1 : -1);
    double length = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return (erg_vec3){a.x / length, a.y / length, a.z / length};
}

// Starts with the largest component, to avoid division by a small number.
erg_quat clump_orientation(const peer_state *s, size_t grain)
{
    const erg_vec3 *sphere = s->position + CLUMP_SPHERES * grain;
    erg_vec3        x = axis(sphere, 1), y = axis(sphere, 2), z = axis(sphere, 3);
    double          square[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z,
                                 1 + x.x + y.y + z.z}; // 4 x^2, 4 y^2, 4 z^2, 4 w^2
    int             k = 0;
    for (int i = 1; i < 4; i++) k = square[i] > square[k] ? i : k;
    double largest = sqrt(square[k]), over = 0.5 / largest;
    double xy = (x.y + y.x) * over, xz = (x.z + z.x) * over, yz = (y.z + z.y) * over;
    double xw = (y.z - z.y) * over, yw = (z.x - x.z) * over, zw = (x.y - y.x) * over;
    largest *= 0.5;
    switch (k) {
    case 0: return (erg_quat){largest, xy, xz, xw};
    case 1: return (erg_quat){xy, largest, yz, yw};
    case 2: return (erg_quat){xz, yz, largest, zw};
    default: return (erg_quat){xw, yw, zw, largest};
    }
}
