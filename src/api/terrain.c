// The terrain of a world: definition and read access.
#include "erg/terrain.h"

#include <math.h>
#include <string.h>

#include "api/pour.h"
#include "base/error.h"
#include "base/hash.h"
#include "terrain/terrain.h"
#include "terrain/terrain_def.h"
#include "world/fingerprint.h"
#include "world/rollback.h"

static const double LEAST_SPACING = 0.3, MOST_SPACING = 30; // of columns [diameters]
static const double MOST_SIZES = 10; // largest size over the smallest: small grains would fall
                                     // through the gaps between large ones, and take long to pour

erg_terrain_def erg_terrain_def_default(void)
{
    return (erg_terrain_def){
        .angle_start = 0.66, .angle_stop = 0.59, .compression = 1, .resistance = 1};
}

// ---- Definition --------------------------------------------------------------------------------
// Grains of another material would change mass or friction when columns turn into them.
static erg_status check_matter(const erg_world *world, const erg_terrain_def *def, erg_error *err)
{
    if (def->material < 1 || def->material > world->materials)
        return ergi_fail_at(err, "material", ERG_ERROR_UNKNOWN,
                            "a terrain refers to material %u, but the world has %zu", def->material,
                            world->materials);
    if (!def->grain) return ERG_OK;
    if (def->grain > world->kinds)
        return ergi_fail_at(err, "grain", ERG_ERROR_UNKNOWN,
                            "a terrain refers to kind of grains %u, but the world has %zu",
                            def->grain, world->kinds);
    const ergi_kind *kind = &world->kind[def->grain - 1];
    if (kind->shape.count != 1)
        return ergi_fail_at(err, "grain", ERG_ERROR_CONFLICT,
                            "grains of a terrain must be single spheres, got '%s' of %d spheres",
                            kind->name, kind->shape.count);
    if (kind->material != def->material - 1)
        return ergi_fail_at(err, "grain", ERG_ERROR_CONFLICT,
                            "grains of a terrain must be of its material, '%s', but '%s' is of "
                            "'%s'",
                            world->material[def->material - 1].name, kind->name,
                            world->material[kind->material].name);
    return ERG_OK;
}

static erg_status check_sizes(const erg_world *world, const erg_terrain_def *def, erg_error *err)
{
    double least, most;
    if (!def->grain) return ERG_OK;
    const ergi_kind *kind = &world->kind[def->grain - 1];
    ergi_sizes_range(&kind->sizes, &least, &most);
    if (most <= MOST_SIZES * (1 + 1e-9) * least) return ERG_OK;
    return ergi_fail_at(err, "grain", ERG_ERROR_OUT_OF_RANGE,
                        "grains of a terrain must differ in size by a factor of %g at most, but "
                        "those of '%s' are %.3g to %.3g m, a factor of %.3g: give a narrower "
                        "range of sizes",
                        MOST_SIZES, kind->name, least, most, most / least);
}

// Of the kind of grains that columns turn into, the middle of its range; 0: none [m].
static double grain_radius(const erg_world *world, erg_id grain)
{
    if (!grain) return 0;
    const ergi_kind *kind = &world->kind[grain - 1];
    double           least, most;
    ergi_sizes_range(&kind->sizes, &least, &most);
    return 0.5 * (least + most) * kind->shape.bounding_radius;
}

// Columns much wider than grains wake in coarse blocks, much narrower ones cannot take a grain.
static erg_status check_spacing(const erg_world *world, const erg_terrain_def *def, erg_error *err)
{
    double d = 2 * grain_radius(world, def->grain);
    if (!def->grain || (def->spacing >= LEAST_SPACING * d && def->spacing <= MOST_SPACING * d))
        return ERG_OK;
    return ergi_fail_at(err, "spacing", ERG_ERROR_OUT_OF_RANGE,
                        "terrain: spacing must be %g to %g diameters of the grains that columns "
                        "turn into, %.3g to %.3g m, got %g",
                        LEAST_SPACING, MOST_SPACING, LEAST_SPACING * d, MOST_SPACING * d,
                        def->spacing);
}

