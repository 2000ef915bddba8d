// labels: asan clang
// The broad phase against brute force: polydisperse, moving, periodic, clumped.
#include "dem/lists.h"
#include "world_helpers.h"

#include <stdlib.h>

enum { MOST = 3000, MOST_PAIRS = 300000 };

typedef struct cloud {
    double     position[4 * MOST];
    uint32_t   grain[MOST];
    ergi_space space;
    int        count;
    bool       clumps;
} cloud;

// What finds pairs, and the lists it makes; the old ones are those before.
typedef struct finder {
    ergi_grid       grid;
    ergi_lists      lists, old;
    ergi_candidates candidates;
    uint32_t        inner[MOST];
} finder;

static void finder_open(finder *f, int history_width, ergi_type real)
{
    memset(f, 0, sizeof *f);
    ergi_lists_init(&f->lists, history_width, 6, false, real);
    ergi_lists_init(&f->old, history_width, 6, false, real);
}

static void finder_close(finder *f)
{
    ergi_lists_free(&f->lists);
    ergi_lists_free(&f->old);
    ergi_candidates_free(&f->candidates);
    ergi_grid_free(&f->grid);
}

static double image(double d, double period)
{
    return period > 0 ? d - period * nearbyint(d / period) : d;
}

static double gap_of(const cloud *c, size_t i, size_t j)
{
    const double *a = c->position + 4 * i, *b = c->position + 4 * j;
    double x = image(a[0] - b[0], c->space.period[0]), y = image(a[1] - b[1], c->space.period[1]);
    double z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z) - a[3] - b[3];
}

