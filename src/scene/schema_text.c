#include "scene/schema_text.h"

#include "scene/number.h"

#include <stdio.h>
#include <string.h>

const char *ergi_article(const char *word)
{
    return strchr("aeiou", word[0]) ? "an" : "a";
}

void ergi_schema_keys(ergi_words *words, const ergi_schema *schema, int choice)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        const ergi_field *field = &schema->fields[i];
        if (choice == 0 || field->choice == choice) ergi_words_add(words, field->key);
    }
}

const char *ergi_field_range(char out[ERGI_EXPECTED], const ergi_field *field)
{
    char     low[ERGI_NUMBER_TEXT], high[ERGI_NUMBER_TEXT];
    unsigned b = field->bounds;
    ergi_number_text(low, field->low);
    ergi_number_text(high, field->high);
    out[0] = '\0';
    if (b & ERGI_BOUND_NONZERO) {
        snprintf(out, ERGI_EXPECTED, "not 0");
    } else if ((b & ERGI_BOUND_LOW) && (b & ERGI_BOUND_HIGH)) {
        if (!(b & (ERGI_BOUND_LOW_OPEN | ERGI_BOUND_HIGH_OPEN))) {
            snprintf(out, ERGI_EXPECTED, "from %s to %s", low, high);
        } else {
            snprintf(out, ERGI_EXPECTED, "%s %s and %s %s",
                     b & ERGI_BOUND_LOW_OPEN ? "above" : "of at least", low,
                     b & ERGI_BOUND_HIGH_OPEN ? "below" : "at most", high);
        }
    } else if (b & ERGI_BOUND_LOW) {
        snprintf(out, ERGI_EXPECTED, "%s %s", b & ERGI_BOUND_LOW_OPEN ? "above" : "of at least",
                 low);
    } else if (b & ERGI_BOUND_HIGH) {
        snprintf(out, ERGI_EXPECTED, "%s %s", b & ERGI_BOUND_HIGH_OPEN ? "below" : "of at most",
                 high);
    }
    return out;
}

static void add_words(ergi_words *words, const ergi_field *field)
{
    for (size_t i = 0; i < field->word_count; i++) ergi_words_add(words, field->words[i].word);
}

// "a number above 0 [m]", and the words that may replace it.
static void number_expected(char *out, const ergi_field *field, const char *what)
{
    char range[ERGI_EXPECTED];
    ergi_field_range(range, field);
    if (field->bounds & ERGI_BOUND_NONZERO) snprintf(range, sizeof range, "other than 0");
    ergi_words words = {0};
    add_words(&words, field);
    snprintf(out, ERGI_EXPECTED, "%s%s%.60s%s%.20s%s%s%.120s", what, range[0] ? " " : "", range,
             field->unit ? " [" : "", field->unit ? field->unit : "", field->unit ? "]" : "",
             words.length ? " or " : "", words.text);
}

static void vector_expected(char *out, const ergi_field *field)
{
    ergi_field each = *field;
    each.bounds &= ~ERGI_BOUND_NONZERO;
    number_expected(out, &each, "a list of three numbers");
    size_t length = strlen(out);
    if (field->bounds & ERGI_BOUND_NONZERO) {
        snprintf(out + length, ERGI_EXPECTED - length, ", not all 0");
    }
}

// " of 2", " of at least 1", " of 1 to 3", "".
static void count_expected(char *out, size_t room, const ergi_field *field)
{
    size_t least = field->least, most = field->most;
    out[0] = '\0';
    if (most && least == most) {
        snprintf(out, room, " of %zu", least);
    } else if (most && least) {
        snprintf(out, room, " of %zu to %zu", least, most);
    } else if (most) {
        snprintf(out, room, " of at most %zu", most);
    } else if (least) {
        snprintf(out, room, " of at least %zu", least);
    }
}

static void list_expected(char *out, const ergi_field *field)
{
    char       count[48], each[ERGI_EXPECTED];
    ergi_words words = {0};
    count_expected(count, sizeof count, field);
    add_words(&words, field);
    if (field->schema) {
        snprintf(each, sizeof each, "%s %s", ergi_article(field->schema->name),
                 field->schema->name);
    } else {
        ergi_field_expected(each, field->item);
    }
    if (field->or_one) {
        snprintf(out, ERGI_EXPECTED, "%.80s%s%.80s or a list%s of them", words.text,
                 words.length ? ", " : "", each, count);
    } else {
        snprintf(out, ERGI_EXPECTED, "a list%s, each %.160s", count, each);
    }
}

static void block_expected(char *out, const ergi_field *field)
{
    const ergi_schema *schema = field->schema;
    ergi_words         keys = {0}, words = {0};
    bool               one = schema->choice_count == 1 && schema->fields[0].choice == 1;
    add_words(&words, field);
    // With words, the map is not the only form, and all its keys tell what the other is.
    ergi_schema_keys(&keys, schema, one && !words.length ? 1 : 0);
    snprintf(out, ERGI_EXPECTED, "%.60s%sa map with %s %s", words.text, words.length ? " or " : "",
             one && !words.length ? "one of" : "keys", keys.text);
}

const char *ergi_field_expected(char out[ERGI_EXPECTED], const ergi_field *field)
{
    ergi_words words = {0};
    char       count[48];
    switch (field->type) {
    case ERGI_NUMBER: number_expected(out, field, "a number"); break;
    case ERGI_INTEGER: number_expected(out, field, "a whole number"); break;
    case ERGI_BOOLEAN: snprintf(out, ERGI_EXPECTED, "true or false"); break;
    case ERGI_TEXT: snprintf(out, ERGI_EXPECTED, "text"); break;
    case ERGI_NAME: snprintf(out, ERGI_EXPECTED, "a name of letters, digits, '_' and '-'"); break;
    case ERGI_REF:
        snprintf(out, ERGI_EXPECTED, "a name from %s%s%s", field->space,
                 field->space_too ? " or " : "", field->space_too ? field->space_too : "");
        break;
    case ERGI_WORD:
        add_words(&words, field);
        snprintf(out, ERGI_EXPECTED, "one of %s", words.text);
        break;
    case ERGI_FLAGS:
        add_words(&words, field);
        snprintf(out, ERGI_EXPECTED, "a list of some of %s", words.text);
        break;
    case ERGI_VEC3: vector_expected(out, field); break;
    case ERGI_TUPLE:
        ergi_schema_keys(&words, field->schema, 0);
        snprintf(out, ERGI_EXPECTED, "a list [%s]", words.text);
        break;
    case ERGI_BLOCK: block_expected(out, field); break;
    case ERGI_LIST: list_expected(out, field); break;
    case ERGI_MAP:
        count_expected(count, sizeof count, field); // begins with " of"
        snprintf(out, ERGI_EXPECTED, "a map%s names, each with %s %s", field->most ? count : " of",
                 ergi_article(field->schema->name), field->schema->name);
        break;
    case ERGI_ANY: snprintf(out, ERGI_EXPECTED, "anything"); break;
    }
    return out;
}
