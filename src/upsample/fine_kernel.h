// The step of one block of fine particles, compiled once per instruction set (fine_scalar.c,
// fine_avx2.c, fine_avx512.c). A block is up to 256 consecutive particles, which sorting has made
// neighbours in space:
//
//     bounding box of the block -> packed list of the grains that reach it
//     bounding box of each packet of 16 particles -> those grains of the list that reach it -> sums
//
// Lists keep the order of the cell grid, and a grain out of reach has weight zero, so that culling
// changes no bit of the result. A block with a large box (stale sorting, scattered particles) is
// split in halves: slower, with the same result up to rounding.
#ifndef ERGI_FINE_KERNEL_H
#define ERGI_FINE_KERNEL_H

#include "upsample/fine_block.h"
#include "upsample/wide.h"

enum { LIST = 512 }; // most grains near a block

// Grains near a block, with positions x relative to its centre and reach h. For a particle at p,
//     1 - |p - x|^2/h^2 = one + p . twice + |p|^2 less
// takes four fused multiply-adds per grain and particle.
enum { ROOM = LIST + 2 * ERGI_WIDE };
typedef struct near_grains {
    int   count;
    float x[3][ROOM];     // [m]
    float reach2[ROOM];   // h^2; negative in padding [m^2]
    float twice[3][ROOM]; // 2 x/h^2 [1/m]
    float one[ROOM];      // 1 - |x|^2/h^2
    float less[ROOM];     // -1/h^2 [1/m^2]
    float v[3][ROOM];     // [m/s]
} near_grains;

typedef struct block {
    uint32_t centre[3]; // fixed-point position
    float    half[3];   // half sizes of its bounding box [m]
    int      count;
    float    x[3][ERGI_FINE_BLOCK], square[ERGI_FINE_BLOCK]; // from the centre [m], [m^2]
    float    v[3][ERGI_FINE_BLOCK];                          // [m/s]
} block;

// ---- The block ---------------------------------------------------------------------------------
ERG_FN void block_box(const ergi_fine_job *job, size_t begin, size_t end, block *b)
{
    for (int a = 0; a < 3; a++) {
        const uint32_t *place = job->fine.place[a];
        uint32_t        from = place[begin];
        int32_t         low = 0, high = 0;
        for (size_t i = begin; i < end; i++) {
            int32_t off = (int32_t)(place[i] - from);
            low = off < low ? off : low;
            high = off > high ? off : high;
        }
        int64_t middle = ((int64_t)low + high) / 2;
        b->centre[a] = from + (uint32_t)middle;
        b->half[a] = (float)((double)((int64_t)high - low) * 0.5 * (double)job->step[a] * 1.000001);
    }
}

// The last packet is padded with copies of the last particle.
ERG_FN void block_load(const ergi_fine_job *job, size_t begin, size_t end, block *b)
{
    int count = (int)(end - begin), full = (count + ERGI_WIDE - 1) / ERGI_WIDE * ERGI_WIDE;
    b->count = count;
    for (int a = 0; a < 3; a++) {
        const uint32_t *place = job->fine.place[a] + begin;
        const float    *velocity = job->fine.velocity[a] + begin;
        uint32_t        centre = b->centre[a];
        float           step = job->step[a];
        for (int k = 0; k < count; k++) b->x[a][k] = (float)(int32_t)(place[k] - centre) * step;
        for (int k = 0; k < count; k++) b->v[a][k] = velocity[k];
        for (int k = count; k < full; k++) {
            b->x[a][k] = b->x[a][count - 1];
            b->v[a][k] = b->v[a][count - 1];
        }
    }
    for (int k = 0; k < full; k += ERGI_WIDE) {
        ergi_wide x = ergi_wide_load(b->x[0] + k), y = ergi_wide_load(b->x[1] + k),
                  z = ergi_wide_load(b->x[2] + k);
        ergi_wide_store(b->square + k,
                        ergi_wide_fma(x, x, ergi_wide_fma(y, y, ergi_wide_mul(z, z))));
    }
}

