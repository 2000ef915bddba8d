// Closest points between a sphere's centre and a fixed surface: plane, box, surface of revolution
// (these smooth or covered with a lattice of bumps) or triangle mesh.
//
// A surface is a few features (faces, edges, corners, pieces, rims, bumps). A concave corner is
// felt through both faces at once; at a convex one the faces, the edge and the other face take over
// from each other without a jump: an edge counts only when the centre is nearest to it on every
// face that it belongs to. So a sphere rolls round an edge without a kick and never feels one wall
// twice.
#ifndef ERGI_SURFACE_H
#define ERGI_SURFACE_H

#include "erg/base.h"
#include "geom/profile.h"
#include "geom/vec3.h"

enum { ERGI_SURFACE_MAX_HITS = 32 };

typedef struct ergi_surface_hit {
    uint32_t feature;   // the same while the sphere stays on that face, piece, edge or bump; of a
                        // mesh: while it pushes in nearly the same direction
    double   gap;       // from the centre to the surface; negative past a signed one [m]
    erg_vec3 normal;    // unit, from the surface towards the allowed side
    double   curvature; // mean curvature: 0 plane, above 0 convex, below 0 concave; across sharp
                      // edges taken as 0, so that the contact's stiffness does not jump there [1/m]
    erg_vec3 point; // closest point of the surface [m]
    // Where several hits are one contact (cloud): what the others have of its stiffness, 0 to 1;
    // the gap is then that of the whole contact.
    double others;
} ergi_surface_hit;

typedef enum ergi_surface_kind {
    ERGI_SURFACE_PLANE,
    ERGI_SURFACE_BOX,
    ERGI_SURFACE_REVOLVED,
    ERGI_SURFACE_MESH,
    ERGI_SURFACE_CLOUD // spheres that stand for a mesh
} ergi_surface_kind;

typedef enum ergi_surface_side {
    ERGI_SIDE_INSIDE,  // signed, of a closed surface
    ERGI_SIDE_OUTSIDE, // signed; plane: along its normal
    ERGI_SIDE_BOTH     // thin
} ergi_surface_side;

typedef struct ergi_surface {
    ergi_surface_kind kind;
    ergi_surface_side side;
    erg_vec3          origin;  // plane: its point; box: centre; revolved: z = 0 on the axis [m]
    erg_vec3     ex, ey, ez;   // unit, at right angles; plane: ez is the normal; revolved: the axis
    double       half[3];      // box: half sizes [m]
    uint32_t     faces;        // box: bit 2k + (1 if max) for each face there is, k = 0, 1, 2
    ergi_profile profile;      // revolved
    double       bump_spacing; // 0: smooth [m]
    double       bump_radius;  // [m]
    // Mesh and cloud: in the frame origin, ex, ey, ez. Belongs to whoever made the surface.
    const struct ergi_solid        *mesh;
    const struct ergi_sphere_cloud *cloud; // in the same frame
} ergi_surface;

static inline bool ergi_surface_is_mesh(const ergi_surface *surface)
{
    return surface->kind == ERGI_SURFACE_MESH || surface->kind == ERGI_SURFACE_CLOUD;
}

// Sets origin, ez and two directions across it.
void ergi_surface_place(ergi_surface *surface, erg_vec3 origin, erg_vec3 ez);

// All features nearer to the centre than reach, in a fixed order. Past a signed surface of
// revolution or mesh, or the outside of a box, only the nearest; past a mesh by more than reach,
// none. Were there ever more than
// ERGI_SURFACE_MAX_HITS, the nearest stay.
int ergi_surface_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                      ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS]);

// Whether hits of this surface may carry that feature.
bool ergi_surface_has_feature(const ergi_surface *surface, uint32_t feature);

// True: ergi_surface_hits would find nothing. Cheap, and may answer false when in doubt.
bool ergi_surface_far(const ergi_surface *surface, erg_vec3 centre, double reach);

// Half sizes of the box along ex, ey, ez, and its centre, that hold the surface with its bumps;
// false: unbounded.
bool ergi_surface_box(const ergi_surface *surface, erg_vec3 *centre, double half[3]);

// The origin, but for a mesh: the middle of its box.
erg_vec3 ergi_surface_middle(const ergi_surface *surface);

// No point of the surface is farther than this from its middle; HUGE_VAL for a plane [m].
double ergi_surface_extent(const ergi_surface *surface);

// Features of bumps have this bit, others do not; those of a mesh are below ERGI_MESH_FEATURES.
#define ERGI_BUMP_FEATURE 0x80000000u
enum { ERGI_MESH_CELLS = 5, ERGI_MESH_DIRECTIONS = 2 * ERGI_MESH_CELLS + 1 };
enum { ERGI_MESH_FEATURES = ERGI_MESH_DIRECTIONS * ERGI_MESH_DIRECTIONS * ERGI_MESH_DIRECTIONS };

// ---- Between surface.c, bumps.c and mesh_hits.c
// -------------------------------------------------------------
typedef struct ergi_hit_list {
    int               count;
    ergi_surface_hit *hits;
} ergi_hit_list;

// In a full list: in place of the farthest, if that is farther.
void ergi_hit_list_replace(ergi_hit_list *list, ergi_surface_hit hit);

static inline void ergi_hit_list_add(ergi_hit_list *list, ergi_surface_hit hit)
{
    if (list->count < ERGI_SURFACE_MAX_HITS)
        list->hits[list->count++] = hit;
    else
        ergi_hit_list_replace(list, hit);
}

// A centre in the surface's own frame.
typedef struct ergi_surface_query {
    erg_vec3 p;      // along ex, ey, ez from the origin
    double   r;      // revolved: distance from the axis
    erg_vec3 radial; // revolved: unit, away from the axis, in world directions
    double   reach;
} ergi_surface_query;

// From the surface's frame to the world's.
static inline erg_vec3 ergi_surface_turn(const ergi_surface *surface, erg_vec3 local)
{
    erg_vec3 v = ergi_scale(surface->ex, local.x);
    v = ergi_madd(v, local.y, surface->ey);
    return ergi_madd(v, local.z, surface->ez);
}

void ergi_cloud_hits(const ergi_surface *surface, const ergi_surface_query *query,
                     ergi_hit_list *list);
void ergi_mesh_hits(const ergi_surface *surface, const ergi_surface_query *query,
                    ergi_hit_list *list);

void ergi_bumps_on_plane(const ergi_surface *surface, const ergi_surface_query *query,
                         ergi_hit_list *list);
void ergi_bumps_on_box(const ergi_surface *surface, const ergi_surface_query *query,
                       ergi_hit_list *list);
void ergi_bumps_on_profile(const ergi_surface *surface, const ergi_surface_query *query,
                           ergi_hit_list *list);

#endif
