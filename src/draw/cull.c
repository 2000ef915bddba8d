#include "draw/cull.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { MAX_CELLS = 1 << 23, PARTS = 16, TILE = 4, SLICES = 128 };

// Screen footprint of a sphere.
typedef struct footprint {
    float x, y;         // centre [cells]
    float inner, outer; // radii: inscribed in the outline, and around it [cells]
    float depth, r;     // of the centre [m]
    float cosine; // of the angle between the view axis and the direction to the sphere; parallel: 1
    bool  cut;    // opened by the cut, so it may hide nothing
} footprint;

struct ergi_cull {
    float     *cells; // PARTS layers; merged into the first, their minimum [m]
    float     *tiles; // maximum over TILE x TILE cells
    uint8_t   *mark;  // per sphere
    uint32_t  *order; // spheres from front to back
    ergi_ball *points, *squares;
    size_t     cell_room, tile_room, mark_room, order_room, point_room, square_room;
};

enum { CULLED, POINT, SQUARE };

typedef struct job {
    ergi_cull            *cull;
    const ergi_ball      *balls;
    size_t                count;
    const ergi_cull_view *sight;
    int                   width, height; // [cells]
    int                   tiles_x, tiles_y;
    float                 scale; // cells per pixel
    int                   layers;
    int                   round;
} job;

ergi_cull *ergi_cull_new(erg_error *err)
{
    return ergi_memory_new(1, sizeof(ergi_cull), "culling", err);
}

void ergi_cull_free(ergi_cull *cull)
{
    if (!cull) return;
    ergi_memory_free(cull->cells);
    ergi_memory_free(cull->tiles);
    ergi_memory_free(cull->mark);
    ergi_memory_free(cull->order);
    ergi_memory_free(cull->points);
    ergi_memory_free(cull->squares);
    ergi_memory_free(cull);
}

// ---- Projection --------------------------------------------------------------------------------
// False: outside the picture.
static bool project_sphere(const job *j, const ergi_ball *ball, footprint *s)
{
    const ergi_cull_view *sight = j->sight;
    const float          *v = sight->view.m, *p = sight->projection.m;
    float                 r = ball->r;
    float                 x = v[0] * ball->x + v[4] * ball->y + v[8] * ball->z + v[12];
    float                 y = v[1] * ball->x + v[5] * ball->y + v[9] * ball->z + v[13];
    float                 z = v[2] * ball->x + v[6] * ball->y + v[10] * ball->z + v[14];
    float depth = -z, half_w = 0.5f * (float)j->width, half_h = 0.5f * (float)j->height;
    float beyond = sight->cut[0] * x + sight->cut[1] * y + sight->cut[2] * z + sight->cut[3];
    if (beyond >= r) return false;
    float inner, outer, sx, sy, cosine = 1;
    if (sight->parallel) {
        sx = half_w * (1 + p[0] * x);
        sy = half_h * (1 + p[5] * y);
        inner = fminf(half_w * p[0], half_h * p[5]) * r;
        outer = fmaxf(half_w * p[0], half_h * p[5]) * r;
    } else {
        if (depth + r <= 0) return false;
        if (depth < 3 * r) { // around the camera: may appear anywhere
            *s = (footprint){half_w, half_h, 0, 4 * (half_w + half_h), depth, r, 1, true};
            return true;
        }
        // Cells are only nearly square, since their numbers are rounded up.
        float fx = half_w * p[0], fy = half_h * p[5], lean = sqrtf(x * x + y * y + z * z) / depth;
        sx = half_w + half_w * p[0] * x / depth;
        sy = half_h + half_h * p[5] * y / depth;
        inner = fminf(fx, fy) * r / depth;
        outer = fmaxf(fx, fy) * r * lean / (depth - r);
        cosine = 1 / lean;
    }
    *s = (footprint){sx, sy, inner, outer + 0.02f, depth, r, cosine, beyond > -r};
    return sx + outer >= -1 && sx - outer <= (float)j->width + 1 && sy + outer >= -1 &&
           sy - outer <= (float)j->height + 1;
}

// ---- Filling the depth cells -------------------------------------------------------------------
// The outer rim is left out: there the surface curves back to the depth of the centre.
static const float RIM = 0.93f;

// Lower bound of the surface's depth in front of the centre, within the rim, in radii. A ray at
// angle t from the axis passes the centre at a distance of at most b = RIM cos t and meets the
// sphere sqrt(1 - b^2) before its point nearest to the centre, which may be b sin t deeper than the
// centre. Rays to one sphere differ in t by r / depth.
static float front_depth(const job *j, const footprint *s)
{
    float c = fminf(s->cosine, 1), b = RIM * c;
    float front = sqrtf(1 - b * b) * c - b * sqrtf(1 - c * c);
    return j->sight->parallel ? front : front - 1.2f * s->r / s->depth;
}

