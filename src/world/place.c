#include "world/place.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "geom/region.h"
#include "geom/vec3.h"
#include "world/sites.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// Purposes of a grain's random numbers, used as `step` of the generator.
enum { DRAW_SIZE, DRAW_TURN, DRAW_PLACE };

enum { MAX_LEVELS = 32, MAX_FAILURES = 20, JITTERS = 4 };
static const double TOUCH = 1.0 - 1e-9; // a region exactly one grain wide holds a grain

// Positions tried before a fill gives up: a fixed number, and more for each grain placed.
static const uint64_t SPARE_WORK = 10000000, WORK_PER_GRAIN = 1000;

typedef struct job {
    const ergi_place_def *def;
    ergi_placed          *placed;
    uint64_t              limit;     // no more than this many can fit or are wanted
    bool                  whole;     // all of them or an error: sizes are drawn in advance
    double                largest;   // bounding radius [m]
    double                smallest;  // [m]
    uint64_t              work;      // positions tried
    erg_vec3              low, high; // bounds of the region
    erg_error            *err;
} job;

ergi_place_def ergi_place_def_default(void)
{
    return (ergi_place_def){
        .placing = ERG_PLACE_LATTICE, .gap = 0.05, .jitter = 0.5, .attempts = 20000};
}

static ergi_random numbers_of(const ergi_place_def *def, size_t grain, uint64_t purpose)
{
    return (ergi_random){
        .seed = def->seed, .stream = def->stream, .id = def->first + grain, .step = purpose};
}

static double draw_size(const ergi_place_def *def, size_t grain)
{
    ergi_random random = numbers_of(def, grain, DRAW_SIZE);
    return ergi_sizes_draw(def->sizes, &random);
}

static erg_status reserve(ergi_placed *p, size_t needed, erg_error *err)
{
    if (needed <= p->room) return ERG_OK;
    size_t     room = ergi_memory_room(p->room, needed);
    erg_status status =
        ergi_memory_resize(&p->position, p->room, room, sizeof *p->position, "positions", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&p->orientation, p->room, room, sizeof *p->orientation,
                                    "orientations", err);
    if (status == ERG_OK)
        status = ergi_memory_resize(&p->size, p->room, room, sizeof *p->size, "sizes", err);
    if (status == ERG_OK) p->room = room;
    return status;
}

// Reserves memory for the next grain and draws its size.
static erg_status next_grain(job *j, size_t grain)
{
    if (j->whole) return ERG_OK;
    erg_status status = reserve(j->placed, grain + 1, j->err);
    if (status == ERG_OK) j->placed->size[grain] = draw_size(j->def, grain);
    return status;
}

// Fails with a message when the work is out of proportion to the grains placed.
static erg_status check_progress(const job *j, uint64_t work)
{
    const ergi_place_def *def = j->def;
    if (def->keep_going && !def->keep_going(def->keep_going_user))
        return ergi_fail(j->err, ERG_CANCELLED, "placing grains was cancelled");
    if (work < SPARE_WORK + WORK_PER_GRAIN * j->placed->count) return ERG_OK;
    return ergi_fail_at(j->err, "region", ERG_ERROR_NO_FIT,
                        "%" PRIu64 " places were tried, but only %zu were free; make the region "
                        "smaller, so that it excludes walls and filled space",
                        work, j->placed->count);
}

static bool is_free(const ergi_place_def *def, erg_vec3 centre, double radius)
{
    return !def->is_free || def->is_free(def->user, centre, radius);
}

// ---- Lattice -----------------------------------------------------------------------------------
// Places a grain near its site, at a random displacement or else at the site itself. False: no try
// is inside the region and clear of obstacles.
static bool place_near(const job *j, size_t grain, erg_vec3 site, double free_distance,
                       erg_vec3 *at)
{
    const ergi_place_def *def = j->def;
    double                radius = j->placed->size[grain] * def->shape->bounding_radius;
    ergi_random           random = numbers_of(def, grain, DRAW_PLACE);
    double                distance = def->jitter * (free_distance - radius);
    for (int k = distance > 0.0 ? 0 : JITTERS; k <= JITTERS; k++) {
        *at = k < JITTERS ? ergi_madd(site, distance, ergi_random_in_ball(&random)) : site;
        if (ergi_region_depth(def->region, *at) >= radius * TOUCH && is_free(def, *at, radius))
            return true;
    }
    return false;
}

