#include "draw/land.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/column_blocks.h"

#include <math.h>
#include <string.h>

enum { SIDE = ERGI_LAND_SIDE };

// ---- Blocks ------------------------------------------------------------------------------------
static void leave_block(ergi_land_block *b)
{
    if (b && atomic_fetch_sub(&b->users, 1) == 1) ergi_memory_free(b);
}

static void find_range(const float *z, float *low, float *high)
{
    *low = *high = z[0];
    for (int i = 1; i < SIDE * SIDE; i++) {
        if (z[i] < *low) *low = z[i];
        if (z[i] > *high) *high = z[i];
    }
}

// Means over squares of twice the side, in place.
static void halve(float *z, int side)
{
    for (int j = 0; j < side / 2; j++)
        for (int i = 0; i < side / 2; i++) {
            const float *q = z + 2 * j * side + 2 * i;
            z[j * side / 2 + i] = 0.25f * (q[0] + q[1] + q[side] + q[side + 1]);
        }
}

static void pack(ergi_land_block *b, float *z)
{
    find_range(z, &b->low, &b->high);
    float     parts = b->high > b->low ? 65535.0f / (b->high - b->low) : 0;
    uint16_t *out = b->z;
    for (int side = SIDE; side >= 1; side /= 2) {
        for (int i = 0; i < side * side; i++) *out++ = (uint16_t)((z[i] - b->low) * parts + 0.5f);
        if (side > 1) halve(z, side);
    }
    b->content = ergi_hash_bytes(b->z, sizeof b->z, 1);
    uint32_t range[2];
    memcpy(range, (const float[2]){b->low, b->high}, sizeof range);
    b->content = ergi_hash_word(b->content, (uint64_t)range[0] << 32 | range[1]);
}

static ergi_land_block *new_block(float *z, erg_error *err)
{
    ergi_land_block *b = ergi_memory_new(1, sizeof *b, "the terrain of a picture", err);
    if (!b) return NULL;
    pack(b, z);
    atomic_init(&b->users, 1);
    return b;
}

static erg_status read_block(const ergi_land *land, const erg_world *world,
                             const erg_column_block *columns, size_t at, ergi_land_block **block,
                             erg_error *err)
{
    float      z[SIDE * SIDE];
    erg_status status = ERG_OK;
    if (columns)
        ergi_column_block_heights(&columns[at], z);
    else
        status = ergi_column_heights(world, &land->grid, at % land->blocks[0], at / land->blocks[0],
                                     z, err);
    if (status == ERG_OK && !(*block = new_block(z, err))) status = ERG_NO_MEMORY;
    return status;
}

// ---- Nodes -------------------------------------------------------------------------------------
static ergi_land_node node_of_block(const ergi_land_block *b)
{
    float part = (b->high - b->low) / 65535.0f;
    return (ergi_land_node){b->low, b->high, b->low + part * (float)b->z[ERGI_LAND_SAMPLES - 1],
                            b->content};
}

static ergi_land_node node_of_four(const ergi_land *land, int level, size_t a, size_t b)
{
    const size_t  *n = land->nodes[level - 1];
    ergi_land_node sum = {INFINITY, -INFINITY, 0, 0};
    for (size_t k = 0; k < 4; k++) {
        size_t i = 2 * a + (k & 1), j = 2 * b + (k >> 1);
        if (i >= n[0]) i = n[0] - 1;
        if (j >= n[1]) j = n[1] - 1;
        const ergi_land_node *part = &land->node[level - 1][j * n[0] + i];
        sum.low = fminf(sum.low, part->low);
        sum.high = fmaxf(sum.high, part->high);
        sum.mean += 0.25f * part->mean;
        sum.content = ergi_hash_word(sum.content, part->content);
    }
    return sum;
}

