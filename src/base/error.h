// Filling the caller's erg_error. Every function here returns the status it was given, so that
// `return ergi_fail(err, ERG_BAD_INPUT, "...")` is the whole of an error path.
#ifndef ERGI_ERROR_H
#define ERGI_ERROR_H

#include "erg/base.h"

#include <math.h>

#if defined(__GNUC__)
#define ERGI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERGI_PRINTF(fmt, args)
#endif

// About nothing in particular.
erg_status ergi_fail(erg_error *err, erg_status status, const char *format, ...) ERGI_PRINTF(3, 4);

// With a code, which implies the status.
erg_status ergi_fail_code(erg_error *err, erg_error_code code, const char *format, ...)
    ERGI_PRINTF(3, 4);

// The same about a member of a definition, by its name in the struct that is checked.
erg_status ergi_fail_at(erg_error *err, const char *field, erg_error_code code, const char *format,
                        ...) ERGI_PRINTF(4, 5);

// Another sentence for a failure whose status, code and field stay. `why` may be `err` itself when
// the sentence does not quote it.
erg_status ergi_fail_as(erg_error *err, const erg_error *why, const char *format, ...)
    ERGI_PRINTF(3, 4);

// After the check of a part of a struct: its field "radius" is "region.radius" to the caller. What
// has no field is about the part as a whole. Does nothing unless the status says that a definition
// is at fault.
erg_status ergi_fail_within(erg_error *err, erg_status status, const char *format, ...)
    ERGI_PRINTF(3, 4);

// For public functions, with __func__: "erg_world_step: an argument that must be given is NULL"
erg_status ergi_fail_null(erg_error *err, const char *function);

// "out of memory: 123 bytes for WHAT"
erg_status ergi_fail_memory(erg_error *err, size_t bytes, const char *what);

// Of a number that a check has refused.
static inline erg_error_code ergi_code_of(double refused)
{
    return isfinite(refused) ? ERG_ERROR_OUT_OF_RANGE : ERG_ERROR_NOT_FINITE;
}

#endif
