#include "scene/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

// ---- The file ----------------------------------------------------------------------------------

static const char *open_trouble(int error)
{
    switch (error) {
    case ENOENT: return "there is no such file";
    case ENOTDIR: return "there is no such folder";
    case EACCES: return "no permission to read this file";
    case EISDIR: return "this is a folder, expected a scene file";
    default: return "this file cannot be read";
    }
}

const char *ergi_tree_read_file(const char *path, ergi_arena *arena, ergi_diagnostics *report,
                                size_t *length)
{
    const ergi_where whole = {0};
    struct stat      info;
    errno = 0;
    if (stat(path, &info) != 0) {
        report->code = ERG_ERROR_NO_FILE;
        ergi_diagnostics_add(report, whole, "%s", open_trouble(errno));
        return NULL;
    }
    if (S_ISDIR(info.st_mode)) {
        ergi_diagnostics_add(report, whole, "%s", open_trouble(EISDIR));
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        ergi_diagnostics_add(report, whole, "this is not an ordinary file, expected a scene file");
        return NULL;
    }
    if (info.st_size > (off_t)ERGI_TREE_BYTES) {
        ergi_diagnostics_add(report, whole, "this file has %lld bytes, expected at most %zu",
                             (long long)info.st_size, ERGI_TREE_BYTES);
        return NULL;
    }
    size_t room = (size_t)info.st_size;
    char  *text = ergi_arena_alloc(arena, room + 1);
    if (!text) {
        ergi_diagnostics_no_memory(report);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        report->code = ERG_ERROR_NO_FILE;
        ergi_diagnostics_add(report, whole, "%s", open_trouble(errno));
        return NULL;
    }
    size_t got = fread(text, 1, room, file);
    bool   failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        ergi_diagnostics_add(report, whole, "%s", open_trouble(EIO));
        return NULL;
    }
    *length = got;
    return text;
}

// ---- UTF-8 -------------------------------------------------------------------------------------

// Bytes of the character at `p`, or 0 if it is invalid: truncated, overlong, a surrogate, out of
// range.
static size_t character_bytes(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80) return 1;
    size_t   bytes = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    uint32_t code = p[0] & (0x7fu >> bytes);
    if (p[0] < 0xc2 || p[0] > 0xf4 || bytes > left) return 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (bytes == 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) return 0;
    if (bytes == 4 && (code < 0x10000 || code > 0x10ffff)) return 0;
    return bytes;
}

// The line and column of a byte, counted in characters.
static ergi_where where_of_byte(const char *text, size_t offset, int source)
{
    ergi_where where = {source, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n') {
            where.line++;
            where.column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            where.column++;
        }
    }
    return where;
}

static bool check_letters(const char *text, size_t length, int source, ergi_diagnostics *report)
{
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        size_t bytes = character_bytes(p + i, length - i);
        if (bytes == 0) {
            ergi_diagnostics_add(report, where_of_byte(text, i, source),
                                 "byte 0x%02x is not UTF-8, expected a text file in UTF-8", p[i]);
            return false;
        }
        if (p[i] < 0x20 && p[i] != '\n' && p[i] != '\r' && p[i] != '\t') {
            ergi_diagnostics_add(report, where_of_byte(text, i, source),
                                 "found control character 0x%02x, expected a text file", p[i]);
            return false;
        }
        i += bytes;
    }
    return true;
}

// ---- Nodes -------------------------------------------------------------------------------------

ergi_node *ergi_node_find(const ergi_node *map, const char *key)
{
    if (!map || map->kind != ERGI_NODE_MAP) return NULL;
    for (ergi_node *child = map->first; child; child = child->next) {
        if (strcmp(child->key, key) == 0) return child;
    }
    return NULL;
}

