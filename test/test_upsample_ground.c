// labels: asan
// Fine particles that touch the columns of a terrain: the quick list of a block against the
// distance of each particle, on steps and slopes, at the edge, and for blocks that are too wide.
#include "base/random.h"
#include "check.h"
#include "geom/query_heights.h"
#include "upsample/fine_ground.h"

enum { SIDE = 64, COLUMNS = SIDE * SIDE };

static float surface[COLUMNS];

static ergi_height_field rough_field(ergi_random *random)
{
    ergi_height_field field = {.lower = {-0.3, -0.2},
                               .spacing = 0.02,
                               .count = {50, 40},
                               .blocks = 1,
                               .side = SIDE,
                               .surface = surface,
                               .high = 0.5};
    for (int k = 0; k < COLUMNS; k++) {
        double step = k % SIDE / 7 % 2 == 0 ? 0 : 0.2; // cliffs
        surface[k] = (float)(step + 0.1 * ergi_random_uniform(random));
    }
    return field;
}

static void put(const ergi_fine_frame *frame, const ergi_fine_columns *fine, size_t k, erg_vec3 p)
{
    const double x[3] = {p.x, p.y, p.z};
    for (int a = 0; a < 3; a++) CHECK(ergi_fine_to_fixed(frame, a, x[a], &fine->place[a][k]));
}

// Particles in a box of that width somewhere over the field, and beyond its edges.
static void check_block(ergi_random *random, double wide, size_t begin, double gap, int *touching)
{
    static uint32_t         place[3][2 * ERGI_FINE_BLOCK];
    const ergi_height_field field = rough_field(random);
    const ergi_fine_frame   frame = {{0.1, 0, 0.2}, {0x1p-29, 0x1p-29, 0x1p-29}, {0, 0, 0}};
    const ergi_fine_columns fine = {.place = {place[0], place[1], place[2]},
                                    .count = 2 * ERGI_FINE_BLOCK};
    uint16_t                list[ERGI_FINE_BLOCK];
    size_t                  count = ERGI_FINE_BLOCK - 3;
    erg_vec3                corner = {-0.4 + 1.2 * ergi_random_uniform(random),
                                      -0.3 + 1.0 * ergi_random_uniform(random), 0};
    for (size_t k = begin; k < begin + count; k++)
        put(&frame, &fine, k,
            ergi_vec3(corner.x + wide * ergi_random_uniform(random),
                      corner.y + wide * ergi_random_uniform(random),
                      0.4 * ergi_random_uniform(random)));
    int found = ergi_fine_ground_touch(&field, &frame, &fine, begin, begin + count, gap, list);
    int next = 0;
    for (size_t k = 0; k < count; k++) {
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = ergi_fine_position(&frame, a, place[a][begin + k]);
        bool touches = ergi_heights_nearest(&field, ergi_vec3(x[0], x[1], x[2])).gap < gap;
        bool listed = next < found && list[next] == k;
        CHECK(touches == listed);
        next += listed;
        *touching += touches;
    }
    CHECK(next == found);
}

TEST(the_list_is_that_of_the_distances)
{
    ergi_random random = {.seed = 7};
    int         touching = 0;
    for (int k = 0; k < 40; k++) {
        check_block(&random, 0.1, 5, k % 2 ? 0 : 0.006, &touching);
        check_block(&random, 0.9, 0, k % 2 ? 0 : 0.006, &touching); // wider than a footprint
    }
    CHECK(touching > 2000 && touching < 15000);
}

// Above all columns nothing is looked at.
TEST(nothing_high_up_touches)
{
    uint32_t                place[3][4] = {{0}};
    ergi_random             random = {.seed = 8};
    const ergi_height_field field = rough_field(&random);
    const ergi_fine_frame   frame = {{0, 0, 0.52}, {0x1p-29, 0x1p-29, 0x1p-29}, {1, 0, 0}};
    const ergi_fine_columns fine = {.place = {place[0], place[1], place[2]}, .count = 4};
    uint16_t                list[ERGI_FINE_BLOCK];
    CHECK(ergi_fine_ground_touch(&field, &frame, &fine, 0, 4, 0.01, list) == 0);
}

TEST_MAIN(the_list_is_that_of_the_distances, nothing_high_up_touches)
