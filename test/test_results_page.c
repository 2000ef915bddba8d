// labels: hdf5
// docs/results.md lists exactly the arrays that a checkpoint contains.
#include "checkpoint_forgeries.h"

enum { MOST = 120 };

// The scenes of forgeries have no terrain.
static const char terrain_scene[] = "materials: {sand: {density: 2650, young: 1e7}}\n"
                                    "grains: {grit: {material: sand, radius: 0.01}}\n"
                                    "terrain: {material: sand, grain: grit, bounds: [[-0.1, -0.1], "
                                    "[0.1, 0.1]], spacing: 0.02, height: 0.1}\n"
                                    "domain: {bounds: [[-1, -1, -1], [1, 1, 1]]}\n"
                                    "run: {time: 0.1}\n";

typedef struct array {
    char name[64], type[16], width[16];
    bool seen;
} array;

// Rows of the form | `/grains/id` | u64 | 1 | ... |
static size_t read_page(array *arrays)
{
    const char *source = getenv("ERG_SOURCE");
    char        path[512], line[1024];
    size_t      count = 0;
    snprintf(path, sizeof path, "%s/docs/results.md", source ? source : ".");
    FILE *page = fopen(path, "r");
    while (page && count < MOST && fgets(line, sizeof line, page)) {
        array *a = &arrays[count];
        memset(a, 0, sizeof *a);
        count += sscanf(line, "| `/%63[^`]` | %15s | %15s |", a->name, a->type, a->width) == 3;
    }
    if (page) fclose(page);
    return count;
}

static bool type_fits(const array *a, const ergi_container_item *item, bool is_double)
{
    char        width[16];
    const char *type = a->type;
    if (strcmp(type, "real") == 0) type = is_double ? "f64" : "f32";
    if (strcmp(type, "place") == 0) type = is_double ? "f64" : "u32";
    snprintf(width, sizeof width, "%d", item->columns);
    return strcmp(type, ergi_container_type_name(item->type)) == 0 &&
           (strcmp(a->width, "n") == 0 || strcmp(a->width, width) == 0);
}

static void compare(array *arrays, size_t count, const char *scene)
{
    scratch         folder;
    forgery_run     run;
    ergi_container *box = NULL;
    erg_error       err;
    size_t          items = 0;
    scratch_open(&folder);
    forgery_run_open(&run, scene);
    must(ergi_run_state_save(&run.state, &run.snapshots, run.probes, &run.fields, run.world,
                             run.scene, "scene", folder.folder, false, &err),
         &err);
    must(ergi_container_open(scratch_path(&folder, "checkpoint.h5"), &box, &err), &err);
    const ergi_container_item *item = ergi_container_items(box, &items);
    bool                       is_double = run.world->def.precision == ERG_DOUBLE;
    for (size_t i = 0; i < items; i++) {
        bool listed = false;
        for (size_t k = 0; k < count; k++)
            if (strcmp(arrays[k].name, item[i].name) == 0) {
                listed = type_fits(&arrays[k], &item[i], is_double);
                arrays[k].seen = true;
            }
        CHECK(listed);
        if (!listed)
            printf("    the page does not tell of %s, %s in %d columns\n", item[i].name,
                   ergi_container_type_name(item[i].type), item[i].columns);
    }
    ergi_container_close(box);
    forgery_run_close(&run);
    scratch_close(&folder);
}

TEST(the_page_lists_the_arrays_of_a_checkpoint)
{
    array  arrays[MOST];
    size_t count = read_page(arrays);
    REQUIRE(count > 0 && count < MOST);
    for (int k = 0; k < FORGERY_SCENES; k++) compare(arrays, count, forgery_scenes[k]);
    compare(arrays, count, terrain_scene);
    for (size_t k = 0; k < count; k++) {
        CHECK(arrays[k].seen);
        if (!arrays[k].seen) printf("    no checkpoint has /%s\n", arrays[k].name);
    }
}

TEST_MAIN(the_page_lists_the_arrays_of_a_checkpoint)
