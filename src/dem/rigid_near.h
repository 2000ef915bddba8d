// Which balls of bodies are near which walls and other bodies. Derived: with other lists the same
// contacts are found, only sooner or later.
#ifndef ERGI_RIGID_NEAR_H
#define ERGI_RIGID_NEAR_H

#include "geom/vec3.h"
#include "world/motion.h"

typedef struct ergi_near_ball {
    uint32_t ball; // of the body's shape
    float    gap;  // to the other when the list was made, rounded down [m]
} ergi_near_ball;

// Two walls, a before b, at least one of them a free body.
typedef struct ergi_rigid_pair {
    uint32_t a, b;
    uint32_t first;      // in ergi_rigid_near.ball: balls of a near b, then balls of b near a
    uint32_t of_a, of_b; // how many
    size_t   place;      // of its first contact in ergi_rigid_near.contact
} ergi_rigid_pair;

// Places where balls feel the same wall: so many for each, the deepest, and some more for a pair,
// so that a lone ball in a round hole feels it all around.
enum { ERGI_RIGID_HITS = 4, ERGI_RIGID_SPARE = 12 };

static inline size_t ergi_rigid_room(const ergi_rigid_pair *pair)
{
    return ERGI_RIGID_HITS * ((size_t)pair->of_a + pair->of_b) + ERGI_RIGID_SPARE;
}

// A ball on a wall or another body.
typedef struct ergi_rigid_contact {
    uint32_t ball;       // of its body's shape
    uint32_t of_b;       // whose ball it is: 0 the pair's a, 1 its b
    uint32_t feature;    // of the other
    double   overlap;    // [m]
    erg_vec3 normal;     // unit, from the other to the ball
    erg_vec3 point;      // [m]
    erg_vec3 force;      // on the ball's body [N]
    erg_vec3 couple;     // rolling and twisting torque on it [N m]
    double   memory[10]; // slide, roll, normal, part of the contact
    double   energy;     // in its springs [J]
} ergi_rigid_contact;

// What a pair of walls came to in a step.
typedef struct ergi_rigid_sum {
    uint32_t contacts;
    double   power;   // of the contact forces on those that are driven [W]
    double   overlap; // largest, over the smaller radius
} ergi_rigid_sum;

typedef struct ergi_rigid_near {
    bool                made;
    double              margin; // [m]
    ergi_rigid_pair    *pair;
    ergi_near_ball     *ball;
    ergi_pose          *pose;    // of each wall when the lists were made
    ergi_rigid_contact *contact; // ergi_rigid_room of each pair
    ergi_rigid_sum     *sum;     // of each pair
    double             *sweep;   // of each wall since, in this step [m]
    struct ergi_extent *extent;  // scratch of finding pairs
    size_t pairs, pair_room, ball_room, pose_room, contact_room, sum_room, sweep_room, extent_room;
} ergi_rigid_near;

void   ergi_rigid_near_free(ergi_rigid_near *near);
size_t ergi_rigid_near_bytes(const ergi_rigid_near *near);

#endif
