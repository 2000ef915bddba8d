#include "upsample/fine_order.h"

#include <string.h>

#include "base/memory.h"

enum { CHUNK = 8192, BITS = 10, CELLS = 1 << BITS, DIGIT = 11, DIGITS = 1 << DIGIT };

void ergi_fine_order_free(ergi_fine_order *order)
{
    for (int k = 0; k < 2; k++) {
        ergi_memory_free(order->key[k]);
        ergi_memory_free(order->index[k]);
    }
    ergi_memory_free(order->column);
    ergi_memory_free(order->count);
    *order = (ergi_fine_order){0};
}

size_t ergi_fine_order_bytes(const ergi_fine_order *order)
{
    return sizeof(uint32_t) * (order->key_room[0] + order->key_room[1] + order->index_room[0] +
                               order->index_room[1] + order->count_room) +
           sizeof(uint64_t) * order->column_room;
}

// ---- The curve ---------------------------------------------------------------------------------
// Inserts two zero bits after each of the ten low bits.
static inline uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

enum { LANES = 64 };

// Skilling's inner step for the bits below `bit`: inverts those of x where `axis` has `bit` set,
// and otherwise swaps those of x and axis. Without branches, so that the compiler vectorises it.
static inline void turn(uint32_t *restrict x, uint32_t *restrict axis, uint32_t bit)
{
    for (int k = 0; k < LANES; k++) {
        uint32_t low = bit - 1, set = 0u - (uint32_t)((axis[k] & bit) != 0);
        uint32_t swap = (x[k] ^ axis[k]) & low & ~set;
        x[k] ^= swap | (low & set);
        axis[k] ^= swap;
    }
}

// Replaces x by the index of cell x, y, z on the curve; y and z are overwritten.
static void hilbert(uint32_t *restrict x, uint32_t *restrict y, uint32_t *restrict z, int bits)
{
    uint32_t top = 1u << (bits - 1), flip[LANES] = {0};
    for (uint32_t bit = top; bit > 1; bit >>= 1) {
        for (int k = 0; k < LANES; k++) x[k] ^= (bit - 1) & (0u - (uint32_t)((x[k] & bit) != 0));
        turn(x, y, bit);
        turn(x, z, bit);
    }
    for (int k = 0; k < LANES; k++) {
        y[k] ^= x[k];
        z[k] ^= y[k];
    }
    for (uint32_t bit = top; bit > 1; bit >>= 1)
        for (int k = 0; k < LANES; k++) flip[k] ^= (bit - 1) & (0u - (uint32_t)((z[k] & bit) != 0));
    for (int k = 0; k < LANES; k++)
        x[k] = spread(x[k] ^ flip[k]) << 2 | spread(y[k] ^ flip[k]) << 1 | spread(z[k] ^ flip[k]);
}

uint32_t ergi_fine_hilbert(uint32_t x, uint32_t y, uint32_t z, int bits)
{
    uint32_t xs[LANES] = {x}, ys[LANES] = {y}, zs[LANES] = {z};
    hilbert(xs, ys, zs, bits);
    return xs[0];
}

// ---- Keys --------------------------------------------------------------------------------------
typedef struct sort {
    const ergi_fine_columns *fine;
    ergi_fine_order         *order;
    size_t                   first;    // row of the range's first particle
    float                    scale[3]; // cells per fixed-point unit
    int32_t                  periodic[3];
    int                      shift, from;
} sort;

// Cell coordinates along one axis, of up to LANES particles.
static void cells_along(const sort *s, int axis, size_t from, int count, uint32_t cell[LANES])
{
    const uint32_t *place = s->fine->place[axis] + from;
    float           scale = s->scale[axis], middle = 0.5f * CELLS;
    if (s->periodic[axis])
        for (int k = 0; k < count; k++)
            cell[k] = (uint32_t)(int32_t)((float)(int32_t)(place[k] >> 1) * (2 * scale));
    else
        for (int k = 0; k < count; k++) {
            float c = (float)(int32_t)place[k] * scale + middle;
            c = c > 0 ? c : 0;
            cell[k] = (uint32_t)(int32_t)(c < CELLS ? c : CELLS - 1);
        }
    for (int k = 0; k < count; k++) cell[k] = cell[k] < CELLS ? cell[k] : CELLS - 1;
    for (int k = count; k < LANES; k++) cell[k] = 0;
}

static void make_keys(void *ctx, erg_index begin, erg_index end, int chunk)
{
    sort     *s = ctx;
    uint32_t *key = s->order->key[0], *index = s->order->index[0], x[LANES], y[LANES], z[LANES];
    (void)chunk;
    for (erg_index i = begin; i < end; i += LANES) {
        int count = end - i < LANES ? (int)(end - i) : LANES;
        cells_along(s, 0, s->first + (size_t)i, count, x);
        cells_along(s, 1, s->first + (size_t)i, count, y);
        cells_along(s, 2, s->first + (size_t)i, count, z);
        hilbert(x, y, z, BITS);
        memcpy(key + i, x, (size_t)count * sizeof *key);
        for (int k = 0; k < count; k++) index[i + k] = (uint32_t)(i + k);
    }
}

