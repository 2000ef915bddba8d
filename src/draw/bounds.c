// Bounds of a picture's world. A few stray grains must not make the rest small.
#include "base/memory.h"
#include "draw/picture.h"
#include "geom/vec3.h"

#include <stdlib.h>

enum { SAMPLES = 4096 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The range of the coordinates without the outer 0.5 % at each end of a sample, widened by 4 %.
// Exact below 200 spheres.
static void trimmed_range(const double *xyz, size_t count, int axis, double *low, double *high)
{
    double sample[SAMPLES];
    size_t stride = count / SAMPLES + 1, n = 0;
    for (size_t i = 0; i < count && n < SAMPLES; i += stride)
        sample[n++] = xyz[3 * i + (size_t)axis];
    qsort(sample, n, sizeof *sample, by_size);
    size_t skip = n / 200;
    double wider = skip ? 0.04 * (sample[n - 1 - skip] - sample[skip]) : 0;
    *low = sample[skip] - wider;
    *high = sample[n - 1 - skip] + wider;
}

static void include_spheres(ergi_bounds *b, const erg_sphere_view *view)
{
    double r = 0, low[3], high[3];
    if (view->count == 0) return;
    for (size_t i = 0; i < view->count; i++) r = fmax(r, view->radius[i]);
    for (int k = 0; k < 3; k++) trimmed_range(view->position, view->count, k, &low[k], &high[k]);
    ergi_bounds_include(b, ergi_vec3(low[0] - r, low[1] - r, low[2] - r));
    ergi_bounds_include(b, ergi_vec3(high[0] + r, high[1] + r, high[2] + r));
}

static void include_wall(ergi_bounds *b, const erg_wall_surface *s)
{
    double low[3], high[3];
    if (s->kind == ERG_SURFACE_PLANE || s->kind == ERG_SURFACE_MESH ||
        s->kind == ERG_SURFACE_TERRAIN)
        return; // meshes are bounded as props
    for (int k = 0; k < 3; k++) low[k] = -(high[k] = s->half[k]);
    if (s->kind == ERG_SURFACE_REVOLVED) {
        double r = 0;
        low[2] = HUGE_VAL;
        high[2] = -HUGE_VAL;
        for (int i = 0; i < s->piece_count; i++) {
            const erg_outline_piece *p = &s->piece[i];
            double                   round = p->round ? hypot(p->r_a - p->r_c, p->z_a - p->z_c) : 0;
            r = fmax(r, fmax(fmax(p->r_a, p->r_b), p->round ? p->r_c + round : 0));
            low[2] = fmin(low[2], fmin(p->z_a, p->z_b));
            high[2] = fmax(high[2], fmax(p->z_a, p->z_b));
        }
        low[0] = low[1] = -r;
        high[0] = high[1] = r;
    }
    for (int corner = 0; corner < 8; corner++) {
        erg_vec3 q = s->origin;
        q = ergi_madd(q, corner & 1 ? high[0] : low[0], s->ex);
        q = ergi_madd(q, corner & 2 ? high[1] : low[1], s->ey);
        q = ergi_madd(q, corner & 4 ? high[2] : low[2], s->ez);
        ergi_bounds_include(b, q);
    }
}

// Around what moves on a terrain a part of it is shown, twice as wide; all of it where there is
// nothing else.
static void include_land(ergi_bounds *b, const ergi_land *land)
{
    const ergi_land_node *root = ergi_land_root(land);
    double                low[2] = {land->grid.lower[0], land->grid.lower[1]};
    double                high[2] = {ergi_land_upper(land, 0), ergi_land_upper(land, 1)};
    if (ergi_bounds_empty(b)) {
        ergi_bounds_include(b, ergi_vec3(low[0], low[1], land->grid.floor));
        ergi_bounds_include(b, ergi_vec3(high[0], high[1], (double)root->high));
        return;
    }
    double   wider = 0.25 * ergi_distance(b->low, b->high);
    erg_vec3 from = b->low, to = b->high;
    double   x[2] = {fmax(from.x - wider, low[0]), fmin(to.x + wider, high[0])};
    double   y[2] = {fmax(from.y - wider, low[1]), fmin(to.y + wider, high[1])};
    for (int k = 0; k < 4 && x[0] <= x[1] && y[0] <= y[1]; k++) {
        double z = ergi_land_height(land, x[k & 1], y[k >> 1]);
        ergi_bounds_include(b, ergi_vec3(x[k & 1], y[k >> 1], fmax(z, from.z - wider)));
    }
}

static double clamped(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

ergi_bounds ergi_picture_shown(const erg_picture *p)
{
    ergi_bounds      b = p->bounds;
    const ergi_land *land = p->land;
    double           reach = 0.8 * ergi_distance(p->eye.position, p->eye.target);
    if (!land || !(reach > 0)) return b;
    double at[2] = {p->eye.target.x, p->eye.target.y}, low[2], high[2];
    for (int k = 0; k < 2; k++) {
        double least = land->grid.lower[k], most = ergi_land_upper(land, k);
        double middle = clamped(at[k], least, most);
        low[k] = fmax(middle - reach, least);
        high[k] = fmin(middle + reach, most);
    }
    double top = (double)ergi_land_root(land)->high;
    double z = clamped(p->eye.target.z, land->grid.floor, top);
    ergi_bounds_include(&b, ergi_vec3(low[0], low[1], fmax(z - reach, land->grid.floor)));
    ergi_bounds_include(&b, ergi_vec3(high[0], high[1], fmin(z + reach, top)));
    return b;
}

erg_status ergi_picture_bounds(erg_picture *p, const erg_world *world, const erg_moment *moment,
                               const erg_sphere_view *view, erg_error *err)
{
    const ergi_bounds none = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    p->bounds = p->solid = none;
    ergi_picture_bound_props(p, &p->solid);
    for (erg_id id = 1; id <= erg_world_wall_count(world); id++) {
        erg_wall_surface s;
        erg_status       status =
            erg_world_wall_surface(world, id, moment ? moment->time : (double)NAN, &s, err);
        if (status != ERG_OK) return status;
        include_wall(&p->solid, &s);
    }
    include_spheres(&p->bounds, view);
    if (!ergi_bounds_empty(&p->solid)) {
        ergi_bounds_include(&p->bounds, p->solid.low);
        ergi_bounds_include(&p->bounds, p->solid.high);
    }
    if (p->land) include_land(&p->bounds, p->land);
    if (ergi_bounds_empty(&p->bounds)) {
        ergi_bounds_include(&p->bounds, ergi_vec3(-0.1, -0.1, 0));
        ergi_bounds_include(&p->bounds, ergi_vec3(0.1, 0.1, 0.1));
    }
    p->origin = ergi_scale(ergi_add(p->bounds.low, p->bounds.high), 0.5);
    return ERG_OK;
}
