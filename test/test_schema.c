// The schema engine with a small schema of its own: values, defaults, exact messages, the manual.
// labels: asan
#include "check.h"

#include "scene/schema.h"
#include "scene/set.h"

#include <stdlib.h>

// ---- A sandbox ---------------------------------------------------------------------------------

typedef struct material {
    const char *name;
    double      density, friction, poisson;
    float       young;
} material;

enum { BALL, CRATE };
typedef struct region {
    int                  shape;
    erg_vec3             a, b;
    double               radius;
    const struct region *minus;
    size_t               minus_count;
} region;

typedef struct sphere {
    double x, y, z, radius;
} sphere;

enum { BY_RADIUS, BY_SPHERES };
typedef struct grain {
    const char   *name;
    uint32_t      material;
    int           size_kind;
    double        radius;
    const sphere *spheres;
    size_t        sphere_count;
} grain;

typedef struct spin {
    erg_vec3 axis;
    double   rate;
} spin;

typedef struct fill {
    const char *name;
    uint32_t    grain;
    uint64_t    count;
    bool        aligned;
    region      place;
    const spin *turn;
    int         tries;
} fill;

typedef struct sandbox {
    const char     *title;
    int             solver;
    erg_vec3        gravity, bounds[2];
    bool            bounded;
    int             periodic;
    double          time, dt;
    int64_t         seed;
    const material *materials;
    size_t          material_count;
    const grain    *grains;
    size_t          grain_count;
    const fill     *fills;
    int32_t         fill_count;
    uint32_t        pair[2];
    const double   *weights;
    size_t          weight_count;
} sandbox;

static const ergi_field material_fields[] = {
    {"density", ERGI_NUMBER, ERGI_AT(material, density), .unit = "kg/m^3", .required = true,
     ERGI_ABOVE(0), .doc = "mass over volume of the solid"},
    {"friction", ERGI_NUMBER, ERGI_AT(material, friction), .normal = "0.5", ERGI_FROM(0),
     .doc = "Coulomb coefficient"},
    {"poisson", ERGI_NUMBER, ERGI_AT(material, poisson), .normal = "1/4", ERGI_FROM_BELOW(0, 0.5),
     .doc = "Poisson's ratio"},
    {"young", ERGI_NUMBER, ERGI_AT(material, young), .unit = "Pa", .normal = "1e7", ERGI_ABOVE(0),
     .doc = "Young's modulus"},
};
static const ergi_schema material_schema = {"material", ERGI_FIELDS(material_fields),
                                            .size = sizeof(material), ERGI_NAMED(material, name)};

static const ergi_schema region_schema;

static const ergi_field ball_fields[] = {
    {"centre", ERGI_VEC3, ERGI_AT(region, a), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "middle of the ball"},
    {"radius", ERGI_NUMBER, ERGI_AT(region, radius), .unit = "m", .required = true, ERGI_ABOVE(0),
     .doc = "of the ball"},
};
static const ergi_schema ball_schema = {"ball region", ERGI_FIELDS(ball_fields),
                                        .size = sizeof(region)};

static const ergi_field crate_fields[] = {
    {"min", ERGI_VEC3, ERGI_AT(region, a), .unit = "m", .required = true, .doc = "lowest corner"},
    {"max", ERGI_VEC3, ERGI_AT(region, b), .unit = "m", .required = true, .doc = "highest corner"},
};
static void check_crate(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const region *crate = entry;
    if (!(crate->b.x > crate->a.x)) {
        ergi_reader_fault(reader, map, "max", "max.0 is not above min.0, expected min below max");
    }
}
static const ergi_schema crate_schema = {"crate region", ERGI_FIELDS(crate_fields),
                                         .size = sizeof(region), .check = check_crate};

static const ergi_field region_fields[] = {
    {"ball", ERGI_BLOCK, .schema = &ball_schema, .choice = 1, .variant = BALL, .doc = "a ball"},
    {"crate", ERGI_BLOCK, .schema = &crate_schema, .choice = 1, .variant = CRATE, .doc = "a box"},
    {"minus", ERGI_LIST, ERGI_LIST_AT(region, minus, minus_count), .schema = &region_schema,
     .doc = "regions cut out"},
};
static const ergi_choice region_choices[] = {{"shape", ERGI_AT(region, shape)}};
static const ergi_schema region_schema = {"region", ERGI_FIELDS(region_fields),
                                          .size = sizeof(region), ERGI_CHOICES(region_choices)};

