// labels: clang
// Columns that wake into grains and grains that sleep: mass, rest, no flicker, under both solvers.
#include "body_helpers.h"
#include "hybrid_worlds.h"

static const hybrid_def STIRRED[] = {
    {ERG_SOLVER_DEM, ERG_FLOAT, HYBRID_STIRS, 1, 0},
    {ERG_SOLVER_PBD, ERG_FLOAT, HYBRID_STIRS, 1, 0},
};

// ---- Observing ---------------------------------------------------------------------------------
enum { MOST_IDS = 20000 };

// When each grain last fell asleep or woke. Grains that columns give are not counted as woken.
typedef struct history {
    uint8_t state[MOST_IDS]; // 0: not there, 1: awake, 2: frozen
    double  slept[MOST_IDS], woke[MOST_IDS];
    size_t  flickers;
} history;

static void note(history *h, erg_gid id, uint8_t state, double now)
{
    if (id >= MOST_IDS) exit(1);
    if (h->state[id] == 1 && state == 2) {
        h->flickers += h->woke[id] > 0 && now - h->woke[id] < 0.5 - 1e-6;
        h->slept[id] = now;
    }
    if (h->state[id] == 2 && state == 1) {
        h->flickers += h->slept[id] > 0 && now - h->slept[id] < 0.5 - 1e-6;
        h->woke[id] = now;
    }
    if (h->state[id] == 0 && state == 1) h->woke[id] = now;
    h->state[id] = state;
}

static void observe(history *h, const erg_world *world)
{
    const uint64_t *id = ERGI_GRAIN(world, ID, uint64_t);
    erg_frozen_view frozen;
    erg_error       err;
    for (size_t i = 0; i < world->grains.rows; i++) note(h, id[i], 1, world->clock.time);
    must(erg_world_view_frozen(world, &frozen, &err), &err);
    for (size_t i = 0; i < frozen.count; i++) note(h, frozen.id[i], 2, world->clock.time);
}

// The surface that grains touch is below every grain that is awake, up to a contact's overlap.
static double highest_intrusion(const erg_world *world)
{
    const double *s = ERGI_GRAIN(world, POSITION, double);
    double        most = -HUGE_VAL;
    for (size_t i = 0; i < world->grains.rows; i++, s += 4)
        most = fmax(most,
                    ergi_columns_surface_z(&world->terrain->columns, s[0], s[1]) - (s[2] - s[3]));
    return most;
}

// ---- Tests -------------------------------------------------------------------------------------
// A tool is drawn through the sand. All that it woke sleeps afterwards, nothing wakes again, no
// grain changes to and fro, and no mass is lost on the way.
static void stir(const hybrid_def *of)
{
    history   *h = calloc(1, sizeof *h);
    erg_world *world = hybrid_world(of);
    if (!h) exit(1);
    double mass = hybrid_mass(world), worst = 0, intrusion = -HUGE_VAL;
    size_t most_awake = 0;
    for (int k = 1; k <= 100; k++) {
        run_until(world, 0.05 * k);
        observe(h, world);
        worst = fmax(worst, fabs(hybrid_mass(world) - mass));
        intrusion = fmax(intrusion, highest_intrusion(world));
        most_awake = world->grains.rows > most_awake ? world->grains.rows : most_awake;
        if (k > 10 && world->grains.rows == 0) break;
    }
    erg_terrain_stats t = terrain_of(world);
    CHECK(most_awake > 150);
    CHECK(worst < 1e-9 * mass);
    CHECK(intrusion < 0.1 * HYBRID_D);
    CHECK(h->flickers == 0);
    CHECK(t.awake == 0 && t.slept == t.woken && t.frozen > 300);
    CHECK(stats_of(world).lost == 0);
    run_until(world, erg_world_time(world) + 5);
    erg_terrain_stats later = terrain_of(world);
    CHECK(later.woken == t.woken && later.slept == t.slept && later.awake == 0);
    CHECK(later.frozen + 100 < later.slept); // deep ones became columns
    CHECK(fabs(hybrid_mass(world) - mass) < 1e-9 * mass);
    free(h);
    erg_world_destroy(world);
}

TEST(stirred_sand_goes_back_to_sleep)
{
    for (int k = 0; k < 2; k++) stir(&STIRRED[k]);
}

