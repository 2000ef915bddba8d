// An eye that goes around a point, as in Blender: left drag turns, the wheel comes nearer.
#ifndef ERG_VIEW_ORBIT_H
#define ERG_VIEW_ORBIT_H

#include "erg/look.h"

typedef struct view_orbit {
    erg_vec3 target;     // [m]
    erg_vec3 up, ex, ey; // unit, at right angles
    double   distance;   // [m]
    double   yaw,
        pitch;    // of the eye seen from the target: around up from ex, above the horizon [rad]
    double angle; // of view [degrees]
    double scale; // radius of all that there is to see [m]
} view_orbit;

view_orbit view_orbit_from(const erg_camera *camera, double scale);
erg_camera view_orbit_camera(const view_orbit *orbit);

void view_orbit_turn(view_orbit *orbit, double yaw, double pitch); // [rad]
void view_orbit_zoom(view_orbit *orbit, double steps);             // of a wheel; above 0: nearer
void view_orbit_pan(view_orbit *orbit, double right, double top);  // shares of the height of view
void view_orbit_walk(view_orbit *orbit, double right, double ahead,
                     double up); // shares of distance

#endif
