// Measures how evenly samples cover a mesh: spacing, distance from the surface, largest gap, in
// radii.
#include "base/memory.h"
#include "geom/sample.h"

typedef struct job {
    const ergi_level *level;
    const ergi_cloud *cloud;
    ergi_points       grid;
    bool              volume;
    double           *off, *spacing; // of each sample
} job;

static void measure_some(void *ctx, erg_index begin, erg_index end, int chunk)
{
    job *j = ctx;
    (void)chunk;
    for (erg_index i = begin; i < end; i++) {
        erg_vec3 p = j->cloud->point[i];
        double   off = ergi_solid_distance(j->level->solid, p) - j->level->offset;
        if (!j->volume && j->level->offset == 0.0) off = fabs(off); // an open mesh has no inside
        j->off[i] = j->volume ? fmax(off, 0.0) : fabs(off);
        ergi_points_nearest(&j->grid, p, (uint32_t)i, HUGE_VAL, &j->spacing[i]);
    }
}

static void sum_up(const job *j, double r, erg_sample_metrics *m)
{
    double n = (double)m->count, sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < m->count; i++) {
        m->off_surface_mean += j->off[i] / n / r;
        m->off_surface_max = fmax(m->off_surface_max, j->off[i] / r);
        if (m->count > 1) sum += j->spacing[i] / r;
    }
    m->spacing_mean = sum / n;
    for (size_t i = 0; i < m->count && m->count > 1; i++) {
        double d = j->spacing[i] / r - m->spacing_mean;
        squares += d * d;
    }
    m->spacing_cv = m->spacing_mean > 0.0 ? sqrt(squares / n) / m->spacing_mean : 0.0;
}

erg_status ergi_sample_measure(const ergi_level *level, const erg_sample_def *def,
                               const ergi_threads *threads, const ergi_cloud *cloud,
                               erg_sample_metrics *metrics, erg_error *err)
{
    job            j = {.level = level, .cloud = cloud, .volume = def->kind == ERG_SAMPLE_VOLUME};
    double         r = def->radius, side = j.volume ? ergi_volume_spacing(def) * r : 2.0 * r;
    ergi_cover_gap hole = {0};
    *metrics = (erg_sample_metrics){.count = cloud->count};
    if (cloud->count == 0) return ERG_OK;
    j.off = ergi_memory_new(cloud->count, sizeof *j.off, "measuring samples", err);
    j.spacing = ergi_memory_new(cloud->count, sizeof *j.spacing, "measuring samples", err);
    erg_status status = j.off && j.spacing ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK)
        status = ergi_points_build(&j.grid, cloud->point, cloud->count, side, err);
    if (status == ERG_OK)
        status = ergi_cover_gap_largest(level, &j.grid, j.volume, 0.005 * r, threads, &hole, err);
    if (status == ERG_OK) {
        ergi_parallel_for(threads, (erg_index)cloud->count, 256, measure_some, &j);
        sum_up(&j, r, metrics);
        metrics->hole_max = hole.distance / r;
    }
    ergi_points_free(&j.grid);
    ergi_memory_free(j.off);
    ergi_memory_free(j.spacing);
    return status;
}
