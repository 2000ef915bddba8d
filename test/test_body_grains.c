// Bodies and mesh walls in contact with grains: a mesh acts like the plane it represents, edges
// inside a plane have no effect, momentum is conserved, and results depend neither on threads nor
// on a checkpoint.
// labels: asan clang
#include "body_helpers.h"
#include "dem/dem.h"
#include "scratch.h"

// A square of side 2 in z = 0, cut into n by n squares of two triangles each; not closed.
static erg_mesh *new_sheet(int n)
{
    size_t    vertices = (size_t)((n + 1) * (n + 1)), triangles = (size_t)(2 * n * n);
    double   *xyz = malloc(3 * vertices * sizeof *xyz);
    uint32_t *corner = malloc(3 * triangles * sizeof *corner), *c = corner;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= n; k++) {
            double *p = xyz + 3 * (i * (n + 1) + k);
            p[0] = -1 + 2.0 * i / n;
            p[1] = -1 + 2.0 * k / n;
            p[2] = 0;
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            uint32_t       a = (uint32_t)(i * (n + 1) + k), b = a + (uint32_t)n + 1;
            const uint32_t two[6] = {a, b, b + 1, a, b + 1, a + 1};
            for (int j = 0; j < 6; j++) *c++ = two[j];
        }
    erg_mesh *mesh = NULL;
    erg_error err;
    must(erg_mesh_create(xyz, vertices, corner, triangles, NULL, &mesh, &err), &err);
    free(xyz);
    free(corner);
    return mesh;
}

// ---- Planes ------------------------------------------------------------------------------------
typedef struct flight {
    erg_vec3 position, velocity, spin;
} flight;

// A sphere thrown at the floor, and where it is 0.2 s later: bounced, or sliding and rolling.
static flight throw_at(erg_mesh *mesh, erg_precision precision, erg_vec3 velocity, double height,
                       double gravity)
{
    erg_world_def def = space_def(precision);
    def.gravity.z = -gravity;
    def.dt = 1e-5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.65, 0.3);
    erg_id       kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_wall_def wall = floor_def(sand);
    if (mesh) {
        wall = erg_wall_def_default(ERG_WALL_MESH);
        wall.material = sand;
        wall.mesh.mesh = mesh;
    }
    new_wall(world, &wall);
    double     radius = erg_grain_def_default().sizes.radius;
    erg_vec3   at = {-0.1031, -0.0517, radius + height};
    erg_gid    id;
    erg_error  err;
    erg_grains one = {.kind = kind, .count = 1, .position = &at, .velocity = &velocity};
    must(erg_world_add_grains(world, &one, &id, &err), &err);
    must(erg_world_run(world, 0.2, NULL, NULL, &err), &err);
    flight f;
    must(erg_world_read(world, ERG_FIELD_POSITION, &id, 1, &f.position, &err), &err);
    must(erg_world_read(world, ERG_FIELD_VELOCITY, &id, 1, &f.velocity, &err), &err);
    must(erg_world_read(world, ERG_FIELD_SPIN, &id, 1, &f.spin, &err), &err);
    erg_world_destroy(world);
    return f;
}

static void check_same_flight(flight a, flight b, double share)
{
    CHECK(ergi_distance(a.velocity, b.velocity) < share * ergi_norm(a.velocity));
    CHECK(ergi_distance(a.spin, b.spin) < share * ergi_norm(a.spin));
    CHECK(ergi_distance(a.position, b.position) < share * 0.2 * ergi_norm(a.velocity));
}

TEST(a_mesh_plane_bounces_as_the_plane_does)
{
    erg_mesh *sheet = new_sheet(36);
    erg_vec3  v = {0.4, 0.3, -0.8};
    check_same_flight(throw_at(NULL, ERG_DOUBLE, v, 1e-3, 0),
                      throw_at(sheet, ERG_DOUBLE, v, 1e-3, 0), 1e-3);
    check_same_flight(throw_at(NULL, ERG_FLOAT, v, 1e-3, 0), throw_at(sheet, ERG_FLOAT, v, 1e-3, 0),
                      1e-3);
    erg_mesh_destroy(sheet);
}

