#include "geom/primitive.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SEGMENTS = 4096, MAX_RINGS = MAX_SEGMENTS + 8 };

// With its tree and edges a triangle takes about 220 bytes; 2^22 of them take 0.9 GB.
enum { MAX_TRIANGLES = 1 << 22, TRIANGLE_BYTES = 220 };

static const char *const NAMES[] = {"box",   "sphere", "cylinder", "cone",  "capsule",
                                    "torus", "tube",   "plate",    "bucket"};
enum { KINDS = sizeof NAMES / sizeof *NAMES };

const char *erg_primitive_name(erg_primitive_kind kind)
{
    return (unsigned)kind < KINDS ? NAMES[kind] : NULL;
}

bool erg_primitive_find(const char *name, erg_primitive_kind *kind)
{
    if (!name || !kind) return false;
    for (int i = 0; i < KINDS; i++)
        if (strcmp(NAMES[i], name) == 0) {
            *kind = (erg_primitive_kind)i;
            return true;
        }
    return false;
}

erg_primitive erg_primitive_default(erg_primitive_kind kind)
{
    return (erg_primitive){.kind = kind,
                           .size = {1.0, 1.0, 1.0},
                           .radius = 0.5,
                           .height = 1.0,
                           .thickness = kind == ERG_PRIMITIVE_TORUS ? 0.4 : 0.1,
                           .taper = 0.75,
                           .segments = 48};
}

// ---- Surfaces of revolution --------------------------------------------------------------------
// An outline of points (r, z) that runs upwards on the outside. It begins and ends on the axis, or
// is a ring that closes on itself.
typedef struct outline {
    int    count;
    bool   ring;
    double r[MAX_RINGS], z[MAX_RINGS];
} outline;

static void add_point(outline *o, double r, double z)
{
    o->r[o->count] = r;
    o->z[o->count++] = z;
}

// Appends an arc about (r, z) between two angles from the plane z = 0, without its first point. An
// end point on the axis must be set exactly by the caller, since rounding would leave it off the
// axis.
static void add_arc(outline *o, double r, double z, double radius, double from, double to,
                    int pieces)
{
    for (int i = 1; i <= pieces; i++) {
        double angle = from + (to - from) * i / pieces;
        add_point(o, r + radius * cos(angle), z + radius * sin(angle));
    }
}

// A point on the axis becomes one vertex, any other point a ring of vertices.
static erg_status revolve(const outline *o, int segments, ergi_mesh *mesh, erg_error *err)
{
    size_t     first[MAX_RINGS];
    erg_status status = ERG_OK;
    for (int j = 0; j < o->count; j++) {
        first[j] = mesh->vertices;
        int around = o->r[j] > 0.0 ? segments : 1;
        for (int i = 0; i < around && status == ERG_OK; i++) {
            double angle = 2.0 * ERGI_PI * i / segments;
            status = ergi_mesh_add_vertex(
                mesh, ergi_vec3(o->r[j] * cos(angle), o->r[j] * sin(angle), o->z[j]), err);
        }
    }
    for (int j = 0; j < o->count - !o->ring; j++) {
        int  k = (j + 1) % o->count;
        bool low = o->r[j] > 0.0, high = o->r[k] > 0.0; // is a ring
        for (int i = 0; i < segments && status == ERG_OK; i++) {
            size_t a = first[j] + (low ? (size_t)i : 0), d = first[k] + (high ? (size_t)i : 0);
            size_t next = (size_t)((i + 1) % segments);
            size_t b = first[j] + (low ? next : 0), c = first[k] + (high ? next : 0);
            if (low) status = ergi_mesh_add_triangle(mesh, a, b, high ? c : d, err);
            if (high && status == ERG_OK) status = ergi_mesh_add_triangle(mesh, a, c, d, err);
        }
    }
    return status;
}

