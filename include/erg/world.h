// The world: materials, grains, walls and bodies, and stepping them in time.
//
//     erg_world_def def = erg_world_def_default();
//     erg_world    *world;
//     erg_error     err;
//     if (erg_world_create(&def, &world, &err) != ERG_OK) ... err.text
//     erg_id sand = 0;  erg_world_add_material(world, &material, &sand, &err);
//     erg_id grit = 0;  erg_world_add_grain_kind(world, &kind, &grit, &err);
//     erg_world_fill(world, &fill, NULL, &err);
//     erg_world_step(world, 1000, &err);
//
// A call that fails leaves the world as it was. Worlds share nothing: two may step at once in two
// threads, but each may be used by only one thread at a time. What a definition points to is
// copied, except callbacks and their user pointers, which must outlive the world.
#ifndef ERG_WORLD_H
#define ERG_WORLD_H

#include "erg/base.h"
#include "erg/body.h"
#include "erg/grain.h"
#include "erg/material.h"
#include "erg/wall.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_world erg_world;

// How contacts are solved, and on what hardware. Creating a world with a solver or backend that is
// not in this build is ERG_NOT_BUILT.
typedef enum erg_solver {
    ERG_SOLVER_DEM = 0, // soft spheres, the reference
    ERG_SOLVER_PBD      // position based dynamics, for real time
} erg_solver;

typedef enum erg_backend { ERG_BACKEND_CPU = 0, ERG_BACKEND_CUDA } erg_backend;

// "dem", "cpu", ...; NULL for an unknown value.
ERG_API const char *erg_solver_name(erg_solver solver);
ERG_API const char *erg_backend_name(erg_backend backend);
ERG_API bool        erg_solver_built(erg_solver solver);
ERG_API bool        erg_backend_built(erg_backend backend);

typedef enum erg_integrator {
    ERG_VERLET, // velocity Verlet, the default; forces use half-step velocities
    ERG_EULER,  // semi-implicit Euler
    ERG_RKF45   // Runge-Kutta-Fehlberg 4(5): the step follows erg_world_def.tolerance
} erg_integrator;

typedef enum erg_precision {
    ERG_FLOAT, // positions and orientations in 64 bits, laws and velocities in 32
    ERG_DOUBLE // all in 64 bits: the reference
} erg_precision;

// Of ERG_SOLVER_PBD alone.
typedef enum erg_pbd_variant {
    ERG_PBD_ERG,   // contacts on displacements, warm-started: heaps stand
    ERG_PBD_SOMMER // Sommer 2022: contacts on positions, averaged; heaps creep
} erg_pbd_variant;

// Of variant sommer: what friction coefficients multiply.
typedef enum erg_pbd_limit {
    ERG_PBD_LIMIT_DEPTH,   // the depth of the overlap, as the text of the paper says
    ERG_PBD_LIMIT_DIAMETER // the sum of the radii, as its equations are printed
} erg_pbd_limit;

typedef struct erg_pbd_def {
    erg_pbd_variant variant;
    int             substeps; // per 1/60 s; 0: as many as the motion needs, 8 at least
    // Of the solver per substep, 1 to 64. 0: variant sommer 4; else 1, and up to 32 while a load
    // presses the grains into each other.
    int iterations;
    // Of variant sommer. Contacts between grains weigh them as m exp(-mass_scaling h), h: height;
    // 0: m. Default 1, the exponent of the paper in metres [1/m]
    double        mass_scaling;
    erg_pbd_limit friction_limit;
} erg_pbd_def;

// Runs task(arg, 0 .. tasks-1) on the caller's own scheduler and returns when all are done. The
// results do not depend on how tasks are distributed.
typedef void (*erg_task_fn)(void *user, void (*task)(void *arg, int index), void *arg, int tasks);

