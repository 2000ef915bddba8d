#include "world/state.h"

#include <string.h>

void ergi_state_list_tables(ergi_lists *lists, ergi_table *tables[ERGI_LIST_TABLES])
{
    int k = 0;
    for (int side = 0; side < ERGI_SIDES; side++) {
        tables[k++] = &lists->pairs[side].span;
        tables[k++] = &lists->pairs[side].entry;
    }
    tables[k++] = &lists->incoming_span;
    tables[k++] = &lists->incoming;
    tables[k++] = &lists->source;
    tables[k++] = &lists->near;
    tables[k++] = &lists->wall_entry;
}

void ergi_state_tables(erg_world *world, ergi_table *tables[ERGI_STATE_TABLES])
{
    tables[ERGI_STATE_BODIES] = &world->bodies;
    tables[ERGI_STATE_SPHERES] = &world->spheres;
    ergi_state_list_tables(&world->lists, tables + ERGI_STATE_LISTS);
    tables[ERGI_STATE_TOUCH] = &world->rigid_touch;
}

bool ergi_state_is_index(int k)
{
    return k >= ERGI_STATE_INDEX && k < ERGI_STATE_NEAR;
}

ergi_loose ergi_state_get_loose(const erg_world *world)
{
    ergi_loose l;
    memset(&l, 0, sizeof l); // padding too: these bytes are hashed and compared
    l.clock = world->clock;
    l.skin = world->skin;
    l.single = world->single;
    l.dirty = world->dirty;
    l.new_clumps = world->new_clumps;
    l.listed_bodies = world->listed_bodies;
    l.list_spheres = (uint64_t)world->lists.spheres;
    l.class_per_material = world->class_per_material;
    l.classes = world->classes;
    l.fills = world->fills;
    l.commands_done = world->commands_done;
    l.extent = world->extent;
    l.wall_power = world->wall_power;
    l.contact_time = world->contact_time;
    l.rigid_energy = world->rigid_energy;
    for (size_t k = 0; k < world->classes; k++) {
        l.klass[k].material = world->klass[k].material;
        l.klass[k].radius = world->klass[k].radius;
        l.klass[k].mass = world->klass[k].mass;
    }
    return l;
}

void ergi_state_set_loose(erg_world *world, const ergi_loose *l)
{
    world->clock = l->clock;
    world->skin = l->skin;
    world->single = l->single != 0;
    world->dirty = l->dirty != 0;
    world->new_clumps = l->new_clumps != 0;
    world->listed_bodies = (size_t)l->listed_bodies;
    world->lists.spheres = (erg_index)l->list_spheres;
    world->class_per_material = l->class_per_material != 0;
    world->classes = (size_t)l->classes;
    world->fills = (size_t)l->fills;
    world->commands_done = (size_t)l->commands_done;
    world->extent = l->extent;
    world->wall_power = l->wall_power;
    world->contact_time = l->contact_time;
    world->rigid_energy = l->rigid_energy;
    memcpy(world->klass, l->klass, sizeof world->klass);
}
