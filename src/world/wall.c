#include "world/wall.h"

#include "base/error.h"
#include "geom/held_mesh.h"
#include "geom/profile.h"
#include "geom/query_mesh.h"
#include "geom/query_placed.h"

#include <stdio.h>
#include <string.h>

erg_wall_def erg_wall_def_default(erg_wall_shape shape)
{
    erg_vec3     up = {0.0, 0.0, 1.0};
    erg_wall_def def = {.shape = shape};
    def.plane.normal = up;
    def.cylinder.cap_a = def.cylinder.cap_b = true;
    def.funnel.axis = up;
    def.hourglass.axis = up;
    def.hourglass.cap_a = def.hourglass.cap_b = true;
    def.mesh.rotation = ergi_quat_identity();
    for (int i = 0; i < ERG_WALL_MOTIONS; i++)
        def.motion[i] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    return def;
}

// ---- Making ------------------------------------------------------------------------------------
static void place_between(ergi_surface *surface, erg_vec3 a, erg_vec3 b)
{
    erg_vec3 axis = ergi_sub(b, a);
    if (ergi_norm(axis) == 0.0) axis = (erg_vec3){0.0, 0.0, 1.0}; // a capsule of length 0
    ergi_surface_place(surface, ergi_scale(ergi_add(a, b), 0.5), axis);
}

static void make_box(ergi_surface *surface, const erg_wall_box *box)
{
    erg_vec3 size = ergi_sub(box->max, box->min);
    surface->kind = ERGI_SURFACE_BOX;
    surface->origin = ergi_scale(ergi_add(box->min, box->max), 0.5);
    surface->ex = (erg_vec3){1.0, 0.0, 0.0};
    surface->ey = (erg_vec3){0.0, 1.0, 0.0};
    surface->ez = (erg_vec3){0.0, 0.0, 1.0};
    surface->half[0] = 0.5 * size.x;
    surface->half[1] = 0.5 * size.y;
    surface->half[2] = 0.5 * size.z;
    surface->faces = ERG_FACE_ALL & ~box->open;
}

static void make_hourglass(ergi_surface *surface, const erg_wall_hourglass *glass)
{
    ergi_surface_place(surface, glass->centre, glass->axis);
    ergi_profile_hourglass(&surface->profile,
                           (ergi_hourglass_size){.neck_radius = glass->neck_radius,
                                                 .bulb_radius = glass->bulb_radius,
                                                 .cone_height = glass->cone_height,
                                                 .height = glass->height,
                                                 .rounding = glass->rounding,
                                                 .cap_a = glass->cap_a,
                                                 .cap_b = glass->cap_b});
}

static void make_mesh(ergi_surface *surface, const erg_wall_mesh *mesh)
{
    erg_quat q = ergi_quat_normalize(mesh->rotation);
    surface->kind = ERGI_SURFACE_MESH;
    surface->mesh = &mesh->mesh->solid.view;
    surface->origin = mesh->position;
    surface->ex = ergi_quat_rotate(q, ergi_vec3(1.0, 0.0, 0.0));
    surface->ey = ergi_quat_rotate(q, ergi_vec3(0.0, 1.0, 0.0));
    surface->ez = ergi_quat_rotate(q, ergi_vec3(0.0, 0.0, 1.0));
}

static void make_shape(ergi_surface *surface, const erg_wall_def *def)
{
    ergi_profile *profile = &surface->profile;
    surface->kind = ERGI_SURFACE_REVOLVED;
    switch (def->shape) {
    case ERG_WALL_PLANE:
        surface->kind = ERGI_SURFACE_PLANE;
        ergi_surface_place(surface, def->plane.point, def->plane.normal);
        break;
    case ERG_WALL_BOX: make_box(surface, &def->box); break;
    case ERG_WALL_SPHERE:
        ergi_surface_place(surface, def->sphere.centre, ergi_vec3(0.0, 0.0, 1.0));
        ergi_profile_sphere(profile, def->sphere.radius);
        break;
    case ERG_WALL_CYLINDER: {
        const erg_wall_cylinder *c = &def->cylinder;
        place_between(surface, c->a, c->b);
        ergi_profile_frustum(profile, ergi_distance(c->a, c->b), c->radius, c->radius, c->cap_a,
                             c->cap_b);
        break;
    }
    case ERG_WALL_CONE: {
        const erg_wall_cone *c = &def->cone;
        place_between(surface, c->a, c->b);
        ergi_profile_frustum(profile, ergi_distance(c->a, c->b), c->radius_a, c->radius_b, c->cap_a,
                             c->cap_b);
        break;
    }
    case ERG_WALL_FUNNEL: {
        const erg_wall_funnel *f = &def->funnel;
        ergi_surface_place(surface, f->outlet, f->axis);
        ergi_profile_funnel(profile, f->outlet_radius, f->top_radius, f->stem, f->height, f->rim);
        break;
    }
    case ERG_WALL_HOURGLASS: make_hourglass(surface, &def->hourglass); break;
    case ERG_WALL_CAPSULE: {
        const erg_wall_capsule *c = &def->capsule;
        place_between(surface, c->a, c->b);
        ergi_profile_capsule(profile, ergi_distance(c->a, c->b), c->radius);
        break;
    }
    case ERG_WALL_MESH: make_mesh(surface, &def->mesh); break;
    }
}

