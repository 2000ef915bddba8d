// Statistics and memory use. Contacts are hard, so they store no elastic energy.
#include "pbd/pbd.h"

void ergi_pbd_stats(const erg_world *world, erg_stats *s)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    s->elastic = s->dissipated = 0;
    s->rebuilds = world->clock.rebuilds;
    s->iterations = pbd->iterations;
    s->most_bytes = s->bytes;
    s->sort_s = pbd->phase[ERGI_PBD_PHASE_SORT];
    s->lists_s = pbd->phase[ERGI_PBD_PHASE_LISTS];
    s->forces_s = pbd->phase[ERGI_PBD_PHASE_CONTACTS];
    s->integrate_s = pbd->phase[ERGI_PBD_PHASE_MOTION];
}

#define BYTES(name) (p->name##_room * sizeof *p->name)

size_t ergi_pbd_bytes(const erg_world *world)
{
    const ergi_pbd   *p = ergi_pbd_of(world);
    const ergi_table *table[] = {&p->pairs.start,          &p->pairs.pair,   &p->pairs_spare.start,
                                 &p->pairs_spare.pair,     &p->wall_history, &p->wall_history_spare,
                                 &p->body_contact_history, &p->reference};
    size_t sum = sizeof *p + ergi_grid_bytes(&p->grid) + ergi_candidates_bytes(&p->candidates) +
                 ergi_near_walls_bytes(&p->near_walls) +
                 p->near_ground.room * sizeof *p->near_ground.row;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) sum += ergi_table_bytes(table[k]);
    sum += p->pose_room * sizeof *p->pose_before + BYTES(place) + BYTES(sphere_grain) +
           BYTES(sphere_material) + BYTES(offset) + BYTES(reach) + BYTES(sphere_skin) +
           BYTES(centre) + BYTES(agitation) + BYTES(fresh) + BYTES(kept) + BYTES(found) +
           BYTES(was) + BYTES(order) + BYTES(sorting) + BYTES(near_sphere) + BYTES(near_start) +
           BYTES(near_wall) + BYTES(near_spare) + BYTES(candidate) + BYTES(colour) + BYTES(task) +
           BYTES(group) + BYTES(held) + BYTES(entry_task) + BYTES(by_task) + BYTES(chunk_link) +
           BYTES(link) + BYTES(task_turns) + BYTES(row) + BYTES(shift) + BYTES(tensor) +
           BYTES(touch) + BYTES(touch_history) + BYTES(wall_chunk) + BYTES(wall_found) +
           BYTES(wall_step) + BYTES(report) + BYTES(turns) + BYTES(body) + BYTES(body_of) +
           BYTES(body_contact) + BYTES(body_group) + BYTES(body_history) + BYTES(body_pair) +
           BYTES(body_turn) + BYTES(body_next);
    return sum + ergi_sommer_bytes(&p->sommer);
}

// Estimate. A dense bed has about seven candidate pairs per sphere. A pair takes 36 bytes in each
// of three copies of the lists, 28 as a candidate, and 110 for its share of the groups.
double ergi_pbd_grain_bytes(const erg_world *world, double spheres)
{
    (void)world;
    double sphere = spheres > 1 ? 200 : 140;
    return 1.125 * spheres * (sphere + 7 * (3 * 36 + 28 + 110));
}
