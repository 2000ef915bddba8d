#include "contact/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define AXIS_BITS 21
#define AXIS_CELLS ((int64_t)1 << AXIS_BITS)
#define NO_BLOCK UINT32_MAX

// ---- Morton keys -------------------------------------------------------------------------------
// Spreads the low 21 bits of x so that two empty bits follow each.
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

uint64_t ergi_curve_key(const double position[3], const double origin[3], double cell)
{
    uint64_t key = 0;
    for (int a = 0; a < 3; a++) {
        double c = floor((position[a] - origin[a]) / cell);
        if (!(c > 0)) c = 0;
        if (c > (double)(AXIS_CELLS - 1)) c = (double)(AXIS_CELLS - 1);
        key |= spread((uint64_t)c) << a;
    }
    return key;
}

void ergi_space_wrap(const ergi_space *space, double position[3])
{
    for (int a = 0; a < 3; a++) {
        double period = space->period[a], x = position[a] - space->lower[a];
        if (!(period > 0) || (x >= 0 && x < period)) continue;
        x -= period * floor(x / period);
        if (x >= period) x = 0; // rounding of a tiny negative x
        position[a] = space->lower[a] + x;
    }
}

// ---- Blocks ------------------------------------------------------------------------------------
// `key` is that of the block: of a cell in it, less the last six bits.
static uint64_t block_name(int level, uint64_t key)
{
    return (key | (uint64_t)level << 57) + 1;
}

static size_t hash_slot(uint64_t name, size_t slots)
{
    uint64_t h = name * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 20) & (slots - 1);
}

static uint32_t find_block(const ergi_grid *grid, uint64_t name)
{
    for (size_t s = hash_slot(name, grid->slots);; s = (s + 1) & (grid->slots - 1)) {
        if (grid->block_key[s] == name) return grid->block_of[s];
        if (grid->block_key[s] == 0) return NO_BLOCK;
    }
}

static erg_status rehash(ergi_grid *grid, size_t slots, erg_error *err)
{
    uint64_t *key = calloc(slots, sizeof *key);
    uint32_t *of = malloc(slots * sizeof *of);
    if (!key || !of) {
        free(key);
        free(of);
        return ergi_fail_memory(err, slots * 12, "the contact grid");
    }
    for (size_t s = 0; s < grid->slots; s++) {
        if (grid->block_key[s] == 0) continue;
        size_t t = hash_slot(grid->block_key[s], slots);
        while (key[t]) t = (t + 1) & (slots - 1);
        key[t] = grid->block_key[s];
        of[t] = grid->block_of[s];
    }
    free(grid->block_key);
    free(grid->block_of);
    grid->block_key = key;
    grid->block_of = of;
    grid->slots = slots;
    return ERG_OK;
}

static erg_status find_or_add_block(ergi_grid *grid, uint64_t name, uint32_t *block, erg_error *err)
{
    if (2 * ((size_t)grid->blocks + 1) > grid->slots) {
        erg_status status = rehash(grid, grid->slots * 2, err);
        if (status != ERG_OK) return status;
    }
    size_t s = hash_slot(name, grid->slots);
    while (grid->block_key[s] && grid->block_key[s] != name) s = (s + 1) & (grid->slots - 1);
    if (grid->block_key[s] == 0) {
        grid->block_key[s] = name;
        grid->block_of[s] = grid->blocks++;
    }
    *block = grid->block_of[s];
    return ERG_OK;
}

// ---- Levels ------------------------------------------------------------------------------------
static double reach_of(const ergi_spheres_in *in, size_t i)
{
    return in->position[4 * i + 3] + (in->margin ? (double)in->margin[i] : 0.5 * in->skin);
}

static int level_of(const ergi_grid *grid, double reach)
{
    int l = 0;
    while (l < grid->levels - 1 && reach > grid->bound[l]) l++;
    return l;
}

// The finest level takes what reaches a quarter farther than the shortest: a bed of equal grains
// that hardly move, however far some fast ones reach. Every next level goes twice as far.
static void choose_levels(ergi_grid *grid, const ergi_spheres_in *in)
{
    double shortest = INFINITY, farthest = 0, low[3] = {INFINITY, INFINITY, INFINITY};
    double longest[ERGI_GRID_LEVELS] = {0};
    for (size_t i = 0; i < (size_t)in->count; i++) {
        const double *p = in->position + 4 * i;
        double        reach = reach_of(in, i);
        shortest = reach < shortest ? reach : shortest;
        farthest = reach > farthest ? reach : farthest;
        for (int a = 0; a < 3; a++) low[a] = p[a] < low[a] ? p[a] : low[a];
    }
    grid->levels = 1;
    grid->bound[0] = 1.25 * shortest;
    while (grid->levels < ERGI_GRID_LEVELS && grid->bound[grid->levels - 1] < farthest) {
        grid->bound[grid->levels] = 2 * grid->bound[grid->levels - 1];
        grid->levels++;
    }
    if (grid->levels > 1)
        for (size_t i = 0; i < (size_t)in->count; i++) {
            double  reach = reach_of(in, i);
            double *most = &longest[level_of(grid, reach)];
            *most = reach > *most ? reach : *most;
        }
    else
        longest[0] = farthest;
    for (int l = 0; l < grid->levels; l++) {
        ergi_grid_level *level = &grid->level[l];
        double           side = 2 * (longest[l] > 0 ? longest[l] : grid->bound[l]);
        level->used = false;
        for (int a = 0; a < 3; a++) {
            double period = in->space.period[a];
            level->cells[a] = period > 0 ? (int64_t)fmax(1, floor(period / side)) : 0;
            level->origin[a] = period > 0 ? in->space.lower[a] : low[a];
            level->inverse[a] = period > 0 ? (double)level->cells[a] / period : 1 / side;
        }
    }
}