bool ergi_node_empty(const ergi_node *node)
{
    return node->kind == ERGI_NODE_VALUE && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

void ergi_node_append(ergi_node *parent, ergi_node *child)
{
    child->next = NULL;
    if (parent->last) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
    parent->count++;
}

const char *ergi_node_found(char out[ERGI_FOUND], const ergi_node *node)
{
    char clip[ERGI_CLIP];
    if (node->kind == ERGI_NODE_LIST) {
        snprintf(out, ERGI_FOUND, node->count ? "a list" : "an empty list");
    } else if (node->kind == ERGI_NODE_MAP) {
        snprintf(out, ERGI_FOUND, node->count ? "a map" : "an empty map");
    } else if (node->kind == ERGI_NODE_BROKEN || ergi_node_empty(node)) {
        snprintf(out, ERGI_FOUND, "empty");
    } else if (node->quoted) {
        snprintf(out, ERGI_FOUND, "\"%s\"", ergi_clip(clip, node->text));
    } else {
        snprintf(out, ERGI_FOUND, "'%s'", ergi_clip(clip, node->text));
    }
    return out;
}

bool ergi_is_name(const char *text)
{
    for (const char *p = text; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_';
        bool inner = (*p >= '0' && *p <= '9') || *p == '-';
        if (!letter && !(inner && p > text)) return false;
    }
    return *text != '\0';
}

// ---- Parsing -----------------------------------------------------------------------------------

typedef struct parser {
    yaml_parser_t     yaml;
    const char       *text;
    size_t            length;
    int               source;
    ergi_arena       *arena;
    ergi_diagnostics *report;
    size_t            nodes;

    // The open maps and lists, from the root down. In a map a value follows its key.
    struct {
        ergi_node *node;
        ergi_node *pending; // has the key whose value comes next
    } open[ERGI_TREE_DEPTH];
    int        depth;
    ergi_node *root;
} parser;

static ergi_where where_of_mark(const parser *p, yaml_mark_t mark)
{
    return (ergi_where){p->source, (int)mark.line + 1, (int)mark.column + 1};
}

// libyaml counts characters, not bytes.
static char character_at(const parser *p, size_t index)
{
    size_t i = 0;
    for (; i < p->length && index > 0; index--) {
        do i++;
        while (i < p->length && ((unsigned char)p->text[i] & 0xc0) == 0x80);
    }
    return i < p->length ? p->text[i] : '\0';
}

static void report_yaml_trouble(parser *p)
{
    const yaml_parser_t *yaml = &p->yaml;
    const char          *problem = yaml->problem ? yaml->problem : "cannot be understood";
    if (yaml->error == YAML_MEMORY_ERROR) {
        ergi_diagnostics_no_memory(p->report);
    } else if (yaml->error == YAML_READER_ERROR) {
        ergi_diagnostics_add(p->report, where_of_byte(p->text, yaml->problem_offset, p->source),
                             "not YAML: %s", problem);
    } else {
        const char *tab = character_at(p, yaml->problem_mark.index) == '\t'
                              ? "; indent with spaces, not tabs"
                              : "";
        ergi_diagnostics_add(p->report, where_of_mark(p, yaml->problem_mark), "not YAML: %s%s%s%s",
                             problem, yaml->context ? " " : "", yaml->context ? yaml->context : "",
                             tab);
    }
}

static ergi_node *new_node(parser *p, ergi_node_kind kind, ergi_where where)
{
    if (++p->nodes > ERGI_TREE_NODES) {
        ergi_diagnostics_add(p->report, where, "more than %d values, expected a smaller scene",
                             ERGI_TREE_NODES);
        return NULL;
    }
    ergi_node *node = ergi_arena_alloc(p->arena, sizeof *node);
    if (!node) {
        ergi_diagnostics_no_memory(p->report);
        return NULL;
    }
    node->kind = kind;
    node->where = where;
    node->text = "";
    return node;
}

static int by_key(const void *a, const void *b)
{
    const ergi_node *x = *(ergi_node *const *)a, *y = *(ergi_node *const *)b;
    int              order = strcmp(x->key, y->key);
    if (order) return order;
    if (x->key_where.line != y->key_where.line) {
        return x->key_where.line < y->key_where.line ? -1 : 1;
    }
    return (x->key_where.column > y->key_where.column) -
           (x->key_where.column < y->key_where.column);
}

// Reports duplicate keys of a finished map. Sorts them, so that large maps stay fast.
static bool check_duplicate_keys(parser *p, ergi_node *map)
{
    if (map->count < 2) return true;
    ergi_node **sorted = malloc(map->count * sizeof *sorted);
    if (!sorted) {
        ergi_diagnostics_no_memory(p->report);
        return false;
    }
    size_t n = 0;
    for (ergi_node *child = map->first; child; child = child->next) sorted[n++] = child;
    qsort(sorted, n, sizeof *sorted, by_key);
    for (size_t i = 1, first = 0; i < n; i++) {
        if (strcmp(sorted[i]->key, sorted[first]->key) != 0) {
            first = i;
            continue;
        }
        char clip[ERGI_CLIP];
        ergi_diagnostics_add(p->report, sorted[i]->key_where,
                             "key '%s' is given twice, first in line %d, expected it once",
                             ergi_clip(clip, sorted[i]->key), sorted[first]->key_where.line);
    }
    free(sorted);
    return true;
}

// Adds a node to the innermost open map or list, or makes it the root.
static void attach(parser *p, ergi_node *node)
{
    if (p->depth == 0) {
        p->root = node;
        return;
    }
    ergi_node *parent = p->open[p->depth - 1].node;
    if (parent->kind == ERGI_NODE_MAP) {
        ergi_node *pending = p->open[p->depth - 1].pending;
        node->key = pending->key;
        node->key_where = pending->key_where;
        p->open[p->depth - 1].pending = NULL;
    }
    ergi_node_append(parent, node);
}

static bool key_is_due(const parser *p)
{
    return p->depth > 0 && p->open[p->depth - 1].node->kind == ERGI_NODE_MAP &&
           !p->open[p->depth - 1].pending;
}

static bool open_container(parser *p, ergi_node_kind kind, ergi_where where)
{
    if (key_is_due(p)) {
        ergi_diagnostics_add(p->report, where, "found %s in place of a key, expected a word",
                             kind == ERGI_NODE_MAP ? "a map" : "a list");
        return false;
    }
    if (p->depth == ERGI_TREE_DEPTH) {
        ergi_diagnostics_add(p->report, where, "nested deeper than %d levels", ERGI_TREE_DEPTH);
        return false;
    }
    ergi_node *node = new_node(p, kind, where);
    if (!node) return false;
    attach(p, node);
    p->open[p->depth].node = node;
    p->open[p->depth].pending = NULL;
    p->depth++;
    return true;
}

static bool close_container(parser *p)
{
    p->depth--;
    ergi_node *node = p->open[p->depth].node;
    return node->kind != ERGI_NODE_MAP || check_duplicate_keys(p, node);
}

static bool add_key(parser *p, ergi_node *node)
{
    if (node->text[0] == '\0') {
        ergi_diagnostics_add(p->report, node->where,
                             "a key is empty, expected a word before the ':'");
        return false;
    }
    node->key = node->text;
    node->key_where = node->where;
    p->open[p->depth - 1].pending = node;
    return true;
}

static bool add_value(parser *p, const yaml_event_t *event, ergi_where where)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t      length = event->data.scalar.length;
    ergi_node  *node = new_node(p, ERGI_NODE_VALUE, where);
    if (!node) return false;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = ergi_arena_copy_text(p->arena, text, length);
    if (!node->text) {
        ergi_diagnostics_no_memory(p->report);
        return false;
    }
    if (memchr(text, '\0', length)) {
        ergi_diagnostics_add(p->report, where,
                             "the text contains a zero byte, expected letters only");
        node->kind = ERGI_NODE_BROKEN;
    }
    if (key_is_due(p)) return add_key(p, node);
    attach(p, node);
    return true;
}