static const ergi_field sphere_fields[] = {
    {"x", ERGI_NUMBER, ERGI_AT(sphere, x), .unit = "m", .doc = "centre"},
    {"y", ERGI_NUMBER, ERGI_AT(sphere, y), .unit = "m", .doc = "centre"},
    {"z", ERGI_NUMBER, ERGI_AT(sphere, z), .unit = "m", .doc = "centre"},
    {"radius", ERGI_NUMBER, ERGI_AT(sphere, radius), .unit = "m", ERGI_ABOVE(0), .doc = "radius"},
};
static const ergi_schema sphere_schema = {"sphere", ERGI_FIELDS(sphere_fields),
                                          .size = sizeof(sphere)};
static const ergi_field  sphere_item = {
     .type = ERGI_TUPLE, .schema = &sphere_schema, ERGI_ITEM(sphere)};

static const ergi_field grain_fields[] = {
    {"material", ERGI_REF, ERGI_AT(grain, material), .space = "materials", .required = true,
     .doc = "what it is made of"},
    {"radius", ERGI_NUMBER, ERGI_AT(grain, radius), .unit = "m", ERGI_ABOVE_TO(0, 1), .choice = 1,
     .variant = BY_RADIUS, .doc = "of a single sphere"},
    {"spheres", ERGI_LIST, ERGI_LIST_AT(grain, spheres, sphere_count), .item = &sphere_item,
     .least = 1, .choice = 1, .variant = BY_SPHERES, .doc = "of a clump"},
};
static const ergi_choice grain_choices[] = {{"size", ERGI_AT(grain, size_kind)}};
static const ergi_schema grain_schema = {"grain", ERGI_FIELDS(grain_fields), .size = sizeof(grain),
                                         ERGI_CHOICES(grain_choices), ERGI_NAMED(grain, name)};

static const ergi_field spin_fields[] = {
    {"axis", ERGI_VEC3, ERGI_AT(spin, axis), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "direction"},
    {"rate", ERGI_NUMBER, ERGI_AT(spin, rate), .unit = "rad/s", .required = true, .doc = "speed"},
};
static const ergi_schema spin_schema = {"spin", ERGI_FIELDS(spin_fields), .size = sizeof(spin)};

static void init_fill(void *entry)
{
    ((fill *)entry)->tries = 7;
}
static const ergi_field fill_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(fill, name), .doc = "to refer to it"},
    {"grain", ERGI_REF, ERGI_AT(fill, grain), .space = "grains", .required = true,
     .doc = "which kind"},
    {"count", ERGI_INTEGER, ERGI_AT(fill, count), .required = true, ERGI_FROM(1),
     .doc = "how many"},
    {"aligned", ERGI_BOOLEAN, ERGI_AT(fill, aligned), .normal = "false", .doc = "not turned"},
    {"region", ERGI_BLOCK, ERGI_AT(fill, place), .schema = &region_schema, .required = true,
     .doc = "where"},
    {"spin", ERGI_BLOCK, ERGI_AT(fill, turn), .schema = &spin_schema, .by_pointer = true,
     .doc = "turning at the start"},
};
static const ergi_schema fill_schema = {"fill entry", ERGI_FIELDS(fill_fields),
                                        .size = sizeof(fill), .init = init_fill};

enum { DEM = 3, PBD };
static const ergi_word  solver_words[] = {{"dem", DEM, false}, {"pbd", PBD, true}};
static const ergi_word  axis_words[] = {{"x", 1, false}, {"y", 2, false}};
static const ergi_word  auto_word[] = {{"auto", 0, false}};
static const ergi_field vec3_item = {.type = ERGI_VEC3, .unit = "m", ERGI_ITEM(erg_vec3)};
static const ergi_field ref_item = {.type = ERGI_REF, .space = "fill", ERGI_ITEM(uint32_t)};
static const ergi_field weight_item = {.type = ERGI_NUMBER, ERGI_FROM(0), ERGI_ITEM(double)};

static const ergi_field run_fields[] = {
    {"time", ERGI_NUMBER, ERGI_AT(sandbox, time), .unit = "s", .normal = "1", ERGI_ABOVE(0),
     .doc = "end of the run"},
    {"dt", ERGI_NUMBER, ERGI_AT(sandbox, dt), .unit = "s", .normal = "auto", ERGI_ABOVE(0),
     ERGI_WORDS(auto_word), .doc = "step"},
};
static const ergi_schema run_schema = {"run", ERGI_FIELDS(run_fields), .size = sizeof(sandbox)};

