#include "terrain/columns.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/relief.h"
#include "terrain/terrain_def.h"

static_assert((int)ERGI_BLOCK_COLUMNS == (int)ERGI_TILE_ROWS, "a block is a tile");

static const ergi_column table_columns[] = {
#define X(NAME, name, type) {#name, type, 1, false},
    ERGI_COLUMN_COLUMNS(X)
#undef X
};
static const ergi_column flow_columns[] = {{"active", ERGI_U64, 1, false}};
static const ergi_column moving_columns[] = {{"bits", ERGI_U64, 1, false}};

// ---- Heights -----------------------------------------------------------------------------------
typedef struct filling {
    ergi_columns *c;
    ergi_landform relief;
    atomic_bool   too_high;
} filling;

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Initial height of a column, not rounded [quanta]; NAN: it is too high.
static double quanta_at(const ergi_columns *c, ergi_landform *relief, int32_t i, int32_t j)
{
    double z = ergi_landform_z(relief, ergi_columns_centre(c, 0, i), ergi_columns_centre(c, 1, j));
    double quanta = (z - c->floor) / c->quantum;
    return quanta < (double)ERGI_COLUMN_HIGHEST ? quanta : (double)NAN;
}

// Rows of border blocks that are not in the grid have the surface of a column without sand, so that
// whatever renews the surface of whole blocks leaves them as they are.
static void fill_block(filling *f, ergi_landform *relief, size_t block)
{
    ergi_columns *c = f->c;
    uint64_t     *height = ergi_columns_height(c);
    float        *surface = ergi_columns_surface(c);
    int32_t       i0 = (int32_t)(block % (size_t)c->block[0]) * ERGI_BLOCK_SIDE;
    int32_t       j0 = (int32_t)(block / (size_t)c->block[0]) * ERGI_BLOCK_SIDE;
    int32_t       ni = least(ERGI_BLOCK_SIDE, c->count[0] - i0);
    int32_t       nj = least(ERGI_BLOCK_SIDE, c->count[1] - j0);
    float         empty = (float)ergi_columns_z(c, 0);
    if (empty != 0 && (ni < ERGI_BLOCK_SIDE || nj < ERGI_BLOCK_SIDE))
        for (size_t k = 0; k < ERGI_BLOCK_COLUMNS; k++)
            surface[block * ERGI_BLOCK_COLUMNS + k] = empty;
    for (int32_t j = 0; j < nj; j++) {
        size_t row = block * ERGI_BLOCK_COLUMNS + (size_t)j * ERGI_BLOCK_SIDE;
        for (int32_t i = 0; i < ni; i++) {
            double quanta = quanta_at(c, relief, i0 + i, j0 + j);
            if (isnan(quanta)) {
                atomic_store_explicit(&f->too_high, true, memory_order_relaxed);
                return;
            }
            height[row + (size_t)i] = quanta > 0 ? (uint64_t)(quanta + 0.5) : 0;
            surface[row + (size_t)i] = (float)ergi_columns_z(c, height[row + (size_t)i]);
        }
    }
}

static void fill_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    filling      *f = ctx;
    ergi_landform relief = f->relief;
    for (erg_index b = begin; b < end; b++) fill_block(f, &relief, (size_t)b);
}

static erg_status fail_too_high(const ergi_columns *c, erg_error *err)
{
    return ergi_fail_at(err, "height", ERG_ERROR_OUT_OF_RANGE,
                        "the terrain is too high: with these columns and grains it can be %.3g m "
                        "high at most; give a higher floor, a smaller relief, or larger grains",
                        (double)ERGI_COLUMN_HIGHEST * c->quantum);
}

// Looks at the corners of all blocks, before memory is asked for: there, most terrains that are too
// high are. fill_block finds the others.
static erg_status check_corners(const ergi_columns *c, ergi_landform *relief, erg_error *err)
{
    const int32_t last = ERGI_BLOCK_SIDE - 1;
    for (int32_t j = 0; j < c->block[1]; j++)
        for (int32_t i = 0; i < c->block[0]; i++)
            for (int k = 0; k < 4; k++) {
                int32_t at = least(i * ERGI_BLOCK_SIDE + (k % 2 ? last : 0), c->count[0] - 1);
                int32_t to = least(j * ERGI_BLOCK_SIDE + (k / 2 ? last : 0), c->count[1] - 1);
                if (isnan(quanta_at(c, relief, at, to))) return fail_too_high(c, err);
            }
    return ERG_OK;
}

