// Numbers in scenes are plain SI values: `1e-3`, `.5`, `5.`, `+2`, or a quotient of two such,
// `1/30`. Nothing here depends on the locale of the program.
#ifndef ERGI_SCENE_NUMBER_H
#define ERGI_SCENE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ergi_number_fault {
    ERGI_NUMBER_OK = 0,
    ERGI_NUMBER_NONE,       // not a number
    ERGI_NUMBER_UNIT,       // `5mm`, `1e-5 s`
    ERGI_NUMBER_COMMA,      // `0,01`
    ERGI_NUMBER_NOT_FINITE, // `nan`, `inf`
    ERGI_NUMBER_TOO_LARGE,  // above the range of a double or a 64-bit integer
    ERGI_NUMBER_TOO_SMALL,  // not 0, but below the smallest double
    ERGI_NUMBER_BY_ZERO,    // `1/0`
    ERGI_NUMBER_BASE,       // `0x10`, `0o7`, `0b1`, `017`
    ERGI_NUMBER_SEPARATOR,  // `1_000`, `1,000,000`, `1 000`
    ERGI_NUMBER_NOT_WHOLE   // integers only: `2.5`, `2e3`
} ergi_number_fault;

// `*value` is set only with ERGI_NUMBER_OK.
ergi_number_fault ergi_number_read(const char *text, double *value);

// Plain digits with an optional sign.
ergi_number_fault ergi_integer_read(const char *text, int64_t *value);

// Hint about a faulty number, to follow "expected ..."; begins with "; ", or is empty. `unit` is
// the unit of the number or NULL; `whole`: an integer is expected.
#define ERGI_NUMBER_HINT 96
const char *ergi_number_hint(char out[ERGI_NUMBER_HINT], ergi_number_fault fault, const char *text,
                             const char *unit, bool whole);

// The shortest form that reads back as the same number: 0.1, 1e+07.
#define ERGI_NUMBER_TEXT 32
const char *ergi_number_text(char out[ERGI_NUMBER_TEXT], double value);

#endif
