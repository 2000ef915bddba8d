// What DEM has of its own in a world: spheres, lists, laws, and the room that its passes work in.
#ifndef ERGI_DEM_H
#define ERGI_DEM_H

#include "base/work_queue.h"
#include "contact/bisection.h"
#include "contact/candidates.h"
#include "contact/near_walls.h"
#include "dem/body_near.h"
#include "dem/fixed_point.h"
#include "dem/lists.h"
#include "dem/wall_sums.h"
#include "world/world.h"

// Spheres: derived from the grains. In a world of single spheres only `klass` and
// `reference` exist and all else is the grains' own.
#define ERGI_SPHERE_COLUMNS(X)                                                                     \
    X(POSITION, position, ERGI_F64, 4) /* x y z radius */                                          \
    X(MOTION, motion, ERGI_REAL, 8)    /* velocity, 0, spin, 0 */                                  \
    X(FORCE_TORQUE, force_torque, ERGI_REAL,                                                       \
      8) /* force, 0, torque about the sphere's centre, 0 */                                       \
    X(GRAIN, grain, ERGI_U32, 1)                                                                   \
    X(CLASS, klass, ERGI_U32, 1)           /* row and column in the table of laws */               \
    X(REFERENCE, reference, ERGI_FIXED, 4) /* place when the lists were made, and its skin */

enum {
#define X(NAME, name, type, width) ERGI_SPHERE_##NAME,
    ERGI_SPHERE_COLUMNS(X)
#undef X
        ERGI_SPHERE_COLUMN_COUNT
};

// Spheres that touch alike: same material, radius and grain mass. A world with more than
// ERGI_MAX_CLASSES of them has one class a material and coefficients with every list entry.
#define ERGI_MAX_CLASSES 32
typedef struct ergi_class {
    uint32_t material;
    double   radius, mass;
} ergi_class;

// Where bodies touched walls and each other in the last step, sorted by walls.
enum {
    ERGI_BODY_CONTACT_WALLS,   // the two walls, the first before the second
    ERGI_BODY_CONTACT_PLACE,   // ball, 1 if it is the second wall's, feature of the other wall
    ERGI_BODY_CONTACT_HISTORY, // slide, roll, normal, part of the contact
    ERGI_BODY_CONTACT_COLUMNS
};

// Found by one chunk of a pass; chunks are put together in order.
typedef struct ergi_report {
    uint64_t contacts, wall_contacts;
    double   work[2];       // of the contact forces in the kicks after and before the drift [J]
    double   overlap_ratio; // largest overlap over the smaller radius
    double   displacement2; // largest squared way of a sphere from its reference, in skins
    double   speed_ratio;   // largest way in this step over radius; NaN counts as infinite
    double   error;         // RKF45
    uint32_t overlap_a, overlap_b; // spheres; overlap_b: partner, or wall when overlap_wall
    uint32_t fastest;              // grain
    uint32_t overlap_wall;         // bool
} ergi_report;

// How far a chunk of grains that runs ahead has come in this step.
typedef struct ergi_chunk_work {
    _Atomic bool done;     // its contacts
    _Atomic bool late;     // its motion, which had to wait, is for whoever comes first
    double       motion_s; // that its motion took
} ergi_chunk_work;

// How far the spheres of a chunk may have gone since their lists were made, along an axis and in
// their skins.
typedef struct ergi_chunk_displacement {
    double displacement; // none has gone farther; INFINITY: not known
    double step;         // of that, by the last step
    double inverse;      // one over the least skin [1/m]
} ergi_chunk_displacement;

// Where the time of stepping goes.
typedef enum ergi_phase {
    ERGI_PHASE_SORT,
    ERGI_PHASE_LISTS,
    ERGI_PHASE_FORCES,
    ERGI_PHASE_INTEGRATE,
    ERGI_PHASES
} ergi_phase;

