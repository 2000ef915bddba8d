// Contacts of spheres with walls in a substep: exact distance queries at the wall's pose at the
// start of the substep. The sweeps treat such a contact as one with a body of infinite mass, whose
// row holds the known displacement of the wall's contact point.
#include <math.h>
#include <string.h>

#include "geom/vec3.h"
#include "pbd/pbd.h"

#define NORMAL_TURN 0.1f // history is reused only while n_before . n_now > 1 - this

typedef struct ergi_pbd_walls_task {
    erg_world             *world;
    double                 dt;
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

static bool still_hit(const ergi_wall_hit *hits, int count, uint32_t feature)
{
    for (int h = 0; h < count; h++)
        if (hits[h].feature == feature) return true;
    return false;
}

static bool is_among(const float *const *given, int count, const float *history)
{
    for (int k = 0; k < count; k++)
        if (given[k] == history) return true;
    return false;
}

// History of the same feature, or of one that is no longer hit and had nearly the same normal;
// NULL: none. `given`: those of hits 0 to h - 1. Only one can inherit that of a feature, since two
// would push twice as hard.
static const float *recall(const ergi_table *held, size_t row, uint32_t sphere, uint32_t wall,
                           const ergi_wall_hit *hits, int count, int h, const float *const *given)
{
    const uint32_t *spheres = held->data[ERGI_PBD_WALL_SPHERE],
                   *walls = held->data[ERGI_PBD_WALL_WALL],
                   *feature = held->data[ERGI_PBD_WALL_FEATURE];
    const float *history = held->data[ERGI_PBD_WALL_HISTORY],
                *normal = held->data[ERGI_PBD_WALL_NORMAL], *found = NULL;
    float nearest = 1 - NORMAL_TURN;
    for (; row < held->rows && spheres[row] == sphere; row++) {
        if (walls[row] != wall) continue;
        const float *n = normal + 4 * row;
        float        along = n[0] * (float)hits[h].normal.x + n[1] * (float)hits[h].normal.y +
                      n[2] * (float)hits[h].normal.z;
        if (feature[row] == hits[h].feature) {
            if (along > 1 - NORMAL_TURN) return history + ERGI_PBD_HISTORY * row;
        } else if (along > nearest && !still_hit(hits, count, feature[row]) &&
                   !is_among(given, h, history + ERGI_PBD_HISTORY * row)) {
            nearest = along;
            found = history + ERGI_PBD_HISTORY * row;
        }
    }
    return found;
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

static void add_touch(const walls_task *t, size_t at, uint32_t sphere, uint32_t w,
                      const ergi_wall_hit *hit, const float *history)
{
    const erg_world *world = t->world;
    ergi_pbd        *pbd = ergi_pbd_of(world);
    const double    *x = ergi_pbd_sphere_positions(world) + 4 * (size_t)sphere;
    size_t           r = world->grains.rows + pbd->chunks + at;
    float           *row = pbd->row + ERGI_PBD_ROW * r, *shift = pbd->shift + 4 * r;
    float           *kept = pbd->touch_history + ERGI_PBD_HISTORY * at;
    pbd->touch[at] = (ergi_pbd_wall_contact){
        .sphere = sphere,
        .wall = w,
        .feature = hit->feature,
        .overlap = x[3] - hit->gap,
        .normal = {(float)hit->normal.x, (float)hit->normal.y, (float)hit->normal.z},
        .point = {(float)(-hit->gap * hit->normal.x), (float)(-hit->gap * hit->normal.y),
                  (float)(-hit->gap * hit->normal.z)}};
    memset(row, 0, ERGI_PBD_ROW * sizeof *row);
    memset(shift, 0, 4 * sizeof *shift);
    memset(kept, 0, ERGI_PBD_HISTORY * sizeof *kept);
    if (pbd->general) memset(pbd->tensor + 8 * r, 0, 8 * sizeof *pbd->tensor);
    if (history) memcpy(kept, history, ERGI_PBD_HISTORY * sizeof *kept);
    if (!wall_moves(world, w) || world->wall[w].body.free) return; // body.c fills its rows
    const ergi_pose *from = &pbd->pose_before[w], *to = &world->wall_state[w].pose;
    erg_vec3         p = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -hit->gap, hit->normal);
    erg_vec3         way = wall_way(&world->wall[w].wall, from, to, p);
    row[0] = (float)way.x;
    row[1] = (float)way.y;
    row[2] = (float)way.z;
    row[ERGI_PBD_TURN] = (float)(t->dt * to->spin.x);
    row[ERGI_PBD_TURN + 1] = (float)(t->dt * to->spin.y);
    row[ERGI_PBD_TURN + 2] = (float)(t->dt * to->spin.z);
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
static size_t touch_wall(const walls_task *t, uint32_t sphere, uint32_t e, double slack, size_t row,
                         size_t at, size_t end)
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
    const float           *given[ERGI_WALL_MAX_HITS];
    // Not the sweep since the list was built: hits must not depend on the age of the list.
    if (moves) reach += pbd->wall_step[w];
    int    count = t->ground && ergi_wall_is_terrain(wall)
                       ? ground_hits(t, w, e, x, reach, slack, hits)
                       : ergi_wall_hits(&wall->wall, pose, ergi_vec3(x[0], x[1], x[2]), reach, hits);
    size_t slots = ergi_pbd_wall_slots(&wall->wall.surface);
    int    kept = nearest_hits(hits, count, (int)(slots < end - at ? slots : end - at));
    for (int h = 0; h < kept; h++) {
        given[h] = recall(&pbd->wall_history, row, sphere, w, hits, count, h, given);
        add_touch(t, at++, sphere, w, &hits[h], given[h]);
    }
    return at;
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
    ergi_pbd       *pbd = ergi_pbd_of(world);
    ergi_pbd_task  *task = &pbd->task[pbd->pair_tasks + chunk];
    ergi_pbd_group *g = pbd->group + task->group;
    size_t          first = pbd->touch_first[chunk], count = pbd->touch_count[chunk], left = count;
    task->groups = 0;
    for (uint32_t round = 0; left > 0; round++) {
        uint32_t last = UINT32_MAX, nth = 0;
        g->count = 0;
        for (size_t k = first; k < first + count; k++) {
            uint32_t body = ergi_pbd_grain_of(pbd, pbd->touch[k].sphere);
            nth = body == last ? nth + 1 : 0;
            last = body;
            if (nth != round) continue;
            add_lane(world, g, k);
            left--;
            if (g->count < ERGI_PBD_LANES) continue;
            task->groups++;
            (++g)->count = 0;
        }
        if (g->count == 0) continue;
        close_group(world, chunk, g++);
        task->groups++;
    }
}

static size_t first_near(const ergi_pbd *pbd, uint32_t chunk)
{
    size_t low = 0, high = pbd->near_rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (ergi_pbd_grain_of(pbd, pbd->near_sphere[mid]) / ERGI_PBD_CHUNK < chunk)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

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

void ergi_pbd_find_walls(erg_world *world, uint32_t chunk, double dt)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    walls_task t = {
        world, dt,
        ergi_near_ground_rows(&pbd->near_ground, pbd->near_entries, world->wall, world->walls)};
    size_t at = pbd->touch_first[chunk], end = pbd->touch_first[chunk + 1];
    for (size_t r = first_near(pbd, chunk); r < pbd->near_rows; r++) {
        uint32_t sphere = pbd->near_sphere[r];
        if (ergi_pbd_grain_of(pbd, sphere) / ERGI_PBD_CHUNK != chunk) break;
        double slack = slack_of(world, sphere);
        if (!may_touch(world, r, slack)) continue;
        size_t row = first_row(&pbd->wall_history, sphere);
        for (int rank = 0; rank < RANKS; rank++)
            for (uint32_t e = pbd->near_start[r]; e < pbd->near_start[r + 1]; e++)
                if (rank_of(world, pbd->near_wall[e]) == rank && has_come(world, e, slack))
                    at = touch_wall(&t, sphere, e, slack, row, at, end);
    }
    pbd->touch_count[chunk] = (uint32_t)(at - pbd->touch_first[chunk]);
    group_touches(world, chunk);
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
    for (size_t c = 0; c < pbd->chunks; c++)
        for (size_t k = 0; k < pbd->touch_count[c]; k++)
            rows += pbd->touch[pbd->touch_first[c] + k].held;
    ergi_table *to = &pbd->wall_history;
    erg_status  status = ergi_table_reset(to, rows, err);
    if (status != ERG_OK) return status;
    for (size_t c = 0; c < pbd->chunks; c++)
        for (size_t k = 0; k < pbd->touch_count[c]; k++) {
            size_t                       at = pbd->touch_first[c] + k;
            const ergi_pbd_wall_contact *from = &pbd->touch[at];
            if (!from->held) continue;
            ((uint32_t *)to->data[ERGI_PBD_WALL_SPHERE])[row] = from->sphere;
            ((uint32_t *)to->data[ERGI_PBD_WALL_WALL])[row] = from->wall;
            ((uint32_t *)to->data[ERGI_PBD_WALL_FEATURE])[row] = from->feature;
            memcpy((float *)to->data[ERGI_PBD_WALL_HISTORY] + ERGI_PBD_HISTORY * row,
                   pbd->touch_history + ERGI_PBD_HISTORY * at, ERGI_PBD_HISTORY * sizeof(float));
            float *n = (float *)to->data[ERGI_PBD_WALL_NORMAL] + 4 * row;
            memcpy(n, from->normal, 3 * sizeof *n);
            n[3] = 0;
            row++;
        }
    world->clock.wall_contacts = rows;
    return ERG_OK;
}