typedef struct erg_world_def {
    erg_solver  solver;
    erg_backend backend;
    erg_vec3    gravity;      // [m/s^2]
    uint64_t    seed;         // of every random number in this world
    erg_vec3    lower, upper; // grains whose centre leaves this box are removed and counted as
                              // lost [m]; infinite by default
    bool           periodic_x, periodic_y; // needs finite bounds on that axis
    erg_integrator integrator;
    erg_precision  precision;
    double         dt;        // [s]; 0: chosen by erg_world_prepare
    double         dt_factor; // automatic dt as a share of the shortest contact time, at most 0.1
    double         tolerance; // RKF45: largest error per step, share of a radius, 1e-14 to 1
    double speed;        // fastest expected impact [m/s]; 0: estimated from speeds and fall heights
    double skin;         // gap up to which pairs are listed [m]; 0: chosen per sphere by its speed
    double max_overlap;  // ERG_BAD_PHYSICS beyond this overlap over the smaller radius
    double spin_damping; // damping of small spins, not physical [1/s]; 0 (default): none
    bool   orient_spheres; // also integrate the orientation of single spheres
    bool   energy;         // integrate the power of contacts, for erg_stats.dissipated
    erg_contact_def contact;
    erg_pbd_def     pbd;
    int             threads;       // at most; 0: all processors. One while that is faster
    bool            fixed_threads; // this number in every step, for measurements
    erg_task_fn     task;          // instead of erg's own threads; may be NULL
    void           *task_user;
    erg_log_fn      log;
    void           *log_user;
    erg_continue_fn keep_going; // called while erg_world_fill or an emitter places grains, while
                                // the sand of a terrain is poured (erg_world_prepare), and by
                                // erg_scene_build between the items of a scene; may be NULL. False
                                // in a step: ERG_CANCELLED, and the world is as before that step
    void *keep_going_user;
} erg_world_def;

ERG_API erg_world_def erg_world_def_default(void);
ERG_API erg_status    erg_world_create(const erg_world_def *def, erg_world **world, erg_error *err);
ERG_API void          erg_world_destroy(erg_world *world); // NULL is fine

// ---- Building ----------------------------------------------------------------------------------
// Materials, pairs, walls, bodies, emitters and sinks can be added only before the first step;
// after it the result is ERG_BAD_INPUT. `id` receives the new id; `id` and `placed` may be NULL.
ERG_API erg_status erg_world_add_material(erg_world *world, const erg_material_def *def, erg_id *id,
                                          erg_error *err);
ERG_API erg_status erg_world_set_pair(erg_world *world, const erg_pair_def *def, erg_error *err);
ERG_API erg_status erg_world_add_grain_kind(erg_world *world, const erg_grain_def *def, erg_id *id,
                                            erg_error *err);
ERG_API erg_status erg_world_add_wall(erg_world *world, const erg_wall_def *def, erg_id *id,
                                      erg_error *err);
ERG_API erg_status erg_world_add_body(erg_world *world, const erg_body_def *def, erg_id *id,
                                      erg_error *err); // *id is a wall id
ERG_API erg_status erg_world_fill(erg_world *world, const erg_fill_def *def, uint64_t *placed,
                                  erg_error *err);
ERG_API erg_status erg_world_add_emitter(erg_world *world, const erg_emitter_def *def, erg_id *id,
                                         erg_error *err);
ERG_API erg_status erg_world_add_sink(erg_world *world, const erg_sink_def *def, erg_id *id,
                                      erg_error *err);

// Adds grains in bulk, between steps. These arrays may be NULL: orientation (aligned), velocity and
// spin (at rest), size (drawn from the kind's sizes). `ids` receives the new ids; may be NULL.
// Overlaps with other grains or walls are not checked: overlapping grains fly apart, or the next
// step is ERG_BAD_PHYSICS. erg_world_fill places grains without overlap.
typedef struct erg_grains {
    erg_id          kind;
    size_t          count;
    const erg_vec3 *position; // of the centre of mass [m]
    const erg_quat *orientation;
    const erg_vec3 *velocity; // [m/s]
    const erg_vec3 *spin;     // [rad/s]
    const double   *size;     // radius [m] (factor for ERG_SHAPE_SPHERES)
} erg_grains;

