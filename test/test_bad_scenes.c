// Invalid scenes and the exact error messages. A scene is invalid because of the lines appended to
// the valid one (or as a whole), or because of an override of the valid one.
// labels: asan
#include "check.h"

#include "erg/erg.h"

#define GOOD                                                                                       \
    "materials:\n"                                                                                 \
    "  sand: {density: 2500, young: 1e7, friction: 0.5}\n"                                         \
    "grains:\n"                                                                                    \
    "  grit: {shape: tetrahedron, radius: 1e-3, material: sand}\n"                                 \
    "walls:\n"                                                                                     \
    "  - {name: floor, material: sand, plane: {point: [0, 0, 0]}}\n"                               \
    "fill:\n"                                                                                      \
    "  - {name: top, grain: grit, count: 5, region: {sphere: {centre: [0, 0, 0.1], radius: "       \
    "0.02}}}\n"                                                                                    \
    "run: {time: 1}\n"

// 129 materials
#define FOUR(n) "m" n "0: {}, m" n "1: {}, m" n "2: {}, m" n "3: {}, "
#define SIXTEEN(n) FOUR(n "0") FOUR(n "1") FOUR(n "2") FOUR(n "3")
#define SIXTY_FOUR(n) SIXTEEN(n "0") SIXTEEN(n "1") SIXTEEN(n "2") SIXTEEN(n "3")
#define MANY_MATERIALS "materials: {" SIXTY_FOUR("a") SIXTY_FOUR("b") "last: {}}\n"

typedef struct bad {
    const char *text, *set, *wanted;
} bad;

static erg_error err;

// What is said about it: on loading, or on building.
static const char *complaint(const bad *b)
{
    erg_scene *scene = NULL;
    erg_world *world = NULL;
    err.text[0] = '\0';
    erg_status status = erg_scene_load_text(b->text, strlen(b->text), "s.yaml", &b->set,
                                            b->set != NULL, &scene, &err);
    if (status == ERG_OK) erg_scene_build(scene, NULL, NULL, &world, &err);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    return err.text;
}

static void check_all(const bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_STR(complaint(&cases[i]), cases[i].wanted);
        CHECK(err.status == ERG_BAD_INPUT);
    }
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

TEST(the_good_scene_is_good)
{
    CHECK_STR(complaint(&(bad){GOOD, NULL, ""}), "");
}

