// labels: asan
// Coarse-grained fields: mass and momentum are conserved from grains to cells, and the stress in a
// bed carries its weight.
#include "run/coarse.h"
#include "scratch.h"
#include "world_helpers.h"

static const double SIDE = 0.02;

static erg_probe_def field(int nx, int ny, int nz, erg_kernel kernel)
{
    erg_probe_def def = erg_probe_def_default();
    def.name = "f";
    def.kind = ERG_PROBE_FIELD;
    def.every = 1;
    def.bounds[0] = (erg_vec3){0, 0, -0.008};
    def.bounds[1] = (erg_vec3){SIDE, SIDE, 0.032};
    def.cells[0] = nx;
    def.cells[1] = ny;
    def.cells[2] = nz;
    def.kernel = kernel;
    return def;
}

static erg_world *periodic_world(void)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.gravity.z = -9.81;
    def.lower = (erg_vec3){0, 0, -1};
    def.upper = (erg_vec3){SIDE, SIDE, 1};
    def.periodic_x = def.periodic_y = true;
    return new_world(&def);
}

// Poured onto a floor that has no sides, and at rest: what a layer bears is what lies on it.
static erg_world *bed(erg_shape shape)
{
    erg_world       *world = periodic_world();
    erg_material_def soft = erg_material_def_default();
    soft.young = 1e6;
    soft.restitution = 0.2;
    erg_id       sand = new_material(world, &soft);
    erg_wall_def wall = floor_def(sand);
    new_wall(world, &wall);
    erg_id kind = new_kind(world, shape, sand);
    fill_box(world, kind, shape == ERG_SHAPE_SPHERE ? 800 : 400, (erg_vec3){0, 0, 0},
             (erg_vec3){SIDE, SIDE, 0.08});
    run_until(world, 0.5);
    return world;
}

static double cell_volume(const ergi_coarse *c)
{
    return c->edge[0] * c->edge[1] * c->edge[2];
}

// Of one of the sums, over all cells.
static double total(const ergi_coarse *c, int which)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++) sum += c->sum[ERGI_COARSE_SUMS * i + (size_t)which];
    return sum * cell_volume(c);
}

static void take(const erg_world *world, const erg_probe_def *def, ergi_coarse *c)
{
    erg_error err;
    must(ergi_coarse_check(def, &err), &err);
    must(ergi_coarse_make(def, world, c, &err), &err);
    must(ergi_coarse_add(c, world, &err), &err);
}

// A cloud in flight across the periodic sides, its velocities at random.
static erg_world *cloud(void)
{
    erg_world  *world = periodic_world();
    erg_id      kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    ergi_random r = {.seed = 3};
    for (int i = 0; i < 180; i++) {
        double   jitter[3] = {ergi_random_uniform(&r), ergi_random_uniform(&r),
                              ergi_random_uniform(&r)};
        erg_vec3 x = {SIDE / 6 * (i % 6 + 0.3 * jitter[0]),
                      SIDE / 6 * (i / 6 % 6 + 0.3 * jitter[1]),
                      0.002 + 0.003 * (i / 36 + 0.3 * jitter[2])};
        erg_vec3 v = {ergi_random_uniform(&r), ergi_random_uniform(&r) - 0.3,
                      ergi_random_uniform(&r) - 0.5};
        new_grain(world, kind, x, v, (erg_vec3){0, 0, 0});
    }
    prepare(world);
    return world;
}