// ---- Nearby grains -----------------------------------------------------------------------------
// Distance along one axis from a box centred at 0; 0 inside.
ERG_FN ergi_wide beyond(ergi_wide x, float half)
{
    return ergi_wide_max(ergi_wide_sub(ergi_wide_abs(x), ergi_wide_all(half)), ergi_wide_all(0));
}

// Appends those of the `count` grains from row `first` that reach the block. `shift`: of the images
// that are meant, from the nearest ones [m]. False: more than LIST.
ERG_FN bool add_rows(const ergi_fine_job *job, const ergi_coarse_columns *of, const block *b,
                     uint32_t first, uint32_t count, const float shift[3], near_grains *near)
{
    for (uint32_t i = 0; i < count; i += ERGI_WIDE) {
        uint32_t  at = first + i, left = count - i, all = left < 16 ? (1u << left) - 1 : 0xffffu;
        ergi_wide x = ergi_wide_from(of->place[0] + at, b->centre[0], job->step[0]),
                  y = ergi_wide_from(of->place[1] + at, b->centre[1], job->step[1]),
                  z = ergi_wide_from(of->place[2] + at, b->centre[2], job->step[2]);
        x = ergi_wide_add(x, ergi_wide_all(shift[0]));
        y = ergi_wide_add(y, ergi_wide_all(shift[1]));
        z = ergi_wide_add(z, ergi_wide_all(shift[2]));
        ergi_wide dx = beyond(x, b->half[0]), dy = beyond(y, b->half[1]),
                  dz = beyond(z, b->half[2]);
        ergi_wide d2 = ergi_wide_fma(dx, dx, ergi_wide_fma(dy, dy, ergi_wide_mul(dz, dz)));
        ergi_wide h2 = ergi_wide_load(of->reach2 + at);
        // Slightly enlarged, so that rounding cannot drop a grain whose weight is above zero.
        uint32_t bits = ergi_wide_below(d2, ergi_wide_mul(ergi_wide_all(1.00001f), h2)) & all;
        if (!bits) continue;
        int k = near->count, found = __builtin_popcount(bits);
        if (k + found > LIST) return false;
        near->count += found;
        ergi_wide less = ergi_wide_sub(ergi_wide_all(0), ergi_wide_load(of->inverse + at));
        ergi_wide twice = ergi_wide_mul(ergi_wide_all(-2), less);
        ergi_wide square = ergi_wide_fma(x, x, ergi_wide_fma(y, y, ergi_wide_mul(z, z)));
        ergi_wide_pack(near->x[0] + k, x, bits);
        ergi_wide_pack(near->x[1] + k, y, bits);
        ergi_wide_pack(near->x[2] + k, z, bits);
        ergi_wide_pack(near->reach2 + k, h2, bits);
        ergi_wide_pack(near->twice[0] + k, ergi_wide_mul(twice, x), bits);
        ergi_wide_pack(near->twice[1] + k, ergi_wide_mul(twice, y), bits);
        ergi_wide_pack(near->twice[2] + k, ergi_wide_mul(twice, z), bits);
        ergi_wide_pack(near->one + k, ergi_wide_fma(less, square, ergi_wide_all(1)), bits);
        ergi_wide_pack(near->less + k, less, bits);
        for (int a = 0; a < 3; a++)
            ergi_wide_pack(near->v[a] + k, ergi_wide_load(of->velocity[a] + at), bits);
    }
    return true;
}

// Cells along an axis whose grains may reach the block: `first` .. `first + count - 1`, modulo the
// number of cells on a periodic axis.
typedef struct cell_range {
    int64_t first, count;
} cell_range;

