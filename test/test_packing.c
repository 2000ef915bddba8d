// Packings dropped under gravity: density, overlap, support, periodicity, the same packing for the
// same seed.
// labels: asan
#include "check.h"

#include "geom/packing.h"
#include "geom/vec3.h"

#include <stdlib.h>

enum { COUNT = 2400 };

static void make(ergi_packing *p, double spread, uint64_t seed)
{
    static double radius[COUNT];
    for (int i = 0; i < COUNT; i++)
        radius[i] = 0.01 * (1 + spread * ((double)(i * 37 % 100) / 99 - 0.5));
    if (ergi_packing_make(p, radius, COUNT, seed, NULL) != ERG_OK) abort();
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

// As loose as spheres poured without shaking, and the same at all heights; a little looser at the
// flat floor.
TEST(density_and_overlap)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        ergi_packing p;
        make(&p, mixed ? 0.4 : 0, 1);
        CHECK(ergi_packing_overlap(&p) < 2e-4);
        CHECK_NEAR(p.share, 0.585, 0.015);
        for (int k = 0; k < 4; k++) {
            double low = p.height * k / 4, high = p.height * (k + 1) / 4;
            sum    all = {.box = {0, 0, low, p.side, p.side, high}};
            ergi_packing_visit(&p, all.box, all.box + 3, add, &all);
            CHECK_NEAR(all.volume / (p.side * p.side * (high - low)), 0.585, k == 0 ? 0.05 : 0.03);
            CHECK(!all.outside);
        }
        ergi_packing_free(&p);
    }
}

// Number of spheres that touch sphere i from below.
static int supports_of(const ergi_packing *p, size_t i, double gap)
{
    const double *s = p->sphere + 4 * i;
    int           count = 0;
    for (size_t j = 0; j < p->count; j++) {
        const double *o = p->sphere + 4 * j;
        double        dx = s[0] - o[0], dy = s[1] - o[1], dz = s[2] - o[2];
        dx -= p->side * nearbyint(dx / p->side);
        dy -= p->side * nearbyint(dy / p->side);
        double far = sqrt(dx * dx + dy * dy + dz * dz);
        count += dz > 0 && far < s[3] + o[3] + gap;
    }
    return count;
}

// Nothing falls when it is released: no sphere floats, and nearly all lie on three others or on the
// floor.
TEST(spheres_rest)
{
    ergi_packing p;
    size_t       loose = 0, floating = 0;
    make(&p, 0.2, 5);
    for (size_t i = 0; i < p.count; i++) {
        if (p.sphere[4 * i + 2] < p.sphere[4 * i + 3] + 1e-4) continue;
        int count = supports_of(&p, i, 1e-4);
        loose += count < 3;
        floating += count == 0;
    }
    CHECK(loose < p.count / 8);
    CHECK(floating == 0);
    ergi_packing_free(&p);
}

// Boxes that fill space, visited one by one, give every sphere once.
TEST(boxes_add_up)
{
    ergi_packing p;
    make(&p, 0, 2);
    double half[3] = {p.side, p.side, p.height};
    sum    whole = {.box = {-half[0], -half[1], -half[2], half[0], half[1], half[2]}}, parts = {0};
    ergi_packing_visit(&p, whole.box, whole.box + 3, add, &whole);
    CHECK(whole.count == 8 * p.count);
    for (int k = 0; k < 5 * 3 * 4; k++) {
        int    at[3] = {k % 5, k / 5 % 3, k / 15}, along[3] = {5, 3, 4};
        double before = parts.volume;
        for (int a = 0; a < 3; a++) {
            parts.box[a] = half[a] * (2.0 * at[a] / along[a] - 1);
            parts.box[3 + a] = half[a] * (2.0 * (at[a] + 1) / along[a] - 1);
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
    make(&a, 0, 3);
    make(&b, 0, 3);
    make(&c, 0, 4);
    CHECK(a.count == b.count);
    CHECK(memcmp(a.sphere, b.sphere, 4 * a.count * sizeof *a.sphere) == 0);
    CHECK(memcmp(a.sphere, c.sphere, 40 * sizeof *a.sphere) != 0);
    ergi_packing_free(&a);
    ergi_packing_free(&b);
    ergi_packing_free(&c);
}

TEST_MAIN(density_and_overlap, spheres_rest, boxes_add_up, depends_on_the_seed_alone)
