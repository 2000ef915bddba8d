// The header of a PLY file: its elements and their properties.
#ifndef ERGI_PLY_HEADER_H
#define ERGI_PLY_HEADER_H

#include "io/text.h"

typedef enum ergi_ply_type {
    ERGI_PLY_I8,
    ERGI_PLY_U8,
    ERGI_PLY_I16,
    ERGI_PLY_U16,
    ERGI_PLY_I32,
    ERGI_PLY_U32,
    ERGI_PLY_F32,
    ERGI_PLY_F64
} ergi_ply_type;

typedef enum ergi_ply_order { ERGI_PLY_TEXT, ERGI_PLY_LITTLE, ERGI_PLY_BIG } ergi_ply_order;

// Meaning of a property, derived from its name.
typedef enum ergi_ply_role {
    ERGI_PLY_OTHER,
    ERGI_PLY_X,
    ERGI_PLY_Y,
    ERGI_PLY_Z,
    ERGI_PLY_CORNERS
} ergi_ply_role;

typedef struct ergi_ply_property {
    ergi_ply_type type;
    ergi_ply_type count_type; // type of a list's length
    bool          list;
    ergi_ply_role role;
} ergi_ply_property;

enum { ERGI_PLY_ELEMENTS = 16, ERGI_PLY_PROPERTIES = 64 };

typedef enum ergi_ply_kind { ERGI_PLY_UNKNOWN, ERGI_PLY_VERTEX, ERGI_PLY_FACE } ergi_ply_kind;

typedef struct ergi_ply_element {
    ergi_ply_kind     kind;
    uint64_t          count;
    size_t            line; // of its declaration
    int               properties;
    ergi_ply_property property[ERGI_PLY_PROPERTIES];
} ergi_ply_element;

typedef struct ergi_ply_header {
    ergi_ply_order   order;
    int              elements;
    ergi_ply_element element[ERGI_PLY_ELEMENTS];
} ergi_ply_header;

size_t ergi_ply_type_size(ergi_ply_type type); // [bytes]

// Stops at the first byte after the header. Rejects a header without vertices that have x, y and z,
// or without faces after them.
erg_status ergi_ply_header_read(ergi_text *text, ergi_ply_header *header, erg_error *err);

#endif
