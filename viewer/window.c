// The GLFW window.
#include "app.h"

#include "base/error.h"

#include <epoxy/gl.h>
// Without this, GLFW includes its own OpenGL headers.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <string.h>

static view_app *app_of(GLFWwindow *window)
{
    return glfwGetWindowUserPointer(window);
}

// Pixels per window coordinate, above 1 on high-density screens.
static double pixel_scale(GLFWwindow *window)
{
    int width = 0, height = 0, pixels = 0;
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &pixels, &height);
    return width > 0 ? (double)pixels / width : 1;
}

// ---- Callbacks ---------------------------------------------------------------------------------
static void on_key(GLFWwindow *window, int key, int code, int what, int mods)
{
    (void)code;
    view_app *app = app_of(window);
    if (!app->scripted && what != GLFW_REPEAT) view_input_key(app, key, mods, what == GLFW_PRESS);
}

static void on_button(GLFWwindow *window, int button, int what, int mods)
{
    view_app *app = app_of(window);
    if (!app->scripted) view_input_button(app, button, mods, what == GLFW_PRESS);
}

static void on_move(GLFWwindow *window, double x, double y)
{
    view_app *app = app_of(window);
    double    scale = pixel_scale(window);
    if (!app->scripted) view_input_move(app, scale * x, scale * y);
}

static void on_scroll(GLFWwindow *window, double x, double y)
{
    (void)x;
    view_app *app = app_of(window);
    if (!app->scripted) view_input_scroll(app, y);
}

static void on_size(GLFWwindow *window, int width, int height)
{
    view_app *app = app_of(window);
    glfwGetFramebufferSize(window, &width, &height); // the event may be older than the last resize
    if (width < 1 || height < 1) return;             // minimised
    app->width = width;
    app->height = height;
    app->stale = app->dirty = true;
}

static void on_refresh(GLFWwindow *window)
{
    app_of(window)->dirty = true;
}

static void on_close(GLFWwindow *window)
{
    view_app *app = app_of(window);
    glfwSetWindowShouldClose(window, GLFW_FALSE); // the app decides
    view_app_do(app, VIEW_DO_CLOSE);
}

// ---- Setup and teardown ------------------------------------------------------------------------
static char last_error[256];

static void on_error(int code, const char *text)
{
    (void)code;
    snprintf(last_error, sizeof last_error, "%s", text);
}

static erg_status fail_no_window(erg_error *err)
{
    glfwTerminate();
    return ergi_fail(err, ERG_NOT_BUILT,
                     "cannot open a window: %s; without a screen use erg render, or Xvfb "
                     "(xvfb-run -a erg view ...)",
                     *last_error ? last_error : "there is no screen");
}

erg_status view_window_open(view_app *app, erg_error *err)
{
    glfwSetErrorCallback(on_error);
    if (!glfwInit()) return fail_no_window(err);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); // everything is drawn offscreen and copied
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
    app->window = glfwCreateWindow(1280, 720, "erg", NULL, NULL);
    if (!app->window) return fail_no_window(err);
    glfwSetWindowUserPointer(app->window, app);
    glfwMakeContextCurrent(app->window);
    glfwSwapInterval(app->scripted ? 0 : 1);
    glfwSetKeyCallback(app->window, on_key);
    glfwSetMouseButtonCallback(app->window, on_button);
    glfwSetCursorPosCallback(app->window, on_move);
    glfwSetScrollCallback(app->window, on_scroll);
    glfwSetFramebufferSizeCallback(app->window, on_size);
    glfwSetWindowRefreshCallback(app->window, on_refresh);
    glfwSetWindowCloseCallback(app->window, on_close);
    glfwGetFramebufferSize(app->window, &app->width, &app->height);
    float sx = 1, sy = 1;
    glfwGetWindowContentScale(app->window, &sx, &sy);
    app->unit = 9.0 * (double)(sx > 1 ? sx : 1);
    erg_status status = erg_renderer_create(&app->renderer, err);
    if (status != ERG_OK) view_window_close(app);
    return status;
}

void view_window_close(view_app *app)
{
    if (!app->window) return;
    ergi_target_free(&app->canvas);
    erg_renderer_destroy(app->renderer);
    glfwDestroyWindow(app->window);
    glfwTerminate();
    app->window = NULL;
    app->renderer = NULL;
}

void view_window_hide(view_app *app)
{
    glfwHideWindow(app->window);
    glfwPollEvents();
}

void view_window_poll(view_app *app, double seconds)
{
    (void)app;
    if (seconds > 0)
        glfwWaitEventsTimeout(seconds);
    else
        glfwPollEvents();
}

// Waits until the new size is in effect, since scripts rely on it from the next picture on. On a
// busy machine the window manager takes a while.
void view_window_resize(view_app *app, int width, int height)
{
    glfwSetWindowSize(app->window, width, height);
    for (int i = 0; i < 1000; i++) {
        glfwWaitEventsTimeout(0.01);
        glfwGetFramebufferSize(app->window, &app->width, &app->height);
        if (app->width == width && app->height == height) break;
    }
    app->stale = app->dirty = true;
}

void view_window_swap(view_app *app)
{
    glfwSwapBuffers(app->window);
}

void view_window_title(view_app *app)
{
    char text[256];
    snprintf(text, sizeof text, "%s - erg", app->title);
    glfwSetWindowTitle(app->window, text);
}
