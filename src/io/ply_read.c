// PLY as a mesh: ASCII or binary of either byte order. Properties may have any type; unknown
// elements and properties are skipped.
#include "base/memory.h"
#include "geom/polygon.h"
#include "io/mesh_file.h"
#include "io/ply_header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    ergi_text       text; // text.at is also the read position in a binary body
    const char     *begin;
    ergi_ply_header header;
    ergi_mesh      *mesh;
    uint32_t       *corner;
    size_t          corners, room;
    erg_error      *err;
} reader;

// "name:line: ..." in text, "name: byte N: ..." in binary; `at` is where the error is.
static erg_status fail_at(reader *r, const char *at, const char *format, ...) ERGI_PRINTF(3, 4);

static erg_status fail_at(reader *r, const char *at, const char *format, ...)
{
    char    sentence[512];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    if (r->header.order == ERGI_PLY_TEXT) return ergi_text_fail(&r->text, r->err, "%s", sentence);
    return ergi_fail_code(r->err, ERG_ERROR_BAD_FILE, "%s: byte %zu: %s", r->text.name,
                          (size_t)(at - r->begin), sentence);
}

// ---- Numbers -----------------------------------------------------------------------------------
static uint64_t bits_at(const unsigned char *b, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)b[i] << 8 * (big ? size - 1 - i : i);
    return bits;
}