// Reports YAML features that scenes do not support; the value itself is still read.
static void check_decoration(parser *p, ergi_where where, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
    char clip[ERGI_CLIP];
    if (anchor) {
        ergi_diagnostics_add(p->report, where,
                             "anchor '&%s' is not allowed in scenes, expected the value alone",
                             ergi_clip(clip, (const char *)anchor));
    }
    if (tag) {
        ergi_diagnostics_add(p->report, where,
                             "tag '%s' is not allowed in scenes, expected the value alone",
                             ergi_clip(clip, (const char *)tag));
    }
}

static bool add_alias(parser *p, const yaml_event_t *event, ergi_where where)
{
    char clip[ERGI_CLIP];
    ergi_diagnostics_add(p->report, where, "alias '*%s' is not allowed in scenes, expected a value",
                         ergi_clip(clip, (const char *)event->data.alias.anchor));
    if (key_is_due(p)) return false;
    ergi_node *node = new_node(p, ERGI_NODE_BROKEN, where);
    if (!node) return false;
    attach(p, node);
    return true;
}

static bool start_document(parser *p, const yaml_event_t *event, ergi_where where)
{
    if (p->root) {
        ergi_diagnostics_add(p->report, where, "a second document starts here, expected one scene");
        return false;
    }
    if (event->data.document_start.version_directive ||
        event->data.document_start.tag_directives.start !=
            event->data.document_start.tag_directives.end) {
        ergi_diagnostics_add(p->report, where, "directives (%%...) are not allowed in scenes");
        return false;
    }
    return true;
}

