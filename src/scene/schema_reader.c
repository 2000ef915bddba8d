#include "scene/schema_reader.h"

#include "scene/schema_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t ergi_key_path_text(char *out, size_t room, const ergi_key_path *path,
                          const ergi_key_path *top)
{
    out[0] = '\0';
    if (path == top || !path->up) return 0;
    size_t length = ergi_key_path_text(out, room, path->up, top);
    int    more = path->key
                      ? snprintf(out + length, room - length, "%s%s", length ? "." : "", path->key)
                      : snprintf(out + length, room - length, "%s%zu", length ? "." : "", path->index);
    length += (size_t)more;
    return length < room ? length : room - 1;
}

void ergi_report_value(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path, const char *found, const char *hint)
{
    if (!ergi_diagnostics_wants(r->report, node->where)) {
        ergi_diagnostics_count(r->report);
        return;
    }
    char label[ERGI_KEY_PATH], keys[ERGI_KEY_PATH], expected[ERGI_EXPECTED];
    ergi_key_path_text(keys, sizeof keys, path, NULL);
    if (ergi_key_path_text(label, sizeof label, path, r->block) == 0) strcpy(label, "the scene");
    ergi_diagnostics_add_at(r->report, node->where, keys, "%s is %s, expected %s%s", label, found,
                            ergi_field_expected(expected, field), hint);
}

void ergi_report_type(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                      const ergi_key_path *path, const char *hint)
{
    char found[ERGI_FOUND];
    if (node->kind == ERGI_NODE_BROKEN) return;
    ergi_report_value(r, field, node, path, ergi_node_found(found, node), hint);
}

void ergi_report_count(ergi_reader *r, const ergi_field *field, const ergi_node *node,
                       const ergi_key_path *path)
{
    char found[48];
    if (node->count) {
        snprintf(found, sizeof found, "a %s of %zu", node->kind == ERGI_NODE_MAP ? "map" : "list",
                 node->count);
        ergi_report_value(r, field, node, path, found, "");
    } else {
        ergi_report_type(r, field, node, path, "");
    }
}

// Reports an error after the path of the block; `keys` is the path from there to the node.
static void add_fault(ergi_reader *r, const ergi_node *node, const char *keys, const char *text)
{
    char   path[ERGI_KEY_PATH], all[ERGI_KEYS];
    size_t length = ergi_key_path_text(path, sizeof path, r->block, NULL);
    snprintf(all, sizeof all, "%s%s%s", path, length && *keys ? "." : "", keys);
    ergi_diagnostics_add_at(r->report, node->where, all, "%s%s%s", path, length ? ": " : "", text);
}

void ergi_reader_fault(ergi_reader *r, const ergi_node *map, const char *key, const char *format,
                       ...)
{
    char    text[ERGI_DIAGNOSTICS_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const ergi_node *at = key ? ergi_node_find(map, key) : NULL;
    add_fault(r, at ? at : map, at ? key : "", text);
}

void ergi_reader_fault_of(ergi_reader *r, const ergi_schema *schema, const ergi_node *map,
                          const char *before, const erg_error *err)
{
    char             keys[ERGI_KEYS], text[ERGI_DIAGNOSTICS_LINE];
    const ergi_node *at = ergi_schema_find(schema, map, err->field, keys);
    snprintf(text, sizeof text, "%s%.*s", before, ERGI_DIAGNOSTICS_LINE, err->text);
    add_fault(r, at, keys, text);
}

void ergi_store_integer(void *base, size_t at, size_t size, int64_t value)
{
    char *place = (char *)base + at;
    if (size == 1) memcpy(place, &(int8_t){(int8_t)value}, 1);
    if (size == 2) memcpy(place, &(int16_t){(int16_t)value}, 2);
    if (size == 4) memcpy(place, &(int32_t){(int32_t)value}, 4);
    if (size == 8) memcpy(place, &value, 8);
}

void ergi_store_bool(void *base, size_t at, size_t size, bool value)
{
    if (size) memcpy((char *)base + at, &value, sizeof value);
}

void ergi_store_pointer(void *base, size_t at, size_t size, const void *value)
{
    if (size) memcpy((char *)base + at, &value, sizeof value);
}
