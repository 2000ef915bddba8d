// Even sampling of a surface by floaters: samples that repel each other and stay on the surface.
//
// Witkin and Heckbert, Using particles to sample and control implicit surfaces, SIGGRAPH 94 (1994)
// 269, in Bell's simpler form (Bell, Yu and Mucha, Particle-based simulation of granular materials,
// SCA 05 (2005) 77, section 3.3): each floater is pushed by its neighbours with K(d) = exp(-d^2 / 2
// sigma^2), along the tangent plane. Bell pulls floaters back by the distance field; here they are
// projected onto the exact closest point after every move, so that thin gaps are no problem.
// Between rounds, floaters are added in the middle of holes, and one of two that are too close is
// removed. Each move reads only positions from before the move, so the result does not depend on
// order or thread count.
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/morton.h"
#include "base/random.h"
#include "geom/sample.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM = 0x5a3f, ROUNDS = 6, MOVES = 50, CHUNK = 128 };

typedef struct sampler {
    const ergi_level   *level;
    const ergi_threads *threads;
    double              spacing; // of a perfect hexagonal lattice [m]
    double              sigma;   // [m]
    double              reach;   // cut-off distance of the repulsion [m]
    ergi_cloud          cloud;
    erg_vec3           *normal, *next_point, *next_normal;
    bool               *lost; // has left the surface
    size_t              room;
    double             *moved; // largest move in each chunk [m]
    size_t              chunks;
    ergi_points         grid;
    erg_sample_watch_fn watch; // may be NULL
    void               *watch_user;
} sampler;

// ---- Seeds -------------------------------------------------------------------------------------
// Stratified: floater i is drawn uniformly from the i-th of `count` equal shares of the area.
static erg_status seed_floaters(sampler *f, const erg_sample_def *def, size_t count, erg_error *err)
{
    const ergi_mesh *mesh = f->level->mesh;
    double           before = 0.0, share = f->level->area / (double)count;
    size_t           i = 0;
    ergi_random      random = {.seed = def->seed, .stream = STREAM};
    double           at = share * ergi_random_uniform(&random);
    erg_status       status = ERG_OK;
    for (size_t t = 0; t < mesh->triangles && i < count; t++) {
        erg_vec3 p[3];
        ergi_mesh_corners(mesh, t, p);
        erg_vec3 u = ergi_sub(p[1], p[0]), v = ergi_sub(p[2], p[0]);
        double   area = 0.5 * ergi_norm(ergi_cross(u, v));
        for (; i < count && at < before + area && status == ERG_OK; i++) {
            double a = ergi_random_uniform(&random), b = ergi_random_uniform(&random);
            if (a + b > 1.0) a = 1.0 - a, b = 1.0 - b;
            status = ergi_cloud_add(&f->cloud, ergi_madd(ergi_madd(p[0], a, u), b, v), err);
            random = (ergi_random){.seed = def->seed, .stream = STREAM, .id = i + 1};
            at = share * ((double)(i + 1) + ergi_random_uniform(&random));
        }
        before += area;
    }
    return status;
}

typedef struct keyed_point {
    uint64_t code;
    erg_vec3 point;
} keyed_point;

static int by_code(const void *a, const void *b)
{
    const keyed_point *x = a, *y = b;
    return x->code != y->code ? (x->code < y->code ? -1 : 1)
                              : memcmp(&x->point, &y->point, sizeof x->point);
}

// Sorted along a Morton curve, so that neighbours in space are neighbours in memory.
static erg_status sort_seeds(sampler *f, erg_error *err)
{
    size_t   count = f->cloud.count;
    erg_vec3 low, high;
    ergi_mesh_bounds(f->level->mesh, &low, &high);
    double       wide = fmax(fmax(high.x - low.x, high.y - low.y), high.z - low.z);
    keyed_point *seed = ergi_memory_new(count, sizeof *seed, "floaters", err);
    if (!seed) return ERG_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 u = ergi_scale(ergi_sub(f->cloud.point[i], low), 2e6 / wide);
        seed[i].point = f->cloud.point[i];
        seed[i].code = ergi_spread((uint64_t)fmax(u.x, 0.0)) |
                       ergi_spread((uint64_t)fmax(u.y, 0.0)) << 1 |
                       ergi_spread((uint64_t)fmax(u.z, 0.0)) << 2;
    }
    qsort(seed, count, sizeof *seed, by_code);
    for (size_t i = 0; i < count; i++) f->cloud.point[i] = seed[i].point;
    ergi_memory_free(seed);
    return ERG_OK;
}