static double lattice_spacing(const job *j)
{
    return 2.0 * j->largest * (1.0 + j->def->gap);
}

// Grains may be displaced from their sites, so the box is enlarged by the largest displacement.
static bool box_is_barred(void *user, erg_vec3 low, erg_vec3 high)
{
    const job            *j = user;
    const ergi_place_def *def = j->def;
    double   distance = def->jitter * fmax(0.0, 0.5 * lattice_spacing(j) - j->smallest);
    erg_vec3 shift = {distance, distance, distance};
    low = ergi_sub(low, shift);
    high = ergi_add(high, shift);
    if (ergi_region_max_depth(def->region, low, high) < j->smallest * (TOUCH - 1e-9)) return true;
    return def->is_barred && def->is_barred(def->user, low, high, j->smallest);
}

static erg_status try_site(void *user, erg_vec3 site, bool *done)
{
    job       *j = user;
    size_t     count = j->placed->count;
    erg_status status = next_grain(j, count);
    if (status != ERG_OK) return status;
    if (place_near(j, count, site, 0.5 * lattice_spacing(j), &j->placed->position[count]))
        j->placed->count++;
    *done = j->placed->count == j->limit;
    return ERG_OK;
}

static erg_status pause_filling(void *user, uint64_t work)
{
    return check_progress(user, work);
}

static erg_status fill_lattice(job *j)
{
    ergi_sites         sites = ergi_sites_in(j->low, j->high, j->largest, lattice_spacing(j));
    ergi_sites_visitor visitor = {box_is_barred, try_site, pause_filling, j};
    return ergi_sites_walk(&sites, &visitor);
}

// ---- Cells: to find nearby grains --------------------------------------------------------------
// One hash table for grids of several cell widths, each half the previous; a grain is in the grid
// whose cells are one to two of its diameters wide. Cells that share a table entry only cost time.
typedef struct cells {
    const erg_vec3 *position;
    const double   *size;
    double          scale;   // bounding radius of size 1
    double          largest; // bounding radius
    erg_vec3        origin;
    size_t          inserted;
    int             levels;
    uint64_t        entries;     // a power of two
    erg_index      *head, *next; // 1 + grain; 0: end of the chain
    size_t          next_room;
    erg_index      *members; // grains inserted, for moving to a larger table
    size_t          member_room;
} cells;

static uint64_t entry_of(const cells *c, int level, int64_t x, int64_t y, int64_t z)
{
    uint64_t key = (uint64_t)x * 0x9e3779b97f4a7c15u + (uint64_t)y * 0xc2b2ae3d27d4eb4fu +
                   (uint64_t)z * 0x165667b19e3779f9u + (uint64_t)level;
    return ergi_mix64(key) & (c->entries - 1);
}

static void link_grain(cells *c, erg_index grain)
{
    double radius = c->size[grain] * c->scale, width = 2.0 * c->largest;
    int    level = 0;
    while (level + 1 < MAX_LEVELS && radius <= 0.25 * width) {
        width *= 0.5;
        level++;
    }
    if (level >= c->levels) c->levels = level + 1;
    erg_vec3 p = ergi_scale(ergi_sub(c->position[grain], c->origin), 1.0 / width);
    uint64_t e = entry_of(c, level, (int64_t)floor(p.x), (int64_t)floor(p.y), (int64_t)floor(p.z));
    c->next[grain] = c->head[e];
    c->head[e] = grain + 1;
}

static erg_status insert(cells *c, erg_index grain, erg_error *err)
{
    erg_status status = ergi_memory_grow(&c->next, &c->next_room, (size_t)grain + 1,
                                         sizeof *c->next, "cells of a fill", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->members, &c->member_room, c->inserted + 1, sizeof *c->members,
                                  "cells of a fill", err);
    if (status != ERG_OK) return status;
    c->members[c->inserted++] = grain;
    if (c->inserted <= c->entries) {
        link_grain(c, grain);
        return ERG_OK;
    }
    uint64_t   entries = c->entries ? 4 * c->entries : 1024;
    erg_index *head = ergi_memory_new(entries, sizeof *head, "cells of a fill", err);
    if (!head) return ERG_NO_MEMORY;
    ergi_memory_free(c->head);
    c->head = head;
    c->entries = entries;
    for (size_t i = 0; i < c->inserted; i++) link_grain(c, c->members[i]);
    return ERG_OK;
}

