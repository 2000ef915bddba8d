// What the real-time solver has of its own in a world: neighbour lists, colours, rows of motion and
// the contacts of the present substep.
//
// One step of the loop is one substep. A substep goes like this (substep.c):
//
//     length       1/60 s over k, k from the fastest thing (substeps.c)
//     lists        new ones when a sphere has left its margin (rebuild.c, colours.c)
//     predict      rows of motion: way and turn without contacts (motion.c)
//     find         contacts among the candidates, and with walls (find.h, walls.c)
//     sweeps       stabilise, freeze, solve, ... over all tasks (sweep.h, sweeps.c)
//     advance      positions, velocities, forces on walls (motion.c, walls.c)
//     guards       is this physics? (guard.c)
#ifndef ERGI_PBD_H
#define ERGI_PBD_H

#include <stdatomic.h>

#include "contact/bisection.h"
#include "contact/candidates.h"
#include "contact/near_walls.h"
#include "contact/pairs.h"
#include "pbd/groups.h"
#include "world/world.h"

// Contacts with walls that held in the last substep, by sphere, wall and feature.
enum {
    ERGI_PBD_WALL_SPHERE,
    ERGI_PBD_WALL_WALL,
    ERGI_PBD_WALL_FEATURE,
    ERGI_PBD_WALL_HISTORY, // as of a pair
    ERGI_PBD_WALL_NORMAL,  // n and 0
    ERGI_PBD_WALL_COLUMNS
};

// Where each sphere was when the lists were made, and its margin [m].
enum { ERGI_PBD_REFERENCE_PLACE, ERGI_PBD_REFERENCE_COLUMNS };

// Contacts of bodies with walls and with each other that held in the last substep, by the two
// walls.
enum {
    ERGI_PBD_BODY_WALLS, // whose ball it is, and the other
    ERGI_PBD_BODY_PLACE, // ball, and feature of the other
    ERGI_PBD_BODY_HISTORY,
    ERGI_PBD_BODY_NORMAL,
    ERGI_PBD_BODY_COLUMNS
};

// A free body in the substep. Each of its contacts works on a copy of its row with an equal share
// of the mass (mass splitting); what they come to is averaged after each sweep.
typedef struct ergi_pbd_body {
    uint32_t wall;
    float    row[ERGI_PBD_ROW], shift[4], tensor[8];
    float    start[ERGI_PBD_ROW]; // as predicted
    uint32_t active;              // contacts that share the mass in the present sweep
    double   change[ERGI_PBD_ROW], shift_change[3];
} ergi_pbd_body;

// A ball of a free body on a wall or another body, in the present substep.
typedef struct ergi_pbd_body_contact {
    uint32_t own, other; // walls
    uint32_t ball, feature;
    double   overlap, radius; // of the ball [m]
    erg_vec3 normal;          // towards the ball
    erg_vec3 at;              // centre of the ball [m]
    float    history[ERGI_PBD_HISTORY];
} ergi_pbd_body_contact;

// Plain data that is state.
typedef struct ergi_pbd_state {
    uint64_t substeps;      // k: substeps in 1/60 s
    double   calm;          // how long k could have been smaller [s]
    double   dt;            // of the last substep; 0 before the first [s]
    double   skin;          // mean gap up to which pairs are listed [m]
    uint64_t listed_bodies; // that had spheres when those were last made
} ergi_pbd_state;

// A contact with a wall in the present substep.
typedef struct ergi_pbd_wall_contact {
    uint32_t sphere, wall, feature;
    uint32_t held;    // after the solve
    double   overlap; // [m]
    float    normal[3];
    float    point[3]; // where it touches, from the sphere's centre [m]
} ergi_pbd_wall_contact;

