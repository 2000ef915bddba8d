// Removes fine particles in sinks and outside the domain, as for grains, those that leave the
// fixed-point range, and those that columns of a terrain have risen over.
#include <string.h>

#include "base/memory.h"
#include "geom/surface.h"
#include "geom/vec3.h"
#include "terrain/terrain.h"
#include "upsample/fine_ground.h"
#include "upsample/upsample.h"

enum { BLOCKS = 16, IN_SINK = 1, LOST = 2 };

typedef struct pass {
    const erg_world *world;
    ergi_wall_job    job; // for the bounds of a block
    uint8_t         *leaves;
    uint32_t        *leaving;         // number of particles taken and lost, for each chunk
    int32_t          low[3], high[3]; // fixed-point bounds of the domain
    bool             sinks;           // at least one sink is active
} pass;

static bool in_sink(const erg_world *world, erg_vec3 p)
{
    double now = world->clock.time;
    for (size_t k = 0; k < world->sinks; k++) {
        const ergi_sink *s = &world->sink[k];
        if (now >= s->start && now < s->stop && ergi_region_contains(&s->region, p)) return true;
    }
    return false;
}

static bool all_inside(const pass *p, size_t begin, size_t end)
{
    const ergi_fine_frame *l = &p->world->upsample->clock.lattice;
    ergi_path_box          box;
    bool                   inside = true;
    p->world->upsample->kernels->path_box(&p->job, begin, end, false, &box);
    for (int a = 0; a < 3; a++) {
        int64_t base = (int32_t)box.base[a];
        inside = inside && (l->periodic[a] || (base + box.end_low[a] >= p->low[a] &&
                                               base + box.end_high[a] <= p->high[a]));
    }
    return inside;
}

static void mark_block(const pass *p, size_t begin, size_t end, uint32_t count[3])
{
    const ergi_fine_frame   *l = &p->world->upsample->clock.lattice;
    const ergi_fine_columns *fine = &p->job.fine;
    memset(p->leaves + begin, 0, end - begin);
    if (!p->sinks && all_inside(p, begin, end)) return;
    for (size_t i = begin; i < end; i++) {
        int32_t x = (int32_t)fine->place[0][i], y = (int32_t)fine->place[1][i],
                z = (int32_t)fine->place[2][i];
        int out = (x < p->low[0]) | (x > p->high[0]) | (y < p->low[1]) | (y > p->high[1]) |
                  (z < p->low[2]) | (z > p->high[2]);
        erg_vec3 at = {ergi_fine_position(l, 0, fine->place[0][i]),
                       ergi_fine_position(l, 1, fine->place[1][i]),
                       ergi_fine_position(l, 2, fine->place[2][i])};
        p->leaves[i] = out ? LOST : p->sinks && in_sink(p->world, at) ? IN_SINK : 0;
        count[p->leaves[i]]++;
    }
}

static void mark_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const pass *p = ctx;
    uint32_t    count[3] = {0};
    for (erg_index b = begin; b < end; b++) {
        size_t from = (size_t)b * ERGI_FINE_BLOCK, to = from + ERGI_FINE_BLOCK;
        mark_block(p, from, to < p->job.fine.count ? to : p->job.fine.count, count);
    }
    p->leaving[2 * chunk] = count[IN_SINK];
    p->leaving[2 * chunk + 1] = count[LOST];
}

static void set_bounds(pass *p)
{
    const ergi_fine_frame *l = &p->world->upsample->clock.lattice;
    const erg_world_def   *def = &p->world->def;
    const double           lower[3] = {def->lower.x, def->lower.y, def->lower.z},
                 upper[3] = {def->upper.x, def->upper.y, def->upper.z};
    for (int a = 0; a < 3; a++) {
        double most = (double)ERGI_FINE_REACH, low = (lower[a] - l->origin[a]) / l->step[a],
               high = (upper[a] - l->origin[a]) / l->step[a];
        p->low[a] = l->periodic[a] ? INT32_MIN : (int32_t)ceil(fmin(fmax(low, -most), most));
        p->high[a] = l->periodic[a] ? INT32_MAX : (int32_t)floor(fmin(fmax(high, -most), most));
    }
    for (size_t k = 0; k < p->world->sinks; k++)
        p->sinks = p->sinks || (p->world->clock.time >= p->world->sink[k].start &&
                                p->world->clock.time < p->world->sink[k].stop);
}

// Closes the gaps that the listed rows, ascending, leave in a column.
static void take_out(char *column, size_t bytes, const uint32_t *gone, size_t count, size_t rows)
{
    for (size_t k = 0, to = gone[0]; k < count; k++) {
        size_t from = gone[k] + (size_t)1, end = k + 1 < count ? gone[k + 1] : rows;
        memmove(column + bytes * to, column + bytes * from, bytes * (end - from));
        to += end - from;
    }
}

