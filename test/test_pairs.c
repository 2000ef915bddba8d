// labels: asan
// Pair history for any solver: pairs agree with brute force, and history follows the spheres when
// they are sorted, transformed by its rule when a pair swaps sides.
#include "contact/pairs.h"
#include "world_helpers.h"

#include <stdlib.h>

enum { COUNT = 1500 };

typedef struct cloud {
    double          position[4 * COUNT];
    ergi_grid       grid;
    ergi_candidates candidates;
} cloud;

static void scatter(cloud *c)
{
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < COUNT; i++) {
        ergi_random r = {.seed = 5, .id = i};
        for (size_t a = 0; a < 3; a++) c->position[4 * i + a] = ergi_random_range(&r, 0, 0.02);
        c->position[4 * i + 3] = ergi_random_range(&r, 0.3e-3, 1e-3);
    }
}

static void find(cloud *c, int threads)
{
    ergi_spheres_in in = {.position = c->position, .count = COUNT, .skin = 2e-4};
    ergi_threads    t = {.count = threads};
    erg_index       far;
    erg_error       err;
    must(ergi_grid_build(&c->grid, &in, &far, &err), &err);
    must(ergi_candidates_find(&c->candidates, &c->grid, &in, ergi_earlier_in_memory, &t, &err),
         &err);
}

static void close_cloud(cloud *c)
{
    ergi_grid_free(&c->grid);
    ergi_candidates_free(&c->candidates);
}

static double distance(const cloud *c, size_t i, size_t j)
{
    const double *a = c->position + 4 * i, *b = c->position + 4 * j;
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static ergi_pairs new_pairs(ergi_swap_rule rule)
{
    ergi_pairs p;
    ergi_pairs_init(&p, "pairs_start", "pairs", (ergi_history){4, ERGI_F32, rule});
    return p;
}

static void build(ergi_pairs *p, const ergi_pairs *old, const uint32_t *was, const cloud *c,
                  int threads)
{
    ergi_threads   t = {.count = threads};
    erg_error      err;
    ergi_pairs_map map = {.was = was};
    must(ergi_pairs_build(p, old, &map, COUNT, &c->candidates, &t, &err), &err);
}

TEST(every_pair_is_found_once)
{
    cloud *c = malloc(sizeof *c);
    scatter(c);
    find(c, 2);
    ergi_pairs none = new_pairs(ERGI_ON_SWAP_KEEP), p = new_pairs(ERGI_ON_SWAP_KEEP);
    build(&p, &none, NULL, c, 2);
    size_t wanted = 0, near = 0;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = i + 1; j < COUNT; j++)
            wanted += distance(c, i, j) < c->position[4 * i + 3] + c->position[4 * j + 3] + 2e-4;
    const uint32_t *start = p.start.data[ERGI_PAIRS_START], *other = p.pair.data[ERGI_PAIRS_OTHER];
    for (size_t i = 0; i < COUNT; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++)
            near += distance(c, i, other[e]) <
                    c->position[4 * i + 3] + c->position[4 * (size_t)other[e] + 3] + 2e-4;
    CHECK(wanted > 1000);
    CHECK(p.pair.rows == wanted && near == wanted);
    ergi_pairs_free(&p);
    close_cloud(c);
    free(c);
}

// A history that says which spheres it belongs to, as seen from the first.
static void mark(ergi_pairs *p, const uint32_t *name)
{
    const uint32_t *start = p->start.data[ERGI_PAIRS_START],
                   *other = p->pair.data[ERGI_PAIRS_OTHER];
    float *h = p->pair.data[ERGI_PAIRS_HISTORY];
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            float row[4] = {(float)name[i], 1, (float)name[other[e]], 2};
            memcpy(h + 4 * (size_t)e, row, sizeof row);
        }
}

// The spheres are put in reverse order, so that most pairs change sides; one is new.
static void check_rule(ergi_swap_rule rule)
{
    cloud     *c = malloc(sizeof *c);
    uint32_t   name[COUNT], was[COUNT], turned = 0, kept = 0, wrong = 0, fresh = 0;
    ergi_pairs none = new_pairs(rule), before = new_pairs(rule), after = new_pairs(rule);
    scatter(c);
    for (uint32_t i = 0; i < COUNT; i++) name[i] = i;
    find(c, 1);
    build(&before, &none, NULL, c, 1);
    mark(&before, name);
    double reverse[4 * COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        was[i] = name[i] = COUNT - 1 - i;
        memcpy(reverse + 4 * i, c->position + 4 * (size_t)was[i], 4 * sizeof *reverse);
    }
    was[7] = UINT32_MAX;
    memcpy(c->position, reverse, sizeof reverse);
    find(c, 2);
    build(&after, &before, was, c, 2);
    const uint32_t *start = after.start.data[ERGI_PAIRS_START],
                   *other = after.pair.data[ERGI_PAIRS_OTHER];
    const float *h = after.pair.data[ERGI_PAIRS_HISTORY];
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            const float *r = h + 4 * (size_t)e;
            float        a = (float)name[i], b = (float)name[other[e]];
            if (i == 7 || other[e] == 7) {
                fresh++;
                wrong += r[0] != 0 || r[1] != 0 || r[2] != 0 || r[3] != 0;
            } else if (rule == ERGI_ON_SWAP_EXCHANGE) { // whichever side it was, the halves name
                                                        // the spheres
                wrong += r[0] != a || r[2] != b || (r[1] == 1) != (r[3] == 2);
                turned += r[1] == 2;
                kept += r[1] == 1;
            } else {
                float s = rule == ERGI_ON_SWAP_NEGATE && r[1] < 0 ? -1 : 1;
                bool  other_side = s * r[0] == b;
                wrong += other_side ? s * r[2] != a : r[0] != a || r[2] != b;
                wrong += rule == ERGI_ON_SWAP_NEGATE && other_side != (r[1] < 0);
                turned += other_side;
                kept += !other_side;
            }
        }
    CHECK(wrong == 0);
    CHECK(turned > 100 && kept > 100 && fresh > 0);
    ergi_pairs_free(&before);
    ergi_pairs_free(&after);
    close_cloud(c);
    free(c);
}

