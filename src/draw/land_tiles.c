#include "draw/land_tiles.h"

#include "base/hash.h"
#include "geom/vec3.h"

enum { CELLS = ERGI_TILE_CELLS, EDGE = ERGI_TILE_EDGE };

static const double SKIRT = 3; // depth of a skirt, in cells

// ---- Choosing tiles ----------------------------------------------------------------------------
typedef struct chooser {
    const ergi_land      *land;
    const ergi_tile_view *view;
    double                cell_pixels;
    ergi_tile            *tiles;
    size_t                count; // may exceed ERGI_TILES_MOST: those are not stored
} chooser;

// Of a tile with level > 0, or of the block around one with level 0.
static const ergi_land_node *node_of(const ergi_land *land, int level, uint32_t a, uint32_t b)
{
    int at = level > 0 ? level - 1 : 0, up = level > 0 ? 0 : 1;
    return &land->node[at][(b >> up) * land->nodes[at][0] + (a >> up)];
}

typedef struct box {
    erg_vec3 low, high;
} box;

static box box_of(const ergi_land *land, int level, uint32_t a, uint32_t b)
{
    const erg_terrain_grid *g = &land->grid;
    const ergi_land_node   *n = node_of(land, level, a, b);
    double                  side = ldexp(CELLS * g->spacing, level);
    double                  x = g->lower[0] + a * side, y = g->lower[1] + b * side;
    return (box){{x, y, (double)n->low - SKIRT * side / CELLS},
                 {fmin(x + side, ergi_land_upper(land, 0)),
                  fmin(y + side, ergi_land_upper(land, 1)), (double)n->high}};
}

static double distance_to(const box *q, erg_vec3 p)
{
    return ergi_norm(ergi_vec3(fmax(fmax(q->low.x - p.x, p.x - q->high.x), 0),
                               fmax(fmax(q->low.y - p.y, p.y - q->high.y), 0),
                               fmax(fmax(q->low.z - p.z, p.z - q->high.z), 0)));
}

// False if all corners are beyond one side of the picture.
static bool is_in_view(const ergi_tile_view *view, const box *q)
{
    int beyond[4] = {0, 0, 0, 0}, behind = 0;
    for (int k = 0; k < 8; k++) {
        const float *m = view->to_clip.m;
        erg_vec3 p = ergi_sub(ergi_vec3(k & 1 ? q->high.x : q->low.x, k & 2 ? q->high.y : q->low.y,
                                        k & 4 ? q->high.z : q->low.z),
                              view->origin);
        double   c[4];
        for (int r = 0; r < 4; r++)
            c[r] = (double)m[r] * p.x + (double)m[4 + r] * p.y + (double)m[8 + r] * p.z +
                   (double)m[12 + r];
        beyond[0] += c[0] < -c[3];
        beyond[1] += c[0] > c[3];
        beyond[2] += c[1] < -c[3];
        beyond[3] += c[1] > c[3];
        behind += c[3] <= 0;
    }
    return beyond[0] < 8 && beyond[1] < 8 && beyond[2] < 8 && beyond[3] < 8 && behind < 8;
}

// The heights of a tile depend on the columns around it too.
static uint64_t content_of(const ergi_land *land, int level, uint32_t a, uint32_t b)
{
    int           at = level > 0 ? level - 1 : 0, up = level > 0 ? 0 : 1;
    const size_t *n = land->nodes[at];
    int64_t       i = a >> up, j = b >> up;
    uint64_t      hash = 0;
    for (int64_t y = j - 1; y <= j + 1; y++)
        for (int64_t x = i - 1; x <= i + 1; x++)
            if (x >= 0 && y >= 0 && (size_t)x < n[0] && (size_t)y < n[1])
                hash = ergi_hash_word(hash, land->node[at][(size_t)y * n[0] + (size_t)x].content);
    return hash;
}

static void choose_below(chooser *c, int level, uint32_t a, uint32_t b)
{
    const ergi_land *land = c->land;
    double           cell = ldexp(land->grid.spacing, level);
    for (int k = 0; k < 2; k++)
        if (ldexp((double)(k ? b : a) * CELLS, level) >= (double)land->grid.count[k]) return;
    box    q = box_of(land, level, a, b);
    bool   seen = is_in_view(c->view, &q);
    double near = distance_to(&q, c->view->eye);
    bool   shading = c->view->radius > 0 && distance_to(&q, c->view->centre) < c->view->radius;
    if (!seen && !shading) return;
    if (level > 0 && cell * c->view->pixels > c->cell_pixels * near) {
        for (uint32_t k = 0; k < 4; k++)
            choose_below(c, level - 1, 2 * a + (k & 1), 2 * b + (k >> 1));
        return;
    }
    if (c->count < ERGI_TILES_MOST)
        c->tiles[c->count] = (ergi_tile){level, a, b, content_of(land, level, a, b), seen, shading};
    c->count++;
}

