// How a picture is to look: eye, light, colours. A scene says it under `view`; docs/pictures.md has
// more. All of it may change from picture to picture; none of it changes the world.
#ifndef ERG_LOOK_H
#define ERG_LOOK_H

#include "erg/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_camera_mode {
    ERG_CAMERA_ORBIT, // once around the target in erg_camera.turn seconds of film
    ERG_CAMERA_FIXED,
    ERG_CAMERA_FOLLOW // goes with the centre of the grains
} erg_camera_mode;

typedef struct erg_camera {
    bool            placed;           // false: position and target are chosen so that all is seen
    erg_vec3        position, target; // [m]
    erg_vec3        up;               // zero: against gravity
    double          angle;            // of view, from bottom to top [degrees]
    erg_camera_mode mode;
    double          turn; // of an orbit [s]
} erg_camera;

typedef struct erg_light {
    erg_vec3 direction; // in which it shines
    double   brightness, ambient;
    bool     shadows;
} erg_light;

typedef enum erg_colour_by {
    ERG_COLOUR_MATERIAL, // each material has a palette, each grain a tint of its own
    ERG_COLOUR_SPEED,    // [m/s]
    ERG_COLOUR_FORCE,    // sum of the normal forces on the grain [N]
    ERG_COLOUR_SIZE,     // radius of the sphere [m]
    ERG_COLOUR_ID,
    ERG_COLOUR_HEIGHT // against gravity [m]
} erg_colour_by;

typedef enum erg_ground { ERG_GROUND_AUTO, ERG_GROUND_NONE, ERG_GROUND_AT } erg_ground;

// How props are drawn that have spheres; those without are smooth.
typedef enum erg_props_as { ERG_PROPS_SMOOTH, ERG_PROPS_SPHERES, ERG_PROPS_BOTH } erg_props_as;

// Fine is everything; fast leaves out ambient occlusion, supersampling and the roughness of grains,
// and its shadows are coarser.
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
    bool          legend;    // of the colours, unless they are those of materials
    bool          chains;    // contacts as lines, as wide as their normal force is large
    bool          cut;       // leave out what lies where `cut_normal` points to
    erg_vec3      cut_point, cut_normal; // [m], [1]
    uint32_t      every;                 // show every n-th grain; 1: all
    erg_props_as  props;
    erg_fine_as   fine;
    erg_ground    ground;        // auto: a level plane wall, else a floor below everything
    double        ground_height; // of ERG_GROUND_AT, along `up` [m]
    const char   *caption;       // text below; NULL or empty: none
    erg_quality   quality;
    bool          cull; // leave out what is hidden, before drawing: the picture stays the same
} erg_look;

ERG_API erg_look erg_look_default(void); // fine, all grains, colours of materials

#ifdef __cplusplus
}
#endif
#endif
