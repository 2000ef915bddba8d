// Bodies that are represented by spheres (contact: spheres), with any number of touching grains.
// labels: asan clang
#include "body_helpers.h"

#define TIME 1e-3 // of a contact of the linear law [s]

static erg_world_def linear_def(void)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.contact.normal = ERG_NORMAL_LINEAR;
    def.contact.tangential = ERG_TANGENTIAL_SPRING;
    def.contact.contact_time = TIME;
    return def;
}

// A grain of 20 mm on top of a fixed box of 50 mm that is covered by spheres.
typedef struct perch {
    erg_world *world;
    erg_mesh  *box;
    erg_id     body;
    erg_gid    grain;
    double     mass; // of the grain [kg]
} perch;

static perch new_perch(const erg_world_def *def, const erg_material_def *material,
                       double sphere_radius, erg_vec3 at, erg_vec3 spin)
{
    perch         p = {.world = new_world(def), .box = new_box(0.05, 0.05, 0.05)};
    erg_id        sand = new_material(p.world, material), kind;
    erg_grain_def grain = erg_grain_def_default();
    erg_body_def  body = erg_body_def_default();
    erg_error     err;
    grain.material = sand;
    grain.sizes.radius = 0.02;
    must(erg_world_add_grain_kind(p.world, &grain, &kind, &err), &err);
    body.material = sand;
    body.mesh = p.box;
    body.free = false;
    body.contact = ERG_BODY_SPHERES;
    body.sphere_radius = sphere_radius;
    p.body = new_body(p.world, &body);
    p.grain = new_grain(p.world, kind, at, ergi_vec3(0, 0, 0), spin);
    p.mass = material->density * 4 / 3.0 * ERGI_PI * pow(grain.sizes.radius, 3);
    return p;
}

static void drop_perch(perch *p)
{
    erg_world_destroy(p->world);
    erg_mesh_destroy(p->box);
}

// ---- Cohesion ----------------------------------------------------------------------------------
// Of a grain that overlaps at rest, downwards on the box; and whether several spheres touch.
static double load_on_spheres(double sphere_radius, double cohesion)
{
    erg_world_def    def = linear_def();
    erg_material_def sand = erg_material_def_default();
    sand.cohesion = cohesion;
    perch p =
        new_perch(&def, &sand, sphere_radius, ergi_vec3(0.003, 0.002, 0.0443), ergi_vec3(0, 0, 0));
    prepare(p.world);
    double load = -state_of(p.world, p.body).force.z;
    CHECK(stats_of(p.world).wall_contacts > 1);
    drop_perch(&p);
    return load;
}

// The linear law's push and the pull of cohesion both grow with the depth: their ratio does not
// depend on how many spheres share it.
TEST(cohesion_is_shared_by_the_spheres_that_touch)
{
    erg_material_def sand = erg_material_def_default();
    double           log_e = log(sand.restitution), k = 1e4;
    double           mass = sand.density * 4 / 3.0 * ERGI_PI * pow(0.02, 3);
    double           kn = mass * (log_e * log_e + ERGI_PI * ERGI_PI) / (TIME * TIME);
    for (int n = 0; n < 2; n++) {
        double radius = n ? 0.0025 : 0.003, push = load_on_spheres(radius, 0);
        double pull = push - load_on_spheres(radius, k);
        double r_star = 1 / (1 / 0.02 + 1 / radius);
        CHECK_NEAR(pull / push * kn, k * 2 * ERGI_PI * r_star, 1e-9 * k * r_star);
    }
}

// ---- Energy ------------------------------------------------------------------------------------
// Pressed down, stuck, and turning back and forth without damping: what the springs along the
// surface hold and what moves add up. Spheres that push in different directions do not quite share
// one potential; what this gives when it turns one way is taken when it turns the other.
TEST(energy_on_spheres_adds_up)
{
    erg_world_def    def = linear_def();
    erg_material_def sand = erg_material_def_default();
    erg_vec3         start = {0.003, 0.002, 0.045}, spin = {0, 0, 0.1};
    def.gravity.z = -3000; // so that several spheres touch
    sand.friction = 0;     // it comes to rest in a hollow, no spring is stretched
    sand.restitution = 0.1;
    def.contact.contact_time = TIME * sqrt(1 + pow(log(sand.restitution) / ERGI_PI, 2)); // same kn
    perch p = new_perch(&def, &sand, 0.003, start, ergi_vec3(0, 0, 0));
    run_to(p.world, 1500 * TIME);
    start = read3(p.world, ERG_FIELD_POSITION, p.grain);
    CHECK(stats_of(p.world).wall_contacts > 2);
    CHECK(ergi_norm(read3(p.world, ERG_FIELD_VELOCITY, p.grain)) < 1e-9);
    drop_perch(&p);

    def.contact.contact_time = TIME;
    sand.restitution = 1;
    sand.friction = 100;
    perch  side[2] = {new_perch(&def, &sand, 0.003, start, spin),
                      new_perch(&def, &sand, 0.003, start, ergi_scale(spin, -1))};
    double kinetic = 0.2 * side[0].mass * 4e-4 * spin.z * spin.z, before = 0, worst = 0, least = 1;
    for (int k = 0; k <= 300; k++) {
        double moving = 0, energy = 0;
        for (int i = 0; i < 2; i++) {
            if (k == 0)
                prepare(side[i].world);
            else
                step(side[i].world, 1);
            erg_stats s = stats_of(side[i].world);
            moving += 0.5 * (s.kinetic + s.rotational) / kinetic;
            energy += 0.5 * energy_of(side[i].world);
        }
        if (k == 0) before = energy;
        worst = fmax(worst, fabs(energy - before) / kinetic);
        least = fmin(least, moving);
    }
    CHECK(worst < 1e-3);
    CHECK(least < 0.5);
    drop_perch(&side[0]);
    drop_perch(&side[1]);
}

// ---- Friction ----------------------------------------------------------------------------------
// A grain of eight spheres on a plate that is drawn away under it goes with the plate.
TEST(a_grain_goes_with_the_spheres_that_it_lies_on)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.5), kind = new_kind(world, ERG_SHAPE_CUBE, sand);
    erg_mesh    *plate = new_box(0.1, 0.05, 0.02);
    erg_body_def body = erg_body_def_default();
    erg_vec3     none = {0, 0, 0};
    body.material = sand;
    body.mesh = plate;
    body.free = false;
    body.contact = ERG_BODY_SPHERES;
    body.sphere_radius = 0.003;
    body.position.z = -0.01;
    body.motion[0].velocity.x = 0.1;
    body.motion_count = 1;
    new_body(world, &body);
    erg_gid id = new_grain(world, kind, ergi_vec3(0.01, 0.003, 0.004), none, none);
    run_until(world, 0.4);
    erg_vec3 at = read3(world, ERG_FIELD_POSITION, id), v = read3(world, ERG_FIELD_VELOCITY, id);
    run_until(world, 0.5);
    erg_vec3 way = ergi_sub(read3(world, ERG_FIELD_POSITION, id), at);
    CHECK(ergi_distance(v, ergi_vec3(0.1, 0, 0)) < 1e-4);
    CHECK(ergi_distance(way, ergi_vec3(0.01, 0, 0)) < 1e-5);
    erg_world_destroy(world);
    erg_mesh_destroy(plate);
}

TEST_MAIN(a_grain_goes_with_the_spheres_that_it_lies_on,
          cohesion_is_shared_by_the_spheres_that_touch, energy_on_spheres_adds_up)