TEST(mass_momentum_and_motion_are_conserved)
{
    static const int grids[][3] = {{10, 10, 20}, {1, 1, 40}, {7, 1, 13}, {1, 1, 1}, {40, 3, 10}};

    erg_world *world = cloud();
    erg_stats  stats = stats_of(world);
    totals     all = totals_of(world);
    for (int kernel = ERG_KERNEL_LUCY; kernel <= ERG_KERNEL_CELL; kernel++)
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
            erg_probe_def def = field(grids[g][0], grids[g][1], grids[g][2], (erg_kernel)kernel);
            def.width = kernel == ERG_KERNEL_GAUSS ? 0.0025 : 0.006; // all ends within the bounds
            ergi_coarse c;
            take(world, &def, &c);
            CHECK_NEAR(total(&c, 0), stats.mass, 1e-9 * stats.mass);
            CHECK_NEAR(total(&c, 1), all.p.x, 1e-9 * stats.mass);
            CHECK_NEAR(total(&c, 2), all.p.y, 1e-9 * stats.mass);
            CHECK_NEAR(total(&c, 3), all.p.z, 1e-9 * stats.mass);
            CHECK_NEAR(total(&c, 4) + total(&c, 5) + total(&c, 6), 2 * stats.kinetic,
                       1e-9 * stats.kinetic);
            ergi_coarse_free(&c);
        }
    erg_world_destroy(world);
}

// sigma_zz of every layer against the weight of what lies above its middle, and of the whole at the
// floor, where the kernel's share below counts too.
TEST(a_bed_bears_its_weight)
{
    for (int shape = ERG_SHAPE_SPHERE; shape <= ERG_SHAPE_DIMER; shape++) {
        erg_world    *world = bed((erg_shape)shape);
        double        weight = stats_of(world).mass * 9.81 / (SIDE * SIDE); // on the floor [Pa]
        erg_probe_def def = field(1, 1, 40, ERG_KERNEL_LUCY);
        def.width = 0.003;
        ergi_coarse c;
        take(world, &def, &c);
        double above = 0, largest = 0;
        for (size_t i = c.count; i-- > 0;) {
            const double *sum = c.sum + ERGI_COARSE_SUMS * i;
            double        z = c.lower[2] + ((double)i + 0.5) * c.edge[2];
            double        layer = sum[0] * c.edge[2] * 9.81, stress = sum[12];
            if (z > 0.004) {
                largest = fmax(largest, fabs(stress + above + 0.5 * layer));
                CHECK(stress <= 0);
            }
            above += layer;
        }
        CHECK_NEAR(above, weight, 1e-6 * weight);
        CHECK(largest < 0.02 * weight);
        printf("    stress off by at most %.2g of the weight\n", largest / weight);
        ergi_coarse_free(&c);

        // Without smoothing: of a grain in the lowest cell, what is below its centre bears it.
        def = field(1, 1, 16, ERG_KERNEL_CELL);
        def.bounds[0].z = 0;
        take(world, &def, &c);
        static double z[3 * 800];
        double        expected = 0;
        size_t        n = erg_world_grain_count(world);
        CHECK(erg_world_read(world, ERG_FIELD_POSITION, NULL, n, z, NULL) == ERG_OK);
        for (size_t i = 0; i < n; i++)
            expected += weight / (double)n * fmin(z[3 * i + 2], c.edge[2]) / c.edge[2];
        CHECK_NEAR(-c.sum[12], expected, 0.01 * weight);
        ergi_coarse_free(&c);
        erg_world_destroy(world);
    }
}

