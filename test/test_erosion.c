// Slopes that flow, against a plain reference over the whole grid; conservation, symmetry, threads,
// the end state, held columns, and the cost of a quiet terrain.
// labels: asan tsan
#include "check.h"

#include "base/clock.h"
#include "base/hash.h"
#include "terrain/erosion.h"

#include <stdlib.h>

static const ergi_threads one = {.count = 1}, three = {.count = 3};

#define TAN_START 0.7813 // 38 degrees
#define TAN_STOP 0.6745  // 34 degrees

typedef struct bed {
    ergi_columns        c;
    ergi_erosion        e;
    ergi_erosion_params params;
    ergi_erosion_report report;
} bed;

static void make_bed(bed *b, int nx, int ny, double spacing, double quantum)
{
    erg_terrain_def def = {.upper = {nx * spacing, ny * spacing}, .spacing = spacing, .height = 1};
    *b = (bed){.params = {.tan_start = TAN_START, .tan_stop = TAN_STOP, .most = 4}};
    if (ergi_columns_create(&b->c, &def, quantum, &one, NULL) != ERG_OK ||
        ergi_erosion_create(&b->e, &b->c, NULL) != ERG_OK)
        abort();
}

static void free_bed(bed *b)
{
    ergi_columns_free(&b->c);
    ergi_erosion_free(&b->e);
}

static void set_z(bed *b, int i, int j, double z)
{
    size_t row = ergi_columns_row(&b->c, i, j);
    ergi_columns_height(&b->c)[row] = (uint64_t)(z / b->c.quantum);
    ergi_columns_surface(&b->c)[row] =
        (float)ergi_columns_z(&b->c, ergi_columns_height(&b->c)[row]);
    ergi_columns_mark(&b->c, row, true);
}

static uint64_t height_at(const bed *b, int i, int j)
{
    return ergi_columns_height(&b->c)[ergi_columns_row(&b->c, i, j)];
}

static uint64_t hash_of(const bed *b)
{
    uint64_t h = ergi_hash_bytes(ergi_columns_height(&b->c), b->c.table.rows * 8, 1);
    h = ergi_hash_bytes(ergi_columns_surface(&b->c), b->c.table.rows * 4, h);
    h = ergi_hash_bytes(ergi_columns_moving(&b->c), b->c.moving.rows * 8, h);
    return ergi_hash_bytes(ergi_columns_flow(&b->c), b->c.flow.rows * 8, h);
}

static int run(bed *b, int most, const ergi_threads *threads)
{
    int sweeps = 0;
    for (; b->c.actives > 0 && sweeps < most; sweeps += b->report.sweeps)
        if (ergi_erosion_sweeps(&b->e, &b->c, &b->params, threads, &b->report, NULL) != ERG_OK)
            abort();
    return sweeps;
}

// Rough ground with pits, spikes and cliffs.
static void roughen(bed *b, double most, uint64_t seed)
{
    for (int j = 0; j < b->c.count[1]; j++)
        for (int i = 0; i < b->c.count[0]; i++) {
            seed = ergi_mix64(seed + 1);
            if (seed % 5 == 0) set_z(b, i, j, 1 + most * (double)(seed >> 40) / 16777216.0);
        }
}

// ---- Reference ---------------------------------------------------------------------------------
// All columns, no patches, no activity.
typedef struct reference {
    int      nx, ny;
    int64_t *h, *next;
    uint8_t *moving, *moved, *held;
    int64_t  limit[2][2]; // diagonal, moving
} reference;

static reference make_reference(const bed *b)
{
    reference r = {.nx = b->c.count[0], .ny = b->c.count[1]};
    size_t    n = (size_t)r.nx * (size_t)r.ny;
    r.h = calloc(n, 8), r.next = calloc(n, 8);
    r.moving = calloc(n, 1), r.moved = calloc(n, 1), r.held = calloc(n, 1);
    for (int k = 0; k < r.nx * r.ny; k++) r.h[k] = (int64_t)height_at(b, k % r.nx, k / r.nx);
    for (int d = 0; d < 2; d++)
        for (int m = 0; m < 2; m++)
            r.limit[d][m] = (int64_t)floor((d ? sqrt(2) * b->c.spacing : b->c.spacing) *
                                           (m ? TAN_STOP : TAN_START) / b->c.quantum);
    return r;
}

static void free_reference(reference *r)
{
    free(r->h), free(r->next), free(r->moving), free(r->moved), free(r->held);
}

