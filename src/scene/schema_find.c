// From a member of a definition back to the key that it was read from. The tables know both: a
// field has its key, and ERGI_AT its member.
#include "scene/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The keys that have been gone through.
typedef struct way {
    char   keys[ERGI_KEYS];
    size_t length;
} way;

static void go_to(way *w, const char *key, size_t index)
{
    char        number[24];
    const char *dot = w->length ? "." : "";
    snprintf(number, sizeof number, "%zu", index);
    snprintf(w->keys + w->length, sizeof w->keys - w->length, "%s%s", dot, key ? key : number);
    w->length = strlen(w->keys);
}

static const ergi_node *go_to_nth(way *w, const ergi_node *list, size_t index)
{
    const ergi_node *entry = list->kind == ERGI_NODE_LIST ? list->first : NULL;
    for (size_t i = 0; entry && i < index; i++) entry = entry->next;
    if (entry) go_to(w, NULL, index);
    return entry;
}

// ---- Names -------------------------------------------------------------------------------------
// What follows `name` in a path; NULL when the path does not begin with it.
static const char *behind(const char *path, const char *name, size_t length)
{
    if (strncmp(path, name, length) != 0) return NULL;
    const char *rest = path + length;
    return *rest == '\0' || *rest == '.' || *rest == '[' ? rest : NULL;
}

// A definition may be a member of the scene's own struct: "def.axis", "world.dt".
static const char *behind_member(const char *path, const char *member)
{
    if (!member) return NULL;
    const char *rest = behind(path, member, strlen(member)), *dot = strchr(member, '.');
    return rest || !dot ? rest : behind(path, dot + 1, strlen(dot + 1));
}

// The same for a list of names; *number is that of the one.
static const char *behind_one_of(const char *path, const char *names, size_t *number)
{
    *number = 0;
    while (names && *names) {
        size_t      length = strcspn(names, " ");
        const char *rest = behind(path, names, length);
        if (rest) return rest;
        names += length + (names[length] == ' ');
        ++*number;
    }
    return NULL;
}

// ---- Values ------------------------------------------------------------------------------------
static const ergi_node *find_in_block(const ergi_schema *schema, const ergi_node *map,
                                      const char *path, way *w);
static const ergi_node *find_in_value(const ergi_field *field, const ergi_node *node,
                                      const char *path, way *w);

// A vector or tuple: a list in the order of the members.
static const ergi_node *find_component(const ergi_field *field, const ergi_node *node,
                                       const char *path, way *w)
{
    if (field->type == ERGI_VEC3) {
        bool axis = *path >= 'x' && *path <= 'z' && !path[1];
        return axis ? go_to_nth(w, node, (size_t)(*path - 'x')) : NULL;
    }
    for (size_t i = 0; i < field->schema->field_count; i++)
        if (behind_member(path, field->schema->fields[i].member)) return go_to_nth(w, node, i);
    return NULL;
}

// Of the entry `index` of a list; one map may stand for a list of one.
static const ergi_node *find_in_entry(const ergi_field *list, const ergi_node *node, size_t index,
                                      const char *path, way *w)
{
    bool             alone = list->or_one && node->kind == ERGI_NODE_MAP && index == 0;
    const ergi_node *entry = alone ? node : go_to_nth(w, node, index);
    if (!entry) return node;
    ergi_field block = {.type = ERGI_BLOCK, .schema = list->schema};
    return find_in_value(list->schema ? &block : list->item, entry, path, w);
}

// `path` is what is left of it behind the name of this value. At worst the value itself.
static const ergi_node *find_in_value(const ergi_field *field, const ergi_node *node,
                                      const char *path, way *w)
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

// By the member that a key fills; a block without a place of its own fills the same struct.
static const ergi_node *find_by_member(const ergi_field *field, const ergi_node *child,
                                       const char *path, way *w)
{
    size_t      number, length = w->length;
    const char *rest = behind_member(path, field->member);
    go_to(w, child->key, 0);
    if (rest) return find_in_value(field, child, rest, w);
    rest = behind_one_of(path, field->sets, &number);
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

// NULL when the map holds nothing of that name.
static const ergi_node *find_in_block(const ergi_schema *schema, const ergi_node *map,
                                      const char *path, way *w)
{
    if (map->kind != ERGI_NODE_MAP) return NULL;
    for (const ergi_node *child = map->first; child; child = child->next) {
        const ergi_field *field = field_of(schema, child->key);
        const ergi_node  *found = field ? find_by_member(field, child, path, w) : NULL;
        if (found) return found;
    }
    for (const ergi_node *child = map->first; child; child = child->next) {
        const ergi_field *field = field_of(schema, child->key);
        const char       *rest = behind(path, child->key, strlen(child->key));
        if (!field || !rest) continue;
        go_to(w, child->key, 0);
        return find_in_value(field, child, rest, w);
    }
    return NULL;
}

const ergi_node *ergi_schema_find(const ergi_schema *schema, const ergi_node *map,
                                  const char *field, char keys[ERGI_KEYS])
{
    way              w = {.length = 0};
    const ergi_node *found = find_in_block(schema, map, field, &w);
    if (keys) memcpy(keys, w.keys, sizeof w.keys);
    return found ? found : map;
}
