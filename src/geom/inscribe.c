#include "geom/inscribe.h"

#include <stdlib.h>

#include "base/memory.h"
#include "geom/sample.h"

#define SPACING 0.1   // between surface points where spheres are tried, in sizes
#define FLAT 0.5      // between spheres under a flat face, in sizes; its edges carry most contacts
#define TOLERANCE 0.1 // a point is covered when a sphere comes this near to it, in roundings
#define THIN 0.01     // smallest sphere under a face, in sizes
#define LONGEST 15    // box diagonals per size, at most: thin solids get a larger size
#define SLACK 0.02    // penetration allowed under round parts, in radii, because of their facets

void ergi_inscribed_free(ergi_inscribed_list *spheres)
{
    ergi_memory_free(spheres->ball);
    *spheres = (ergi_inscribed_list){0};
}

static erg_status add_sphere(ergi_inscribed_list *spheres, ergi_inscribed ball, erg_error *err)
{
    erg_status status = ergi_memory_grow(&spheres->ball, &spheres->room, spheres->count + 1,
                                         sizeof *spheres->ball, "balls of a body", err);
    if (status == ERG_OK) spheres->ball[spheres->count++] = ball;
    return status;
}

// ---- Edges and corners -------------------------------------------------------------------------
// Planes through a point, as sums over their normals, so that duplicate planes do no harm.
typedef struct planes {
    ergi_mat3 squares; // n n^T
    erg_vec3  sum;     // n
    uint32_t  count;
} planes;

static void add_plane(planes *p, erg_vec3 n)
{
    const double v[3] = {n.x, n.y, n.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) p->squares.m[i][k] += v[i] * v[k];
    p->sum = ergi_add(p->sum, n);
    p->count++;
}

// The point nearest to the origin that is one unit behind all planes, in the least-squares sense:
// (N^T N + tiny) x = -N^T 1.
static erg_vec3 behind_planes(const planes *p)
{
    ergi_mat3 a = p->squares, inverse;
    double    tiny = 1e-6 * p->count;
    for (int k = 0; k < 3; k++) a.m[k][k] += tiny;
    return ergi_mat3_invert(&a, &inverse) ? ergi_scale(ergi_mat3_mul(inverse, p->sum), -1.0)
                                          : (erg_vec3){0};
}

// Adds the sphere behind the planes through `tip`, as large as fits up to `rounding`.
static erg_status add_behind(const ergi_solid *solid, erg_vec3 tip, const planes *p,
                             double rounding, ergi_inscribed_list *spheres, erg_error *err)
{
    erg_vec3 in = behind_planes(p);
    double   far = ergi_norm(in); // limits the depth at a spike, which stays blunt
    if (far > 3.0) in = ergi_scale(in, 3.0 / far);
    // Smaller spheres where the solid is thin.
    for (int bisections = 0; bisections < 8; bisections++, rounding *= 0.5) {
        erg_vec3 centre = ergi_madd(tip, rounding, in);
        double   room = -ergi_solid_distance(solid, centre);
        if (room > 0.2 * rounding)
            return add_sphere(spheres, (ergi_inscribed){centre, fmin(room, rounding)}, err);
    }
    return ERG_OK;
}

static bool is_sharp(const ergi_solid *s, const ergi_edge *edge)
{
    if (edge->count != 2) return false;
    uint32_t half = s->edges.half[edge->first], other = s->edges.half[edge->first + 1];
    erg_vec3 na = s->face_normal[half / 3], nb = s->face_normal[other / 3];
    if (ergi_dot(na, nb) > ERGI_SMOOTH_COSINE) return false;
    // Convex: the other triangle's third corner lies behind this one's plane.
    erg_vec3 third = s->mesh.vertex[s->mesh.triangle[other / 3].v[(other % 3 + 2) % 3]];
    return ergi_dot(ergi_sub(third, s->mesh.vertex[edge->a]), na) < 0.0;
}

