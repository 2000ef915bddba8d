#include "record.h"

#include "base/error.h"
#include "io/file.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double FPS = 30;

static erg_status make_folder(view_record *r, erg_error *err)
{
    erg_status status = r->made ? ERG_OK : ergi_folder_make(r->folder, err);
    r->made = status == ERG_OK;
    return status;
}

// Pixels of the window, top row first.
static erg_status read_pixels(view_record *r, int width, int height, erg_error *err)
{
    size_t pixels = (size_t)width * (size_t)height;
    if (pixels > r->room) {
        free(r->raw);
        free(r->rgb);
        r->raw = malloc(4 * pixels);
        r->rgb = malloc(3 * pixels);
        r->room = r->raw && r->rgb ? pixels : 0;
        if (!r->room) return ergi_fail_memory(err, 7 * pixels, "a picture of the window");
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, r->raw);
    for (size_t y = 0; y < (size_t)height; y++) {
        const uint8_t *from = r->raw + 4 * (size_t)width * ((size_t)height - 1 - y);
        uint8_t       *to = r->rgb + 3 * (size_t)width * y;
        for (size_t x = 0; x < (size_t)width; x++) memcpy(to + 3 * x, from + 4 * x, 3);
    }
    return ERG_OK;
}

static void free_name(const view_record *r, const char *ending, char path[4200])
{
    for (int i = 1; i < 10000; i++) {
        snprintf(path, 4200, "%s/erg-%03d.%s", r->folder, i, ending);
        if (access(path, F_OK) != 0) return;
    }
}

erg_status view_record_screenshot(view_record *r, int width, int height, const char *name,
                                  char path[4200], erg_error *err)
{
    erg_status status = make_folder(r, err);
    if (status == ERG_OK) status = read_pixels(r, width, height, err);
    if (status != ERG_OK) return status;
    if (name && name[0] == '/')
        snprintf(path, 4200, "%s", name);
    else if (name)
        snprintf(path, 4200, "%s/%s", r->folder, name);
    else
        free_name(r, "png", path);
    return erg_png_write(path, width, height, r->rgb, err);
}

// ---- Films -------------------------------------------------------------------------------------
erg_status view_record_begin(view_record *r, int width, int height, double now, erg_error *err)
{
    erg_status status = make_folder(r, err);
    if (status != ERG_OK) return status;
    free_name(r, "mp4", r->film_path);
    r->width = width - width % 2; // the encoder needs even sizes
    r->height = height - height % 2;
    r->since = now;
    r->pictures = 0;
    return cli_film_begin(r->film_path, r->width, r->height, FPS, &r->film, err);
}

static void abandon_film(view_record *r)
{
    cli_film_abandon(r->film);
    r->film = NULL;
}

// Stored for the exit code, since the note in the window disappears.
static erg_status store_failure(view_record *r, erg_status status, const erg_error *err)
{
    if (status != ERG_OK) ergi_fail(&r->lost, status, "%s", err->text);
    return status;
}

erg_status view_record_add(view_record *r, int width, int height, double now, erg_error *err)
{
    if (!r->film) return ERG_OK;
    if (width < r->width || height < r->height || width > r->width + 1 || height > r->height + 1) {
        erg_status status = view_record_end(r, err);
        return status == ERG_OK
                   ? ergi_fail(err, ERG_BAD_INPUT, "the window was resized: the film %s ends here",
                               r->film_path)
                   : status;
    }
    size_t due = (size_t)floor((now - r->since) * FPS + 1e-6) + 1;
    if (due <= r->pictures) return ERG_OK;
    erg_status status = read_pixels(r, width, height, err);
    if (status == ERG_OK && width != r->width) // drop the odd column
        for (int y = 0; y < r->height; y++)
            memmove(r->rgb + 3 * (size_t)y * (size_t)r->width,
                    r->rgb + 3 * (size_t)y * (size_t)width, 3 * (size_t)r->width);
    // A slow window repeats the picture.
    for (; status == ERG_OK && r->pictures < due; r->pictures++)
        status = cli_film_add(r->film, r->rgb, err);
    if (status != ERG_OK) abandon_film(r);
    return store_failure(r, status, err);
}

erg_status view_record_end(view_record *r, erg_error *err)
{
    if (!r->film) return ERG_OK;
    cli_film *film = r->film;
    r->film = NULL;
    return store_failure(r, cli_film_finish(film, err), err);
}

void view_record_free(view_record *r)
{
    abandon_film(r);
    free(r->raw);
    free(r->rgb);
    r->raw = r->rgb = NULL;
    r->room = 0;
}