static erg_status make_nodes(ergi_land *land, erg_error *err)
{
    size_t n[2] = {land->blocks[0], land->blocks[1]};
    for (int level = 0; level < ERGI_LAND_LEVELS; level++) {
        land->node[level] = ergi_memory_new(n[0] * n[1], sizeof *land->node[level],
                                            "the terrain of a picture", err);
        if (!land->node[level]) return ERG_NO_MEMORY;
        land->nodes[level][0] = n[0];
        land->nodes[level][1] = n[1];
        land->levels = level + 1;
        for (size_t b = 0; b < n[1]; b++)
            for (size_t a = 0; a < n[0]; a++)
                land->node[level][b * n[0] + a] = level ? node_of_four(land, level, a, b)
                                                        : node_of_block(land->block[b * n[0] + a]);
        if (n[0] == 1 && n[1] == 1) break;
        for (int k = 0; k < 2; k++) n[k] = (n[k] + 1) / 2;
    }
    return ERG_OK;
}

// ---- Lands -------------------------------------------------------------------------------------
ergi_land *ergi_land_share(ergi_land *land)
{
    if (land) atomic_fetch_add(&land->users, 1);
    return land;
}

void ergi_land_leave(ergi_land *land)
{
    if (!land || atomic_fetch_sub(&land->users, 1) != 1) return;
    for (size_t i = 0; land->block && i < land->blocks[0] * land->blocks[1]; i++)
        leave_block(land->block[i]);
    for (int level = 0; level < ERGI_LAND_LEVELS; level++) ergi_memory_free(land->node[level]);
    ergi_memory_free(land->block);
    ergi_memory_free(land->stamp);
    ergi_memory_free(land);
}

// Stamps of another world, or of this one at an earlier time, say nothing. `world` is NULL at a
// moment: hashes of contents stay true.
static bool continues(const ergi_land *before, const erg_world *world, const erg_terrain_grid *grid)
{
    return before && before->world == world &&
           (!world || before->steps <= erg_world_steps(world)) &&
           memcmp(before->grid.count, grid->count, sizeof grid->count) == 0;
}

static uint64_t stamp_of(const erg_world *world, const erg_column_block *columns,
                         const size_t blocks[2], size_t at)
{
    return columns ? columns[at].content
                   : erg_world_terrain_stamp(world, at % blocks[0], at / blocks[0]);
}

static bool is_same(const ergi_land *before, const erg_world *world,
                    const erg_column_block *columns)
{
    for (size_t at = 0; at < before->blocks[0] * before->blocks[1]; at++)
        if (before->stamp[at] != stamp_of(world, columns, before->blocks, at)) return false;
    return true;
}

// Without blocks.
static ergi_land *new_land(const erg_terrain_grid *grid, const erg_world *world, uint64_t steps,
                           erg_error *err)
{
    ergi_land *land = ergi_memory_new(1, sizeof *land, "the terrain of a picture", err);
    if (!land) return NULL;
    atomic_init(&land->users, 1);
    land->grid = *grid;
    land->world = world;
    land->steps = steps;
    for (int k = 0; k < 2; k++) land->blocks[k] = (grid->count[k] + SIDE - 1) / SIDE;
    size_t n = land->blocks[0] * land->blocks[1];
    land->block = ergi_memory_new(n, sizeof *land->block, "the terrain of a picture", err);
    land->stamp = ergi_memory_new(n, sizeof *land->stamp, "the terrain of a picture", err);
    if (land->block && land->stamp) return land;
    ergi_land_leave(land);
    return NULL;
}

static void share_block(ergi_land *land, const ergi_land *with, size_t at)
{
    land->block[at] = with->block[at];
    land->stamp[at] = with->stamp[at];
    atomic_fetch_add(&land->block[at]->users, 1);
}

static erg_status fill(ergi_land *land, const erg_world *world, const erg_column_block *columns,
                       const ergi_land *before, erg_error *err)
{
    for (size_t at = 0; at < land->blocks[0] * land->blocks[1]; at++) {
        land->stamp[at] = stamp_of(world, columns, land->blocks, at);
        if (before && before->stamp[at] == land->stamp[at]) {
            share_block(land, before, at);
            continue;
        }
        erg_status status = read_block(land, world, columns, at, &land->block[at], err);
        if (status != ERG_OK) return status;
        land->copied++;
    }
    return make_nodes(land, err);
}

