// Takes a picture: converts a world and a look into drawable parts.
#include "draw/picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "draw/camera.h"
#include "geom/vec3.h"

#include <stdio.h>
#include <string.h>

erg_look erg_look_default(void)
{
    return (erg_look){
        .camera = {.angle = 35, .mode = ERG_CAMERA_FIXED, .turn = 24},
        .light = {.direction = {0.75, 0.3, -0.7},
                  .brightness = 1,
                  .ambient = 0.25,
                  .shadows = true},
        .background = {0.92, 0.93, 0.95},
        .low = (double)NAN,
        .high = (double)NAN,
        .legend = true,
        .every = 1,
        .quality = ERG_QUALITY_FINE,
        .cull = true,
    };
}

erg_status erg_picture_create(erg_picture **picture, erg_error *err)
{
    if (!picture) return ergi_fail_null(err, __func__);
    *picture = ergi_memory_new(1, sizeof **picture, "a picture", err);
    if (!*picture) return ERG_NO_MEMORY;
    (*picture)->ground_so_far = HUGE_VAL;
    (*picture)->largest = 1;
    (*picture)->threads = 1;
    (*picture)->up = ergi_vec3(0, 0, 1);
    (*picture)->low = (*picture)->high = (double)NAN;
    return ERG_OK;
}

void erg_picture_destroy(erg_picture *p)
{
    if (!p) return;
    ergi_picture_free_props(p);
    ergi_land_leave(p->land);
    void *arrays[] = {p->balls,    p->left_out, p->planes,   p->corners, p->sheets,
                      p->ribbons,  p->position, p->velocity, p->radius,  p->grain,
                      p->material, p->kind,     p->value,    p->ranks,   p};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) ergi_memory_free(arrays[i]);
}

// ---- Parts -------------------------------------------------------------------------------------
static ergi_ball ball_at(const erg_picture *p, erg_vec3 c, double radius, uint32_t colour)
{
    return (ergi_ball){(float)(c.x - p->origin.x), (float)(c.y - p->origin.y),
                       (float)(c.z - p->origin.z), (float)radius, colour};
}

erg_status ergi_picture_add_sphere(erg_picture *p, erg_vec3 c, double radius, uint32_t colour,
                                   erg_error *err)
{
    erg_status status = ergi_memory_grow(&p->balls, &p->ball_room, p->ball_count + 1,
                                         sizeof *p->balls, "spheres of a picture", err);
    if (status == ERG_OK) p->balls[p->ball_count++] = ball_at(p, c, radius, colour);
    return status;
}

erg_status ergi_picture_leave_out_sphere(erg_picture *p, erg_vec3 c, double radius, erg_error *err)
{
    erg_status status = ergi_memory_grow(&p->left_out, &p->left_out_room, p->left_out_count + 1,
                                         sizeof *p->left_out, "spheres of a picture", err);
    if (status == ERG_OK) p->left_out[p->left_out_count++] = ball_at(p, c, radius, 0);
    return status;
}

erg_status ergi_picture_add_ribbon(erg_picture *p, erg_vec3 from, erg_vec3 to, double half_width,
                                   uint32_t colour, erg_error *err)
{
    erg_status status = ergi_memory_grow(&p->ribbons, &p->ribbon_room, p->ribbon_count + 1,
                                         sizeof *p->ribbons, "lines of a picture", err);
    if (status != ERG_OK) return status;
    from = ergi_sub(from, p->origin);
    to = ergi_sub(to, p->origin);
    float width = (float)half_width;
    p->ribbons[p->ribbon_count++] =
        (ergi_ribbon){{(float)from.x, (float)from.y, (float)from.z, width},
                      {(float)to.x, (float)to.y, (float)to.z, width},
                      colour};
    return ERG_OK;
}

bool ergi_picture_cuts_off(const erg_picture *p, erg_vec3 centre, double radius)
{
    if (!p->look.cut) return false;
    erg_vec3 n = ergi_normalize(p->look.cut_normal);
    return ergi_dot(ergi_sub(centre, p->look.cut_point), n) >= radius;
}

void ergi_bounds_include(ergi_bounds *b, erg_vec3 q)
{
    b->low = ergi_vec3(fmin(b->low.x, q.x), fmin(b->low.y, q.y), fmin(b->low.z, q.z));
    b->high = ergi_vec3(fmax(b->high.x, q.x), fmax(b->high.y, q.y), fmax(b->high.z, q.z));
}

bool ergi_bounds_empty(const ergi_bounds *b)
{
    return !(b->low.x <= b->high.x);
}