TEST(numbers)
{
    static const bad cases[] = {
        {GOOD "gravity: [0, 0, -9.81 m/s^2]\n", NULL,
         "s.yaml:10:17: gravity.2 is '-9.81 m/s^2', expected a number [m/s^2]; write numbers "
         "without units; did you mean -9.81?"},
        {GOOD "gravity: [0, 0, -9,81]\n", NULL,
         "s.yaml:10:10: gravity is a list of 4, expected a list of three numbers [m/s^2]"},
        {GOOD "gravity: [0, 0]\n", NULL,
         "s.yaml:10:10: gravity is a list of 2, expected a list of three numbers [m/s^2]"},
        {GOOD "gravity: 9.81\n", NULL,
         "s.yaml:10:10: gravity is '9.81', expected a list of three numbers [m/s^2]"},
        {GOOD "gravity: [0, 0, nan]\n", NULL,
         "s.yaml:10:17: gravity.2 is 'nan', expected a number [m/s^2]; numbers must be finite"},
        {GOOD "seed: 1.5\n", NULL,
         "s.yaml:10:7: seed is '1.5', expected a whole number of at least 0"},
        {GOOD "seed: -1\n", NULL, "s.yaml:10:7: seed is -1, expected a whole number of at least 0"},
        {GOOD "seed: 1e3\n", NULL,
         "s.yaml:10:7: seed is '1e3', expected a whole number of at least 0; write it in plain "
         "digits; did you mean 1000?"},
        {GOOD, "run.time=inf",
         "--set run.time: time is 'inf', expected a number of at least 0 [s]; numbers must be "
         "finite"},
        {GOOD, "run.time=-1", "--set run.time: time is -1, expected a number of at least 0 [s]"},
        {GOOD, "run.time=1/0",
         "--set run.time: time is '1/0', expected a number of at least 0 [s]; division by 0 is not "
         "allowed"},
        {GOOD, "run.dt=1e-5 s",
         "--set run.dt: dt is '1e-5 s', expected a number above 0 [s] or auto; write numbers "
         "without units; did you mean 1e-5?"},
        {GOOD, "run.dt=0,01",
         "--set run.dt: dt is '0,01', expected a number above 0 [s] or auto; use a decimal point; "
         "did you mean 0.01?"},
        {GOOD, "run.dt=0", "--set run.dt: dt is 0, expected a number above 0 [s] or auto"},
        {GOOD, "run.dt=atuo",
         "--set run.dt: dt is 'atuo', expected a number above 0 [s] or auto; did you mean "
         "'auto'?"},
        {GOOD, "run.dt_factor=0.2",
         "--set run.dt_factor: dt_factor is 0.2, expected a number above 0 and at most 0.1"},
        {GOOD, "run.time='1'",
         "--set run.time: time is \"1\", expected a number of at least 0 [s]; write numbers "
         "without quotes"},
        {GOOD, "run.time=", "--set run.time: the value is empty, expected YAML"},
        {GOOD, "run.time=0x10",
         "--set run.time: time is '0x10', expected a number of at least 0 [s]; write decimal "
         "numbers without leading zeros"},
        {GOOD, "run.max_overlap=1",
         "--set run.max_overlap: max_overlap is 1, expected a number above 0 and below 1"},
        {GOOD, "run.threads=0",
         "--set run.threads: threads is 0, expected a whole number from 1 to 1024 or all"},
        {GOOD, "grains.grit.radius=5mm",
         "--set grains.grit.radius: radius is '5mm', expected a number above 0 [m]; write numbers "
         "without units"},
        {GOOD, "grains.grit.radius=-1e-3",
         "--set grains.grit.radius: radius is -1e-3, expected a number above 0 [m]"},
        {GOOD, "grains.grit.radius=0",
         "--set grains.grit.radius: radius is 0, expected a number above 0 [m]"},
        {GOOD, "materials.sand.friction=-0.1",
         "--set materials.sand.friction: friction is -0.1, expected a number from 0 to 1e+06"},
        {GOOD, "materials.sand.poisson=0.6",
         "--set materials.sand.poisson: poisson is 0.6, expected a number from 0 to 0.5"},
        {GOOD, "materials.sand.restitution=0",
         "--set materials.sand.restitution: restitution is 0, expected a number from 0.05 to 1"},
        {GOOD, "materials.sand.young=1e999",
         "--set materials.sand.young: young is '1e999', expected a number above 0 and at most "
         "1e+15 [Pa]; this one is too large"},
        {GOOD, "materials.sand.density=1e300",
         "--set materials.sand.density: density is 1e300, expected a number from 1e-06 to 1e+12 "
         "[kg/m^3]"},
        {GOOD, "materials.sand.density=1e-30",
         "--set materials.sand.density: density is 1e-30, expected a number from 1e-06 to 1e+12 "
         "[kg/m^3]"},
        {GOOD, "materials.sand.young=1e16",
         "--set materials.sand.young: young is 1e16, expected a number above 0 and at most 1e+15 "
         "[Pa]"},
        {GOOD, "materials.sand.rolling=1e7",
         "--set materials.sand.rolling: rolling is 1e7, expected a number from 0 to 1e+06"},
        {GOOD, "materials.sand.cohesion=1e20",
         "--set materials.sand.cohesion: cohesion is 1e20, expected a number from 0 to 1e+15 "
         "[J/m^3]"},
        {GOOD "pairs: [{between: [sand, sand], friction: 1e7}]\n", NULL,
         "s.yaml:10:43: friction is 1e7, expected a number from 0 to 1e+06"},
        {GOOD, "materials.sand.static_friction=0.4",
         "--set materials.sand.static_friction: materials.sand: static_friction is 0.4, "
         "expected at least friction, 0.5"},
        {GOOD, "fill.top.count=0",
         "--set fill.top.count: count is 0, expected a whole number of at least 1 or max"},
        {GOOD, "fill.top.count=2.5",
         "--set fill.top.count: count is '2.5', expected a whole number of at least 1 or max"},
        {GOOD, "fill.top.count=many",
         "--set fill.top.count: count is 'many', expected a whole number of at least 1 or max"},
        {GOOD, "fill.top.jitter=2",
         "--set fill.top.jitter: jitter is 2, expected a number from 0 to 1"},
    };
    CHECK_ALL(cases);
}

