// The data of the real-time solver: neighbour lists, colours, motion rows, and the contacts of the
// current substep.
//
// One step of the world is one substep (substep.c):
//
//     length       1/60 s divided by k; k follows from the highest speed (substeps.c)
//     lists        rebuilt when a sphere leaves its skin (rebuild.c, colours.c)
//     predict      motion rows: displacement and rotation without contacts (motion.c)
//     find         contacts with walls (walls.c, wall_groups.c), and among the candidate pairs
//                  (find.h)
//     sweeps       stabilise, freeze, solve, ... over all tasks (sweep.h, sweeps.c)
//     advance      positions, velocities, forces on walls (motion.c, walls.c)
//     guards       reject a substep with invalid velocities (guard.c)
#ifndef ERGI_PBD_H
#define ERGI_PBD_H

#include <stdatomic.h>

#include "contact/bisection.h"
#include "contact/candidates.h"
#include "contact/near_ground.h"
#include "contact/pairs.h"
#include "pbd/groups.h"
#include "pbd/sommer.h"
#include "world/world.h"

// Wall contacts that carried a force in the last substep, sorted by sphere.
enum {
    ERGI_PBD_WALL_SPHERE,
    ERGI_PBD_WALL_WALL,
    ERGI_PBD_WALL_FEATURE,
    ERGI_PBD_WALL_HISTORY, // as for a pair
    ERGI_PBD_WALL_NORMAL,  // n, padded with a 0
    ERGI_PBD_WALL_COLUMNS
};

// Reference position of each sphere in the lists, and its skin: it may move that far from it [m].
enum { ERGI_PBD_REFERENCE_POSITION, ERGI_PBD_REFERENCE_COLUMNS };

// Contacts of bodies with walls and with each other that carried a force in the last substep,
// sorted by the two walls. (Every body is also a wall.)
enum {
    ERGI_PBD_BODY_WALLS,    // the body that the inscribed ball belongs to, and the other wall
    ERGI_PBD_BODY_FEATURES, // number of the ball, and feature of the other wall
    ERGI_PBD_BODY_HISTORY,
    ERGI_PBD_BODY_NORMAL,
    ERGI_PBD_BODY_COLUMNS
};

// A free body in the substep. Each of its contacts with grains works on a copy of its row with an
// equal share of the mass (mass splitting); the copies are averaged after each sweep.
typedef struct ergi_pbd_body {
    uint32_t  wall;
    float     row[ERGI_PBD_ROW], shift[4], tensor[8];
    float     start[ERGI_PBD_ROW]; // as predicted
    ergi_pose given;               // prescribed at the end of the substep, for driven axes
    uint32_t  active;              // contacts that share the mass in this sweep
    uint32_t  level;               // 1: rests on a wall, 2: on such a body, ...
    double    load, supports;      // mass that rests on it [kg]; number of bodies that carry it
    uint32_t  next_group;          // first group in which it may have another contact
    double    change[ERGI_PBD_ROW], shift_change[3];
} ergi_pbd_body;

// An inscribed ball of a free body on a wall or another body, in the current substep.
typedef struct ergi_pbd_body_contact {
    uint32_t own, other; // walls
    uint32_t ball, feature;
    double   overlap, radius; // of the ball [m]
    erg_vec3 normal;          // towards the ball
    erg_vec3 at;              // centre of the ball [m]
    float    history[ERGI_PBD_HISTORY];
    uint32_t lane; // its place in the groups: 8 * group + lane
} ergi_pbd_body_contact;

// A body on top of another body or wall.
typedef struct ergi_pbd_body_pair {
    uint32_t above, below; // walls
    uint32_t level;        // of the one above
    bool     carries;      // a force since the last substep
} ergi_pbd_body_pair;

// When a contact of bodies is solved: first the first contact of each pair, those of the highest
// bodies before the others; then the second ones, and so on.
typedef struct ergi_pbd_body_turn {
    uint32_t round, height, contact;
} ergi_pbd_body_turn;

// State that is saved in checkpoints, in addition to the tables.
typedef struct ergi_pbd_state {
    uint64_t substeps;      // k: substeps per 1/60 s
    double   calm;          // how long a smaller k would have sufficed [s]
    uint64_t iterations;    // per substep, if chosen; 0: not yet
    double   loose;         // how long fewer iterations would have sufficed [s]
    double   dt;            // of the last substep; 0 before the first [s]
    double   skin;          // mean gap below which pairs are listed [m]
    uint64_t listed_grains; // grains whose spheres are in the lists
} ergi_pbd_state;