static const ergi_field sandbox_fields[] = {
    {"title", ERGI_TEXT, ERGI_AT(sandbox, title), .doc = "of the scene"},
    {"solver", ERGI_WORD, ERGI_AT(sandbox, solver), ERGI_WORDS(solver_words), .normal = "dem",
     .doc = "method"},
    {"gravity", ERGI_VEC3, ERGI_AT(sandbox, gravity), .unit = "m/s^2", .normal = "[0, 0, -9.81]",
     .doc = "everywhere"},
    {"bounds", ERGI_LIST, ERGI_AT(sandbox, bounds), .item = &vec3_item, .least = 2, .most = 2,
     ERGI_GIVEN(sandbox, bounded), .doc = "corners of the domain"},
    {"periodic", ERGI_FLAGS, ERGI_AT(sandbox, periodic), ERGI_WORDS(axis_words), .normal = "[]",
     .doc = "axes that wrap"},
    {"seed", ERGI_INTEGER, ERGI_AT(sandbox, seed), .normal = "1", ERGI_FROM(0), .doc = "of chance"},
    {"materials", ERGI_MAP, ERGI_LIST_AT(sandbox, materials, material_count),
     .schema = &material_schema, .required = true, .least = 1, .doc = "all materials"},
    {"grains", ERGI_MAP, ERGI_LIST_AT(sandbox, grains, grain_count), .schema = &grain_schema,
     .doc = "all kinds"},
    {"fill", ERGI_LIST, ERGI_LIST_AT(sandbox, fills, fill_count), .schema = &fill_schema,
     .doc = "grains at the start"},
    {"pair", ERGI_LIST, ERGI_AT(sandbox, pair), .item = &ref_item, .least = 2, .most = 2,
     .doc = "two fills"},
    {"weights", ERGI_LIST, ERGI_LIST_AT(sandbox, weights, weight_count), .item = &weight_item,
     .least = 1, .most = 3, .doc = "some weights"},
    {"run", ERGI_BLOCK, .schema = &run_schema, .doc = "how long"},
    {"terrain", ERGI_ANY, .not_built = true, .doc = "columns below the grains"},
};
static const ergi_schema sandbox_schema = {"scene", ERGI_FIELDS(sandbox_fields),
                                           .size = sizeof(sandbox)};

// ---- Helpers -----------------------------------------------------------------------------------

static ergi_arena arena;
static sandbox    box;
static erg_error  err;

static const char *read_with(const char *text, const char *set)
{
    ergi_diagnostics report;
    ergi_arena_free(&arena);
    ergi_diagnostics_begin(&report, "s.yaml", &set, set != NULL);
    ergi_node *root = ergi_tree_parse(text, strlen(text), 0, &arena, &report);
    if (root) ergi_set_apply_all(root, &arena, &report);
    memset(&box, 0, sizeof box);
    ergi_schema_read(&sandbox_schema, root, &box, &arena, &report);
    err.text[0] = '\0';
    ergi_diagnostics_end(&report, &err);
    return err.text;
}

static const char *read(const char *text)
{
    return read_with(text, NULL);
}

typedef struct pair {
    const char *given, *wanted;
} pair;

static void check_messages(const char *before, const pair *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s", before, cases[i].given);
        CHECK_STR(read(text), cases[i].wanted);
    }
}
#define CHECK_MESSAGES(before, cases) check_messages(before, cases, sizeof(cases) / sizeof *(cases))

// The faulty line of most cases is line 2.
#define SAND "materials: {sand: {density: 2500}, glass: {density: 2600}}\n"
#define GRIT SAND "grains: {grit: {material: sand, radius: 1e-3}}\n"

// ---- Reading -----------------------------------------------------------------------------------