size_t ergi_land_choose(const ergi_land *land, const ergi_tile_view *view, ergi_tile *tiles)
{
    chooser c = {land, view, view->cell_pixels, tiles, 0};
    for (;;) {
        choose_below(&c, land->levels, 0, 0); // one tile, of cells that are twice too large
        if (c.count <= ERGI_TILES_MOST) return c.count;
        c.cell_pixels *= 1.4;
        c.count = 0;
    }
}

// ---- Corners -----------------------------------------------------------------------------------
static int16_t slant_part(double x)
{
    return (int16_t)lrint(32767 * x);
}

static void put_surface(const ergi_land *land, const ergi_tile *t, const float *z,
                        ergi_tile_corner *out)
{
    double cell = ldexp(land->grid.spacing, t->level);
    for (int j = 0; j < EDGE; j++)
        for (int i = 0; i < EDGE; i++) {
            const float *here = z + (j + 1) * (EDGE + 2) + i + 1;
            double       sx = (double)(here[1] - here[-1]) / (2 * cell);
            double       sy = (double)(here[EDGE + 2] - here[-EDGE - 2]) / (2 * cell);
            double       unit = 1 / sqrt(1 + sx * sx + sy * sy);
            *out++ = (ergi_tile_corner){(float)((double)here[0] - land->grid.floor),
                                        {slant_part(-sx * unit), slant_part(-sy * unit)},
                                        {(uint8_t)i, (uint8_t)j},
                                        0,
                                        0};
        }
}

// Sides in the order x low, x high, y low, y high.
static bool is_border(const ergi_land *land, const ergi_tile *t, int side)
{
    int      axis = side / 2;
    uint32_t at = axis ? t->b : t->a;
    if (side % 2 == 0) return at == 0;
    return ldexp((double)(at + 1) * CELLS, t->level) >= (double)land->grid.count[axis];
}

void ergi_tile_corners(const ergi_land *land, const ergi_tile *t,
                       ergi_tile_corner corners[ERGI_TILE_CORNERS])
{
    float   z[(EDGE + 2) * (EDGE + 2)];
    int64_t i0 = (int64_t)t->a * CELLS - 1, j0 = (int64_t)t->b * CELLS - 1;
    for (int64_t j = 0; j < EDGE + 2; j++)
        for (int64_t i = 0; i < EDGE + 2; i++)
            z[j * (EDGE + 2) + i] = ergi_land_corner(land, t->level, i0 + i, j0 + j);
    put_surface(land, t, z, corners);
    float             depth = (float)ldexp(SKIRT * land->grid.spacing, t->level);
    ergi_tile_corner *out = corners + ERGI_TILE_SURFACE;
    for (int side = 0; side < 4; side++) {
        bool border = is_border(land, t, side);
        for (int lower = 0; lower < 2; lower++)
            for (int k = 0; k < EDGE; k++) {
                int i = side / 2 ? k : side % 2 * CELLS, j = side / 2 ? side % 2 * CELLS : k;
                *out = corners[j * EDGE + i];
                if (border) out->side = (uint8_t)(side + 1);
                if (lower) out->rise = border ? 0 : out->rise - depth;
                out++;
            }
    }
}

static uint16_t *put_quad(uint16_t *out, int a, int b, int c, int d)
{
    const int at[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; k++) *out++ = (uint16_t)at[k];
    return out;
}

void ergi_tile_indices(uint16_t out[ERGI_TILE_INDICES])
{
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            int at = j * EDGE + i;
            out = put_quad(out, at, at + 1, at + EDGE + 1, at + EDGE);
        }
    for (int side = 0; side < 4; side++)
        for (int k = 0; k < CELLS; k++) {
            int at = ERGI_TILE_SURFACE + 2 * side * EDGE + k;
            if (side == 1 || side == 2)
                out = put_quad(out, at + EDGE, at + EDGE + 1, at + 1, at);
            else
                out = put_quad(out, at, at + 1, at + EDGE + 1, at + EDGE);
        }
}