TEST(keys)
{
    static const bad cases[] = {
        {GOOD "gravty: [0, 0, -9.81]\n", NULL,
         "s.yaml:10:1: unknown key 'gravty' in scene, expected one of title, solver, gravity, "
         "seed, domain, materials, pairs, contact, grains, fill, emitters, sinks, walls, "
         "bodies, terrain, upsample, pbd, probes, run, output, view; did you mean 'gravity'?"},
        {GOOD "backend: cuda\n", NULL,
         "s.yaml:10:1: unknown key 'backend' in scene, expected one of title, solver, gravity, "
         "seed, domain, materials, pairs, contact, grains, fill, emitters, sinks, walls, "
         "bodies, terrain, upsample, pbd, probes, run, output, view"},
        {GOOD "emiters: []\n", NULL,
         "s.yaml:10:1: unknown key 'emiters' in scene, expected one of title, solver, gravity, "
         "seed, domain, materials, pairs, contact, grains, fill, emitters, sinks, walls, "
         "bodies, terrain, upsample, pbd, probes, run, output, view; did you mean 'emitters'?"},
        {"run: {time: 1}\n", NULL,
         "s.yaml:1:1: 'materials' is missing, expected a map of 1 to 128 names, each with a "
         "material"},
        {"materials: {}\n", NULL,
         "s.yaml:1:12: materials is an empty map, expected a map of 1 to 128 names, each with a "
         "material"},
        {"materials: [sand]\n", NULL,
         "s.yaml:1:12: materials is a list, expected a map of 1 to 128 names, each with a "
         "material"},
        {MANY_MATERIALS, NULL,
         "s.yaml:1:12: materials is a map of 129, expected a map of 1 to 128 names, each with a "
         "material"},
        {"materials: {sand: 5}\n", NULL,
         "s.yaml:1:19: materials.sand is '5', expected a map with keys density, young, "
         "poisson, restitution, friction, static_friction, rolling, twisting, cohesion"},
        {"materials: {2nd: {}}\n", NULL,
         "s.yaml:1:13: '2nd' in materials is not a valid name, expected letters, digits, '_' and "
         "'-', beginning with a letter"},
        {"", NULL, "s.yaml:1:1: the file is empty, expected a scene"},
        {"- a\n", NULL,
         "s.yaml:1:1: the scene is a list, expected a map with keys title, solver, gravity, "
         "seed, domain, materials, pairs, contact, grains, fill, emitters, sinks, walls, "
         "bodies, terrain, upsample, pbd, probes, run, output, view"},
        {"just text\n", NULL,
         "s.yaml:1:1: the scene is 'just text', expected a map with keys title, solver, "
         "gravity, seed, domain, materials, pairs, contact, grains, fill, emitters, sinks, "
         "walls, bodies, terrain, upsample, pbd, probes, run, output, view"},
        {GOOD, "materials.sand.desity=3",
         "--set materials.sand.desity: unknown key 'desity' in material, expected one of "
         "density, young, poisson, restitution, friction, static_friction, rolling, twisting, "
         "cohesion; did you mean 'density'?"},
        {GOOD, "fill.0.cout=3",
         "--set fill.0.cout: unknown key 'cout' in fill entry, expected one of name, grain, "
         "count, region, placing, jitter, gap, aligned, velocity, spin; did you mean 'count'?"},
        {GOOD, "run.tiem=3",
         "--set run.tiem: unknown key 'tiem' in run, expected one of time, frame, dt, "
         "dt_factor, integrator, precision, tolerance, speed, skin, max_overlap, spin_damping, "
         "orient_spheres, energy, threads; did you mean 'time'?"},
        {GOOD, "walls.floor.motoin={}",
         "--set walls.floor.motoin: unknown key 'motoin' in wall, expected one of name, "
         "material, plane, box, sphere, cylinder, cone, funnel, hourglass, capsule, mesh, "
         "heightfield, side, rough, motion, pivot, attach; did you mean 'motion'?"},
        {GOOD, "view.camera.fov=30",
         "--set view.camera.fov: unknown key 'fov' in camera, expected one of position, "
         "target, up, angle, mode, turn"},
        {GOOD, "output.snapshots=vtu",
         "--set output.snapshots: snapshots is 'vtu', expected a list of some of vtk, vtp, "
         "hdf, ply, none; did you mean 'vtk'?"},
        {GOOD, "output.snapshots=[vtp, 3]",
         "--set output.snapshots: snapshots.1 is '3', expected a list of some of vtk, vtp, "
         "hdf, ply, none"},
    };
    CHECK_ALL(cases);
}

TEST(yaml)
{
    static const bad cases[] = {
        {"materials:\n\tsand: {}\n", NULL,
         "s.yaml:2:1: not YAML: found character that cannot start any token while scanning for the "
         "next token; indent with spaces, not tabs"},
        {GOOD "seed: 1\nseed: 2\n", NULL,
         "s.yaml:11:1: key 'seed' is given twice, first in line 10, expected it once"},
        {GOOD "gravity: &g [0, 0, -1]\n", NULL,
         "s.yaml:10:10: anchor '&g' is not allowed in scenes, expected the value alone"},
        {GOOD "gravity: *g\n", NULL,
         "s.yaml:10:10: alias '*g' is not allowed in scenes, expected a value"},
        {GOOD "gravity: !!str x\n", NULL,
         "s.yaml:10:10: tag 'tag:yaml.org,2002:str' is not allowed in scenes, expected the value "
         "alone\ns.yaml:10:10: gravity is 'x', expected a list of three numbers [m/s^2]"},
        {GOOD "---\nseed: 1\n", NULL,
         "s.yaml:10:1: a second document starts here, expected one scene"},
        {GOOD "gravity: [0, 0\n", NULL,
         "s.yaml:11:1: not YAML: did not find expected ',' or ']' while parsing a flow sequence"},
        {GOOD "title: \"open\n", NULL,
         "s.yaml:11:1: not YAML: found unexpected end of stream while scanning a quoted scalar"},
        {GOOD "title: [a]\n", NULL, "s.yaml:10:8: title is a list, expected text"},
        {GOOD "title:\n", NULL, "s.yaml:10:7: title is empty, expected text"},
        {GOOD "fill:\n- {}\n", NULL,
         "s.yaml:10:1: key 'fill' is given twice, first in line 7, expected it once"},
    };
    CHECK_ALL(cases);
}

