#include "terrain/underside.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define STEEP 0.35 // vertical part of the normal below which a sheet is upright
#define INSET 1e-6 // a sheet exactly between two columns is above neither [spacings]
#define MOST_CUT 8 // corners of a triangle cut by four lines, with one to spare

// Plain comparisons: fmin and fmax are calls.
static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

void ergi_underside_free(ergi_underside *under)
{
    ergi_memory_free(under->low);
    ergi_memory_free(under->triangle);
    memset(under, 0, sizeof *under);
}

// ---- Triangles below the top of the sand -------------------------------------------------------
typedef struct frame {
    erg_vec3 origin, axis[3]; // of the shell, now
} frame;

static frame frame_now(const ergi_tool *tool, const ergi_placement *at)
{
    frame f = {.origin = ergi_placement_now(at, tool->origin)};
    for (int k = 0; k < 3; k++) f.axis[k] = ergi_quat_rotate(at->rotation, tool->axis[k]);
    return f;
}

static erg_vec3 to_world(const frame *f, erg_vec3 p)
{
    erg_vec3 w = ergi_madd(f->origin, p.x, f->axis[0]);
    w = ergi_madd(w, p.y, f->axis[1]);
    return ergi_madd(w, p.z, f->axis[2]);
}

static bool node_is_above(const frame *f, const ergi_bvh_node *n, double top)
{
    const double up[3] = {f->axis[0].z, f->axis[1].z, f->axis[2].z};
    double       low = f->origin.z;
    for (int k = 0; k < 3; k++) low += least(up[k] * (double)n->low[k], up[k] * (double)n->high[k]);
    return low > top;
}

static bool is_above(const ergi_under_triangle *t, double top)
{
    return t->p[0].z > top && t->p[1].z > top && t->p[2].z > top;
}

static erg_status gather(ergi_underside *under, const ergi_tool *tool, const frame *f, double top,
                         erg_error *err)
{
    const ergi_bvh *bvh = &tool->shell->bvh;
    uint32_t        stack[ERGI_BVH_STACK];
    int             depth = 0;
    erg_status      status = ERG_OK;
    under->triangles = 0;
    stack[depth++] = 0;
    while (depth > 0 && status == ERG_OK) {
        const ergi_bvh_node *n = &bvh->node[stack[--depth]];
        if (node_is_above(f, n, top)) continue;
        if (n->count == 0) {
            stack[depth++] = n->first + 1;
            stack[depth++] = n->first;
            continue;
        }
        status =
            ergi_memory_grow(&under->triangle, &under->triangle_room, under->triangles + n->count,
                             sizeof *under->triangle, "triangles in sand", err);
        for (uint32_t k = 0; k < n->count && status == ERG_OK; k++) {
            const ergi_bvh_triangle *t = &bvh->triangle[n->first + k];
            ergi_under_triangle     *to = &under->triangle[under->triangles];
            for (int m = 0; m < 3; m++) to->p[m] = to_world(f, t->p[m]);
            to->thin = tool->thin[t->index];
            under->triangles += !is_above(to, top);
        }
    }
    return status;
}

// ---- Columns below them ------------------------------------------------------------------------
// Columns that the triangles are above, as far as they are in the grid.
static void find_range(ergi_underside *under, const ergi_columns *c)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < under->triangles; k++)
        for (int m = 0; m < 3; m++) {
            const erg_vec3 *p = &under->triangle[k].p[m];
            low[0] = least(low[0], p->x), high[0] = most(high[0], p->x);
            low[1] = least(low[1], p->y), high[1] = most(high[1], p->y);
        }
    under->ni = under->nj = 0;
    for (int k = 0; k < 2; k++)
        if (!(high[k] >= c->lower[k] && low[k] < c->lower[k] + c->spacing * c->count[k])) return;
    under->i0 = ergi_columns_at(c, 0, low[0]);
    under->j0 = ergi_columns_at(c, 1, low[1]);
    under->ni = ergi_columns_at(c, 0, high[0]) - under->i0 + 1;
    under->nj = ergi_columns_at(c, 1, high[1]) - under->j0 + 1;
}

static double highest_column(const ergi_underside *under, const ergi_columns *c)
{
    uint64_t highest = 0;
    for (int32_t j = under->j0; j < under->j0 + under->nj; j++)
        for (int32_t i = under->i0; i < under->i0 + under->ni; i++) {
            uint64_t h = ergi_columns_height(c)[ergi_columns_row(c, i, j)];
            highest = h > highest ? h : highest;
        }
    return ergi_columns_z(c, highest);
}

static void lower(ergi_underside *under, int32_t i, int32_t j, double z)
{
    double *low =
        &under->low[(size_t)(j - under->j0) * (size_t)under->ni + (size_t)(i - under->i0)];
    if (z < *low) *low = z;
}

// First and last column along axis k whose centres are between two coordinates.
static int32_t first_centre(const ergi_columns *c, int k, double x, int32_t from)
{
    double i = ceil((x - c->lower[k]) / c->spacing - 0.5);
    return i > from ? (int32_t)least(i, c->count[k]) : from;
}

static int32_t last_centre(const ergi_columns *c, int k, double x, int32_t to)
{
    double i = floor((x - c->lower[k]) / c->spacing - 0.5);
    return i < to ? (int32_t)most(i, -1) : to;
}

