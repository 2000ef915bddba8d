// Pictures of a world, in a window or without one.
//
//     erg_look     look = erg_look_default();
//     erg_picture *picture = NULL;
//     erg_canvas  *canvas = NULL;
//     if (erg_picture_create(&picture, &err) != ERG_OK ||
//         erg_picture_take(picture, &look, world, NULL, &err) != ERG_OK ||
//         erg_canvas_create(1280, 720, &canvas, &err) != ERG_OK ||
//         erg_canvas_draw(canvas, picture, &err) != ERG_OK ||
//         erg_canvas_save(canvas, "sand.png", &err) != ERG_OK) ... err.text
//
// A picture holds a copy of everything to draw and does not depend on OpenGL. A renderer draws a
// picture into the framebuffer bound in the current OpenGL context (3.3 core or ES 3.0). A canvas
// is an off-screen context with its own pixels. In a build without OpenGL, renderers and canvases
// are ERG_NOT_BUILT.
#ifndef ERG_DRAW_H
#define ERG_DRAW_H

#include "erg/look.h"
#include "erg/mesh.h"
#include "erg/sdf.h"
#include "erg/terrain.h"
#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Pictures ----------------------------------------------------------------------------------
typedef struct erg_picture erg_picture;

ERG_API erg_status erg_picture_create(erg_picture **picture, erg_error *err);
ERG_API void       erg_picture_destroy(erg_picture *picture); // NULL is fine

// Spheres and bodies at a time other than the world's, for example from a snapshot. Velocity, grain
// and material may be NULL; colours and tints that depend on them then use zero.
typedef struct erg_moment {
    double               time; // [s]
    size_t               grains;
    erg_sphere_view      spheres;
    erg_sphere_view      fine;   // particles of upsampling, `grain` being their ids; or none
    const erg_body_pose *bodies; // ascending ids; a body that is not listed is placed like a wall
    size_t               body_count;
    const erg_column_block *columns; // of the terrain, all blocks row by row along x; NULL: those
                                     // of the world
} erg_moment;

// A triangle mesh in the picture: a body, a tool, a mesh wall, or an object outside the world.
// Triangles that meet at less than 35 degrees are shaded as one smooth surface.
typedef struct erg_prop {
    uint64_t shape; // key of these triangles: props with the same key share one copy in OpenGL; 0:
                    // use a hash of the triangles, computed in every call
    const double       *vertices;  // x, y, z of each, in the shape's own frame [m]
    const uint32_t     *triangles; // three vertices each, counter-clockwise seen from outside
    size_t              vertex_count, triangle_count;
    erg_vec3            position; // of the frame's origin [m]
    erg_quat            orientation;
    erg_vec3            colour; // red, green, blue, 0 to 1
    bool                glass;
    uint64_t            id;      // for erg_picture_meet_prop
    const double       *spheres; // x, y, z of each in the shape's own frame; may be NULL [m]
    size_t              sphere_count;
    double              sphere_radius; // [m]
    const erg_sdf_view *field;         // drawn by ray casting instead of the triangles; may be NULL
} erg_prop;

ERG_API erg_prop erg_prop_default(void); // at the origin, not rotated, grey, without triangles
ERG_API erg_prop erg_prop_of_mesh(const erg_mesh *mesh); // blue-grey; valid while the mesh exists

// Sets the props shown in addition to the world, from the next erg_picture_take on. Everything is
// copied. Invalid triangles are ERG_BAD_INPUT; the picture then keeps its previous props.
ERG_API erg_status erg_picture_set_props(erg_picture *picture, const erg_prop *props, size_t count,
                                         erg_error *err);

// Replaces the content of the picture. Walls and names come from the world, and so do the spheres
// if `moment` is NULL. At a moment, walls are where their scripted motion puts them at that time.
// Force chains and colour by force need the world's own spheres, otherwise ERG_BAD_INPUT. Drawing
// uses as many threads as the world, in addition to those of OpenGL.
ERG_API erg_status erg_picture_take(erg_picture *picture, const erg_look *look,
                                    const erg_world *world, const erg_moment *moment,
                                    erg_error *err);

// After erg_picture_take: moves the camera along its orbit (ERG_CAMERA_ORBIT), to where it is after
// `seconds` of film.
ERG_API void erg_picture_turn(erg_picture *picture, double seconds);
// Changes the drawing quality without taking the picture again.
ERG_API void erg_picture_set_quality(erg_picture *picture, erg_quality quality);
// Continues from another picture; call it before erg_picture_take. An automatically placed camera
// stays, an automatic floor never rises, and the colour range only widens. For callers that draw
// one picture while they take the next.
ERG_API void erg_picture_follow(erg_picture *picture, const erg_picture *before);
// Sets the camera, overriding the look; for windows. Position and target must be set.
ERG_API void       erg_picture_look_from(erg_picture *picture, const erg_camera *camera);
ERG_API erg_camera erg_picture_eye(const erg_picture *picture); // the current camera; always placed

// A sphere around the bounding box of everything in the picture except the ground; of a terrain,
// only the part around the camera's target, or around what moves on it [m].
ERG_API void erg_picture_ball(const erg_picture *picture, erg_vec3 *centre, double *radius);

// The colour range, in the unit of the quantity shown; NAN for materials. If the look does not set
// it: for sizes and ids, the smallest and the largest; for speeds, forces and heights, round
// numbers that enclose all spheres but the lowest and highest 2 %. From picture to picture the
// range only widens, until another quantity is shown.
ERG_API void erg_picture_range(const erg_picture *picture, double *low, double *high);