ERG_API erg_status erg_world_add_grains(erg_world *world, const erg_grains *grains, erg_gid *ids,
                                        erg_error *err);
// Adds a copy of every grain of `from` for each shift [m]. The contacts of the copies keep the
// contact history of the originals, also across periodic boundaries of `from`: copies of a settled
// periodic bed form a larger bed that is settled except at its edges. `world` must have no grains
// yet and the same grain kinds as `from`, in the same order; for the history of wall contacts also
// the same walls.
ERG_API erg_status erg_world_add_copies(erg_world *world, const erg_world *from,
                                        const erg_vec3 *shift, size_t shifts, erg_error *err);
ERG_API erg_status erg_world_remove_grains(erg_world *world, const erg_gid *ids, size_t count,
                                           erg_error *err);

// Checks the whole definition and chooses dt and skin. The first step calls it if the caller has
// not.
ERG_API erg_status erg_world_prepare(erg_world *world, erg_error *err);

// ---- Stepping ----------------------------------------------------------------------------------
// On ERG_BAD_PHYSICS the world is left at the last good step and err names grains, step and cause.
ERG_API erg_status erg_world_step(erg_world *world, uint64_t steps, erg_error *err);

// Steps until the first step boundary at or after `time` [s], counted from t = 0. `progress` (may
// be NULL) is called about every 0.1 s of wall time; returning false cancels the run after a whole
// step.
typedef bool (*erg_progress_fn)(void *user, const erg_world *world);
ERG_API erg_status erg_world_run(erg_world *world, double time, erg_progress_fn progress,
                                 void *user, erg_error *err);

ERG_API double   erg_world_time(const erg_world *world);  // [s]
ERG_API uint64_t erg_world_steps(const erg_world *world); // taken since t = 0
// Before erg_world_prepare, dt is that of the definition (0: automatic) and the reason is "". The
// text belongs to the world and may change with the next non-const call.
ERG_API double      erg_world_dt(const erg_world *world); // [s]
ERG_API const char *erg_world_dt_reason(const erg_world *world);
// Instruction set in use: "scalar", "avx2", "avx512" or "avx512-wide". The fastest of this
// processor, or the one named by the environment variable ERG_ISA when the world was created; in
// double precision always "scalar".
ERG_API const char *erg_world_isa(const erg_world *world);
ERG_API double      erg_world_skin(const erg_world *world); // [m]; 0 before prepare
ERG_API uint64_t    erg_world_hash(const erg_world *world); // of grains, bodies and contacts

// ---- Reading -----------------------------------------------------------------------------------
typedef enum erg_field {
    ERG_FIELD_ID,          // uint64_t
    ERG_FIELD_KIND,        // uint32_t, an erg_id
    ERG_FIELD_SIZE,        // double: radius, or factor of a sphere list
    ERG_FIELD_MASS,        // double [kg]
    ERG_FIELD_POSITION,    // 3 doubles [m]
    ERG_FIELD_ORIENTATION, // 4 doubles x y z w
    ERG_FIELD_VELOCITY,    // 3 doubles [m/s]
    ERG_FIELD_SPIN,        // 3 doubles [rad/s]
    ERG_FIELD_FORCE,       // 3 doubles, of the contacts, without gravity [N]
    ERG_FIELD_TORQUE       // 3 doubles [N m]
} erg_field;

ERG_API size_t erg_world_grain_count(const erg_world *world);
ERG_API size_t erg_world_sphere_count(const erg_world *world);

// Bulk read of one field: of the grains named by `ids`, or, with ids NULL, of all grains in order
// of their ids. `count` is the capacity of `buffer` in grains.
ERG_API erg_status erg_world_read(const erg_world *world, erg_field field, const erg_gid *ids,
                                  size_t count, void *buffer, erg_error *err);