// A heavy ball strikes the sand and trembles about the speed of grains at rest while it comes to
// rest: no grain around it changes to and fro, and in the end nothing wakes any more.
static void strike(double radius, double height)
{
    const double d = HYBRID_D;
    history     *h = calloc(1, sizeof *h);
    hybrid_def   of = {ERG_SOLVER_PBD, ERG_FLOAT, HYBRID_NONE, 1, 16};
    erg_world   *world = hybrid_world(&of);
    erg_mesh    *mesh = new_ball(radius * d);
    if (!h) exit(1);
    erg_body_def ball = erg_body_def_default();
    ball.material = 1;
    ball.mesh = mesh;
    ball.mass = 4.0 / 3 * ERGI_PI * pow(radius * d, 3) * 4000;
    ball.position = (erg_vec3){0, 0, HYBRID_DEPTH + (radius + height) * d};
    erg_id id = new_body(world, &ball);
    erg_mesh_destroy(mesh);
    uint64_t woken = 0;
    double   z = 0;
    for (int k = 1; k <= 180; k++) {
        run_until(world, 0.05 * k);
        observe(h, world);
        if (k != 100) continue;
        woken = terrain_of(world).woken;
        z = state_of(world, id).centre.z;
    }
    erg_terrain_stats t = terrain_of(world);
    CHECK(t.woken > 500 && t.slept > 300);
    CHECK(h->flickers == 0);
    CHECK(t.woken == woken);
    CHECK(t.awake > 0); // bodies touch no frozen grains
    CHECK(fabs(state_of(world, id).centre.z - z) < 0.5 * d);
    free(h);
    erg_world_destroy(world);
}

TEST(sand_around_a_body_that_comes_to_rest)
{
    strike(3, 30);
    strike(4, 20);
}

// In double precision everything is as it is in single precision.
TEST(double_precision)
{
    hybrid_def of = {ERG_SOLVER_DEM, ERG_DOUBLE, HYBRID_STIRS, 1, 0};
    erg_world *world = hybrid_world(&of);
    double     mass = hybrid_mass(world);
    run_until(world, 0.15);
    CHECK(terrain_of(world).awake > 150);
    CHECK(fabs(hybrid_mass(world) - mass) < 1e-9 * mass);
    erg_world_destroy(world);
}

// Nothing happens where nothing disturbs.
TEST(a_quiet_bed_stays_quiet)
{
    for (int k = 0; k < 2; k++) {
        hybrid_def of = STIRRED[k];
        of.tool = HYBRID_NONE;
        erg_world *world = hybrid_world(&of);
        uint64_t   hash = erg_world_hash(world);
        run_until(world, 1);
        erg_terrain_stats t = terrain_of(world);
        CHECK(t.woken == 0 && t.frozen == 0 && t.active_blocks == 0 && t.batches > 15);
        CHECK(hash != 0);
        erg_world_destroy(world);
    }
}

// A tool that passes close to the surface wakes sand that it does not touch: hardly a grain of it
// moves, since the packing that they come from rested in the same way.
TEST(woken_sand_is_at_rest)
{
    for (int k = 0; k < 2; k++) {
        hybrid_def of = STIRRED[k];
        of.tool = HYBRID_HOVERS;
        erg_world *world = hybrid_world(&of);
        double     most = 0;
        size_t     fast = 0, seen = 0;
        for (int n = 1; n <= 40; n++) {
            run_until(world, 0.01 * n);
            for (size_t i = 0; i < world->grains.rows; i++) {
                double v[3];
                ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i,
                          ERGI_VELOCITY, v);
                double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
                most = fmax(most, speed);
                fast += speed > 0.1 * hybrid_scale();
                seen++;
            }
        }
        erg_terrain_stats t = terrain_of(world);
        CHECK(t.woken > 100 && seen > 0);
        CHECK(most < 0.5 * hybrid_scale());
        CHECK(fast < seen / 25);
        CHECK(stats_of(world).max_speed < 0.05 * hybrid_scale());
        erg_world_destroy(world);
    }
}

// ---- The surface ------------------------------------------------------------------------------
enum { POINTS = 81 };

// Raises the points under a sphere to its surface.
static void raise_points(double top[POINTS][POINTS], const double s[4], double step)
{
    for (int j = 0; j < POINTS; j++)
        for (int i = 0; i < POINTS; i++) {
            double a = (i - POINTS / 2) * step - s[0], b = (j - POINTS / 2) * step - s[1];
            double square = s[3] * s[3] - a * a - b * b;
            if (square > 0) top[j][i] = fmax(top[j][i], s[2] + sqrt(square));
        }
}

// Mean height of the sand where the tool passes [m].
static double mean_surface(const erg_world *world)
{
    static double   top[POINTS][POINTS];
    const double    step = 0.2 * HYBRID_D;
    erg_frozen_view frozen;
    erg_error       err;
    double          sum = 0;
    must(erg_world_view_frozen(world, &frozen, &err), &err);
    for (int j = 0; j < POINTS; j++)
        for (int i = 0; i < POINTS; i++)
            top[j][i] =
                erg_world_terrain_height(world, (i - POINTS / 2) * step, (j - POINTS / 2) * step);
    for (size_t i = 0; i < world->grains.rows; i++)
        raise_points(top, ERGI_GRAIN(world, POSITION, double) + 4 * i, step);
    for (size_t i = 0; i < frozen.count; i++) raise_points(top, frozen.sphere + 4 * i, step);
    for (int j = 0; j < POINTS; j++)
        for (int i = 0; i < POINTS; i++) sum += top[j][i];
    return sum / (POINTS * POINTS);
}

