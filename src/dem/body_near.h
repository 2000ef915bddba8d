// Neighbour lists of bodies: the inscribed spheres ("balls") of each body that are near a wall or
// another body. Derived data: rebuilding the lists does not change the contacts found.
#ifndef ERGI_BODY_NEAR_H
#define ERGI_BODY_NEAR_H

#include "geom/vec3.h"
#include "world/motion.h"

typedef struct ergi_near_inscribed {
    uint32_t ball; // index in the body's shape
    float    gap;  // to the other wall at the list build, rounded down [m]
} ergi_near_inscribed;

// Two walls, a < b, at least one of them a free body.
typedef struct ergi_body_pair {
    uint32_t a, b;
    uint32_t first;      // in ergi_body_near.ball: spheres of a near b, then spheres of b near a
    uint32_t of_a, of_b; // how many
    size_t   place;      // first contact in ergi_body_near.contact
} ergi_body_pair;

// Capacity for contact points: the deepest HITS per listed sphere, plus SPARE per pair, so that a
// single sphere in a round hole can touch it all around.
enum { ERGI_BODY_HITS = 4, ERGI_BODY_SPARE = 12 };

static inline size_t ergi_body_room(const ergi_body_pair *pair)
{
    return ERGI_BODY_HITS * ((size_t)pair->of_a + pair->of_b) + ERGI_BODY_SPARE;
}

// Contact point of an inscribed sphere with a wall or another body.
typedef struct ergi_body_contact {
    uint32_t ball;        // index in its body's shape
    uint32_t of_b;        // 0: sphere of the pair's a, 1: of its b
    uint32_t feature;     // of the other wall
    double   overlap;     // [m]
    erg_vec3 normal;      // unit, from the other wall to the sphere
    erg_vec3 point;       // [m]
    erg_vec3 force;       // on the sphere's body [N]
    erg_vec3 couple;      // rolling and twisting torque on it [N m]
    double   history[10]; // slide, roll, normal, share of the contact
    double   energy;      // in its springs [J]
} ergi_body_contact;

// Sums over the contact points of a pair in a step.
typedef struct ergi_body_sum {
    uint32_t contacts;
    double   power;   // of the contact forces on driven walls [W]
    double   overlap; // largest, over R*
} ergi_body_sum;

typedef struct ergi_body_near {
    bool                  made;
    double                skin; // [m]
    ergi_body_pair       *pair;
    ergi_near_inscribed  *ball;
    ergi_pose            *pose;    // of each wall at the list build
    ergi_body_contact    *contact; // ergi_body_room per pair
    ergi_body_sum        *sum;     // of each pair
    double               *sweep;   // upper bound of each wall's displacement since [m]
    struct ergi_wall_box *extent;  // boxes for finding pairs
    size_t pairs, pair_room, ball_room, pose_room, contact_room, sum_room, sweep_room, extent_room;
} ergi_body_near;

void   ergi_body_near_free(ergi_body_near *near);
size_t ergi_body_near_bytes(const ergi_body_near *near);

#endif
