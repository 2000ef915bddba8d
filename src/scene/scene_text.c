// Writes a tree as YAML: one key per line, lists of single values on one line.
#include "scene/scene_def.h"

#include <stdio.h>
#include <string.h>

typedef struct writer {
    char  *text; // NULL: only count
    size_t length;
} writer;

static void put_bytes(writer *w, const char *bytes, size_t count)
{
    if (w->text) memcpy(w->text + w->length, bytes, count);
    w->length += count;
}

static void put(writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

static void put_indent(writer *w, int depth)
{
    for (int i = 0; i < depth; i++) put(w, "  ");
}

// ---- Single values -----------------------------------------------------------------------------
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Whether it reads back as the same value without quotes, also in a flow list.
static bool is_plain(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || text[length - 1] == ' ') return false;
    if (!strchr(LETTERS "+-._", text[0]) || strncmp(text, "- ", 2) == 0 || strcmp(text, "-") == 0)
        return false;
    if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0) return false;
    return strspn(text, LETTERS "+-._/ ") == length;
}

// The code point at *p; advances *p. The reader accepts only valid UTF-8.
static unsigned next_letter(const char **p)
{
    const unsigned char *s = (const unsigned char *)*p;
    int                  more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
    unsigned c = more == 3 ? s[0] & 7u : more == 2 ? s[0] & 15u : more == 1 ? s[0] & 31u : s[0];
    for (int i = 1; i <= more && s[i]; i++) c = c << 6 | (s[i] & 63u);
    for (int i = 0; i <= more && **p; i++) ++*p;
    return c;
}

static void put_quoted(writer *w, const char *text)
{
    put(w, "\"");
    for (const char *p = text; *p;) {
        char        escape[16];
        const char *from = p;
        unsigned    c = next_letter(&p);
        if (c == '"' || c == '\\') {
            put(w, "\\");
            put_bytes(w, from, 1);
        } else if (c >= 0x20 && c < 0x7f) {
            put_bytes(w, from, 1);
        } else {
            snprintf(escape, sizeof escape, c < 0x10000 ? "\\u%04X" : "\\U%08X", c);
            put(w, escape);
        }
    }
    put(w, "\"");
}

// Numbers and words of a valid scene need no quotes; anything else is text, where quotes do no
// harm.
static void put_value(writer *w, const ergi_node *node)
{
    if (ergi_node_empty(node))
        put(w, "~");
    else if (!node->quoted && is_plain(node->text))
        put(w, node->text);
    else
        put_quoted(w, node->text);
}

// ---- Maps and lists ----------------------------------------------------------------------------
static void put_children(writer *w, const ergi_node *node, int depth, bool first_indented);

static bool is_flat(const ergi_node *list)
{
    for (const ergi_node *child = list->first; child; child = child->next)
        if (child->kind == ERGI_NODE_MAP ||
            (child->kind == ERGI_NODE_LIST && child->count > 0 && !is_flat(child)))
            return false;
    return true;
}

static void put_flat(writer *w, const ergi_node *list)
{
    put(w, "[");
    for (const ergi_node *child = list->first; child; child = child->next) {
        if (child->kind == ERGI_NODE_LIST)
            put_flat(w, child);
        else
            put_value(w, child);
        if (child->next) put(w, ", ");
    }
    put(w, "]");
}

// Follows "key:" or, with `in_list`, "-".
static void put_node(writer *w, const ergi_node *node, int depth, bool in_list)
{
    if (node->kind == ERGI_NODE_LIST && is_flat(node)) {
        put(w, " ");
        put_flat(w, node);
        put(w, "\n");
    } else if (node->kind == ERGI_NODE_MAP && node->count == 0) {
        put(w, " {}\n");
    } else if (node->kind == ERGI_NODE_MAP || node->kind == ERGI_NODE_LIST) {
        put(w, in_list ? " " : "\n");
        put_children(w, node, depth + 1, in_list);
    } else {
        put(w, " ");
        put_value(w, node);
        put(w, "\n");
    }
}

// `first_indented`: the first child continues the line of a dash.
static void put_children(writer *w, const ergi_node *node, int depth, bool first_indented)
{
    for (const ergi_node *child = node->first; child; child = child->next) {
        if (child != node->first || !first_indented) put_indent(w, depth);
        if (node->kind == ERGI_NODE_LIST) {
            put(w, "-");
            put_node(w, child, depth, true);
        } else {
            if (is_plain(child->key))
                put(w, child->key);
            else
                put_quoted(w, child->key);
            put(w, ":");
            put_node(w, child, depth, false);
        }
    }
}

const char *ergi_scene_write(const ergi_node *root, ergi_arena *arena)
{
    writer count = {0};
    put_children(&count, root, 0, false);
    writer w = {.text = ergi_arena_alloc(arena, count.length + 1)};
    if (w.text) put_children(&w, root, 0, false);
    return w.text;
}