static erg_status fill_edges(const ergi_solid *s, double rounding, double size,
                             ergi_inscribed_list *spheres, erg_error *err)
{
    erg_status status = ERG_OK;
    planes    *corner = ergi_memory_new(s->mesh.vertices, sizeof *corner, "corners", err);
    if (!corner) return ERG_NO_MEMORY;
    double apart = fmax(0.5 * FLAT * size, 2.0 * rounding);
    for (size_t e = 0; e < s->edges.edges && status == ERG_OK; e++) {
        const ergi_edge *edge = &s->edges.edge[e];
        if (!is_sharp(s, edge)) continue;
        planes between = {0};
        for (uint32_t k = 0; k < 2; k++) {
            erg_vec3 n = s->face_normal[s->edges.half[edge->first + k] / 3];
            add_plane(&between, n);
            add_plane(&corner[edge->a], n);
            add_plane(&corner[edge->b], n);
        }
        erg_vec3 a = s->mesh.vertex[edge->a], ab = ergi_sub(s->mesh.vertex[edge->b], a);
        int      steps = (int)fmin(ceil(ergi_norm(ab) / apart), 1e4);
        for (int k = 1; k < steps && status == ERG_OK; k++)
            status = add_behind(s, ergi_madd(a, (double)k / steps, ab), &between, rounding, spheres,
                                err);
    }
    for (size_t v = 0; v < s->mesh.vertices && status == ERG_OK; v++)
        if (corner[v].count)
            status = add_behind(s, s->mesh.vertex[v], &corner[v], rounding, spheres, err);
    ergi_memory_free(corner);
    return status;
}

// ---- Faces -------------------------------------------------------------------------------------
// Radius of the largest sphere within the solid that touches it at `on`. Each iteration shrinks the
// sphere to the one through `on` and the surface point nearest to its centre, until no surface
// point is deeper in it than `slack`, in radii; that slack tolerates the facets of a round body.
static double largest_radius(const ergi_solid *s, erg_vec3 on, erg_vec3 normal, double slack)
{
    double radius = ergi_distance(s->low, s->high);
    for (int k = 0; k < 30; k++) {
        erg_vec3     centre = ergi_madd(on, -radius, normal);
        ergi_nearest near = ergi_solid_nearest(s, centre, radius * (1.0 - slack));
        if (near.triangle == UINT32_MAX) break;
        erg_vec3 d = ergi_sub(on, near.point);
        double   along = ergi_dot(d, normal), next = ergi_dot(d, d) / (2.0 * along);
        if (!(along > 0.0) || !(next < radius)) break;
        radius = next;
    }
    return radius;
}

typedef struct face {
    bool     flat;
    erg_vec3 normal, middle, along; // of a flat one; `along`: its longest boundary edge
    double   area, longest;
} face;

static void measure_faces(const ergi_solid *s, face *faces)
{
    for (size_t t = 0; t < s->mesh.triangles; t++) {
        face    *f = &faces[s->patch[t]];
        erg_vec3 p[3], n = s->face_normal[t];
        if (!(ergi_dot(n, n) > 0.0)) continue; // without area: not part of the surface
        ergi_mesh_corners(&s->mesh, t, p);
        double area = 0.5 * ergi_norm(ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0])));
        if (f->area == 0.0) {
            f->normal = n;
            f->flat = true;
        }
        f->flat = f->flat && ergi_dot(n, f->normal) > 1.0 - 1e-9;
        erg_vec3 third = ergi_scale(ergi_add(p[0], ergi_add(p[1], p[2])), 1.0 / 3.0);
        f->middle = ergi_madd(f->middle, area, third);
        f->area += area;
        for (size_t k = 0; k < 3; k++) {
            const ergi_edge *edge = &s->edges.edge[s->edges.of[3 * t + k]];
            uint32_t         other = s->edges.half[edge->first] / 3;
            if (other == t && edge->count > 1) other = s->edges.half[edge->first + 1] / 3;
            erg_vec3 along = ergi_sub(p[(k + 1) % 3], p[k]);
            if (s->patch[other] == s->patch[t] || ergi_norm(along) <= f->longest) continue;
            f->longest = ergi_norm(along);
            f->along = along;
        }
    }
    for (uint32_t k = 0; k < s->patches; k++)
        if (faces[k].area > 0.0) faces[k].middle = ergi_scale(faces[k].middle, 1.0 / faces[k].area);
}

