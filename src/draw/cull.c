#include "draw/cull.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum { MAX_CELLS = 1 << 23, PARTS = 16, TILE = 4 };

// Where a sphere is seen: outline and depths in units of cells and metres.
typedef struct spot {
    float x, y;         // centre [cells]
    float inner, outer; // radii: wholly inside the outline, and around it [cells]
    float depth, r;     // of the centre [m]
    bool  cut;          // it hides nothing for sure
} spot;

struct ergi_cull {
    ergi_threads threads;
    float       *cells; // PARTS layers, the first being their minimum in the end [m]
    float       *tiles; // largest of TILE x TILE cells
    uint8_t     *mark;  // of each sphere
    ergi_ball   *points, *squares;
    size_t       cell_room, tile_room, mark_room, point_room, square_room;
};

enum { AWAY, POINT, SQUARE };

typedef struct job {
    ergi_cull        *cull;
    const ergi_ball  *balls;
    size_t            count;
    const ergi_sight *sight;
    int               width, height; // [cells]
    int               tiles_x, tiles_y;
    float             scale; // cells a pixel
    int               layers;
} job;

ergi_cull *ergi_cull_new(erg_error *err)
{
    ergi_cull *cull = ergi_memory_new(1, sizeof *cull, "culling", err);
    if (cull) cull->threads.count = ergi_threads_default_count();
    return cull;
}

void ergi_cull_free(ergi_cull *cull)
{
    if (!cull) return;
    ergi_memory_free(cull->cells);
    ergi_memory_free(cull->tiles);
    ergi_memory_free(cull->mark);
    ergi_memory_free(cull->points);
    ergi_memory_free(cull->squares);
    ergi_memory_free(cull);
}

// ---- Where a sphere is seen --------------------------------------------------------------------
// False: nowhere in the picture.
static bool find_spot(const job *j, const ergi_ball *ball, spot *s)
{
    const ergi_sight *sight = j->sight;
    const float      *v = sight->view.m, *p = sight->projection.m;
    float             r = ball->r;
    float             x = v[0] * ball->x + v[4] * ball->y + v[8] * ball->z + v[12];
    float             y = v[1] * ball->x + v[5] * ball->y + v[9] * ball->z + v[13];
    float             z = v[2] * ball->x + v[6] * ball->y + v[10] * ball->z + v[14];
    float             depth = -z, half_w = 0.5f * (float)j->width, half_h = 0.5f * (float)j->height;
    float beyond = sight->cut[0] * x + sight->cut[1] * y + sight->cut[2] * z + sight->cut[3];
    if (beyond >= r) return false;
    float inner, outer, sx, sy;
    if (sight->parallel) {
        sx = half_w * (1 + p[0] * x);
        sy = half_h * (1 + p[5] * y);
        inner = fminf(half_w * p[0], half_h * p[5]) * r;
        outer = fmaxf(half_w * p[0], half_h * p[5]) * r;
    } else {
        if (depth + r <= 0) return false;
        if (depth < 3 * r) { // at the eye: anywhere
            *s = (spot){half_w, half_h, 0, 4 * (half_w + half_h), depth, r, true};
            return true;
        }
        // Cells are nearly square, not quite: their numbers are whole.
        float fx = half_w * p[0], fy = half_h * p[5], lean = sqrtf(x * x + y * y + z * z) / depth;
        sx = half_w + half_w * p[0] * x / depth;
        sy = half_h + half_h * p[5] * y / depth;
        inner = fminf(fx, fy) * r / depth;
        outer = fmaxf(fx, fy) * r * lean / (depth - r);
    }
    *s = (spot){sx, sy, inner, outer + 0.5f, depth, r, beyond > -r};
    return sx + outer >= -1 && sx - outer <= (float)j->width + 1 && sy + outer >= -1 &&
           sy - outer <= (float)j->height + 1;
}

// ---- Filling cells -----------------------------------------------------------------------------
// Within 0.9 of the radius the surface is no deeper than 0.436 radii before the centre; some of
// that is kept back for the slant of rays away from the middle.
static const float RIM = 0.9f, FRONT = 0.3f;

