#include "scene/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 200 // characters of a number

// strtod and printf follow the locale, in which `1.5` may end at the point. So the grammar is
// checked here, and only the conversion uses them, in the "C" locale set for this thread.
static locale_t enter_c_locale(locale_t *c)
{
    *c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return *c ? uselocale(*c) : (locale_t)0;
}

static void leave_c_locale(locale_t c, locale_t before)
{
    if (!c) return;
    uselocale(before);
    freelocale(c);
}

static double convert(const char *text)
{
    locale_t c, before = enter_c_locale(&c);
    double   value = strtod(text, NULL);
    leave_c_locale(c, before);
    return value;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *skip_digits(const char *p)
{
    while (is_digit(*p)) p++;
    return p;
}

// The end of the longest decimal number at `text`; `text` itself if there is none.
static const char *decimal_end(const char *text)
{
    const char *p = text + (*text == '+' || *text == '-');
    const char *first = p;
    p = skip_digits(p);
    bool digits = p > first;
    if (*p == '.') {
        const char *fraction = ++p;
        p = skip_digits(p);
        digits = digits || p > fraction;
    }
    if (!digits) return text;
    if (*p == 'e' || *p == 'E') {
        const char *power = p + 1 + (p[1] == '+' || p[1] == '-');
        if (is_digit(*power)) p = skip_digits(power);
    }
    return p;
}

static bool equal_words(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char c = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        if (c != *b) return false;
    }
    return *a == *b;
}

static bool not_finite_word(const char *text)
{
    if (*text == '+' || *text == '-') text++;
    static const char *const words[] = {"nan", ".nan", "inf", ".inf", "infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (equal_words(text, words[i])) return true;
    }
    return false;
}

// Some YAML readers take `017` as octal 15, others as 17.
static bool leading_zero(const char *text)
{
    if (*text == '+' || *text == '-') text++;
    return text[0] == '0' && is_digit(text[1]);
}

static bool other_base(const char *text)
{
    if (*text == '+' || *text == '-') text++;
    return text[0] == '0' && text[1] && strchr("xXoObB", text[1]) &&
           (is_digit(text[2]) || is_letter(text[2]));
}

// The reason why the text after a valid number is an error.
static ergi_number_fault rest_fault(const char *rest)
{
    if (*rest == ',') {
        return strchr(rest + 1, ',') ? ERGI_NUMBER_SEPARATOR : ERGI_NUMBER_COMMA;
    }
    if (*rest == '_' || *rest == '\'') return ERGI_NUMBER_SEPARATOR;
    if ((*rest == 'e' || *rest == 'E') && !is_letter(rest[1])) return ERGI_NUMBER_NONE;
    const char *p = rest;
    while (*p == ' ' || *p == '\t') p++;
    if (p > rest && is_digit(*p)) return ERGI_NUMBER_SEPARATOR;
    if (*p == '*') p++;
    if (is_letter(*p) || *p == '%' || *p == '[' || (unsigned char)*p >= 0x80) {
        return ERGI_NUMBER_UNIT;
    }
    return ERGI_NUMBER_NONE;
}

// One decimal number from `text` to `end`.
static ergi_number_fault read_decimal(const char *text, const char *end, double *value)
{
    if (leading_zero(text)) return ERGI_NUMBER_BASE;

    double number = convert(text); // stops at `end`: the next character continues no number
    if (!isfinite(number)) return ERGI_NUMBER_TOO_LARGE;
    if (number == 0) {
        for (const char *p = text; p < end && *p != 'e' && *p != 'E'; p++) {
            if (*p >= '1' && *p <= '9') return ERGI_NUMBER_TOO_SMALL;
        }
    }
    *value = number;
    return ERGI_NUMBER_OK;
}

ergi_number_fault ergi_number_read(const char *text, double *value)
{
    if (strlen(text) > LONGEST) return ERGI_NUMBER_NONE;
    if (not_finite_word(text)) return ERGI_NUMBER_NOT_FINITE;
    if (other_base(text)) return ERGI_NUMBER_BASE;
    const char *end = decimal_end(text);
    if (end == text) return ERGI_NUMBER_NONE;

    double number;
    bool   quotient = *end == '/' && decimal_end(end + 1) > end + 1;
    if (*end && !quotient) return rest_fault(end);
    ergi_number_fault fault = read_decimal(text, end, &number);
    if (fault != ERGI_NUMBER_OK) return fault;

    if (quotient) {
        const char *below = end + 1;
        double      divisor;
        if (other_base(below)) return ERGI_NUMBER_BASE;
        end = decimal_end(below);
        if (*end) return *end == '/' ? ERGI_NUMBER_NONE : rest_fault(end);
        fault = read_decimal(below, end, &divisor);
        if (fault != ERGI_NUMBER_OK) return fault;
        if (divisor == 0) return ERGI_NUMBER_BY_ZERO;
        double result = number / divisor;
        if (!isfinite(result)) return ERGI_NUMBER_TOO_LARGE;
        if (result == 0 && number != 0) return ERGI_NUMBER_TOO_SMALL;
        number = result;
    }
    *value = number;
    return ERGI_NUMBER_OK;
}

