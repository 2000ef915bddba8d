// All state of a world as one list of arrays: what a checkpoint stores, a keep copies (both but for
// what can be indexed anew) and a load restores. Parameters are not in it: they are what the caller
// defined.
#ifndef ERGI_STATE_H
#define ERGI_STATE_H

#include "world/world.h"

// The tables that are state, in the order of ergi_state_tables.
enum {
    ERGI_STATE_BODIES,
    ERGI_STATE_SPHERES,
    ERGI_STATE_LISTS, // of each side its span and its entries
    ERGI_STATE_INDEX = ERGI_STATE_LISTS + 2 * ERGI_SIDES, // three that follow from the others
    ERGI_STATE_NEAR = ERGI_STATE_INDEX + 3,
    ERGI_STATE_WALL_ENTRY,
    ERGI_STATE_TOUCH,
    ERGI_STATE_TABLES,
    ERGI_LIST_TABLES = ERGI_STATE_TOUCH - ERGI_STATE_LISTS
};

// Names are unique.
void ergi_state_list_tables(ergi_lists *lists, ergi_table *tables[ERGI_LIST_TABLES]);
void ergi_state_tables(erg_world *world, ergi_table *tables[ERGI_STATE_TABLES]);
// Whether table k is one that ergi_lists_index makes from the others.
bool ergi_state_is_index(int k);

// State outside the tables, as plain bytes: clock, walls, emitters, sinks, and a few flags.
typedef struct ergi_loose {
    ergi_clock clock;
    double     skin;
    uint64_t   single, dirty, new_clumps, listed_bodies, list_spheres, class_per_material, classes,
        fills, commands_done;
    double     extent, wall_power, contact_time, rigid_energy;
    ergi_class klass[ERGI_MAX_CLASSES];
} ergi_loose;

ergi_loose ergi_state_get_loose(const erg_world *world);
void       ergi_state_set_loose(erg_world *world, const ergi_loose *loose);

#endif
