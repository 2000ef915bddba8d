// Contacts of a sphere with a height field and the spheres on it (height_field.h).
//
// The field is a smooth surface: between the centres of columns, height and gradient are
// interpolated bilinearly, the gradient from central differences; the outer half columns are level.
// The distance of a point is that to the tangent plane above or below it. A point counts as no
// nearer than its height above the highest of the twelve columns that are used, or the tangent
// planes of a cliff would be felt in the air above it; on slopes of up to 45 degrees this has no
// effect if the columns are at least 0.6 radii wide. There is no surface outside of the grid.
#ifndef ERGI_QUERY_HEIGHTS_H
#define ERGI_QUERY_HEIGHTS_H

#include "geom/height_field.h"
#include "geom/query_surface.h"

// ---- The smooth surface ------------------------------------------------------------------------
// Columns around a coordinate: from one before the centre below it to one after that above it.
typedef struct ergi_heights_line {
    size_t at[4]; // offset of each column in the array, along this axis
    double part;  // how far the point is from column 1 to column 2, 0 to 1
} ergi_heights_line;

ERG_INLINE int32_t ergi_heights_clamp(int32_t i, int32_t count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

// Offset of column i along axis k.
ERG_INLINE size_t ergi_heights_offset(const ergi_height_field *field, int k, int32_t i)
{
    uint32_t side = (uint32_t)field->side, block = (uint32_t)i / side,
             in = (uint32_t)i & (side - 1);
    size_t blocks = k == 0 ? 1 : (size_t)field->blocks;
    return (size_t)block * blocks * side * side + (size_t)in * (k == 0 ? 1 : side);
}

// The coordinate must be inside of the grid or on its edge.
ERG_INLINE ergi_heights_line ergi_heights_along(const ergi_height_field *field, int k, double x)
{
    ergi_heights_line line;
    double            u = (x - field->lower[k]) / field->spacing - 0.5, whole = floor(u);
    int32_t           first = (int32_t)whole - 1;
    line.part = u - whole;
    for (int c = 0; c < 4; c++) {
        int32_t i = first + c;
        bool    same = c > 0 && (i <= 0 || i >= field->count[k]); // beyond the edge
        line.at[c] =
            c > 0 && !same && (i & (field->side - 1)) // next in the same block: no division
                ? line.at[c - 1] + (k == 0 ? 1 : (size_t)field->side)
                : same ? line.at[c - 1]
                       : ergi_heights_offset(field, k, ergi_heights_clamp(i, field->count[k]));
    }
    return line;
}

typedef struct ergi_heights_point {
    double z;        // of the surface [m]
    double slope[2]; // along x and y
    double normal_z; // of the unit normal
    double high;     // z of the highest column that was used [m]
} ergi_heights_point;

ERG_INLINE double ergi_heights_mix(double a, double b, double part)
{
    return a + part * (b - a);
}

// The surface at a point of the plan that is inside of the grid or on its edge.
ERG_INLINE ergi_heights_point ergi_heights_at(const ergi_height_field *field, double x, double y)
{
    ergi_heights_line  i = ergi_heights_along(field, 0, x), j = ergi_heights_along(field, 1, y);
    ergi_heights_point p;
    double             row[2][4], up[2], down[2];
    p.high = -HUGE_VAL;
    for (int r = 0; r < 2; r++) {
        for (int c = 0; c < 4; c++) {
            row[r][c] = (double)field->surface[i.at[c] + j.at[1 + r]];
            p.high = row[r][c] > p.high ? row[r][c] : p.high;
        }
    }
    for (int c = 0; c < 2; c++) {
        down[c] = (double)field->surface[i.at[1 + c] + j.at[0]];
        up[c] = (double)field->surface[i.at[1 + c] + j.at[3]];
        p.high = down[c] > p.high ? down[c] : p.high;
        p.high = up[c] > p.high ? up[c] : p.high;
    }
    double below = ergi_heights_mix(row[0][1], row[0][2], i.part);
    double above = ergi_heights_mix(row[1][1], row[1][2], i.part);
    double along[2], per = 0.5 / field->spacing;
    for (int r = 0; r < 2; r++)
        along[r] = ergi_heights_mix(row[r][2] - row[r][0], row[r][3] - row[r][1], i.part);
    double lower = above - ergi_heights_mix(down[0], down[1], i.part);
    double upper = ergi_heights_mix(up[0], up[1], i.part) - below;
    p.z = ergi_heights_mix(below, above, j.part);
    p.slope[0] = per * ergi_heights_mix(along[0], along[1], j.part);
    p.slope[1] = per * ergi_heights_mix(lower, upper, j.part);
    p.normal_z = 1.0 / sqrt(1.0 + p.slope[0] * p.slope[0] + p.slope[1] * p.slope[1]);
    return p;
}

// The edge of the grid along axis k, at its end.
ERG_INLINE double ergi_heights_end(const ergi_height_field *field, int k)
{
    return field->lower[k] + (double)field->count[k] * field->spacing;
}

ERG_INLINE bool ergi_heights_inside(const ergi_height_field *field, double x, double y)
{
    return x >= field->lower[0] && y >= field->lower[1] && x <= ergi_heights_end(field, 0) &&
           y <= ergi_heights_end(field, 1);
}

// The hit of a point on the smooth surface, from a point of the surface in the same vertical.
ERG_INLINE ergi_surface_hit ergi_heights_smooth(const ergi_heights_point *at, erg_vec3 p)
{
    double   gap = (p.z - at->z) * at->normal_z;
    erg_vec3 n =
        ergi_vec3(-at->slope[0] * at->normal_z, -at->slope[1] * at->normal_z, at->normal_z);
    if (gap < p.z - at->high) gap = p.z - at->high;
    return ergi_hit_make(0, gap, n, 0.0, ergi_madd(p, -gap, n));
}

// A rectangle of columns or cells.
typedef struct ergi_heights_range {
    int32_t first[2], last[2];
} ergi_heights_range;

// ---- The spheres -------------------------------------------------------------------------------
// False: no sphere is nearer than reach, whatever the cells.
ERG_INLINE bool ergi_heights_near_spheres(const ergi_height_field *field, erg_vec3 p, double reach)
{
    const double *low = field->sphere_low, *high = field->sphere_high;
    return field->spheres > 0 && p.z < high[2] + reach && p.z > low[2] - reach &&
           p.x < high[0] + reach && p.x > low[0] - reach && p.y < high[1] + reach &&
           p.y > low[1] - reach;
}

// Cells whose spheres may be nearer than reach to a point near the spheres.
ERG_INLINE ergi_heights_range ergi_heights_cells_near(const ergi_height_field *field, erg_vec3 p,
                                                      double reach)
{
    const double      *low = field->sphere_low, *high = field->sphere_high;
    double             x[2], r = reach + field->largest;
    ergi_heights_range cells;
    x[0] = p.x;
    x[1] = p.y;
    for (int k = 0; k < 2; k++) {
        double from = x[k] - r > low[k] ? x[k] - r : low[k];
        double to = x[k] + r < high[k] ? x[k] + r : high[k];
        cells.first[k] = ergi_height_field_cell(from, field->cell);
        cells.last[k] = ergi_height_field_cell(to, field->cell);
    }
    return cells;
}

// Square of the distance along one axis from a coordinate to cell i.
ERG_INLINE double ergi_heights_cell_distance2(double x, int32_t i, double cell)
{
    double before = (double)i * cell - x, after = x - ((double)i + 1.0) * cell;
    double d = before > after ? before : after;
    return d > 0.0 ? d * d : 0.0;
}

enum { ERGI_HEIGHTS_ROW = 16 };

// Of `count` spheres from the first on: whether each may be nearer than reach to a point. Single
// precision; most spheres in the cells around a point are not near it.
ERG_INLINE void ergi_heights_maybe_near(const ergi_height_field *field, uint32_t first,
                                        uint32_t count, erg_vec3 p, double reach,
                                        int32_t near[ERGI_HEIGHTS_ROW])
{
    const float *sx = field->light[0] + first, *sy = field->light[1] + first,
                *sz = field->light[2] + first, *sr = field->light[3] + first;
    const float x = (float)(p.x - field->sphere_low[0]), y = (float)(p.y - field->sphere_low[1]),
                z = (float)(p.z - field->sphere_low[2]),
                most = (float)(1.00001 * reach + field->light_error);
    for (uint32_t k = 0; k < count; k++) {
        float dx = x - sx[k], dy = y - sy[k], dz = z - sz[k], within = most + sr[k];
        near[k] = (dx * dx + dy * dy + dz * dz < within * within) & (within > 0.0f);
    }
}

// Gap between a point and sphere k if below `reach`; else reach.
ERG_INLINE double ergi_heights_gap(const ergi_height_field *field, uint32_t k, erg_vec3 p,
                                   double reach)
{
    const double *s = field->sphere + 4 * (size_t)k;
    erg_vec3      d = ergi_vec3(p.x - s[0], p.y - s[1], p.z - s[2]);
    double        d2 = ergi_dot(d, d), within = reach + s[3];
    return within > 0.0 && d2 < within * within ? sqrt(d2) - s[3] : reach;
}

// Adds the hit of sphere k if it is nearer than reach.
ERG_INLINE void ergi_heights_sphere_hit(const ergi_height_field *field, uint32_t k, erg_vec3 p,
                                        double reach, ergi_hit_list *list)
{
    const double *s = field->sphere + 4 * (size_t)k;
    erg_vec3      d = ergi_vec3(p.x - s[0], p.y - s[1], p.z - s[2]);
    double        d2 = ergi_dot(d, d), within = reach + s[3];
    if (!(d2 < within * within)) return;
    double   distance = sqrt(d2);
    erg_vec3 n = distance > 0.0 ? ergi_scale(d, 1.0 / distance) : ergi_vec3(0.0, 0.0, 1.0);
    ergi_hit_list_add(list, ergi_hit_make(field->feature[k], distance - s[3], n, 1.0 / s[3],
                                          ergi_madd(ergi_vec3(s[0], s[1], s[2]), s[3], n)));
}

ERG_INLINE void ergi_heights_sphere_hits(const ergi_height_field *field, erg_vec3 p, double reach,
                                         ergi_hit_list *list)
{
    if (!ergi_heights_near_spheres(field, p, reach)) return;
    ergi_heights_range cells = ergi_heights_cells_near(field, p, reach);
    double             most = reach + field->largest, most2 = most * most * (1.0 + 1e-12);
    for (int32_t iy = cells.first[1]; iy <= cells.last[1]; iy++) {
        double dy2 = ergi_heights_cell_distance2(p.y, iy, field->cell);
        for (int32_t ix = cells.first[0]; ix <= cells.last[0]; ix++) {
            if (dy2 + ergi_heights_cell_distance2(p.x, ix, field->cell) > most2) continue;
            ergi_height_cell cell = ergi_height_field_find(field, ix, iy);
            for (uint32_t k = cell.begin; k < cell.end; k++)
                ergi_heights_sphere_hit(field, k, p, reach, list);
        }
    }
}

// ---- Queries -----------------------------------------------------------------------------------
ERG_INLINE void ergi_heights_surface_hit(const ergi_height_field *field, erg_vec3 p, double reach,
                                         ergi_hit_list *list)
{
    if (!(p.z < field->high + reach) || !ergi_heights_inside(field, p.x, p.y)) return;
    ergi_heights_point at = ergi_heights_at(field, p.x, p.y);
    ergi_surface_hit   hit = ergi_heights_smooth(&at, p);
    if (hit.gap < reach) ergi_hit_list_add(list, hit);
}

// The spheres within reach, then the smooth surface.
ERG_INLINE void ergi_heights_hits(const ergi_height_field *field, erg_vec3 p, double reach,
                                  ergi_hit_list *list)
{
    ergi_heights_sphere_hits(field, p, reach, list);
    ergi_heights_surface_hit(field, p, reach, list);
}

// Of the smooth surface; outside of the grid, at the nearest point of its edge.
ERG_INLINE ergi_surface_hit ergi_heights_nearest(const ergi_height_field *field, erg_vec3 p)
{
    double x[2];
    x[0] = p.x;
    x[1] = p.y;
    for (int k = 0; k < 2; k++) {
        double end = ergi_heights_end(field, k);
        x[k] = x[k] < field->lower[k] ? field->lower[k] : x[k] > end ? end : x[k];
    }
    ergi_heights_point at = ergi_heights_at(field, x[0], x[1]);
    if (x[0] == p.x && x[1] == p.y) return ergi_heights_smooth(&at, p);
    // Beside the edge, or above or below it
    erg_vec3 edge = ergi_vec3(x[0], x[1], at.z), d = ergi_sub(p, edge);
    double   distance = ergi_norm(d);
    return ergi_hit_make(0, distance, ergi_scale(d, 1.0 / distance), 0.0, edge);
}

// ---- Clearance ---------------------------------------------------------------------------------
// Columns or cells that are looked at, at most; a larger reach gets a cruder answer.
enum { ERGI_HEIGHTS_MOST = 4096 };

ERG_INLINE bool ergi_heights_too_many(const ergi_heights_range *range)
{
    double wide = (double)range->last[0] - (double)range->first[0] + 1.0;
    double high = (double)range->last[1] - (double)range->first[1] + 1.0;
    return wide * high > (double)ERGI_HEIGHTS_MOST;
}

// Columns that the surface uses in a rectangle of the plan; false: that is all outside of the grid.
ERG_INLINE bool ergi_heights_columns_in(const ergi_height_field *field, const double low[2],
                                        const double high[2], ergi_heights_range *range)
{
    for (int k = 0; k < 2; k++) {
        double end = (double)field->count[k] - 1.0;
        if (!(high[k] >= field->lower[k] && low[k] <= ergi_heights_end(field, k))) return false;
        double from = floor((low[k] - field->lower[k]) / field->spacing - 0.5) - 1.0;
        double to = floor((high[k] - field->lower[k]) / field->spacing - 0.5) + 2.0;
        range->first[k] = from > 0.0 ? (int32_t)from : 0;
        range->last[k] = (int32_t)(to < end ? to : end);
    }
    return true;
}

// The same within `reach` of a point.
ERG_INLINE bool ergi_heights_columns_near(const ergi_height_field *field, erg_vec3 p, double reach,
                                          ergi_heights_range *range)
{
    double low[2], high[2];
    low[0] = p.x - reach;
    low[1] = p.y - reach;
    high[0] = p.x + reach;
    high[1] = p.y + reach;
    return ergi_heights_columns_in(field, low, high, range);
}

// z of the highest of these columns, or of the first one found that is above `enough`.
ERG_INLINE double ergi_heights_highest(const ergi_height_field  *field,
                                       const ergi_heights_range *range, double enough)
{
    double high = -HUGE_VAL;
    if (ergi_heights_too_many(range)) return field->high;
    for (int32_t j = range->first[1]; j <= range->last[1] && !(high > enough); j++) {
        size_t row = ergi_heights_offset(field, 1, j);
        for (int32_t i = range->first[0], end; i <= range->last[0]; i = end) {
            const float *z = field->surface + row + ergi_heights_offset(field, 0, i);
            float        most = z[0]; // of those that follow in the same block
            end = (i | (field->side - 1)) + 1;
            end = end <= range->last[0] ? end : range->last[0] + 1;
            for (int32_t k = 1; k < end - i; k++) most = z[k] > most ? z[k] : most;
            high = (double)most > high ? (double)most : high;
        }
    }
    return high;
}

// Distance to the nearest sphere, or to the first one found that is nearer than `enough`; reach:
// none is nearer than reach.
ERG_INLINE double ergi_heights_sphere_distance(const ergi_height_field *field, erg_vec3 p,
                                               double reach, double enough)
{
    double least = reach;
    if (!ergi_heights_near_spheres(field, p, reach)) return reach;
    ergi_heights_range cells = ergi_heights_cells_near(field, p, reach);
    if (ergi_heights_too_many(&cells)) return -HUGE_VAL;
    for (int32_t iy = cells.first[1]; iy <= cells.last[1]; iy++) {
        double dy2 = ergi_heights_cell_distance2(p.y, iy, field->cell);
        for (int32_t ix = cells.first[0]; ix <= cells.last[0]; ix++) {
            double most = least + field->largest;
            double d2 = dy2 + ergi_heights_cell_distance2(p.x, ix, field->cell);
            if (d2 > most * most * (1.0 + 1e-12)) continue;
            ergi_height_cell cell = ergi_height_field_find(field, ix, iy);
            for (uint32_t k = cell.begin; k < cell.end; k++) {
                double gap = ergi_heights_gap(field, k, p, least);
                least = gap < least ? gap : least;
            }
            if (least < enough) return least;
        }
    }
    return least;
}

// The same for the smooth surface alone.
ERG_INLINE double ergi_heights_surface_clearance(const ergi_height_field *field, erg_vec3 p,
                                                 double reach)
{
    ergi_heights_range columns;
    if (!(p.z < field->high + reach) || !ergi_heights_columns_near(field, p, reach, &columns))
        return reach;
    double above = p.z - ergi_heights_highest(field, &columns, HUGE_VAL);
    return above < reach ? above : reach;
}

// How far the point and the surface must move, together, before a hit with a gap of 0 is possible;
// a lower bound, if below `reach`, else reach. Unlike the gap of a hit it changes by no more than
// they move, provided that the point moves no farther than reach.
ERG_INLINE double ergi_heights_clearance(const ergi_height_field *field, erg_vec3 p, double reach)
{
    double least = ergi_heights_sphere_distance(field, p, reach, -HUGE_VAL);
    if (least == -HUGE_VAL) least = -reach; // too many to look at
    if (!(p.z < field->high + least)) return least;
    double above = ergi_heights_surface_clearance(field, p, reach);
    return above < least ? above : least;
}

// Whether all that is in a box reaches only what lies above the field: no column and no sphere in
// the box or below it is higher than its bottom.
ERG_INLINE bool ergi_heights_below(const ergi_height_field *field, const double low[3],
                                   const double high[3])
{
    ergi_heights_range range;
    double             bottom = low[2];
    if (!(bottom > field->high) && ergi_heights_columns_in(field, low, high, &range) &&
        !(ergi_heights_highest(field, &range, bottom) < bottom))
        return false;
    if (field->spheres == 0 || bottom > field->sphere_high[2]) return true;
    for (int k = 0; k < 2; k++) {
        double from = low[k] - field->largest, to = high[k] + field->largest;
        from = from > field->sphere_low[k] ? from : field->sphere_low[k];
        to = to < field->sphere_high[k] ? to : field->sphere_high[k];
        if (!(from <= to)) return true;
        range.first[k] = ergi_height_field_cell(from, field->cell);
        range.last[k] = ergi_height_field_cell(to, field->cell);
    }
    if (ergi_heights_too_many(&range)) return false;
    for (int32_t iy = range.first[1]; iy <= range.last[1]; iy++)
        for (int32_t ix = range.first[0]; ix <= range.last[0]; ix++) {
            ergi_height_cell cell = ergi_height_field_find(field, ix, iy);
            for (uint32_t k = cell.begin; k < cell.end; k++) {
                const double *s = field->sphere + 4 * (size_t)k;
                if (s[2] + s[3] > bottom && s[0] - s[3] < high[0] && s[0] + s[3] > low[0] &&
                    s[1] - s[3] < high[1] && s[1] + s[3] > low[1])
                    return false;
            }
        }
    return true;
}

// What of the field a point may touch.
typedef struct ergi_heights_near {
    double   clearance; // see ergi_heights_clearance [m]
    double   surface;   // the same for the smooth surface alone [m]
    uint32_t spheres;   // number of spheres that are nearer than `touch`
} ergi_heights_near;

// With `touch` <= `reach`. Writes no more than `room` of the spheres, in the order of the hits.
ERG_INLINE ergi_heights_near ergi_heights_look(const ergi_height_field *field, erg_vec3 p,
                                               double touch, double reach, uint32_t *sphere,
                                               uint32_t room)
{
    ergi_heights_near near = {reach, reach, 0};
    int32_t           maybe[ERGI_HEIGHTS_ROW];
    near.surface = ergi_heights_surface_clearance(field, p, reach);
    if (ergi_heights_near_spheres(field, p, reach)) {
        ergi_heights_range cells = ergi_heights_cells_near(field, p, reach);
        if (ergi_heights_too_many(&cells)) {
            near.clearance = -reach;
            near.spheres = UINT32_MAX;
            return near;
        }
        for (int32_t iy = cells.first[1]; iy <= cells.last[1]; iy++) {
            double dy2 = ergi_heights_cell_distance2(p.y, iy, field->cell);
            for (int32_t ix = cells.first[0]; ix <= cells.last[0]; ix++) {
                double within = near.clearance > touch ? near.clearance : touch;
                double most = within + field->largest;
                double d2 = dy2 + ergi_heights_cell_distance2(p.x, ix, field->cell);
                if (d2 > most * most * (1.0 + 1e-12)) continue;
                ergi_height_cell cell = ergi_height_field_find(field, ix, iy);
                for (uint32_t k = cell.begin; k < cell.end; k++) {
                    const uint32_t row = ERGI_HEIGHTS_ROW, in = (k - cell.begin) % row;
                    const uint32_t left = cell.end - k, count = left < row ? left : row;
                    if (in == 0) ergi_heights_maybe_near(field, k, count, p, within, maybe);
                    if (!maybe[in]) continue;
                    double gap = ergi_heights_gap(field, k, p, within);
                    near.clearance = gap < near.clearance ? gap : near.clearance;
                    if (!(gap < touch)) continue;
                    if (near.spheres < room) sphere[near.spheres] = k;
                    near.spheres++;
                }
            }
        }
    }
    if (near.surface < near.clearance) near.clearance = near.surface;
    return near;
}

// True: the clearance is not below reach.
ERG_INLINE bool ergi_heights_far(const ergi_height_field *field, erg_vec3 p, double reach)
{
    ergi_heights_range columns;
    if (p.z < field->high + reach && ergi_heights_columns_near(field, p, reach, &columns) &&
        p.z - ergi_heights_highest(field, &columns, p.z - reach) < reach)
        return false;
    return !(ergi_heights_sphere_distance(field, p, reach, reach) < reach);
}

#endif
