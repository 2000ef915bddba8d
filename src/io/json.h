// Writes JSON into a growing string.
//
//     ergi_json json = ergi_json_begin(0);
//     ergi_json_open_object(&json);
//     ergi_json_key(&json, "grains");
//     ergi_json_unsigned(&json, 2000);
//     ergi_json_close_object(&json);
//     const char *text;
//     if (ergi_json_finish(&json, &text, err) == ERG_OK) puts(text);   // {"grains":2000}
//     ergi_json_free(&json);
//
// An allocation failure is stored and reported by ergi_json_finish. Closing a level that is not
// open, or writing a value without a key into an object, is a programming error and asserted.
#ifndef ERGI_JSON_H
#define ERGI_JSON_H

#include "erg/base.h"

enum { ERGI_JSON_MAX_DEPTH = 32 };

// Use only through the functions.
typedef struct ergi_json {
    char  *text;
    size_t length, room;
    int    indent; // spaces per level; 0: all on one line
    int    depth;
    bool   failed;
    bool   after_key;
    bool   in_object[ERGI_JSON_MAX_DEPTH + 1];
    bool   has_items[ERGI_JSON_MAX_DEPTH + 1];
} ergi_json;

ergi_json ergi_json_begin(int indent);
void      ergi_json_free(ergi_json *json);

void ergi_json_open_object(ergi_json *json);
void ergi_json_close_object(ergi_json *json);
void ergi_json_open_array(ergi_json *json);
void ergi_json_close_array(ergi_json *json);

void ergi_json_key(ergi_json *json, const char *key);

// UTF-8; invalid bytes become U+FFFD. NULL is written as null.
void ergi_json_string(ergi_json *json, const char *text);
// Reads back as the same bits; nan and inf, which JSON lacks, are written as null.
void ergi_json_number(ergi_json *json, double value);
void ergi_json_integer(ergi_json *json, int64_t value);
void ergi_json_unsigned(ergi_json *json, uint64_t value);
void ergi_json_boolean(ergi_json *json, bool value);
void ergi_json_null(ergi_json *json);

// The whole text, without a final newline; it belongs to `json`.
erg_status ergi_json_finish(ergi_json *json, const char **text, erg_error *err);

#endif