// Found by one chunk of a pass.
typedef struct ergi_pbd_report {
    bool stale; // a sphere has left its margin
    bool bad;   // something is no number, or runs away
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
    ergi_table     wall_touch, wall_touch_spare;
    ergi_table     body_touch;
    ergi_table     reference;

    // From the definitions.
    const ergi_pbd_kernels *kernels;
    double                  mass;    // reference mass: that of the smallest grain [kg]
    double                  radius;  // smallest of a sphere [m]
    double                  largest; // radius of a sphere [m]
    ergi_pbd_law           *law;     // materials squared
    bool                    rolling, rebound, cohesion;

    // Spheres: of a world of single spheres the bodies themselves.
    bool      single;  // every grain is a single sphere
    bool      general; // there are clumps or free bodies
    size_t    spheres;
    double   *place;       // x y z radius, unless single
    uint32_t *sphere_body; // unless single
    uint32_t *sphere_material;
    float    *offset, *reach;

    // Lists.
    ergi_grid            grid;
    ergi_candidates      candidates;
    ergi_near_walls      near_walls;
    float               *margin;
    uint32_t            *found, *was, *order;
    ergi_bisection_item *sorting;
    uint32_t            *near_sphere, *near_start, *near_wall; // spheres near walls
    float               *near_spare;
    size_t               near_rows, near_entries;
    bool                 walls_listed; // these lists hold

    // Tasks, colours, and the room for groups.
    ergi_pbd_candidate *candidate;
    ergi_pbd_colour    *colour;
    ergi_pbd_task      *task;
    size_t              tasks, pair_tasks, chunks;
    ergi_pbd_group     *group;
    size_t              groups;
    uint32_t           *task_turns; // by chunk: tasks in a sweep
    bool                coloured;   // for the lists there are

    // The substep.
    float                 *row, *shift, *tensor;
    size_t                 rows;  // bodies, spare rows of the chunks, rows of wall contacts
    ergi_pbd_wall_contact *touch; // contacts with walls, chunk by chunk
    float                 *touch_history;
    size_t                *touch_first; // of each chunk, and one more
    uint32_t              *touch_count; // of each chunk
    size_t                 touches;     // that there is room for
    ergi_pose             *pose_before; // of each wall, at the start of the substep
    ergi_pbd_report       *report;      // of each chunk
    _Atomic uint32_t      *turns;       // tasks done, by chunk
    float                  deepest;     // largest overlap over the smaller radius, last substep

    // Free bodies.
    ergi_pbd_body         *body;    // free ones
    uint32_t              *body_of; // number of each wall among them, or UINT32_MAX
    ergi_pbd_body_contact *body_contact;
    ergi_pbd_task          body_task;
    ergi_pbd_group        *body_group;
    float                 *body_history;
    size_t bodies, body_contacts, body_room, body_of_room, body_contact_room, body_group_room,
        body_history_room;

    size_t place_room, sphere_body_room, sphere_material_room, offset_room, reach_room, margin_room,
        found_room, was_room, order_room, sorting_room, near_sphere_room, near_start_room,
        near_wall_room, near_spare_room, candidate_room, colour_room, task_room, group_room,
        task_turns_room, row_room, shift_room, tensor_room, touch_room, touch_history_room,
        touch_first_room, touch_count_room, pose_room, report_room, turns_room;
    double phase[ERGI_PBD_PHASES]; // wall time so far; no part of the state [s]
} ergi_pbd;

static inline ergi_pbd *ergi_pbd_of(const erg_world *world)
{
    return world->self;
}

// Positions and radii of all spheres, wherever they are kept.
static inline const double *ergi_pbd_places(const erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    return pbd->single ? ERGI_GRAIN(world, POSITION, double) : pbd->place;
}

static inline uint32_t ergi_pbd_body_of(const ergi_pbd *pbd, uint32_t sphere)
{
    return pbd->single ? sphere : pbd->sphere_body[sphere];
}

// ---- Definitions (prepare.c) -------------------------------------------------------------------
erg_status ergi_pbd_prepare(erg_world *world, erg_error *err);
erg_status ergi_pbd_laws(erg_world *world, erg_error *err);

// ---- Length of a substep (substeps.c) ----------------------------------------------------------
// Chooses k and returns the length [s]. `fastest`: speed of the fastest thing [m/s].
double ergi_pbd_substep_length(erg_world *world, double fastest);
double ergi_pbd_first_length(const erg_world *world); // at rest [s]

