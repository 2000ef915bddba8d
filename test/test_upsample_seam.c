// labels: asan hdf5
// Fine particles at the edges: periodic bounds, short periods, emitters far away, large new grains,
// regions, and forged positions in a checkpoint.
#include "erg/upsample.h"
#include "io/container.h"
#include "scratch.h"
#include "upsample/upsample.h"
#include "world_helpers.h"

static const double R = 2e-3;

static erg_id soft_sand(erg_world *world)
{
    erg_material_def m = erg_material_def_default();
    m.young = 1e7;
    return new_material(world, &m);
}

static erg_id kind_of_radius(erg_world *world, erg_id material, double radius)
{
    return new_mixed_kind(world, ERG_SHAPE_SPHERE, material, radius, radius);
}

static void upsample(erg_world *world, const erg_region *region, double ratio)
{
    erg_upsample_def def = erg_upsample_def_default();
    erg_error        err;
    def.ratio = ratio;
    def.start = 0;
    def.region = region;
    must(erg_world_set_upsample(world, &def, &err), &err);
}

static erg_fine_view view_of(const erg_world *world)
{
    erg_fine_view v;
    erg_error     err;
    must(erg_world_view_fine(world, &v, &err), &err);
    return v;
}

// ---- Periods -----------------------------------------------------------------------------------
enum { GRAINS = 12, IMAGES = 3, FINE = 500 };

// Grains in a period of 5 radii give the same velocities as the same grains repeated by hand.
TEST(all_images_of_a_short_period_count)
{
    double          period = 5 * R, position[4 * GRAINS], many[4 * GRAINS * (2 * IMAGES + 1)];
    float           speed[3 * GRAINS], many_speed[3 * GRAINS * (2 * IMAGES + 1)];
    ergi_fine_frame short_one = {.step = {period / 4294967296.0, 1e-9, 1e-9},
                                 .periodic = {1, 0, 0}};
    ergi_fine_frame long_one = {.step = {1e-9, 1e-9, 1e-9}};
    ergi_random     r = {.seed = 3};
    size_t          n = 0;
    for (size_t i = 0; i < GRAINS; i++) {
        position[4 * i] = ergi_random_range(&r, 0, period);
        for (size_t a = 1; a < 3; a++) position[4 * i + a] = ergi_random_range(&r, 0, 4 * R);
        position[4 * i + 3] = R;
        for (size_t a = 0; a < 3; a++) speed[3 * i + a] = (float)ergi_random_range(&r, -1, 1);
        for (int k = -IMAGES; k <= IMAGES; k++, n++) {
            memcpy(many + 4 * n, position + 4 * i, 4 * sizeof *many);
            many[4 * n] += k * period;
            memcpy(many_speed + 3 * n, speed + 3 * i, 3 * sizeof *speed);
        }
    }
    uint32_t          place[2][3][FINE];
    float             velocity[2][3][FINE] = {0};
    ergi_fine_columns fine[2] = {{.count = FINE}, {.count = FINE}};
    for (size_t i = 0; i < FINE; i++)
        for (int a = 0; a < 3; a++) {
            double x = a ? ergi_random_range(&r, -2 * R, 6 * R) : ergi_random_range(&r, 0, period);
            (void)ergi_fine_to_fixed(&short_one, a, x, &place[0][a][i]);
            (void)ergi_fine_to_fixed(&long_one, a, x, &place[1][a][i]);
        }
    for (int k = 0; k < 2; k++) {
        ergi_coarse_spheres grains = {k ? many : position, k ? many_speed : speed, k ? n : GRAINS};
        ergi_fine_law       law = {1.0f / ERGI_FINE_RATE, {0, 0, -9.81f}, 0.536f, 0.6f};
        ergi_fine_scratch   memory = {0};
        ergi_threads        team = {.count = 1};
        erg_error           err;
        for (int a = 0; a < 3; a++) {
            fine[k].place[a] = place[k][a];
            fine[k].velocity[a] = velocity[k][a];
        }
        must(ergi_fine_step(&fine[k], k ? &long_one : &short_one, &grains, NULL, &law,
                            ergi_fine_kernels_for(NULL), &team, &memory, &err),
             &err);
        ergi_fine_scratch_free(&memory);
    }
    double worst = 0;
    for (int a = 0; a < 3; a++)
        for (size_t i = 0; i < FINE; i++)
            worst = fmax(worst, fabs((double)velocity[0][a][i] - (double)velocity[1][a][i]));
    CHECK_NEAR(worst, 0, 1e-5);
}