// A contact with a wall in the current substep.
typedef struct ergi_pbd_wall_contact {
    uint32_t sphere, wall, feature;
    uint32_t held;    // carries a force after the solve
    double   overlap; // [m]
    float    normal[3];
    float    point[3]; // contact point, relative to the sphere's centre [m]
} ergi_pbd_wall_contact;

// One that was found, before it has a place among all.
typedef struct ergi_pbd_wall_found {
    ergi_pbd_wall_contact contact;
    uint32_t              recalled; // row of wall_history, or ERGI_PBD_NEW
    float                 way[3]; // displacement of the wall there; 0 if that is not known yet [m]
} ergi_pbd_wall_found;

// The contacts of one chunk with walls.
typedef struct ergi_pbd_wall_chunk {
    size_t   near;        // its first row in the lists of spheres near walls
    size_t   found, room; // its part of `wall_found`
    size_t   first;       // its first contact among all
    uint32_t count;       // contacts in this substep, also those for which there is no room
    uint32_t most;        // of one grain
    bool     done;        // all contacts of this substep are stored
} ergi_pbd_wall_chunk;

// A neighbouring chunk and the task between the two; linked list per chunk.
typedef struct ergi_pbd_link {
    uint32_t other, task, next;
} ergi_pbd_link;

// What a pass over one chunk reports.
typedef struct ergi_pbd_report {
    bool stale; // a sphere has left its skin
    bool bad;   // a velocity is not finite or too high
} ergi_pbd_report;

typedef enum ergi_pbd_phase {
    ERGI_PBD_PHASE_SORT,
    ERGI_PBD_PHASE_LISTS,
    ERGI_PBD_PHASE_CONTACTS,
    ERGI_PBD_PHASE_MOTION,
    ERGI_PBD_PHASES
} ergi_pbd_phase;

typedef struct ergi_pbd {
    ergi_pbd_state state;
    ergi_pairs     pairs, pairs_spare;
    ergi_table     wall_history, wall_history_spare;
    ergi_table     body_contact_history;
    ergi_table     reference;

    // From the definitions.
    const ergi_pbd_kernels *kernels;
    double                  mass;    // reference mass: that of the smallest grain [kg]
    double                  radius;  // smallest sphere radius [m]
    double                  largest; // largest sphere radius [m]
    ergi_pbd_law           *law;     // one per ordered pair of materials
    bool                    rolling, rebound, cohesion;

    // Spheres. If every grain is a single sphere, the grains' own positions are used.
    bool      single;  // every grain is a single sphere
    bool      general; // the world has clumps or free bodies
    size_t    spheres;
    double   *place;        // position: x y z radius; unless single [m]
    uint32_t *sphere_grain; // grain of each sphere; unless single
    uint32_t *sphere_material;
    float    *offset, *reach; // see ergi_pbd_pass

    // Lists.
    ergi_grid         grid;
    ergi_candidates   candidates;
    ergi_near_walls   near_walls;
    ergi_near_ground  near_ground;
    float            *sphere_skin; // skin of each sphere [m]
    _Atomic uint32_t *agitation;   // bits of a float: highest relative speed in the old lists [m/s]
    uint8_t          *fresh;       // 1: the sphere has a new skin in these lists
    uint32_t         *kept;        // see ergi_pairs_map
    double           *centre;      // reference position and radius of each sphere [m]
    uint32_t         *found, *was, *order; // was: index of each sphere before sorting
    ergi_bisection_item *sorting;
    uint32_t            *near_sphere, *near_start, *near_wall; // list of walls per sphere
    float               *near_spare; // of each entry: how far the wall must come to touch [m]
    size_t               near_rows, near_entries;
    bool                 walls_listed; // the wall lists are valid

    // Tasks, colours, and memory for groups.
    ergi_pbd_candidate *candidate;
    ergi_pbd_colour    *colour;
    ergi_pbd_task      *task;
    size_t              tasks, pair_tasks, chunks;
    ergi_pbd_group     *group;
    size_t              groups;
    uint8_t            *held; // see ergi_pbd_pass
    // Scratch of colours.c: task of each neighbour list entry, then its colour; candidates sorted
    // by task; first link of each chunk; links.
    uint32_t           *entry_task;
    ergi_pbd_candidate *by_task;
    uint32_t           *chunk_link;
    ergi_pbd_link      *link;
    size_t              links;
    uint32_t           *task_turns; // number of tasks per sweep on each chunk
    bool                coloured;   // the colours match the current lists

    // The substep.
    float                 *row, *shift, *tensor;
    size_t                 rows;       // grains, one padding row per chunk, wall contacts
    ergi_pbd_wall_chunk   *wall_chunk; // by chunk, and the end of the lists
    ergi_pbd_wall_found   *wall_found; // chunk by chunk, in any order, with gaps
    size_t                 found_end;  // elements given to chunks so far
    ergi_pbd_wall_contact *touch;      // wall contacts, chunk by chunk, without gaps
    float                 *touch_history;
    size_t                 touches;
    ergi_pose             *pose_before; // of each wall, at the start of the substep
    double                *wall_step;   // bound on the displacement of each moving wall in it [m]
    ergi_pbd_report       *report;      // by chunk
    _Atomic uint32_t      *turns;       // tasks done so far, by chunk
    float                  deepest;     // largest overlap over the smaller radius, last substep

    ergi_sommer sommer; // pbd.variant sommer

    // Free bodies.
    ergi_pbd_body         *body;    // free bodies only
    uint32_t              *body_of; // index of each wall in `body`, or UINT32_MAX
    ergi_pbd_body_contact *body_contact;
    ergi_pbd_task          body_task;
    ergi_pbd_group        *body_group;
    float                 *body_history;
    ergi_pbd_body_pair    *body_pair;
    ergi_pbd_body_turn    *body_turn;
    int       body_sweeps; // over contacts of bodies per solve of all contacts, at most
    uint32_t *body_next;   // of each group: itself, or if it is full a later group
    size_t    bodies, body_contacts, body_room, body_of_room, body_contact_room, body_group_room,
        body_history_room, body_turn_room, body_next_room, body_pair_room;

    size_t place_room, sphere_grain_room, sphere_material_room, offset_room, reach_room,
        sphere_skin_room, centre_room, agitation_room, fresh_room, kept_room, found_room, was_room,
        order_room, sorting_room, near_sphere_room, near_start_room, near_wall_room,
        near_spare_room, candidate_room, colour_room, task_room, group_room, held_room,
        entry_task_room, by_task_room, chunk_link_room, link_room, task_turns_room, row_room,
        shift_room, tensor_room, touch_room, touch_history_room, wall_chunk_room, wall_found_room,
        pose_room, wall_step_room, report_room, turns_room;
    uint64_t iterations;             // in all substeps so far; not part of the state
    double   phase[ERGI_PBD_PHASES]; // elapsed wall-clock time; not part of the state [s]
} ergi_pbd;

