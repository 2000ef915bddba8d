// Arguments that describe the picture or film to be made.
#ifndef ERG_CLI_SHOT_ARGS_H
#define ERG_CLI_SHOT_ARGS_H

#include "options.h"
#include "shot.h"

// Reads --out, --size and --fps, and checks --camera and --quality; on failure the error has been
// printed. `film`: a film or sequence is requested, and shot->fps is set.
bool cli_shot_args(const cli_args *args, cli_shot *shot, bool *film);

// Applies --camera, --quality and --transparent to the look.
void cli_shot_look(const cli_args *args, erg_look *look);

#endif