// A periodic bed of grains on a cubic lattice has as many particles at the bounds as inside.
TEST(seeds_are_not_denser_at_periodic_bounds)
{
    enum { SIDE = 6 };
    erg_world_def def = erg_world_def_default();
    def.threads = 2;
    def.fixed_threads = true;
    def.gravity = (erg_vec3){0};
    def.periodic_x = def.periodic_y = true;
    def.lower = (erg_vec3){0, 0, 0};
    def.upper = (erg_vec3){2.1 * R * SIDE, 2.1 * R * SIDE, 1};
    erg_world *world = new_world(&def);
    erg_id     kind = kind_of_radius(world, soft_sand(world), R);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        new_grain(world, kind,
                  (erg_vec3){2.1 * R * (i % SIDE), 2.1 * R * (i / SIDE % SIDE),
                             0.1 + 2.1 * R * (i / SIDE / SIDE)},
                  (erg_vec3){0}, (erg_vec3){0});
    upsample(world, NULL, 0.25);
    run_until(world, 0.02);
    erg_fine_view v = view_of(world);
    double        wide = def.upper.x, near = 0, far = 0;
    for (size_t k = 0; k < v.count; k++) {
        erg_vec3 p = erg_fine_position(&v, k);
        double   x = p.x - wide * floor(p.x / wide);
        near += x < 0.5 * R || x > wide - 0.5 * R;
        far += fabs(x - 2.1 * R * (SIDE / 2)) < 0.5 * R;
    }
    CHECK(v.count > 10000 && far > 500);
    CHECK_NEAR(near / far, 1, 0.08);
    erg_world_destroy(world);
}

// ---- New grains --------------------------------------------------------------------------------
TEST(an_emitter_far_from_the_grains_brings_all_its_particles)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.gravity = (erg_vec3){0};
    erg_world *world = new_world(&def);
    erg_id     kind = kind_of_radius(world, soft_sand(world), R);
    new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0}, (erg_vec3){0});
    erg_emitter_def pour = erg_emitter_def_default();
    erg_error       err;
    pour.grain = kind;
    pour.rate = 200;
    pour.limit = 10;
    pour.region = box_region((erg_vec3){5, 0, 0}, (erg_vec3){5.02, 0.02, 0.02});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    upsample(world, NULL, 0.5);
    run_until(world, 0.1);
    erg_fine_stats s;
    must(erg_world_fine_stats(world, &s, &err), &err);
    CHECK(erg_world_grain_count(world) == 11);
    CHECK(s.lost == 0 && erg_world_fine_count(world) >= 80);
    erg_world_destroy(world);
}

// 64,000 particles in one grain: comparing each with all others would take minutes.
TEST(a_large_new_grain_is_seeded_in_a_moment)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.gravity = (erg_vec3){0};
    erg_world *world = new_world(&def);
    erg_id     sand = soft_sand(world), small = kind_of_radius(world, sand, R);
    erg_id     large = kind_of_radius(world, sand, 10 * R);
    new_grain(world, small, (erg_vec3){0, 0, 0}, (erg_vec3){0}, (erg_vec3){0});
    erg_emitter_def pour = erg_emitter_def_default();
    erg_error       err;
    pour.grain = large;
    pour.rate = 100;
    pour.limit = 1;
    pour.start = 0.03;
    pour.region = box_region((erg_vec3){0.1, 0.1, 0.1}, (erg_vec3){0.2, 0.2, 0.2});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    upsample(world, NULL, 0.25);
    run_until(world, 0.06);
    CHECK(erg_world_grain_count(world) == 2);
    CHECK_NEAR((double)erg_world_fine_count(world), 64064, 5);
    erg_world_destroy(world);
}

