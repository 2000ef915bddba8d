#include "terrain/relief.h"

#include <math.h>

#include "base/hash.h"
#include "geom/vec3.h"

#define SLIP_FACE 0.6009 // tangent of 31 degrees

// ---- Noise -------------------------------------------------------------------------------------
ergi_noise ergi_noise_make(uint64_t seed, int layer, double cell)
{
    double angle = 2.39996 * (double)layer + 0.3; // the golden angle, never a right one
    return (ergi_noise){.seed = ergi_hash_word(seed, (uint64_t)layer),
                        .cosine = cos(angle),
                        .sine = sin(angle),
                        .rate = 1 / cell,
                        .cell = {INT64_MIN, INT64_MIN}};
}

// As floor, without a call.
static int64_t round_down(double u)
{
    int64_t i = (int64_t)u;
    return i - (u < (double)i);
}

static double corner(uint64_t seed, int64_t i, int64_t j)
{
    uint64_t bits = ergi_hash_word(ergi_hash_word(seed, (uint64_t)i), (uint64_t)j);
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

static void enter(ergi_noise *n, int64_t i, int64_t j)
{
    n->cell[0] = i;
    n->cell[1] = j;
    for (int k = 0; k < 4; k++) n->corner[k] = corner(n->seed, i + k % 2, j + k / 2);
}

ergi_noise_value ergi_noise_at(ergi_noise *n, double x, double y)
{
    double u = (n->cosine * x + n->sine * y) * n->rate, v = (n->cosine * y - n->sine * x) * n->rate;
    int64_t i = round_down(u), j = round_down(v);
    if (i != n->cell[0] || j != n->cell[1]) enter(n, i, j);
    u -= (double)i;
    v -= (double)j;
    // Blended by a polynomial whose first two derivatives vanish at the corners.
    double        a = u * u * u * (10 - u * (15 - 6 * u)), da = 30 * u * u * (1 - u) * (1 - u);
    double        b = v * v * v * (10 - v * (15 - 6 * v)), db = 30 * v * v * (1 - v) * (1 - v);
    const double *c = n->corner;
    double        low = c[0] + a * (c[1] - c[0]), high = c[2] + a * (c[3] - c[2]);
    double        du = da * n->rate * ((c[1] - c[0]) + b * ((c[3] - c[2]) - (c[1] - c[0])));
    double        dv = db * n->rate * (high - low);
    return (ergi_noise_value){low + b * (high - low),
                              {n->cosine * du - n->sine * dv, n->sine * du + n->cosine * dv}};
}

// ---- Shapes ------------------------------------------------------------------------------------
static double dunes(ergi_landform *r, double x, double y)
{
    const erg_terrain_def *def = &r->def;
    double                 wave = def->wavelength;
    const double          *wind = r->wind;
    ergi_noise_value       wide = ergi_noise_at(&r->layer[0], x, y);
    ergi_noise_value       fine = ergi_noise_at(&r->layer[1], x, y);
    double                 tall = ergi_noise_at(&r->layer[2], x, y).value;

    // Distance along the wind, from crest lines that wander; its gradient is 1 where they do not.
    double along = wind[0] * x + wind[1] * y + wave * (0.45 * wide.value + 0.08 * fine.value);
    double gx = wind[0] + wave * (0.45 * wide.rise[0] + 0.08 * fine.rise[0]);
    double gy = wind[1] + wave * (0.45 * wide.rise[1] + 0.08 * fine.rise[1]);
    double half = def->amplitude * (0.7 + 0.3 * tall);
    double face = 2 * half * sqrt(gx * gx + gy * gy) / (SLIP_FACE * wave);
    if (face > 0.6) face = 0.6;

    double at = along / wave - (double)round_down(along / wave);
    if (at < 1 - face) return -half * cos(ERGI_PI * at / (1 - face));
    return half * (1 - 2 * (at - (1 - face)) / face);
}

static double noise(ergi_landform *r, double x, double y)
{
    double sum = 0, share = 1, shares = 0;
    for (int k = 0; k < r->layers; k++, share *= 0.35) {
        sum += share * ergi_noise_at(&r->layer[k], x, y).value;
        shares += share;
    }
    return r->def.amplitude * sum / shares;
}

// Lower of the two samples around a coordinate; *part is the share of the upper one.
static size_t sample(double at, size_t count, double *part)
{
    at = at * (double)count - 0.5;
    if (!(at > 0) || count == 1) return *part = 0, 0;
    if (at >= (double)(count - 1)) return *part = 1, count - 2;
    *part = at - floor(at);
    return (size_t)at;
}

static double heights(const ergi_landform *r, double x, double y)
{
    const erg_terrain_def *def = &r->def;
    double                 a, b;
    size_t i = sample((x - r->lower[0]) / r->size[0], def->columns[0], &a), nx = def->columns[0];
    size_t j = sample((y - r->lower[1]) / r->size[1], def->columns[1], &b);
    const float *row = def->heights + j * nx + i, *next = b > 0 ? row + nx : row;
    size_t       right = a > 0;
    double       low = (double)row[0] + a * ((double)row[right] - (double)row[0]);
    double       high = (double)next[0] + a * ((double)next[right] - (double)next[0]);
    return low + b * (high - low);
}

double ergi_landform_z(ergi_landform *r, double x, double y)
{
    const erg_terrain_def *def = &r->def;
    switch (def->relief) {
    case ERG_RELIEF_FLAT: break;
    case ERG_RELIEF_SLOPE:
        return def->height + def->slope[0] * (x - r->lower[0] - 0.5 * r->size[0]) +
               def->slope[1] * (y - r->lower[1] - 0.5 * r->size[1]);
    case ERG_RELIEF_DUNES: return def->height + dunes(r, x, y);
    case ERG_RELIEF_NOISE: return def->height + noise(r, x, y);
    case ERG_RELIEF_HEIGHTS: return def->height + heights(r, x, y);
    }
    return def->height;
}

ergi_landform ergi_landform_make(const erg_terrain_def *def, const double size[2])
{
    ergi_landform r = {.def = *def, .wind = {cos(def->direction), sin(def->direction)}};
    for (int k = 0; k < 2; k++) {
        r.lower[k] = def->lower[k];
        r.size[k] = size[k];
    }
    if (def->relief == ERG_RELIEF_DUNES) {
        const double cells[] = {3.1, 0.9, 2.3}; // wandering crests, their waviness, heights
        for (; r.layers < 3; r.layers++)
            r.layer[r.layers] =
                ergi_noise_make(def->seed, r.layers, cells[r.layers] * def->wavelength);
    }
    // A hill and a valley are a cell each. Layers that the columns cannot resolve are left out.
    double cell = 0.5 * def->wavelength;
    if (def->relief == ERG_RELIEF_NOISE)
        for (; r.layers < ERGI_RELIEF_LAYERS; r.layers++, cell *= 0.5) {
            if (r.layers > 0 && cell < 2 * def->spacing) break;
            r.layer[r.layers] = ergi_noise_make(def->seed, r.layers, cell);
        }
    return r;
}
