// Single values: numbers, booleans, texts, words and vectors.
#include "scene/schema_reader.h"

#include "scene/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void store_number(void *base, size_t at, size_t size, double value)
{
    char *place = (char *)base + at;
    if (size == sizeof(float)) memcpy(place, &(float){(float)value}, sizeof(float));
    if (size == sizeof(double)) memcpy(place, &value, sizeof value);
}

static bool plain_value(const ergi_node *node)
{
    return node->kind == ERGI_NODE_VALUE && !node->quoted && !ergi_node_empty(node);
}

static const ergi_word *find_word(const ergi_field *field, const char *text)
{
    for (size_t i = 0; i < field->word_count; i++) {
        if (strcmp(field->words[i].word, text) == 0) return &field->words[i];
    }
    return NULL;
}

static bool in_bounds(const ergi_field *field, double value)
{
    unsigned b = field->bounds;
    if (b & ERGI_BOUND_LOW) {
        if (b & ERGI_BOUND_LOW_OPEN ? !(value > field->low) : !(value >= field->low)) return false;
    }
    if (b & ERGI_BOUND_HIGH) {
        if (b & ERGI_BOUND_HIGH_OPEN ? !(value < field->high) : !(value <= field->high)) {
            return false;
        }
    }
    return !(b & ERGI_BOUND_NONZERO) || value < 0 || value > 0;
}

// A number in quotes is text; the hint says so if it would be a number without them.
static const char *quote_hint(const ergi_node *node)
{
    double value;
    bool   number = node->kind == ERGI_NODE_VALUE && node->quoted &&
                  ergi_number_read(node->text, &value) == ERGI_NUMBER_OK;
    return number ? "; write numbers without quotes" : "";
}

// Reports a value that is neither a number nor one of the field's words, with a hint.
static void say_no_number(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                          const ergi_key_path *path, ergi_number_fault fault)
{
    char hint[ERGI_NUMBER_HINT > ERGI_HINT ? ERGI_NUMBER_HINT : ERGI_HINT];
    if (fault == ERGI_NUMBER_NONE && field->word_count) {
        ergi_guess guess = {.word = node->text};
        for (size_t i = 0; i < field->word_count; i++) {
            ergi_guess_offer(&guess, field->words[i].word);
        }
        ergi_report_type(r, field, node, path, ergi_guess_hint(hint, &guess));
    } else {
        ergi_report_type(
            r, field, node, path,
            ergi_number_hint(hint, fault, node->text, field->unit, field->type == ERGI_INTEGER));
    }
}

static void say_out_of_range(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                             const ergi_key_path *path, const char *hint)
{
    char clip[ERGI_CLIP];
    ergi_report_value(r, field, node, path, ergi_clip(clip, node->text), hint);
}

// False if an error was reported.
static bool take_number(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                        const ergi_key_path *path, double *value)
{
    if (!plain_value(node)) {
        ergi_report_type(r, field, node, path, quote_hint(node));
        return false;
    }
    const ergi_word *word = find_word(field, node->text);
    if (word) {
        *value = word->value;
        return true;
    }
    ergi_number_fault fault = ergi_number_read(node->text, value);
    if (fault != ERGI_NUMBER_OK) {
        say_no_number(r, field, node, path, fault);
        return false;
    }
    if (field->type == ERGI_NUMBER && field->size == sizeof(float) &&
        fabs(*value) > (double)FLT_MAX) {
        say_out_of_range(r, field, node, path, "; this one is too large");
        return false;
    }
    if (!in_bounds(field, *value)) {
        say_out_of_range(r, field, node, path, "");
        return false;
    }
    return true;
}

static void read_number(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                        const ergi_key_path *path, void *base)
{
    double value;
    if (take_number(r, field, node, path, &value)) {
        store_number(base, field->at, field->size, value);
    }
}

static bool fits(int64_t value, size_t size)
{
    int64_t most = size == 1 ? INT8_MAX : size == 2 ? INT16_MAX : size == 4 ? INT32_MAX : INT64_MAX;
    return value <= most && value >= -most;
}

static void read_integer(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                         const ergi_key_path *path, void *base)
{
    if (!plain_value(node)) {
        ergi_report_type(r, field, node, path, quote_hint(node));
        return;
    }
    const ergi_word *word = find_word(field, node->text);
    if (word) {
        ergi_store_integer(base, field->at, field->size, (int64_t)word->value);
        return;
    }
    int64_t           value;
    ergi_number_fault fault = ergi_integer_read(node->text, &value);
    if (fault != ERGI_NUMBER_OK) {
        say_no_number(r, field, node, path, fault);
    } else if (!in_bounds(field, (double)value)) {
        say_out_of_range(r, field, node, path, "");
    } else if (!fits(value, field->size)) {
        say_out_of_range(r, field, node, path, "; this one is too large");
    } else {
        ergi_store_integer(base, field->at, field->size, value);
    }
}