// Over two dozen edges, first sliding, then rolling.
TEST(a_sphere_on_coplanar_triangles_feels_no_edges)
{
    erg_mesh *fine = new_sheet(150), *coarse = new_sheet(2);
    erg_vec3  v = {0.5, 0.21, 0};
    flight    plane = throw_at(NULL, ERG_DOUBLE, v, -1e-6, 9.81);
    check_same_flight(plane, throw_at(fine, ERG_DOUBLE, v, -1e-6, 9.81), 1e-3);
    check_same_flight(plane, throw_at(coarse, ERG_DOUBLE, v, -1e-6, 9.81), 1e-3);
    CHECK(fabs(plane.velocity.z) < 1e-4);
    erg_mesh_destroy(fine);
    erg_mesh_destroy(coarse);
}

// ---- Two-way coupling --------------------------------------------------------------------------
// Sand above a body, from height `low` on, that falls upon it.
static erg_world *new_cloud(int threads, erg_mesh *mesh, erg_body_contact contact, double low,
                            erg_precision precision, erg_id *id)
{
    erg_world_def def = space_def(precision);
    def.threads = threads;
    def.fixed_threads = true;
    erg_world *world = new_world(&def);
    erg_id    sand = new_sand(world, 0.5, 0.5), kind = new_kind(world, ERG_SHAPE_TETRAHEDRON, sand);
    erg_error err;
    fill_box(world, kind, 400, ergi_vec3(-0.05, -0.05, low), ergi_vec3(0.05, 0.05, low + 0.09));
    size_t       n = erg_world_grain_count(world);
    erg_gid     *ids = malloc(n * sizeof *ids);
    erg_vec3    *v = malloc(n * sizeof *v);
    erg_body_def body = erg_body_def_default();
    for (size_t k = 0; k < n; k++) v[k] = ergi_vec3(0, 0, -1);
    must(erg_world_read(world, ERG_FIELD_ID, NULL, n, ids, &err), &err);
    must(erg_world_write(world, ERG_FIELD_VELOCITY, ids, n, v, &err), &err);
    body.material = sand;
    body.mesh = mesh;
    body.contact = contact;
    if (contact == ERG_BODY_SPHERES) body.sphere_radius = 0.003;
    body.spin = ergi_vec3(3, 1, 2);
    *id = new_body(world, &body);
    free(ids);
    free(v);
    return world;
}

typedef struct momentum {
    erg_vec3 linear, angular; // about the origin
    double   scale;           // sum of |m v|
} momentum;

static momentum momentum_of(const erg_world *world, erg_id body)
{
    momentum      sum = {0};
    ergi_type     real = ergi_world_real(world);
    const double *x = ERGI_GRAIN(world, POSITION, double);
    for (size_t i = 0; i < world->grains.rows; i++) {
        double v[3], w[3], mass = ergi_grain_mass(world, (erg_index)i), inertia[3];
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_VELOCITY, v);
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_SPIN, w);
        ergi_grain_inertia(world, (erg_index)i, inertia); // the same about all axes
        erg_vec3 p = ergi_scale(ergi_vec3(v[0], v[1], v[2]), mass);
        erg_vec3 l = ergi_cross(ergi_vec3(x[4 * i], x[4 * i + 1], x[4 * i + 2]), p);
        sum.linear = ergi_add(sum.linear, p);
        sum.angular = ergi_add(sum.angular, ergi_madd(l, inertia[0], ergi_vec3(w[0], w[1], w[2])));
        sum.scale += ergi_norm(p);
    }
    erg_body_state s = state_of(world, body);
    erg_vec3       p = ergi_scale(s.velocity, s.mass);
    sum.linear = ergi_add(sum.linear, p);
    sum.angular = ergi_add(sum.angular, ergi_cross(s.centre, p));
    sum.angular = ergi_add(sum.angular, world->wall_state[body - 1].motion.angular_momentum);
    return sum;
}

static void check_momentum(erg_mesh *box, erg_body_contact contact, erg_precision precision)
{
    erg_id     id;
    erg_error  err;
    erg_world *world = new_cloud(1, box, contact, 0.03, precision, &id);
    must(erg_world_prepare(world, &err), &err);
    momentum before = momentum_of(world, id);
    must(erg_world_run(world, 0.08, NULL, NULL, &err), &err);
    momentum after = momentum_of(world, id);
    // Velocities are rounded once or twice a step, each to half a unit in the last place;
    // errors of n roundings that know nothing of each other add up like sqrt(n).
    double unit = precision == ERG_FLOAT ? 6e-8 : 1.1e-16;
    double bound = unit * sqrt(2.0 * (double)erg_world_steps(world)) * before.scale * 4;
    CHECK(ergi_norm(state_of(world, id).velocity) > 0.01); // sand has pushed it
    CHECK_NEAR(ergi_distance(after.linear, before.linear), 0, bound);
    CHECK_NEAR(ergi_distance(after.angular, before.angular), 0, 0.1 * bound);
    erg_world_destroy(world);
}