TEST(references_and_names)
{
    static const bad cases[] = {
        {GOOD, "grains.grit.material=snad",
         "--set grains.grit.material: material is 'snad', expected a name from materials "
         "(sand); did you mean 'sand'?"},
        {GOOD, "grains.grit.material=glass",
         "--set grains.grit.material: material is 'glass', expected a name from materials "
         "(sand)"},
        {GOOD, "fill.top.grain=sand",
         "--set fill.top.grain: grain is 'sand', expected a name from grains (grit)"},
        {GOOD, "walls.floor.material=7",
         "--set walls.floor.material: material is '7', expected a name from materials (sand)"},
        {GOOD "probes: [{name: a, force: {wall: flor}}]\n", NULL,
         "s.yaml:10:34: wall is 'flor', expected a name from walls or bodies (floor); did you mean "
         "'floor'?"},
        {GOOD "probes: [{name: a, flow: {}}, {name: a, contacts: {}}]\n", NULL,
         "s.yaml:10:38: name 'a' is given twice in probes, expected each name once"},
        {GOOD "probes: [{flow: {}}]\n", NULL,
         "s.yaml:10:10: probes.0: 'name' is missing, expected a name of letters, digits, '_' "
         "and '-'"},
        {GOOD "probes: [{name: a}]\n", NULL,
         "s.yaml:10:10: probes.0: kind is missing, expected one of flow, force, count, centre, "
         "repose, height, contacts, field"},
        {GOOD "probes: [{name: a, flow: {}, force: {wall: floor}}]\n", NULL,
         "s.yaml:10:30: probes.0: 'flow' and 'force' exclude each other, expected one kind"},
        {GOOD "probes: [{name: a, count: {}}]\n", NULL,
         "s.yaml:10:27: probes.0.count: 'region' is missing, expected a map with one of box, "
         "cylinder, sphere, cone"},
        {GOOD "probes: [{name: a b, flow: {}}]\n", NULL,
         "s.yaml:10:17: name is 'a b', expected a name of letters, digits, '_' and '-', "
         "beginning with a letter"},
        {GOOD "pairs: [{between: [sand]}]\n", NULL,
         "s.yaml:10:19: between is a list of 1, expected a list of 2, each a name from "
         "materials"},
        {GOOD "pairs: [{between: [sand, sand, sand]}]\n", NULL,
         "s.yaml:10:19: between is a list of 3, expected a list of 2, each a name from "
         "materials"},
        {GOOD "pairs: [{between: [sand, sand]}, {between: [sand, sand]}]\n", NULL,
         "s.yaml:10:8: pairs 0 and 1 are of the same materials, expected one"},
        {GOOD "pairs: [{friction: 0.3}]\n", NULL,
         "s.yaml:10:9: pairs.0: 'between' is missing, expected a list of 2, each a name from "
         "materials"},
        {GOOD "pairs: [{between: [sand, sand], normal: herz}]\n", NULL,
         "s.yaml:10:41: normal is 'herz', expected one of linear, hertz-plain, hertz-constant, "
         "hertz; did you mean 'hertz'?"},
    };
    CHECK_ALL(cases);
}