static bool entry_is_clear(const cells *c, uint64_t entry, erg_vec3 p, double radius)
{
    for (erg_index i = c->head[entry]; i > 0; i = c->next[i - 1]) {
        double   reach = radius + c->size[i - 1] * c->scale;
        erg_vec3 d = ergi_sub(p, c->position[i - 1]);
        if (ergi_dot(d, d) < reach * reach) return false;
    }
    return true;
}

static bool is_clear(const cells *c, erg_vec3 p, double radius)
{
    double width = 2.0 * c->largest;
    for (int level = 0; level < c->levels; level++, width *= 0.5) {
        double   reach = radius + 0.5 * width;
        erg_vec3 at = ergi_sub(p, c->origin);
        int64_t  x0 = (int64_t)floor((at.x - reach) / width),
                x1 = (int64_t)floor((at.x + reach) / width);
        int64_t y0 = (int64_t)floor((at.y - reach) / width),
                y1 = (int64_t)floor((at.y + reach) / width);
        int64_t z0 = (int64_t)floor((at.z - reach) / width),
                z1 = (int64_t)floor((at.z + reach) / width);
        for (int64_t z = z0; z <= z1; z++)
            for (int64_t y = y0; y <= y1; y++)
                for (int64_t x = x0; x <= x1; x++)
                    if (!entry_is_clear(c, entry_of(c, level, x, y, z), p, radius)) return false;
    }
    return true;
}

// ---- At random ---------------------------------------------------------------------------------
// *found: whether a free position was found.
static erg_status place_at_random(job *j, const cells *c, size_t grain, erg_vec3 *at, bool *found)
{
    const ergi_place_def *def = j->def;
    double                radius = j->placed->size[grain] * def->shape->bounding_radius;
    *found = false;
    for (int attempt = 0; attempt < def->attempts && !*found; attempt++) {
        erg_status  status = ++j->work % 1024 ? ERG_OK : check_progress(j, j->work);
        ergi_random random = numbers_of(def, grain, DRAW_PLACE + (uint64_t)attempt);
        if (status != ERG_OK) return status;
        if (!ergi_region_draw(def->region, radius, &random, at)) break;
        if (def->region->minus_count > 0 && ergi_region_depth(def->region, *at) < radius * TOUCH)
            continue;
        if (def->shift) *at = ergi_add(*at, def->shift[grain]);
        *found = is_clear(c, *at, radius) && is_free(def, *at, radius);
    }
    return ERG_OK;
}

typedef struct ranked {
    double    size;
    erg_index grain;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *u = a, *v = b;
    if (u->size != v->size) return u->size < v->size ? 1 : -1;
    return (u->grain > v->grain) - (u->grain < v->grain);
}

// All requested grains, the largest first: small grains fit between large ones, not vice versa.
// Ends early if several in a row do not fit, because the rest will not fit either.
static erg_status place_largest_first(job *j, cells *c)
{
    size_t  count = (size_t)j->limit;
    ranked *order = ergi_memory_new(count, sizeof *order, "order of a fill", j->err);
    if (!order) return ERG_NO_MEMORY;
    for (size_t i = 0; i < count; i++) order[i] = (ranked){j->placed->size[i], (erg_index)i};
    qsort(order, count, sizeof *order, compare_ranked);

    erg_status status = ERG_OK;
    int        failures = 0;
    for (size_t i = 0; i < count && failures < MAX_FAILURES && status == ERG_OK; i++) {
        size_t grain = (size_t)order[i].grain;
        bool   found;
        status = place_at_random(j, c, grain, &j->placed->position[grain], &found);
        if (status == ERG_OK && found) {
            status = insert(c, (erg_index)grain, j->err);
            j->placed->count++;
        }
        failures = found ? 0 : failures + 1;
    }
    ergi_memory_free(order);
    return status;
}

static erg_status place_in_order(job *j, cells *c)
{
    for (size_t i = 0; i < j->limit; i++) {
        erg_status status = next_grain(j, i);
        if (status != ERG_OK) return status;
        c->position = j->placed->position; // may have been reallocated
        c->size = j->placed->size;
        bool found;
        status = place_at_random(j, c, i, &j->placed->position[i], &found);
        if (status == ERG_OK && !found) break;
        if (status == ERG_OK) status = insert(c, (erg_index)i, j->err);
        if (status != ERG_OK) return status;
        j->placed->count = i + 1;
    }
    return ERG_OK;
}