static erg_status reserve(sampler *f, erg_error *err)
{
    size_t count = f->cloud.room;
    if (count <= f->room) return ERG_OK;
    void      *arrays[] = {&f->normal, &f->next_point, &f->next_normal};
    erg_status status = ERG_OK;
    for (int i = 0; i < 3 && status == ERG_OK; i++)
        status = ergi_memory_resize(arrays[i], f->room, count, sizeof(erg_vec3), "floaters", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&f->lost, f->room, count, sizeof *f->lost, "floaters", err);
    if (status == ERG_OK) f->room = count;
    return status;
}

// ---- Moving ------------------------------------------------------------------------------------
// Sum of the pushes on floater i. A neighbour whose normal points the opposite way is on the other
// side of a thin wall and is ignored.
static erg_vec3 push_on(const sampler *f, size_t i)
{
    erg_vec3  p = f->cloud.point[i], sum = {0};
    ergi_cell c = f->grid.cell[i];
    double    limit = f->reach * f->reach, steep = 0.5 / (f->sigma * f->sigma);
    for (int64_t z = -1; z <= 1; z++)
        for (int64_t y = -1; y <= 1; y++)
            for (int64_t x = -1; x <= 1; x++) {
                ergi_cell cell = {c.x + x, c.y + y, c.z + z};
                uint32_t  begin, end;
                ergi_points_bin(&f->grid, cell, &begin, &end);
                for (uint32_t k = begin; k < end; k++) {
                    uint32_t j = f->grid.item[k];
                    if (j == i || !ergi_points_in(&f->grid, j, cell)) continue;
                    erg_vec3 d = ergi_sub(p, f->cloud.point[j]);
                    double   d2 = ergi_dot(d, d);
                    if (d2 >= limit || ergi_dot(f->normal[i], f->normal[j]) < -0.5) continue;
                    if (d2 > 0.0)
                        sum = ergi_madd(sum, exp(-steep * d2) / sqrt(d2), d);
                    else // coincident: separate along an arbitrary tangent
                        sum = ergi_madd(sum, i < j ? 1.0 : -1.0, ergi_perpendicular(f->normal[i]));
                }
            }
    return ergi_madd(sum, -ergi_dot(sum, f->normal[i]), f->normal[i]);
}

static void move_some(void *ctx, erg_index begin, erg_index end, int chunk)
{
    sampler *f = ctx;
    f->moved[chunk] = 0.0;
    for (erg_index i = begin; i < end; i++) {
        // Stability: each of six neighbours has the slope |K'| = 0.61 / spacing, so the stiffest
        // mode of a hexagonal lattice is below 6 * 0.61 / spacing, and steps below 2 / 3.7 = 0.54
        // spacings are stable.
        erg_vec3 step = ergi_scale(push_on(f, (size_t)i), 0.4 * f->spacing);
        double   length = ergi_norm(step), most = 0.3 * f->spacing;
        if (length > most) step = ergi_scale(step, most / length), length = most;
        f->moved[chunk] = fmax(f->moved[chunk], length);
        f->next_point[i] = ergi_add(f->cloud.point[i], step);
        f->lost[i] = !ergi_level_project(f->level, length, &f->next_point[i], &f->next_normal[i]);
    }
}

// Accepts the moves and removes floaters that have left the surface.
static void accept_moves(sampler *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->cloud.count; i++) {
        if (f->lost[i]) continue;
        f->cloud.point[kept] = f->next_point[i];
        f->normal[kept++] = f->next_normal[i];
    }
    f->cloud.count = kept;
}

