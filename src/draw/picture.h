// Everything that a picture shows, ready for drawing: spheres, meshes and ribbons with colours, as
// floats relative to an origin near the centre. Independent of OpenGL and of a world's internals.
#ifndef ERGI_PICTURE_H
#define ERGI_PICTURE_H

#include "draw/colours.h"
#include "draw/land.h"
#include "draw/model.h"

// Vertex attributes of a sphere.
typedef struct ergi_ball {
    float    x, y, z, r; // relative to the picture's origin [m]
    uint32_t colour;     // bytes red, green, blue, 255
} ergi_ball;

// An infinite plane wall. A picture shows a part of it, or none where the ground replaces it.
typedef struct ergi_plane {
    erg_vec3 origin, normal; // [m], unit
    bool     thin;           // grains may be on either side
} ergi_plane;

typedef enum ergi_sheet_kind {
    ERGI_SHEET_SOLID,
    ERGI_SHEET_VESSEL, // its side towards the camera is left out, to show the contents
    ERGI_SHEET_GLASS,
    ERGI_SHEET_GROUND
} ergi_sheet_kind;

typedef struct ergi_sheet {
    ergi_sheet_kind kind;
    uint32_t        colour;
    size_t          first, count; // corners, three per triangle
    erg_id          wall;         // 0: the ground
} ergi_sheet;

// A mesh with its pose.
typedef struct ergi_prop {
    ergi_model *model;
    erg_vec3    position; // of the shape's frame [m]
    erg_quat    orientation;
    uint32_t    colour;
    bool        glass;
    uint64_t    id;
    erg_id      wall;                       // 0: given by the caller
    size_t      sphere_first, sphere_count; // in prop_spheres
    double      sphere_radius;              // [m]
} ergi_prop;

// One instance of a model: vertex attributes.
typedef struct ergi_prop_pose {
    float    place[3]; // centre, relative to the picture's origin [m]
    float    turn[4];  // x, y, z, w
    uint32_t colour;
} ergi_prop_pose;

// All instances of one model.
typedef struct ergi_batch {
    const ergi_model *model;
    bool              glass;
    size_t            first, count; // poses
} ergi_batch;

// A line with a width, facing the camera.
typedef struct ergi_ribbon {
    float    from[4], to[4]; // position and half width [m]
    uint32_t colour;
} ergi_ribbon;

typedef struct ergi_bounds {
    erg_vec3 low, high; // low above high: empty [m]
} ergi_bounds;

struct erg_picture {
    erg_look   look;
    char       caption[256];
    erg_camera eye;           // current camera
    erg_camera start;         // before any orbit
    bool       framed;        // automatic placement is done
    double     ground_so_far; // lowest floor so far; in a film it never rises [m]
    bool       has_ground;
    double     ground;       // height of the ground along `up` [m]
    bool       ground_holds; // a wall lies at that height
    int        threads;      // those of the world

    erg_vec3    up;            // unit
    erg_vec3    origin;        // of all float positions here [m]
    ergi_bounds bounds;        // of spheres, props and walls, without stray spheres
    ergi_bounds solid;         // of props and walls
    double      largest, mean; // sphere radius [m]; `largest` is above 0
    double      low, high;     // range of the colours
    double      fall;          // speed after a fall of a mean diameter [m/s]

    // Range of the colours so far; in a film it only widens.
    bool          ranged;
    erg_colour_by ranged_by;
    double        ranged_low, ranged_high;
    double       *ranks;
    size_t        ranks_room;

    ergi_land *land;        // NULL: no terrain
    double     land_radius; // of the grains drawn on it [m]
    double     land_spread; // of their radii, as a share
    float      land_tint[ERGI_TINTS][4], land_mean[3];
    int        land_tints;

    ergi_ball   *balls;
    size_t       ball_count, ball_room;
    ergi_ball   *left_out; // hidden by a cut or by `every`, but still obstacles
    size_t       left_out_count, left_out_room;
    ergi_plane  *planes;
    size_t       plane_count, plane_room;
    ergi_corner *corners;
    size_t       corner_count, corner_room;
    ergi_sheet  *sheets;
    size_t       sheet_count, sheet_room;
    ergi_ribbon *ribbons; // edges of walls, then force chains from weakest to strongest
    size_t       ribbon_count, ribbon_room, edge_count;

