#include "terrain/frozen_cells.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/query_surface.h"

// Side of a cell, in units of the largest diameter. A sphere of that size then has about 6 cells
// within reach.
#define CELL 1.5
#define MOST_CELLS 0x1fffffff // along an axis, from the origin

enum { DIGIT = 11, DIGITS = 1 << DIGIT };
enum { TILE = 3 }; // cells are sorted by tiles of 8 x 8

// ---- Checks and bounds -------------------------------------------------------------------------
static erg_status survey(ergi_height_field *field, const double *sphere, size_t count,
                         erg_error *err)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, sphere[4 * i + 3]);
    double far = MOST_CELLS * CELL * 2 * largest;
    for (int k = 0; k < 3; k++) {
        field->sphere_low[k] = HUGE_VAL;
        field->sphere_high[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < count; i++) {
        const double *s = sphere + 4 * i;
        if (!(s[3] > 0 && fabs(s[0]) < far && fabs(s[1]) < far && isfinite(s[2])))
            return ergi_fail(err, ERG_BAD_INPUT,
                             "frozen grain %zu is at (%g, %g, %g) m with a radius of %g m", i, s[0],
                             s[1], s[2], s[3]);
        for (int k = 0; k < 3; k++) {
            field->sphere_low[k] = fmin(field->sphere_low[k], s[k] - s[3]);
            field->sphere_high[k] = fmax(field->sphere_high[k], s[k] + s[3]);
        }
    }
    field->largest = largest;
    field->cell = CELL * 2 * largest;
    return ERG_OK;
}

// ---- Sorting -----------------------------------------------------------------------------------
// Spheres of a cell have the same key, others have another.
static int make_keys(ergi_frozen_key *key, const ergi_height_field *field, const double *sphere,
                     size_t count)
{
    const int32_t x0 = ergi_height_field_cell(field->sphere_low[0], field->cell),
                  y0 = ergi_height_field_cell(field->sphere_low[1], field->cell),
                  x1 = ergi_height_field_cell(field->sphere_high[0], field->cell),
                  y1 = ergi_height_field_cell(field->sphere_high[1], field->cell);
    const uint64_t tiles_x = (((uint64_t)(x1 - x0)) >> TILE) + 1,
                   tiles_y = (((uint64_t)(y1 - y0)) >> TILE) + 1, in = (1 << TILE) - 1;
    int bits = 2 * TILE;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = (uint64_t)(ergi_height_field_cell(sphere[4 * i], field->cell) - x0);
        uint64_t y = (uint64_t)(ergi_height_field_cell(sphere[4 * i + 1], field->cell) - y0);
        uint64_t tile = (y >> TILE) * tiles_x + (x >> TILE);
        key[i] = (ergi_frozen_key){tile << (2 * TILE) | (y & in) << TILE | (x & in), (uint32_t)i};
    }
    while (bits < 64 && tiles_x * tiles_y >> (bits - 2 * TILE)) bits++;
    return bits;
}

// Radix sort, least significant digit first; returns the sorted array, which is one of the two.
static ergi_frozen_key *sort_keys(ergi_frozen_key *key, ergi_frozen_key *spare, size_t count,
                                  int bits)
{
    for (int shift = 0; shift < bits; shift += DIGIT) {
        size_t at[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++) at[key[i].key >> shift & (DIGITS - 1)]++;
        for (size_t d = 0; d < DIGITS; d++) {
            size_t here = at[d];
            at[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) spare[at[key[i].key >> shift & (DIGITS - 1)]++] = key[i];
        ergi_frozen_key *kept = key;
        key = spare;
        spare = kept;
    }
    return key;
}

// By id inside of each cell; returns the number of cells.
static size_t sort_cells(ergi_frozen_key *key, const uint64_t *id, size_t count)
{
    size_t cells = 0;
    for (size_t i = 0, begin = 0; i < count; i++) {
        ergi_frozen_key one = key[i];
        if (i == 0 || one.key != key[i - 1].key) {
            begin = i;
            cells++;
        }
        size_t to = i;
        for (; to > begin && id[key[to - 1].row] > id[one.row]; to--) key[to] = key[to - 1];
        key[to] = one;
    }
    return cells;
}

// ---- The table ---------------------------------------------------------------------------------
static void add_cell(const ergi_height_field *field, ergi_height_cell *cells, ergi_height_cell cell)
{
    uint32_t last = ((uint32_t)1 << field->bits) - 1,
             k = ergi_height_field_slot(cell.ix, cell.iy, field->bits);
    while (cells[k].begin != cells[k].end) k = (k + 1) & last;
    cells[k] = cell;
}

static void copy_sorted(ergi_frozen_cells *cells, const ergi_height_field *field,
                        const ergi_frozen_key *key, const double *sphere, const uint64_t *id,
                        size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t           begin = i;
        const double    *first = sphere + 4 * (size_t)key[i].row;
        ergi_height_cell cell = {.ix = ergi_height_field_cell(first[0], field->cell),
                                 .iy = ergi_height_field_cell(first[1], field->cell),
                                 .begin = (uint32_t)begin};
        for (; i < count && key[i].key == key[begin].key; i++) {
            size_t row = key[i].row;
            memcpy(cells->sphere + 4 * i, sphere + 4 * row, 4 * sizeof *sphere);
            // Never UINT32_MAX, which stands for no feature
            cells->row[i] = key[i].row;
            cells->feature[i] = ERGI_BUMP_FEATURE | (uint32_t)(id[row] % 0x7fffffffu);
        }
        cell.end = (uint32_t)i;
        add_cell(field, cells->cell, cell);
    }
}

