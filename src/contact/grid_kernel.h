// Searches the grid for the neighbours of a sphere; compiled once per instruction set: define
// ERGI_GRID_PARTNERS and include. Single precision decides where its error cannot matter, double
// precision otherwise, so that all give the same result.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/grid_cells.h"

// Adjacent cells of one block, among those to search along one axis.
typedef struct run {
    uint64_t block;        // its coordinate, spread for the Morton key
    uint32_t first, count; // cells of the block
    int64_t  corner;       // cell at the block's corner, not wrapped at periodic boundaries
} run;

// The cells around `cell` along one axis. On a periodic axis of one or two cells no cell may be
// listed twice. `apart`: one run per cell, as cells along y and z are not adjacent in memory.
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
    for (int k = 0; k < n; k++) out[k].block = ergi_spread(out[k].block);
    return n;
}

// Several items at once.
#if defined(__AVX512DQ__)
enum { LANES = 16 };
#elif defined(__AVX2__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
typedef float   items __attribute__((vector_size(4 * LANES)));
typedef int32_t item_numbers __attribute__((vector_size(4 * LANES)));

enum { CANDIDATES = 256 };

typedef struct search {
    const ergi_spheres_in *in;
    uint32_t               i;
    double                 reach;            // of sphere i [m]
    ergi_owner_ranges      skip;             // spheres to skip on the current level
    uint32_t  candidate[CANDIDATES + LANES]; // tested once there are more than CANDIDATES
    size_t    candidates;
    uint32_t *out;
    size_t    room, found;
} search;

static double nearest_image(double d, double period)
{
    if (period > 0) {
        if (d > 0.5 * period) d -= period;
        if (d < -0.5 * period) d += period;
    }
    return d;
}

static void add_found(search *s, uint32_t j)
{
    if (s->found < s->room) s->out[s->found] = j;
    s->found++;
}

// Tests the candidates in double precision.
static void test_candidates(search *s)
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
        if (in->grain && in->grain[j] == in->grain[s->i]) continue;
        add_found(s, j);
    }
    s->candidates = 0;
}

static items items_of(const float *from)
{
    items f;
    memcpy(&f, from, sizeof f);
    return f;
}

static item_numbers numbers_of(const uint32_t *from)
{
    item_numbers f;
    memcpy(&f, from, sizeof f);
    return f;
}

// One bit per lane.
static unsigned lanes_set(item_numbers mask)
{
#if defined(__AVX512DQ__)
    return __builtin_ia32_cvtd2mask512(mask);
#elif defined(__AVX2__)
    return (unsigned)__builtin_ia32_movmskps256((items)mask);
#elif defined(__SSE__)
    return (unsigned)__builtin_ia32_movmskps((items)mask);
#else
    unsigned bits = 0;
    for (unsigned c = 0; c < LANES; c++) bits |= (unsigned)(mask[c] & 1) << c;
    return bits;
#endif
}

// The first `count` lanes.
static unsigned first_lanes(uint32_t count)
{
    return count < LANES ? (1u << count) - 1 : ~0u;
}

// Looks at items begin .. end-1 of a block. `place`: the position of sphere i relative to the
// block's corner. Single precision decides, except where its error, below `margin`, may matter.
// `fresh`: only fresh items count.
static inline void scan_items(search *s, const ergi_grid *grid, uint32_t begin, uint32_t end,
                              const float place[3], float margin, bool fresh)
{
    const int32_t middle = (int32_t)s->skip.middle, lower = (int32_t)s->skip.end[0],
                  upper = (int32_t)s->skip.end[1];
    const float reach = (float)s->reach;
    for (uint32_t k = begin; k < end; k += LANES) {
        items dx = place[0] - items_of(grid->place[0] + k),
              dy = place[1] - items_of(grid->place[1] + k),
              dz = place[2] - items_of(grid->place[2] + k),
              both = reach + items_of(grid->place[3] + k), most = both + margin,
              least = both - margin, d2 = dx * dx + dy * dy + dz * dz;
        item_numbers item = numbers_of(grid->item + k), near = d2 < most * most;
        near &= ((item >= lower) & (item < middle)) | (item >= upper);
        if (fresh)
            near &= numbers_of(grid->fresh_before + k) != numbers_of(grid->fresh_before + k + 1);
        unsigned lanes = lanes_set(near) & first_lanes(end - k);
        if (!lanes) continue;
        unsigned sure = s->in->grain ? 0 : lanes_set((d2 < least * least) & (least > 0));
        if (s->candidates > CANDIDATES) test_candidates(s);
        for (; lanes; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            if (sure >> lane & 1)
                add_found(s, grid->item[k + lane]);
            else
                s->candidate[s->candidates++] = grid->item[k + lane];
        }
    }
}

