// Internals of the schema engine, shared by its files.
#ifndef ERGI_SCHEMA_READER_H
#define ERGI_SCHEMA_READER_H

#include "scene/schema.h"

// The path from the root to a value, stored on the C stack for messages.
typedef struct ergi_key_path {
    const struct ergi_key_path *up;  // NULL: the root
    const char                 *key; // NULL: an entry of a list, see index
    size_t                      index;
} ergi_key_path;

struct ergi_reader {
    ergi_arena            *arena;
    ergi_diagnostics      *report;
    const ergi_node       *root;
    const ergi_key_path   *block;   // the current map: messages name keys relative to it
    struct ergi_normal    *normals; // cache of parsed defaults
    struct ergi_namespace *spaces;  // cache of names that can be referred to
};

// ---- Values ------------------------------------------------------------------------------------

// Reads a field that contains no other fields: schema_value.c and, for REF, schema_ref.c.
void ergi_read_value(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                     const ergi_key_path *path, void *base);
void ergi_read_ref(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                   const ergi_key_path *path, void *base);

// Nothing is stored where size is 0.
void ergi_store_integer(void *base, size_t at, size_t size, int64_t value);
void ergi_store_bool(void *base, size_t at, size_t size, bool value);
void ergi_store_pointer(void *base, size_t at, size_t size, const void *value);

// ---- Messages ----------------------------------------------------------------------------------

// Joins the path below `top` with dots: "region.cylinder.a.2". Returns its length.
#define ERGI_KEY_PATH 120
size_t ergi_key_path_text(char *out, size_t room, const ergi_key_path *path,
                          const ergi_key_path *top);

// "radius is FOUND, expected a number above 0 [m]HINT"
void ergi_report_value(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path, const char *found, const char *hint);

// The same for a value of the wrong kind: "radius is a list, ..."
void ergi_report_type(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                      const ergi_key_path *path, const char *hint);

// The same for a list or map with too few or too many entries: "bounds is a list of 3, ..."
void ergi_report_count(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path);

#endif
