#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

erg_status ergi_fail(erg_error *err, erg_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

erg_status ergi_fail_memory(erg_error *err, size_t bytes, const char *what)
{
    return ergi_fail(err, ERG_NO_MEMORY, "out of memory: %zu bytes for %s", bytes, what);
}

erg_status ergi_fail_null(erg_error *err, const char *function)
{
    return ergi_fail(err, ERG_BAD_INPUT, "%s: an argument that must be given is NULL", function);
}
