// Packings of settled sand: density, overlap, coordination, support, periodicity, the same packing
// for the same seed.
// labels: asan
#include "api/pour.h"
#include "geom/packing.h"
#include "world_helpers.h"

enum { COUNT = 700 };
#define SIDE 0.12 // 6 diameters [m]

// Pours grains of 10 mm radius, on average.
static void make(ergi_packing *p, double friction, double spread, uint64_t seed)
{
    static double    sphere[4 * COUNT];
    size_t           count = COUNT;
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_error        err;
    def.seed = seed;
    m.friction = friction;
    m.rolling = 0.1;
    erg_world *world = new_world(&def);
    new_mixed_kind(world, ERG_SHAPE_SPHERE, new_material(world, &m), 0.01 * (1 - 0.5 * spread),
                   0.01 * (1 + 0.5 * spread));
    must(ergi_pour(world, 0, SIDE, sphere, &count, &err), &err);
    must(ergi_packing_make(p, sphere, count, SIDE, &err), &err);
    CHECK(count == COUNT);
    erg_world_destroy(world);
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

// As dense as sand that was poured, at all heights; looser at the flat floor.
TEST(density_and_overlap)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        ergi_packing p;
        make(&p, 0.5, mixed ? 0.4 : 0, 1);
        CHECK(ergi_packing_overlap(&p) < 2e-4);
        CHECK_NEAR(p.share, 0.575, 0.015);
        for (int k = 0; k < 4; k++) {
            double low = p.height * k / 4, high = p.height * (k + 1) / 4;
            sum    all = {.box = {0, 0, low, p.side, p.side, high}};
            ergi_packing_visit(&p, all.box, all.box + 3, add, &all);
            CHECK_NEAR(all.volume / (p.side * p.side * (high - low)), 0.58, k == 0 ? 0.06 : 0.04);
            CHECK(!all.outside);
        }
        ergi_packing_free(&p);
    }
}

// Sand with less friction packs more closely.
TEST(friction_keeps_it_loose)
{
    ergi_packing rough, smooth;
    make(&rough, 0.8, 0.2, 2);
    make(&smooth, 0.1, 0.2, 2);
    CHECK(smooth.share > rough.share + 0.02);
    ergi_packing_free(&rough);
    ergi_packing_free(&smooth);
}

// Number of spheres that touch sphere i; *below: of those that are lower.
static int touching(const ergi_packing *p, size_t i, double gap, int *below)
{
    const double *s = p->sphere + 4 * i;
    int           count = 0;
    *below = 0;
    for (size_t j = 0; j < p->count; j++) {
        const double *o = p->sphere + 4 * j;
        double        dx = s[0] - o[0], dy = s[1] - o[1], dz = s[2] - o[2];
        dx -= p->side * nearbyint(dx / p->side);
        dy -= p->side * nearbyint(dy / p->side);
        double far = sqrt(dx * dx + dy * dy + dz * dz);
        if (j == i || !(far < s[3] + o[3] + gap)) continue;
        count++;
        *below += dz > 0;
    }
    return count;
}

// Nothing falls far when it is released: no sphere floats. Friction holds them with about five
// contacts each, where spheres without it need six.
TEST(spheres_rest)
{
    ergi_packing p;
    size_t       floating = 0, inside = 0, contacts = 0;
    make(&p, 0.5, 0.2, 5);
    for (size_t i = 0; i < p.count; i++) {
        int    below, count = touching(&p, i, 2e-4, &below);
        double z = p.sphere[4 * i + 2], r = p.sphere[4 * i + 3];
        floating += below == 0 && z > r + 2e-4;
        if (z < 0.04 || z > p.height - 0.04) continue;
        inside++;
        contacts += (size_t)count;
    }
    CHECK(inside > 200);
    CHECK(floating < p.count / 100);
    CHECK_NEAR((double)contacts / (double)inside, 5, 0.4);
    ergi_packing_free(&p);
}

// Boxes that fill space, visited one by one, give every sphere once.
TEST(boxes_add_up)
{
    ergi_packing p;
    make(&p, 0.5, 0, 2);
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
    make(&a, 0.5, 0, 3);
    make(&b, 0.5, 0, 3);
    make(&c, 0.5, 0, 4);
    CHECK(a.count == b.count);
    CHECK(memcmp(a.sphere, b.sphere, 4 * a.count * sizeof *a.sphere) == 0);
    CHECK(memcmp(a.sphere, c.sphere, 40 * sizeof *a.sphere) != 0);
    ergi_packing_free(&a);
    ergi_packing_free(&b);
    ergi_packing_free(&c);
}

TEST_MAIN(density_and_overlap, friction_keeps_it_loose, spheres_rest, boxes_add_up,
          depends_on_the_seed_alone)
