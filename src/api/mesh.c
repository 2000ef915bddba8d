// Public meshes: read or created, repaired, then immutable.
#include "erg/mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/held_mesh.h"
#include "geom/inspect.h"
#include "geom/primitive.h"
#include "geom/vec3.h"
#include "io/mesh_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

erg_mesh_def erg_mesh_def_default(void)
{
    return (erg_mesh_def){.scale = 1.0};
}

static void say(const erg_mesh_def *def, const char *format, ...) ERGI_PRINTF(2, 3);

static void say(const erg_mesh_def *def, const char *format, ...)
{
    char    text[512];
    va_list list;
    if (!def->log) return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    def->log(def->log_user, ERG_LOG_INFO, text);
}

static erg_status resize(ergi_mesh *mesh, double scale, erg_error *err)
{
    if (scale == 0.0 || scale == 1.0) return ERG_OK;
    if (!(scale > 0.0 && isfinite(scale)))
        return ergi_fail_at(err, "scale", ergi_code_of(scale),
                            "the scale of a mesh must be above 0, got %g", scale);
    for (size_t i = 0; i < mesh->vertices; i++)
        mesh->vertex[i] = ergi_scale(mesh->vertex[i], scale);
    return ERG_OK;
}

static erg_status repair(ergi_mesh *mesh, const erg_mesh_def *def, const char *name, erg_error *err)
{
    size_t     count = 0;
    erg_status status = ERG_OK;
    if (!(def->merge >= 0.0))
        return ergi_fail_at(err, "merge", ergi_code_of(def->merge),
                            "the merge distance must be at least 0 m, got %g", def->merge);
    if (def->merge > 0.0) {
        status = ergi_mesh_weld(mesh, def->merge, true, &count, err);
        if (status == ERG_OK && count) say(def, "%s: %zu vertices merged", name, count);
    }
    if (status == ERG_OK && def->fill_holes > 0) {
        status = ergi_mesh_fill_holes(mesh, def->fill_holes, &count, err);
        if (status == ERG_OK && count) say(def, "%s: %zu holes filled", name, count);
    }
    return status;
}

// Whether every edge has two triangles with consistent orientation.
static bool closed_and_oriented(const ergi_solid *s)
{
    for (size_t e = 0; e < s->edges.edges; e++) {
        const uint32_t *half = s->edges.half + s->edges.edge[e].first;
        if (s->edges.edge[e].count != 2 ||
            ergi_half_from(&s->mesh, half[0]) == ergi_half_from(&s->mesh, half[1]))
            return false;
    }
    return true;
}

// Flips a mesh that is inside out and rebuilds it, because its normals have changed.
static erg_status make_solid(ergi_mesh *mesh, ergi_solid *solid, const erg_mesh_def *def,
                             const char *name, erg_error *err)
{
    erg_status status = ergi_solid_make(mesh, solid, err);
    if (status != ERG_OK || !closed_and_oriented(solid)) return status;
    double volume = ergi_mesh_mass_of(&solid->mesh).volume;
    if (!(volume < 0.0)) return ERG_OK;
    *mesh = solid->mesh;
    solid->mesh = (ergi_mesh){0};
    ergi_solid_free(solid);
    ergi_mesh_flip(mesh);
    status = ergi_solid_make(mesh, solid, err);
    if (status == ERG_OK)
        say(def, "%s: the mesh was inside out (volume %g m^3); all its triangles were flipped",
            name, volume);
    return status;
}

// Takes ownership of the mesh, whatever the outcome.
static erg_status finish(ergi_mesh *mesh, const erg_mesh_def *def, const char *name, erg_mesh **out,
                         erg_error *err)
{
    erg_mesh_def plain = erg_mesh_def_default();
    if (!def) def = &plain;
    erg_mesh  *made = ergi_memory_new(1, sizeof *made, "a mesh", err);
    erg_status status = made ? resize(mesh, def->scale, err) : ERG_NO_MEMORY;
    if (status == ERG_OK) status = ergi_mesh_check(mesh, err);
    if (status == ERG_OK) status = repair(mesh, def, name, err);
    if (status == ERG_OK) status = make_solid(mesh, &made->solid, def, name, err);
    ergi_mesh_free(mesh);
    if (status != ERG_OK) {
        ergi_memory_free(made);
        made = NULL;
    } else {
        made->closed = closed_and_oriented(&made->solid);
        atomic_init(&made->holders, 1);
    }
    *out = made;
    return status;
}

