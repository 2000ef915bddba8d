// The scene `mixed` of the bench `peers`: the bed of the bench `laws` with radii 1:2 and rolling
// resistance.
#include "law_state.h"
#include "scene.h"

static const law_choice ROLLING = {
    .normal = ERG_NORMAL_HERTZ, .tangential = ERG_TANGENTIAL_MINDLIN, .rolling = true};

static size_t count_grains(size_t spheres)
{
    return spheres;
}

static erg_status define(size_t grains, int threads, erg_world **world, erg_error *err)
{
    erg_id material;
    return law_state_define(SIZES_DOUBLE, false, grains, ROLLING, threads, world, &material, err);
}

static erg_status make(size_t grains, const char *cache, erg_world *world, erg_error *err)
{
    (void)cache;
    return law_state_settle(SIZES_DOUBLE, grains, world, err);
}

static void walls(size_t grains, peer_state *state)
{
    state->floor = state->box = true;
    law_state_box(SIZES_DOUBLE, grains, &state->low, &state->high);
}

const bench_scene SCENE_MIXED = {
    .name = "mixed",
    .peer = PEER_MIXED,
    .at_rest = true,
    .grains = count_grains,
    .define = define,
    .make = make,
    .walls = walls,
};
