// Values that contain others: blocks, lists, maps and tuples.
#include "scene/schema.h"

#include "scene/schema_reader.h"
#include "scene/schema_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A parsed default, cached.
typedef struct ergi_normal {
    struct ergi_normal *next;
    const ergi_field   *field;
    ergi_node          *node;
} ergi_normal;

static void read_field(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path, void *base);
static void read_block(ergi_reader *r, const ergi_schema *schema, const ergi_node *map,
                       const ergi_key_path *path, void *out);

// ---- Lists and maps ----------------------------------------------------------------------------

static bool count_is_good(const ergi_field *field, size_t count)
{
    size_t most = field->most ? field->most : field->schema ? ERGI_ENTRIES : SIZE_MAX;
    return count >= field->least && count <= most;
}

static void start_entry(const ergi_schema *schema, void *entry)
{
    if (schema->init) schema->init(entry);
}

// Memory for the entries: in the struct itself, or a new array that the struct points to.
static char *entry_room(ergi_reader *r, const ergi_field *field, size_t count, size_t size,
                        void *base)
{
    if (field->count_size == 0) {
        assert(field->type == ERGI_LIST && field->least == field->most);
        assert(field->size == field->least * size);
        return (char *)base + field->at;
    }
    char *room = ergi_arena_alloc_array(r->arena, count, size);
    if (!room) {
        ergi_diagnostics_no_memory(r->report);
        return NULL;
    }
    ergi_store_pointer(base, field->at, field->size, count ? room : NULL);
    ergi_store_integer(base, field->count_at, field->count_size, (int64_t)count);
    return room;
}

static int by_text_then_place(const void *a, const void *b)
{
    const ergi_node *x = *(const ergi_node *const *)a, *y = *(const ergi_node *const *)b;
    int              order = strcmp(x->text, y->text);
    if (order) return order;
    if (x->where.source != y->where.source) return x->where.source < y->where.source ? -1 : 1;
    if (x->where.line != y->where.line) return x->where.line < y->where.line ? -1 : 1;
    return (x->where.column > y->where.column) - (x->where.column < y->where.column);
}

static const char *name_key(const ergi_schema *schema)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        if (schema->fields[i].type == ERGI_NAME) return schema->fields[i].key;
    }
    return NULL;
}

static void check_names(ergi_reader *r, const ergi_field *field, const ergi_node *list,
                        const ergi_key_path *path)
{
    const char *key = name_key(field->schema);
    if (!key || list->count < 2) return;
    const ergi_node **names = ergi_arena_alloc_array(r->arena, list->count, sizeof *names);
    if (!names) {
        ergi_diagnostics_no_memory(r->report);
        return;
    }
    size_t count = 0;
    for (const ergi_node *entry = list->first; entry; entry = entry->next) {
        const ergi_node *name = ergi_node_find(entry, key);
        if (name && name->kind == ERGI_NODE_VALUE && !ergi_node_empty(name)) names[count++] = name;
    }
    qsort(names, count, sizeof *names, by_text_then_place);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(names[i]->text, names[i - 1]->text) != 0) continue;
        char clip[ERGI_CLIP], label[ERGI_KEY_PATH];
        ergi_key_path_text(label, sizeof label, path, NULL);
        ergi_diagnostics_add(r->report, names[i]->where,
                             "%s '%s' is given twice in %s, expected each %s once", key,
                             ergi_clip(clip, names[i]->text), label, key);
    }
}

static void read_entry(ergi_reader *r, const ergi_field *list, const ergi_node *node,
                       const ergi_key_path *path, char *room)
{
    if (!list->schema) {
        read_field(r, list->item, node, path, room);
        return;
    }
    start_entry(list->schema, room);
    ergi_field block = {.type = ERGI_BLOCK, .schema = list->schema, .size = list->schema->size};
    read_field(r, &block, node, path, room);
}