// The reverse, for position, orientation, velocity and spin only. Pairs that still touch after the
// write keep their contact history; pairs that were moved apart lose it. Overlaps at the new
// positions are not checked. Fine particles do not follow a grain that is written to a place more
// than two diameters away.
ERG_API erg_status erg_world_write(erg_world *world, erg_field field, const erg_gid *ids,
                                   size_t count, const void *buffer, erg_error *err);

// Direct access to a field of all grains, without copying or sorting. Grains are in memory order,
// which changes as they move: index k means the same grain in all views taken at the same time, and
// a view of ERG_FIELD_ID gives its id. Read only; valid until the next call that steps or changes
// the world.
//
//     erg_view at;
//     erg_world_view(world, ERG_FIELD_POSITION, &at, &err);
//     for (size_t k = 0; k < at.count; k++) {
//         const double *x = (const double *)((const char *)at.data + k * at.stride); // x, y, z
typedef enum erg_number {
    ERG_NUMBER_F32, // float
    ERG_NUMBER_F64, // double
    ERG_NUMBER_U64  // uint64_t
} erg_number;

typedef struct erg_view {
    const void *data;       // numbers of the first grain; NULL when there are no grains
    size_t      count;      // grains
    size_t      stride;     // from one grain to the next [bytes]
    int         components; // numbers per grain, contiguous
    erg_number  number;     // type of each: F64 for size, position and orientation, U64 for id; for
                            // velocity, spin, force and torque as erg_world_def.precision
} erg_view;

// The values are those of erg_world_read. ERG_BAD_INPUT for fields that are stored in another form:
// kind, mass, and orientation if a grain kind is a list of spheres whose principal axes of inertia
// are not the axes of the list.
ERG_API erg_status erg_world_view(const erg_world *world, erg_field field, erg_view *view,
                                  erg_error *err);

// All spheres, grains in order of id, spheres of a grain in order of slot. Any pointer may be NULL.
typedef struct erg_sphere_view {
    size_t    count;    // capacity of the arrays, at least erg_world_sphere_count
    double   *position; // 3 each [m]
    double   *velocity; // 3 each, of the sphere's centre [m/s]
    double   *radius;   // [m]
    erg_gid  *grain;
    uint32_t *slot;        // number of the sphere within its grain
    uint32_t *material;    // an erg_id
    double   *orientation; // 4 each, of the grain
    uint32_t *kind;        // an erg_id; above erg_world_grain_kind_count: a ball
    double   *spin;        // 3 each, of the grain [rad/s]
    // From the contacts of the last step, as erg_world_contacts reports them; 0 before the first.
    double   *force;        // 3 each: sum of the contact forces on the sphere, without gravity [N]
    uint32_t *coordination; // number of touching contacts, including those with walls and bodies
    // 6 each: xx yy zz xy yz xz of the sphere's virial stress: the symmetric part of the sum of
    // branch times force, divided by its volume. Branch: from centre to contact; force: on the
    // sphere. Tension is positive; pressure is -(xx + yy + zz) / 3 [Pa].
    double *stress;
} erg_sphere_view;
ERG_API erg_status erg_world_read_spheres(const erg_world *world, const erg_sphere_view *view,
                                          erg_error *err);

// One touching pair. `grain_b` is 0 for a wall, then `wall` names it. The force acts on a.
typedef struct erg_contact {
    erg_gid  grain_a, grain_b;
    uint32_t slot_a, slot_b; // sphere within the grain; slot_b: the wall's feature
    erg_id   wall;
    erg_vec3 point;        // [m]
    erg_vec3 normal;       // unit, towards a
    double   overlap;      // [m]
    erg_vec3 force;        // on a, by the laws at the present state [N]
    double   normal_force; // [N]
} erg_contact;
// Number of sphere contacts in the last step: between grains, and with walls and bodies.
ERG_API size_t erg_world_contact_count(const erg_world *world);
// The same, plus touching pairs of two bodies or of a body and a wall.
ERG_API size_t erg_world_touching_count(const erg_world *world);
// `count` (required) receives the number of contacts. If `room` is smaller, only the first `room`
// contacts are written and the result is ERG_BAD_INPUT; with room 0, `contacts` may be NULL.
ERG_API erg_status erg_world_contacts(const erg_world *world, erg_contact *contacts, size_t room,
                                      size_t *count, erg_error *err);

