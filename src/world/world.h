// The inside of a world. Parameters (what the caller defined) and state (what changes by stepping)
// stand apart; the state is tables, so that it can be sorted, copied, saved and hashed by their
// description. Functions outside src/world and src/dem are handed the arrays they need instead.
#ifndef ERGI_WORLD_H
#define ERGI_WORLD_H

#include "base/shares.h"
#include "base/table.h"
#include "base/team.h"
#include "base/threads.h"
#include "contact/grid.h"
#include "contact/halving.h"
#include "contact/lattice.h"
#include "contact/lists.h"
#include "erg/world.h"
#include "geom/region.h"
#include "world/calibrate.h"
#include "world/rigid.h"
#include "world/rigid_near.h"
#include "world/shape.h"
#include "world/wall.h"

#define ERGI_NAME_ROOM 64

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

// Spheres: derived from the bodies. In a world of single spheres only `klass` and
// `reference` exist and all else is the bodies' own.
#define ERGI_SPHERE_COLUMNS(X)                                                                     \
    X(POSITION, position, ERGI_F64, 4) /* x y z radius */                                          \
    X(MOTION, motion, ERGI_REAL, 8)    /* velocity, 0, spin, 0 */                                  \
    X(LOAD, load, ERGI_REAL, 8)        /* force, 0, torque about the sphere's centre, 0 */         \
    X(BODY, body, ERGI_U32, 1)                                                                     \
    X(CLASS, klass, ERGI_U32, 1)           /* row and column in the table of laws */               \
    X(REFERENCE, reference, ERGI_PLACE, 4) /* place when the lists were made, and its margin */

enum {
#define X(NAME, name, type, width) ERGI_SPHERE_##NAME,
    ERGI_SPHERE_COLUMNS(X)
#undef X
        ERGI_SPHERE_COLUMN_COUNT
};

// Spheres that touch alike: same material, radius and body mass. A world with more than
// ERGI_MAX_CLASSES of them has one class a material and coefficients with every list entry.
#define ERGI_MAX_CLASSES 32
#define ERGI_MAX_MATERIALS ERG_MAX_MATERIALS
typedef struct ergi_class {
    uint32_t material;
    double   radius, mass;
} ergi_class;

// Where bodies touched walls and each other in the last step, sorted by walls.
enum {
    ERGI_TOUCH_WALLS,  // the two walls, the first before the second
    ERGI_TOUCH_PLACE,  // ball, 1 if it is the second wall's, feature of the other wall
    ERGI_TOUCH_MEMORY, // slide, roll, normal, part of the contact
    ERGI_TOUCH_COLUMNS
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

// Found by one chunk of a pass; chunks are put together in order.
typedef struct ergi_report {
    uint64_t contacts, wall_contacts;
    double   work[2];       // of the contact forces in the kicks after and before the drift [J]
    double   overlap_ratio; // largest overlap over the smaller radius
    double   way2;          // largest squared way of a sphere from its reference, in margins
    double   speed_ratio;   // largest way in this step over radius; NaN counts as infinite
    double   error;         // RKF45
    uint32_t overlap_a, overlap_b; // spheres; overlap_b: partner, or wall when overlap_wall
    uint32_t fastest;              // body
    uint32_t overlap_wall;         // bool
} ergi_report;

// How far a chunk of bodies that runs ahead has come in this step.
typedef struct ergi_chunk_work {
    _Atomic bool done;     // its contacts
    _Atomic bool late;     // its motion, which had to wait, is for whoever comes first
    double       motion_s; // that its motion took
} ergi_chunk_work;

// How far the spheres of a chunk may have gone since their lists were made, along an axis and in
// their margins.
typedef struct ergi_chunk_way {
    double way;     // none has gone farther; INFINITY: not known
    double step;    // of that, by the last step
    double inverse; // one over the least margin [1/m]
} ergi_chunk_way;

// Where the time of stepping goes.
typedef enum ergi_phase {
    ERGI_PHASE_SORT,
    ERGI_PHASE_LISTS,
    ERGI_PHASE_FORCES,
    ERGI_PHASE_INTEGRATE,
    ERGI_PHASES
} ergi_phase;

// A second copy of all state, to go back to when a step turns out bad.
typedef struct ergi_keep ergi_keep;

struct erg_world {
    erg_world_def def;
    bool          prepared;
    uint64_t      fingerprint; // of all definitions so far, in the order of adding
    double       skin; // mean gap up to which pairs are listed; follows the motion unless given [m]
    double       skin_scale;       // smallest diameter [m]
    double       skin_most;        // that periodic boundaries allow [m]
    double       largest_diameter; // of a sphere [m]
    char         dt_reason[320];
    double       contact_time; // shortest expected; dt may not exceed a tenth [s]
    ergi_threads threads;      // its count follows the team's
    ergi_team    team;
    ergi_space   space;

    ergi_material    *material;
    ergi_pair        *pair; // materials squared
    erg_pair_def     *pair_override;
    ergi_kind        *kind;
    ergi_world_wall  *wall;
    ergi_emitter     *emitter;
    ergi_sink        *sink;
    size_t            materials, pair_overrides, kinds, walls, emitters, sinks, fills;
    size_t            ball_kinds; // of the kinds, the last ones
    ergi_rigid_shape *rigid_shape;
    size_t rigid_shapes, rigids, free_rigids; // of the walls, so many are bodies, and free

