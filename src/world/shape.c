#include "world/shape.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/union.h"
#include "geom/vec3.h"

#define HALF_ROOT 0.70710678118654752440 // tetrahedron of edge 2, from every other corner of a cube

static const erg_sphere one[] = {{0, 0, 0, 1}};
static const erg_sphere dimer[] = {{-1, 0, 0, 1}, {1, 0, 0, 1}};
static const erg_sphere tetrahedron[] = {{HALF_ROOT, HALF_ROOT, HALF_ROOT, 1},
                                         {HALF_ROOT, -HALF_ROOT, -HALF_ROOT, 1},
                                         {-HALF_ROOT, HALF_ROOT, -HALF_ROOT, 1},
                                         {-HALF_ROOT, -HALF_ROOT, HALF_ROOT, 1}};
static const erg_sphere cube[] = {{-1, -1, -1, 1}, {1, -1, -1, 1}, {-1, 1, -1, 1}, {1, 1, -1, 1},
                                  {-1, -1, 1, 1},  {1, -1, 1, 1},  {-1, 1, 1, 1},  {1, 1, 1, 1}};

// With equal moments every frame is principal: the list keeps its own.
static ergi_mat3 find_principal(const ergi_mass *mass, ergi_shape *shape)
{
    ergi_mat3 axes;
    ergi_principal_axes(mass->inertia, shape->inertia, &axes);
    const double *i = shape->inertia;
    double        mean = (i[0] + i[1] + i[2]) / 3.0;
    double        most = fmax(i[0], fmax(i[1], i[2])), least = fmin(i[0], fmin(i[1], i[2]));
    shape->isotropic = most - least < 1e-9 * mean;
    if (shape->isotropic) {
        for (int k = 0; k < 3; k++) shape->inertia[k] = mean;
        axes = (ergi_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    }
    return axes;
}

static erg_status build(const erg_sphere *spheres, size_t count, ergi_shape *shape, erg_error *err)
{
    ergi_mass  mass;
    erg_status status = ergi_union_mass(spheres, count, &mass, err);
    if (status != ERG_OK) return status;

    ergi_shape s = {.count = (int)count,
                    .volume = mass.volume,
                    .bounding_radius = mass.bounding_radius,
                    .smallest_radius = spheres[0].radius,
                    .is_sphere = count == 1,
                    .centre = mass.centre};
    s.offset = ergi_memory_new(3 * count, sizeof *s.offset, "offsets of a grain kind", err);
    s.radius = ergi_memory_new(count, sizeof *s.radius, "radii of a grain kind", err);
    if (!s.offset || !s.radius) {
        ergi_shape_free(&s);
        return ERG_NO_MEMORY;
    }
    ergi_mat3 axes = find_principal(&mass, &s);
    s.principal_to_input = ergi_quat_from_mat3(axes);
    for (size_t i = 0; i < count; i++) {
        erg_vec3 at = ergi_sub(ergi_vec3(spheres[i].x, spheres[i].y, spheres[i].z), mass.centre);
        // the columns of `axes` are the principal axes
        for (int k = 0; k < 3; k++)
            s.offset[3 * i + k] = axes.m[0][k] * at.x + axes.m[1][k] * at.y + axes.m[2][k] * at.z;
        s.radius[i] = spheres[i].radius;
        s.smallest_radius = fmin(s.smallest_radius, spheres[i].radius);
        s.largest_radius = fmax(s.largest_radius, spheres[i].radius);
    }
    if (s.is_sphere) { // exact, without the rounding of the general case
        s.offset[0] = s.offset[1] = s.offset[2] = 0.0;
        s.bounding_radius = s.radius[0];
    }
    *shape = s;
    return ERG_OK;
}

erg_status ergi_shape_make(erg_shape kind, const erg_sphere *spheres, size_t sphere_count,
                           ergi_shape *shape, erg_error *err)
{
    switch (kind) {
    case ERG_SHAPE_SPHERE: return build(one, 1, shape, err);
    case ERG_SHAPE_DIMER: return build(dimer, 2, shape, err);
    case ERG_SHAPE_TETRAHEDRON: return build(tetrahedron, 4, shape, err);
    case ERG_SHAPE_CUBE: return build(cube, 8, shape, err);
    case ERG_SHAPE_SPHERES:
        if (!spheres) sphere_count = 0;
        return build(spheres, sphere_count, shape, err);
    }
    return ergi_fail_at(err, "shape", ERG_ERROR_UNKNOWN, "unknown grain shape %d", (int)kind);
}

void ergi_shape_free(ergi_shape *shape)
{
    ergi_memory_free(shape->offset);
    ergi_memory_free(shape->radius);
    shape->offset = shape->radius = NULL;
    shape->count = 0;
}

// ---- Sizes -------------------------------------------------------------------------------------
static bool positive(double x)
{
    return x > 0.0 && isfinite(x);
}

static erg_status check_normal(const erg_sizes *s, erg_error *err)
{
    double least, most;
    if (!positive(s->mean))
        return ergi_fail_at(err, "mean", ergi_code_of(s->mean),
                            "sizes: mean must be above 0, got %g", s->mean);
    if (!(s->deviation >= 0.0) || !isfinite(s->deviation))
        return ergi_fail_at(err, "deviation", ergi_code_of(s->deviation),
                            "sizes: deviation must be 0 or more, got %g", s->deviation);
    if (!(s->min >= 0.0 && s->max >= 0.0) || !isfinite(s->min + s->max))
        return ergi_fail_at(err, s->min >= 0.0 && isfinite(s->min) ? "max" : "min",
                            ergi_code_of(s->min + s->max),
                            "sizes: min and max must be 0 or more, got %g and %g", s->min, s->max);
    ergi_sizes_range(s, &least, &most);
    if (!(least > 0.0))
        return ergi_fail_at(
            err, "deviation", ERG_ERROR_OUT_OF_RANGE,
            "sizes: mean %g minus three deviations of %g is not above 0: give a min", s->mean,
            s->deviation);
    if (!(least <= s->mean && s->mean <= most))
        return ergi_fail_at(err, "mean", ERG_ERROR_OUT_OF_RANGE,
                            "sizes: the mean %g must lie from min to max, %g to %g", s->mean, least,
                            most);
    return ERG_OK;
}

static erg_status check_listed(const erg_sizes *s, erg_error *err)
{
    double total = 0.0;
    if (s->count == 0 || !s->values)
        return ergi_fail_at(err, "values", ERG_ERROR_MISSING, "sizes: the list of values is empty");
    for (size_t i = 0; i < s->count; i++) {
        if (!positive(s->values[i]))
            return ergi_fail_within(err,
                                    ergi_fail_code(err, ergi_code_of(s->values[i]),
                                                   "sizes: value %zu must be above 0, got %g", i,
                                                   s->values[i]),
                                    "values[%zu]", i);
        double weight = s->weights ? s->weights[i] : 1.0;
        if (!(weight >= 0.0) || !isfinite(weight))
            return ergi_fail_within(err,
                                    ergi_fail_code(err, ergi_code_of(weight),
                                                   "sizes: weight %zu must be 0 or more, got %g", i,
                                                   weight),
                                    "weights[%zu]", i);
        total += weight;
    }
    if (!positive(total))
        return ergi_fail_at(err, "weights", ergi_code_of(total),
                            "sizes: the sum of the weights must be above 0, got %g", total);
    return ERG_OK;
}

erg_status ergi_sizes_check(const erg_sizes *sizes, erg_error *err)
{
    switch (sizes->law) {
    case ERG_SIZE_FIXED:
        if (!positive(sizes->radius))
            return ergi_fail_at(err, "radius", ergi_code_of(sizes->radius),
                                "grain radius must be above 0 m, got %g", sizes->radius);
        return ERG_OK;
    case ERG_SIZE_UNIFORM:
        if (!positive(sizes->min) || !(sizes->max >= sizes->min) || !isfinite(sizes->max))
            return ergi_fail_at(err, positive(sizes->min) ? "max" : "min",
                                ergi_code_of(sizes->min + sizes->max),
                                "sizes: min must be above 0 and max at least min, got %g and %g",
                                sizes->min, sizes->max);
        return ERG_OK;
    case ERG_SIZE_NORMAL: return check_normal(sizes, err);
    case ERG_SIZE_LISTED: return check_listed(sizes, err);
    }
    return ergi_fail_at(err, "law", ERG_ERROR_UNKNOWN, "unknown size law %d", (int)sizes->law);
}

void ergi_sizes_range(const erg_sizes *s, double *least, double *most)
{
    *least = *most = s->radius;
    if (s->law == ERG_SIZE_UNIFORM) {
        *least = s->min;
        *most = s->max;
    } else if (s->law == ERG_SIZE_NORMAL) {
        *least = s->min > 0.0 ? s->min : s->mean - 3.0 * s->deviation;
        *most = s->max > 0.0 ? s->max : s->mean + 3.0 * s->deviation;
    } else if (s->law == ERG_SIZE_LISTED) {
        *least = HUGE_VAL;
        *most = 0.0;
        for (size_t i = 0; i < s->count; i++) {
            if (s->weights && s->weights[i] == 0.0) continue;
            *least = fmin(*least, s->values[i]);
            *most = fmax(*most, s->values[i]);
        }
    }
}

// Integral over the truncated distribution.
static double mean_cube_normal(const erg_sizes *s)
{
    enum { PIECES = 1000 };
    double least, most, sum = 0.0, total = 0.0;
    ergi_sizes_range(s, &least, &most);
    if (!(s->deviation > 0.0)) return s->mean * s->mean * s->mean;
    for (int k = 0; k < PIECES; k++) {
        double size = least + (most - least) * (k + 0.5) / PIECES;
        double z = (size - s->mean) / s->deviation, weight = exp(-0.5 * z * z);
        total += weight;
        sum += weight * size * size * size;
    }
    return total > 0.0 ? sum / total : s->mean * s->mean * s->mean;
}

static double mean_cube_listed(const erg_sizes *s)
{
    double sum = 0.0, total = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        double weight = s->weights ? s->weights[i] : 1.0, size = s->values[i];
        total += weight;
        sum += weight * size * size * size;
    }
    return sum / total;
}

