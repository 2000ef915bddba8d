// A camera that orbits a target, as in Blender: left drag rotates, the wheel zooms.
#ifndef ERG_VIEW_ORBIT_H
#define ERG_VIEW_ORBIT_H

#include "erg/look.h"

typedef struct view_orbit {
    erg_vec3 target;     // [m]
    erg_vec3 up, ex, ey; // orthonormal
    double   distance;   // [m]
    double   yaw,
        pitch;    // direction to the camera: around `up` from ex, above the horizon [rad]
    double angle; // field of view [degrees]
    double scale; // radius of the scene [m]
} view_orbit;

view_orbit view_orbit_from(const erg_camera *camera, double scale);
erg_camera view_orbit_camera(const view_orbit *orbit);

void view_orbit_turn(view_orbit *orbit, double yaw, double pitch); // [rad]
void view_orbit_zoom(view_orbit *orbit, double steps);             // wheel steps; above 0: nearer
void view_orbit_pan(view_orbit *orbit, double right, double top);  // fractions of the view height
void view_orbit_walk(view_orbit *orbit, double right, double ahead,
                     double up); // fractions of the distance

#endif