TEST(grains_and_regions)
{
    static const bad cases[] = {
        {GOOD, "grains.grit.shape=tetraeder",
         "--set grains.grit.shape: shape is 'tetraeder', expected one of sphere, dimer, "
         "tetrahedron, cube"},
        {GOOD, "grains.grit.shape=pyramid",
         "--set grains.grit.shape: shape is 'pyramid', expected one of sphere, dimer, "
         "tetrahedron, cube"},
        {GOOD, "grains.grit={material: sand}",
         "--set grains.grit: grains.grit: size is missing, expected one of radius, sizes"},
        {GOOD, "grains.grit={material: sand, radius: 1, sizes: {uniform: {min: 1, max: 2}}}",
         "--set grains.grit: grains.grit: 'radius' and 'sizes' exclude each other, expected "
         "one size"},
        {GOOD, "grains.grit={material: sand, shape: cube, spheres: [[0, 0, 0, 1]], radius: 1}",
         "--set grains.grit: grains.grit: 'shape' and 'spheres' exclude each other, expected "
         "one shape"},
        {GOOD, "grains.grit={material: sand, spheres: [[0, 0, 0, 1]], radius: 1}",
         "--set grains.grit: grains.grit: 'spheres' and 'radius' exclude each other, expected "
         "'scale' to change the size"},
        {GOOD, "grains.grit={material: sand, shape: cube, scale: 2}",
         "--set grains.grit: grains.grit: 'scale' changes 'spheres', expected 'radius' for a "
         "shape"},
        {GOOD, "grains.grit={material: sand, spheres: [[0, 0, 0]]}",
         "--set grains.grit: spheres.0 is a list of 3, expected a list [x, y, z, radius]"},
        {GOOD, "grains.grit={material: sand, spheres: [[0, 0, 0, -1]]}",
         "--set grains.grit: spheres.0.3 is -1, expected a number above 0 [m]"},
        {GOOD, "grains.grit={material: sand, spheres: []}",
         "--set grains.grit: spheres is an empty list, expected a list of 1 to 1000, each a "
         "list [x, y, z, radius]"},
        {GOOD, "grains.grit={material: sand, sizes: {uniform: {min: 2, max: 1}}}",
         "--set grains.grit: grains.grit: sizes: min must be above 0 and max at least min, got "
         "2 and 1"},
        {GOOD, "grains.grit={material: sand, sizes: {normal: {mean: 1, deviation: 1}}}",
         "--set grains.grit: grains.grit: sizes: mean 1 minus three deviations of 1 is not above "
         "0: give a min"},
        {GOOD, "grains.grit={material: sand, sizes: {listed: {values: [1, 2], weights: [1]}}}",
         "--set grains.grit: grains.grit: sizes has 1 weights, expected 2, one for each value"},
        {GOOD, "grains.grit={material: sand, sizes: {listed: {values: [1], weights: [0]}}}",
         "--set grains.grit: grains.grit: sizes: the sum of the weights must be above 0, got 0"},
        {GOOD, "fill.top.region={}",
         "--set fill.top.region: fill.0.region: shape is missing, expected one of box, "
         "cylinder, sphere, cone"},
        {GOOD, "fill.top.region={ball: {radius: 1}}",
         "--set fill.top.region: fill.0.region: shape is missing, expected one of box, "
         "cylinder, sphere, cone\n--set fill.top.region: unknown key 'ball' in region, "
         "expected one of box, cylinder, sphere, cone, minus"},
        {GOOD, "fill.top.region={sphere: {radius: 1}, box: {min: [0, 0, 0], max: [1, 1, 1]}}",
         "--set fill.top.region: fill.0.region: 'sphere' and 'box' exclude each other, "
         "expected one shape"},
        {GOOD, "fill.top.region={sphere: {radius: -1}}",
         "--set fill.top.region: radius is -1, expected a number above 0 [m]"},
        {GOOD, "fill.top.region={box: {min: [0, 0, 0], max: [1, 0, 1]}}",
         "--set fill.top.region: fill.0.region: the region is empty: the first corner must be "
         "below the second on every axis, got [0, 0, 0] and [1, 0, 1]"},
        {GOOD, "fill.top.region={cylinder: {a: [0, 0, 0], b: [0, 0, 0], radius: 1}}",
         "--set fill.top.region: fill.0.region: the region is empty: the ends of the axis must "
         "differ"},
        {GOOD,
         "fill.top.region={cylinder: {a: [0, 0, 0], b: [0, 0, 1], radius: 1, inner_radius: 2}}",
         "--set fill.top.region: fill.0.region: the region is empty: inner radius must be from "
         "0 m to below the radius 1, got 2"},
        {GOOD, "fill.top.region={cone: {a: [0, 0, 0], b: [0, 0, 1], radius_a: 0, radius_b: 0}}",
         "--set fill.top.region: fill.0.region: the region is empty: radii must be 0 m or more "
         "and one above 0, got 0 and 0"},
        {GOOD, "fill.top.region={sphere: {radius: 1}, minus: [{sphere: {}}]}",
         "--set fill.top.region: fill.0.region.minus.0.sphere: 'radius' is missing, expected a "
         "number above 0 [m]"},
        {GOOD, "fill.top.region=sphere",
         "--set fill.top.region: region is 'sphere', expected a map with one of box, cylinder, "
         "sphere, cone"},
        {GOOD "emitters: [{grain: grit, rate: 0, region: {sphere: {radius: 1}}}]\n", NULL,
         "s.yaml:10:32: rate is 0, expected a number above 0 and at most 1e+09 [1/s]"},
        {GOOD "emitters: [{grain: grit, rate: 1, region: {sphere: {radius: 1e10}}}]\n", NULL,
         "s.yaml:10:43: emitters.0: the region is 2e+10 m long, too long for grains of radius "
         "0.00222474 m"},
        {GOOD "probes: [{name: f, field: {bounds: [[0, 0, 0], [1, 1, 1]], cells: [100, 1, 1], "
              "width: 1e3}}]\n",
         NULL,
         "s.yaml:10:87: probes.0.field: the kernel spans 200002 cells along x, expected at most "
         "64: use larger cells or a smaller width"},
        {GOOD "emitters: [{grain: grit, rate: 1, start: 2, stop: 1, region: {sphere: {radius: "
              "1}}}]\n",
         NULL, "s.yaml:10:51: emitters.0: stop is 1, expected a time after start, 2 [s]"},
        {GOOD "sinks: [{start: 1, stop: 0.5, region: {sphere: {radius: 1}}}]\n", NULL,
         "s.yaml:10:26: sinks.0: stop is 0.5, expected a time after start, 1 [s]"},
        {GOOD "domain: {bounds: [[0, 0, 0]]}\n", NULL,
         "s.yaml:10:18: bounds is a list of 1, expected a list of 2, each a list of three "
         "numbers [m] or open"},
        {GOOD "domain: {bounds: [[0, 0, 0], [1, -1, 1]]}\n", NULL,
         "s.yaml:10:18: domain: bounds are 0 and -1 along y, expected the smaller first"},
        {GOOD "domain: {periodic: [x, z]}\n", NULL,
         "s.yaml:10:24: periodic.1 is 'z', expected a list of some of x, y"},
        {GOOD "domain: {periodic: x}\n", NULL,
         "s.yaml:10:20: domain: periodic contains x, expected bounds along x as well"},
        {GOOD "domain: {bounds: [[-1e9, -1e9, -1], [1e9, 1e9, 1]], periodic: [x, y]}\n", NULL,
         "s.yaml:10:38: the domain is periodic in x with a period of 2e+09 m, too "
         "large for grains with spheres of diameter 0.002 m: at most 4194.3 m"},
        {GOOD "domain: {bounds: [[-1e9, -1e9, -1], [1e9, 1e9, 1]], periodic: [x, y]}\n",
         "solver=pbd",
         "s.yaml:10:38: the domain is periodic in x with a period of 2e+09 m, too "
         "large for grains with spheres of diameter 0.002 m: at most 4194.3 m"},
        {GOOD "domain: {bounds: [[0, open, 0], [1, 1, 1]], periodic: [y]}\n", NULL,
         "s.yaml:10:55: domain: periodic contains y, expected bounds along y as well"},
    };
    CHECK_ALL(cases);
}

