// Fills the caller's erg_error. Every function returns the status, so that an error path is one
// line: `return ergi_fail(err, ERG_BAD_INPUT, "...")`.
#ifndef ERGI_ERROR_H
#define ERGI_ERROR_H

#include "erg/base.h"

#include <math.h>

#if defined(__GNUC__)
#define ERGI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERGI_PRINTF(fmt, args)
#endif

// Names no member; the code follows from the status.
erg_status ergi_fail(erg_error *err, erg_status status, const char *format, ...) ERGI_PRINTF(3, 4);

// With a code, which implies the status.
erg_status ergi_fail_code(erg_error *err, erg_error_code code, const char *format, ...)
    ERGI_PRINTF(3, 4);

// The same for a member of a definition, as named in the struct that is checked.
erg_status ergi_fail_at(erg_error *err, const char *field, erg_error_code code, const char *format,
                        ...) ERGI_PRINTF(4, 5);

// Another message for the failure `why`, whose status, code and field are kept. `why` may be `err`
// itself if the message does not quote it.
erg_status ergi_fail_as(erg_error *err, const erg_error *why, const char *format, ...)
    ERGI_PRINTF(3, 4);

// Prefixes err->field after a nested struct was checked: "radius" becomes "region.radius", an empty
// field "region". Changes nothing unless the status is ERG_BAD_INPUT or ERG_NOT_BUILT.
erg_status ergi_fail_within(erg_error *err, erg_status status, const char *format, ...)
    ERGI_PRINTF(3, 4);

// For public functions, with __func__: "erg_world_step: a required argument is NULL"
erg_status ergi_fail_null(erg_error *err, const char *function);

// "out of memory: 123 bytes for WHAT"
erg_status ergi_fail_memory(erg_error *err, size_t bytes, const char *what);

// Code for a number that a check has rejected.
static inline erg_error_code ergi_code_of(double refused)
{
    return isfinite(refused) ? ERG_ERROR_OUT_OF_RANGE : ERG_ERROR_NOT_FINITE;
}

#endif