// Cell of a position on one level; false when it is too far away to have one.
static bool cell_at(const ergi_grid_level *level, const double *position, int64_t cell[3])
{
    for (int a = 0; a < 3; a++) {
        double c = floor((position[a] - level->origin[a]) * level->inverse[a]);
        if (!(c >= -(double)AXIS_CELLS && c < (double)(AXIS_CELLS - 2))) return false;
        cell[a] = (int64_t)c;
        if (level->cells[a]) { // a clump's spheres may stick out of the box that holds its centre
            cell[a] %= level->cells[a];
            if (cell[a] < 0) cell[a] += level->cells[a];
        } else {
            if (cell[a] < 0) return false;
            cell[a]++; // so that the cell below the lowest one still has a number
        }
    }
    return true;
}

// ---- Building ----------------------------------------------------------------------------------
static erg_status reserve(ergi_grid *grid, erg_index count, erg_error *err)
{
    if (!grid->slots) {
        erg_status status = rehash(grid, 1024, err);
        if (status != ERG_OK) return status;
    }
    if ((size_t)count > grid->item_room) {
        size_t    room = (size_t)count + (size_t)count / 4;
        uint32_t *item = malloc(room * sizeof *item), *cell_of = malloc(room * sizeof *cell_of);
        if (!item || !cell_of) {
            free(item);
            free(cell_of);
            return ergi_fail_memory(err, room * 8, "the contact grid");
        }
        free(grid->item);
        free(grid->cell_of);
        grid->item = item;
        grid->cell_of = cell_of;
        grid->item_room = room;
    }
    return ERG_OK;
}

erg_status ergi_grid_build(ergi_grid *grid, const ergi_spheres_in *in, erg_index *far,
                           erg_error *err)
{
    *far = -1;
    erg_status status = reserve(grid, in->count, err);
    if (status != ERG_OK) return status;
    choose_levels(grid, in);
    memset(grid->block_key, 0, grid->slots * sizeof *grid->block_key);
    grid->blocks = 0;

    // Which cell does each sphere belong to? Neighbours in memory are neighbours in space: the
    // block of the sphere before is mostly the right one.
    uint64_t last_name = 0;
    uint32_t last = 0;
    for (erg_index i = 0; i < in->count; i++) {
        const double *p = in->position + 4 * (size_t)i;
        int           l = level_of(grid, reach_of(in, (size_t)i));
        int64_t       c[3];
        if (!cell_at(&grid->level[l], p, c)) {
            *far = i;
            return ergi_fail(err, ERG_BAD_PHYSICS,
                             "a sphere at (%g, %g, %g) m is too far from the rest", p[0], p[1],
                             p[2]);
        }
        grid->level[l].used = true;
        uint64_t key =
            spread((uint64_t)c[0]) | spread((uint64_t)c[1]) << 1 | spread((uint64_t)c[2]) << 2;
        uint64_t name = block_name(l, key >> 6);
        if (name != last_name) {
            status = find_or_add_block(grid, name, &last, err);
            if (status != ERG_OK) return status;
            last_name = name;
        }
        grid->cell_of[i] = last * 64 + (uint32_t)(key & 63);
    }

    // Counting sort of the spheres into their cells.
    if (grid->blocks > grid->block_room || !grid->cell_start) {
        size_t    room = (size_t)grid->blocks + grid->blocks / 4 + 1;
        uint32_t *start = malloc((room * 64 + 1) * sizeof *start);
        if (!start) return ergi_fail_memory(err, room * 256, "the contact grid");
        free(grid->cell_start);
        grid->cell_start = start;
        grid->block_room = (uint32_t)room;
    }
    size_t cells = (size_t)grid->blocks * 64;
    memset(grid->cell_start, 0, (cells + 1) * sizeof *grid->cell_start);
    for (erg_index i = 0; i < in->count; i++) grid->cell_start[grid->cell_of[i]]++;
    uint32_t sum = 0;
    for (size_t c = 0; c <= cells; c++) {
        uint32_t here = grid->cell_start[c];
        grid->cell_start[c] = sum += here;
    }
    for (erg_index i = in->count - 1; i >= 0; i--)
        grid->item[--grid->cell_start[grid->cell_of[i]]] = (uint32_t)i;
    return ERG_OK;
}

void ergi_grid_free(ergi_grid *grid)
{
    free(grid->block_key);
    free(grid->block_of);
    free(grid->cell_start);
    free(grid->item);
    free(grid->cell_of);
    memset(grid, 0, sizeof *grid);
}