static erg_status fill_random(job *j)
{
    cells      c = {.position = j->placed->position,
                    .size = j->placed->size,
                    .scale = j->def->shape->bounding_radius,
                    .largest = j->largest,
                    .origin = j->low};
    erg_status status = j->whole ? place_largest_first(j, &c) : place_in_order(j, &c);
    ergi_memory_free(c.head);
    ergi_memory_free(c.next);
    ergi_memory_free(c.members);
    return status;
}

// ---- Memory ------------------------------------------------------------------------------------
// Estimates how many a lattice would hold, from some points spread evenly over the bounds.
static double estimate_fit(const job *j)
{
    enum { POINTS = 4096 };
    // Steps of these irrational numbers, taken modulo 1, cover the cube evenly: powers of the real
    // root of x^4 = x + 1.
    const double step[3] = {0.81917251339616443970, 0.67104360670378920841, 0.54970047790197026694};
    double       at[3] = {0.5, 0.5, 0.5};
    erg_vec3     size = ergi_sub(j->high, j->low);
    int          free_points = 0;
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3; k++) at[k] = fmod(at[k] + step[k], 1.0);
        erg_vec3 p = {j->low.x + at[0] * size.x, j->low.y + at[1] * size.y,
                      j->low.z + at[2] * size.z};
        free_points += ergi_region_depth(j->def->region, p) >= j->largest * TOUCH &&
                       is_free(j->def, p, j->largest);
    }
    ergi_sites sites = ergi_sites_in(j->low, j->high, j->largest, lattice_spacing(j));
    return ergi_sites_total(&sites) * free_points / POINTS;
}

// Refuses more grains than fit in memory, before anything is allocated.
static erg_status check_memory(const job *j)
{
    const ergi_place_def *def = j->def;
    double                memory = fmax(ergi_memory_total() - def->held, 0), most = INT32_MAX;
    const char           *left = def->held > 0 ? " left after those before" : "";
    if (def->partial || !(def->bytes > 0.0)) return ERG_OK;
    most = fmin(most, floor(memory / def->bytes));
    if ((double)def->count > most)
        return ergi_fail_at(
            j->err, "count", ERG_ERROR_TOO_MANY,
            "%" PRIu64
            " grains would need about %.3g GB of memory, but there are %.3g GB%s, enough for %.0f",
            def->count, (double)def->count * def->bytes * 1e-9, memory * 1e-9, left, most);
    double fit = def->count > 0 ? 0.0 : estimate_fit(j);
    if (fit > most)
        return ergi_fail_at(
            j->err, "count", ERG_ERROR_TOO_MANY,
            "about %.3g grains fit, which would need %.3g GB of memory, but there are %.3g "
            "GB%s, enough for %.0f; give a count, a smaller region or larger grains",
            fit, fit * def->bytes * 1e-9, memory * 1e-9, left, most);
    return ERG_OK;
}

// ---- The whole ---------------------------------------------------------------------------------
static erg_status check(const ergi_place_def *def, erg_error *err)
{
    erg_status status = ergi_fail_within(err, ergi_region_check(def->region, err), "region");
    if (status == ERG_OK)
        status = ergi_fail_within(err, ergi_sizes_check(def->sizes, err), "sizes");
    if (status != ERG_OK) return status;
    if (def->count > INT32_MAX)
        return ergi_fail_at(err, "count", ERG_ERROR_TOO_MANY,
                            "count must be at most %d, got %" PRIu64, INT32_MAX, def->count);
    if (!(def->gap >= 0.0) || !isfinite(def->gap))
        return ergi_fail_at(err, "gap", ergi_code_of(def->gap), "gap must be 0 or more, got %g",
                            def->gap);
    if (!(def->jitter >= 0.0 && def->jitter <= 1.0))
        return ergi_fail_at(err, "jitter", ergi_code_of(def->jitter),
                            "jitter must be from 0 to 1, got %g", def->jitter);
    if (def->attempts < 1)
        return ergi_fail_at(err, "attempts", ERG_ERROR_OUT_OF_RANGE,
                            "attempts must be at least 1, got %d", def->attempts);
    return ERG_OK;
}

