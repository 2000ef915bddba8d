#include "io/ply_header.h"

static const struct {
    const char   *name;
    ergi_ply_type type;
} TYPES[] = {
    {"char", ERGI_PLY_I8},     {"int8", ERGI_PLY_I8},     {"uchar", ERGI_PLY_U8},
    {"uint8", ERGI_PLY_U8},    {"short", ERGI_PLY_I16},   {"int16", ERGI_PLY_I16},
    {"ushort", ERGI_PLY_U16},  {"uint16", ERGI_PLY_U16},  {"int", ERGI_PLY_I32},
    {"int32", ERGI_PLY_I32},   {"uint", ERGI_PLY_U32},    {"uint32", ERGI_PLY_U32},
    {"float", ERGI_PLY_F32},   {"float32", ERGI_PLY_F32}, {"double", ERGI_PLY_F64},
    {"float64", ERGI_PLY_F64},
};

size_t ergi_ply_type_size(ergi_ply_type type)
{
    static const unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static erg_status unexpected(const ergi_text *text, ergi_token word, const char *wanted,
                             erg_error *err)
{
    char shown[ERGI_TOKEN_SHOWN];
    return ergi_text_fail(text, err, "expected %s, got %s", wanted, ergi_token_show(word, shown));
}

static erg_status read_format(ergi_text *text, ergi_ply_header *header, erg_error *err)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    ergi_token               word, version;
    bool                     known = false;
    ergi_text_token(text, &word);
    ergi_text_token(text, &version);
    for (int i = 0; i < 3 && !known; i++)
        if (ergi_token_is(word, names[i])) {
            header->order = (ergi_ply_order)i;
            known = true;
        }
    if (!known)
        return unexpected(text, word, "ascii, binary_little_endian or binary_big_endian", err);
    if (!ergi_token_is(version, "1.0")) return unexpected(text, version, "version 1.0", err);
    return ERG_OK;
}

static erg_status read_element(ergi_text *text, ergi_ply_header *header, erg_error *err)
{
    ergi_token name, number;
    int64_t    count;
    if (!ergi_text_token(text, &name))
        return ergi_text_fail(text, err, "an element needs a name and a count");
    ergi_text_token(text, &number);
    if (!ergi_token_integer(number, &count) || count < 0)
        return unexpected(text, number, "a count of elements", err);
    if (header->elements == ERGI_PLY_ELEMENTS)
        return ergi_text_fail(text, err, "more than %d kinds of elements", ERGI_PLY_ELEMENTS);
    ergi_ply_element *e = &header->element[header->elements++];
    e->count = (uint64_t)count;
    e->line = text->line;
    e->kind = ergi_token_is(name, "vertex") ? ERGI_PLY_VERTEX
              : ergi_token_is(name, "face") ? ERGI_PLY_FACE
                                            : ERGI_PLY_UNKNOWN;
    for (int i = 0; i + 1 < header->elements; i++)
        if (e->kind != ERGI_PLY_UNKNOWN && header->element[i].kind == e->kind)
            return ergi_text_fail(text, err, "this element is declared twice");
    return ERG_OK;
}

static erg_status read_type(ergi_text *text, ergi_token word, ergi_ply_type *type, erg_error *err)
{
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (ergi_token_is(word, TYPES[i].name)) {
            *type = TYPES[i].type;
            return ERG_OK;
        }
    return unexpected(text, word, "a type such as float or uchar", err);
}

static ergi_ply_role role_of(const ergi_ply_element *e, const ergi_ply_property *p, ergi_token name)
{
    static const char *const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++)
        if (e->kind == ERGI_PLY_VERTEX && !p->list && ergi_token_is(name, axes[k]))
            return (ergi_ply_role)(ERGI_PLY_X + k);
    if (e->kind == ERGI_PLY_FACE && p->list &&
        (ergi_token_is(name, "vertex_indices") || ergi_token_is(name, "vertex_index")))
        return ERGI_PLY_CORNERS;
    return ERGI_PLY_OTHER;
}

