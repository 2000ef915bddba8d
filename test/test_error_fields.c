// Which member of a definition an error is about, and its code; and in scenes the line and column
// of the key that gave it.
//
// labels: asan clang
#include "check.h"

#include "base/error.h"
#include "erg/erg.h"
#include "world/fingerprint.h"

#include <stdlib.h>

static erg_error  err;
static erg_world *world;
static erg_id     sand, grit;
static erg_mesh  *cube;

static const double none = NAN, huge = HUGE_VAL;

static erg_vec3 vec(double x, double y, double z)
{
    return (erg_vec3){x, y, z};
}

static void open_world(void)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def material = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    erg_primitive    box = erg_primitive_default(ERG_PRIMITIVE_BOX);
    def.threads = 1;
    material.name = "sand";
    bool good = erg_world_create(&def, &world, &err) == ERG_OK &&
                erg_world_add_material(world, &material, &sand, &err) == ERG_OK;
    grain.material = sand;
    good = good && erg_world_add_grain_kind(world, &grain, &grit, &err) == ERG_OK &&
           erg_mesh_primitive(&box, &cube, &err) == ERG_OK;
    CHECK(good);
    if (!good) exit(1);
}

static void close_world(void)
{
    erg_world_destroy(world);
    erg_mesh_destroy(cube);
}

