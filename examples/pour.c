// Builds a world through the API: 500 grains fall into a box and come to rest.
//
//     cc -std=c17 pour.c -o pour $(pkg-config --cflags --libs erg)
//
// prints a line every 20 ms of simulated time, such as
//     t 0.100 s    774 contacts   kinetic energy 8.2e-05 J
#include <erg/erg.h>

#include <stdio.h>

static int fail(erg_world *world, const erg_error *err)
{
    fprintf(stderr, "pour: %s\n", err->text);
    erg_world_destroy(world);
    return 1;
}

int main(void)
{
    erg_error     err;
    erg_world    *world = NULL;
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    if (erg_world_create(&def, &world, &err) != ERG_OK) return fail(world, &err);

    erg_material_def sand_def = erg_material_def_default();
    sand_def.name = "sand";
    sand_def.young = 2e6; // soft, for a long time step [Pa]
    erg_id sand = 0;
    if (erg_world_add_material(world, &sand_def, &sand, &err) != ERG_OK) return fail(world, &err);

    erg_grain_def grit_def = erg_grain_def_default();
    grit_def.material = sand;
    grit_def.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1.5e-3, .max = 2.5e-3};
    erg_id grit = 0;
    if (erg_world_add_grain_kind(world, &grit_def, &grit, &err) != ERG_OK) return fail(world, &err);

    erg_wall_def box = erg_wall_def_default(ERG_WALL_BOX);
    box.material = sand;
    box.box.min = (erg_vec3){0, 0, 0};
    box.box.max = (erg_vec3){0.04, 0.04, 0.2};
    box.box.open = ERG_FACE_Z_MAX;
    if (erg_world_add_wall(world, &box, NULL, &err) != ERG_OK) return fail(world, &err);

    erg_fill_def fill = erg_fill_def_default();
    fill.grain = grit;
    fill.count = 500;
    fill.region = (erg_region){.shape = ERG_REGION_BOX, .a = {0, 0, 0.01}, .b = {0.04, 0.04, 0.2}};
    if (erg_world_fill(world, &fill, NULL, &err) != ERG_OK) return fail(world, &err);

    for (int frame = 1; frame <= 10; frame++) {
        if (erg_world_run(world, 0.02 * frame, NULL, NULL, &err) != ERG_OK)
            return fail(world, &err);
        erg_stats stats;
        if (erg_world_stats(world, &stats, &err) != ERG_OK) return fail(world, &err);
        printf("t %.3f s  %5llu contacts   kinetic energy %.2g J\n", erg_world_time(world),
               (unsigned long long)stats.contacts, stats.kinetic);
    }
    erg_world_destroy(world);
    return 0;
}
