// Scenes: defaults, values, the text and the comparison for --resume, worlds built from them, and
// the manual in docs/scene.md.
// labels: asan
#include "check.h"

#include "erg/erg.h"
#include "scene/scene_def.h"

#include <stdlib.h>

static erg_error err;

static erg_scene *load_with(const char *text, const char *const *sets, size_t set_count)
{
    erg_scene *scene = NULL;
    erg_status status =
        erg_scene_load_text(text, strlen(text), "s.yaml", sets, set_count, &scene, &err);
    if (status != ERG_OK) printf("    %s\n", err.text);
    return scene;
}

static erg_scene *load(const char *text)
{
    return load_with(text, NULL, 0);
}

#define SAND "materials: {sand: {}}\n"
#define GRIT SAND "grains: {grit: {material: sand, radius: 1e-3}}\n"

// ---- Defaults are those of the API -------------------------------------------------------------
TEST(defaults_are_those_of_the_api)
{
    erg_scene *scene =
        load(GRIT "pairs: [{between: [sand, sand]}]\n"
                  "fill: [{grain: grit, count: max, region: {sphere: {radius: 1}}}]\n"
                  "emitters: [{grain: grit, rate: 5, region: {sphere: {radius: 1}}}]\n"
                  "sinks: [{region: {sphere: {radius: 1}}}]\n"
                  "walls: [{material: sand, plane: {}}]\n"
                  "probes: [{name: a, flow: {}}]\n");
    REQUIRE(scene);
    const ergi_scene_def *def = &scene->def;

    erg_material_def material = erg_material_def_default();
    material.name = def->materials[0].name;
    CHECK(memcmp(&material, &def->materials[0], sizeof material) == 0);

    erg_pair_def pair = erg_pair_def_default();
    pair.a = pair.b = 1;
    CHECK(memcmp(&pair, &def->pairs[0], sizeof pair) == 0);

    erg_contact_def contact = erg_contact_def_default();
    CHECK(memcmp(&contact, &def->world.contact, sizeof contact) == 0);

    erg_world_def world = erg_world_def_default(), *read = &scene->def.world;
    CHECK_NEAR(read->gravity.z, world.gravity.z, 0);
    CHECK(read->seed == world.seed && read->dt == world.dt && read->skin == world.skin);
    CHECK(read->dt_factor == world.dt_factor && read->tolerance == world.tolerance);
    CHECK(read->speed == world.speed && read->max_overlap == world.max_overlap);
    CHECK(read->spin_damping == world.spin_damping && read->orient_spheres == world.orient_spheres);
    CHECK(read->energy == world.energy && read->threads == world.threads);
    CHECK(read->integrator == world.integrator && read->precision == world.precision);
    CHECK(read->lower.x == world.lower.x && read->upper.z == world.upper.z);
    CHECK(!read->periodic_x && !read->periodic_y);

    erg_fill_def fill = erg_fill_def_default();
    CHECK(def->fills[0].count == 0 && def->fills[0].placing == fill.placing);
    CHECK(def->fills[0].jitter == fill.jitter && def->fills[0].gap == fill.gap);
    CHECK(def->fills[0].aligned == fill.aligned);

    erg_emitter_def emitter = erg_emitter_def_default();
    CHECK(def->emitters[0].spread == emitter.spread && def->emitters[0].limit == emitter.limit);
    CHECK(def->emitters[0].start == emitter.start && def->emitters[0].stop == emitter.stop);
    erg_sink_def sink = erg_sink_def_default();
    CHECK(def->sinks[0].start == sink.start && def->sinks[0].stop == sink.stop);

    erg_wall_def plane = erg_wall_def_default(ERG_WALL_PLANE);
    CHECK(memcmp(&plane.plane, &def->walls[0].def.plane, sizeof plane.plane) == 0);
    CHECK(def->walls[0].def.side == plane.side && !def->walls[0].def.has_pivot);
    CHECK(def->walls[0].def.motion_count == 0 && def->walls[0].def.rough.spacing == 0.0);

    erg_probe_def probe = erg_probe_def_default();
    CHECK_NEAR(def->settings.probes[0].normal.z, probe.normal.z, 0);
    CHECK(def->settings.probes[0].share == probe.share);
    erg_scene_destroy(scene);
}