static void reference_sweep(reference *r)
{
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            int k = j * r->nx + i;
            r->next[k] = r->h[k];
            r->moved[k] = 0;
            for (int d = 0; d < 9; d++) {
                int x = i + d % 3 - 1, y = j + d / 3 - 1, l = y * r->nx + x;
                if (d == 4 || x < 0 || y < 0 || x >= r->nx || y >= r->ny) continue;
                int     diagonal = x != i && y != j;
                int64_t up = r->h[l] - r->h[k];
                int64_t flux = (llabs(up) - r->limit[diagonal][r->moving[k] || r->moving[l]]) / 9;
                if (flux <= 0 || r->held[k] || r->held[l]) continue;
                r->next[k] += up > 0 ? flux : -flux;
                r->moved[k] = 1;
            }
        }
    int64_t *h = r->h;
    r->h = r->next, r->next = h;
    uint8_t *m = r->moving;
    r->moving = r->moved, r->moved = m;
}

static bool agrees(const bed *b, const reference *r)
{
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            size_t row = ergi_columns_row(&b->c, i, j);
            bool   moving =
                ergi_columns_moving(&b->c)[row / 4096 * 64 + ergi_columns_patch_of(row)] >>
                    ergi_columns_bit_of(row) &
                1;
            int k = j * r->nx + i;
            if (height_at(b, i, j) != (uint64_t)r->h[k] || moving != r->moving[k] ||
                ergi_columns_surface(&b->c)[row] !=
                    (float)ergi_columns_z(&b->c, (uint64_t)r->h[k])) {
                printf("    column %d %d: %llu, expected %lld\n", i, j,
                       (unsigned long long)height_at(b, i, j), (long long)r->h[k]);
                return false;
            }
        }
    return true;
}

static void compare(double quantum, double rough, uint64_t seed)
{
    bed b;
    make_bed(&b, 139, 83, 0.02, quantum);
    roughen(&b, rough, seed);
    reference r = make_reference(&b);
    ergi_u128 sand = ergi_columns_sand(&b.c, &one);
    b.params.most = 1;
    for (int n = 0; n < 200; n++) {
        run(&b, 1, &three);
        reference_sweep(&r);
        if (n % 20 == 0 && !agrees(&b, &r)) break;
    }
    CHECK(agrees(&b, &r));
    CHECK(ergi_u128_equal(ergi_columns_sand(&b.c, &one), sand));
    free_reference(&r);
    free_bed(&b);
}

TEST(agrees_with_the_reference)
{
    compare(1e-13, 0.3, 1);
    compare(1e-13, 0.015, 2); // slopes about the angles: patches fall asleep and wake
    compare(1e-4, 0.3, 3);    // few quanta: rounding matters
    compare(1e-17, 0.3, 4);   // more quanta than doubles hold
}

TEST(instruction_sets_agree)
{
#if defined(ERG_X86_KERNELS)
    if (!__builtin_cpu_supports("avx2")) return;
    bed a, b;
    make_bed(&a, 100, 100, 0.02, 1e-12), make_bed(&b, 100, 100, 0.02, 1e-12);
    roughen(&a, 0.1, 5), roughen(&b, 0.1, 5);
    a.e.flux = ergi_flux_plain, b.e.flux = ergi_flux_avx2;
    run(&a, 100, &one), run(&b, 100, &one);
    CHECK(hash_of(&a) == hash_of(&b));
    free_bed(&a), free_bed(&b);
#endif
}

TEST(threads_agree)
{
    bed a, b;
    make_bed(&a, 200, 150, 0.02, 1e-12), make_bed(&b, 200, 150, 0.02, 1e-12);
    roughen(&a, 0.1, 6), roughen(&b, 0.1, 6);
    // Marked in another order, too.
    ergi_columns_restored(&b.c);
    for (size_t k = 0; k < b.c.actives / 2; k++) {
        uint32_t t = b.c.active[k];
        b.c.active[k] = b.c.active[b.c.actives - 1 - k];
        b.c.active[b.c.actives - 1 - k] = t;
    }
    for (int n = 0; n < 10; n++) {
        run(&a, 4, &one), run(&b, 4, &three);
        CHECK(hash_of(&a) == hash_of(&b));
    }
    free_bed(&a), free_bed(&b);
}

