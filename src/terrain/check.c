// Loaded state of a terrain: everything must be what a run could have produced.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/sand.h"
#include "terrain/terrain.h"
#include "world/grains.h"

#define MOST_COUNTED ((uint64_t)1 << 53)

// Ticks that were due but not taken: those of a step behind a batch (ergi_terrain_tick). Steps
// longer than a batch lag ever more.
static double most_late(const ergi_clock *now, double ticks)
{
    double step = ERGI_TICK_RATE * now->dt;
    return step <= ERGI_BATCH_TICKS ? 2 + step : ticks;
}

static erg_status check_clock(const ergi_loaded *loaded, erg_error *err)
{
    const ergi_terrain_clock *c = ergi_loaded_plain(loaded, "terrain/clock");
    const ergi_clock         *now = ergi_loaded_plain(loaded, "world/clock");
    double                    ticks = ERGI_TICK_RATE * now->time;
    double                    late = ticks - (double)c->ticks, rounding = 1e-6 * ticks;
    if (c->ticks > MOST_COUNTED || !(late <= most_late(now, ticks) + rounding) ||
        !(late >= -2 - rounding) || c->batches > c->ticks || c->changed > c->batches)
        return ergi_load_misfit(err, "the terrain's clock is at tick %llu and batch %llu",
                                (unsigned long long)c->ticks, (unsigned long long)c->batches);
    if (c->woken > MOST_COUNTED || c->slept > MOST_COUNTED)
        return ergi_load_misfit(err, "the terrain has woken %llu grains",
                                (unsigned long long)c->woken);
    return ERG_OK;
}

// A frozen grain is one of the terrain's kind, in the grid.
static bool is_frozen_grain(const erg_world *world, const double s[4], double size)
{
    const ergi_terrain *t = world->terrain;
    const ergi_kind    *kind = &world->kind[t->def.grain - 1];
    double              radius = size * kind->shape.bounding_radius;
    return isfinite(s[2]) && ergi_columns_cover(&t->columns, s[0], s[1]) &&
           ergi_kind_takes_size(kind, size) && fabs(s[3] - radius) <= 1e-9 * radius;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Frozen grains and grains share their ids: each exists once.
static erg_status check_ids(const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *grains = ergi_loaded_table(loaded, "grains"),
                     *frozen = ergi_loaded_table(loaded, "frozen");
    const ergi_clock *now = ergi_loaded_plain(loaded, "world/clock");
    size_t            n = grains->rows + frozen->rows;
    uint64_t         *id = ergi_memory_new(n, sizeof *id, "loading", err);
    erg_status        status = id ? ERG_OK : ERG_NO_MEMORY;
    if (status != ERG_OK) return status;
    if (grains->rows) memcpy(id, grains->data[ERGI_GRAIN_ID], grains->rows * sizeof *id);
    if (frozen->rows)
        memcpy(id + grains->rows, frozen->data[ERGI_FROZEN_ID], frozen->rows * sizeof *id);
    qsort(id, n, sizeof *id, compare_ids);
    for (size_t k = 0; k < n && status == ERG_OK; k++)
        if (id[k] == 0 || id[k] >= now->next_id || (k > 0 && id[k] == id[k - 1]))
            status = ergi_load_misfit(err, "grain %llu is there twice, or never existed",
                                      (unsigned long long)id[k]);
    ergi_memory_free(id);
    return status;
}

static erg_status check_frozen(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *f = ergi_loaded_table(loaded, "frozen");
    const ergi_clock *now = ergi_loaded_plain(loaded, "world/clock");
    const double     *sphere = f->data[ERGI_FROZEN_SPHERE], *size = f->data[ERGI_FROZEN_SIZE],
                 *since = f->data[ERGI_FROZEN_SINCE], *slept = f->data[ERGI_FROZEN_SLEPT];
    if (f->rows > 0 && !world->terrain->def.grain)
        return ergi_load_misfit(err, "%zu frozen grains in a terrain without grains", f->rows);
    for (size_t k = 0; k < f->rows; k++)
        if (!is_frozen_grain(world, sphere + 4 * k, size[k]) ||
            !(since[k] >= 0 && since[k] <= now->time) || (slept[k] != -1 && slept[k] != since[k]))
            return ergi_load_misfit(err, "frozen grain %zu is impossible", k);
    return check_ids(loaded, err);
}

static erg_status check_rest(const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *rest = ergi_loaded_table(loaded, "grains_rest");
    const ergi_clock *now = ergi_loaded_plain(loaded, "world/clock");
    for (int c = 0; c < rest->columns; c++)
        for (size_t k = 0; k < rest->rows; k++) {
            double value = ((const double *)rest->data[c])[k];
            if (!(value >= 0 && value <= now->time + 1))
                return ergi_load_misfit(err, "grain in row %zu rests since %g s", k, value);
        }
    return ERG_OK;
}

static erg_status check_tool_rest(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *tool_rest = ergi_loaded_table(loaded, world->terrain->tool_rest.name);
    const ergi_clock *now = ergi_loaded_plain(loaded, "world/clock");
    const double     *time = tool_rest->data[ERGI_TOOL_REST_MOVED],
                 *place = tool_rest->data[ERGI_TOOL_REST_PLACE];
    if (tool_rest->rows != world->terrain->tool_rest.rows)
        return ergi_load_misfit(err, "the terrain has another number of bodies in it");
    for (size_t k = 0; k < tool_rest->rows; k++)
        if ((time[k] != -1 && !(time[k] >= 0 && time[k] <= now->time)) || !isfinite(place[3 * k]) ||
            !isfinite(place[3 * k + 1]) || !isfinite(place[3 * k + 2]))
            return ergi_load_misfit(err, "a body in the terrain last moved at %g s", time[k]);
    return ERG_OK;
}

// Heights are those of columns that exist, so that the sum cannot overflow.
static erg_status check_sand(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_terrain_clock *clock = ergi_loaded_plain(loaded, "terrain/clock");
    const ergi_table *columns = ergi_loaded_table(loaded, world->terrain->columns.table.name);
    const uint64_t   *height = columns->data[ERGI_COLUMN_HEIGHT];
    ergi_u128         sand = {0, 0};
    for (size_t k = 0; k < columns->rows; k++) sand = ergi_u128_add(sand, height[k]);
    return ergi_u128_equal(sand, clock->sand)
               ? ERG_OK
               : ergi_load_misfit(err, "the columns do not hold the sand they have");
}

erg_status ergi_terrain_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    if (!world->terrain) return ERG_OK;
    erg_status  status = check_clock(loaded, err);
    const char *misfit = ergi_columns_misfit(&world->terrain->columns, loaded);
    if (!misfit) misfit = ergi_resist_misfit(&world->terrain->resist, loaded);
    if (status == ERG_OK && misfit) status = ergi_load_misfit(err, "%s", misfit);
    if (status == ERG_OK) status = check_frozen(world, loaded, err);
    if (status == ERG_OK) status = check_rest(loaded, err);
    if (status == ERG_OK) status = check_tool_rest(world, loaded, err);
    return status == ERG_OK ? check_sand(world, loaded, err) : status;
}
