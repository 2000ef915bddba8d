// What is wrong with a scene, gathered while it is read: every message knows its place, they come
// out in file order (overrides after the file, in the order they were given), and no more than 20
// of them.
//
//     hourglass.yaml:12:5: unknown key 'cuont' in fill entry, expected one of ...; did you mean
//     'count'?
//     --set fill.0.cout: unknown key 'cout' in fill entry, ...
#ifndef ERGI_DIAGNOSTICS_H
#define ERGI_DIAGNOSTICS_H

#include "base/error.h"

#define ERGI_DIAGNOSTICS_KEPT 20
#define ERGI_DIAGNOSTICS_LINE                                                                      \
    400 // bytes of one message with its place; 20 of them fit into erg_error

// A place in the input. Line and column count from 1; line 0 means the source as a whole.
typedef struct ergi_where {
    int source; // 0: the file; k: the k-th override, counted from 1
    int line, column;
} ergi_where;

typedef struct ergi_message {
    ergi_where where;
    char       keys[sizeof(((erg_error *)0)->field)]; // of the value, as --set takes it; may be ""
    char       text[ERGI_DIAGNOSTICS_LINE];
} ergi_message;

typedef struct ergi_diagnostics {
    const char        *file;
    const char *const *sets; // overrides as `path=value`
    size_t             set_count;
    size_t             found;  // all messages
    size_t             kept;   // the first of them in file order
    erg_status         status; // set by trouble that is not the scene's fault
    erg_error_code     code;   // of what is wrong with it
    ergi_message       messages[ERGI_DIAGNOSTICS_KEPT];
} ergi_diagnostics;

// `file` and `sets` are borrowed and must outlive the report.
void ergi_diagnostics_begin(ergi_diagnostics *report, const char *file, const char *const *sets,
                            size_t set_count);

void ergi_diagnostics_add(ergi_diagnostics *report, ergi_where where, const char *format, ...)
    ERGI_PRINTF(3, 4);

// The same, of the value under `keys`.
void ergi_diagnostics_add_at(ergi_diagnostics *report, ergi_where where, const char *keys,
                             const char *format, ...) ERGI_PRINTF(4, 5);

// Whether a message at this place would be kept. Ask before composing a costly one; when the answer
// is no, ergi_diagnostics_count stands in for ergi_diagnostics_add.
bool ergi_diagnostics_wants(const ergi_diagnostics *report, ergi_where where);
void ergi_diagnostics_count(ergi_diagnostics *report);

// Memory ran out: the report will say that and nothing else.
void ergi_diagnostics_no_memory(ergi_diagnostics *report);

// ERG_OK when nothing was found; else ERG_BAD_INPUT with all messages, one a line, and
// the keys of the first.
erg_status ergi_diagnostics_end(const ergi_diagnostics *report, erg_error *err);

// ---- Words for messages ------------------------------------------------------------------------

// A short, printable form of the user's text; `out` is returned.
#define ERGI_CLIP 64
const char *ergi_clip(char out[ERGI_CLIP], const char *text);

// Collects "a, b, c" into a fixed buffer and ends in "..." where it would not fit.
typedef struct ergi_words {
    char   text[200];
    size_t length;
    bool   full;
} ergi_words;
void ergi_words_add(ergi_words *words, const char *word);

// Did you mean? Starts as {.word = what the user wrote}; best is NULL when nothing offered is
// close.
typedef struct ergi_guess {
    const char *word;
    const char *best;
    int         distance;
} ergi_guess;
void ergi_guess_offer(ergi_guess *guess, const char *candidate);

// "; did you mean 'count'?" or "".
#define ERGI_HINT (ERGI_CLIP + 32)
const char *ergi_guess_hint(char out[ERGI_HINT], const ergi_guess *guess);

#endif
