#include "scene/set.h"

#include <string.h>

// State of applying one override.
typedef struct walk {
    ergi_where        where;
    ergi_arena       *arena;
    ergi_diagnostics *report;
    const char       *path; // as given, followed by the value
    ergi_node        *value;
} walk;

// Length of the path up to the segment at `at`: "fill.0" for "count" in "fill.0.count".
static int shown(const walk *w, const char *at)
{
    size_t length = (size_t)(at - w->path);
    if (length > 0) length--; // the dot
    return length > 60 ? 60 : (int)length;
}

static ergi_node *entry_by_index(const ergi_node *list, const char *segment)
{
    size_t index = 0;
    for (const char *p = segment; *p; p++) {
        if (*p < '0' || *p > '9' || index > list->count) return NULL;
        index = index * 10 + (size_t)(*p - '0');
    }
    if (index >= list->count) return NULL;
    ergi_node *entry = list->first;
    while (index-- > 0) entry = entry->next;
    return entry;
}

static const char *entry_name(const ergi_node *entry)
{
    const ergi_node *name = ergi_node_find(entry, "name");
    return name && name->kind == ERGI_NODE_VALUE ? name->text : NULL;
}

static ergi_node *entry_of(const walk *w, ergi_node *list, const char *segment, const char *at)
{
    ergi_node *entry = entry_by_index(list, segment);
    if (entry) return entry;

    ergi_words names = {0};
    ergi_guess guess = {.word = segment};
    for (entry = list->first; entry; entry = entry->next) {
        const char *name = entry_name(entry);
        if (!name) continue;
        if (strcmp(name, segment) == 0) return entry;
        ergi_words_add(&names, name);
        ergi_guess_offer(&guess, name);
    }
    char clip[ERGI_CLIP], hint[ERGI_HINT];
    if (list->count == 0) {
        ergi_diagnostics_add(w->report, w->where, "'%.*s' is an empty list, it has no entry '%s'",
                             shown(w, at), w->path, ergi_clip(clip, segment));
    } else if (names.length) {
        ergi_diagnostics_add(
            w->report, w->where,
            "'%.*s' has no entry '%s', expected an index from 0 to %zu or one of %s%s",
            shown(w, at), w->path, ergi_clip(clip, segment), list->count - 1, names.text,
            ergi_guess_hint(hint, &guess));
    } else {
        ergi_diagnostics_add(w->report, w->where,
                             "'%.*s' has no entry '%s', expected an index from 0 to %zu",
                             shown(w, at), w->path, ergi_clip(clip, segment), list->count - 1);
    }
    return NULL;
}

static ergi_node *add_key(const walk *w, ergi_node *map, const char *key)
{
    ergi_node *child = ergi_arena_alloc(w->arena, sizeof *child);
    if (!child) {
        ergi_diagnostics_no_memory(w->report);
        return NULL;
    }
    child->kind = ERGI_NODE_VALUE;
    child->text = "";
    child->where = child->key_where = w->where;
    child->key = key;
    ergi_node_append(map, child);
    return child;
}

// Goes down one level; missing keys are added as empty values.
static ergi_node *descend(const walk *w, ergi_node *node, const char *segment, const char *at)
{
    if (node->kind == ERGI_NODE_LIST) return entry_of(w, node, segment, at);
    if (ergi_node_empty(node)) {
        node->kind = ERGI_NODE_MAP;
        node->where = w->where;
    }
    if (node->kind == ERGI_NODE_MAP) {
        ergi_node *child = ergi_node_find(node, segment);
        return child ? child : add_key(w, node, segment);
    }
    if (node->kind == ERGI_NODE_VALUE) {
        char clip[ERGI_CLIP], found[ERGI_FOUND];
        ergi_diagnostics_add(w->report, w->where, "'%.*s' is %s, it has no key '%s'", shown(w, at),
                             w->path, ergi_node_found(found, node), ergi_clip(clip, segment));
    }
    return NULL;
}

static void replace(ergi_node *target, const ergi_node *value)
{
    ergi_node kept = *target;
    *target = *value;
    target->next = kept.next;
    target->key = kept.key;
    target->key_where = kept.key_where;
}

#define PATH_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

static bool check_path(const walk *w, const char *path)
{
    size_t length = strlen(path), dots = 0;
    for (const char *p = path; *p; p++) dots += *p == '.';
    bool bad = length == 0 || path[0] == '.' || path[length - 1] == '.' || strstr(path, "..");
    if (bad) {
        ergi_diagnostics_add(w->report, w->where,
                             "a part of the path is empty, expected keys joined by dots");
    } else if (strspn(path, PATH_LETTERS) != length) {
        ergi_diagnostics_add(
            w->report, w->where,
            "the path contains '%c', expected letters, digits, '_' and '-' between dots",
            path[strspn(path, PATH_LETTERS)]);
        bad = true;
    } else if (dots >= ERGI_TREE_DEPTH) {
        ergi_diagnostics_add(w->report, w->where, "the path has more than %d parts",
                             ERGI_TREE_DEPTH);
        bad = true;
    }
    return !bad;
}

static void apply(ergi_node *root, int source, ergi_arena *arena, ergi_diagnostics *report)
{
    const char *text = report->sets[source - 1];
    const char *equals = strchr(text, '=');
    walk        w = {.where = {source, 1, 1}, .arena = arena, .report = report, .path = text};
    if (!equals) {
        ergi_diagnostics_add(report, w.where, "there is no '=', expected path=value");
        return;
    }
    char *path = ergi_arena_copy_text(arena, text, (size_t)(equals - text));
    if (!path) {
        ergi_diagnostics_no_memory(report);
        return;
    }
    if (!check_path(&w, path)) return;
    w.value = ergi_tree_parse(equals + 1, strlen(equals + 1), source, arena, report);
    if (!w.value) return;

    ergi_node *node = root;
    for (char *segment = path; node && segment;) {
        char *dot = strchr(segment, '.');
        if (dot) *dot = '\0';
        node = descend(&w, node, segment, text + (segment - path));
        segment = dot ? dot + 1 : NULL;
    }
    if (node) replace(node, w.value);
}

void ergi_set_apply_all(ergi_node *root, ergi_arena *arena, ergi_diagnostics *report)
{
    if (root->kind != ERGI_NODE_MAP) return;
    for (size_t i = 0; i < report->set_count; i++) apply(root, (int)i + 1, arena, report);
}
