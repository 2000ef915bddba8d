// Where the eye is.
#ifndef ERGI_CAMERA_H
#define ERGI_CAMERA_H

#include "draw/picture.h"

// An eye that places itself does so for pictures of at least this width over height; narrower ones
// get a wider angle.
#define ERGI_CAMERA_ASPECT 1.4
double ergi_camera_angle(const erg_picture *p, double aspect); // [degrees]

// Sets the eye of a picture whose bounds are known.
void ergi_camera_place(erg_picture *p, const erg_sphere_view *view);

// Depths between which all of the picture lies, for the depth buffer [m].
void ergi_camera_depths(const erg_picture *p, double *near, double *far);

#endif
