// The manual of a schema in Markdown: one section with a table for each map that a scene may
// contain.
#include "scene/schema.h"
#include "scene/schema_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_SECTIONS 96
#define MOST_PATH 160

typedef struct section {
    const ergi_schema *schema;
    bool               tuple;
    char               path[MOST_PATH]; // first path at which it occurs; "" for the root
    ergi_words         places;          // all paths
} section;

typedef struct writer {
    ergi_arena *arena;
    char       *text;
    size_t      length, room;
    bool        failed;
    bool        noted; // the first pass is done: all sections and paths are known
    section    *sections;
    size_t      section_count;
} writer;

static void put(writer *w, const char *format, ...) ERGI_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
    char    piece[1024];
    va_list args;
    va_start(args, format);
    int made = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    size_t length = (size_t)made < sizeof piece ? (size_t)made : sizeof piece - 1;
    if (w->failed) return;
    if (w->length + length + 1 > w->room) {
        size_t room = 2 * (w->room + length + 1);
        char  *text = ergi_arena_alloc(w->arena, room);
        if (!text) {
            w->failed = true;
            return;
        }
        if (w->length) memcpy(text, w->text, w->length);
        w->text = text;
        w->room = room;
    }
    memcpy(w->text + w->length, piece, length + 1);
    w->length += length;
}

// Adds `path` to the section of `schema`, which is created at its first occurrence.
static void note_section(writer *w, const ergi_schema *schema, bool tuple, const char *path)
{
    if (w->noted) return;
    char quoted[MOST_PATH + 2];
    snprintf(quoted, sizeof quoted, "`%s`", path);
    for (size_t i = 0; i < w->section_count; i++) {
        if (w->sections[i].schema == schema) {
            ergi_words_add(&w->sections[i].places, quoted);
            return;
        }
    }
    if (w->section_count == MOST_SECTIONS) {
        w->failed = true;
        return;
    }
    section *s = &w->sections[w->section_count++];
    *s = (section){.schema = schema, .tuple = tuple};
    snprintf(s->path, sizeof s->path, "%s", path);
    if (path[0]) ergi_words_add(&s->places, quoted);
}

// "[fill entry](#fill-entry)"
static void put_link(writer *w, const ergi_schema *schema)
{
    char anchor[64];
    snprintf(anchor, sizeof anchor, "%s", schema->name);
    for (char *p = anchor; *p; p++) {
        if (*p == ' ') *p = '-';
    }
    put(w, "[%s](#%s)", schema->name, anchor);
}

static void put_words(writer *w, const ergi_field *field)
{
    for (size_t i = 0; i < field->word_count; i++) {
        put(w, "%s`%s`%s", i ? ", " : "", field->words[i].word,
            field->words[i].not_built ? " (not in this build)" : "");
    }
}

// Writes the type of a field and notes the schemas it refers to.
static void put_type(writer *w, const ergi_field *field, const char *path)
{
    char below[MOST_PATH];
    switch (field->type) {
    case ERGI_NUMBER:
    case ERGI_INTEGER:
        put(w, field->type == ERGI_NUMBER ? "number" : "whole number");
        if (field->word_count) {
            put(w, " or ");
            put_words(w, field);
        }
        break;
    case ERGI_BOOLEAN: put(w, "`true` or `false`"); break;
    case ERGI_TEXT: put(w, "text"); break;
    case ERGI_NAME: put(w, "name, unique"); break;
    case ERGI_REF:
        put(w, "name from `%s`", field->space);
        if (field->space_too) put(w, " or `%s`", field->space_too);
        break;
    case ERGI_WORD:
        put(w, "one of ");
        put_words(w, field);
        break;
    case ERGI_FLAGS:
        put(w, "list of some of ");
        put_words(w, field);
        break;
    case ERGI_VEC3: put(w, "[x, y, z]"); break;
    case ERGI_BLOCK:
        put_words(w, field);
        if (field->word_count) put(w, " or ");
        put_link(w, field->schema);
        note_section(w, field->schema, false, path);
        break;
    case ERGI_TUPLE:
        put_link(w, field->schema);
        note_section(w, field->schema, true, path);
        break;
    case ERGI_LIST:
        put_words(w, field);
        if (field->word_count) put(w, ", ");
        put(w, field->or_one ? "one, or a list of: " : "list, each ");
        snprintf(below, sizeof below, "%.150s[]", path);
        if (field->schema) {
            put_link(w, field->schema);
            note_section(w, field->schema, false, below);
        } else {
            put_type(w, field->item, below);
        }
        break;
    case ERGI_MAP:
        put(w, "map of names, each with ");
        snprintf(below, sizeof below, "%.150s.NAME", path);
        put_link(w, field->schema);
        note_section(w, field->schema, false, below);
        break;
    case ERGI_ANY: put(w, "anything"); break;
    }
}

