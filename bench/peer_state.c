#include "peer_state.h"

#include <stdlib.h>

void peer_state_free(peer_state *state)
{
    free(state->position);
    free(state->velocity);
    free(state->spin);
    free(state->grain);
    *state = (peer_state){0};
}

// Spheres come grain by grain: a new id begins the next grain. Spins of grains become those of
// their spheres.
static void number_grains(peer_state *state, const erg_gid *id, const erg_vec3 *spin)
{
    size_t grain = 0;
    for (size_t i = 0; i < state->spheres; i++) {
        if (i > 0 && id[i] != id[i - 1]) grain++;
        state->grain[i] = grain;
        state->spin[i] = spin[grain];
    }
}

static erg_status read(const erg_world *world, peer_state *state, erg_gid *id, erg_vec3 *spin,
                       erg_error *err)
{
    size_t n = state->spheres;
    state->position = malloc(n * sizeof *state->position);
    state->velocity = malloc(n * sizeof *state->velocity);
    state->spin = malloc(n * sizeof *state->spin);
    state->grain = malloc(n * sizeof *state->grain);
    if (!id || !spin || !state->position || !state->velocity || !state->spin || !state->grain)
        return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", n);
    erg_sphere_view view = {.count = n,
                            .position = &state->position[0].x,
                            .velocity = &state->velocity[0].x,
                            .grain = id};
    erg_status      status = erg_world_read_spheres(world, &view, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_SPIN, NULL, state->grains, spin, err);
    if (status == ERG_OK) number_grains(state, id, spin);
    return status;
}

erg_status peer_state_read(const bench_scene *scene, size_t grains, const erg_world *world,
                           peer_state *state, erg_error *err)
{
    *state = (peer_state){.scene = scene->peer,
                          .spheres = erg_world_sphere_count(world),
                          .grains = erg_world_grain_count(world),
                          .radius = MATTER_RADIUS,
                          .density = MATTER_DENSITY,
                          .gravity = MATTER_GRAVITY,
                          .dt = MATTER_DT,
                          .at_rest = scene->at_rest};
    scene->walls(grains, state);
    erg_gid   *id = malloc(state->spheres * sizeof *id);
    erg_vec3  *spin = malloc(state->grains * sizeof *spin);
    erg_status status = read(world, state, id, spin, err);
    free(id);
    free(spin);
    if (status != ERG_OK) peer_state_free(state);
    return status;
}