TEST(walls)
{
    static const bad cases[] = {
        {GOOD, "walls.floor={material: sand}",
         "--set walls.floor: walls.0: shape is missing, expected one of plane, box, sphere, "
         "cylinder, cone, funnel, hourglass, capsule, mesh, heightfield"},
        {GOOD, "walls.floor={plane: {}}",
         "--set walls.floor: walls.0: 'material' is missing, expected a name from materials"},
        {GOOD, "walls.floor.plane.normal=[0, 0, 0]",
         "--set walls.floor.plane.normal: normal is [0, 0, 0], expected a list of three "
         "numbers, not all 0"},
        {GOOD, "walls.floor.sphere={radius: 1}",
         "--set walls.floor.sphere: walls.0: 'plane' and 'sphere' exclude each other, expected "
         "one shape"},
        {GOOD, "walls.floor.side=inside",
         "--set walls.floor.side: walls.0: a plane has no inside: point its normal to the side of "
         "the grains"},
        {GOOD, "walls.floor.side=left",
         "--set walls.floor.side: side is 'left', expected one of auto, inside, outside, both"},
        {GOOD, "walls.floor.rough={spacing: 1e-3, radius: 1e-3}",
         "--set walls.floor.rough: walls.0: rough spacing must be at least twice the rough "
         "radius, got 0.001"},
        {GOOD, "walls.floor.rough={spacing: 1e-3}",
         "--set walls.floor.rough: walls.0.rough: 'radius' is missing, expected a number above "
         "0 [m]"},
        {GOOD, "walls.0={material: sand, box: {min: [0, 0, 0], max: [1, 1, 1], open: top}}",
         "--set walls.0: open is 'top', expected a list of some of x-min, x-max, y-min, y-max, "
         "z-min, z-max"},
        {GOOD,
         "walls.0={material: sand, box: {min: [0, 0, 0], max: [1, 1, 1], open: [x-min, x-max, "
         "y-min, y-max, z-min, z-max]}}",
         "--set walls.0: walls.0: open must be such that at least one face remains, got 63"},
        {GOOD,
         "walls.0={material: sand, hourglass: {neck_radius: 0.2, bulb_radius: 0.1, "
         "cone_height: 0.1, height: 1}}",
         "--set walls.0: walls.0: bulb_radius must be above neck_radius, got 0.1"},
        {GOOD,
         "walls.0={material: sand, hourglass: {neck_radius: 0.01, bulb_radius: 0.1, "
         "cone_height: 1, height: 1}}",
         "--set walls.0: walls.0: height must be at least 2 cone_height, got 1"},
        {GOOD, "walls.0={material: sand, cylinder: {a: [0, 0, 0], b: [0, 0, 0], radius: 1}}",
         "--set walls.0: walls.0: the ends a and b of a cylinder must differ, both are (0, 0, "
         "0)"},
        {GOOD,
         "walls.0={material: sand, cylinder: {a: [0, 0, 0], b: [0, 0, 1], radius: 1, cap_a: "
         "false}, side: inside}",
         "--set walls.0: walls.0: side must be both for a cylinder with an opening, got inside"},
        {GOOD, "walls.floor.motion={}",
         "--set walls.floor.motion: walls.0.motion: kind is missing, expected one of velocity, "
         "spin, oscillation, rocking, keyframes, servo, servo_torque, user"},
        {GOOD, "walls.floor.motion=[]",
         "--set walls.floor.motion: motion is an empty list, expected a motion or a list of 1 "
         "to 4 of them"},
        {GOOD, "walls.floor.motion=fast",
         "--set walls.floor.motion: motion is 'fast', expected a motion or a list of 1 to 4 of "
         "them"},
        {GOOD, "walls.floor.motion={spin: {axis: [0, 0, 1]}}",
         "--set walls.floor.motion: walls.0.motion.spin: 'rate' is missing, expected a number "
         "[rad/s]"},
        {GOOD, "walls.floor.motion={velocity: [0, 0, 1], spin: {rate: 1}}",
         "--set walls.floor.motion: walls.0.motion: 'velocity' and 'spin' exclude each other, "
         "expected one kind"},
        {GOOD, "walls.floor.motion={velocity: [0, 0, 1], start: 2, stop: 1}",
         "--set walls.floor.motion: walls.0.motion: stop is 1, expected a time after start, 2 "
         "[s]"},
        {GOOD, "walls.floor.motion={keyframes: {keys: [{time: 1}, {time: 1}]}}",
         "--set walls.floor.motion: walls.0.motion: time of key 1 is 1, expected a time after "
         "1 [s]"},
        {GOOD, "walls.floor.motion={keyframes: {keys: []}}",
         "--set walls.floor.motion: keys is an empty list, expected a list of at least 1, each "
         "a keyframe"},
        {GOOD, "walls.floor.motion={servo: {force: -5, max_speed: 1}}",
         "--set walls.floor.motion: force is -5, expected a number above 0 [N]"},
        {GOOD, "walls.floor.motion=[{servo: {force: 5, max_speed: 1}}, {user: true}]",
         "--set walls.floor.motion: walls.0: number of servo and user motions must be at most "
         "1, got 2"},
        {GOOD, "walls.floor.motion={servo_torque: {torque: 0, max_rate: 1}}",
         "--set walls.floor.motion: torque is 0, expected a number above 0 [N m]"},
        {GOOD, "walls.floor.motion={servo_torque: {torque: 1}}",
         "--set walls.floor.motion: walls.0.motion.servo_torque: 'max_rate' is missing, expected a "
         "number above 0 [rad/s]"},
        {GOOD, "walls.floor.motion={user: false}",
         "--set walls.floor.motion: user is 'false', expected true or a map with keys axis, "
         "direction, rate, speed, range, keys"},
    };
    CHECK_ALL(cases);
}

