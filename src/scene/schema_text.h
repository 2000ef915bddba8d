// Descriptions of what a field expects, for messages and the manual.
#ifndef ERGI_SCHEMA_TEXT_H
#define ERGI_SCHEMA_TEXT_H

#include "scene/schema.h"

#define ERGI_EXPECTED 240

// "a number above 0 [m]", "one of sphere, cube", "a list of 2, each a name from materials".
const char *ergi_field_expected(char out[ERGI_EXPECTED], const ergi_field *field);

// "above 0", "from 0 to 1", "at least 1"; "" without bounds.
const char *ergi_field_range(char out[ERGI_EXPECTED], const ergi_field *field);

// The keys of a schema, or the fields of one of its choices (from 1), joined by commas.
void ergi_schema_keys(ergi_words *words, const ergi_schema *schema, int choice);

// "a" or "an".
const char *ergi_article(const char *word);

#endif
