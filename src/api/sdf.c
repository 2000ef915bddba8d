// Public functions for distance fields.
#include "erg/sdf.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/field.h"
#include "geom/held_mesh.h"

struct erg_sdf {
    ergi_distance_field field;
};

erg_sdf_def erg_sdf_def_default(void)
{
    return (erg_sdf_def){0};
}

erg_sdf_def erg_sdf_def_under(const erg_sample_def *samples)
{
    if (!samples) return erg_sdf_def_default();
    return (erg_sdf_def){.spacing = 0.5 * samples->radius,
                         .level = samples->offset * samples->radius,
                         .threads = samples->threads};
}

static erg_status check(const erg_mesh *mesh, const erg_sdf_def *def, erg_error *err)
{
    const ergi_solid *s = &mesh->solid;
    if (!(def->spacing > 0.0) || !isfinite(def->spacing))
        return ergi_fail_at(err, "spacing", ergi_code_of(def->spacing),
                            "the spacing of a field must be above 0 m, got %g", def->spacing);
    if (!isfinite(def->level) || !(def->band >= 0.0) || !isfinite(def->band))
        return ergi_fail_at(err, isfinite(def->level) ? "band" : "level",
                            ergi_code_of(def->level + def->band),
                            "level and band of a field must be finite, and the band not below 0 m, "
                            "got %g and %g",
                            def->level, def->band);
    for (size_t e = 0; e < s->edges.edges; e++) {
        const ergi_edge *edge = &s->edges.edge[e];
        const uint32_t  *half = s->edges.half + edge->first;
        erg_vec3         p = s->mesh.vertex[edge->a];
        if (edge->count != 2 ||
            ergi_half_from(&s->mesh, half[0]) == ergi_half_from(&s->mesh, half[1]))
            return ergi_fail_code(
                err, ERG_ERROR_BAD_MESH,
                "a distance field needs a closed, consistently oriented mesh, but the edge from "
                "vertex %u to %u, at (%g, %g, %g), belongs to %u triangle%s",
                edge->a, edge->b, p.x, p.y, p.z, edge->count, edge->count == 1 ? "" : "s");
    }
    return ERG_OK;
}

erg_status erg_sdf_create(const erg_mesh *mesh, const erg_sdf_def *def, erg_sdf **out,
                          erg_error *err)
{
    if (!mesh || !def || !out) return ergi_fail_null(err, __func__);
    *out = NULL;
    erg_status status = check(mesh, def, err);
    if (status != ERG_OK) return status;
    erg_sdf *made = ergi_memory_new(1, sizeof *made, "a distance field", err);
    if (!made) return ERG_NO_MEMORY;
    ergi_threads threads = {.count =
                                def->threads > 0 ? def->threads : ergi_threads_default_count()};
    status = ergi_distance_field_build(&mesh->solid, def->spacing, def->level,
                                       def->band > 0.0 ? def->band : def->spacing, &threads,
                                       &made->field, err);
    if (status == ERG_OK)
        *out = made;
    else
        ergi_memory_free(made);
    return status;
}

void erg_sdf_destroy(erg_sdf *field)
{
    if (!field) return;
    ergi_distance_field_free(&field->field);
    ergi_memory_free(field);
}

double erg_sdf_distance(const erg_sdf *field, erg_vec3 p, erg_vec3 *gradient)
{
    if (!field) return (double)INFINITY;
    return ergi_distance_field_at(&field->field, p, gradient, NULL);
}

erg_sdf_view erg_sdf_look(const erg_sdf *field)
{
    if (!field) return (erg_sdf_view){0};
    const ergi_distance_field *f = &field->field;
    return (erg_sdf_view){.origin = f->origin,
                          .spacing = f->spacing,
                          .level = f->level,
                          .blocks = {f->blocks[0], f->blocks[1], f->blocks[2]},
                          .block = f->block,
                          .distance = f->distance,
                          .kept = f->kept};
}
