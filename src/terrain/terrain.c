#include "terrain/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "law/rft.h"
#include "terrain/exchange.h"
#include "terrain/sand.h"
#include "terrain/terrain_def.h"
#include "world/grains.h"

#define MOST_SWEEPS 4 // of the flow, per tick
#define SINK 0.02    // by which surfaces next to grains follow pressed columns in a tick [spacings]
#define FLOOR 0.2    // how far the floor of bodies is below that of grains, in smallest radii
#define FINE 0x1p-32 // a quantum, of the column height of the smallest grain or of the spacing

// ---- Creation ----------------------------------------------------------------------------------
// Of the kind that columns turn into; 0: none.
static double smallest_radius(const erg_world *world, const erg_terrain_def *def)
{
    double least, most;
    if (!def->grain) return 0;
    const ergi_kind *kind = &world->kind[def->grain - 1];
    ergi_sizes_range(&kind->sizes, &least, &most);
    return least * kind->shape.bounding_radius;
}

// The quantum divides the height that the smallest grain adds to a column.
static double quantum_of(const erg_world *world, const erg_terrain_def *def)
{
    if (!def->grain) return FINE * def->spacing;
    double r = smallest_radius(world, def), volume = 4.0 / 3 * ERGI_PI * r * r * r;
    return FINE * volume / (ERGI_SAND_FRACTION * def->spacing * def->spacing);
}

static void register_state(erg_world *world, ergi_terrain *t)
{
    ergi_registry *r = &world->registry;
    ergi_registry_plain(r, "terrain/clock", &t->clock, sizeof t->clock);
    ergi_columns_register(&t->columns, r);
    ergi_resist_register(&t->resist, r);
    ergi_registry_table(r, &t->frozen, ERGI_FROZEN_ID, ERGI_STATE_HASHED);
    ergi_registry_table(r, &t->rest, -1, ERGI_STATE_BY_GRAIN);
    ergi_registry_table(r, &t->tool_rest, -1, 0);
}

static void init_tables(ergi_terrain *t)
{
    static const ergi_column frozen[] = {
#define X(NAME, name, type, width) {#name, type, width, false},
        ERGI_FROZEN_COLUMNS(X)
#undef X
    };
    static const ergi_column rest[] = {{"time", ERGI_F64, 1, false}, {"woke", ERGI_F64, 1, false}};
    static const ergi_column tool_rest[] = {{"moved", ERGI_F64, 1, false},
                                            {"place", ERGI_F64, 3, false}};
    ergi_table_init(&t->frozen, "frozen", frozen, ERGI_FROZEN_COLUMN_COUNT, ERGI_F64);
    ergi_table_init(&t->rest, "grains_rest", rest, 2, ERGI_F64);
    ergi_table_init(&t->tool_rest, "tools_rest", tool_rest, ERGI_TOOL_REST_COLUMNS, ERGI_F64);
}

// No column of the block is higher than `high`, nor its surface.
static void raise_high(ergi_terrain *t, size_t block)
{
    const ergi_columns *c = &t->columns;
    const uint64_t     *height = ergi_columns_height(c) + block * ERGI_BLOCK_COLUMNS;
    const float        *surface = ergi_columns_surface(c) + block * ERGI_BLOCK_COLUMNS;
    uint64_t            most = 0;
    float               top = surface[0];
    for (size_t k = 0; k < ERGI_BLOCK_COLUMNS; k++) {
        most = height[k] > most ? height[k] : most;
        top = surface[k] > top ? surface[k] : top;
    }
    t->field.high = fmax(t->field.high, fmax((double)top, ergi_columns_z(c, most)));
}

// What queries see: the columns as they are, and no frozen grain yet.
static void show_columns(ergi_terrain *t)
{
    const ergi_columns *c = &t->columns;
    ergi_height_field  *f = &t->field;
    for (int k = 0; k < 2; k++) {
        f->lower[k] = c->lower[k];
        f->count[k] = c->count[k];
    }
    f->spacing = c->spacing;
    f->blocks = c->block[0];
    f->side = ERGI_BLOCK_SIDE;
    f->surface = ergi_columns_surface(c);
    f->low = c->floor;
    f->high = c->floor;
    for (size_t b = 0; b < ergi_columns_blocks(c); b++) raise_high(t, b);
}

