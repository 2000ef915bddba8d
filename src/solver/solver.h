// Interface of a solver: a table of functions. A solver advances the grains and free bodies of a
// world by one step; the loop around it (loop.h) handles commands, emitters, rollback and the
// clock. A solver keeps its own data in world->self and registers the part of it that is state
// (world/registry.h).
//
// Solvers are independent of each other; a new one is a folder and a line in solvers.h. Members may
// be NULL only where the comment says so.
#ifndef ERGI_SOLVER_H
#define ERGI_SOLVER_H

#include <math.h>

#include "world/world.h"

// What was changed outside the solver.
typedef enum ergi_change {
    ERGI_CHANGED_LAWS,     // friction of pairs of materials
    ERGI_CHANGED_KINDS,    // grain kinds: kinds of balls were added or removed
    ERGI_CHANGED_RESTORED, // all registered state is that of an earlier step
    ERGI_CHANGED_LOADED,   // all registered state is that of a checkpoint
    ERGI_CHANGED_LOST      // rollback failed: all lists are invalid
} ergi_change;

// ---- Contacts ----------------------------------------------------------------------------------
typedef enum ergi_contact_kind {
    ERGI_CONTACT_PAIR,  // two spheres
    ERGI_CONTACT_WALL,  // a sphere and a wall
    ERGI_CONTACT_BODIES // two walls, at least one of them a free body
} ergi_contact_kind;

// One touching contact. For contacts between bodies only ids and history are set.
typedef struct ergi_contact_view {
    ergi_contact_kind kind;
    erg_contact       contact;             // ids; the rest only if forces are requested
    uint32_t          a, b;                // rows of the grains; b is UINT32_MAX at a wall
    const double     *sphere_a, *sphere_b; // x y z radius; NULL at a wall
    double            energy;              // in its springs, if forces are requested [J]
    uint32_t          place[3];            // two bodies: identifies the parts that touch
    const void       *history;
    ergi_type         real;  // type of the history
    size_t            at;    // first number of this contact in the history
    int               width; // numbers
} ergi_contact_view;

typedef void ergi_contact_fn(void *user, const ergi_contact_view *contact);

typedef struct ergi_solver {
    // Creates world->self and registers its state. The world has only its definition so far.
    erg_status (*create)(erg_world *world, erg_error *err);
    void (*destroy)(erg_world *world); // also after a failed create

    // Chooses the step size, prepares the laws and checks all definitions. Called whenever
    // world->prepared is false, before anything else below.
    erg_status (*prepare)(erg_world *world, erg_error *err);

    // Takes one step and sets *dt to its length; the loop advances the clock afterwards. `more`:
    // the next step follows immediately, so parts of the state may be left unfinished until `sync`
    // or that step. The step also moves the walls (world/walls.h). Regularly, and whenever
    // world->clock.dirty is set, it removes the grains that leave (ergi_sources_mark_leaving) and
    // clears `dirty`. ERG_BAD_PHYSICS: the state is invalid, and the loop rolls back.
    erg_status (*step)(erg_world *world, bool more, double *dt, erg_error *err);
    // Whether steps differ in length. NULL: each is world->clock.dt long.
    bool (*varies_dt)(const erg_world *world);
    // Finishes what the last step left unfinished and copies state back from a device. NULL:
    // nothing is left unfinished.
    erg_status (*sync)(erg_world *world, erg_error *err);

    // Called after such a change. NULL: the solver has nothing to update.
    erg_status (*changed)(erg_world *world, ergi_change what, erg_error *err);
    // Removes the grains marked in world->leaves, between steps.
    erg_status (*remove)(erg_world *world, erg_error *err);

    // Visits every touching contact, in an order that depends only on the state. Without `forces`
    // only ids and history are set. NULL: there are no contacts.
    void (*contacts)(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user);
    // Sets the columns of *table to those of the stored table `name`, where they depend on plain
    // state, which is loaded first. May be NULL.
    void (*describe)(const erg_world *world, const ergi_loaded *loaded, const char *name,
                     ergi_table *table);
    // Checks that the loaded data is a valid state of this world; fails with ergi_load_misfit.
    // NULL: the solver has registered nothing.
    erg_status (*check)(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

    // Adds the solver's energies, rebuilds, times and memory. May be NULL.
    void (*stats)(const erg_world *world, erg_stats *stats);
    // Memory of the solver [bytes]: what it holds now; per grain of `spheres` spheres in a dense
    // bed, in addition to the row in the world's table; and what a world of `spheres` spheres needs
    // on top. Each may be NULL.
    size_t (*bytes)(const erg_world *world);
    double (*grain_bytes)(const erg_world *world, double spheres);
    double (*expected_bytes)(const erg_world *world, double spheres);

    // Copies the contact history of `from` to a world that holds only copies of its grains, in the
    // memory order of `from`. NULL: there is no history.
    erg_status (*inherit)(erg_world *world, const erg_world *from, erg_error *err);

    const char *(*isa)(const erg_world *world); // instruction set in use; NULL: "scalar"
    double (*skin)(const erg_world *world); // mean gap up to which pairs are listed [m]; NULL: 0
} ergi_solver;

// The same, for solvers that leave the function NULL.
static inline bool ergi_solver_varies_dt(const erg_world *world)
{
    return world->solver->varies_dt && world->solver->varies_dt(world);
}

// Time after the next step, of length dt. With a fixed step it is a product, so that rounding
// errors do not accumulate. Substeps of the real-time solver are whole parts of a second, and so is
// the time from its start in all but rare cases: it is then rounded to the nearest one.
static inline double ergi_solver_time_after(const erg_world *world, double dt)
{
    const ergi_clock *c = &world->clock;
    if (!ergi_solver_varies_dt(world)) return (double)(c->steps + 1) * dt;
    double time = c->time + dt, rate = rint(1 / dt), steps = rint(time * rate);
    bool   whole = fabs(rate * dt - 1) < 1e-12 && fabs(time * rate - steps) < 1e-6;
    return whole ? steps / rate : time;
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

// Total memory per grain of `spheres` spheres [bytes].
static inline double ergi_solver_grain_bytes(const erg_world *world, double spheres)
{
    double own = world->solver->grain_bytes ? world->solver->grain_bytes(world, spheres) : 0;
    return ergi_world_row_bytes(world) + own;
}

#endif
