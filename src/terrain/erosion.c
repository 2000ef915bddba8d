#include "terrain/erosion.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHUNK = 8, SERIAL = 24 }; // patches; fewer than SERIAL are not worth a second thread

#define ALL ((uint64_t)-1)

erg_status ergi_erosion_create(ergi_erosion *e, const ergi_columns *c, erg_error *err)
{
    memset(e, 0, sizeof *e);
    e->flux = ergi_flux_choose();
    e->spill = ergi_memory_new(ergi_columns_blocks(c), sizeof *e->spill, "blocks of columns", err);
    return e->spill ? ERG_OK : ERG_NO_MEMORY;
}

void ergi_erosion_free(ergi_erosion *e)
{
    ergi_memory_free(e->patch);
    ergi_memory_free(e->spill);
    ergi_memory_free(e->spilt);
    memset(e, 0, sizeof *e);
}

size_t ergi_erosion_bytes(const ergi_erosion *e, const ergi_columns *c)
{
    return e->patch_room * sizeof *e->patch + ergi_columns_blocks(c) * sizeof *e->spill +
           e->spilt_room * sizeof *e->spilt;
}

// ---- Patches -----------------------------------------------------------------------------------
// Where a patch is: in patches of the whole grid.
typedef struct place {
    int32_t x, y;
} place;

static place place_of(const ergi_columns *c, uint32_t patch)
{
    uint32_t block = patch / ERGI_BLOCK_PATCHES, of = patch % ERGI_BLOCK_PATCHES;
    uint32_t across = (uint32_t)c->block[0];
    return (place){(int32_t)(block % across * 8 + of % 8), (int32_t)(block / across * 8 + of / 8)};
}

static bool on_grid(const ergi_columns *c, place at)
{
    return at.x >= 0 && at.y >= 0 && at.x < c->block[0] * 8 && at.y < c->block[1] * 8;
}

static size_t block_at(const ergi_columns *c, place at)
{
    return (size_t)(at.y / 8) * (size_t)c->block[0] + (size_t)(at.x / 8);
}

static unsigned patch_at(place at)
{
    return (unsigned)(at.y % 8 * 8 + at.x % 8);
}

// Columns of a patch that are in the grid: it may end within a patch.
static uint64_t inside(const ergi_columns *c, place at)
{
    int32_t wide = c->count[0] - at.x * ERGI_PATCH_SIDE,
            high = c->count[1] - at.y * ERGI_PATCH_SIDE;
    if (wide >= ERGI_PATCH_SIDE && high >= ERGI_PATCH_SIDE) return ALL;
    if (wide <= 0 || high <= 0) return 0;
    uint64_t line = wide < ERGI_PATCH_SIDE ? ((uint64_t)1 << wide) - 1 : 0xff;
    uint64_t all = line * 0x0101010101010101u;
    return high < ERGI_PATCH_SIDE ? all & (((uint64_t)1 << 8 * high) - 1) : all;
}

// ---- The window around a patch -----------------------------------------------------------------
typedef struct sweep {
    const ergi_erosion_params *params;
    ergi_flux_limits           limits;
    ergi_erosion              *e;
    ergi_columns              *c;
    size_t                     first; // of the patches that are computed
    bool                       ring;  // these are not active, but next to active ones
} sweep;

// One of the nine patches of a window.
typedef struct part {
    const uint64_t *height; // of its first column; NULL: outside
    uint64_t        moving, inside, held;
    bool            active;
} part;

typedef struct window {
    part     part[3][3];
    uint64_t held; // whether any column is
    bool     regard_held;
    uint64_t base; // height of a column of the patch [quanta]
} window;

static void look_around(const sweep *s, uint32_t patch, window *w)
{
    const ergi_columns *c = s->c;
    place               at = place_of(c, patch);
    *w = (window){0};
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            place next = {at.x + dx, at.y + dy};
            part *p = &w->part[dy + 1][dx + 1];
            if (!on_grid(c, next)) continue;
            size_t   block = block_at(c, next);
            unsigned of = patch_at(next);
            p->height = ergi_columns_height(c) + block * ERGI_BLOCK_COLUMNS +
                        (size_t)(next.y % 8) * ERGI_PATCH_SIDE * ERGI_BLOCK_SIDE +
                        (size_t)(next.x % 8) * ERGI_PATCH_SIDE;
            p->moving = ergi_columns_moving(c)[block * ERGI_BLOCK_PATCHES + of];
            p->inside = inside(c, next);
            p->held = ergi_column_set_patch(s->params->held, block, of) |
                      ergi_column_set_patch(s->params->covered, block, of);
            p->active = ergi_columns_flow(c)[block] >> of & 1;
            w->held |= p->held;
        }
    w->base = w->part[1][1].height[0];
}