// ---- Taking a picture --------------------------------------------------------------------------
static erg_status check(const erg_look *look, const erg_moment *moment, erg_error *err)
{
    const erg_camera *c = &look->camera;
    if (!(c->angle >= 1 && c->angle <= 170))
        return ergi_fail_at(err, "camera.angle", ergi_code_of(c->angle),
                            "the angle of view must be 1 to 170 degrees, got %g", c->angle);
    if (c->placed && !(ergi_distance(c->position, c->target) > 0))
        return ergi_fail_at(err, "camera.position", ERG_ERROR_OUT_OF_RANGE,
                            "the camera must not be at the point it looks at, (%g, %g, %g)",
                            c->target.x, c->target.y, c->target.z);
    if (!(ergi_norm(look->light.direction) > 0))
        return ergi_fail_at(err, "light.direction", ERG_ERROR_OUT_OF_RANGE,
                            "the light must have a direction");
    if (look->cut && !(ergi_norm(look->cut_normal) > 0))
        return ergi_fail_at(err, "cut_normal", ERG_ERROR_OUT_OF_RANGE,
                            "the cut must have a normal");
    if (look->every < 1)
        return ergi_fail_at(err, "every", ERG_ERROR_OUT_OF_RANGE,
                            "every must be at least 1, got 0");
    if (moment && (look->chains || look->colour == ERG_COLOUR_FORCE))
        return ergi_fail_at(
            err, look->chains ? "chains" : "colour", ERG_ERROR_CONFLICT,
            "%s need contacts, which are not read from snapshots: render the scene, or the last "
            "moment of the result, which is read from the checkpoint",
            look->chains ? "force chains" : "colours by force");
    return ERG_OK;
}

static erg_vec3 up_direction(const erg_look *look, const erg_world *world)
{
    erg_vec3 up = ergi_scale(erg_world_get_def(world).gravity, -1);
    if (ergi_norm(look->camera.up) > 0) up = look->camera.up;
    if (!(ergi_norm(up) > 0)) up = ergi_vec3(0, 0, 1);
    return ergi_normalize(up);
}

erg_status erg_picture_take(erg_picture *p, const erg_look *look, const erg_world *world,
                            const erg_moment *moment, erg_error *err)
{
    if (!p || !look || !world) return ergi_fail_null(err, __func__);
    erg_status status = check(look, moment, err);
    if (status != ERG_OK) return status;
    p->look = *look;
    snprintf(p->caption, sizeof p->caption, "%s", look->caption ? look->caption : "");
    p->look.caption = p->caption;
    p->up = up_direction(look, world);
    p->threads = erg_world_get_def(world).threads;
    if (p->threads < 1) p->threads = ergi_threads_default_count();
    p->ball_count = p->left_out_count = p->plane_count = p->corner_count = p->sheet_count = 0;
    p->ribbon_count = p->edge_count = 0;
    ergi_picture_drop_props(p, p->given_count, p->given_spheres);
    erg_sphere_view view = {0};
    status = ergi_picture_land(p, world, moment, err);
    if (status == ERG_OK) status = ergi_picture_read(p, world, moment, &view, err);
    if (status == ERG_OK) status = ergi_picture_land_bed(p, world, &view, err);
    erg_sphere_view awake = view;
    awake.count -= p->frozen;
    if (status == ERG_OK) status = ergi_picture_bodies(p, world, moment, err);
    if (status == ERG_OK) status = ergi_picture_bounds(p, world, moment, &awake, err);
    if (status == ERG_OK) status = ergi_picture_balls(p, world, &view, err);
    if (status == ERG_OK) status = ergi_picture_props(p, err);
    if (status == ERG_OK) status = ergi_picture_walls(p, world, moment, err);
    if (status == ERG_OK && look->chains) status = ergi_picture_chains(p, world, &awake, err);
    if (status == ERG_OK) ergi_camera_place(p, &awake);
    return status;
}

void erg_picture_set_quality(erg_picture *p, erg_quality quality)
{
    if (!p) return;
    p->look.quality = quality;
}

void erg_picture_follow(erg_picture *p, const erg_picture *before)
{
    if (!p || !before) return;
    if (p->land != before->land) {
        ergi_land *old = p->land;
        p->land = ergi_land_share(before->land);
        ergi_land_leave(old);
    }
    p->framed = before->framed;
    p->start = before->start;
    p->ground_so_far = before->ground_so_far;
    p->ranged = before->ranged;
    p->ranged_by = before->ranged_by;
    p->ranged_low = before->ranged_low;
    p->ranged_high = before->ranged_high;
}

void erg_picture_look_from(erg_picture *p, const erg_camera *camera)
{
    if (!p || !camera) return;
    p->eye = p->start = *camera;
    p->eye.placed = p->start.placed = true;
    if (!(ergi_norm(camera->up) > 0)) p->eye.up = p->start.up = p->up;
}

erg_camera erg_picture_eye(const erg_picture *p)
{
    if (!p) return (erg_camera){0};
    return p->eye;
}

void erg_picture_ball(const erg_picture *p, erg_vec3 *centre, double *radius)
{
    if (!p || !centre || !radius) return;
    ergi_bounds b = ergi_picture_shown(p);
    *centre = ergi_scale(ergi_add(b.low, b.high), 0.5);
    *radius = 0.5 * ergi_distance(b.low, b.high);
}

void erg_picture_range(const erg_picture *p, double *low, double *high)
{
    if (!p || !low || !high) return;
    *low = p->low;
    *high = p->high;
}
