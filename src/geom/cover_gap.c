// Finds the point of a surface, or of a solid, that is farthest from all samples.
//
// Branch and bound: the distance to the nearest sample has slope at most 1, so in a piece of radius
// q around a point at distance d, no point is farther than d + q. Pieces whose bound is too low are
// dropped; the others are split and their centres tested.
#include "base/memory.h"
#include "geom/sample.h"

typedef struct piece {
    erg_vec3 p[3]; // corners of a triangle; of a cube the middle, and half its side in p[1].x
} piece;

enum { DEPTH = 200 }; // stack capacity; a piece split this often is negligibly small

typedef struct search {
    const ergi_level  *level;
    const ergi_points *samples;
    double             fine, limit; // limit: smaller distances are ignored [m]
    ergi_cover_gap    *best;        // per chunk
    // only for ergi_cover_gap_list
    ergi_cover_gap *found;
    size_t          count, room;
    erg_error      *err;
    erg_status      status;
    // only for the search in a volume
    erg_vec3 low;
    double   side;
    int      cubes[3];
} search;

static double radius_of(const piece *t, erg_vec3 middle)
{
    double r2 = 0.0;
    for (int k = 0; k < 3; k++) {
        erg_vec3 d = ergi_sub(t->p[k], middle);
        r2 = fmax(r2, ergi_dot(d, d));
    }
    return sqrt(r2);
}

static void halve(const piece *t, piece *a, piece *b)
{
    int    at = 0;
    double longest = -1.0;
    for (int k = 0; k < 3; k++) {
        double length = ergi_distance(t->p[k], t->p[(k + 1) % 3]);
        if (length > longest) at = k, longest = length;
    }
    erg_vec3 middle = ergi_scale(ergi_add(t->p[at], t->p[(at + 1) % 3]), 0.5);
    *a = *b = *t;
    a->p[(at + 1) % 3] = middle;
    b->p[at] = middle;
}

static double distance_at(const search *s, erg_vec3 p)
{
    double distance;
    ergi_points_nearest(s->samples, p, UINT32_MAX, HUGE_VAL, &distance);
    return distance;
}

static void search_triangles(void *ctx, erg_index begin, erg_index end, int chunk)
{
    search        *s = ctx;
    ergi_cover_gap best = {.distance = s->limit};
    piece          stack[DEPTH];
    for (erg_index t = begin; t < end; t++) {
        int top = 0;
        ergi_mesh_corners(s->level->mesh, (size_t)t, stack[top++].p);
        while (top > 0) {
            piece    now = stack[--top];
            erg_vec3 middle =
                ergi_scale(ergi_add(now.p[0], ergi_add(now.p[1], now.p[2])), 1.0 / 3.0);
            double d = distance_at(s, middle), q = radius_of(&now, middle);
            if (d > best.distance) best = (ergi_cover_gap){middle, d};
            if (d + q > best.distance + s->fine && top + 2 <= DEPTH && q > 0.0) {
                halve(&now, &stack[top], &stack[top + 1]);
                top += 2;
            }
        }
    }
    s->best[chunk] = best;
}

// Serial, so that the order of the list is fixed.
static void list_triangles(search *s)
{
    piece stack[DEPTH];
    for (size_t t = 0; t < s->level->mesh->triangles && s->status == ERG_OK; t++) {
        int top = 0;
        ergi_mesh_corners(s->level->mesh, t, stack[top++].p);
        while (top > 0 && s->status == ERG_OK) {
            piece    now = stack[--top];
            erg_vec3 middle =
                ergi_scale(ergi_add(now.p[0], ergi_add(now.p[1], now.p[2])), 1.0 / 3.0);
            double d = distance_at(s, middle), q = radius_of(&now, middle);
            if (d + q <= s->limit) continue;
            if (q > s->fine && top + 2 <= DEPTH) {
                halve(&now, &stack[top], &stack[top + 1]);
                top += 2;
            } else if (d > s->limit) {
                s->status = ergi_memory_grow(&s->found, &s->room, s->count + 1, sizeof *s->found,
                                             "holes", s->err);
                if (s->status == ERG_OK) s->found[s->count++] = (ergi_cover_gap){middle, d};
            }
        }
    }
}

