// DEM's own data of a world: spheres, lists, laws, and the buffers of its passes.
#ifndef ERGI_DEM_H
#define ERGI_DEM_H

#include "base/work_queue.h"
#include "contact/bisection.h"
#include "contact/candidates.h"
#include "contact/near_ground.h"
#include "contact/near_walls.h"
#include "dem/body_near.h"
#include "dem/fixed_point.h"
#include "dem/lists.h"
#include "dem/wall_sums.h"
#include "world/world.h"

// Spheres: derived from the grains. In a world of single spheres only `klass` and `reference`
// exist; all else is read from the grains' table.
#define ERGI_SPHERE_COLUMNS(X)                                                                     \
    X(POSITION, position, ERGI_F64, 4) /* x y z radius */                                          \
    X(MOTION, motion, ERGI_REAL, 8)    /* velocity, 0, spin, 0 */                                  \
    X(FORCE_TORQUE, force_torque, ERGI_REAL,                                                       \
      8) /* force, 0, torque about the sphere's centre, 0 */                                       \
    X(GRAIN, grain, ERGI_U32, 1)                                                                   \
    X(CLASS, klass, ERGI_U32, 1) /* row and column in the table of laws */                         \
    X(REFERENCE, reference, ERGI_FIXED,                                                            \
      4) /* at the last list build: fixed-point position, 1/skin */

enum {
#define X(NAME, name, type, width) ERGI_SPHERE_##NAME,
    ERGI_SPHERE_COLUMNS(X)
#undef X
        ERGI_SPHERE_COLUMN_COUNT
};

// A class: spheres with the same contact coefficients, that is the same material, radius and grain
// mass. A world with more than ERGI_MAX_CLASSES of them has one class per material, and
// coefficients in every list entry.
#define ERGI_MAX_CLASSES 32
typedef struct ergi_class {
    uint32_t material;
    double   radius, mass;
} ergi_class;

// Contact points of bodies with walls and with each other in the last step, sorted by walls.
enum {
    ERGI_BODY_CONTACT_WALLS,   // the two walls, lower number first
    ERGI_BODY_CONTACT_KEY,     // inscribed sphere, 1 if it is the second wall's, other's feature
    ERGI_BODY_CONTACT_HISTORY, // slide, roll, normal, share of the contact
    ERGI_BODY_CONTACT_COLUMNS
};

// Result of one chunk of a pass. Chunks are combined in order.
typedef struct ergi_report {
    uint64_t contacts, wall_contacts;
    double   work[2];       // of the contact forces: kick after, kick before the drift [J]
    double   overlap_ratio; // largest overlap over the smaller radius
    double   displacement2; // largest (displacement/skin)^2 of a sphere since the list build
    double   speed_ratio;   // largest displacement in this step over radius; NaN becomes INFINITY
    double   error;         // of RKF45, over radius
    uint32_t overlap_a, overlap_b; // sphere; other sphere, or wall if overlap_wall
    uint32_t fastest;              // grain
    uint32_t overlap_wall;         // bool
} ergi_report;

// Progress of a chunk in the fused pass.
typedef struct ergi_chunk_work {
    _Atomic bool done;     // its contacts are evaluated
    _Atomic bool deferred; // its motion had to wait; any thread may do it
    double       motion_s; // duration of its motion [s]
} ergi_chunk_work;

// Bound on the displacement of a chunk's spheres since the list build, along any axis, in units of
// their skins.
typedef struct ergi_chunk_displacement {
    double displacement; // upper bound; INFINITY: not known
    double step;         // added by the last step
    double inverse;      // 1 / smallest skin [1/m]
} ergi_chunk_displacement;

// Phases of a step, for timing.
typedef enum ergi_phase {
    ERGI_PHASE_SORT,
    ERGI_PHASE_LISTS,
    ERGI_PHASE_FORCES,
    ERGI_PHASE_INTEGRATE,
    ERGI_PHASES
} ergi_phase;