// Spheres on a lattice about the face's centre, so that a box rests upright.
static erg_status fill_flat(const ergi_solid *s, uint32_t patch, const face *f, double rounding,
                            double size, ergi_inscribed_list *spheres, erg_error *err)
{
    erg_status status = ERG_OK;
    erg_vec3   u = ergi_normalize(f->along), v = ergi_cross(f->normal, u);
    double     apart = FLAT * size;
    if (f->longest == 0.0) u = ergi_perpendicular(f->normal), v = ergi_cross(f->normal, u);
    int reach = (int)(ergi_distance(s->low, s->high) / apart) + 1;
    for (int i = -reach; i <= reach; i++)
        for (int k = -reach; k <= reach && status == ERG_OK; k++) {
            erg_vec3     p = ergi_madd(ergi_madd(f->middle, i * apart, u), k * apart, v);
            ergi_nearest near = ergi_solid_nearest(s, p, 1e-6 * size);
            if (near.triangle == UINT32_MAX || s->patch[near.triangle] != patch) continue;
            double radius = largest_radius(s, p, f->normal, 1e-6);
            if (radius >= fmin(rounding, THIN * size))
                status = add_sphere(
                    spheres, (ergi_inscribed){ergi_madd(p, -radius, f->normal), radius}, err);
        }
    return status;
}

// ---- Round parts -------------------------------------------------------------------------------
typedef struct candidate {
    erg_vec3       on; // a point of the surface
    ergi_inscribed ball;
    uint32_t       number;
} candidate;

// The normal of the smooth surface that the triangles approximate.
static erg_vec3 round_normal(const ergi_solid *s, uint32_t t, erg_vec3 on)
{
    erg_vec3 p[3], n = {0, 0, 0};
    ergi_mesh_corners(&s->mesh, t, p);
    for (int k = 0; k < 3; k++) {
        // Each corner's weight is the area opposite to it. At a sharp edge the face normal is used.
        erg_vec3 part = ergi_cross(ergi_sub(p[(k + 1) % 3], on), ergi_sub(p[(k + 2) % 3], on));
        erg_vec3 corner = ergi_normalize(s->vertex_normal[s->mesh.triangle[t].v[k]]);
        if (ergi_dot(corner, s->face_normal[t]) < ERGI_SMOOTH_COSINE) corner = s->face_normal[t];
        n = ergi_madd(n, ergi_norm(part), corner);
    }
    return ergi_dot(n, n) > 0.0 ? ergi_normalize(n) : s->face_normal[t];
}

// Moves the centre uphill in the distance from the surface, by a few hundredths of the radius in
// all, so that the spheres under all facets of a sphere converge to its centre.
static ergi_inscribed centred(const ergi_solid *s, erg_vec3 centre)
{
    ergi_inscribed best = {centre, -ergi_solid_distance(s, centre)};
    double         step = 0.01 * best.radius;
    erg_vec3       c = centre;
    for (int k = 0; k < 60 && step > 0.0; k++, step *= 0.92) {
        ergi_nearest near = ergi_solid_nearest(s, c, HUGE_VAL);
        if (-near.distance > best.radius) best = (ergi_inscribed){c, -near.distance};
        c = ergi_madd(c, step, ergi_normalize(ergi_sub(c, near.point)));
    }
    return best;
}

static int by_radius(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    if (p->ball.radius != q->ball.radius) return p->ball.radius > q->ball.radius ? -1 : 1;
    return p->number < q->number ? -1 : 1;
}

static bool is_covered(const ergi_inscribed_list *spheres, erg_vec3 p, double tolerance)
{
    for (size_t k = 0; k < spheres->count; k++)
        if (ergi_distance(spheres->ball[k].centre, p) - spheres->ball[k].radius < tolerance)
            return true;
    return false;
}

// Adds each candidate whose surface point is not yet covered by a sphere of the list.
static erg_status select_needed(const candidate *candidates, size_t count, double rounding,
                                ergi_inscribed_list *spheres, erg_error *err)
{
    erg_status status = ERG_OK;
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        if (!is_covered(spheres, candidates[i].on, TOLERANCE * rounding))
            status = add_sphere(spheres, candidates[i].ball, err);
    return status;
}

