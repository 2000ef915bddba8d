#include "io/bodies_file.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"
#include "io/file.h"
#include "io/number.h"
#include "io/vtp_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Writing -----------------------------------------------------------------------------------
typedef struct sizes {
    uint64_t bodies, points, triangles;
} sizes;

static sizes sizes_of(const ergi_posed_body *bodies, size_t count)
{
    sizes n = {.bodies = count};
    for (size_t i = 0; i < count; i++) {
        n.points += bodies[i].vertex_count;
        n.triangles += bodies[i].triangle_count;
    }
    return n;
}

// One <DataArray> whose values follow later; `offset` moves behind them. Field data also tells the
// number of rows.
static void declare(ergi_file *file, const char *type, const char *name, int columns, uint64_t rows,
                    uint64_t value_bytes, bool of_field, uint64_t *offset)
{
    char line[320], tuples[64] = "";
    if (of_field)
        snprintf(tuples, sizeof tuples, "NumberOfTuples=\"%llu\" ", (unsigned long long)rows);
    snprintf(line, sizeof line,
             "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" %s"
             "format=\"appended\" offset=\"%llu\"/>\n",
             type, name, columns, tuples, (unsigned long long)*offset);
    ergi_file_text(file, line);
    *offset += 8 + rows * (uint64_t)columns * value_bytes;
}

// Columns of the table of bodies behind the id and the rotation.
static const char *const VECTORS[] = {"body_position", "body_centre", "body_velocity",
                                      "body_spin",     "body_force",  "body_torque"};
enum { VECTOR_COUNT = sizeof VECTORS / sizeof *VECTORS };

static erg_vec3 vector_of(const ergi_posed_body *b, int which)
{
    const erg_vec3 all[VECTOR_COUNT] = {b->pose.position, b->centre, b->velocity,
                                        b->spin,          b->force,  b->torque};
    return all[which];
}

static void put_header(ergi_file *file, double time, sizes n)
{
    char     line[512], number[ERGI_NUMBER_ROOM];
    uint64_t offset = 0;
    snprintf(line, sizeof line,
             "<?xml version=\"1.0\"?>\n"
             "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
             "header_type=\"UInt64\">\n"
             "  <PolyData>\n"
             "    <FieldData>\n"
             "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
             "format=\"ascii\">%s</DataArray>\n",
             ergi_number(time, number));
    ergi_file_text(file, line);
    declare(file, "UInt32", "body_id", 1, n.bodies, 4, true, &offset);
    declare(file, "Float64", "body_rotation", 4, n.bodies, 8, true, &offset);
    for (int k = 0; k < VECTOR_COUNT; k++)
        declare(file, "Float64", VECTORS[k], 3, n.bodies, 8, true, &offset);
    snprintf(line, sizeof line,
             "    </FieldData>\n"
             "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
             "NumberOfStrips=\"0\" NumberOfPolys=\"%llu\">\n"
             "      <CellData Scalars=\"material\">\n",
             (unsigned long long)n.points, (unsigned long long)n.triangles);
    ergi_file_text(file, line);
    declare(file, "UInt32", "body", 1, n.triangles, 4, false, &offset);
    declare(file, "UInt32", "material", 1, n.triangles, 4, false, &offset);
    ergi_file_text(file, "      </CellData>\n      <Points>\n");
    declare(file, "Float32", "Points", 3, n.points, 4, false, &offset);
    ergi_file_text(file, "      </Points>\n      <Polys>\n");
    declare(file, "Int64", "connectivity", 1, 3 * n.triangles, 8, false, &offset);
    declare(file, "Int64", "offsets", 1, n.triangles, 8, false, &offset);
    ergi_file_text(file, "      </Polys>\n    </Piece>\n  </PolyData>\n"
                         "  <AppendedData encoding=\"raw\">\n   _");
}

static void put_table(ergi_file *file, const ergi_posed_body *bodies, size_t count)
{
    ergi_file_u64(file, 4 * count);
    for (size_t i = 0; i < count; i++) ergi_file_u32(file, bodies[i].pose.body);
    ergi_file_u64(file, 32 * count);
    for (size_t i = 0; i < count; i++) {
        erg_quat q = bodies[i].pose.rotation;
        ergi_file_f64(file, q.x);
        ergi_file_f64(file, q.y);
        ergi_file_f64(file, q.z);
        ergi_file_f64(file, q.w);
    }
    for (int k = 0; k < VECTOR_COUNT; k++) {
        ergi_file_u64(file, 24 * count);
        for (size_t i = 0; i < count; i++) {
            erg_vec3 v = vector_of(&bodies[i], k);
            ergi_file_f64(file, v.x);
            ergi_file_f64(file, v.y);
            ergi_file_f64(file, v.z);
        }
    }
}