// Grains of the highest columns, which stand out of them, would be lost above the domain.
static erg_status check_top(const erg_world *world, const ergi_terrain *t, erg_error *err)
{
    double least, most, top = t->field.high, end = world->def.upper.z;
    if (!t->def.grain) return ERG_OK;
    const ergi_kind *kind = &world->kind[t->def.grain - 1];
    ergi_sizes_range(&kind->sizes, &least, &most);
    double d = 2 * most * kind->shape.bounding_radius;
    if (top + d <= end) return ERG_OK;
    return ergi_fail_at(err, "height", ERG_ERROR_OUT_OF_RANGE,
                        "the terrain's sand is up to z = %g m high, and with grains of %g m on it "
                        "outside the domain, which ends at %g m: grains are removed there; make "
                        "the domain higher",
                        top, d, end);
}

erg_status ergi_terrain_create(erg_world *world, const erg_terrain_def *def, ergi_pour_fn *pour,
                               erg_error *err)
{
    ergi_terrain *t = calloc(1, sizeof *t);
    if (!t) return ergi_fail_memory(err, sizeof *t, "the terrain");
    t->def = *def;
    t->pour = pour;
    if (!t->def.seed) t->def.seed = world->def.seed;
    init_tables(t);
    ergi_resist_init(&t->resist);
    erg_status status =
        ergi_columns_create(&t->columns, &t->def, quantum_of(world, def), &world->threads, err);
    t->def.heights = NULL; // the caller's
    if (status == ERG_OK) status = ergi_table_resize(&t->rest, world->grains.rows, err);
    if (status == ERG_OK) status = ergi_erosion_create(&t->erosion, &t->columns, err);
    if (status == ERG_OK) status = ergi_column_set_create(&t->covered, &t->columns, err);
    if (status == ERG_OK) status = ergi_press_create(&t->press, &t->columns, err);
    int items = world->registry.count;
    if (status == ERG_OK) {
        register_state(world, t);
        status = ergi_registry_check(&world->registry, err);
    }
    if (status == ERG_OK) {
        show_columns(t);
        status = check_top(world, t, err);
    }
    if (status == ERG_OK) {
        status = ergi_world_add_terrain_wall(world, def->material - 1, &t->field,
                                             FLOOR * smallest_radius(world, def), &t->wall, err);
    }
    if (status != ERG_OK) {
        ergi_registry_cut(&world->registry, items);
        ergi_terrain_destroy(t);
        return status;
    }
    t->highest = t->field.high;
    ergi_erosion_survey(&t->columns, tan(def->angle_start), &world->threads);
    t->clock.sand = ergi_columns_sand(&t->columns, &world->threads);
    world->terrain = t;
    return ERG_OK;
}

void ergi_terrain_destroy(ergi_terrain *t)
{
    if (!t) return;
    ergi_columns_free(&t->columns);
    ergi_table_free(&t->frozen);
    ergi_table_free(&t->rest);
    ergi_table_free(&t->tool_rest);
    ergi_frozen_cells_free(&t->cells);
    ergi_exchange_destroy(t->exchange);
    ergi_erosion_free(&t->erosion);
    ergi_column_set_free(&t->covered);
    ergi_tools_free(&t->tools);
    ergi_press_free(&t->press);
    ergi_resist_free(&t->resist);
    ergi_rise_free(&t->rise);
    free(t);
}

size_t ergi_terrain_bytes(const ergi_terrain *t)
{
    if (!t) return 0;
    return sizeof *t + ergi_columns_bytes(&t->columns) + ergi_table_bytes(&t->frozen) +
           ergi_table_bytes(&t->rest) + ergi_table_bytes(&t->tool_rest) +
           ergi_frozen_cells_bytes(&t->cells) + ergi_exchange_bytes(t->exchange) +
           ergi_erosion_bytes(&t->erosion, &t->columns) +
           ergi_column_set_bytes(&t->covered, &t->columns) + ergi_tools_bytes(&t->tools) +
           ergi_press_bytes(&t->press, &t->columns) + ergi_resist_bytes(&t->resist) +
           ergi_rise_bytes(&t->rise);
}

// Tools that were not there yet have not moved.
static erg_status grow_tool_rest(ergi_terrain *t, erg_error *err)
{
    size_t     old = t->tool_rest.rows;
    erg_status status = ergi_table_resize(&t->tool_rest, t->tools.tools, err);
    for (size_t k = old; k < t->tools.tools && status == ERG_OK; k++)
        ((double *)t->tool_rest.data[ERGI_TOOL_REST_MOVED])[k] = -1;
    return status;
}

erg_status ergi_terrain_prepare(erg_world *world, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    if (!t) return ERG_OK;
    erg_status status = ERG_OK;
    if (t->def.grain && !t->exchange) status = ergi_exchange_create(world, &t->exchange, err);
    if (status == ERG_OK) status = ergi_tools_make(&t->tools, world, t->columns.spacing, err);
    if (status == ERG_OK) status = grow_tool_rest(t, err);
    return status == ERG_OK ? ergi_resist_grow(&t->resist, &t->tools, world, err) : status;
}

