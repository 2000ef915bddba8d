// Periodic packings: density, overlap, periodicity, the same packing for the same seed.
// labels: asan
#include "check.h"

#include "geom/packing.h"
#include "geom/vec3.h"

#include <stdlib.h>

enum { COUNT = 400 };

static void make(ergi_packing *p, double spread, double share, uint64_t seed)
{
    double radius[COUNT];
    for (int i = 0; i < COUNT; i++)
        radius[i] = 0.01 * (1 + spread * ((double)(i * 37 % 100) / 99 - 0.5));
    if (ergi_packing_make(p, radius, COUNT, share, seed, NULL) != ERG_OK) abort();
}

typedef struct sum {
    double volume;
    size_t count;
    double box[6];
    bool   outside;
} sum;

static void add(void *user, const double s[4])
{
    sum *all = user;
    all->volume += 4.0 / 3 * ERGI_PI * s[3] * s[3] * s[3];
    all->count++;
    for (int k = 0; k < 3; k++)
        if (s[k] < all->box[k] || s[k] >= all->box[3 + k]) all->outside = true;
}

TEST(density_and_overlap)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        ergi_packing p;
        make(&p, mixed ? 0.4 : 0, 0.6, 1);
        CHECK(ergi_packing_overlap(&p) < 3e-3);
        sum all = {.box = {-0.31, 0.17, -1, 1.2, 0.9, 0.4}};
        ergi_packing_visit(&p, all.box, all.box + 3, add, &all);
        double volume = 1.51 * 0.73 * 1.4;
        CHECK_NEAR(all.volume / volume, 0.6, 0.01);
        CHECK(!all.outside);
        ergi_packing_free(&p);
    }
}

// Boxes that fill space, visited one by one, give every sphere once.
TEST(boxes_add_up)
{
    ergi_packing p;
    make(&p, 0, 0.58, 2);
    double side = p.side;
    sum    whole = {.box = {-side, -side, -side, side, side, side}}, parts = {0};
    ergi_packing_visit(&p, whole.box, whole.box + 3, add, &whole);
    CHECK(whole.count == 8 * COUNT);
    for (int k = 0; k < 5 * 3 * 4; k++) {
        int    at[3] = {k % 5, k / 5 % 3, k / 15}, along[3] = {5, 3, 4};
        double before = parts.volume;
        for (int a = 0; a < 3; a++) {
            parts.box[a] = -side + 2 * side * at[a] / along[a];
            parts.box[3 + a] = -side + 2 * side * (at[a] + 1) / along[a];
        }
        ergi_packing_visit(&p, parts.box, parts.box + 3, add, &parts);
        CHECK(parts.volume > before);
    }
    CHECK(parts.count == whole.count);
    ergi_packing_free(&p);
}

TEST(depends_on_the_seed_alone)
{
    ergi_packing a, b, c;
    make(&a, 0, 0.5, 3);
    make(&b, 0, 0.5, 3);
    make(&c, 0, 0.5, 4);
    CHECK(memcmp(a.sphere, b.sphere, 4 * COUNT * sizeof *a.sphere) == 0);
    CHECK(memcmp(a.sphere, c.sphere, 4 * COUNT * sizeof *a.sphere) != 0);
    ergi_packing_free(&a);
    ergi_packing_free(&b);
    ergi_packing_free(&c);
}

TEST_MAIN(density_and_overlap, boxes_add_up, depends_on_the_seed_alone)