static cell_range cells_near(const ergi_fine_job *job, const ergi_coarse_grid *grid, const block *b,
                             int a)
{
    double wide = ((double)b->half[a] + (double)grid->reach) / (double)job->step[a] + 1;
    double at = grid->periodic[a] ? (double)(b->centre[a] - grid->lower[a])
                                  : (double)(int32_t)(b->centre[a] - grid->lower[a]);
    double from = floor((at - wide) / grid->side[a]), to = floor((at + wide) / grid->side[a]);
    double most = grid->cells[a] - 1;
    if (grid->periodic[a]) {
        if (to - from >= most) return (cell_range){0, grid->cells[a]};
        from += grid->cells[a];
        return (cell_range){(int64_t)from, (int64_t)(to + grid->cells[a]) - (int64_t)from + 1};
    }
    from = from > 0 ? from : 0;
    to = to < most ? to : most;
    return (cell_range){(int64_t)from, to < from ? 0 : (int64_t)to - (int64_t)from + 1};
}

// One image of all grains in a range of cells.
static bool gather_image(const ergi_fine_job *job, const ergi_coarse_grid *grid, const block *b,
                         const cell_range r[3], const float shift[3], near_grains *near)
{
    int64_t nx = grid->cells[0], first = r[0].first % nx, left = r[0].count;
    bool    fits = true;
    for (int64_t k = 0; k < r[2].count && fits; k++)
        for (int64_t j = 0; j < r[1].count && fits; j++) {
            int64_t z = (r[2].first + k) % grid->cells[2], y = (r[1].first + j) % grid->cells[1];
            const uint32_t *start = grid->start + (z * grid->cells[1] + y) * nx;
            int64_t         end = first + left < nx ? first + left : nx;
            int64_t         round = first + left - end; // cells that wrap around the period
            fits =
                add_rows(job, &grid->of, b, start[first], start[end] - start[first], shift, near) &&
                (round <= 0 ||
                 add_rows(job, &grid->of, b, start[0], start[round] - start[0], shift, near));
        }
    return fits;
}

// Number of images on each side that reach the block, in addition to the nearest one. Above 0 only
// if the period is short.
static int images_along(const ergi_fine_job *job, const ergi_coarse_grid *grid, const block *b,
                        int a)
{
    if (!grid->periodic[a]) return 0;
    double period = (double)job->step[a] * 4294967296.0;
    double n = ceil(((double)b->half[a] + (double)grid->reach) * 1.00001 / period - 0.5);
    return n > 0 ? (int)(n < 64 ? n : 64) : 0;
}

// Lists all grains that reach the block. False: more than LIST do, and some are left out.
static bool gather(const ergi_fine_job *job, const ergi_coarse_grid *grid, const block *b,
                   near_grains *near)
{
    cell_range r[3];
    int        images[3];
    bool       fits = true;
    near->count = 0;
    if (grid->count == 0) return true;
    for (int a = 0; a < 3; a++) {
        images[a] = images_along(job, grid, b, a);
        r[a] = images[a] ? (cell_range){0, grid->cells[a]} : cells_near(job, grid, b, a);
    }
    if (r[0].count == 0) return true;
    for (int k = -images[2]; k <= images[2] && fits; k++)
        for (int j = -images[1]; j <= images[1] && fits; j++)
            for (int i = -images[0]; i <= images[0] && fits; i++) {
                const float shift[3] = {(float)i * (job->step[0] * 0x1p32f),
                                        (float)j * (job->step[1] * 0x1p32f),
                                        (float)k * (job->step[2] * 0x1p32f)};
                fits = gather_image(job, grid, b, r, shift, near);
            }
    for (int k = near->count; k % ERGI_WIDE; k++) {
        near->x[0][k] = near->x[1][k] = near->x[2][k] = 0;
        near->reach2[k] = -1;
    }
    return fits;
}

// ---- A packet ----------------------------------------------------------------------------------
typedef struct sums {
    ergi_wide weight, top, v[3]; // top: largest 1 - |p - x|^2/h^2
} sums;