// ---- Radix sort --------------------------------------------------------------------------------
static void count_digits(void *ctx, erg_index begin, erg_index end, int chunk)
{
    sort           *s = ctx;
    const uint32_t *key = s->order->key[s->from];
    uint32_t       *count = s->order->count + (size_t)chunk * DIGITS;
    memset(count, 0, DIGITS * sizeof *count);
    for (erg_index i = begin; i < end; i++) count[key[i] >> s->shift & (DIGITS - 1)]++;
}

static void scatter(void *ctx, erg_index begin, erg_index end, int chunk)
{
    sort           *s = ctx;
    const uint32_t *key = s->order->key[s->from], *index = s->order->index[s->from];
    uint32_t       *key_to = s->order->key[1 - s->from], *index_to = s->order->index[1 - s->from];
    uint32_t       *start = s->order->count + (size_t)chunk * DIGITS;
    for (erg_index i = begin; i < end; i++) {
        uint32_t to = start[key[i] >> s->shift & (DIGITS - 1)]++;
        key_to[to] = key[i];
        index_to[to] = index[i];
    }
}

// Turns the counts into the row where each range begins to write each digit.
static void sum_counts(uint32_t *count, int chunks)
{
    uint32_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++)
        for (int c = 0; c < chunks; c++) {
            uint32_t *at = &count[(size_t)c * DIGITS + d], here = *at;
            *at = sum;
            sum += here;
        }
}

// Subtracts the least key from all of them; returns the largest result.
static uint32_t reduce_keys(uint32_t *key, size_t n)
{
    int32_t low = INT32_MAX, high = 0; // keys are below 2^30
    for (size_t i = 0; i < n; i++) {
        int32_t k = (int32_t)key[i];
        low = k < low ? k : low;
        high = k > high ? k : high;
    }
    for (size_t i = 0; i < n; i++) key[i] -= (uint32_t)low;
    return n ? (uint32_t)(high - low) : 0;
}

erg_status ergi_fine_order_find(ergi_fine_order *order, const ergi_fine_columns *fine, size_t first,
                                size_t n, const ergi_fine_frame *lattice, double side,
                                const ergi_threads *threads, const uint32_t **index, erg_error *err)
{
    const char *what = "the order of fine particles";
    int         chunks = ergi_chunk_count((erg_index)n, CHUNK);
    erg_status  status = ERG_OK;
    for (int k = 0; k < 2 && status == ERG_OK; k++) {
        status = ergi_memory_grow(&order->key[k], &order->key_room[k], n, 4, what, err);
        if (status == ERG_OK)
            status = ergi_memory_grow(&order->index[k], &order->index_room[k], n, 4, what, err);
    }
    if (status == ERG_OK)
        status = ergi_memory_grow(&order->column, &order->column_room, n, 8, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&order->count, &order->count_room, (size_t)chunks * DIGITS, 4,
                                  what, err);
    if (status != ERG_OK) return status;
    sort s = {.fine = fine, .order = order, .first = first};
    for (int a = 0; a < 3; a++) {
        s.scale[a] = (float)(lattice->step[a] / side);
        s.periodic[a] = lattice->periodic[a];
    }
    ergi_parallel_for(threads, (erg_index)n, CHUNK, make_keys, &s);
    uint32_t most = reduce_keys(order->key[0], n);
    for (s.shift = 0; s.shift < 3 * BITS && most >> s.shift; s.shift += DIGIT) {
        ergi_parallel_for(threads, (erg_index)n, CHUNK, count_digits, &s);
        sum_counts(order->count, chunks);
        ergi_parallel_for(threads, (erg_index)n, CHUNK, scatter, &s);
        s.from = 1 - s.from;
    }
    *index = order->index[s.from];
    return ERG_OK;
}

double ergi_fine_order_side(double cell, double span)
{
    while (cell * CELLS < span) cell *= 2;
    return cell;
}

// ---- Columns -----------------------------------------------------------------------------------
typedef struct gather {
    void           *column;
    uint64_t       *scratch;
    const uint32_t *index;
    size_t          bytes;
} gather;

static void gather_rows(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const gather *g = ctx;
    (void)chunk;
    if (g->bytes == 1) {
        const uint8_t *from = g->column;
        uint8_t       *to = (uint8_t *)g->scratch;
        for (erg_index i = begin; i < end; i++) to[i] = from[g->index[i]];
    } else if (g->bytes == 4) {
        const uint32_t *from = g->column;
        uint32_t       *to = (uint32_t *)g->scratch;
        for (erg_index i = begin; i < end; i++) to[i] = from[g->index[i]];
    } else {
        const uint64_t *from = g->column;
        for (erg_index i = begin; i < end; i++) g->scratch[i] = from[g->index[i]];
    }
}

static void put_back(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const gather *g = ctx;
    (void)chunk;
    memcpy((char *)g->column + (size_t)begin * g->bytes,
           (char *)g->scratch + (size_t)begin * g->bytes, (size_t)(end - begin) * g->bytes);
}

void ergi_fine_order_apply(const ergi_fine_order *order, void *column, size_t bytes, size_t count,
                           const uint32_t *index, const ergi_threads *threads)
{
    gather g = {column, order->column, index, bytes};
    ergi_parallel_for(threads, (erg_index)count, CHUNK, gather_rows, &g);
    ergi_parallel_for(threads, (erg_index)count, CHUNK, put_back, &g);
}
