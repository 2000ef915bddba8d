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

size_t ergi_pbd_bytes(const erg_world *world)
{
    const ergi_pbd   *p = ergi_pbd_of(world);
    const ergi_table *table[] = {&p->pairs.start,      &p->pairs.pair,   &p->pairs_spare.start,
                                 &p->pairs_spare.pair, &p->wall_history, &p->wall_history_spare,
                                 &p->reference};
    size_t sum = sizeof *p + ergi_grid_bytes(&p->grid) + ergi_candidates_bytes(&p->candidates) +
                 ergi_near_walls_bytes(&p->near_walls) +
                 p->near_ground.room * sizeof *p->near_ground.row;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) sum += ergi_table_bytes(table[k]);
    sum += p->place_room * sizeof *p->place + p->sphere_grain_room * 4 +
           p->sphere_material_room * 4 + p->offset_room * 4 + p->reach_room * 4 +
           p->sphere_skin_room * 4 + p->found_room * 4 + p->was_room * 4 + p->order_room * 4 +
           p->sorting_room * sizeof *p->sorting;
    sum += p->near_sphere_room * 4 + p->near_start_room * 4 + p->near_wall_room * 4 +
           p->near_spare_room * 4 + p->candidate_room * sizeof *p->candidate +
           p->colour_room * sizeof *p->colour + p->task_room * sizeof *p->task +
           p->group_room * sizeof *p->group;
    sum += p->row_room * 4 + p->shift_room * 4 + p->tensor_room * 4 +
           p->touch_room * sizeof *p->touch + p->touch_history_room * 4 +
           p->pose_room * sizeof *p->pose_before + p->wall_step_room * sizeof *p->wall_step +
           p->report_room * sizeof *p->report;
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
