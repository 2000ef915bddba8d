#include "world/keep.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "world/state.h"

struct ergi_keep {
    bool                valid;
    ergi_loose          loose;
    ergi_table          table[ERGI_STATE_TABLES];
    ergi_wall_state    *wall;
    ergi_emitter_state *emitter;
    ergi_sink_state    *sink;
};

static erg_status make_room(erg_world *world, erg_error *err)
{
    if (world->keep) return ERG_OK;
    ergi_keep *keep = calloc(1, sizeof *keep);
    if (keep) {
        keep->wall = calloc(world->walls + 1, sizeof *keep->wall);
        keep->emitter = calloc(world->emitters + 1, sizeof *keep->emitter);
        keep->sink = calloc(world->sinks + 1, sizeof *keep->sink);
    }
    world->keep = keep;
    if (keep && keep->wall && keep->emitter && keep->sink) return ERG_OK;
    ergi_keep_free(keep);
    world->keep = NULL;
    return ergi_fail_memory(err, sizeof *keep, "the last good state");
}

static void copy_states(void *to, const void *from, size_t count, size_t size)
{
    if (count) memcpy(to, from, count * size);
}

erg_status ergi_keep_take(erg_world *world, erg_error *err)
{
    erg_status status = make_room(world, err);
    if (status != ERG_OK) return status;
    ergi_keep  *keep = world->keep;
    ergi_table *tables[ERGI_STATE_TABLES];
    ergi_state_tables(world, tables);
    keep->valid = false;
    for (int k = 0; k < ERGI_STATE_TABLES; k++) {
        if (!ergi_state_is_index(k))
            status = ergi_table_copy(&keep->table[k], tables[k], true, err);
        if (status != ERG_OK) return status;
    }
    keep->loose = ergi_state_get_loose(world);
    copy_states(keep->wall, world->wall_state, world->walls, sizeof *keep->wall);
    copy_states(keep->emitter, world->emitter_state, world->emitters, sizeof *keep->emitter);
    copy_states(keep->sink, world->sink_state, world->sinks, sizeof *keep->sink);
    keep->valid = true;
    return ERG_OK;
}

bool ergi_keep_valid(const erg_world *world)
{
    return world->keep && world->keep->valid;
}

uint64_t ergi_keep_step(const erg_world *world)
{
    return world->keep->loose.clock.steps;
}

void ergi_keep_drop(erg_world *world)
{
    if (world->keep) world->keep->valid = false;
}

// Lists that a failed build left behind have no index: nobody may use them.
static erg_status restore_lists(erg_world *world, erg_error *err)
{
    const ergi_table *span = &world->lists.pairs[ERGI_OUTER].span;
    bool              whole = span->rows == (size_t)world->lists.spheres + 1;
    return whole ? ergi_lists_index(&world->lists, err) : ERG_OK;
}

erg_status ergi_keep_restore(erg_world *world, erg_error *err)
{
    ergi_keep  *keep = world->keep;
    ergi_table *tables[ERGI_STATE_TABLES];
    ergi_state_tables(world, tables);
    erg_status status = ERG_OK;
    for (int k = 0; k < ERGI_STATE_TABLES && status == ERG_OK; k++)
        if (!ergi_state_is_index(k))
            status = ergi_table_copy(tables[k], &keep->table[k], false, err);
    if (status == ERG_OK) {
        ergi_state_set_loose(world, &keep->loose);
        status = restore_lists(world, err);
    }
    if (status != ERG_OK) {
        world->lists.spheres = 0;
        world->dirty = true;
        return status;
    }
    world->owes_kick = world->ahead = world->margins_known = world->ways_known = false;
    copy_states(world->wall_state, keep->wall, world->walls, sizeof *keep->wall);
    copy_states(world->emitter_state, keep->emitter, world->emitters, sizeof *keep->emitter);
    copy_states(world->sink_state, keep->sink, world->sinks, sizeof *keep->sink);
    return ERG_OK;
}

void ergi_keep_free(ergi_keep *keep)
{
    if (!keep) return;
    for (int k = 0; k < ERGI_STATE_TABLES; k++) ergi_table_free(&keep->table[k]);
    free(keep->wall);
    free(keep->emitter);
    free(keep->sink);
    free(keep);
}

size_t ergi_keep_bytes(const ergi_keep *keep)
{
    size_t bytes = 0;
    for (int k = 0; keep && k < ERGI_STATE_TABLES; k++) bytes += ergi_table_bytes(&keep->table[k]);
    return bytes;
}
