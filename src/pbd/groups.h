// The data that the solver's kernels work on: motion rows, groups of contacts, laws.
//
// Within a substep a grain or body is a row of numbers in single precision: its displacement and
// rotation in the substep, and its inverse mass and inertia. Contacts are stored in groups of eight
// that share no row, so that a group is solved at once, one contact per lane. Positions stay in
// double precision; only their differences enter a group.
//
// Masses are in units of a reference mass, so that multipliers are lengths and their squares stay
// within the range of single precision for grains of any size.
#ifndef ERGI_PBD_GROUPS_H
#define ERGI_PBD_GROUPS_H

#include "base/threads.h"
#include "geom/space.h"

enum {
    ERGI_PBD_LANES = 8,
    ERGI_PBD_CHUNK = 1024, // consecutive grains; memory is sorted by space, so a chunk is compact
    ERGI_PBD_HISTORY = 8,  // numbers that a pair carries to the next substep
};

// Layout of a motion row: displacement, inverse mass, rotation, inverse inertia.
enum { ERGI_PBD_MOVE = 0, ERGI_PBD_W = 3, ERGI_PBD_TURN = 4, ERGI_PBD_IW = 7, ERGI_PBD_ROW = 8 };
// Layout of a pair's history: P, P_t, and P_r with the twist P_w n added. The vectors act on the
// first sphere of the pair, so all numbers are negated when a pair swaps its spheres. P itself does
// not change sign, so it is read as |P|.
enum { ERGI_PBD_P = 0, ERGI_PBD_PT = 1, ERGI_PBD_Q = 4 };

// Parameters of a pair of materials.
typedef struct ergi_pbd_law {
    float friction_static, friction, rolling, twisting, restitution;
    float cohesion; // energy density over the reference mass [1/(m s^2)]
} ergi_pbd_law;

// In DEM cohesion acts on an area that follows from the overlap. Here contacts are hard and the
// overlap has no physical meaning, so a nominal overlap is used, in units of R*.
#define ERGI_PBD_STICKY_DEPTH 0.01

// If no pair of materials has a higher restitution than this, the smallest that a scene may give,
// there is no rebound, which saves a sweep.
#define ERGI_PBD_LEAST_RESTITUTION 0.05f

typedef float ergi_pbd_lane[ERGI_PBD_LANES];

// Eight contacts between rows a and b. The normal points towards a.
typedef struct ergi_pbd_group {
    uint32_t      a[ERGI_PBD_LANES], b[ERGI_PBD_LANES]; // rows
    uint32_t      entry[ERGI_PBD_LANES];                // index of the contact's history
    uint32_t      law[ERGI_PBD_LANES];
    uint32_t      count;   // lanes in use; the others are padding
    uint32_t      touched; // bit mask: lanes that carry a force after the solve
    ergi_pbd_lane x[3];    // from b's sphere centre to a's; once frozen, and at walls: n
    ergi_pbd_lane gap;     // sum of radii, at walls the overlap; once frozen: min(overlap, 0) [m]
    ergi_pbd_lane ra, rb;  // radii; once frozen: arms [m]
    ergi_pbd_lane rolling_radius; // R* [m]
    ergi_pbd_lane approach;       // normal displacement before the solve; < 0: approaching [m]
    ergi_pbd_lane p, pt[3], q[3]; // multipliers
    ergi_pbd_lane pull;           // cohesion: lower limit of P, <= 0
    // Clumps and free bodies: from the centre of mass to the sphere's centre; once frozen, to the
    // contact point. [m]
    ergi_pbd_lane arm_a[3], arm_b[3];
} ergi_pbd_group;

// A candidate pair of spheres.
typedef struct ergi_pbd_candidate {
    uint32_t i, j, entry;
} ergi_pbd_candidate;

// Candidates of one colour share no grain.
typedef struct ergi_pbd_colour {
    size_t first, end; // candidates
} ergi_pbd_colour;

