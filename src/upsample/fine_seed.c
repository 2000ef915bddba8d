// Dart throwing on a grid. Space is divided into cubes whose diagonal is the minimum distance, so
// that each holds at most one particle, and only the 5 x 5 x 5 cubes around it can hold one that is
// too near (as in geom/sample_volume.c). 8 x 8 x 8 cubes form a tile. A round throws one dart for
// each open cube of each tile, in eight passes by the parity of the tile's coordinates: the tiles
// of a pass are not adjacent and are processed in parallel, so that the result does not depend on
// the number of threads. As all tiles fill up together, no seam appears between them. Tiles at
// periodic bounds are processed one after the other at the end of the round.
#include "upsample/fine_seed.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "upsample/fine.h"

enum {
    SIDE = 8,
    CUBES = SIDE * SIDE * SIDE,
    APRON = 2,
    WIDE = SIDE + 2 * APRON,
    OFFSETS =
        116, // neighbours of a cube that can hold a particle too near: 5^3 less itself and corners
    ROUNDS = 8,
    LEAST_ROUNDS = 4,
    ATTEMPTS = 10,
    PASSES = 9
};

enum { OUTSIDE = 0, BORDER = 1, INSIDE = 2, TAKEN = 4 };

typedef struct tile {
    int32_t  at[3];
    uint32_t first, spheres; // range in `near`
    uint32_t count;          // of particles
    bool     clear;          // `may` holds everywhere in it
    uint8_t  state[CUBES];
    float    point[CUBES][3]; // in cube sides, from the tile's corner
} tile;

typedef struct field {
    const ergi_fine_seed_def *def;
    double                    distance, side; // [m]
    double                    low[3];
    int64_t                   tiles[3];
    int32_t                  *map; // index of each tile that holds a sphere, otherwise -1
    tile                     *tile;
    size_t                    count, tile_room, map_room;
    uint32_t                 *near; // spheres of each tile
    size_t                    near_count, near_room;
    uint32_t                 *turn[PASSES]; // tiles of each pass; the last: at periodic bounds
    size_t                    turns[PASSES];
    uint32_t                 *turn_memory;
    size_t                    turn_room;
    uint32_t                  round, attempt;
    const uint32_t           *now;
} field;

// ---- Layout ------------------------------------------------------------------------------------
static int64_t map_at(const field *f, const int32_t at[3])
{
    return ((int64_t)at[2] * f->tiles[1] + at[1]) * f->tiles[0] + at[0];
}

// Range of tiles that a sphere may overlap.
static void tiles_of(const field *f, const double *x, int32_t low[3], int32_t high[3])
{
    double r = ERGI_FINE_SEED_SCALE * x[3], wide = SIDE * f->side;
    for (int a = 0; a < 3; a++) {
        low[a] = (int32_t)floor((x[a] - r - f->low[a]) / wide);
        high[a] = (int32_t)floor((x[a] + r - f->low[a]) / wide);
        low[a] = low[a] < 0 ? 0 : low[a];
        high[a] = high[a] < f->tiles[a] ? high[a] : (int32_t)f->tiles[a] - 1;
    }
}

static erg_status lay_out(field *f, erg_error *err)
{
    const ergi_fine_seed_def *def = f->def;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < def->count; i++)
        for (int a = 0; a < 3; a++) {
            const double *x = def->position + 4 * i;
            low[a] = fmin(low[a], x[a] - ERGI_FINE_SEED_SCALE * x[3]);
            high[a] = fmax(high[a], x[a] + ERGI_FINE_SEED_SCALE * x[3]);
        }
    f->side = f->distance / sqrt(3.0) * (1 - 1e-6);
    double total = 1;
    for (int a = 0; a < 3; a++) {
        double n = floor((high[a] - low[a]) / (SIDE * f->side)) + 1;
        f->low[a] = low[a];
        f->tiles[a] = (int64_t)n;
        total *= n;
    }
    if (!(total < 4e8))
        return ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                              "%zu fine particles are too many for a space of %g x %g x %g m",
                              def->wanted, high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    return ergi_memory_grow(&f->map, &f->map_room, (size_t)total, sizeof *f->map, "fine particles",
                            err);
}

