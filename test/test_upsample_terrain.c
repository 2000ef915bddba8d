// labels: asan hdf5
// Fine particles on a terrain: they stay above its columns, grains that come out of columns get
// some, those of frozen grains stay; the bits do not depend on threads or on a resumed run.
#include "scratch.h"
#include "world_helpers.h"

#include "geom/query_heights.h"
#include "terrain/terrain.h"
#include "upsample/upsample.h"

static erg_error err;

// Grains are dropped onto a small terrain and wake some of it.
static erg_world *build(int threads)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    def.threads = threads;
    def.fixed_threads = true;
    def.solver = ERG_SOLVER_PBD;
    erg_world      *world = new_world(&def);
    erg_id          sand = new_material(world, &m);
    erg_id          kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 4e-3, 6e-3);
    erg_terrain_def t = erg_terrain_def_default();
    t.material = sand;
    t.grain = kind;
    t.lower[0] = t.lower[1] = -0.1;
    t.upper[0] = t.upper[1] = 0.1;
    t.spacing = 0.0125;
    t.height = 0.06;
    must(erg_world_set_terrain(world, &t, &err), &err);
    fill_box(world, kind, 60, (erg_vec3){-0.03, -0.03, 0.1}, (erg_vec3){0.03, 0.03, 0.2});
    erg_upsample_def up = erg_upsample_def_default();
    up.ratio = 0.45;
    up.start = 0;
    must(erg_world_set_upsample(world, &up, &err), &err);
    return world;
}

TEST(they_stay_above_the_columns)
{
    erg_world *world = build(1);
    must(erg_world_step(world, 1, &err), &err);
    size_t begin = erg_world_fine_count(world), most = begin;
    CHECK(begin > 300);
    for (int k = 1; k <= 10; k++) {
        erg_fine_view   v;
        erg_frozen_view frozen;
        run_until(world, 0.06 * k);
        must(erg_world_view_fine(world, &v, &err), &err);
        most = v.count > most ? v.count : most;
        int                 below = 0;
        const ergi_surface *s = &world->wall[world->terrain->wall].wall.surface;
        for (size_t i = 0; i < v.count; i++) {
            erg_vec3 p = erg_fine_position(&v, i);
            // The columns may have risen since the last frame of the particles.
            below +=
                ergi_heights_inside(s->heights, p.x, p.y) && ergi_surface_nearest(s, p).gap < -2e-3;
        }
        CHECK(below == 0);
        must(erg_world_view_frozen(world, &frozen, &err), &err);
    }
    // Grains have come out of columns, with particles: as many as their volume, at least half.
    erg_terrain_stats t;
    erg_fine_stats    f;
    must(erg_world_terrain_stats(world, &t, &err), &err);
    must(erg_world_fine_stats(world, &f, &err), &err);
    CHECK(t.awake + t.frozen > 200);
    CHECK(most > begin + begin / 60 * (size_t)(t.awake + t.frozen - 60) / 2);
    CHECK(f.lost == 0);
    CHECK(erg_world_fine_count(world) + f.taken == world->upsample->clock.next_id - 1);
    erg_world_destroy(world);
}

TEST(those_of_frozen_grains_stay_where_they_are)
{
    erg_world *world = build(1);
    run_until(world, 0.5);
    CHECK(world->terrain->frozen.rows > 100);
    must(ergi_upsample_coarse(world, true, &err), &err);
    const ergi_upsample *u = world->upsample;
    CHECK(u->coarse_count == world->grains.rows + world->terrain->frozen.rows);
    // In frozen grains, away from grains that move, particles are at rest.
    int                 rest = 0, moved = 0;
    const float *const *v = NULL;
    erg_fine_view       view;
    must(erg_world_view_fine(world, &view, &err), &err);
    v = view.velocity;
    for (size_t i = 0; i < view.count; i++) {
        erg_vec3 p = erg_fine_position(&view, i);
        double   awake = HUGE_VAL, frozen = HUGE_VAL;
        for (size_t s = 0; s < u->coarse_count; s++) {
            const double *x = u->coarse_position + 4 * s;
            double        d = ergi_distance(p, ergi_vec3(x[0], x[1], x[2]));
            if (s < world->grains.rows)
                awake = fmin(awake, d);
            else
                frozen = fmin(frozen, d / x[3]);
        }
        if (awake < 0.025 || frozen > 1) continue;
        rest++;
        moved += fabsf(v[0][i]) + fabsf(v[1][i]) + fabsf(v[2][i]) > 1e-3f;
    }
    CHECK(rest > 100);
    CHECK(moved < rest / 40); // grains that stick out hold few particles fast
    erg_world_destroy(world);
}

TEST(threads_and_resumed_runs_have_the_same_bits)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "fine.h5");
    erg_world  *one = build(1), *three = build(3), *resumed = build(1);
    run_until(one, 0.25);
    must(erg_world_save(one, path, NULL, NULL, &err), &err);
    must(erg_world_load(resumed, path, &err), &err);
    run_until(one, 0.5);
    run_until(three, 0.5);
    run_until(resumed, 0.5);
    CHECK(erg_world_hash(one) == erg_world_hash(three));
    CHECK(erg_world_hash(one) == erg_world_hash(resumed));
    erg_world_destroy(one);
    erg_world_destroy(three);
    erg_world_destroy(resumed);
    scratch_close(&folder);
}

// Columns become grains, nobody knows how many.
TEST(a_count_is_refused)
{
    erg_world *world = build(1);
    world->upsample->def.count = 1000;
    CHECK(erg_world_prepare(world, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "upsample.count");
    erg_world_destroy(world);
}

TEST_MAIN(they_stay_above_the_columns, those_of_frozen_grains_stay_where_they_are,
          a_count_is_refused, threads_and_resumed_runs_have_the_same_bits)