static void project_some(void *ctx, erg_index begin, erg_index end, int chunk)
{
    sampler *f = ctx;
    (void)chunk;
    for (erg_index i = begin; i < end; i++) {
        f->next_point[i] = f->cloud.point[i];
        f->lost[i] =
            !ergi_level_project(f->level, f->spacing, &f->next_point[i], &f->next_normal[i]);
    }
}

static erg_status build_grid(sampler *f, erg_error *err)
{
    return ergi_points_build(&f->grid, f->cloud.point, f->cloud.count, f->reach, err);
}

static erg_status report_progress(const sampler *f, erg_error *err)
{
    if (!f->watch || f->watch(f->watch_user, &f->cloud.point[0].x, f->cloud.count)) return ERG_OK;
    return ergi_fail(err, ERG_CANCELLED, "sampling was stopped");
}

// Moves until no floater moves farther than 1/500 of the spacing, at most `moves` times.
static erg_status relax(sampler *f, int moves, erg_error *err)
{
    erg_status status = reserve(f, err);
    size_t     chunks = (size_t)ergi_chunk_count((erg_index)f->cloud.room, CHUNK);
    if (status == ERG_OK)
        status = ergi_memory_grow(&f->moved, &f->chunks, chunks, sizeof *f->moved, "floaters", err);
    if (status != ERG_OK) return status;
    ergi_parallel_for(f->threads, (erg_index)f->cloud.count, CHUNK, project_some, f);
    accept_moves(f);
    status = report_progress(f, err);
    for (int m = 0; m < moves && status == ERG_OK; m++) {
        status = build_grid(f, err);
        if (status != ERG_OK) break;
        erg_index n = (erg_index)f->cloud.count;
        double    most = 0.0;
        ergi_parallel_for(f->threads, n, CHUNK, move_some, f);
        for (int c = 0; c < ergi_chunk_count(n, CHUNK); c++) most = fmax(most, f->moved[c]);
        accept_moves(f);
        status = report_progress(f, err);
        if (most < f->spacing / 500.0) break;
    }
    return status;
}