static bool surface_closed(const erg_wall_def *def, const ergi_surface *surface)
{
    if (def->shape == ERG_WALL_MESH) return def->mesh.mesh->closed;
    if (surface->kind == ERGI_SURFACE_BOX) return surface->faces == ERG_FACE_ALL;
    return surface->kind == ERGI_SURFACE_REVOLVED && surface->profile.closed;
}

static ergi_surface_side auto_side(const erg_wall_def *def, const ergi_surface *surface)
{
    if (surface->kind == ERGI_SURFACE_PLANE) return ERGI_SIDE_OUTSIDE;
    if (!surface_closed(def, surface)) return ERGI_SIDE_BOTH;
    return def->shape == ERG_WALL_MESH ? ERGI_SIDE_OUTSIDE : ERGI_SIDE_INSIDE;
}

static void make_surface(ergi_surface *surface, const erg_wall_def *def)
{
    *surface = (ergi_surface){0};
    make_shape(surface, def);
    switch (def->side) {
    case ERG_SIDE_AUTO: surface->side = auto_side(def, surface); break;
    case ERG_SIDE_INSIDE: surface->side = ERGI_SIDE_INSIDE; break;
    case ERG_SIDE_OUTSIDE: surface->side = ERGI_SIDE_OUTSIDE; break;
    case ERG_SIDE_BOTH: surface->side = ERGI_SIDE_BOTH; break;
    }
    if (def->rough.spacing > 0.0) {
        surface->bump_spacing = def->rough.spacing;
        surface->bump_radius = def->rough.radius;
    }
}

erg_status ergi_wall_init(ergi_wall *wall, const erg_wall_def *def, erg_error *err)
{
    *wall = (ergi_wall){0};
    erg_status status = ergi_wall_check(def, err);
    if (status != ERG_OK) return status;
    status = ergi_motion_init(&wall->motion, def->motion, def->motion_count, err);
    if (status != ERG_OK) return status;
    if (def->name) snprintf(wall->name, sizeof wall->name, "%s", def->name);
    wall->material = def->material;
    make_surface(&wall->surface, def);
    if (def->shape == ERG_WALL_MESH) wall->mesh = ergi_mesh_retain(def->mesh.mesh);
    wall->spherical = def->shape == ERG_WALL_SPHERE;
    wall->pivot = def->has_pivot ? def->pivot : wall->surface.origin;
    return ERG_OK;
}

void ergi_wall_free(ergi_wall *wall)
{
    ergi_motion_free(&wall->motion);
    ergi_mesh_release(wall->mesh);
    *wall = (ergi_wall){0};
}

// ---- Checking ----------------------------------------------------------------------------------
typedef struct check {
    char       owner[ERGI_WALL_NAME + 10]; // begins messages: "wall 'drum': "; may be ""
    erg_error *err;
    bool       failed;
} check;

// `what` is the member's name in the message, `field` that in its struct.
static void expect_of(check *c, bool good, const char *field, const char *what, const char *wanted,
                      double got)
{
    if (c->failed || good) return;
    ergi_fail_at(c->err, field, ergi_code_of(got), "%s%s must be %s, got %g", c->owner, what,
                 wanted, got);
    c->failed = true;
}

static void expect(check *c, bool good, const char *what, const char *wanted, double got)
{
    expect_of(c, good, what, what, wanted, got);
}

