#include "io/json.h"

#include "base/error.h"
#include "io/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ergi_json ergi_json_begin(int indent)
{
    return (ergi_json){.indent = indent};
}

void ergi_json_free(ergi_json *json)
{
    free(json->text);
    *json = (ergi_json){0};
}

static void put(ergi_json *json, const char *bytes, size_t size)
{
    if (json->failed) return;
    if (json->room - json->length <= size) { // one byte is for the terminating zero
        size_t room = 2 * json->room + size + 256;
        char  *text = realloc(json->text, room);
        if (!text) {
            json->failed = true;
            return;
        }
        json->text = text;
        json->room = room;
    }
    memcpy(json->text + json->length, bytes, size);
    json->length += size;
    json->text[json->length] = '\0';
}

static void put_text(ergi_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void new_line(ergi_json *json)
{
    if (json->indent == 0) return;
    put_text(json, "\n");
    for (int i = 0; i < json->indent * json->depth; i++) put_text(json, " ");
}

// Puts what separates an item from the previous one: a comma if there was one, and a new line.
static void separate(ergi_json *json)
{
    if (json->has_items[json->depth]) put_text(json, ",");
    json->has_items[json->depth] = true;
    if (json->depth > 0) new_line(json);
}

static void before_value(ergi_json *json)
{
    assert(json->in_object[json->depth] == json->after_key);
    assert(json->depth > 0 || !json->has_items[0]);
    if (!json->after_key) separate(json);
    json->after_key = false;
}

static void open_level(ergi_json *json, bool object)
{
    before_value(json);
    assert(json->depth < ERGI_JSON_MAX_DEPTH);
    put_text(json, object ? "{" : "[");
    json->depth++;
    json->in_object[json->depth] = object;
    json->has_items[json->depth] = false;
}

static void close_level(ergi_json *json, bool object)
{
    assert(json->depth > 0 && json->in_object[json->depth] == object && !json->after_key);
    bool items = json->has_items[json->depth];
    json->depth--;
    if (items) new_line(json);
    put_text(json, object ? "}" : "]");
}

void ergi_json_open_object(ergi_json *json)
{
    open_level(json, true);
}

void ergi_json_close_object(ergi_json *json)
{
    close_level(json, true);
}

void ergi_json_open_array(ergi_json *json)
{
    open_level(json, false);
}

void ergi_json_close_array(ergi_json *json)
{
    close_level(json, false);
}

// Length of the UTF-8 character at `at` in bytes; 0 if invalid (overlong, surrogate, above
// U+10FFFF).
static size_t utf8_length(const unsigned char *at)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};

    size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : 0;
    if (at[0] >> 3 == 30) length = 4;
    if (length < 2) return length;
    uint32_t code = at[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (at[i] >> 6 != 2) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    bool good = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return good ? length : 0;
}

static void put_quoted(ergi_json *json, const char *text)
{
    put_text(json, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = utf8_length(at);
        if (length == 0) {
            put_text(json, "\xef\xbf\xbd");
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            const char escaped[2] = {'\\', (char)*at};
            put(json, escaped, 2);
        } else if (*at == '\n') {
            put_text(json, "\\n");
        } else if (*at == '\t') {
            put_text(json, "\\t");
        } else if (*at < 0x20) {
            char escaped[8];
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*at);
            put_text(json, escaped);
        } else {
            put(json, (const char *)at, length);
        }
        at += length;
    }
    put_text(json, "\"");
}

void ergi_json_key(ergi_json *json, const char *key)
{
    assert(json->in_object[json->depth] && !json->after_key);
    separate(json);
    put_quoted(json, key);
    put_text(json, json->indent ? ": " : ":");
    json->after_key = true;
}

void ergi_json_string(ergi_json *json, const char *text)
{
    before_value(json);
    if (text)
        put_quoted(json, text);
    else
        put_text(json, "null");
}

void ergi_json_number(ergi_json *json, double value)
{
    char text[ERGI_NUMBER_ROOM];
    before_value(json);
    put_text(json, isfinite(value) ? ergi_number(value, text) : "null");
}

void ergi_json_integer(ergi_json *json, int64_t value)
{
    char text[32];
    before_value(json);
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_text(json, text);
}

void ergi_json_unsigned(ergi_json *json, uint64_t value)
{
    char text[32];
    before_value(json);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_text(json, text);
}

void ergi_json_boolean(ergi_json *json, bool value)
{
    before_value(json);
    put_text(json, value ? "true" : "false");
}

void ergi_json_null(ergi_json *json)
{
    before_value(json);
    put_text(json, "null");
}

erg_status ergi_json_finish(ergi_json *json, const char **text, erg_error *err)
{
    assert(json->depth == 0 && json->has_items[0]);
    *text = NULL;
    if (json->failed) return ergi_fail_memory(err, json->length, "JSON text");
    *text = json->text;
    return ERG_OK;
}