TEST(shapes_have_the_defaults_of_the_api)
{
    erg_scene *scene = load(
        SAND "walls:\n"
             "  - {material: sand, cylinder: {a: [0, 0, 0], b: [0, 0, 1], radius: 1}}\n"
             "  - {material: sand, cone: {a: [0, 0, 0], b: [0, 0, 1], radius_a: 1, radius_b: 0}}\n"
             "  - {material: sand, funnel: {outlet_radius: 1, top_radius: 2, height: 1}}\n"
             "  - {material: sand, hourglass: {neck_radius: 1, bulb_radius: 2, cone_height: 1, "
             "height: 3}}\n"
             "  - {material: sand, box: {min: [0, 0, 0], max: [1, 1, 1]}}\n"
             "  - {material: sand, sphere: {radius: 1}}\n"
             "  - {material: sand, capsule: {a: [0, 0, 0], b: [0, 0, 1], radius: 1}}\n"
             "  - {material: sand, plane: {}, motion: [{servo_torque: {torque: 2, max_rate: 3}}, "
             "{oscillation: {amplitude: [1, 0, 0]}},\n"
             "     {servo: {force: 1, max_speed: 1}}, {keyframes: {keys: [{time: 0}]}}]}\n");
    REQUIRE(scene);
    const ergi_scene_wall *w = scene->def.walls;
    erg_wall_def           d = erg_wall_def_default(ERG_WALL_PLANE);
    CHECK(w[0].def.shape == ERG_WALL_CYLINDER && w[6].def.shape == ERG_WALL_CAPSULE);
    CHECK(w[0].def.cylinder.cap_a == d.cylinder.cap_a &&
          w[0].def.cylinder.cap_b == d.cylinder.cap_b);
    CHECK(w[1].def.cone.cap_a == d.cone.cap_a && w[1].def.cone.cap_b == d.cone.cap_b);
    CHECK(memcmp(&w[2].def.funnel.axis, &d.funnel.axis, sizeof d.funnel.axis) == 0);
    CHECK(w[2].def.funnel.stem == 0.0 && w[2].def.funnel.rim == 0.0);
    CHECK(memcmp(&w[3].def.hourglass.axis, &d.hourglass.axis, sizeof d.hourglass.axis) == 0);
    CHECK(w[3].def.hourglass.cap_a == d.hourglass.cap_a && w[3].def.hourglass.rounding == 0.0);
    CHECK(w[4].def.box.open == 0);
    REQUIRE(w[7].def.motion_count == 4);
    for (int i = 0; i < 4; i++) {
        const erg_motion_def *m = &w[7].def.motion[i], n = erg_motion_def_default(m->kind);
        CHECK(m->start == n.start && m->stop == n.stop && m->smooth == n.smooth);
        CHECK(m->frequency == n.frequency && m->phase == n.phase && m->gain == n.gain);
        CHECK(memcmp(&m->axis, &n.axis, sizeof n.axis) == 0);
        CHECK(memcmp(&m->direction, &n.direction, sizeof n.direction) == 0);
    }
    CHECK(w[7].def.motion[0].kind == ERG_MOTION_SERVO_TORQUE && w[7].def.motion[0].torque == 2 &&
          w[7].def.motion[0].max_rate == 3);
    CHECK(w[7].def.motion[2].kind == ERG_MOTION_SERVO &&
          w[7].def.motion[3].kind == ERG_MOTION_KEYFRAMES);
    erg_scene_destroy(scene);
}

