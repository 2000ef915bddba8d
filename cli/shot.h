// Makes pictures for the commands: a look, a canvas, and the output, which is a picture, a film or
// a numbered sequence.
#ifndef ERG_CLI_SHOT_H
#define ERG_CLI_SHOT_H

#include "erg/erg.h"
#include "film.h"

typedef struct cli_shot {
    erg_look     look;
    bool         caption;
    const char  *title; // of the scene; may be NULL
    const char  *path;
    int          width, height;
    double       fps;      // of a film or a sequence; 0: a picture
    bool         sequence; // `path` has the number of the picture in it, as %04d
    erg_picture *picture;
    erg_canvas  *canvas;
    cli_film    *film;
    size_t       count; // pictures so far
} cli_shot;

// Opens canvas and film, or makes the folder of a sequence; look, path, sizes and fps are set. On
// failure nothing is open.
erg_status cli_shot_open(cli_shot *shot, erg_error *err);

// Draws one picture and adds it to the film, or writes it as one of a sequence. `moment` NULL: the
// world as it is.
erg_status cli_shot_take(cli_shot *shot, const erg_world *world, const erg_moment *moment,
                         erg_error *err);

// Finishes the film, or writes the last picture that was taken. Closes all, whatever the outcome.
erg_status cli_shot_finish(cli_shot *shot, erg_error *err);

// Leaves no file, except the pictures of a sequence that are already complete.
void cli_shot_abandon(cli_shot *shot);

// Returns ERG_CANCELLED with a message that says what has been written.
erg_status cli_shot_stopped(const cli_shot *shot, erg_error *err);

#endif