TEST(body_and_sand_keep_their_momentum)
{
    erg_mesh *box = new_box(0.08, 0.06, 0.04);
    for (int contact = ERG_BODY_EXACT; contact <= ERG_BODY_SPHERES; contact++)
        for (int precision = ERG_FLOAT; precision <= ERG_DOUBLE; precision++)
            check_momentum(box, (erg_body_contact)contact, (erg_precision)precision);
    erg_mesh_destroy(box);
}

// A heavy grain on a light body: both bounce as two balls of their masses do.
TEST(a_grain_and_a_free_body_bounce_by_their_masses)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    shape.radius = 0.01;
    shape.segments = 256;
    erg_mesh     *ball = new_shape(shape);
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt_factor = 0.02;
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.65, 0);
    erg_grain_def kind = erg_grain_def_default();
    erg_id        kind_id, body_id;
    erg_error     err;
    kind.material = sand;
    kind.sizes.radius = 0.01;
    must(erg_world_add_grain_kind(world, &kind, &kind_id, &err), &err);
    erg_body_def body = erg_body_def_default();
    body.material = sand;
    body.mesh = ball;
    body.mass = 0.004;
    body_id = new_body(world, &body);
    erg_vec3   at = {0.021, 0, 0}, v = {-1, 0, 0};
    erg_gid    id;
    erg_grains one = {.kind = kind_id, .count = 1, .position = &at, .velocity = &v};
    must(erg_world_add_grains(world, &one, &id, &err), &err);
    must(erg_world_run(world, 0.01, NULL, NULL, &err), &err);
    must(erg_world_read(world, ERG_FIELD_VELOCITY, &id, 1, &v, &err), &err);
    double apart = v.x - state_of(world, body_id).velocity.x;
    CHECK_NEAR(apart, 0.65, 0.01);
    erg_world_destroy(world);
    erg_mesh_destroy(ball);
}

// A grain falls on the flat side of a fixed box: how fast it leaves.
static double bounce_on(erg_mesh *box, double sphere_radius)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt_factor = 0.02;
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.65, 0);
    erg_grain_def kind = erg_grain_def_default();
    erg_id        kind_id;
    erg_error     err;
    kind.material = sand;
    kind.sizes.radius = 0.02;
    must(erg_world_add_grain_kind(world, &kind, &kind_id, &err), &err);
    erg_body_def body = erg_body_def_default();
    body.material = sand;
    body.mesh = box;
    body.free = false;
    body.contact = ERG_BODY_SPHERES;
    body.sphere_radius = sphere_radius;
    new_body(world, &body);
    erg_vec3   at = {0.003, 0.002, 0.05 + 0.021}, v = {0, 0, -1};
    erg_gid    id;
    erg_grains one = {.kind = kind_id, .count = 1, .position = &at, .velocity = &v};
    must(erg_world_add_grains(world, &one, &id, &err), &err);
    must(erg_world_run(world, 0.02, NULL, NULL, &err), &err);
    must(erg_world_read(world, ERG_FIELD_VELOCITY, &id, 1, &v, &err), &err);
    erg_world_destroy(world);
    return ergi_norm(v);
}

TEST(the_bounce_on_surface_spheres_does_not_depend_on_how_many_touch)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    shape.size = ergi_vec3(0.1, 0.1, 0.1);
    erg_mesh *box = new_shape(shape);
    CHECK_NEAR(bounce_on(box, 0.02), 0.65, 0.03);
    CHECK_NEAR(bounce_on(box, 0.005), 0.65, 0.03);
    CHECK_NEAR(bounce_on(box, 0.003), 0.65, 0.03);
    erg_mesh_destroy(box);
}