erg_status ergi_land_take(const erg_world *world, const erg_column_block *columns,
                          ergi_land *before, ergi_land **land, erg_error *err)
{
    *land = NULL;
    if (!erg_world_has_terrain(world)) return ERG_OK;
    erg_terrain_grid grid;
    erg_status       status = erg_world_terrain_grid(world, &grid, err);
    if (status != ERG_OK) return status;
    if (grid.block != SIDE)
        return ergi_fail(err, ERG_BAD_INPUT, "pictures need terrains in blocks of %d columns",
                         SIDE);
    if (!continues(before, columns ? NULL : world, &grid)) before = NULL;
    if (before && is_same(before, world, columns)) {
        *land = ergi_land_share(before);
        return ERG_OK;
    }
    ergi_land *own = new_land(&grid, columns ? NULL : world, erg_world_steps(world), err);
    if (!own) return ERG_NO_MEMORY;
    status = fill(own, world, columns, before, err);
    if (status == ERG_OK)
        *land = own;
    else
        ergi_land_leave(own);
    return status;
}

erg_status ergi_land_with(const ergi_land *land, const size_t *number, float *z, size_t count,
                          ergi_land **out, erg_error *err)
{
    ergi_land *own = new_land(&land->grid, land->world, land->steps, err);
    if (!own) return ERG_NO_MEMORY;
    erg_status status = ERG_OK;
    for (size_t k = 0; k < count && status == ERG_OK; k++) {
        ergi_land_block *b = new_block(z + k * SIDE * SIDE, err);
        own->block[number[k]] = b;
        if (b)
            own->stamp[number[k]] = b->content; // unlike any stamp of the world
        else
            status = ERG_NO_MEMORY;
    }
    for (size_t at = 0; at < own->blocks[0] * own->blocks[1] && status == ERG_OK; at++)
        if (!own->block[at]) share_block(own, land, at);
    own->copied = land->copied;
    if (status == ERG_OK) status = make_nodes(own, err);
    if (status == ERG_OK)
        *out = own;
    else
        ergi_land_leave(own);
    return status;
}

// ---- Reading -----------------------------------------------------------------------------------
static float sample(const ergi_land_block *b, int halvings, size_t i, size_t j)
{
    static const int first[] = {0, 4096, 5120, 5376, 5440, 5456, 5460};
    size_t           at = (size_t)first[halvings] + (j << (ERGI_LAND_HALVINGS - halvings)) + i;
    return b->low + (b->high - b->low) * (1 / 65535.0f) * (float)b->z[at];
}

static size_t clamped(int64_t i, size_t count)
{
    return i < 0 ? 0 : (uint64_t)i < count ? (size_t)i : count - 1;
}

float ergi_land_mean(const ergi_land *land, int halvings, int64_t i, int64_t j)
{
    if (halvings > ERGI_LAND_HALVINGS) {
        int level = halvings - ERGI_LAND_HALVINGS;
        if (level >= land->levels) level = land->levels - 1;
        const size_t *n = land->nodes[level];
        return land->node[level][clamped(j, n[1]) * n[0] + clamped(i, n[0])].mean;
    }
    size_t last = ((size_t)1 << halvings) - 1;
    size_t x = clamped(i, (land->grid.count[0] + last) >> halvings),
           y = clamped(j, (land->grid.count[1] + last) >> halvings);
    int    up = ERGI_LAND_HALVINGS - halvings;
    size_t mask = ((size_t)1 << up) - 1;
    return sample(land->block[(y >> up) * land->blocks[0] + (x >> up)], halvings, x & mask,
                  y & mask);
}

float ergi_land_corner(const ergi_land *land, int halvings, int64_t i, int64_t j)
{
    return 0.25f *
           (ergi_land_mean(land, halvings, i - 1, j - 1) +
            ergi_land_mean(land, halvings, i, j - 1) + ergi_land_mean(land, halvings, i - 1, j) +
            ergi_land_mean(land, halvings, i, j));
}

