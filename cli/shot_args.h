// Arguments that say what picture or film is to be made; for whatever is rendered.
#ifndef ERG_CLI_SHOT_ARGS_H
#define ERG_CLI_SHOT_ARGS_H

#include "options.h"
#include "shot.h"

// Reads --out, --size, --fps and checks --camera and --quality; stderr says what is wrong. `film`:
// a film is asked for, and shot->fps is set.
bool cli_shot_args(const cli_args *args, cli_shot *shot, bool *film);

// Changes the look by --camera and --quality.
void cli_shot_look(const cli_args *args, erg_look *look);

#endif
