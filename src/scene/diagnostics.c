#include "scene/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ergi_diagnostics_begin(ergi_diagnostics *report, const char *file, const char *const *sets,
                            size_t set_count)
{
    report->file = file;
    report->sets = sets;
    report->set_count = set_count;
    report->found = 0;
    report->kept = 0;
    report->status = ERG_OK;
    report->code = ERG_ERROR_BAD_FILE;
}

static bool before(ergi_where a, ergi_where b)
{
    if (a.source != b.source) return a.source < b.source;
    if (a.line != b.line) return a.line < b.line;
    return a.column < b.column;
}

bool ergi_diagnostics_wants(const ergi_diagnostics *report, ergi_where where)
{
    return report->kept < ERGI_DIAGNOSTICS_KEPT ||
           before(where, report->messages[report->kept - 1].where);
}

void ergi_diagnostics_count(ergi_diagnostics *report)
{
    report->found++;
}

// Of a longer path only the end is shown, which distinguishes files.
#define LOCATION_BYTES 120

static int write_location(const ergi_diagnostics *report, ergi_where where, char *out, size_t room)
{
    if (where.source > 0) {
        const char *set =
            (size_t)where.source <= report->set_count ? report->sets[where.source - 1] : "";
        const char *equals = strchr(set, '=');
        size_t      length = equals ? (size_t)(equals - set) : strlen(set);
        if (length > LOCATION_BYTES) length = LOCATION_BYTES;
        return snprintf(out, room, "--set %.*s: ", (int)length, set);
    }
    const char *file = report->file ? report->file : "scene";
    size_t      length = strlen(file);
    const char *dots = "";
    if (length > LOCATION_BYTES) {
        file += length - LOCATION_BYTES;
        dots = "...";
    }
    if (where.line == 0) return snprintf(out, room, "%s%s: ", dots, file);
    return snprintf(out, room, "%s%s:%d:%d: ", dots, file, where.line, where.column);
}

static void add(ergi_diagnostics *report, ergi_where where, const char *keys, const char *format,
                va_list args)
{
    report->found++;
    if (!ergi_diagnostics_wants(report, where)) {
        return;
    }

    // Insert after all messages for the same or an earlier location; a full list loses its last
    // one.
    size_t slot = report->kept < ERGI_DIAGNOSTICS_KEPT ? report->kept++ : ERGI_DIAGNOSTICS_KEPT - 1;
    while (slot > 0 && before(where, report->messages[slot - 1].where)) {
        report->messages[slot] = report->messages[slot - 1];
        slot--;
    }
    ergi_message *message = &report->messages[slot];
    message->where = where;
    snprintf(message->keys, sizeof message->keys, "%s", keys);
    int length = write_location(report, where, message->text, sizeof message->text);
    vsnprintf(message->text + length, sizeof message->text - (size_t)length, format, args);
}

void ergi_diagnostics_add(ergi_diagnostics *report, ergi_where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(report, where, "", format, args);
    va_end(args);
}

void ergi_diagnostics_add_at(ergi_diagnostics *report, ergi_where where, const char *keys,
                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(report, where, keys, format, args);
    va_end(args);
}

void ergi_diagnostics_no_memory(ergi_diagnostics *report)
{
    report->status = ERG_NO_MEMORY;
}

erg_status ergi_diagnostics_end(const ergi_diagnostics *report, erg_error *err)
{
    if (report->status == ERG_NO_MEMORY) {
        return ergi_fail(err, ERG_NO_MEMORY, "%s: out of memory while reading the scene",
                         report->file ? report->file : "scene");
    }
    if (report->found == 0) return ERG_OK;
    if (!err) return ERG_BAD_INPUT;

    ergi_fail_at(err, report->messages[0].keys, report->code, "%s", "");
    size_t length = 0;
    for (size_t i = 0; i < report->kept; i++) {
        length += (size_t)snprintf(err->text + length, sizeof err->text - length, "%s%s",
                                   i ? "\n" : "", report->messages[i].text);
    }
    if (report->found > report->kept) {
        snprintf(err->text + length, sizeof err->text - length, "\nand %zu more",
                 report->found - report->kept);
    }
    return ERG_BAD_INPUT;
}

_Static_assert(ERGI_DIAGNOSTICS_KEPT *ERGI_DIAGNOSTICS_LINE + 64 <= sizeof(((erg_error *)0)->text),
               "a full report fits into erg_error");

// ---- Words for messages ------------------------------------------------------------------------

const char *ergi_clip(char out[ERGI_CLIP], const char *text)
{
    const size_t room = ERGI_CLIP - 4; // leaves space for "..." and NUL
    size_t       n = 0;
    for (; text[n] && n < room; n++) {
        unsigned char c = (unsigned char)text[n];
        out[n] = (char)(c < 0x20 || c == 0x7f ? ' ' : c);
    }
    if (text[n]) {
        // Do not split a UTF-8 character.
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
        memcpy(out + n, "...", 3);
        n += 3;
    }
    out[n] = '\0';
    return out;
}

void ergi_words_add(ergi_words *words, const char *word)
{
    if (words->full) return;
    size_t length = strlen(word);
    size_t comma = words->length ? 2 : 0;
    if (words->length + comma + length + sizeof ", ..." > sizeof words->text) {
        words->full = true;
        word = "...";
        length = 3;
    }
    memcpy(words->text + words->length, ", ", comma);
    words->length += comma;
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        words->text[words->length++] = (char)((unsigned char)c < 0x20 ? ' ' : c);
    }
    words->text[words->length] = '\0';
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

#define GUESS_LETTERS 40

// Number of insertions, deletions, replacements and swaps of neighbours that turn a into b,
// ignoring case.
static int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int  rows[3][GUESS_LETTERS + 1];
    int *last = rows[0], *now = rows[1], *older = rows[2];
    for (size_t j = 0; j <= b_length; j++) last[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            int change = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = smaller(smaller(last[j] + 1, now[j - 1] + 1), last[j - 1] + change);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                now[j] = smaller(now[j], older[j - 2] + 1);
            }
        }
        int *spare = older;
        older = last;
        last = now;
        now = spare;
    }
    return last[b_length];
}

void ergi_guess_offer(ergi_guess *guess, const char *candidate)
{
    size_t a = strlen(guess->word), b = strlen(candidate);
    size_t longer = a > b ? a : b, shorter = a > b ? b : a;
    if (longer > GUESS_LETTERS || longer - shorter > 2) return;

    // At most two typing errors, fewer in short words: 'x' is not a misspelt 'y'.
    int distance = edit_distance(guess->word, a, candidate, b);
    if (distance > 2 || 3 * distance > (int)longer + 1) return;
    if (!guess->best || distance < guess->distance) {
        guess->best = candidate;
        guess->distance = distance;
    }
}

const char *ergi_guess_hint(char out[ERGI_HINT], const ergi_guess *guess)
{
    out[0] = '\0';
    if (guess->best) {
        char clip[ERGI_CLIP];
        snprintf(out, ERGI_HINT, "; did you mean '%s'?", ergi_clip(clip, guess->best));
    }
    return out;
}