typedef struct erg_stats {
    uint64_t grains, spheres;
    uint64_t contacts;               // as erg_world_touching_count
    uint64_t wall_contacts;          // of these, all that are not between two grains
    double   kinetic;                // translation [J]
    double   rotational;             // [J]
    double   potential;              // -m g.x, zero at the origin [J]
    double   elastic;                // in the contacts [J]
    double   dissipated;             // by the contacts since t = 0, needs erg_world_def.energy [J]
    double   mass;                   // [kg]
    double   max_overlap_ratio;      // largest overlap over the smaller radius since t = 0
    double   max_speed;              // of a centre of mass, now [m/s]
    uint64_t rebuilds;               // of the neighbour lists
    uint64_t iterations;             // of the real-time solver, since creation
    uint64_t emitted, removed, lost; // grains since t = 0
    size_t   bytes;                  // of memory held by this world
    size_t   most_bytes;             // peak during the last rebuild of the neighbour lists
    int      threads;                // used in most steps since creation
    // Wall time spent stepping since creation [s].
    double sort_s;      // space sorting, and removing grains that leave
    double lists_s;     // building neighbour lists
    double forces_s;    // contact forces
    double integrate_s; // integration
} erg_stats;
ERG_API erg_status erg_world_stats(const erg_world *world, erg_stats *stats, erg_error *err);

// Expected memory of a run to t = end [s], including all grains that emitters may add by then; for
// INFINITY, without those of emitters with neither limit nor stop. Before erg_world_prepare it
// leaves out the contact lists of bodies [bytes].
ERG_API size_t erg_world_expected_bytes(const erg_world *world, double end);
// ERG_BAD_INPUT if that is more than the memory of this machine, or of this process where it has a
// limit.
ERG_API erg_status erg_world_check_memory(const erg_world *world, double end, erg_error *err);

// Forces on a wall in the last step, with the torque about its current pivot, and its pose.
typedef struct erg_wall_state {
    erg_vec3 force, torque; // by grains and bodies on the wall [N], [N m]
    erg_vec3 position;      // displacement since t = 0 [m]
    erg_quat rotation;      // about the pivot, since t = 0
    erg_vec3 velocity;      // of the pivot [m/s]
    erg_vec3 spin;          // [rad/s]
} erg_wall_state;
ERG_API erg_status erg_world_wall_state(const erg_world *world, erg_id wall, erg_wall_state *state,
                                        erg_error *err);

// The surface of a wall at its pose, for drawing and measuring. A revolved surface is a chain of
// pieces in the half plane (r, z) around ez; the outside is on the right when going from a to b.
typedef enum erg_surface_kind {
    ERG_SURFACE_PLANE,    // through origin, ez is the normal
    ERG_SURFACE_BOX,      // around origin
    ERG_SURFACE_REVOLVED, // around the axis ez through origin
    ERG_SURFACE_MESH,     // in the frame of origin, ex, ey, ez
    ERG_SURFACE_TERRAIN   // read by erg/terrain.h
} erg_surface_kind;

enum { ERG_OUTLINE_PIECES = 8 };
typedef struct erg_outline_piece {
    double r_a, z_a, r_b, z_b; // ends [m]
    bool   round;              // circular arc, at most half a circle
    double r_c, z_c;           // its centre [m]
} erg_outline_piece;