// Large spheres first, since they cover more. Finding a sphere costs more than testing whether one
// is needed, so a first pass finds spheres in any order and a second pass selects among them by
// size.
static erg_status fill_round(const ergi_solid *s, const face *faces, const ergi_cloud *cloud,
                             double rounding, double size, ergi_inscribed_list *spheres,
                             erg_error *err)
{
    ergi_inscribed_list found = {0};
    erg_status          status = ERG_OK;
    size_t              count = 0;
    candidate          *candidates =
        ergi_memory_new(cloud->count, sizeof *candidates, "balls of a body", err);
    if (!candidates) return ERG_NO_MEMORY;
    for (size_t i = 0; i < cloud->count && status == ERG_OK; i++) {
        ergi_nearest near = ergi_solid_nearest(s, cloud->point[i], HUGE_VAL);
        if (faces[s->patch[near.triangle]].flat ||
            is_covered(&found, near.point, TOLERANCE * rounding))
            continue;
        erg_vec3  normal = round_normal(s, near.triangle, near.point);
        double    radius = largest_radius(s, near.point, normal, SLACK);
        candidate p = {near.point, centred(s, ergi_madd(near.point, -radius, normal)), (uint32_t)i};
        // A small sphere lies next to an edge, which has its own spheres, or where the solid is
        // thin.
        if (p.ball.radius < fmin(0.5 * rounding, THIN * size)) continue;
        candidates[count++] = p;
        status = add_sphere(&found, p.ball, err);
    }
    qsort(candidates, count, sizeof *candidates, by_radius);
    if (status == ERG_OK) status = select_needed(candidates, count, rounding, spheres, err);
    ergi_inscribed_free(&found);
    ergi_memory_free(candidates);
    return status;
}

// ---- Whole solid -------------------------------------------------------------------------------
// Points on the triangles, about `apart` from each other: large triangles are subdivided, and of
// small ones only every n-th gets a point.
static erg_status spread(const ergi_solid *s, double apart, ergi_cloud *cloud, erg_error *err)
{
    double     due = 0.5;
    erg_status status = ERG_OK;
    for (size_t t = 0; t < s->mesh.triangles && status == ERG_OK; t++) {
        erg_vec3 p[3];
        ergi_mesh_corners(&s->mesh, t, p);
        erg_vec3 u = ergi_sub(p[1], p[0]), v = ergi_sub(p[2], p[0]);
        double   longest = fmax(ergi_distance(p[1], p[2]), fmax(ergi_norm(u), ergi_norm(v)));
        int      cuts = (int)fmin(ceil(longest / apart), 1e4);
        double   share = 0.5 * ergi_norm(ergi_cross(u, v)) / (apart * apart) / (cuts * cuts);
        for (int i = 0; i < cuts; i++)
            for (int k = 0; k < 2 * (cuts - i) - 1 && status == ERG_OK; k++) {
                due += share;
                if (due < 1.0) continue;
                due -= floor(due);
                // Row i alternates between upright and inverted small triangles.
                double third = k % 2 ? 2.0 / 3.0 : 1.0 / 3.0;
                double a = (i + third) / cuts, b = (k / 2 + third) / cuts;
                status = ergi_cloud_add(cloud, ergi_madd(ergi_madd(p[0], a, u), b, v), err);
            }
    }
    return status;
}

static erg_status fill_faces(const ergi_solid *s, double rounding, double size,
                             ergi_inscribed_list *spheres, erg_error *err)
{
    ergi_cloud cloud = {0};
    bool       round = false;
    face      *faces = ergi_memory_new(s->patches, sizeof *faces, "faces of a body", err);
    if (!faces) return ERG_NO_MEMORY;
    measure_faces(s, faces);
    for (uint32_t k = 0; k < s->patches; k++) round |= !faces[k].flat;
    erg_status status = round ? spread(s, SPACING * size, &cloud, err) : ERG_OK;
    if (status == ERG_OK) status = fill_round(s, faces, &cloud, rounding, size, spheres, err);
    for (uint32_t k = 0; k < s->patches && status == ERG_OK; k++)
        if (faces[k].flat) status = fill_flat(s, k, &faces[k], rounding, size, spheres, err);
    ergi_cloud_free(&cloud);
    ergi_memory_free(faces);
    return status;
}

erg_status ergi_inscribe(const ergi_solid *solid, double rounding, double size,
                         ergi_inscribed_list *spheres, erg_error *err)
{
    *spheres = (ergi_inscribed_list){0};
    size = fmax(size, ergi_distance(solid->low, solid->high) / LONGEST);
    erg_status status = fill_faces(solid, rounding, size, spheres, err);
    if (status == ERG_OK) status = fill_edges(solid, rounding, size, spheres, err);
    if (status != ERG_OK) ergi_inscribed_free(spheres);
    return status;
}
