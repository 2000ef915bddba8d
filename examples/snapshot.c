// Builds a world through the API and writes files for ParaView: spheres, contacts and a stress
// field.
//
//     cc -std=c17 snapshot.c -o snapshot $(pkg-config --cflags --libs erg)
//     ./snapshot FOLDER          (an existing folder; default: the working folder)
//
// writes spheres-0.vtp, contacts-0.vtp, ... spheres.pvd, contacts.pvd and stress.vti, and prints
//     wrote 5 moments of 300 grains; open spheres.pvd and contacts.pvd in ParaView
#include <erg/erg.h>

#include <stdio.h>

enum { MOMENTS = 5 };

static int fail(erg_world *world, const erg_error *err)
{
    fprintf(stderr, "snapshot: %s\n", err->text);
    erg_world_destroy(world);
    return 1;
}

// 300 grains above a floor, in a box.
static erg_status build(erg_world *world, erg_error *err)
{
    erg_id           sand = 0, grit = 0;
    erg_material_def material = erg_material_def_default();
    material.young = 1e6; // soft, for a long time step [Pa]
    if (erg_world_add_material(world, &material, &sand, err) != ERG_OK) return err->status;

    erg_grain_def kind = erg_grain_def_default();
    kind.material = sand;
    kind.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1.5e-3, .max = 2.5e-3};
    if (erg_world_add_grain_kind(world, &kind, &grit, err) != ERG_OK) return err->status;

    erg_wall_def box = erg_wall_def_default(ERG_WALL_BOX);
    box.material = sand;
    box.box.max = (erg_vec3){0.03, 0.03, 0.2};
    box.box.open = ERG_FACE_Z_MAX;
    if (erg_world_add_wall(world, &box, NULL, err) != ERG_OK) return err->status;

    erg_fill_def fill = erg_fill_def_default();
    fill.grain = grit;
    fill.count = 300;
    fill.region = (erg_region){.shape = ERG_REGION_BOX, .a = {0, 0, 0}, .b = {0.03, 0.03, 0.2}};
    return erg_world_fill(world, &fill, NULL, err);
}

// One moment: writes NAME-0.vtp for each part.
static erg_status take(const erg_world *world, const char *folder, int moment, erg_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/spheres-%d.vtp", folder, moment);
    if (erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, path, err) != ERG_OK) return err->status;
    snprintf(path, sizeof path, "%s/contacts-%d.vtp", folder, moment);
    return erg_snapshot_write(world, ERG_SNAPSHOT_CONTACTS, path, err);
}

// Writes the list that opens them as an animation.
static erg_status list(const char *folder, const char *part, const double *time, erg_error *err)
{
    char               path[4200], name[MOMENTS][32];
    erg_snapshot_entry entry[MOMENTS];
    for (int i = 0; i < MOMENTS; i++) {
        snprintf(name[i], sizeof name[i], "%s-%d.vtp", part, i);
        entry[i] = (erg_snapshot_entry){name[i], time[i]};
    }
    snprintf(path, sizeof path, "%s/%s.pvd", folder, part);
    return erg_snapshot_list(path, entry, MOMENTS, err);
}

int main(int argc, char **argv)
{
    const char   *folder = argc > 1 ? argv[1] : ".";
    double        time[MOMENTS];
    erg_error     err;
    erg_world    *world = NULL;
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    if (erg_world_create(&def, &world, &err) != ERG_OK) return fail(world, &err);
    if (build(world, &err) != ERG_OK) return fail(world, &err);
    for (int i = 0; i < MOMENTS; i++) {
        if (erg_world_run(world, 0.05 * i, NULL, NULL, &err) != ERG_OK) return fail(world, &err);
        if (take(world, folder, i, &err) != ERG_OK) return fail(world, &err);
        time[i] = erg_world_time(world);
    }
    if (list(folder, "spheres", time, &err) != ERG_OK) return fail(world, &err);
    if (list(folder, "contacts", time, &err) != ERG_OK) return fail(world, &err);

    char          path[4200];
    erg_probe_def field = erg_probe_def_default();
    field.kind = ERG_PROBE_FIELD;
    field.bounds[1] = (erg_vec3){0.03, 0.03, 0.06};
    field.spacing = 3e-3;
    snprintf(path, sizeof path, "%s/stress.vti", folder);
    if (erg_probe_write_field(&field, world, path, &err) != ERG_OK) return fail(world, &err);
    printf("wrote %d moments of %zu grains; open spheres.pvd and contacts.pvd in ParaView\n",
           MOMENTS, erg_world_grain_count(world));
    erg_world_destroy(world);
    return 0;
}
