#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Codes and statuses ------------------------------------------------------------------------
static const struct {
    erg_error_code code;
    erg_status     status;
} pairs[] = {{ERG_ERROR_NO_MEMORY, ERG_NO_MEMORY},
             {ERG_ERROR_IO, ERG_IO},
             {ERG_ERROR_BAD_PHYSICS, ERG_BAD_PHYSICS},
             {ERG_ERROR_NOT_BUILT, ERG_NOT_BUILT},
             {ERG_ERROR_CANCELLED, ERG_CANCELLED}};

static erg_status status_of(erg_error_code code)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].code == code) return pairs[i].status;
    return ERG_BAD_INPUT;
}

static erg_error_code code_of(erg_status status)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].status == status) return pairs[i].code;
    return ERG_ERROR_OTHER;
}

// ---- Filling -----------------------------------------------------------------------------------
static erg_status fill(erg_error *err, erg_status status, erg_error_code code, const char *field,
                       const char *format, va_list args)
{
    if (err) {
        err->status = status;
        err->code = code;
        if (field != err->field) snprintf(err->field, sizeof err->field, "%s", field);
        vsnprintf(err->text, sizeof err->text, format, args);
    }
    return status;
}

erg_status ergi_fail(erg_error *err, erg_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, code_of(status), "", format, args);
    va_end(args);
    return status;
}

erg_status ergi_fail_code(erg_error *err, erg_error_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    erg_status status = fill(err, status_of(code), code, "", format, args);
    va_end(args);
    return status;
}

erg_status ergi_fail_at(erg_error *err, const char *field, erg_error_code code, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    erg_status status = fill(err, status_of(code), code, field, format, args);
    va_end(args);
    return status;
}

erg_status ergi_fail_as(erg_error *err, const erg_error *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    erg_status status = fill(err, why->status, why->code, why->field, format, args);
    va_end(args);
    return status;
}

erg_status ergi_fail_within(erg_error *err, erg_status status, const char *format, ...)
{
    if (!err || (status != ERG_BAD_INPUT && status != ERG_NOT_BUILT)) return status;
    char    path[sizeof err->field];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof path) return status;
    const char *dot = err->field[0] == '\0' || err->field[0] == '[' ? "" : ".";
    snprintf(path + length, sizeof path - (size_t)length, "%s%.*s", dot, (int)sizeof path,
             err->field);
    memcpy(err->field, path, sizeof path);
    return status;
}

erg_status ergi_fail_memory(erg_error *err, size_t bytes, const char *what)
{
    return ergi_fail(err, ERG_NO_MEMORY, "out of memory: %zu bytes for %s", bytes, what);
}

erg_status ergi_fail_null(erg_error *err, const char *function)
{
    return ergi_fail_code(err, ERG_ERROR_MISSING, "%s: a required argument is NULL", function);
}