// Sand that wakes and sleeps again, untouched, is as high as before, within a fraction of a grain.
TEST(a_tool_that_passes_above_leaves_the_surface)
{
    for (int k = 0; k < 2; k++) {
        hybrid_def of = STIRRED[k];
        of.tool = HYBRID_HOVERS;
        erg_world *world = hybrid_world(&of);
        double     before = mean_surface(world), woken;
        run_until(world, 0.1);
        woken = mean_surface(world);
        for (int n = 1; n < 80 && (n < 5 || terrain_of(world).awake > 0); n++)
            run_until(world, 0.1 + 0.1 * n);
        double            after = mean_surface(world);
        erg_terrain_stats t = terrain_of(world);
        CHECK(t.woken > 100 && t.awake == 0);
        CHECK(fabs(woken - before) < 0.2 * HYBRID_D);
        CHECK(fabs(after - before) < 0.2 * HYBRID_D);
        erg_world_destroy(world);
    }
}

// Sand that wakes down to the floor stands on it: its lowest layer, which the bed presses into the
// floor a little, is there.
TEST(sand_that_wakes_stands_on_the_floor)
{
    const double d = HYBRID_D, half = 3 * d;
    hybrid_def   of = {ERG_SOLVER_DEM, ERG_FLOAT, HYBRID_NONE, 1, 16};
    erg_world   *world = hybrid_world(&of);
    erg_mesh    *mesh = new_ball(3 * d);
    erg_body_def ball = erg_body_def_default();
    ball.material = 1;
    ball.mesh = mesh;
    ball.density = 2500;
    ball.position = (erg_vec3){0, 0, HYBRID_DEPTH + 5 * d};
    ball.velocity.z = -2;
    new_body(world, &ball);
    erg_mesh_destroy(mesh);
    run_until(world, 0.003); // the first batch, before the ball is there
    const double *s = ERGI_GRAIN(world, POSITION, double);
    double        layer = 0;
    for (size_t i = 0; i < world->grains.rows; i++, s += 4)
        if (fabs(s[0]) < half && fabs(s[1]) < half && s[2] < d)
            layer += 4.0 / 3 * ERGI_PI * s[3] * s[3] * s[3];
    layer /= 4 * half * half * d; // share that is solid
    CHECK(layer > 0.35);
    CHECK(layer < 0.55);
    erg_world_destroy(world);
}

// Grains poured onto a plate sleep and, where they are buried, become columns.
TEST(a_pour_becomes_columns)
{
    hybrid_def of = {ERG_SOLVER_PBD, ERG_FLOAT, HYBRID_POUR, 1, 0};
    erg_world *world = hybrid_world(&of);
    erg_error  err;
    double     none = hybrid_mass(world), poured;
    run_until(world, 6);
    must(erg_world_emitter_total(world, 1, NULL, &poured, &err), &err);
    erg_terrain_stats t = terrain_of(world);
    CHECK(fabs(hybrid_mass(world) - none - poured) < 1e-9 * poured);
    CHECK(t.awake == 0 && t.slept >= 600 && t.frozen > 50);
    CHECK(stats_of(world).lost == 0 && t.column_mass > 0.1 * poured);
    erg_world_destroy(world);
}

// Columns as high as they can be, which a ball wakes: the sand of a patch passes 64 bits.
TEST(very_deep_sand_is_not_lost)
{
    const double     d = HYBRID_D;
    erg_error        err;
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_terrain_def  t = erg_terrain_def_default();
    erg_body_def     ball = erg_body_def_default();
    erg_mesh        *mesh = new_ball(3 * d);
    def.solver = ERG_SOLVER_PBD;
    def.threads = 1;
    erg_world *world = new_world(&def);
    t.material = ball.material = new_material(world, &m);
    t.grain = new_mixed_kind(world, ERG_SHAPE_SPHERE, t.material, 0.4 * d, 0.5 * d);
    t.spacing = 2 * d;
    t.lower[0] = t.lower[1] = -16 * d;
    t.upper[0] = t.upper[1] = 16 * d;
    t.floor = -1e5;
    must(erg_world_set_terrain(world, &t, &err), &err);
    ball.mesh = mesh;
    ball.position.z = 4 * d;
    ball.velocity.z = -2;
    new_body(world, &ball);
    erg_mesh_destroy(mesh);
    for (int k = 0; k < 4; k++) {
        check_columns(world);
        run_until(world, 0.02 * (k + 1));
    }
    check_columns(world);
    CHECK(terrain_of(world).woken > 500);
    erg_world_destroy(world);
}

TEST_MAIN(stirred_sand_goes_back_to_sleep, sand_that_wakes_stands_on_the_floor,
          sand_around_a_body_that_comes_to_rest, double_precision, a_quiet_bed_stays_quiet,
          woken_sand_is_at_rest, a_tool_that_passes_above_leaves_the_surface,
          a_pour_becomes_columns, very_deep_sand_is_not_lost)
