#include "shot.h"

#include "fail.h"
#include "scene_args.h"
#include "sequence.h"

#include <stdio.h>
#include <string.h>

static void close_all(cli_shot *s)
{
    erg_canvas_destroy(s->canvas);
    erg_picture_destroy(s->picture);
    s->canvas = NULL;
    s->picture = NULL;
    s->film = NULL;
}

static bool is_film(const cli_shot *s)
{
    return s->fps > 0 && !s->sequence;
}

erg_status cli_shot_open(cli_shot *s, erg_error *err)
{
    erg_status status = erg_canvas_create(s->width, s->height, &s->canvas, err);
    if (status == ERG_OK) status = erg_picture_create(&s->picture, err);
    if (status == ERG_OK && s->sequence) status = cli_sequence_folder(s->path, err);
    if (status == ERG_OK && is_film(s)) status = cli_film_check(err);
    if (status != ERG_OK) cli_shot_abandon(s);
    return status;
}

static erg_status save(const cli_shot *s, erg_error *err)
{
    char name[CLI_PATH];
    if (!cli_sequence_name(s->path, s->count, name, sizeof name))
        return cli_fail(err, ERG_BAD_INPUT, "the file name '%s' of the picture is too long",
                        s->path);
    return erg_canvas_save(s->canvas, name, err);
}

erg_status cli_shot_take(cli_shot *s, const erg_world *world, const erg_moment *moment,
                         erg_error *err)
{
    char   caption[256];
    double time = moment ? moment->time : erg_world_time(world);
    size_t grains = moment ? moment->grains : erg_world_grain_count(world);
    snprintf(caption, sizeof caption, "%.120s%st = %.3f s   %zu grains", s->title ? s->title : "",
             s->title ? "   " : "", time, grains);
    s->look.caption = s->caption ? caption : NULL;
    erg_status status = erg_picture_take(s->picture, &s->look, world, moment, err);
    if (status != ERG_OK) return status;
    if (s->fps > 0) erg_picture_turn(s->picture, (double)s->count / s->fps);
    status = erg_canvas_draw(s->canvas, s->picture, err);
    if (status == ERG_OK && is_film(s) && !s->film)
        status = cli_film_begin(s->path, s->width, s->height, s->fps, &s->film, err);
    if (status == ERG_OK && s->film)
        status = cli_film_add(s->film, erg_canvas_pixels(s->canvas), err);
    if (status == ERG_OK && s->sequence) status = save(s, err);
    if (status == ERG_OK) s->count++;
    return status;
}

erg_status cli_shot_finish(cli_shot *s, erg_error *err)
{
    erg_status status = s->sequence ? ERG_OK
                        : s->film   ? cli_film_finish(s->film, err)
                                    : save(s, err);
    close_all(s);
    return status;
}

void cli_shot_abandon(cli_shot *s)
{
    cli_film_abandon(s->film);
    close_all(s);
}

erg_status cli_shot_stopped(const cli_shot *s, erg_error *err)
{
    return s->sequence && s->count
               ? cli_fail(err, ERG_CANCELLED,
                          "stopped; the first %zu pictures of '%s' were written", s->count, s->path)
               : cli_fail(err, ERG_CANCELLED, "stopped; nothing was written");
}
