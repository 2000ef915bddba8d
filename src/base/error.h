// Filling the caller's erg_error. Every function here returns the status it was given, so that
// `return ergi_fail(err, ERG_BAD_INPUT, "...")` is the whole of an error path.
#ifndef ERGI_ERROR_H
#define ERGI_ERROR_H

#include "erg/base.h"

#if defined(__GNUC__)
#define ERGI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERGI_PRINTF(fmt, args)
#endif

erg_status ergi_fail(erg_error *err, erg_status status, const char *format, ...) ERGI_PRINTF(3, 4);

// For public functions, with __func__: "erg_world_step: an argument that must be given is NULL"
erg_status ergi_fail_null(erg_error *err, const char *function);

// "out of memory: 123 bytes for WHAT"
erg_status ergi_fail_memory(erg_error *err, size_t bytes, const char *what);

#endif