static void expect_known(check *c, bool known, const char *what, const char *wanted, int got)
{
    if (c->failed || known) return;
    ergi_fail_at(c->err, what, ERG_ERROR_UNKNOWN, "%s%s must be %s, got %d", c->owner, what, wanted,
                 got);
    c->failed = true;
}

static void expect_above_zero(check *c, const char *what, double x)
{
    expect(c, x > 0.0 && isfinite(x), what, "above 0 m", x);
}

static void expect_not_negative(check *c, const char *what, double x)
{
    expect(c, x >= 0.0 && isfinite(x), what, "at least 0 m", x);
}

static void expect_vector(check *c, bool good, const char *what, const char *wanted, erg_vec3 got)
{
    if (c->failed || good) return;
    ergi_fail_at(c->err, what, ergi_code_of(got.x + got.y + got.z),
                 "%s%s must be %s, got (%g, %g, %g)", c->owner, what, wanted, got.x, got.y, got.z);
    c->failed = true;
}

static void expect_point(check *c, const char *what, erg_vec3 v)
{
    expect_vector(c, ergi_finite(v), what, "finite", v);
}

static void expect_direction(check *c, const char *what, erg_vec3 v)
{
    double norm = ergi_norm(v);
    expect_vector(c, norm > 0.0 && isfinite(norm), what, "a finite direction, not zero", v);
}

static void expect_axis(check *c, const char *shape, erg_vec3 a, erg_vec3 b)
{
    expect_point(c, "a", a);
    expect_point(c, "b", b);
    if (c->failed || ergi_distance(a, b) > 0.0) return;
    ergi_fail_at(c->err, "b", ERG_ERROR_OUT_OF_RANGE,
                 "%sthe ends a and b of a %s must differ, both are (%g, %g, %g)", c->owner, shape,
                 a.x, a.y, a.z);
    c->failed = true;
}

static void check_box(check *c, const erg_wall_box *box)
{
    expect_point(c, "min", box->min);
    expect_point(c, "max", box->max);
    const double low[3] = {box->min.x, box->min.y, box->min.z};
    const double high[3] = {box->max.x, box->max.y, box->max.z};
    for (int k = 0; k < 3 && !c->failed; k++) {
        if (low[k] < high[k]) continue;
        ergi_fail_at(c->err, "max", ERG_ERROR_OUT_OF_RANGE,
                     "%sbox min must be below max, got %g and %g along %c", c->owner, low[k],
                     high[k], "xyz"[k]);
        c->failed = true;
    }
    expect(c, box->open <= ERG_FACE_ALL, "open", "a sum of face bits, at most 63", box->open);
    expect(c, box->open != ERG_FACE_ALL, "open", "such that at least one face remains", box->open);
}

static void check_cone(check *c, const erg_wall_cone *cone)
{
    expect_axis(c, "cone", cone->a, cone->b);
    expect_not_negative(c, "radius_a", cone->radius_a);
    expect_not_negative(c, "radius_b", cone->radius_b);
    expect_of(c, cone->radius_a > 0.0 || cone->radius_b > 0.0, "radius_a",
              "one of radius_a and radius_b", "above 0 m", 0.0);
}

static void check_funnel(check *c, const erg_wall_funnel *funnel)
{
    expect_point(c, "outlet", funnel->outlet);
    expect_direction(c, "axis", funnel->axis);
    expect_above_zero(c, "outlet_radius", funnel->outlet_radius);
    expect(c, funnel->top_radius > funnel->outlet_radius && isfinite(funnel->top_radius),
           "top_radius", "above outlet_radius", funnel->top_radius);
    expect_not_negative(c, "height", funnel->height);
    expect_not_negative(c, "stem", funnel->stem);
    expect_not_negative(c, "rim", funnel->rim);
}

static void check_hourglass(check *c, const erg_wall_hourglass *glass)
{
    expect_point(c, "centre", glass->centre);
    expect_direction(c, "axis", glass->axis);
    expect_above_zero(c, "neck_radius", glass->neck_radius);
    expect(c, glass->bulb_radius > glass->neck_radius && isfinite(glass->bulb_radius),
           "bulb_radius", "above neck_radius", glass->bulb_radius);
    expect_above_zero(c, "cone_height", glass->cone_height);
    expect(c, glass->height >= 2.0 * glass->cone_height && isfinite(glass->height), "height",
           "at least 2 cone_height", glass->height);
    expect_not_negative(c, "rounding", glass->rounding);
    expect(c, glass->rounding <= glass->bulb_radius - glass->neck_radius, "rounding",
           "at most bulb_radius - neck_radius", glass->rounding);
    expect(c, glass->rounding < glass->cone_height, "rounding", "below cone_height",
           glass->rounding);
}

