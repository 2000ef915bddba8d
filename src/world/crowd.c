#include "world/crowd.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define NONE UINT32_MAX

erg_status ergi_crowd_init(ergi_crowd *crowd, double largest, size_t expected, erg_error *err)
{
    memset(crowd, 0, sizeof *crowd);
    crowd->heads = 64;
    while (crowd->heads < 2 * expected) crowd->heads *= 2;
    crowd->cell = largest > 0 ? 2 * largest : 1;
    crowd->head = ergi_memory_new(crowd->heads, sizeof *crowd->head, "placing grains", err);
    if (!crowd->head) return ERG_NO_MEMORY;
    memset(crowd->head, 0xff, crowd->heads * sizeof *crowd->head);
    return ERG_OK;
}

void ergi_crowd_free(ergi_crowd *crowd)
{
    ergi_memory_free(crowd->ball);
    ergi_memory_free(crowd->next);
    ergi_memory_free(crowd->head);
    memset(crowd, 0, sizeof *crowd);
}

static size_t cell_head(const ergi_crowd *crowd, int64_t x, int64_t y, int64_t z)
{
    uint64_t h = ergi_hash_word(ergi_hash_word((uint64_t)x, (uint64_t)y), (uint64_t)z);
    return (size_t)h & (crowd->heads - 1);
}

static int64_t cell_of(const ergi_crowd *crowd, double x)
{
    return (int64_t)floor(x / crowd->cell);
}

erg_status ergi_crowd_add(ergi_crowd *crowd, erg_vec3 centre, double radius, erg_error *err)
{
    size_t     room = crowd->room, ball_room = 4 * room;
    erg_status status = ergi_memory_grow(&crowd->next, &room, crowd->count + 1, sizeof *crowd->next,
                                         "placing grains", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&crowd->ball, &ball_room, 4 * room, sizeof *crowd->ball,
                                  "placing grains", err);
    if (status != ERG_OK) return status;
    crowd->room = room;
    size_t  k = crowd->count++;
    size_t  cell = cell_head(crowd, cell_of(crowd, centre.x), cell_of(crowd, centre.y),
                             cell_of(crowd, centre.z));
    double *ball = crowd->ball + 4 * k;
    ball[0] = centre.x;
    ball[1] = centre.y;
    ball[2] = centre.z;
    ball[3] = radius;
    crowd->next[k] = crowd->head[cell];
    crowd->head[cell] = (uint32_t)k;
    return ERG_OK;
}

static bool cell_is_free(const ergi_crowd *crowd, size_t cell, erg_vec3 c, double radius)
{
    for (uint32_t k = crowd->head[cell]; k != NONE; k = crowd->next[k]) {
        const double *b = crowd->ball + 4 * (size_t)k;
        double        x = c.x - b[0], y = c.y - b[1], z = c.z - b[2], reach = radius + b[3];
        if (x * x + y * y + z * z < reach * reach) return false;
    }
    return true;
}

bool ergi_crowd_is_free(const ergi_crowd *crowd, erg_vec3 centre, double radius)
{
    double  reach = radius + 0.5 * crowd->cell;
    int64_t x0 = cell_of(crowd, centre.x - reach), x1 = cell_of(crowd, centre.x + reach);
    int64_t y0 = cell_of(crowd, centre.y - reach), y1 = cell_of(crowd, centre.y + reach);
    int64_t z0 = cell_of(crowd, centre.z - reach), z1 = cell_of(crowd, centre.z + reach);
    for (int64_t z = z0; z <= z1; z++)
        for (int64_t y = y0; y <= y1; y++)
            for (int64_t x = x0; x <= x1; x++)
                if (!cell_is_free(crowd, cell_head(crowd, x, y, z), centre, radius)) return false;
    return true;
}
