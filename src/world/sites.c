#include "world/sites.h"

#include <math.h>

// This many consecutive sites of a row are tried one by one.
enum { RUN = 4, PAUSE = 1024 };

// Boxes tested before a slab is assumed to have space.
enum { MOST_TESTS = 20000 };

// The part of a width that is available to centres of grains; 0, not slightly less, if exactly one
// grain fits.
static double width_for_centres(double width, double radius)
{
    double distance = width - 2.0 * radius;
    return distance < 0.0 && width >= 2.0 * radius * (1.0 - 1e-9) ? 0.0 : distance;
}

static int64_t sites_across(double distance, double spacing)
{
    return distance < 0.0 ? 0 : (int64_t)(distance / spacing + 1e-9) + 1;
}

// Offset that centres sites in a width with `spare` left over; every other row is displaced by
// `shift`.
static double centred(double spare, double shift)
{
    return 0.5 * (spare >= shift ? spare - shift : spare);
}

// In the hexagonal lattice, every other row is displaced by half a spacing, every other layer by a
// third of the row distance.
static double row_shift(const ergi_sites *s)
{
    return 0.5 * s->spacing;
}

static double layer_shift(const ergi_sites *s)
{
    return s->row / 3.0;
}

ergi_sites ergi_sites_in(erg_vec3 low, erg_vec3 high, double radius, double spacing)
{
    ergi_sites s = {
        .spacing = spacing, .row = spacing * sqrt(3.0 / 4.0), .layer = spacing * sqrt(2.0 / 3.0)};
    double  wide = width_for_centres(high.x - low.x, radius);
    double  deep = width_for_centres(high.y - low.y, radius);
    double  tall = width_for_centres(high.z - low.z, radius);
    int64_t nx = sites_across(wide, s.spacing), ny = sites_across(deep, s.row);
    int64_t nz = sites_across(tall, s.layer);
    if (nx == 0 || ny == 0 || nz == 0) return s;
    s.count[0] = nx;
    s.count[1] = ny;
    s.count[2] = nz;
    s.first = (erg_vec3){
        low.x + radius + centred(wide - (double)(nx - 1) * s.spacing, row_shift(&s)),
        low.y + radius + centred(deep - (double)(ny - 1) * s.row, layer_shift(&s)), low.z + radius};
    return s;
}

double ergi_sites_total(const ergi_sites *s)
{
    return (double)s->count[0] * (double)s->count[1] * (double)s->count[2];
}

// ---- Walking -----------------------------------------------------------------------------------
// Sites from `from` up to but not including `to`, along each axis.
typedef struct block {
    int64_t from[3], to[3];
} block;

typedef struct walk {
    const ergi_sites         *sites;
    const ergi_sites_visitor *visitor;
    uint64_t                  work;
    bool                      done;
} walk;

static erg_vec3 site_at(const ergi_sites *s, int64_t x, int64_t y, int64_t z)
{
    return (erg_vec3){s->first.x + (double)x * s->spacing + ((y + z) % 2 ? row_shift(s) : 0.0),
                      s->first.y + (double)y * s->row + (z % 2 ? layer_shift(s) : 0.0),
                      s->first.z + (double)z * s->layer};
}

static bool is_barred(walk *w, const block *b)
{
    const ergi_sites *s = w->sites;
    erg_vec3          low = {s->first.x + (double)b->from[0] * s->spacing,
                             s->first.y + (double)b->from[1] * s->row,
                             s->first.z + (double)b->from[2] * s->layer};
    erg_vec3          high = {s->first.x + (double)(b->to[0] - 1) * s->spacing + row_shift(s),
                              s->first.y + (double)(b->to[1] - 1) * s->row + layer_shift(s),
                              s->first.z + (double)(b->to[2] - 1) * s->layer};
    w->work++;
    return w->visitor->is_barred(w->visitor->user, low, high);
}

static int64_t length(const block *b, int axis)
{
    return b->to[axis] - b->from[axis];
}

// Both halves of a block, cut across an axis.
static void halve(const block *b, int axis, block half[2])
{
    int64_t middle = b->from[axis] + length(b, axis) / 2;
    half[0] = half[1] = *b;
    half[0].to[axis] = half[1].from[axis] = middle;
}

// Whether some part of the block may have space. Tests ever smaller boxes, halving the longest
// side: a wide slab may be barred in all its parts even if not as a whole.
static bool may_have_space(walk *w, const block *b, int *tests)
{
    if (++*tests > MOST_TESTS) return true;
    if (is_barred(w, b)) return false;
    int axis = length(b, 0) > length(b, 1) ? 0 : 1;
    if (length(b, 2) > length(b, axis)) axis = 2;
    if (length(b, axis) <= RUN) return true;
    block half[2];
    halve(b, axis, half);
    return may_have_space(w, &half[0], tests) || may_have_space(w, &half[1], tests);
}

static erg_status pause_if_due(walk *w, uint64_t before)
{
    if (w->work / PAUSE == before / PAUSE) return ERG_OK;
    return w->visitor->pause(w->visitor->user, w->work);
}

static erg_status walk_run(walk *w, const block *b)
{
    erg_status status = ERG_OK;
    for (int64_t x = b->from[0]; x < b->to[0] && status == ERG_OK && !w->done; x++) {
        w->work++;
        status = w->visitor->at(w->visitor->user, site_at(w->sites, x, b->from[1], b->from[2]),
                                &w->done);
    }
    return status;
}

// Layers first, then rows, then sites of a row.
static erg_status walk_block(walk *w, const block *b)
{
    int      axis = length(b, 2) > 1 ? 2 : length(b, 1) > 1 ? 1 : 0, tests = 0;
    uint64_t before = w->work;
    bool     barred = axis == 0 ? is_barred(w, b) : !may_have_space(w, b, &tests);
    if (!barred && axis == 0 && length(b, 0) <= RUN) {
        erg_status status = walk_run(w, b);
        return status == ERG_OK ? pause_if_due(w, before) : status;
    }
    erg_status status = pause_if_due(w, before);
    if (barred || status != ERG_OK) return status;
    block half[2];
    halve(b, axis, half);
    status = walk_block(w, &half[0]);
    return status == ERG_OK && !w->done ? walk_block(w, &half[1]) : status;
}

erg_status ergi_sites_walk(const ergi_sites *sites, const ergi_sites_visitor *visitor)
{
    walk  w = {.sites = sites, .visitor = visitor};
    block all = {{0, 0, 0}, {sites->count[0], sites->count[1], sites->count[2]}};
    return sites->count[0] > 0 ? walk_block(&w, &all) : ERG_OK;
}