// Copies ni x nj columns of a part, from its column (i0, j0) on, to (i, j) of the window. Returns 0
// if no height is too far from the base.
static inline uint64_t copy_part(const sweep *s, const window *w, const part *p, int i0, int j0,
                                 int ni, int nj, int i, int j, ergi_flux_window *to)
{
    // In a ring, only what active patches give or take counts.
    uint64_t held = w->regard_held ? p->held : 0;
    uint64_t open = s->ring && !p->active ? 0 : p->inside & ~held, far = 0;
    for (int y = 0; y < nj; y++)
        for (int x = 0; x < ni; x++) {
            int      bit = (j0 + y) * ERGI_PATCH_SIDE + i0 + x;
            unsigned moving = p->moving >> bit & 1;
            int64_t  height = 0;
            if (p->inside >> bit & 1)
                height = (int64_t)(p->height[(j0 + y) * ERGI_BLOCK_SIDE + i0 + x] - w->base);
            far |= (uint64_t)(height + (int64_t)(ERGI_FLUX_WIDEST / 2)) / ERGI_FLUX_WIDEST;
            to->height[j + y][i + x] = (double)height;
            to->straight[j + y][i + x] = (double)s->limits.straight[moving];
            to->diagonal[j + y][i + x] = (double)s->limits.diagonal[moving];
            to->open[j + y][i + x] = (double)(open >> bit & 1);
        }
    return far;
}

static uint64_t copy_window(const sweep *s, const window *w, ergi_flux_window *to)
{
    enum { N = ERGI_PATCH_SIDE, LAST = N - 1, END = N + 1 };
    uint64_t far = copy_part(s, w, &w->part[1][1], 0, 0, N, N, 1, 1, to);
    far |= copy_part(s, w, &w->part[0][0], LAST, LAST, 1, 1, 0, 0, to);
    far |= copy_part(s, w, &w->part[0][1], 0, LAST, N, 1, 1, 0, to);
    far |= copy_part(s, w, &w->part[0][2], 0, LAST, 1, 1, END, 0, to);
    far |= copy_part(s, w, &w->part[1][0], LAST, 0, 1, N, 0, 1, to);
    far |= copy_part(s, w, &w->part[1][2], 0, 0, 1, N, END, 1, to);
    far |= copy_part(s, w, &w->part[2][0], LAST, 0, 1, 1, 0, END, to);
    far |= copy_part(s, w, &w->part[2][1], 0, 0, N, 1, 1, END, to);
    far |= copy_part(s, w, &w->part[2][2], 0, 0, 1, 1, END, END, to);
    return far;
}

// ---- The same in integers ----------------------------------------------------------------------
typedef struct cell {
    const part *part;
    int         bit;
    uint64_t    height;
} cell;

// Column (i, j) of the window, -1 to 8.
static cell cell_at(const window *w, int i, int j)
{
    const part *p = &w->part[(j + 8) / 8][(i + 8) / 8];
    int         x = (i + 8) % 8, y = (j + 8) % 8;
    return (cell){p, y * 8 + x, p->height ? p->height[y * ERGI_BLOCK_SIDE + x] : 0};
}

static bool has(uint64_t bits, const cell *k)
{
    return bits >> k->bit & 1;
}

// From the second column to the first; 0 beyond the grid. Held columns are not regarded.
static int64_t flux_between(const sweep *s, const cell *k, const cell *l, bool diagonal)
{
    if (!has(k->part->inside, k) || !has(l->part->inside, l)) return 0;
    bool           moving = has(k->part->moving, k) || has(l->part->moving, l);
    const int64_t *limits = diagonal ? s->limits.diagonal : s->limits.straight;
    int64_t        x = (int64_t)(l->height - k->height), excess = llabs(x) - limits[moving];
    return excess < 9 ? 0 : x > 0 ? excess / 9 : -(excess / 9);
}