// ---- Values ------------------------------------------------------------------------------------
static const char *const FULL =
    "title: 'A \"full\" scene: # ä'\n"
    "solver: dem\n"
    "gravity: [0, 0, -1/2]\n"
    "seed: 7\n"
    "domain: {bounds: [[0, 0, open], [2, 2, 4]], periodic: [x, y]}\n"
    "materials:\n"
    "  sand: {density: 2600, young: 2e6, poisson: 0.3, restitution: 0.7, friction: 0.4, "
    "static_friction: 0.6,\n"
    "         rolling: 0.1, twisting: 0.2, cohesion: 3}\n"
    "  glass: {}\n"
    "pairs: [{between: [glass, sand], friction: 0.2, normal: linear, tangential: yasuda}]\n"
    "contact: {normal: hertz-constant, tangential: spring, reference_speed: 2, tangential_ratio: "
    "0.5}\n"
    "grains:\n"
    "  dot: {material: glass, sizes: {listed: {values: [1e-2, 2e-2], weights: [3, 1]}}}\n"
    "  clump: {material: sand, spheres: [[0, 0, 0, 0.02], [0.02, 0, 0, 0.01]], scale: 1.5}\n"
    "fill:\n"
    "  - name: low\n"
    "    grain: dot\n"
    "    count: 20\n"
    "    placing: random\n"
    "    velocity: [1, 2, 3]\n"
    "    spin: [4, 5, 6]\n"
    "    region:\n"
    "      box: {min: [0.1, 0.1, 1], max: [1.9, 1.9, 2]}\n"
    "      minus: [{sphere: {centre: [1, 1, 1.5], radius: 0.2}}]\n"
    "  - {grain: clump, count: 5, aligned: true, gap: 0.1, jitter: 0, region: {cone: {a: [1, 1, "
    "2.1], b: [1, 1, 3],\n"
    "     radius_a: 0.5, radius_b: 0.2}}}\n"
    "emitters: [{name: e, grain: dot, rate: 1/2, spread: 0.1, start: 1, stop: 2, limit: 9, "
    "velocity: [0, 0, -1],\n"
    "   region: {cylinder: {a: [1, 1, 3.1], b: [1, 1, 3.5], radius: 0.5, inner_radius: 0.1}}}]\n"
    "sinks: [{name: s, start: 1, stop: 3, region: {sphere: {centre: [1, 1, -5], radius: 0.5}}}]\n"
    "walls:\n"
    "  - {name: floor, material: glass, plane: {point: [0, 0, 0.5]}, rough: {spacing: 0.5, radius: "
    "0.1}}\n"
    "  - name: lid\n"
    "    material: sand\n"
    "    plane: {point: [0, 0, 3.8], normal: [0, 0, -1]}\n"
    "    pivot: [1, 2, 3]\n"
    "    motion:\n"
    "      - {velocity: [0, 0, -0.1], start: 1, stop: 2}\n"
    "      - {keyframes: {smooth: false, keys: [{time: 0}, {time: 1, position: [0, 0, 0.1], axis: "
    "[0, 0, 2],\n"
    "         angle: 0.5}]}}\n"
    "  - {name: hand, material: sand, capsule: {a: [1, 1, 10], b: [1, 1, 11], radius: 1}, side: "
    "outside,\n"
    "     motion: {user: true}}\n"
    "probes:\n"
    "  - {name: up, flow: {point: [0, 0, 1], radius: 0.5, every: 0.1}}\n"
    "  - {name: lid, force: {wall: lid}}\n"
    "  - {name: some, count: {region: {sphere: {radius: 3}}}}\n"
    "  - {name: mid, centre: {}}\n"
    "  - {name: heap, repose: {axis: [0, 0, 2]}}\n"
    "  - {name: bed, height: {share: 0.5, region: {sphere: {radius: 3}}}}\n"
    "  - {name: touch, contacts: {}}\n"
    "run: {time: 3, frame: 1/25, dt: 1e-6, dt_factor: 0.1, integrator: euler, precision: double, "
    "tolerance: 1e-5,\n"
    "      speed: 2, skin: 1e-3, max_overlap: 0.1, spin_damping: 1, orient_spheres: true, energy: "
    "false, threads: 2}\n"
    "output: {snapshots: [vtp, hdf, ply], every: 0.1, series_every: 0.2, checkpoint_every: 5, "
    "video: true}\n"
    "view: {camera: {position: [1, 2, 3], angle: 50, mode: orbit}, light: {ambient: 0.5}, "
    "background: [0, 0, 1]}\n";