// Indices in `near` of the grains that reach the packet's bounding box; returns their number.
ERG_FN int cull(const near_grains *near, ergi_wide px, ergi_wide py, ergi_wide pz, uint32_t *list)
{
    float lx = ergi_wide_least(px), hx = ergi_wide_most(px), ly = ergi_wide_least(py),
          hy = ergi_wide_most(py), lz = ergi_wide_least(pz), hz = ergi_wide_most(pz);
    ergi_wide cx = ergi_wide_all(0.5f * (lx + hx)), sx = ergi_wide_all(0.50001f * (hx - lx)),
              cy = ergi_wide_all(0.5f * (ly + hy)), sy = ergi_wide_all(0.50001f * (hy - ly)),
              cz = ergi_wide_all(0.5f * (lz + hz)), sz = ergi_wide_all(0.50001f * (hz - lz)),
              zero = ergi_wide_all(0), wider = ergi_wide_all(1.00001f);
    int count = 0;
    for (int k = 0; k < near->count; k += ERGI_WIDE) {
        ergi_wide x = ergi_wide_abs(ergi_wide_sub(ergi_wide_load(near->x[0] + k), cx)),
                  y = ergi_wide_abs(ergi_wide_sub(ergi_wide_load(near->x[1] + k), cy)),
                  z = ergi_wide_abs(ergi_wide_sub(ergi_wide_load(near->x[2] + k), cz));
        x = ergi_wide_max(ergi_wide_sub(x, sx), zero);
        y = ergi_wide_max(ergi_wide_sub(y, sy), zero);
        z = ergi_wide_max(ergi_wide_sub(z, sz), zero);
        ergi_wide d2 = ergi_wide_fma(x, x, ergi_wide_fma(y, y, ergi_wide_mul(z, z)));
        uint32_t bits = ergi_wide_below(d2, ergi_wide_mul(wider, ergi_wide_load(near->reach2 + k)));
        count += ergi_wide_list(bits, (uint32_t)k, list + count);
    }
    return count;
}

ERG_FN sums add_up(const near_grains *near, const uint32_t *list, int count, ergi_wide px,
                   ergi_wide py, ergi_wide pz, ergi_wide p2)
{
    ergi_wide zero = ergi_wide_all(0);
    sums      s = {zero, zero, {zero, zero, zero}};
    for (int k = 0; k < count; k++) {
        uint32_t  j = list[k];
        ergi_wide q = ergi_wide_fma(p2, ergi_wide_all(near->less[j]), ergi_wide_all(near->one[j]));
        q = ergi_wide_fma(pz, ergi_wide_all(near->twice[2][j]), q);
        q = ergi_wide_fma(py, ergi_wide_all(near->twice[1][j]), q);
        q = ergi_wide_fma(px, ergi_wide_all(near->twice[0][j]), q);
        q = ergi_wide_max(q, zero);
        s.top = ergi_wide_max(s.top, q);
        ergi_wide w = ergi_wide_mul(ergi_wide_mul(q, q), q);
        s.weight = ergi_wide_add(s.weight, w);
        s.v[0] = ergi_wide_fma(w, ergi_wide_all(near->v[0][j]), s.v[0]);
        s.v[1] = ergi_wide_fma(w, ergi_wide_all(near->v[1][j]), s.v[1]);
        s.v[2] = ergi_wide_fma(w, ergi_wide_all(near->v[2][j]), s.v[2]);
    }
    return s;
}

// Samples of bodies count only for particles that a grain reaches too. Otherwise sand would stick
// to tools.
ERG_FN void join(sums *s, const sums *samples)
{
    ergi_wide zero = ergi_wide_all(0);
    uint32_t  lone = ergi_wide_at_most(s->weight, zero);
    s->weight = ergi_wide_add(s->weight, ergi_wide_choose(lone, zero, samples->weight));
    s->top = ergi_wide_max(s->top, ergi_wide_choose(lone, zero, samples->top));
    for (int a = 0; a < 3; a++)
        s->v[a] = ergi_wide_add(s->v[a], ergi_wide_choose(lone, zero, samples->v[a]));
}

