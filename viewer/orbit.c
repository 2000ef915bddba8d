#include "orbit.h"

#include "geom/vec3.h"

static const double MAX_PITCH = 0.495 * ERGI_PI; // at 90 degrees the right direction is undefined

view_orbit view_orbit_from(const erg_camera *camera, double scale)
{
    view_orbit o = {.target = camera->target, .angle = camera->angle, .scale = scale};
    o.up = ergi_norm(camera->up) > 0 ? ergi_normalize(camera->up) : ergi_vec3(0, 0, 1);
    o.ex = ergi_perpendicular(o.up);
    o.ey = ergi_cross(o.up, o.ex);
    erg_vec3 arm = ergi_sub(camera->position, camera->target);
    double   high = ergi_dot(arm, o.up);
    o.distance = ergi_norm(arm);
    o.yaw = atan2(ergi_dot(arm, o.ey), ergi_dot(arm, o.ex));
    o.pitch = asin(fmin(fmax(high / o.distance, -1), 1));
    view_orbit_turn(&o, 0, 0);
    return o;
}

// Unit vector from the target to the camera.
static erg_vec3 arm_of(const view_orbit *o)
{
    erg_vec3 level = ergi_add(ergi_scale(o->ex, cos(o->yaw)), ergi_scale(o->ey, sin(o->yaw)));
    return ergi_add(ergi_scale(level, cos(o->pitch)), ergi_scale(o->up, sin(o->pitch)));
}

erg_camera view_orbit_camera(const view_orbit *o)
{
    return (erg_camera){.placed = true,
                        .position = ergi_madd(o->target, o->distance, arm_of(o)),
                        .target = o->target,
                        .up = o->up,
                        .angle = o->angle,
                        .mode = ERG_CAMERA_FIXED};
}

void view_orbit_turn(view_orbit *o, double yaw, double pitch)
{
    o->yaw = remainder(o->yaw + yaw, 2 * ERGI_PI);
    o->pitch = fmin(fmax(o->pitch + pitch, -MAX_PITCH), MAX_PITCH);
}

void view_orbit_zoom(view_orbit *o, double steps)
{
    double distance = o->distance * pow(0.88, steps);
    o->distance = fmin(fmax(distance, 1e-3 * o->scale), 30 * o->scale);
}

static erg_vec3 right_of(const view_orbit *o)
{
    return ergi_normalize(ergi_cross(o->up, arm_of(o)));
}

void view_orbit_pan(view_orbit *o, double right, double top)
{
    double   height = 2 * o->distance * tan(0.5 * o->angle * ERGI_PI / 180);
    erg_vec3 r = right_of(o), t = ergi_cross(arm_of(o), r);
    o->target = ergi_madd(ergi_madd(o->target, right * height, r), top * height, t);
}

void view_orbit_walk(view_orbit *o, double right, double ahead, double up)
{
    erg_vec3 r = right_of(o), f = ergi_cross(o->up, r);
    o->target = ergi_madd(o->target, right * o->distance, r);
    o->target = ergi_madd(o->target, ahead * o->distance, f);
    o->target = ergi_madd(o->target, up * o->distance, o->up);
}
