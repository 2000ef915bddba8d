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
// A picture is what is to be seen; it knows no OpenGL and copies all that it takes. A renderer
// draws pictures into whatever framebuffer is bound in the current OpenGL context (3.3 core or
// ES 3.0). A canvas is a context of its own without a window, and the pixels that come out of it.
// In a build without OpenGL renderers and canvases are ERG_NOT_BUILT.
#ifndef ERG_DRAW_H
#define ERG_DRAW_H

#include "erg/look.h"
#include "erg/mesh.h"
#include "erg/sdf.h"
#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- What is seen ------------------------------------------------------------------------------
typedef struct erg_picture erg_picture;

ERG_API erg_status erg_picture_create(erg_picture **picture, erg_error *err);
ERG_API void       erg_picture_destroy(erg_picture *picture); // NULL is fine

// Spheres and bodies at a moment that the world is not at, such as a snapshot's. Velocity, grain
// and material may be NULL; colours and tints that need them are then those of zero.
typedef struct erg_moment {
    double               time; // [s]
    size_t               grains;
    erg_sphere_view      spheres;
    erg_sphere_view      fine;   // particles of upsampling, `grain` being their ids; or none
    const erg_body_pose *bodies; // ids ascend; a body that is not listed stands as a wall would
    size_t               body_count;
} erg_moment;

