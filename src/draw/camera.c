#include "draw/camera.h"

#include "geom/vec3.h"

// Default view direction: from the front, slightly from the right and from above.
static erg_vec3 default_direction(erg_vec3 up)
{
    erg_vec3 front = ergi_vec3(0, -1, 0);
    if (fabs(ergi_dot(front, up)) > 0.9) front = ergi_vec3(0, 0, 1);
    erg_vec3 right = ergi_normalize(ergi_cross(up, ergi_scale(front, -1)));
    right = ergi_scale(right, -1);
    front = ergi_cross(right, up);
    return ergi_normalize(
        ergi_add(ergi_add(ergi_scale(front, 0.82), ergi_scale(right, 0.42)), ergi_scale(up, 0.40)));
}

// As near as possible with all corners of the bounds in view, plus a margin.
static void frame(erg_picture *p, erg_camera *camera)
{
    erg_vec3 centre, back = default_direction(p->up);
    double   distance = 0, slope = 0.88 * tan(0.5 * camera->angle * ERGI_PI / 180.0);
    centre = ergi_scale(ergi_add(p->bounds.low, p->bounds.high), 0.5);
    erg_vec3 right = ergi_normalize(ergi_cross(p->up, back)), top = ergi_cross(back, right);
    for (int corner = 0; corner < 8; corner++) {
        erg_vec3 c = ergi_sub(ergi_vec3(corner & 1 ? p->bounds.high.x : p->bounds.low.x,
                                        corner & 2 ? p->bounds.high.y : p->bounds.low.y,
                                        corner & 4 ? p->bounds.high.z : p->bounds.low.z),
                              centre);
        double up = fabs(ergi_dot(c, top)), across = fabs(ergi_dot(c, right)) / ERGI_CAMERA_ASPECT;
        distance = fmax(distance, ergi_dot(c, back) + fmax(up, across) / slope);
    }
    camera->target = centre;
    camera->position = ergi_madd(centre, distance, back);
    camera->placed = true;
}

double ergi_camera_angle(const erg_picture *p, double aspect)
{
    if (p->look.camera.placed || aspect >= ERGI_CAMERA_ASPECT) return p->eye.angle;
    double half = tan(0.5 * p->eye.angle * ERGI_PI / 180.0) * ERGI_CAMERA_ASPECT / aspect;
    return 2 * atan(half) * 180.0 / ERGI_PI;
}

static erg_vec3 centre_of(const erg_sphere_view *view)
{
    erg_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < view->count; i++)
        sum = ergi_add(sum, ergi_vec3(view->position[3 * i], view->position[3 * i + 1],
                                      view->position[3 * i + 2]));
    return view->count ? ergi_scale(sum, 1.0 / (double)view->count) : sum;
}

void ergi_camera_place(erg_picture *p, const erg_sphere_view *view)
{
    erg_camera camera = p->look.camera;
    if (!(ergi_norm(camera.up) > 0)) camera.up = p->up;
    if (!camera.placed && p->framed) { // keep the first framing: it must not change during a film
        camera.position = p->start.position;
        camera.target = p->start.target;
        camera.placed = true;
    } else if (!camera.placed) {
        frame(p, &camera);
        p->framed = view->count > 0 || p->land;
    }
    p->eye = p->start = camera;
    if (camera.mode == ERG_CAMERA_FOLLOW && view->count) {
        erg_vec3 shift = ergi_sub(centre_of(view), camera.target);
        p->eye.position = ergi_add(p->eye.position, shift);
        p->eye.target = ergi_add(p->eye.target, shift);
    }
}

void erg_picture_turn(erg_picture *p, double seconds)
{
    if (!p) return;
    if (p->eye.mode != ERG_CAMERA_ORBIT || !(p->eye.turn > 0)) return;
    double   half = ERGI_PI * seconds / p->eye.turn;
    erg_vec3 axis = ergi_normalize(p->eye.up);
    erg_quat q = {sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z, cos(half)};
    erg_vec3 arm = ergi_sub(p->start.position, p->start.target);
    p->eye.position = ergi_add(p->start.target, ergi_quat_rotate(q, arm));
}

void ergi_camera_depths(const erg_picture *p, double *near, double *far)
{
    erg_vec3 centre;
    double   radius;
    erg_picture_ball(p, &centre, &radius);
    // The ground extends in front of and behind the scene.
    double distance = ergi_distance(p->eye.position, centre);
    *far = distance + 45 * radius;
    *near = fmax(0.04 * (distance - radius), 1e-3 * radius);
    if (!p->land) return;
    // A terrain also extends beyond the rest, up to the camera and the horizon.
    double clearance = fabs(ergi_land_clearance(p->land, p->eye.position)), most = 0;
    for (int k = 0; k < 4; k++) {
        erg_vec3 corner = {k & 1 ? p->land->grid.lower[0] : ergi_land_upper(p->land, 0),
                           k & 2 ? p->land->grid.lower[1] : ergi_land_upper(p->land, 1),
                           p->land->grid.floor};
        most = fmax(most, ergi_distance(p->eye.position, corner));
    }
    *far = fmax(*far, 1.01 * most);
    *near = fmin(*near, fmax(0.4 * clearance, 1e-5 * *far));
}
