#include "world/body.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/held_mesh.h"
#include "geom/inscribe.h"
#include "geom/inspect.h"
#include "geom/sphere_cloud.h"
#include "world/body_axes.h"
#include "world/motion.h"

erg_body_def erg_body_def_default(void)
{
    erg_body_def def = {.rotation = ergi_quat_identity(), .free = true, .free_axes = ERG_AXIS_ALL};
    for (int i = 0; i < ERG_WALL_MOTIONS; i++)
        def.motion[i] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    return def;
}

// ---- Shapes ------------------------------------------------------------------------------------
static double smallest_side(const ergi_solid *s)
{
    erg_vec3 size = ergi_sub(s->high, s->low);
    return fmin(size.x, fmin(size.y, size.z));
}

static erg_status check_solid(const erg_mesh *mesh, const char *name, erg_mesh_report *report,
                              erg_error *err)
{
    erg_status status = ergi_inspect(&mesh->solid, report, err);
    if (status != ERG_OK || report->solid) return status;
    return ergi_fail_at(
        err, "mesh", ERG_ERROR_BAD_MESH,
        "%s: its mesh is not a solid: %s; repair it, or make it a wall, which may be open", name,
        report->problems ? report->problem[0].text : "it has no inside");
}

static erg_status make_cloud(ergi_body_shape *shape, const erg_body_def *def, const char *name,
                             erg_error *err)
{
    erg_error  why;
    double     radius = def->sphere_radius > 0 ? def->sphere_radius : cbrt(shape->volume) / 20;
    erg_status status = ergi_sphere_cloud_make(&def->mesh->solid, radius, &shape->cloud, &why);
    if (status == ERG_OK) return ERG_OK;
    snprintf(why.field, sizeof why.field, "sphere_radius");
    return ergi_fail_as(err, &why, "%s: no spheres of radius %g m fit into it: %s", name, radius,
                        why.text);
}

erg_status ergi_body_shape_make(ergi_body_shape *shape, const erg_body_def *def, const char *name,
                                erg_error *err)
{
    const ergi_solid *solid = &def->mesh->solid;
    *shape = (ergi_body_shape){.rounding = def->rounding, .sphere_radius = def->sphere_radius};
    erg_mesh_report *report = ergi_memory_new(1, sizeof *report, "the report of a mesh", err);
    if (!report) return ERG_NO_MEMORY;
    erg_status     status = check_solid(def->mesh, name, report, err);
    ergi_mesh_mass mass = ergi_mesh_mass_of(&solid->mesh);
    ergi_memory_free(report);
    if (status != ERG_OK) return status;
    shape->mesh = ergi_mesh_retain(def->mesh);
    shape->volume = mass.volume;
    shape->centre = mass.centre;
    shape->inertia = mass.inertia;
    for (size_t v = 0; v < solid->mesh.vertices; v++)
        shape->reach = fmax(shape->reach, ergi_distance(mass.centre, solid->mesh.vertex[v]));
    if (def->contact == ERG_BODY_SPHERES) status = make_cloud(shape, def, name, err);
    if (status != ERG_OK) ergi_body_shape_free(shape);
    return status;
}

erg_status ergi_body_shape_inscribe(ergi_body_shape *shape, const char *name, erg_error *err)
{
    const ergi_solid *solid = &shape->mesh->solid;
    double            radius = shape->rounding > 0 ? shape->rounding : smallest_side(solid) / 25;
    if (shape->balls.count) return ERG_OK;
    erg_status status = ergi_inscribe(solid, radius, cbrt(shape->volume), &shape->balls, err);
    if (status == ERG_OK && shape->balls.count == 0)
        status = ergi_fail_at(err, "rounding", ERG_ERROR_BAD_MESH,
                              "%s: its mesh is so thin that nothing fits into it: make its walls "
                              "thicker, or give it a smaller rounding than %g m",
                              name, radius);
    return status;
}

bool ergi_body_shape_fits(const ergi_body_shape *shape, const erg_body_def *def)
{
    return shape->mesh == def->mesh && shape->rounding == def->rounding &&
           (shape->cloud != NULL) == (def->contact == ERG_BODY_SPHERES) &&
           shape->sphere_radius == def->sphere_radius;
}

void ergi_body_shape_free(ergi_body_shape *shape)
{
    ergi_inscribed_free(&shape->balls);
    ergi_sphere_cloud_free(shape->cloud);
    ergi_mesh_release(shape->mesh);
    *shape = (ergi_body_shape){0};
}

// ---- Bodies ------------------------------------------------------------------------------------
static erg_status not_below_zero(double x, const char *name, const char *what, erg_error *err)
{
    if (x >= 0 && isfinite(x)) return ERG_OK;
    return ergi_fail_at(err, what, ergi_code_of(x), "%s: %s must be at least 0, got %g", name, what,
                        x);
}

