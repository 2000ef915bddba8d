// STL: a list of triangles, text or binary. Each triangle has its own corners; corners at equal
// positions are merged into one vertex, because that is the only connectivity in the format.
// Normals in the file are ignored: they follow from the order of the corners.
#include "base/memory.h"
#include "geom/polygon.h"
#include "io/mesh_file.h"
#include "io/text.h"

#include <string.h>

enum { HEADER = 84, RECORD = 50 }; // bytes

// ---- Binary ------------------------------------------------------------------------------------
static uint32_t u32_at(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float f32_at(const unsigned char *b)
{
    uint32_t bits = u32_at(b);
    float    value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool size_fits(size_t size, uint32_t count)
{
    return size == HEADER + (uint64_t)RECORD * count;
}

static erg_status parse_binary(const char *name, const unsigned char *bytes, size_t size,
                               ergi_mesh *mesh, erg_error *err)
{
    if (size < HEADER)
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "%s: byte %zu: the file ends within its first %d bytes, and is not a "
                              "text file, which begins with 'solid'",
                              name, size, HEADER);
    const unsigned char *c = bytes + 80;
    uint32_t             count = u32_at(c);
    uint32_t turned = c[3] | (uint32_t)c[2] << 8 | (uint32_t)c[1] << 16 | (uint32_t)c[0] << 24;
    if (!size_fits(size, count) && size_fits(size, turned))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "%s: byte 80: the numbers are big endian, but STL is little endian",
                              name);
    if (!size_fits(size, count))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "%s: byte 80: %u triangles take %llu bytes, but the file has %zu",
                              name, count, HEADER + (unsigned long long)RECORD * count, size);
    for (size_t t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) {
            size_t at = HEADER + RECORD * t + 12 + 12 * (size_t)k;
            double x[3];
            for (size_t i = 0; i < 3; i++) {
                x[i] = (double)f32_at(bytes + at + 4 * i);
                if (!ergi_coordinate_good(x[i]))
                    return ergi_fail_code(
                        err, ERG_ERROR_BAD_FILE,
                        "%s: byte %zu: a coordinate is %g, expected a number up to %g", name,
                        at + 4 * i, x[i], ERGI_MESH_MAX_COORDINATE);
            }
            erg_status status = ergi_mesh_add_vertex(mesh, ergi_vec3(x[0], x[1], x[2]), err);
            size_t     v = mesh->vertices;
            if (status == ERG_OK && k == 2)
                status = ergi_mesh_add_triangle(mesh, v - 3, v - 2, v - 1, err);
            if (status != ERG_OK) return status;
        }
    return ERG_OK;
}

// ---- Text --------------------------------------------------------------------------------------
typedef struct reader {
    ergi_text  text;
    ergi_mesh *mesh;
    uint32_t  *corner;
    size_t     corners, room;
    erg_error *err;
} reader;

static erg_status get(reader *r, ergi_token *word, const char *wanted)
{
    if (ergi_text_any_token(&r->text, word)) return ERG_OK;
    return ergi_text_fail(&r->text, r->err, "the file is truncated: it ends where %s is expected",
                          wanted);
}

static erg_status unexpected(reader *r, ergi_token word, const char *wanted)
{
    char shown[ERGI_TOKEN_SHOWN];
    return ergi_text_fail(&r->text, r->err, "expected %s, got %s", wanted,
                          ergi_token_show(word, shown));
}

static erg_status expect(reader *r, const char *wanted)
{
    ergi_token word = {0};
    erg_status status = get(r, &word, wanted);
    if (status == ERG_OK && !ergi_token_is(word, wanted)) status = unexpected(r, word, wanted);
    return status;
}

