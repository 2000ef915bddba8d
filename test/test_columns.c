// Columns of a terrain: their number, the shapes of the relief, what is refused, interpolation.
// labels: asan tsan
#include "check.h"

#include "base/hash.h"
#include "terrain/columns.h"
#include "terrain/relief.h"
#include "terrain/terrain_def.h"

#include <stdlib.h>

#define QUANTUM 1e-12 // [m]

static const ergi_threads one = {.count = 1}, four = {.count = 4};

static erg_terrain_def make_def(double size, double spacing)
{
    return (erg_terrain_def){.lower = {-0.5 * size, -0.5 * size},
                             .upper = {0.5 * size, 0.5 * size},
                             .spacing = spacing,
                             .height = 1,
                             .angle_start = 0.66,
                             .angle_stop = 0.59,
                             .compression = 1,
                             .resistance = 1};
}

static uint64_t hash_of(const ergi_columns *c)
{
    uint64_t h = ergi_hash_bytes(ergi_columns_height(c), c->table.rows * 8, 1);
    return ergi_hash_bytes(ergi_columns_surface(c), c->table.rows * 4, h);
}

static double z_of(const ergi_columns *c, int32_t i, int32_t j)
{
    return ergi_columns_z(c, ergi_columns_height(c)[ergi_columns_row(c, i, j)]);
}

TEST(size_is_whole_columns)
{
    erg_terrain_def def = make_def(1, 0.01);
    def.upper[1] = 0.603; // 1.103 m: 111 columns
    ergi_columns c;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK(c.count[0] == 100 && c.count[1] == 111);
    CHECK(c.block[0] == 2 && c.block[1] == 2);
    CHECK(c.table.rows == 4 * 4096);
    CHECK((double)ergi_columns_bytes(&c) < ergi_terrain_def_bytes(&def));
    ergi_u128 sand = {(uint64_t)100 * 111 * 1000000000000u, 0};
    CHECK(ergi_u128_equal(ergi_columns_sand(&c, &four), sand));
    // Padding is empty.
    size_t filled = 0;
    for (size_t r = 0; r < c.table.rows; r++) filled += ergi_columns_height(&c)[r] != 0;
    CHECK(filled == 100 * 111);
    filled = 0;
    for (size_t r = 0; r < c.table.rows; r++) filled += ergi_columns_surface(&c)[r] > 0.5f;
    CHECK(filled == 100 * 111);
    ergi_columns_free(&c);
    ergi_columns_free(&c); // again does no harm
}

TEST(floor_counts)
{
    erg_terrain_def def = make_def(0.5, 0.01);
    def.floor = -2;
    def.height = -1.5;
    ergi_columns c;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK(ergi_columns_height(&c)[0] == 500000000000u);
    CHECK_NEAR(ergi_columns_surface(&c)[0], -1.5, 1e-6);
    CHECK_NEAR(z_of(&c, 3, 4), -1.5, 1e-12);
    for (size_t r = 0; r < c.table.rows; r++) // padding is at the floor
        CHECK(ergi_columns_surface(&c)[r] == (ergi_columns_height(&c)[r] ? -1.5f : -2.0f));
    ergi_columns_free(&c);

    def.relief = ERG_RELIEF_SLOPE; // dips below the floor at one end
    def.slope[0] = 10;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK(ergi_columns_height(&c)[0] == 0);
    CHECK_NEAR(ergi_columns_surface(&c)[0], -2, 0);
    ergi_columns_free(&c);
}

