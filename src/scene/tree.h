// A scene file as a tree of maps, lists and single values, each with its location. Strict: no
// anchors, aliases, tags, directives, further documents or duplicate keys, UTF-8 only, and limited
// in size and depth, so that any invalid file is rejected quickly.
#ifndef ERGI_TREE_H
#define ERGI_TREE_H

#include "scene/arena.h"
#include "scene/diagnostics.h"

#define ERGI_TREE_BYTES ((size_t)16 << 20) // largest file
#define ERGI_TREE_NODES 1000000            // most values in one file
#define ERGI_TREE_DEPTH 64                 // deepest nesting

typedef enum ergi_node_kind {
    ERGI_NODE_VALUE,
    ERGI_NODE_LIST,
    ERGI_NODE_MAP,
    ERGI_NODE_BROKEN // already reported; readers skip it
} ergi_node_kind;

typedef struct ergi_node {
    ergi_node_kind kind;
    bool           quoted; // a value in quotes or a block of text: never a number
    ergi_where     where;
    const char    *text; // of a value; NUL-terminated, without NUL inside

    struct ergi_node *first, *last; // children of a map or list
    size_t            count;
    struct ergi_node *next; // sibling
    const char       *key;  // within a map
    ergi_where        key_where;
} ergi_node;

// Reads a whole file into the arena and appends a NUL. NULL if an error was reported.
const char *ergi_tree_read_file(const char *path, ergi_arena *arena, ergi_diagnostics *report,
                                size_t *length);

// The root, or NULL if the text has no tree. There may be a tree in spite of errors, so check the
// report, not the pointer. `source` as in ergi_where.
ergi_node *ergi_tree_parse(const char *text, size_t length, int source, ergi_arena *arena,
                           ergi_diagnostics *report);

ergi_node *ergi_node_find(const ergi_node *map, const char *key); // NULL if absent or not a map
bool       ergi_node_empty(const ergi_node *node);                // `key:`, `~`, `null`
void       ergi_node_append(ergi_node *parent, ergi_node *child);

// Description of a value in messages: "a list", "a map", "empty", "'5mm'".
#define ERGI_FOUND (ERGI_CLIP + 4)
const char *ergi_node_found(char out[ERGI_FOUND], const ergi_node *node);

// Letters, digits, '_' and '-', beginning with a letter or '_', as allowed in a --set path.
bool ergi_is_name(const char *text);

#endif
