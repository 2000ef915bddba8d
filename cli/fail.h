// Writes a message into an error, for parts of the program that report errors like the library.
#ifndef ERG_CLI_FAIL_H
#define ERG_CLI_FAIL_H

#include "erg/base.h"

// Returns `status`.
erg_status cli_fail(erg_error *err, erg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
