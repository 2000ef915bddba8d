// Transforms of camera and light, and the cut plane in their frames.
#include "draw/camera.h"
#include "draw/gl_frame.h"
#include "geom/vec3.h"

#include <string.h>

void ergi_to_float(erg_vec3 v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void to_frame(const ergi_matrix *view, erg_vec3 direction, float out[3])
{
    float d[3];
    ergi_to_float(direction, d);
    ergi_matrix_direction(view, d, out);
}

// Without a cut, a plane that leaves out nothing.
static void cut_plane(const ergi_frame *f, const ergi_matrix *view, float plane[4])
{
    const erg_look *look = &f->p->look;
    memset(plane, 0, 4 * sizeof *plane);
    plane[3] = -1e30f;
    if (!look->cut) return;
    float at[3], there[3];
    to_frame(view, ergi_normalize(look->cut_normal), plane);
    ergi_to_float(ergi_sub(look->cut_point, f->p->origin), at);
    ergi_matrix_point(view, at, there);
    plane[3] = -(plane[0] * there[0] + plane[1] * there[1] + plane[2] * there[2]);
}

void ergi_place_frame(ergi_frame *f)
{
    const erg_picture *p = f->p;
    const erg_camera  *eye = &p->eye;
    erg_vec3           centre, lamp = ergi_scale(ergi_normalize(p->look.light.direction), -1);
    double             near, far;
    erg_picture_ball(p, &centre, &f->extent);
    ergi_camera_depths(p, &near, &far);
    f->view = ergi_matrix_look(eye->position, eye->target, eye->up, p->origin);
    double aspect = (double)f->width / (double)f->height;
    f->projection = ergi_matrix_perspective(ergi_camera_angle(p, aspect), aspect, near, far);
    to_frame(&f->view, lamp, f->lamp);
    to_frame(&f->view, p->up, f->up);
    float middle[3];
    ergi_to_float(ergi_sub(centre, p->origin), middle);
    ergi_matrix_point(&f->view, middle, f->middle);

    double   reach = 1.04 * f->extent;
    erg_vec3 from = ergi_madd(centre, 2 * reach, lamp);
    f->light_view = ergi_matrix_look(from, centre, p->up, p->origin);
    f->light_projection = ergi_matrix_parallel(reach, 0.9 * reach, 3.1 * reach);
    cut_plane(f, &f->view, f->cut);
    cut_plane(f, &f->light_view, f->light_cut);
    f->size_unit = p->largest;
}

ergi_matrix ergi_frame_to_shadow(const ergi_frame *f)
{
    ergi_matrix half = {{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
    ergi_matrix back = ergi_matrix_inverse_rigid(&f->view);
    ergi_matrix a = ergi_matrix_multiply(&half, &f->light_projection);
    ergi_matrix b = ergi_matrix_multiply(&f->light_view, &back);
    return ergi_matrix_multiply(&a, &b);
}