static void draw_outline(const erg_primitive *s, outline *o)
{
    double r = s->radius, half = 0.5 * s->height, t = s->thickness;
    int    quarter = (s->segments + 3) / 4;
    switch (s->kind) {
    case ERG_PRIMITIVE_CYLINDER:
        add_point(o, 0.0, -half);
        add_point(o, r, -half);
        add_point(o, r, half);
        add_point(o, 0.0, half);
        break;
    case ERG_PRIMITIVE_CONE:
        add_point(o, 0.0, -half);
        add_point(o, r, -half);
        add_point(o, 0.0, half);
        break;
    case ERG_PRIMITIVE_SPHERE:
    case ERG_PRIMITIVE_CAPSULE:
        if (s->kind == ERG_PRIMITIVE_SPHERE) half = 0.0;
        add_point(o, 0.0, -half - r);
        add_arc(o, 0.0, -half, r, -0.5 * ERGI_PI, 0.0, quarter);
        if (half > 0.0) add_point(o, r, half);
        add_arc(o, 0.0, half, r, 0.0, 0.5 * ERGI_PI, quarter);
        o->r[o->count - 1] = 0.0;
        o->z[o->count - 1] = half + r;
        break;
    case ERG_PRIMITIVE_TORUS:
        o->ring = true;
        add_arc(o, r, 0.0, 0.5 * t, 0.0, 2.0 * ERGI_PI, s->segments);
        break;
    case ERG_PRIMITIVE_TUBE:
        o->ring = true;
        add_point(o, r, -half);
        add_point(o, r, half);
        add_point(o, r - t, half);
        add_point(o, r - t, -half);
        break;
    case ERG_PRIMITIVE_BUCKET: {
        double bottom = r * s->taper;
        add_point(o, 0.0, 0.0);
        add_point(o, bottom, 0.0);
        add_point(o, r, s->height);
        add_point(o, r - t, s->height);
        add_point(o, bottom + (r - bottom) * t / s->height - t, t);
        add_point(o, 0.0, t);
        break;
    }
    case ERG_PRIMITIVE_BOX:
    case ERG_PRIMITIVE_PLATE: break;
    }
}

static erg_status make_box(erg_vec3 size, ergi_mesh *mesh, erg_error *err)
{
    static const unsigned char quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    erg_status                 status = ERG_OK;
    for (int i = 0; i < 8 && status == ERG_OK; i++)
        status = ergi_mesh_add_vertex(mesh,
                                      ergi_vec3((i & 1 ? 0.5 : -0.5) * size.x,
                                                (i & 2 ? 0.5 : -0.5) * size.y,
                                                (i & 4 ? 0.5 : -0.5) * size.z),
                                      err);
    for (int i = 0; i < 6; i++)
        for (int k = 1; k < 3 && status == ERG_OK; k++)
            status = ergi_mesh_add_triangle(mesh, quad[i][0], quad[i][k], quad[i][k + 1], err);
    return status;
}

// ---- Memory ------------------------------------------------------------------------------------
static double triangles_of(const erg_primitive *shape, int segments)
{
    erg_primitive s = *shape;
    outline       o = {0};
    s.segments = segments;
    draw_outline(&s, &o);
    return 2.0 * o.count * segments;
}

// Checked before any is made: shapes that are round in two directions need the square of their
// segments.
static erg_status check_triangles(const erg_primitive *s, erg_error *err)
{
    double triangles = triangles_of(s, s->segments);
    int    fit = 3, beyond = s->segments;
    if (triangles <= MAX_TRIANGLES) return ERG_OK;
    while (beyond - fit > 1) {
        int middle = (fit + beyond) / 2;
        *(triangles_of(s, middle) > MAX_TRIANGLES ? &beyond : &fit) = middle;
    }
    return ergi_fail_at(
        err, "segments", ERG_ERROR_TOO_MANY,
        "%s: %d segments make %.0f triangles, about %.1f GB; use at most %d segments",
        erg_primitive_name(s->kind), s->segments, triangles, triangles * TRIANGLE_BYTES * 1e-9,
        fit);
}

// ---- Checking ----------------------------------------------------------------------------------
static bool is_length(double x)
{
    return x > 0.0 && x <= 1e-3 * ERGI_MESH_MAX_COORDINATE;
}

