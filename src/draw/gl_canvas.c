// OpenGL without a window: a surfaceless EGL context with its own framebuffer and pixels.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "draw/gl_target.h"
#include "draw/picture.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

struct erg_canvas {
    int             width, height;
    EGLDisplay      display;
    EGLContext      context;
    ergi_target     target;
    erg_renderer   *renderer;
    uint8_t        *raw;        // as read from OpenGL
    uint8_t        *rgb, *rgba; // top row first
    bool            transparent;
    erg_draw_report report;
    char            device[256];
};

#define REMEDY "on Debian install libegl1 and libgl1-mesa-dri"

// libepoxy aborts the program when a library is missing, so check first.
static bool has_library(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library) dlclose(library);
    return library != NULL;
}

static erg_status check_libraries(erg_error *err)
{
    if (!has_library("libEGL.so.1"))
        return ergi_fail(
            err, ERG_NOT_BUILT,
            "drawing without a window needs EGL, but libEGL.so.1 was not found; " REMEDY);
    if (!has_library("libOpenGL.so.0") && !has_library("libGL.so.1") &&
        !has_library("libGLESv2.so.2"))
        return ergi_fail(err, ERG_NOT_BUILT,
                         "drawing needs OpenGL, but neither libOpenGL.so.0 nor libGL.so.1 was "
                         "found; on Debian install libopengl0 and libgl1-mesa-dri");
    return ERG_OK;
}

static EGLDisplay open_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
        display =
            eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display
                                                                           : EGL_NO_DISPLAY;
}

// OpenGL 3.3 core, else OpenGL ES 3.
static EGLContext open_context(EGLDisplay display)
{
    static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
    static const EGLint es[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    for (int attempt = 0; attempt < 2; attempt++) {
        const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
                                 attempt ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
        EGLConfig    config;
        EGLint       count = 0;
        if (!eglBindAPI(attempt ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) continue;
        if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) continue;
        EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attempt ? es : core);
        if (context != EGL_NO_CONTEXT) return context;
    }
    return EGL_NO_CONTEXT;
}

static erg_status make_current(const erg_canvas *c, erg_error *err)
{
    if (eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context)) return ERG_OK;
    return ergi_fail(err, ERG_NOT_BUILT,
                     "EGL cannot draw without a window on this machine (error 0x%x); " REMEDY,
                     (unsigned)eglGetError());
}

static erg_status open_canvas(erg_canvas *c, erg_error *err)
{
    erg_status status = check_libraries(err);
    if (status != ERG_OK) return status;
    c->display = open_display();
    if (c->display == EGL_NO_DISPLAY)
        return ergi_fail(err, ERG_NOT_BUILT,
                         "EGL found no display for drawing without a window; " REMEDY);
    c->context = open_context(c->display);
    if (c->context == EGL_NO_CONTEXT)
        return ergi_fail(err, ERG_NOT_BUILT,
                         "EGL supports neither OpenGL 3.3 nor OpenGL ES 3; " REMEDY);
    status = make_current(c, err);
    if (status == ERG_OK) status = erg_renderer_create(&c->renderer, err);
    ergi_target_def def = {.width = c->width, .height = c->height, .colour = {GL_RGBA8}};
    if (status == ERG_OK) status = ergi_target_make(&c->target, &def, err);
    if (status != ERG_OK) return status;
    snprintf(c->device, sizeof c->device, "%s, OpenGL %s", (const char *)glGetString(GL_RENDERER),
             (const char *)glGetString(GL_VERSION));
    size_t pixels = (size_t)c->width * (size_t)c->height;
    c->raw = ergi_memory_new(pixels, 4, "the pixels of a picture", err);
    c->rgb = ergi_memory_new(pixels, 3, "the pixels of a picture", err);
    c->rgba = ergi_memory_new(pixels, 4, "the pixels of a picture", err);
    return c->raw && c->rgb && c->rgba ? ERG_OK : ERG_NO_MEMORY;
}

