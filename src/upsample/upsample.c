#include "upsample/upsample.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/times.h"
#include "terrain/terrain.h"

enum { SLICES = 8 }; // the particles are sorted in so many frames

// ---- Creation ----------------------------------------------------------------------------------
static erg_status choose_kernels(ergi_upsample *u, erg_error *err)
{
    const char *isa = getenv("ERG_ISA");
    u->kernels = ergi_fine_kernels_for(isa);
    return u->kernels
               ? ERG_OK
               : ergi_fail(err, ERG_NOT_BUILT,
                           "ERG_ISA is '%.40s', which this processor or build does not know", isa);
}

static void register_state(erg_world *world, ergi_upsample *u)
{
    static const ergi_column fine[] = {
#define X(NAME, name, type) {#name, type, 1, false},
        ERGI_FINE_COLUMNS(X)
#undef X
    };
    static const ergi_column before[] = {{"position", ERGI_F64, 3, false},
                                         {"orientation", ERGI_F64, 4, false}};
    ergi_table_init(&u->fine, "fine", fine, ERGI_FINE_COLUMN_COUNT, ERGI_F32);
    ergi_table_init(&u->before, "fine_grains", before, 2, ERGI_F64);
    ergi_registry_plain(&world->registry, "upsample/clock", &u->clock, sizeof u->clock);
    ergi_registry_array(&world->registry, "upsample/walls", (void **)&u->pose, sizeof *u->pose,
                        &u->poses);
    ergi_registry_table(&world->registry, &u->fine, ERGI_FINE_ID,
                        ERGI_STATE_HASHED | ERGI_STATE_BY_RANK);
    ergi_registry_unhashed(&world->registry, ERGI_FINE_MATERIAL);
    ergi_registry_table(&world->registry, &u->before, -1, ERGI_STATE_BY_GRAIN | ERGI_STATE_BY_RANK);
}

erg_status ergi_upsample_create(erg_world *world, const erg_upsample_def *def, erg_error *err)
{
    ergi_upsample *u = calloc(1, sizeof *u);
    if (!u) return ergi_fail_memory(err, sizeof *u, "upsampling");
    u->def = *def;
    u->travel_frame = UINT64_MAX;
    u->clock.next_id = 1;
    erg_status status = choose_kernels(u, err);
    if (status == ERG_OK && def->region) status = ergi_region_copy(def->region, &u->region, err);
    if (status != ERG_OK) {
        free(u);
        return status;
    }
    if (def->region) u->def.region = &u->region;
    int items = world->registry.count;
    register_state(world, u);
    world->upsample = u;
    status = ergi_registry_check(&world->registry, err);
    // Tables by grain must have a row for each grain that exists already.
    if (status == ERG_OK) status = ergi_table_resize(&u->before, world->grains.rows, err);
    if (status != ERG_OK) {
        ergi_registry_cut(&world->registry, items);
        world->upsample = NULL;
        ergi_upsample_destroy(u);
    }
    return status;
}

void ergi_upsample_destroy(ergi_upsample *u)
{
    if (!u) return;
    if (u->def.region) ergi_region_free(&u->region);
    ergi_table_free(&u->fine);
    ergi_table_free(&u->before);
    ergi_fine_order_free(&u->order);
    ergi_fine_scratch_free(&u->scratch);
    ergi_fine_walls_free(&u->walls);
    void *owned[] = {u->pose,   u->coarse_position, u->coarse_velocity, u->coarse_grain,
                     u->travel, u->leaves,          u->leaving,         u->coarse_first};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ergi_memory_free(owned[k]);
    free(u);
}

size_t ergi_upsample_bytes(const ergi_upsample *u)
{
    if (!u) return 0;
    return sizeof *u + ergi_table_bytes(&u->fine) + ergi_table_bytes(&u->before) +
           ergi_fine_order_bytes(&u->order) + ergi_fine_scratch_bytes(&u->scratch) +
           ergi_fine_walls_bytes(&u->walls) + u->poses * sizeof *u->pose +
           u->coarse_room[0] * sizeof(double) + u->coarse_room[1] * sizeof(float) +
           u->coarse_room[2] * sizeof(uint32_t) + u->travel_room * sizeof(float) + u->leaves_room +
           (u->leaving_room + u->coarse_room[3]) * sizeof(uint32_t);
}

erg_status ergi_upsample_prepare(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    erg_status     status = u ? ergi_upsample_check_count(world, err) : ERG_OK;
    if (!u || status != ERG_OK || (u->pose && u->poses == world->walls)) return status;
    status = ergi_memory_resize(&u->pose, u->poses, world->walls, sizeof *u->pose,
                                "walls of fine particles", err);
    if (status == ERG_OK) u->poses = world->walls;
    return status;
}

// ---- A frame -----------------------------------------------------------------------------------
bool ergi_upsample_due(const erg_world *world, double time)
{
    const ergi_upsample *u = world->upsample;
    return u && ergi_time_reached(time, (double)(u->clock.frames + 1) / ERGI_FINE_RATE);
}