TEST(slope_is_a_plane)
{
    erg_terrain_def def = make_def(2, 0.05);
    def.relief = ERG_RELIEF_SLOPE;
    def.slope[0] = 0.1, def.slope[1] = -0.2;
    ergi_columns c;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK_NEAR(z_of(&c, 0, 0), 1 - 0.1 * 0.975 + 0.2 * 0.975, 1e-11);
    CHECK_NEAR(z_of(&c, 39, 0), 1 + 0.1 * 0.975 + 0.2 * 0.975, 1e-11);
    // A bilinear surface is exact on a plane, and constant beyond its border.
    CHECK_NEAR(ergi_columns_surface_z(&c, 0.313, -0.77), 1 + 0.0313 + 0.154, 1e-6);
    CHECK_NEAR(ergi_columns_surface_z(&c, -9, 9), 1 - 0.0975 - 0.195, 1e-6);
    CHECK(isfinite(ergi_columns_surface_z(&c, (double)NAN, 0)));
    ergi_columns_free(&c);
}

// Steepest slope between neighbours along x, y and the diagonals.
static double steepest(const ergi_columns *c)
{
    double most = 0;
    for (int32_t j = 0; j + 1 < c->count[1]; j++)
        for (int32_t i = 0; i + 1 < c->count[0]; i++) {
            double z = z_of(c, i, j), far = sqrt(2) * c->spacing;
            most = fmax(most, fabs(z_of(c, i + 1, j) - z) / c->spacing);
            most = fmax(most, fabs(z_of(c, i, j + 1) - z) / c->spacing);
            most = fmax(most, fabs(z_of(c, i + 1, j + 1) - z) / far);
            most = fmax(most, fabs(z_of(c, i, j + 1) - z_of(c, i + 1, j)) / far);
        }
    return atan(most) * 180 / acos(-1);
}

static void bounds(const ergi_columns *c, double *low, double *mean, double *high)
{
    *low = HUGE_VAL, *high = -HUGE_VAL, *mean = 0;
    for (int32_t j = 0; j < c->count[1]; j++)
        for (int32_t i = 0; i < c->count[0]; i++) {
            double z = z_of(c, i, j);
            *low = fmin(*low, z), *high = fmax(*high, z);
            *mean += z / ((double)c->count[0] * c->count[1]);
        }
}

TEST(dunes_have_slip_faces_downwind)
{
    for (int turn = 0; turn < 3; turn++) {
        erg_terrain_def def = make_def(60, 0.1);
        def.relief = ERG_RELIEF_DUNES;
        def.amplitude = 0.4, def.wavelength = 10, def.direction = 0.7 * turn, def.seed = 5;
        def.height = 2;
        ergi_columns c;
        REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
        double low, mean, high;
        bounds(&c, &low, &mean, &high);
        CHECK(low > 2 - 0.41 && low < 2 - 0.3 && high < 2 + 0.41 && high > 2 + 0.3);
        CHECK_NEAR(mean, 2, 0.05);
        // At rest by itself: below the default angle_stop of 34 degrees.
        CHECK(steepest(&c) > 30 && steepest(&c) < 33.5);
        // Steep slopes fall downwind, none rises that steeply; they are short.
        double wind[2] = {cos(def.direction), sin(def.direction)};
        int    falling = 0, rising = 0, all = 0;
        for (int32_t j = 1; j + 1 < c.count[1]; j++)
            for (int32_t i = 1; i + 1 < c.count[0]; i++) {
                double gx = (z_of(&c, i + 1, j) - z_of(&c, i - 1, j)) / 0.2;
                double gy = (z_of(&c, i, j + 1) - z_of(&c, i, j - 1)) / 0.2;
                double along = gx * wind[0] + gy * wind[1];
                falling += along<-0.35, rising += along> 0.35, all++;
            }
        CHECK(rising == 0);
        CHECK(falling > all / 20 && falling < all / 5);
        ergi_columns_free(&c);
    }
}

