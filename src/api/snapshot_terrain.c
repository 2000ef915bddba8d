#include "api/snapshot_terrain.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "erg/terrain.h"
#include "io/heights_surface.h"
#include "terrain/terrain.h"
#include "world/grains.h"

// ---- Columns -----------------------------------------------------------------------------------
static erg_status write_heights(const char *path, const erg_heights *h,
                                const ergi_heights_place *place, erg_error *err)
{
    const char *dot = strrchr(path, '.');
    double      low, high;
    if (dot && strcmp(dot, ".png") == 0) return ergi_heights_write_png(path, h, &low, &high, err);
    if (dot && strcmp(dot, ".vti") == 0) return ergi_heights_write_vti(path, h, place, err);
    if (dot && strcmp(dot, ".ply") == 0) return ergi_heights_write_ply(path, h, place, err);
    return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                          "a terrain is written as .png, .vti or .ply, got the name '%s'", path);
}

erg_status ergi_snapshot_terrain(const erg_world *world, const char *path, erg_error *err)
{
    erg_terrain_grid grid;
    erg_status       status = erg_world_terrain_grid(world, &grid, err);
    if (status != ERG_OK) return status;
    size_t             nx = grid.count[0], ny = grid.count[1];
    erg_heights        h = {.columns = {nx, ny}};
    ergi_heights_place place = {.spacing = grid.spacing, .time = erg_world_time(world)};
    for (int k = 0; k < 2; k++) place.first[k] = grid.lower[k] + 0.5 * grid.spacing;
    h.z = ergi_memory_new(nx * ny, sizeof *h.z, "a snapshot", err);
    status = h.z ? erg_world_terrain_read(world, 0, 0, nx, ny, 1, h.z, err) : ERG_NO_MEMORY;
    if (status == ERG_OK) status = write_heights(path, &h, &place, err);
    erg_heights_free(&h);
    return status;
}

// ---- Frozen grains -----------------------------------------------------------------------------
erg_status ergi_snapshot_frozen(const erg_world *world, const erg_sphere_view *v, size_t n,
                                uint32_t *frozen, erg_error *err)
{
    erg_frozen_view f;
    erg_status      status = erg_world_view_frozen(world, &f, err);
    if (status != ERG_OK || f.count == 0) return status;
    uint32_t *order = ergi_memory_new(2 * f.count, sizeof *order, "a snapshot", err);
    if (!order) return ERG_NO_MEMORY;
    const erg_terrain_def *def = &world->terrain->def;
    ergi_order_by_id(f.id, order, f.count);
    for (size_t k = 0; k < f.count; k++) {
        const double *s = f.sphere + 4 * (size_t)order[k];
        size_t        to = n + k;
        memcpy(v->position + 3 * to, s, 3 * sizeof *s);
        v->radius[to] = s[3];
        v->grain[to] = f.id[order[k]];
        v->material[to] = def->material;
        v->kind[to] = def->grain;
        v->orientation[4 * to + 3] = 1;
        frozen[to] = 1;
    }
    ergi_memory_free(order);
    return ERG_OK;
}
