// OBJ: `v x y z` and `f a b c ...`; all other statements (normals, textures, groups, materials,
// lines, points) do not affect the shape and are ignored. Faces may refer to vertices that come
// later, so vertices are read first.
#include "base/memory.h"
#include "geom/polygon.h"
#include "io/mesh_file.h"
#include "io/text.h"

typedef struct reader {
    ergi_text  text;
    ergi_mesh *mesh;
    size_t     seen; // vertices up to this line
    uint32_t  *corner;
    size_t     corners, room;
    erg_error *err;
} reader;

// The next word of a statement; a backslash at the end of a line continues it on the next line.
static bool next_word(reader *r, ergi_token *word)
{
    while (ergi_text_token(&r->text, word)) {
        if (word->length != 1 || word->at[0] != '\\') return word->at[0] != '#';
        if (!ergi_text_next_line(&r->text)) return false;
    }
    return false;
}

static erg_status read_vertex(reader *r)
{
    double     x[3];
    ergi_token word;
    char       shown[ERGI_TOKEN_SHOWN];
    for (int k = 0; k < 3; k++) {
        if (!next_word(r, &word))
            return ergi_text_fail(&r->text, r->err, "a vertex needs 3 coordinates, got %d", k);
        if (!ergi_token_number(word, &x[k]) || !ergi_coordinate_good(x[k]))
            return ergi_text_fail(&r->text, r->err,
                                  "a coordinate must be a number up to %g, got %s",
                                  ERGI_MESH_MAX_COORDINATE, ergi_token_show(word, shown));
    }
    return ergi_mesh_add_vertex(r->mesh, ergi_vec3(x[0], x[1], x[2]), r->err);
}

// "7", "7/1", "7//3", "7/1/3": the first number is the vertex, counted from 1, or backwards from
// the most recent one if negative.
static erg_status read_corner(reader *r, ergi_token word)
{
    char       shown[ERGI_TOKEN_SHOWN];
    ergi_token index = word;
    int64_t    i, count = (int64_t)r->mesh->vertices;
    for (index.length = 0; index.length < word.length; index.length++)
        if (word.at[index.length] == '/') break;
    if (!ergi_token_integer(index, &i))
        return ergi_text_fail(&r->text, r->err, "a face refers to vertices by number, got %s",
                              ergi_token_show(word, shown));
    int64_t at = i < 0 ? (int64_t)r->seen + i : i - 1;
    if (at < 0 || at >= count)
        return ergi_text_fail(&r->text, r->err,
                              "there is no vertex %s: the file has %lld, %zu of them above",
                              ergi_token_show(index, shown), (long long)count, r->seen);
    erg_status status =
        ergi_memory_grow(&r->corner, &r->room, r->corners + 1, sizeof *r->corner, "a face", r->err);
    if (status == ERG_OK) r->corner[r->corners++] = (uint32_t)at;
    return status;
}

static erg_status read_face(reader *r)
{
    erg_status status = ERG_OK;
    ergi_token word;
    r->corners = 0;
    while (status == ERG_OK && next_word(r, &word)) status = read_corner(r, word);
    if (status != ERG_OK) return status;
    if (r->corners < 3)
        return ergi_text_fail(&r->text, r->err, "a face needs 3 corners, got %zu", r->corners);
    erg_error why;
    status = ergi_polygon_add(r->mesh, r->corner, r->corners, &why);
    return status == ERG_OK          ? ERG_OK
           : status == ERG_BAD_INPUT ? ergi_text_fail(&r->text, r->err, "%s", why.text)
                                     : ergi_fail_as(r->err, &why, "%s", why.text);
}

static bool is_keyword(ergi_token word)
{
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
    }
    return true;
}

// Vertices in the first pass, faces in the second.
static erg_status read_lines(reader *r, bool faces)
{
    erg_status status = ERG_OK;
    do {
        ergi_token word;
        char       shown[ERGI_TOKEN_SHOWN];
        if (!next_word(r, &word)) continue;
        if (ergi_token_is(word, "v") && faces)
            r->seen++;
        else if (ergi_token_is(word, "v"))
            status = read_vertex(r);
        else if (ergi_token_is(word, "f") && faces)
            status = read_face(r);
        else if (!is_keyword(word))
            status = ergi_text_fail(&r->text, r->err, "expected a statement such as v or f, got %s",
                                    ergi_token_show(word, shown));
        while (next_word(r, &word)) {} // skip the rest, continuation lines included
    } while (status == ERG_OK && ergi_text_next_line(&r->text));
    return status;
}

erg_status ergi_obj_parse(const char *name, const unsigned char *bytes, size_t size,
                          ergi_mesh *mesh, erg_error *err)
{
    reader     r = {.mesh = mesh, .err = err};
    erg_status status = ERG_OK;
    for (int pass = 0; pass < 2 && status == ERG_OK; pass++) {
        ergi_text_open(&r.text, name, bytes, size);
        status = read_lines(&r, pass == 1);
        ergi_text_close(&r.text);
    }
    ergi_memory_free(r.corner);
    return status;
}