static uint32_t *list_marked(const ergi_upsample *u, size_t count, erg_error *err)
{
    uint32_t *gone = ergi_memory_new(count, sizeof *gone, "fine particles", err);
    for (size_t i = 0, n = 0; gone && n < count; i++)
        if (u->leaves[i]) gone[n++] = (uint32_t)i;
    return gone;
}

static erg_status make_room(ergi_upsample *u, size_t chunks, erg_error *err)
{
    erg_status status =
        ergi_memory_grow(&u->leaves, &u->leaves_room, u->fine.rows, 1, "fine particles", err);
    if (status != ERG_OK) return status;
    return ergi_memory_grow(&u->leaving, &u->leaving_room, 2 * chunks, sizeof *u->leaving,
                            "fine particles", err);
}

// Adds up what the chunks have counted, and removes the marked particles.
static erg_status remove_marked(ergi_upsample *u, size_t chunks, erg_error *err)
{
    size_t rows = u->fine.rows, taken = 0, lost = 0;
    for (size_t c = 0; c < chunks; c++) {
        taken += u->leaving[2 * c];
        lost += u->leaving[2 * c + 1];
    }
    if (taken + lost == 0) return ERG_OK;
    uint32_t *gone = list_marked(u, taken + lost, err);
    if (!gone) return ERG_NO_MEMORY;
    for (int c = 0; c < u->fine.columns; c++)
        take_out(u->fine.data[c], u->fine.row_bytes[c], gone, taken + lost, rows);
    if (u->travel_room >= rows)
        take_out((char *)u->travel, sizeof *u->travel, gone, taken + lost, rows);
    ergi_memory_free(gone);
    u->clock.taken += taken;
    u->clock.lost += lost;
    return ergi_table_resize(&u->fine, rows - taken - lost, err);
}

// ---- Under columns -----------------------------------------------------------------------------
static void bury_block(const pass *p, size_t begin, size_t end, uint32_t *taken)
{
    uint16_t list[ERGI_FINE_BLOCK];
    int      count =
        ergi_fine_ground_touch(&p->world->terrain->field, &p->world->upsample->clock.lattice,
                               &p->job.fine, begin, end, 0, list);
    memset(p->leaves + begin, 0, end - begin);
    for (int k = 0; k < count; k++) p->leaves[begin + list[k]] = IN_SINK;
    *taken += (uint32_t)count;
}

static void bury_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const pass *p = ctx;
    uint32_t    taken = 0;
    for (erg_index b = begin; b < end; b++) {
        size_t from = (size_t)b * ERGI_FINE_BLOCK, to = from + ERGI_FINE_BLOCK;
        bury_block(p, from, to < p->job.fine.count ? to : p->job.fine.count, &taken);
    }
    p->leaving[2 * chunk] = taken;
    p->leaving[2 * chunk + 1] = 0;
}

erg_status ergi_upsample_bury(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    if (!world->terrain || u->fine.rows == 0) return ERG_OK;
    erg_index  blocks = (erg_index)((u->fine.rows + ERGI_FINE_BLOCK - 1) / ERGI_FINE_BLOCK);
    size_t     chunks = (size_t)ergi_chunk_count(blocks, BLOCKS);
    erg_status status = make_room(u, chunks, err);
    if (status != ERG_OK) return status;
    pass p = {.world = world,
              .job = {.fine = ergi_upsample_columns(u)},
              .leaves = u->leaves,
              .leaving = u->leaving};
    ergi_parallel_for(&world->threads, blocks, BLOCKS, bury_blocks, &p);
    return remove_marked(u, chunks, err);
}

// ---- Into sinks, out of the domain -------------------------------------------------------------
erg_status ergi_upsample_leave(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    if (u->fine.rows == 0) return ERG_OK;
    erg_index  blocks = (erg_index)((u->fine.rows + ERGI_FINE_BLOCK - 1) / ERGI_FINE_BLOCK);
    size_t     chunks = (size_t)ergi_chunk_count(blocks, BLOCKS);
    erg_status status = make_room(u, chunks, err);
    if (status != ERG_OK) return status;
    pass p = {.world = world,
              .job = {.fine = ergi_upsample_columns(u)},
              .leaves = u->leaves,
              .leaving = u->leaving};
    set_bounds(&p);
    ergi_parallel_for(&world->threads, blocks, BLOCKS, mark_blocks, &p);
    return remove_marked(u, chunks, err);
}