// ---- Frozen grains -----------------------------------------------------------------------------
erg_status ergi_terrain_index_frozen(erg_world *world, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    const double *sphere = t->frozen.data[ERGI_FROZEN_SPHERE];
    erg_status    status = ergi_frozen_cells_build(
           &t->cells, &t->field, sphere, t->frozen.data[ERGI_FROZEN_ID], t->frozen.rows, err);
    t->frozen_stamp++;
    t->still = false; // what flows depends on the columns that are covered
    ergi_column_set_clear(&t->covered);
    for (size_t k = 0; k < t->frozen.rows && status == ERG_OK; k++) {
        ergi_column_range r = ergi_columns_under(&t->columns, sphere + 4 * k);
        for (int32_t j = r.j0; j <= r.j1 && status == ERG_OK; j++)
            for (int32_t i = r.i0; i <= r.i1 && status == ERG_OK; i++)
                status = ergi_column_set_add(&t->covered, ergi_columns_row(&t->columns, i, j), err);
    }
    return status;
}

erg_status ergi_terrain_restored(erg_world *world, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    if (!t) return ERG_OK;
    ergi_columns_restored(&t->columns);
    show_columns(t);
    ergi_exchange_forget(t->exchange);
    ergi_resist_forget(&t->resist);
    ergi_rise_forget(&t->rise);
    t->still = false;
    return ergi_terrain_index_frozen(world, err);
}

// Adds the grains that a batch woke.
static erg_status add_woken(erg_world *world, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    if (x->awakes == 0) return ERG_OK;
    size_t     old = world->grains.rows, n = x->awakes;
    erg_vec3  *position = ergi_memory_new(n, sizeof *position, "grains", err);
    double    *size = ergi_memory_new(n, sizeof *size, "grains", err);
    erg_grains g = {.kind = x->kind + 1, .count = n, .position = position};
    erg_status status = position && size ? ERG_OK : ERG_NO_MEMORY;
    for (size_t k = 0; k < n && status == ERG_OK; k++) {
        const double *s = x->awake[k].sphere;
        position[k] = (erg_vec3){s[0], s[1], s[2]};
        size[k] = x->awake[k].size;
    }
    if (status == ERG_OK) status = ergi_grains_add(world, &g, size, NULL, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&world->leaves, &world->leaves_room, old + n, 1, "grains", err);
    if (status == ERG_OK) memset(world->leaves + old, 0, n);
    for (size_t k = 0; k < n && status == ERG_OK; k++) { // those that were frozen keep their ids
        if (x->awake[k].id) ERGI_GRAIN(world, ID, uint64_t)[old + k] = x->awake[k].id;
        ((double *)t->rest.data[1])[old + k] = world->clock.time;
    }
    x->awakes = 0;
    ergi_memory_free(position);
    ergi_memory_free(size);
    return status;
}

// ---- Ticks -------------------------------------------------------------------------------------
// The first tick exchanges: a tool may be about to hit when the run begins.
static bool is_batch(const ergi_terrain *t, uint64_t ticks)
{
    return t->exchange && ticks % ERGI_BATCH_TICKS == 1;
}

// Whether surfaces must not rise in a tick, as grains may be above them.
static bool stays_low(const erg_world *world)
{
    return world->terrain->exchange || world->grains.rows > 0;
}

bool ergi_terrain_due(const erg_world *world, double time)
{
    const ergi_terrain *t = world->terrain;
    return t && time >= ((double)(t->clock.ticks + 1) - 1e-6) / ERGI_TICK_RATE;
}

static erg_status press(erg_world *world, erg_error *err)
{
    ergi_terrain     *t = world->terrain;
    ergi_press_report report;
    ergi_follow       follow = t->exchange              ? ERGI_FOLLOWS_DOWN
                               : world->grains.rows > 0 ? ERGI_FOLLOWS_LATER
                                                        : ERGI_FOLLOWS;
    t->press.top = t->field.high;
    erg_status status = ergi_press_columns(&t->press, &t->columns, &t->tools, world, &t->covered,
                                           t->def.compression, follow, &report, err);
    t->field.high = t->press.top;
    t->clock.sand = ergi_u128_subtract(t->clock.sand, report.compressed);
    t->clock.compressed = ergi_u128_add(t->clock.compressed, report.compressed);
    if (report.largest > 0) ergi_terrain_moved(world, report.largest);
    return status;
}