// Whether columns k and l of a patch and its window may exchange sand.
static bool is_open(const sweep *s, const cell *k, const cell *l)
{
    return !has(k->part->held, k) && !has(l->part->held, l) && (!s->ring || l->part->active);
}

// Sand that moves if `held` is regarded, or that would move if it were not.
static uint64_t exact_flux(const sweep *s, const window *w, bool regard_held,
                           int64_t net[ERGI_PATCH_COLUMNS])
{
    uint64_t moved = 0;
    for (int n = 0; n < ERGI_PATCH_COLUMNS; n++) {
        int  i = n % ERGI_PATCH_SIDE, j = n / ERGI_PATCH_SIDE;
        cell k = cell_at(w, i, j);
        net[n] = 0;
        for (int d = 0; d < 9; d++) {
            cell    l = cell_at(w, i + d % 3 - 1, j + d / 3 - 1);
            int64_t flux = d == 4 ? 0 : flux_between(s, &k, &l, d % 2 == 0);
            if (flux == 0 || (regard_held && !is_open(s, &k, &l))) continue;
            net[n] += flux;
            moved |= (uint64_t)1 << n;
        }
    }
    return moved;
}

// ---- One sweep ---------------------------------------------------------------------------------
// Columns of the patch in which sand moves, and what each gains.
static uint64_t flux_into(const sweep *s, window *w, bool regard_held,
                          int64_t net[ERGI_PATCH_COLUMNS])
{
    ergi_flux_window doubles;
    double           gain[ERGI_PATCH_COLUMNS];
    const part      *own = &w->part[1][1];
    uint64_t         open = regard_held ? own->inside & ~own->held : own->inside;
    w->regard_held = regard_held;
    if (open == 0) {
        memset(net, 0, ERGI_PATCH_COLUMNS * sizeof *net);
        return 0;
    }
    if (copy_window(s, w, &doubles)) return exact_flux(s, w, regard_held, net);
    uint64_t moved = s->e->flux(&doubles, gain) & open;
    for (int k = 0; k < ERGI_PATCH_COLUMNS; k++) net[k] = open >> k & 1 ? (int64_t)gain[k] : 0;
    return moved;
}

static void compute_flux(const sweep *s, ergi_patch_flux *out)
{
    window  w;
    int64_t unused[ERGI_PATCH_COLUMNS];
    look_around(s, out->patch, &w);
    out->moved = flux_into(s, &w, true, out->net);
    // Where sand moves, it does not matter what else would.
    out->wants = !out->moved && w.held && !s->ring && flux_into(s, &w, false, unused) != 0;
}

static void compute_patch(const sweep *s, ergi_patch_flux *out)
{
    compute_flux(s, out);
    int64_t largest = 0;
    for (int k = 0; k < ERGI_PATCH_COLUMNS; k++) {
        int64_t change = llabs(out->net[k]);
        largest = change > largest ? change : largest;
    }
    out->largest = largest;
}

static void compute_patches(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const sweep *s = ctx;
    for (erg_index k = begin; k < end; k++) compute_patch(s, &s->e->patch[s->first + (size_t)k]);
}

// Adds what the columns of a patch gained.
static void apply_patch(ergi_columns *c, const ergi_patch_flux *p, bool low)
{
    size_t block = p->patch / ERGI_BLOCK_PATCHES, of = p->patch % ERGI_BLOCK_PATCHES;
    size_t first = block * ERGI_BLOCK_COLUMNS + of / 8 * ERGI_PATCH_SIDE * ERGI_BLOCK_SIDE +
                   of % 8 * ERGI_PATCH_SIDE;
    uint64_t *height = ergi_columns_height(c) + first;
    float    *surface = ergi_columns_surface(c) + first;
    for (uint64_t bits = p->moved; bits; bits &= bits - 1) {
        int    k = __builtin_ctzll(bits);
        size_t at = (size_t)(k / ERGI_PATCH_SIDE) * ERGI_BLOCK_SIDE + (size_t)(k % ERGI_PATCH_SIDE);
        if (p->net[k] == 0) continue;
        height[at] += (uint64_t)p->net[k];
        float z = (float)ergi_columns_z(c, height[at]);
        if (!low || z < surface[at]) surface[at] = z;
    }
    ergi_columns_moving(c)[p->patch] = p->moved;
}

static void apply_patches(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const sweep *s = ctx;
    for (erg_index k = begin; k < end; k++) apply_patch(s->c, &s->e->patch[k], s->params->low);
}