TEST(values_arrive)
{
    CHECK_STR(read("title: Sand & more\n"
                   "gravity: [0, 1e-3, -1/2]\n"
                   "bounds: [[0, 0, 0], [1, 2, 3]]\n"
                   "periodic: [x, y]\n"
                   "seed: 12345678901\n"
                   "fill:\n"
                   "  - name: top\n"
                   "    grain: clump\n"
                   "    count: 2000\n"
                   "    aligned: true\n"
                   "    region:\n"
                   "      crate: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                   "      minus: [{ball: {radius: 2}}, {ball: {radius: 3, centre: [1, 1, 1]}}]\n"
                   "    spin: {rate: 5}\n"
                   "  - {name: low, grain: grit, count: 1, region: {ball: {radius: 1}}}\n"
                   "pair: [low, top]\n"
                   "weights: [1, 0.5]\n"
                   "grains:\n"
                   "  grit: {material: glass, radius: 2e-3}\n"
                   "  clump: {material: sand, spheres: [[0, 0, 0, 1], [1, 0, 0, .5]]}\n" SAND
                   "run: {time: 5, dt: 1e-5}\n"),
              "");
    CHECK_STR(box.title, "Sand & more");
    CHECK(box.solver == DEM);
    CHECK_NEAR(box.gravity.y, 1e-3, 0);
    CHECK_NEAR(box.gravity.z, -0.5, 0);
    CHECK(box.bounded);
    CHECK_NEAR(box.bounds[1].z, 3, 0);
    CHECK(box.periodic == 3);
    CHECK(box.seed == 12345678901);
    REQUIRE(box.material_count == 2 && box.grain_count == 2 && box.fill_count == 2);
    CHECK_STR(box.materials[1].name, "glass");
    CHECK_NEAR(box.materials[1].density, 2600, 0);
    CHECK_STR(box.grains[0].name, "grit");
    CHECK(box.grains[0].material == 2 && box.grains[1].material == 1);
    CHECK(box.grains[0].size_kind == BY_RADIUS && box.grains[1].size_kind == BY_SPHERES);
    REQUIRE(box.grains[1].sphere_count == 2);
    CHECK_NEAR(box.grains[1].spheres[1].radius, 0.5, 0);
    const fill *top = &box.fills[0];
    CHECK_STR(top->name, "top");
    CHECK(top->grain == 2 && top->count == 2000 && top->aligned && top->tries == 7);
    CHECK(top->place.shape == CRATE && top->place.minus_count == 2);
    CHECK(top->place.minus[1].shape == BALL);
    CHECK_NEAR(top->place.minus[1].a.y, 1, 0);
    REQUIRE(top->turn && !box.fills[1].turn);
    CHECK_NEAR(top->turn->rate, 5, 0);
    CHECK_NEAR(top->turn->axis.z, 1, 0);
    CHECK(box.pair[0] == 2 && box.pair[1] == 1);
    CHECK(box.weight_count == 2);
    CHECK_NEAR(box.time, 5, 0);
    CHECK_NEAR(box.dt, 1e-5, 0);
}

TEST(defaults_arrive)
{
    CHECK_STR(read(SAND), "");
    CHECK(box.title == NULL && box.fills == NULL && box.fill_count == 0);
    CHECK(box.solver == DEM);
    CHECK_NEAR(box.gravity.z, -9.81, 0);
    CHECK(!box.bounded && box.periodic == 0 && box.seed == 1);
    CHECK_NEAR(box.time, 1, 0);
    CHECK_NEAR(box.dt, 0, 0);
    CHECK_NEAR(box.materials[0].friction, 0.5, 0);
    CHECK_NEAR(box.materials[0].poisson, 0.25, 0);
    CHECK_NEAR((double)box.materials[0].young, 1e7, 0);
    CHECK_STR(read(SAND "periodic: y\nrun: {dt: auto}\nfill: []"), "");
    CHECK(box.periodic == 2 && box.fill_count == 0);
}

// ---- Messages ----------------------------------------------------------------------------------

