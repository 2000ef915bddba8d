// Contacts of spheres with walls in a substep: exact distance queries at the wall's pose at the
// start of the substep, for all chunks in parallel. Chunks differ in how many contacts they have,
// which is known afterwards; wall_groups.c then packs them.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "pbd/pbd.h"
#include "pbd/recall.h"

typedef struct ergi_pbd_walls_task {
    erg_world             *world;
    const ergi_ground_row *ground; // of each entry of the terrain; NULL: not known
} walls_task;

static bool wall_moves(const erg_world *world, uint32_t w)
{
    return ergi_wall_pose_moves(&world->wall[w]);
}

// Order of solving. The contact solved last is satisfied best, so fixed walls come last: a heavy
// body must not press a grain through the wall of a box.
enum { RANKS = 3 };
static int rank_of(const erg_world *world, uint32_t w)
{
    return world->wall[w].body.free ? 0 : wall_moves(world, w) ? 1 : 2;
}

// ---- History -----------------------------------------------------------------------------------
// First row of the sphere in the stored wall contacts.
static size_t first_row(const ergi_table *held, uint32_t sphere)
{
    const uint32_t *spheres = held->data[ERGI_PBD_WALL_SPHERE];
    size_t          low = 0, high = held->rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (spheres[mid] < sphere)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// The same, at `row` or after it.
static size_t next_row(const ergi_table *held, size_t row, uint32_t sphere)
{
    const uint32_t *spheres = held->data[ERGI_PBD_WALL_SPHERE];
    while (row < held->rows && spheres[row] < sphere) row++;
    return row;
}

// Row with the history that hit h inherits, or ERGI_PBD_NEW. `given`: those of hits 0 to h - 1.
static uint32_t recall(const ergi_table *held, size_t row, uint32_t sphere, uint32_t wall,
                       const ergi_wall_hit *hits, int count, int h, const uint32_t *given)
{
    const uint32_t *spheres = held->data[ERGI_PBD_WALL_SPHERE],
                   *walls = held->data[ERGI_PBD_WALL_WALL],
                   *feature = held->data[ERGI_PBD_WALL_FEATURE];
    const float    *normal = held->data[ERGI_PBD_WALL_NORMAL];
    ergi_pbd_recall r = ergi_pbd_recall_for(hits, count, h, given);
    for (; row < held->rows && spheres[row] == sphere; row++)
        if (walls[row] == wall && ergi_pbd_recall_row(&r, row, feature[row], normal + 4 * row))
            break;
    return r.row;
}

// ---- Finding -----------------------------------------------------------------------------------
// Displacement of the wall's material point p in the substep. [m]
static erg_vec3 wall_way(const ergi_wall *wall, const ergi_pose *from, const ergi_pose *to,
                         erg_vec3 p)
{
    erg_vec3 arm = ergi_sub(ergi_sub(p, wall->pivot), from->position);
    erg_vec3 own = ergi_quat_unrotate(from->rotation, arm);
    erg_vec3 now =
        ergi_add(ergi_add(wall->pivot, to->position), ergi_quat_rotate(to->rotation, own));
    return ergi_sub(now, p);
}

// Counts the contact, and stores it if there is room.
static void add_found(const erg_world *world, ergi_pbd_wall_chunk *chunk, uint32_t sphere,
                      uint32_t w, const ergi_wall_hit *hit, uint32_t recalled)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const double   *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)sphere;
    size_t          at = chunk->count++;
    if (at >= chunk->room) return;
    ergi_pbd_wall_found *found = &pbd->wall_found[chunk->found + at];
    *found = (ergi_pbd_wall_found){
        .contact = {.sphere = sphere,
                    .wall = w,
                    .feature = hit->feature,
                    .overlap = x[3] - hit->gap,
                    .normal = {(float)hit->normal.x, (float)hit->normal.y, (float)hit->normal.z},
                    .point = {(float)(-hit->gap * hit->normal.x),
                              (float)(-hit->gap * hit->normal.y),
                              (float)(-hit->gap * hit->normal.z)}},
        .recalled = recalled};
    if (!wall_moves(world, w) || world->wall[w].body.free) return; // body.c does that
    const ergi_pose *from = &pbd->pose_before[w], *to = &world->wall_state[w].pose;
    erg_vec3         p = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -hit->gap, hit->normal);
    erg_vec3         way = wall_way(&world->wall[w].wall, from, to, p);
    found->way[0] = (float)way.x;
    found->way[1] = (float)way.y;
    found->way[2] = (float)way.z;
}

// Moves the `room` nearest hits to the front if there are more; returns how many to use.
static int nearest_hits(ergi_wall_hit *hits, int count, int room)
{
    for (int k = 0; k < room && count > room; k++) {
        int least = k;
        for (int h = k + 1; h < count; h++)
            if (hits[h].gap < hits[least].gap) least = h;
        ergi_wall_hit kept = hits[k];
        hits[k] = hits[least];
        hits[least] = kept;
    }
    return count < room ? count : room;
}