// ---- Create, free ------------------------------------------------------------------------------
static erg_status allocate(ergi_columns *c, erg_error *err)
{
    ergi_table_init(&c->table, "terrain columns", table_columns, ERGI_COLUMN_COLUMN_COUNT,
                    ERGI_F64);
    ergi_table_init(&c->flow, "terrain flow", flow_columns, ERGI_FLOW_COLUMNS, ERGI_F64);
    ergi_table_init(&c->moving, "terrain moving", moving_columns, ERGI_MOVING_COLUMNS, ERGI_F64);
    c->tiles.all = c->moving_tiles.all = true;
    size_t blocks = ergi_columns_blocks(c);
    // Memory of a new table is zeroed.
    erg_status status = ergi_table_reset(&c->table, blocks * ERGI_BLOCK_COLUMNS, err);
    if (status == ERG_OK) status = ergi_table_reset(&c->flow, blocks, err);
    if (status == ERG_OK) status = ergi_table_reset(&c->moving, blocks * ERGI_BLOCK_PATCHES, err);
    if (status != ERG_OK) return status;
    c->active = ergi_memory_new(blocks, sizeof *c->active, "blocks of columns", err);
    if (c->active) c->stamp = ergi_memory_new(blocks, sizeof *c->stamp, "blocks of columns", err);
    if (c->stamp) c->recent = ergi_memory_new(blocks, sizeof *c->recent, "blocks of columns", err);
    if (c->recent) c->listed = ergi_memory_new(blocks, 1, "blocks of columns", err);
    return c->listed ? ERG_OK : ERG_NO_MEMORY;
}

erg_status ergi_columns_create(ergi_columns *c, const erg_terrain_def *def, double quantum,
                               const ergi_threads *threads, erg_error *err)
{
    assert(quantum > 0);
    memset(c, 0, sizeof *c);
    double size[2];
    for (int k = 0; k < 2; k++) {
        c->lower[k] = def->lower[k];
        c->count[k] = (int32_t)ergi_terrain_def_count(def, k);
        c->block[k] = (c->count[k] + ERGI_BLOCK_SIDE - 1) / ERGI_BLOCK_SIDE;
        size[k] = c->count[k] * def->spacing;
    }
    c->spacing = def->spacing;
    c->floor = def->floor;
    c->quantum = quantum;
    filling    f = {.c = c, .relief = ergi_landform_make(def, size)};
    erg_status status = check_corners(c, &f.relief, err);
    if (status != ERG_OK) return status;
    status = allocate(c, err);
    if (status == ERG_OK)
        ergi_parallel_for(threads, (erg_index)ergi_columns_blocks(c), 4, fill_blocks, &f);
    if (status == ERG_OK && f.too_high) status = fail_too_high(c, err);
    if (status != ERG_OK) ergi_columns_free(c);
    return status;
}

void ergi_columns_free(ergi_columns *c)
{
    ergi_table_free(&c->table);
    ergi_table_free(&c->flow);
    ergi_table_free(&c->moving);
    ergi_tiles_free(&c->tiles);
    ergi_tiles_free(&c->moving_tiles);
    ergi_memory_free(c->active);
    ergi_memory_free(c->stamp);
    ergi_memory_free(c->recent);
    ergi_memory_free(c->listed);
    c->active = c->stamp = c->recent = NULL;
    c->listed = NULL;
    c->actives = c->recents = 0;
}

size_t ergi_columns_bytes(const ergi_columns *c)
{
    return ergi_table_bytes(&c->table) + ergi_table_bytes(&c->flow) + ergi_table_bytes(&c->moving) +
           c->tiles.room + c->moving_tiles.room +
           ergi_columns_blocks(c) * (sizeof *c->active + sizeof *c->stamp + sizeof *c->recent + 1);
}

// ---- State -------------------------------------------------------------------------------------
void ergi_columns_register(ergi_columns *c, ergi_registry *registry)
{
    ergi_registry_tiled(registry, &c->table, -1, &c->tiles, ERGI_STATE_HASHED);
    ergi_registry_table(registry, &c->flow, -1, ERGI_STATE_HASHED);
    ergi_registry_tiled(registry, &c->moving, -1, &c->moving_tiles, ERGI_STATE_HASHED);
}