static bool at_periodic_bound(const field *f, const int32_t at[3])
{
    for (int a = 0; a < 3; a++) {
        double low = f->low[a] + SIDE * f->side * at[a], lower = f->def->lower[a],
               period = f->def->period[a];
        if (period > 0 && (low < lower + 1.01 * f->distance ||
                           low + SIDE * f->side > lower + period - 1.01 * f->distance))
            return true;
    }
    return false;
}

static int pass_of(const field *f, const int32_t at[3])
{
    return at_periodic_bound(f, at) ? PASSES - 1
                                    : (at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2;
}

// Counts the spheres of each tile in the map, then numbers the tiles and lists their spheres.
static erg_status make_tiles(field *f, erg_error *err)
{
    size_t total = (size_t)(f->tiles[0] * f->tiles[1] * f->tiles[2]);
    memset(f->map, 0, total * sizeof *f->map);
    f->count = f->near_count = 0;
#define EACH_TILE(i, at)                                                                           \
    int32_t low[3], high[3], at[3];                                                                \
    tiles_of(f, f->def->position + 4 * (i), low, high);                                            \
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)                                                \
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)                                            \
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++)
    for (size_t i = 0; i < f->def->count; i++) {
        EACH_TILE(i, at)
        {
            int32_t *count = &f->map[map_at(f, at)];
            f->count += (*count)++ == 0;
            f->near_count++;
        }
    }
    erg_status status =
        ergi_memory_grow(&f->tile, &f->tile_room, f->count, sizeof *f->tile, "fine particles", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&f->near, &f->near_room, f->near_count, sizeof *f->near,
                                  "fine particles", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&f->turn_memory, &f->turn_room, f->count, sizeof *f->turn_memory,
                                  "fine particles", err);
    if (status != ERG_OK) return status;
    uint32_t number = 0, sum = 0;
    int32_t  at[3];
    memset(f->turns, 0, sizeof f->turns);
    for (at[2] = 0; at[2] < f->tiles[2]; at[2]++)
        for (at[1] = 0; at[1] < f->tiles[1]; at[1]++)
            for (at[0] = 0; at[0] < f->tiles[0]; at[0]++) {
                int32_t *count = &f->map[map_at(f, at)];
                uint32_t spheres = (uint32_t)*count;
                *count = spheres ? (int32_t)number : -1;
                if (!spheres) continue;
                tile *t = &f->tile[number++];
                memcpy(t->at, at, sizeof at);
                t->first = sum;
                t->spheres = t->count = 0;
                sum += spheres;
                f->turns[pass_of(f, at)]++;
            }
    for (size_t k = 0, from = 0; k < PASSES; from += f->turns[k], f->turns[k++] = 0)
        f->turn[k] = f->turn_memory + from;
    for (uint32_t k = 0; k < f->count; k++) {
        int c = pass_of(f, f->tile[k].at);
        f->turn[c][f->turns[c]++] = k;
    }
    for (size_t i = 0; i < f->def->count; i++) {
        EACH_TILE(i, place)
        {
            tile *t = &f->tile[f->map[map_at(f, place)]];
            f->near[t->first + t->spheres++] = (uint32_t)i;
        }
    }
#undef EACH_TILE
    return ERG_OK;
}

// ---- Spheres -----------------------------------------------------------------------------------
static void corner_of(const field *f, const tile *t, double corner[3])
{
    for (int a = 0; a < 3; a++) corner[a] = f->low[a] + SIDE * f->side * t->at[a];
}

// Centre and enlarged radius, in cube sides from the tile's corner.
static void local_sphere(const field *f, const double corner[3], uint32_t sphere, float out[4])
{
    const double *x = f->def->position + 4 * (size_t)sphere;
    for (int a = 0; a < 3; a++) out[a] = (float)((x[a] - corner[a]) / f->side);
    out[3] = (float)(ERGI_FINE_SEED_SCALE * x[3] / f->side);
}