// Position, rotation, pivot and motion.
static erg_status check_pose(const erg_body_def *def, const char *name, erg_error *err)
{
    erg_quat q = def->rotation;
    double   norm = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!ergi_finite(def->position) || (def->has_pivot && !ergi_finite(def->pivot)))
        return ergi_fail_at(err, ergi_finite(def->position) ? "pivot" : "position",
                            ERG_ERROR_NOT_FINITE, "%s: position and pivot must be finite", name);
    if (!(fabs(norm - 1) < 1e-6))
        return ergi_fail_at(err, "rotation", ergi_code_of(norm),
                            "%s: length of the rotation's quaternion must be 1, got %g", name,
                            norm);
    return ergi_motions_check(def->motion, def->motion_count, name, err);
}

erg_status ergi_body_check(const erg_body_def *def, const char *name, erg_error *err)
{
    if (!def->mesh)
        return ergi_fail_at(err, "mesh", ERG_ERROR_MISSING, "%s: a body needs a mesh", name);
    erg_status status = not_below_zero(def->mass, name, "mass", err);
    if (status == ERG_OK) status = not_below_zero(def->density, name, "density", err);
    if (status == ERG_OK) status = not_below_zero(def->rounding, name, "rounding", err);
    if (status == ERG_OK) status = not_below_zero(def->sphere_radius, name, "sphere_radius", err);
    if (status != ERG_OK) return status;
    if (def->contact != ERG_BODY_EXACT && def->contact != ERG_BODY_SPHERES)
        return ergi_fail_at(err, "contact", ERG_ERROR_UNKNOWN,
                            "%s: contact must be exact or spheres", name);
    if (def->mass > 0 && def->density > 0)
        return ergi_fail_at(err, "density", ERG_ERROR_CONFLICT,
                            "%s: give mass or density, not both", name);
    if (!ergi_finite(def->velocity) || !ergi_finite(def->spin))
        return ergi_fail_at(err, ergi_finite(def->velocity) ? "spin" : "velocity",
                            ERG_ERROR_NOT_FINITE, "%s: velocity and spin must be finite", name);
    if (def->free && def->has_pivot)
        return ergi_fail_at(err, "has_pivot", ERG_ERROR_CONFLICT,
                            "%s: a free body rotates about its centre of mass and takes no pivot",
                            name);
    if (def->free && def->attach)
        return ergi_fail_at(err, "attach", ERG_ERROR_CONFLICT,
                            "%s: a free body moves on its own and cannot be attached", name);
    if (def->free && def->free_axes == ERG_AXIS_ALL && def->motion_count > 0)
        return ergi_fail_at(err, "motion_count", ERG_ERROR_CONFLICT,
                            "%s: a free body cannot have a motion, unless some axes are not free",
                            name);
    if (!def->free && (ergi_norm(def->velocity) > 0 || ergi_norm(def->spin) > 0))
        return ergi_fail_at(err, ergi_norm(def->velocity) > 0 ? "velocity" : "spin",
                            ERG_ERROR_CONFLICT,
                            "%s: initial velocity and spin apply to free bodies only; move a "
                            "driven body by a motion of kind velocity or spin",
                            name);
    status = check_pose(def, name, err);
    if (status == ERG_OK) status = ergi_body_axes_check(def, name, err);
    return status == ERG_OK ? ergi_body_hinge_check(def, name, err) : status;
}

erg_status ergi_body_make(ergi_body *body, const erg_body_def *def, const ergi_body_shape *shape,
                          double density, const char *name, erg_error *err)
{
    if (def->density > 0) density = def->density;
    if (def->mass > 0) density = def->mass / shape->volume;
    *body = (ergi_body){.exists = true,
                        .free = def->free,
                        .free_axes = def->free ? def->free_axes : 0,
                        .mass = density * shape->volume,
                        .radius = cbrt(3 * shape->volume / (4 * ERGI_PI)),
                        .reach = shape->reach,
                        .start = ergi_quat_normalize(def->rotation),
                        .inertia = shape->inertia};
    body->centre = ergi_add(def->position, ergi_quat_rotate(body->start, shape->centre));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) body->inertia.m[i][k] *= density;
    if (!def->free) return ERG_OK;
    body->inverse_mass = 1 / body->mass;
    if (isfinite(body->mass) && isfinite(body->inverse_mass) &&
        ergi_mat3_invert(&body->inertia, &body->inverse_inertia)) {
        ergi_body_hold_rotation(body);
        return ERG_OK;
    }
    return ergi_fail_at(
        err,
        def->mass > 0      ? "mass"
        : def->density > 0 ? "density"
                           : "mesh",
        ergi_code_of(body->mass),
        "%s: its mass of %g kg, or its inertia, is too large or too small for a number", name,
        body->mass);
}
