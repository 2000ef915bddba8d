#include "contact/near_walls.h"

#include <math.h>

#include "base/memory.h"

enum { GROUP = 16 }; // consecutive spheres, compact in space

#define ROUNDING 1e-9 // share of the coordinates: above the rounding errors of boxes and distances
#define MARGIN 1e-6   // share of a sphere's reach: above the rounding errors of its displacement

typedef struct task {
    ergi_near_walls           *near;
    const ergi_near_walls_in  *in;
    uint32_t                  *found;
    const ergi_near_walls_out *out;
} task;

// Gaps of a height field vary faster than a sphere moves. Lists what of it the sphere may touch.
static bool is_near_ground(const ergi_near_walls_in *in, size_t i, size_t w, double touch,
                           double reach, float *spare, ergi_ground_row *row)
{
    const double     *x = in->position + 4 * i;
    ergi_heights_near near =
        ergi_surface_look(&in->wall[w].wall.surface, ergi_vec3(x[0], x[1], x[2]),
                          touch * (1 + MARGIN), reach, row->sphere, ERGI_GROUND_SPHERES);
    row->count = near.spheres;
    row->spare = (float)(near.surface * (1 - MARGIN) - touch * (1 + MARGIN));
    *spare = (float)(near.clearance * (1 - MARGIN) - touch * (1 + MARGIN));
    return near.clearance < reach;
}

// Whether the sphere may touch the wall; *spare: how far the wall must move for that, at least [m].
static bool is_near(const ergi_near_walls_in *in, size_t i, size_t w, float *spare,
                    ergi_ground_row *row)
{
    ergi_wall_hit    hits[ERGI_WALL_MAX_HITS];
    const double    *x = in->position + 4 * i;
    erg_vec3         centre = {x[0], x[1], x[2]};
    const ergi_wall *wall = &in->wall[w].wall;
    const ergi_pose *pose = &in->state[w].pose;
    double           touch = ergi_near_walls_touch(in, i), least = INFINITY;
    double           reach = touch + in->state[w].list_skin;
    *spare = 0;
    if (wall->surface.kind == ERGI_SURFACE_HEIGHTS)
        return is_near_ground(in, i, w, touch, reach, spare, row);
    if (in->by_distance) {
        double distance;
        if (!ergi_wall_within(wall, pose, centre, reach, &distance)) return false;
        *spare = (float)(distance * (1 - MARGIN) - touch * (1 + MARGIN));
        return true;
    }
    if (ergi_wall_far(wall, pose, centre, reach)) return false;
    int found = ergi_wall_hits(wall, pose, centre, reach, hits);
    for (int h = 0; h < found; h++) least = fmin(least, hits[h].gap);
    *spare = (float)((least - touch) * (1 - MARGIN));
    return found > 0;
}

// ---- Boxes -------------------------------------------------------------------------------------
static void grow(ergi_extents *box, double distance)
{
    double most = 0;
    for (int k = 0; k < 3; k++) most = fmax(most, fmax(fabs(box->low[k]), fabs(box->high[k])));
    for (int k = 0; k < 3; k++) {
        box->low[k] -= distance + ROUNDING * most;
        box->high[k] += distance + ROUNDING * most;
    }
}

// The region where the wall acts on spheres. It is infinite for the inside of a box or of a surface
// of revolution, and below a height field.
static ergi_extents box_of(const ergi_wall *wall, const ergi_wall_state *state)
{
    erg_vec3 low, high;
    bool     ends = ergi_wall_bounds(wall, &state->pose, &low, &high);
    if (!ends ||
        (wall->surface.side == ERGI_SIDE_INSIDE && !ergi_surface_is_mesh(&wall->surface))) {
        low = (erg_vec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        high = (erg_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    }
    ergi_extents box = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    if (ends) grow(&box, state->list_skin);
    if (wall->surface.kind == ERGI_SURFACE_HEIGHTS) box.low[2] = -HUGE_VAL;
    return box;
}

// The region that some spheres can touch, if they move as far as they may.
static ergi_extents box_around(const ergi_near_walls_in *in, size_t begin, size_t end)
{
    ergi_extents all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = begin; i < end; i++) {
        const double *x = in->position + 4 * i;
        double        touch = ergi_near_walls_touch(in, i);
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], x[k] - touch);
            all.high[k] = fmax(all.high[k], x[k] + touch);
        }
    }
    return all;
}