static double value_of(uint64_t bits, ergi_ply_type type)
{
    uint32_t low = (uint32_t)bits;
    float    single;
    double   value;
    switch (type) {
    case ERGI_PLY_I8: return (double)(int8_t)bits;
    case ERGI_PLY_U8: return (double)(uint8_t)bits;
    case ERGI_PLY_I16: return (double)(int16_t)bits;
    case ERGI_PLY_U16: return (double)(uint16_t)bits;
    case ERGI_PLY_I32: return (double)(int32_t)low;
    case ERGI_PLY_U32: return (double)low;
    case ERGI_PLY_F32: memcpy(&single, &low, sizeof single); return (double)single;
    case ERGI_PLY_F64: break;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static erg_status get(reader *r, ergi_ply_type type, double *value)
{
    if (r->header.order == ERGI_PLY_TEXT) {
        ergi_token word;
        char       shown[ERGI_TOKEN_SHOWN];
        if (!ergi_text_any_token(&r->text, &word))
            return ergi_text_fail(&r->text, r->err,
                                  "the file is truncated: it ends before its last element");
        if (!ergi_token_number(word, value))
            return ergi_text_fail(&r->text, r->err, "expected a number, got %s",
                                  ergi_token_show(word, shown));
        return ERG_OK;
    }
    size_t size = ergi_ply_type_size(type);
    if ((size_t)(r->text.end - r->text.at) < size)
        return fail_at(r, r->text.end, "the file is truncated: it ends before its last element");
    bool big = r->header.order == ERGI_PLY_BIG;
    *value = value_of(bits_at((const unsigned char *)r->text.at, size, big), type);
    r->text.at += size;
    return ERG_OK;
}

static erg_status skip(reader *r, const ergi_ply_property *p)
{
    double     value, length = 1.0;
    erg_status status = p->list ? get(r, p->count_type, &length) : ERG_OK;
    for (double i = 0.0; status == ERG_OK && i < length; i++) status = get(r, p->type, &value);
    return status;
}

// ---- Elements ----------------------------------------------------------------------------------
static erg_status read_vertex(reader *r, const ergi_ply_element *e)
{
    double x[3] = {0};
    for (int i = 0; i < e->properties; i++) {
        const ergi_ply_property *p = &e->property[i];
        const char              *at = r->text.at;
        bool                     mine = p->role >= ERGI_PLY_X && p->role <= ERGI_PLY_Z;
        int                      k = mine ? (int)p->role - ERGI_PLY_X : 0;
        erg_status               status = mine ? get(r, p->type, &x[k]) : skip(r, p);
        if (status == ERG_OK && mine && !ergi_coordinate_good(x[k]))
            status = fail_at(r, at, "a coordinate is %g, expected a number up to %g", x[k],
                             ERGI_MESH_MAX_COORDINATE);
        if (status != ERG_OK) return status;
    }
    return ergi_mesh_add_vertex(r->mesh, ergi_vec3(x[0], x[1], x[2]), r->err);
}

// If an index is out of range but valid with its bytes reversed, the header probably declares the
// wrong byte order.
static const char *order_hint(const reader *r, const char *at, ergi_ply_type type)
{
    if (r->header.order == ERGI_PLY_TEXT) return "";
    bool   big = r->header.order == ERGI_PLY_BIG;
    double turned =
        value_of(bits_at((const unsigned char *)at, ergi_ply_type_size(type), !big), type);
    bool fits = turned >= 0.0 && turned < (double)r->mesh->vertices;
    return !fits ? "" : big ? "; is the file little endian?" : "; is the file big endian?";
}

static erg_status read_corners(reader *r, const ergi_ply_property *p)
{
    const char *at = r->text.at;
    double      length, index;
    erg_status  status = get(r, p->count_type, &length);
    if (status == ERG_OK && !(length >= 3.0 && length == floor(length)))
        status = fail_at(r, at, "a face needs 3 corners, got %g", length);
    r->corners = 0;
    for (double i = 0.0; status == ERG_OK && i < length; i++) {
        at = r->text.at;
        status = get(r, p->type, &index);
        if (status == ERG_OK &&
            !(index >= 0.0 && index < (double)r->mesh->vertices && index == floor(index)))
            status = fail_at(r, at, "a face refers to vertex %g, but there are %zu%s", index,
                             r->mesh->vertices, order_hint(r, at, p->type));
        if (status == ERG_OK)
            status = ergi_memory_grow(&r->corner, &r->room, r->corners + 1, sizeof *r->corner,
                                      "a face", r->err);
        if (status == ERG_OK) r->corner[r->corners++] = (uint32_t)index;
    }
    return status;
}

static erg_status read_face(reader *r, const ergi_ply_element *e)
{
    const char *at = r->text.at;
    for (int i = 0; i < e->properties; i++) {
        const ergi_ply_property *p = &e->property[i];
        erg_status status = p->role == ERGI_PLY_CORNERS ? read_corners(r, p) : skip(r, p);
        if (status != ERG_OK) return status;
    }
    erg_error  why;
    erg_status status = ergi_polygon_add(r->mesh, r->corner, r->corners, &why);
    return status == ERG_OK          ? ERG_OK
           : status == ERG_BAD_INPUT ? fail_at(r, at, "%s", why.text)
                                     : ergi_fail_as(r->err, &why, "%s", why.text);
}

static erg_status skip_element(reader *r, const ergi_ply_element *e)
{
    erg_status status = ERG_OK;
    for (int i = 0; i < e->properties && status == ERG_OK; i++) status = skip(r, &e->property[i]);
    return status;
}

// Minimum size of one element; a number in text takes at least a digit and a blank.
static size_t least_bytes(const reader *r, const ergi_ply_element *e)
{
    size_t bytes = 0;
    for (int i = 0; i < e->properties; i++) {
        const ergi_ply_property *p = &e->property[i];
        bytes += r->header.order == ERGI_PLY_TEXT
                     ? 2
                     : ergi_ply_type_size(p->list ? p->count_type : p->type);
    }
    return bytes;
}

static erg_status read_elements(reader *r, const ergi_ply_element *e)
{
    size_t left = (size_t)(r->text.end - r->text.at) + 1,
           each = least_bytes(r, e); // + 1: the last blank may be missing
    if (e->count > 0 && e->count > left / each) {
        ergi_text declaration = r->text;
        declaration.line = e->line;
        return ergi_text_fail(&declaration, r->err,
                              "the header declares %llu elements, but the remaining bytes hold at "
                              "most %zu: the file is truncated",
                              (unsigned long long)e->count, left / each);
    }
    erg_status status = ERG_OK;
    for (uint64_t i = 0; i < e->count && status == ERG_OK; i++)
        status = e->kind == ERGI_PLY_VERTEX ? read_vertex(r, e)
                 : e->kind == ERGI_PLY_FACE ? read_face(r, e)
                                            : skip_element(r, e);
    return status;
}

erg_status ergi_ply_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err)
{
    reader r = {.begin = (const char *)bytes, .mesh = mesh, .err = err};
    ergi_text_open(&r.text, name, bytes, size);
    erg_status status = ergi_ply_header_read(&r.text, &r.header, err);
    for (int i = 0; i < r.header.elements && status == ERG_OK; i++)
        status = read_elements(&r, &r.header.element[i]);
    ergi_text_close(&r.text);
    ergi_memory_free(r.corner);
    return status;
}
