// Creates a mesh by name, inspects it, queries a distance, covers it with spheres and fills it.
//
//     cc -std=c17 cover.c -o cover $(pkg-config --cflags --libs erg)
//
// prints
//     bucket: solid, volume 0.268 m^3, area 5.71 m^2
//     0.5 m above the floor's middle: 0.334 m from the wall
//     surface: 2627 spheres, spacing 1.55 radii (+- 3.4 %), largest hole 1.16 radii
//     volume:  1292 spheres, spacing 2.04 radii (+- 3.3 %), largest hole 2.00 radii
#include <erg/erg.h>

#include <math.h>
#include <stdio.h>

static int fail(const erg_error *err)
{
    fprintf(stderr, "cover: %s\n", err->text);
    return 1;
}

static int sample(const erg_mesh *mesh, const char *name, erg_sample_kind kind)
{
    erg_error          err;
    erg_samples       *samples = NULL;
    erg_sample_metrics m;
    erg_sample_def     def = erg_sample_def_default(kind);
    def.radius = 0.03;
    if (erg_sample(mesh, &def, &samples, &err) != ERG_OK) return fail(&err);
    erg_status status = erg_samples_measure(samples, mesh, &m, &err);
    erg_samples_destroy(samples);
    if (status != ERG_OK) return fail(&err);
    printf("%s %4zu spheres, spacing %.2f radii (+- %.1f %%), largest hole %.2f radii\n", name,
           m.count, m.spacing_mean, 100.0 * m.spacing_cv, m.hole_max);
    return 0;
}

int main(void)
{
    erg_error     err;
    erg_mesh     *mesh = NULL;
    erg_primitive bucket = erg_primitive_default(ERG_PRIMITIVE_BUCKET);
    if (erg_mesh_primitive(&bucket, &mesh, &err) != ERG_OK) return fail(&err);

    erg_mesh_report report;
    if (erg_mesh_get_report(mesh, &report, &err) != ERG_OK) return fail(&err);
    printf("bucket: %s, volume %.3g m^3, area %.3g m^2\n", report.solid ? "solid" : "not solid",
           report.volume, report.area);
    for (size_t i = 0; i < report.problems; i++) printf("  %s\n", report.problem[i].text);

    erg_mesh_point near = erg_mesh_nearest(mesh, (erg_vec3){0, 0, 0.5}, HUGE_VAL);
    printf("0.5 m above the floor's middle: %.3f m from the wall\n", near.distance);

    int failed =
        sample(mesh, "surface:", ERG_SAMPLE_SURFACE) || sample(mesh, "volume: ", ERG_SAMPLE_VOLUME);
    erg_mesh_destroy(mesh);
    return failed;
}
