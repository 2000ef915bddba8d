// The inside of a renderer, and one picture on its way through the passes.
#ifndef ERGI_GL_FRAME_H
#define ERGI_GL_FRAME_H

#include "draw/cull.h"
#include "draw/gl_program.h"
#include "draw/gl_target.h"
#include "draw/label.h"

typedef enum ergi_program_name {
    ERGI_PROGRAM_BALL_POINTS,
    ERGI_PROGRAM_BALL_SQUARES,
    ERGI_PROGRAM_SHADOW_POINTS,
    ERGI_PROGRAM_SHADOW_SQUARES,
    ERGI_PROGRAM_BALL_CUT, // so far behind each of these four: the same for cut spheres
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
    ERGI_PROGRAM_LINE,
    ERGI_PROGRAM_OCCLUSION,
    ERGI_PROGRAM_BLUR,
    ERGI_PROGRAM_LIGHT_FAST,
    ERGI_PROGRAM_LIGHT_FINE,
    ERGI_PROGRAM_COPY,
    ERGI_PROGRAM_LABEL,
    ERGI_PROGRAMS
} ergi_program_name;

// A model as OpenGL holds it.
typedef struct ergi_gl_model {
    uint64_t key;  // of the model
    uint64_t last; // picture that showed it
    GLuint   array, corners, index;
    GLuint   cell_array, cells, normals; // of one that is cast by its field
} ergi_gl_model;

struct erg_renderer {
    GLuint          program[ERGI_PROGRAMS];
    GLuint          balls, meshes, lines, nothing; // vertex arrays
    GLuint          ball_buffer, mesh_buffer, line_buffer;
    GLuint          label; // texture
    GLuint          pose_buffer;
    ergi_gl_model  *models;
    size_t          model_count, model_room;
    uint64_t        pictures; // drawn so far
    ergi_target     shadow, geometry, uncapped, lit, open, smooth_open;
    ergi_cull      *cull[2];       // for the eye, for the lamp
    double          largest_point; // [pixels]
    int             largest_target;
    erg_draw_report report;
};

// One picture being drawn.
typedef struct ergi_frame {
    erg_renderer      *r;
    const erg_picture *p;
    erg_error         *err;
    GLint              out;   // framebuffer that was bound
    bool               blits; // it has one sample a pixel, as what is copied to it
    int                width, height, scale;
    int                shadow_size;
    ergi_matrix        view, projection, light_view, light_projection;
    float              lamp[3], up[3], middle[3]; // in the eye's frame
    float              cut[4], light_cut[4];      // planes in the frames of eye and lamp
    double             extent;                    // radius of the ball around everything [m]
    double             size_unit;
    ergi_seen          seen[2]; // by the eye, by the lamp
} ergi_frame;

// ---- Where eye and lamp are: gl_place.c ---------------------------------------------------------
void        ergi_place_frame(ergi_frame *f);
ergi_matrix ergi_frame_to_shadow(const ergi_frame *f); // from the eye's frame to the map, 0 to 1
void        ergi_to_float(erg_vec3 v, float out[3]);

// ---- Spheres: gl_balls.c -----------------------------------------------------------------------
// Finds what eye and lamp see, before anything is drawn: OpenGL's own threads would be in the way.
erg_status ergi_find_seen(ergi_frame *f);
void       ergi_draw_balls(const ergi_frame *f, bool lamp, int width, int height);

// ---- Props: gl_props.c -------------------------------------------------------------------------
// Sends models that OpenGL does not hold yet, and all poses.
erg_status ergi_send_props(ergi_frame *f);
void       ergi_draw_props(const ergi_frame *f);              // what is opaque
void       ergi_draw_prop_shadows(const ergi_frame *f);       // the same for the lamp
void ergi_draw_prop_glass(const ergi_frame *f, bool towards); // sides towards the eye, or away
erg_status ergi_draw_prop_caps(ergi_frame *f); // faces of the cut, after all else of the geometry
void       ergi_free_gl_models(erg_renderer *r);

// ---- Fields: gl_cells.c ------------------------------------------------------------------------
erg_status ergi_send_cells(ergi_gl_model *own, const ergi_cells *cells, erg_error *err);
void       ergi_draw_cells(const ergi_frame *f, const ergi_gl_model *own, const ergi_batch *batch,
                           bool lamp);

// ---- Passes, in this order: gl_passes.c, gl_over.c ---------------------------------------------
erg_status ergi_draw_shadow(ergi_frame *f);
erg_status ergi_draw_geometry(ergi_frame *f);
erg_status ergi_draw_occlusion(ergi_frame *f);
erg_status ergi_draw_light(ergi_frame *f);
erg_status ergi_draw_transparent(ergi_frame *f);
erg_status ergi_draw_out(ergi_frame *f);

// ---- Shared by passes --------------------------------------------------------------------------
void ergi_set_glass(const ergi_frame *f, GLuint program); // puts it to use
void ergi_begin_pass(const ergi_target *target);
void ergi_bind_texture(GLuint program, const char *name, int unit, GLuint texture);
void ergi_draw_screen(const erg_renderer *r); // one triangle over everything

#endif
