#include "dem/wall_sums.h"

#include <stdlib.h>

#include "base/memory.h"

static int ascending(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

// Adds a row for each wall near a chunk. Meanwhile `near` holds for every wall the last chunk it
// was near, plus one.
static size_t add_walls(ergi_wall_sums *sums, const uint32_t *wall, size_t entries, uint32_t mark,
                        size_t row)
{
    size_t first = row;
    for (size_t e = 0; e < entries; e++) {
        if (sums->near[wall[e]] == mark) continue;
        sums->near[wall[e]] = mark;
        sums->wall[row++] = wall[e];
    }
    if (row - first > 1) qsort(sums->wall + first, row - first, sizeof *sums->wall, ascending);
    return row;
}

// Replaces the marks by the list of marked walls.
static void gather_near(ergi_wall_sums *sums, size_t walls)
{
    sums->near_count = 0;
    for (size_t w = 0; w < walls; w++)
        if (sums->near[w]) sums->near[sums->near_count++] = (uint32_t)w;
}

erg_status ergi_wall_sums_index(ergi_wall_sums *sums, const ergi_lists *lists, size_t walls,
                                erg_error *err)
{
    static const char what[] = "wall forces";
    size_t            near = lists->near.rows ? lists->near.rows - 1 : 0, rows = 0;
    size_t            chunks = (size_t)ergi_chunk_count(lists->spheres, ERGI_CHUNK);
    const uint32_t   *sphere = lists->near.data[ERGI_NEAR_SPHERE],
                   *start = lists->near.data[ERGI_NEAR_START],
                   *wall = lists->wall_entry.data[ERGI_WALL_ENTRY_WALL];
    sums->near_count = 0;
    sums->changed = true;
    erg_status status = ergi_memory_grow(&sums->first, &sums->first_room, chunks + 1,
                                         sizeof *sums->first, what, err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&sums->near, &sums->near_room, walls, sizeof *sums->near, what, err);
    for (size_t w = 0; w < walls && status == ERG_OK; w++) sums->near[w] = 0;
    for (size_t c = 0, r = 0; c < chunks && status == ERG_OK; c++) {
        size_t from = near ? start[r] : 0;
        while (r < near && sphere[r] < (c + 1) * ERGI_CHUNK) r++;
        size_t entries = near ? start[r] - from : 0;
        size_t most = entries < walls ? entries : walls;
        status = ergi_memory_grow(&sums->wall, &sums->wall_room, rows + most, sizeof *sums->wall,
                                  what, err);
        if (status != ERG_OK) break;
        sums->first[c] = (uint32_t)rows;
        rows = add_walls(sums, wall + from, entries, (uint32_t)c + 1, rows);
    }
    if (status == ERG_OK)
        status = ergi_memory_grow(&sums->sum, &sums->sum_room, ERGI_WALL_SUM * rows,
                                  sizeof *sums->sum, what, err);
    if (status != ERG_OK) return status;
    sums->first[chunks] = (uint32_t)rows;
    gather_near(sums, walls);
    return ERG_OK;
}

void ergi_wall_sums_free(ergi_wall_sums *sums)
{
    ergi_memory_free(sums->first);
    ergi_memory_free(sums->wall);
    ergi_memory_free(sums->sum);
    ergi_memory_free(sums->near);
    *sums = (ergi_wall_sums){0};
}

size_t ergi_wall_sums_bytes(const ergi_wall_sums *sums)
{
    return sums->first_room * sizeof *sums->first + sums->wall_room * sizeof *sums->wall +
           sums->sum_room * sizeof *sums->sum + sums->near_room * sizeof *sums->near;
}