// Reads a word in place of a list or block; false if it is not one of the field's words.
static bool read_word_instead(const ergi_field *field, const ergi_node *node, void *base)
{
    if (node->kind != ERGI_NODE_VALUE) return false;
    for (size_t i = 0; i < field->word_count; i++) {
        if (strcmp(field->words[i].word, node->text) != 0) continue;
        ergi_store_integer(base, field->word_at, field->word_size, (int64_t)field->words[i].value);
        return true;
    }
    return false;
}

static void read_list(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                      const ergi_key_path *path, void *base)
{
    if (read_word_instead(field, node, base)) return;
    size_t size = field->schema ? field->schema->size : field->item->size;
    if (field->or_one && node->kind == ERGI_NODE_MAP) {
        char *one = entry_room(r, field, 1, size, base);
        if (one) read_entry(r, field, node, path, one);
        return;
    }
    if (node->kind != ERGI_NODE_LIST) {
        char       hint[ERGI_HINT] = "";
        ergi_guess guess = {.word = node->kind == ERGI_NODE_VALUE ? node->text : ""};
        for (size_t i = 0; i < field->word_count; i++)
            ergi_guess_offer(&guess, field->words[i].word);
        ergi_report_type(r, field, node, path, ergi_guess_hint(hint, &guess));
        return;
    }
    if (!count_is_good(field, node->count)) {
        ergi_report_count(r, field, node, path);
        return;
    }
    char *room = entry_room(r, field, node->count, size, base);
    if (!room) return;
    size_t index = 0;
    for (const ergi_node *child = node->first; child; child = child->next, index++) {
        ergi_key_path below = {path, NULL, index};
        read_entry(r, field, child, &below, room + index * size);
    }
    if (field->schema) check_names(r, field, node, path);
}

static void read_map(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                     const ergi_key_path *path, void *base)
{
    if (node->kind != ERGI_NODE_MAP) {
        ergi_report_type(r, field, node, path, "");
        return;
    }
    if (!count_is_good(field, node->count)) {
        ergi_report_count(r, field, node, path);
        return;
    }
    const ergi_schema *schema = field->schema;
    char              *room = entry_room(r, field, node->count, schema->size, base);
    if (!room) return;
    for (const ergi_node *child = node->first; child; child = child->next, room += schema->size) {
        ergi_key_path below = {path, child->key, 0};
        if (!ergi_is_name(child->key)) {
            char clip[ERGI_CLIP], label[ERGI_KEY_PATH];
            ergi_key_path_text(label, sizeof label, path, NULL);
            ergi_diagnostics_add(r->report, child->key_where,
                                 "'%s' in %s is not a valid name, expected letters, digits, '_' "
                                 "and '-', beginning with a letter",
                                 ergi_clip(clip, child->key), label);
            continue;
        }
        read_entry(r, field, child, &below, room);
        if (schema->named) ergi_store_pointer(room, schema->name_at, sizeof(char *), child->key);
    }
}

static void read_tuple(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path, void *base)
{
    const ergi_schema *schema = field->schema;
    if (node->kind != ERGI_NODE_LIST) {
        ergi_report_type(r, field, node, path, "");
        return;
    }
    if (node->count != schema->field_count) {
        ergi_report_count(r, field, node, path);
        return;
    }
    size_t index = 0;
    for (const ergi_node *child = node->first; child; child = child->next, index++) {
        ergi_key_path below = {path, NULL, index};
        read_field(r, &schema->fields[index], child, &below, (char *)base + field->at);
    }
}

// ---- Blocks ------------------------------------------------------------------------------------

#define MOST_FIELDS 64
#define MOST_CHOICES 8

static const ergi_field *find_field(const ergi_schema *schema, const char *key)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        if (strcmp(schema->fields[i].key, key) == 0) return &schema->fields[i];
    }
    return NULL;
}

// The path of a key of the current block.
static const char *keys_to(const ergi_reader *r, const char *key, char out[ERGI_KEY_PATH])
{
    ergi_key_path_text(out, ERGI_KEY_PATH, &(ergi_key_path){r->block, key, 0}, NULL);
    return out;
}