void ergi_columns_restored(ergi_columns *c)
{
    c->actives = 0;
    c->change++;
    for (size_t b = 0; b < ergi_columns_blocks(c); b++) {
        c->stamp[b] = c->change;
        if (ergi_columns_flow(c)[b]) c->active[c->actives++] = (uint32_t)b;
    }
    ergi_columns_watch(c);
}

const char *ergi_columns_misfit(const ergi_columns *c, const ergi_loaded *loaded)
{
    const ergi_table *table = ergi_loaded_table(loaded, c->table.name);
    const ergi_table *flow = ergi_loaded_table(loaded, c->flow.name);
    const ergi_table *moving = ergi_loaded_table(loaded, c->moving.name);
    if (table->rows != c->table.rows || flow->rows != c->flow.rows ||
        moving->rows != c->moving.rows)
        return "the terrain has another number of columns";
    const uint64_t *height = table->data[ERGI_COLUMN_HEIGHT];
    const float    *surface = table->data[ERGI_COLUMN_SURFACE];
    const float     empty = (float)ergi_columns_z(c, 0);
    for (size_t row = 0; row < table->rows; row++) {
        size_t  block = row / ERGI_BLOCK_COLUMNS, at = row % ERGI_BLOCK_COLUMNS;
        int32_t i = (int32_t)(block % (size_t)c->block[0] * ERGI_BLOCK_SIDE + at % ERGI_BLOCK_SIDE);
        int32_t j = (int32_t)(block / (size_t)c->block[0] * ERGI_BLOCK_SIDE + at / ERGI_BLOCK_SIDE);
        if (height[row] >= ERGI_COLUMN_HIGHEST || !isfinite(surface[row]))
            return "a column of the terrain is higher than columns can be";
        if (!ergi_columns_inside(c, i, j) && (height[row] != 0 || surface[row] != empty))
            return "there is sand outside of the terrain";
    }
    const uint64_t *active = flow->data[ERGI_FLOW_ACTIVE], *bits = moving->data[ERGI_MOVING_BITS];
    for (size_t p = 0; p < moving->rows; p++)
        if (bits[p] && !(active[p / ERGI_BLOCK_PATCHES] >> p % ERGI_BLOCK_PATCHES & 1))
            return "sand of the terrain moves in a patch that is at rest";
    return NULL;
}

// ---- Questions ---------------------------------------------------------------------------------
typedef struct counting {
    const ergi_columns   *c;
    atomic_uint_least64_t half[2]; // sums of the lower and of the upper 32 bits: their order does
                                   // not matter
} counting;

static void count_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    counting       *k = ctx;
    const uint64_t *height = ergi_columns_height(k->c);
    uint64_t        half[2] = {0, 0};
    for (size_t r = (size_t)begin * ERGI_BLOCK_COLUMNS; r < (size_t)end * ERGI_BLOCK_COLUMNS; r++) {
        half[0] += (uint32_t)height[r];
        half[1] += height[r] >> 32;
    }
    for (int n = 0; n < 2; n++) atomic_fetch_add(&k->half[n], half[n]);
}

ergi_u128 ergi_columns_sand(const ergi_columns *c, const ergi_threads *threads)
{
    counting k = {.c = c};
    ergi_parallel_for(threads, (erg_index)ergi_columns_blocks(c), 16, count_blocks, &k);
    return ergi_u128_of_halves(k.half[0], k.half[1]);
}

double ergi_columns_surface_z(const ergi_columns *c, double x, double y)
{
    const double at[2] = {x, y};
    int32_t      low[2], high[2];
    double       part[2];
    for (int k = 0; k < 2; k++) {
        double u = (at[k] - c->lower[k]) / c->spacing - 0.5, most = c->count[k] - 1;
        u = u > 0 ? (u < most ? u : most) : 0; // a NaN becomes 0
        low[k] = (int32_t)u;
        high[k] = least(low[k] + 1, c->count[k] - 1);
        part[k] = u - low[k];
    }
    const float *z = ergi_columns_surface(c);
    double       z00 = (double)z[ergi_columns_row(c, low[0], low[1])];
    double       z10 = (double)z[ergi_columns_row(c, high[0], low[1])];
    double       z01 = (double)z[ergi_columns_row(c, low[0], high[1])];
    double       z11 = (double)z[ergi_columns_row(c, high[0], high[1])];
    double       below = z00 + part[0] * (z10 - z00), above = z01 + part[0] * (z11 - z01);
    return below + part[1] * (above - below);
}