TEST(not_built)
{
    static const bad cases[] = {
        {GOOD "upsample: {ratio: 3}\n", NULL,
         "s.yaml:10:19: ratio is 3, expected a number from 0.1 to 1"},
        {GOOD, "walls.0={material: sand, heightfield: hills.png}",
         "--set walls.0: walls.0.heightfield is not in this build, expected a scene without it"},
    };
    CHECK_ALL(cases);
}

TEST(overrides)
{
    static const bad cases[] = {
        {GOOD, "run.time", "--set run.time: there is no '=', expected path=value"},
        {GOOD, "=5", "--set : a part of the path is empty, expected keys joined by dots"},
        {GOOD, "run..time=5",
         "--set run..time: a part of the path is empty, expected keys joined by dots"},
        {GOOD, "run.time.x=5", "--set run.time.x: 'run.time' is '1', it has no key 'x'"},
        {GOOD, "fill.bottom.count=5",
         "--set fill.bottom.count: 'fill' has no entry 'bottom', expected an index from 0 to 0 "
         "or one of top"},
        {GOOD, "fill.1.count=5",
         "--set fill.1.count: 'fill' has no entry '1', expected an index from 0 to 0 or one of "
         "top"},
        {GOOD, "fill.tp.count=5",
         "--set fill.tp.count: 'fill' has no entry 'tp', expected an index from 0 to 0 or one "
         "of top; did you mean 'top'?"},
        {GOOD, "run.time=[1",
         "--set run.time: not YAML: did not find expected ',' or ']' while parsing a flow "
         "sequence"},
        {GOOD, "run.time={a: 1}",
         "--set run.time: time is a map, expected a number of at least 0 [s]"},
        {GOOD, "wall.floor.material=sand",
         "--set wall.floor.material: unknown key 'wall' in scene, expected one of title, "
         "solver, gravity, seed, domain, materials, pairs, contact, grains, fill, emitters, "
         "sinks, walls, bodies, terrain, upsample, pbd, probes, run, output, view; did you mean "
         "'walls'?"},
    };
    CHECK_ALL(cases);
}

TEST(worlds)
{
    static const bad cases[] = {
        {GOOD, "fill.top.count=5000",
         "--set fill.top.count: fill.top: 5000 requested, only 326 fit"},
        {GOOD, "fill.top.region.sphere.radius=1e-3",
         "s.yaml:8:37: fill.top: 5 requested, only 0 fit"},
        {GOOD "emitters: [{grain: grit, rate: 1e12, region: {sphere: {radius: 1}}}]\n", NULL,
         "s.yaml:10:32: rate is 1e12, expected a number above 0 and at most 1e+09 [1/s]"},
    };
    CHECK_ALL(cases);
}

#define BALL "bodies: [{name: ball, material: sand, sphere: {radius: 0.1}}]\n"

