// JSON output of the program itself.
#ifndef ERG_CLI_JSON_H
#define ERG_CLI_JSON_H

#include <stdio.h>

// "text" with quotes and escapes.
void cli_json_string(FILE *to, const char *text);

#endif
