#include "world/placement_grid.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define NONE UINT32_MAX

erg_status ergi_placement_grid_init(ergi_placement_grid *grid, double largest, size_t expected,
                                    erg_error *err)
{
    memset(grid, 0, sizeof *grid);
    grid->heads = 64;
    while (grid->heads < 2 * expected) grid->heads *= 2;
    grid->cell = largest > 0 ? 2 * largest : 1;
    grid->head = ergi_memory_new(grid->heads, sizeof *grid->head, "placing grains", err);
    if (!grid->head) return ERG_NO_MEMORY;
    memset(grid->head, 0xff, grid->heads * sizeof *grid->head);
    return ERG_OK;
}

void ergi_placement_grid_free(ergi_placement_grid *grid)
{
    ergi_memory_free(grid->ball);
    ergi_memory_free(grid->next);
    ergi_memory_free(grid->head);
    memset(grid, 0, sizeof *grid);
}

static size_t cell_head(const ergi_placement_grid *grid, int64_t x, int64_t y, int64_t z)
{
    uint64_t h = ergi_hash_word(ergi_hash_word((uint64_t)x, (uint64_t)y), (uint64_t)z);
    return (size_t)h & (grid->heads - 1);
}

static int64_t cell_of(const ergi_placement_grid *grid, double x)
{
    return (int64_t)floor(x / grid->cell);
}

erg_status ergi_placement_grid_add(ergi_placement_grid *grid, erg_vec3 centre, double radius,
                                   erg_error *err)
{
    size_t     room = grid->room, ball_room = 4 * room;
    erg_status status = ergi_memory_grow(&grid->next, &room, grid->count + 1, sizeof *grid->next,
                                         "placing grains", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&grid->ball, &ball_room, 4 * room, sizeof *grid->ball,
                                  "placing grains", err);
    if (status != ERG_OK) return status;
    grid->room = room;
    size_t k = grid->count++;
    size_t cell =
        cell_head(grid, cell_of(grid, centre.x), cell_of(grid, centre.y), cell_of(grid, centre.z));
    double *ball = grid->ball + 4 * k;
    ball[0] = centre.x;
    ball[1] = centre.y;
    ball[2] = centre.z;
    ball[3] = radius;
    grid->next[k] = grid->head[cell];
    grid->head[cell] = (uint32_t)k;
    return ERG_OK;
}

static bool cell_is_free(const ergi_placement_grid *grid, size_t cell, erg_vec3 c, double radius)
{
    for (uint32_t k = grid->head[cell]; k != NONE; k = grid->next[k]) {
        const double *b = grid->ball + 4 * (size_t)k;
        double        x = c.x - b[0], y = c.y - b[1], z = c.z - b[2], reach = radius + b[3];
        if (x * x + y * y + z * z < reach * reach) return false;
    }
    return true;
}

bool ergi_placement_grid_is_free(const ergi_placement_grid *grid, erg_vec3 centre, double radius)
{
    double  reach = radius + 0.5 * grid->cell;
    int64_t x0 = cell_of(grid, centre.x - reach), x1 = cell_of(grid, centre.x + reach);
    int64_t y0 = cell_of(grid, centre.y - reach), y1 = cell_of(grid, centre.y + reach);
    int64_t z0 = cell_of(grid, centre.z - reach), z1 = cell_of(grid, centre.z + reach);
    for (int64_t z = z0; z <= z1; z++)
        for (int64_t y = y0; y <= y1; y++)
            for (int64_t x = x0; x <= x1; x++)
                if (!cell_is_free(grid, cell_head(grid, x, y, z), centre, radius)) return false;
    return true;
}