TEST(wrong_numbers)
{
    static const pair cases[] = {
        {"run: {time: -1}", "s.yaml:2:13: time is -1, expected a number above 0 [s]"},
        {"run: {time: 0}", "s.yaml:2:13: time is 0, expected a number above 0 [s]"},
        {"run: {time: [1]}", "s.yaml:2:13: time is a list, expected a number above 0 [s]"},
        {"run: {time: {}}", "s.yaml:2:13: time is an empty map, expected a number above 0 [s]"},
        {"run: {time: }", "s.yaml:2:13: time is empty, expected a number above 0 [s]"},
        {"run: {time: '5'}",
         "s.yaml:2:13: time is \"5\", expected a number above 0 [s]; write numbers without quotes"},
        {"run: {time: long}", "s.yaml:2:13: time is 'long', expected a number above 0 [s]"},
        {"run: {time: 5 s}", "s.yaml:2:13: time is '5 s', expected a number above 0 [s]; write "
                             "numbers without units; did you mean 5?"},
        {"run: {time: 5ms}",
         "s.yaml:2:13: time is '5ms', expected a number above 0 [s]; write numbers without units"},
        {"run:\n  time: 0,01\n", "s.yaml:3:9: time is '0,01', expected a number above 0 [s]; use a "
                                 "decimal point; did you mean 0.01?"},
        {"run: {time: nan}",
         "s.yaml:2:13: time is 'nan', expected a number above 0 [s]; numbers must be finite"},
        {"run: {time: 1e999}",
         "s.yaml:2:13: time is '1e999', expected a number above 0 [s]; this one is too large"},
        {"run: {time: 1/0}",
         "s.yaml:2:13: time is '1/0', expected a number above 0 [s]; division by 0 is not allowed"},
        {"run: {time: 0x10}", "s.yaml:2:13: time is '0x10', expected a number above 0 [s]; write "
                              "decimal numbers without leading zeros"},
        {"run: {time: 1_000}", "s.yaml:2:13: time is '1_000', expected a number above 0 [s]; write "
                               "digits without separators"},
        {"run: {dt: atuo}", "s.yaml:2:11: dt is 'atuo', expected a number above 0 [s] or auto; did "
                            "you mean 'auto'?"},
        {"seed: 2e3", "s.yaml:2:7: seed is '2e3', expected a whole number of at least 0; write it "
                      "in plain digits; did you mean 2000?"},
        {"seed: 2.5", "s.yaml:2:7: seed is '2.5', expected a whole number of at least 0"},
        {"seed: -1", "s.yaml:2:7: seed is -1, expected a whole number of at least 0"},
        {"seed: 99999999999999999999", "s.yaml:2:7: seed is '99999999999999999999', expected a "
                                       "whole number of at least 0; this one is too large"},
        {"weights: [1, -2]", "s.yaml:2:14: weights.1 is -2, expected a number of at least 0"},
        {"gravity: [0, 0]",
         "s.yaml:2:10: gravity is a list of 2, expected a list of three numbers [m/s^2]"},
        {"gravity: -9.81",
         "s.yaml:2:10: gravity is '-9.81', expected a list of three numbers [m/s^2]"},
        {"gravity: [0, 0, down]", "s.yaml:2:17: gravity.2 is 'down', expected a number [m/s^2]"},
    };
    CHECK_MESSAGES(SAND, cases);
    CHECK_STR(read("materials: {sand: {density: 1, poisson: 0.5, friction: -0.1, young: 1e39}}"),
              "s.yaml:1:41: poisson is 0.5, expected a number of at least 0 and below 0.5\n"
              "s.yaml:1:56: friction is -0.1, expected a number of at least 0\n"
              "s.yaml:1:69: young is 1e39, expected a number above 0 [Pa]; this one is too large");
}

TEST(wrong_words_and_texts)
{
    static const pair cases[] = {
        {"solver: den", "s.yaml:2:9: solver is 'den', expected one of dem, pbd; did you mean "
                        "'dem'?"},
        {"solver: [dem]", "s.yaml:2:9: solver is a list, expected one of dem, pbd"},
        {"solver: pbd", "s.yaml:2:9: solver is 'pbd', which is not in this build, expected dem"},
        {"terrain: {a: 1}",
         "s.yaml:2:1: terrain is not in this build, expected a scene without it"},
        {"periodic: [x, w]", "s.yaml:2:15: periodic.1 is 'w', expected a list of some of x, y"},
        {"title: ", "s.yaml:2:7: title is empty, expected text"},
        {"title: [a]", "s.yaml:2:8: title is a list, expected text"},
        {"bounds: [[0, 0, 0]]", "s.yaml:2:9: bounds is a list of 1, expected a list of 2, each a "
                                "list of three numbers [m]"},
        {"weights: []", "s.yaml:2:10: weights is an empty list, expected a list of 1 to 3, each a "
                        "number of at least 0"},
        {"fill: {}", "s.yaml:2:7: fill is an empty map, expected a list, each a fill entry"},
        {"grains: 3", "s.yaml:2:9: grains is '3', expected a map of names, each with a grain"},
        {"run: fast", "s.yaml:2:6: run is 'fast', expected a map with keys time, dt"},
    };
    CHECK_MESSAGES(SAND, cases);
    CHECK_STR(read("[1, 2]"), "s.yaml:1:1: the scene is a list, expected a map with keys title, "
                              "solver, gravity, bounds, periodic, seed, materials, grains, fill, "
                              "pair, weights, run, terrain");
}

