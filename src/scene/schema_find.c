// Finds the key from which a member of a definition was read. The tables contain both: the key of a
// field, and its member as given to ERGI_AT.
#include "scene/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Path of the keys visited so far.
typedef struct trail {
    char   keys[ERGI_KEYS];
    size_t length;
} trail;

static void append_key(trail *w, const char *key, size_t index)
{
    char        number[24];
    const char *dot = w->length ? "." : "";
    snprintf(number, sizeof number, "%zu", index);
    snprintf(w->keys + w->length, sizeof w->keys - w->length, "%s%s", dot, key ? key : number);
    w->length = strlen(w->keys);
}

static const ergi_node *step_to_entry(trail *w, const ergi_node *list, size_t index)
{
    const ergi_node *entry = list->kind == ERGI_NODE_LIST ? list->first : NULL;
    for (size_t i = 0; entry && i < index; i++) entry = entry->next;
    if (entry) append_key(w, NULL, index);
    return entry;
}

// ---- Names -------------------------------------------------------------------------------------
// The rest of a path after `name`; NULL if the path does not begin with it.
static const char *after_name(const char *path, const char *name, size_t length)
{
    if (strncmp(path, name, length) != 0) return NULL;
    const char *rest = path + length;
    return *rest == '\0' || *rest == '.' || *rest == '[' ? rest : NULL;
}

// The same for a member. A definition may be nested in the scene's own struct, as in "def.axis" or
// "world.dt", so that its first name is optional.
static const char *after_member(const char *path, const char *member)
{
    if (!member) return NULL;
    const char *rest = after_name(path, member, strlen(member)), *dot = strchr(member, '.');
    return rest || !dot ? rest : after_name(path, dot + 1, strlen(dot + 1));
}

// The same for a list of names; *number is the index of the one that matches.
static const char *after_one_of(const char *path, const char *names, size_t *number)
{
    *number = 0;
    while (names && *names) {
        size_t      length = strcspn(names, " ");
        const char *rest = after_name(path, names, length);
        if (rest) return rest;
        names += length + (names[length] == ' ');
        ++*number;
    }
    return NULL;
}

// ---- Values ------------------------------------------------------------------------------------
static const ergi_node *find_in_block(const ergi_schema *schema, const ergi_node *map,
                                      const char *path, trail *w);
static const ergi_node *find_in_value(const ergi_field *field, const ergi_node *node,
                                      const char *path, trail *w);

// A component of a vector or tuple, which is written as a list in the order of its members.
static const ergi_node *find_component(const ergi_field *field, const ergi_node *node,
                                       const char *path, trail *w)
{
    if (field->type == ERGI_VEC3) {
        bool axis = *path >= 'x' && *path <= 'z' && !path[1];
        return axis ? step_to_entry(w, node, (size_t)(*path - 'x')) : NULL;
    }
    for (size_t i = 0; i < field->schema->field_count; i++)
        if (after_member(path, field->schema->fields[i].member)) return step_to_entry(w, node, i);
    return NULL;
}

// In entry `index` of a list; a single map may replace a list of one.
static const ergi_node *find_in_entry(const ergi_field *list, const ergi_node *node, size_t index,
                                      const char *path, trail *w)
{
    bool             alone = list->or_one && node->kind == ERGI_NODE_MAP && index == 0;
    const ergi_node *entry = alone ? node : step_to_entry(w, node, index);
    if (!entry) return node;
    ergi_field block = {.type = ERGI_BLOCK, .schema = list->schema};
    return find_in_value(list->schema ? &block : list->item, entry, path, w);
}

// `path` is the rest of the path after the name of this value. Returns at least the value itself.
static const ergi_node *find_in_value(const ergi_field *field, const ergi_node *node,
                                      const char *path, trail *w)
{
    const ergi_node *found = NULL;
    if (*path == '[' && field->type == ERGI_LIST) {
        char  *end;
        size_t index = strtoul(path + 1, &end, 10);
        if (*end == ']') found = find_in_entry(field, node, index, end + 1, w);
    } else if (*path == '.') {
        if (field->type == ERGI_BLOCK) found = find_in_block(field->schema, node, path + 1, w);
        if (field->type == ERGI_VEC3 || field->type == ERGI_TUPLE)
            found = find_component(field, node, path + 1, w);
    }
    return found ? found : node;
}

// ---- Blocks ------------------------------------------------------------------------------------
static const ergi_field *field_of(const ergi_schema *schema, const char *key)
{
    for (size_t i = 0; i < schema->field_count; i++)
        if (strcmp(schema->fields[i].key, key) == 0) return &schema->fields[i];
    return NULL;
}

// By the member that a key sets; a block without a member of its own sets members of the same
// struct.
static const ergi_node *find_by_member(const ergi_field *field, const ergi_node *child,
                                       const char *path, trail *w)
{
    size_t      number, length = w->length;
    const char *rest = after_member(path, field->member);
    append_key(w, child->key, 0);
    if (rest) return find_in_value(field, child, rest, w);
    rest = after_one_of(path, field->sets, &number);
    if (rest && field->type == ERGI_LIST) return find_in_entry(field, child, number, rest, w);
    if (rest) return child;
    if (field->type == ERGI_BLOCK && field->size == 0) {
        const ergi_node *found = find_in_block(field->schema, child, path, w);
        if (found) return found;
    }
    w->length = length;
    w->keys[length] = '\0';
    return NULL;
}

// NULL if the map has no such member.
static const ergi_node *find_in_block(const ergi_schema *schema, const ergi_node *map,
                                      const char *path, trail *w)
{
    if (map->kind != ERGI_NODE_MAP) return NULL;
    for (const ergi_node *child = map->first; child; child = child->next) {
        const ergi_field *field = field_of(schema, child->key);
        const ergi_node  *found = field ? find_by_member(field, child, path, w) : NULL;
        if (found) return found;
    }
    for (const ergi_node *child = map->first; child; child = child->next) {
        const ergi_field *field = field_of(schema, child->key);
        const char       *rest = after_name(path, child->key, strlen(child->key));
        if (!field || !rest) continue;
        append_key(w, child->key, 0);
        return find_in_value(field, child, rest, w);
    }
    return NULL;
}

const ergi_node *ergi_schema_find(const ergi_schema *schema, const ergi_node *map,
                                  const char *field, char keys[ERGI_KEYS])
{
    trail            w = {.length = 0};
    const ergi_node *found = find_in_block(schema, map, field, &w);
    if (keys) memcpy(keys, w.keys, sizeof w.keys);
    return found ? found : map;
}