// ---- Spheres (spheres.c) -----------------------------------------------------------------------
erg_status ergi_pbd_order(erg_world *world, const uint8_t *leaves, size_t *stay, erg_error *err);
erg_status ergi_pbd_gather(erg_world *world, size_t count, erg_error *err);
erg_status ergi_pbd_spheres_make(erg_world *world, erg_error *err);
void       ergi_pbd_spheres_place(erg_world *world); // where their bodies are

// ---- Lists (rebuild.c, colours.c, near_walls.c) ------------------------------------------------
erg_status ergi_pbd_rebuild(erg_world *world, const uint8_t *leaves, erg_error *err);
erg_status ergi_pbd_remove(erg_world *world, erg_error *err);
erg_status ergi_pbd_renew(erg_world *world, erg_error *err); // who leaves goes
erg_status ergi_pbd_colour_tasks(erg_world *world, erg_error *err);
erg_status ergi_pbd_list_walls(erg_world *world, bool fresh, erg_error *err);
bool       ergi_pbd_walls_stale(erg_world *world);
erg_status ergi_pbd_reserve(erg_world *world, erg_error *err);

// ---- A substep ---------------------------------------------------------------------------------
erg_status ergi_pbd_step(erg_world *world, bool more, double *dt, erg_error *err);

// motion.c
double ergi_pbd_fastest(erg_world *world);                 // speed of the fastest thing [m/s]
bool   ergi_pbd_predict(erg_world *world, double dt);      // false: a sphere has left its margin
void   ergi_pbd_advance(erg_world *world, uint32_t chunk); // positions
void   ergi_pbd_finish(erg_world *world, uint32_t chunk, double dt); // velocities

// walls.c
void       ergi_pbd_find_walls(erg_world *world, uint32_t chunk, double dt);
erg_status ergi_pbd_keep_walls(erg_world *world, double dt, erg_error *err);

// sweeps.c
ergi_pbd_pass ergi_pbd_pass_of(const erg_world *world, double dt);
// The sweeps one after the other.
void ergi_pbd_sweeps(erg_world *world, const ergi_pbd_pass *pass, double dt,
                     const ergi_pbd_sweep *sweep, int count);

// Beyond this way in one substep, in smallest radii, contacts are missed, however many substeps
// there are: that is no physics any more.
#define ERGI_PBD_MOST_WAY 8.0

// sommer.c: the other variant
erg_status ergi_pbd_sommer(erg_world *world, const ergi_pbd_pass *own, double dt, erg_error *err);

// body.c: free bodies in a substep.
erg_status ergi_pbd_body_prepare(erg_world *world, erg_error *err);
void       ergi_pbd_body_predict(erg_world *world, double dt);
erg_status ergi_pbd_body_find(erg_world *world, double dt, erg_error *err);
void       ergi_pbd_body_share(erg_world *world, ergi_pbd_sweep sweep);   // before a sweep
void       ergi_pbd_body_average(erg_world *world, ergi_pbd_sweep sweep); // and after it
void       ergi_pbd_body_advance(erg_world *world);
void       ergi_pbd_body_finish(erg_world *world, double dt);
erg_status ergi_pbd_body_keep(erg_world *world, double dt, erg_error *err);
bool       ergi_pbd_body_bad(const erg_world *world, double dt, erg_error *err);

// Where a free body's centre of mass is.
static inline erg_vec3 ergi_pbd_body_centre(const erg_world *world, uint32_t w)
{
    return ergi_add(world->wall[w].wall.pivot, world->wall_state[w].motion.pose.position);
}

// ---- Looking -----------------------------------------------------------------------------------
bool       ergi_pbd_bad(const erg_world *world, double dt, erg_error *err);
erg_status ergi_pbd_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);
void       ergi_pbd_stats(const erg_world *world, erg_stats *stats);
size_t     ergi_pbd_bytes(const erg_world *world);
double     ergi_pbd_grain_bytes(const erg_world *world, double spheres);
void       ergi_pbd_spend(erg_world *world, ergi_pbd_phase phase, double *mark);

#endif