static void fill_cells(const job *j, float *layer, const spot *s)
{
    float reach = RIM * s->inner;
    if (reach < 0.71f || s->cut) return; // smaller than half the diagonal of a cell
    float depth = s->depth - FRONT * s->r;
    int   from = (int)ceilf(s->y - reach), to = (int)floorf(s->y + reach);
    if (from < 0) from = 0;
    if (to > j->height) to = j->height;
    for (int row = from; row < to; row++) {
        // The corner of the cell that is farthest from the centre decides.
        float dy = fmaxf(fabsf((float)row - s->y), fabsf((float)row + 1 - s->y));
        float rest = reach * reach - dy * dy;
        if (rest <= 0) continue;
        float half = sqrtf(rest);
        int   first = (int)ceilf(s->x - half), last = (int)floorf(s->x + half);
        if (first < 0) first = 0;
        if (last > j->width) last = j->width;
        float *cell = layer + (size_t)row * (size_t)j->width;
        for (int col = first; col < last; col++) cell[col] = depth < cell[col] ? depth : cell[col];
    }
}

static void share_of(const job *j, int part, size_t *begin, size_t *end)
{
    *begin = j->count * (size_t)part / (size_t)j->layers;
    *end = j->count * (size_t)(part + 1) / (size_t)j->layers;
}

static void fill_part(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const job *j = ctx;
    (void)chunk;
    size_t size = (size_t)j->width * (size_t)j->height;
    for (erg_index part = begin; part < end; part++) {
        float *layer = j->cull->cells + (size_t)part * size;
        for (size_t i = 0; i < size; i++) layer[i] = HUGE_VALF;
        size_t first, last;
        share_of(j, part, &first, &last);
        for (size_t i = first; i < last; i++) {
            spot s;
            if (find_spot(j, &j->balls[i], &s)) fill_cells(j, layer, &s);
        }
    }
}

// Layers into the first, and its largest depths into tiles, a row of tiles at a time.
static void merge_rows(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const job *j = ctx;
    (void)chunk;
    size_t size = (size_t)j->width * (size_t)j->height;
    for (erg_index ty = begin; ty < end; ty++)
        for (int row = ty * TILE; row < (ty + 1) * TILE && row < j->height; row++) {
            float *cell = j->cull->cells + (size_t)row * (size_t)j->width;
            for (int part = 1; part < j->layers; part++) {
                const float *other = cell + (size_t)part * size;
                for (int x = 0; x < j->width; x++)
                    cell[x] = other[x] < cell[x] ? other[x] : cell[x];
            }
            float *tile = j->cull->tiles + (size_t)ty * (size_t)j->tiles_x;
            if (row == ty * TILE)
                for (int x = 0; x < j->tiles_x; x++) tile[x] = -HUGE_VALF;
            for (int x = 0; x < j->width; x++)
                tile[x / TILE] = cell[x] > tile[x / TILE] ? cell[x] : tile[x / TILE];
        }
}

// ---- Asking ------------------------------------------------------------------------------------
static int limit(float value, int most)
{
    return value < 0 ? 0 : value > (float)most ? most : (int)value;
}

static bool is_hidden(const job *j, const spot *s)
{
    float front = s->depth - s->r;
    int   x0 = limit(floorf(s->x - s->outer), j->width - 1);
    int   x1 = limit(floorf(s->x + s->outer), j->width - 1);
    int   y0 = limit(floorf(s->y - s->outer), j->height - 1);
    int   y1 = limit(floorf(s->y + s->outer), j->height - 1);
    for (int ty = y0 / TILE; ty <= y1 / TILE; ty++)
        for (int tx = x0 / TILE; tx <= x1 / TILE; tx++) {
            if (j->cull->tiles[(size_t)ty * (size_t)j->tiles_x + (size_t)tx] < front) continue;
            int left = tx * TILE > x0 ? tx * TILE : x0, low = ty * TILE > y0 ? ty * TILE : y0;
            int right = tx * TILE + TILE - 1 < x1 ? tx * TILE + TILE - 1 : x1;
            int high = ty * TILE + TILE - 1 < y1 ? ty * TILE + TILE - 1 : y1;
            for (int y = low; y <= high; y++)
                for (int x = left; x <= right; x++)
                    if (!(j->cull->cells[(size_t)y * (size_t)j->width + (size_t)x] < front))
                        return false;
        }
    return true;
}

