// labels: asan draw
// Heights in PNG files: written and read again, and what is refused.
#include "check.h"

#include "base/random.h"
#include "erg/draw.h"
#include "io/heights.h"
#include "scratch.h"

#include <stdlib.h>

static erg_error err;
static scratch   folder;
static char      path[400];

static void open_folder(void)
{
    scratch_open(&folder);
    strcpy(path, scratch_path(&folder, "h.png"));
}

// What is said about the file, without its path.
static const char *complaint(const double *low, const double *high)
{
    erg_heights h;
    err = (erg_error){0};
    if (erg_heights_read_png(path, low, high, &h, &err) == ERG_OK) erg_heights_free(&h);
    char *at = strstr(err.text, path);
    return at ? at + strlen(path) : err.text;
}

static void write_bytes(const unsigned char *bytes, size_t size)
{
    CHECK(ergi_file_replace(path, bytes, size, NULL, &err) == ERG_OK);
}

static float z_at(size_t k)
{
    return -1.5f + 0.01f * (float)(k * k % 317);
}

static void write_map(size_t nx, size_t ny, double *low, double *high)
{
    erg_heights h = {.columns = {nx, ny}, .z = malloc(nx * ny * sizeof(float))};
    for (size_t k = 0; k < nx * ny; k++) h.z[k] = z_at(k);
    CHECK(ergi_heights_write_png(path, &h, low, high, &err) == ERG_OK);
    free(h.z);
}

TEST(what_is_written_is_read)
{
    double      low, high, bottom = 0, top = 65535;
    erg_heights h;
    open_folder();
    write_map(37, 23, &low, &high);
    REQUIRE(erg_heights_read_png(path, NULL, NULL, &h, &err) == ERG_OK);
    CHECK(h.columns[0] == 37 && h.columns[1] == 23 && low < high);
    for (size_t k = 0; k < 37 * 23; k++)
        CHECK_NEAR((double)h.z[k], (double)z_at(k), 0.51 * (high - low) / 65535);
    erg_heights_free(&h);
    // Asked for, other heights replace those of the file; the lowest is the value 0.
    REQUIRE(erg_heights_read_png(path, &bottom, &top, &h, &err) == ERG_OK);
    double least = top, most = bottom;
    for (size_t k = 0; k < 37 * 23; k++) {
        least = fmin(least, (double)h.z[k]);
        most = fmax(most, (double)h.z[k]);
    }
    CHECK(least == 0 && most == 65535);
    erg_heights_free(&h);
    scratch_close(&folder);
}

TEST(a_level_map)
{
    float       z[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    erg_heights h = {.columns = {2, 2}, .z = z}, back;
    double      low, high;
    open_folder();
    CHECK(ergi_heights_write_png(path, &h, &low, &high, &err) == ERG_OK);
    CHECK(low == 0.25 && high == 0.25);
    REQUIRE(erg_heights_read_png(path, NULL, NULL, &back, &err) == ERG_OK);
    for (size_t k = 0; k < 4; k++) CHECK(back.z[k] == 0.25f);
    erg_heights_free(&back);
    scratch_close(&folder);
}

// ---- What is refused ---------------------------------------------------------------------------
static uint32_t crc_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t k = 0; k < size; k++) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put_big(unsigned char *at, uint32_t value)
{
    for (int k = 0; k < 4; k++) at[k] = (unsigned char)(value >> (24 - 8 * k));
}

// Changes the header of the file: sizes in pixels, bits, type of colour; -1: unchanged.
static void claim(int64_t width, int64_t height, int bits, int type)
{
    unsigned char *bytes;
    size_t         size;
    REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK);
    if (width >= 0) put_big(bytes + 16, (uint32_t)width);
    if (height >= 0) put_big(bytes + 20, (uint32_t)height);
    if (bits >= 0) bytes[24] = (unsigned char)bits;
    if (type >= 0) bytes[25] = (unsigned char)type;
    put_big(bytes + 29, crc_of(bytes + 12, 17));
    write_bytes(bytes, size);
    free(bytes);
}

TEST(files_that_are_no_heightmaps)
{
    static const uint8_t pixels[4 * 9] = {7};
    double               low, high, one = 1, none = 0;
    open_folder();
    CHECK_STR(complaint(NULL, NULL), "' cannot be opened as a heightmap");
    CHECK(err.code == ERG_ERROR_NO_FILE);
    write_bytes((const unsigned char *)"sand", 4);
    CHECK_STR(complaint(NULL, NULL), "' is no PNG file; a raw file of floats needs 'columns'");
    CHECK(err.code == ERG_ERROR_BAD_FILE);
    write_bytes((const unsigned char *)"", 0);
    CHECK_STR(complaint(NULL, NULL), "' is no PNG file; a raw file of floats needs 'columns'");
    CHECK(erg_png_write(path, 3, 3, pixels, &err) == ERG_OK);
    CHECK_STR(complaint(NULL, NULL),
              "' is no heightmap: its pixels are colour of 8 bits, expected grey of 16 bits");
    CHECK(erg_png_write_rgba(path, 3, 3, pixels, &err) == ERG_OK);
    CHECK(strstr(complaint(NULL, NULL), "its pixels are colour of 8 bits"));
    write_map(3, 3, &low, &high);
    CHECK_STR(complaint(NULL, NULL), "");
    claim(-1, -1, 8, -1);
    CHECK_STR(complaint(NULL, NULL),
              "' is no heightmap: its pixels are grey of 8 bits, expected grey of 16 bits");
    claim(-1, -1, 16, 4);
    CHECK(strstr(complaint(NULL, NULL), "grey with transparency of 16 bits"));
    write_map(1, 1, &low, &high);
    CHECK_STR(complaint(NULL, NULL), "' has 1 x 1 pixels, expected at least 2 x 2");
    write_map(3, 3, &low, &high);
    CHECK_STR(complaint(&one, &none), "high is 0 m, expected at least low, 1 m");
    CHECK_STR(err.field, "high");
    scratch_close(&folder);
}

