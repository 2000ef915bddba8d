// Checks that what was read from a checkpoint can be a state of this world. The hashes of a file
// detect damage; this detects forged files and our own mistakes, before anything is changed: every
// value must be one that stepping or a public call could have produced.
#ifndef ERGI_API_LOAD_CHECK_H
#define ERGI_API_LOAD_CHECK_H

#include "base/error.h"
#include "world/state.h"

// Everything that a checkpoint holds about a world.
typedef struct ergi_loaded {
    ergi_loose                loose;
    ergi_table                table[ERGI_STATE_TABLES];
    const ergi_wall_state    *wall; // as many as the world has; so are emitters and sinks
    const ergi_emitter_state *emitter;
    const ergi_sink_state    *sink;
    erg_command              *command;
    size_t                    commands;
} ergi_loaded;

// ERG_BAD_INPUT: "the checkpoint does not fit together: WHAT; it was not written by this erg".
erg_status ergi_load_misfit(erg_error *err, const char *format, ...) ERGI_PRINTF(2, 3);

// Commands first: the kinds of balls that were thrown follow from them. Needs no tables.
erg_status ergi_load_check_commands(const erg_world *world, const ergi_loaded *loaded,
                                    erg_error *err);
// Clock, bodies, spheres, classes, walls, emitters and sinks; the world has the kinds of balls.
erg_status ergi_load_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);
// Then the lists, which refer to these spheres and walls, and the contacts of bodies.
erg_status ergi_load_check_lists(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

#endif
