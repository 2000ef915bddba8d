#include "draw/cells.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geom/vec3.h"

enum { SIDE = 8, ACROSS = ERGI_CELLS_ACROSS, INSIDE = -2 };

typedef struct work {
    const erg_sdf_view *f;
    erg_vec3            middle;
    ergi_cells         *out;
    erg_error          *err;
} work;

static void block_coords(const erg_sdf_view *f, size_t b, int at[3])
{
    at[0] = (int)(b % (size_t)f->blocks[0]);
    at[1] = (int)(b / (size_t)f->blocks[0] % (size_t)f->blocks[1]);
    at[2] = (int)(b / (size_t)f->blocks[0] / (size_t)f->blocks[1]);
}

// ---- Distances and normals ---------------------------------------------------------------------
// At a lattice point of the whole field; NAN where no distance is stored.
static double lattice(const erg_sdf_view *f, const int p[3])
{
    int block[3], within[3];
    for (int k = 0; k < 3; k++) {
        if (p[k] < 0 || p[k] > f->blocks[k] * SIDE) return (double)NAN;
        block[k] = p[k] / SIDE;
        if (block[k] == f->blocks[k]) block[k]--;
        within[k] = p[k] - block[k] * SIDE;
    }
    int32_t n = f->block[(block[2] * f->blocks[1] + block[1]) * f->blocks[0] + block[0]];
    if (n < 0) return (double)NAN;
    return (double)f->distance[(size_t)n * ERGI_CELLS_POINTS +
                               (size_t)((within[2] * ACROSS + within[1]) * ACROSS + within[0])];
}

// Central differences wherever both neighbours are stored, so that no seam shows between blocks.
static erg_vec3 normal_at(const erg_sdf_view *f, const int p[3])
{
    double slope[3], here = lattice(f, p);
    for (int k = 0; k < 3; k++) {
        int low[3] = {p[0], p[1], p[2]}, high[3] = {p[0], p[1], p[2]};
        low[k]--;
        high[k]++;
        double a = lattice(f, low), b = lattice(f, high);
        slope[k] = isnan(a) ? (isnan(b) ? 0 : b - here) : isnan(b) ? here - a : 0.5 * (b - a);
    }
    return ergi_normalize(ergi_vec3(slope[0], slope[1], slope[2]));
}

static int8_t to_byte(double x)
{
    return (int8_t)lround(127 * x);
}

static void write_normals(const work *w, size_t b, size_t slot)
{
    int     at[3];
    int8_t *to = w->out->normals + 4 * slot * ERGI_CELLS_POINTS;
    block_coords(w->f, b, at);
    for (int i = 0; i < ERGI_CELLS_POINTS; i++, to += 4) {
        const int p[3] = {at[0] * SIDE + i % ACROSS, at[1] * SIDE + i / ACROSS % ACROSS,
                          at[2] * SIDE + i / ACROSS / ACROSS};
        erg_vec3  n = normal_at(w->f, p);
        to[0] = to_byte(n.x);
        to[1] = to_byte(n.y);
        to[2] = to_byte(n.z);
    }
}

// ---- Cells -------------------------------------------------------------------------------------
static erg_status add_cell(work *w, const ergi_cell_vertex *cell)
{
    ergi_cells *out = w->out;
    erg_status  status = ergi_memory_grow(&out->cell, &out->room, out->count + 1, sizeof *out->cell,
                                          "a distance field", w->err);
    if (status == ERG_OK) out->cell[out->count++] = *cell;
    return status;
}

// A block wholly inside, for which no distances are stored: one large cell.
static erg_status add_deep_block(work *w, size_t b)
{
    int              at[3];
    double           wide = SIDE * w->f->spacing;
    ergi_cell_vertex cell = {.size = (float)wide};
    block_coords(w->f, b, at);
    cell.low[0] = (float)(w->f->origin.x - w->middle.x + at[0] * wide);
    cell.low[1] = (float)(w->f->origin.y - w->middle.y + at[1] * wide);
    cell.low[2] = (float)(w->f->origin.z - w->middle.z + at[2] * wide);
    for (int c = 0; c < 8; c++) cell.distance[c & 1][c >> 1] = -1e3f;
    return add_cell(w, &cell);
}

