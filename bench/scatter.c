#include "scatter.h"

#include "matter.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 2000 };             // per sphere before the box grows
static const double GROWTH = 1.02; // factor of its height

// Small spheres are found through a cell grid; large ones, which are few, by checking all of them.
typedef struct cells {
    double side, height; // of the box [m]
    double cell;         // [m]
    long   across, up;
    long  *first, *next; // of each cell, of each sphere; -1: none
    size_t large;        // number of spheres that are not in cells: the first ones
} cells;

static long cell_of(const cells *c, long x, long y, long z)
{
    x = (x % c->across + c->across) % c->across;
    y = (y % c->across + c->across) % c->across;
    return (z * c->across + y) * c->across + x;
}

static long level(const cells *c, double z)
{
    long k = (long)(z / c->cell);
    return k < c->up ? k : c->up - 1;
}

static double nearest(double d, double side)
{
    return d - side * round(d / side);
}

static bool overlap(const cells *c, erg_vec3 a, double ra, erg_vec3 b, double rb)
{
    double x = nearest(a.x - b.x, c->side), y = nearest(a.y - b.y, c->side), z = a.z - b.z;
    return x * x + y * y + z * z < (ra + rb) * (ra + rb);
}

static bool is_free(const cells *c, const erg_vec3 *position, const double *radius, size_t i,
                    erg_vec3 p)
{
    size_t large = i < c->large ? i : c->large;
    for (size_t k = 0; k < large; k++)
        if (overlap(c, p, radius[i], position[k], radius[k])) return false;
    if (i < c->large) return true;
    long x = (long)(p.x / c->cell), y = (long)(p.y / c->cell), z = level(c, p.z);
    for (long dz = z > 0 ? -1 : 0; dz <= 1 && z + dz < c->up; dz++)
        for (long dy = -1; dy <= 1; dy++)
            for (long dx = -1; dx <= 1; dx++)
                for (long k = c->first[cell_of(c, x + dx, y + dy, z + dz)]; k >= 0; k = c->next[k])
                    if (overlap(c, p, radius[i], position[k], radius[k])) return false;
    return true;
}

static void put(cells *c, const erg_vec3 *position, size_t i)
{
    if (i < c->large) return;
    erg_vec3 p = position[i];
    long     at = cell_of(c, (long)(p.x / c->cell), (long)(p.y / c->cell), level(c, p.z));
    c->next[i] = c->first[at];
    c->first[at] = (long)i;
}

static void place_all(cells *c, size_t count, const double *radius, erg_vec3 *position)
{
    uint64_t random = 3;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 p;
        int      tries = 0;
        do {
            if (++tries % TRIES == 0) c->height *= GROWTH;
            p.x = 0.5 * (1 + matter_shake(&random)) * c->side;
            p.y = 0.5 * (1 + matter_shake(&random)) * c->side;
            p.z = radius[i] + 0.5 * (1 + matter_shake(&random)) * (c->height - 2 * radius[i]);
        } while (!is_free(c, position, radius, i, p));
        position[i] = p;
        put(c, position, i);
    }
}

erg_status scatter(size_t count, const double *radius, double side, double height,
                   erg_vec3 *position, erg_error *err)
{
    cells c = {.side = side, .height = height, .cell = 8 * radius[count - 1]};
    while (c.large < count && 2 * radius[c.large] > c.cell) c.large++;
    c.across = (long)(side / c.cell);
    if (c.across < 3) c.across = 3;
    c.cell = side / (double)c.across;
    c.up = (long)(2 * height / c.cell) + 1; // higher spheres are in the last level
    size_t room = (size_t)(c.across * c.across * c.up);
    c.first = malloc(room * sizeof *c.first);
    c.next = calloc(count, sizeof *c.next);
    bool good = c.first && c.next;
    for (size_t k = 0; good && k < room; k++) c.first[k] = -1;
    if (good) place_all(&c, count, radius, position);
    free(c.first);
    free(c.next);
    return good ? ERG_OK : bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", count);
}
