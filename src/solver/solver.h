// The table that a solver fills. A solver moves the grains and free bodies of a world by a step;
// the loop around it (loop.h) owns commands, emitters, rolling back and the clock. A solver keeps
// what it works with in world->self, and registers what of that is state (world/registry.h).
//
// Solvers do not know each other; a new one is a folder and a line in solvers.h. Members that say
// so may be NULL.
#ifndef ERGI_SOLVER_H
#define ERGI_SOLVER_H

#include "world/world.h"

// What happened to the world from outside.
typedef enum ergi_change {
    ERGI_CHANGED_LAWS,     // friction of pairs of materials
    ERGI_CHANGED_KINDS,    // kinds of grains: balls came or went
    ERGI_CHANGED_RESTORED, // all registered state is that of an earlier step
    ERGI_CHANGED_LOADED,   // or that of a checkpoint
    ERGI_CHANGED_LOST      // going back failed: no list may be used any more
} ergi_change;

// ---- Contacts ----------------------------------------------------------------------------------
typedef enum ergi_contact_kind {
    ERGI_CONTACT_PAIR,  // two spheres
    ERGI_CONTACT_WALL,  // a sphere and a wall
    ERGI_CONTACT_BODIES // two walls, at least one of them a free body
} ergi_contact_kind;

// One contact that touches now. Of contacts between bodies only names and history are told.
typedef struct ergi_contact_view {
    ergi_contact_kind kind;
    erg_contact       contact;             // names; the rest only where forces are wanted
    uint32_t          a, b;                // rows of the grains; b is UINT32_MAX at a wall
    const double     *sphere_a, *sphere_b; // x y z radius; NULL at a wall
    double            energy;              // in its springs, where forces are wanted [J]
    uint32_t          place[3];            // of two bodies: which part of them
    const void       *history;
    ergi_type         real; // of the history
    size_t            at;   // where in it
    int               width;
} ergi_contact_view;

typedef void ergi_contact_fn(void *user, const ergi_contact_view *contact);

typedef struct ergi_solver {
    // Makes and registers world->self, for a world that has nothing but its definition yet.
    erg_status (*create)(erg_world *world, erg_error *err);
    void (*destroy)(erg_world *world); // also one that was only half made

    // Step size and laws for all definitions; checks the whole. Called whenever world->prepared is
    // false, before anything else below.
    erg_status (*prepare)(erg_world *world, erg_error *err);

    // One step, of length *dt; the loop moves the clock afterwards. `more`: the next step follows
    // at once, so that parts of the state may be left unfinished until `sync` or that step. The
    // step moves the walls (world/walls.h), asks which grains leave (ergi_sources_mark_leaving)
    // when world->clock.dirty is set and every now and then, takes them out, and clears `dirty`.
    // ERG_BAD_PHYSICS: the state is spoilt, and the loop rolls back.
    erg_status (*step)(erg_world *world, bool more, double *dt, erg_error *err);
    // Whether steps differ in length. NULL: each is world->clock.dt long.
    bool (*varies_dt)(const erg_world *world);
    // Finishes what the last step left, and brings state home from a device. NULL: nothing is left.
    erg_status (*sync)(erg_world *world, erg_error *err);

    // NULL: nothing of its own depends on any of it.
    erg_status (*changed)(erg_world *world, ergi_change what, erg_error *err);
    // Takes out the grains that world->leaves marks, at a step boundary.
    erg_status (*remove)(erg_world *world, erg_error *err);

    // Every touching contact; the order depends on the state alone. Without `forces` only names and
    // history are told. NULL: there are none.
    void (*contacts)(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user);
    // Gives *table the form that the stored table of that name has, where it depends on plain
    // state, which was loaded before. May be NULL.
    void (*describe)(const erg_world *world, const ergi_loaded *loaded, const char *name,
                     ergi_table *table);
    // Checks that what was loaded can be a state of this world: ergi_load_misfit. NULL: it has
    // registered nothing.
    erg_status (*check)(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

    // Adds what it knows: energies, rebuilds, times, memory. May be NULL.
    void (*stats)(const erg_world *world, erg_stats *stats);
    // Memory of its own now; that of a grain of so many spheres in a dense bed, beside its rows in
    // the world's table; and what comes on top once there are so many spheres [bytes]. May be NULL.
    size_t (*bytes)(const erg_world *world);
    double (*grain_bytes)(const erg_world *world, double spheres);
    double (*expected_bytes)(const erg_world *world, double spheres);

    // A world without grains inherits the contact history of another of which it holds copies, in
    // the order of its memory. NULL: there is no history.
    erg_status (*inherit)(erg_world *world, const erg_world *from, erg_error *err);

    const char *(*isa)(const erg_world *world); // instruction set that it runs on; NULL: "scalar"
    double (*skin)(const erg_world *world); // mean gap up to which pairs are listed [m]; NULL: 0
} ergi_solver;

// The same for a solver that may have none.
static inline bool ergi_solver_varies_dt(const erg_world *world)
{
    return world->solver->varies_dt && world->solver->varies_dt(world);
}

static inline erg_status ergi_solver_changed(erg_world *world, ergi_change what, erg_error *err)
{
    return world->solver->changed ? world->solver->changed(world, what, err) : ERG_OK;
}

static inline void ergi_solver_contacts(const erg_world *world, bool forces, ergi_contact_fn *visit,
                                        void *user)
{
    if (world->solver->contacts) world->solver->contacts(world, forces, visit, user);
}

// Of one grain of so many spheres, in all [bytes].
static inline double ergi_solver_grain_bytes(const erg_world *world, double spheres)
{
    double own = world->solver->grain_bytes ? world->solver->grain_bytes(world, spheres) : 0;
    return ergi_world_row_bytes(world) + own;
}

#endif
