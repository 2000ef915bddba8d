#include "contact/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "contact/grid_cells.h"

// ---- Blocks ------------------------------------------------------------------------------------
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
// The finest level takes reaches up to 1.25 times the shortest: a bed of equal grains that hardly
// move, even if a few fast grains have a long reach. Each further level doubles the bound.
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
            level->low[a] = INT64_MAX;
            level->high[a] = INT64_MIN;
        }
        for (int a = 0; a < 3; a++) {
            double period = in->space.period[a];
            level->cells[a] = period > 0 ? (int64_t)fmax(1, floor(period / side)) : 0;
            level->origin[a] = period > 0 ? in->space.lower[a] : low[a];
            level->inverse[a] = period > 0 ? (double)level->cells[a] / period : 1 / side;
            level->side[a] = 1 / level->inverse[a];
        }
    }
}

double ergi_grid_longest_period(double diameter)
{
    return (double)(ERGI_AXIS_CELLS - 4) * diameter; // spheres of a clump may lie outside the box
}

// ---- Building ----------------------------------------------------------------------------------
enum { PAD = 16 }; // vector loads read beyond the last item

static erg_status reserve(ergi_grid *grid, erg_index count, erg_error *err)
{
    if (!grid->slots) {
        erg_status status = rehash(grid, 1024, err);
        if (status != ERG_OK) return status;
    }
    if ((size_t)count + PAD <= grid->item_room) return ERG_OK;
    size_t    room = (size_t)count + (size_t)count / 8 + PAD;
    uint32_t *item = calloc(room, sizeof *item), *cell_of = malloc(room * sizeof *cell_of);
    float    *place = calloc(4 * room, sizeof *place);
    uint32_t *fresh = calloc(room, sizeof *fresh);
    if (!item || !cell_of || !place || !fresh) {
        free(item);
        free(cell_of);
        free(place);
        free(fresh);
        return ergi_fail_memory(err, room * 28, "the contact grid");
    }
    free(grid->item);
    free(grid->cell_of);
    free(grid->place[0]);
    free(grid->fresh_before);
    grid->item = item;
    grid->cell_of = cell_of;
    grid->fresh_before = fresh;
    for (size_t k = 0; k < 4; k++) grid->place[k] = place + k * room;
    grid->item_room = room;
    return ERG_OK;
}

// Hash key of a cell's block, and the cell's number in it.
static uint64_t block_of_cell(int level, const int64_t cell[3], uint32_t *number)
{
    uint64_t key = ergi_spread((uint64_t)cell[0] >> 2) | ergi_spread((uint64_t)cell[1] >> 2) << 1 |
                   ergi_spread((uint64_t)cell[2] >> 2) << 2;
    *number = (uint32_t)(cell[0] & 3) | (uint32_t)(cell[1] & 3) << 2 | (uint32_t)(cell[2] & 3) << 4;
    return block_name(level, key);
}

static void use_cell(ergi_grid_level *level, const int64_t cell[3])
{
    level->used = true;
    for (int a = 0; a < 3; a++) {
        level->low[a] = cell[a] < level->low[a] ? cell[a] : level->low[a];
        level->high[a] = cell[a] > level->high[a] ? cell[a] : level->high[a];
    }
}

// Finds the cell of each sphere. Neighbours in memory are neighbours in space, so the block of the
// previous sphere is usually the right one.
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
        use_cell(&grid->level[l], c);
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
    double                 reach = reach_of(in, i), part[3] = {0, 0, 0};
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
        size_t    room = (size_t)grid->blocks + grid->blocks / 8 + 1;
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
    sum = 0;
    for (erg_index k = 0; k < in->count && in->fresh; k++) {
        grid->fresh_before[k] = sum;
        sum += in->fresh[grid->item[k]];
    }
    grid->fresh_before[in->count] = sum;
    return ERG_OK;
}

void ergi_grid_free(ergi_grid *grid)
{
    free(grid->block_key);
    free(grid->block_of);
    free(grid->cell_start);
    free(grid->item);
    free(grid->place[0]);
    free(grid->fresh_before);
    free(grid->cell_of);
    memset(grid, 0, sizeof *grid);
}

size_t ergi_grid_bytes(const ergi_grid *grid)
{
    return grid->slots * 12 + (size_t)grid->block_room * 256 + grid->item_room * 28;
}