erg_status erg_mesh_read(const char *path, const erg_mesh_def *def, erg_mesh **out, erg_error *err)
{
    if (!path || !out) return ergi_fail_null(err, __func__);
    *out = NULL;
    ergi_mesh  mesh;
    erg_error  why;
    erg_status status = ergi_mesh_read(path, &mesh, err);
    if (status != ERG_OK) return status;
    status = finish(&mesh, def, path, out, &why);
    return status == ERG_OK ? ERG_OK : ergi_fail_as(err, &why, "%s: %s", path, why.text);
}

erg_status erg_mesh_create(const double *xyz, size_t vertices, const uint32_t *corners,
                           size_t triangles, const erg_mesh_def *def, erg_mesh **out,
                           erg_error *err)
{
    if (!out || (!xyz && vertices > 0) || (!corners && triangles > 0))
        return ergi_fail_null(err, __func__);
    *out = NULL;
    ergi_mesh  mesh = {0};
    erg_status status = ERG_OK;
    for (size_t i = 0; i < vertices && status == ERG_OK; i++)
        status = ergi_mesh_add_vertex(&mesh, (erg_vec3){xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]},
                                      err);
    for (size_t t = 0; t < triangles && status == ERG_OK; t++)
        status = ergi_mesh_add_triangle(&mesh, corners[3 * t], corners[3 * t + 1],
                                        corners[3 * t + 2], err);
    if (status != ERG_OK) {
        ergi_mesh_free(&mesh);
        return status;
    }
    return finish(&mesh, def, "mesh", out, err);
}

erg_status erg_mesh_primitive(const erg_primitive *shape, erg_mesh **out, erg_error *err)
{
    if (!shape || !out) return ergi_fail_null(err, __func__);
    *out = NULL;
    ergi_mesh  mesh;
    erg_status status = ergi_primitive(shape, &mesh, err);
    return status == ERG_OK ? finish(&mesh, NULL, "shape", out, err) : status;
}

void erg_mesh_destroy(erg_mesh *mesh)
{
    if (!mesh) return;
    ergi_mesh_release(mesh);
}

const double *erg_mesh_vertices(const erg_mesh *mesh, size_t *count)
{
    if (!mesh) {
        if (count) *count = 0;
        return NULL;
    }
    _Static_assert(sizeof(erg_vec3) == 3 * sizeof(double), "vertices lie side by side");
    if (count) *count = mesh->solid.mesh.vertices;
    return &mesh->solid.mesh.vertex[0].x;
}

const uint32_t *erg_mesh_triangles(const erg_mesh *mesh, size_t *count)
{
    if (!mesh) {
        if (count) *count = 0;
        return NULL;
    }
    if (count) *count = mesh->solid.mesh.triangles;
    return mesh->solid.mesh.triangle[0].v;
}

erg_status erg_mesh_write(const erg_mesh *mesh, const char *path, erg_error *err)
{
    if (!mesh || !path) return ergi_fail_null(err, __func__);
    return ergi_mesh_write(path, &mesh->solid.mesh, err);
}

erg_status erg_mesh_get_report(const erg_mesh *mesh, erg_mesh_report *report, erg_error *err)
{
    if (!mesh || !report) return ergi_fail_null(err, __func__);
    return ergi_inspect(&mesh->solid, report, err);
}

erg_mesh_point erg_mesh_nearest(const erg_mesh *mesh, erg_vec3 p, double reach)
{
    if (!mesh) return (erg_mesh_point){.triangle = UINT32_MAX, .distance = (double)INFINITY};
    ergi_nearest near = ergi_solid_nearest(&mesh->solid, p, reach);
    return (erg_mesh_point){.triangle = near.triangle,
                            .point = near.point,
                            .normal = near.normal,
                            .distance = near.distance};
}