static void say_unknown(ergi_reader *r, const ergi_schema *schema, const ergi_node *child)
{
    if (!ergi_diagnostics_wants(r->report, child->key_where)) {
        ergi_diagnostics_count(r->report);
        return;
    }
    ergi_words keys = {0};
    ergi_guess guess = {.word = child->key};
    ergi_schema_keys(&keys, schema, 0);
    for (size_t i = 0; i < schema->field_count; i++) {
        ergi_guess_offer(&guess, schema->fields[i].key);
    }
    char clip[ERGI_CLIP], hint[ERGI_HINT], path[ERGI_KEY_PATH];
    ergi_diagnostics_add_at(r->report, child->key_where, keys_to(r, child->key, path),
                            "unknown key '%s' in %s, expected %s%s%s", ergi_clip(clip, child->key),
                            schema->name, schema->field_count > 1 ? "one of " : "", keys.text,
                            ergi_guess_hint(hint, &guess));
}

// "grains.grit: ", or "" at the root.
static const char *block_prefix(const ergi_reader *r, char out[ERGI_KEY_PATH])
{
    size_t length = ergi_key_path_text(out, ERGI_KEY_PATH - 2, r->block, NULL);
    if (length) memcpy(out + length, ": ", 3);
    return out;
}

static void say_missing(ergi_reader *r, const ergi_field *field, const ergi_node *map)
{
    char prefix[ERGI_KEY_PATH], path[ERGI_KEY_PATH], expected[ERGI_EXPECTED];
    ergi_diagnostics_add_at(r->report, map->where, keys_to(r, field->key, path),
                            "%s'%s' is missing, expected %s", block_prefix(r, prefix), field->key,
                            ergi_field_expected(expected, field));
}

static void say_choice_missing(ergi_reader *r, const ergi_schema *schema, int choice,
                               const ergi_node *map)
{
    char       prefix[ERGI_KEY_PATH];
    ergi_words keys = {0};
    ergi_schema_keys(&keys, schema, choice);
    ergi_diagnostics_add(r->report, map->where, "%s%s is missing, expected one of %s",
                         block_prefix(r, prefix), schema->choices[choice - 1].what, keys.text);
}

// Records which alternative was given; false if another was given before.
static bool take_choice(ergi_reader *r, const ergi_schema *schema, const ergi_field *field,
                        const ergi_node *child, const ergi_node **taken, void *out)
{
    const ergi_choice *choice = &schema->choices[field->choice - 1];
    const ergi_node   *other = taken[field->choice - 1];
    if (other) {
        char prefix[ERGI_KEY_PATH], path[ERGI_KEY_PATH];
        ergi_diagnostics_add_at(r->report, child->key_where, keys_to(r, child->key, path),
                                "%s'%s' and '%s' exclude each other, expected one %s",
                                block_prefix(r, prefix), other->key, child->key, choice->what);
        return false;
    }
    taken[field->choice - 1] = child;
    ergi_store_integer(out, choice->at, choice->size, field->variant);
    return true;
}

static const ergi_node *normal_node(ergi_reader *r, const ergi_field *field)
{
    for (ergi_normal *n = r->normals; n; n = n->next) {
        if (n->field == field) return n->node;
    }
    ergi_normal *n = ergi_arena_alloc(r->arena, sizeof *n);
    if (!n) {
        ergi_diagnostics_no_memory(r->report);
        return NULL;
    }
    n->field = field;
    n->node = ergi_tree_parse(field->normal, strlen(field->normal), 0, r->arena, r->report);
    n->next = r->normals;
    r->normals = n;
    return n->node;
}

// Reads an absent key: its default, and for a block the defaults of its keys.
static void read_absent(ergi_reader *r, const ergi_field *field, const ergi_key_path *path,
                        void *out)
{
    ergi_store_bool(out, field->given_at, field->given_size, false);
    if (field->normal) {
        const ergi_node *node = normal_node(r, field);
        if (node) read_field(r, field, node, path, out);
    } else if (field->type == ERGI_BLOCK && !field->by_pointer) {
        read_block(r, field->schema, NULL, path, (char *)out + field->at);
    }
}