typedef struct erg_wall_surface {
    const char       *name; // "": none; belongs to the world
    erg_id            material;
    erg_surface_kind  kind;
    erg_wall_side     side;       // never auto
    erg_vec3          origin;     // [m]
    erg_vec3          ex, ey, ez; // orthogonal unit vectors
    double            half[3];    // box: half sizes [m]
    uint32_t          faces;      // box: ERG_FACE_ bits of the faces that exist
    int               piece_count;
    erg_outline_piece piece[ERG_OUTLINE_PIECES];
    erg_rough         rough;
    const erg_mesh   *mesh; // of a mesh wall or body, owned by the world; otherwise NULL
    bool              body; // was added as a body
    // ERG_COMMAND_WALL_VELOCITY moves it along any vector of the world: it has user motion, is no
    // joint, and nothing that moves carries it.
    bool movable;
} erg_wall_surface;

// The joint of a wall with user motion.
typedef struct erg_joint_state {
    erg_joint kind;             // ERG_JOINT_NONE: the wall has no joint, all else is 0
    double    value;            // angle [rad] or displacement [m] since t = 0
    double    range[2];         // lowest and highest value; infinite where there is no end
    double    speed;            // the largest, of a held key [rad/s] or [m/s]
    erg_vec3  along;            // axis of a hinge, direction of a slide, as at t = 0; length 1
    char      key_up, key_down; // 0: none
} erg_joint_state;

ERG_API size_t erg_world_wall_count(const erg_world *world); // bodies included
ERG_API size_t erg_world_body_count(const erg_world *world);
// The spheres of an ERG_BODY_SPHERES body that grains touch: x, y, z of each in the mesh's frame
// [m], and their radius [m]; NULL and 0 for other bodies. Owned by the world.
ERG_API const double *erg_world_body_spheres(const erg_world *world, erg_id body, size_t *count,
                                             double *radius);
// ERG_BAD_INPUT if `body` is a plain wall (erg_wall_surface.body is false).
ERG_API erg_status erg_world_body_state(const erg_world *world, erg_id body, erg_body_state *state,
                                        erg_error *err);
// With `time` NAN, at the current pose; otherwise with the scripted parts of its motion at that
// time [s], and servo and user parts as they are now.
ERG_API erg_status erg_world_wall_surface(const erg_world *world, erg_id wall, double time,
                                          erg_wall_surface *surface, erg_error *err);
ERG_API erg_status erg_world_joint(const erg_world *world, erg_id wall, erg_joint_state *joint,
                                   erg_error *err);

// Grains and mass [kg] released by an emitter, or removed by a sink, since t = 0; either pointer
// may be NULL.
ERG_API erg_status erg_world_emitter_total(const erg_world *world, erg_id emitter, uint64_t *grains,
                                           double *mass, erg_error *err);
// Number of grains that an emitter will have released by `time` [s] at its present rate, if there
// is space for all of them; 0 if there is no such emitter.
ERG_API double     erg_world_emitter_expected(const erg_world *world, erg_id emitter, double time);
ERG_API erg_status erg_world_sink_total(const erg_world *world, erg_id sink, uint64_t *grains,
                                        double *mass, erg_error *err);

// How many there are. Only defined grain kinds count; kinds of balls have higher ids.
ERG_API size_t erg_world_material_count(const erg_world *world);
ERG_API size_t erg_world_grain_kind_count(const erg_world *world);
ERG_API size_t erg_world_emitter_count(const erg_world *world);

// Current values, including changes by commands; NAN if there is no such material or emitter.
ERG_API erg_vec3 erg_world_gravity(const erg_world *world);                      // [m/s^2]
ERG_API double   erg_world_friction(const erg_world *world, erg_id a, erg_id b); // once prepared
ERG_API double   erg_world_emitter_rate(const erg_world *world, erg_id emitter); // [1/s]
ERG_API erg_id   erg_world_kind_material(const erg_world *world, erg_id grain_kind); // 0: none