TEST(unknown_and_missing_keys)
{
    static const pair cases[] = {
        {"sead: 1", "s.yaml:2:1: unknown key 'sead' in scene, expected one of title, solver, "
                    "gravity, bounds, periodic, seed, materials, grains, fill, pair, weights, run, "
                    "terrain; did you mean 'seed'?"},
        {"run: {tiem: 1}",
         "s.yaml:2:7: unknown key 'tiem' in run, expected one of time, dt; did you mean 'time'?"},
        {"run: {speed: 1}", "s.yaml:2:7: unknown key 'speed' in run, expected one of time, dt"},
        {"grains: {grit: {material: sand}}",
         "s.yaml:2:16: grains.grit: size is missing, expected one of radius, spheres"},
        {"grains: {grit: {radius: 1}}",
         "s.yaml:2:16: grains.grit: 'material' is missing, expected a name from materials"},
        {"grains: {grit: {material: sand, radius: 1, spheres: [[0, 0, 0, 1]]}}",
         "s.yaml:2:44: grains.grit: 'radius' and 'spheres' exclude each other, expected one size"},
        {"grains: {grit: {material: sand, spheres: [[0, 0, 0]]}}",
         "s.yaml:2:43: spheres.0 is a list of 3, expected a list [x, y, z, radius]"},
        {"grains: {grit: {material: sand, spheres: [[0, 0, 0, -1]]}}",
         "s.yaml:2:53: spheres.0.3 is -1, expected a number above 0 [m]"},
        {"grains: {my grit: {material: sand, radius: 1}}",
         "s.yaml:2:10: 'my grit' in grains is not a valid name, expected letters, digits, '_' and "
         "'-', beginning with a letter"},
        {"grains: {grit: {material: snad, radius: 1}}",
         "s.yaml:2:27: material is 'snad', expected a name from materials (sand, glass); did you "
         "mean 'sand'?"},
        {"fill: [{grain: x, count: 1, region: {ball: {radius: 1}}}]",
         "s.yaml:2:16: grain is 'x', expected a name from grains (there are none)"},
    };
    CHECK_MESSAGES(SAND, cases);
    CHECK_STR(read("title: x"), "s.yaml:1:1: 'materials' is missing, expected a map of names, each "
                                "with a material");
    CHECK_STR(read("materials: {}"),
              "s.yaml:1:12: materials is an empty map, expected a map of names, each with a "
              "material");
    // One fault, one message: references into a broken list are not reported again.
    CHECK_STR(read("materials: 3\ngrains: {a: {material: b, radius: 1}}"),
              "s.yaml:1:12: materials is '3', expected a map of names, each with a material");
}

TEST(wrong_entries)
{
    static const pair cases[] = {
        {"fill: [7]", "s.yaml:3:8: fill.0 is '7', expected a map with keys name, grain, count, "
                      "aligned, region, spin"},
        {"fill: [{grain: grit, cuont: 5, count: 5, region: {ball: {radius: 1}}}]",
         "s.yaml:3:22: unknown key 'cuont' in fill entry, expected one of name, grain, count, "
         "aligned, region, spin; did you mean 'count'?"},
        {"fill: [{grain: grit, count: 0, region: {ball: {radius: 1}}}]",
         "s.yaml:3:29: count is 0, expected a whole number of at least 1"},
        {"fill: [{grain: grit, count: 5, region: {}}]",
         "s.yaml:3:40: fill.0.region: shape is missing, expected one of ball, crate"},
        {"fill: [{grain: grit, count: 5, region: ball}]",
         "s.yaml:3:40: region is 'ball', expected a map with one of ball, crate"},
        {"fill: [{grain: grit, count: 5, region: {bal: {}}}]",
         "s.yaml:3:40: fill.0.region: shape is missing, expected one of ball, crate\n"
         "s.yaml:3:41: unknown key 'bal' in region, expected one of ball, crate, minus; did you "
         "mean 'ball'?"},
        {"fill: [{grain: grit, count: 5, region: {ball: {radius: -1}}}]",
         "s.yaml:3:56: radius is -1, expected a number above 0 [m]"},
        {"fill: [{grain: grit, count: 5, region: {crate: {min: [0, 0, 0], max: [0, 1, 1]}}}]",
         "s.yaml:3:70: fill.0.region.crate: max.0 is not above min.0, expected min below max"},
        {"fill: [{grain: grit, count: 5, region: {ball: {radius: 1}, minus: [{ball: {}}]}}]",
         "s.yaml:3:75: fill.0.region.minus.0.ball: 'radius' is missing, expected a number above 0 "
         "[m]"},
        {"fill: [{grain: grit, count: 5, aligned: yes, region: {ball: {radius: 1}}}]",
         "s.yaml:3:41: aligned is 'yes', expected true or false; did you mean 'true'?"},
        {"fill: [{grain: grit, count: 5, aligned: 3, region: {ball: {radius: 1}}}]",
         "s.yaml:3:41: aligned is '3', expected true or false"},
        {"fill: [{grain: grit, count: 5, region: {ball: {radius: 1}}, spin: {rate: 1, axis: [0, 0, "
         "0]}}]",
         "s.yaml:3:83: axis is [0, 0, 0], expected a list of three numbers, not all 0"},
        {"fill: [{name: 2nd, grain: grit, count: 5, region: {ball: {radius: 1}}}]",
         "s.yaml:3:15: name is '2nd', expected a name of letters, digits, '_' and '-', beginning "
         "with a letter"},
        {"fill:\n"
         "  - {name: a, grain: grit, count: 5, region: {ball: {radius: 1}}}\n"
         "  - {name: a, grain: grit, count: 5, region: {ball: {radius: 1}}}\n",
         "s.yaml:5:12: name 'a' is given twice in fill, expected each name once"},
        {"pair: [top]", "s.yaml:3:7: pair is a list of 1, expected a list of 2, each a name from "
                        "fill"},
    };
    CHECK_MESSAGES(GRIT, cases);
}