// Hits of a sphere at x on the terrain, among those listed for entry e; all if the sphere has left
// its skin.
static int ground_hits(const walls_task *t, uint32_t w, uint32_t e, const double *x, double reach,
                       double slack, ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    const ergi_ground_row *row = &t->ground[e];
    const ergi_surface    *surface = &t->world->wall[w].wall.surface;
    erg_vec3               centre = {x[0], x[1], x[2]};
    bool                   rises = !((double)row->spare + slack > t->world->wall_state[w].sweep);
    if (row->count > ERGI_GROUND_SPHERES || !(slack >= 0))
        return ergi_surface_hits(surface, centre, reach, hits);
    return ergi_surface_listed_hits(surface, centre, reach, row->sphere, row->count, rises, hits);
}

// `e`: entry of the wall in the sphere's list; `slack`: see has_come.
static void touch_wall(const walls_task *t, uint32_t sphere, uint32_t e, double slack, size_t row,
                       ergi_pbd_wall_chunk *chunk)
{
    erg_world             *world = t->world;
    ergi_pbd              *pbd = ergi_pbd_of(world);
    uint32_t               w = pbd->near_wall[e];
    const double          *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)sphere;
    const ergi_world_wall *wall = &world->wall[w];
    bool                   moves = wall_moves(world, w);
    const ergi_pose       *pose = moves ? &pbd->pose_before[w] : &world->wall_state[w].pose;
    double                 reach = (double)pbd->reach[2 * (size_t)sphere];
    ergi_wall_hit          hits[ERGI_WALL_MAX_HITS];
    uint32_t               given[ERGI_WALL_MAX_HITS];
    // Not the sweep since the list was built: hits must not depend on the age of the list.
    if (moves) reach += pbd->wall_step[w];
    int count = t->ground && ergi_wall_is_terrain(wall)
                    ? ground_hits(t, w, e, x, reach, slack, hits)
                    : ergi_wall_hits(&wall->wall, pose, ergi_vec3(x[0], x[1], x[2]), reach, hits);
    int kept = nearest_hits(hits, count, (int)ergi_pbd_wall_slots(&wall->wall.surface));
    for (int h = 0; h < kept; h++) {
        given[h] = recall(&pbd->wall_history, row, sphere, w, hits, count, h, given);
        add_found(world, chunk, sphere, w, &hits[h], given[h]);
    }
}

// ---- Chunks ------------------------------------------------------------------------------------
// Whether sphere and wall have moved so far since they were listed that they may touch. `slack`:
// how much of its skin the sphere has left beyond its reach.
static bool has_come(const erg_world *world, size_t entry, double slack)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    return !((double)pbd->near_spare[entry] + slack >
             world->wall_state[pbd->near_wall[entry]].sweep);
}

static double slack_of(const erg_world *world, uint32_t sphere)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const double   *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)sphere,
                 *from = pbd->centre + 4 * (size_t)sphere;
    double dx = x[0] - from[0], dy = x[1] - from[1], dz = x[2] - from[2];
    double moved = sqrt(dx * dx + dy * dy + dz * dz);
    return x[3] + (double)pbd->sphere_skin[sphere] - moved - (double)pbd->reach[2 * (size_t)sphere];
}

static bool may_touch(const erg_world *world, size_t row, double slack)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    for (uint32_t e = pbd->near_start[row]; e < pbd->near_start[row + 1]; e++)
        if (has_come(world, e, slack)) return true;
    return false;
}

// A chunk whose contacts exceed their room continues to count, so that the caller knows how much is
// needed.
static void find_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const walls_task    *t = ctx;
    ergi_pbd            *pbd = ergi_pbd_of(t->world);
    ergi_pbd_wall_chunk *c = &pbd->wall_chunk[chunk];
    (void)begin;
    (void)end;
    if (c->done) return;
    c->count = c->most = 0;
    uint32_t before = 0, last = UINT32_MAX;
    size_t row = c[1].near > c->near ? first_row(&pbd->wall_history, pbd->near_sphere[c->near]) : 0;
    for (size_t r = c->near; r < c[1].near; r++) {
        uint32_t sphere = pbd->near_sphere[r], grain = ergi_pbd_grain_of(pbd, sphere);
        double   slack = slack_of(t->world, sphere);
        if (!may_touch(t->world, r, slack)) continue;
        row = next_row(&pbd->wall_history, row, sphere);
        if (grain != last) before = c->count;
        last = grain;
        for (int rank = 0; rank < RANKS; rank++)
            for (uint32_t e = pbd->near_start[r]; e < pbd->near_start[r + 1]; e++)
                if (rank_of(t->world, pbd->near_wall[e]) == rank && has_come(t->world, e, slack))
                    touch_wall(t, sphere, e, slack, row, c);
        if (c->count - before > c->most) c->most = c->count - before;
    }
    c->done = c->count <= c->room;
}

static size_t with_spare(size_t count)
{
    return count + count / 2 + 16;
}