static void classify(void *ctx, erg_index begin, erg_index end, int chunk)
{
    field *f = ctx;
    (void)chunk;
    for (erg_index n = begin; n < end; n++) {
        tile  *t = &f->tile[n];
        double corner[3];
        corner_of(f, t, corner);
        memset(t->state, OUTSIDE, sizeof t->state);
        erg_vec3 low = {corner[0], corner[1], corner[2]};
        double   wide = SIDE * f->side;
        t->clear =
            !f->def->may || (f->def->may_all &&
                             f->def->may_all(f->def->user, low,
                                             (erg_vec3){low.x + wide, low.y + wide, low.z + wide}));
        for (uint32_t k = 0; k < t->spheres; k++) {
            float s[4];
            local_sphere(f, corner, f->near[t->first + k], s);
            float out = s[3] + 0.8661f, in = s[3] - 0.8661f; // half a cube's diagonal
            for (int c = 0; c < CUBES; c++) {
                float x = (float)(c % SIDE) + 0.5f - s[0],
                      y = (float)(c / SIDE % SIDE) + 0.5f - s[1],
                      z = (float)(c / SIDE / SIDE) + 0.5f - s[2], d2 = x * x + y * y + z * z;
                uint8_t is = in > 0 && d2 < in * in ? INSIDE : d2 < out * out ? BORDER : OUTSIDE;
                t->state[c] = is > t->state[c] ? is : t->state[c];
            }
        }
    }
}

// The sphere whose centre is nearest to the point, relative to its radius; -1: none contains it.
static int64_t sphere_at(const field *f, const tile *t, const double corner[3], const float p[3])
{
    int64_t found = -1;
    float   least = 1;
    for (uint32_t k = 0; k < t->spheres; k++) {
        float s[4];
        local_sphere(f, corner, f->near[t->first + k], s);
        float x = p[0] - s[0], y = p[1] - s[1], z = p[2] - s[2];
        float d2 = (x * x + y * y + z * z) / (s[3] * s[3]);
        if (!(d2 <= least)) continue;
        least = d2;
        found = f->near[t->first + k];
    }
    return found;
}

// ---- Throwing ----------------------------------------------------------------------------------
typedef struct apron {
    uint32_t taken[WIDE * WIDE]; // one bit per cube along x
    float    point[WIDE * WIDE * WIDE][3];
} apron;

static int apron_at(int x, int y, int z)
{
    return ((z + APRON) * WIDE + y + APRON) * WIDE + x + APRON;
}

// Collects the tile's particles, and those of neighbouring tiles within APRON cubes.
static void look_around(const field *f, const tile *t, apron *a)
{
    memset(a->taken, 0, sizeof a->taken);
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int32_t at[3] = {t->at[0] + dx, t->at[1] + dy, t->at[2] + dz};
                if (at[0] < 0 || at[1] < 0 || at[2] < 0 || at[0] >= f->tiles[0] ||
                    at[1] >= f->tiles[1] || at[2] >= f->tiles[2] || f->map[map_at(f, at)] < 0)
                    continue;
                const tile *o = &f->tile[f->map[map_at(f, at)]];
                if (o->count == 0) continue;
                int from[3], to[3], d[3] = {dx, dy, dz};
                for (int k = 0; k < 3; k++) {
                    from[k] = d[k] < 0 ? SIDE - APRON : 0;
                    to[k] = d[k] > 0 ? APRON : SIDE;
                }
                for (int z = from[2]; z < to[2]; z++)
                    for (int y = from[1]; y < to[1]; y++)
                        for (int x = from[0]; x < to[0]; x++) {
                            int c = (z * SIDE + y) * SIDE + x;
                            if (!(o->state[c] & TAKEN)) continue;
                            int k = apron_at(x + SIDE * dx, y + SIDE * dy, z + SIDE * dz);
                            a->taken[k / WIDE] |= 1u << k % WIDE;
                            for (int e = 0; e < 3; e++)
                                a->point[k][e] = o->point[c][e] + (float)(SIDE * d[e]);
                        }
            }
}

