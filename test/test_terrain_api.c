// labels: asan clang
// The terrain in the C API: what its definition refuses, before memory is asked for; and what is
// read of it.
#include "check.h"

#include "erg/erg.h"
#include "world_helpers.h"

static erg_error  err;
static erg_world *world;
static erg_id     sand, rock, grit, pair, gravel;

static const double none = NAN, huge = HUGE_VAL;

static erg_id new_named(const char *name, erg_shape shape, erg_id material)
{
    erg_grain_def def = erg_grain_def_default();
    erg_id        id = 0;
    def.name = name;
    def.shape = shape;
    def.material = material;
    def.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1e-3, .max = 3e-3};
    must(erg_world_add_grain_kind(world, &def, &id, &err), &err);
    return id;
}

static void open_world(void)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    def.threads = 1;
    world = new_world(&def);
    m.name = "sand";
    m.density = 2000;
    sand = new_material(world, &m);
    m.name = "rock";
    rock = new_material(world, &m);
    grit = new_named("grit", ERG_SHAPE_SPHERE, sand);
    pair = new_named("pair", ERG_SHAPE_DIMER, sand);
    gravel = new_named("gravel", ERG_SHAPE_SPHERE, rock);
}

// 200 x 100 columns.
static erg_terrain_def good_def(void)
{
    erg_terrain_def def = erg_terrain_def_default();
    def.material = sand;
    def.grain = grit;
    def.lower[0] = -1;
    def.upper[0] = 1;
    def.lower[1] = -0.5;
    def.upper[1] = 0.5;
    def.spacing = 0.01;
    def.height = 0.3;
    return def;
}