static void check_mesh(check *c, const erg_wall_mesh *mesh)
{
    erg_quat q = mesh->rotation;
    double   norm = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!c->failed && !mesh->mesh) {
        ergi_fail_at(c->err, "mesh", ERG_ERROR_MISSING,
                     "%sa wall from a mesh needs a mesh, got none", c->owner);
        c->failed = true;
    }
    expect_point(c, "position", mesh->position);
    expect_of(c, fabs(norm - 1.0) < 1e-6, "rotation", "length of the rotation's quaternion", "1",
              norm);
}

static const char *shape_name(erg_wall_shape shape)
{
    static const char *const names[] = {"plane",  "box",       "sphere",  "cylinder", "cone",
                                        "funnel", "hourglass", "capsule", "mesh"};
    return names[shape];
}

// The member for a shape has the shape's name, so that name is the prefix of the field.
static void check_shape(check *c, const erg_wall_def *def)
{
    switch (def->shape) {
    case ERG_WALL_PLANE:
        expect_point(c, "point", def->plane.point);
        expect_direction(c, "normal", def->plane.normal);
        break;
    case ERG_WALL_BOX: check_box(c, &def->box); break;
    case ERG_WALL_SPHERE:
        expect_point(c, "centre", def->sphere.centre);
        expect_above_zero(c, "radius", def->sphere.radius);
        break;
    case ERG_WALL_CYLINDER:
        expect_axis(c, "cylinder", def->cylinder.a, def->cylinder.b);
        expect_above_zero(c, "radius", def->cylinder.radius);
        break;
    case ERG_WALL_CONE: check_cone(c, &def->cone); break;
    case ERG_WALL_FUNNEL: check_funnel(c, &def->funnel); break;
    case ERG_WALL_HOURGLASS: check_hourglass(c, &def->hourglass); break;
    case ERG_WALL_CAPSULE:
        expect_point(c, "a", def->capsule.a);
        expect_point(c, "b", def->capsule.b);
        expect_above_zero(c, "radius", def->capsule.radius);
        break;
    case ERG_WALL_MESH: check_mesh(c, &def->mesh); break;
    default: expect_known(c, false, "shape", "one of erg_wall_shape", (int)def->shape); return;
    }
    if (c->failed) ergi_fail_within(c->err, ERG_BAD_INPUT, "%s", shape_name(def->shape));
}

static void check_side(check *c, const erg_wall_def *def)
{
    expect_known(c, def->side >= ERG_SIDE_AUTO && def->side <= ERG_SIDE_BOTH, "side",
                 "one of erg_wall_side", (int)def->side);
    if (c->failed || def->side == ERG_SIDE_AUTO || def->side == ERG_SIDE_BOTH) return;
    if (def->shape == ERG_WALL_PLANE) {
        if (def->side == ERG_SIDE_OUTSIDE) return;
        ergi_fail_at(c->err, "side", ERG_ERROR_CONFLICT,
                     "%sa plane has no inside: point its normal to the side of the grains",
                     c->owner);
        c->failed = true;
        return;
    }
    ergi_surface surface = {0};
    make_shape(&surface, def);
    if (surface_closed(def, &surface)) return;
    ergi_fail_at(c->err, "side", ERG_ERROR_CONFLICT,
                 "%sside must be both for a %s with an opening, got %s", c->owner,
                 shape_name(def->shape), def->side == ERG_SIDE_INSIDE ? "inside" : "outside");
    c->failed = true;
}

static void expect_spacing(check *c, bool good, const char *wanted, double got)
{
    expect_of(c, good, "rough.spacing", "rough spacing", wanted, got);
}

static void check_rough(check *c, const erg_wall_def *def)
{
    double spacing = def->rough.spacing, radius = def->rough.radius;
    expect_spacing(c, spacing >= 0.0 && isfinite(spacing), "at least 0 m", spacing);
    if (c->failed || spacing == 0.0) return;
    expect_of(c, radius > 0.0 && isfinite(radius), "rough.radius", "rough radius", "above 0 m",
              radius);
    expect_spacing(c, spacing >= 2.0 * radius, "at least twice the rough radius", spacing);
    expect_spacing(c, def->shape != ERG_WALL_MESH, "0 on a mesh: bumps are part of its triangles",
                   spacing);
}