// Rows of cubes along x around a cube, nearest first: most darts that fail do so early.
static const int8_t ROW[25][2] = {{0, 0},  {0, 1},   {0, -1},  {1, 0},  {-1, 0}, {1, 1},  {1, -1},
                                  {-1, 1}, {-1, -1}, {0, 2},   {0, -2}, {2, 0},  {-2, 0}, {1, 2},
                                  {1, -2}, {-1, 2},  {-1, -2}, {2, 1},  {2, -1}, {-2, 1}, {-2, -1},
                                  {2, 2},  {2, -2},  {-2, 2},  {-2, -2}};

static bool has_near(const apron *a, int at, const float p[3])
{
    const float least = 3.00001f; // minimum distance in cube sides, squared
    int         row = at / WIDE, first = at % WIDE - 2;
    for (int k = 0; k < 25; k++) {
        int      here = row + ROW[k][0] * WIDE + ROW[k][1];
        uint32_t bits = a->taken[here] >> first & 31u;
        for (; bits; bits &= bits - 1) {
            const float *o = a->point[here * WIDE + first + __builtin_ctz(bits)];
            float        dx = o[0] - p[0], dy = o[1] - p[1], dz = o[2] - p[2];
            if (dx * dx + dy * dy + dz * dz < least) return true;
        }
    }
    return false;
}

// Whether a particle is too near to a point at any place, in metres.
static bool has_near_at(const field *f, const double q[3])
{
    int64_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        double from = floor((q[a] - f->distance - f->low[a]) / f->side),
               to = floor((q[a] + f->distance - f->low[a]) / f->side);
        double last = (double)(f->tiles[a] * SIDE - 1);
        if (to < 0 || from > last) return false;
        low[a] = from > 0 ? (int64_t)from : 0;
        high[a] = (int64_t)(to < last ? to : last);
    }
    for (int64_t z = low[2]; z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t x = low[0]; x <= high[0]; x++) {
                int32_t at[3] = {(int32_t)(x / SIDE), (int32_t)(y / SIDE), (int32_t)(z / SIDE)};
                int32_t number = f->map[map_at(f, at)];
                if (number < 0) continue;
                const tile *t = &f->tile[number];
                int64_t     c = (z % SIDE * SIDE + y % SIDE) * SIDE + x % SIDE;
                if (!(t->state[c] & TAKEN)) continue;
                double corner[3], square = 0;
                corner_of(f, t, corner);
                for (int a = 0; a < 3; a++) {
                    double d = corner[a] + f->side * (double)t->point[c][a] - q[a];
                    square += d * d;
                }
                if (square < f->distance * f->distance) return true;
            }
    return false;
}

// Whether a particle is too near to a periodic image of the point.
static bool has_near_image(const field *f, const double corner[3], const float p[3])
{
    double x[3];
    int    low[3] = {0}, high[3] = {0};
    for (int a = 0; a < 3; a++) {
        double lower = f->def->lower[a], period = f->def->period[a];
        x[a] = corner[a] + f->side * (double)p[a];
        low[a] = period > 0 && x[a] > lower + period - f->distance ? -1 : 0;
        high[a] = period > 0 && x[a] < lower + f->distance ? 1 : 0;
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                const double q[3] = {x[0] + i * f->def->period[0], x[1] + j * f->def->period[1],
                                     x[2] + k * f->def->period[2]};
                if ((i || j || k) && has_near_at(f, q)) return true;
            }
    return false;
}

static bool is_allowed(const field *f, const tile *t, const double corner[3], const float p[3],
                       uint8_t state)
{
    if (t->clear && (state & INSIDE)) return true;
    int64_t sphere = sphere_at(f, t, corner, p);
    if (sphere < 0) return false;
    erg_vec3 x = {corner[0] + f->side * (double)p[0], corner[1] + f->side * (double)p[1],
                  corner[2] + f->side * (double)p[2]};
    return t->clear || f->def->may(f->def->user, (size_t)sphere, x);
}