static void mark_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const job *j = ctx;
    (void)chunk;
    float largest = (float)j->sight->largest_point * j->scale;
    for (erg_index i = begin; i < end; i++) {
        spot s;
        int  mark = AWAY;
        if (find_spot(j, &j->balls[i], &s) && !(j->sight->hide && is_hidden(j, &s))) {
            // A point whose centre is outside would be left out as a whole.
            bool inside =
                s.x > 1 && s.y > 1 && s.x < (float)j->width - 1 && s.y < (float)j->height - 1;
            mark = inside && 2 * s.outer < largest ? POINT : SQUARE;
        }
        j->cull->mark[i] = (uint8_t)mark;
    }
}

// ---- The whole ---------------------------------------------------------------------------------
// Cells small enough that most spheres fill some.
static void choose_cells(job *j, double depth)
{
    const ergi_sight *sight = j->sight;
    double            pixels = 0.5 * sight->height * (double)sight->projection.m[5] * sight->mean /
                    (sight->parallel ? 1 : depth);
    double scale = fmin(fmax(3.5 / fmax(pixels, 1e-6), 0.25), 4);
    double most = sqrt((double)MAX_CELLS / ((double)sight->width * sight->height * j->layers));
    j->scale = (float)fmin(scale, most);
    j->width = (int)ceil(sight->width * (double)j->scale);
    j->height = (int)ceil(sight->height * (double)j->scale);
    j->tiles_x = (j->width + TILE - 1) / TILE;
    j->tiles_y = (j->height + TILE - 1) / TILE;
}

static erg_status make_room(job *j, erg_error *err)
{
    ergi_cull *c = j->cull;
    size_t     cells = (size_t)j->width * (size_t)j->height;
    erg_status status = ergi_memory_grow(&c->mark, &c->mark_room, j->count, 1, "culling", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->cells, &c->cell_room, cells * (size_t)j->layers,
                                  sizeof *c->cells, "culling", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->tiles, &c->tile_room, (size_t)j->tiles_x * (size_t)j->tiles_y,
                                  sizeof *c->tiles, "culling", err);
    return status;
}

static erg_status collect(const job *j, ergi_seen *seen, erg_error *err)
{
    ergi_cull *c = j->cull;
    size_t     count[3] = {0};
    for (size_t i = 0; i < j->count; i++) count[c->mark[i]]++;
    erg_status status = ergi_memory_grow(&c->points, &c->point_room, count[POINT],
                                         sizeof *c->points, "culling", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->squares, &c->square_room, count[SQUARE], sizeof *c->squares,
                                  "culling", err);
    if (status != ERG_OK) return status;
    size_t points = 0, squares = 0;
    for (size_t i = 0; i < j->count; i++) {
        if (c->mark[i] == POINT) c->points[points++] = j->balls[i];
        if (c->mark[i] == SQUARE) c->squares[squares++] = j->balls[i];
    }
    *seen = (ergi_seen){c->points, c->squares, points, squares};
    return ERG_OK;
}

// The depth of a sphere in the middle of the list: near enough to choose a cell size by.
static double some_depth(const ergi_ball *balls, size_t count, const ergi_sight *sight)
{
    if (count == 0) return 1;
    const ergi_ball *b = &balls[count / 2];
    float            place[3] = {b->x, b->y, b->z}, seen[3];
    ergi_matrix_point(&sight->view, place, seen);
    return fmax(-(double)seen[2], (double)b->r);
}

erg_status ergi_cull_spheres(ergi_cull *cull, const ergi_ball *balls, size_t count,
                             const ergi_sight *sight, ergi_seen *seen, erg_error *err)
{
    job j = {.cull = cull, .balls = balls, .count = count, .sight = sight};
    j.layers = cull->threads.count < PARTS ? cull->threads.count : PARTS;
    choose_cells(&j, some_depth(balls, count, sight));
    erg_status status = make_room(&j, err);
    if (status != ERG_OK) return status;
    if (sight->hide) {
        ergi_parallel_for(&cull->threads, j.layers, 1, fill_part, &j);
        ergi_parallel_for(&cull->threads, j.tiles_y, 8, merge_rows, &j);
    }
    ergi_parallel_for(&cull->threads, (erg_index)count, 4096, mark_range, &j);
    return collect(&j, seen, err);
}