// A thing of triangles in the picture: a body, a tool, a wall that is a mesh, or something that no
// world knows. Surfaces look smooth where triangles meet at less than 35 degrees.
typedef struct erg_prop {
    uint64_t
        shape; // a number of these triangles: those of equal numbers are made ready and sent to
               // OpenGL once; 0: a hash of the triangles is worked out whenever they are given
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

ERG_API erg_prop erg_prop_default(void); // at the origin, not turned, grey, without triangles
ERG_API erg_prop erg_prop_of_mesh(const erg_mesh *mesh); // its triangles, while it lives; blue-grey

// What the picture shows besides the world, from the next taking on, until it is set again. All is
// copied. What is wrong with the triangles is ERG_BAD_INPUT, and the picture keeps what it had.
ERG_API erg_status erg_picture_set_props(erg_picture *picture, const erg_prop *props, size_t count,
                                         erg_error *err);

// Replaces what is in the picture. The world gives walls, names and, with `moment` NULL, its own
// spheres. Walls of a moment stand where their scripted motion has them then. What asks for
// contacts (chains, colour by force) needs the world's own spheres: else ERG_BAD_INPUT. Drawing it
// uses as many threads as the world; OpenGL has its own besides.
ERG_API erg_status erg_picture_take(erg_picture *picture, const erg_look *look,
                                    const erg_world *world, const erg_moment *moment,
                                    erg_error *err);

// Moves the eye of a picture that was taken: from its place in the look, `seconds` of film on.
ERG_API void erg_picture_turn(erg_picture *picture, double seconds);
// Changes how carefully it is drawn, without taking it again.
ERG_API void erg_picture_set_quality(erg_picture *picture, erg_quality quality);
// Goes on where another picture left off, before it is taken: a camera that placed itself stays, a
// floor below everything never rises, and the range of the colours only widens. For callers that
// draw one picture while they take the next.
ERG_API void erg_picture_follow(erg_picture *picture, const erg_picture *before);
// Sets the eye, whatever the look says; for windows. `camera` must be placed.
ERG_API void       erg_picture_look_from(erg_picture *picture, const erg_camera *camera);
ERG_API erg_camera erg_picture_eye(const erg_picture *picture); // as it is now; placed

// The smallest ball around all that was taken, ground not counted.
ERG_API void erg_picture_ball(const erg_picture *picture, erg_vec3 *centre, double *radius);

// The range of the colours, in the unit of the quantity shown; NAN for materials. Unless the look
// sets it: for sizes and ids the smallest and the largest; for speeds, forces and heights round
// numbers that enclose all spheres but the lowest and highest 2 %. From picture to picture the
// range only widens, until another quantity is shown.
ERG_API void erg_picture_range(const erg_picture *picture, double *low, double *high);

// The colour for a share of 0 to 1 of the way from low to high, as in pictures and legends
// [0..255].
ERG_API void erg_colour_at(erg_colour_by by, double share, uint8_t rgb[3]);

// ---- What is where -----------------------------------------------------------------------------
// A line of sight; `direction` is unit.
typedef struct erg_ray {
    erg_vec3 origin, direction;
} erg_ray;

// Through the point (x, y), counted in pixels from the left upper corner, of a picture of this
// size.
ERG_API erg_ray erg_picture_ray(const erg_picture *picture, int width, int height, double x,
                                double y);
// Where the point is seen: the other way round. False: behind the eye.
ERG_API bool erg_picture_seen_at(const erg_picture *picture, int width, int height, erg_vec3 point,
                                 double *x, double *y);
// How far along the ray one meets what is drawn: spheres, ground, walls, props, and the faces that
// the cut gives them, but not the side of a vessel that one looks through. INFINITY: nothing [m].
ERG_API double erg_picture_meet(const erg_picture *picture, const erg_ray *ray);
// The same for one wall alone, whichever side.
ERG_API double erg_picture_meet_wall(const erg_picture *picture, const erg_ray *ray, erg_id wall);
// For the props with this id.
ERG_API double erg_picture_meet_prop(const erg_picture *picture, const erg_ray *ray, uint64_t id);
// Distance along the ray to the first wall or prop, drawn or not: sides that are seen through and
// parts that the cut leaves out count too; spheres and the ground do not [m].
ERG_API double erg_picture_wall_ahead(const erg_picture *picture, const erg_ray *ray);
// Whether the first thing the ray meets is ground that is only drawn, without a wall that could
// support anything.
ERG_API bool erg_picture_meets_mere_floor(const erg_picture *picture, const erg_ray *ray);
// Distance from a point to the nearest surface of a sphere, wall or prop, drawn or left out by a
// cut or by `every`; negative within a sphere and behind a plane [m].
ERG_API double erg_picture_clearance(const erg_picture *picture, erg_vec3 point);
// Mean radius of the spheres [m].
ERG_API double erg_picture_grain_radius(const erg_picture *picture);

// ---- How it is drawn ---------------------------------------------------------------------------
typedef struct erg_renderer erg_renderer;

// What the last picture took.
typedef struct erg_draw_report {
    size_t spheres; // in the picture
    size_t drawn;   // of them, for the eye
    size_t shading; // of them, for the shadows
    double cull_s;  // leaving out what is hidden [s]
    double draw_s;  // all else: of a canvas until its pixels are there, of a renderer until OpenGL
                    // was told what to draw, which may be long before it has [s]
} erg_draw_report;

// Needs a current context; draw and destroy need the same one. Draws into the framebuffer that is
// bound, from the corner (0, 0), and leaves other state of the context as it happens to be.
ERG_API erg_status erg_renderer_create(erg_renderer **renderer, erg_error *err);
ERG_API erg_status erg_renderer_draw(erg_renderer *renderer, const erg_picture *picture, int width,
                                     int height, erg_error *err);
// Lays an image (red, green, blue, cover; top row first) over what is in the framebuffer, its left
// upper corner at (x, y) from that of the window.
ERG_API void            erg_renderer_overlay(erg_renderer *renderer, const uint8_t *rgba, int width,
                                             int height, int x, int y, int window_width, int window_height);
ERG_API erg_draw_report erg_renderer_report(const erg_renderer *renderer);
ERG_API void            erg_renderer_destroy(erg_renderer *renderer); // NULL is fine

// ---- Without a window --------------------------------------------------------------------------
typedef struct erg_canvas erg_canvas;

// ERG_NOT_BUILT also where the machine has no EGL; the sentence says what to install. Sizes are
// even for films; 16 to 8192 each.
ERG_API erg_status erg_canvas_create(int width, int height, erg_canvas **canvas, erg_error *err);
ERG_API erg_status erg_canvas_draw(erg_canvas *canvas, const erg_picture *picture, erg_error *err);
ERG_API const uint8_t *erg_canvas_pixels(const erg_canvas *canvas); // rgb, top row first
// The same with alpha: 255 everywhere unless the look is transparent. The alpha is straight:
// colours are not multiplied by it, whereas those of erg_canvas_pixels are.
ERG_API const uint8_t  *erg_canvas_rgba(const erg_canvas *canvas);
ERG_API erg_draw_report erg_canvas_report(const erg_canvas *canvas);
ERG_API const char     *erg_canvas_device(const erg_canvas *canvas); // who draws, in words
// Writes a PNG file; with alpha if the look was transparent.
ERG_API erg_status erg_canvas_save(const erg_canvas *canvas, const char *path, erg_error *err);
ERG_API void       erg_canvas_destroy(erg_canvas *canvas); // NULL is fine

// "rgb, top row first" as a PNG file, whole or not at all.
ERG_API erg_status erg_png_write(const char *path, int width, int height, const uint8_t *rgb,
                                 erg_error *err);
// The same with straight alpha, four bytes per pixel.
ERG_API erg_status erg_png_write_rgba(const char *path, int width, int height, const uint8_t *rgba,
                                      erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