TEST(all_faults_come_at_once_in_file_order)
{
    CHECK_STR(
        read("seed: x\n"
             "materials:\n"
             "  sand: {desity: 3}\n"
             "run: {time: 5mm}\n"
             "seed: 4\n"
             "gravity: *g\n"),
        "s.yaml:1:7: seed is 'x', expected a whole number of at least 0\ns.yaml:3:9: "
        "materials.sand: 'density' is missing, expected a number above 0 [kg/m^3]\ns.yaml:3:10: "
        "unknown key 'desity' in material, expected one of density, friction, poisson, young; did "
        "you mean 'density'?\ns.yaml:4:13: time is '5mm', expected a number above 0 [s]; write "
        "numbers without units\ns.yaml:5:1: key 'seed' is given twice, first in line 1, expected "
        "it once\ns.yaml:6:10: alias '*g' is not allowed in scenes, expected a value");
    char text[2000] = SAND;
    for (int i = 0; i < 30; i++) {
        char line[32];
        snprintf(line, sizeof line, "zz%d: 1\n", i);
        strcat(text, line);
    }
    const char *report = read(text);
    CHECK(strstr(report, "s.yaml:21:1: unknown key 'zz19' in scene"));
    CHECK(!strstr(report, "zz20"));
    CHECK(strstr(report, "\nand 10 more"));
}