TEST(a_spring_changes_its_sign)
{
    check_rule(ERGI_ON_SWAP_NEGATE);
}

TEST(halves_change_places)
{
    check_rule(ERGI_ON_SWAP_EXCHANGE);
}

TEST(a_multiplier_stays)
{
    check_rule(ERGI_ON_SWAP_KEEP);
}

// ---- Some spheres are fresh --------------------------------------------------------------------
static bool is_wanted(const cloud *c, size_t i, size_t j)
{
    return i != j && distance(c, i, j) < c->position[4 * i + 3] + c->position[4 * j + 3] + 2e-4;
}

// Every eighth sphere moves, and all are put in reverse order. Only pairs with a sphere that moved
// are searched; the others keep their rows.
static void check_fresh(int threads)
{
    cloud         *c = malloc(sizeof *c);
    uint32_t       name[COUNT], was[COUNT], kept[COUNT], wanted = 0, wrong = 0, stayed = 0;
    uint8_t        fresh[COUNT];
    double         moved[4 * COUNT];
    ergi_pairs     none = new_pairs(ERGI_ON_SWAP_NEGATE), before = none, after = none;
    ergi_pairs_map map = {was, fresh, kept};
    ergi_threads   t = {.count = threads};
    erg_index      far;
    erg_error      err;
    scatter(c);
    for (uint32_t i = 0; i < COUNT; i++) name[i] = i;
    find(c, 1);
    build(&before, &none, NULL, c, 1);
    mark(&before, name);
    for (uint32_t i = 0; i < COUNT; i++) {
        was[i] = COUNT - 1 - i;
        fresh[i] = was[i] % 8 == 0;
        memcpy(moved + 4 * i, c->position + 4 * (size_t)was[i], 4 * sizeof *moved);
        if (fresh[i]) moved[4 * i] = 0.02 - moved[4 * i];
    }
    was[7] = UINT32_MAX;
    fresh[7] = 1;
    memcpy(c->position, moved, sizeof moved);
    ergi_spheres_in in = {.position = c->position, .count = COUNT, .skin = 2e-4, .fresh = fresh};
    must(ergi_grid_build(&c->grid, &in, &far, &err), &err);
    must(ergi_candidates_find(&c->candidates, &c->grid, &in, ergi_earlier_in_memory, &t, &err),
         &err);
    must(ergi_pairs_build(&after, &before, &map, COUNT, &c->candidates, &t, &err), &err);
    const uint32_t *start = after.start.data[ERGI_PAIRS_START],
                   *other = after.pair.data[ERGI_PAIRS_OTHER];
    const float *h = after.pair.data[ERGI_PAIRS_HISTORY];
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = i + 1; j < COUNT; j++) wanted += is_wanted(c, i, j);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t j = other[e];
            float    a = (float)was[i], b = (float)was[j], row = h[4 * (size_t)e];
            wrong += !is_wanted(c, i, j);
            for (uint32_t f = start[i]; f < e; f++) wrong += other[f] == j;
            for (uint32_t f = start[j]; f < start[j + 1]; f++) wrong += other[f] == i;
            if (fresh[i] || fresh[j]) continue;
            stayed++;
            wrong += !(row == a && h[4 * (size_t)e + 2] == b); // as it was, on the same side
        }
    CHECK(wrong == 0);
    CHECK(wanted == after.pair.rows && stayed > wanted / 2 && stayed < wanted);
    ergi_pairs_free(&before);
    ergi_pairs_free(&after);
    close_cloud(c);
    free(c);
}

TEST(pairs_of_spheres_that_are_not_fresh_stay)
{
    check_fresh(1);
    check_fresh(2);
}

TEST_MAIN(every_pair_is_found_once, a_spring_changes_its_sign, halves_change_places,
          a_multiplier_stays, pairs_of_spheres_that_are_not_fresh_stay)