// Gives the chunks that need it another part of the array, at its end. *done: none does.
static erg_status make_room(ergi_pbd *pbd, bool *done, erg_error *err)
{
    size_t end = pbd->found_end;
    for (size_t c = 0; c < pbd->chunks; c++) {
        const ergi_pbd_wall_chunk *k = &pbd->wall_chunk[c];
        if (!k->done) end += with_spare(k->count);
    }
    *done = end == pbd->found_end;
    erg_status status = ergi_memory_renew(&pbd->wall_found, &pbd->wall_found_room, pbd->found_end,
                                          end, sizeof *pbd->wall_found, "wall contacts", err);
    if (status != ERG_OK) return status;
    for (size_t c = 0; c < pbd->chunks; c++) {
        ergi_pbd_wall_chunk *k = &pbd->wall_chunk[c];
        if (k->done) continue;
        k->found = pbd->found_end;
        k->room = with_spare(k->count);
        pbd->found_end += k->room;
    }
    return ERG_OK;
}

erg_status ergi_pbd_find_walls(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    walls_task t = {world, ergi_near_ground_rows(&pbd->near_ground, pbd->near_entries, world->wall,
                                                 world->walls)};
    for (size_t c = 0; c < pbd->chunks; c++) pbd->wall_chunk[c].done = false;
    for (bool done = false; !done;) {
        ergi_parallel_for(&world->threads, (erg_index)pbd->chunks, 1, find_chunk, &t);
        erg_status status = make_room(pbd, &done, err);
        if (status != ERG_OK) return status;
    }
    return ergi_pbd_group_walls(world, dt, err);
}

// ---- Afterwards --------------------------------------------------------------------------------
static void push_wall(erg_world *world, const ergi_pbd_wall_contact *c, erg_vec3 force,
                      erg_vec3 couple)
{
    ergi_wall_state *s = &world->wall_state[c->wall];
    const double    *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)c->sphere;
    erg_vec3         p = {x[0] + (double)c->point[0], x[1] + (double)c->point[1],
                          x[2] + (double)c->point[2]};
    erg_vec3         arm = ergi_sub(p, ergi_add(world->wall[c->wall].wall.pivot, s->pose.position));
    erg_vec3         torque = ergi_add(ergi_cross(arm, force), couple);
    s->force[0] -= force.x;
    s->force[1] -= force.y;
    s->force[2] -= force.z;
    s->torque[0] -= torque.x;
    s->torque[1] -= torque.y;
    s->torque[2] -= torque.z;
}

// Forces on walls, in the order of the contacts' groups.
static void sum_forces(erg_world *world, double dt)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    double    per = pbd->mass / (dt * dt);
    for (size_t w = 0; w < world->walls; w++)
        for (int k = 0; k < 3; k++)
            world->wall_state[w].force[k] = world->wall_state[w].torque[k] = 0;
    for (size_t t = pbd->pair_tasks; t < pbd->tasks; t++)
        for (size_t k = 0; k < pbd->task[t].groups; k++) {
            const ergi_pbd_group *g = pbd->group + pbd->task[t].group + k;
            for (uint32_t l = 0; l < g->count; l++) {
                ergi_pbd_wall_contact *c = &pbd->touch[g->entry[l]];
                double                 f[3], q[3];
                c->held = g->touched >> l & 1;
                if (!c->held) continue;
                for (int a = 0; a < 3; a++) {
                    f[a] = per * (double)(g->p[l] * g->x[a][l] + g->pt[a][l]);
                    q[a] = per * (double)g->q[a][l];
                }
                push_wall(world, c, ergi_vec3(f[0], f[1], f[2]), ergi_vec3(q[0], q[1], q[2]));
            }
        }
}

// Stores the contacts that carried a force: they are state. Sorted by sphere, then as found.
erg_status ergi_pbd_store_wall_history(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    rows = 0, row = 0;
    sum_forces(world, dt);
    for (size_t k = 0; k < pbd->touches; k++) rows += pbd->touch[k].held;
    ergi_table *to = &pbd->wall_history;
    erg_status  status = ergi_table_reset(to, rows, err);
    if (status != ERG_OK) return status;
    for (size_t k = 0; k < pbd->touches; k++) {
        const ergi_pbd_wall_contact *from = &pbd->touch[k];
        if (!from->held) continue;
        ((uint32_t *)to->data[ERGI_PBD_WALL_SPHERE])[row] = from->sphere;
        ((uint32_t *)to->data[ERGI_PBD_WALL_WALL])[row] = from->wall;
        ((uint32_t *)to->data[ERGI_PBD_WALL_FEATURE])[row] = from->feature;
        memcpy((float *)to->data[ERGI_PBD_WALL_HISTORY] + ERGI_PBD_HISTORY * row,
               pbd->touch_history + ERGI_PBD_HISTORY * k, ERGI_PBD_HISTORY * sizeof(float));
        float *n = (float *)to->data[ERGI_PBD_WALL_NORMAL] + 4 * row;
        memcpy(n, from->normal, 3 * sizeof *n);
        n[3] = 0;
        row++;
    }
    world->clock.wall_contacts = rows;
    return ERG_OK;
}