static void for_patches(const ergi_threads *threads, size_t n, ergi_range_fn fn, sweep *s)
{
    if (n < SERIAL)
        fn(s, 0, (erg_index)n, 0);
    else
        ergi_parallel_for(threads, (erg_index)n, CHUNK, fn, s);
}

// Lists the patches of a word of bits.
static erg_status list_patches(ergi_erosion *e, size_t block, uint64_t bits, size_t *n,
                               erg_error *err)
{
    erg_status status = ergi_memory_grow(&e->patch, &e->patch_room, *n + ERGI_BLOCK_PATCHES,
                                         sizeof *e->patch, "flowing columns", err);
    for (; status == ERG_OK && bits; bits &= bits - 1)
        e->patch[(*n)++].patch =
            (uint32_t)(block * ERGI_BLOCK_PATCHES + (size_t)__builtin_ctzll(bits));
    return status;
}

// Sand moved in a column at the border of an active patch: the patches beyond may be concerned.
static erg_status spill_over(ergi_erosion *e, const ergi_columns *c, const ergi_patch_flux *p,
                             erg_error *err)
{
    // Columns of the patch next to the eight patches around it.
    static const uint64_t border[3][3] = {
        {1u, 0xffu, 0x80u},
        {0x0101010101010101u, 0, 0x8080808080808080u},
        {(uint64_t)1 << 56, (uint64_t)0xff << 56, (uint64_t)1 << 63}};
    if (!(p->moved & 0xff818181818181ffu)) return ERG_OK;
    place at = place_of(c, p->patch);
    for (int d = 0; d < 9; d++) {
        place next = {at.x + d % 3 - 1, at.y + d / 3 - 1};
        if (!(p->moved & border[d / 3][d % 3]) || !on_grid(c, next)) continue;
        size_t   block = block_at(c, next);
        uint64_t bit = (uint64_t)1 << patch_at(next);
        if (ergi_columns_flow(c)[block] & bit) continue; // active: computed anyway
        if (!e->spill[block]) {
            erg_status status = ergi_memory_grow(&e->spilt, &e->spilt_room, e->spilts + 1,
                                                 sizeof *e->spilt, "flowing columns", err);
            if (status != ERG_OK) return status;
            e->spilt[e->spilts++] = (uint32_t)block;
        }
        e->spill[block] |= bit;
    }
    return ERG_OK;
}

static void forget_spills(ergi_erosion *e)
{
    for (size_t k = 0; k < e->spilts; k++) e->spill[e->spilt[k]] = 0;
    e->spilts = 0;
}

// Marks what changed and activates the patches in which sand moves, or would.
static void mark_patches(ergi_erosion *e, ergi_columns *c, size_t n, int64_t *largest)
{
    for (size_t k = 0; k < c->actives; k++) ergi_columns_flow(c)[c->active[k]] = 0;
    c->actives = 0;
    for (size_t k = 0; k < n; k++) {
        const ergi_patch_flux *p = &e->patch[k];
        size_t                 block = p->patch / ERGI_BLOCK_PATCHES;
        ergi_tiles_mark(&c->moving_tiles, p->patch, p->patch + 1);
        if (p->moved) {
            ergi_tiles_mark(&c->tiles, block * ERGI_BLOCK_COLUMNS, block * ERGI_BLOCK_COLUMNS + 1);
            ergi_columns_stamp(c, block);
            if (p->largest > *largest) *largest = p->largest;
        }
        if (p->moved || p->wants)
            ergi_columns_activate(c, block, (uint64_t)1 << p->patch % ERGI_BLOCK_PATCHES);
    }
}

// Nothing is changed on failure.
static erg_status sweep_once(sweep *s, const ergi_threads *threads, int64_t *largest,
                             erg_error *err)
{
    ergi_erosion *e = s->e;
    ergi_columns *c = s->c;
    erg_status    status = ERG_OK;
    size_t        active = 0, n;
    for (size_t k = 0; k < c->actives && status == ERG_OK; k++)
        status = list_patches(e, c->active[k], ergi_columns_flow(c)[c->active[k]], &active, err);
    if (status != ERG_OK) return status;
    s->first = 0;
    s->ring = false;
    for_patches(threads, active, compute_patches, s);

    for (size_t k = 0; k < active && status == ERG_OK; k++)
        status = spill_over(e, c, &e->patch[k], err);
    n = active;
    for (size_t k = 0; k < e->spilts && status == ERG_OK; k++)
        status = list_patches(e, e->spilt[k], e->spill[e->spilt[k]], &n, err);
    forget_spills(e);
    if (status != ERG_OK) return status;
    s->first = active;
    s->ring = true;
    for_patches(threads, n - active, compute_patches, s);

    for_patches(threads, n, apply_patches, s);
    mark_patches(e, c, n, largest);
    return ERG_OK;
}