TEST(noise_depends_on_the_seed)
{
    erg_terrain_def def = make_def(8, 0.05);
    def.relief = ERG_RELIEF_NOISE;
    def.amplitude = 0.3, def.wavelength = 2, def.seed = 1;
    ergi_columns a, b, c;
    REQUIRE(ergi_columns_create(&a, &def, QUANTUM, &one, NULL) == ERG_OK);
    REQUIRE(ergi_columns_create(&b, &def, QUANTUM, &four, NULL) == ERG_OK);
    def.seed = 2;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK(hash_of(&a) == hash_of(&b));
    CHECK(hash_of(&a) != hash_of(&c));
    double low, mean, high;
    bounds(&a, &low, &mean, &high);
    CHECK(low > 0.7 && low < 0.9 && high > 1.1 && high < 1.3);
    CHECK_NEAR(mean, 1, 0.08);
    ergi_columns_free(&a), ergi_columns_free(&b), ergi_columns_free(&c);

    // The gradient is that of the value.
    ergi_noise n = ergi_noise_make(3, 1, 0.4);
    for (int k = 0; k < 100; k++) {
        double           x = 0.037 * k, y = 1 - 0.051 * k, h = 1e-6;
        ergi_noise_value v = ergi_noise_at(&n, x, y);
        CHECK_NEAR((ergi_noise_at(&n, x + h, y).value - v.value) / h, v.rise[0], 1e-3);
        CHECK_NEAR((ergi_noise_at(&n, x, y + h).value - v.value) / h, v.rise[1], 1e-3);
    }
}

TEST(heights_are_interpolated)
{
    const float     h[6] = {0, 1, 2, 4, 5, 6};
    erg_terrain_def def = make_def(3, 1);
    def.upper[1] = 0.5; // 3 x 2 columns, as many as heights
    def.relief = ERG_RELIEF_HEIGHTS;
    def.heights = h;
    def.columns[0] = 3, def.columns[1] = 2;
    ergi_columns c;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    for (int32_t k = 0; k < 6; k++) CHECK_NEAR(z_of(&c, k % 3, k / 3), 1 + (double)h[k], 0);
    ergi_columns_free(&c);
    def.spacing = 0.1; // 30 x 20
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK_NEAR(z_of(&c, 0, 0), 1, 1e-9); // constant outside the centres
    CHECK_NEAR(z_of(&c, 29, 19), 7, 1e-9);
    CHECK_NEAR(z_of(&c, 10, 0), 1.55, 1e-9); // x = 1.05: 0.55 of the way from 0 to 1
    CHECK_NEAR(z_of(&c, 10, 10), 1.55 + 4 * 0.55, 1e-9);
    ergi_columns_free(&c);
    def.columns[0] = 1, def.columns[1] = 1;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK_NEAR(z_of(&c, 17, 3), 1, 0);
    ergi_columns_free(&c);
}

