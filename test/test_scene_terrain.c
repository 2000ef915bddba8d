// labels: asan
// The `terrain` of a scene: what it means, and what is said about mistakes.
#include "check.h"

#include "erg/erg.h"
#include "scene/scene_def.h"
#include "scratch.h"

#define SAND                                                                                       \
    "materials:\n"                                                                                 \
    "  sand: {density: 2000}\n"                                                                    \
    "  rock: {density: 3000}\n"                                                                    \
    "grains:\n"                                                                                    \
    "  grit: {shape: sphere, radius: 5e-3, material: sand}\n"                                      \
    "  pair: {shape: dimer, radius: 5e-3, material: sand}\n"                                       \
    "  gravel: {shape: sphere, radius: 5e-3, material: rock}\n"
#define GOOD                                                                                       \
    SAND "terrain:\n"                                                                              \
         "  material: sand\n"                                                                      \
         "  grain: grit\n"                                                                         \
         "  bounds: [[-1, -0.5], [1, 0.5]]\n"                                                      \
         "  spacing: 0.1\n"                                                                        \
         "  height: 0.3\n"

static erg_error err;

static erg_scene *load_as(const char *text, const char *name, const char *set)
{
    erg_scene *scene = NULL;
    err = (erg_error){0};
    erg_scene_load_text(text, strlen(text), name, &set, set != NULL, &scene, &err);
    return scene;
}

static const ergi_scene_terrain *terrain_of(const erg_scene *scene)
{
    static const ergi_scene_terrain none;
    if (scene) return scene->def.terrain;
    puts(err.text);
    check_failures++;
    return &none;
}

TEST(defaults_are_those_of_the_api)
{
    erg_scene            *scene = load_as(GOOD, "s.yaml", NULL);
    const erg_terrain_def d = terrain_of(scene)->def, api = erg_terrain_def_default();
    CHECK(d.material == 1 && d.grain == 1 && d.relief == ERG_RELIEF_FLAT);
    CHECK(d.lower[0] == -1 && d.lower[1] == -0.5 && d.upper[0] == 1 && d.upper[1] == 0.5);
    CHECK(d.spacing == 0.1 && d.height == 0.3 && d.floor == api.floor);
    CHECK(d.angle_start == api.angle_start && d.angle_stop == api.angle_stop);
    CHECK(d.compression == api.compression && d.resistance == api.resistance);
    CHECK(d.seed == 0 && d.direction == 0);
    erg_scene_destroy(scene);
}

TEST(values_arrive)
{
    erg_scene      *scene = load_as(GOOD "  floor: -1\n"
                                              "  angle_start: 0.7\n"
                                              "  angle_stop: 0.6\n"
                                              "  compression: 0.5\n"
                                              "  resistance: 2\n"
                                              "  relief: {slope: [0.1, -0.2]}\n",
                                    "s.yaml", NULL);
    erg_terrain_def d = terrain_of(scene)->def;
    CHECK(d.floor == -1 && d.angle_start == 0.7 && d.angle_stop == 0.6);
    CHECK(d.compression == 0.5 && d.resistance == 2);
    CHECK(d.relief == ERG_RELIEF_SLOPE && d.slope[0] == 0.1 && d.slope[1] == -0.2);
    erg_scene_destroy(scene);

    scene = load_as(GOOD "  relief: {dunes: {amplitude: 0.1, wavelength: 2, direction: 0.5}}\n",
                    "s.yaml", NULL);
    d = terrain_of(scene)->def;
    CHECK(d.relief == ERG_RELIEF_DUNES && d.amplitude == 0.1 && d.wavelength == 2);
    CHECK(d.direction == 0.5 && d.seed == 0);
    erg_scene_destroy(scene);

    scene = load_as(GOOD "  relief: {noise: {amplitude: 0.1, wavelength: 2, seed: 7}}\n", "s.yaml",
                    NULL);
    d = terrain_of(scene)->def;
    CHECK(d.relief == ERG_RELIEF_NOISE && d.wavelength == 2 && d.seed == 7);
    erg_scene_destroy(scene);
}

TEST(a_world_gets_its_terrain)
{
    erg_scene        *scene = load_as(GOOD "walls:\n"
                                                  "  - {material: rock, plane: {point: [0, 0, 0]}}\n"
                                                  "bodies:\n"
                                                  "  - {material: rock, density: 2000, position: [0, 0, 1], "
                                                  "sphere: {radius: 0.1}}\n",
                                      "s.yaml", "terrain.relief={slope: [0.1, 0]}");
    erg_world        *world = NULL;
    erg_terrain_grid  grid;
    erg_terrain_stats stats;
    REQUIRE(scene && erg_scene_build(scene, NULL, NULL, &world, &err) == ERG_OK);
    CHECK(erg_world_terrain_grid(world, &grid, &err) == ERG_OK);
    CHECK(grid.count[0] == 20 && grid.count[1] == 10 && grid.material == 1);
    CHECK_NEAR(erg_world_terrain_height(world, 0.5, 0), 0.35, 1e-6);
    CHECK(erg_world_terrain_stats(world, &stats, &err) == ERG_OK && stats.columns == 200);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
}

