// Screenshots and films of the window.
#ifndef ERG_VIEW_RECORD_H
#define ERG_VIEW_RECORD_H

#include "film.h"

typedef struct view_record {
    char      folder[4096];
    bool      made; // the folder exists
    uint8_t  *raw, *rgb;
    size_t    room; // capacity [pixels]
    cli_film *film;
    char      film_path[4200];
    int       width, height; // of the film [pixels]
    double    since;         // window time of its start [s]
    size_t    pictures;      // so far
    erg_error lost;          // failure of the last film that failed; ERG_OK: none
} view_record;

// Writes the bound framebuffer to `name` in the folder, or to the first unused erg-NNN.png when
// that is NULL. `path` receives the file's path.
erg_status view_record_screenshot(view_record *record, int width, int height, const char *name,
                                  char path[4200], erg_error *err);

erg_status view_record_begin(view_record *record, int width, int height, double now,
                             erg_error *err);
// Adds as many pictures as are due by now.
erg_status view_record_add(view_record *record, int width, int height, double now, erg_error *err);
erg_status view_record_end(view_record *record, erg_error *err);
void       view_record_free(view_record *record); // an unfinished film is abandoned

#endif