static void read_present(ergi_reader *r, const ergi_schema *schema, const ergi_field *field,
                         const ergi_node *child, const ergi_key_path *path, const ergi_node **taken,
                         void *out)
{
    if (field->choice && !take_choice(r, schema, field, child, taken, out)) return;
    ergi_store_bool(out, field->given_at, field->given_size, true);
    ergi_key_path below = {path, child->key, 0};
    if (field->not_built) {
        char label[ERGI_KEY_PATH];
        ergi_key_path_text(label, sizeof label, &below, NULL);
        ergi_diagnostics_add_at(r->report, child->key_where, label,
                                "%s is not in this build, expected a scene without it", label);
        return;
    }
    read_field(r, field, child, &below, out);
}

// Reads a map into `out`; if map is NULL, only the defaults.
static void read_block(ergi_reader *r, const ergi_schema *schema, const ergi_node *map,
                       const ergi_key_path *path, void *out)
{
    assert(schema->field_count <= MOST_FIELDS && schema->choice_count <= MOST_CHOICES);
    const ergi_key_path *outer = r->block;
    size_t               found_before = r->report->found;
    bool                 seen[MOST_FIELDS] = {false};
    const ergi_node     *taken[MOST_CHOICES] = {NULL};
    r->block = path;

    for (const ergi_node *child = map ? map->first : NULL; child; child = child->next) {
        const ergi_field *field = find_field(schema, child->key);
        if (!field) {
            say_unknown(r, schema, child);
        } else if (!seen[field - schema->fields]) {
            seen[field - schema->fields] = true;
            read_present(r, schema, field, child, path, taken, out);
        }
    }
    for (size_t i = 0; i < schema->field_count; i++) {
        const ergi_field *field = &schema->fields[i];
        ergi_key_path     below = {path, field->key, 0};
        if (seen[i] || field->choice) continue;
        if (!field->required) {
            read_absent(r, field, &below, out);
        } else if (map) {
            say_missing(r, field, map);
        }
    }
    for (size_t i = 0; map && i < schema->choice_count; i++) {
        if (!taken[i] && !schema->choices[i].optional) {
            say_choice_missing(r, schema, (int)i + 1, map);
        }
    }
    if (map && schema->check && r->report->found == found_before) schema->check(r, map, out);
    r->block = outer;
}

static void read_block_field(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                             const ergi_key_path *path, void *base)
{
    if (field->word_count && read_word_instead(field, node, base)) return;
    if (node->kind != ERGI_NODE_MAP) {
        ergi_report_type(r, field, node, path, "");
        return;
    }
    void *out = (char *)base + field->at;
    if (field->by_pointer) {
        out = ergi_arena_alloc(r->arena, field->schema->size);
        if (!out) {
            ergi_diagnostics_no_memory(r->report);
            return;
        }
        start_entry(field->schema, out);
        ergi_store_pointer(base, field->at, field->size, out);
    }
    read_block(r, field->schema, node, path, out);
}

static void read_field(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path, void *base)
{
    switch (field->type) {
    case ERGI_BLOCK: read_block_field(r, field, node, path, base); break;
    case ERGI_TUPLE: read_tuple(r, field, node, path, base); break;
    case ERGI_LIST: read_list(r, field, node, path, base); break;
    case ERGI_MAP: read_map(r, field, node, path, base); break;
    case ERGI_ANY: break;
    default: ergi_read_value(r, field, node, path, base); break;
    }
}

void ergi_schema_read(const ergi_schema *schema, const ergi_node *root, void *out,
                      ergi_arena *arena, ergi_diagnostics *report)
{
    if (!root) return;
    ergi_reader   r = {.arena = arena, .report = report, .root = root};
    ergi_key_path top = {0};
    ergi_field    whole = {.type = ERGI_BLOCK, .schema = schema, .size = schema->size};
    read_field(&r, &whole, root, &top, out);
}
