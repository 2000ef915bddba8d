#include "upsample/fine_ground.h"

#include "geom/query_heights.h"

// Columns along the sides of a block's footprint. A wider block has scattered particles.
enum { WIDE = 32, AROUND = 3, SIDE = WIDE + AROUND };

typedef struct footprint {
    int32_t first[2], count[2]; // squares between the centres of four columns
    float   high[WIDE * WIDE];  // highest column that the surface uses in each square [m]
} footprint;

// ---- Positions ---------------------------------------------------------------------------------
static void positions(const ergi_fine_frame *lattice, int axis, const uint32_t *place, int count,
                      double *x)
{
    double origin = lattice->origin[axis], step = lattice->step[axis];
    if (lattice->periodic[axis])
        for (int k = 0; k < count; k++) x[k] = origin + step * (double)place[k];
    else
        for (int k = 0; k < count; k++) x[k] = origin + step * (double)(int32_t)place[k];
}

// The square that contains each coordinate, from -1 on; that next to the edge for those outside.
static void squares(const ergi_height_field *field, int axis, const double *x, int count,
                    int32_t *square)
{
    double per = 1 / field->spacing, lower = field->lower[axis], last = field->count[axis] - 1;
    for (int k = 0; k < count; k++) {
        double u = (x[k] - lower) * per + 0.5; // not below 0, so that conversion rounds down
        u = u > 0 ? u : 0;
        square[k] = (int32_t)(u < last + 1 ? u : last + 1) - 1;
    }
}

static void range_of(const int32_t *of, int count, int32_t *first, int32_t *range)
{
    int32_t low = of[0], high = of[0];
    for (int k = 1; k < count; k++) {
        low = of[k] < low ? of[k] : low;
        high = of[k] > high ? of[k] : high;
    }
    *first = low;
    *range = high - low + 1;
}

// ---- Columns -----------------------------------------------------------------------------------
static float highest_of_4(const float *z, int stride)
{
    float a = z[0] > z[stride] ? z[0] : z[stride];
    float b = z[2 * stride] > z[3 * stride] ? z[2 * stride] : z[3 * stride];
    return a > b ? a : b;
}

// The surface in a square is made of the 4 x 4 columns around it, less the corners.
static void find_highest(const ergi_height_field *field, footprint *f)
{
    size_t  at[SIDE];
    float   row[SIDE], along[SIDE * WIDE];
    int32_t nx = f->count[0], ny = f->count[1];
    for (int32_t i = 0; i < nx + AROUND; i++)
        at[i] =
            ergi_heights_offset(field, 0, ergi_heights_clamp(f->first[0] - 1 + i, field->count[0]));
    for (int32_t j = 0; j < ny + AROUND; j++) {
        const float *z =
            field->surface +
            ergi_heights_offset(field, 1, ergi_heights_clamp(f->first[1] - 1 + j, field->count[1]));
        for (int32_t i = 0; i < nx + AROUND; i++) row[i] = z[at[i]];
        for (int32_t i = 0; i < nx; i++) along[j * nx + i] = highest_of_4(row + i, 1);
    }
    for (int32_t k = 0; k < nx * ny; k++) f->high[k] = highest_of_4(along + k, nx);
}

// Of those listed, the ones that touch.
static int keep_touching(const ergi_height_field *field, double x[3][ERGI_FINE_BLOCK], double gap,
                         uint16_t *list, int count)
{
    int kept = 0;
    for (int n = 0; n < count; n++) {
        int      k = list[n];
        erg_vec3 p = {x[0][k], x[1][k], x[2][k]};
        list[kept] = (uint16_t)k;
        kept += ergi_heights_nearest(field, p).gap < gap;
    }
    return kept;
}

// ---- A block -----------------------------------------------------------------------------------
int ergi_fine_ground_touch(const ergi_height_field *field, const ergi_fine_frame *lattice,
                           const ergi_fine_columns *fine, size_t begin, size_t end, double gap,
                           uint16_t list[ERGI_FINE_BLOCK])
{
    int       count = (int)(end - begin), found = 0;
    double    x[3][ERGI_FINE_BLOCK], lowest = HUGE_VAL;
    int32_t   square[2][ERGI_FINE_BLOCK];
    footprint f;
    positions(lattice, 2, fine->place[2] + begin, count, x[2]);
    for (int k = 0; k < count; k++) lowest = x[2][k] < lowest ? x[2][k] : lowest;
    if (lowest >= field->high + gap) return 0;
    for (int a = 0; a < 2; a++) {
        positions(lattice, a, fine->place[a] + begin, count, x[a]);
        squares(field, a, x[a], count, square[a]);
        range_of(square[a], count, &f.first[a], &f.count[a]);
    }
    bool known = f.count[0] <= WIDE && f.count[1] <= WIDE;
    if (known) find_highest(field, &f);
    for (int k = 0; k < count; k++) {
        int32_t at = (square[1][k] - f.first[1]) * f.count[0] + square[0][k] - f.first[0];
        double  high = known ? (double)f.high[at] : field->high;
        list[found] = (uint16_t)k;
        found += !(x[2][k] >= high + gap);
    }
    return keep_touching(field, x, gap, list, found);
}