static erg_status check_all(check *c, const erg_wall_def *def, const char *motion_owner)
{
    check_shape(c, def);
    if (!c->failed) check_side(c, def);
    check_rough(c, def);
    if (def->has_pivot) expect_point(c, "pivot", def->pivot);
    if (c->failed) return ERG_BAD_INPUT;
    return ergi_motions_check(def->motion, def->motion_count, motion_owner, c->err);
}

erg_status ergi_wall_check_unnamed(const erg_wall_def *def, erg_error *err)
{
    return check_all(&(check){.err = err}, def, "");
}

erg_status ergi_wall_check(const erg_wall_def *def, erg_error *err)
{
    check c = {.err = err};
    char  owner[ERGI_WALL_NAME + 8] = "wall";
    if (def->name) {
        size_t length = strlen(def->name);
        if (length >= ERGI_WALL_NAME)
            return ergi_fail_at(err, "name", ERG_ERROR_OUT_OF_RANGE,
                                "wall: name must be at most %d bytes, got %zu", ERGI_WALL_NAME - 1,
                                length);
        snprintf(owner, sizeof owner, "wall '%s'", def->name);
    }
    snprintf(c.owner, sizeof c.owner, "%s: ", owner);
    return check_all(&c, def, owner);
}

// ---- Queries -----------------------------------------------------------------------------------
static ergi_placement placement_of(const ergi_wall *wall, const ergi_pose *pose)
{
    return (ergi_placement){wall->pivot, pose->position, pose->rotation};
}

static erg_vec3 to_start(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 p)
{
    ergi_placement at = placement_of(wall, pose);
    return ergi_placement_before(&at, p);
}

static erg_vec3 to_now(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 p)
{
    ergi_placement at = placement_of(wall, pose);
    return ergi_placement_now(&at, p);
}

int ergi_wall_hits(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach,
                   ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    if (!ergi_quat_turns(pose->rotation)) {
        int count =
            ergi_surface_hits(&wall->surface, ergi_sub(centre, pose->position), reach, hits);
        ergi_hits_shift(hits, count, pose->position);
        return count;
    }
    ergi_placement at = placement_of(wall, pose);
    int count = ergi_surface_hits(&wall->surface, ergi_placement_before(&at, centre), reach, hits);
    ergi_hits_move(hits, count, &at);
    return count;
}

bool ergi_wall_far(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach)
{
    return ergi_surface_far(&wall->surface, to_start(wall, pose, centre), reach);
}

bool ergi_wall_within(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach,
                      double *distance)
{
    const ergi_surface *s = &wall->surface;
    *distance = 0;
    if (ergi_wall_far(wall, pose, centre, reach)) return false;
    if (!ergi_surface_is_mesh(s)) return true;
    erg_vec3     d = ergi_sub(to_start(wall, pose, centre), s->origin);
    erg_vec3     p = {ergi_dot(d, s->ex), ergi_dot(d, s->ey), ergi_dot(d, s->ez)};
    ergi_bvh_hit nearest = ergi_bvh_closest(&s->mesh->bvh, p, reach);
    if (nearest.triangle == UINT32_MAX) return false;
    if (s->kind == ERGI_SURFACE_MESH) *distance = nearest.distance;
    return true;
}

bool ergi_wall_encloses(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 point)
{
    const ergi_surface *s = &wall->surface;
    if (!ergi_surface_is_mesh(s) || s->side == ERGI_SIDE_BOTH) return false;
    erg_vec3 d = ergi_sub(to_start(wall, pose, point), s->origin);
    erg_vec3 p = {ergi_dot(d, s->ex), ergi_dot(d, s->ey), ergi_dot(d, s->ez)};
    erg_vec3 low = s->mesh->low, high = s->mesh->high;
    bool in_box = p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
                  p.z <= high.z;
    bool inside = in_box && ergi_mesh_nearest(s->mesh, p, HUGE_VAL).distance < 0.0;
    return inside == (s->side == ERGI_SIDE_OUTSIDE);
}