#define BAD(change, field_, code_)                                                                 \
    do {                                                                                           \
        erg_terrain_def d = good_def();                                                            \
        change;                                                                                    \
        err = (erg_error){0};                                                                      \
        CHECK(erg_world_set_terrain(world, &d, &err) == ERG_BAD_INPUT);                            \
        CHECK_STR(err.field, field_);                                                              \
        CHECK(err.code == ERG_ERROR_##code_);                                                      \
        CHECK(err.text[0] != '\0');                                                                \
        CHECK(!erg_world_has_terrain(world) && world->fingerprint == before);                      \
    } while (0)

TEST(members)
{
    open_world();
    uint64_t before = world->fingerprint;
    BAD(d.material = 0, "material", UNKNOWN);
    BAD(d.material = 9, "material", UNKNOWN);
    BAD(d.grain = 9, "grain", UNKNOWN);
    BAD(d.grain = pair, "grain", CONFLICT);
    CHECK_STR(err.text, "grains of a terrain must be single spheres, got 'pair' of 2 spheres");
    BAD(d.grain = gravel, "grain", CONFLICT);
    CHECK_STR(err.text, "grains of a terrain must be of its material, 'sand', but 'gravel' is of "
                        "'rock'");
    BAD(d.lower[0] = 1, "upper[0]", OUT_OF_RANGE);
    CHECK_STR(err.text, "the terrain's lower x, 1 m, must be below its upper x, 1 m");
    BAD(d.upper[1] = none, "upper[1]", NOT_FINITE);
    BAD(d.lower[1] = -huge, "lower[1]", NOT_FINITE);
    BAD(d.spacing = 0, "spacing", OUT_OF_RANGE);
    CHECK_STR(err.text, "terrain: spacing must be above 0 m, got 0");
    BAD(d.spacing = none, "spacing", NOT_FINITE);
    BAD(d.spacing = 0.2, "spacing", OUT_OF_RANGE);
    CHECK_STR(err.text,
              "terrain: spacing must be 0.3 to 30 diameters of the grains that columns turn "
              "into, 0.0012 to 0.12 m, got 0.2");
    BAD(d.spacing = 0.001, "spacing", OUT_OF_RANGE);
    BAD(d.floor = huge, "floor", NOT_FINITE);
    BAD(d.floor = 0.3, "height", OUT_OF_RANGE);
    CHECK_STR(err.text, "terrain: height must be above the floor, 0.3 m, got 0.3");
    BAD(d.height = none, "height", NOT_FINITE);
    BAD(d.relief = (erg_relief)9, "relief", UNKNOWN);
    BAD((d.relief = ERG_RELIEF_SLOPE, d.slope[1] = none), "slope", NOT_FINITE);
    BAD((d.relief = ERG_RELIEF_SLOPE, d.slope[1] = -5), "slope", OUT_OF_RANGE);
    CHECK_STR(err.text,
              "terrain: slope must rise at most 2 m per metre, got 5: sand does not stand "
              "steeper");
    BAD((d.relief = ERG_RELIEF_NOISE, d.wavelength = 1, d.amplitude = 1e6), "amplitude",
        OUT_OF_RANGE);
    CHECK_STR(err.text,
              "terrain: amplitude of noise must be at most half of the wavelength, 0.5 m, "
              "got 1e+06: sand does not stand steeper");
    BAD((d.relief = ERG_RELIEF_DUNES, d.amplitude = -1), "amplitude", OUT_OF_RANGE);
    BAD((d.relief = ERG_RELIEF_NOISE, d.amplitude = 1), "wavelength", OUT_OF_RANGE);
    BAD((d.relief = ERG_RELIEF_DUNES, d.wavelength = 1, d.direction = none), "direction",
        NOT_FINITE);
    BAD(d.angle_start = 1.6, "angle_start", OUT_OF_RANGE);
    BAD(d.angle_start = none, "angle_start", NOT_FINITE);
    BAD(d.angle_stop = 0, "angle_stop", OUT_OF_RANGE);
    BAD(d.angle_stop = 0.7, "angle_stop", OUT_OF_RANGE);
    CHECK_STR(err.text,
              "terrain: angle_stop must be above 0 and at most angle_start, 0.66 rad, got 0.7");
    BAD(d.compression = 1.5, "compression", OUT_OF_RANGE);
    BAD(d.resistance = 0, "resistance", OUT_OF_RANGE);
    erg_world_destroy(world);
}

TEST(gravity_points_down)
{
    open_world();
    erg_world_destroy(world);
    static const erg_vec3 wrong[] = {{0, 0, 0}, {0, 0, 9.81}, {1, 0, -9.81}, {0, -9.81, 0}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        erg_world_def    def = erg_world_def_default();
        erg_material_def m = erg_material_def_default();
        erg_terrain_def  d = good_def();
        def.gravity = wrong[k];
        world = new_world(&def);
        d.material = new_material(world, &m);
        d.grain = 0;
        CHECK(erg_world_set_terrain(world, &d, &err) == ERG_BAD_INPUT);
        CHECK(strstr(err.text, "needs gravity along -z"));
        erg_world_destroy(world);
    }
    open_world();
    erg_terrain_def d = good_def();
    must(erg_world_set_terrain(world, &d, &err), &err);
    erg_command tilt = {.kind = ERG_COMMAND_GRAVITY, .vector = {1, 0, -9}};
    CHECK(erg_world_command(world, &tilt, &err) == ERG_BAD_INPUT);
    tilt.vector.x = 0;
    CHECK(erg_world_command(world, &tilt, &err) == ERG_OK);
    erg_world_destroy(world);
}

// More columns than numbers, or than memory: nothing is allocated.
TEST(grids_that_are_too_large)
{
    open_world();
    uint64_t before = world->fingerprint;
    BAD(d.spacing = 1.4e-6, "spacing", TOO_MANY);
    CHECK_STR(err.text,
              "a terrain of 2 m x 1 m with columns of 1.4e-06 m has 1.02e+12 columns, the most "
              "are 2e+09: give a larger spacing or a smaller terrain");
    // A narrow one fills whole blocks.
    BAD((d.upper[0] = 1e7, d.upper[1] = d.lower[1] + 0.01), "spacing", TOO_MANY);
    CHECK(strstr(err.text, "1000000100 x 1 columns needs 1.55e+03 GB of memory, but there are"));
    BAD(d.spacing = 5e-324, "spacing", TOO_MANY);
    erg_world_destroy(world);
}

TEST(heights)
{
    float z[6] = {1, 2, 3, 4, 5, 6};
    open_world();
    uint64_t before = world->fingerprint;
#define HEIGHTS(change)                                                                            \
    (d.relief = ERG_RELIEF_HEIGHTS, d.height = 0, d.heights = z, d.columns[0] = 3,                 \
     d.columns[1] = 2, change)
    BAD(HEIGHTS(d.heights = NULL), "heights", MISSING);
    BAD(HEIGHTS(d.columns[1] = 0), "columns", OUT_OF_RANGE);
    BAD(HEIGHTS(d.columns[1] = SIZE_MAX), "columns", OUT_OF_RANGE);
    z[4] = (float)NAN;
    BAD(HEIGHTS((void)0), "heights", NOT_FINITE);
    CHECK_STR(err.text,
              "terrain: the height in column 1 of row 1 is nan m, expected numbers that are not "
              "below the floor, 0 m: fill this hole of the heights");
    z[4] = -9999;
    BAD(HEIGHTS(d.floor = -1), "heights", OUT_OF_RANGE);
    CHECK(strstr(err.text, "column 1 of row 1 is -9999 m, expected"));
    CHECK(strstr(err.text, "-1 m: lower the floor, or fill this hole"));
    z[4] = 5;
    BAD(HEIGHTS(d.floor = 1.5), "heights", OUT_OF_RANGE);
    BAD(HEIGHTS((d.floor = 1.5, d.height = 0.4)), "heights", OUT_OF_RANGE);
    CHECK(strstr(err.text, "column 0 of row 0 is 1 m before adding `height`, expected"));
    erg_terrain_def d = good_def();
    HEIGHTS((d.grain = 0, d.floor = 1, d.upper[0] = 2, d.upper[1] = 1.5, d.spacing = 1));
    must(erg_world_set_terrain(world, &d, &err), &err);
    float all[6];
    must(erg_world_terrain_read(world, 0, 0, 3, 2, 1, all, &err), &err);
    for (int k = 0; k < 6; k++) CHECK_NEAR((double)all[k], k + 1, 1e-6);
    CHECK_NEAR(erg_world_terrain_height(world, 0, 0.5), 3, 1e-6);
    CHECK_NEAR(erg_world_terrain_height(world, -99, 99), 4, 1e-6);
    CHECK_NEAR(erg_world_terrain_height(world, 99, -99), 3, 1e-6);
    CHECK_NEAR(erg_world_terrain_height(world, -0.25, 0), 1.25, 1e-6);
    CHECK(isnan(erg_world_terrain_height(world, NAN, 0)));
    erg_world_destroy(world);
}

// Sand that turns into grains outside the domain would be lost.
TEST(sand_is_inside_the_domain)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    def.lower = (erg_vec3){-1, -1, -0.1};
    def.upper = (erg_vec3){1, 0.4, 3};
    world = new_world(&def);
    m.density = 2000;
    sand = new_material(world, &m);
    grit = new_named("grit", ERG_SHAPE_SPHERE, sand);
    uint64_t before = world->fingerprint;
    BAD((void)0, "upper[1]", OUT_OF_RANGE);
    CHECK_STR(err.text, "the terrain's upper corner is at y = 0.5 m, outside the domain, which "
                        "ends at 0.4 m: grains are removed there; make the domain larger");
    BAD((d.upper[1] = 0.4, d.floor = -0.2), "floor", OUT_OF_RANGE);
    CHECK(strstr(err.text, "floor is at z = -0.2 m, outside the domain, which begins at -0.1 m"));
    BAD((d.upper[1] = 0.4, d.lower[0] = -2), "lower[0]", OUT_OF_RANGE);
    BAD((d.upper[1] = 0.4, d.height = 2.995), "height", OUT_OF_RANGE); // of 1 cm
    CHECK(strstr(err.text, "up to z = 2.995 m high") && strstr(err.text, "which ends at 3 m"));
    BAD((d.upper[1] = 0.4, d.height = 2.5, d.relief = ERG_RELIEF_SLOPE, d.slope[0] = 1.3), "height",
        OUT_OF_RANGE);
    BAD((d.upper[0] = 0.5, d.upper[1] = 0.39, d.spacing = 0.093), "upper[1]", OUT_OF_RANGE);
    CHECK(strstr(err.text, "upper corner is at y = 0.43 m (in whole columns), outside the"));
    erg_terrain_def d = good_def();
    d.grain = 0; // columns stay columns
    must(erg_world_set_terrain(world, &d, &err), &err);
    erg_world_destroy(world);
}

