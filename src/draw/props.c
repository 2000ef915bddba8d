// Props of a picture: their models, poses and spheres.
#include "base/error.h"
#include "base/memory.h"
#include "draw/colours.h"
#include "draw/picture.h"
#include "geom/vec3.h"

#include <string.h>

erg_prop erg_prop_default(void)
{
    return (erg_prop){.orientation = ergi_quat_identity(), .colour = {0.62, 0.62, 0.64}};
}

erg_prop erg_prop_of_mesh(const erg_mesh *mesh)
{
    if (!mesh) return erg_prop_default();
    erg_prop prop = erg_prop_default();
    prop.vertices = erg_mesh_vertices(mesh, &prop.vertex_count);
    prop.triangles = erg_mesh_triangles(mesh, &prop.triangle_count);
    prop.colour = ergi_vec3(0.42, 0.52, 0.66);
    return prop;
}

// ---- Adding and removing -----------------------------------------------------------------------
// The model for these triangles, built if the picture has none yet.
static erg_status find_model(erg_picture *p, const erg_prop *prop, ergi_model **model,
                             erg_error *err)
{
    for (size_t i = 0; i < p->model_count; i++)
        if (ergi_model_is(p->models[i], prop)) {
            *model = p->models[i];
            return ERG_OK;
        }
    erg_status status = ergi_memory_grow(&p->models, &p->model_room, p->model_count + 1,
                                         sizeof(ergi_model *), "shapes of a picture", err);
    if (status == ERG_OK) status = ergi_model_make(prop, model, err);
    if (status == ERG_OK) p->models[p->model_count++] = *model;
    return status;
}

static erg_status copy_spheres(erg_picture *p, const erg_prop *prop, ergi_prop *own, erg_error *err)
{
    own->sphere_first = p->prop_sphere_count;
    own->sphere_radius = prop->sphere_radius;
    if (!prop->spheres || prop->sphere_count == 0) return ERG_OK;
    erg_status status = ergi_memory_grow(&p->prop_spheres, &p->prop_sphere_room,
                                         p->prop_sphere_count + prop->sphere_count,
                                         3 * sizeof *p->prop_spheres, "spheres of bodies", err);
    if (status != ERG_OK) return status;
    memcpy(p->prop_spheres + 3 * p->prop_sphere_count, prop->spheres,
           3 * prop->sphere_count * sizeof *prop->spheres);
    own->sphere_count = prop->sphere_count;
    p->prop_sphere_count += prop->sphere_count;
    return ERG_OK;
}

erg_status ergi_picture_add_prop(erg_picture *p, const erg_prop *prop, erg_error *err)
{
    ergi_prop own = {
        .position = prop->position,
        .orientation = ergi_quat_normalize(prop->orientation),
        .colour = ergi_colour_pack(prop->colour.x, prop->colour.y, prop->colour.z, 1),
        .glass = prop->glass,
        .id = prop->id,
    };
    erg_status status = find_model(p, prop, &own.model, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&p->props, &p->prop_room, p->prop_count + 1, sizeof *p->props,
                                  "bodies of a picture", err);
    if (status == ERG_OK) status = copy_spheres(p, prop, &own, err);
    if (status == ERG_OK) p->props[p->prop_count++] = own;
    return status;
}

void ergi_picture_drop_props(erg_picture *p, size_t props, size_t spheres)
{
    p->prop_count = props;
    p->prop_sphere_count = spheres;
}

// Given props come first: new ones are appended and moved to the front once all are valid, so that
// a failure leaves the old ones.
erg_status erg_picture_set_props(erg_picture *p, const erg_prop *props, size_t count,
                                 erg_error *err)
{
    if (!p || (!props && count > 0)) return ergi_fail_null(err, __func__);
    size_t     before = p->given_count, spheres = p->given_spheres;
    erg_status status = ERG_OK;
    ergi_picture_drop_props(p, before, spheres);
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        status = ergi_picture_add_prop(p, &props[i], err);
    if (status != ERG_OK) {
        ergi_picture_drop_props(p, before, spheres);
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        p->props[i] = p->props[before + i];
        p->props[i].sphere_first -= spheres;
    }
    p->prop_sphere_count -= spheres;
    if (p->prop_sphere_count)
        memmove(p->prop_spheres, p->prop_spheres + 3 * spheres,
                3 * p->prop_sphere_count * sizeof *p->prop_spheres);
    p->prop_count = p->given_count = count;
    p->given_spheres = p->prop_sphere_count;
    p->batch_count = 0; // nothing is drawn until the next picture is taken
    return ERG_OK;
}