static erg_status make_table(ergi_frozen_cells *cells, ergi_height_field *field, size_t used,
                             erg_error *err)
{
    field->bits = 1;
    while ((size_t)1 << field->bits < 2 * used) field->bits++;
    erg_status status = ergi_memory_grow(&cells->cell, &cells->cell_room, (size_t)1 << field->bits,
                                         sizeof *cells->cell, "frozen grains", err);
    if (status == ERG_OK) memset(cells->cell, 0, ((size_t)1 << field->bits) * sizeof *cells->cell);
    return status;
}

static erg_status reserve(ergi_frozen_cells *cells, size_t count, erg_error *err)
{
    static const char what[] = "frozen grains";
    erg_status        status = ergi_memory_grow(&cells->sphere, &cells->sphere_room, 4 * count,
                                                sizeof *cells->sphere, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&cells->light, &cells->light_room, 4 * count,
                                  sizeof *cells->light, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&cells->feature, &cells->feature_room, count,
                                  sizeof *cells->feature, what, err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&cells->row, &cells->row_room, count, sizeof *cells->row, what, err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&cells->key, &cells->key_room, count, sizeof *cells->key, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&cells->spare, &cells->spare_room, count, sizeof *cells->spare,
                                  what, err);
    return status;
}

// Rounding changes distances by less than half of light_error, and by 5e-7 of themselves.
static void copy_light(ergi_frozen_cells *cells, ergi_height_field *field, size_t count)
{
    double extent = 0;
    for (int k = 0; k < 3; k++) extent = fmax(extent, field->sphere_high[k] - field->sphere_low[k]);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 4; k++) {
            double from = k < 3 ? field->sphere_low[k] : 0;
            cells->light[k * count + i] = (float)(cells->sphere[4 * i + k] - from);
        }
    for (size_t k = 0; k < 4; k++) field->light[k] = cells->light + k * count;
    field->light_error = 1e-6 * extent;
}

erg_status ergi_frozen_cells_build(ergi_frozen_cells *cells, ergi_height_field *field,
                                   const double *sphere, const uint64_t *id, size_t count,
                                   erg_error *err)
{
    field->spheres = 0;
    field->stamp++;
    if (count == 0) return ERG_OK;
    if (count > INT32_MAX / 2)
        return ergi_fail(err, ERG_BAD_INPUT, "%zu frozen grains are more than one process holds",
                         count);
    erg_status status = survey(field, sphere, count, err);
    if (status == ERG_OK) status = reserve(cells, count, err);
    if (status != ERG_OK) return status;
    int              bits = make_keys(cells->key, field, sphere, count);
    ergi_frozen_key *key = sort_keys(cells->key, cells->spare, count, bits);
    status = make_table(cells, field, sort_cells(key, id, count), err);
    if (status != ERG_OK) return status;
    copy_sorted(cells, field, key, sphere, id, count);
    copy_light(cells, field, count);
    field->sphere = cells->sphere;
    field->feature = cells->feature;
    field->row = cells->row;
    field->cells = cells->cell;
    field->spheres = count;
    return ERG_OK;
}

void ergi_frozen_cells_free(ergi_frozen_cells *cells)
{
    ergi_memory_free(cells->sphere);
    ergi_memory_free(cells->light);
    ergi_memory_free(cells->feature);
    ergi_memory_free(cells->row);
    ergi_memory_free(cells->cell);
    ergi_memory_free(cells->key);
    ergi_memory_free(cells->spare);
    *cells = (ergi_frozen_cells){0};
}

size_t ergi_frozen_cells_bytes(const ergi_frozen_cells *cells)
{
    return cells->sphere_room * sizeof *cells->sphere + cells->light_room * sizeof *cells->light +
           (cells->feature_room + cells->row_room) * sizeof *cells->row +
           cells->cell_room * sizeof *cells->cell +
           (cells->key_room + cells->spare_room) * sizeof *cells->key;
}