// ---- Height and rays ---------------------------------------------------------------------------
double ergi_land_height(const ergi_land *land, double x, double y)
{
    const double p[2] = {x, y};
    int64_t      cell[2];
    double       share[2];
    for (int k = 0; k < 2; k++) {
        double most = (double)land->grid.count[k];
        double u = fmin(fmax((p[k] - land->grid.lower[k]) / land->grid.spacing, 0), most);
        cell[k] = (int64_t)fmin(floor(u), most - 1);
        share[k] = u - (double)cell[k];
    }
    double row[2];
    for (int k = 0; k < 2; k++) {
        double a = (double)ergi_land_corner(land, 0, cell[0], cell[1] + k);
        double b = (double)ergi_land_corner(land, 0, cell[0] + 1, cell[1] + k);
        row[k] = a + share[0] * (b - a);
    }
    return row[0] + share[1] * (row[1] - row[0]);
}

// The part of the ray in the box of the terrain.
static bool clip_ray(const ergi_land *land, const double from[3], const double along[3],
                     double *enter, double *leave)
{
    const ergi_land_node *root = ergi_land_root(land);
    double                low[3] = {land->grid.lower[0], land->grid.lower[1], land->grid.floor};
    double                high[3] = {ergi_land_upper(land, 0), ergi_land_upper(land, 1),
                                     (double)root->high + 1e-6 * land->grid.spacing};
    *enter = 0;
    *leave = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double a = (low[k] - from[k]) / along[k], b = (high[k] - from[k]) / along[k];
        if (along[k] == 0) {
            if (from[k] < low[k] || from[k] > high[k]) return false;
            continue;
        }
        *enter = fmax(*enter, fmin(a, b));
        *leave = fmin(*leave, fmax(a, b));
    }
    return *enter <= *leave;
}

double ergi_land_meet(const ergi_land *land, erg_vec3 from, erg_vec3 along)
{
    double enter, leave, o[3] = {from.x, from.y, from.z}, d[3] = {along.x, along.y, along.z};
    if (!clip_ray(land, o, d, &enter, &leave)) return HUGE_VAL;
#define GAP(t) (o[2] + (t)*d[2] - ergi_land_height(land, o[0] + (t)*d[0], o[1] + (t)*d[1]))
    double t = enter, gap = GAP(t), plan = hypot(d[0], d[1]);
    if (gap <= 0) return enter > 0 ? enter : HUGE_VAL; // a side; or the ray starts in the sand
    double step = 0.5 * land->grid.spacing / fmax(plan, 0.1);
    while (t < leave) {
        double next = fmin(t + step, leave), then = GAP(next);
        if (then <= 0) {
            for (int i = 0; i < 40; i++) {
                double middle = 0.5 * (t + next);
                if (GAP(middle) > 0)
                    t = middle;
                else
                    next = middle;
            }
            return next;
        }
        t = next > t ? next : leave;
    }
#undef GAP
    return HUGE_VAL;
}

bool ergi_land_holds(const ergi_land *land, erg_vec3 q)
{
    return q.x >= land->grid.lower[0] && q.y >= land->grid.lower[1] &&
           q.x <= ergi_land_upper(land, 0) && q.y <= ergi_land_upper(land, 1) &&
           q.z >= land->grid.floor && q.z < ergi_land_height(land, q.x, q.y);
}

double ergi_land_clearance(const ergi_land *land, erg_vec3 q)
{
    const double p[2] = {q.x, q.y};
    double       aside = 0, step = land->grid.spacing;
    for (int k = 0; k < 2; k++)
        aside = fmax(aside, fmax(land->grid.lower[k] - p[k], p[k] - ergi_land_upper(land, k)));
    double z = ergi_land_height(land, q.x, q.y), gap = q.z - z;
    double sx = ergi_land_height(land, q.x + step, q.y) - ergi_land_height(land, q.x - step, q.y);
    double sy = ergi_land_height(land, q.x, q.y + step) - ergi_land_height(land, q.x, q.y - step);
    double near = gap / sqrt(1 + (sx * sx + sy * sy) / (4 * step * step));
    return aside > 0 ? hypot(aside, fmax(gap, 0)) : near;
}