static inline ergi_pbd *ergi_pbd_of(const erg_world *world)
{
    return world->self;
}

// Positions and radii of all spheres, 4 numbers per sphere.
static inline const double *ergi_pbd_sphere_positions(const erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    return pbd->single ? ERGI_GRAIN(world, POSITION, double) : pbd->place;
}

static inline uint32_t ergi_pbd_grain_of(const ergi_pbd *pbd, uint32_t sphere)
{
    return pbd->single ? sphere : pbd->sphere_grain[sphere];
}

// ---- Definitions (prepare.c) -------------------------------------------------------------------
erg_status ergi_pbd_prepare(erg_world *world, erg_error *err);
erg_status ergi_pbd_laws(erg_world *world, erg_error *err);

// ---- Length of a substep (substeps.c) ----------------------------------------------------------
// Chooses k and returns the length [s]. `fastest`: highest speed in the world [m/s].
double ergi_pbd_substep_length(erg_world *world, double fastest);
double ergi_pbd_first_length(const erg_world *world); // at rest [s]
double ergi_pbd_longest(const erg_world *world);      // that may be given [s]

// ---- Spheres (spheres.c) -----------------------------------------------------------------------
erg_status ergi_pbd_order(erg_world *world, const uint8_t *leaves, size_t *stay, erg_error *err);
erg_status ergi_pbd_gather(erg_world *world, size_t count, erg_error *err);
erg_status ergi_pbd_spheres_make(erg_world *world, erg_error *err);
void       ergi_pbd_spheres_place(erg_world *world); // from the poses of their grains

// ---- Skins (skins.c) ---------------------------------------------------------------------------
erg_status ergi_pbd_measure_agitation(erg_world *world, erg_error *err); // in the old lists
// `was`: index of each sphere in the old lists; NULL: the same.
erg_status ergi_pbd_set_skins(erg_world *world, const uint32_t *was, erg_error *err);

// ---- Lists (rebuild.c, colours.c, near_walls.c) ------------------------------------------------
// Contacts that one sphere may have with one wall.
uint32_t   ergi_pbd_wall_slots(const ergi_surface *surface);
erg_status ergi_pbd_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err);
// The next step searches for all pairs; no contact history survives.
void       ergi_pbd_drop_lists(erg_world *world);
erg_status ergi_pbd_remove(erg_world *world, erg_error *err);
erg_status ergi_pbd_remove_and_rebuild(erg_world *world,
                                       erg_error *err); // also removes leaving grains