    ergi_clock          clock;
    ergi_emitter_state *emitter_state;
    ergi_sink_state    *sink_state;
    ergi_wall_state    *wall_state;
    ergi_table          bodies;
    ergi_table          spheres;
    ergi_table          rigid_touch;
    bool                single;        // every grain so far is a single sphere
    size_t              listed_bodies; // bodies that had spheres when those were last made
    bool                new_clumps;    // clumps were added since
    bool                owes_kick;     // the last step's second kick was not given yet
    bool                ahead;         // bodies have started on the next step already
    bool                dirty; // bodies were added, removed or moved by hand: lists are void
    ergi_class          klass[ERGI_MAX_CLASSES];
    size_t              classes;
    bool                class_per_material;

    // Contacts.
    ergi_grid          grid;
    ergi_lattice       lattice;
    ergi_lists         lists, lists_spare;
    ergi_list_scratch  scratch;
    float             *margin;        // of each sphere, for the next lists [m]
    bool               margins_known; // `margin` is that of the present lists
    uint32_t          *was;           // old number of each sphere, after sorting
    uint32_t          *order;
    uint8_t           *leaves;
    ergi_halving_item *sorting;
    size_t             margin_room, was_room, order_room, sorting_room, leaves_room;
    size_t             most_listing; // for lists and their making, when they were last made [bytes]
    bool               sparing;      // what only their making needs was given back
    double             extent;       // farthest sphere from the origin when the lists were made [m]

    // The laws, in the kernel's precision.
    const struct ergi_dem_kernels *kernels;
    void                          *law; // ergi_pair_law, classes squared
    void *coef;                         // ergi_coef, classes squared, unless entries have their own
    int   normal_law, tangential_law;   // of all pairs, or -1: mixed
    bool  rolling, cohesion;
    int   one_law; // where the law of all grains stands in `law`, when they have but one; else -1
    int   memory_width, wall_slots;
    uint32_t     class_material[ERGI_MAX_MATERIALS]; // of each class
    ergi_report *report;                             // what each chunk of a pass found
    ergi_report  worst_overlap;                      // of the last force evaluation
    double       start_overlap; // largest at t = 0, over the smaller radius; no part of the state
    double       wall_power;    // that moving walls put into the grains, then [W]
    double       speed_ratio;   // largest way in the last step over radius
    double       way2;          // largest squared way since the lists were made, in margins
    uint32_t     fastest;       // the body that went it
    double      *wall_sum;      // per chunk and wall that is felt: force, torque
    char        *push;          // of outer pairs, a row of eight each, for the partner
    ergi_chunk_work *chunk_work;
    ergi_chunk_way  *chunk_way; // of chunks of bodies, while these are single spheres
    bool             ways_known;
    uint32_t        *late;   // chunks whose bodies had to wait for pushes from other threads
    ergi_share      *shares; // one a thread
    size_t push_room, report_room, wall_sum_room, chunk_work_room, chunk_way_room, late_room,
        shares_room;
    double          *runge; // scratch of RKF45
    ergi_wall_state *runge_walls;
    size_t           runge_room, runge_walls_room;

    ergi_rigid_near rigid_near;
    double          rigid_overlap; // largest of bodies in the last step, over the smaller radius
    uint32_t        rigid_deepest; // the pair of rigid_near that has it
    double          rigid_energy;  // in the springs between bodies, and on walls, then [J]

    double phase[ERGI_PHASES]; // wall time so far; no part of the state [s]

    erg_command *command; // queue: applied ones first
    size_t       commands, command_room, commands_done;

    ergi_keep *keep;
};

// Typed columns; `name` as in the lists above.
#define ERGI_BODY(world, NAME, type) ((type *)(world)->bodies.data[ERGI_BODY_##NAME])

// Where in the rows of motion and load.
enum { ERGI_VELOCITY = 0, ERGI_SPIN = 4, ERGI_FORCE = 0, ERGI_TORQUE = 4 };
enum { ERGI_WALL_SUM = 8 }; // numbers of such a row, in the sums of what walls feel

// The arrays of the spheres, wherever they are kept.
typedef struct ergi_sphere_arrays {
    double   *position;
    void     *motion, *load;
    size_t    load_from; // the sphere whose load stands first
    uint32_t *body;      // NULL: sphere i is body i
    uint32_t *klass;
    void     *reference;
    erg_index count;
} ergi_sphere_arrays;

ergi_sphere_arrays ergi_world_spheres(const erg_world *world);

// Whether the wall moves by itself, as told, or as a free body.
static inline bool ergi_wall_moves(const ergi_world_wall *wall)
{
    return wall->rigid.free || ergi_motion_moves(&wall->wall.motion);
}

ergi_type ergi_world_real(const erg_world *world);
double    ergi_body_mass(const erg_world *world, erg_index body);
// What a grain of so many spheres takes when it runs in a dense bed, about [bytes].
double ergi_world_grain_bytes(const erg_world *world, double spheres);
void   ergi_body_inertia(const erg_world *world, erg_index body, double inertia[3]); // principal
double ergi_real_at(const void *array, ergi_type real, size_t index);
// Three numbers of a row of eight.
void       ergi_get3(const void *rows, ergi_type real, size_t row, int at, double out[3]);
void       ergi_put3(void *rows, ergi_type real, size_t row, int at, const double in[3]);
void       ergi_log(const erg_world *world, erg_log_level level, const char *format, ...);
erg_status ergi_copy_name(char name[ERGI_NAME_ROOM], const char *from, const char *what,
                          erg_error *err);

#endif