// Plain data that is state: saved and copied as it is.
typedef struct ergi_dem_state {
    double     skin;   // mean gap up to which pairs are listed; follows the motion unless given [m]
    uint64_t   single; // every grain in the lists is a single sphere
    uint64_t   listed_grains; // that had spheres when those were last made
    uint64_t   class_per_material, classes;
    double     extent;       // farthest sphere from the origin when the lists were made [m]
    double     wall_power;   // that moving walls put into the grains in the last step [W]
    double     contact_time; // shortest expected; dt may not exceed a tenth [s]
    double     body_energy;  // in the springs between bodies, and on walls, in the last step [J]
    ergi_class klass[ERGI_MAX_CLASSES];
} ergi_dem_state;

typedef struct ergi_dem {
    ergi_dem_state state;
    ergi_table     spheres;
    ergi_table     body_contacts;
    bool           kick_deferred; // the last step's second kick was not given yet
    bool           started_ahead; // grains have started on the next step already

    // Lists.
    double               skin_scale;       // smallest diameter [m]
    double               skin_most;        // that periodic boundaries allow [m]
    double               largest_diameter; // of a sphere [m]
    ergi_grid            grid;
    ergi_fixed_point     fixed_point;
    ergi_lists           lists, lists_spare;
    ergi_candidates      candidates;
    ergi_near_walls      near_walls;
    uint32_t            *found;       // of a build: counts of each sphere
    float               *sphere_skin; // of each sphere, for the next lists [m]
    bool                 skins_known; // `skin` is that of the present lists
    uint32_t            *was;         // old number of each sphere, after sorting
    uint32_t            *order;
    ergi_bisection_item *sorting;
    size_t               sphere_skin_room, was_room, order_room, sorting_room, found_room;
    size_t most_listing; // for lists and their making, when they were last made [bytes]
    bool   sparing;      // what only their making needs was given back

    // The laws, in the kernel's precision.
    const struct ergi_dem_kernels *kernels;
    void                          *law; // ergi_pair_law, classes squared
    void *coef;                         // ergi_coef, classes squared, unless entries have their own
    int   normal_law, tangential_law;   // of all pairs, or -1: mixed
    bool  rolling, cohesion;
    int   one_law; // where the law of all grains stands in `law`, when they have but one; else -1
    int   history_width, wall_slots;
    uint32_t class_material[ERGI_MAX_MATERIALS]; // of each class

    // What the passes found, and their room.
    ergi_report     *report;        // what each chunk of a pass found
    ergi_report      worst_overlap; // of the last force evaluation
    double           start_overlap; // largest at t = 0, over the smaller radius; no state
    double           speed_ratio;   // largest way in the last step over radius
    double           displacement2; // largest squared way since the lists were made, in skins
    uint32_t         fastest;       // the grain that went it
    ergi_wall_sums   wall_sums;
    char            *partner_force; // of outer pairs, a row of eight each, for the partner
    ergi_chunk_work *chunk_work;
    ergi_chunk_displacement
                    *chunk_displacement; // of chunks of grains, while these are single spheres
    bool             displacements_known;
    uint32_t        *late;   // chunks whose grains had to wait for pushes from other threads
    ergi_work_queue *queues; // one a thread
    size_t partner_force_room, report_room, chunk_work_room, chunk_displacement_room, late_room,
        queues_room;
    double          *runge; // scratch of RKF45
    ergi_wall_state *runge_walls;
    size_t           runge_room, runge_walls_room;

    // Bodies.
    ergi_body_near body_near;
    double         body_overlap; // largest of bodies in the last step, over the smaller radius
    uint32_t       body_deepest; // the pair of body_near that has it

    double phase[ERGI_PHASES]; // wall time so far; no part of the state [s]
} ergi_dem;

static inline ergi_dem *ergi_dem_of(const erg_world *world)
{
    return world->self;
}

// The arrays of the spheres, wherever they are kept.
typedef struct ergi_sphere_arrays {
    double   *position;
    void     *motion, *force_torque;
    size_t    force_torque_first; // the sphere whose load stands first
    uint32_t *grain;              // NULL: sphere i is grain i
    uint32_t *klass;
    void     *reference;
    erg_index count;
} ergi_sphere_arrays;

ergi_sphere_arrays ergi_dem_spheres(const erg_world *world);

#endif
