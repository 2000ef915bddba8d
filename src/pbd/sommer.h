// The algorithm of Sommer et al. 2022 (after Macklin et al. 2014), `variant: sommer`, for
// comparison with the solver's own: position-based contacts, Jacobi iteration with averaging,
// friction without history, shape matching.
//
// Everything is a particle: a sphere of a grain, or a sample of a free body. Particles meet each
// other, the samples of fixed and driven solids, which no contact moves, and surfaces without
// samples:
//
//     samples    spheres of the grains' radius that cover a closed mesh from within, made once
//                (sommer_samples.c). A mesh that is open, or that grains touch from inside, and a
//                plane, box, surface of revolution or height field stays an exact surface: its
//                contact is that with a sample of the grain's own size that touches the surface
//                from behind, straight below the grain. A plane has no end to sample.
//     contacts   found once per substep, with a margin (sommer_contacts.c)
//     passes     2 stabilise, then 4 (or pbd.iterations) solve (sommer.c)
//     shapes     the particles of a clump or a free body return to their arrangement; its pose is
//                the state, that of its particles follows from it (sommer_shapes.c)
#ifndef ERGI_SOMMER_H
#define ERGI_SOMMER_H

#include "geom/sphere_cloud.h"
#include "world/world.h"

#define ERGI_SOMMER_NONE UINT32_MAX

typedef struct ergi_sommer_particle {
    float    shift[3]; // by stabilisation: of x and of the prediction [m]
    float    w;        // inverse mass, over that of the reference mass
    float    move[3];  // prediction minus x [m]
    float    scaled;   // inverse mass in contacts without a free body
    float    sum[3];   // of the corrections of this pass [m]
    float    count;    // their number
    erg_vec3 arm;      // from the middle of its shape, at the start of the substep [m]
    uint32_t shape;    // or ERGI_SOMMER_NONE
    uint32_t body;     // number of the free body, or ERGI_SOMMER_NONE
} ergi_sommer_particle;

// Between particle a and particle b, or something that no contact moves.
typedef struct ergi_sommer_contact {
    uint32_t a, b; // b: ERGI_SOMMER_NONE at samples of walls and at surfaces
    uint32_t law;
    bool     flat;     // at a surface
    float    x[3];     // from the centre of b's sphere to a's at the start; flat: the normal [m]
    float    reach;    // sum of the radii; flat: the overlap at the start [m]
    float    diameter; // sum of the radii; flat: twice the radius [m]
    float    radius;   // the smaller one [m]
    float    way[3];   // displacement of the wall in the substep [m]
    float    d[3];     // correction of a in this pass, before averaging [m]
    float    push[3];  // mass times displacement that a received, all passes, reference masses [m]
} ergi_sommer_contact;

// A clump, a free body.
typedef struct ergi_sommer_shape {
    uint32_t row, body;     // of the grain; number of the free body; the other ERGI_SOMMER_NONE
    uint32_t first, count;  // particles
    double   mass;          // over the reference mass
    double   inner;         // mass within the body, in no contact, over the reference mass
    erg_vec3 middle;        // of its particles, from the centre of mass, at the start [m]
    erg_vec3 inner_arm;     // of the inner mass, from the middle [m]
    erg_quat start, turn;   // rotation in the substep: predicted, and found
    erg_vec3 origin, shift; // displacement of the middle: predicted, and found [m]
} ergi_sommer_shape;

// Scratch of a substep, and the samples. None of it is state.
typedef struct ergi_sommer {
    ergi_sommer_particle *particle;
    ergi_sommer_contact  *contact;
    ergi_sommer_shape    *shape;
    uint32_t             *body_first; // first particle of each free body
    size_t                particles, contacts, shapes;
    size_t                pairs, wall_contacts; // contacts of the first two kinds; then bodies
    size_t                particle_room, contact_room, shape_room, body_first_room, entry_room;
    uint32_t             *entry; // of each pair: index of its history
    ergi_sphere_cloud   **cloud; // of walls that are meshes but not bodies
    size_t                clouds, cloud_room;
} ergi_sommer;

void   ergi_sommer_free(ergi_sommer *sommer);
size_t ergi_sommer_bytes(const ergi_sommer *sommer);
// Covers the meshes of the world with samples.
erg_status ergi_sommer_sample(erg_world *world, erg_error *err);

erg_status ergi_sommer_particles(erg_world *world, erg_error *err);
erg_status ergi_sommer_find(erg_world *world, erg_error *err);

// The corrections that return particles to their shapes, added as one more constraint on each.
void ergi_sommer_match(erg_world *world);
// Writes the motion of all grains and bodies to their rows.
void ergi_sommer_settle(erg_world *world);

#endif
