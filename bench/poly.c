// The bench `poly`: the cost of a contact in polydisperse beds. Three beds at rest: equal sizes,
// radii 1:10 and 1:20. In the latter two every size has the same share of the volume, so that there
// are thousands of small spheres per large one, and large ones have hundreds of contacts.
#include "record.h"
#include "scatter.h"
#include "scene.h"
#include "settle.h"

#include <math.h>
#include <stdlib.h>

enum { SIZES = 12 };
// Steps with drag between two checks, and in total: small spheres trickle down for long.
enum { DRAG = 5000, REST = 200000 };
static const double QUIET = 1e-5;    // kinetic energy per grain at which settling ends [m g d]
static const double SMALLEST = 4e-3; // radius [m]
static const double YOUNG = 5e7;     // stiff enough for small spheres under large ones [Pa]
static const double LOOSE = 0.50;    // initial volume fraction, if possible
static const double DENSE = 0.60;    // volume fraction of the bed, approximate

typedef struct mixture {
    int    sizes;
    double radius[SIZES]; // largest first [m]
    double weight[SIZES]; // share of the spheres
    double volume;        // of a sphere, mean [m^3]
} mixture;

static mixture mix(double ratio)
{
    mixture m = {.sizes = ratio > 1 ? SIZES : 1};
    double  sum = 0;
    for (int k = 0; k < m.sizes; k++) {
        double log_share = m.sizes > 1 ? 1 - (double)k / (m.sizes - 1) : 0;
        m.radius[k] = SMALLEST * pow(ratio, log_share);
        m.weight[k] = pow(m.radius[k], -3);
        sum += m.weight[k];
    }
    for (int k = 0; k < m.sizes; k++) {
        m.weight[k] /= sum;
        m.volume += m.weight[k] * 4.0 / 3 * 3.14159265358979 * pow(m.radius[k], 3);
    }
    return m;
}

// The width of the bed: at least three of the largest spheres.
static double side(const mixture *m, size_t count)
{
    return fmax(6.5 * m->radius[0], cbrt((double)count * m->volume / DENSE));
}

// Largest first; the smallest size absorbs rounding.
static void list_radii(const mixture *m, size_t count, double *radius)
{
    size_t k = 0;
    for (int s = 0; s < m->sizes; s++) {
        double share = m->weight[s] * (double)count;
        size_t here = (size_t)fmax(1, round(share));
        for (size_t i = 0; i < here && k < count; i++) radius[k++] = m->radius[s];
    }
    while (k < count) radius[k++] = m->radius[m->sizes - 1];
}

// ---- Scene -------------------------------------------------------------------------------------
static erg_status define_matter(erg_world *world, const mixture *m, erg_error *err)
{
    erg_material_def sand = {.density = MATTER_DENSITY,
                             .young = YOUNG,
                             .poisson = 0.25,
                             .restitution = 0.65,
                             .friction = MATTER_FRICTION,
                             .static_friction = ERG_UNSET};
    erg_grain_def    grain = erg_grain_def_default();
    grain.sizes = (erg_sizes){.law = ERG_SIZE_LISTED,
                              .values = m->radius,
                              .weights = m->weight,
                              .count = (size_t)m->sizes};
    erg_status status = erg_world_add_material(world, &sand, &grain.material, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(world, &grain, NULL, err);
    if (status == ERG_OK)
        status =
            matter_add_plane(world, grain.material, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 1}, err);
    return status;
}

static erg_status define(double ratio, size_t count, int threads, erg_world **world, erg_error *err)
{
    mixture       m = mix(ratio);
    double        a = side(&m, count);
    erg_world_def def = matter_world(threads);
    def.dt = 0;            // automatic
    def.max_overlap = 0.9; // while grains fall; at rest overlaps are tiny
    def.speed = sqrt(2 * MATTER_GRAVITY * 0.25 * a);
    def.lower = (erg_vec3){0, 0, -(double)INFINITY};
    def.upper = (erg_vec3){a, a, (double)INFINITY};
    def.periodic_x = def.periodic_y = true;
    erg_status status = erg_world_create(&def, world, err);
    return status == ERG_OK ? define_matter(*world, &m, err) : status;
}