// The colour at `share` of the range (0: low, 1: high), as in pictures and legends [0..255].
ERG_API void erg_colour_at(erg_colour_by by, double share, uint8_t rgb[3]);

// ---- Picking -----------------------------------------------------------------------------------
// `direction` is a unit vector.
typedef struct erg_ray {
    erg_vec3 origin, direction;
} erg_ray;

// The view ray through the point (x, y) of a picture of this size, in pixels from the upper left
// corner.
ERG_API erg_ray erg_picture_ray(const erg_picture *picture, int width, int height, double x,
                                double y);
// The inverse: where a point appears in the picture. False: behind the camera.
ERG_API bool erg_picture_seen_at(const erg_picture *picture, int width, int height, erg_vec3 point,
                                 double *x, double *y);
// Distance along the ray to the first thing that is drawn: sphere, ground, wall, prop or cut face,
// but not the see-through side of a container. INFINITY: none [m].
ERG_API double erg_picture_meet(const erg_picture *picture, const erg_ray *ray);
// The same for one wall, either side.
ERG_API double erg_picture_meet_wall(const erg_picture *picture, const erg_ray *ray, erg_id wall);
// The same for the props with this id.
ERG_API double erg_picture_meet_prop(const erg_picture *picture, const erg_ray *ray, uint64_t id);
// Distance along the ray to the first wall or prop, drawn or not: see-through sides and parts
// removed by the cut count too; spheres and the ground do not [m].
ERG_API double erg_picture_wall_ahead(const erg_picture *picture, const erg_ray *ray);
// Whether the first thing the ray meets is ground that is only drawn, with no wall there to support
// anything.
ERG_API bool erg_picture_meets_mere_floor(const erg_picture *picture, const erg_ray *ray);
// Distance from a point to the nearest surface of a sphere, wall or prop, including those hidden by
// a cut or by `every`; negative inside a sphere and behind a plane [m].
ERG_API double erg_picture_clearance(const erg_picture *picture, erg_vec3 point);
// Mean radius of the spheres [m].
ERG_API double erg_picture_grain_radius(const erg_picture *picture);

// ---- Renderer ----------------------------------------------------------------------------------
typedef struct erg_renderer erg_renderer;

// Counts and times of the last picture drawn.
typedef struct erg_draw_report {
    size_t spheres;    // in the picture
    size_t drawn;      // of these, drawn for the camera
    size_t shading;    // of these, drawn for the shadows
    size_t tiles;      // of the terrain, drawn for the camera
    size_t tiles_sent; // sent to OpenGL since they are new or have changed
    double cull_s;     // culling of hidden spheres [s]
    double draw_s; // everything else: for a canvas until its pixels are ready, for a renderer until
                   // the OpenGL commands are issued, which may be long before they are done [s]
} erg_draw_report;

// Needs a current context; draw, overlay and destroy need the same one. Draws into the bound
// framebuffer from the corner (0, 0). Other state of the context is not restored.
ERG_API erg_status erg_renderer_create(erg_renderer **renderer, erg_error *err);
ERG_API erg_status erg_renderer_draw(erg_renderer *renderer, const erg_picture *picture, int width,
                                     int height, erg_error *err);
// Blends an image (red, green, blue, alpha; top row first) over the framebuffer, with its upper
// left corner at (x, y) from that of the window.
ERG_API void            erg_renderer_overlay(erg_renderer *renderer, const uint8_t *rgba, int width,
                                             int height, int x, int y, int window_width, int window_height);
ERG_API erg_draw_report erg_renderer_report(const erg_renderer *renderer);
ERG_API void            erg_renderer_destroy(erg_renderer *renderer); // NULL is fine

// ---- Off-screen canvas -------------------------------------------------------------------------
typedef struct erg_canvas erg_canvas;

// ERG_NOT_BUILT also if the machine has no EGL; the message says what to install. Width and height
// are 16 to 8192, and even for films.
ERG_API erg_status erg_canvas_create(int width, int height, erg_canvas **canvas, erg_error *err);
ERG_API erg_status erg_canvas_draw(erg_canvas *canvas, const erg_picture *picture, erg_error *err);
ERG_API const uint8_t *erg_canvas_pixels(const erg_canvas *canvas); // rgb, top row first
// The same with alpha: 255 everywhere unless the look is transparent. Alpha is straight: colours
// are not multiplied by it, whereas those of erg_canvas_pixels are.
ERG_API const uint8_t  *erg_canvas_rgba(const erg_canvas *canvas);
ERG_API erg_draw_report erg_canvas_report(const erg_canvas *canvas);
ERG_API const char     *erg_canvas_device(const erg_canvas *canvas); // name of the OpenGL device
// Writes a PNG file; with alpha if the look was transparent.
ERG_API erg_status erg_canvas_save(const erg_canvas *canvas, const char *path, erg_error *err);
ERG_API void       erg_canvas_destroy(erg_canvas *canvas); // NULL is fine

// Writes rgb pixels, top row first, as a PNG file, complete or not at all.
ERG_API erg_status erg_png_write(const char *path, int width, int height, const uint8_t *rgb,
                                 erg_error *err);
// The same with straight alpha, four bytes per pixel.
ERG_API erg_status erg_png_write_rgba(const char *path, int width, int height, const uint8_t *rgba,
                                      erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