// False ends reading; the reason has been reported.
static bool take_event(parser *p, const yaml_event_t *event)
{
    ergi_where where = where_of_mark(p, event->start_mark);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: return start_document(p, event, where);
    case YAML_ALIAS_EVENT: return add_alias(p, event, where);
    case YAML_SCALAR_EVENT:
        check_decoration(p, where, event->data.scalar.anchor, event->data.scalar.tag);
        return add_value(p, event, where);
    case YAML_SEQUENCE_START_EVENT:
        check_decoration(p, where, event->data.sequence_start.anchor,
                         event->data.sequence_start.tag);
        return open_container(p, ERGI_NODE_LIST, where);
    case YAML_MAPPING_START_EVENT:
        check_decoration(p, where, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        return open_container(p, ERGI_NODE_MAP, where);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_container(p);
    default: return true;
    }
}

static bool take_all_events(parser *p)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&p->yaml, &event)) {
            report_yaml_trouble(p);
            return false;
        }
        bool last = event.type == YAML_STREAM_END_EVENT;
        bool good = take_event(p, &event);
        yaml_event_delete(&event);
        if (!good) return false;
        if (last) return true;
    }
}

ergi_node *ergi_tree_parse(const char *text, size_t length, int source, ergi_arena *arena,
                           ergi_diagnostics *report)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { // skip a byte order mark
        text += 3;
        length -= 3;
    }
    if (length > ERGI_TREE_BYTES) {
        ergi_diagnostics_add(report, (ergi_where){source, 0, 0}, "%zu bytes, expected at most %zu",
                             length, ERGI_TREE_BYTES);
        return NULL;
    }
    if (!check_letters(text, length, source, report)) return NULL;

    parser p = {.text = text, .length = length, .source = source, .arena = arena, .report = report};
    if (!yaml_parser_initialize(&p.yaml)) {
        ergi_diagnostics_no_memory(report);
        return NULL;
    }
    yaml_parser_set_encoding(&p.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&p.yaml, (const unsigned char *)text, length);
    bool good = take_all_events(&p);
    yaml_parser_delete(&p.yaml);
    if (!good) return NULL;

    if (!p.root) {
        ergi_diagnostics_add(report, (ergi_where){source, 1, 1},
                             source ? "the value is empty, expected YAML"
                                    : "the file is empty, expected a scene");
    }
    return p.root;
}