// Sand out there would be lost as soon as it becomes grains. The grid is enlarged to whole columns;
// ergi_terrain_create knows how high the sand is.
static erg_status check_domain(const erg_world *world, const erg_terrain_def *def, erg_error *err)
{
    static const char *const field[] = {"lower[0]", "lower[1]", "floor", "upper[0]", "upper[1]"};
    const erg_vec3           low = world->def.lower, high = world->def.upper;
    double       at[] = {def->lower[0], def->lower[1], def->floor, def->upper[0], def->upper[1]};
    const double end[] = {low.x, low.y, low.z, high.x, high.y};
    bool         enlarged[5] = {false};
    if (!def->grain) return ERG_OK;
    for (int k = 0; k < 2; k++) {
        double whole = def->lower[k] + ergi_terrain_def_count(def, k) * def->spacing;
        enlarged[3 + k] = whole > at[3 + k] + 1e-3 * def->spacing;
        if (enlarged[3 + k]) at[3 + k] = whole;
    }
    for (int k = 0; k < 5; k++)
        if (k < 3 ? at[k] < end[k] : at[k] > end[k])
            return ergi_fail_at(err, field[k], ERG_ERROR_OUT_OF_RANGE,
                                "the terrain's %s is at %c = %g m%s, outside the domain, which %s "
                                "at %g m: grains are removed there; make the domain larger",
                                k == 2  ? "floor"
                                : k < 3 ? "lower corner"
                                        : "upper corner",
                                "xyzxy"[k], at[k], enlarged[k] ? " (in whole columns)" : "",
                                k < 3 ? "begins" : "ends", end[k]);
    return ERG_OK;
}

static erg_status check_world(const erg_world *world, erg_error *err)
{
    if (world->terrain || world->clock.steps > 0)
        return ergi_fail_code(err, world->terrain ? ERG_ERROR_CONFLICT : ERG_ERROR_TOO_LATE,
                              "a terrain is set once, before the first step");
    if (world->def.periodic_x || world->def.periodic_y)
        return ergi_fail_code(err, ERG_ERROR_CONFLICT,
                              "a terrain has borders: it cannot be in a periodic domain; leave out "
                              "`periodic`, and put walls around the terrain if sand must not "
                              "leave it");
    return ergi_world_gravity_down(world->def.gravity, err) ? ERG_OK : ERG_BAD_INPUT;
}

erg_status erg_world_set_terrain(erg_world *world, const erg_terrain_def *def, erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    erg_status status = check_world(world, err);
    if (status == ERG_OK) status = check_matter(world, def, err);
    if (status == ERG_OK) status = ergi_terrain_def_check(def, err);
    if (status == ERG_OK) status = check_sizes(world, def, err);
    if (status == ERG_OK) status = check_spacing(world, def, err);
    if (status == ERG_OK) status = check_domain(world, def, err);
    if (status != ERG_OK) return status;
    uint64_t fingerprint = ergi_fingerprint_terrain(world->fingerprint, def);
    status = ergi_terrain_create(world, def, ergi_pour, err);
    if (status != ERG_OK) return status;
    world->fingerprint = fingerprint;
    world->prepared = false;
    world->clock.dirty = true;
    ergi_rollback_free(world->rollback);
    world->rollback = NULL;
    return ERG_OK;
}

bool erg_world_has_terrain(const erg_world *world)
{
    return world && world->terrain;
}

// ---- Reading -----------------------------------------------------------------------------------
static erg_status no_terrain(erg_error *err)
{
    return ergi_fail_code(err, ERG_ERROR_MISSING, "the world has no terrain");
}

erg_status erg_world_terrain_grid(const erg_world *world, erg_terrain_grid *grid, erg_error *err)
{
    if (!world || !grid) return ergi_fail_null(err, __func__);
    memset(grid, 0, sizeof *grid);
    if (!world->terrain) return no_terrain(err);
    const ergi_columns *c = &world->terrain->columns;
    for (int k = 0; k < 2; k++) {
        grid->lower[k] = c->lower[k];
        grid->count[k] = (size_t)c->count[k];
    }
    grid->spacing = c->spacing;
    grid->floor = c->floor;
    grid->block = ERGI_BLOCK_SIDE;
    grid->material = world->terrain->def.material;
    grid->radius = grain_radius(world, world->terrain->def.grain);
    return ERG_OK;
}

// Whether `n` columns from `first` on, every `stride`, are among `count`.
static bool are_inside(size_t first, size_t n, size_t stride, size_t count)
{
    return n == 0 ||
           (first < count && (n == 1 || (stride > 0 && n - 1 <= (count - 1 - first) / stride)));
}

erg_status erg_world_terrain_read(const erg_world *world, size_t i0, size_t j0, size_t ni,
                                  size_t nj, size_t stride, float *z, erg_error *err)
{
    if (!world || !z) return ergi_fail_null(err, __func__);
    if (!world->terrain) return no_terrain(err);
    const ergi_columns *c = &world->terrain->columns;
    if (!are_inside(i0, ni, stride, (size_t)c->count[0]) ||
        !are_inside(j0, nj, stride, (size_t)c->count[1]))
        return ergi_fail_code(err, ERG_ERROR_OUT_OF_RANGE,
                              "there are no %zu x %zu columns from (%zu, %zu) on, every %zu: the "
                              "terrain has %d x %d",
                              ni, nj, i0, j0, stride, (int)c->count[0], (int)c->count[1]);
    const uint64_t *height = ergi_columns_height(c);
    for (size_t j = 0; j < nj; j++)
        for (size_t i = 0; i < ni; i++)
            *z++ = (float)ergi_columns_z(c, height[ergi_columns_row(c, (int32_t)(i0 + i * stride),
                                                                    (int32_t)(j0 + j * stride))]);
    return ERG_OK;
}