static erg_status check(const erg_primitive *s, erg_error *err)
{
    const char *name = erg_primitive_name(s->kind);
    if (!name)
        return ergi_fail_at(err, "kind", ERG_ERROR_UNKNOWN, "there is no shape number %d",
                            (int)s->kind);
    bool box = s->kind == ERG_PRIMITIVE_BOX, plate = s->kind == ERG_PRIMITIVE_PLATE;
    bool thin = plate || s->kind == ERG_PRIMITIVE_TORUS || s->kind == ERG_PRIMITIVE_TUBE ||
                s->kind == ERG_PRIMITIVE_BUCKET;
    bool tall = s->kind == ERG_PRIMITIVE_CYLINDER || s->kind == ERG_PRIMITIVE_CONE ||
                s->kind == ERG_PRIMITIVE_CAPSULE || s->kind == ERG_PRIMITIVE_TUBE ||
                s->kind == ERG_PRIMITIVE_BUCKET;
    const struct {
        bool        needed;
        const char *field, *what;
        double      value;
    } lengths[] = {{box || plate, "size.x", "size along x", s->size.x},
                   {box || plate, "size.y", "size along y", s->size.y},
                   {box, "size.z", "size along z", s->size.z},
                   {!box && !plate, "radius", "radius", s->radius},
                   {tall, "height", "height", s->height},
                   {thin, "thickness", "thickness", s->thickness}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (lengths[i].needed && !is_length(lengths[i].value))
            return ergi_fail_at(err, lengths[i].field, ergi_code_of(lengths[i].value),
                                "%s: the %s must be above 0 m, got %g", name, lengths[i].what,
                                lengths[i].value);
    if (!box && !plate && (s->segments < 3 || s->segments > MAX_SEGMENTS))
        return ergi_fail_at(err, "segments", ERG_ERROR_OUT_OF_RANGE,
                            "%s: segments must be 3 to %d, got %d", name, MAX_SEGMENTS,
                            s->segments);
    if (s->kind == ERG_PRIMITIVE_TORUS && !(s->thickness < 2.0 * s->radius))
        return ergi_fail_at(err, "thickness", ERG_ERROR_OUT_OF_RANGE,
                            "torus: the thickness must be below twice the radius %g, got %g",
                            s->radius, s->thickness);
    if (s->kind == ERG_PRIMITIVE_TUBE && !(s->thickness < s->radius))
        return ergi_fail_at(err, "thickness", ERG_ERROR_OUT_OF_RANGE,
                            "tube: the thickness must be below the radius %g, got %g", s->radius,
                            s->thickness);
    if (s->kind != ERG_PRIMITIVE_BUCKET) return ERG_OK;
    if (!(s->taper > 0.0 && s->taper <= 1e3))
        return ergi_fail_at(err, "taper", ergi_code_of(s->taper),
                            "bucket: the taper must be above 0 and at most 1000, got %g", s->taper);
    double least = s->taper < 1.0 ? s->taper * s->radius : s->radius;
    if (!(s->thickness < least && s->thickness < s->height))
        return ergi_fail_at(err, "thickness", ERG_ERROR_OUT_OF_RANGE,
                            "bucket: the thickness must be below the radii and the height, got %g",
                            s->thickness);
    return ERG_OK;
}

erg_status ergi_primitive(const erg_primitive *shape, ergi_mesh *mesh, erg_error *err)
{
    *mesh = (ergi_mesh){0};
    erg_status status = check(shape, err);
    if (status != ERG_OK) return status;
    if (shape->kind == ERG_PRIMITIVE_BOX)
        status = make_box(shape->size, mesh, err);
    else if (shape->kind == ERG_PRIMITIVE_PLATE)
        status = make_box(ergi_vec3(shape->size.x, shape->size.y, shape->thickness), mesh, err);
    else {
        outline o = {0};
        draw_outline(shape, &o);
        status = check_triangles(shape, err);
        if (status == ERG_OK) status = revolve(&o, shape->segments, mesh, err);
    }
    if (status != ERG_OK) ergi_mesh_free(mesh);
    return status;
}
