// The schema engine: a table says what a scene may hold, and the table alone reads, checks, fills
// in defaults, guesses at misspelt keys and writes the manual.
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
//     BLOCK            the struct of `schema`, in place; with `by_pointer`, in the arena or NULL
//     TUPLE            the same in place, written as a list in the order of the schema's fields
//     LIST             of blocks when `schema` is set, else of `item`, whose size is ERGI_ITEM:
//                      pointer and count (ERGI_LIST_AT), or an array in place (ERGI_AT with
//                      least == most). With `or_one`, a map stands for a list of one block;
//                      with `words`, a word may stand for the list and its value goes to
//                      ERGI_WORD_AT
//     MAP              pointer and count; the key of each entry goes to the schema's `name_at`
//     ANY              nothing; not looked into
//
// Alternatives: fields that bear the number of one of the schema's choices (from 1) exclude each
// other, and the one that is given writes its `variant` to the choice's place before it is read.
// Their members may share a union. A BLOCK without ERGI_AT writes into the struct it stands in.
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
    bool        not_built; // known, and answered with "not in this build"
} ergi_word;

typedef struct ergi_schema ergi_schema;
typedef struct ergi_field  ergi_field;
typedef struct ergi_reader ergi_reader;

#define ERGI_ENTRIES 65536 // blocks in one list or map
#define ERGI_KEYS 128      // room for a path of keys, as in erg_error.field

#define ERGI_BOUND_LOW 1u       // low counts
#define ERGI_BOUND_HIGH 2u      // high counts
#define ERGI_BOUND_LOW_OPEN 4u  // low itself is outside
#define ERGI_BOUND_HIGH_OPEN 8u // high itself is outside
#define ERGI_BOUND_NONZERO 16u  // not 0; of a vector: not the zero vector

struct ergi_field {
    const char     *key; // NULL in the `item` of a list
    ergi_value_type type;
    size_t          at, size;             // place in the struct; size 0: not stored
    size_t          count_at, count_size; // LIST and MAP by pointer
    const char     *member;               // its name, where ERGI_AT gave the place
    const char     *sets;        // other members that it stands for, one for each entry of a
                                 // LIST: "lower upper"
    size_t given_at, given_size; // a bool that tells whether the key was there; size 0: none

    const char *unit;   // NULL: a pure number
    const char *normal; // the default, in YAML; NULL: the struct keeps what it held
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
    const char        *space, *space_too; // REF; names of the second are numbered on from the first
    const ergi_schema *schema;            // BLOCK, TUPLE, MAP, LIST of blocks
    const ergi_field  *item;              // LIST of anything else
    int                choice, variant;
};

typedef struct ergi_choice {
    const char *what;     // "shape"
    size_t      at, size; // where the variant goes; size 0: nowhere
    const char *member;
    bool        optional;
} ergi_choice;

struct ergi_schema {
    const char        *name; // "fill entry"
    const ergi_field  *fields;
    size_t             field_count;
    size_t             size; // of the struct
    const ergi_choice *choices;
    size_t             choice_count;
    bool               named; // MAP entries: the key goes to name_at
    size_t             name_at;
    const char        *doc;    // a sentence or two for the manual
    void (*init)(void *entry); // sets up an entry of a list or map before it is read; may be NULL
    // Looks at an entry as a whole once its fields are read without fault; may be NULL.
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

// Reads the tree into `out`, a struct of schema->size bytes that the caller set up. Texts, lists
// and maps live in the arena. Every fault goes to the report; `out` is of use only when there was
// none.
void ergi_schema_read(const ergi_schema *schema, const ergi_node *root, void *out,
                      ergi_arena *arena, ergi_diagnostics *report);

// For the `check` functions: a fault of the entry, placed at one of its keys, or at the entry
// itself when `key` is NULL or absent. The message begins with the path of the entry.
void ergi_reader_fault(ergi_reader *reader, const ergi_node *map, const char *key,
                       const char *format, ...) ERGI_PRINTF(4, 5);

// The same for what the check of a definition has said: placed at the key of err->field, which is
// in the names of the entry's struct.
void ergi_reader_fault_of(ergi_reader *reader, const ergi_schema *schema, const ergi_node *map,
                          const char *before, const erg_error *err);

// The node that a member of the struct was read from: `field` is a path in the struct's own names,
// as in erg_error. `map` is the entry; the nearest to the member that it has. `keys`, which may be
// NULL, receives the way there from the entry, as --set takes it.
const ergi_node *ergi_schema_find(const ergi_schema *schema, const ergi_node *map,
                                  const char *field, char keys[ERGI_KEYS]);

// The manual: a Markdown table for every schema reachable from this one. NULL when memory is out.
const char *ergi_schema_doc(const ergi_schema *schema, ergi_arena *arena);

#endif