// A raw file of 3 x 2 heights: the first row is the one at the lower y.
static void write_heights(const char *path, size_t count, float z0)
{
    float z[6] = {z0, 2, 3, 4, 5, 6};
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    fwrite(z, 4, count, file);
    fclose(file);
}

#define RAW "terrain.relief={heights: {file: h.f32, columns: [3, 2]}}"

TEST(raw_heights)
{
    scratch    folder;
    erg_world *world = NULL;
    scratch_open(&folder);
    write_heights(scratch_path(&folder, "h.f32"), 6, 1);
    const char *sets[] = {"terrain.bounds=[[0, 0], [0.3, 0.2]]", "terrain.spacing=0.1",
                          "terrain.height=10", RAW};
    erg_scene  *scene = NULL;
    erg_scene_load_text(GOOD, strlen(GOOD), scratch_path(&folder, "s.yaml"), sets, 4, &scene, &err);
    REQUIRE(scene && erg_scene_build(scene, NULL, NULL, &world, &err) == ERG_OK);
    CHECK_NEAR(erg_world_terrain_height(world, 0, 0), 11, 1e-5);
    CHECK_NEAR(erg_world_terrain_height(world, 0.3, 0), 13, 1e-5);
    CHECK_NEAR(erg_world_terrain_height(world, 0, 0.2), 14, 1e-5);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    scratch_close(&folder);
}

// ---- Mistakes ----------------------------------------------------------------------------------
typedef struct bad {
    const char *text, *set, *wanted;
} bad;

static const char *complaint(const char *text, const char *name, const char *set)
{
    erg_scene *scene = load_as(text, name, set);
    erg_world *world = NULL;
    if (scene) erg_scene_build(scene, NULL, NULL, &world, &err);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    return err.text;
}

static void check_all(const bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_STR(complaint(cases[i].text, "s.yaml", cases[i].set), cases[i].wanted);
        CHECK(err.status == (*cases[i].wanted ? ERG_BAD_INPUT : ERG_OK));
    }
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

TEST(mistakes_in_the_file)
{
    static const bad cases[] = {
        {GOOD, NULL, ""},
        {SAND "terrain: {size: 5}\n", NULL,
         "s.yaml:8:10: terrain: 'material' is missing, expected a name from materials\n"
         "s.yaml:8:10: terrain: 'bounds' is missing, expected a list of 2, each a list of 2, each "
         "a number [m]\n"
         "s.yaml:8:10: terrain: 'spacing' is missing, expected a number above 0 [m]\n"
         "s.yaml:8:11: unknown key 'size' in terrain, expected one of material, grain, bounds, "
         "spacing, floor, height, relief, angle_start, angle_stop, compression, resistance"},
        {SAND "terrain: {material: sand, bounds: [[0, 0], [1, 1]], spacing: 0.1}\n", NULL,
         "s.yaml:8:10: terrain: 'height' is missing, expected a number [m]"},
        {GOOD, "terrain.material=snad",
         "--set terrain.material: material is 'snad', expected a name from materials (sand, "
         "rock); did you mean 'sand'?"},
        {GOOD, "terrain.spacing=0",
         "--set terrain.spacing: spacing is 0, expected a number above 0 [m]"},
        {GOOD, "terrain.spacing=nan",
         "--set terrain.spacing: spacing is 'nan', expected a number above 0 [m]; numbers must be "
         "finite"},
        {GOOD, "terrain.spacing=1.4e-6",
         "--set terrain.spacing: terrain: a terrain of 2 m x 1 m with columns of 1.4e-06 m has "
         "1.02e+12 columns, the most are 2e+09: give a larger spacing or a smaller terrain"},
        {GOOD, "terrain.bounds=[[-1, -0.5], [-1, 0.5]]",
         "--set terrain.bounds: terrain: the terrain's lower x, -1 m, must be below its upper x, "
         "-1 m"},
        {GOOD, "terrain.bounds=[[-1, -0.5], [1]]",
         "--set terrain.bounds: bounds.1 is a list of 1, expected a list of 2, each a number "
         "[m]"},
        {GOOD, "terrain.floor=0.3",
         "s.yaml:13:11: terrain: height must be above the floor, 0.3 m, got 0.3"},
        {GOOD, "terrain.angle_stop=0.7",
         "--set terrain.angle_stop: terrain: angle_stop must be above 0 and at most angle_start, "
         "0.66 rad, got 0.7"},
        {GOOD, "terrain.angle_start=38",
         "--set terrain.angle_start: angle_start is 38, expected a number above 0 and below 1.5 "
         "[rad]"},
        {GOOD, "terrain.compression=2",
         "--set terrain.compression: compression is 2, expected a number from 0 to 1"},
        {GOOD, "terrain.resistance=0",
         "--set terrain.resistance: resistance is 0, expected a number above 0"},
        {GOOD, "terrain.relief=dunes",
         "--set terrain.relief: relief is 'dunes', expected flat or a map with keys slope, dunes, "
         "noise, heights"},
        {GOOD, "terrain.relief={slope: [1, 0], noise: {amplitude: 1, wavelength: 1}}",
         "--set terrain.relief: terrain.relief: 'slope' and 'noise' exclude each other, expected "
         "one relief"},
        {GOOD, "terrain.relief={dunes: {wavelength: 2}}",
         "--set terrain.relief: terrain.relief.dunes: 'amplitude' is missing, expected a number "
         "of at least 0 [m]"},
        {GOOD, "terrain.relief={heights: {file: h.f32, columns: [2, 2], low: 0}}",
         "--set terrain.relief: terrain.relief.heights: 'columns' and 'low' exclude each other: "
         "the first is of raw files, the second of PNG files"},
        {GOOD, "terrain.relief={heights: {file: h.png, low: 1, high: 0}}",
         "--set terrain.relief: terrain.relief.heights: high is 0, expected at least low, 1 [m]"},
        {GOOD, "terrain.relief={heights: {file: h.f32, columns: [1, 6]}}",
         "--set terrain.relief: columns.0 is 1, expected a whole number from 2 to 2e+09"},
    };
    CHECK_ALL(cases);
}

