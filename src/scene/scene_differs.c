// Whether two scenes mean the same. They are compared key by key along the schema, so that the
// order of keys, the format of numbers and explicit defaults make no difference.
#include "scene/number.h"
#include "scene/scene_def.h"

#include <stdio.h>
#include <string.h>

typedef struct compare {
    ergi_arena       arena; // memory for default values
    ergi_diagnostics report;
    char            *key;
    size_t           room;
} compare;

// Path of the current key, for the result.
typedef struct step {
    const struct step *up;
    const char        *key; // NULL: an entry of a list, see index
    size_t             index;
} step;

static bool blocks_differ(compare *c, const ergi_schema *schema, const ergi_node *a,
                          const ergi_node *b, const step *path);
static bool fields_differ(compare *c, const ergi_field *field, const ergi_node *a,
                          const ergi_node *b, const step *path);

// Keys that a resumed run may change.
static bool is_free(const step *path)
{
    static const char *const top[] = {"title", "output", "view"}, *const run[] = {"time", "frame",
                                                                                  "threads"};
    if (!path->key || !path->up) return false;
    bool in_run =
        path->up->up && !path->up->up->up && path->up->key && strcmp(path->up->key, "run") == 0;
    for (size_t i = 0; i < 3; i++) {
        if (!path->up->up && strcmp(path->key, top[i]) == 0) return true;
        if (in_run && strcmp(path->key, run[i]) == 0) return true;
    }
    return false;
}

static size_t path_text(const step *path, char *out, size_t room)
{
    if (!path->up) return 0;
    size_t length = path_text(path->up, out, room);
    char   index[24];
    snprintf(index, sizeof index, "%zu", path->index);
    if (length < room)
        length += (size_t)snprintf(out + length, room - length, "%s%s", length ? "." : "",
                                   path->key ? path->key : index);
    return length < room ? length : room;
}

static bool differ_here(const compare *c, const step *path)
{
    if (c->room) c->key[0] = '\0';
    path_text(path, c->key, c->room);
    return true;
}

static bool values_differ(const ergi_node *a, const ergi_node *b)
{
    double x, y;
    if (strcmp(a->text, b->text) == 0) return false;
    return ergi_number_read(a->text, &x) != ERGI_NUMBER_OK ||
           ergi_number_read(b->text, &y) != ERGI_NUMBER_OK || x < y || x > y;
}

// Values, and lists of them, for which there is no schema.
static bool nodes_differ(const ergi_node *a, const ergi_node *b)
{
    if (a->kind != b->kind || a->count != b->count) return true;
    if (a->kind == ERGI_NODE_VALUE) return values_differ(a, b);
    for (a = a->first, b = b->first; a && b; a = a->next, b = b->next)
        if (nodes_differ(a, b)) return true;
    return false;
}

static bool entries_differ(compare *c, const ergi_field *field, const ergi_node *a,
                           const ergi_node *b, const step *path)
{
    if (a->kind != b->kind || a->count != b->count) return differ_here(c, path);
    size_t index = 0;
    for (a = a->first, b = b->first; a && b; a = a->next, b = b->next, index++) {
        step below = {path, a->key, index};
        if (a->key && strcmp(a->key, b->key) != 0)
            return differ_here(c, path); // the order matters: it determines ids
        if (blocks_differ(c, field->schema, a, b, &below)) return true;
    }
    return false;
}

// `motion: {...}` means `motion: [{...}]`.
static const ergi_node *as_list(const ergi_field *field, const ergi_node *node, ergi_node *list)
{
    if (!field->or_one || node->kind != ERGI_NODE_MAP) return node;
    ergi_node *only = list + 1;
    *only = *node;
    only->key = NULL;
    only->next = NULL;
    *list = (ergi_node){.kind = ERGI_NODE_LIST, .first = only, .last = only, .count = 1};
    return list;
}

// A single word means a list of one.
static bool flags_differ(const ergi_field *field, const ergi_node *a, const ergi_node *b)
{
    int64_t sum[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        const ergi_node *node = side ? b : a;
        bool             list = node->kind == ERGI_NODE_LIST;
        for (const ergi_node *n = list ? node->first : node; n; n = list ? n->next : NULL)
            for (size_t k = 0; k < field->word_count; k++)
                if (strcmp(field->words[k].word, n->text) == 0)
                    sum[side] |= (int64_t)field->words[k].value;
    }
    return sum[0] != sum[1];
}

static bool fields_differ(compare *c, const ergi_field *field, const ergi_node *a,
                          const ergi_node *b, const step *path)
{
    ergi_node lists[4];
    switch (field->type) {
    case ERGI_BLOCK:
        // A word may replace a block.
        if (a->kind != ERGI_NODE_VALUE && b->kind != ERGI_NODE_VALUE)
            return blocks_differ(c, field->schema, a, b, path);
        break;
    case ERGI_MAP: return entries_differ(c, field, a, b, path);
    case ERGI_FLAGS: return flags_differ(field, a, b) && differ_here(c, path);
    case ERGI_LIST:
        // A word may replace a list.
        if (field->schema && a->kind != ERGI_NODE_VALUE && b->kind != ERGI_NODE_VALUE)
            return entries_differ(c, field, as_list(field, a, lists), as_list(field, b, lists + 2),
                                  path);
        break;
    default: break;
    }
    return nodes_differ(a, b) && differ_here(c, path);
}

// The default of an absent key; NULL if it has none that can be written.
static const ergi_node *absent(compare *c, const ergi_field *field)
{
    static const ergi_node empty_map = {.kind = ERGI_NODE_MAP},
                           empty_list = {.kind = ERGI_NODE_LIST};
    if (field->normal)
        return ergi_tree_parse(field->normal, strlen(field->normal), 0, &c->arena, &c->report);
    if (field->choice || field->given_size) return NULL;
    if (field->type == ERGI_LIST && field->least == 0) return &empty_list;
    if (field->type == ERGI_MAP) return &empty_map;
    return field->type == ERGI_BLOCK && !field->required ? &empty_map : NULL;
}

static bool blocks_differ(compare *c, const ergi_schema *schema, const ergi_node *a,
                          const ergi_node *b, const step *path)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        const ergi_field *field = &schema->fields[i];
        const ergi_node  *x = ergi_node_find(a, field->key), *y = ergi_node_find(b, field->key);
        step              below = {path, field->key, 0};
        if ((!x && !y) || is_free(&below)) continue;
        if (!x) x = absent(c, field);
        if (!y) y = absent(c, field);
        if (!x || !y) return differ_here(c, &below);
        if (fields_differ(c, field, x, y, &below)) return true;
    }
    return false;
}

bool erg_scene_differs(const erg_scene *a, const erg_scene *b, char *key, size_t room)
{
    if (!a || !b) {
        if (key && room) *key = '\0';
        return a != b;
    }
    compare c = {.key = key, .room = key ? room : 0};
    step    top = {0};
    ergi_diagnostics_begin(&c.report, "defaults", NULL, 0);
    bool differs = blocks_differ(&c, &ergi_scene_schema, a->root, b->root, &top);
    ergi_arena_free(&c.arena);
    return differs;
}