TEST(values_arrive)
{
    erg_scene *scene = load(FULL);
    REQUIRE(scene);
    const ergi_scene_def     *def = &scene->def;
    const erg_scene_settings *s = erg_scene_get_settings(scene);
    CHECK_STR(s->title, "A \"full\" scene: # ä");
    CHECK(s->solver == ERG_SOLVER_DEM);
    CHECK_NEAR(s->time, 3, 0);
    CHECK_NEAR(s->frame, 0.04, 1e-17);
    CHECK(s->snapshots == 7 && s->snapshot_every == 0.1 && s->series_every == 0.2 &&
          s->checkpoint_every == 5);
    CHECK(def->world.periodic_x && def->world.periodic_y && isinf(def->world.lower.z));
    CHECK(def->world.lower.z < 0 && def->world.upper.z == 4 && def->world.lower.x == 0);
    CHECK(def->world.dt == 1e-6 && def->world.integrator == ERG_EULER &&
          def->world.precision == ERG_DOUBLE);
    CHECK(def->world.threads == 2 && !def->world.energy && def->world.orient_spheres &&
          def->world.skin == 1e-3);
    CHECK(def->world.contact.normal == ERG_NORMAL_HERTZ_CONSTANT);
    CHECK(def->pairs[0].a == 2 && def->pairs[0].b == 1 &&
          def->pairs[0].normal == ERG_NORMAL_LINEAR);
    CHECK(def->pairs[0].tangential == ERG_TANGENTIAL_YASUDA && def->pairs[0].rolling == ERG_UNSET);
    CHECK(def->grains[0].def.sizes.law == ERG_SIZE_LISTED &&
          def->grains[0].def.sizes.weights[0] == 3);
    CHECK(def->grains[1].def.shape == ERG_SHAPE_SPHERES && def->grains[1].def.sphere_count == 2);
    CHECK(def->grains[1].def.sizes.law == ERG_SIZE_FIXED && def->grains[1].def.sizes.radius == 1.5);
    CHECK(def->fills[0].placing == ERG_PLACE_RANDOM && def->fills[0].spin.y == 5 &&
          def->fills[0].grain == 1);
    CHECK(def->fills[0].region.minus_count == 1 && def->fills[1].region.radius_b == 0.2 &&
          def->fills[1].aligned);
    CHECK(def->emitters[0].rate == 0.5 && def->emitters[0].limit == 9 &&
          def->emitters[0].stop == 2);
    const erg_wall_def *lid = &def->walls[1].def;
    CHECK(lid->has_pivot && lid->pivot.y == 2 && lid->motion_count == 2 &&
          lid->motion[0].stop == 2);
    CHECK(!lid->motion[1].smooth && def->walls[1].motions[1].key_count == 2);
    CHECK_NEAR(def->walls[1].motions[1].keys[1].def.rotation.z, sin(0.25), 1e-15);
    CHECK(def->walls[2].def.motion[0].kind == ERG_MOTION_USER &&
          def->walls[2].def.side == ERG_SIDE_OUTSIDE);
    REQUIRE(s->probe_count == 7);
    CHECK(s->probes[1].kind == ERG_PROBE_FORCE && s->probes[1].wall == 2 &&
          s->probes[0].every == 0.1);
    CHECK(s->probes[2].has_region && !s->probes[3].has_region && s->probes[5].share == 0.5);
    const erg_look *look = erg_scene_get_look(scene);
    CHECK(look->camera.mode == ERG_CAMERA_ORBIT && look->camera.placed && look->background.z == 1 &&
          look->light.ambient == 0.5 && s->video);
    erg_scene_destroy(scene);
}

