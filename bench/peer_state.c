#include "peer_state.h"

#include <math.h>
#include <stdlib.h>

void peer_state_free(peer_state *state)
{
    free(state->position);
    free(state->velocity);
    free(state->spin);
    free(state->grain);
    free(state->radii);
    free(state->contact);
    *state = (peer_state){0};
}

// Spheres are sorted by grain: a new id begins the next grain. Each sphere gets the spin of its
// grain.
static void number_grains(peer_state *state, const erg_gid *id, const erg_vec3 *spin)
{
    size_t grain = 0;
    for (size_t i = 0; i < state->spheres; i++) {
        if (i > 0 && id[i] != id[i - 1]) grain++;
        state->grain[i] = grain;
        state->spin[i] = spin[grain];
    }
}

static erg_status read_spheres(const erg_world *world, peer_state *state, erg_gid *id,
                               erg_vec3 *spin, erg_error *err)
{
    size_t n = state->spheres;
    state->position = malloc(n * sizeof *state->position);
    state->velocity = malloc(n * sizeof *state->velocity);
    state->spin = malloc(n * sizeof *state->spin);
    state->grain = malloc(n * sizeof *state->grain);
    if (state->scene == PEER_MIXED) {
        state->radii = malloc(n * sizeof *state->radii);
        if (!state->radii)
            return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", n);
    }
    if (!id || !spin || !state->position || !state->velocity || !state->spin || !state->grain)
        return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", n);
    erg_sphere_view view = {.count = n,
                            .position = &state->position[0].x,
                            .velocity = &state->velocity[0].x,
                            .radius = state->radii,
                            .grain = id};
    erg_status      status = erg_world_read_spheres(world, &view, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_SPIN, NULL, state->grains, spin, err);
    if (status == ERG_OK) number_grains(state, id, spin);
    return status;
}

// ---- Contacts ----------------------------------------------------------------------------------
// The index of a sphere, sorted by grain and slot. `id` is the grain of each sphere, ascending.
static size_t find_sphere(const erg_gid *id, size_t count, erg_gid grain, uint32_t slot)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (id[middle] < grain)
            low = middle + 1;
        else
            high = middle;
    }
    return low + slot;
}

// From the direction in which the wall pushes.
static peer_wall wall_of(erg_vec3 normal)
{
    if (fabs(normal.x) > 0.5) return normal.x > 0 ? PEER_WALL_LOW_X : PEER_WALL_HIGH_X;
    if (fabs(normal.y) > 0.5) return normal.y > 0 ? PEER_WALL_LOW_Y : PEER_WALL_HIGH_Y;
    return PEER_FLOOR;
}

static peer_contact translate(const erg_contact *c, const erg_gid *id, size_t spheres)
{
    erg_vec3 f = c->force, n = c->normal;
    double   push = f.x * n.x + f.y * n.y + f.z * n.z;
    return (peer_contact){.a = find_sphere(id, spheres, c->grain_a, c->slot_a),
                          .b = c->grain_b ? find_sphere(id, spheres, c->grain_b, c->slot_b)
                                          : spheres + wall_of(n),
                          .friction = {f.x - push * n.x, f.y - push * n.y, f.z - push * n.z}};
}

static erg_status read_contacts(const erg_world *world, const erg_gid *id, peer_state *state,
                                erg_error *err)
{
    size_t       room = erg_world_touching_count(world), n = 0;
    erg_contact *contact = malloc((room + 1) * sizeof *contact);
    state->contact = malloc((room + 1) * sizeof *state->contact);
    erg_status status =
        contact && state->contact
            ? erg_world_contacts(world, contact, room, &n, err)
            : bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu contacts", room);
    for (size_t k = 0; k < n && status == ERG_OK; k++)
        state->contact[k] = translate(&contact[k], id, state->spheres);
    state->contacts = status == ERG_OK ? n : 0;
    free(contact);
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
    erg_status status = read_spheres(world, state, id, spin, err);
    if (status == ERG_OK && state->at_rest && state->box)
        status = read_contacts(world, id, state, err);
    free(id);
    free(spin);
    if (status != ERG_OK) peer_state_free(state);
    return status;
}
