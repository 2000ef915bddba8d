#include "io/heights.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "io/text.h"

#define LOW_TEXT "erg:low"
#define HIGH_TEXT "erg:high"

#if ERG_WITH_DRAW // libpng comes with pictures

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const double LAST = 65535;

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

// ---- Reading -----------------------------------------------------------------------------------
typedef struct source {
    FILE          *file;
    png_structp    png;
    png_infop      info;
    png_uint_32    width, height;
    unsigned char *pixels; // big endian
    char           problem[96];
} source;

static void read_bytes(png_structp png, png_bytep bytes, size_t size)
{
    source *s = png_get_io_ptr(png);
    if (fread(bytes, 1, size, s->file) != size) png_error(png, "it is cut off");
}

static void on_read_error(png_structp png, png_const_charp text)
{
    source *s = png_get_error_ptr(png);
    snprintf(s->problem, sizeof s->problem, "%s", text);
    png_longjmp(png, 1);
}

// False: s->problem tells why.
static bool read_header(source *s)
{
    if (setjmp(png_jmpbuf(s->png))) return false;
    png_set_read_fn(s->png, s, read_bytes);
    png_set_sig_bytes(s->png, 8);
    png_set_user_limits(s->png, 0x7fffffff, 0x7fffffff); // checked against the size of the file
    png_read_info(s->png, s->info);
    return true;
}

static bool read_pixels(source *s)
{
    if (setjmp(png_jmpbuf(s->png))) return false;
    int passes = png_set_interlace_handling(s->png);
    png_read_update_info(s->png, s->info);
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = 0; y < s->height; y++)
            png_read_row(s->png, s->pixels + 2 * (size_t)y * s->width, NULL);
    png_read_end(s->png, NULL);
    return true;
}

static const char *name_of(int type)
{
    switch (type) {
    case PNG_COLOR_TYPE_GRAY: return "grey";
    case PNG_COLOR_TYPE_GRAY_ALPHA: return "grey with transparency";
    case PNG_COLOR_TYPE_PALETTE: return "a palette of colours";
    default: return "colour";
    }
}

static erg_status check_header(source *s, const char *path, double file_size, erg_error *err)
{
    int type = png_get_color_type(s->png, s->info), bits = png_get_bit_depth(s->png, s->info);
    s->width = png_get_image_width(s->png, s->info);
    s->height = png_get_image_height(s->png, s->info);
    double pixels = (double)s->width * (double)s->height;
    if (type != PNG_COLOR_TYPE_GRAY || bits != 16)
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "'%s' is no heightmap: its pixels are %s of %d bits, expected grey "
                              "of 16 bits",
                              path, name_of(type), bits);
    if (png_get_valid(s->png, s->info, PNG_INFO_tRNS))
        return ergi_fail_code(
            err, ERG_ERROR_BAD_FILE,
            "'%s' is no heightmap: one of its values is transparent, a hole; fill "
            "the holes and export it again without transparency",
            path);
    if (s->width < 2 || s->height < 2)
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "'%s' has %u x %u pixels, expected at least 2 x 2", path,
                              (unsigned)s->width, (unsigned)s->height);
    // Deflate makes files at most 1032 times smaller.
    if (2 * pixels > 1040 * file_size)
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "'%s' is cut off, export it again: %.0f bytes cannot hold %u x %u "
                              "pixels",
                              path, file_size, (unsigned)s->width, (unsigned)s->height);
    if (pixels > ERGI_MOST_HEIGHTS || 6 * pixels > ergi_memory_total())
        return ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                              "'%s' has %u x %u pixels, the most are %.0f: give a coarser file",
                              path, (unsigned)s->width, (unsigned)s->height,
                              fmin(ERGI_MOST_HEIGHTS, ergi_memory_total() / 6));
    return ERG_OK;
}