// ---- End states --------------------------------------------------------------------------------
// The most by which a slope exceeds angle_stop [quanta].
static int64_t worst(const bed *b)
{
    reference r = make_reference(b);
    int64_t   most = INT64_MIN;
    for (int j = 0; j < r.ny; j++)
        for (int i = 0; i < r.nx; i++)
            for (int d = 0; d < 9; d++) {
                int x = i + d % 3 - 1, y = j + d / 3 - 1;
                if (d == 4 || x < 0 || y < 0 || x >= r.nx || y >= r.ny) continue;
                int64_t up = llabs(r.h[y * r.nx + x] - r.h[j * r.nx + i]);
                int64_t over = up - r.limit[x != i && y != j][1];
                if (over > most) most = over;
            }
    free_reference(&r);
    return most;
}

TEST(a_scarp_ends_below_the_angle)
{
    bed b;
    make_bed(&b, 64, 20, 0.05, 1e-10);
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 64; i++) set_z(&b, i, j, 1 + 0.05 * fmin(fmax(i - 25, 0), 12));
    ergi_u128 sand = ergi_columns_sand(&b.c, &one);
    CHECK(worst(&b) > 100000000);
    int sweeps = run(&b, 1000000, &one);
    CHECK(b.c.actives == 0 && b.report.patches == 0);
    CHECK(worst(&b) <= 9);
    CHECK(worst(&b) > -1000); // it stopped at the angle, not far below
    CHECK(ergi_u128_equal(ergi_columns_sand(&b.c, &one), sand));
    CHECK(sweeps > 100);
    // It has spread to both sides, in the same way in each row.
    CHECK(height_at(&b, 25, 3) > (uint64_t)(1.001 / 1e-10));
    CHECK(height_at(&b, 38, 3) < (uint64_t)(1.599 / 1e-10));
    for (int i = 0; i < 64; i++) CHECK(height_at(&b, i, 3) == height_at(&b, i, 16));
    free_bed(&b);
}

TEST(a_tower_falls_symmetrically)
{
    bed b;
    make_bed(&b, 101, 101, 0.02, 1e-11); // 101: symmetric, unlike the patches
    for (int j = 47; j <= 53; j++)
        for (int i = 47; i <= 53; i++) set_z(&b, i, j, 1.5);
    ergi_u128 sand = ergi_columns_sand(&b.c, &one);
    for (int n = 0; n < 20; n++) {
        run(&b, 40, &three);
        int bad = 0;
        for (int j = 0; j < 101; j++)
            for (int i = 0; i < 101; i++) {
                uint64_t h = height_at(&b, i, j);
                bad += h != height_at(&b, 100 - i, j) || h != height_at(&b, j, i);
            }
        CHECK(bad == 0);
    }
    run(&b, 1000000, &three);
    CHECK(b.c.actives == 0);
    CHECK(worst(&b) <= 9);
    CHECK(ergi_u128_equal(ergi_columns_sand(&b.c, &one), sand));
    // A heap: 7 x 7 columns of 0.5 m. A cone of that slope and volume is 0.15 m high.
    double top = (double)height_at(&b, 50, 50) * 1e-11 - 1;
    CHECK_NEAR(top, 0.15, 0.02);
    free_bed(&b);
}

// A slope between the two angles stands until something moves on it.
TEST(between_the_angles)
{
    bed b;
    make_bed(&b, 64, 16, 0.02, 1e-11);
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 64; i++) set_z(&b, i, j, 1 + 0.72 * 0.02 * fmin(i, 40));
    CHECK(run(&b, 100, &one) == 1); // looked at once
    CHECK(b.c.actives == 0 && b.report.largest == 0);
    CHECK(height_at(&b, 20, 3) == (uint64_t)((1 + 0.72 * 0.02 * 20) / 1e-11));

    set_z(&b, 20, 8, 1 + 0.72 * 0.02 * 20 + 0.004); // too steep here
    run(&b, 1000000, &one);
    CHECK(b.c.actives == 0);
    CHECK(worst(&b) <= 9);                                                    // all of it came down
    CHECK(height_at(&b, 39, 3) < (uint64_t)((1 + 0.72 * 0.02 * 38) / 1e-11)); // up to the crest
    free_bed(&b);
}