// ---- Text and comparison -----------------------------------------------------------------------
TEST(text_reads_back_as_the_same_scene)
{
    static const char *const sets[] = {
        "fill.low.count=21", "title=\"x\\n\\ty: \\u2028 \\\\\"", "view.camera.mode=follow",
        "walls.lid.motion.0.velocity=[0, 0, -0.2]", "materials.ice={friction: 0.01}"};
    erg_scene *a = load_with(FULL, sets, 5);
    REQUIRE(a);
    erg_scene *b = load(erg_scene_text(a));
    REQUIRE(b);
    CHECK_STR(erg_scene_text(b), erg_scene_text(a));
    CHECK_STR(b->def.settings.title, a->def.settings.title);
    CHECK(b->def.fills[0].count == 21 && b->def.material_count == 3 &&
          b->def.view.look.camera.mode == ERG_CAMERA_FOLLOW);
    CHECK_NEAR(b->def.walls[1].def.motion[0].velocity.z, -0.2, 0);
    char key[64] = "";
    CHECK(!erg_scene_differs(a, b, key, sizeof key));
    erg_scene_destroy(a);
    erg_scene_destroy(b);
}

static void check_differs(const char *set, const char *wanted)
{
    char       key[64] = "";
    erg_scene *a = load(FULL), *b = load_with(FULL, &set, 1);
    REQUIRE(a && b);
    bool differs = erg_scene_differs(a, b, key, sizeof key);
    CHECK_STR(differs ? key : "", wanted);
    CHECK(erg_scene_differs(b, a, NULL, 0) == differs);
    erg_scene_destroy(a);
    erg_scene_destroy(b);
}

TEST(differences_that_matter_are_named)
{
    check_differs("seed=8", "seed");
    check_differs("fill.low.count=21", "fill.0.count");
    check_differs("materials.glass.friction=0.4", "materials.glass.friction");
    check_differs("materials.ice={}", "materials");
    check_differs("gravity=[0, 0, -1]", "gravity");
    check_differs("run.dt=auto", "run.dt");
    check_differs("run.precision=float", "run.precision");
    check_differs("walls.lid.motion.1.keyframes.keys.1.angle=0.6",
                  "walls.1.motion.1.keyframes.keys.1.angle");
    check_differs("walls.hand.motion={velocity: [0, 0, 1]}", "walls.2.motion.0.velocity");
    check_differs("domain.periodic=[x]", "domain.periodic");
    check_differs("emitters.e.limit=none", "emitters.0.limit");
    check_differs("probes.up.flow.every=auto", "probes.0.flow.every");
    check_differs("grains.clump.spheres=[[0, 0, 0, 1]]", "grains.clump.spheres");
}

TEST(differences_that_do_not_matter_are_passed_over)
{
    check_differs("title=other", "");
    check_differs("run.time=9", "");
    check_differs("run.frame=1/50", "");
    check_differs("run.threads=1", "");
    check_differs("output={snapshots: none}", "");
    check_differs("view={}", "");
    check_differs("gravity=[0, 0, -0.5]", "");
    check_differs("seed=7", "");
    check_differs("materials.glass.density=2500", "");
    check_differs("contact.rolling_damping=1", "");
    check_differs("walls.hand.motion=[{user: true}]", "");
    check_differs("walls.floor.side=auto", "");
    check_differs("domain.periodic=[y, x]", "");
    check_differs("emitters.e.rate=0.5", "");
}

// ---- Worlds ------------------------------------------------------------------------------------
static int threads_seen;

static void adjust(void *user, erg_world_def *def)
{
    threads_seen = def->threads;
    def->threads = *(int *)user;
    def->fixed_threads = true;
}

TEST(a_world_is_built)
{
    int         one = 1;
    erg_scene  *scene = load(FULL);
    erg_world  *world = NULL;
    erg_probes *probes = NULL;
    REQUIRE(scene);
    erg_status status = erg_scene_build(scene, adjust, &one, &world, &err);
    if (status != ERG_OK) printf("    %s\n", err.text);
    REQUIRE(status == ERG_OK);
    CHECK(threads_seen == 2);
    CHECK(erg_world_grain_count(world) == 25 && erg_world_sphere_count(world) == 30);
    CHECK(erg_world_find_material(world, "glass") == 2 &&
          erg_world_find_grain_kind(world, "clump") == 2);
    CHECK(erg_world_find_wall(world, "hand") == 3 && erg_world_find_emitter(world, "e") == 1);
    CHECK(erg_world_find_sink(world, "s") == 1);
    CHECK(erg_world_dt(world) == 1e-6);
    const erg_scene_settings *s = erg_scene_get_settings(scene);
    CHECK(erg_probes_create(s->probes, s->probe_count, world, &probes, &err) == ERG_OK);
    CHECK(erg_world_step(world, 10, &err) == ERG_OK);
    erg_probes_destroy(probes);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
}

