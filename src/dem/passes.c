// What the passes are handed of a world, and the force evaluation that strings them together.
#include <math.h>

#include "dem/step.h"

ergi_pair_pass ergi_pair_pass_of(const erg_world *world)
{
    const ergi_lists *l = &world->lists;
    return (ergi_pair_pass){
        .s = ergi_world_spheres(world),
        .start = l->span.data[ERGI_SPAN_START],
        .other = l->entry.data[ERGI_ENTRY_OTHER],
        .touching = l->entry.data[ERGI_ENTRY_TOUCHING],
        .memory = l->entry.data[ERGI_ENTRY_MEMORY],
        .push = l->entry.data[ERGI_ENTRY_PUSH],
        .law = world->law,
        .coef = world->class_per_material ? l->entry.data[ERGI_ENTRY_COEF] : world->coef,
        .classes = (int)(world->class_per_material ? world->materials : world->classes),
        .coef_per_entry = world->class_per_material,
        .one_law = world->one_law,
        .memory_width = world->memory_width,
        .normal_law = world->normal_law,
        .tangential_law = world->tangential_law,
        .rolling = world->rolling,
        .cohesion = world->cohesion,
        .period = {world->space.period[0], world->space.period[1], 0},
        .dt = world->clock.dt,
        .incoming_start = l->span.data[ERGI_SPAN_INCOMING],
        .incoming = l->incoming.data[ERGI_INCOMING_ENTRY],
        .report = world->report,
    };
}

ergi_wall_pass ergi_wall_pass_of(const erg_world *world)
{
    const ergi_lists *l = &world->lists;
    return (ergi_wall_pass){
        .s = ergi_world_spheres(world),
        .near_sphere = l->near.data[ERGI_NEAR_SPHERE],
        .near_start = l->near.data[ERGI_NEAR_START],
        .wall_of = l->wall_entry.data[ERGI_WALL_ENTRY_WALL],
        .feature = l->wall_entry.data[ERGI_WALL_ENTRY_FEATURE],
        .memory = l->wall_entry.data[ERGI_WALL_ENTRY_MEMORY],
        .push = l->wall_entry.data[ERGI_WALL_ENTRY_PUSH],
        .memory_width = world->memory_width,
        .slots = world->wall_slots,
        .walls = world->wall,
        .state = world->wall_state,
        .wall_count = world->walls,
        .pair = world->pair,
        .materials = world->materials,
        .class_material = world->class_material,
        .body_velocity = world->bodies.data[ERGI_BODY_VELOCITY],
        .dt = world->clock.dt,
        .wall_sum = world->wall_sum,
        .report = world->report,
    };
}

ergi_motion_pass ergi_motion_pass_of(const erg_world *world)
{
    const ergi_table *b = &world->bodies;
    return (ergi_motion_pass){
        .position = b->data[ERGI_BODY_POSITION],
        .orientation = b->data[ERGI_BODY_ORIENTATION],
        .velocity = b->data[ERGI_BODY_VELOCITY],
        .spin = b->data[ERGI_BODY_SPIN],
        .force = b->data[ERGI_BODY_FORCE],
        .torque = b->data[ERGI_BODY_TORQUE],
        .kind = b->data[ERGI_BODY_KIND],
        .size = b->data[ERGI_BODY_SIZE],
        .first = b->data[ERGI_BODY_FIRST],
        .kinds = world->kind,
        .s = ergi_world_spheres(world),
        .gravity = {world->clock.gravity[0], world->clock.gravity[1], world->clock.gravity[2]},
        .dt = world->clock.dt,
        .kick = world->def.integrator == ERG_EULER ? 1.0 : 0.5,
        .spin_damping = world->def.spin_damping,
        .single = world->single && !world->new_clumps,
        .orient = world->def.orient_spheres,
        .energy = world->def.energy,
        .report = world->report,
    };
}

void ergi_dem_forces(erg_world *world, bool trial, bool sweep)
{
    const ergi_dem_kernels *k = world->kernels;
    const ergi_threads     *threads = &world->threads;
    ergi_pair_pass          pairs = ergi_pair_pass_of(world);
    ergi_wall_pass          walls = ergi_wall_pass_of(world);
    erg_index               spheres = pairs.s.count, near = (erg_index)world->lists.near.rows - 1;
    int                     pair_chunks = ergi_chunk_count(spheres, ERGI_GRAIN),
        wall_chunks = near > 0 ? ergi_chunk_count(near, ERGI_GRAIN) : 0;
    pairs.trial = walls.trial = trial;
    pairs.sweep = sweep;
    walls.report = world->report + pair_chunks;

    ergi_parallel_for(threads, spheres, ERGI_GRAIN, k->pairs, &pairs);
    ergi_parallel_for(threads, spheres, ERGI_GRAIN, k->gather, &pairs);
    if (near > 0) ergi_parallel_for(threads, near, ERGI_GRAIN, k->walls, &walls);
    if (!world->single) {
        ergi_motion_pass motion = ergi_motion_pass_of(world);
        ergi_parallel_for(threads, (erg_index)world->bodies.rows, ERGI_GRAIN, k->collect, &motion);
    }

    ergi_report worst = {0};
    world->clock.contacts = world->clock.wall_contacts = 0;
    for (int c = 0; c < pair_chunks + wall_chunks; c++) {
        const ergi_report *r = &world->report[c];
        if (c < pair_chunks)
            world->clock.contacts += r->contacts;
        else
            world->clock.wall_contacts += r->wall_contacts;
        if (r->overlap_ratio > worst.overlap_ratio) worst = *r;
    }
    world->worst_overlap = worst;
    world->wall_power = 0;
    for (size_t w = 0; w < world->walls; w++) {
        ergi_wall_state *state = &world->wall_state[w];
        for (int a = 0; a < 3; a++) state->force[a] = state->torque[a] = 0;
        for (int c = 0; c < wall_chunks; c++) {
            const double *sum = world->wall_sum + 6 * ((size_t)c * world->walls + w);
            for (int a = 0; a < 3; a++) {
                state->force[a] += sum[a];
                state->torque[a] += sum[3 + a];
            }
        }
        const ergi_pose *pose = &state->pose;
        world->wall_power -= state->force[0] * pose->velocity.x +
                             state->force[1] * pose->velocity.y +
                             state->force[2] * pose->velocity.z + state->torque[0] * pose->spin.x +
                             state->torque[1] * pose->spin.y + state->torque[2] * pose->spin.z;
    }
}