// How deep the point is on the wrong side of a signed mesh, below 0 on the right side; -HUGE_VAL
// for a thin shell.
static double depth_past_mesh(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 point)
{
    const ergi_surface *s = &wall->surface;
    if (s->side == ERGI_SIDE_BOTH) return -HUGE_VAL;
    return -ergi_surface_nearest(s, to_start(wall, pose, point)).gap;
}

// Between two points, the gap changes by no more than their distance.
bool ergi_wall_blocks(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 low, erg_vec3 high,
                      double radius)
{
    erg_vec3 half = ergi_scale(ergi_sub(high, low), 0.5), centre = ergi_add(low, half);
    double   distance = ergi_norm(half) * (1.0 + 1e-12);
    if (ergi_surface_is_mesh(&wall->surface)) return depth_past_mesh(wall, pose, centre) > distance;
    bool spheres_alone = wall->surface.kind == ERGI_SURFACE_HEIGHTS; // other gaps vary faster
    if (wall->surface.kind == ERGI_SURFACE_PLANE) {
        erg_vec3 n = ergi_quat_rotate(pose->rotation, wall->surface.ez);
        distance = (fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z) * (1.0 + 1e-12);
    }
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    int           count = ergi_wall_hits(wall, pose, centre, radius, hits);
    for (int i = 0; i < count; i++)
        if (hits[i].gap + distance < radius &&
            !(spheres_alone && !(hits[i].feature & ERGI_BUMP_FEATURE)))
            return true;
    return false;
}

bool ergi_wall_bounds(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 *lower,
                      erg_vec3 *upper)
{
    erg_vec3 centre;
    double   half[3];
    if (!ergi_surface_box(&wall->surface, &centre, half)) {
        *lower = (erg_vec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        *upper = (erg_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
        return false;
    }
    erg_vec3 ex = ergi_quat_rotate(pose->rotation, wall->surface.ex);
    erg_vec3 ey = ergi_quat_rotate(pose->rotation, wall->surface.ey);
    erg_vec3 ez = ergi_quat_rotate(pose->rotation, wall->surface.ez);
    erg_vec3 size = {fabs(ex.x) * half[0] + fabs(ey.x) * half[1] + fabs(ez.x) * half[2],
                     fabs(ex.y) * half[0] + fabs(ey.y) * half[1] + fabs(ez.y) * half[2],
                     fabs(ex.z) * half[0] + fabs(ey.z) * half[1] + fabs(ez.z) * half[2]};
    centre = to_now(wall, pose, centre);
    *lower = ergi_sub(centre, size);
    *upper = ergi_add(centre, size);
    return true;
}

// Twice the sine of half the angle between two rotations: how far a point at distance 1 can move.
static double chord_between(erg_quat a, erg_quat b)
{
    erg_quat q = ergi_quat_mul(b, ergi_quat_conjugate(a));
    return 2.0 * sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
}

double ergi_wall_sweep(const ergi_wall *wall, const ergi_pose *a, const ergi_pose *b,
                       double far_distance)
{
    const ergi_surface *surface = &wall->surface;
    if (surface->kind == ERGI_SURFACE_HEIGHTS) return 0.0; // does not follow from poses
    bool     plane = surface->kind == ERGI_SURFACE_PLANE;
    bool     rough = surface->bump_spacing > 0.0;
    erg_vec3 middle = ergi_surface_middle(surface);
    erg_vec3 shift = ergi_sub(to_now(wall, b, middle), to_now(wall, a, middle));
    erg_vec3 ez_a = ergi_quat_rotate(a->rotation, surface->ez);
    erg_vec3 ez_b = ergi_quat_rotate(b->rotation, surface->ez);

    // Points of a plane within far_distance are this far from its middle, in either pose.
    double extent = ergi_surface_extent(surface);
    if (plane)
        extent = far_distance + ergi_distance(surface->origin, wall->pivot) +
                 fmax(ergi_norm(a->position), ergi_norm(b->position)) + surface->bump_radius;

    // Bumps, boxes and meshes change with every rotation; all other surfaces are symmetric about ez
    // and change only when ez tilts.
    double moved = ergi_norm(shift);
    if (rough || surface->kind == ERGI_SURFACE_BOX || ergi_surface_is_mesh(surface))
        return moved + chord_between(a->rotation, b->rotation) * extent;
    if (plane) moved = fabs(ergi_dot(shift, ez_b));
    if (wall->spherical) return moved;
    return moved + ergi_distance(ez_a, ez_b) * extent;
}