// Reads the eight distances of a cell, relative to the level. Returns 1: all outside, -1: all
// inside, 0: crossed by the surface.
static int read_cell(const work *w, size_t b, int i, int j, int k, float distance[2][4])
{
    const float *d =
        w->f->distance + (size_t)w->f->block[b] * ERGI_CELLS_POINTS + (k * ACROSS + j) * ACROSS + i;
    int below = 0;
    for (int c = 0; c < 8; c++) {
        int    x = c & 1, y = c >> 1 & 1, z = c >> 2;
        double value = ((double)d[(z * ACROSS + y) * ACROSS + x] - w->f->level) / w->f->spacing;
        distance[x][2 * z + y] = (float)value;
        below += (float)value < 0;
    }
    return below == 0 ? 1 : below == 8 ? -1 : 0;
}

// Adds the cells of one kind of a block; `slot` is that of its normals.
static erg_status add_cells(work *w, size_t b, int kind, size_t slot, bool *any)
{
    const double h = w->f->spacing;
    int          at[3], first[3];
    erg_status   status = ERG_OK;
    block_coords(w->f, b, at);
    ergi_cells_slot(w->out, slot, first);
    for (int n = 0; n < SIDE * SIDE * SIDE && status == ERG_OK; n++) {
        const int        q[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        ergi_cell_vertex cell = {.size = (float)h};
        if (read_cell(w, b, q[0], q[1], q[2], cell.distance) != kind) continue;
        *any = true;
        const double origin[3] = {w->f->origin.x - w->middle.x, w->f->origin.y - w->middle.y,
                                  w->f->origin.z - w->middle.z};
        for (int k = 0; k < 3; k++) {
            cell.low[k] = (float)(origin[k] + (at[k] * SIDE + q[k]) * h);
            cell.at[k] = (float)(first[k] + q[k]);
        }
        status = add_cell(w, &cell);
    }
    return status;
}

static bool is_crossed(const work *w, size_t b)
{
    float distance[2][4];
    if (w->f->block[b] < 0) return false;
    for (int n = 0; n < SIDE * SIDE * SIDE; n++)
        if (read_cell(w, b, n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE, distance) == 0) return true;
    return false;
}

// ---- Field -------------------------------------------------------------------------------------
static erg_status fill(work *w, size_t blocks)
{
    ergi_cells *out = w->out;
    erg_status  status = ERG_OK;
    bool        any = false;
    for (size_t b = 0; b < blocks; b++) out->slots += is_crossed(w, b);
    int root = 1;
    while ((size_t)root * (size_t)root * (size_t)root < out->slots) root++;
    out->across[0] = out->across[1] = root;
    out->across[2] = (int)((out->slots + (size_t)(root * root) - 1) / (size_t)(root * root));
    out->normals =
        ergi_memory_new(4 * out->slots * ERGI_CELLS_POINTS, 1, "a distance field", w->err);
    if (!out->normals) return ERG_NO_MEMORY;
    for (size_t b = 0, slot = 0; b < blocks && status == ERG_OK; b++) {
        if (w->f->block[b] < 0) continue;
        any = false;
        status = add_cells(w, b, 0, slot, &any);
        if (any) write_normals(w, b, slot++);
    }
    out->crossing = out->count;
    for (size_t b = 0; b < blocks && status == ERG_OK; b++)
        if (w->f->block[b] >= 0)
            status = add_cells(w, b, -1, 0, &any);
        else if (w->f->block[b] == INSIDE)
            status = add_deep_block(w, b);
    return status;
}

erg_status ergi_cells_make(const erg_sdf_view *f, erg_vec3 middle, ergi_cells *cells,
                           erg_error *err)
{
    work w = {f, middle, cells, err};
    *cells = (ergi_cells){0};
    erg_status status =
        fill(&w, (size_t)f->blocks[0] * (size_t)f->blocks[1] * (size_t)f->blocks[2]);
    if (status != ERG_OK) {
        ergi_cells_free(cells);
        return status;
    }
    cells->hash = ergi_hash_bytes(cells->cell, cells->count * sizeof *cells->cell, cells->crossing);
    return ERG_OK;
}

void ergi_cells_free(ergi_cells *cells)
{
    ergi_memory_free(cells->cell);
    ergi_memory_free(cells->normals);
    *cells = (ergi_cells){0};
}
