// Packs the contacts with walls that were found (walls.c): rows, history and groups, chunk by chunk
// without gaps. The sweeps treat such a contact as one with a body of infinite mass, whose row
// holds the known displacement of the wall's contact point.
#include <string.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "pbd/pbd.h"
#include "pbd/recall.h"

typedef struct ergi_pbd_walls_packing {
    erg_world *world;
    double     dt;
} packing;

// ---- Rows --------------------------------------------------------------------------------------
static void add_touch(const packing *t, size_t at, const ergi_pbd_wall_found *found)
{
    const erg_world *world = t->world;
    ergi_pbd        *pbd = ergi_pbd_of(world);
    uint32_t         w = found->contact.wall;
    size_t           r = world->grains.rows + pbd->chunks + at;
    float           *row = pbd->row + ERGI_PBD_ROW * r, *shift = pbd->shift + 4 * r;
    float           *kept = pbd->touch_history + ERGI_PBD_HISTORY * at;
    const float     *history = pbd->wall_history.data[ERGI_PBD_WALL_HISTORY];
    pbd->touch[at] = found->contact;
    memset(row, 0, ERGI_PBD_ROW * sizeof *row);
    memset(shift, 0, 4 * sizeof *shift);
    if (pbd->general) memset(pbd->tensor + 8 * r, 0, 8 * sizeof *pbd->tensor);
    if (found->recalled == ERGI_PBD_NEW)
        memset(kept, 0, ERGI_PBD_HISTORY * sizeof *kept);
    else
        memcpy(kept, history + ERGI_PBD_HISTORY * (size_t)found->recalled,
               ERGI_PBD_HISTORY * sizeof *kept);
    if (!ergi_wall_pose_moves(&world->wall[w]) || world->wall[w].body.free)
        return; // body.c fills its rows
    const ergi_pose *to = &world->wall_state[w].pose;
    memcpy(row + ERGI_PBD_MOVE, found->way, sizeof found->way);
    row[ERGI_PBD_TURN] = (float)(t->dt * to->spin.x);
    row[ERGI_PBD_TURN + 1] = (float)(t->dt * to->spin.y);
    row[ERGI_PBD_TURN + 2] = (float)(t->dt * to->spin.z);
}

// ---- Groups ------------------------------------------------------------------------------------
static void add_lane(const erg_world *world, ergi_pbd_group *g, size_t at)
{
    const ergi_pbd              *pbd = ergi_pbd_of(world);
    const ergi_pbd_wall_contact *c = &pbd->touch[at];
    const float                 *h = pbd->touch_history + ERGI_PBD_HISTORY * at;
    uint32_t                     l = g->count++;
    float radius = (float)ergi_pbd_sphere_positions(world)[4 * (size_t)c->sphere + 3];
    g->a[l] = ergi_pbd_grain_of(pbd, c->sphere);
    g->b[l] = (uint32_t)(world->grains.rows + pbd->chunks + at);
    g->entry[l] = (uint32_t)at;
    g->law[l] = pbd->sphere_material[c->sphere] * (uint32_t)world->materials +
                world->wall[c->wall].material;
    g->gap[l] = (float)c->overlap;
    g->ra[l] = g->rolling_radius[l] = radius;
    g->rb[l] = g->approach[l] = g->pull[l] = 0;
    g->p[l] = h[ERGI_PBD_P];
    for (int k = 0; k < 3; k++) {
        g->x[k][l] = c->normal[k];
        g->pt[k][l] = h[ERGI_PBD_PT + k];
        g->q[k][l] = h[ERGI_PBD_Q + k];
        g->arm_a[k][l] = pbd->general ? pbd->offset[4 * (size_t)c->sphere + (size_t)k] : 0;
        g->arm_b[k][l] = 0;
    }
    if (!world->wall[c->wall].body.free) return;
    const double *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)c->sphere;
    erg_vec3      b = ergi_pbd_body_centre(world, c->wall);
    g->arm_b[0][l] = (float)(x[0] + (double)c->point[0] - b.x);
    g->arm_b[1][l] = (float)(x[1] + (double)c->point[1] - b.y);
    g->arm_b[2][l] = (float)(x[2] + (double)c->point[2] - b.z);
}