TEST(overrides_are_checked_like_the_file)
{
    static const pair cases[] = {
        {"run.time=7 s", "--set run.time: time is '7 s', expected a number above 0 [s]; write "
                         "numbers without units; did you mean 7?"},
        {"run.tiem=7", "--set run.tiem: unknown key 'tiem' in run, expected one of time, dt; did "
                       "you mean 'time'?"},
        {"fill.0.cout=7", "--set fill.0.cout: unknown key 'cout' in fill entry, expected one of "
                          "name, grain, count, aligned, region, spin; did you mean 'count'?"},
        {"fill.a.region={ball: {}}", "--set fill.a.region: fill.0.region.ball: 'radius' is "
                                     "missing, expected a number above 0 [m]"},
        {"fill.0.region.crate.min=[0, 0, 0]",
         "--set fill.0.region.crate.min: fill.0.region: 'ball' and 'crate' exclude each other, "
         "expected one shape"},
        {"materials.ice.friction=0.1", "--set materials.ice.friction: materials.ice: 'density' is "
                                       "missing, expected a number above 0 [kg/m^3]"},
        {"run.time=7", ""},
        {"materials.ice={density: 900}", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(read_with(GRIT "fill: [{name: a, grain: grit, count: 5, region: {ball: {radius: "
                                 "1}}}]\nrun: {dt: auto}\n",
                            cases[i].given),
                  cases[i].wanted);
    }
}

// Any byte may change, vanish or double: the reader answers, and answers the same twice.
TEST(mutated_scenes_never_crash)
{
    static const char good[] = GRIT
        "title: x\nfill:\n  - name: top\n    grain: grit\n    count: 20\n    region:\n"
        "      ball: {radius: 1.5, centre: [0, 1, 2]}\n      minus: [{ball: {radius: 2}}]\n"
        "pair: [top, 'top']\nbounds: [[0, 0, 0], [1, 2, 3]]\nperiodic: [x, y]\nrun: {dt: auto}\n";
    static const char odd[] = "[]{},:-?&*!|>'\"%@`#~ \n\t0e./\\\x80\xff"
                              "ax";
    CHECK_STR(read(good), "");
    uint64_t state = 1;
    for (int round = 0; round < 4000; round++) {
        char   text[2 * sizeof good];
        size_t length = sizeof good - 1;
        memcpy(text, good, sizeof good);
        for (int k = 0; k <= round % 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(state >> 33) % length;
            char   byte = odd[(size_t)(state >> 20) % (sizeof odd - 1)];
            switch ((state >> 60) % 3) {
            case 0: text[at] = byte; break;
            case 1:
                memmove(text + at, text + at + 1, length - at);
                length--;
                break;
            default:
                memmove(text + at + 1, text + at, length - at + 1);
                text[at] = byte;
                length++;
            }
        }
        static erg_error first;
        read(text);
        first = err;
        CHECK_STR(read(text), first.text);
    }
}

// ---- The manual --------------------------------------------------------------------------------

TEST(manual_has_a_row_for_every_key)
{
    const char *doc = ergi_schema_doc(&sandbox_schema, &arena);
    REQUIRE(doc);
    static const char *const rows[] = {
        ("### scene\n\n| key | type | unit | default | range | meaning "
         "|\n|---|---|---|---|---|---|\n"
         "| `title` | text | – | – | – | of the scene |\n"),
        "| `solver` | one of `dem`, `pbd` (not in this build) | – | `dem` | – | method |\n",
        "| `gravity` | [x, y, z] | m/s^2 | `[0, 0, -9.81]` | – | everywhere |\n",
        "| `bounds` | list, each [x, y, z] | m | – | 2 entries | corners of the domain |\n",
        "| `periodic` | list of some of `x`, `y` | – | `[]` | – | axes that wrap |\n",
        "| `seed` | whole number | – | `1` | at least 0 | of chance |\n",
        ("| `materials` | map of names, each with [material](#material) | – | required | at least "
         "1 "
         "entry | all materials |\n"),
        "| `weights` | list, each number | – | – | 1 to 3 entries, each at least 0 | some weights "
        "|\n",
        "| `terrain` | anything | – | – | – | columns below the grains (not in this build) |\n",
        "\n### material\n\nAt `materials.NAME`.\n\n| key |",
        "| `density` | number | kg/m^3 | required | above 0 | mass over volume of the solid |\n",
        "| `poisson` | number | – | `1/4` | at least 0 and below 0.5 | Poisson's ratio |\n",
        "| `radius` | number | m | one size | above 0 and at most 1 | of a single sphere |\n",
        "| `dt` | number or `auto` | s | `auto` | above 0 | step |\n",
        "\n### region\n\nAt `fill[].region`, `fill[].region.minus[]`.\n\n",
        "### sphere\n\nAt `grains.NAME.spheres[]`.\n\nWritten as a list, in this order.\n\n",
        "| `ball` | [ball region](#ball-region) | – | one shape | – | a ball |\n",
        "| `region` | [region](#region) | – | required | – | where |\n",
        "| `axis` | [x, y, z] | – | `[0, 0, 1]` | not 0 | direction |\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strstr(doc, rows[i])) printf("    no row %s\n", rows[i]);
        CHECK(strstr(doc, rows[i]));
    }
    if (check_failures) printf("%s", doc);
}

TEST(arena_is_given_back)
{
    ergi_arena_free(&arena); // the last test: ASan looks for what is left
    CHECK(arena.blocks == NULL);
}

TEST_MAIN(values_arrive, defaults_arrive, wrong_numbers, wrong_words_and_texts,
          unknown_and_missing_keys, wrong_entries, all_faults_come_at_once_in_file_order,
          overrides_are_checked_like_the_file, mutated_scenes_never_crash,
          manual_has_a_row_for_every_key, arena_is_given_back)
