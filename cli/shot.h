// Picture output of the commands: look, canvas, and a picture, film or numbered sequence as output.
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
    double       fps;      // of a film or sequence; 0: a single picture
    bool         sequence; // `path` contains the picture number, such as %04d
    erg_picture *picture;
    erg_canvas  *canvas;
    cli_film    *film;
    size_t       count; // pictures so far
} cli_shot;

// Opens the canvas and checks for ffmpeg, or creates the folder of a sequence. Look, path, size and
// fps must be set. On failure nothing is open.
erg_status cli_shot_open(cli_shot *shot, erg_error *err);

// Draws one picture and adds it to the film or sequence. `moment` NULL: the current world.
erg_status cli_shot_take(cli_shot *shot, const erg_world *world, const erg_moment *moment,
                         erg_error *err);

// Finishes the film, or writes the last picture. Closes everything, even on failure.
erg_status cli_shot_finish(cli_shot *shot, erg_error *err);

// Leaves no files, except the completed pictures of a sequence.
void cli_shot_abandon(cli_shot *shot);

// Returns ERG_CANCELLED with a message that tells what has been written.
erg_status cli_shot_stopped(const cli_shot *shot, erg_error *err);

#endif
