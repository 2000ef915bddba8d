#include "shot_args.h"

#include "scene_args.h"
#include "sequence.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_size(const cli_args *args, cli_shot *shot, bool film)
{
    const char *text = cli_value(args, "size");
    char        rest;
    int        *w = &shot->width, *h = &shot->height;
    *w = 1280;
    *h = 720;
    if (text && (sscanf(text, "%5dx%5d%c", w, h, &rest) != 2 || *w < 16 || *h < 16 || *w > 8192 ||
                 *h > 8192)) {
        cli_error_usage("--size must be WIDTHxHEIGHT, each 16 to 8192, such as 1280x720, got '%s'",
                        text);
        return false;
    }
    if (film && !shot->sequence && (*w % 2 || *h % 2)) {
        cli_error_usage("--size of a film must have an even width and height, got %dx%d", *w, *h);
        return false;
    }
    return true;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

// Detects an unwritable path before the simulation, not after it.
static bool check_out(const char *path)
{
    char        folder[CLI_PATH];
    struct stat info;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == folder)
        slash[1] = '\0';
    else if (slash)
        *slash = '\0';
    else
        snprintf(folder, sizeof folder, ".");
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        cli_error_usage("cannot write '%s': there is no folder '%s'", path, folder);
    else if (access(folder, W_OK | X_OK) != 0)
        cli_error_usage("cannot write '%s': %s", path, strerror(errno));
    else if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        cli_error_usage("cannot write '%s': it is a folder", path);
    else
        return true;
    return false;
}

static bool read_out(const cli_args *args, cli_shot *shot, bool *is_film)
{
    const char *out = cli_value(args, "out");
    if (!out) {
        cli_error_usage(
            "'erg render' needs --out FILE.png, --out FILE.mp4 or --out 'DIR/%%04d.png'");
        return false;
    }
    bool film = ends_with(out, ".mp4");
    if (!film && !ends_with(out, ".png")) {
        cli_error_usage("--out must end in .png (a picture) or .mp4 (a film), got '%s'", out);
        return false;
    }
    if (!film && !cli_sequence_read(out, &shot->sequence)) return false;
    if (film && cli_has(args, "transparent")) {
        cli_error_usage(
            "--transparent applies to pictures; a film (.mp4) cannot be transparent, but a "
            "sequence can: --out 'frames/%%04d.png'");
        return false;
    }
    shot->path = out;
    film = *is_film = film || shot->sequence;
    static const char *const film_only[] = {"fps", "speed", NULL};
    for (int i = 0; film_only[i]; i++)
        if (!film && cli_has(args, film_only[i])) {
            cli_error_usage("--%s applies to films and sequences, but --out names a picture",
                            film_only[i]);
            return false;
        }
    if (film && cli_has(args, "at")) {
        cli_error_usage("--at applies to pictures, but --out names a %s",
                        shot->sequence ? "sequence" : "film");
        return false;
    }
    return shot->sequence || check_out(out);
}

bool cli_shot_args(const cli_args *args, cli_shot *shot, bool *film)
{
    static const char *const cameras[] = {"orbit", "fixed", "follow", NULL};
    static const char *const qualities[] = {"fast", "fine", NULL};
    double                   fps = 30;
    if (!read_out(args, shot, film) || !read_size(args, shot, *film) ||
        !cli_number_within(args, "fps", 0.1, 1000, &fps) || !cli_choice(args, "camera", cameras) ||
        !cli_choice(args, "quality", qualities))
        return false;
    shot->fps = *film ? fps : 0;
    return true;
}

void cli_shot_look(const cli_args *args, erg_look *look)
{
    const char *camera = cli_value(args, "camera"), *quality = cli_value(args, "quality");
    if (camera)
        look->camera.mode = *camera == 'o'            ? ERG_CAMERA_ORBIT
                            : strcmp(camera, "fixed") ? ERG_CAMERA_FOLLOW
                                                      : ERG_CAMERA_FIXED;
    look->transparent = cli_has(args, "transparent");
    if (quality) look->quality = strcmp(quality, "fast") ? ERG_QUALITY_FINE : ERG_QUALITY_FAST;
}