erg_status ergi_place_check_extent(const erg_region *region, const ergi_shape *shape,
                                   const erg_sizes *sizes, erg_error *err)
{
    double   least, most;
    erg_vec3 low, high;
    ergi_sizes_range(sizes, &least, &most);
    ergi_region_bounds(region, &low, &high);
    erg_vec3 size = ergi_sub(high, low);
    double longest = fmax(size.x, fmax(size.y, size.z)), smallest = least * shape->bounding_radius;
    if (longest < 1e12 * smallest) return ERG_OK;
    return ergi_fail_at(err, "region", ERG_ERROR_OUT_OF_RANGE,
                        "the region is %g m long, too long for grains of radius %g m", longest,
                        smallest);
}

// First limits the count to the spheres of the smallest size that fill the volume of the region's
// bounding box.
static erg_status prepare(job *j)
{
    const ergi_place_def *def = j->def;
    erg_status status = ergi_place_check_extent(def->region, def->shape, def->sizes, j->err);
    double     least, most;
    if (status != ERG_OK) return status;
    ergi_sizes_range(def->sizes, &least, &most);
    double smallest = j->smallest = least * def->shape->bounding_radius;
    j->largest = most * def->shape->bounding_radius;
    ergi_region_bounds(def->region, &j->low, &j->high);
    erg_vec3 size = ergi_sub(j->high, j->low);
    double   ball = 4.0 / 3.0 * ERGI_PI;
    double   most_balls = size.x / smallest * (size.y / smallest) * (size.z / smallest) / ball;
    double   wanted = def->count > 0 ? (double)def->count : (double)INT32_MAX;
    j->limit = (uint64_t)fmin(wanted, most_balls * (1.0 + 1e-9) + 1.0);
    status = check_memory(j);
    if (status != ERG_OK) return status;
    j->whole = def->count > 0 && !def->partial;
    if (!j->whole) return ERG_OK;

    status = reserve(j->placed, (size_t)j->limit, j->err);
    if (status != ERG_OK) return status;
    j->largest = 0.0;
    for (size_t i = 0; i < j->limit; i++) {
        j->placed->size[i] = draw_size(def, i);
        j->largest = fmax(j->largest, j->placed->size[i] * def->shape->bounding_radius);
    }
    return ERG_OK;
}

static void orient_grains(const ergi_place_def *def, ergi_placed *placed)
{
    for (size_t i = 0; i < placed->count; i++) {
        ergi_random random = numbers_of(def, i, DRAW_TURN);
        if (def->shape->is_sphere || def->aligned)
            placed->orientation[i] = def->shape->principal_to_input;
        else
            placed->orientation[i] = ergi_random_rotation(&random);
    }
}

static erg_status fail_count(const ergi_place_def *def, uint64_t fit, erg_error *err)
{
    if (def->count == 0)
        return ergi_fail_at(err, "region", ERG_ERROR_NO_FIT, "no grain fits into the region%s",
                            def->hint ? def->hint : "");
    const char *hint = def->hint                          ? def->hint
                       : def->placing == ERG_PLACE_RANDOM ? " at random; a lattice packs closer"
                                                          : "";
    return ergi_fail_at(err, "count", ERG_ERROR_NO_FIT,
                        "%" PRIu64 " requested, only %" PRIu64 " fit%s", def->count, fit, hint);
}

erg_status ergi_place(const ergi_place_def *def, ergi_placed *placed, uint64_t *fit, erg_error *err)
{
    ergi_placed made = {0};
    job         j = {.def = def, .placed = &made, .err = err};
    if (fit) *fit = 0;
    erg_status status = check(def, err);
    if (status == ERG_OK) status = prepare(&j);
    if (status == ERG_OK)
        status = def->placing == ERG_PLACE_RANDOM ? fill_random(&j) : fill_lattice(&j);
    if (status == ERG_OK) {
        if (fit) *fit = made.count;
        bool enough = j.whole ? made.count == def->count : made.count > 0 || def->partial;
        if (!enough) status = fail_count(def, made.count, err);
    }
    if (status != ERG_OK) {
        ergi_placed_free(&made);
        return status;
    }
    orient_grains(def, &made);
    *placed = made;
    return ERG_OK;
}

void ergi_placed_free(ergi_placed *placed)
{
    ergi_memory_free(placed->position);
    ergi_memory_free(placed->orientation);
    ergi_memory_free(placed->size);
    *placed = (ergi_placed){0};
}
