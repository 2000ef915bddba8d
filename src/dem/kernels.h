// The passes of a DEM step, once in float and once in double. The same source (pair_pass.h,
// wall_pass.h, motion_pass.h) is compiled for both; the step itself (step.c) knows only this table.
//
//     start    half a kick, drift              bodies
//     place    bodies -> their spheres         clumps only
//     pairs    owners' side of all contacts    spheres -> force, push
//     gather   partners' side of them          push -> force
//     walls    contacts with walls             spheres near walls -> force
//     collect  spheres -> their bodies         clumps only
//     finish   the other half of the kick      bodies
//
// Arrays of `real` are float or double by the table they are handed to.
#ifndef ERGI_KERNELS_H
#define ERGI_KERNELS_H

#include "contact/lists.h"
#include "world/world.h"

enum { ERGI_GRAIN = 512 }; // elements a chunk, in every pass

typedef struct ergi_pair_pass {
    ergi_sphere_arrays s;
    const uint32_t    *start, *other;
    uint8_t           *touching;
    void              *memory, *push;
    const void        *law, *coef;
    int                classes;
    bool               coef_per_entry;
    int             one_law; // where the law of all grains stands, when they have but one; else -1
    int             memory_width;
    int             normal_law, tangential_law; // -1: by pair
    bool            rolling, cohesion;
    bool            trial; // RKF45: evaluate, but keep the memory as it is
    bool            sweep; // pushes of parted pairs may be left over from a trial: clear them all
    double          period[3];
    double          dt;
    const uint32_t *incoming_start, *incoming;
    ergi_report    *report;
} ergi_pair_pass;

typedef struct ergi_wall_pass {
    ergi_sphere_arrays     s;
    const uint32_t        *near_sphere, *near_start;
    const uint32_t        *wall_of;
    uint32_t              *feature;
    void                  *memory, *push;
    int                    memory_width, slots;
    const ergi_world_wall *walls;
    const ergi_wall_state *state;
    size_t                 wall_count;
    const ergi_pair       *pair; // by materials
    size_t                 materials;
    const uint32_t        *class_material; // by class
    const void            *body_velocity;  // for 1/mass
    bool                   trial;
    double                 dt;
    double                *wall_sum; // per chunk and wall: force 3, torque 3
    ergi_report           *report;
} ergi_wall_pass;

typedef struct ergi_motion_pass {
    double            *position, *orientation;
    void              *velocity, *spin, *force, *torque;
    const uint32_t    *kind;
    const double      *size;
    const uint32_t    *first;
    const ergi_kind   *kinds;
    ergi_sphere_arrays s;
    double             gravity[3];
    double             dt;
    double       kick; // share of dt by which forces act before the drift: 1/2 Verlet, 1 Euler
    double       spin_damping; // [1/s]
    bool         single, orient, energy;
    ergi_report *report;
} ergi_motion_pass;

typedef struct ergi_dem_kernels {
    ergi_range_fn start, place, collect, finish; // ctx: ergi_motion_pass
    ergi_range_fn pairs, gather;                 // ctx: ergi_pair_pass
    ergi_range_fn walls;                         // ctx: ergi_wall_pass
    // Elastic energy of the contacts of some spheres, and of spheres near walls.
    double (*pair_energy)(const ergi_pair_pass *pass, erg_index begin, erg_index end);
    double (*wall_energy)(const ergi_wall_pass *pass, erg_index begin, erg_index end);
    size_t law_bytes, coef_bytes;
    // Row `index` of the tables of laws and coefficients.
    void (*set_law)(void *laws, size_t index, const ergi_pair *pair);
    void (*set_coef)(void *coefs, size_t index, const ergi_pair *pair, double radius_star,
                     double mass_star);
    ergi_type real;
} ergi_dem_kernels;

extern const ergi_dem_kernels ergi_dem_float, ergi_dem_double;
extern const ergi_dem_kernels ergi_dem_float_avx2,
    ergi_dem_float_avx512; // where ERG_X86_KERNELS is defined

// The fastest copy for this processor, or the one that ERG_ISA=scalar|avx2|avx512 in the
// environment names.
erg_status ergi_dem_choose(erg_precision precision, const ergi_dem_kernels **kernels,
                           erg_error *err);

#endif
