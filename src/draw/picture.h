// What is to be seen, ready for drawing: spheres, meshes and ribbons around an origin near the
// middle, in float, with colours. Nothing here knows OpenGL, and nothing knows a world's inside.
#ifndef ERGI_PICTURE_H
#define ERGI_PICTURE_H

#include "draw/model.h"

// As the vertex shader reads it.
typedef struct ergi_ball {
    float    x, y, z, r; // from the picture's origin [m]
    uint32_t colour;     // bytes red, green, blue, 255
} ergi_ball;

// A wall without an end, of which a picture shows a part, or none where the ground is drawn
// instead.
typedef struct ergi_plane {
    erg_vec3 origin, normal; // [m], unit
    bool     thin;           // grains may be on either side of it
} ergi_plane;

typedef enum ergi_sheet_kind {
    ERGI_SHEET_SOLID,
    ERGI_SHEET_VESSEL, // its side towards the eye is left out, so that one sees what it holds
    ERGI_SHEET_GLASS,
    ERGI_SHEET_GROUND
} ergi_sheet_kind;

typedef struct ergi_sheet {
    ergi_sheet_kind kind;
    uint32_t        colour;
    size_t          first, count; // corners, three a triangle
    erg_id          wall;         // whose it is; 0: the ground
} ergi_sheet;

// Something of triangles, and where it is.
typedef struct ergi_prop {
    ergi_model *model;
    erg_vec3    position; // of the shape's frame [m]
    erg_quat    orientation;
    uint32_t    colour;
    bool        glass;
    uint64_t    id;
    erg_id      wall;                       // whose it is; 0: it was given
    size_t      sphere_first, sphere_count; // in prop_spheres
    double      sphere_radius;              // [m]
} ergi_prop;

// One appearance of a model, as the vertex shader reads it.
typedef struct ergi_prop_pose {
    float    place[3]; // of its middle, from the picture's origin [m]
    float    turn[4];  // x, y, z, w
    uint32_t colour;
} ergi_prop_pose;

// All appearances of one model.
typedef struct ergi_batch {
    const ergi_model *model;
    bool              glass;
    size_t            first, count; // poses
} ergi_batch;

// A line with a width that faces the eye.
typedef struct ergi_ribbon {
    float    from[4], to[4]; // place, half its width [m]
    uint32_t colour;
} ergi_ribbon;

typedef struct ergi_bounds {
    erg_vec3 low, high; // low above high: empty [m]
} ergi_bounds;

struct erg_picture {
    erg_look   look;
    char       caption[256];
    erg_camera eye;           // placed
    erg_camera start;         // where it was before any turn
    bool       framed;        // a camera that places itself has done so
    double     ground_so_far; // lowest floor yet, so that it never rises in a film [m]
    bool       has_ground;
    double     ground;       // height of the ground along `up` [m]
    bool       ground_holds; // a wall is there
    int        threads;      // for what is done on the processor: those of the world

    erg_vec3    up;            // unit
    erg_vec3    origin;        // of all floats here
    ergi_bounds bounds;        // of spheres and walls, those far astray left out
    double      largest, mean; // radius of a sphere [m]; `largest` is above 0
    double      low, high;     // ends of the colours
    double      fall;          // speed after a fall by a mean diameter [m/s]

    // The ends so far, of what colours tell; in a film they only move apart.
    bool          ranged;
    erg_colour_by ranged_by;
    double        ranged_low, ranged_high;
    double       *ranks;
    size_t        ranks_room;

    ergi_ball   *balls;
    size_t       ball_count, ball_room;
    ergi_ball   *left_out; // by a cut or by `every`: not drawn, and in the way all the same
    size_t       left_out_count, left_out_room;
    ergi_plane  *planes;
    size_t       plane_count, plane_room;
    ergi_corner *corners;
    size_t       corner_count, corner_room;
    ergi_sheet  *sheets;
    size_t       sheet_count, sheet_room;
    ergi_ribbon *ribbons; // edges of walls, then chains from the weakest to the strongest
    size_t       ribbon_count, ribbon_room, edge_count;

    // The first props are given, the others the world's. Their models stay from picture to picture.
    ergi_prop      *props;
    size_t          prop_count, prop_room, given_count;
    double         *prop_spheres; // x, y, z of each
    size_t          prop_sphere_count, prop_sphere_room, given_spheres;
    ergi_model    **models;
    size_t          model_count, model_room;
    ergi_prop_pose *poses;
    size_t          pose_room;
    ergi_batch     *batches;
    size_t          batch_count, batch_room;

    // The spheres as they were read; kept for the next picture.
    double   *position, *velocity, *radius;
    erg_gid  *grain;
    uint32_t *material, *kind;
    size_t    position_room, velocity_room, radius_room, grain_room, material_room, kind_room;
    double   *value; // that the colours tell
    size_t    value_room;
    uint32_t  defined_kinds; // grains of kinds above are balls that somebody threw
};

// ---- Parts of erg_picture_take, in this order --------------------------------------------------
erg_status ergi_picture_read(erg_picture *p, const erg_world *world, const erg_moment *moment,
                             erg_sphere_view *view, erg_error *err);
// Meshes of the world, as props.
erg_status ergi_picture_bodies(erg_picture *p, const erg_world *world, const erg_moment *moment,
                               erg_error *err);
erg_status ergi_picture_bounds(erg_picture *p, const erg_world *world, const erg_moment *moment,
                               const erg_sphere_view *view, erg_error *err);
erg_status ergi_picture_balls(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                              erg_error *err);
erg_status ergi_picture_props(erg_picture *p, erg_error *err);
erg_status ergi_picture_walls(erg_picture *p, const erg_world *world, const erg_moment *moment,
                              erg_error *err);
erg_status ergi_picture_chains(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                               erg_error *err);

// ---- Props: props.c ----------------------------------------------------------------------------
// Adds one to those of the picture that is being taken, before its bounds are known.
erg_status ergi_picture_add_prop(erg_picture *p, const erg_prop *prop, erg_error *err);
void       ergi_picture_drop_props(erg_picture *p, size_t props, size_t spheres); // all after these
void       ergi_picture_bound_props(const erg_picture *p, ergi_bounds *bounds);
void       ergi_picture_free_props(erg_picture *p);

// ---- Shared by them ----------------------------------------------------------------------------
// Contacts of the world; the caller frees them with ergi_memory_free.
erg_status ergi_read_contacts(const erg_world *world, erg_contact **contacts, size_t *count,
                              erg_error *err);
// The number of a sphere in a view whose grains are in order of their ids; SIZE_MAX: not there.
size_t ergi_sphere_of(const erg_sphere_view *view, erg_gid grain, uint32_t slot);

erg_status ergi_picture_add_ball(erg_picture *p, erg_vec3 centre, double radius, uint32_t colour,
                                 erg_error *err);
// The same for one that is there and not shown.
erg_status ergi_picture_leave_out_ball(erg_picture *p, erg_vec3 centre, double radius,
                                       erg_error *err);
erg_status ergi_picture_add_ribbon(erg_picture *p, erg_vec3 from, erg_vec3 to, double half_width,
                                   uint32_t colour, erg_error *err);
bool       ergi_picture_cuts_off(const erg_picture *p, erg_vec3 centre, double radius);
void       ergi_bounds_include(ergi_bounds *bounds, erg_vec3 point);
bool       ergi_bounds_empty(const ergi_bounds *bounds);

#endif