// Skips cubes that lie wholly outside; a cube's centre counts only when it is inside.
static void search_cubes(void *ctx, erg_index begin, erg_index end, int chunk)
{
    search        *s = ctx;
    ergi_cover_gap best = {.distance = s->limit};
    piece          stack[DEPTH];
    for (erg_index c = begin; c < end; c++) {
        int top = 0, x = c % s->cubes[0], y = c / s->cubes[0] % s->cubes[1];
        int z = c / s->cubes[0] / s->cubes[1];
        stack[top].p[0] = ergi_madd(s->low, s->side, ergi_vec3(x + 0.5, y + 0.5, z + 0.5));
        stack[top++].p[1].x = 0.5 * s->side;
        while (top > 0) {
            piece  now = stack[--top];
            double half = now.p[1].x, q = sqrt(3.0) * half;
            double d = distance_at(s, now.p[0]);
            if (d + q <= best.distance + s->fine) continue;
            double signed_distance =
                ergi_solid_distance(s->level->solid, now.p[0]) - s->level->offset;
            if (signed_distance > q) continue;
            if (signed_distance <= 0.0 && d > best.distance) best = (ergi_cover_gap){now.p[0], d};
            if (2.0 * q < s->fine || top + 8 > DEPTH) continue;
            for (int k = 0; k < 8; k++) {
                double h = 0.5 * half;
                stack[top].p[0] =
                    ergi_add(now.p[0], ergi_vec3(k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h));
                stack[top++].p[1].x = h;
            }
        }
    }
    s->best[chunk] = best;
}

static erg_index lay_cubes(search *s)
{
    const ergi_solid *solid = s->level->solid;
    double            margin = fmax(s->level->offset, 0.0);
    erg_vec3          size = ergi_sub(solid->high, solid->low);
    const double wide[3] = {size.x + 2.0 * margin, size.y + 2.0 * margin, size.z + 2.0 * margin};
    s->low = ergi_sub(solid->low, ergi_vec3(margin, margin, margin));
    s->side = 2.0 * s->samples->side;
    for (double total = HUGE_VAL; total > 1e8; s->side *= 2.0) {
        total = 1.0;
        for (int k = 0; k < 3; k++) total *= ceil(wide[k] / s->side);
        if (total <= 1e8) break;
    }
    for (int k = 0; k < 3; k++) s->cubes[k] = (int)fmax(1.0, ceil(wide[k] / s->side));
    return s->cubes[0] * s->cubes[1] * s->cubes[2];
}

erg_status ergi_cover_gap_largest(const ergi_level *level, const ergi_points *samples, bool volume,
                                  double fine, const ergi_threads *threads, ergi_cover_gap *hole,
                                  erg_error *err)
{
    search    s = {.level = level, .samples = samples, .fine = fine};
    erg_index n = volume ? lay_cubes(&s) : (erg_index)level->mesh->triangles;
    erg_index grain = 64;
    s.best = ergi_memory_new((size_t)ergi_chunk_count(n, grain), sizeof *s.best, "holes", err);
    if (!s.best) return ERG_NO_MEMORY;
    ergi_parallel_for(threads, n, grain, volume ? search_cubes : search_triangles, &s);
    *hole = (ergi_cover_gap){0};
    for (int c = 0; c < ergi_chunk_count(n, grain); c++)
        if (s.best[c].distance > hole->distance) *hole = s.best[c];
    ergi_memory_free(s.best);
    return ERG_OK;
}

erg_status ergi_cover_gap_list(const ergi_level *level, const ergi_points *samples, double limit,
                               double fine, ergi_cover_gap **holes, size_t *count, erg_error *err)
{
    search s = {.level = level,
                .samples = samples,
                .limit = limit,
                .fine = fine,
                .err = err,
                .status = ERG_OK};
    list_triangles(&s);
    *holes = s.found;
    *count = s.count;
    if (s.status != ERG_OK) {
        ergi_memory_free(s.found);
        *holes = NULL;
        *count = 0;
    }
    return s.status;
}