static double number_of(const char *text)
{
    ergi_text  reader;
    ergi_token word;
    double     value = (double)NAN;
    ergi_text_open(&reader, "", text, text ? strlen(text) : 0);
    if (!ergi_text_token(&reader, &word) || !ergi_token_number(word, &value)) value = (double)NAN;
    ergi_text_close(&reader);
    return value;
}

// The height that the file states; NAN: none.
static double stated(const source *s, const char *key)
{
    png_textp text = NULL;
    int       count = 0;
    png_get_text(s->png, s->info, &text, &count);
    for (int k = 0; k < count; k++)
        if (strcmp(text[k].key, key) == 0) return number_of(text[k].text);
    return (double)NAN;
}

static erg_status take_range(const source *s, const char *path, const double *low,
                             const double *high, double range[2], erg_error *err)
{
    range[0] = low ? *low : stated(s, LOW_TEXT);
    range[1] = high ? *high : stated(s, HIGH_TEXT);
    for (int k = 0; k < 2; k++)
        if (!isfinite(range[k]))
            return ergi_fail_code(err, ERG_ERROR_MISSING,
                                  "'%s' does not state its heights: '%s' is missing, the z of the "
                                  "value %d",
                                  path, k ? "high" : "low", k ? 65535 : 0);
    if (range[0] <= range[1]) return ERG_OK;
    return ergi_fail_at(err, "high", ERG_ERROR_OUT_OF_RANGE,
                        "high is %g m, expected at least low, %g m", range[1], range[0]);
}

static void take_heights(const source *s, const double range[2], float *z)
{
    for (size_t y = 0; y < s->height; y++) {
        const unsigned char *row = s->pixels + 2 * (s->height - 1 - y) * s->width;
        for (size_t x = 0; x < s->width; x++) {
            double share = (row[2 * x] * 256.0 + row[2 * x + 1]) / LAST;
            *z++ = (float)(range[0] + share * (range[1] - range[0]));
        }
    }
}

static erg_status read_png(source *s, const char *path, double file_size, const double *low,
                           const double *high, erg_heights *out, erg_error *err)
{
    double range[2];
    if (!read_header(s))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "'%s' is a damaged PNG file, export it again: %s", path, s->problem);
    erg_status status = check_header(s, path, file_size, err);
    if (status == ERG_OK) status = take_range(s, path, low, high, range, err);
    if (status != ERG_OK) return status;
    size_t pixels = (size_t)s->width * s->height;
    s->pixels = ergi_memory_new(pixels, 2, "heights", err);
    out->z = ergi_memory_new(pixels, sizeof *out->z, "heights", err);
    if (!s->pixels || !out->z) return ERG_NO_MEMORY;
    if (!read_pixels(s))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "'%s' is a damaged PNG file, export it again: %s", path, s->problem);
    out->columns[0] = s->width;
    out->columns[1] = s->height;
    take_heights(s, range, out->z);
    return ERG_OK;
}

erg_status erg_heights_read_png(const char *path, const double *low, const double *high,
                                erg_heights *out, erg_error *err)
{
    if (!path || !out) return ergi_fail_null(err, __func__);
    struct stat   is;
    unsigned char start[8];
    source        s = {0};
    *out = (erg_heights){0};
    if (stat(path, &is) == 0 && S_ISREG(is.st_mode)) s.file = fopen(path, "rb");
    if (!s.file)
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "'%s' cannot be opened as a heightmap", path);
    erg_status status = ERG_OK;
    if (fread(start, 1, 8, s.file) != 8 || png_sig_cmp(start, 0, 8) != 0)
        status = ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                                "'%s' is no PNG file; a raw file of floats needs 'columns'", path);
    if (status == ERG_OK) {
        s.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &s, on_read_error, on_warning);
        s.info = s.png ? png_create_info_struct(s.png) : NULL;
        status = s.info ? read_png(&s, path, (double)is.st_size, low, high, out, err)
                        : ergi_fail(err, ERG_NO_MEMORY, "out of memory while reading '%s'", path);
    }
    if (s.png) png_destroy_read_struct(&s.png, &s.info, NULL);
    ergi_memory_free(s.pixels);
    fclose(s.file);
    if (status != ERG_OK) erg_heights_free(out);
    return status;
}

