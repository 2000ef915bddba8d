// The offset surface: points at a fixed distance from a mesh.
#include "base/error.h"
#include "base/memory.h"
#include "geom/field.h"
#include "geom/sample.h"

static const double MAX_SAMPLES = 2e7;

static erg_status check(const ergi_solid *solid, const erg_sample_def *def, erg_error *err)
{
    if (!(def->radius > 0.0) || !isfinite(def->radius))
        return ergi_fail_at(err, "radius", ergi_code_of(def->radius),
                            "the radius must be above 0 m, got %g", def->radius);
    if (!(def->density > 0.0) || !(def->density <= 1e3))
        return ergi_fail_at(err, "density", ergi_code_of(def->density),
                            "the density must be above 0 and at most 1000, got %g", def->density);
    if (!(fabs(def->offset) <= 1e6))
        return ergi_fail_at(err, "offset", ergi_code_of(def->offset),
                            "the offset must be within 1e6 radii, got %g", def->offset);
    erg_vec3 low = solid->low, high = solid->high;
    double   far = fmax(fmax(fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y))),
                        fmax(fabs(low.z), fabs(high.z)));
    if (far / def->radius > 1e9)
        return ergi_fail_at(
            err, "radius", ERG_ERROR_OUT_OF_RANGE,
            "the mesh extends to %g m, too far for spheres of %g m: move or scale it", far,
            def->radius);
    if (def->kind == ERG_SAMPLE_SURFACE && def->offset == 0.0) return ERG_OK;
    for (size_t e = 0; e < solid->edges.edges; e++) {
        const ergi_edge *edge = &solid->edges.edge[e];
        const uint32_t  *half = solid->edges.half + edge->first;
        const char      *what =
            edge->count == 1  ? "is open"
                 : edge->count > 2 ? "belongs to more than two triangles"
                 : ergi_half_from(&solid->mesh, half[0]) == ergi_half_from(&solid->mesh, half[1])
                     ? "joins triangles of opposite orientation"
                     : NULL;
        erg_vec3 p = solid->mesh.vertex[edge->a];
        if (what)
            return ergi_fail_code(
                err, ERG_ERROR_BAD_MESH,
                "%s needs a closed mesh, to know what is inside, but the edge from "
                "vertex %u to %u, at (%g, %g, %g), %s",
                def->offset == 0.0 ? "a volume" : "an offset", edge->a, edge->b, p.x, p.y, p.z,
                what);
    }
    return ERG_OK;
}

// Marched triangles about half a radius wide, with their corners projected onto the level.
static erg_status march(ergi_level *level, const erg_sample_def *def, const ergi_threads *threads,
                        erg_error *err)
{
    ergi_distance_field field;
    double              spacing = def->radius / 2.0;
    erg_status status = ergi_distance_field_build(level->solid, spacing, level->offset, spacing,
                                                  threads, &field, err);
    if (status != ERG_OK) return status;
    status = ergi_distance_field_surface(&field, &level->own, err);
    ergi_distance_field_free(&field);
    for (size_t v = 0; v < level->own.vertices; v++) {
        erg_vec3 p = level->own.vertex[v], normal;
        if (ergi_level_project(level, 2.0 * spacing, &p, &normal)) level->own.vertex[v] = p;
    }
    if (status == ERG_OK && level->own.triangles == 0)
        status = ergi_fail_at(
            err, "offset", ERG_ERROR_NO_FIT,
            "no point inside the mesh is deep enough for an offset of %g radii of %g m",
            def->offset, def->radius);
    return status;
}

erg_status ergi_level_make(const ergi_solid *solid, const erg_sample_def *def,
                           const ergi_threads *threads, ergi_level *level, erg_error *err)
{
    *level = (ergi_level){.solid = solid,
                          .offset = def->offset * def->radius,
                          .close = 1e-3 * def->radius,
                          .mesh = &solid->mesh};
    erg_status status = check(solid, def, err);
    if (status == ERG_OK && level->offset != 0.0) {
        status = march(level, def, threads, err);
        level->mesh = &level->own;
    }
    if (status == ERG_OK) level->area = ergi_mesh_mass_of(level->mesh).area;
    double wanted = def->density * level->area / (ERGI_PI * def->radius * def->radius);
    if (status == ERG_OK && def->kind == ERG_SAMPLE_SURFACE && wanted > MAX_SAMPLES)
        status = ergi_fail_at(err, "radius", ERG_ERROR_TOO_MANY,
                              "a surface of %g m^2 would need %.3g spheres of %g m, more than %g: "
                              "choose a larger radius",
                              level->area, wanted, def->radius, MAX_SAMPLES);
    if (status != ERG_OK) ergi_level_free(level);
    return status;
}

void ergi_level_free(ergi_level *level)
{
    ergi_mesh_free(&level->own);
    *level = (ergi_level){0};
}

bool ergi_level_project(const ergi_level *level, double reach, erg_vec3 *p, erg_vec3 *normal)
{
    // slightly enlarged to allow for rounding
    double       within = (fabs(level->offset) + reach) * 1.001 + level->close;
    ergi_nearest near = ergi_solid_nearest(level->solid, *p, within);
    if (near.triangle == UINT32_MAX) return false;
    *normal = near.normal;
    if (level->offset == 0.0) {
        *p = near.point;
        return true;
    }
    // Moves to the offset distance from the closest point; repeated, since another point may then
    // be closer.
    for (int i = 0; i < 20; i++) {
        if (fabs(near.distance - level->offset) < level->close) return true;
        erg_vec3 arm = ergi_sub(*p, near.point);
        *normal =
            fabs(near.distance) > level->close ? ergi_scale(arm, 1.0 / near.distance) : near.normal;
        *p = ergi_madd(near.point, level->offset, *normal);
        near = ergi_solid_nearest(level->solid, *p, fabs(level->offset) + level->close);
        if (near.triangle == UINT32_MAX) return false;
    }
    return fabs(near.distance - level->offset) < level->close;
}

erg_status ergi_cloud_add(ergi_cloud *cloud, erg_vec3 p, erg_error *err)
{
    erg_status status =
        ergi_memory_grow(&cloud->point, &cloud->room, cloud->count + 1, sizeof p, "samples", err);
    if (status == ERG_OK) cloud->point[cloud->count++] = p;
    return status;
}

void ergi_cloud_free(ergi_cloud *cloud)
{
    ergi_memory_free(cloud->point);
    *cloud = (ergi_cloud){0};
}
