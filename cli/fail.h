// A sentence into an error, for the parts of the program that answer as the library does.
#ifndef ERG_CLI_FAIL_H
#define ERG_CLI_FAIL_H

#include "erg/base.h"

// Returns `status`.
erg_status cli_fail(erg_error *err, erg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
