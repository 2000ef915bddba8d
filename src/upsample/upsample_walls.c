// Fine particles stay out of walls and bodies. Most are far from all of them, and know how far:
// only those that may have used that up are asked.
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "upsample/upsample.h"

enum { MOST_NEAR = 1024, BLOCKS = 4 };

typedef struct pass {
    ergi_upsample    *u;
    ergi_fine_columns fine;
    float             scale[3], most[3];
    atomic_bool       failed; // no memory for a list of walls
} pass;

static erg_vec3 way_of(const pass *p, size_t i)
{
    const double *step = p->u->clock.lattice.step;
    return ergi_vec3(step[0] * ergi_fine_way(p->fine.velocity[0][i], p->scale[0], p->most[0]),
                     step[1] * ergi_fine_way(p->fine.velocity[1][i], p->scale[1], p->most[1]),
                     step[2] * ergi_fine_way(p->fine.velocity[2][i], p->scale[2], p->most[2]));
}

static erg_vec3 place_of(const pass *p, size_t i)
{
    const ergi_fine_lattice *l = &p->u->clock.lattice;
    return ergi_vec3(ergi_fine_position(l, 0, p->fine.place[0][i]),
                     ergi_fine_position(l, 1, p->fine.place[1][i]),
                     ergi_fine_position(l, 2, p->fine.place[2][i]));
}

static void ask_walls(const pass *p, size_t i, const uint32_t *list, size_t count)
{
    ergi_upsample *u = p->u;
    erg_vec3       to = place_of(p, i), from = ergi_sub(to, way_of(p, i)), end = to;
    erg_vec3       v = {(double)p->fine.velocity[0][i], (double)p->fine.velocity[1][i],
                        (double)p->fine.velocity[2][i]};
    u->spare[i] = (float)(0.9999 * ergi_fine_walls_move(&u->walls, list, count, from, &end, &v));
    if (end.x == to.x && end.y == to.y && end.z == to.z) return;
    const double x[3] = {end.x, end.y, end.z}, speed[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; a++) {
        uint32_t place;
        if (ergi_fine_place(&u->clock.lattice, a, x[a], &place)) p->fine.place[a][i] = place;
        p->fine.velocity[a][i] = (float)speed[a];
    }
}

// Which of a block's particles must ask; the others note how far they have gone.
static int used_up(const pass *p, size_t begin, size_t end, uint32_t *asks)
{
    const float *vx = p->fine.velocity[0], *vy = p->fine.velocity[1], *vz = p->fine.velocity[2];
    float       *spare = p->u->spare, far[ERGI_FINE_BLOCK];
    float        dt = 1.0001f / ERGI_FINE_RATE, sweep = (float)(1.0001 * p->u->walls.sweep);
    int          count = 0, n = (int)(end - begin);
    for (int k = 0; k < n; k++) {
        size_t i = begin + (size_t)k;
        far[k] = spare[i] - (sqrtf(vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) * dt + sweep);
    }
    for (int k = 0; k < n; k++) {
        size_t i = begin + (size_t)k;
        if (far[k] > 0)
            spare[i] = far[k];
        else
            asks[count++] = (uint32_t)i;
    }
    return count;
}

static void meet_block(const pass *p, size_t begin, size_t end, uint32_t *list)
{
    uint32_t asks[ERGI_FINE_BLOCK];
    int      count = used_up(p, begin, end, asks);
    if (count == 0) return;
    ergi_extents box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int k = 0; k < count; k++) {
        erg_vec3     to = place_of(p, asks[k]), from = ergi_sub(to, way_of(p, asks[k]));
        const double x[3] = {to.x, to.y, to.z}, y[3] = {from.x, from.y, from.z};
        for (int a = 0; a < 3; a++) {
            box.low[a] = fmin(box.low[a], fmin(x[a], y[a]));
            box.high[a] = fmax(box.high[a], fmax(x[a], y[a]));
        }
    }
    size_t near = ergi_fine_walls_near(&p->u->walls, box, list);
    for (int k = 0; k < count; k++) ask_walls(p, asks[k], list, near);
}

static void meet_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    pass    *p = ctx;
    uint32_t few[MOST_NEAR], *list = few;
    (void)chunk;
    if (p->u->walls.count > MOST_NEAR) list = malloc(p->u->walls.count * sizeof *list);
    if (!list) {
        atomic_store(&p->failed, true);
        return;
    }
    for (erg_index b = begin; b < end; b++) {
        size_t from = (size_t)b * ERGI_FINE_BLOCK, to = from + ERGI_FINE_BLOCK;
        meet_block(p, from, to < p->fine.count ? to : p->fine.count, list);
    }
    if (list != few) free(list);
}

erg_status ergi_upsample_meet_walls(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    if (world->walls == 0 || u->fine.rows == 0) return ERG_OK;
    u->walls.keep = u->clock.radius;
    u->walls.reach = 4 * u->clock.radius / u->def.ratio;
    u->walls.friction = u->def.friction;
    erg_status status =
        ergi_fine_walls_set(&u->walls, world->wall, u->pose, world->wall_state, world->walls, err);
    if (status != ERG_OK) return status;
    pass p = {.u = u, .fine = ergi_upsample_columns(u)};
    for (int a = 0; a < 3; a++) {
        p.scale[a] = ergi_fine_scale(&u->clock.lattice, a, (double)(1.0f / ERGI_FINE_RATE));
        p.most[a] = ergi_fine_most(&u->clock.lattice, a);
    }
    erg_index blocks = (erg_index)((u->fine.rows + ERGI_FINE_BLOCK - 1) / ERGI_FINE_BLOCK);
    ergi_parallel_for(&world->threads, blocks, BLOCKS, meet_blocks, &p);
    return atomic_load(&p.failed)
               ? ergi_fail_memory(err, world->walls * sizeof(uint32_t), "walls of fine particles")
               : ERG_OK;
}