// The stress of sand grows with its weight.
static erg_status resist(erg_world *world, erg_error *err)
{
    ergi_terrain      *t = world->terrain;
    double             gravity = -world->clock.gravity[2] / ERGI_RFT_GRAVITY;
    ergi_resist_params params = {.zeta = t->def.resistance * gravity,
                                 .density = ERGI_SAND_FRACTION *
                                            world->material[t->def.material - 1].def.density,
                                 .hold = fmax(1 / ERGI_TICK_RATE, world->clock.dt)};
    return ergi_resist_tools(&t->resist, world, &t->tools, &t->press, &t->columns, &params, err);
}

// A sweep that moves nothing is not repeated while columns stay as they are, and held.
static erg_status flow(erg_world *world, erg_error *err)
{
    ergi_terrain       *t = world->terrain;
    ergi_columns       *c = &t->columns;
    ergi_erosion_report report = {0};
    ergi_erosion_params params = {.tan_start = tan(t->def.angle_start),
                                  .tan_stop = tan(t->def.angle_stop),
                                  .most = MOST_SWEEPS,
                                  .low = stays_low(world),
                                  .held = &t->press.held,
                                  .covered = &t->covered};
    if (t->still && t->still_change == c->change && t->still_hash == t->press.hash) return ERG_OK;
    erg_status status = ergi_erosion_sweeps(&t->erosion, c, &params, &world->threads, &report, err);
    if (report.largest > 0) ergi_terrain_moved(world, report.largest);
    t->still = status == ERG_OK && report.largest == 0;
    t->still_change = c->change;
    t->still_hash = t->press.hash;
    return status;
}

// Surfaces that did not rise with their columns do so in the next batch, as far as grains let them.
static void leave_pending(ergi_terrain *t)
{
    const ergi_columns *c = &t->columns;
    if (!t->exchange || !t->exchange->clamped) return;
    for (size_t k = 0; k < c->recents; k++) ergi_exchange_clamp(t->exchange, c->recent[k]);
}

// The same without an exchange. Once the last grain is gone, nothing is in the way.
static erg_status rise(erg_world *world, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    double        most, high;
    if (t->exchange) return ERG_OK;
    erg_status status = ERG_OK;
    if (stays_low(world) || t->rise.unknown) status = ergi_rise_wait(&t->rise, &t->columns, err);
    if (status != ERG_OK) return status;
    most = ergi_rise_sink(&t->rise, &t->columns, stays_low(world) ? SINK : HUGE_VAL);
    if (most > 0) ergi_terrain_moved(world, most);
    if (stays_low(world) && (t->clock.ticks + 1) % ERGI_BATCH_TICKS != 1) return ERG_OK;
    status = ergi_rise_batch(&t->rise, world, &t->columns, &t->field, &most, &high, err);
    t->field.high = fmax(t->field.high, high);
    if (most > 0) ergi_terrain_moved(world, most);
    return status;
}

// Queries and tools look for columns up to the highest.
static void show_rise(ergi_terrain *t)
{
    for (size_t n = 0; n < t->columns.recents; n++) raise_high(t, t->columns.recent[n]);
}

static erg_status exchange(erg_world *world, size_t *asleep, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    ergi_columns_watch(&t->columns);
    erg_status status = ergi_exchange_batch(world, asleep, err);
    if (status == ERG_OK) status = add_woken(world, err);
    show_rise(t);
    return status;
}

// `last`: no further tick is due. Bodies do not move between those that are due at once.
static erg_status tick(erg_world *world, bool last, size_t *asleep, erg_error *err)
{
    ergi_terrain *t = world->terrain;
    double        begun = ergi_clock_seconds();
    ergi_columns_watch(&t->columns);
    erg_status status = press(world, err);
    if (status == ERG_OK && last) status = resist(world, err);
    if (status == ERG_OK) status = flow(world, err);
    leave_pending(t);
    if (status == ERG_OK) status = rise(world, err);
    double ticked = ergi_clock_seconds();
    t->clock.ticks++;
    t->tick_s += ticked - begun;
    if (status != ERG_OK || !is_batch(t, t->clock.ticks)) return status;
    status = exchange(world, asleep, err);
    t->exchange_s += ergi_clock_seconds() - ticked;
    return status;
}

erg_status ergi_terrain_tick(erg_world *world, size_t *asleep, erg_error *err)
{
    const ergi_terrain_clock *clock = &world->terrain->clock;
    *asleep = 0;
    erg_status status = ERG_OK;
    // One exchange at most: what it woke and froze must be in the world before the next.
    while (status == ERG_OK && ergi_terrain_due(world, world->clock.time)) {
        double next = ((double)(clock->ticks + 2) - 1e-6) / ERGI_TICK_RATE;
        bool   batch = is_batch(world->terrain, clock->ticks + 1);
        status = tick(world, batch || world->clock.time < next, asleep, err);
        if (batch) break;
    }
    return status;
}