// Finds an object by its name; 0 if there is none.
ERG_API erg_id erg_world_find_material(const erg_world *world, const char *name);
ERG_API erg_id erg_world_find_grain_kind(const erg_world *world, const char *name);
ERG_API erg_id erg_world_find_wall(const erg_world *world, const char *name);
ERG_API erg_id erg_world_find_emitter(const erg_world *world, const char *name);
ERG_API erg_id erg_world_find_sink(const erg_world *world, const char *name);

// The name of a material, "" if it has none; NULL if there is no such material. Owned by the world.
ERG_API const char *erg_world_material_name(const erg_world *world, erg_id material);
// The definition it was added with; its name is owned by the world.
ERG_API erg_status erg_world_get_material(const erg_world *world, erg_id material,
                                          erg_material_def *def, erg_error *err);
// The definition it was created with; values left at 0 or unset are not filled in.
ERG_API erg_world_def erg_world_get_def(const erg_world *world);

// ---- Commands ----------------------------------------------------------------------------------
// Commands change a running world. They are applied in order before the given step (or the next
// step, if that has passed) and recorded, so that a run can be replayed.
typedef enum erg_command_kind {
    ERG_COMMAND_GRAVITY,       // vector [m/s^2]
    ERG_COMMAND_FRICTION,      // id: material (0: all pairs), value
    ERG_COMMAND_EMITTER_RATE,  // id, value [1/s]
    ERG_COMMAND_WALL_VELOCITY, // id of a wall with user motion; vector [m/s], vector2 spin [rad/s];
                               // value: largest force [N], 0: no limit. The wall keeps its velocity
                               // while grains oppose it with up to half of that, slows down above,
                               // stops at the largest force and is pushed back beyond it. Vectors
                               // are in the frame of the wall that carries it, if any; a joint
                               // (erg_joint) follows their component along it
    ERG_COMMAND_PUSH,          // adds `vector` [m/s] to grains within `value` [m] of `point`
    ERG_COMMAND_ADD_GRAIN,    // id: kind; point, vector: velocity; value: size (0: drawn at random)
    ERG_COMMAND_REMOVE_GRAIN, // grain
    ERG_COMMAND_PULL,      // adds up to `amount` [m/s] towards `point` (negative: away from it) to
                           // grains within `value` [m] of it, less towards the rim
    ERG_COMMAND_ADD_BALL,  // a single sphere of any size. id: material of some grain kind; point,
                           // vector: velocity; value: radius, no smaller than the smallest sphere
                           // [m]; amount: density, at least the material's; 0: the same [kg/m^3]
    ERG_COMMAND_BODY_FORCE // id of a free body; vector: force on its centre of mass [N], vector2:
                           // torque about it [N m], both in world axes. They act in every
                           // step from this one on, until another command for the body replaces
                           // them; zeros end them. Only components in free axes act. For a force
                           // at a point r add (r - centre) x force to the torque
} erg_command_kind;

typedef struct erg_command {
    erg_command_kind kind;
    uint64_t step; // 0: as soon as possible; set to the step it was applied at when recorded
    erg_id   id;
    erg_gid  grain;
    double   value, amount;
    erg_vec3 point, vector, vector2;
} erg_command;

ERG_API erg_status erg_world_command(erg_world *world, const erg_command *command, erg_error *err);
// Copies up to `count` commands that were applied, oldest first, and returns how many there are in
// all. Applied to a world built in the same way, they reproduce the run bit for bit.
ERG_API size_t erg_world_command_log(const erg_world *world, erg_command *commands, size_t count);

// ---- Checkpoints -------------------------------------------------------------------------------
// A checkpoint holds the complete state. An existing file at `path` is renamed to `keep_previous`,
// unless that is NULL. `text` (may be NULL) is stored with it: the scene the world was built from.
ERG_API erg_status erg_world_save(const erg_world *world, const char *path,
                                  const char *keep_previous, const char *text, erg_error *err);
// Loads into a world that was built by the same calls and has not stepped; the run continues bit
// for bit.
ERG_API erg_status erg_world_load(erg_world *world, const char *path, erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
