// Placement of the camera.
#ifndef ERGI_CAMERA_H
#define ERGI_CAMERA_H

#include "draw/picture.h"

// Automatic placement assumes at least this width over height; narrower pictures get a wider angle.
#define ERGI_CAMERA_ASPECT 1.4
double ergi_camera_angle(const erg_picture *p, double aspect); // [degrees]

// Sets the camera of a picture whose bounds are known.
void ergi_camera_place(erg_picture *p, const erg_sphere_view *view);

// Depth range of the whole picture, for the depth buffer [m].
void ergi_camera_depths(const erg_picture *p, double *near, double *far);

#endif