TEST(bodies)
{
    static const bad cases[] = {
        {GOOD "bodies: [{mesh: {file: a.obj}}]\n", NULL,
         "s.yaml:10:10: bodies.0: 'material' is missing, expected a name from materials"},
        {GOOD "bodies: [{material: sand, mesh: a.obj}]\n", NULL,
         "s.yaml:10:33: mesh is 'a.obj', expected a map with keys file, scale, merge, "
         "fill_holes"},
        {GOOD, "walls.0={material: sand, mesh: {file: no/bunny.stl}}",
         "--set walls.0: walls.0: there is no mesh 'no/bunny.stl'; its path is relative to the "
         "folder of the scene file"},
        {GOOD "bodies: [{material: sand}]\n", NULL,
         "s.yaml:10:10: bodies.0: shape is missing, expected one of box, sphere, cylinder, cone, "
         "capsule, torus, tube, plate, bucket, mesh"},
        {GOOD BALL, "bodies.ball.motion=fixd",
         "--set bodies.ball.motion: motion is 'fixd', expected fixed, user, a motion or a list of "
         "1 "
         "to 4 of them; did you mean 'fixed'?"},
        {GOOD BALL, "bodies.ball.mass=0",
         "--set bodies.ball.mass: mass is 0, expected a number above 0 [kg]"},
        {GOOD "bodies: [{material: sand, sphere: {radius: 1}, mass: 1, density: 1}]\n", NULL,
         "s.yaml:10:57: bodies.0: 'mass' and 'density' exclude each other, expected one weight"},
        {GOOD "bodies: [{material: sand, sphere: {radius: 1}, box: {size: [1, 1, 1]}}]\n", NULL,
         "s.yaml:10:48: bodies.0: 'sphere' and 'box' exclude each other, expected one shape"},
        {GOOD "bodies: [{material: sand, sphere: {radius: 1}, motion: user, spin: [1, 0, 0]}]\n",
         NULL,
         "s.yaml:10:68: bodies.0: spin applies to free bodies only, expected a motion {spin: ...} "
         "instead"},
        {GOOD BALL, "bodies.ball.pivot=[0, 0, 0]",
         "--set bodies.ball.pivot: bodies.0: a free body rotates about its centre of mass, "
         "expected no pivot"},
        {GOOD BALL, "bodies.ball.grid={count: [2, 0, 1]}",
         "--set bodies.ball.grid: count.1 is 0, expected a whole number of at least 1"},
        {GOOD BALL, "bodies.ball.grid={count: [2, 1, 1]}",
         "--set bodies.ball.grid: bodies.0: grid puts 2 bodies in the same place, expected a "
         "spacing along x"},
        {GOOD BALL, "bodies.ball.grid={count: [999, 999, 999], spacing: [1, 1, 1]}",
         "--set bodies.ball.grid: bodies.0: grid has 9.97003e+08 bodies, expected at most 65536"},
        {GOOD BALL "probes: [{name: ball, height: {}}]\n", NULL,
         "s.yaml:11:9: probe and body are both named 'ball', expected two names: both have columns "
         "in series.csv"},
        {GOOD BALL, "bodies.ball.name=floor",
         "--set bodies.ball.name: bodies.floor: there is a body named 'floor' already"},
        {GOOD "bodies: [{material: sand, bucket: {radius: 0.1, height: 1, thickness: 0.2}}]\n",
         NULL,
         "s.yaml:10:71: bodies.0: bucket: the thickness must be below the radii and the height, "
         "got "
         "0.2"},
    };
    CHECK_ALL(cases);
}

// Runs that would never end: periods that cannot be counted, steps that do not move the clock.
TEST(no_end)
{
    static const bad cases[] = {
        {GOOD "output: {series_every: 1e-22}\n", NULL,
         "s.yaml:10:24: output.series_every is 1e-22 s, more periods than can be counted in a run "
         "of 1 s, expected at least 1.11e-16 s"},
        {GOOD "output: {snapshots: vtk, every: 5e-324}\n", NULL,
         "s.yaml:10:33: output.every is 4.94066e-324 s, more periods than can be counted in a run "
         "of 1 s, expected at least 1.11e-16 s"},
        {GOOD, "run.frame=1e-22",
         "--set run.frame: run.frame is 1e-22 s, more periods than can be counted in a run of 1 s, "
         "expected at least 1.11e-16 s"},
        {GOOD "probes: [{name: p, field: {bounds: [[0, 0, 0], [1, 1, 1]], spacing: 0.5, every: "
              "1e-300}}]\n",
         NULL,
         "s.yaml:10:81: every is 1e-300 s, more samples than can be counted in a "
         "run of 1 s, expected at least 1.11e-16 s"},
        {GOOD "output: {series_every: 1}\n", "run.time=1e15",
         "--set run.time: run.time is 1e+15 s, more periods of output.every, 0.05 s, than can be "
         "counted, expected at most 4.5e+14 s"},
    };
    CHECK_ALL(cases);

    // The shortest contact stands in the middle.
    static const bad steps[] = {
        {GOOD, "run.dt=1e-300", "--set run.dt: dt would be 1e-300 s (as given; "},
        {GOOD, "run.dt=1e-18", "--set run.dt: run.dt: a step of 1e-18 s (as given; "},
        {GOOD "contact: {normal: linear, contact_time: 5e-324}\n", NULL,
         "s.yaml:10:41: dt would be 0 s (1/20 of the shortest contact time, 4.94e-324 s"},
        {GOOD "contact: {normal: linear, contact_time: 1e-16}\n", NULL,
         "s.yaml:10:41: contact.contact_time: a step of 5e-18 s (1/20 of the shortest contact "
         "time, "},
        {GOOD "output: {series_every: 10, every: 10}\n", "run.time=1e15",
         "--set run.time: run.time: a step of "},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *said = complaint(&steps[i]);
        CHECK(strncmp(said, steps[i].wanted, strlen(steps[i].wanted)) == 0);
        CHECK(strstr(said, "expected at least 1e-25 s") ||
              strstr(said, "is too short to advance the clock at the end"));
        CHECK(err.status == ERG_BAD_INPUT);
    }
}

TEST_MAIN(the_good_scene_is_good, no_end, numbers, keys, yaml, references_and_names,
          grains_and_regions, walls, not_built, overrides, worlds, bodies)