// `travel` is valid only for particles of the last frame; -1 forces a query for all others.
static erg_status reset_travel(const erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    size_t     rows = u->fine.rows, known = u->travel_frame == u->clock.frames ? u->travel_rows : 0;
    erg_status status = ergi_memory_grow(&u->travel, &u->travel_room, rows, sizeof *u->travel,
                                         "fine particles", err);
    if (status != ERG_OK) return status;
    for (size_t i = known; i < rows; i++) u->travel[i] = -1;
    return ERG_OK;
}

// Width that the cells of the curve must cover: of the grains on both sides of the origin, and of
// periods [m].
static double span_of(const erg_world *world)
{
    const ergi_fine_frame *l = &world->upsample->clock.lattice;
    const double          *x = ERGI_GRAIN(world, POSITION, double);
    double                 span = 0;
    for (int a = 0; a < 3; a++) {
        if (l->periodic[a])
            span = fmax(span, world->space.period[a]);
        else
            for (size_t i = 0; i < world->grains.rows; i++) {
                double far = 2 * fabs(x[4 * i + (size_t)a] - l->origin[a]);
                span = far > span ? far : span;
            }
    }
    return span;
}

// Rows to sort in this frame. A frame sorts one slice of them within itself, so that no frame takes
// much longer than the others. Every second round of SLICES frames has its slices shifted by half
// of one, so that every particle arrives at its place after a few rounds.
static void slice_of(const ergi_upsample *u, size_t *first, size_t *count)
{
    size_t rows = u->fine.rows, slice = rows / SLICES;
    size_t k = u->clock.frames % SLICES, round = u->clock.frames / SLICES % 2;
    *first = k * slice + round * (slice / 2);
    *count = k + 1 < SLICES ? slice : rows - *first;
    if (!u->clock.unsorted) return;
    *first = 0;
    *count = rows;
}

static erg_status sort(erg_world *world, erg_error *err)
{
    ergi_upsample    *u = world->upsample;
    ergi_fine_columns c = ergi_upsample_columns(u);
    const uint32_t   *index;
    size_t            first, count;
    double            side = ergi_fine_order_side(u->clock.radius / u->def.ratio, span_of(world));
    slice_of(u, &first, &count);
    erg_status status = ergi_fine_order_find(&u->order, &c, first, count, &u->clock.lattice, side,
                                             &world->threads, &index, err);
    if (status != ERG_OK) return status;
    for (int k = 0; k < u->fine.columns; k++)
        ergi_fine_order_apply(&u->order, (char *)u->fine.data[k] + first * u->fine.row_bytes[k],
                              u->fine.row_bytes[k], count, index, &world->threads);
    ergi_fine_order_apply(&u->order, u->travel + first, sizeof *u->travel, count, index,
                          &world->threads);
    u->clock.unsorted = 0;
    return ERG_OK;
}

static erg_status step(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    erg_status     status = ergi_upsample_coarse(world, false, err);
    if (status != ERG_OK) return status;
    ergi_fine_columns   c = ergi_upsample_columns(u);
    ergi_coarse_spheres grains = {u->coarse_position, u->coarse_velocity, u->coarse_count};
    const double       *g = world->clock.gravity;
    ergi_fine_law       law = {1.0f / ERGI_FINE_RATE,
                               {(float)g[0], (float)g[1], (float)g[2]},
                               (float)u->def.c1,
                               (float)u->def.c2};
    return ergi_fine_step(&c, &u->clock.lattice, &grains, NULL, &law, u->kernels, &world->threads,
                          &u->scratch, err);
}

static erg_status follow(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    double         begun = ergi_clock_seconds();
    erg_status     status = reset_travel(world, err);
    u->travel_frame = UINT64_MAX; // until the frame is done
    if (status == ERG_OK) status = ergi_upsample_bury(world, err);
    if (status == ERG_OK) status = sort(world, err);
    double sorted = ergi_clock_seconds();
    if (status == ERG_OK) status = step(world, err);
    double stepped = ergi_clock_seconds();
    if (status == ERG_OK) status = ergi_upsample_collide_walls(world, err);
    if (status == ERG_OK) status = ergi_upsample_leave(world, err);
    double met = ergi_clock_seconds();
    u->travel_rows = u->fine.rows; // not yet known for new particles
    if (status == ERG_OK) status = ergi_upsample_seed_new_grains(world, err);
    double done = ergi_clock_seconds();
    u->stats.sort_s += sorted - begun;
    u->stats.step_s += stepped - sorted;
    u->stats.walls_s += met - stepped;
    u->stats.seed_s += done - met;
    u->stats.total_s += done - begun;
    u->stats.frames++;
    return status;
}

erg_status ergi_upsample_begin(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    if (!u || u->clock.started || world->clock.steps > 0 || u->def.start != 0) return ERG_OK;
    erg_status status = ergi_upsample_start(world, err);
    if (status == ERG_OK) ergi_upsample_store_poses(world);
    return status;
}

erg_status ergi_upsample_frames(erg_world *world, erg_error *err)
{
    erg_status     status = ERG_OK;
    ergi_upsample *u = world->upsample;
    while (status == ERG_OK && ergi_upsample_due(world, world->clock.time)) {
        if (u->clock.started)
            status = follow(world, err);
        else if (ergi_upsample_starts(world))
            status = ergi_upsample_start(world, err);
        if (status != ERG_OK) break;
        ergi_upsample_store_poses(world);
        u->clock.frames++;
        u->travel_frame = u->clock.frames;
    }
    return status;
}
