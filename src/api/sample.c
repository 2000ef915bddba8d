// Public functions for samples.
#include "geom/sample.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/held_mesh.h"
#include "io/ply.h"

struct erg_samples {
    erg_sample_def def;
    ergi_cloud     cloud;
};

erg_sample_def erg_sample_def_default(erg_sample_kind kind)
{
    return (erg_sample_def){.kind = kind, .density = kind == ERG_SAMPLE_SURFACE ? 1.3 : 1.0};
}

static ergi_threads threads_of(const erg_sample_def *def)
{
    return (ergi_threads){.count = def->threads > 0 ? def->threads : ergi_threads_default_count()};
}

erg_status erg_sample(const erg_mesh *mesh, const erg_sample_def *def, erg_samples **out,
                      erg_error *err)
{
    if (!mesh || !def || !out) return ergi_fail_null(err, __func__);
    *out = NULL;
    erg_samples *made = ergi_memory_new(1, sizeof *made, "samples", err);
    if (!made) return ERG_NO_MEMORY;
    made->def = *def;
    made->def.watch = NULL; // the callback is for sampling only, not for later measurements
    ergi_level   level;
    ergi_threads threads = threads_of(def);
    erg_status   status = ergi_level_make(&mesh->solid, def, &threads, &level, err);
    if (status == ERG_OK) {
        status = def->kind == ERG_SAMPLE_SURFACE
                     ? ergi_sample_surface(&level, def, &threads, &made->cloud, err)
                     : ergi_sample_volume(&level, def, &threads, &made->cloud, err);
        ergi_level_free(&level);
    }
    if (status != ERG_OK) {
        erg_samples_destroy(made);
        return status;
    }
    *out = made;
    return ERG_OK;
}

const double *erg_samples_positions(const erg_samples *samples, size_t *count)
{
    if (!samples) {
        if (count) *count = 0;
        return NULL;
    }
    if (count) *count = samples->cloud.count;
    return &samples->cloud.point[0].x;
}

void erg_samples_destroy(erg_samples *samples)
{
    if (!samples) return;
    ergi_cloud_free(&samples->cloud);
    ergi_memory_free(samples);
}

erg_status erg_samples_measure(const erg_samples *samples, const erg_mesh *mesh,
                               erg_sample_metrics *metrics, erg_error *err)
{
    if (!samples || !mesh || !metrics) return ergi_fail_null(err, __func__);
    ergi_level   level;
    ergi_threads threads = threads_of(&samples->def);
    erg_status   status = ergi_level_make(&mesh->solid, &samples->def, &threads, &level, err);
    if (status != ERG_OK) return status;
    status = ergi_sample_measure(&level, &samples->def, &threads, &samples->cloud, metrics, err);
    ergi_level_free(&level);
    return status;
}

erg_status erg_samples_write(const erg_samples *samples, const char *path, erg_error *err)
{
    if (!samples || !path) return ergi_fail_null(err, __func__);
    size_t  count = samples->cloud.count;
    double *radius = ergi_memory_new(count, sizeof *radius, "radii", err);
    if (!radius) return ERG_NO_MEMORY;
    for (size_t i = 0; i < count; i++) radius[i] = samples->def.radius;
    ergi_particles particles = {
        .count = count, .position = &samples->cloud.point[0].x, .radius = radius};
    erg_status status = ergi_ply_write(path, &particles, err);
    ergi_memory_free(radius);
    return status;
}