erg_status ergi_pbd_colour_tasks(erg_world *world, erg_error *err);
erg_status ergi_pbd_list_walls(erg_world *world, erg_error *err);
bool       ergi_pbd_walls_stale(erg_world *world);
double     ergi_pbd_wall_speed(const erg_world *world, size_t w); // bound for all its points [m/s]
erg_status ergi_pbd_reserve(erg_world *world, erg_error *err);

// ---- A substep ---------------------------------------------------------------------------------
erg_status ergi_pbd_step(erg_world *world, bool more, double *dt, erg_error *err);

// motion.c
double ergi_pbd_max_speed(erg_world *world);          // highest speed in the world [m/s]
bool   ergi_pbd_predict(erg_world *world, double dt); // false: a sphere has left its skin
void   ergi_pbd_advance(erg_world *world, uint32_t chunk, double dt); // positions
void   ergi_pbd_finish(erg_world *world, uint32_t chunk, double dt);  // velocities

// walls.c: contacts of spheres with walls, before those of bodies
erg_status ergi_pbd_find_walls(erg_world *world, double dt, erg_error *err);
erg_status ergi_pbd_store_wall_history(erg_world *world, double dt, erg_error *err);

// wall_groups.c: rows, history and groups of the contacts that were found
erg_status ergi_pbd_group_walls(erg_world *world, double dt, erg_error *err);

// sweeps.c
ergi_pbd_pass ergi_pbd_pass_of(const erg_world *world, double dt);
// Runs the sweeps in order.
void ergi_pbd_sweeps(erg_world *world, const ergi_pbd_pass *pass, double dt,
                     const ergi_pbd_sweep *sweep, int count);

// Largest displacement in one substep, in smallest radii. Beyond it contacts are missed, and the
// step is rejected.
#define ERGI_PBD_MAX_DISPLACEMENT 8.0

// ---- Iterations of the solver in a substep (iterations.c) --------------------------------------
int  ergi_pbd_iterations(const erg_world *world);
void ergi_pbd_adapt_iterations(erg_world *world, double dt); // after a substep of that length

// sommer.c: the variant of Sommer et al. 2022
erg_status ergi_pbd_sommer(erg_world *world, const ergi_pbd_pass *own, double dt, erg_error *err);

// body*.c: free bodies in a substep.
erg_status ergi_pbd_body_prepare(erg_world *world, erg_error *err);
// `next`: time at the end of the substep [s].
void       ergi_pbd_body_predict(erg_world *world, double dt, double next);
erg_status ergi_pbd_body_find(erg_world *world, double dt, erg_error *err);
uint32_t   ergi_pbd_body_level(const ergi_pbd *pbd, uint32_t wall); // UINT32_MAX: on nothing
erg_status ergi_pbd_body_loads(erg_world *world, double dt, erg_error *err);
erg_status ergi_pbd_body_group(erg_world *world, double dt, erg_error *err);
// Returns an upper bound of the displacement that the sweep has added anywhere. [m]
double     ergi_pbd_body_sweep(erg_world *world, const ergi_pbd_pass *pass, ergi_pbd_sweep sweep);
void       ergi_pbd_body_share(erg_world *world);   // before a sweep over contacts with grains
void       ergi_pbd_body_average(erg_world *world); // and after it
void       ergi_pbd_body_advance(erg_world *world);
void       ergi_pbd_body_finish(erg_world *world, double dt);
erg_status ergi_pbd_body_store_history(erg_world *world, double dt, erg_error *err);
bool       ergi_pbd_body_bad(const erg_world *world, double dt, erg_error *err);

// Centre of mass of a free body.
static inline erg_vec3 ergi_pbd_body_centre(const erg_world *world, uint32_t w)
{
    return ergi_add(world->wall[w].wall.pivot, world->wall_state[w].motion.pose.position);
}

// ---- Checks and statistics
// -----------------------------------------------------------------------------------
bool       ergi_pbd_find_bad_grain(const erg_world *world, double dt, erg_error *err);
erg_status ergi_pbd_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);
void       ergi_pbd_stats(const erg_world *world, erg_stats *stats);
size_t     ergi_pbd_bytes(const erg_world *world);
double     ergi_pbd_grain_bytes(const erg_world *world, double spheres);
void       ergi_pbd_add_time(erg_world *world, ergi_pbd_phase phase, double *mark);

#endif
