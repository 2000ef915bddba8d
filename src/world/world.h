// The internals of a world. Parameters (what the caller defined) and state (what stepping changes)
// are separate; the state is in tables, so that it can be sorted, copied, saved and hashed by their
// description. A solver keeps its own data in `self`.
#ifndef ERGI_WORLD_H
#define ERGI_WORLD_H

#include "base/table.h"
#include "base/thread_tuning.h"
#include "base/threads.h"
#include "erg/world.h"
#include "geom/region.h"
#include "geom/space.h"
#include "world/body.h"
#include "world/calibrate.h"
#include "world/registry.h"
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

// Contact parameters of one ordered pair of materials, all in double; converted to the kernel's
// precision when loaded.
typedef struct ergi_material_pair {
    ergi_pair_scales scales;
    ergi_coef_scales coefs; // of `scales`
    double           friction, friction_static, rolling, rolling_damping, twisting, cohesion;
    double           friction_defined, friction_static_defined; // before any command
} ergi_material_pair;

typedef struct ergi_world_wall {
    char      name[ERGI_NAME_ROOM];
    uint32_t  material;
    ergi_wall wall;
    ergi_body body;    // if the wall is a body
    uint32_t  carrier; // number, from 1, of the wall that carries it; 0: none
    bool      carried; // by a wall that moves
    bool      carries; // another wall
} ergi_world_wall;

typedef struct ergi_emitter {
    char       name[ERGI_NAME_ROOM];
    uint32_t   kind;
    erg_region region; // owned copy
    erg_vec3   velocity;
    double     spread, start, stop;
    uint64_t   limit;
    bool       warned; // that it cannot keep its rate; not part of the state
} ergi_emitter;

typedef struct ergi_sink {
    char       name[ERGI_NAME_ROOM];
    erg_region region; // owned copy
    double     start, stop;
} ergi_sink;

// ---- State -------------------------------------------------------------------------------------
// Grains: one row each, sorted in space. X(NAME, name, type, width)
#define ERGI_GRAIN_COLUMNS(X)                                                                      \
    X(ID, id, ERGI_U64, 1)                                                                         \
    X(POSITION, position, ERGI_F64, 4)       /* x y z, and the radius of a single sphere */        \
    X(ORIENTATION, orientation, ERGI_F64, 4) /* x y z w */                                         \
    /* velocity, 1/mass, spin, 1/inertia where it is the same about all axes, else 0 */            \
    X(MOTION, motion, ERGI_REAL, 8)                                                                \
    X(FORCE_TORQUE, force_torque, ERGI_REAL,                                                       \
      8) /* force, 0, torque, 0 of the contacts, end of the last step */                           \
    X(KIND, kind, ERGI_U32, 1)                                                                     \
    X(SIZE, size, ERGI_F64, 1)   /* radius, or factor of a sphere list */                          \
    X(FIRST, first, ERGI_U32, 1) /* its first sphere */

enum {
#define X(NAME, name, type, width) ERGI_GRAIN_##NAME,
    ERGI_GRAIN_COLUMNS(X)
#undef X
        ERGI_GRAIN_COLUMN_COUNT
};

// Scalar state of the world: time, counters, energies, gravity. Not the wall clock (base/clock.h).
// Plain data: copied and saved as is.
typedef struct ergi_clock {
    uint64_t steps;
    double   time; // steps * dt while dt is fixed [s]
    double   dt;   // RKF45: the next step to try [s]
    uint64_t next_id;
    uint64_t rebuilds, rebuilds_since_sort;
    uint64_t list_step; // at which the lists were built
    uint64_t emitted, removed, lost;
    uint64_t contacts, wall_contacts;
    uint64_t body_contacts; // pairs of bodies, and of bodies and walls, that touch
    uint64_t dirty;         // grains were added, removed or moved by the caller: lists are invalid
    uint64_t fills, commands_done;
    double work; // done by the contacts on the grains, minus that of moving walls, since t = 0 [J]
    double body_work; // the same for free bodies; separate, as it is summed in another order [J]
    double max_overlap_ratio;
    double gravity[3];
} ergi_clock;

typedef struct ergi_emitter_state {
    double   rate; // [1/s]
    double   due;  // grains due but not yet released
    double   last; // time of the last release [s]; before the first, the start
    uint64_t given;
    uint64_t tries; // counter of random numbers
    double   mass;
    double   short_time;  // how long there has been too little space [s]
    uint64_t short_given; // grains released in that time
} ergi_emitter_state;

typedef struct ergi_sink_state {
    uint64_t taken;
    double   mass;
    uint64_t opened; // it has been checked since its start
} ergi_sink_state;