void ergi_picture_free_props(erg_picture *p)
{
    for (size_t i = 0; i < p->model_count; i++) ergi_model_free(p->models[i]);
    ergi_memory_free(p->models);
    ergi_memory_free(p->props);
    ergi_memory_free(p->prop_spheres);
    ergi_memory_free(p->poses);
    ergi_memory_free(p->batches);
}

// ---- Poses -------------------------------------------------------------------------------------
static erg_vec3 to_world(const ergi_prop *prop, erg_vec3 own)
{
    return ergi_add(prop->position, ergi_quat_rotate(prop->orientation, own));
}

void ergi_picture_bound_props(const erg_picture *p, ergi_bounds *bounds)
{
    for (size_t i = 0; i < p->prop_count; i++) {
        const ergi_model *m = p->props[i].model;
        for (int corner = 0; corner < 8; corner++) {
            erg_vec3 q = {corner & 1 ? m->half[0] : -m->half[0],
                          corner & 2 ? m->half[1] : -m->half[1],
                          corner & 4 ? m->half[2] : -m->half[2]};
            ergi_bounds_include(bounds, to_world(&p->props[i], ergi_add(m->middle, q)));
        }
    }
}

static bool as_spheres(const erg_picture *p, const ergi_prop *prop)
{
    return p->look.props != ERG_PROPS_SMOOTH && prop->sphere_count > 0;
}

static bool is_smooth(const erg_picture *p, const ergi_prop *prop)
{
    erg_vec3 middle = to_world(prop, prop->model->middle);
    return !(p->look.props == ERG_PROPS_SPHERES && prop->sphere_count > 0) &&
           !ergi_picture_cuts_off(p, middle, prop->model->radius);
}

static erg_status add_spheres(erg_picture *p, const ergi_prop *prop, erg_error *err)
{
    erg_status status = ERG_OK;
    p->largest = fmax(p->largest, prop->sphere_radius);
    for (size_t i = 0; i < prop->sphere_count && status == ERG_OK; i++) {
        const double *q = p->prop_spheres + 3 * (prop->sphere_first + i);
        erg_vec3      at = to_world(prop, ergi_vec3(q[0], q[1], q[2]));
        if (!ergi_picture_cuts_off(p, at, prop->sphere_radius))
            status = ergi_picture_add_sphere(p, at, prop->sphere_radius, prop->colour, err);
    }
    return status;
}

static ergi_prop_pose pose_of(const erg_picture *p, const ergi_prop *prop)
{
    erg_vec3 at = ergi_sub(to_world(prop, prop->model->middle), p->origin);
    erg_quat q = prop->orientation;
    return (ergi_prop_pose){{(float)at.x, (float)at.y, (float)at.z},
                            {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                            prop->colour};
}

// ---- Batches by model --------------------------------------------------------------------------
// Frees models that no prop shows any more.
static void drop_models(erg_picture *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->model_count; i++) p->models[i]->used = false;
    for (size_t i = 0; i < p->prop_count; i++) p->props[i].model->used = true;
    for (size_t i = 0; i < p->model_count; i++)
        if (p->models[i]->used)
            p->models[kept++] = p->models[i];
        else
            ergi_model_free(p->models[i]);
    p->model_count = kept;
}

static erg_status make_batch(erg_picture *p, const ergi_model *model, bool glass, size_t *poses,
                             erg_error *err)
{
    ergi_batch batch = {model, glass, *poses, 0};
    for (size_t i = 0; i < p->prop_count; i++)
        if (p->props[i].model == model && p->props[i].glass == glass && is_smooth(p, &p->props[i]))
            p->poses[*poses + batch.count++] = pose_of(p, &p->props[i]);
    if (batch.count == 0) return ERG_OK;
    *poses += batch.count;
    erg_status status = ergi_memory_grow(&p->batches, &p->batch_room, p->batch_count + 1,
                                         sizeof *p->batches, "bodies of a picture", err);
    if (status == ERG_OK) p->batches[p->batch_count++] = batch;
    return status;
}

erg_status ergi_picture_props(erg_picture *p, erg_error *err)
{
    size_t poses = 0;
    p->batch_count = 0;
    drop_models(p);
    erg_status status = ergi_memory_grow(&p->poses, &p->pose_room, p->prop_count, sizeof *p->poses,
                                         "bodies of a picture", err);
    for (size_t m = 0; m < p->model_count && status == ERG_OK; m++)
        for (int glass = 0; glass < 2 && status == ERG_OK; glass++)
            status = make_batch(p, p->models[m], glass, &poses, err);
    for (size_t i = 0; i < p->prop_count && status == ERG_OK; i++)
        if (as_spheres(p, &p->props[i])) status = add_spheres(p, &p->props[i], err);
    return status;
}