static void close_group(const erg_world *world, uint32_t chunk, ergi_pbd_group *g)
{
    for (uint32_t l = g->count; l < ERGI_PBD_LANES; l++) {
        g->a[l] = g->b[l] = (uint32_t)world->grains.rows + chunk;
        g->law[l] = g->law[0];
        g->gap[l] = -1e9f;
        g->ra[l] = g->rb[l] = g->rolling_radius[l] = 1;
        g->approach[l] = g->p[l] = g->pull[l] = 0;
        for (int k = 0; k < 3; k++) {
            g->x[k][l] = k == 2;
            g->pt[k][l] = g->q[k][l] = g->arm_a[k][l] = g->arm_b[k][l] = 0;
        }
    }
}

// In rounds, so that a group shares no grain: the first contact of each grain, then the second, ...
static void group_touches(const erg_world *world, uint32_t chunk)
{
    ergi_pbd                  *pbd = ergi_pbd_of(world);
    const ergi_pbd_wall_chunk *c = &pbd->wall_chunk[chunk];
    ergi_pbd_task             *task = &pbd->task[pbd->pair_tasks + chunk];
    ergi_pbd_group            *g = NULL;
    task->groups = 0;
    for (uint32_t round = 0; round < c->most; round++) {
        uint32_t last = UINT32_MAX, nth = 0;
        for (size_t k = c->first; k < c->first + c->count; k++) {
            uint32_t grain = ergi_pbd_grain_of(pbd, pbd->touch[k].sphere);
            nth = grain == last ? nth + 1 : 0;
            last = grain;
            if (nth != round) continue;
            if (!g) {
                g = pbd->group + task->group + task->groups++;
                g->count = 0;
            }
            add_lane(world, g, k);
            if (g->count == ERGI_PBD_LANES) g = NULL;
        }
        if (g) close_group(world, chunk, g);
        g = NULL;
    }
}

// ---- Memory ------------------------------------------------------------------------------------
// Contacts of the last substep need not survive, but the rows of grains must.
static erg_status make_room(erg_world *world, size_t touches, size_t groups, erg_error *err)
{
    static const char what[] = "wall contacts";
    ergi_pbd         *pbd = ergi_pbd_of(world);
    size_t            kept = world->grains.rows + pbd->chunks, rows = kept + touches;
    erg_status        status = ergi_memory_renew(&pbd->row, &pbd->row_room, ERGI_PBD_ROW * kept,
                                                 ERGI_PBD_ROW * rows, sizeof *pbd->row, what, err);
    if (status == ERG_OK)
        status = ergi_memory_renew(&pbd->shift, &pbd->shift_room, 4 * kept, 4 * rows,
                                   sizeof *pbd->shift, what, err);
    if (status == ERG_OK && pbd->general)
        status = ergi_memory_renew(&pbd->tensor, &pbd->tensor_room, 8 * kept, 8 * rows,
                                   sizeof *pbd->tensor, what, err);
    if (status == ERG_OK)
        status = ergi_memory_renew(&pbd->touch, &pbd->touch_room, 0, touches, sizeof *pbd->touch,
                                   what, err);
    if (status == ERG_OK)
        status =
            ergi_memory_renew(&pbd->touch_history, &pbd->touch_history_room, 0,
                              ERGI_PBD_HISTORY * touches, sizeof *pbd->touch_history, what, err);
    if (status == ERG_OK)
        status = ergi_memory_renew(&pbd->group, &pbd->group_room, 0, groups, sizeof *pbd->group,
                                   "contacts", err);
    if (status == ERG_OK) {
        pbd->touches = touches;
        pbd->rows = rows;
    }
    return status;
}

static void pack_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const packing             *t = ctx;
    const ergi_pbd            *pbd = ergi_pbd_of(t->world);
    const ergi_pbd_wall_chunk *c = &pbd->wall_chunk[chunk];
    (void)begin;
    (void)end;
    for (size_t k = 0; k < c->count; k++)
        add_touch(t, c->first + k, &pbd->wall_found[c->found + k]);
    group_touches(t->world, (uint32_t)chunk);
}

erg_status ergi_pbd_group_walls(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    touches = 0, groups = pbd->groups;
    for (size_t k = 0; k < pbd->chunks; k++) {
        ergi_pbd_wall_chunk *c = &pbd->wall_chunk[k];
        c->first = touches;
        touches += c->count;
        pbd->task[pbd->pair_tasks + k].group = groups;
        groups += c->count / ERGI_PBD_LANES + c->most; // each round may leave one with free lanes
    }
    erg_status status = make_room(world, touches, groups, err);
    if (status != ERG_OK) return status;
    packing t = {world, dt};
    ergi_parallel_for(&world->threads, (erg_index)pbd->chunks, 1, pack_chunk, &t);
    return ERG_OK;
}
