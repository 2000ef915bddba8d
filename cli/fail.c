#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

erg_status cli_fail(erg_error *err, erg_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    err->status = status;
    vsnprintf(err->text, sizeof err->text, format, list);
    va_end(list);
    return status;
}