// Half of the grains go up and half down at the same speed: no velocity, and a kinetic stress of
// rho v^2.
TEST(kinetic_stress_of_two_streams)
{
    erg_world     *world = periodic_world();
    erg_id         kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    const erg_vec3 zero = {0, 0, 0};
    for (int i = 0; i < 100; i++)
        new_grain(world, kind, (erg_vec3){0.002 * (i % 10), 0.002 * (i / 10), 0.01},
                  (erg_vec3){0, 0, i % 2 ? 2 : -2}, zero);
    prepare(world);
    erg_probe_def def = field(1, 1, 10, ERG_KERNEL_CELL);
    scratch       s;
    scratch_open(&s);
    erg_error   err = {0};
    const char *path = scratch_path(&s, "a.vti");
    REQUIRE(erg_probe_write_field(&def, world, path, &err) == ERG_OK);
    unsigned char *bytes;
    size_t         size;
    REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK);
    CHECK(strstr((char *)bytes, "<ImageData WholeExtent=\"0 1 0 1 0 10\"") != NULL);
    const double *data = NULL;
    for (size_t i = 0; i + 20 < size && !data; i++)
        if (memcmp(bytes + i, "<AppendedData encoding=\"raw\">", 29) == 0)
            data = (const double *)(const void *)(strchr((char *)bytes + i, '_') + 1);
    REQUIRE(data);
    double      density[10], velocity[30], contact[60], kinetic[60];
    const char *at = (const char *)data;
    memcpy(density, at + 8, sizeof density);
    memcpy(velocity, at + 16 + 80, sizeof velocity);
    memcpy(contact, at + 24 + 80 + 240, sizeof contact);
    memcpy(kinetic, at + 32 + 80 + 240 + 480, sizeof kinetic);
    double rho = stats_of(world).mass / (SIDE * SIDE * 0.004); // all in the cell of z = 0.01
    CHECK_NEAR(density[4], rho, 1e-9 * rho);
    CHECK_NEAR(velocity[14], 0, 1e-9);
    CHECK_NEAR(kinetic[6 * 4 + 2], -4 * rho, 1e-9 * rho);
    CHECK(density[3] == 0 && kinetic[6 * 3 + 2] == 0 && contact[6 * 4 + 2] == 0);
    free(bytes);
    scratch_close(&s);
    erg_world_destroy(world);
}

TEST(bad_grids_are_refused)
{
    erg_error     err = {0};
    erg_world    *world = cloud();
    erg_probe_def def = field(10, 10, 10, ERG_KERNEL_LUCY);
    CHECK(ergi_coarse_check(&def, &err) == ERG_OK);
    def.cells[1] = 0;
    CHECK(ergi_coarse_check(&def, &err) == ERG_BAD_INPUT);
    def.cells[1] = 1 << 22;
    CHECK(ergi_coarse_check(&def, &err) == ERG_BAD_INPUT && strstr(err.text, "at most"));
    def = field(0, 0, 0, ERG_KERNEL_LUCY);
    CHECK(ergi_coarse_check(&def, &err) == ERG_BAD_INPUT && strstr(err.text, "spacing"));
    def.spacing = 1e-12;
    CHECK(ergi_coarse_check(&def, &err) == ERG_BAD_INPUT);
    def.spacing = 0.0021;
    CHECK(ergi_coarse_check(&def, &err) == ERG_OK);
    ergi_coarse c;
    take(world, &def, &c);
    CHECK(c.cells[0] == 10 && c.cells[2] == 20);
    ergi_coarse_free(&c);
    def.width = 1; // spans hundreds of cells
    CHECK(ergi_coarse_check(&def, &err) == ERG_BAD_INPUT && strstr(err.text, "spans"));
    def = field(4, 4, 4, ERG_KERNEL_CELL); // which has no use for a width
    def.width = 1e300;
    take(world, &def, &c);
    CHECK(c.kernel == ERG_KERNEL_CELL);
    ergi_coarse_free(&c);
    def = field(4, 4, 4, ERG_KERNEL_LUCY);
    def.bounds[1].y = NAN;
    CHECK(ergi_coarse_check(&def, &err) == ERG_BAD_INPUT);
    def = field(4, 4, 4, ERG_KERNEL_LUCY);
    CHECK(erg_probe_write_field(&def, world, "a.vtp", &err) == ERG_BAD_INPUT);
    CHECK(erg_probe_write_field(NULL, world, "a.vti", &err) == ERG_BAD_INPUT);
    erg_world_destroy(world);
}

TEST_MAIN(mass_momentum_and_motion_are_conserved, a_bed_bears_its_weight,
          kinetic_stress_of_two_streams, bad_grids_are_refused)
