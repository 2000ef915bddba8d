// The passes of a DEM step. The same source (pair_pass.h, wall_pass.h, motion_pass.h) is compiled
// in float and in double; the step (step.c) uses only this table.
//
//     contacts  forces of a chunk's spheres with each other, with other chunks, and with walls
//     advance   grains: sum forces, second kick, first kick of the next step, drift, set sphere
//               positions; each part is optional
//
// `void *` arrays of numbers are float or double, depending on the table.
#ifndef ERGI_KERNELS_H
#define ERGI_KERNELS_H

#include "dem/dem.h"
#include "dem/fixed_point.h"
#include "dem/lists.h"

// The entries of one list of pairs.
typedef struct ergi_pair_entries {
    const uint32_t *start; // per sphere
    const uint16_t *owner;
    const void     *other; // as in ergi_partner
    uint8_t        *touching;
    void           *history;
    const void     *coef;
} ergi_pair_entries;

typedef struct ergi_pair_pass {
    ergi_sphere_arrays      s;
    ergi_pair_entries       side[ERGI_LIST_KINDS];
    void                   *partner_force; // per outer entry: force, 0, torque, 0 on the partner
    const void             *law, *coef;
    int                     classes;
    bool                    coef_per_entry;
    int                     one_law; // index in `law` if all pairs of grains share one law; else -1
    int                     history_width;
    int                     normal_law, tangential_law; // -1: differs per pair
    bool                    rolling, cohesion;
    bool                    dry_run; // evaluate without storing history (RKF45)
    erg_index               next; // first sphere of the next chunk, to prefetch; -1: next in memory
    const ergi_fixed_point *fixed_point;
    double                  period[3];
    double                  dt;
    ergi_report            *report;
} ergi_pair_pass;

typedef struct ergi_wall_pass {
    ergi_sphere_arrays        s;
    const uint32_t           *near_sphere, *near_start;
    size_t                    near_count;
    const uint32_t           *wall_of;
    uint32_t                 *feature;
    void                     *history;
    const float              *spare;
    const ergi_ground_row    *ground; // of each entry of the terrain; NULL: not known
    int                       history_width, slots;
    const ergi_world_wall    *walls;
    const ergi_wall_state    *state;
    const ergi_material_pair *pair; // of two materials
    size_t                    materials;
    const uint32_t           *class_material;             // of each class
    const void               *grain_motion;               // for 1/mass
    int                       normal_law, tangential_law; // -1: differs per pair
    bool                      many_sizes; // coefficients are computed for each contact
    bool                      usual;      // all pairs have the default laws
    bool                      dry_run;
    bool                      skip_static_walls; // do not sum forces on static walls
    double                    dt;
    const ergi_wall_sums     *sums;
    ergi_report              *report;
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
    // Partner forces of outer pairs, sorted by the sphere they act on.
    const uint32_t *incoming_start, *incoming, *incoming_sphere;
    const void     *partner_force;
    double          gravity[3];
    double          dt;
    double          kick;         // share of dt of the first kick: 1/2 Verlet, 1 Euler
    double          spin_damping; // [1/s]
    double          least_radius; // of all spheres [m]
    bool            single, orient, energy;
    // Parts of the pass, in this order.
    bool                     sum;           // add partner forces and, for clumps, sum over spheres
    bool                     finish;        // second kick (after the drift)
    bool                     start;         // first kick, and drift
    bool                     place;         // set sphere positions and motion from the grains
    ergi_chunk_displacement *displacements; // only for single spheres
    ergi_report             *report;
} ergi_motion_pass;

// Force and energy of a contact at the current state.
typedef struct ergi_contact_state {
    double force[3]; // on the owner [N]
    double energy;   // in its springs [J]
} ergi_contact_state;

typedef struct ergi_dem_kernels {
    ergi_range_fn contacts; // spheres; ctx: ergi_contact_pass
    ergi_range_fn advance;  // grains; ctx: ergi_motion_pass
    ergi_contact_state (*pair_state)(const ergi_pair_pass *pass, ergi_list_kind side,
                                     uint32_t entry, erg_index owner);
    // Sets the reference positions and skins of spheres begin .. end-1.
    void (*set_reference)(const ergi_motion_pass *pass, const float *sphere_skin, erg_index begin,
                          erg_index end);
    ergi_contact_state (*wall_state)(const ergi_wall_pass *pass, uint32_t sphere, uint32_t entry,
                                     int slot);
    size_t law_bytes, coef_bytes;
    // Sets row `index` of the table of laws.
    void (*set_law)(void *laws, size_t index, const ergi_material_pair *pair);
    // Sets rows of coefficients from `first` on, for pairs with these radii and masses.
    void (*set_coefs)(void *coefs, size_t first, size_t count, const ergi_material_pair *pair,
                      const double *radius_a, const double *radius_b, const double *mass_a,
                      const double *mass_b);
    ergi_type real;
} ergi_dem_kernels;

extern const ergi_dem_kernels ergi_dem_float, ergi_dem_double;
extern const ergi_dem_kernels ergi_dem_float_avx2, ergi_dem_float_avx512,
    ergi_dem_float_avx512_wide; // if ERG_X86_KERNELS is defined

// The fastest copy for this processor, or the one named by the environment variable
// ERG_ISA=scalar|avx2|avx512|avx512-wide.
erg_status  ergi_dem_choose_kernels(erg_precision precision, const ergi_dem_kernels **kernels,
                                    erg_error *err);
const char *ergi_dem_isa(const ergi_dem_kernels *kernels); // name as in ERG_ISA

#endif
