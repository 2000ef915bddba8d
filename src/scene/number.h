// Numbers as scenes write them: bare SI. `1e-3`, `.5`, `5.`, `+2` and a quotient of two such,
// `1/30`. Nothing here depends on the locale of the program.
#ifndef ERGI_SCENE_NUMBER_H
#define ERGI_SCENE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ergi_number_fault {
    ERGI_NUMBER_OK = 0,
    ERGI_NUMBER_NONE,       // no number at all
    ERGI_NUMBER_UNIT,       // `5mm`, `1e-5 s`
    ERGI_NUMBER_COMMA,      // `0,01`
    ERGI_NUMBER_NOT_FINITE, // `nan`, `inf`
    ERGI_NUMBER_TOO_LARGE,  // beyond what a double or a 64-bit integer holds
    ERGI_NUMBER_TOO_SMALL,  // not 0, yet below the smallest double
    ERGI_NUMBER_BY_ZERO,    // `1/0`
    ERGI_NUMBER_BASE,       // `0x10`, `0o7`, `0b1`, `017`
    ERGI_NUMBER_SEPARATOR,  // `1_000`, `1,000,000`, `1 000`
    ERGI_NUMBER_NOT_WHOLE   // integers only: `2.5`, `2e3`
} ergi_number_fault;

// `*value` is written only with ERGI_NUMBER_OK.
ergi_number_fault ergi_number_read(const char *text, double *value);

// Plain digits with an optional sign.
ergi_number_fault ergi_integer_read(const char *text, int64_t *value);

// What to say about a faulty number after "expected ...": begins with "; ", or is empty. `unit` is
// the one the number is meant in, or NULL; `whole` when an integer was asked for.
#define ERGI_NUMBER_HINT 96
const char *ergi_number_hint(char out[ERGI_NUMBER_HINT], ergi_number_fault fault, const char *text,
                             const char *unit, bool whole);

// The shortest form that reads back as the same number: 0.1, 1e+07.
#define ERGI_NUMBER_TEXT 32
const char *ergi_number_text(char out[ERGI_NUMBER_TEXT], double value);

#endif
