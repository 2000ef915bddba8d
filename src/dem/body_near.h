// Which balls of bodies are near which walls and other bodies. Derived: with other lists the same
// contacts are found, only sooner or later.
#ifndef ERGI_BODY_NEAR_H
#define ERGI_BODY_NEAR_H

#include "geom/vec3.h"
#include "world/motion.h"

typedef struct ergi_near_ball {
    uint32_t ball; // of the body's shape
    float    gap;  // to the other when the list was made, rounded down [m]
} ergi_near_ball;

// Two walls, a before b, at least one of them a free body.
typedef struct ergi_body_pair {
    uint32_t a, b;
    uint32_t first;      // in ergi_body_near.ball: balls of a near b, then balls of b near a
    uint32_t of_a, of_b; // how many
    size_t   place;      // of its first contact in ergi_body_near.contact
} ergi_body_pair;

// Places where balls feel the same wall: so many for each, the deepest, and some more for a pair,
// so that a lone ball in a round hole feels it all around.
enum { ERGI_BODY_HITS = 4, ERGI_BODY_SPARE = 12 };

static inline size_t ergi_body_room(const ergi_body_pair *pair)
{
    return ERGI_BODY_HITS * ((size_t)pair->of_a + pair->of_b) + ERGI_BODY_SPARE;
}

// A ball on a wall or another body.
typedef struct ergi_body_contact {
    uint32_t ball;        // of its body's shape
    uint32_t of_b;        // whose ball it is: 0 the pair's a, 1 its b
    uint32_t feature;     // of the other
    double   overlap;     // [m]
    erg_vec3 normal;      // unit, from the other to the ball
    erg_vec3 point;       // [m]
    erg_vec3 force;       // on the ball's body [N]
    erg_vec3 couple;      // rolling and twisting torque on it [N m]
    double   history[10]; // slide, roll, normal, part of the contact
    double   energy;      // in its springs [J]
} ergi_body_contact;

// What a pair of walls came to in a step.
typedef struct ergi_body_sum {
    uint32_t contacts;
    double   power;   // of the contact forces on those that are driven [W]
    double   overlap; // largest, over the smaller radius
} ergi_body_sum;

typedef struct ergi_body_near {
    bool                made;
    double              skin; // [m]
    ergi_body_pair     *pair;
    ergi_near_ball     *ball;
    ergi_pose          *pose;    // of each wall when the lists were made
    ergi_body_contact  *contact; // ergi_body_room of each pair
    ergi_body_sum      *sum;     // of each pair
    double             *sweep;   // of each wall since, in this step [m]
    struct ergi_extent *extent;  // scratch of finding pairs
    size_t pairs, pair_room, ball_room, pose_room, contact_room, sum_room, sweep_room, extent_room;
} ergi_body_near;

void   ergi_body_near_free(ergi_body_near *near);
size_t ergi_body_near_bytes(const ergi_body_near *near);

#endif