static const char *build_error(const char *text, const char *set)
{
    erg_scene *scene = load_with(text, &set, set != NULL);
    erg_world *world = NULL;
    if (!scene) return err.text;
    erg_status status = erg_scene_build(scene, NULL, NULL, &world, &err);
    erg_scene_destroy(scene);
    erg_world_destroy(world);
    CHECK(status == ERG_BAD_INPUT && world == NULL);
    return status == ERG_BAD_INPUT ? err.text : "";
}

#define NAME_OF_64 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789ab"

TEST(what_only_the_world_can_find_has_a_place_too)
{
    static const char fill[] =
        GRIT "fill:\n  - {name: top, grain: grit, count: 4, region: {sphere: {radius: 5e-3}}}\n";
    CHECK_STR(build_error(fill, "fill.top.count=4000"),
              "--set fill.top.count: fill.top: 4000 requested, only 39 fit");
    CHECK_STR(
        build_error(GRIT "fill:\n  - {grain: grit, count: 400, region: {sphere: {radius: 5e-3}}}\n",
                    NULL),
        "s.yaml:4:26: fill.0: 400 requested, only 39 fit");
    CHECK_STR(build_error(GRIT
                          "fill: [{grain: grit, count: max, region: {sphere: {radius: 5e-4}}}]\n",
                          NULL),
              "s.yaml:3:42: fill.0: no grain fits into the region");
    CHECK(strstr(build_error(fill, "run.dt=1"), "--set run.dt: dt is 1 s, but may be at most ") ==
          err.text);
    CHECK(
        strstr(build_error(GRIT "domain: {bounds: [[0, 0, 0], [2e-3, 1, 1]], periodic: x}\n", NULL),
               "s.yaml:3:55: the domain is periodic in x with a period of 0.002 m, but needs at "
               "least ") == err.text);
    CHECK_STR(build_error("materials: {" NAME_OF_64 ": {}}\n", NULL),
              "s.yaml:1:13: materials." NAME_OF_64 ": the name '" NAME_OF_64
              "' of a material is longer than 63 bytes");
}

// ---- The manual --------------------------------------------------------------------------------
#define MARK                                                                                       \
    "<!-- The tables below are written by the program: ERG_UPDATE_DOCS=1 build/test/test_scene "   \
    "-->\n\n"

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long  length = 0;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
        rewind(file);
        text = calloc((size_t)length + 1, 1);
        if (text && fread(text, 1, (size_t)length, file) != (size_t)length) text[0] = '\0';
    }
    if (file) fclose(file);
    return text;
}

TEST(manual_is_what_the_tables_say)
{
    const char *source = getenv("ERG_SOURCE"), *update = getenv("ERG_UPDATE_DOCS");
    ergi_arena  arena = {0};
    const char *wanted = ergi_schema_doc(&ergi_scene_schema, &arena);
    char        path[4096];
    snprintf(path, sizeof path, "%s/docs/scene.md", source ? source : ".");
    char *text = read_all(path), *tables = text ? strstr(text, MARK) : NULL;
    if (tables) tables += strlen(MARK);
    if (tables && wanted && update && strcmp(update, "1") == 0) {
        FILE *file = fopen(path, "wb");
        if (file) {
            fwrite(text, 1, (size_t)(tables - text), file);
            fputs(wanted, file);
            fclose(file);
        }
    } else {
        CHECK(tables && wanted &&
              strcmp(tables, wanted) == 0); // ERG_UPDATE_DOCS=1 brings it up to date
    }
    free(text);
    ergi_arena_free(&arena);
}

TEST_MAIN(defaults_are_those_of_the_api, shapes_have_the_defaults_of_the_api, values_arrive,
          text_reads_back_as_the_same_scene, differences_that_matter_are_named,
          differences_that_do_not_matter_are_passed_over, a_world_is_built,
          what_only_the_world_can_find_has_a_place_too, manual_is_what_the_tables_say)
