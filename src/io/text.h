// Splits text into words. The text may contain any bytes and needs no terminating zero. Every error
// message begins with `name:line:`. Lines end with \n, \r\n or \r.
#ifndef ERGI_TEXT_H
#define ERGI_TEXT_H

#include "base/error.h"

#include <locale.h>

typedef struct ergi_text {
    const char *name; // of the file
    const char *at, *end;
    size_t      line;      // of the last word, from 1
    locale_t    c, before; // numbers are read in the "C" locale, set for this thread only
} ergi_text;

typedef struct ergi_token {
    const char *at;
    size_t      length;
} ergi_token;

void ergi_text_open(ergi_text *text, const char *name, const void *bytes, size_t size);
void ergi_text_close(ergi_text *text);

// The next word of this line; false at its end.
bool ergi_text_token(ergi_text *text, ergi_token *word);
// The next word in this line or a later one; false at the end of the text.
bool ergi_text_any_token(ergi_text *text, ergi_token *word);
// Skips the rest of this line; false if it is the last.
bool ergi_text_next_line(ergi_text *text);

// Whether it equals this word, ignoring case.
bool ergi_token_is(ergi_token word, const char *lower_case);
// A decimal number and nothing else; finite.
bool ergi_token_number(ergi_token word, double *value);
// Digits with an optional minus and nothing else; below 2^62.
bool ergi_token_integer(ergi_token word, int64_t *value);

// The word in quotes for messages, truncated if long, with ? for unprintable bytes.
#define ERGI_TOKEN_SHOWN 40
const char *ergi_token_show(ergi_token word, char shown[ERGI_TOKEN_SHOWN]);

// "name:line: ..." as ERG_BAD_INPUT.
erg_status ergi_text_fail(const ergi_text *text, erg_error *err, const char *format, ...)
    ERGI_PRINTF(3, 4);

#endif