TEST(worlds_that_take_none)
{
    open_world();
    erg_terrain_def d = good_def();
    must(erg_world_set_terrain(world, &d, &err), &err);
    CHECK(erg_world_set_terrain(world, &d, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a terrain is set once, before the first step");
    CHECK(err.code == ERG_ERROR_CONFLICT);
    erg_world_destroy(world);

    open_world();
    step(world, 1);
    CHECK(erg_world_set_terrain(world, &d, &err) == ERG_BAD_INPUT);
    CHECK(err.code == ERG_ERROR_TOO_LATE);
    erg_world_destroy(world);

    erg_world_def around = erg_world_def_default();
    around.periodic_y = true;
    around.lower.y = -1;
    around.upper.y = 1;
    world = new_world(&around);
    d.material = new_sand(world, 0.5, 0.5);
    d.grain = 0;
    CHECK(erg_world_set_terrain(world, &d, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text,
              "a terrain has borders: it cannot be in a periodic domain; leave out `periodic`, "
              "and put walls around the terrain if sand must not leave it");
    erg_world_destroy(world);
}

TEST(no_terrain_is_told)
{
    erg_terrain_grid  grid;
    erg_terrain_stats stats;
    erg_frozen_view   frozen;
    float             z;
    open_world();
    CHECK(!erg_world_has_terrain(world));
    CHECK(erg_world_terrain_grid(world, &grid, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "the world has no terrain");
    CHECK(erg_world_terrain_read(world, 0, 0, 1, 1, 1, &z, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_terrain_stats(world, &stats, &err) == ERG_OK && stats.columns == 0);
    CHECK(erg_world_view_frozen(world, &frozen, &err) == ERG_OK && frozen.count == 0);
    CHECK(erg_world_terrain_stamp(world, 0, 0) == 0);
    CHECK(isnan(erg_world_terrain_height(world, 0, 0)));
    erg_world_destroy(world);
}

TEST(grid_and_statistics)
{
    erg_terrain_grid  grid;
    erg_terrain_stats stats;
    open_world();
    size_t          bytes = erg_world_expected_bytes(world, INFINITY);
    erg_terrain_def d = good_def();
    d.floor = 0.1;
    must(erg_world_set_terrain(world, &d, &err), &err);
    CHECK(erg_world_has_terrain(world));
    must(erg_world_terrain_grid(world, &grid, &err), &err);
    CHECK(grid.count[0] == 200 && grid.count[1] == 100 && grid.block == 64);
    CHECK(grid.lower[0] == -1 && grid.lower[1] == -0.5 && grid.spacing == 0.01);
    CHECK(grid.floor == 0.1 && grid.material == sand);
    CHECK_NEAR(grid.radius, 2e-3, 1e-12);
    must(erg_world_terrain_stats(world, &stats, &err), &err);
    CHECK(stats.columns == 20000 && stats.awake == 0 && stats.frozen == 0);
    CHECK_NEAR(stats.column_mass, 2 * 0.2 * 0.585 * 2000, 1e-3);
    CHECK(stats.bytes > 20000 * 12);
    CHECK(erg_world_expected_bytes(world, INFINITY) > bytes + 20000 * 12);
    erg_world_destroy(world);
}

// More sand than 2^64 quanta.
TEST(mass_of_deep_sand)
{
    erg_terrain_stats stats;
    open_world();
    erg_terrain_def d = good_def();
    d.grain = 0;
    d.upper[0] = 9, d.upper[1] = 9.5;
    d.height = 50;
    must(erg_world_set_terrain(world, &d, &err), &err);
    must(erg_world_terrain_stats(world, &stats, &err), &err);
    CHECK_NEAR(stats.column_mass, 5000 * 0.585 * 2000, 1);
    erg_world_destroy(world);
}

// 1.1 m are 11 columns of 0.1 m and not 12; what is left over gets a column of its own.
TEST(whole_columns)
{
    static const struct {
        double size, spacing;
        size_t count;
    } of[] = {{1.1, 0.1, 11}, {0.7, 0.1, 7}, {1.15, 0.1, 12}, {0.05, 0.1, 1}, {6.4, 0.02, 320}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        erg_terrain_grid grid;
        open_world();
        erg_terrain_def d = good_def();
        d.upper[0] = d.lower[0] + of[k].size;
        d.upper[1] = d.lower[1] + 10 * of[k].spacing;
        d.spacing = of[k].spacing;
        must(erg_world_set_terrain(world, &d, &err), &err);
        must(erg_world_terrain_grid(world, &grid, &err), &err);
        CHECK(grid.count[0] == of[k].count && grid.count[1] == 10);
        erg_world_destroy(world);
    }
}

TEST(columns_are_read_with_a_stride)
{
    float z[200 * 100], few[4];
    open_world();
    erg_terrain_def d = good_def();
    d.relief = ERG_RELIEF_SLOPE;
    d.slope[0] = 0.1;
    d.slope[1] = -0.2;
    must(erg_world_set_terrain(world, &d, &err), &err);
    must(erg_world_terrain_read(world, 0, 0, 200, 100, 1, z, &err), &err);
    CHECK_NEAR((double)z[0], 0.3 - 0.0995 + 0.099, 1e-6);
    CHECK_NEAR((double)z[199 + 200 * 99], 0.3 + 0.0995 - 0.099, 1e-6);
    must(erg_world_terrain_read(world, 7, 3, 2, 2, 96, few, &err), &err);
    CHECK(few[0] == z[7 + 200 * 3] && few[1] == z[103 + 200 * 3]);
    CHECK(few[2] == z[7 + 200 * 99] && few[3] == z[103 + 200 * 99]);
    CHECK_NEAR(erg_world_terrain_height(world, 0.123, 0.321), 0.3 + 0.0123 - 0.0642, 1e-6);
    CHECK(erg_world_terrain_read(world, 200, 0, 0, 0, 1, few, &err) == ERG_OK);
    CHECK(erg_world_terrain_read(world, 199, 99, 1, 1, 0, few, &err) == ERG_OK);
    CHECK(erg_world_terrain_read(world, 199, 99, 2, 1, 1, few, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_terrain_read(world, 0, 100, 1, 1, 1, few, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_terrain_read(world, 0, 0, 2, 2, 0, few, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_terrain_read(world, 0, 0, SIZE_MAX, 1, SIZE_MAX, few, &err) == ERG_BAD_INPUT);
    erg_world_destroy(world);
}

// A checkpoint of another terrain must not load: every member counts, and every height.
TEST(definitions_differ_by_their_fingerprint)
{
    float    z[6] = {1, 2, 3, 4, 5, 6};
    uint64_t seen[32];
    size_t   count = 0;
#define ANOTHER(change)                                                                            \
    do {                                                                                           \
        open_world();                                                                              \
        erg_terrain_def d = good_def();                                                            \
        change;                                                                                    \
        must(erg_world_set_terrain(world, &d, &err), &err);                                        \
        seen[count++] = world->fingerprint;                                                        \
        erg_world_destroy(world);                                                                  \
    } while (0)
    ANOTHER((void)0);
    ANOTHER((d.material = rock, d.grain = gravel));
    ANOTHER(d.grain = 0);
    ANOTHER(d.lower[0] = -2);
    ANOTHER(d.upper[1] = 2);
    ANOTHER(d.spacing = 0.02);
    ANOTHER(d.floor = -1);
    ANOTHER(d.height = 0.4);
    ANOTHER(d.angle_start = 0.7);
    ANOTHER(d.angle_stop = 0.5);
    ANOTHER(d.compression = 0.5);
    ANOTHER(d.resistance = 2);
    ANOTHER((d.relief = ERG_RELIEF_SLOPE, d.slope[0] = 0.1));
    ANOTHER((d.relief = ERG_RELIEF_SLOPE, d.slope[1] = 0.1));
    ANOTHER((d.relief = ERG_RELIEF_DUNES, d.amplitude = 0.1, d.wavelength = 1));
    ANOTHER((d.relief = ERG_RELIEF_DUNES, d.amplitude = 0.1, d.wavelength = 2));
    ANOTHER((d.relief = ERG_RELIEF_DUNES, d.amplitude = 0.05, d.wavelength = 1));
    ANOTHER((d.relief = ERG_RELIEF_DUNES, d.amplitude = 0.1, d.wavelength = 1, d.direction = 1));
    ANOTHER((d.relief = ERG_RELIEF_DUNES, d.amplitude = 0.1, d.wavelength = 1, d.seed = 3));
    ANOTHER((d.relief = ERG_RELIEF_NOISE, d.amplitude = 0.1, d.wavelength = 1));
    ANOTHER((d.relief = ERG_RELIEF_NOISE, d.amplitude = 0.1, d.wavelength = 1, d.seed = 3));
    ANOTHER(HEIGHTS((void)0));
    ANOTHER(HEIGHTS((d.columns[0] = 2, d.columns[1] = 3)));
    z[5] = 7;
    ANOTHER(HEIGHTS((void)0));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) CHECK(seen[i] != seen[k]);
}

TEST_MAIN(members, gravity_points_down, grids_that_are_too_large, heights,
          sand_is_inside_the_domain, worlds_that_take_none, no_terrain_is_told, grid_and_statistics,
          mass_of_deep_sand, whole_columns, columns_are_read_with_a_stride,
          definitions_differ_by_their_fingerprint)
