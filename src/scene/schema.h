// The schema engine. A table describes what a scene may contain; reading, checking, defaults,
// suggestions for misspelt keys and the manual all follow from it.
//
//     typedef struct disc { double radius; int count; erg_vec3 centre; } disc;
//
//     static const ergi_field disc_fields[] = {
//         {"radius", ERGI_NUMBER, ERGI_AT(disc, radius), .unit = "m", .required = true,
//          ERGI_ABOVE(0), .doc = "outer radius"},
//         {"count", ERGI_INTEGER, ERGI_AT(disc, count), .normal = "1", ERGI_FROM(1),
//          .doc = "how many"},
//         {"centre", ERGI_VEC3, ERGI_AT(disc, centre), .unit = "m", .normal = "[0, 0, 0]",
//          .doc = "where the first one lies"},
//     };
//     static const ergi_schema disc_schema = {"disc", ERGI_FIELDS(disc_fields),
//                                             .size = sizeof(disc)};
//
// What a field's type stores at its offset:
//
//     NUMBER, INTEGER  double or float; any integer type. With `words`, also a word's value
//     BOOLEAN, TEXT    bool; const char *
//     NAME             const char *; unique among its siblings in a list
//     REF              number, from 1, of the entry of that name under `space`, a key of the root,
//                      or under `space_too`
//     WORD             the word's value as an integer
//     FLAGS            the sum of the values of the words in a list (or of one word)
//     VEC3             erg_vec3; bounds are for each component
//     BLOCK            the struct of `schema`, in place; with `by_pointer`, in the arena or NULL;
//                      with `words`, a word may stand for the block, which then stays as it was
//     TUPLE            the same in place, written as a list in the order of the schema's fields
//     LIST             of blocks when `schema` is set, else of `item`, whose size is ERGI_ITEM:
//                      pointer and count (ERGI_LIST_AT), or an array in place (ERGI_AT with
//                      least == most). With `or_one`, a map stands for a list of one block;
//                      with `words`, a word may stand for the list and its value goes to
//                      ERGI_WORD_AT
//     MAP              pointer and count; the key of each entry goes to the schema's `name_at`
//     ANY              nothing; not looked into
//
// Alternatives: fields with the same `choice` (from 1, an index into the schema's choices) exclude
// each other. The one that is given stores its `variant` in the choice's member before it is read.
// Their members may share a union. A BLOCK without ERGI_AT is stored in the struct that contains
// it.
#ifndef ERGI_SCHEMA_H
#define ERGI_SCHEMA_H

#include "scene/tree.h"

typedef enum ergi_value_type {
    ERGI_NUMBER,
    ERGI_INTEGER,
    ERGI_BOOLEAN,
    ERGI_TEXT,
    ERGI_NAME,
    ERGI_REF,
    ERGI_WORD,
    ERGI_FLAGS,
    ERGI_VEC3,
    ERGI_BLOCK,
    ERGI_TUPLE,
    ERGI_LIST,
    ERGI_MAP,
    ERGI_ANY
} ergi_value_type;

typedef struct ergi_word {
    const char *word;
    double      value;
    bool        not_built; // valid, but rejected with "not in this build"
} ergi_word;

typedef struct ergi_schema ergi_schema;
typedef struct ergi_field  ergi_field;
typedef struct ergi_reader ergi_reader;

#define ERGI_ENTRIES 65536 // blocks in one list or map
#define ERGI_KEYS 128      // capacity for a path of keys, as in erg_error.field

#define ERGI_BOUND_LOW 1u       // there is a lower bound
#define ERGI_BOUND_HIGH 2u      // there is an upper bound
#define ERGI_BOUND_LOW_OPEN 4u  // the lower bound is excluded
#define ERGI_BOUND_HIGH_OPEN 8u // the upper bound is excluded
#define ERGI_BOUND_NONZERO 16u  // not 0; of a vector: not the zero vector

struct ergi_field {
    const char     *key; // NULL in the `item` of a list
    ergi_value_type type;
    size_t          at, size;             // offset in the struct; size 0: not stored
    size_t          count_at, count_size; // LIST and MAP by pointer
    const char     *member;               // name of the struct member, set by ERGI_AT
    const char     *sets;        // other members that it stands for, one for each entry of a
                                 // LIST: "lower upper"
    size_t given_at, given_size; // a bool that is set if the key is present; size 0: none

    const char *unit;   // NULL: dimensionless
    const char *normal; // the default, in YAML; NULL: the struct member is unchanged
    const char *doc;    // one line
    bool        required;
    bool        not_built;
    bool        by_pointer; // BLOCK
    bool        or_one;     // LIST of blocks

    unsigned bounds;
    double   low, high;
    size_t   least, most; // entries of a LIST or MAP; most 0: ERGI_ENTRIES for blocks

    const ergi_word   *words;
    size_t             word_count;
    size_t             word_at, word_size; // LIST with words
    const char        *space, *space_too;  // REF; numbers of the second continue those of the first
    const ergi_schema *schema;             // BLOCK, TUPLE, MAP, LIST of blocks
    const ergi_field  *item;               // LIST of anything else
    int                choice, variant;
};

