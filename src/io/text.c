#include "io/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ergi_text_open(ergi_text *text, const char *name, const void *bytes, size_t size)
{
    *text = (ergi_text){.name = name, .at = bytes, .end = (const char *)bytes + size, .line = 1};
    text->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (text->c) text->before = uselocale(text->c);
}

void ergi_text_close(ergi_text *text)
{
    if (!text->c) return;
    uselocale(text->before);
    freelocale(text->c);
    text->c = (locale_t)0;
}

static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

bool ergi_text_token(ergi_text *text, ergi_token *word)
{
    while (text->at < text->end && is_blank(*text->at)) text->at++;
    word->at = text->at;
    while (text->at < text->end && !is_blank(*text->at) && !is_newline(*text->at)) text->at++;
    word->length = (size_t)(text->at - word->at);
    return word->length > 0;
}

bool ergi_text_next_line(ergi_text *text)
{
    while (text->at < text->end && !is_newline(*text->at)) text->at++;
    if (text->at == text->end) return false;
    bool both = text->end - text->at > 1 && text->at[0] == '\r' && text->at[1] == '\n';
    text->at += both ? 2 : 1;
    text->line++;
    return true;
}

bool ergi_text_any_token(ergi_text *text, ergi_token *word)
{
    while (!ergi_text_token(text, word))
        if (!ergi_text_next_line(text)) return false;
    return true;
}

bool ergi_token_is(ergi_token word, const char *lower_case)
{
    if (strlen(lower_case) != word.length) return false;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != lower_case[i]) return false;
    }
    return true;
}

bool ergi_token_number(ergi_token word, double *value)
{
    char copy[128];
    if (word.length >= sizeof copy) return false;
    memcpy(copy, word.at, word.length);
    copy[word.length] = '\0';
    // strtod also accepts nan, inf and hexadecimal; we reject them.
    if (strlen(copy) != word.length || strspn(copy, "0123456789+-.eE") != word.length) return false;
    char  *end;
    double number = strtod(copy, &end);
    if (end == copy || *end || !isfinite(number)) return false;
    *value = number;
    return true;
}

bool ergi_token_integer(ergi_token word, int64_t *value)
{
    size_t  at = word.length > 0 && word.at[0] == '-' ? 1 : 0;
    int64_t number = 0;
    if (word.length - at == 0 || word.length - at > 18) return false;
    for (size_t i = at; i < word.length; i++) {
        if (word.at[i] < '0' || word.at[i] > '9') return false;
        number = 10 * number + (word.at[i] - '0');
    }
    *value = at ? -number : number;
    return true;
}

const char *ergi_token_show(ergi_token word, char shown[ERGI_TOKEN_SHOWN])
{
    size_t room = ERGI_TOKEN_SHOWN - 6, length = word.length < room ? word.length : room;
    shown[0] = '\'';
    for (size_t i = 0; i < length; i++) {
        char c = word.at[i];
        shown[1 + i] = c >= ' ' && c <= '~' ? c : '?';
    }
    strcpy(shown + 1 + length, word.length > room ? "...'" : "'");
    return shown;
}

erg_status ergi_text_fail(const ergi_text *text, erg_error *err, const char *format, ...)
{
    char    sentence[512];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s:%zu: %s", text->name, text->line, sentence);
}