// `change` makes d, a copy of a good definition, a bad one.
#define BAD(type, good, change, call, field_, code_)                                               \
    do {                                                                                           \
        type d = good;                                                                             \
        change;                                                                                    \
        err = (erg_error){0};                                                                      \
        CHECK((call) == ERG_BAD_INPUT);                                                            \
        CHECK_STR(err.field, field_);                                                              \
        CHECK(err.code == ERG_ERROR_##code_);                                                      \
        CHECK(err.status == ERG_BAD_INPUT && err.text[0] != '\0');                                 \
    } while (0)

TEST(worlds)
{
#define WORLD(change, field, code)                                                                 \
    BAD(erg_world_def, erg_world_def_default(), change, erg_world_create(&d, &other, &err), field, \
        code)
    erg_world *other = NULL;
    WORLD(d.gravity.y = none, "gravity", NOT_FINITE);
    WORLD(d.lower.x = none, "lower.x", NOT_FINITE);
    WORLD(d.upper.z = -huge, "upper.z", OUT_OF_RANGE);
    WORLD(d.periodic_y = true, "periodic_y", CONFLICT);
    WORLD(d.dt = -1, "dt", OUT_OF_RANGE);
    WORLD(d.dt = huge, "dt", NOT_FINITE);
    WORLD(d.dt_factor = 0.2, "dt_factor", OUT_OF_RANGE);
    WORLD(d.tolerance = 0, "tolerance", OUT_OF_RANGE);
    WORLD(d.integrator = (erg_integrator)9, "integrator", UNKNOWN);
    WORLD(d.precision = (erg_precision)9, "precision", UNKNOWN);
    WORLD(d.contact.reference_speed = 0, "contact.reference_speed", OUT_OF_RANGE);
    WORLD(d.contact.contact_time = -1, "contact.contact_time", OUT_OF_RANGE);
    WORLD(d.contact.rolling_damping = none, "contact.rolling_damping", NOT_FINITE);
    WORLD(d.speed = -1, "speed", OUT_OF_RANGE);
    WORLD(d.skin = none, "skin", NOT_FINITE);
    WORLD(d.max_overlap = 1, "max_overlap", OUT_OF_RANGE);
    WORLD(d.spin_damping = -1, "spin_damping", OUT_OF_RANGE);
    WORLD(d.threads = -1, "threads", OUT_OF_RANGE);
    WORLD(d.solver = (erg_solver)7, "solver", UNKNOWN);
    WORLD(d.backend = (erg_backend)-1, "backend", UNKNOWN);
    CHECK(erg_world_create(NULL, &other, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "");
    CHECK(err.code == ERG_ERROR_MISSING);
    CHECK(other == NULL);
}

// What has a name is in this build, or answers with ERG_NOT_BUILT.
TEST(solvers_and_backends)
{
    int solvers = 0, backends = 0;
    for (; erg_solver_name((erg_solver)solvers); solvers++) {
        erg_world_def def = erg_world_def_default();
        erg_world    *made = NULL;
        bool          built = erg_solver_built((erg_solver)solvers);
        def.solver = (erg_solver)solvers;
        CHECK(erg_world_create(&def, &made, &err) == (built ? ERG_OK : ERG_NOT_BUILT));
        CHECK((made != NULL) == built);
        if (built) CHECK(erg_world_get_def(made).solver == def.solver);
        if (!built) CHECK_STR(err.field, "solver");
        if (!built) CHECK(err.code == ERG_ERROR_NOT_BUILT);
        erg_world_destroy(made);
    }
    for (; erg_backend_name((erg_backend)backends); backends++) {
        erg_world_def def = erg_world_def_default();
        erg_world    *made = NULL;
        bool          built = erg_backend_built((erg_backend)backends);
        def.backend = (erg_backend)backends;
        CHECK(erg_world_create(&def, &made, &err) == (built ? ERG_OK : ERG_NOT_BUILT));
        if (!built) CHECK_STR(err.field, "backend");
        erg_world_destroy(made);
    }
    CHECK(solvers == ERG_SOLVER_PBD + 1 && backends == ERG_BACKEND_CUDA + 1);
    CHECK_STR(erg_solver_name(ERG_SOLVER_DEM), "dem");
    CHECK_STR(erg_solver_name(ERG_SOLVER_PBD), "pbd");
    CHECK_STR(erg_backend_name(ERG_BACKEND_CPU), "cpu");
    CHECK_STR(erg_backend_name(ERG_BACKEND_CUDA), "cuda");
    CHECK(erg_solver_built(ERG_SOLVER_DEM) && erg_backend_built(ERG_BACKEND_CPU));
    // A checkpoint of one is not for a world of another.
    erg_world_def dem = erg_world_def_default(), pbd = dem, cuda = dem;
    pbd.solver = ERG_SOLVER_PBD;
    cuda.backend = ERG_BACKEND_CUDA;
    CHECK(ergi_fingerprint_world(1, &dem) != ergi_fingerprint_world(1, &pbd));
    CHECK(ergi_fingerprint_world(1, &dem) != ergi_fingerprint_world(1, &cuda));
    CHECK(!erg_solver_built((erg_solver)solvers) && !erg_backend_built((erg_backend)-1));
}

TEST(materials_and_pairs)
{
#define MATERIAL(change, field, code)                                                              \
    BAD(erg_material_def, erg_material_def_default(), change,                                      \
        erg_world_add_material(world, &d, NULL, &err), field, code)
#define PAIR(change, field, code)                                                                  \
    BAD(erg_pair_def, pair, change, erg_world_set_pair(world, &d, &err), field, code)
    open_world();
    char long_name[80] = {0};
    memset(long_name, 'a', 70);
    MATERIAL(d.density = 0, "density", OUT_OF_RANGE);
    MATERIAL(d.density = 1e300, "density", OUT_OF_RANGE);
    MATERIAL(d.young = 1e16, "young", OUT_OF_RANGE);
    MATERIAL(d.cohesion = 1e20, "cohesion", OUT_OF_RANGE);
    MATERIAL(d.young = none, "young", NOT_FINITE);
    MATERIAL(d.poisson = 0.6, "poisson", OUT_OF_RANGE);
    MATERIAL(d.restitution = 0, "restitution", OUT_OF_RANGE);
    MATERIAL(d.friction = -1, "friction", OUT_OF_RANGE);
    MATERIAL(d.static_friction = 0.1, "static_friction", OUT_OF_RANGE);
    MATERIAL(d.rolling = -1, "rolling", OUT_OF_RANGE);
    MATERIAL(d.twisting = -1, "twisting", OUT_OF_RANGE);
    MATERIAL(d.cohesion = huge, "cohesion", NOT_FINITE);
    MATERIAL(d.name = "sand", "name", NAME_TAKEN);
    MATERIAL(d.name = long_name, "name", OUT_OF_RANGE);
    erg_pair_def pair = erg_pair_def_default();
    pair.a = pair.b = sand;
    PAIR(d.b = 7, "b", UNKNOWN);
    PAIR(d.restitution = 0.01, "restitution", OUT_OF_RANGE);
    PAIR(d.cohesion = -2, "cohesion", OUT_OF_RANGE);
    PAIR(d.normal = 99, "normal", UNKNOWN);
    PAIR(d.tangential = 99, "tangential", UNKNOWN);
    erg_material_def more = erg_material_def_default();
    while (erg_world_add_material(world, &more, NULL, &err) == ERG_OK) continue;
    CHECK_STR(err.field, "");
    CHECK(err.code == ERG_ERROR_TOO_MANY);
    close_world();
}

TEST(kinds_of_grains)
{
#define KIND(change, field, code)                                                                  \
    BAD(erg_grain_def, grain, change, erg_world_add_grain_kind(world, &d, NULL, &err), field, code)
    open_world();
    erg_grain_def grain = erg_grain_def_default();
    grain.material = sand;
    const double     values[] = {1e-3, 0}, weights[] = {1, none};
    const erg_sphere spheres[] = {{0, 0, 0, 1e-3}, {0, none, 0, 1e-3}, {0, 0, 0, 0}};
    KIND(d.material = 0, "material", UNKNOWN);
    KIND(d.shape = (erg_shape)77, "shape", UNKNOWN);
    KIND(d.sizes.law = (erg_size_law)77, "sizes.law", UNKNOWN);
    KIND(d.sizes.radius = 0, "sizes.radius", OUT_OF_RANGE);
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1, .max = 2};
    KIND(d.sizes.min = -1, "sizes.min", OUT_OF_RANGE);
    KIND(d.sizes.max = 0.5, "sizes.max", OUT_OF_RANGE);
    grain.sizes = (erg_sizes){.law = ERG_SIZE_NORMAL, .mean = 1, .deviation = 0.1};
    KIND(d.sizes.mean = none, "sizes.mean", NOT_FINITE);
    KIND(d.sizes.deviation = 1, "sizes.deviation", OUT_OF_RANGE);
    grain.sizes = (erg_sizes){.law = ERG_SIZE_LISTED, .values = values, .count = 1};
    KIND(d.sizes.count = 2, "sizes.values[1]", OUT_OF_RANGE);
    KIND(d.sizes.values = NULL, "sizes.values", MISSING);
    grain.sizes.values = (const double[]){1e-3, 2e-3};
    grain.sizes.count = 2;
    KIND(d.sizes.weights = weights, "sizes.weights[1]", NOT_FINITE);
    grain.shape = ERG_SHAPE_SPHERES;
    grain.spheres = spheres;
    KIND(d.sphere_count = 0, "sphere_count", MISSING);
    KIND(d.sphere_count = 2, "spheres[1].y", NOT_FINITE);
    KIND((d.spheres = spheres + 2, d.sphere_count = 1), "spheres[0].radius", OUT_OF_RANGE);
    close_world();
}

TEST(walls)
{
#define WALL(shape_, change, field, code)                                                          \
    BAD(erg_wall_def, wall_of(ERG_WALL_##shape_), change,                                          \
        erg_world_add_wall(world, &d, NULL, &err), field, code)
#define wall_of(shape) (wall = erg_wall_def_default(shape), wall.material = sand, wall)
    open_world();
    erg_wall_def wall;
    WALL(PLANE, d.material = 2, "material", UNKNOWN);
    WALL(PLANE, d.shape = (erg_wall_shape)55, "shape", UNKNOWN);
    WALL(PLANE, d.side = (erg_wall_side)55, "side", UNKNOWN);
    WALL(PLANE, d.plane.normal = vec(0, 0, 0), "plane.normal", OUT_OF_RANGE);
    WALL(PLANE, d.side = ERG_SIDE_INSIDE, "side", CONFLICT);
    WALL(PLANE, d.rough.spacing = -1, "rough.spacing", OUT_OF_RANGE);
    WALL(PLANE, d.rough.spacing = 1, "rough.radius", OUT_OF_RANGE);
    WALL(PLANE, (d.has_pivot = true, d.pivot.x = huge), "pivot", NOT_FINITE);
    WALL(BOX, d.box.max = vec(1, 1, -1), "box.max", OUT_OF_RANGE);
    WALL(SPHERE, d.sphere.radius = none, "sphere.radius", NOT_FINITE);
    WALL(CYLINDER, d.cylinder.radius = 1, "cylinder.b", OUT_OF_RANGE);
    WALL(CONE, d.cone.b = vec(0, 0, 1), "cone.radius_a", OUT_OF_RANGE);
    WALL(FUNNEL, (d.funnel.outlet_radius = 2, d.funnel.top_radius = 1), "funnel.top_radius",
         OUT_OF_RANGE);
    WALL(FUNNEL, d.funnel.axis.z = 0, "funnel.axis", OUT_OF_RANGE);
    WALL(HOURGLASS, d.hourglass.neck_radius = -1, "hourglass.neck_radius", OUT_OF_RANGE);
    WALL(CAPSULE, d.capsule.a.x = none, "capsule.a", NOT_FINITE);
    WALL(MESH, (void)0, "mesh.mesh", MISSING);
    WALL(MESH, (d.mesh.mesh = cube, d.mesh.rotation.w = 2), "mesh.rotation", OUT_OF_RANGE);
    close_world();
}

TEST(motions)
{
#define MOTION(kind, change, field, code)                                                          \
    WALL(PLANE,                                                                                    \
         (d.motion_count = 2, d.motion[1] = erg_motion_def_default(ERG_MOTION_##kind), change),    \
         field, code)
    open_world();
    erg_wall_def       wall;
    const erg_keyframe keys[] = {{.time = 1, .rotation = {0, 0, 0, 1}},
                                 {.time = 1, .rotation = {0, 0, 0, 1}}};
    WALL(PLANE, d.motion_count = 9, "motion_count", OUT_OF_RANGE);
    MOTION(VELOCITY, d.motion[1].velocity.z = none, "motion[1].velocity", NOT_FINITE);
    MOTION(VELOCITY, d.motion[1].stop = -1, "motion[1].stop", OUT_OF_RANGE);
    MOTION(VELOCITY, d.motion[1].kind = (erg_motion_kind)44, "motion[1].kind", UNKNOWN);
    MOTION(SPIN, d.motion[1].axis = vec(0, 0, 0), "motion[1].axis", OUT_OF_RANGE);
    MOTION(OSCILLATION, d.motion[1].frequency = 0, "motion[1].frequency", OUT_OF_RANGE);
    MOTION(SERVO, d.motion[1].force = -1, "motion[1].force", OUT_OF_RANGE);
    MOTION(KEYFRAMES, d.motion[1].key_count = 0, "motion[1].keys", OUT_OF_RANGE);
    MOTION(KEYFRAMES, (d.motion[1].keys = keys, d.motion[1].key_count = 2),
           "motion[1].keys[1].time", OUT_OF_RANGE);
    MOTION(USER, d.motion[0].kind = ERG_MOTION_USER, "motion[1]", CONFLICT);
    close_world();
}

TEST(bodies)
{
#define BODY(change, field, code)                                                                  \
    BAD(erg_body_def, body, change, erg_world_add_body(world, &d, NULL, &err), field, code)
    open_world();
    erg_body_def body = erg_body_def_default();
    body.material = sand;
    body.mesh = cube;
    BODY(d.mesh = NULL, "mesh", MISSING);
    BODY(d.material = 5, "material", UNKNOWN);
    BODY(d.mass = -1, "mass", OUT_OF_RANGE);
    BODY(d.density = none, "density", NOT_FINITE);
    BODY((d.mass = 1, d.density = 1), "density", CONFLICT);
    BODY(d.position.x = huge, "position", NOT_FINITE);
    BODY(d.rotation.w = 0, "rotation", OUT_OF_RANGE);
    BODY(d.spin.x = none, "spin", NOT_FINITE);
    BODY(d.contact = (erg_body_contact)8, "contact", UNKNOWN);
    BODY(d.has_pivot = true, "has_pivot", CONFLICT);
    BODY(d.motion_count = 1, "motion_count", CONFLICT);
    BODY((d.free = false, d.velocity.x = 1), "velocity", CONFLICT);
    BODY((d.free = false, d.motion_count = 1, d.motion[0].stop = none), "motion[0].stop",
         NOT_FINITE);
    BODY((d.contact = ERG_BODY_SPHERES, d.sphere_radius = 5), "sphere_radius", NO_FIT);

    // Too thin to be inscribed, which is found when the world is prepared.
    erg_primitive leaf = erg_primitive_default(ERG_PRIMITIVE_BOX);
    erg_mesh     *thin = NULL;
    leaf.size.z = 1e-5;
    CHECK(erg_mesh_primitive(&leaf, &thin, &err) == ERG_OK);
    CHECK(erg_world_add_body(world, &body, NULL, &err) == ERG_OK);
    body.mesh = thin;
    body.rounding = 0.3;
    CHECK(erg_world_add_body(world, &body, NULL, &err) == ERG_OK);
    BAD(int, 0, (void)d, erg_world_prepare(world, &err), "walls[1].rounding", BAD_MESH);
    erg_mesh_destroy(thin);
    close_world();
}

TEST(ways_in_and_out)
{
#define FILL(change, field, code)                                                                  \
    BAD(erg_fill_def, fill, change, erg_world_fill(world, &d, NULL, &err), field, code)
#define EMITTER(change, field, code)                                                               \
    BAD(erg_emitter_def, emitter, change, erg_world_add_emitter(world, &d, NULL, &err), field, code)
#define SINK(change, field, code)                                                                  \
    BAD(erg_sink_def, sink, change, erg_world_add_sink(world, &d, NULL, &err), field, code)
    open_world();
    erg_region   holes[2] = {{.shape = ERG_REGION_SPHERE, .radius = 1},
                             {.shape = ERG_REGION_CONE, .b = {0, 0, 1}, .radius_b = -1}};
    erg_region   box = {.shape = ERG_REGION_BOX, .b = {0.02, 0.02, 0.02}};
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = grit;
    fill.region = box;
    FILL(d.grain = 9, "grain", UNKNOWN);
    FILL(d.count = 1000000, "count", NO_FIT);
    FILL(d.region.b.x = 1e-5, "region", NO_FIT);
    FILL(d.jitter = 2, "jitter", OUT_OF_RANGE);
    FILL(d.gap = -1, "gap", OUT_OF_RANGE);
    FILL(d.spin.y = none, "spin", NOT_FINITE);
    FILL(d.region.a.z = 1, "region.b", OUT_OF_RANGE);
    FILL(d.region.shape = (erg_region_shape)12, "region.shape", UNKNOWN);
    FILL((d.region.minus = holes, d.region.minus_count = 2), "region.minus[1].radius_b",
         OUT_OF_RANGE);
    erg_emitter_def emitter = erg_emitter_def_default();
    emitter.grain = grit;
    emitter.rate = 1;
    emitter.region = box;
    emitter.name = "spout";
    EMITTER(d.grain = 0, "grain", UNKNOWN);
    EMITTER(d.rate = 0, "rate", OUT_OF_RANGE);
    EMITTER(d.spread = none, "spread", NOT_FINITE);
    EMITTER(d.velocity.x = huge, "velocity", NOT_FINITE);
    EMITTER(d.start = -1, "start", OUT_OF_RANGE);
    EMITTER(d.stop = 0, "stop", OUT_OF_RANGE);
    EMITTER(d.region.b.y = none, "region.b", NOT_FINITE);
    CHECK(erg_world_add_emitter(world, &emitter, NULL, &err) == ERG_OK);
    EMITTER((void)d, "name", NAME_TAKEN);
    erg_sink_def sink = erg_sink_def_default();
    sink.region = (erg_region){.shape = ERG_REGION_CYLINDER, .b = {0, 0, 1}, .radius = 1};
    SINK(d.region.inner_radius = 2, "region.inner_radius", OUT_OF_RANGE);
    SINK(d.region.b.z = 0, "region.b", OUT_OF_RANGE);
    SINK(d.start = none, "start", NOT_FINITE);
    close_world();
}

TEST(grains_and_commands)
{
#define GRAINS(change, field, code)                                                                \
    BAD(erg_grains, grains, change, erg_world_add_grains(world, &d, NULL, &err), field, code)
#define COMMAND(change, field, code)                                                               \
    BAD(erg_command, command, change, erg_world_command(world, &d, &err), field, code)
    open_world();
    const erg_vec3 at[] = {{0, 0, 0}, {0, 0, 1}}, bad[] = {{0, 0, 0}, {0, none, 0}};
    const erg_quat turn[] = {{0, 0, 0, 1}, {0, 0, 0, 0}};
    const double   size[] = {5, 5};
    erg_grains     grains = {.kind = grit, .count = 2, .position = at};
    GRAINS(d.kind = 3, "kind", UNKNOWN);
    GRAINS(d.position = bad, "position[1]", NOT_FINITE);
    GRAINS(d.spin = bad, "spin[1]", NOT_FINITE);
    GRAINS(d.orientation = turn, "orientation[1]", OUT_OF_RANGE);
    GRAINS(d.size = size, "size[0]", OUT_OF_RANGE);
    erg_command command = {.kind = ERG_COMMAND_FRICTION, .value = 0.5};
    COMMAND(d.id = 8, "id", UNKNOWN);
    COMMAND(d.value = -1, "value", OUT_OF_RANGE);
    COMMAND(d.vector2.x = huge, "vector2", NOT_FINITE);
    COMMAND(d.kind = (erg_command_kind)66, "kind", UNKNOWN);
    COMMAND((d.kind = ERG_COMMAND_REMOVE_GRAIN, d.grain = 5), "grain", UNKNOWN);
    CHECK(erg_world_add_grains(world, &grains, NULL, &err) == ERG_OK);
    CHECK(erg_world_step(world, 1, &err) == ERG_OK);
    BAD(erg_material_def, erg_material_def_default(), (void)d,
        erg_world_add_material(world, &d, NULL, &err), "", TOO_LATE);
    double room[3];
    BAD(int, 0, (void)d, erg_world_read(world, ERG_FIELD_POSITION, NULL, 1, room, &err), "",
        NO_FIT);
    close_world();
}

TEST(meshes_probes_and_files)
{
#define PRIMITIVE(kind, change, field, code)                                                       \
    BAD(erg_primitive, erg_primitive_default(ERG_PRIMITIVE_##kind), change,                        \
        erg_mesh_primitive(&d, &mesh, &err), field, code)
    erg_mesh *mesh = NULL;
    open_world();
    PRIMITIVE(BOX, d.size.y = 0, "size.y", OUT_OF_RANGE);
    PRIMITIVE(TUBE, d.thickness = 2, "thickness", OUT_OF_RANGE);
    PRIMITIVE(SPHERE, d.segments = 1, "segments", OUT_OF_RANGE);
    PRIMITIVE(BOX, d.kind = (erg_primitive_kind)31, "kind", UNKNOWN);
    size_t          vertices, triangles;
    const double   *xyz = erg_mesh_vertices(cube, &vertices);
    const uint32_t *corners = erg_mesh_triangles(cube, &triangles);
    BAD(erg_mesh_def, erg_mesh_def_default(), d.scale = -1,
        erg_mesh_create(xyz, vertices, corners, triangles, &d, &mesh, &err), "scale", OUT_OF_RANGE);
    BAD(erg_mesh_def, erg_mesh_def_default(), d.merge = none,
        erg_mesh_create(xyz, vertices, corners, triangles, &d, &mesh, &err), "merge", NOT_FINITE);
    BAD(int, 0, (void)d, erg_mesh_read("no/such.stl", NULL, &mesh, &err), "", NO_FILE);
    erg_probes   *probes = NULL;
    erg_probe_def two[2] = {erg_probe_def_default(), erg_probe_def_default()};
    two[0].name = two[1].name = "a";
    two[0].kind = two[1].kind = ERG_PROBE_CONTACTS;
    BAD(int, 0, (void)d, erg_probes_create(two, 2, world, &probes, &err), "[1].name", NAME_TAKEN);
    two[1].name = "b";
    two[1].kind = ERG_PROBE_FORCE;
    BAD(int, 0, (void)d, erg_probes_create(two, 2, world, &probes, &err), "[1].wall", UNKNOWN);
    erg_scene *scene = NULL;
    BAD(int, 0, (void)d, erg_scene_load("no/such.yaml", NULL, 0, &scene, &err), "", NO_FILE);
    close_world();
}

// ---- The error itself --------------------------------------------------------------------------
TEST(paths_are_joined)
{
    ergi_fail_within(&err, ergi_fail_at(&err, "radius", ERG_ERROR_OUT_OF_RANGE, "no"), "minus[%d]",
                     3);
    ergi_fail_within(&err, err.status, "region");
    CHECK_STR(err.field, "region.minus[3].radius");
    ergi_fail_within(&err, ergi_fail_code(&err, ERG_ERROR_CONFLICT, "no"), "spin");
    CHECK_STR(err.field, "spin");
    ergi_fail_within(&err, ergi_fail_at(&err, "[2].a", ERG_ERROR_CONFLICT, "no"), "keys");
    CHECK_STR(err.field, "keys[2].a");
    CHECK(ergi_fail_within(&err, ERG_OK, "other") == ERG_OK);
    CHECK_STR(err.field, "keys[2].a");
    // Memory is no fault of a definition.
    ergi_fail_within(&err, ergi_fail_memory(&err, 8, "it"), "spin");
    CHECK_STR(err.field, "");
    CHECK(err.code == ERG_ERROR_NO_MEMORY);
    CHECK(ergi_fail_within(NULL, ERG_BAD_INPUT, "spin") == ERG_BAD_INPUT);
    // A path that is too long is cut, and stays a string.
    char name[200];
    memset(name, 'a', sizeof name);
    name[199] = '\0';
    ergi_fail_at(&err, name, ERG_ERROR_CONFLICT, "no");
    for (int i = 0; i < 3; i++) ergi_fail_within(&err, ERG_BAD_INPUT, "minus[0]");
    CHECK(strlen(err.field) == sizeof err.field - 1);
    CHECK(strncmp(err.field, "minus[0].minus[0].minus[0].a", 28) == 0);
}

TEST(statuses_have_codes)
{
    static const struct {
        erg_status     status;
        erg_error_code code;
    } pairs[] = {{ERG_BAD_INPUT, ERG_ERROR_OTHER},
                 {ERG_NO_MEMORY, ERG_ERROR_NO_MEMORY},
                 {ERG_IO, ERG_ERROR_IO},
                 {ERG_BAD_PHYSICS, ERG_ERROR_BAD_PHYSICS},
                 {ERG_NOT_BUILT, ERG_ERROR_NOT_BUILT},
                 {ERG_CANCELLED, ERG_ERROR_CANCELLED}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ergi_fail_at(&err, "x", ERG_ERROR_NO_FIT, "before");
        CHECK(ergi_fail(&err, pairs[i].status, "now") == pairs[i].status);
        CHECK(err.code == pairs[i].code && err.field[0] == '\0');
        CHECK(ergi_fail_code(&err, pairs[i].code, "now") == pairs[i].status);
        CHECK(err.status == pairs[i].status);
    }
}

// ---- Scenes ------------------------------------------------------------------------------------
#define SAND "materials: {sand: {}}\ngrains: {grit: {radius: 1e-3, material: sand}}\n"

// From the third line on; `place` is what the message begins with.
typedef struct blamed {
    const char *text, *place, *field;
} blamed;

static void check_blamed(const blamed *b)
{
    erg_scene *scene = NULL;
    erg_world *made = NULL;
    char       text[1024];
    snprintf(text, sizeof text, SAND "%s", b->text);
    err = (erg_error){0};
    erg_status status = erg_scene_load_text(text, strlen(text), "s", NULL, 0, &scene, &err);
    if (status == ERG_OK) status = erg_scene_build(scene, NULL, NULL, &made, &err);
    CHECK(status == ERG_BAD_INPUT && err.code != ERG_ERROR_OTHER);
    char place[64];
    snprintf(place, sizeof place, "%.*s", (int)strcspn(err.text, " "), err.text);
    CHECK_STR(place, b->place);
    CHECK_STR(err.field, b->field);
    erg_world_destroy(made);
    erg_scene_destroy(scene);
}

TEST(scenes_name_the_line_and_column_of_the_key)
{
    static const blamed cases[] = {
        // Found by the checks of the definitions while the scene is read.
        {"walls:\n"
         "- {material: sand, plane: {}}\n"
         "- {material: sand, plane: {},\n"
         "   motion: [{velocity: [1, 0, 0]}, {user: true}, {servo: {force: 1, max_speed: 1}}]}\n",
         "s:6:50:", "walls.1.motion.2"},
        {"walls:\n"
         "- {material: sand, funnel: {outlet_radius: 2, top_radius: 1, height: 1}}\n",
         "s:4:59:", "walls.0.funnel.top_radius"},
        {"walls:\n"
         "- material: sand\n"
         "  box: {min: [0, 0, 0],\n"
         "        max: [1, 1, 0]}\n",
         "s:6:14:", "walls.0.box.max"},
        {"walls:\n"
         "- {material: sand, plane: {}, side: inside}\n",
         "s:4:37:", "walls.0.side"},
        {"walls:\n"
         "- {material: sand, plane: {}, rough: {spacing: 1, radius: 1}}\n",
         "s:4:48:", "walls.0.rough.spacing"},
        {"fill:\n"
         "- grain: grit\n"
         "  count: max\n"
         "  region:\n"
         "    box: {min: [0, 0, 0], max: [1, 1, 1]}\n"
         "    minus:\n"
         "    - sphere: {radius: 0.1}\n"
         "    - cone: {a: [0, 0, 0], b: [0, 0, 0], radius_a: 1, radius_b: 1}\n",
         "s:10:31:", "fill.0.region.minus.1.cone.b"},
        {"sinks:\n"
         "- region: {cylinder: {a: [0, 0, 0], b: [0, 0, 1], radius: 1, inner_radius: 2}}\n",
         "s:4:76:", "sinks.0.region.cylinder.inner_radius"},
        {"pairs: []\n"
         "bodies:\n"
         "- {material: sand, sphere: {radius: 1}, motion: [{user: true}, {user: true}]}\n",
         "s:5:64:", "bodies.0.motion.1"},
        // Found while the world is built.
        {"fill:\n"
         "- {grain: grit, count: 9, region: {sphere: {radius: 0.001}}}\n",
         "s:4:24:", "fill.0.count"},
        {"fill:\n"
         "- {grain: grit, count: max, region: {sphere: {radius: 5e-4}}}\n",
         "s:4:37:", "fill.0.region"},
        {"walls: [{name: a, material: sand, plane: {}}]\n"
         "bodies: [{name: a, material: sand, sphere: {radius: 1}}]\n",
         "s:4:17:", "bodies.0.name"},
        {"bodies:\n"
         "- {material: sand, tube: {radius: 1, height: 1,\n"
         "   thickness: 1}}\n",
         "s:5:15:", "bodies.0.tube.thickness"},
        {"walls:\n"
         "- {material: sand, mesh: {file: none.stl}}\n",
         "s:4:33:", "walls.0.mesh.file"},
        {"walls: [{material: sand, plane: {}}]\n"
         "bodies:\n"
         "- {material: sand, sphere: {radius: 1}, grid: {count: [2, 1, 1], spacing: [3, 1, 1]}}\n"
         "- {material: sand, box: {size: [1, 1, 1e-5]}, rounding: 0.3, position: [0, 0, 9]}\n",
         "s:6:57:", "bodies.1.rounding"},
        // Of the world as a whole.
        {"run: {integrator: rkf45}\n"
         "bodies: [{material: sand, sphere: {radius: 1}}]\n",
         "s:3:19:", "run.integrator"},
        {"run:\n"
         "  dt: 1\n",
         "s:4:7:", "run.dt"},
        {"contact: {normal: linear, contact_time: 1e-300}\n", "s:3:41:", "contact.contact_time"},
        {"domain:\n"
         "  bounds: [[0, 0, 0], [1e-3, 1, 1]]\n"
         "  periodic: [x]\n",
         "s:5:13:", "domain.periodic"},
        // Read, and refused by the tables.
        {"run: {time: -1}\n", "s:3:13:", "run.time"},
        {"run: {tiem: 1}\n", "s:3:7:", "run.tiem"},
        {"walls: [{material: sand, plane: {}}, {material: mud, plane: {}}]\n",
         "s:3:49:", "walls.1.material"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_blamed(&cases[i]);
}

TEST_MAIN(worlds, solvers_and_backends, materials_and_pairs, kinds_of_grains, walls, motions,
          bodies, ways_in_and_out, grains_and_commands, meshes_probes_and_files, paths_are_joined,
          statuses_have_codes, scenes_name_the_line_and_column_of_the_key)