// Contacts between two chunks, within one chunk, or of one chunk with walls. Tasks that share no
// chunk can run in parallel; tasks that share one run in order. turn[k] is the number of tasks on
// chunk[k] that precede this one in a sweep.
typedef struct ergi_pbd_task {
    uint32_t chunk[2]; // both equal: one chunk
    uint32_t turn[2];
    bool     walls;
    size_t   colour, colours; // of its candidates
    size_t   group, room;     // first group, and capacity
    size_t   groups;          // in use
    float    deepest;         // largest overlap over the smaller radius
    float    overlap;         // sum of these ratios over its contacts that overlap
    uint32_t overlapping;     // number of those
} ergi_pbd_task;

// The passes over all tasks of a substep.
typedef enum ergi_pbd_sweep {
    ERGI_PBD_FIND,           // contacts of pairs in this substep
    ERGI_PBD_STABILISE,      // shifts positions where spheres overlap
    ERGI_PBD_FIND_STABILISE, // both, task by task: the same result, while the contacts are in cache
    ERGI_PBD_FREEZE,         // normals and arms for the substep; the warm start
    ERGI_PBD_SOLVE,          // contact, friction, rolling
    ERGI_PBD_SOLVE_LAST,     // the same, and history is stored
    ERGI_PBD_ADVANCE,        // positions, chunk by chunk
    ERGI_PBD_REBOUND,        // restitution
    ERGI_PBD_REBOUND_AIM,    // the same for bodies: `approach` is set to what is to be reached,
    ERGI_PBD_REBOUND_BODIES, // and `pull` to the multiplier for that
    ERGI_PBD_FINISH          // velocities, chunk by chunk
} ergi_pbd_sweep;

// Everything that a kernel reads and writes.
typedef struct ergi_pbd_pass {
    float        *row;      // ERGI_PBD_ROW per grain, padding row or contact row
    float        *shift;    // 4 per row: displacement by stabilisation, and w
    const float  *tensor;   // 8 per row: inverse inertia xx yy zz xy xz yz; general only
    const double *position; // x y z radius, 4 per sphere [m]
    // Two per sphere: radius + largest displacement in the substep, and radius [m].
    const float        *reach;
    const float        *offset;   // 4 per sphere: from the grain's centre of mass; general only [m]
    const uint32_t     *body;     // row of each sphere; NULL: the sphere's own index
    const uint32_t     *material; // of each sphere; NULL: one law
    const ergi_pbd_law *law;
    float              *history; // ERGI_PBD_HISTORY per pair
    uint8_t            *held;    // by pair: its history is not zero
    float              *wall_history;
    const ergi_pbd_candidate *candidate;
    const ergi_pbd_colour    *colour;
    ergi_pbd_group           *group;
    ergi_space                space;
    uint32_t                  materials;
    uint32_t                  spare;     // padding row of the first chunk
    float                     scale;     // (dt / previous dt)^2: rescales the multipliers
    float                     threshold; // contacts with approach < -threshold rebound [m]
    float                     dt2;       // [s^2]
    bool                      rolling, rebound, cohesion;
    bool                      clumps;  // pairs act at lever arms
    bool                      general; // the world has clumps or free bodies
} ergi_pbd_pass;

typedef struct ergi_pbd_kernels {
    // Finds the contacts among a task's candidates at the current positions.
    void (*find)(const ergi_pbd_pass *pass, ergi_pbd_task *task);
    // One sweep over a task's groups. ERGI_PBD_FREEZE measures the overlaps of the task.
    void (*sweep)(const ergi_pbd_pass *pass, ergi_pbd_task *task, ergi_pbd_sweep sweep);
} ergi_pbd_kernels;

extern const ergi_pbd_kernels ergi_pbd_kernels_plain;
#if defined(ERG_X86_KERNELS)
extern const ergi_pbd_kernels ergi_pbd_kernels_avx2, ergi_pbd_kernels_avx512;
#endif

// The kernels of the best instruction set of this processor, or of the one named by ERG_ISA.
erg_status  ergi_pbd_choose(const ergi_pbd_kernels **kernels, erg_error *err);
const char *ergi_pbd_isa(const ergi_pbd_kernels *kernels);

#endif
