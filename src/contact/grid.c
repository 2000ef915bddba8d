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
            level->side[a] = 1 / level->inverse[a];
        }
    }
}

// Cell of a position on one level, and where in the cell it lies (from 0 to 1); false when it is
// too far away to have one.
static bool cell_at(const ergi_grid_level *level, const double *position, int64_t cell[3],
                    double part[3])
{
    for (int a = 0; a < 3; a++) {
        double x = (position[a] - level->origin[a]) * level->inverse[a], c = floor(x);
        part[a] = x - c;
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
enum { PAD = 16 }; // items are read in groups, beyond the last one

static erg_status reserve(ergi_grid *grid, erg_index count, erg_error *err)
{
    if (!grid->slots) {
        erg_status status = rehash(grid, 1024, err);
        if (status != ERG_OK) return status;
    }
    if ((size_t)count + PAD <= grid->item_room) return ERG_OK;
    size_t    room = (size_t)count + (size_t)count / 4 + PAD;
    uint32_t *item = calloc(room, sizeof *item), *cell_of = malloc(room * sizeof *cell_of);
    float    *place = calloc(4 * room, sizeof *place);
    if (!item || !cell_of || !place) {
        free(item);
        free(cell_of);
        free(place);
        return ergi_fail_memory(err, room * 24, "the contact grid");
    }
    free(grid->item);
    free(grid->cell_of);
    free(grid->place[0]);
    grid->item = item;
    grid->cell_of = cell_of;
    for (size_t k = 0; k < 4; k++) grid->place[k] = place + k * room;
    grid->item_room = room;
    return ERG_OK;
}

// Name of a cell's block, and the cell's number in it.
static uint64_t block_of_cell(int level, const int64_t cell[3], uint32_t *number)
{
    uint64_t key = spread((uint64_t)cell[0] >> 2) | spread((uint64_t)cell[1] >> 2) << 1 |
                   spread((uint64_t)cell[2] >> 2) << 2;
    *number = (uint32_t)(cell[0] & 3) | (uint32_t)(cell[1] & 3) << 2 | (uint32_t)(cell[2] & 3) << 4;
    return block_name(level, key);
}

// Which cell does each sphere belong to? Neighbours in memory are neighbours in space: the block of
// the sphere before is mostly the right one.
static erg_status find_cells(ergi_grid *grid, const ergi_spheres_in *in, erg_index *far,
                             erg_error *err)
{
    uint64_t last_name = 0;
    uint32_t last = 0;
    for (erg_index i = 0; i < in->count; i++) {
        const double *p = in->position + 4 * (size_t)i;
        int           l = level_of(grid, reach_of(in, (size_t)i));
        int64_t       c[3];
        double        part[3];
        if (!cell_at(&grid->level[l], p, c, part)) {
            *far = i;
            return ergi_fail(err, ERG_BAD_PHYSICS,
                             "a sphere at (%g, %g, %g) m is too far from the rest", p[0], p[1],
                             p[2]);
        }
        grid->level[l].used = true;
        uint32_t number;
        uint64_t name = block_of_cell(l, c, &number);
        if (name != last_name) {
            erg_status status = find_or_add_block(grid, name, &last, err);
            if (status != ERG_OK) return status;
            last_name = name;
        }
        grid->cell_of[i] = last * 64 + number;
    }
    return ERG_OK;
}

static void put_item(ergi_grid *grid, const ergi_spheres_in *in, size_t i, uint32_t at)
{
    double                 reach = reach_of(in, i), part[3];
    const ergi_grid_level *level = &grid->level[level_of(grid, reach)];
    int64_t                c[3] = {0, 0, 0};
    (void)cell_at(level, in->position + 4 * i, c, part);
    grid->item[at] = (uint32_t)i;
    for (int a = 0; a < 3; a++)
        grid->place[a][at] = (float)(((double)(c[a] & 3) + part[a]) * level->side[a]);
    grid->place[3][at] = (float)reach;
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
    status = find_cells(grid, in, far, err);
    if (status != ERG_OK) return status;

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
        put_item(grid, in, (size_t)i, --grid->cell_start[grid->cell_of[i]]);
    return ERG_OK;
}

void ergi_grid_free(ergi_grid *grid)
{
    free(grid->block_key);
    free(grid->block_of);
    free(grid->cell_start);
    free(grid->item);
    free(grid->place[0]);
    free(grid->cell_of);
    memset(grid, 0, sizeof *grid);
}

size_t ergi_grid_bytes(const ergi_grid *grid)
{
    return grid->slots * 12 + (size_t)grid->block_room * 256 + grid->item_room * 24;
}

// ---- Asking ------------------------------------------------------------------------------------
// Cells side by side, of those to look into along one axis. A periodic axis of one or two cells has
// fewer than three around any: no cell may come twice.
typedef struct run {
    uint64_t block;        // spread for the Morton key
    uint32_t first, count; // cells of the block
    int64_t  corner;       // cell at the block's corner, counted on across periodic bounds
} run;

static int runs_around(int64_t cell, int64_t cells, bool apart, run out[3])
{
    int n = 0;
    for (int64_t d = -1; d <= 1; d++) {
        if (cells == 1 && d != 0) continue;
        if (cells == 2 && d < 0) continue;
        int64_t c = cell + d;
        if (cells) c = c < 0 ? c + cells : c >= cells ? c - cells : c;
        if (c < 0) continue;
        uint32_t number = (uint32_t)(c & 3);
        uint64_t block = (uint64_t)c >> 2;
        int64_t  corner = cell + d - number;
        if (!apart && n && out[n - 1].block == block && out[n - 1].corner == corner &&
            out[n - 1].first + out[n - 1].count == number)
            out[n - 1].count++;
        else
            out[n++] = (run){block, number, 1, corner};
    }
    for (int k = 0; k < n; k++) out[k].block = spread(out[k].block);
    return n;
}

enum { CANDIDATES = 256 };

typedef struct search {
    const ergi_spheres_in *in;
    uint32_t               i;
    double                 reach; // of sphere i [m]
    bool                   same_level;
    uint32_t               candidate[CANDIDATES + 8];
    size_t                 candidates;
    uint32_t              *out;
    size_t                 room, found;
} search;

static double nearest_image(double d, double period)
{
    if (period > 0) {
        if (d > 0.5 * period) d -= period;
        if (d < -0.5 * period) d += period;
    }
    return d;
}

// Looks at the candidates closely.
static void sift(search *s)
{
    const ergi_spheres_in *in = s->in;
    const double          *p = in->position + 4 * (size_t)s->i;
    for (size_t k = 0; k < s->candidates; k++) {
        uint32_t      j = s->candidate[k];
        const double *q = in->position + 4 * (size_t)j;
        double        reach = s->reach + reach_of(in, j), d2 = 0;
        for (int a = 0; a < 3; a++) {
            double d = nearest_image(p[a] - q[a], in->space.period[a]);
            d2 += d * d;
        }
        if (d2 >= reach * reach) continue;
        if (in->body && in->body[j] == in->body[s->i]) continue;
        if (s->found < s->room) s->out[s->found] = j;
        s->found++;
    }
    s->candidates = 0;
}

// Four items at once.
typedef float   four __attribute__((vector_size(16)));
typedef int32_t four_numbers __attribute__((vector_size(16)));

static four four_of(const float *from)
{
    four f;
    memcpy(&f, from, sizeof f);
    return f;
}

// Items begin .. end-1 of a block; `place` is that of sphere i, seen from the block's corner, and
// its reach, a little longer than it is: single precision must lose none. Items of its own level
// before sphere i find it themselves.
static void look_through(search *s, const ergi_grid *grid, uint32_t begin, uint32_t end,
                         const float place[4])
{
    const int32_t after = s->same_level ? (int32_t)s->i : -1;
    for (uint32_t k = begin; k < end; k += 4) {
        four dx = place[0] - four_of(grid->place[0] + k),
             dy = place[1] - four_of(grid->place[1] + k),
             dz = place[2] - four_of(grid->place[2] + k),
             both = place[3] + four_of(grid->place[3] + k);
        four_numbers item, near = dx * dx + dy * dy + dz * dz < both * both;
        memcpy(&item, grid->item + k, sizeof item);
        near &= (item > after) & ((four_numbers){0, 1, 2, 3} < (int32_t)(end - k));
        uint64_t any[2];
        memcpy(any, &near, sizeof any);
        if (!(any[0] | any[1])) continue;
        if (s->candidates > CANDIDATES) sift(s);
        for (int c = 0; c < 4; c++) {
            s->candidate[s->candidates] = (uint32_t)item[c];
            s->candidates += near[c] != 0;
        }
    }
}

static void look_into_level(search *s, const ergi_grid *grid, int l)
{
    const ergi_grid_level *level = &grid->level[l];
    int64_t                c[3];
    double                 part[3];
    if (!level->used || !cell_at(level, s->in->position + 4 * (size_t)s->i, c, part)) return;
    run runs[3][3];
    int n[3];
    for (int a = 0; a < 3; a++) n[a] = runs_around(c[a], level->cells[a], a > 0, runs[a]);
    float place[4];
    place[3] = (float)(s->reach * 1.0001);
    for (int a = 0; a < 3; a++) // the nearest image may be on the other side: all are candidates
        if (level->cells[a] == 1 || level->cells[a] == 2) place[3] = INFINITY;
    uint64_t last_name = 0;
    uint32_t block = NO_BLOCK;
    for (int ix = 0; ix < n[0]; ix++) {
        const run *x = &runs[0][ix];
        place[0] = (float)(((double)(c[0] - x->corner) + part[0]) * level->side[0]);
        for (int iz = 0; iz < n[2]; iz++) {
            const run *z = &runs[2][iz];
            place[2] = (float)(((double)(c[2] - z->corner) + part[2]) * level->side[2]);
            for (int iy = 0; iy < n[1]; iy++) {
                const run *y = &runs[1][iy];
                place[1] = (float)(((double)(c[1] - y->corner) + part[1]) * level->side[1]);
                uint64_t name = block_name(l, x->block | y->block << 1 | z->block << 2);
                if (name != last_name) {
                    block = find_block(grid, name);
                    last_name = name;
                }
                if (block == NO_BLOCK) continue;
                const uint32_t *start = grid->cell_start + (size_t)block * 64 +
                                        (x->first | y->first << 2 | z->first << 4);
                look_through(s, grid, start[0], start[x->count], place);
            }
        }
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Partners in ascending order: those that follow each other in memory are fetched together.
static void sort_numbers(uint32_t *number, size_t count)
{
    if (count > 64) {
        qsort(number, count, sizeof *number, compare_numbers);
        return;
    }
    for (size_t k = 1; k < count; k++) {
        uint32_t x = number[k];
        size_t   at = k;
        for (; at > 0 && x < number[at - 1]; at--) number[at] = number[at - 1];
        number[at] = x;
    }
}

size_t ergi_grid_partners(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                          uint32_t *out, size_t room)
{
    search s;
    s.in = in;
    s.i = (uint32_t)i;
    s.reach = reach_of(in, (size_t)i);
    s.candidates = s.found = 0;
    s.out = out;
    s.room = room;
    int mine = level_of(grid, s.reach);
    for (int l = mine; l < grid->levels; l++) {
        s.same_level = l == mine;
        look_into_level(&s, grid, l);
    }
    sift(&s);
    if (s.found <= room) sort_numbers(out, s.found);
    return s.found;
}
