#include "world/place.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "geom/region.h"
#include "geom/vec3.h"

#include <inttypes.h>
#include <stdlib.h>

// A grain's random numbers, by purpose: kept apart as the `step` of the generator.
enum { DRAW_SIZE, DRAW_TURN, DRAW_PLACE };

enum { MAX_LEVELS = 32, MAX_FAILURES = 20, JITTERS = 4 };
static const double   TOUCH = 1.0 - 1e-9;     // a region exactly one grain wide holds a grain
static const uint64_t MAX_SITES = 200000000u; // looked at before a lattice gives up

typedef struct job {
    const ergi_place_def *def;
    ergi_placed          *placed;
    uint64_t              limit;     // no more than this many can fit or are wanted
    bool                  whole;     // all of them or an error: sizes are drawn beforehand
    double                largest;   // bounding radius [m]
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

// Room for one more grain in order, and its size.
static erg_status next_grain(job *j, size_t grain)
{
    if (j->whole) return ERG_OK;
    erg_status status = reserve(j->placed, grain + 1, j->err);
    if (status == ERG_OK) j->placed->size[grain] = draw_size(j->def, grain);
    return status;
}

// Asked every so many places: often enough for a person, too rarely to cost time.
static erg_status may_go_on(const job *j, uint64_t tried)
{
    const ergi_place_def *def = j->def;
    if (tried % 4096 || !def->keep_going || def->keep_going(def->keep_going_user)) return ERG_OK;
    return ergi_fail(j->err, ERG_CANCELLED, "placing grains was cancelled");
}

static bool is_free(const ergi_place_def *def, erg_vec3 centre, double radius)
{
    return !def->is_free || def->is_free(def->user, centre, radius);
}

// ---- Lattice -----------------------------------------------------------------------------------
// Sites in a width that leaves `spare` beside them; every other row is moved on by `shift`.
static double centred(double spare, double shift)
{
    return 0.5 * (spare >= shift ? spare - shift : spare);
}

// What a width leaves for the centres of grains; 0 and not less for one exactly a grain wide.
static double way_for_centres(double width, double radius)
{
    double way = width - 2.0 * radius;
    return way < 0.0 && width >= 2.0 * radius * TOUCH ? 0.0 : way;
}

static uint64_t sites_across(double way, double spacing)
{
    return way < 0.0 ? 0 : (uint64_t)(way / spacing + 1e-9) + 1;
}

// Moves a grain off its site, if one of a few tries stays in the region and clear of obstacles.
static bool settle(const job *j, size_t grain, erg_vec3 site, double free_way, erg_vec3 *at)
{
    const ergi_place_def *def = j->def;
    double                radius = j->placed->size[grain] * def->shape->bounding_radius;
    ergi_random           random = numbers_of(def, grain, DRAW_PLACE);
    double                way = def->jitter * (free_way - radius);
    for (int k = way > 0.0 ? 0 : JITTERS; k <= JITTERS; k++) {
        *at = k < JITTERS ? ergi_madd(site, way, ergi_random_in_ball(&random)) : site;
        if (ergi_region_room(def->region, *at) >= radius * TOUCH && is_free(def, *at, radius))
            return true;
    }
    return false;
}

static erg_status fill_lattice(job *j)
{
    double spacing = 2.0 * j->largest * (1.0 + j->def->gap);
    double row = spacing * sqrt(3.0 / 4.0), layer = spacing * sqrt(2.0 / 3.0);
    double wide = way_for_centres(j->high.x - j->low.x, j->largest);
    double deep = way_for_centres(j->high.y - j->low.y, j->largest);
    double tall = way_for_centres(j->high.z - j->low.z, j->largest);
    // hexagonal rows are moved by half a site, layers by a third of a row's triangle
    double   row_shift = 0.5 * spacing, layer_shift = row / 3.0;
    uint64_t nx = sites_across(wide, spacing), ny = sites_across(deep, row);
    uint64_t nz = sites_across(tall, layer);
    if (nx == 0 || ny == 0 || nz == 0) return ERG_OK;
    erg_vec3 corner = ergi_add(j->low, ergi_vec3(j->largest, j->largest, j->largest));
    corner.x += centred(wide - (double)(nx - 1) * spacing, row_shift);
    corner.y += centred(deep - (double)(ny - 1) * row, layer_shift);

    size_t   count = 0;
    uint64_t sites = (uint64_t)fmin((double)MAX_SITES, (double)nx * (double)ny * (double)nz);
    for (uint64_t i = 0; i < sites && count < j->limit; i++) {
        uint64_t   x = i % nx, y = i / nx % ny, z = i / nx / ny;
        erg_status status = may_go_on(j, i);
        if (status == ERG_OK) status = next_grain(j, count);
        if (status != ERG_OK) return status;
        erg_vec3 site = {corner.x + (double)x * spacing + ((y + z) % 2 ? row_shift : 0.0),
                         corner.y + (double)y * row + (z % 2 ? layer_shift : 0.0),
                         corner.z + (double)z * layer};
        if (settle(j, count, site, 0.5 * spacing, &j->placed->position[count])) count++;
    }
    j->placed->count = count;
    return ERG_OK;
}

// ---- Cells: which grains are near --------------------------------------------------------------
// One table for grids of several widths, each half the one before; a grain lives in the grid whose
// cells are one to two of its diameters wide. Cells that share a table entry only cost time.
typedef struct cells {
    const erg_vec3 *position;
    const double   *size;
    double          scale;   // bounding radius of size 1
    double          largest; // bounding radius
    erg_vec3        origin;
    size_t          inserted;
    int             levels;
    uint64_t        entries;     // a power of two
    erg_index      *head, *next; // 1 + grain; 0 ends
    size_t          next_room;
    erg_index      *members; // grains inserted, for a larger table
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
static bool throw_grain(const job *j, const cells *c, size_t grain, erg_vec3 *at)
{
    const ergi_place_def *def = j->def;
    double                radius = j->placed->size[grain] * def->shape->bounding_radius;
    for (int attempt = 0; attempt < def->attempts; attempt++) {
        ergi_random random = numbers_of(def, grain, DRAW_PLACE + (uint64_t)attempt);
        if (!ergi_region_draw(def->region, radius, &random, at)) return false;
        if (def->region->minus_count > 0 && ergi_region_room(def->region, *at) < radius * TOUCH)
            continue;
        if (is_clear(c, *at, radius) && is_free(def, *at, radius)) return true;
    }
    return false;
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

// All wanted grains, the largest first: small ones find room between large ones, not the other way.
// Ends early when several in a row find none, for then the rest will not either.
static erg_status throw_ranked(job *j, cells *c)
{
    size_t  count = (size_t)j->limit;
    ranked *order = ergi_memory_new(count, sizeof *order, "order of a fill", j->err);
    if (!order) return ERG_NO_MEMORY;
    for (size_t i = 0; i < count; i++) order[i] = (ranked){j->placed->size[i], (erg_index)i};
    qsort(order, count, sizeof *order, compare_ranked);

    erg_status status = ERG_OK;
    size_t     done = 0;
    int        failures = 0;
    for (size_t i = 0; i < count && failures < MAX_FAILURES && status == ERG_OK; i++) {
        size_t grain = (size_t)order[i].grain;
        if (throw_grain(j, c, grain, &j->placed->position[grain])) {
            status = insert(c, (erg_index)grain, j->err);
            done++;
            failures = 0;
        } else {
            failures++;
        }
    }
    ergi_memory_free(order);
    j->placed->count = done;
    return status;
}

static erg_status throw_in_order(job *j, cells *c)
{
    for (size_t i = 0; i < j->limit; i++) {
        erg_status status = next_grain(j, i);
        if (status != ERG_OK) return status;
        c->position = j->placed->position; // may have moved
        c->size = j->placed->size;
        if (!throw_grain(j, c, i, &j->placed->position[i])) break;
        status = insert(c, (erg_index)i, j->err);
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
    erg_status status = j->whole ? throw_ranked(j, &c) : throw_in_order(j, &c);
    ergi_memory_free(c.head);
    ergi_memory_free(c.next);
    ergi_memory_free(c.members);
    return status;
}

// ---- The whole ---------------------------------------------------------------------------------
static erg_status check(const ergi_place_def *def, erg_error *err)
{
    erg_status status = ergi_region_check(def->region, err);
    if (status == ERG_OK) status = ergi_sizes_check(def->sizes, err);
    if (status != ERG_OK) return status;
    if (def->count > INT32_MAX)
        return ergi_fail(err, ERG_BAD_INPUT, "count must be at most %d, got %" PRIu64, INT32_MAX,
                         def->count);
    if (!(def->gap >= 0.0) || !isfinite(def->gap))
        return ergi_fail(err, ERG_BAD_INPUT, "gap must be 0 or more, got %g", def->gap);
    if (!(def->jitter >= 0.0 && def->jitter <= 1.0))
        return ergi_fail(err, ERG_BAD_INPUT, "jitter must be from 0 to 1, got %g", def->jitter);
    if (def->attempts < 1)
        return ergi_fail(err, ERG_BAD_INPUT, "attempts must be at least 1, got %d", def->attempts);
    return ERG_OK;
}

// Bounds first: how many balls of the smallest size have the volume of the region's bounds.
static erg_status prepare(job *j)
{
    const ergi_place_def *def = j->def;
    double                least, most;
    ergi_sizes_range(def->sizes, &least, &most);
    double smallest = least * def->shape->bounding_radius;
    j->largest = most * def->shape->bounding_radius;
    ergi_region_bounds(def->region, &j->low, &j->high);
    erg_vec3 size = ergi_sub(j->high, j->low);
    double   longest = fmax(size.x, fmax(size.y, size.z));
    if (!(longest < 1e12 * smallest))
        return ergi_fail(j->err, ERG_BAD_INPUT,
                         "the region is %g m long, too much for grains of radius %g m", longest,
                         smallest);
    double ball = 4.0 / 3.0 * ERGI_PI;
    double most_balls = size.x / smallest * (size.y / smallest) * (size.z / smallest) / ball;
    double wanted = def->count > 0 ? (double)def->count : (double)INT32_MAX;
    j->limit = (uint64_t)fmin(wanted, most_balls * (1.0 + 1e-9) + 1.0);
    j->whole = def->count > 0 && !def->partial;
    if (!j->whole) return ERG_OK;

    erg_status status = reserve(j->placed, (size_t)j->limit, j->err);
    if (status != ERG_OK) return status;
    j->largest = 0.0;
    for (size_t i = 0; i < j->limit; i++) {
        j->placed->size[i] = draw_size(def, i);
        j->largest = fmax(j->largest, j->placed->size[i] * def->shape->bounding_radius);
    }
    return ERG_OK;
}

static void turn_grains(const ergi_place_def *def, ergi_placed *placed)
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
    if (def->count == 0) return ergi_fail(err, ERG_BAD_INPUT, "no grain fits into the region");
    const char *hint = def->placing == ERG_PLACE_RANDOM ? " at random; a lattice packs closer" : "";
    return ergi_fail(err, ERG_BAD_INPUT, "%" PRIu64 " asked, only %" PRIu64 " fit%s", def->count,
                     fit, hint);
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
    turn_grains(def, &made);
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