static void box_of_block(void *ctx, erg_index begin, erg_index end, int block)
{
    const task *t = ctx;
    t->near->block[block] = box_around(t->in, (size_t)begin, (size_t)end);
    grow(&t->near->block[block], 0);
}

// Whether the wall is out of reach of a sphere around the block, and so of every sphere in it.
static bool far_from_block(const ergi_near_walls_in *in, size_t w, const ergi_extents *block)
{
    erg_vec3 low = {block->low[0], block->low[1], block->low[2]},
             high = {block->high[0], block->high[1], block->high[2]};
    erg_vec3 half = ergi_scale(ergi_sub(high, low), 0.5);
    return ergi_wall_far(&in->wall[w].wall, &in->state[w].pose, ergi_add(low, half),
                         ergi_norm(half) + in->state[w].list_skin);
}

static erg_status find_walls_of_blocks(ergi_near_walls *near, const ergi_near_walls_in *in,
                                       int blocks, erg_error *err)
{
    size_t count = 0;
    for (int b = 0; b < blocks; b++) {
        erg_status status = ergi_memory_grow(&near->wall, &near->wall_room, count + in->walls,
                                             sizeof *near->wall, "walls near spheres", err);
        if (status != ERG_OK) return status;
        size_t overlapping = ergi_box_tree_query(&near->tree, &near->block[b], near->wall + count);
        uint32_t *wall = near->wall + count;
        near->first[b] = count;
        for (size_t k = 0; k < overlapping; k++)
            if (!far_from_block(in, wall[k], &near->block[b])) near->wall[count++] = wall[k];
    }
    near->first[blocks] = count;
    return ERG_OK;
}

// ---- Spheres -----------------------------------------------------------------------------------
// Whether a group of spheres is high above the columns and frozen grains of the block's terrain:
// few of them are near.
static bool above_ground(const task *t, size_t begin, size_t end, int block)
{
    const ergi_near_walls_in *in = t->in;
    bool                      above = true;
    for (size_t k = t->near->first[block]; k < t->near->first[block + 1]; k++) {
        uint32_t w = t->near->wall[k];
        if (!ergi_wall_is_terrain(&in->wall[w])) continue;
        ergi_extents box = box_around(in, begin, end);
        grow(&box, in->state[w].list_skin);
        above = above && ergi_surface_below(&in->wall[w].wall.surface, box.low, box.high);
    }
    return above;
}

// Lists the walls near sphere i of a block, ascending, from entry `at` of the block on as far as
// there is room, and returns their number. `above`: it is high above the ground.
static uint32_t walls_near(const task *t, size_t i, int block, size_t at, bool above)
{
    ergi_near_walls *near = t->near;
    const double    *x = t->in->position + 4 * i;
    double           touch = ergi_near_walls_touch(t->in, i);
    ergi_extents     own = {{x[0] - touch, x[1] - touch, x[2] - touch},
                            {x[0] + touch, x[1] + touch, x[2] + touch}};
    uint32_t         count = 0;
    for (size_t k = near->first[block]; k < near->first[block + 1]; k++) {
        uint32_t        w = near->wall[k];
        bool            fits = at + count < near->entry_room;
        size_t          to = (size_t)block * near->entry_room + at + count;
        float           spare;
        ergi_ground_row unused, *row = near->ground && fits ? near->ground + to : &unused;
        if (above && ergi_wall_is_terrain(&t->in->wall[w])) continue;
        if (!ergi_extents_meet(&near->box[w], &own) || !is_near(t->in, i, w, &spare, row)) continue;
        if (fits) near->entry[to] = (ergi_near_walls_entry){w, spare};
        count++;
    }
    return count;
}

// A block whose entries are full continues to count, so that the caller knows how much is needed.
static void list_block(void *ctx, erg_index begin, erg_index end, int block)
{
    const task *t = ctx;
    bool        none = t->near->first[block] == t->near->first[block + 1], above = true;
    size_t      used = 0, last = (size_t)end;
    for (size_t i = (size_t)begin; i < last; i++) {
        if ((i - (size_t)begin) % GROUP == 0)
            above = above_ground(t, i, i + GROUP < last ? i + GROUP : last, block);
        t->found[i] = none ? 0 : walls_near(t, i, block, used, above);
        used += t->found[i];
    }
    t->near->total[block] = used;
}

static bool has_ground(const ergi_near_walls_in *in)
{
    for (size_t w = 0; w < in->walls; w++)
        if (ergi_wall_is_terrain(&in->wall[w])) return true;
    return false;
}

