// PNG files. Part of draw/, since nothing else writes any: a build without pictures needs no
// libpng.
#include "base/error.h"
#include "erg/draw.h"
#include "io/file.h"

#include <png.h>
#include <setjmp.h>

typedef struct sink {
    ergi_file *file;
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

static void on_error(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

// False: libpng ran out of memory.
static bool encode(sink *s, int width, int height, const uint8_t *pixels, bool alpha)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, s, on_error, on_warning);
    png_infop   info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        if (png) png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, s, write_bytes, flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                 alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 4);
    png_write_info(png, info);
    size_t row = (alpha ? 4 : 3) * (size_t)width;
    for (int y = 0; y < height; y++) png_write_row(png, pixels + row * (size_t)y);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

static erg_status write_png(const char *path, int width, int height, const uint8_t *pixels,
                            bool alpha, erg_error *err)
{
    sink       s = {0};
    erg_status status = ergi_file_begin(path, &s.file, err);
    if (status != ERG_OK) return status;
    if (encode(&s, width, height, pixels, alpha)) return ergi_file_commit(s.file, NULL, err);
    ergi_file_abandon(s.file);
    return ergi_fail(err, ERG_NO_MEMORY, "out of memory while writing '%s'", path);
}

erg_status erg_png_write(const char *path, int width, int height, const uint8_t *rgb,
                         erg_error *err)
{
    if (!path || !rgb) return ergi_fail_null(err, __func__);
    return write_png(path, width, height, rgb, false, err);
}

erg_status erg_png_write_rgba(const char *path, int width, int height, const uint8_t *rgba,
                              erg_error *err)
{
    if (!path || !rgba) return ergi_fail_null(err, __func__);
    return write_png(path, width, height, rgba, true, err);
}