// Called after the word `vertex`.
static erg_status read_vertex(reader *r)
{
    double     x[3] = {0};
    erg_status status = ERG_OK;
    for (int k = 0; k < 3 && status == ERG_OK; k++) {
        ergi_token word = {0};
        status = get(r, &word, "a coordinate");
        if (status == ERG_OK && (!ergi_token_number(word, &x[k]) || !ergi_coordinate_good(x[k])))
            status = unexpected(r, word, "a coordinate, a number up to 1e30");
    }
    if (status == ERG_OK)
        status = ergi_memory_grow(&r->corner, &r->room, r->corners + 1, sizeof *r->corner,
                                  "a facet", r->err);
    if (status != ERG_OK) return status;
    r->corner[r->corners++] = (uint32_t)r->mesh->vertices;
    return ergi_mesh_add_vertex(r->mesh, ergi_vec3(x[0], x[1], x[2]), r->err);
}

// Called after the word `facet`: "normal x y z outer loop vertex ... endloop endfacet".
static erg_status read_facet(reader *r)
{
    ergi_token word = {0};
    erg_status status = expect(r, "normal");
    for (int k = 0; k < 3 && status == ERG_OK; k++) status = get(r, &word, "a normal");
    if (status == ERG_OK) status = expect(r, "outer");
    if (status == ERG_OK) status = expect(r, "loop");
    r->corners = 0;
    while (status == ERG_OK) {
        status = get(r, &word, "vertex or endloop");
        if (status != ERG_OK || ergi_token_is(word, "endloop")) break;
        status = ergi_token_is(word, "vertex") ? read_vertex(r)
                                               : unexpected(r, word, "vertex or endloop");
    }
    if (status == ERG_OK) status = expect(r, "endfacet");
    if (status != ERG_OK) return status;
    if (r->corners < 3)
        return ergi_text_fail(&r->text, r->err, "a facet needs 3 vertices, got %zu", r->corners);
    erg_error why;
    status = ergi_polygon_add(r->mesh, r->corner, r->corners, &why);
    return status == ERG_OK          ? ERG_OK
           : status == ERG_BAD_INPUT ? ergi_text_fail(&r->text, r->err, "%s", why.text)
                                     : ergi_fail_as(r->err, &why, "%s", why.text);
}

// Called after the word `solid`; the rest of the line is a name.
static erg_status read_solid(reader *r)
{
    ergi_text_next_line(&r->text);
    for (;;) {
        ergi_token word = {0};
        erg_status status = get(r, &word, "facet or endsolid");
        if (status != ERG_OK) return status;
        if (ergi_token_is(word, "endsolid")) break;
        status =
            ergi_token_is(word, "facet") ? read_facet(r) : unexpected(r, word, "facet or endsolid");
        if (status != ERG_OK) return status;
    }
    ergi_text_next_line(&r->text);
    return ERG_OK;
}

static erg_status parse_text(const char *name, const unsigned char *bytes, size_t size,
                             ergi_mesh *mesh, erg_error *err)
{
    reader     r = {.mesh = mesh, .err = err};
    erg_status status = ERG_OK;
    ergi_token word;
    ergi_text_open(&r.text, name, bytes, size);
    while (status == ERG_OK && ergi_text_any_token(&r.text, &word))
        status = ergi_token_is(word, "solid") ? read_solid(&r)
                                              : unexpected(&r, word, "solid or the end");
    ergi_text_close(&r.text);
    ergi_memory_free(r.corner);
    return status;
}

// Binary files may begin with "solid" too, but their size matches their triangle count.
static bool is_text(const char *name, const unsigned char *bytes, size_t size)
{
    if (size >= HEADER && size_fits(size, u32_at(bytes + 80))) return false;
    ergi_text  text;
    ergi_token word;
    ergi_text_open(&text, name, bytes, size);
    bool solid = ergi_text_any_token(&text, &word) && ergi_token_is(word, "solid");
    ergi_text_close(&text);
    return solid;
}

erg_status ergi_stl_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err)
{
    erg_status status = is_text(name, bytes, size) ? parse_text(name, bytes, size, mesh, err)
                                                   : parse_binary(name, bytes, size, mesh, err);
    size_t     merged;
    if (status == ERG_OK) status = ergi_mesh_weld(mesh, 0.0, false, &merged, err);
    return status;
}