// ---- Writing -----------------------------------------------------------------------------------
typedef struct sink {
    ergi_file     *file;
    unsigned char *row; // big endian
    double         low, high;
} sink;

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    sink *s = png_get_io_ptr(png);
    ergi_file_write(s->file, bytes, size);
}

static void flush(png_structp png)
{
    (void)png;
}

static void on_write_error(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void write_row(png_structp png, const sink *s, const float *z, size_t width)
{
    double scale = s->high > s->low ? LAST / (s->high - s->low) : 0;
    for (size_t x = 0; x < width; x++) {
        unsigned value = (unsigned)(((double)z[x] - s->low) * scale + 0.5);
        s->row[2 * x] = (unsigned char)(value >> 8);
        s->row[2 * x + 1] = (unsigned char)(value & 255);
    }
    png_write_row(png, s->row);
}

// False: libpng ran out of memory.
static bool encode(sink *s, const erg_heights *h)
{
    char        low[ERGI_NUMBER_ROOM], high[ERGI_NUMBER_ROOM];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, s, on_write_error, on_warning);
    png_infop   info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        if (png) png_destroy_write_struct(&png, &info);
        return false;
    }
    ergi_number(s->low, low);
    ergi_number(s->high, high);
    png_text text[] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = LOW_TEXT, .text = low},
                       {.compression = PNG_TEXT_COMPRESSION_NONE, .key = HIGH_TEXT, .text = high}};
    png_set_write_fn(png, s, write_bytes, flush);
    png_set_IHDR(png, info, (png_uint_32)h->columns[0], (png_uint_32)h->columns[1], 16,
                 PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 4);
    png_set_text(png, info, text, 2);
    png_write_info(png, info);
    for (size_t y = h->columns[1]; y-- > 0;)
        write_row(png, s, h->z + y * h->columns[0], h->columns[0]);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

erg_status ergi_heights_write_png(const char *path, const erg_heights *h, double *low, double *high,
                                  erg_error *err)
{
    sink   s = {.low = HUGE_VAL, .high = -HUGE_VAL};
    size_t count = h->columns[0] * h->columns[1];
    for (size_t k = 0; k < count; k++) {
        s.low = fmin(s.low, (double)h->z[k]);
        s.high = fmax(s.high, (double)h->z[k]);
    }
    s.row = ergi_memory_new(h->columns[0], 2, "a row of heights", err);
    erg_status status = s.row ? ergi_file_begin(path, &s.file, err) : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        if (encode(&s, h)) {
            status = ergi_file_commit(s.file, NULL, err);
        } else {
            ergi_file_abandon(s.file);
            status = ergi_fail(err, ERG_NO_MEMORY, "out of memory while writing '%s'", path);
        }
    }
    ergi_memory_free(s.row);
    *low = s.low;
    *high = s.high;
    return status;
}

erg_status ergi_heights_png_built(erg_error *err)
{
    (void)err;
    return ERG_OK;
}

#else

erg_status ergi_heights_png_built(erg_error *err)
{
    return ergi_fail(err, ERG_NOT_BUILT,
                     "PNG files are not in this build of erg: give heights as a raw file of "
                     "floats, or install libpng-dev, libepoxy-dev and libegl-dev and rebuild it "
                     "with ERG_DRAW=ON");
}

erg_status erg_heights_read_png(const char *path, const double *low, const double *high,
                                erg_heights *out, erg_error *err)
{
    (void)low, (void)high;
    if (!path || !out) return ergi_fail_null(err, __func__);
    *out = (erg_heights){0};
    return ergi_heights_png_built(err);
}

erg_status ergi_heights_write_png(const char *path, const erg_heights *heights, double *low,
                                  double *high, erg_error *err)
{
    (void)path, (void)heights;
    *low = *high = 0;
    return ergi_heights_png_built(err);
}

#endif