// A value that stands for a hole: columns without sand were not what the file meant.
TEST(holes)
{
    static const unsigned char chunk[10] = {0, 0, 0, 2, 't', 'R', 'N', 'S', 0, 0};
    enum { HEADER = 33, CHUNK = 14 }; // signature and first chunk; the new one
    unsigned char *bytes, with[4096];
    size_t         size;
    double         low, high;
    open_folder();
    write_map(3, 3, &low, &high);
    REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK && size + CHUNK < sizeof with);
    memcpy(with, bytes, HEADER);
    memcpy(with + HEADER, chunk, sizeof chunk);
    put_big(with + HEADER + sizeof chunk, crc_of(chunk + 4, 6));
    memcpy(with + HEADER + CHUNK, bytes + HEADER, size - HEADER);
    free(bytes);
    write_bytes(with, size + CHUNK);
    CHECK_STR(complaint(NULL, NULL),
              "' is no heightmap: one of its values is transparent, a hole; fill the holes and "
              "export it again without transparency");
    CHECK(err.code == ERG_ERROR_BAD_FILE);
    scratch_close(&folder);
}

// Before memory is asked for.
TEST(claims_that_the_file_cannot_hold)
{
    double low, high;
    open_folder();
    write_map(3, 3, &low, &high);
    claim(60000, 60000, -1, -1);
    CHECK(strstr(complaint(NULL, NULL), "bytes cannot hold 60000 x 60000 pixels"));
    claim(0x7fffffff, 0x7fffffff, -1, -1);
    CHECK(strstr(complaint(NULL, NULL), "bytes cannot hold 2147483647 x 2147483647 pixels"));
    claim(0xffffffff, 3, -1, -1);
    CHECK(strstr(complaint(NULL, NULL), "' is a damaged PNG file, export it again: "));
    claim(0, 3, -1, -1);
    CHECK(strstr(complaint(NULL, NULL), "' is a damaged PNG file, export it again: "));
    claim(3, 4, -1, -1);
    CHECK(strstr(complaint(NULL, NULL), "' is a damaged PNG file, export it again: "));
    scratch_close(&folder);
}

// Files of others do not state their heights.
TEST(heights_that_are_not_stated)
{
    double         low, high, bottom = -2, top = 1;
    unsigned char *bytes;
    size_t         size;
    open_folder();
    write_map(3, 3, &low, &high);
    REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK);
    for (size_t k = 33; k + 8 < size; k++) // renames the first text
        if (memcmp(bytes + k, "tEXterg:low", 11) == 0) {
            memcpy(bytes + k + 4, "any:low", 7);
            size_t length = bytes[k - 1] + (size_t)4;
            put_big(bytes + k + length, crc_of(bytes + k, length));
            break;
        }
    write_bytes(bytes, size);
    free(bytes);
    CHECK_STR(complaint(NULL, NULL),
              "' does not state its heights: 'low' is missing, the z of the value 0");
    CHECK_STR(complaint(NULL, &top),
              "' does not state its heights: 'low' is missing, the z of the value 0");
    CHECK_STR(complaint(&bottom, NULL), "");
    scratch_close(&folder);
}

// Cut off anywhere, or with any byte changed: an error or a map, but no crash.
TEST(damaged_files)
{
    double         low, high;
    unsigned char *bytes;
    size_t         size;
    open_folder();
    write_map(9, 7, &low, &high);
    REQUIRE(ergi_file_read(path, &bytes, &size, &err) == ERG_OK);
    for (size_t length = 0; length < size; length++) {
        FILE *out = fopen(path, "wb");
        REQUIRE(out);
        fwrite(bytes, 1, length, out);
        fclose(out);
        CHECK(*complaint(NULL, NULL) && err.status == ERG_BAD_INPUT);
    }
    for (uint64_t round = 0; round < 4 * size; round++) {
        ergi_random random = {.seed = 1, .stream = 1, .id = round};
        FILE       *out = fopen(path, "wb");
        REQUIRE(out);
        size_t        at = (size_t)(round % size);
        unsigned char before = bytes[at];
        bytes[at] = (unsigned char)ergi_random_u64(&random);
        fwrite(bytes, 1, size, out);
        fclose(out);
        bytes[at] = before;
        complaint(NULL, NULL);
        CHECK(err.status == ERG_OK || err.status == ERG_BAD_INPUT);
    }
    free(bytes);
    scratch_close(&folder);
}

TEST_MAIN(what_is_written_is_read, a_level_map, files_that_are_no_heightmaps, holes,
          claims_that_the_file_cannot_hold, heights_that_are_not_stated, damaged_files)
