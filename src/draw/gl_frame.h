// Internals of a renderer, and the state of one picture while it is drawn.
#ifndef ERGI_GL_FRAME_H
#define ERGI_GL_FRAME_H

#include "draw/cull.h"
#include "draw/gl_program.h"
#include "draw/gl_target.h"
#include "draw/label.h"
#include "draw/land_tiles.h"

typedef enum ergi_program_name {
    ERGI_PROGRAM_BALL_POINTS,
    ERGI_PROGRAM_BALL_SQUARES,
    ERGI_PROGRAM_SHADOW_POINTS,
    ERGI_PROGRAM_SHADOW_SQUARES,
    ERGI_PROGRAM_BALL_CUT, // offset from each of these four to its variant for pictures with a cut
    ERGI_PROGRAM_BALL_CUT_LAST = ERGI_PROGRAM_BALL_CUT + 3,
    ERGI_PROGRAM_MESH,
    ERGI_PROGRAM_SHADOW_MESH,
    ERGI_PROGRAM_GLASS,
    ERGI_PROGRAM_PROP,
    ERGI_PROGRAM_PROP_CAP,
    ERGI_PROGRAM_SHADOW_PROP,
    ERGI_PROGRAM_GLASS_PROP,
    ERGI_PROGRAM_CELL,
    ERGI_PROGRAM_SHADOW_CELL,
    ERGI_PROGRAM_LAND,
    ERGI_PROGRAM_SHADOW_LAND,
    ERGI_PROGRAM_LINE,
    ERGI_PROGRAM_OCCLUSION,
    ERGI_PROGRAM_BLUR,
    ERGI_PROGRAM_LIGHT_FAST,
    ERGI_PROGRAM_LIGHT_FINE,
    ERGI_PROGRAM_COPY,
    ERGI_PROGRAM_LABEL,
    ERGI_PROGRAMS
} ergi_program_name;

// GPU buffers of a model.
typedef struct ergi_gl_model {
    uint64_t key;  // of the model
    uint64_t last; // last picture that showed it
    GLuint   array, corners, index;
    GLuint   cell_array, cells, normals; // of a model drawn by ray casting
} ergi_gl_model;

// GPU buffer of a tile of the terrain.
typedef struct ergi_gl_tile {
    GLuint    buffer;
    ergi_tile tile; // what it holds
    uint64_t  last; // last picture that showed it
} ergi_gl_tile;

struct erg_renderer {
    GLuint          program[ERGI_PROGRAMS];
    GLuint          balls, meshes, lines, nothing; // vertex arrays
    GLuint          ball_buffer, mesh_buffer, line_buffer;
    GLuint          label; // texture
    GLuint          pose_buffer;
    ergi_gl_model  *models;
    size_t          model_count, model_room;
    uint64_t        pictures; // drawn so far
    GLuint          land_array, land_index;
    ergi_gl_tile   *tiles; // at most ERGI_GL_TILES
    size_t          tile_count;
    ergi_tile      *chosen; // of the terrain, for this picture; room for ERGI_TILES_MOST
    size_t         *slot;   // in `tiles`, of each
    size_t          chosen_count;
    ergi_target     shadow, geometry, uncapped, lit, open, smooth_open;
    ergi_cull      *cull[2];       // for camera and light
    double          largest_point; // [pixels]
    int             largest_target;
    erg_draw_report report;
};

// State of one picture while it is drawn.
typedef struct ergi_frame {
    erg_renderer      *r;
    const erg_picture *p;
    erg_error         *err;
    GLint              out;   // output framebuffer, bound by the caller
    bool               blits; // `out` is single-sampled, so a blit can copy to it
    int                width, height, scale;
    int                shadow_size;
    ergi_matrix        view, projection, light_view, light_projection;
    float              lamp[3], up[3], middle[3]; // in the eye frame
    float              cut[4], light_cut[4];      // planes in the eye and light frames
    double             extent;                    // radius of the bounding sphere [m]
    double             size_unit;
    ergi_visible       seen[2]; // visible from the camera, from the light
} ergi_frame;

// ---- Camera and light: gl_place.c --------------------------------------------------------------
void        ergi_place_frame(ergi_frame *f);
ergi_matrix ergi_frame_to_shadow(const ergi_frame *f); // from the eye frame to the map, 0 to 1
void        ergi_to_float(erg_vec3 v, float out[3]);

// ---- Spheres: gl_balls.c -----------------------------------------------------------------------
// Culls for camera and light before anything is drawn, since OpenGL's threads would compete for
// cores.
erg_status ergi_cull_frame(ergi_frame *f);
void       ergi_draw_spheres(const ergi_frame *f, bool lamp, int width, int height);

// ---- Props: gl_props.c -------------------------------------------------------------------------
// Uploads models that are not on the GPU yet, and all poses.
erg_status ergi_send_props(ergi_frame *f);
void       ergi_draw_props(const ergi_frame *f);              // opaque ones
void       ergi_draw_prop_shadows(const ergi_frame *f);       // opaque ones, into the shadow map
void ergi_draw_prop_glass(const ergi_frame *f, bool towards); // faces towards the camera, or away
erg_status ergi_draw_prop_caps(ergi_frame *f); // faces of the cut; after all other geometry
void       ergi_free_gl_models(erg_renderer *r);

// ---- Fields: gl_cells.c ------------------------------------------------------------------------
erg_status ergi_send_cells(ergi_gl_model *own, const ergi_cells *cells, erg_error *err);
void       ergi_draw_cells(const ergi_frame *f, const ergi_gl_model *own, const ergi_batch *batch,
                           bool lamp);

// ---- Terrain: gl_land.c ------------------------------------------------------------------------
enum { ERGI_GL_TILES = 2 * ERGI_TILES_MOST };
erg_status ergi_send_land(ergi_frame *f); // chooses tiles and uploads those that are new
void       ergi_draw_land(const ergi_frame *f, bool lamp);
void       ergi_free_gl_land(erg_renderer *r);

// ---- Passes, in this order: gl_passes.c, gl_over.c ---------------------------------------------
erg_status ergi_draw_shadow(ergi_frame *f);
erg_status ergi_draw_geometry(ergi_frame *f);
erg_status ergi_draw_occlusion(ergi_frame *f);
erg_status ergi_draw_light(ergi_frame *f);
erg_status ergi_draw_transparent(ergi_frame *f);
erg_status ergi_draw_out(ergi_frame *f);

// ---- Shared by passes --------------------------------------------------------------------------
void ergi_set_glass(const ergi_frame *f, GLuint program); // also activates it
void ergi_begin_pass(const ergi_target *target);
void ergi_bind_texture(GLuint program, const char *name, int unit, GLuint texture);
void ergi_draw_screen(const erg_renderer *r); // one triangle over the whole viewport

#endif