// ---- Bits --------------------------------------------------------------------------------------
static void check_bits(erg_mesh *ring, erg_body_contact contact)
{
    scratch    folder;
    erg_id     id;
    erg_error  err;
    erg_world *one = new_cloud(1, ring, contact, 0.01, ERG_FLOAT, &id),
              *two = new_cloud(2, ring, contact, 0.01, ERG_FLOAT, &id),
              *again = new_cloud(1, ring, contact, 0.01, ERG_FLOAT, &id);
    must(erg_world_step(one, 300, &err), &err);
    must(erg_world_step(two, 300, &err), &err);
    CHECK(ergi_norm(state_of(one, id).force) > 0);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "ring.h5");
    erg_status  saved = erg_world_save(one, path, NULL, NULL, &err);
    if (saved != ERG_NOT_BUILT) {
        must(saved, &err);
        must(erg_world_load(again, path, &err), &err);
        CHECK(erg_world_hash(again) == erg_world_hash(one));
        must(erg_world_step(one, 100, &err), &err);
        must(erg_world_step(again, 100, &err), &err);
        CHECK(erg_world_hash(again) == erg_world_hash(one));
    }
    scratch_close(&folder);
    erg_world_destroy(one);
    erg_world_destroy(two);
    erg_world_destroy(again);
}

TEST(bits_do_not_depend_on_threads_or_checkpoints)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    shape.radius = 0.03;
    shape.thickness = 0.015;
    erg_mesh *ring = new_shape(shape);
    check_bits(ring, ERG_BODY_EXACT);
    check_bits(ring, ERG_BODY_SPHERES);
    erg_mesh_destroy(ring);
}

// Two boxes, single grains and a floor: the memory of contacts between bodies is in it.
TEST(bits_of_bodies_on_each_other_do_not_depend_on_threads_or_checkpoints)
{
    scratch       folder;
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    shape.size = ergi_vec3(0.05, 0.05, 0.05);
    erg_mesh  *box = new_shape(shape);
    erg_world *world[3];
    erg_error  err;
    for (int k = 0; k < 3; k++) {
        erg_world_def def = erg_world_def_default();
        def.threads = 1 + k % 2;
        def.fixed_threads = true;
        def.energy = true;
        world[k] = new_world(&def);
        erg_id       sand = new_sand(world[k], 0.5, 0.5);
        erg_id       kind = new_kind(world[k], ERG_SHAPE_SPHERE, sand);
        erg_wall_def floor = floor_def(sand);
        erg_body_def body = erg_body_def_default();
        new_wall(world[k], &floor);
        body.material = sand;
        body.mesh = box;
        for (int b = 0; b < 2; b++) {
            body.position = ergi_vec3(0.005 * b, 0, 0.0251 + 0.0502 * b);
            new_body(world[k], &body);
        }
        fill_box(world[k], kind, 200, ergi_vec3(-0.03, -0.03, 0.105), ergi_vec3(0.03, 0.03, 0.12));
    }
    must(erg_world_step(world[0], 1500, &err), &err);
    must(erg_world_step(world[1], 1500, &err), &err);
    CHECK(ergi_dem_of(world[0])->body_contacts.rows > 0);
    CHECK(erg_world_hash(world[0]) == erg_world_hash(world[1]));
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "boxes.h5");
    erg_status  saved = erg_world_save(world[0], path, NULL, NULL, &err);
    if (saved != ERG_NOT_BUILT) {
        erg_stats a, b;
        must(saved, &err);
        must(erg_world_load(world[2], path, &err), &err);
        must(erg_world_stats(world[0], &a, &err), &err);
        must(erg_world_stats(world[2], &b, &err), &err);
        CHECK(a.elastic == b.elastic && a.dissipated == b.dissipated && a.kinetic == b.kinetic);
        must(erg_world_step(world[0], 500, &err), &err);
        must(erg_world_step(world[2], 500, &err), &err);
        CHECK(erg_world_hash(world[2]) == erg_world_hash(world[0]));
    }
    scratch_close(&folder);
    for (int k = 0; k < 3; k++) erg_world_destroy(world[k]);
    erg_mesh_destroy(box);
}

TEST_MAIN(a_mesh_plane_bounces_as_the_plane_does, a_sphere_on_coplanar_triangles_feels_no_edges,
          body_and_sand_keep_their_momentum, a_grain_and_a_free_body_bounce_by_their_masses,
          the_bounce_on_surface_spheres_does_not_depend_on_how_many_touch,
          bits_do_not_depend_on_threads_or_checkpoints,
          bits_of_bodies_on_each_other_do_not_depend_on_threads_or_checkpoints)
