// Loads a scene by name and prints its probes: `erg run` without output files.
//
//     cc -std=c17 watch_scene.c -o watch_scene $(pkg-config --cflags --libs erg)
//     ERG_SCENES=/usr/local/share/erg/scenes ./watch_scene hourglass 0.05
#include <erg/erg.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const erg_error *err)
{
    fprintf(stderr, "watch_scene: %s\n", err->text);
    return 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "column";
    double      end = argc > 2 ? atof(argv[2]) : 0.01;
    char        path[4096];
    erg_error   err;
    erg_scene  *scene = NULL;
    erg_world  *world = NULL;
    if (erg_scene_find(name, path, sizeof path, &err) != ERG_OK) return fail(&err);
    if (erg_scene_load(path, NULL, 0, &scene, &err) != ERG_OK) return fail(&err);
    if (erg_scene_build(scene, NULL, NULL, &world, &err) != ERG_OK) return fail(&err);

    const erg_scene_settings *settings = erg_scene_get_settings(scene);
    erg_probes               *probes = NULL;
    if (erg_probes_create(settings->probes, settings->probe_count, world, &probes, &err) != ERG_OK)
        return fail(&err);
    printf("%s: %zu grains, dt %g s\n", settings->title, erg_world_grain_count(world),
           erg_world_dt(world));
    while (erg_world_time(world) < end) {
        double next = erg_world_time(world) + erg_probes_period(probes);
        if (erg_world_run(world, next < end ? next : end, NULL, NULL, &err) != ERG_OK)
            return fail(&err);
        if (erg_probes_watch(probes, world, &err) != ERG_OK) return fail(&err);
    }
    size_t  columns = erg_probes_columns(probes);
    double *value = calloc(columns + 1, sizeof *value);
    if (!value || erg_probes_read(probes, world, value, &err) != ERG_OK) return 1;
    for (size_t k = 0; k < columns; k++)
        printf("%-24s %g\n", erg_probes_column_name(probes, k), value[k]);

    free(value);
    erg_probes_destroy(probes);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    return 0;
}