    // Props given by the caller come first, then the world's. Models are kept from picture to
    // picture.
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

    // The spheres as read; buffers are reused for the next picture.
    double   *position, *velocity, *radius;
    erg_gid  *grain;
    uint32_t *material, *kind;
    size_t    position_room, velocity_room, radius_room, grain_room, material_room, kind_room;
    double   *value; // quantity shown by the colours
    size_t    value_room;
    uint32_t  defined_kinds; // grains of higher kinds are balls thrown by the user
    size_t    frozen;        // spheres at the end that are frozen grains of a terrain
};

// ---- Parts of erg_picture_take, in this order --------------------------------------------------
erg_status ergi_picture_read(erg_picture *p, const erg_world *world, const erg_moment *moment,
                             erg_sphere_view *view, erg_error *err);
// Also of the terrain and its frozen grains.
erg_status ergi_picture_land(erg_picture *p, const erg_world *world, const erg_moment *moment,
                             erg_error *err);
// Raises columns to the grains that lie on them.
erg_status ergi_picture_land_bed(erg_picture *p, const erg_world *world,
                                 const erg_sphere_view *view, erg_error *err);
void       ergi_picture_land_looks(erg_picture *p, const erg_sphere_view *view, int rank);
// Meshes of the world, as props.
erg_status  ergi_picture_bodies(erg_picture *p, const erg_world *world, const erg_moment *moment,
                                erg_error *err);
erg_status  ergi_picture_bounds(erg_picture *p, const erg_world *world, const erg_moment *moment,
                                const erg_sphere_view *view, erg_error *err);
ergi_bounds ergi_picture_shown(const erg_picture *p); // with the terrain around the camera's target
erg_status  ergi_picture_balls(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                               erg_error *err);
erg_status  ergi_picture_props(erg_picture *p, erg_error *err);
erg_status  ergi_picture_walls(erg_picture *p, const erg_world *world, const erg_moment *moment,
                               erg_error *err);
erg_status  ergi_picture_chains(erg_picture *p, const erg_world *world, const erg_sphere_view *view,
                                erg_error *err);

// ---- Props: props.c ----------------------------------------------------------------------------
// Adds a prop to the picture being taken, before its bounds are known.
erg_status ergi_picture_add_prop(erg_picture *p, const erg_prop *prop, erg_error *err);
void ergi_picture_drop_props(erg_picture *p, size_t props, size_t spheres); // keeps the first ones
void ergi_picture_bound_props(const erg_picture *p, ergi_bounds *bounds);
void ergi_picture_free_props(erg_picture *p);

// ---- Shared helpers ----------------------------------------------------------------------------
// Contacts of the world; the caller frees them with ergi_memory_free.
erg_status ergi_read_contacts(const erg_world *world, erg_contact **contacts, size_t *count,
                              erg_error *err);
// Index of a sphere in a view that is sorted by grain id; SIZE_MAX: not found.
size_t ergi_sphere_of(const erg_sphere_view *view, erg_gid grain, uint32_t slot);

erg_status ergi_picture_add_sphere(erg_picture *p, erg_vec3 centre, double radius, uint32_t colour,
                                   erg_error *err);
// Adds a sphere that exists but is not shown.
erg_status ergi_picture_leave_out_sphere(erg_picture *p, erg_vec3 centre, double radius,
                                         erg_error *err);
erg_status ergi_picture_add_ribbon(erg_picture *p, erg_vec3 from, erg_vec3 to, double half_width,
                                   uint32_t colour, erg_error *err);
bool       ergi_picture_cuts_off(const erg_picture *p, erg_vec3 centre, double radius);
void       ergi_bounds_include(ergi_bounds *bounds, erg_vec3 point);
bool       ergi_bounds_empty(const ergi_bounds *bounds);

#endif