erg_status erg_canvas_create(int width, int height, erg_canvas **canvas, erg_error *err)
{
    if (!canvas) return ergi_fail_null(err, __func__);
    *canvas = NULL;
    if (width < 16 || height < 16 || width > 8192 || height > 8192)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "a picture must be 16 to 8192 pixels wide and high, got %d x %d", width,
                         height);
    erg_canvas *c = ergi_memory_new(1, sizeof *c, "a canvas", err);
    if (!c) return ERG_NO_MEMORY;
    c->width = width;
    c->height = height;
    c->display = EGL_NO_DISPLAY;
    c->context = EGL_NO_CONTEXT;
    erg_status status = open_canvas(c, err);
    if (status == ERG_OK)
        *canvas = c;
    else
        erg_canvas_destroy(c);
    return status;
}

void erg_canvas_destroy(erg_canvas *c)
{
    if (!c) return;
    if (c->context != EGL_NO_CONTEXT && make_current(c, NULL) == ERG_OK) {
        erg_renderer_destroy(c->renderer);
        ergi_target_free(&c->target);
        eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    // The display is shared by all canvases of the process and stays open.
    if (c->context != EGL_NO_CONTEXT) eglDestroyContext(c->display, c->context);
    ergi_memory_free(c->raw);
    ergi_memory_free(c->rgb);
    ergi_memory_free(c->rgba);
    ergi_memory_free(c);
}

// OpenGL's first row is the lowest, and its colours are premultiplied by alpha.
static void unpack_pixels(erg_canvas *c)
{
    size_t width = (size_t)c->width;
    for (size_t y = 0; y < (size_t)c->height; y++) {
        const uint8_t *from = c->raw + 4 * width * ((size_t)c->height - 1 - y);
        uint8_t       *rgb = c->rgb + 3 * width * y, *rgba = c->rgba + 4 * width * y;
        for (size_t x = 0; x < width; x++, from += 4, rgb += 3, rgba += 4) {
            unsigned cover = rgba[3] = from[3];
            for (int k = 0; k < 3; k++) {
                unsigned own = cover ? (255u * from[k] + cover / 2) / cover : 0;
                rgb[k] = from[k];
                rgba[k] = (uint8_t)(own < 255 ? own : 255);
            }
        }
    }
}

erg_status erg_canvas_draw(erg_canvas *c, const erg_picture *picture, erg_error *err)
{
    if (!c || !picture) return ergi_fail_null(err, __func__);
    double     start = ergi_clock_seconds();
    erg_status status = make_current(c, err);
    if (status != ERG_OK) return status;
    glBindFramebuffer(GL_FRAMEBUFFER, c->target.frame);
    status = erg_renderer_draw(c->renderer, picture, c->width, c->height, err);
    if (status != ERG_OK) return status;
    glBindFramebuffer(GL_FRAMEBUFFER, c->target.frame);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, c->width, c->height, GL_RGBA, GL_UNSIGNED_BYTE, c->raw);
    unpack_pixels(c);
    c->transparent = picture->look.transparent;
    c->report = erg_renderer_report(c->renderer);
    c->report.draw_s = ergi_clock_seconds() - start - c->report.cull_s;
    return ERG_OK;
}

const uint8_t *erg_canvas_pixels(const erg_canvas *c)
{
    if (!c) return NULL;
    return c->rgb;
}

const uint8_t *erg_canvas_rgba(const erg_canvas *c)
{
    if (!c) return NULL;
    return c->rgba;
}

erg_draw_report erg_canvas_report(const erg_canvas *c)
{
    if (!c) return (erg_draw_report){0};
    return c->report;
}

const char *erg_canvas_device(const erg_canvas *c)
{
    if (!c) return NULL;
    return c->device;
}

erg_status erg_canvas_save(const erg_canvas *c, const char *path, erg_error *err)
{
    if (!c || !path) return ergi_fail_null(err, __func__);
    return c->transparent ? erg_png_write_rgba(path, c->width, c->height, c->rgba, err)
                          : erg_png_write(path, c->width, c->height, c->rgb, err);
}