double ergi_sizes_mean_cube(const erg_sizes *s)
{
    switch (s->law) {
    case ERG_SIZE_UNIFORM: return (s->min + s->max) * (s->min * s->min + s->max * s->max) / 4.0;
    case ERG_SIZE_NORMAL: return mean_cube_normal(s);
    case ERG_SIZE_LISTED: return mean_cube_listed(s);
    case ERG_SIZE_FIXED: break;
    }
    return s->radius * s->radius * s->radius;
}

// Rejects draws outside the truncation limits; after a thousand misses the nearer limit is used.
static double draw_normal(const erg_sizes *s, ergi_random *random)
{
    double least, most, size = s->mean;
    ergi_sizes_range(s, &least, &most);
    for (int attempt = 0; attempt < 1000; attempt++) {
        size = s->mean + s->deviation * ergi_random_normal(random);
        if (size >= least && size <= most) return size;
    }
    return size < least ? least : most;
}

static double draw_listed(const erg_sizes *s, ergi_random *random)
{
    double total = 0.0;
    for (size_t i = 0; i < s->count; i++) total += s->weights ? s->weights[i] : 1.0;
    double left = total * ergi_random_uniform(random), last = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        double weight = s->weights ? s->weights[i] : 1.0;
        if (weight == 0.0) continue;
        last = s->values[i];
        if (left < weight) break;
        left -= weight;
    }
    return last;
}

double ergi_sizes_draw(const erg_sizes *sizes, ergi_random *random)
{
    switch (sizes->law) {
    case ERG_SIZE_UNIFORM: return ergi_random_range(random, sizes->min, sizes->max);
    case ERG_SIZE_NORMAL: return draw_normal(sizes, random);
    case ERG_SIZE_LISTED: return draw_listed(sizes, random);
    case ERG_SIZE_FIXED: break;
    }
    return sizes->radius;
}
