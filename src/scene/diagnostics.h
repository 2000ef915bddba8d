// Errors of a scene, collected while it is read. Every message has a location; messages are sorted
// by location in the file (overrides after the file, in the order given) and limited to 20.
//
//     hourglass.yaml:12:5: unknown key 'cuont' in fill entry, expected one of ...; did you mean
//     'count'?
//     --set fill.0.cout: unknown key 'cout' in fill entry, ...
#ifndef ERGI_DIAGNOSTICS_H
#define ERGI_DIAGNOSTICS_H

#include "base/error.h"

#define ERGI_DIAGNOSTICS_KEPT 20
#define ERGI_DIAGNOSTICS_LINE                                                                      \
    400 // bytes of one message with its location; 20 of them fit into erg_error

// A location in the input. Line and column count from 1; line 0 means the source as a whole.
typedef struct ergi_where {
    int source; // 0: the file; k: the k-th override, counted from 1
    int line, column;
} ergi_where;

typedef struct ergi_message {
    ergi_where where;
    char       keys[sizeof(((erg_error *)0)->field)]; // path of the value, as in --set; may be ""
    char       text[ERGI_DIAGNOSTICS_LINE];
} ergi_message;

typedef struct ergi_diagnostics {
    const char        *file;
    const char *const *sets; // overrides as `path=value`
    size_t             set_count;
    size_t             found;  // number of all messages
    size_t             kept;   // number of messages stored: the first in file order
    erg_status         status; // not ERG_OK: an error other than a faulty scene
    erg_error_code     code;   // of the first fault
    ergi_message       messages[ERGI_DIAGNOSTICS_KEPT];
} ergi_diagnostics;

// `file` and `sets` are borrowed and must outlive the report.
void ergi_diagnostics_begin(ergi_diagnostics *report, const char *file, const char *const *sets,
                            size_t set_count);

void ergi_diagnostics_add(ergi_diagnostics *report, ergi_where where, const char *format, ...)
    ERGI_PRINTF(3, 4);

// The same for the value at the path `keys`.
void ergi_diagnostics_add_at(ergi_diagnostics *report, ergi_where where, const char *keys,
                             const char *format, ...) ERGI_PRINTF(4, 5);

// Whether a message at this location would be stored. Check before composing a costly message; if
// false, call ergi_diagnostics_count instead of ergi_diagnostics_add.
bool ergi_diagnostics_wants(const ergi_diagnostics *report, ergi_where where);
void ergi_diagnostics_count(ergi_diagnostics *report);

// Out of memory: this becomes the only message.
void ergi_diagnostics_no_memory(ergi_diagnostics *report);

// ERG_OK if nothing was found; else ERG_BAD_INPUT with all messages, one per line, and the keys of
// the first.
erg_status ergi_diagnostics_end(const ergi_diagnostics *report, erg_error *err);

// ---- Words for messages ------------------------------------------------------------------------

// A short, printable form of the user's text; `out` is returned.
#define ERGI_CLIP 64
const char *ergi_clip(char out[ERGI_CLIP], const char *text);

// Collects "a, b, c" in a fixed buffer and ends with "..." if it is full.
typedef struct ergi_words {
    char   text[200];
    size_t length;
    bool   full;
} ergi_words;
void ergi_words_add(ergi_words *words, const char *word);

// Finds the candidate closest to a misspelt word. Starts as {.word = the user's word}; best is NULL
// if no candidate is close.
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
