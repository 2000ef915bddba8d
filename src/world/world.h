// The inside of a world. Parameters (what the caller defined) and state (what changes by stepping)
// stand apart; the state is tables, so that it can be sorted, copied, saved and hashed by their
// description. What a solver
// works with beside it is its own (`self`).
#ifndef ERGI_WORLD_H
#define ERGI_WORLD_H

#include "base/table.h"
#include "base/team.h"
#include "base/threads.h"
#include "erg/world.h"
#include "geom/region.h"
#include "geom/space.h"
#include "world/calibrate.h"
#include "world/registry.h"
#include "world/rigid.h"
#include "world/shape.h"
#include "world/wall.h"

#define ERGI_NAME_ROOM 64
#define ERGI_MAX_MATERIALS ERG_MAX_MATERIALS

// ---- Parameters --------------------------------------------------------------------------------
typedef struct ergi_material {
    char             name[ERGI_NAME_ROOM];
    erg_material_def def;
} ergi_material;

typedef struct ergi_kind {
    char       name[ERGI_NAME_ROOM];
    uint32_t   material; // number, from 0
    double     density;  // [kg/m^3]
    ergi_shape shape;
    erg_sizes  sizes; // values and weights owned
} ergi_kind;

// Numbers of one ordered pair of materials, for the laws: all in double, turned into the kernel's
// precision when it is loaded.
typedef struct ergi_pair {
    ergi_pair_scales scales;
    ergi_coef_scales coefs; // of `scales`
    double           friction, friction_static, rolling, rolling_damping, twisting, cohesion;
    double           friction_defined, friction_static_defined; // before any command
} ergi_pair;

typedef struct ergi_world_wall {
    char       name[ERGI_NAME_ROOM];
    uint32_t   material;
    ergi_wall  wall;
    ergi_rigid rigid; // where the wall is a body
} ergi_world_wall;

typedef struct ergi_emitter {
    char       name[ERGI_NAME_ROOM];
    uint32_t   kind;
    erg_region region; // a copy of our own
    erg_vec3   velocity;
    double     spread, start, stop;
    uint64_t   limit;
    bool       warned; // that it cannot keep its rate; no part of the state
} ergi_emitter;

typedef struct ergi_sink {
    char       name[ERGI_NAME_ROOM];
    erg_region region; // a copy of our own
    double     start, stop;
} ergi_sink;

// ---- State -------------------------------------------------------------------------------------
// Bodies: one row each, in the order of space. X(NAME, name, type, width)
#define ERGI_BODY_COLUMNS(X)                                                                       \
    X(ID, id, ERGI_U64, 1)                                                                         \
    X(POSITION, position, ERGI_F64, 4)       /* x y z, and the radius of a single sphere */        \
    X(ORIENTATION, orientation, ERGI_F64, 4) /* x y z w */                                         \
    /* velocity, 1/mass, spin, 1/inertia where it is the same about all axes, else 0 */            \
    X(MOTION, motion, ERGI_REAL, 8)                                                                \
    X(LOAD, load, ERGI_REAL, 8) /* force, 0, torque, 0 of the contacts, end of the last step */    \
    X(KIND, kind, ERGI_U32, 1)                                                                     \
    X(SIZE, size, ERGI_F64, 1)   /* radius, or factor of a sphere list */                          \
    X(FIRST, first, ERGI_U32, 1) /* its first sphere */

enum {
#define X(NAME, name, type, width) ERGI_BODY_##NAME,
    ERGI_BODY_COLUMNS(X)
#undef X
        ERGI_BODY_COLUMN_COUNT
};

// What stepping changes beside the tables. Plain data: copied and saved as it is.
typedef struct ergi_clock {
    uint64_t steps;
    double   time; // steps * dt while dt is fixed [s]
    double   dt;   // RKF45: the next step to try [s]
    uint64_t next_id;
    uint64_t rebuilds, rebuilds_since_sort;
    uint64_t list_step; // at which the lists were made
    uint64_t emitted, removed, lost;
    uint64_t contacts, wall_contacts;
    uint64_t body_contacts; // pairs of bodies, and of bodies and walls, that touch
    uint64_t dirty;         // grains were added, removed or moved by hand: lists are void
    uint64_t fills, commands_done;
    double   work; // done by the contacts on the bodies, less what walls put in, since t = 0 [J]
    double
        rigid_work; // the same for free bodies; a sum of its own, since it has an order of its own
    double max_overlap_ratio;
    double gravity[3];
} ergi_clock;