// Floor and ceiling without a library call, for small arguments.
static int floor_int(float x)
{
    int i = (int)x;
    return i - ((float)i > x);
}

static int ceil_int(float x)
{
    int i = (int)x;
    return i + ((float)i < x);
}

static void fill_cells(const job *j, float *layer, const footprint *s)
{
    float reach = RIM * s->inner;
    if (reach < 0.71f || s->cut) return; // smaller than half the diagonal of a cell
    float depth = s->depth - front_depth(j, s) * s->r;
    int   from = ceil_int(s->y - reach), to = floor_int(s->y + reach);
    int   column = (int)s->x, line = (int)s->y;
    // A sphere behind a filled cell fills little more: skipped in the first round.
    if (j->round == 0 && s->x >= 0 && s->y >= 0 && column < j->width && line < j->height &&
        layer[(size_t)line * (size_t)j->width + (size_t)column] < depth)
        return;
    if (from < 0) from = 0;
    if (to > j->height) to = j->height;
    for (int row = from; row < to; row++) {
        // The cell corner farthest from the centre decides.
        float dy = fmaxf(fabsf((float)row - s->y), fabsf((float)row + 1 - s->y));
        float rest = reach * reach - dy * dy;
        if (rest <= 0) continue;
        float half = sqrtf(rest);
        int   first = ceil_int(s->x - half), last = floor_int(s->x + half);
        if (first < 0) first = 0;
        if (last > j->width) last = j->width;
        float *cell = layer + (size_t)row * (size_t)j->width;
        for (int col = first; col < last; col++) cell[col] = depth < cell[col] ? depth : cell[col];
    }
}

// From front to back: the first spheres cover most of the picture, so few of the rest fill
// anything.
static void fill_part(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const job *j = ctx;
    (void)chunk;
    size_t size = (size_t)j->width * (size_t)j->height;
    for (erg_index part = begin; part < end; part++) {
        float *layer = j->cull->cells + (size_t)part * size;
        for (size_t i = 0; i < size && j->round == 0; i++) layer[i] = HUGE_VALF;
        for (size_t k = (size_t)part; k < j->count; k += (size_t)j->layers) {
            uint32_t  i = j->cull->order[k];
            footprint s;
            if (j->round > 0 && j->cull->mark[i] == CULLED) continue;
            if (project_sphere(j, &j->balls[i], &s)) fill_cells(j, layer, &s);
        }
    }
}

static float depth_of(const ergi_cull_view *sight, const ergi_ball *b)
{
    const float *v = sight->view.m;
    return -(v[2] * b->x + v[6] * b->y + v[10] * b->z + v[14]);
}

// Stable bucket sort into slices of depth.
static void sort_by_depth(const job *j)
{
    uint8_t  *slice = j->cull->mark; // not otherwise in use yet
    uint32_t *order = j->cull->order;
    size_t    start[SLICES + 1] = {0}, stride = j->count / 1024 + 1;
    float     near = HUGE_VALF, far = -HUGE_VALF;
    for (size_t i = 0; i < j->count; i += stride) {
        float depth = depth_of(j->sight, &j->balls[i]);
        near = depth < near ? depth : near;
        far = depth > far ? depth : far;
    }
    float scale = far > near ? (SLICES - 1) / (far - near) : 0;
    for (size_t i = 0; i < j->count; i++) {
        float at = (depth_of(j->sight, &j->balls[i]) - near) * scale;
        slice[i] = (uint8_t)(at < 0 ? 0 : at > SLICES - 1 ? SLICES - 1 : at);
        start[slice[i] + 1]++;
    }
    for (int k = 0; k < SLICES; k++) start[k + 1] += start[k];
    for (size_t i = 0; i < j->count; i++) order[start[slice[i]]++] = (uint32_t)i;
}

// Merges the layers into the first, and its largest depths into tiles, one row of tiles at a time.
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

// ---- Visibility --------------------------------------------------------------------------------
static int clamp_cell(float value, int most)
{
    return value < 0 ? 0 : value > (float)most ? most : (int)value;
}

// Cells of one row that the outline touches; false: none.
static bool row_span(const job *j, const footprint *s, int y, int *first, int *last)
{
    float dy = s->y < (float)y ? (float)y - s->y : s->y > (float)y + 1 ? s->y - (float)y - 1 : 0;
    float rest = s->outer * s->outer - dy * dy;
    if (rest <= 0) return false;
    float half = sqrtf(rest);
    *first = clamp_cell(s->x - half, j->width - 1);
    *last = clamp_cell(s->x + half, j->width - 1);
    return true;
}