// Rounded down; a limit beyond any height means that nothing flows.
static int64_t limit_of(const ergi_columns *c, double distance, double tangent)
{
    double quanta = floor(distance * tangent / c->quantum);
    return quanta < (double)ERGI_COLUMN_HIGHEST ? (int64_t)quanta : (int64_t)ERGI_COLUMN_HIGHEST;
}

erg_status ergi_erosion_sweeps(ergi_erosion *e, ergi_columns *c, const ergi_erosion_params *params,
                               const ergi_threads *threads, ergi_erosion_report *report,
                               erg_error *err)
{
    assert(params->tan_stop <= params->tan_start && params->tan_stop >= 0);
    sweep        s = {.params = params, .e = e, .c = c};
    double       diagonal = sqrt(2) * c->spacing;
    const double tangent[2] = {params->tan_start, params->tan_stop};
    for (int k = 0; k < 2; k++) {
        s.limits.straight[k] = limit_of(c, c->spacing, tangent[k]);
        s.limits.diagonal[k] = limit_of(c, diagonal, tangent[k]);
    }
    *report = (ergi_erosion_report){0};
    erg_status status = ERG_OK;
    while (status == ERG_OK && c->actives > 0 && report->sweeps < params->most) {
        int64_t largest = 0;
        status = sweep_once(&s, threads, &largest, err);
        report->largest += (double)largest * c->quantum;
        report->sweeps++;
    }
    report->blocks = c->actives;
    for (size_t k = 0; k < c->actives; k++)
        report->patches += (size_t)__builtin_popcountll(ergi_columns_flow(c)[c->active[k]]);
    return status;
}

// ---- Survey ------------------------------------------------------------------------------------
typedef struct survey {
    const ergi_columns *c;
    int64_t             straight, diagonal;
} survey;

// The slope between column (i, j) and its neighbour is too steep.
static bool too_steep(const survey *s, int32_t i, int32_t j, int dx, int dy)
{
    const ergi_columns *c = s->c;
    if (!ergi_columns_inside(c, i + dx, j + dy)) return false;
    const uint64_t *height = ergi_columns_height(c);
    int64_t         x =
        (int64_t)(height[ergi_columns_row(c, i + dx, j + dy)] - height[ergi_columns_row(c, i, j)]);
    return llabs(x) >= 9 + (dx && dy ? s->diagonal : s->straight);
}

// Leaves the patches in `flow`, where no other thread writes.
static void survey_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const survey       *s = ctx;
    const ergi_columns *c = s->c;
    for (erg_index b = begin; b < end; b++) {
        int32_t i0 = b % c->block[0] * ERGI_BLOCK_SIDE, j0 = b / c->block[0] * ERGI_BLOCK_SIDE;
        for (int32_t j = j0; j < j0 + ERGI_BLOCK_SIDE && j < c->count[1]; j++)
            for (int32_t i = i0; i < i0 + ERGI_BLOCK_SIDE && i < c->count[0]; i++)
                if (too_steep(s, i, j, 1, 0) || too_steep(s, i, j, 0, 1) ||
                    too_steep(s, i, j, 1, 1) || too_steep(s, i, j, -1, 1))
                    ergi_columns_flow(c)[b] |= (uint64_t)1
                                               << ergi_columns_patch_of(ergi_columns_row(c, i, j));
    }
}

void ergi_erosion_survey(ergi_columns *c, double tan_start, const ergi_threads *threads)
{
    survey s = {c, limit_of(c, c->spacing, tan_start),
                limit_of(c, sqrt(2) * c->spacing, tan_start)};
    ergi_parallel_for(threads, (erg_index)ergi_columns_blocks(c), 1, survey_blocks, &s);
    c->actives = 0;
    for (size_t b = 0; b < ergi_columns_blocks(c); b++)
        if (ergi_columns_flow(c)[b]) c->active[c->actives++] = (uint32_t)b;
}
