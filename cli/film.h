// A film: raw pictures piped into the ffmpeg program. It is written as FILE.part and renamed once
// it is complete; an incomplete or abandoned film leaves no file.
#ifndef ERG_CLI_FILM_H
#define ERG_CLI_FILM_H

#include "erg/erg.h"

typedef struct cli_film cli_film;

erg_status cli_film_check(erg_error *err); // ERG_NOT_BUILT with a message if ffmpeg is missing

// Fails without ffmpeg, like cli_film_check. Width and height must be even.
erg_status cli_film_begin(const char *path, int width, int height, double fps, cli_film **film,
                          erg_error *err);
erg_status cli_film_add(cli_film *film, const uint8_t *rgb, erg_error *err);
// Ends the film, and frees it even on failure.
erg_status cli_film_finish(cli_film *film, erg_error *err);
void       cli_film_abandon(cli_film *film); // accepts NULL

#endif