// These are found when the world is built, and shown at their keys all the same.
TEST(mistakes_that_the_world_finds)
{
    static const bad cases[] = {
        {GOOD, "terrain.grain=pair",
         "--set terrain.grain: grains of a terrain must be single spheres, got 'pair' of 2 "
         "spheres"},
        {GOOD, "terrain.grain=gravel",
         "--set terrain.grain: grains of a terrain must be of its material, 'sand', but 'gravel' "
         "is of 'rock'"},
        {GOOD "  relief:\n    noise: {amplitude: 0.1, wavelength: 0.3}\n", NULL,
         "s.yaml:15:41: terrain: wavelength must be at least four columns, 0.4 m, got 0.3"},
        {GOOD "  relief:\n    dunes: {amplitude: 0.3, wavelength: 2}\n", NULL,
         "s.yaml:15:24: terrain: amplitude of dunes must be at most a tenth of the wavelength, 0.2 "
         "m, "
         "got 0.3: sand does not stand steeper"},
        {GOOD "domain: {bounds: [[-1, -1, -1], [1, 1, 1]], periodic: [x]}\n", NULL,
         "s.yaml:9:3: a terrain has borders: it cannot be in a periodic domain; leave out "
         "`periodic`, and put walls around the terrain if sand must not leave it"},
        {GOOD,
         "grains.grit={shape: sphere, material: sand, sizes: {uniform: {min: 5e-4, max: "
         "6e-3}}}",
         "s.yaml:10:10: grains of a terrain must differ in size by a factor of 10 at most, but "
         "those of 'grit' are 0.0005 to 0.006 m, a factor of 12: give a narrower range of sizes"},
        {GOOD "domain: {bounds: [[-1, -1, -1], [1, 1, 0.3]]}\n", NULL,
         "s.yaml:13:11: the terrain's sand is up to z = 0.3 m high, and with grains of 0.01 m on "
         "it outside the domain, which ends at 0.3 m: grains are removed there; make the domain "
         "higher"},
        {GOOD "domain: {bounds: [[-1, -1, -1], [1, 1, 1]]}\n", "terrain.spacing=0.15",
         "s.yaml:11:25: the terrain's upper corner is at x = 1.1 m (in whole columns), outside "
         "the domain, which ends at 1 m: grains are removed there; make the domain larger"},
        {GOOD "fill: [{grain: gravel, count: 500, region: {box: {min: [-0.1, -0.1, 0.1], max: "
              "[0.1, 0.1, 0.2]}}}]\n",
         NULL,
         "s.yaml:14:31: fill.0: 500 requested, only 0 fit: the sand of the terrain is in the way; "
         "place the region above it"},
    };
    CHECK_ALL(cases);
}

