// labels: draw
// Pictures of shipped scenes, compared with those in test/pictures. Means over blocks of 8 x 8
// pixels (fewer at the lower edge) are compared, so that rounding of another driver or a slightly
// displaced grain passes, but a missing wall, another light or another camera fails.
// ERG_UPDATE_PICTURES=1 rewrites them; check them before you commit them.
#include "check.h"
#include "erg/erg.h"

#include <png.h>
#include <stdlib.h>

enum { WIDTH = 320, HEIGHT = 180, BLOCK = 8, PIXELS = WIDTH * HEIGHT };

static const char *source(void)
{
    const char *folder = getenv("ERG_SOURCE");
    return folder ? folder : ".";
}

// Pictures of WIDTH x HEIGHT alone.
static bool read_png(const char *path, uint8_t *rgb)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return false;
    image.format = PNG_FORMAT_RGB;
    if (image.width != WIDTH || image.height != HEIGHT) {
        png_image_free(&image);
        return false;
    }
    return png_image_finish_read(&image, NULL, rgb, 0, NULL) != 0;
}

typedef struct difference {
    double mean, largest; // of the blocks' means, 0 to 255
} difference;

static difference compare(const uint8_t *a, const uint8_t *b)
{
    difference d = {0, 0};
    int        blocks = 0;
    for (int by = 0; by < HEIGHT; by += BLOCK)
        for (int bx = 0; bx < WIDTH; bx += BLOCK, blocks++)
            for (int k = 0; k < 3; k++) {
                double sum = 0;
                int    pixels = 0;
                for (int y = by; y < by + BLOCK && y < HEIGHT; y++)
                    for (int x = bx; x < bx + BLOCK && x < WIDTH; x++, pixels++)
                        sum += a[3 * (y * WIDTH + x) + k] - b[3 * (y * WIDTH + x) + k];
                double apart = fabs(sum) / pixels;
                d.mean += apart / 3;
                d.largest = fmax(d.largest, apart);
            }
    d.mean /= blocks;
    return d;
}

static const double MEAN = 1.0, LARGEST = 24;

// Draws a scene at a moment into a new picture.
static uint8_t *draw(const char *name, double time, const char *set)
{
    char         path[4096];
    erg_error    err = {0};
    erg_scene   *scene = NULL;
    erg_world   *world = NULL;
    erg_picture *picture = NULL;
    erg_canvas  *canvas = NULL;
    uint8_t     *rgb = NULL;
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); // the same pixels on every machine
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", source(), name);
    if (erg_scene_load(path, &set, set ? 1 : 0, &scene, &err) == ERG_OK &&
        erg_scene_build(scene, NULL, NULL, &world, &err) == ERG_OK &&
        erg_world_run(world, time, NULL, NULL, &err) == ERG_OK &&
        erg_picture_create(&picture, &err) == ERG_OK &&
        erg_picture_take(picture, erg_scene_get_look(scene), world, NULL, &err) == ERG_OK &&
        erg_canvas_create(WIDTH, HEIGHT, &canvas, &err) == ERG_OK &&
        erg_canvas_draw(canvas, picture, &err) == ERG_OK) {
        rgb = malloc(3 * PIXELS);
        memcpy(rgb, erg_canvas_pixels(canvas), 3 * PIXELS);
    } else {
        printf("    %s: %s\n", name, err.text);
    }
    erg_canvas_destroy(canvas);
    erg_picture_destroy(picture);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    return rgb;
}

static void check_scene(const char *name, double time)
{
    char        path[4096];
    erg_error   err;
    uint8_t    *got = draw(name, time, NULL), *want = malloc(3 * PIXELS);
    const char *update = getenv("ERG_UPDATE_PICTURES");
    snprintf(path, sizeof path, "%s/test/pictures/%s.png", source(), name);
    CHECK(got != NULL);
    if (got && update && strcmp(update, "1") == 0)
        CHECK(erg_png_write(path, WIDTH, HEIGHT, got, &err) == ERG_OK);
    bool found = read_png(path, want);
    CHECK(found);
    if (got && found) {
        difference d = compare(got, want);
        CHECK(d.mean < MEAN && d.largest < LARGEST);
        if (!(d.mean < MEAN && d.largest < LARGEST))
            printf("    %s: mean %.2f, largest %.1f\n", name, d.mean, d.largest);
    }
    free(got);
    free(want);
}

TEST(column)
{
    check_scene("column", 0);
}

TEST(dunes)
{
    check_scene("dunes", 0.12);
}

TEST(drum)
{
    check_scene("drum", 0.01);
}

TEST(silo)
{
    check_scene("silo", 0.03);
}

TEST(hourglass)
{
    check_scene("hourglass", 0.02);
}

// The measure finds what it is there to find.
TEST(another_picture_is_another_picture)
{
    uint8_t    *column = draw("column", 0, NULL);
    const char *changes[] = {"view.light.direction=[-0.75, 0.3, -0.7]",
                             "view.camera.position=[0.15, -0.27, 0.15]", "view.light.shadows=false",
                             "view.ground=none", "view.every=2"};
    REQUIRE(column != NULL);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *other = draw("column", 0, changes[i]);
        REQUIRE(other != NULL);
        difference d = compare(column, other);
        CHECK(d.mean >= MEAN || d.largest >= LARGEST);
        if (!(d.mean >= MEAN || d.largest >= LARGEST))
            printf("    %s: mean %.2f, largest %.1f\n", changes[i], d.mean, d.largest);
        free(other);
    }
    difference none = compare(column, column);
    CHECK(none.mean == 0 && none.largest == 0);
    // Every pixel counts, the last rows too.
    uint8_t *marked = malloc(3 * PIXELS);
    memcpy(marked, column, 3 * PIXELS);
    for (int i = 3 * (PIXELS - WIDTH); i < 3 * PIXELS; i++) marked[i] ^= 0x80;
    difference row = compare(column, marked);
    CHECK(row.largest >= LARGEST);
    free(marked);
    free(column);
}

TEST_MAIN(column, dunes, drum, silo, hourglass, another_picture_is_another_picture)