typedef struct ergi_emitter_state {
    double   rate; // [1/s]
    double   due;  // grains that should have come but did not yet
    double   last; // time of the last release [s]; before the first, the start
    uint64_t given;
    uint64_t tries; // counter of random numbers
    double   mass;
    double   short_time;  // how long there has been too little room [s]
    uint64_t short_given; // grains released in that time
} ergi_emitter_state;

typedef struct ergi_sink_state {
    uint64_t taken;
    double   mass;
    uint64_t opened; // it has been looked at since its start
} ergi_sink_state;

typedef struct ergi_wall_state {
    ergi_motion_state motion;
    ergi_pose         pose;        // now
    ergi_pose         list_pose;   // when the lists of spheres near it were made
    double            list_margin; // way that it may go before they are void [m]
    double            sweep;       // that it has gone since, at most [m]
    // By grains and bodies, last step; on one that stands still not after a step that another
    // follows at once.
    double force[3], torque[3];
} ergi_wall_state;

// A second copy of all state, to go back to when a step turns out bad.
typedef struct ergi_keep ergi_keep;

struct erg_world {
    erg_world_def def;
    bool          prepared;     // for all definitions
    bool          was_prepared; // for those of some time
    uint64_t      fingerprint;  // of all definitions so far, in the order of adding
    char          dt_reason[320];
    ergi_threads  threads; // its count follows the team's
    ergi_team     team;
    ergi_space    space;

    ergi_material    *material;
    ergi_pair        *pair; // materials squared
    erg_pair_def     *pair_override;
    ergi_kind        *kind;
    ergi_world_wall  *wall;
    ergi_emitter     *emitter;
    ergi_sink        *sink;
    size_t            materials, pair_overrides, kinds, walls, emitters, sinks;
    size_t            ball_kinds; // of the kinds, the last ones
    ergi_rigid_shape *rigid_shape;
    size_t    rigid_shapes, rigids, free_rigids; // of the walls, so many are bodies, and free
    uint32_t *mover; // walls that move by themselves, as told or as free bodies, ascending
    size_t    movers;

    ergi_clock          clock;
    ergi_emitter_state *emitter_state;
    ergi_sink_state    *sink_state;
    ergi_wall_state    *wall_state;
    ergi_table          bodies;
    uint8_t            *leaves; // bodies that leave
    size_t              leaves_room;

    erg_command *command; // queue: applied ones first
    size_t       commands, command_room;

    const struct ergi_solver *solver;
    void                     *self; // the solver's own
    struct ergi_upsample     *upsample; // fine particles, NULL: none
    ergi_registry             registry;
    ergi_keep                *keep;
};

// Typed columns; `name` as in the lists above.
#define ERGI_BODY(world, NAME, type) ((type *)(world)->bodies.data[ERGI_BODY_##NAME])

// Where in the rows of motion and load.
enum { ERGI_VELOCITY = 0, ERGI_SPIN = 4, ERGI_FORCE = 0, ERGI_TORQUE = 4 };

// Whether the wall moves by itself, as told, or as a free body.
static inline bool ergi_wall_moves(const ergi_world_wall *wall)
{
    return wall->rigid.free || ergi_motion_moves(&wall->wall.motion);
}

ergi_type ergi_world_real(const erg_world *world);
double    ergi_body_mass(const erg_world *world, erg_index body);
double    ergi_world_row_bytes(const erg_world *world); // of a grain in the tables of the world
void      ergi_body_inertia(const erg_world *world, erg_index body, double inertia[3]); // principal
double    ergi_real_at(const void *array, ergi_type real, size_t index);
// Three numbers of a row of eight.
void       ergi_get3(const void *rows, ergi_type real, size_t row, int at, double out[3]);
void       ergi_put3(void *rows, ergi_type real, size_t row, int at, const double in[3]);
void       ergi_log(const erg_world *world, erg_log_level level, const char *format, ...);
erg_status ergi_copy_name(char name[ERGI_NAME_ROOM], const char *from, const char *what,
                          erg_error *err);

#endif