TEST(grains_in_the_region_get_particles)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.gravity = (erg_vec3){0};
    erg_world *world = new_world(&def);
    erg_id     kind = kind_of_radius(world, soft_sand(world), R);
    new_grain(world, kind, (erg_vec3){0.1 * R, 0, 0}, (erg_vec3){0}, (erg_vec3){0});
    new_grain(world, kind, (erg_vec3){-3 * R, 0, 0}, (erg_vec3){0}, (erg_vec3){0});
    erg_region half = box_region((erg_vec3){0, -1, -1}, (erg_vec3){1, 1, 1});
    upsample(world, &half, 0.2);
    run_until(world, 0.02);
    erg_fine_view v = view_of(world);
    size_t        outside = 0, of_other = 0;
    for (size_t k = 0; k < v.count; k++) {
        outside += erg_fine_position(&v, k).x < 0;
        of_other += erg_fine_position(&v, k).x < -1.3 * R;
    }
    CHECK(v.count == 125 && outside > 30 && of_other == 0);
    erg_world_destroy(world);
}

// ---- Checkpoints -------------------------------------------------------------------------------
static void forge_clock(const ergi_container *whole, const char *path, int axis, double step,
                        double origin)
{
    size_t                     count = 0;
    const ergi_container_item *original = ergi_container_items(whole, &count);
    ergi_container_item       *item = malloc(count * sizeof *item);
    ergi_upsample_clock        clock;
    erg_error                  err;
    REQUIRE(item != NULL);
    for (size_t k = 0; k < count; k++) {
        item[k] = original[k];
        if (strcmp(item[k].name, "upsample/clock") != 0) continue;
        memcpy(&clock, item[k].data, sizeof clock);
        clock.lattice.step[axis] = step;
        clock.lattice.origin[axis] = origin;
        item[k].data = &clock;
    }
    must(ergi_container_write(path, item, count, NULL, &err), &err);
    free(item);
}

static erg_world *one_grain(void)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world *world = new_world(&def);
    erg_id     kind = kind_of_radius(world, soft_sand(world), R);
    new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0}, (erg_vec3){0});
    upsample(world, NULL, 0.5);
    return world;
}

TEST(positions_that_no_number_can_hold_are_refused)
{
    static const double bad[][2] = {{1e-300, 0}, {1e300, 0}, {1e-9, 1e300}, {1e-9, -1e30}, {0, 0}};
    scratch             folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "whole.h5"),
               *forged = scratch_path(&folder, "forged.h5");
    erg_world      *world = one_grain(), *target = one_grain();
    ergi_container *whole = NULL;
    erg_error       err;
    run_until(world, 0.05);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    must(ergi_container_open(path, &whole, &err), &err);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        forge_clock(whole, forged, (int)k % 3, bad[k][0], bad[k][1]);
        CHECK(erg_world_load(target, forged, &err) == ERG_BAD_INPUT);
    }
    must(erg_world_load(target, path, &err), &err);
    ergi_container_close(whole);
    erg_world_destroy(world);
    erg_world_destroy(target);
    scratch_close(&folder);
}

TEST_MAIN(all_images_of_a_short_period_count, seeds_are_not_denser_at_periodic_bounds,
          an_emitter_far_from_the_grains_brings_all_its_particles,
          a_large_new_grain_is_seeded_in_a_moment, grains_in_the_region_get_particles,
          positions_that_no_number_can_hold_are_refused)