// Grains of a terrain are poured while the world is built, which the caller can stop.
static bool refuse_later(void *user)
{
    int *calls = user;
    return ++*calls < 5;
}

static void watch_build(void *user, erg_world_def *def)
{
    def->keep_going = refuse_later;
    def->keep_going_user = user;
}

TEST(pouring_is_cancelled)
{
    int        calls = 0;
    erg_world *world = NULL;
    erg_scene *scene = load_as(GOOD, "s.yaml", "terrain.height=2");
    REQUIRE(scene);
    CHECK(erg_scene_build(scene, watch_build, &calls, &world, &err) == ERG_CANCELLED);
    CHECK_STR(err.text, "pouring the sand of the terrain was cancelled");
    CHECK(calls == 5 && !world);
    erg_scene_destroy(scene);
}

static const char *after_folder(const scratch *folder)
{
    static char text[1024];
    const char *from = err.text;
    size_t      length = strlen(folder->folder), n = 0;
    while (*from && n + 1 < sizeof text) {
        if (strncmp(from, folder->folder, length) == 0) from += length;
        text[n++] = *from++;
    }
    text[n] = '\0';
    return text;
}

#define RAW_LINE GOOD "  relief: {heights: {file: h.f32, columns: [3, 2]}}\n"

TEST(raw_files_that_are_refused)
{
    static const char huge[] =
        GOOD "  relief: {heights: {file: h.f32, columns: [1000000000, 1000000000]}}\n";
    scratch folder;
    char    name[320];
    scratch_open(&folder);
    strcpy(name, scratch_path(&folder, "s.yaml"));
    complaint(RAW_LINE, name, NULL);
    CHECK_STR(after_folder(&folder),
              "/s.yaml:14:28: '/h.f32' cannot be opened as a file of heights");
    CHECK_STR(err.field, "terrain.relief.heights.file");
    write_heights(scratch_path(&folder, "h.f32"), 5, 1);
    complaint(RAW_LINE, name, NULL);
    CHECK_STR(after_folder(&folder),
              "/s.yaml:14:28: '/h.f32' has 20 bytes, but 3 x 2 heights of 4 "
              "bytes each have 24: correct `columns`, or export 32-bit floats "
              "without a header");
    complaint(huge, name, NULL);
    CHECK_STR(after_folder(&folder), "/s.yaml:14:28: '/h.f32' has 1000000000 x 1000000000 "
                                     "heights, the most are 400000000: give a coarser file");
    write_heights(scratch_path(&folder, "h.f32"), 6, (float)NAN);
    complaint(RAW_LINE, name, NULL);
    CHECK_STR(after_folder(&folder),
              "/s.yaml:14:28: terrain: the height in column 0 of row 0 is nan m before adding "
              "`height`, expected numbers that are not below the floor, 0 m: fill this hole of "
              "the heights");
    write_heights(scratch_path(&folder, "h.f32"), 6, -9999);
    complaint(RAW_LINE, name, NULL);
    CHECK(strstr(err.text, "fill this hole") && err.status == ERG_BAD_INPUT);
    complaint(GOOD "  relief: {heights: {file: ., columns: [3, 2]}}\n", name, NULL);
    CHECK(strstr(err.text, "cannot be opened as a file of heights"));
    scratch_close(&folder);
}

// ---- Resuming ----------------------------------------------------------------------------------
static const char *difference(const char *set)
{
    static char key[128];
    erg_scene  *a = load_as(GOOD, "s.yaml", NULL), *b = load_as(GOOD, "s.yaml", set);
    key[0] = '\0';
    if (!a || !b) strcpy(key, err.text);
    if (a && b && erg_scene_differs(a, b, key, sizeof key) != (key[0] != '\0')) strcpy(key, "?");
    erg_scene_destroy(a);
    erg_scene_destroy(b);
    return key;
}

TEST(differences_are_named)
{
    CHECK_STR(difference("terrain.spacing=1/10"), "");
    CHECK_STR(difference("terrain.relief=flat"), "");
    CHECK_STR(difference("terrain.angle_start=0.66"), "");
    CHECK_STR(difference("terrain.spacing=0.2"), "terrain.spacing");
    CHECK_STR(difference("terrain.bounds=[[-1, -0.5], [1, 0.6]]"), "terrain.bounds");
    CHECK_STR(difference("terrain.relief={slope: [0, 0]}"), "terrain.relief");
    CHECK_STR(difference("terrain.resistance=2"), "terrain.resistance");
}

TEST_MAIN(defaults_are_those_of_the_api, values_arrive, a_world_gets_its_terrain, raw_heights,
          mistakes_in_the_file, mistakes_that_the_world_finds, pouring_is_cancelled,
          raw_files_that_are_refused, differences_are_named)