uint32_t erg_world_terrain_stamp(const erg_world *world, size_t bi, size_t bj)
{
    if (!world || !world->terrain) return 0;
    const ergi_columns *c = &world->terrain->columns;
    size_t              nx = (size_t)c->block[0], ny = (size_t)c->block[1];
    return bi < nx && bj < ny ? c->stamp[bj * nx + bi] : 0;
}

// The columns on both sides of a coordinate, and the weight of the second.
static void find_between(const ergi_columns *c, int k, double x, int32_t at[2], double *weight)
{
    double last = (double)c->count[k] - 1, u = (x - c->lower[k]) / c->spacing - 0.5;
    u = u > 0 ? fmin(u, last) : 0;
    at[0] = (int32_t)u;
    at[1] = at[0] + 1 < c->count[k] ? at[0] + 1 : at[0];
    *weight = u - (double)at[0];
}

double erg_world_terrain_height(const erg_world *world, double x, double y)
{
    if (!world) return 0;
    if (!world->terrain || isnan(x) || isnan(y)) return (double)NAN;
    const ergi_columns *c = &world->terrain->columns;
    const uint64_t     *height = ergi_columns_height(c);
    int32_t             i[2], j[2];
    double              u, v, row[2];
    find_between(c, 0, x, i, &u);
    find_between(c, 1, y, j, &v);
    for (int k = 0; k < 2; k++) {
        double a = ergi_columns_z(c, height[ergi_columns_row(c, i[0], j[k])]),
               b = ergi_columns_z(c, height[ergi_columns_row(c, i[1], j[k])]);
        row[k] = a + u * (b - a);
    }
    return row[0] + v * (row[1] - row[0]);
}

// Frozen grains change in batches only.
static uint64_t frozen_stamp(const ergi_terrain *t)
{
    return ergi_hash_word(t->clock.batches, t->frozen.rows);
}

erg_status erg_world_view_frozen(const erg_world *world, erg_frozen_view *view, erg_error *err)
{
    if (!world || !view) return ergi_fail_null(err, __func__);
    memset(view, 0, sizeof *view);
    const ergi_terrain *t = world->terrain;
    if (!t) return ERG_OK;
    view->stamp = frozen_stamp(t);
    view->count = t->frozen.rows;
    if (view->count == 0) return ERG_OK;
    view->id = t->frozen.data[ERGI_FROZEN_ID];
    view->sphere = t->frozen.data[ERGI_FROZEN_SPHERE];
    return ERG_OK;
}

// ---- Statistics --------------------------------------------------------------------------------
static double frozen_volume(const ergi_terrain *t)
{
    const double *sphere = t->frozen.data[ERGI_FROZEN_SPHERE];
    double        volume = 0;
    for (size_t i = 0; i < t->frozen.rows; i++) {
        double r = sphere[4 * i + 3];
        volume += 4.0 / 3 * ERGI_PI * r * r * r;
    }
    return volume;
}

erg_status erg_world_terrain_stats(const erg_world *world, erg_terrain_stats *stats, erg_error *err)
{
    if (!world || !stats) return ergi_fail_null(err, __func__);
    memset(stats, 0, sizeof *stats);
    const ergi_terrain *t = world->terrain;
    if (!t) return ERG_OK;
    const ergi_columns *c = &t->columns;
    double              density = world->material[t->def.material - 1].def.density;
    double quantum = ERGI_SAND_FRACTION * c->spacing * c->spacing * c->quantum; // solid [m^3]
    *stats =
        (erg_terrain_stats){.columns = (uint64_t)c->count[0] * (uint64_t)c->count[1],
                            .awake = world->grains.rows,
                            .frozen = t->frozen.rows,
                            .column_mass = ergi_u128_number(t->clock.sand) * quantum * density,
                            .frozen_mass = frozen_volume(t) * density,
                            .compressed = ergi_u128_number(t->clock.compressed) * quantum * density,
                            .woken = t->clock.woken,
                            .slept = t->clock.slept,
                            .batches = t->clock.batches,
                            .active_blocks = c->actives,
                            .bytes = (double)ergi_terrain_bytes(t),
                            .tick_s = t->tick_s,
                            .exchange_s = t->exchange_s};
    return ERG_OK;
}
