#include "io/bodies_file.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"
#include "io/vtp_parts.h"
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

// Columns of the table of bodies after the id and the rotation.
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
    char     line[512];
    uint64_t offset = 0, rows = n.bodies, cells = n.triangles;
    ergi_vtp_begin(file, time);
    ergi_vtp_declare_field(file, &(ergi_vtp_array){"UInt32", "body_id", 1, rows, 4}, &offset);
    ergi_vtp_declare_field(file, &(ergi_vtp_array){"Float64", "body_rotation", 4, rows, 8},
                           &offset);
    for (int k = 0; k < VECTOR_COUNT; k++)
        ergi_vtp_declare_field(file, &(ergi_vtp_array){"Float64", VECTORS[k], 3, rows, 8}, &offset);
    snprintf(line, sizeof line,
             "    </FieldData>\n"
             "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
             "NumberOfStrips=\"0\" NumberOfPolys=\"%llu\">\n"
             "      <CellData Scalars=\"material\">\n",
             (unsigned long long)n.points, (unsigned long long)cells);
    ergi_file_text(file, line);
    ergi_vtp_declare(file, &(ergi_vtp_array){"UInt32", "body", 1, cells, 4}, &offset);
    ergi_vtp_declare(file, &(ergi_vtp_array){"UInt32", "material", 1, cells, 4}, &offset);
    ergi_file_text(file, "      </CellData>\n      <Points>\n");
    ergi_vtp_declare(file, &(ergi_vtp_array){"Float32", "Points", 3, n.points, 4}, &offset);
    ergi_file_text(file, "      </Points>\n      <Polys>\n");
    ergi_vtp_declare(file, &(ergi_vtp_array){"Int64", "connectivity", 1, 3 * cells, 8}, &offset);
    ergi_vtp_declare(file, &(ergi_vtp_array){"Int64", "offsets", 1, cells, 8}, &offset);
    ergi_file_text(file, "      </Polys>\n");
    ergi_vtp_begin_data(file);
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
    ergi_vtp_end(file);
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
        return "its table of bodies is truncated";
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
        if (!is_pose(&p[i], i ? p[i - 1].body : 0)) return "a body has no valid pose";
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
                     "'%s' is not a file of bodies written by erg, or is damaged (%s): remove it, "
                     "or run the scene again",
                     path, why);
}