static uint64_t pair_key(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Every pair up to the skin apart, and no other, once.
static void check_lists(const cloud *c, finder *f, double skin, int threads_count)
{
    ergi_lists     *lists = &f->lists;
    static uint64_t want[MOST_PAIRS], got[MOST_PAIRS];
    ergi_spheres_in in = {.position = c->position,
                          .grain = c->clumps ? c->grain : NULL,
                          .count = c->count,
                          .space = c->space,
                          .skin = skin};
    ergi_threads    threads = {.count = threads_count};
    erg_index       far = -1;
    erg_error       err;
    must(ergi_grid_build(&f->grid, &in, &far, &err), &err);
    must(ergi_candidates_find(&f->candidates, &f->grid, &in, ergi_lists_owners, &threads, &err),
         &err);
    must(ergi_lists_build(lists, &f->old, NULL, in.count, &f->candidates, f->inner, &threads, &err),
         &err);
    size_t wanted = 0, found = 0;
    for (size_t i = 0; i < (size_t)c->count; i++)
        for (size_t j = i + 1; j < (size_t)c->count; j++)
            if ((!c->clumps || c->grain[i] != c->grain[j]) && wanted < MOST_PAIRS &&
                gap_of(c, i, j) < skin)
                want[wanted++] = pair_key((uint32_t)i, (uint32_t)j);
    bool            incoming = true;
    const uint32_t *in_start = lists->incoming_span.data[ERGI_SPAN_START];
    const uint32_t *in_entry = lists->incoming.data[ERGI_INCOMING_ENTRY];
    const uint32_t *outer = lists->pairs[ERGI_OUTER].entry.data[ERGI_ENTRY_OTHER];
    for (uint32_t i = 0; i < (uint32_t)c->count; i++) {
        for (int side = 0; side < ERGI_LIST_KINDS; side++) {
            const ergi_pair_list *l = &lists->pairs[side];
            const uint32_t       *start = l->span.data[ERGI_SPAN_START];
            for (uint32_t e = start[i]; e < start[i + 1] && found < MOST_PAIRS; e++) {
                uint32_t j = ergi_partner(l->entry.data[ERGI_ENTRY_OTHER], side, i, e);
                got[found++] = pair_key(i, j);
                incoming &= ergi_list_kind_of(i, j) == (ergi_list_kind)side;
            }
        }
        for (uint32_t k = in_start[i]; k < in_start[i + 1]; k++)
            incoming &= outer[in_entry[k]] == 4 * i;
    }
    qsort(want, wanted, sizeof *want, compare_keys);
    qsort(got, found, sizeof *got, compare_keys);
    CHECK(wanted > 0);
    CHECK(found == wanted);
    CHECK(found == wanted && memcmp(got, want, wanted * sizeof *got) == 0);
    CHECK(incoming && in_start[c->count] == lists->pairs[ERGI_OUTER].entry.rows);
}

static void scatter(cloud *c, uint64_t seed, int count, double side, double height, double least,
                    double most, bool clumps)
{
    c->count = count;
    c->clumps = clumps;
    for (int i = 0; i < count; i++) {
        ergi_random r = {.seed = seed, .id = (uint64_t)i};
        double     *p = c->position + 4 * (size_t)i;
        p[0] = ergi_random_range(&r, 0, side);
        p[1] = ergi_random_range(&r, 0, side);
        p[2] = ergi_random_range(&r, -height / 2, height / 2);
        p[3] = least * pow(most / least, ergi_random_uniform(&r));
        c->grain[i] = (uint32_t)(i / 3);
    }
}

static void move(cloud *c, uint64_t seed, double by)
{
    for (int i = 0; i < c->count; i++) {
        ergi_random r = {.seed = seed, .id = (uint64_t)i, .stream = 1};
        erg_vec3    d = ergi_scale(ergi_random_in_ball(&r), by);
        double     *p = c->position + 4 * (size_t)i, delta[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 3; a++) {
            p[a] += delta[a];
            double period = c->space.period[a];
            if (period > 0 && p[a] < c->space.lower[a]) p[a] += period;
            if (period > 0 && p[a] >= c->space.lower[a] + period) p[a] -= period;
        }
    }
}

static void check_moving(uint64_t seed, int count, double side, double height, double least,
                         double most, bool periodic_x, bool periodic_y, bool clumps, double skin)
{
    static cloud c;
    finder       f;
    int          failures = check_failures;
    finder_open(&f, 3, ERGI_F32);
    memset(&c, 0, sizeof c);
    c.space.period[0] = periodic_x ? side : 0;
    c.space.period[1] = periodic_y ? side : 0;
    scatter(&c, seed, count, side, height, least, most, clumps);
    for (int k = 0; k < 4; k++) {
        check_lists(&c, &f, skin, 1 + k % 2);
        ergi_lists swap = f.lists;
        f.lists = f.old;
        f.old = swap;
        move(&c, seed + 10 + (uint64_t)k, 0.1 * side);
    }
    if (failures != check_failures)
        printf("    seed %llu, side %g, radii %g to %g, periodic %d %d, clumps %d, skin %g\n",
               (unsigned long long)seed, side, least, most, periodic_x, periodic_y, clumps, skin);
    finder_close(&f);
}

TEST(equal_spheres)
{
    for (uint64_t s = 0; s < 4; s++)
        for (int periodic = 0; periodic < 4; periodic++)
            check_moving(s, 400, 20, 20, 1, 1, periodic & 1, periodic & 2, s & 1, 0.2);
}

// A pair of equal spheres is stored with the chunk that is processed earlier, and each chunk knows
// from which chunks it receives partner forces.
static void check_turns(const ergi_lists *lists, int chunks)
{
    const ergi_pair_list *l = &lists->pairs[ERGI_OUTER];
    const uint32_t       *start = l->span.data[ERGI_SPAN_START];
    const uint32_t       *first = lists->source.data[ERGI_SOURCE_FIRST],
                   *last = lists->source.data[ERGI_SOURCE_LAST];
    int  turn_of[MOST / ERGI_CHUNK + 1];
    bool earlier = true, known = true;
    memset(turn_of, -1, sizeof turn_of);
    for (int turn = 0; turn < chunks; turn++) {
        int chunk = ergi_chunk_of_turn(turn, chunks);
        REQUIRE(chunk >= 0 && chunk < chunks && turn_of[chunk] < 0);
        turn_of[chunk] = turn;
    }
    for (uint32_t i = 0; i < (uint32_t)lists->spheres; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t j = ergi_partner(l->entry.data[ERGI_ENTRY_OTHER], ERGI_OUTER, i, e);
            uint32_t from = i / ERGI_CHUNK, to = j / ERGI_CHUNK;
            size_t   k = 2 * (size_t)to + (from >= (uint32_t)chunks / 2);
            earlier &= turn_of[from] < turn_of[to];
            known &= first[k] <= from && from <= last[k];
        }
    CHECK(earlier);
    CHECK(known);
}

TEST(chunks_by_turns)
{
    static const int count[] = {ERGI_CHUNK + 1, 1200, 2048, 2500, 2999};
    for (int k = 0; k < 5; k++) {
        static cloud c;
        finder       f;
        finder_open(&f, 3, ERGI_F32);
        memset(&c, 0, sizeof c);
        scatter(&c, 400 + (uint64_t)k, count[k], 40, 20, 1, 1, false);
        check_lists(&c, &f, 0.2, 2);
        check_turns(&f.lists, ergi_chunk_count(count[k], ERGI_CHUNK));
        finder_close(&f);
    }
}

TEST(one_to_twenty)
{
    for (uint64_t s = 0; s < 4; s++)
        for (int periodic = 0; periodic < 4; periodic++)
            check_moving(100 + s, 600, 12, 30, 0.1, 2, periodic & 1, periodic & 2, s & 1, 0.02);
}

TEST(ratios_from_one_to_a_hundred)
{
    static const double ratio[] = {1.01, 1.5, 2, 3, 7, 20, 100};
    for (int k = 0; k < 7; k++)
        check_moving(200 + (uint64_t)k, 400, 10, 40, 2 / ratio[k], 2, true, false, false, 0.05);
}

// As narrow as the world allows: two of the largest grains and the skin. A sphere may meet the same
// neighbour on one side only, though the 27 cells wrap round onto each other.
TEST(small_periodic_boxes)
{
    for (uint64_t s = 0; s < 4; s++) {
        check_moving(300 + s, 60, 2 * (2 + 0.2) + 1e-9, 30, 1, 1, true, true, false, 0.2);
        check_moving(310 + s, 60, 2 * (2 + 0.2) + 0.7, 30, 0.05, 1, true, true, s & 1, 0.2);
        check_moving(320 + s, 60, 3 * 2.2, 30, 0.3, 1, true, true, false, 0.2);
        check_moving(330 + s, 200, 5 * 2.2 - 1e-9, 30, 0.2, 1, true, true, true, 0.2);
    }
}

TEST(far_from_the_origin_and_spread_out)
{
    static cloud c;
    finder       f;
    finder_open(&f, 0, ERGI_F64);
    memset(&c, 0, sizeof c);
    scatter(&c, 5, 300, 15, 15, 0.5, 1, false);
    for (int i = 0; i < c.count; i++) {
        c.position[4 * i] += i % 2 ? 1e5 : -1e5;
        c.position[4 * i + 2] += i % 3 ? -1e5 : 0;
    }
    check_lists(&c, &f, 0.2, 1);
    // A sphere a world away is named, not lost.
    c.position[4 * 7] = 1e9;
    ergi_spheres_in in = {
        .position = c.position, .grain = NULL, .count = c.count, .space = c.space, .skin = 0.2};
    erg_index far = -1;
    erg_error err;
    CHECK(ergi_grid_build(&f.grid, &in, &far, &err) != ERG_OK);
    CHECK(far == 7);
    finder_close(&f);
}

TEST(no_spheres_at_all)
{
    finder f;
    double nowhere[4] = {0};
    finder_open(&f, 3, ERGI_F32);
    ergi_spheres_in in = {
        .position = nowhere, .grain = NULL, .count = 0, .space = {{0}, {0}}, .skin = 0.1};
    ergi_threads threads = {.count = 1};
    erg_index    far;
    erg_error    err;
    must(ergi_grid_build(&f.grid, &in, &far, &err), &err);
    must(ergi_candidates_find(&f.candidates, &f.grid, &in, ergi_lists_owners, &threads, &err),
         &err);
    must(ergi_lists_build(&f.lists, &f.old, NULL, 0, &f.candidates, f.inner, &threads, &err), &err);
    for (int side = 0; side < ERGI_LIST_KINDS; side++) CHECK(f.lists.pairs[side].entry.rows == 0);
    finder_close(&f);
}

// ---- Through the world -------------------------------------------------------------------------
// Touching pairs of a running world are those that brute force finds among its spheres.
static void check_world(erg_shape shape, double least, bool periodic)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    double        side = shape == ERG_SHAPE_SPHERE ? 12e-3 : 24e-3;
    def.gravity.z = -9.81;
    def.periodic_x = def.periodic_y = periodic;
    def.speed = 1;
    if (periodic) {
        def.lower = (erg_vec3){0, 0, -1};
        def.upper = (erg_vec3){side, side, 1};
    }
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){side, side, 0.5}, ERG_FACE_Z_MAX);
    erg_wall_def plane = floor_def(sand);
    new_wall(world, periodic ? &plane : &box);
    erg_id       kind = new_mixed_kind(world, shape, sand, least, 1e-3);
    erg_error    err;
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = kind;
    fill.count = 150;
    fill.region = box_region((erg_vec3){0, 0, 0}, (erg_vec3){side, side, 0.3});
    fill.velocity = (erg_vec3){0.7, 0.4, -0.5};
    must(erg_world_fill(world, &fill, NULL, &err), &err);
    size_t             spheres = erg_world_sphere_count(world), seen = 0;
    double            *x = calloc(3 * spheres, sizeof *x), *r = calloc(spheres, sizeof *r);
    erg_gid           *grain = calloc(spheres, sizeof *grain);
    uint32_t          *slot = calloc(spheres, sizeof *slot);
    static erg_contact contact[20000];
    for (int k = 0; k < 12; k++) {
        step(world, 300);
        erg_sphere_view view = {
            .count = spheres, .position = x, .radius = r, .grain = grain, .slot = slot};
        must(erg_world_read_spheres(world, &view, &err), &err);
        size_t count = 0, pairs = 0, brute = 0, matched = 0;
        must(erg_world_contacts(world, contact, 20000, &count, &err), &err);
        CHECK(count == erg_world_contact_count(world));
        for (size_t i = 0; i < spheres; i++)
            for (size_t j = i + 1; j < spheres; j++) {
                double dx = image(x[3 * i] - x[3 * j], periodic ? side : 0);
                double dy = image(x[3 * i + 1] - x[3 * j + 1], periodic ? side : 0);
                double dz = x[3 * i + 2] - x[3 * j + 2];
                brute += grain[i] != grain[j] &&
                         dx * dx + dy * dy + dz * dz < (r[i] + r[j]) * (r[i] + r[j]);
            }
        for (size_t c = 0; c < count; c++) {
            if (!contact[c].grain_b) continue;
            pairs++;
            matched += contact[c].overlap > 0 && contact[c].grain_a != contact[c].grain_b;
        }
        CHECK(pairs == brute);
        CHECK(matched == pairs);
        seen += pairs;
    }

    CHECK(seen > 20);
    free(x);
    free(r);
    free(grain);
    free(slot);
    erg_world_destroy(world);
}

TEST(contacts_of_a_world_are_those_of_brute_force)
{
    for (int periodic = 0; periodic < 2; periodic++) {
        check_world(ERG_SHAPE_SPHERE, 1e-3, periodic == 1);
        check_world(ERG_SHAPE_SPHERE, 0.1e-3, periodic == 1);
        check_world(ERG_SHAPE_TETRAHEDRON, 0.3e-3, periodic == 1);
        check_world(ERG_SHAPE_DIMER, 1e-3, periodic == 1);
    }
}

TEST_MAIN(equal_spheres, chunks_by_turns, one_to_twenty, ratios_from_one_to_a_hundred,
          small_periodic_boxes, far_from_the_origin_and_spread_out, no_spheres_at_all,
          contacts_of_a_world_are_those_of_brute_force)