static void throw_at_tile(const field *f, uint32_t number)
{
    tile    *t = &f->tile[number];
    uint16_t open[CUBES];
    uint32_t count = 0;
    apron    around;
    double   corner[3];
    for (int c = 0; c < CUBES; c++)
        if (t->state[c] == BORDER || t->state[c] == INSIDE) open[count++] = (uint16_t)c;
    if (count == 0) return;
    corner_of(f, t, corner);
    look_around(f, t, &around);
    uint32_t key[2] = {(uint32_t)f->def->seed ^ (uint32_t)(f->def->stream * 0x9e3779b9u),
                       (uint32_t)(f->def->seed >> 32) ^ (uint32_t)(f->def->stream >> 32)};
    for (uint32_t n = 0, throws = count; n < throws && count > 0; n++) {
        uint32_t counter[4] = {n, f->round | f->attempt << 16, number, 0x5eed}, r[4];
        ergi_philox(counter, key, r);
        uint32_t pick = (uint32_t)((uint64_t)r[0] * count >> 32);
        int      c = open[pick], x = c % SIDE, y = c / SIDE % SIDE, z = c / SIDE / SIDE;
        float    p[3] = {(float)x + (float)(r[1] >> 8) * 0x1p-24f,
                         (float)y + (float)(r[2] >> 8) * 0x1p-24f,
                         (float)z + (float)(r[3] >> 8) * 0x1p-24f};
        int      at = apron_at(x, y, z);
        if (has_near(&around, at, p) || has_near_image(f, corner, p) ||
            !is_allowed(f, t, corner, p, t->state[c]))
            continue;
        open[pick] = open[--count];
        t->state[c] |= TAKEN;
        t->count++;
        memcpy(t->point[c], p, sizeof p);
        memcpy(around.point[at], p, sizeof p);
        around.taken[at / WIDE] |= 1u << at % WIDE;
    }
}

static void throw_at_tiles(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const field *f = ctx;
    (void)chunk;
    for (erg_index k = begin; k < end; k++) throw_at_tile(f, f->now[k]);
}

// Rounds until there are enough particles; returns their number.
static size_t throw_all(field *f, const ergi_threads *threads)
{
    size_t got = 0;
    for (f->round = 0; f->round < ROUNDS && got < f->def->wanted; f->round++) {
        for (int k = 0; k < 8; k++) {
            f->now = f->turn[k];
            ergi_parallel_for(threads, (erg_index)f->turns[k], 8, throw_at_tiles, f);
        }
        f->now = f->turn[PASSES - 1];
        throw_at_tiles(f, 0, (erg_index)f->turns[PASSES - 1], 0);
        got = 0;
        for (size_t k = 0; k < f->count; k++) got += f->tile[k].count;
    }
    return got;
}

// ---- All together ------------------------------------------------------------------------------
// Removes surplus particles at random.
static void drop(ergi_fine_seeds *seeds, const ergi_fine_seed_def *def)
{
    for (uint64_t n = seeds->count; n > def->wanted; n--) {
        ergi_random random = {.seed = def->seed, .stream = 0x5eed, .id = n, .step = def->stream};
        size_t      k = (size_t)(ergi_random_uniform(&random) * (double)n);
        memmove(seeds->position + 3 * k, seeds->position + 3 * (n - 1), 3 * sizeof(double));
        seeds->sphere[k] = seeds->sphere[n - 1];
        seeds->count = n - 1;
    }
}

