// What the kernels of the solver work on: rows of motion, groups of contacts, laws.
//
// Within a substep a body is a row of numbers in single precision: how far it goes and turns in the
// substep, and its inverse mass and inertia. Contacts stand in groups of eight that share no body:
// a group is worked on at once, lane by lane. Positions stay in double; only differences of them
// enter a group.
//
// Masses are in units of a reference mass, so that multipliers are lengths and their squares stay
// within single precision for grains of any size.
#ifndef ERGI_PBD_GROUPS_H
#define ERGI_PBD_GROUPS_H

#include "base/threads.h"
#include "geom/space.h"

enum {
    ERGI_PBD_LANES = 8,
    ERGI_PBD_CHUNK = 1024, // bodies that are neighbours in memory, and so in space
    ERGI_PBD_HISTORY = 8,  // numbers that a pair carries from substep to substep
    ERGI_PBD_SETS = 3      // see ergi_pbd_set
};

// Where the numbers of a row of motion stand.
enum { ERGI_PBD_MOVE = 0, ERGI_PBD_W = 3, ERGI_PBD_TURN = 4, ERGI_PBD_IW = 7, ERGI_PBD_ROW = 8 };
// Where those of a pair's history stand: P, P_t, and P_r with the twist P_w n added. They are
// vectors from one side to the other: a pair that changes sides negates them. P, which does not,
// is read as |P|.
enum { ERGI_PBD_P = 0, ERGI_PBD_PT = 1, ERGI_PBD_Q = 4 };

// Numbers of a pair of materials.
typedef struct ergi_pbd_law {
    float friction_static, friction, rolling, twisting, restitution;
    float cohesion; // energy density over the reference mass [1/(m s^2)]
} ergi_pbd_law;

// Cohesion acts on an area that follows from the overlap, which means nothing here: a nominal one
// is taken, in shares of R*.
#define ERGI_PBD_STICKY_DEPTH 0.01

typedef float ergi_pbd_lane[ERGI_PBD_LANES];

// Eight contacts of bodies a and b; a's side is where the normal points.
typedef struct ergi_pbd_group {
    uint32_t      a[ERGI_PBD_LANES], b[ERGI_PBD_LANES]; // rows
    uint32_t      entry[ERGI_PBD_LANES];                // whose history it is
    uint32_t      law[ERGI_PBD_LANES];
    uint32_t      count;   // lanes in use; the others are contacts of nothing, far apart
    uint32_t      touched; // lanes with P > 0 after the solve
    ergi_pbd_lane x[3];    // centre of a's sphere from that of b's; once frozen, and at walls: n
    ergi_pbd_lane gap;     // sum of radii, at walls the overlap; once frozen: min(overlap, 0) [m]
    ergi_pbd_lane ra, rb;  // radii; once frozen: arms [m]
    ergi_pbd_lane rolling_radius; // R* [m]
    ergi_pbd_lane approach;       // way that they approached by, before the solve; below 0 [m]
    ergi_pbd_lane p, pt[3], q[3]; // multipliers
    ergi_pbd_lane pull;           // cohesion: least P, at or below 0
    // Clumps and free bodies: from the bodies' centres of mass to the spheres' centres; once
    // frozen, to the contact. [m]
    ergi_pbd_lane arm_a[3], arm_b[3];
} ergi_pbd_group;

// A candidate pair of spheres.
typedef struct ergi_pbd_candidate {
    uint32_t i, j, entry;
} ergi_pbd_candidate;

// Candidates of one colour share no body.
typedef struct ergi_pbd_colour {
    size_t first, end; // candidates
} ergi_pbd_colour;

// Contacts between two chunks, or within one, or of one chunk with walls. Tasks that share no chunk
// can run at once; those that do run in their order. turn[k] is how many tasks on chunk[k] come
// before this one in a sweep.
typedef struct ergi_pbd_task {
    uint32_t chunk[2]; // the same twice: one chunk
    uint32_t turn[2];
    bool     walls;
    size_t   colour, colours; // of its candidates
    size_t   group, room;     // its groups, and how many there may be
    size_t   groups;          // now
    float    deepest;         // overlap over the smaller radius
} ergi_pbd_task;

// The passes over all tasks of a substep.
typedef enum ergi_pbd_sweep {
    ERGI_PBD_FIND,       // contacts of this substep
    ERGI_PBD_STABILISE,  // shifts positions where spheres overlap
    ERGI_PBD_FREEZE,     // normals and arms for the substep; the warm start
    ERGI_PBD_SOLVE,      // contact, friction, rolling
    ERGI_PBD_SOLVE_LAST, // the same, and history is stored
    ERGI_PBD_ADVANCE,    // positions, chunk by chunk
    ERGI_PBD_REBOUND,    // restitution
    ERGI_PBD_FINISH      // velocities, chunk by chunk
} ergi_pbd_sweep;

// Everything that a kernel reads and writes.
typedef struct ergi_pbd_pass {
    float              *row;      // ERGI_PBD_ROW a body
    float              *shift;    // 4 a body: way of the stabilisation, and w
    const float        *tensor;   // 8 a body: inverse inertia xx yy zz xy xz yz; general only
    const double       *position; // x y z radius, 4 a sphere
    const float        *reach;    // radius, and how far the sphere may come in the substep [m]
    const float        *offset;   // 4 a sphere: from its body's centre of mass; general only [m]
    const uint32_t     *body;     // of each sphere; NULL: its own number
    const uint32_t     *material; // of each sphere; NULL: one law
    const ergi_pbd_law *law;
    float              *history; // ERGI_PBD_HISTORY a pair, and of wall contacts
    float              *wall_history;
    const ergi_pbd_candidate *candidate;
    const ergi_pbd_colour    *colour;
    ergi_pbd_group           *group;
    ergi_space                space;
    uint32_t                  materials;
    uint32_t                  spare;     // row of the first chunk's contacts of nothing
    float                     scale;     // (dt/dt before)^2, of the multipliers
    float                     threshold; // approach below minus this rebounds [m]
    float                     dt2;       // [s^2]
    bool                      rolling, rebound, cohesion;
    bool                      general; // some bodies are no single spheres
} ergi_pbd_pass;

typedef struct ergi_pbd_kernels {
    // Contacts of a task's candidates as they are now.
    void (*find)(const ergi_pbd_pass *pass, ergi_pbd_task *task);
    // One sweep over a task's groups. Returns the largest overlap over the smaller radius, where
    // that is worked out.
    float (*sweep)(const ergi_pbd_pass *pass, const ergi_pbd_task *task, ergi_pbd_sweep sweep);
} ergi_pbd_kernels;

extern const ergi_pbd_kernels ergi_pbd_kernels_plain;
#if defined(ERG_X86_KERNELS)
extern const ergi_pbd_kernels ergi_pbd_kernels_avx2, ergi_pbd_kernels_avx512;
#endif

// The fastest that this processor has, or what ERG_ISA names.
erg_status  ergi_pbd_choose(const ergi_pbd_kernels **kernels, erg_error *err);
const char *ergi_pbd_isa(const ergi_pbd_kernels *kernels);

#endif