static erg_status list_blocks(task *t, const ergi_threads *threads, int blocks, erg_error *err)
{
    static const char what[] = "walls near spheres";
    ergi_near_walls  *near = t->near;
    if (near->entry_room == 0) near->entry_room = ERGI_NEAR_WALLS_BLOCK / 4;
    for (;;) {
        erg_status status =
            ergi_memory_grow(&near->entry, &near->entries_room, (size_t)blocks * near->entry_room,
                             sizeof *near->entry, what, err);
        if (status == ERG_OK && has_ground(t->in))
            status = ergi_memory_grow(&near->ground, &near->ground_room,
                                      (size_t)blocks * near->entry_room, sizeof *near->ground, what,
                                      err);
        if (status != ERG_OK) return status;
        ergi_parallel_for(threads, t->in->count, ERGI_NEAR_WALLS_BLOCK, list_block, t);
        size_t most = 0;
        for (int b = 0; b < blocks; b++)
            if (near->total[b] > most) most = near->total[b];
        if (most <= near->entry_room) return ERG_OK;
        near->entry_room = most + most / 4;
    }
}

erg_status ergi_near_walls_find(ergi_near_walls *near, const ergi_near_walls_in *in,
                                const ergi_threads *threads, uint32_t *found, size_t *spheres,
                                size_t *pairs, erg_error *err)
{
    static const char what[] = "walls near spheres";
    task              t = {.near = near, .in = in, .found = found};
    int               blocks = ergi_chunk_count(in->count, ERGI_NEAR_WALLS_BLOCK);
    erg_status        status =
        ergi_memory_grow(&near->box, &near->box_room, in->walls, sizeof *near->box, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->block, &near->block_room, (size_t)blocks,
                                  sizeof *near->block, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->first, &near->first_room, (size_t)blocks + 1,
                                  sizeof *near->first, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&near->total, &near->total_room, (size_t)blocks,
                                  sizeof *near->total, what, err);
    if (status != ERG_OK) return status;
    for (size_t w = 0; w < in->walls; w++) near->box[w] = box_of(&in->wall[w].wall, &in->state[w]);
    ergi_parallel_for(threads, in->count, ERGI_NEAR_WALLS_BLOCK, box_of_block, &t);
    status = ergi_box_tree_build(&near->tree, near->box, in->walls, err);
    if (status == ERG_OK) status = find_walls_of_blocks(near, in, blocks, err);
    if (status == ERG_OK) status = list_blocks(&t, threads, blocks, err);
    if (status != ERG_OK) return status;
    *spheres = *pairs = 0;
    for (size_t i = 0; i < (size_t)in->count; i++) {
        *spheres += found[i] > 0;
        *pairs += found[i];
    }
    return ERG_OK;
}

void ergi_near_walls_list(const ergi_near_walls *near, const ergi_near_walls_in *in,
                          const uint32_t *found, const ergi_near_walls_out *out)
{
    uint32_t row = 0, sum = 0;
    for (size_t i = 0; i < (size_t)in->count; i++) {
        if (!found[i]) continue;
        out->sphere[row] = (uint32_t)i;
        out->start[row++] = sum;
        sum += found[i];
    }
    out->sphere[row] = UINT32_MAX;
    out->start[row] = sum;
    int    blocks = ergi_chunk_count(in->count, ERGI_NEAR_WALLS_BLOCK);
    size_t at = 0;
    for (int b = 0; b < blocks; b++)
        for (size_t k = 0; k < near->total[b]; k++, at++) {
            const ergi_near_walls_entry *e = near->entry + (size_t)b * near->entry_room + k;
            out->wall[at] = e->wall;
            out->spare[at] = e->spare;
        }
}

// ---- Memory ------------------------------------------------------------------------------------
void ergi_near_walls_free(ergi_near_walls *near)
{
    ergi_memory_free(near->box);
    ergi_memory_free(near->block);
    ergi_memory_free(near->wall);
    ergi_memory_free(near->first);
    ergi_memory_free(near->total);
    ergi_memory_free(near->entry);
    ergi_memory_free(near->ground);
    ergi_box_tree_free(&near->tree);
    *near = (ergi_near_walls){0};
}

size_t ergi_near_walls_bytes(const ergi_near_walls *near)
{
    return near->box_room * sizeof *near->box + near->block_room * sizeof *near->block +
           near->wall_room * sizeof *near->wall + near->first_room * sizeof *near->first +
           near->total_room * sizeof *near->total + near->entries_room * sizeof *near->entry +
           near->ground_room * sizeof *near->ground + ergi_box_tree_bytes(&near->tree);
}