static void put_points(ergi_file *file, const ergi_posed_body *b)
{
    for (size_t v = 0; v < b->vertex_count; v++) {
        const double *x = b->vertices + 3 * v;
        erg_vec3      at = ergi_add(b->pose.position,
                                    ergi_quat_rotate(b->pose.rotation, ergi_vec3(x[0], x[1], x[2])));
        ergi_file_f32(file, (float)at.x);
        ergi_file_f32(file, (float)at.y);
        ergi_file_f32(file, (float)at.z);
    }
}

static void put_triangles(ergi_file *file, const ergi_posed_body *bodies, size_t count, sizes n)
{
    ergi_file_u64(file, 4 * n.triangles);
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < bodies[i].triangle_count; t++)
            ergi_file_u32(file, bodies[i].pose.body);
    ergi_file_u64(file, 4 * n.triangles);
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < bodies[i].triangle_count; t++)
            ergi_file_u32(file, bodies[i].material);
    ergi_file_u64(file, 12 * n.points);
    for (size_t i = 0; i < count; i++) put_points(file, &bodies[i]);
    ergi_file_u64(file, 24 * n.triangles);
    uint64_t first = 0;
    for (size_t i = 0; i < count; first += bodies[i++].vertex_count)
        for (size_t k = 0; k < 3 * bodies[i].triangle_count; k++)
            ergi_file_u64(file, first + bodies[i].triangles[k]);
    ergi_file_u64(file, 8 * n.triangles);
    for (uint64_t t = 0; t < n.triangles; t++) ergi_file_u64(file, 3 * (t + 1));
}

erg_status ergi_bodies_write(const char *path, double time, const ergi_posed_body *bodies,
                             size_t count, erg_error *err)
{
    ergi_file *file;
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    sizes n = sizes_of(bodies, count);
    put_header(file, time, n);
    put_table(file, bodies, count);
    put_triangles(file, bodies, count, n);
    ergi_file_text(file, "\n  </AppendedData>\n</VTKFile>\n");
    return ergi_file_commit(file, NULL, err);
}

// ---- Reading -----------------------------------------------------------------------------------
static bool is_pose(const erg_body_pose *p, erg_id before)
{
    erg_quat q = p->rotation;
    double   norm = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return p->body > before && ergi_finite(p->position) && fabs(norm - 1) < 1e-6;
}

static const char *parse(const unsigned char *bytes, size_t size, erg_body_pose **poses,
                         size_t *count, erg_error *err)
{
    ergi_vtp       vtp;
    ergi_raw_field id, rotation, position;
    const char    *why = ergi_vtp_parse(&vtp, bytes, size);
    if (why) return why;
    const char *table = strstr(vtp.text, "Name=\"body_id\"");
    const char *rows = table ? strstr(table, "NumberOfTuples=\"") : NULL;
    if (!rows) return "no table of bodies";
    size_t n = (size_t)strtoull(rows + 16, NULL, 10);
    if (n > size || !ergi_vtp_find(&vtp, "body_id", 'u', 1, n, &id) ||
        !ergi_vtp_find(&vtp, "body_rotation", 'd', 4, n, &rotation) ||
        !ergi_vtp_find(&vtp, "body_position", 'd', 3, n, &position))
        return "its table of bodies is cut short";
    erg_body_pose *p = ergi_memory_new(n + 1, sizeof *p, "bodies of a snapshot", err);
    if (!p) return "";
    *poses = p;
    *count = n;
    for (size_t i = 0; i < n; i++) {
        p[i].body = (erg_id)ergi_raw_whole(&id, i);
        p[i].position =
            ergi_vec3(ergi_raw_number(&position, i, 0), ergi_raw_number(&position, i, 1),
                      ergi_raw_number(&position, i, 2));
        p[i].rotation =
            (erg_quat){ergi_raw_number(&rotation, i, 0), ergi_raw_number(&rotation, i, 1),
                       ergi_raw_number(&rotation, i, 2), ergi_raw_number(&rotation, i, 3)};
        if (!is_pose(&p[i], i ? p[i - 1].body : 0)) return "a body without a place";
    }
    return NULL;
}

erg_status ergi_bodies_read(const char *path, erg_body_pose **poses, size_t *count, erg_error *err)
{
    unsigned char *bytes = NULL;
    size_t         size = 0;
    *poses = NULL;
    *count = 0;
    erg_status status = ergi_file_read(path, &bytes, &size, err);
    if (status != ERG_OK) return status;
    const char *why = parse(bytes, size, poses, count, err);
    free(bytes);
    if (!why) return ERG_OK;
    ergi_memory_free(*poses);
    *poses = NULL;
    *count = 0;
    if (!*why) return ERG_NO_MEMORY;
    return ergi_fail(err, ERG_BAD_INPUT,
                     "'%s' is no file of erg's bodies or is damaged (%s): remove it, or run the "
                     "scene again",
                     path, why);
}