static void refused(erg_terrain_def def, const char *field, const char *text)
{
    erg_error err = {0};
    CHECK(ergi_terrain_def_check(&def, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, field);
    CHECK_STR(err.text, text);
}

TEST(bad_definitions_are_refused)
{
    erg_terrain_def def = make_def(1, 0.1);
    CHECK(ergi_terrain_def_check(&def, NULL) == ERG_OK);
    def.relief = ERG_RELIEF_DUNES;
    def.wavelength = 1, def.amplitude = 0.2;
    refused(def, "amplitude",
            "terrain: amplitude of dunes must be at most a tenth of the wavelength, 0.1 m, got "
            "0.2: sand does not stand steeper");
    def.wavelength = 0.1;
    refused(def, "wavelength", "terrain: wavelength must be at least four columns, 0.4 m, got 0.1");
    const float h[6] = {0, 1, 2, 3, (float)NAN, 5};
    def.relief = ERG_RELIEF_HEIGHTS;
    def.heights = h;
    def.columns[0] = 3, def.columns[1] = 2;
    CHECK(ergi_terrain_def_check(&def, NULL) == ERG_BAD_INPUT);
}

TEST(columns_that_are_too_high_are_refused)
{
    erg_terrain_def def = make_def(1, 0.1);
    erg_error       err = {0};
    ergi_columns    c;
    def.height = 1e9;
    CHECK(ergi_columns_create(&c, &def, QUANTUM, &one, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "height");
    CHECK_STR(err.text,
              "the terrain is too high: with these columns and grains it can be 5.76e+05 m high at "
              "most; give a higher floor, a smaller relief, or larger grains");
    CHECK(c.table.data[0] == NULL);
    // Before memory is asked for: these columns would take 12 TB.
    def = make_def(1e6, 1);
    def.height = 1e9;
    CHECK(ergi_columns_create(&c, &def, QUANTUM, &one, &err) == ERG_BAD_INPUT);
    // A peak between the corners of blocks.
    float peak[25] = {[12] = 1e9f};
    def = make_def(1, 0.1);
    def.relief = ERG_RELIEF_HEIGHTS;
    def.heights = peak;
    def.columns[0] = def.columns[1] = 5;
    CHECK(ergi_columns_create(&c, &def, QUANTUM, &one, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "height");
}

// More than 2^64 quanta, on any number of threads, less and more again.
TEST(sand_is_counted_exactly)
{
    erg_terrain_def def = make_def(1, 0.01);
    def.height = 1e5; // 1e17 quanta in each of 10,000 columns
    ergi_columns c;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    uint64_t *height = ergi_columns_height(&c);
    ergi_u128 all = {0, 0};
    for (size_t r = 0; r < c.table.rows; r++) {
        height[r] += height[r] ? r : 0;
        all = ergi_u128_add(all, height[r]);
    }
    CHECK(all.high == 54); // 1e21 / 2^64
    CHECK(ergi_u128_equal(ergi_columns_sand(&c, &one), all));
    CHECK(ergi_u128_equal(ergi_columns_sand(&c, &four), all));
    CHECK_NEAR(ergi_u128_number(all), 1e21, 1e9);
    ergi_u128 edge = {1, 7}, less = ergi_u128_subtract(edge, 3);
    CHECK(less.high == 6 && less.low == UINT64_MAX - 1);
    CHECK(ergi_u128_equal(ergi_u128_add(less, 3), edge));
    CHECK(ergi_u128_less(less, edge) && !ergi_u128_less(edge, less) && !ergi_u128_less(edge, edge));
    CHECK(ergi_u128_equal(ergi_u128_minus(edge, less), (ergi_u128){3, 0}));
    ergi_u128 third = ergi_u128_divide((ergi_u128){2, 7}, 3); // 7 * 2^64 + 2
    CHECK(ergi_u128_equal(third, (ergi_u128){0x5555555555555556u, 2}));
    ergi_columns_free(&c);
}

TEST(marks)
{
    erg_terrain_def def = make_def(2, 0.01);
    ergi_columns    c;
    REQUIRE(ergi_columns_create(&c, &def, QUANTUM, &one, NULL) == ERG_OK);
    CHECK(c.actives == 0);
    size_t   row = ergi_columns_row(&c, 64 + 9, 128 + 63);
    size_t   block = ergi_columns_block_of(&c, 64 + 9, 128 + 63);
    uint32_t stamp = c.stamp[block];
    ergi_columns_mark(&c, row, false);
    CHECK(c.stamp[block] != stamp && c.actives == 0);
    ergi_columns_mark(&c, row, true);
    ergi_columns_mark(&c, row, true);
    CHECK(c.actives == 1 && c.active[0] == block);
    CHECK(ergi_columns_flow(&c)[block] == (uint64_t)1 << 57); // 8th row of patches, 2nd patch
    c.actives = 0;                                            // as if restored
    ergi_columns_restored(&c);
    CHECK(c.actives == 1 && c.active[0] == block);
    ergi_columns_free(&c);
}

TEST_MAIN(size_is_whole_columns, floor_counts, slope_is_a_plane, dunes_have_slip_faces_downwind,
          noise_depends_on_the_seed, heights_are_interpolated, bad_definitions_are_refused,
          columns_that_are_too_high_are_refused, sand_is_counted_exactly, marks)