// ---- Adding and removing floaters --------------------------------------------------------------
static int larger_first(const void *a, const void *b)
{
    const ergi_cover_gap *x = a, *y = b;
    if (x->distance != y->distance) return x->distance > y->distance ? -1 : 1;
    const double *p = &x->place.x, *q = &y->place.x;
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

// Floaters added in this round, in a cell grid of linked lists: number + 1, 0 ends a list.
typedef struct new_floaters {
    uint32_t *head, *next;
    size_t    bins, first; // first: index of the first of them in the cloud
} new_floaters;

static size_t bin_at(const sampler *f, const new_floaters *n, erg_vec3 p, int64_t x, int64_t y,
                     int64_t z)
{
    uint64_t i = (uint64_t)((int64_t)floor(p.x / f->spacing) + x);
    uint64_t j = (uint64_t)((int64_t)floor(p.y / f->spacing) + y);
    uint64_t k = (uint64_t)((int64_t)floor(p.z / f->spacing) + z);
    return (size_t)ergi_hash_word(ergi_hash_word(ergi_hash_word(0, i), j), k) & (n->bins - 1);
}

static bool has_new_floater_near(const sampler *f, const new_floaters *n, erg_vec3 p)
{
    for (int c = 0; c < 27; c++) {
        size_t bin = bin_at(f, n, p, c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1);
        for (uint32_t at = n->head[bin]; at; at = n->next[at - 1])
            if (ergi_distance(f->cloud.point[n->first + at - 1], p) < f->spacing) return true;
    }
    return false;
}

static erg_status add_floater(sampler *f, new_floaters *n, erg_vec3 p, erg_error *err)
{
    size_t     bin = bin_at(f, n, p, 0, 0, 0);
    uint32_t   number = (uint32_t)(f->cloud.count - n->first);
    erg_status status = ergi_cloud_add(&f->cloud, p, err);
    if (status != ERG_OK) return status;
    n->next[number] = n->head[bin];
    n->head[bin] = number + 1;
    return ERG_OK;
}

// One new floater per hole: largest holes first, none within a spacing of another new one.
static erg_status fill_holes(sampler *f, double limit, size_t *added, erg_error *err)
{
    ergi_cover_gap *hole = NULL;
    size_t          count = 0;
    new_floaters    n = {.bins = 16, .first = f->cloud.count};
    erg_status      status = build_grid(f, err);
    if (status == ERG_OK)
        status =
            ergi_cover_gap_list(f->level, &f->grid, limit, 0.1 * f->spacing, &hole, &count, err);
    if (status != ERG_OK || count == 0) return status;
    while (n.bins < count) n.bins *= 2;
    n.head = ergi_memory_new(n.bins, sizeof *n.head, "floaters", err);
    n.next = ergi_memory_new(count, sizeof *n.next, "floaters", err);
    if (!n.head || !n.next) status = ERG_NO_MEMORY;
    qsort(hole, count, sizeof *hole, larger_first);
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        if (!has_new_floater_near(f, &n, hole[i].place))
            status = add_floater(f, &n, hole[i].place, err);
    *added = f->cloud.count - n.first;
    ergi_memory_free(n.head);
    ergi_memory_free(n.next);
    ergi_memory_free(hole);
    return status;
}

// Of two that are too close, the later one is removed.
static erg_status thin_out(sampler *f, double limit, size_t *removed, erg_error *err)
{
    erg_status status = build_grid(f, err);
    if (status != ERG_OK) return status;
    *removed = 0;
    for (size_t i = 0; i < f->cloud.count; i++) {
        double   distance;
        uint32_t near =
            ergi_points_nearest(&f->grid, f->cloud.point[i], (uint32_t)i, limit, &distance);
        f->lost[i] = near < i && !f->lost[near] && ergi_dot(f->normal[i], f->normal[near]) > -0.5;
        *removed += f->lost[i];
        f->next_point[i] = f->cloud.point[i];
        f->next_normal[i] = f->normal[i];
    }
    accept_moves(f);
    return ERG_OK;
}

// ---- Sampling ----------------------------------------------------------------------------------
erg_status ergi_sample_surface(const ergi_level *level, const erg_sample_def *def,
                               const ergi_threads *threads, ergi_cloud *cloud, erg_error *err)
{
    double  r = def->radius, wanted = def->density * level->area / (ERGI_PI * r * r);
    size_t  count = wanted < 1.0 ? 1 : (size_t)(wanted + 0.5);
    sampler f = {
        .level = level, .threads = threads, .watch = def->watch, .watch_user = def->watch_user};
    // Each point of a hexagonal lattice has an area of sqrt(3)/2 spacing^2, here pi r^2 / density.
    // Where a body is thinner than that, the area yields too few floaters; filling holes adds them.
    f.spacing = r * sqrt(2.0 * ERGI_PI / (sqrt(3.0) * def->density));
    f.reach = 2.0 * f.spacing;
    f.sigma = f.reach / sqrt(2.0 * log(1e3)); // K falls to 1/1000 at the cut-off
    double middle =
        f.spacing / sqrt(3.0); // distance from three neighbours to the point between them
    erg_status status = seed_floaters(&f, def, count, err);
    if (status == ERG_OK) status = sort_seeds(&f, err);
    if (status == ERG_OK) status = relax(&f, 2 * MOVES, err);
    for (int round = 0; round < ROUNDS && status == ERG_OK; round++) {
        size_t added = 0, removed = 0;
        status = thin_out(&f, 0.7 * f.spacing, &removed, err);
        if (status == ERG_OK) status = fill_holes(&f, 1.2 * middle, &added, err);
        if (status == ERG_OK) status = relax(&f, MOVES, err);
        if (added + removed == 0) break;
    }
    if (status == ERG_OK && f.cloud.count == 0)
        status = ergi_fail_at(err, "radius", ERG_ERROR_NO_FIT,
                              "no sphere of radius %g m fits on the surface", r);
    if (status == ERG_OK) {
        *cloud = f.cloud;
        f.cloud = (ergi_cloud){0};
    }
    ergi_cloud_free(&f.cloud);
    ergi_points_free(&f.grid);
    ergi_memory_free(f.normal);
    ergi_memory_free(f.next_point);
    ergi_memory_free(f.next_normal);
    ergi_memory_free(f.lost);
    ergi_memory_free(f.moved);
    return status;
}