size_t ergi_grid_bytes(const ergi_grid *grid)
{
    return grid->slots * 12 + (size_t)grid->block_room * 256 + grid->item_room * 8;
}

// ---- Asking ------------------------------------------------------------------------------------
// The cells to look into along one axis, by the blocks that they lie in, both spread for the Morton
// key: asking for a block costs more than looking into a cell.
typedef struct axis_cells {
    int      blocks;
    uint64_t block[3];
    int      cells[3];
    uint32_t cell[3][3]; // within its block
} axis_cells;

// A periodic axis of one or two cells has fewer than three around any: no cell may come twice.
static axis_cells cells_around(int64_t cell, int64_t cells)
{
    axis_cells out = {.blocks = 0};
    for (int64_t d = -1; d <= 1; d++) {
        if (cells == 1 && d != 0) continue;
        if (cells == 2 && d < 0) continue;
        int64_t c = cell + d;
        if (cells) c = c < 0 ? c + cells : c >= cells ? c - cells : c;
        if (c < 0) continue;
        uint64_t key = spread((uint64_t)c), block = key >> 6;
        int      b = 0;
        while (b < out.blocks && out.block[b] != block) b++;
        if (b == out.blocks) {
            out.block[b] = block;
            out.cells[b] = 0;
            out.blocks++;
        }
        out.cell[b][out.cells[b]++] = (uint32_t)key & 63;
    }
    return out;
}

static double nearest_image(double d, double period)
{
    if (period > 0) {
        if (d > 0.5 * period) d -= period;
        if (d < -0.5 * period) d += period;
    }
    return d;
}

typedef struct search {
    const ergi_spheres_in *in;
    uint32_t               i;
    const double          *position; // of sphere i
    double                 reach;    // of sphere i [m]
    bool                   periodic, same_level;
    uint32_t              *out;
    size_t                 room, found;
} search;

static double distance2(const search *s, const double *p)
{
    const double *q = s->position, *period = s->in->space.period;
    double        x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
    if (s->periodic) {
        x = nearest_image(x, period[0]);
        y = nearest_image(y, period[1]);
        z = nearest_image(z, period[2]);
    }
    return x * x + y * y + z * z;
}

static void look_into_cell(search *s, const uint32_t *item, const uint32_t *end)
{
    const ergi_spheres_in *in = s->in;
    if (s->same_level) { // a cell's spheres stand in order, and those before find this one
        if (item == end || end[-1] <= s->i) return;
        while (*item <= s->i) item++;
    }
    for (; item < end; item++) {
        uint32_t j = *item;
        double   reach = s->reach + reach_of(in, j);
        if (distance2(s, in->position + 4 * (size_t)j) >= reach * reach) continue;
        if (in->body && in->body[j] == in->body[s->i]) continue;
        if (s->found < s->room) s->out[s->found] = j;
        s->found++;
    }
}

// The cells of one block; `start` is that of its first.
static void look_into_block(search *s, const ergi_grid *grid, const uint32_t *start,
                            const axis_cells axis[3], const int b[3])
{
    for (int z = 0; z < axis[2].cells[b[2]]; z++)
        for (int y = 0; y < axis[1].cells[b[1]]; y++)
            for (int x = 0; x < axis[0].cells[b[0]]; x++) {
                const uint32_t *from = start + (axis[0].cell[b[0]][x] | axis[1].cell[b[1]][y] << 1 |
                                                axis[2].cell[b[2]][z] << 2);
                look_into_cell(s, grid->item + from[0], grid->item + from[1]);
            }
}

static void look_into_level(search *s, const ergi_grid *grid, int l)
{
    const ergi_grid_level *level = &grid->level[l];
    int64_t                c[3];
    if (!level->used || !cell_at(level, s->position, c)) return;
    axis_cells axis[3];
    for (int a = 0; a < 3; a++) axis[a] = cells_around(c[a], level->cells[a]);
    int b[3];
    for (b[2] = 0; b[2] < axis[2].blocks; b[2]++)
        for (b[1] = 0; b[1] < axis[1].blocks; b[1]++)
            for (b[0] = 0; b[0] < axis[0].blocks; b[0]++) {
                uint64_t key =
                    axis[0].block[b[0]] | axis[1].block[b[1]] << 1 | axis[2].block[b[2]] << 2;
                uint32_t block = find_block(grid, block_name(l, key));
                if (block != NO_BLOCK)
                    look_into_block(s, grid, grid->cell_start + (size_t)block * 64, axis, b);
            }
}

size_t ergi_grid_partners(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                          uint32_t *out, size_t room)
{
    const double *period = in->space.period;
    search        s = {.in = in,
                       .i = (uint32_t)i,
                       .position = in->position + 4 * (size_t)i,
                       .reach = reach_of(in, (size_t)i),
                       .periodic = period[0] > 0 || period[1] > 0 || period[2] > 0,
                       .out = out,
                       .room = room};
    int           mine = level_of(grid, s.reach);
    for (int l = mine; l < grid->levels; l++) {
        s.same_level = l == mine;
        look_into_level(&s, grid, l);
    }
    return s.found;
}