// Where the line y = const cuts the triangle: up to two points (x, z); returns their number.
static int cut_at(const erg_vec3 p[3], double y, double x[2], double z[2])
{
    int n = 0;
    for (int k = 0; k < 3 && n < 2; k++) {
        const erg_vec3 *a = &p[k], *b = &p[(k + 1) % 3];
        if ((a->y <= y) == (b->y <= y)) continue;
        double s = (y - a->y) / (b->y - a->y);
        x[n] = a->x + s * (b->x - a->x);
        z[n++] = a->z + s * (b->z - a->z);
    }
    return n;
}

static void pass_rays(ergi_underside *under, const ergi_columns *c, const erg_vec3 p[3])
{
    double  low = least(p[0].y, least(p[1].y, p[2].y)), high = most(p[0].y, most(p[1].y, p[2].y));
    int32_t j = first_centre(c, 1, low, under->j0),
            last = last_centre(c, 1, high, under->j0 + under->nj - 1);
    for (; j <= last; j++) {
        double x[2], z[2];
        if (cut_at(p, ergi_columns_centre(c, 1, j), x, z) < 2) continue;
        int     a = x[1] < x[0], b = !a;
        int32_t i = first_centre(c, 0, x[a], under->i0),
                end = last_centre(c, 0, x[b], under->i0 + under->ni - 1);
        double slope = x[b] > x[a] ? (z[b] - z[a]) / (x[b] - x[a]) : 0;
        for (; i <= end; i++)
            lower(under, i, j, z[a] + slope * (ergi_columns_centre(c, 0, i) - x[a]));
    }
}

// ---- Upright sheets ----------------------------------------------------------------------------
// Keeps the part of a polygon where side * (coordinate along the axis - at) is not above 0.
static int cut(const erg_vec3 *p, int n, int axis, double at, double side, erg_vec3 *to)
{
    int kept = 0;
    for (int k = 0; k < n; k++) {
        const erg_vec3 *a = &p[k], *b = &p[(k + 1) % n];
        double          da = side * ((axis ? a->y : a->x) - at);
        double          db = side * ((axis ? b->y : b->x) - at);
        if (da <= 0) to[kept++] = *a;
        if ((da < 0 && db > 0) || (da > 0 && db < 0))
            to[kept++] = ergi_madd(*a, da / (da - db), ergi_sub(*b, *a));
    }
    return kept;
}

// The part between the sides of column n along an axis.
static int cut_strip(const ergi_columns *c, const erg_vec3 *p, int n, int axis, int32_t column,
                     erg_vec3 *to)
{
    erg_vec3 half[MOST_CUT];
    double   middle = ergi_columns_centre(c, axis, column), h = (0.5 - INSET) * c->spacing;
    n = cut(p, n, axis, middle - h, -1, half);
    return cut(half, n, axis, middle + h, 1, to);
}

static void pass_sheet(ergi_underside *under, const ergi_columns *c, const erg_vec3 p[3])
{
    double  low = least(p[0].y, least(p[1].y, p[2].y)), high = most(p[0].y, most(p[1].y, p[2].y));
    int32_t j = ergi_columns_at(c, 1, low), last = ergi_columns_at(c, 1, high);
    for (; j <= last; j++) {
        erg_vec3 strip[MOST_CUT], piece[MOST_CUT];
        int      n = cut_strip(c, p, 3, 1, j, strip);
        double   x0 = HUGE_VAL, x1 = -HUGE_VAL;
        for (int k = 0; k < n; k++) x0 = least(x0, strip[k].x), x1 = most(x1, strip[k].x);
        if (n == 0) continue;
        int32_t i = ergi_columns_at(c, 0, x0), end = ergi_columns_at(c, 0, x1);
        for (; i <= end; i++) {
            int m = cut_strip(c, strip, n, 0, i, piece);
            for (int k = 0; k < m; k++) lower(under, i, j, piece[k].z);
        }
    }
}

static bool is_upright(const erg_vec3 p[3])
{
    erg_vec3 n = ergi_cross(ergi_sub(p[1], p[0]), ergi_sub(p[2], p[0]));
    return fabs(n.z) < STEEP * ergi_norm(n);
}

erg_status ergi_underside_find(ergi_underside *under, const ergi_tool *tool,
                               const ergi_placement *at, const ergi_columns *c, double top,
                               erg_error *err)
{
    frame      f = frame_now(tool, at);
    erg_status status = gather(under, tool, &f, top, err);
    find_range(under, c);
    size_t n = (size_t)under->ni * (size_t)under->nj;
    if (status == ERG_OK)
        status = ergi_memory_grow(&under->low, &under->room, n, sizeof *under->low,
                                  "columns below a body", err);
    if (status != ERG_OK || n == 0) return status;
    for (size_t k = 0; k < n; k++) under->low[k] = HUGE_VAL;
    double here = least(top, highest_column(under, c) + c->spacing);
    for (size_t k = 0; k < under->triangles; k++) {
        const ergi_under_triangle *t = &under->triangle[k];
        if (is_above(t, here)) continue;
        pass_rays(under, c, t->p);
        if (t->thin && is_upright(t->p)) pass_sheet(under, c, t->p);
    }
    return ERG_OK;
}