// Plain data that is part of the state: saved and copied bytewise.
typedef struct ergi_dem_state {
    double   skin; // mean gap up to which pairs are listed; chosen from velocities unless given [m]
    uint64_t single;        // bool: every listed grain is a single sphere
    uint64_t listed_grains; // grains at the last rebuild; later ones have no spheres yet
    uint64_t class_per_material, classes;
    double   extent;     // largest distance of a sphere from the origin at the last list build [m]
    double   wall_power; // that driven walls put into the grains in the last step [W]
    double   contact_time; // shortest expected; dt is at most a tenth of it [s]
    double   body_energy; // of the contacts of bodies with each other and with walls, last step [J]
    ergi_class klass[ERGI_MAX_CLASSES];
} ergi_dem_state;

typedef struct ergi_dem {
    ergi_dem_state state;
    ergi_table     spheres;
    ergi_table     body_contacts;
    bool           kick_deferred; // the last step's second kick is still to be applied
    bool           started_ahead; // the fused pass has already started the next step

    // Lists.
    double               skin_scale;       // smallest diameter [m]
    double               skin_most;        // largest that periodic boundaries allow [m]
    double               largest_diameter; // of a sphere [m]
    ergi_grid            grid;
    ergi_fixed_point     fixed_point;
    ergi_lists           lists, lists_spare;
    ergi_candidates      candidates;
    ergi_near_walls      near_walls;
    ergi_near_ground     near_ground;
    uint32_t            *found;       // scratch of list builds: a count per sphere
    float               *sphere_skin; // of each sphere, chosen at the list build [m]
    bool                 skins_known; // sphere_skin belongs to the current lists
    uint32_t            *was;         // index of each sphere before sorting
    uint32_t            *order;
    ergi_bisection_item *sorting;
    size_t               sphere_skin_room, was_room, order_room, sorting_room, found_room;
    size_t               peak_list_bytes; // of lists and build buffers during the last rebuild
    bool low_memory; // build buffers are freed; the next rebuild frees them stage by stage

    // The laws, in the kernel's precision.
    const struct ergi_dem_kernels *kernels;
    void                          *law; // ergi_pair_law, classes squared
    void    *coef;                      // ergi_coef, classes squared, unless entries have their own
    int      normal_law, tangential_law; // of all pairs, or -1: mixed
    bool     rolling, cohesion;
    int      one_law; // index in `law` if all pairs of grains share one law; else -1
    int      history_width, wall_slots;
    uint32_t class_material[ERGI_MAX_MATERIALS]; // of each class

    // Results and buffers of the passes.
    ergi_report *report;        // of each chunk
    ergi_report  worst_overlap; // of the last force evaluation
    double       start_overlap; // largest at t = 0, over the smaller radius; not part of the state
    double       speed_ratio;   // largest displacement in the last step over radius
    double       displacement2; // largest (displacement/skin)^2 since the list build
    uint32_t     fastest;       // the grain with the largest speed_ratio
    ergi_wall_sums           wall_sums;
    char                    *partner_force; // of outer entries, a row of eight each
    ergi_chunk_work         *chunk_work;
    ergi_chunk_displacement *chunk_displacement; // used only in a world of single spheres
    bool                     displacements_known;
    uint32_t        *leftover_chunks; // of the fused pass: still deferred when all threads are done
    ergi_work_queue *queues;          // one per thread
    size_t partner_force_room, report_room, chunk_work_room, chunk_displacement_room, leftover_room,
        queues_room;
    double          *runge; // buffer of RKF45
    ergi_wall_state *runge_walls;
    size_t           runge_room, runge_walls_room;

    // Bodies.
    ergi_body_near body_near;
    double         body_overlap; // largest overlap of bodies in the last step, over R*
    uint32_t       body_deepest; // index in body_near.pair of that contact

    double phase[ERGI_PHASES]; // wall-clock time so far; not part of the state [s]
} ergi_dem;

static inline ergi_dem *ergi_dem_of(const erg_world *world)
{
    return world->self;
}

// The arrays of the spheres: columns of `spheres`, or of the grains if all are single spheres.
typedef struct ergi_sphere_arrays {
    double   *position;
    void     *motion, *force_torque;
    size_t    force_torque_first; // index of the sphere in row 0 of force_torque
    uint32_t *grain;              // NULL: sphere i is grain i
    uint32_t *klass;
    void     *reference;
    erg_index count;
} ergi_sphere_arrays;

ergi_sphere_arrays ergi_dem_spheres(const erg_world *world);

#endif