static void put_entries(writer *w, const ergi_field *field)
{
    size_t least = field->least, most = field->most;
    if (most && least == most) {
        put(w, "%zu entries", most);
    } else if (most) {
        put(w, "%zu to %zu entries", least, most);
    } else if (least) {
        put(w, "at least %zu %s", least, least == 1 ? "entry" : "entries");
    }
}

static void put_range(writer *w, const ergi_field *field)
{
    char   range[ERGI_EXPECTED];
    size_t before = w->length;
    put_entries(w, field);
    const ergi_field *bounded = field->type == ERGI_LIST && field->item ? field->item : field;
    ergi_field_range(range, bounded);
    const char *text = strncmp(range, "of ", 3) == 0 ? range + 3 : range;
    if (text[0]) put(w, "%s%s", w->length > before ? ", each " : "", text);
    if (w->length == before) put(w, "–");
}

static const char *unit_of(const ergi_field *field)
{
    if (field->unit) return field->unit;
    if (field->type == ERGI_LIST && field->item) return unit_of(field->item);
    return "–";
}

static void put_row(writer *w, const section *s, const ergi_field *field)
{
    char path[MOST_PATH];
    snprintf(path, sizeof path, "%.100s%s%.50s", s->path, s->path[0] ? "." : "", field->key);
    put(w, "| `%s` | ", field->key);
    put_type(w, field, path);
    put(w, " | %s | ", unit_of(field));
    if (field->required || s->tuple) {
        put(w, "required");
    } else if (field->choice) {
        const ergi_choice *choice = &s->schema->choices[field->choice - 1];
        put(w, choice->optional ? "at most one %s" : "one %s", choice->what);
    } else if (field->normal) {
        put(w, "`%s`", field->normal);
    } else {
        put(w, "–");
    }
    put(w, " | ");
    put_range(w, field);
    put(w, " | %s%s |\n", field->doc ? field->doc : "",
        field->not_built ? " (not in this build)" : "");
}

static void put_section(writer *w, size_t index)
{
    section s = w->sections[index];
    put(w, "%s### %s\n\n", index ? "\n" : "", s.schema->name);
    if (s.places.length) put(w, "At %s.\n\n", s.places.text);
    if (s.schema->doc) put(w, "%s\n\n", s.schema->doc);
    if (s.tuple) put(w, "Written as a list, in this order.\n\n");
    put(w, "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < s.schema->field_count; i++) put_row(w, &s, &s.schema->fields[i]);
}

const char *ergi_schema_doc(const ergi_schema *schema, ergi_arena *arena)
{
    writer w = {.arena = arena};
    w.sections = ergi_arena_alloc_array(arena, MOST_SECTIONS, sizeof *w.sections);
    if (!w.sections) return NULL;

    // Two passes: the first one only collects all sections and their paths.
    note_section(&w, schema, false, "");
    for (size_t i = 0; i < w.section_count; i++) put_section(&w, i);
    w.noted = true;
    w.length = 0;
    for (size_t i = 0; i < w.section_count; i++) put_section(&w, i);
    return w.failed ? NULL : w.text;
}