typedef struct ergi_wall_state {
    ergi_motion_state motion;
    ergi_pose         pose;      // now
    ergi_pose         list_pose; // when the lists of spheres near it were built
    double            list_skin; // distance that it may move before they are invalid [m]
    double            sweep;     // upper bound of its movement since then [m]
    // From grains and bodies in the last step. For a wall at rest, not valid after a step that
    // another follows immediately.
    double force[3], torque[3];
} ergi_wall_state;

// A copy of all state, restored when a step fails.
typedef struct ergi_rollback ergi_rollback;

struct erg_world {
    erg_world_def      def;
    bool               prepared;     // for all definitions
    bool               was_prepared; // at least once
    uint64_t           fingerprint;  // of all definitions so far, in the order of adding
    char               dt_reason[320];
    ergi_threads       threads; // its count is set by thread_tuning
    ergi_thread_tuning thread_tuning;
    ergi_space         space;

    ergi_material      *material;
    ergi_material_pair *pair; // materials squared
    erg_pair_def       *pair_override;
    ergi_kind          *kind;
    ergi_world_wall    *wall;
    ergi_emitter       *emitter;
    ergi_sink          *sink;
    size_t              materials, pair_overrides, kinds, walls, emitters, sinks;
    size_t              ball_kinds; // the last ones of the kinds
    ergi_body_shape    *body_shape;
    size_t              body_shapes, bodies, free_bodies; // walls that are bodies, and free ones
    uint32_t           *mover; // walls that move, free bodies and the terrain included, ascending
    size_t              movers;

    ergi_clock          clock;
    ergi_emitter_state *emitter_state;
    ergi_sink_state    *sink_state;
    ergi_wall_state    *wall_state;
    ergi_table          grains;
    uint8_t            *leaves; // marks the grains to be removed
    size_t              leaves_room;

    erg_command *command; // queue: applied ones first
    size_t       commands, command_room;

    const struct ergi_solver *solver;
    void                     *self;     // the solver's data
    struct ergi_upsample     *upsample; // fine particles, NULL: none
    struct ergi_terrain      *terrain;  // columns of sand, NULL: none
    ergi_registry             registry;
    ergi_rollback            *rollback;
};

// A typed column; NAME as in ERGI_GRAIN_COLUMNS.
#define ERGI_GRAIN(world, NAME, type) ((type *)(world)->grains.data[ERGI_GRAIN_##NAME])

// Offsets in the rows of motion and force_torque.
enum { ERGI_VELOCITY = 0, ERGI_SPIN = 4, ERGI_FORCE = 0, ERGI_TORQUE = 4 };

// Whether the wall is the terrain, whose surface moves although its pose does not. How far is added
// to `sweep` from outside (ergi_terrain_moved).
static inline bool ergi_wall_is_terrain(const ergi_world_wall *wall)
{
    return wall->wall.surface.kind == ERGI_SURFACE_HEIGHTS;
}

// Whether the wall has a motion, is carried by one that moves, or is a free body.
static inline bool ergi_wall_pose_moves(const ergi_world_wall *wall)
{
    return wall->body.free || wall->carried || ergi_motion_moves(&wall->wall.motion);
}

// Whether its surface moves, so that the lists of spheres near it may become invalid.
static inline bool ergi_wall_moves(const ergi_world_wall *wall)
{
    return ergi_wall_pose_moves(wall) || ergi_wall_is_terrain(wall);
}

// Skin of the terrain's wall, in units of the smallest diameter of a grain.
#define ERGI_TERRAIN_SKIN 0.25

// Adds the wall that grains touch as the terrain, with the number *wall, from 0, and one for the
// floor of bodies, `below` the lowest surface. The field is owned by the caller. The fingerprint
// does not change.
erg_status ergi_world_add_terrain_wall(erg_world *world, uint32_t material,
                                       const struct ergi_height_field *field, double below,
                                       uint32_t *wall, erg_error *err);
// Whether gravity points down, as a terrain needs it.
bool ergi_world_gravity_down(erg_vec3 gravity, erg_error *err);

ergi_type ergi_world_real(const erg_world *world);
double    ergi_grain_mass(const erg_world *world, erg_index grain);
double    ergi_world_row_bytes(const erg_world *world); // of a grain in the tables of the world
void   ergi_grain_inertia(const erg_world *world, erg_index grain, double inertia[3]); // principal
double ergi_real_at(const void *array, ergi_type real, size_t index);
// Three numbers of a row of eight.
void       ergi_get3(const void *rows, ergi_type real, size_t row, int at, double out[3]);
void       ergi_put3(void *rows, ergi_type real, size_t row, int at, const double in[3]);
void       ergi_log(const erg_world *world, erg_log_level level, const char *format, ...);
erg_status ergi_copy_name(char name[ERGI_NAME_ROOM], const char *from, const char *what,
                          erg_error *err);

#endif