static bool is_hidden(const job *j, const footprint *s)
{
    float front = s->depth - s->r;
    int   x0 = clamp_cell(s->x - s->outer, j->width - 1),
        x1 = clamp_cell(s->x + s->outer, j->width - 1);
    int y0 = clamp_cell(s->y - s->outer, j->height - 1),
        y1 = clamp_cell(s->y + s->outer, j->height - 1);
    bool all = true; // all tiles are filled
    for (int ty = y0 / TILE; ty <= y1 / TILE && all; ty++)
        for (int tx = x0 / TILE; tx <= x1 / TILE && all; tx++)
            all = j->cull->tiles[(size_t)ty * (size_t)j->tiles_x + (size_t)tx] < front;
    for (int y = y0; y <= y1 && !all; y++) {
        const float *cell = j->cull->cells + (size_t)y * (size_t)j->width;
        int          first, last;
        if (!row_span(j, s, y, &first, &last)) continue;
        for (int x = first; x <= last; x++)
            if (!(cell[x] < front)) return false;
    }
    return true;
}

static void mark_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const job *j = ctx;
    (void)chunk;
    float largest = (float)j->sight->largest_point * j->scale;
    for (erg_index i = begin; i < end; i++) {
        footprint s;
        int       mark = CULLED;
        if (j->round > 0 && j->cull->mark[i] == CULLED) continue;
        if (project_sphere(j, &j->balls[i], &s) && !(j->sight->hide && is_hidden(j, &s))) {
            // OpenGL clips a point as a whole when its centre is outside.
            bool inside =
                s.x > 1 && s.y > 1 && s.x < (float)j->width - 1 && s.y < (float)j->height - 1;
            mark = inside && 2 * s.outer < largest ? POINT : SQUARE;
        }
        j->cull->mark[i] = (uint8_t)mark;
    }
}

// ---- Culling -----------------------------------------------------------------------------------
// Chooses cells small enough that most spheres fill some.
static void choose_cells(job *j, double depth)
{
    const ergi_cull_view *sight = j->sight;
    double pixels = 0.5 * sight->height * (double)sight->projection.m[5] * sight->mean /
                    (sight->parallel ? 1 : depth);
    double scale = fmin(fmax(3.5 / fmax(pixels, 1e-6), 0.25), 4);
    double most = sqrt((double)MAX_CELLS / ((double)sight->width * sight->height * j->layers));
    j->scale = (float)fmin(scale, most);
    j->width = (int)ceil(sight->width * (double)j->scale);
    j->height = (int)ceil(sight->height * (double)j->scale);
    j->tiles_x = (j->width + TILE - 1) / TILE;
    j->tiles_y = (j->height + TILE - 1) / TILE;
}

static erg_status reserve(job *j, erg_error *err)
{
    ergi_cull *c = j->cull;
    size_t     cells = (size_t)j->width * (size_t)j->height;
    erg_status status = ergi_memory_grow(&c->mark, &c->mark_room, j->count, 1, "culling", err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&c->order, &c->order_room, j->count, sizeof *c->order, "culling", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->cells, &c->cell_room, cells * (size_t)j->layers,
                                  sizeof *c->cells, "culling", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->tiles, &c->tile_room, (size_t)j->tiles_x * (size_t)j->tiles_y,
                                  sizeof *c->tiles, "culling", err);
    return status;
}

static erg_status collect(const job *j, ergi_visible *seen, erg_error *err)
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
    *seen = (ergi_visible){c->points, c->squares, points, squares};
    return ERG_OK;
}

// Depth of the middle sphere of the list, as an estimate for choosing the cell size.
static double estimate_depth(const ergi_ball *balls, size_t count, const ergi_cull_view *sight)
{
    if (count == 0) return 1;
    const ergi_ball *b = &balls[count / 2];
    float            place[3] = {b->x, b->y, b->z}, seen[3];
    ergi_matrix_point(&sight->view, place, seen);
    return fmax(-(double)seen[2], (double)b->r);
}

erg_status ergi_cull_spheres(ergi_cull *cull, const ergi_ball *balls, size_t count,
                             const ergi_cull_view *sight, ergi_visible *seen, erg_error *err)
{
    const ergi_threads *threads = &sight->threads;
    job                 j = {.cull = cull, .balls = balls, .count = count, .sight = sight};
    j.layers = threads->count < PARTS ? threads->count : PARTS;
    choose_cells(&j, estimate_depth(balls, count, sight));
    erg_status status = reserve(&j, err);
    if (status != ERG_OK) return status;
    if (sight->hide) sort_by_depth(&j);
    // The first round is quick, but misses spheres hidden by several others together; the second is
    // thorough and tests only the remaining few.
    for (; j.round < (sight->hide ? 2 : 1); j.round++) {
        if (sight->hide) {
            ergi_parallel_for(threads, j.layers, 1, fill_part, &j);
            ergi_parallel_for(threads, j.tiles_y, 8, merge_rows, &j);
        }
        ergi_parallel_for(threads, (erg_index)count, 4096, mark_range, &j);
    }
    return collect(&j, seen, err);
}
