// The scenes that ship with erg.
#ifndef ERG_CLI_SHELF_H
#define ERG_CLI_SHELF_H

#include "erg/erg.h"

typedef struct cli_shelf {
    char   folder[4096];
    char **path; // sorted by name
    size_t count;
} cli_shelf;

erg_status cli_shelf_open(cli_shelf *shelf, erg_error *err);
void       cli_shelf_close(cli_shelf *shelf);

#endif
