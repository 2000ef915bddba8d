// References: `material: sand` refers to the entry `sand` of the root's `materials`, a map, or of a
// list whose entries have names. They are looked up in the tree, so that the order of keys does not
// matter.
#include "scene/schema_reader.h"
#include "scene/schema_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
    const char *name;
    size_t      number; // from 1
} named;

// All names under one key of the root, or under two, sorted.
typedef struct ergi_namespace {
    struct ergi_namespace *next;
    const char            *key, *key_too; // key_too may be NULL
    bool                   known; // false: a key has no valid names, which is reported elsewhere
    named                 *names;
    size_t                 count;
} ergi_namespace;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static bool same_key(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool holds_names(const ergi_node *node)
{
    return !node || node->kind == ERGI_NODE_MAP || node->kind == ERGI_NODE_LIST;
}

// Appends the names under `node`, numbered from `first`.
static void take_names(ergi_namespace *s, const ergi_node *node, size_t first)
{
    for (const ergi_node *child = node ? node->first : NULL; child; child = child->next, first++) {
        const ergi_node *name = ergi_node_find(child, "name");
        const char      *text = node->kind == ERGI_NODE_MAP             ? child->key
                                : name && name->kind == ERGI_NODE_VALUE ? name->text
                                                                        : NULL;
        if (text) s->names[s->count++] = (named){text, first};
    }
}

static const ergi_namespace *find_space(ergi_reader *r, const ergi_field *field)
{
    for (ergi_namespace *s = r->spaces; s; s = s->next)
        if (same_key(s->key, field->space) && same_key(s->key_too, field->space_too)) return s;
    const ergi_node *node = ergi_node_find(r->root, field->space);
    const ergi_node *too = field->space_too ? ergi_node_find(r->root, field->space_too) : NULL;
    size_t           first = node ? node->count : 0, second = too ? too->count : 0;
    ergi_namespace  *s = ergi_arena_alloc(r->arena, sizeof *s);
    named           *names = ergi_arena_alloc_array(r->arena, first + second, sizeof *names);
    if (!s || !names) {
        ergi_diagnostics_no_memory(r->report);
        return NULL;
    }
    *s = (ergi_namespace){
        .next = r->spaces, .key = field->space, .key_too = field->space_too, .names = names};
    s->known = holds_names(node) && holds_names(too);
    r->spaces = s;
    if (!s->known) return s;
    take_names(s, node, 1);
    take_names(s, too, first + 1);
    qsort(names, s->count, sizeof *names, by_name);
    return s;
}

static int by_number(const void *a, const void *b)
{
    size_t x = ((const named *)a)->number, y = ((const named *)b)->number;
    return (x > y) - (x < y);
}

static void say_no_such_name(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                             const ergi_key_path *path, const ergi_namespace *s)
{
    if (!ergi_diagnostics_wants(r->report, node->where)) {
        ergi_diagnostics_count(r->report);
        return;
    }
    named *in_order = ergi_arena_alloc_array(r->arena, s->count, sizeof *in_order);
    if (!in_order) {
        ergi_diagnostics_no_memory(r->report);
        return;
    }
    memcpy(in_order, s->names, s->count * sizeof *in_order);
    qsort(in_order, s->count, sizeof *in_order, by_number);
    ergi_words names = {0};
    ergi_guess guess = {.word = node->text};
    for (size_t i = 0; i < s->count; i++) {
        ergi_words_add(&names, in_order[i].name);
        ergi_guess_offer(&guess, in_order[i].name);
    }
    char label[ERGI_KEY_PATH], keys[ERGI_KEY_PATH], found[ERGI_FOUND], hint[ERGI_HINT];
    char expected[ERGI_EXPECTED];
    ergi_key_path_text(label, sizeof label, path, r->block);
    ergi_key_path_text(keys, sizeof keys, path, NULL);
    ergi_diagnostics_add_at(r->report, node->where, keys, "%s is %s, expected %s (%s)%s", label,
                            ergi_node_found(found, node), ergi_field_expected(expected, field),
                            s->count ? names.text : "there are none",
                            ergi_guess_hint(hint, &guess));
}

void ergi_read_ref(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                   const ergi_key_path *path, void *base)
{
    if (node->kind != ERGI_NODE_VALUE || ergi_node_empty(node)) {
        ergi_report_type(r, field, node, path, "");
        return;
    }
    const ergi_namespace *s = find_space(r, field);
    if (!s || !s->known) return;
    named        wanted = {node->text, 0};
    const named *found =
        s->count ? bsearch(&wanted, s->names, s->count, sizeof wanted, by_name) : NULL;
    if (found) {
        ergi_store_integer(base, field->at, field->size, (int64_t)found->number);
    } else {
        say_no_such_name(r, field, node, path, s);
    }
}