static erg_status collect(const field *f, size_t got, ergi_fine_seeds *seeds, erg_error *err)
{
    seeds->position = ergi_memory_new(3 * got, sizeof *seeds->position, "fine particles", err);
    seeds->sphere = ergi_memory_new(got, sizeof *seeds->sphere, "fine particles", err);
    if (!seeds->position || !seeds->sphere) return ERG_NO_MEMORY;
    for (size_t k = 0; k < f->count; k++) {
        const tile *t = &f->tile[k];
        double      corner[3];
        corner_of(f, t, corner);
        for (int c = 0; c < CUBES; c++) {
            if (!(t->state[c] & TAKEN)) continue;
            int64_t sphere = sphere_at(f, t, corner, t->point[c]);
            seeds->sphere[seeds->count] = sphere < 0 ? f->near[t->first] : (uint32_t)sphere;
            for (int a = 0; a < 3; a++)
                seeds->position[3 * seeds->count + (size_t)a] =
                    corner[a] + f->side * (double)t->point[c][a];
            seeds->count++;
        }
    }
    seeds->distance = f->distance;
    drop(seeds, f->def);
    return ERG_OK;
}

static erg_status cut_space(field *f, const ergi_threads *threads, erg_error *err)
{
    erg_status status = lay_out(f, err);
    if (status == ERG_OK) status = make_tiles(f, err);
    if (status == ERG_OK) ergi_parallel_for(threads, (erg_index)f->count, 16, classify, f);
    return status;
}

// Volume of the union of spheres [m^3]; cubes on its border count half.
static double volume_of(const field *f)
{
    double cubes = 0;
    for (size_t k = 0; k < f->count; k++)
        for (int c = 0; c < CUBES; c++)
            cubes += f->tile[k].state[c] == INSIDE ? 1 : f->tile[k].state[c] == BORDER ? 0.5 : 0;
    return cubes * f->side * f->side * f->side;
}

// Finds the minimum distance for the wanted number, which is about 0.6 volume/distance^3. If the
// number is reached within the first rounds, the packing is loose and the distance is increased; if
// it is not reached at all, the distance is reduced.
static erg_status solve(field *f, const ergi_threads *threads, size_t *got, erg_error *err)
{
    double volume = 0, wanted = (double)f->def->wanted;
    for (size_t i = 0; i < f->def->count; i++) volume += pow(f->def->position[4 * i + 3], 3);
    f->distance = cbrt(4.6 * volume / wanted);
    erg_status status = cut_space(f, threads, err);
    if (status == ERG_OK) f->distance = cbrt(0.59 * volume_of(f) / wanted);
    *got = 0;
    for (f->attempt = 0; f->attempt < ATTEMPTS && status == ERG_OK; f->attempt++) {
        status = cut_space(f, threads, err);
        if (status != ERG_OK) break;
        *got = throw_all(f, threads);
        double share = (double)*got / wanted;
        bool   enough = *got >= f->def->wanted, early = f->round < LEAST_ROUNDS;
        if (enough && (!early || *got < f->def->wanted + 3)) break;
        if (*got == 0 && f->attempt > 3) break;
        if (f->attempt + 1 == ATTEMPTS) break;
        f->distance *= enough ? cbrt(fmax(1.15, share)) : cbrt(fmax(share, 0.01) / 1.02);
    }
    return status;
}

erg_status ergi_fine_seed(const ergi_fine_seed_def *def, const ergi_threads *threads,
                          ergi_fine_seeds *seeds, erg_error *err)
{
    field f = {.def = def};
    *seeds = (ergi_fine_seeds){0};
    if (def->count == 0 || def->wanted == 0) return ERG_OK;
    size_t     got;
    erg_status status = solve(&f, threads, &got, err);
    if (status == ERG_OK && got > 0) status = collect(&f, got, seeds, err);
    if (status != ERG_OK) ergi_fine_seeds_free(seeds);
    ergi_memory_free(f.map);
    ergi_memory_free(f.tile);
    ergi_memory_free(f.near);
    ergi_memory_free(f.turn_memory);
    return status;
}

void ergi_fine_seeds_free(ergi_fine_seeds *seeds)
{
    ergi_memory_free(seeds->position);
    ergi_memory_free(seeds->sphere);
    *seeds = (ergi_fine_seeds){0};
}