static void read_boolean(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                         const ergi_key_path *path, void *base)
{
    if (plain_value(node)) {
        bool yes = strcmp(node->text, "true") == 0;
        if (yes || strcmp(node->text, "false") == 0) {
            ergi_store_bool(base, field->at, field->size, yes);
            return;
        }
        static const char *const words[] = {"true", "yes", "on", "1", "false", "no", "off", "0"};
        ergi_guess               guess = {.word = node->text};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const char *best = guess.best;
            ergi_guess_offer(&guess, words[i]);
            if (guess.best != best) guess.best = i < 4 ? "true" : "false";
        }
        char hint[ERGI_HINT];
        ergi_report_type(r, field, node, path, ergi_guess_hint(hint, &guess));
        return;
    }
    ergi_report_type(r, field, node, path, "");
}

static void read_text(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                      const ergi_key_path *path, void *base)
{
    if (node->kind != ERGI_NODE_VALUE || ergi_node_empty(node)) {
        ergi_report_type(r, field, node, path, "");
    } else if (field->type == ERGI_NAME && !ergi_is_name(node->text)) {
        ergi_report_type(r, field, node, path, ", beginning with a letter");
    } else {
        ergi_store_pointer(base, field->at, field->size, node->text);
    }
}

static void say_not_built(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                          const ergi_key_path *path)
{
    char       label[ERGI_KEY_PATH], keys[ERGI_KEY_PATH], found[ERGI_FOUND];
    ergi_words built = {0};
    for (size_t i = 0; i < field->word_count; i++) {
        if (!field->words[i].not_built) ergi_words_add(&built, field->words[i].word);
    }
    ergi_key_path_text(label, sizeof label, path, r->block);
    ergi_key_path_text(keys, sizeof keys, path, NULL);
    ergi_diagnostics_add_at(
        r->report, node->where, keys, "%s is %s, which is not in this build, expected %s%s", label,
        ergi_node_found(found, node), strchr(built.text, ',') ? "one of " : "", built.text);
}

// NULL if an error was reported.
static const ergi_word *take_word(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                                  const ergi_key_path *path)
{
    if (node->kind != ERGI_NODE_VALUE || ergi_node_empty(node)) {
        ergi_report_type(r, field, node, path, "");
        return NULL;
    }
    const ergi_word *word = find_word(field, node->text);
    if (!word) {
        char       hint[ERGI_HINT];
        ergi_guess guess = {.word = node->text};
        for (size_t i = 0; i < field->word_count; i++) {
            ergi_guess_offer(&guess, field->words[i].word);
        }
        ergi_report_type(r, field, node, path, ergi_guess_hint(hint, &guess));
        return NULL;
    }
    if (word->not_built) {
        say_not_built(r, field, node, path);
        return NULL;
    }
    return word;
}

static void read_word(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                      const ergi_key_path *path, void *base)
{
    const ergi_word *word = take_word(r, field, node, path);
    if (word) ergi_store_integer(base, field->at, field->size, (int64_t)word->value);
}

static void read_flags(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path, void *base)
{
    int64_t flags = 0;
    if (node->kind == ERGI_NODE_LIST) {
        size_t index = 0;
        for (const ergi_node *child = node->first; child; child = child->next) {
            ergi_key_path    below = {path, NULL, index++};
            const ergi_word *word = take_word(r, field, child, &below);
            if (word) flags |= (int64_t)word->value;
        }
    } else {
        const ergi_word *word = take_word(r, field, node, path);
        if (word) flags = (int64_t)word->value;
    }
    ergi_store_integer(base, field->at, field->size, flags);
}

static void read_vec3(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                      const ergi_key_path *path, void *base)
{
    if (node->kind != ERGI_NODE_LIST) {
        ergi_report_type(r, field, node, path, "");
        return;
    }
    if (node->count != 3) {
        ergi_report_count(r, field, node, path);
        return;
    }
    ergi_field number = *field;
    number.type = ERGI_NUMBER;
    number.size = sizeof(double);
    number.bounds &= ~ERGI_BOUND_NONZERO; // applies to the vector as a whole
    double v[3] = {0};
    bool   good = true;
    size_t i = 0;
    for (const ergi_node *child = node->first; child; child = child->next, i++) {
        ergi_key_path below = {path, NULL, i};
        if (!take_number(r, &number, child, &below, &v[i])) good = false;
    }
    if (!good) return;
    bool zero = !(v[0] < 0 || v[0] > 0) && !(v[1] < 0 || v[1] > 0) && !(v[2] < 0 || v[2] > 0);
    if ((field->bounds & ERGI_BOUND_NONZERO) && zero) {
        ergi_report_value(r, field, node, path, "[0, 0, 0]", "");
        return;
    }
    if (field->size == sizeof v) memcpy((char *)base + field->at, v, sizeof v);
}

void ergi_read_value(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                     const ergi_key_path *path, void *base)
{
    switch (field->type) {
    case ERGI_NUMBER: read_number(r, field, node, path, base); break;
    case ERGI_INTEGER: read_integer(r, field, node, path, base); break;
    case ERGI_BOOLEAN: read_boolean(r, field, node, path, base); break;
    case ERGI_TEXT:
    case ERGI_NAME: read_text(r, field, node, path, base); break;
    case ERGI_WORD: read_word(r, field, node, path, base); break;
    case ERGI_FLAGS: read_flags(r, field, node, path, base); break;
    case ERGI_VEC3: read_vec3(r, field, node, path, base); break;
    case ERGI_REF: ergi_read_ref(r, field, node, path, base); break;
    default: break;
    }
}