// `top` receives the height of the filling [m].
static erg_status fill(double ratio, size_t count, erg_world *world, double *top, erg_error *err)
{
    mixture    m = mix(ratio);
    double     a = side(&m, count);
    double     height = fmax(4 * m.radius[0], (double)count * m.volume / LOOSE / (a * a));
    double    *radius = malloc(count * sizeof *radius);
    erg_vec3  *position = malloc(count * sizeof *position);
    erg_status status = ERG_OK;
    if (!radius || !position)
        status = bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", count);
    if (status == ERG_OK) {
        list_radii(&m, count, radius);
        status = scatter(count, radius, a, height, position, err);
    }
    *top = 0;
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        *top = fmax(*top, position[i].z + radius[i]);
    erg_grains all = {.kind = 1, .count = count, .position = position, .size = radius};
    if (status == ERG_OK) status = erg_world_add_grains(world, &all, NULL, err);
    free(radius);
    free(position);
    return status;
}

// Lets the grains fall for as long as the top needs to sink from loose to dense.
static erg_status make(double ratio, size_t count, erg_world *world, erg_error *err)
{
    mixture m = mix(ratio);
    double  a = side(&m, count), top;
    bench_say("dropping %zu spheres of sizes 1:%g", count, ratio);
    erg_status status = fill(ratio, count, world, &top, err);
    double     sinks = fmax(m.radius[0], top - (double)count * m.volume / DENSE / (a * a));
    if (status == ERG_OK)
        status = erg_world_run(world, 1.3 * sqrt(2 * sinks / MATTER_GRAVITY), NULL, NULL, err);
    bool rests = false;
    for (int k = 0; k < REST && !rests && status == ERG_OK; k += DRAG) {
        erg_stats stats;
        status = settle_drag(world, DRAG, err);
        if (status == ERG_OK) status = erg_world_stats(world, &stats, err);
        if (status == ERG_OK) rests = matter_kinetic(&stats) < QUIET;
    }
    return status;
}

// The table of scenes needs functions without the parameter ratio.
#define POLY(RATIO)                                                                                \
    static erg_status define_##RATIO(size_t n, int threads, erg_world **world, erg_error *err)     \
    {                                                                                              \
        return define(RATIO, n, threads, world, err);                                              \
    }                                                                                              \
    static erg_status make_##RATIO(size_t n, const char *cache, erg_world *world, erg_error *err)  \
    {                                                                                              \
        (void)cache;                                                                               \
        return make(RATIO, n, world, err);                                                         \
    }
POLY(1)
POLY(10)
POLY(20)
#undef POLY

static const struct {
    double      ratio;
    bench_scene scene;
} BEDS[] = {
    {1, {.name = "poly-1", .define = define_1, .make = make_1}},
    {10, {.name = "poly-10", .define = define_10, .make = make_10}},
    {20, {.name = "poly-20", .define = define_20, .make = make_20}},
};

// ---- Bench -------------------------------------------------------------------------------------
static erg_status add_cost(bench_row *row, const erg_world *world, double ratio,
                           const bench_times *times, double *equal, erg_error *err)
{
    erg_stats  stats;
    erg_status status = erg_world_stats(world, &stats, err);
    if (status != ERG_OK) return status;
    double cpu = bench_median(times->cpu, times->count);
    double cost = 1e9 * cpu / ((double)times->steps * (double)stats.contacts);
    if (!(ratio > 1)) *equal = cost;
    bench_row_number(row, "size_ratio", ratio);
    bench_row_count(row, "contacts", stats.contacts);
    bench_row_number(row, "ns_per_contact", cost);
    bench_row_number(row, "per_contact_ratio", cost / *equal);
    return ERG_OK;
}

static erg_status measure(size_t bed, const bench_options *options, int threads, double *equal,
                          bench_rows *rows, erg_error *err)
{
    erg_world  *world = NULL;
    erg_stats   before;
    bench_times times;
    erg_status  status =
        scene_open(&BEDS[bed].scene, options->count, options->cache, threads, &world, err);
    bench_say("poly 1:%g: %zu spheres on %d thread%s", BEDS[bed].ratio, options->count, threads,
              threads > 1 ? "s" : "");
    if (status == ERG_OK)
        status = bench_measure(world, options->window, options->repeats, &times, &before, err);
    if (status == ERG_OK) status = record_row(rows, "poly", world, threads, &times, &before, err);
    if (status == ERG_OK)
        status = add_cost(&rows->row[rows->count - 1], world, BEDS[bed].ratio, &times, equal, err);
    erg_world_destroy(world);
    return status;
}

erg_status bench_poly(const bench_options *options, bench_rows *rows, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++) {
        double equal = 0;
        for (size_t bed = 0; bed < sizeof BEDS / sizeof *BEDS && status == ERG_OK; bed++)
            status = measure(bed, options, options->threads[k], &equal, rows, err);
    }
    return status;
}
