// Appearance of a picture: camera, light, colours; `view` in scene files. See docs/pictures.md. It
// may differ from picture to picture and never affects the simulation.
#ifndef ERG_LOOK_H
#define ERG_LOOK_H

#include "erg/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_camera_mode {
    ERG_CAMERA_ORBIT, // once around the target in erg_camera.turn seconds of film
    ERG_CAMERA_FIXED,
    ERG_CAMERA_FOLLOW // follows the centre of the grains
} erg_camera_mode;

typedef struct erg_camera {
    bool            placed;           // false: position and target are chosen to show everything
    erg_vec3        position, target; // [m]
    erg_vec3        up;               // zero: opposite to gravity
    double          angle;            // vertical field of view [degrees]
    erg_camera_mode mode;
    double          turn; // time for one orbit [s]
} erg_camera;

typedef struct erg_light {
    erg_vec3 direction; // in which the light travels
    double   brightness, ambient;
    bool     shadows;
} erg_light;

typedef enum erg_colour_by {
    ERG_COLOUR_MATERIAL, // each material has a palette, each grain a tint of its own
    ERG_COLOUR_SPEED,    // [m/s]
    ERG_COLOUR_FORCE,    // sum of the normal forces on the grain [N]
    ERG_COLOUR_SIZE,     // radius of the sphere [m]
    ERG_COLOUR_ID,
    ERG_COLOUR_HEIGHT // measured opposite to gravity [m]
} erg_colour_by;

typedef enum erg_ground { ERG_GROUND_AUTO, ERG_GROUND_NONE, ERG_GROUND_AT } erg_ground;

// How props that have spheres are drawn; props without are always smooth.
typedef enum erg_props_as { ERG_PROPS_SMOOTH, ERG_PROPS_SPHERES, ERG_PROPS_BOTH } erg_props_as;

// Fast omits ambient occlusion, supersampling and the roughness of grains, and has coarser shadows.
typedef enum erg_quality { ERG_QUALITY_FAST, ERG_QUALITY_FINE } erg_quality;

// Fine particles (erg/upsample.h): drawn instead of the grains that they follow, beside them, or
// not at all. Colours of forces, and chains, are those of grains, and show grains.
typedef enum erg_fine_as { ERG_FINE_INSTEAD, ERG_FINE_BESIDE, ERG_FINE_HIDDEN } erg_fine_as;

typedef struct erg_look {
    erg_camera    camera;
    erg_light     light;
    erg_vec3      background;  // red, green, blue of the horizon, 0 to 1
    bool          transparent; // leave out background and ground, keep the shadows on the ground
    erg_colour_by colour;
    double        low, high; // range of the colours; NAN: automatic, see erg_picture_range
    bool          legend;    // show a colour legend; not for ERG_COLOUR_MATERIAL
    bool          chains;    // force chains: contacts as lines, wider for larger normal force
    bool          cut;       // hide everything on the side that `cut_normal` points to
    erg_vec3      cut_point, cut_normal; // [m], [1]
    uint32_t      every;                 // show every n-th grain; 1: all
    erg_props_as  props;
    erg_fine_as   fine;
    erg_ground    ground;        // auto: a level plane wall, else below walls and terrain
    double        ground_height; // for ERG_GROUND_AT, along `up` [m]
    const char   *caption;       // text at the bottom; NULL or empty: none
    erg_quality   quality;
    bool          cull; // skip hidden spheres before drawing; the picture is the same
} erg_look;

ERG_API erg_look erg_look_default(void); // fine quality, all grains, coloured by material

#ifdef __cplusplus
}
#endif
#endif