// ---- Held columns ------------------------------------------------------------------------------
TEST(held_columns_neither_give_nor_take)
{
    bed             b;
    ergi_column_set held, covered;
    make_bed(&b, 100, 90, 0.02, 1e-13);
    REQUIRE(ergi_column_set_create(&held, &b.c, NULL) == ERG_OK);
    REQUIRE(ergi_column_set_create(&covered, &b.c, NULL) == ERG_OK);
    roughen(&b, 0.2, 9);
    reference r = make_reference(&b);
    for (int j = 0; j < 90; j++)
        for (int i = 0; i < 100; i++)
            if ((i - 60) * (i - 60) + (j - 60) * (j - 60) < 200 || (i > 10 && j % 7 == 0)) {
                ergi_column_set *set = i < 50 ? &covered : &held;
                REQUIRE(ergi_column_set_add(set, ergi_columns_row(&b.c, i, j), NULL) == ERG_OK);
                CHECK(ergi_column_set_has(set, ergi_columns_row(&b.c, i, j)));
                r.held[j * 100 + i] = 1;
            }
    CHECK(!ergi_column_set_has(&held, ergi_columns_row(&b.c, 5, 5)));
    b.params.held = &held, b.params.covered = &covered, b.params.most = 1;
    ergi_u128 sand = ergi_columns_sand(&b.c, &one);
    for (int n = 0; n < 300; n++) {
        run(&b, 1, &three);
        reference_sweep(&r);
    }
    CHECK(agrees(&b, &r));
    CHECK(ergi_u128_equal(ergi_columns_sand(&b.c, &one), sand));
    // Released, the rest flows without being marked again.
    CHECK(b.c.actives > 0);
    ergi_column_set_clear(&held), ergi_column_set_clear(&covered);
    CHECK(!ergi_column_set_has(&held, ergi_columns_row(&b.c, 60, 60)));
    memset(r.held, 0, 9000);
    for (int n = 0; n < 300; n++) {
        run(&b, 1, &three);
        reference_sweep(&r);
    }
    CHECK(agrees(&b, &r));
    free_reference(&r);
    ergi_column_set_free(&held), ergi_column_set_free(&covered);
    free_bed(&b);
}

// ---- Activity ----------------------------------------------------------------------------------
TEST(survey_finds_steep_slopes)
{
    bed b;
    make_bed(&b, 150, 150, 0.02, 1e-12);
    set_z(&b, 64, 10, 1 + 0.02 * 0.79);   // steeper than 38 degrees, at the border of two blocks
    set_z(&b, 100, 100, 1 + 0.02 * 0.77); // less steep
    memset(ergi_columns_flow(&b.c), 0, b.c.flow.rows * 8);
    ergi_erosion_survey(&b.c, TAN_START, &three);
    CHECK(b.c.actives >= 1 && b.c.actives <= 2);
    CHECK(ergi_columns_flow(&b.c)[1] & (uint64_t)1 << 8);
    CHECK(ergi_columns_flow(&b.c)[4] == 0);
    CHECK(run(&b, 1000, &one) > 1 && b.c.actives == 0);
    CHECK(height_at(&b, 64, 10) < (uint64_t)((1 + 0.02 * 0.79) / 1e-12));
    free_bed(&b);
}

TEST(a_quiet_terrain_costs_nothing)
{
    bed b;
    make_bed(&b, 2000, 2000, 0.02, 1e-12);
    enum { TICKS = 100000 };
    double start = ergi_clock_seconds();
    for (int n = 0; n < TICKS; n++)
        CHECK(ergi_erosion_sweeps(&b.e, &b.c, &b.params, &three, &b.report, NULL) == ERG_OK);
    double each = (ergi_clock_seconds() - start) / TICKS;
    CHECK(each < 1e-6); // measured: 2e-8 s
    CHECK(b.report.sweeps == 0 && b.report.largest == 0);
    // One disturbance costs as much as on a small terrain: its own patches.
    set_z(&b, 1000, 1000, 1.05);
    uint32_t stamp = b.c.stamp[ergi_columns_block_of(&b.c, 100, 100)];
    run(&b, 8, &one);
    CHECK(b.report.patches < 10);
    CHECK(b.c.stamp[ergi_columns_block_of(&b.c, 100, 100)] == stamp);
    CHECK(b.c.stamp[ergi_columns_block_of(&b.c, 1000, 1000)] != stamp);
    free_bed(&b);
}

TEST_MAIN(agrees_with_the_reference, instruction_sets_agree, threads_agree,
          a_scarp_ends_below_the_angle, a_tower_falls_symmetrically, between_the_angles,
          held_columns_neither_give_nor_take, survey_finds_steep_slopes,
          a_quiet_terrain_costs_nothing)