static erg_status read_property(ergi_text *text, ergi_ply_header *header, erg_error *err)
{
    if (header->elements == 0) return ergi_text_fail(text, err, "a property before any element");
    ergi_ply_element *e = &header->element[header->elements - 1];
    if (e->properties == ERGI_PLY_PROPERTIES)
        return ergi_text_fail(text, err, "more than %d properties", ERGI_PLY_PROPERTIES);
    ergi_ply_property p = {0};
    ergi_token        word;
    erg_status        status = ERG_OK;
    ergi_text_token(text, &word);
    p.list = ergi_token_is(word, "list");
    if (p.list) {
        ergi_text_token(text, &word);
        status = read_type(text, word, &p.count_type, err);
        if (status == ERG_OK && p.count_type >= ERGI_PLY_F32)
            status = unexpected(text, word, "a whole number type for the length of a list", err);
        ergi_text_token(text, &word);
    }
    if (status == ERG_OK) status = read_type(text, word, &p.type, err);
    if (status != ERG_OK) return status;
    if (!ergi_text_token(text, &word)) return ergi_text_fail(text, err, "a property needs a name");
    p.role = role_of(e, &p, word);
    for (int i = 0; i < e->properties; i++)
        if (p.role != ERGI_PLY_OTHER && e->property[i].role == p.role)
            return ergi_text_fail(text, err, "this property is declared twice");
    e->property[e->properties++] = p;
    return ERG_OK;
}

static bool has_role(const ergi_ply_element *e, ergi_ply_role role)
{
    for (int i = 0; i < e->properties; i++)
        if (e->property[i].role == role) return true;
    return false;
}

static erg_status check(const ergi_text *text, const ergi_ply_header *header, erg_error *err)
{
    bool vertices = false, faces = false;
    for (int i = 0; i < header->elements; i++) {
        const ergi_ply_element *e = &header->element[i];
        ergi_text               place = *text;
        place.line = e->line;
        if (e->properties == 0 && e->count > 0)
            return ergi_text_fail(&place, err, "an element without properties");
        if (e->kind == ERGI_PLY_VERTEX) {
            if (!has_role(e, ERGI_PLY_X) || !has_role(e, ERGI_PLY_Y) || !has_role(e, ERGI_PLY_Z))
                return ergi_text_fail(&place, err, "vertices need the properties x, y and z");
            vertices = true;
        }
        if (e->kind == ERGI_PLY_FACE) {
            if (!vertices) return ergi_text_fail(&place, err, "faces must come after the vertices");
            if (!has_role(e, ERGI_PLY_CORNERS))
                return ergi_text_fail(&place, err, "faces need a list called vertex_indices");
            faces = true;
        }
    }
    if (!faces)
        return ergi_text_fail(text, err,
                              "the header declares no %s: points alone do not form a surface",
                              vertices ? "faces" : "vertices");
    return ERG_OK;
}

erg_status ergi_ply_header_read(ergi_text *text, ergi_ply_header *header, erg_error *err)
{
    *header = (ergi_ply_header){0};
    ergi_token word;
    bool       formatted = false;
    erg_status status = ERG_OK;
    ergi_text_token(text, &word);
    if (!ergi_token_is(word, "ply"))
        return unexpected(text, word, "ply at the beginning of a PLY file", err);
    while (status == ERG_OK) {
        if (!ergi_text_next_line(text))
            return ergi_text_fail(text, err, "the file is truncated: it ends within its header");
        if (!ergi_text_token(text, &word)) continue;
        if (ergi_token_is(word, "end_header")) break;
        if (ergi_token_is(word, "comment") || ergi_token_is(word, "obj_info")) continue;
        if (ergi_token_is(word, "format")) {
            status = read_format(text, header, err);
            formatted = true;
        } else if (ergi_token_is(word, "element"))
            status = read_element(text, header, err);
        else if (ergi_token_is(word, "property"))
            status = read_property(text, header, err);
        else
            status = unexpected(text, word, "format, element, property or end_header", err);
    }
    if (status == ERG_OK && !formatted)
        status = ergi_text_fail(text, err, "the header declares no format");
    if (status == ERG_OK) status = check(text, header, err);
    if (status == ERG_OK) ergi_text_next_line(text);
    return status;
}