ergi_number_fault ergi_integer_read(const char *text, int64_t *value)
{
    bool        negative = *text == '-';
    const char *first = text + (*text == '+' || *text == '-');
    const char *end = skip_digits(first);
    if (end == first || *end) {
        double            number;
        ergi_number_fault fault = ergi_number_read(text, &number);
        return fault == ERGI_NUMBER_OK ? ERGI_NUMBER_NOT_WHOLE : fault;
    }
    if (leading_zero(text)) return ERGI_NUMBER_BASE;

    uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t number = 0;
    for (const char *p = first; p < end; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (number > (limit - digit) / 10) return ERGI_NUMBER_TOO_LARGE;
        number = number * 10 + digit;
    }
    *value = negative ? (int64_t)(0 - number) : (int64_t)number;
    return ERGI_NUMBER_OK;
}

// ---- Hints -------------------------------------------------------------------------------------

// `0,01` with a point, if that is a number.
static bool with_point(char *out, size_t room, const char *text, bool whole)
{
    if (whole || strlen(text) >= room) return false;
    double value;
    strcpy(out, text);
    *strchr(out, ',') = '.';
    return ergi_number_read(out, &value) == ERGI_NUMBER_OK;
}

// `1e-5 s` without the unit, if it is the expected unit.
static bool without_unit(char *out, size_t room, const char *text, const char *unit)
{
    const char *end = decimal_end(text);
    const char *rest = end;
    if (*end == '/') rest = end = decimal_end(end + 1);
    while (*rest == ' ') rest++;
    if (!unit || strcmp(rest, unit) != 0 || (size_t)(end - text) >= room) return false;
    memcpy(out, text, (size_t)(end - text));
    out[end - text] = '\0';
    return true;
}

// `2e3` in plain digits, if it is an exact integer.
static bool in_digits(char *out, size_t room, const char *text)
{
    double value;
    if (ergi_number_read(text, &value) != ERGI_NUMBER_OK) return false;
    if (fabs(value) > 9007199254740992.0 || floor(value) != value) return false;
    snprintf(out, room, "%lld", (long long)value);
    return true;
}

const char *ergi_number_hint(char out[ERGI_NUMBER_HINT], ergi_number_fault fault, const char *text,
                             const char *unit, bool whole)
{
    const char *reason = "";
    char        better[32] = "";
    switch (fault) {
    case ERGI_NUMBER_OK:
    case ERGI_NUMBER_NONE: break;
    case ERGI_NUMBER_UNIT:
        reason = "; write numbers without units";
        without_unit(better, sizeof better, text, unit);
        break;
    case ERGI_NUMBER_COMMA:
        reason = "; use a decimal point";
        if (!with_point(better, sizeof better, text, whole)) better[0] = '\0';
        break;
    case ERGI_NUMBER_NOT_FINITE: reason = "; numbers must be finite"; break;
    case ERGI_NUMBER_TOO_LARGE: reason = "; this one is too large"; break;
    case ERGI_NUMBER_TOO_SMALL: reason = "; this one is too close to 0"; break;
    case ERGI_NUMBER_BY_ZERO: reason = "; division by 0 is not allowed"; break;
    case ERGI_NUMBER_BASE: reason = "; write decimal numbers without leading zeros"; break;
    case ERGI_NUMBER_SEPARATOR: reason = "; write digits without separators"; break;
    case ERGI_NUMBER_NOT_WHOLE:
        reason = "; write it in plain digits";
        if (!in_digits(better, sizeof better, text)) reason = "";
        break;
    }
    if (better[0]) {
        snprintf(out, ERGI_NUMBER_HINT, "%s; did you mean %s?", reason, better);
    } else {
        snprintf(out, ERGI_NUMBER_HINT, "%s", reason);
    }
    return out;
}

const char *ergi_number_text(char out[ERGI_NUMBER_TEXT], double value)
{
    if (fabs(value) < 1e6 && floor(value) == value) { // 170, not 1.7e+02
        snprintf(out, ERGI_NUMBER_TEXT, "%.0f", value);
        return out;
    }
    locale_t c, before = enter_c_locale(&c);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, ERGI_NUMBER_TEXT, "%.*g", digits, value);
        if (!(strtod(out, NULL) < value) && !(strtod(out, NULL) > value)) break;
    }
    leave_c_locale(c, before);
    return out;
}
