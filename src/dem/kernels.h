// The passes of a DEM step, once in float and once in double. The same source (pair_pass.h,
// wall_pass.h, motion_pass.h) is compiled for both; the step itself (step.c) knows only this table.
//
//     contacts  of a chunk's spheres with each other, with those of other chunks, and with walls
//     advance   grains: forces summed, the second half of a kick, the first half of the next one,
//               drift, and their spheres to where they are now; each part as asked
//
// Arrays of `real` are float or double by the table they are handed to.
#ifndef ERGI_KERNELS_H
#define ERGI_KERNELS_H

#include "dem/dem.h"
#include "dem/fixed_point.h"
#include "dem/lists.h"

// The entries of one list of pairs.
typedef struct ergi_pair_side {
    const uint32_t *start; // by sphere
    const uint16_t *owner;
    const void     *other; // as in ergi_partner
    uint8_t        *touching;
    void           *history;
    const void     *coef;
} ergi_pair_side;

typedef struct ergi_pair_pass {
    ergi_sphere_arrays s;
    ergi_pair_side     side[ERGI_SIDES];
    void              *partner_force; // rows of outer entries: on the partner, force, 0, torque, 0
    const void        *law, *coef;
    int                classes;
    bool               coef_per_entry;
    int                one_law; // where the law of all grains stands, if they have but one; else -1
    int                history_width;
    int                normal_law, tangential_law; // -1: by pair
    bool               rolling, cohesion;
    bool               dry_run; // RKF45: evaluate, but keep the history as it is
    erg_index          next; // first sphere of the chunk that comes next; -1: that next in memory
    const ergi_fixed_point *fixed_point;
    double                  period[3];
    double                  dt;
    ergi_report            *report;
} ergi_pair_pass;

typedef struct ergi_wall_pass {
    ergi_sphere_arrays     s;
    const uint32_t        *near_sphere, *near_start;
    size_t                 near_count;
    const uint32_t        *wall_of;
    uint32_t              *feature;
    void                  *history;
    const float           *spare;
    int                    history_width, slots;
    const ergi_world_wall *walls;
    const ergi_wall_state *state;
    const ergi_pair       *pair; // by materials
    size_t                 materials;
    const uint32_t        *class_material;             // by class
    const void            *grain_motion;               // for 1/mass
    int                    normal_law, tangential_law; // -1: by pair
    bool                   many_sizes;                 // coefficients are worked out for each touch
    bool                   usual;                      // all laws are the default ones
    bool                   dry_run;
    bool                   skip_static_walls; // nobody asks what walls feel that stand still
    double                 dt;
    const ergi_wall_sums  *sums;
    ergi_report           *report;
} ergi_wall_pass;

typedef struct ergi_contact_pass {
    ergi_pair_pass pairs;
    ergi_wall_pass walls;
} ergi_contact_pass;

typedef struct ergi_motion_pass {
    double                 *position, *orientation;
    void                   *motion, *force_torque;
    const uint32_t         *kind;
    const double           *size;
    const uint32_t         *first;
    const ergi_kind        *kinds;
    ergi_sphere_arrays      s;
    const ergi_fixed_point *fixed_point;
    // Pushes of outer pairs, by the sphere that they are for.
    const uint32_t *incoming_start, *incoming, *incoming_sphere;
    const void     *partner_force;
    double          gravity[3];
    double          dt;
    double          kick; // share of dt by which forces act before the drift: 1/2 Verlet, 1 Euler
    double          spin_damping; // [1/s]
    double          least_radius; // of all spheres [m]
    bool            single, orient, energy;
    // Parts of the pass, done in this order.
    bool                     sum; // pushes and, for clumps, spheres' loads into the grains' loads
    bool                     finish;        // the kick after the drift
    bool                     start;         // the kick before it, and the drift
    bool                     place;         // spheres to where the grains are
    ergi_chunk_displacement *displacements; // of grains that are single spheres
    ergi_report             *report;
} ergi_motion_pass;

// A contact as it is now.
typedef struct ergi_contact_state {
    double force[3]; // on the owner [N]
    double energy;   // in its springs [J]
} ergi_contact_state;

typedef struct ergi_dem_kernels {
    ergi_range_fn contacts; // spheres; ctx: ergi_contact_pass
    ergi_range_fn advance;  // grains; ctx: ergi_motion_pass
    ergi_contact_state (*pair_state)(const ergi_pair_pass *pass, ergi_side side, uint32_t entry,
                                     erg_index owner);
    // Sets the references of some spheres: where they are, and the skins that lists give them.
    void (*set_reference)(const ergi_motion_pass *pass, const float *sphere_skin, erg_index begin,
                          erg_index end);
    ergi_contact_state (*wall_state)(const ergi_wall_pass *pass, uint32_t sphere, uint32_t entry,
                                     int slot);
    size_t law_bytes, coef_bytes;
    // Row `index` of the table of laws.
    void (*set_law)(void *laws, size_t index, const ergi_pair *pair);
    // Rows of coefficients from `first` on: of contacts between spheres of these radii and masses.
    void (*set_coefs)(void *coefs, size_t first, size_t count, const ergi_pair *pair,
                      const double *radius_a, const double *radius_b, const double *mass_a,
                      const double *mass_b);
    ergi_type real;
} ergi_dem_kernels;

extern const ergi_dem_kernels ergi_dem_float, ergi_dem_double;
extern const ergi_dem_kernels ergi_dem_float_avx2, ergi_dem_float_avx512,
    ergi_dem_float_avx512_wide; // where ERG_X86_KERNELS is defined

// The fastest copy for this processor, or the one that ERG_ISA=scalar|avx2|avx512|avx512-wide in
// the environment names.
erg_status  ergi_dem_choose(erg_precision precision, const ergi_dem_kernels **kernels,
                            erg_error *err);
const char *ergi_dem_isa(const ergi_dem_kernels *kernels); // as ERG_ISA names it

#endif