// Lists the rows of items in and around a cell. `partial`: not all items are fresh.
static void look_around(const ergi_grid *grid, int l, const int64_t c[3], bool partial,
                        ergi_grid_rows *rows)
{
    const ergi_grid_level *level = &grid->level[l];
    run                    runs[3][3];
    int                    n[3];
    uint64_t               last_name = 0;
    uint32_t               block = NO_BLOCK;
    for (int a = 0; a < 3; a++) rows->cell[a] = c[a];
    rows->count = 0;
    rows->fresh = false;
    for (int a = 0; a < 3; a++) // a coarse level often has few spheres, far from most others
        if (level->cells[a] == 0 && (c[a] < level->low[a] - 1 || c[a] > level->high[a] + 1)) return;
    for (int a = 0; a < 3; a++) n[a] = runs_around(c[a], level->cells[a], a > 0, runs[a]);
    for (int ix = 0; ix < n[0]; ix++) {
        const run *x = &runs[0][ix];
        for (int iz = 0; iz < n[2]; iz++) {
            const run *z = &runs[2][iz];
            for (int iy = 0; iy < n[1]; iy++) {
                const run *y = &runs[1][iy];
                uint64_t   name = block_name(l, x->block | y->block << 1 | z->block << 2);
                if (name != last_name) {
                    block = find_block(grid, name);
                    last_name = name;
                }
                if (block == NO_BLOCK) continue;
                const uint32_t *start = grid->cell_start + (size_t)block * 64 +
                                        (x->first | y->first << 2 | z->first << 4);
                if (start[0] == start[x->count]) continue;
                ergi_grid_row *row = &rows->row[rows->count++];
                *row = (ergi_grid_row){start[0], start[x->count], {0, 0, 0}, false};
                if (partial)
                    row->fresh = grid->fresh_before[row->begin] != grid->fresh_before[row->end];
                rows->fresh |= row->fresh;
                const run *const own[3] = {x, y, z};
                for (int a = 0; a < 3; a++)
                    row->shift[a] = (float)((double)(c[a] - own[a]->corner) * level->side[a]);
            }
        }
    }
}

static void search_level(search *s, const ergi_grid *grid, int l, ergi_grid_rows *rows)
{
    const ergi_grid_level *level = &grid->level[l];
    int64_t                c[3];
    double                 part[3];
    if (!level->used || !cell_at(level, s->in->position + 4 * (size_t)s->i, c, part)) return;
    if (c[0] != rows->cell[0] || c[1] != rows->cell[1] || c[2] != rows->cell[2])
        look_around(grid, l, c, s->in->fresh != NULL, rows);
    bool fresh_only = s->in->fresh && !s->in->fresh[s->i];
    if (fresh_only && !rows->fresh) return;
    float own[3], margin = (float)(1e-5 * (level->side[0] + level->side[1] + level->side[2]));
    for (int a = 0; a < 3; a++) {
        own[a] = (float)(part[a] * level->side[a]);
        // The nearest image may be on the other side: all are candidates.
        if (level->cells[a] == 1 || level->cells[a] == 2) margin = INFINITY;
    }
    for (int k = 0; k < rows->count; k++) {
        const ergi_grid_row *row = &rows->row[k];
        const float          place[3] = {own[0] + row->shift[0], own[1] + row->shift[1],
                                         own[2] + row->shift[2]};
        if (!fresh_only)
            scan_items(s, grid, row->begin, row->end, place, margin, false);
        else if (row->fresh)
            scan_items(s, grid, row->begin, row->end, place, margin, true);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Ascending, so that partners that are neighbours in memory are fetched together.
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

size_t ERGI_GRID_PARTNERS(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                          ergi_owner_ranges earlier, ergi_grid_around *around, uint32_t *out,
                          size_t room)
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
        s.skip = l == mine ? earlier : (ergi_owner_ranges){0, {0, 0}};
        search_level(&s, grid, l, &around->level[l]);
    }
    test_candidates(&s);
    if (s.found <= room) sort_numbers(out, s.found);
    return s.found;
}