// v <- (1 - alpha) mean + alpha (v + g dt)
ERG_FN void move(const ergi_fine_job *job, const sums *s, block *b, int at)
{
    ergi_wide zero = ergi_wide_all(0), one = ergi_wide_all(1);
    ergi_wide top = ergi_wide_mul(ergi_wide_mul(s->top, s->top), s->top);
    uint32_t  loose = ergi_wide_at_most(top, ergi_wide_all(job->law.c1)) |
                     ergi_wide_at_most(ergi_wide_mul(ergi_wide_all(job->law.c2), s->weight), top);
    uint32_t  alone = ergi_wide_at_most(s->weight, zero);
    ergi_wide alpha = ergi_wide_choose(loose, ergi_wide_sub(one, top), zero);
    ergi_wide sum = ergi_wide_choose(alone, one, s->weight);
    for (int a = 0; a < 3; a++) {
        ergi_wide mean = ergi_wide_div(s->v[a], sum);
        ergi_wide fall = ergi_wide_add(ergi_wide_load(b->v[a] + at),
                                       ergi_wide_all(job->law.gravity[a] * job->law.dt));
        ergi_wide_store(b->v[a] + at, ergi_wide_fma(alpha, ergi_wide_sub(fall, mean), mean));
    }
}

// ---- The step ----------------------------------------------------------------------------------
static void store(const ergi_fine_job *job, size_t begin, const block *b)
{
    for (int a = 0; a < 3; a++) {
        uint32_t *place = job->fine.place[a] + begin;
        float    *velocity = job->fine.velocity[a] + begin;
        float     scale = job->scale[a], most = job->most[a];
        for (int k = 0; k < b->count; k++) {
            velocity[k] = b->v[a][k];
            place[k] += (uint32_t)ergi_fine_displacement(b->v[a][k], scale, most);
        }
    }
}

// False: the range must be split.
static bool try_block(const ergi_fine_job *job, size_t begin, size_t end)
{
    block       b;
    near_grains near, samples;
    samples.count = 0;
    block_box(job, begin, end, &b);
    float wide = fmaxf(fmaxf(b.half[0], b.half[1]), b.half[2]);
    if (end - begin > 1 && wide > job->widest) return false;
    bool fits = gather(job, &job->grains, &b, &near) && gather(job, &job->samples, &b, &samples);
    // Split the block; a single particle goes by the first LIST grains.
    if (!fits && end - begin > 1) return false;
    block_load(job, begin, end, &b);
    uint32_t list[ROOM];
    for (int k = 0; k < b.count; k += ERGI_WIDE) {
        ergi_wide px = ergi_wide_load(b.x[0] + k), py = ergi_wide_load(b.x[1] + k),
                  pz = ergi_wide_load(b.x[2] + k), p2 = ergi_wide_load(b.square + k);
        int  count = cull(&near, px, py, pz, list);
        sums s = add_up(&near, list, count, px, py, pz, p2);
        if (samples.count > 0) {
            count = cull(&samples, px, py, pz, list);
            sums more = add_up(&samples, list, count, px, py, pz, p2);
            join(&s, &more);
        }
        move(job, &s, &b, k);
    }
    store(job, begin, &b);
    return true;
}

static void step_block(const ergi_fine_job *job, size_t begin, size_t end)
{
    size_t waiting[16] = {end}; // stack of range ends; the top is the end of the current range
    int    count = 1;
    while (count > 0) {
        size_t to = waiting[count - 1], half = (to - begin) / 2;
        if (try_block(job, begin, to)) {
            begin = to;
            count--;
            continue;
        }
        waiting[count++] = begin + (half > ERGI_WIDE ? half / ERGI_WIDE * ERGI_WIDE : half);
    }
}

#endif
