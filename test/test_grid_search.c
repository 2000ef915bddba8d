// labels: asan clang
// The search of the grid in each instruction set against brute force: spheres of very different
// size, clumps of hundreds of spheres, narrow periodic boxes, and searches for fresh spheres only.
#include "contact/candidates.h"
#include "world_helpers.h"

#include <stdlib.h>

enum { MOST = 900 };

static const char *const ISA[] = {"scalar", "avx2",
                                  "avx512"}; // what the processor lacks is skipped

typedef struct cloud {
    double          position[4 * MOST];
    float           skin[MOST];
    uint32_t        grain[MOST];
    uint8_t         fresh[MOST];
    ergi_spheres_in in;
} cloud;

// Radii from 0.4 to 0.4 + `spread` mm in a cube of 10 mm.
static cloud *new_cloud(int count, double spread)
{
    cloud *c = calloc(1, sizeof *c);
    for (size_t i = 0; i < (size_t)count; i++) {
        ergi_random r = {.seed = 11, .id = i};
        for (size_t a = 0; a < 3; a++) c->position[4 * i + a] = ergi_random_range(&r, 0, 0.01);
        double u = ergi_random_range(&r, 0, 1);
        c->position[4 * i + 3] = 0.4e-3 + spread * u * u * u * 1e-3;
        c->skin[i] = (float)ergi_random_range(&r, 0, 0.5e-3);
        c->grain[i] = (uint32_t)i;
        c->fresh[i] = ergi_random_range(&r, 0, 1) < 0.2;
    }
    c->in = (ergi_spheres_in){.position = c->position, .count = count, .sphere_skin = c->skin};
    return c;
}

static bool is_wanted(const cloud *c, size_t i, size_t j)
{
    const double *a = c->position + 4 * i, *b = c->position + 4 * j;
    double        d2 = 0, reach = a[3] + b[3] + (double)c->skin[i] + (double)c->skin[j];
    if (c->in.grain && c->grain[i] == c->grain[j]) return false;
    if (c->in.fresh && !c->fresh[i] && !c->fresh[j]) return false;
    for (int k = 0; k < 3; k++) {
        double d = a[k] - b[k], period = c->in.space.period[k];
        if (period > 0) d -= period * nearbyint(d / period);
        d2 += d * d;
    }
    return d2 < reach * reach;
}

// The number of pairs found; pairs that are wrong or found twice are counted in *wrong.
static size_t search(const cloud *c, size_t *wrong)
{
    ergi_grid       grid = {0};
    ergi_candidates found = {0};
    ergi_threads    threads = {.count = 2};
    uint8_t        *seen = calloc((size_t)MOST * MOST, 1);
    size_t          pairs = 0;
    erg_index       far;
    erg_error       err;
    must(ergi_grid_build(&grid, &c->in, &far, &err), &err);
    must(ergi_candidates_find(&found, &grid, &c->in, ergi_earlier_in_memory, &threads, &err), &err);
    for (size_t i = 0; i < (size_t)c->in.count; i++)
        for (uint32_t k = 0; k < found.count[i]; k++) {
            size_t j = found.partner[found.first[i] + k];
            *wrong += i == j || seen[i * MOST + j] || !is_wanted(c, i, j);
            seen[i * MOST + j] = seen[j * MOST + i] = 1;
            pairs++;
        }
    free(seen);
    ergi_grid_free(&grid);
    ergi_candidates_free(&found);
    return pairs;
}

static void check(cloud *c)
{
    size_t wanted = 0;
    for (size_t i = 0; i < (size_t)c->in.count; i++)
        for (size_t j = i + 1; j < (size_t)c->in.count; j++) wanted += is_wanted(c, i, j);
    CHECK(wanted > 500);
    for (size_t k = 0; k < sizeof ISA / sizeof *ISA; k++) {
        size_t wrong = 0;
        setenv("ERG_ISA", ISA[k], 1);
        size_t found = search(c, &wrong);
        CHECK(found == wanted && wrong == 0);
    }
    unsetenv("ERG_ISA");
}

TEST(sizes_from_one_to_ten)
{
    cloud *c = new_cloud(MOST, 4);
    check(c);
    free(c);
}

// A grain of 450 spheres inside each other: all are candidates of each, and none is a pair.
TEST(a_clump_of_hundreds)
{
    cloud *c = new_cloud(MOST, 0.2);
    for (size_t i = 0; i < 450; i++) {
        for (size_t a = 0; a < 3; a++)
            c->position[4 * i + a] = 0.004 + 0.1 * c->position[4 * i + a];
        c->grain[i] = 0;
    }
    c->in.grain = c->grain;
    check(c);
    free(c);
}

// One and two cells along the periodic axes, where every sphere near them is a candidate.
TEST(narrow_periodic_boxes)
{
    for (int cells = 1; cells <= 2; cells++) {
        cloud *c = new_cloud(MOST, 0.1);
        double side = cells * 0.0042;
        for (size_t i = 0; i < MOST; i++)
            for (size_t a = 0; a < 2; a++) c->position[4 * i + a] *= side / 0.01;
        for (size_t i = 0; i < MOST; i++) c->position[4 * i + 2] *= 0.3;
        for (int a = 0; a < 2; a++) c->in.space.period[a] = side;
        check(c);
        free(c);
    }
}

TEST(fresh_spheres_only)
{
    cloud *c = new_cloud(MOST, 4);
    c->in.fresh = c->fresh;
    check(c);
    for (int a = 0; a < 2; a++) c->in.space.period[a] = 0.01 + 0.012;
    check(c);
    free(c);
}

TEST_MAIN(sizes_from_one_to_ten, a_clump_of_hundreds, narrow_periodic_boxes, fresh_spheres_only)