typedef struct ergi_choice {
    const char *what;     // "shape"
    size_t      at, size; // where the variant is stored; size 0: nowhere
    const char *member;
    bool        optional;
} ergi_choice;

struct ergi_schema {
    const char        *name; // for messages: "fill entry"
    const ergi_field  *fields;
    size_t             field_count;
    size_t             size; // of the struct
    const ergi_choice *choices;
    size_t             choice_count;
    bool               named; // MAP entries: the key goes to name_at
    size_t             name_at;
    const char        *doc; // one or two sentences for the manual
    // Initialises an entry of a list or map before it is read; may be NULL.
    void (*init)(void *entry);
    // Checks an entry as a whole after its fields were read without error; may be NULL.
    void (*check)(ergi_reader *reader, const ergi_node *map, void *entry);
};

#define ERGI_AT(type_, member_)                                                                    \
    .at = offsetof(type_, member_), .size = sizeof(((type_ *)0)->member_), .member = #member_
#define ERGI_LIST_AT(type_, pointer_, count_)                                                      \
    ERGI_AT(type_, pointer_), .count_at = offsetof(type_, count_),                                 \
                              .count_size = sizeof(((type_ *)0)->count_)
#define ERGI_WORD_AT(type_, member_)                                                               \
    .word_at = offsetof(type_, member_), .word_size = sizeof(((type_ *)0)->member_)
#define ERGI_ITEM(type_) .size = sizeof(type_)
#define ERGI_GIVEN(type_, member_)                                                                 \
    .given_at = offsetof(type_, member_), .given_size = sizeof(((type_ *)0)->member_)
#define ERGI_FIELDS(array_) .fields = (array_), .field_count = sizeof(array_) / sizeof *(array_)
#define ERGI_CHOICES(array_) .choices = (array_), .choice_count = sizeof(array_) / sizeof *(array_)
#define ERGI_WORDS(array_) .words = (array_), .word_count = sizeof(array_) / sizeof *(array_)
#define ERGI_NAMED(type_, member_) .named = true, .name_at = offsetof(type_, member_)

#define ERGI_ABOVE(low_) .bounds = ERGI_BOUND_LOW | ERGI_BOUND_LOW_OPEN, .low = (low_)
#define ERGI_FROM(low_) .bounds = ERGI_BOUND_LOW, .low = (low_)
#define ERGI_FROM_TO(low_, high_)                                                                  \
    .bounds = ERGI_BOUND_LOW | ERGI_BOUND_HIGH, .low = (low_), .high = (high_)
#define ERGI_ABOVE_TO(low_, high_)                                                                 \
    .bounds = ERGI_BOUND_LOW | ERGI_BOUND_LOW_OPEN | ERGI_BOUND_HIGH, .low = (low_), .high = (high_)
#define ERGI_FROM_BELOW(low_, high_)                                                               \
    .bounds = ERGI_BOUND_LOW | ERGI_BOUND_HIGH | ERGI_BOUND_HIGH_OPEN, .low = (low_),              \
    .high = (high_)
#define ERGI_ABOVE_BELOW(low_, high_)                                                              \
    .bounds = ERGI_BOUND_LOW | ERGI_BOUND_LOW_OPEN | ERGI_BOUND_HIGH | ERGI_BOUND_HIGH_OPEN,       \
    .low = (low_), .high = (high_)
#define ERGI_NONZERO .bounds = ERGI_BOUND_NONZERO

// Reads the tree into `out`, a struct of schema->size bytes initialised by the caller. Texts, lists
// and maps are stored in the arena. All errors are added to the report; `out` is valid only if
// there are none.
void ergi_schema_read(const ergi_schema *schema, const ergi_node *root, void *out,
                      ergi_arena *arena, ergi_diagnostics *report);

// For `check` functions: reports an error of the entry at one of its keys, or at the entry itself
// if `key` is NULL or absent. The message begins with the path of the entry.
void ergi_reader_fault(ergi_reader *reader, const ergi_node *map, const char *key,
                       const char *format, ...) ERGI_PRINTF(4, 5);

// The same for an error of the API's check of a definition. It is reported at the key of
// err->field, which is a path in the names of the entry's struct.
void ergi_reader_fault_of(ergi_reader *reader, const ergi_schema *schema, const ergi_node *map,
                          const char *before, const erg_error *err);

// The node from which a struct member was read. `field` is a path in the names of the struct, as in
// erg_error; `map` is the entry. If the member has no node, the closest one above it. `keys` (may
// be NULL) receives its path relative to the entry, as in --set.
const ergi_node *ergi_schema_find(const ergi_schema *schema, const ergi_node *map,
                                  const char *field, char keys[ERGI_KEYS]);

// The manual: a Markdown table for every schema reachable from this one. NULL if out of memory.
const char *ergi_schema_doc(const ergi_schema *schema, ergi_arena *arena);

#endif
