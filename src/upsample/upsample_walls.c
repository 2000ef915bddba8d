// Keeps fine particles out of walls and bodies, block by block. Simple walls (block_walls.h) are
// handled by a kernel for all particles of the block, and those that touch the columns of a terrain
// are listed (fine_ground.h). Other walls are queried exactly, one particle at a time: each
// particle stores how far it can travel before such a wall can affect it (`travel`), and only those
// that may have used that up are queried.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "upsample/fine_ground.h"
#include "upsample/upsample.h"

enum { MOST_NEAR = 256, BLOCKS = 4, FEW = 2, GROUP = 16, LEVELS = 9 };
static_assert((int)ERGI_FINE_BLOCK == (int)FEW << (LEVELS - 2), "one list per halving");

typedef struct pass {
    ergi_upsample *u;
    ergi_wall_job  job;
    atomic_bool    failed; // no memory for a list of walls
} pass;

// The walls near a block. Lists have capacity for all walls.
typedef struct near_walls {
    uint32_t *exact;  // queried exactly; followed by LEVELS - 1 shorter lists of them
    uint32_t *simple; // handled for the block, and so not to be considered for `travel`
    uint32_t *both;   // scratch
    size_t    exact_count, simple_count;
} near_walls;

// The path of a particle over the last step.
typedef struct path {
    uint32_t row;              // of the particle
    double   start[3], end[3]; // [m]
} path;

static path path_of(const pass *p, uint32_t row)
{
    const ergi_fine_frame *l = &p->u->clock.lattice;
    path                   out = {.row = row};
    for (int a = 0; a < 3; a++) {
        float v = p->job.fine.velocity[a][row];
        out.end[a] = ergi_fine_position(l, a, p->job.fine.place[a][row]);
        out.start[a] =
            out.end[a] - l->step[a] * ergi_fine_displacement(v, p->job.scale[a], p->job.most[a]);
    }
    return out;
}

static erg_vec3 velocity_of(const pass *p, size_t row)
{
    return ergi_vec3((double)p->job.fine.velocity[0][row], (double)p->job.fine.velocity[1][row],
                     (double)p->job.fine.velocity[2][row]);
}

// ---- Exact queries -----------------------------------------------------------------------------
// Corrects one particle against all walls near the block, so that none moves it into another.
static void correct_one(const pass *p, const path *of, const near_walls *near)
{
    ergi_upsample *u = p->u;
    size_t         i = of->row;
    erg_vec3       to = {of->end[0], of->end[1], of->end[2]}, end = to;
    erg_vec3       from = {of->start[0], of->start[1], of->start[2]}, v = velocity_of(p, i);
    size_t         count = near->simple_count;
    for (size_t k = 0; k < count; k++) near->both[k] = near->simple[k];
    for (size_t k = 0; k < near->exact_count; k++) near->both[count + k] = near->exact[k];
    double left =
        ergi_fine_walls_move(&u->walls, near->both, count + near->exact_count, from, &end, &v);
    u->travel[i] = (float)(0.9999 * fmin(left, u->walls.reach - u->walls.keep));
    if (end.x == to.x && end.y == to.y && end.z == to.z) return;
    const double x[3] = {end.x, end.y, end.z}, speed[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; a++) {
        uint32_t place;
        if (ergi_fine_to_fixed(&u->clock.lattice, a, x[a], &place)) p->job.fine.place[a][i] = place;
        p->job.fine.velocity[a][i] = (float)speed[a];
    }
    // The new position is off the path, where walls were ruled out that may now be near.
    u->travel[i] = -1;
}

// The same, if one of the listed walls moves the particle. Otherwise the kernel of the simple walls
// handles it, with other rounding: who gets here depends on `travel`, which is not state, and must
// make no difference. `travel`: bound from walls that are not listed [m].
static void query_one(const pass *p, const path *of, const near_walls *near, const uint32_t *exact,
                      size_t count, double travel)
{
    erg_vec3 to = {of->end[0], of->end[1], of->end[2]}, end = to;
    erg_vec3 from = {of->start[0], of->start[1], of->start[2]}, v = velocity_of(p, of->row);
    double   left = ergi_fine_walls_move(&p->u->walls, exact, count, from, &end, &v);
    if (end.x == to.x && end.y == to.y && end.z == to.z)
        p->u->travel[of->row] = (float)(0.9999 * fmin(travel, left));
    else
        correct_one(p, of, near);
}

// Bounding boxes of the starts and of the ends of some paths.
typedef struct boxes {
    ergi_extents starts, ends;
} boxes;

static boxes boxes_of(const path *paths, int count)
{
    boxes b;
    for (int a = 0; a < 3; a++) {
        double low = HUGE_VAL, high = -HUGE_VAL, from_low = HUGE_VAL, from_high = -HUGE_VAL;
        for (int k = 0; k < count; k++) {
            double x = paths[k].start[a], y = paths[k].end[a];
            from_low = x < from_low ? x : from_low;
            from_high = x > from_high ? x : from_high;
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
        b.ends.low[a] = low;
        b.ends.high[a] = high;
        b.starts.low[a] = from_low;
        b.starts.high[a] = from_high;
    }
    return b;
}

static erg_vec3 ball_around(const ergi_extents *box, double *radius)
{
    erg_vec3 low = {box->low[0], box->low[1], box->low[2]},
             high = {box->high[0], box->high[1], box->high[2]};
    *radius = 0.5 * ergi_distance(low, high);
    return ergi_scale(ergi_add(low, high), 0.5);
}

// Rules out walls for the paths in the boxes. Lists those that are left; reduces *travel to the
// distance to the others.
static size_t walls_left(const pass *p, const boxes *b, const uint32_t *list, size_t walls,
                         uint32_t *left, double *travel)
{
    const ergi_fine_walls *all = &p->u->walls;
    double                 start_radius, end_radius;
    erg_vec3 from = ball_around(&b->starts, &start_radius), to = ball_around(&b->ends, &end_radius);
    size_t   count = 0;
    for (size_t k = 0; k < walls; k++) {
        double bound =
            ergi_fine_walls_bound(all, list[k], from, to, fmax(start_radius, end_radius)) -
            all->keep;
        if (bound > 0)
            *travel = fmin(*travel, bound);
        else
            left[count++] = list[k];
    }
    return count;
}

// Rules out walls for a group of particles at once, then for its halves, so that only particles
// next to a wall are processed one by one.
static void query_group(const pass *p, const path *paths, int count, const near_walls *near,
                        uint32_t *list, size_t walls, double travel)
{
    boxes     box = boxes_of(paths, count);
    uint32_t *left = list + walls;
    size_t    left_count = walls_left(p, &box, list, walls, left, &travel);
    if (left_count > 0 && count > FEW) {
        query_group(p, paths, count / 2, near, left, left_count, travel);
        query_group(p, paths + count / 2, count - count / 2, near, left, left_count, travel);
        return;
    }
    for (int k = 0; k < count; k++)
        if (left_count > 0)
            query_one(p, &paths[k], near, left, left_count, travel);
        else
            p->u->travel[paths[k].row] = (float)(0.9999 * travel);
}

// ---- Ranges of a block -------------------------------------------------------------------------
// Reduces `travel` by how far the particles and the walls have moved. Particles that have nothing
// left must query the walls.
static void use_up(const pass *p, size_t begin, size_t end)
{
    const float *vx = p->job.fine.velocity[0], *vy = p->job.fine.velocity[1],
                *vz = p->job.fine.velocity[2];
    float *travel = p->u->travel;
    float  dt = 1.0001f / ERGI_FINE_RATE, sweep = (float)(1.0001 * p->u->walls.sweep);
    for (size_t i = begin; i < end; i++)
        travel[i] -= sqrtf(vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) * dt + sweep;
}

static int count_used_up(const float *travel, size_t begin, size_t end)
{
    int count = 0;
    for (size_t i = begin; i < end; i++) count += !(travel[i] > 0);
    return count;
}

// False: the paths do not fit into fixed-point offsets from each other.
static bool boxes_of_range(const pass *p, size_t begin, size_t end, boxes *b)
{
    const ergi_fine_frame *l = &p->u->clock.lattice;
    const int32_t          most = 1 << 30; // beyond that, offsets may have wrapped
    ergi_path_box          box;
    bool                   fits = true;
    p->u->kernels->path_box(&p->job, begin, end, true, &box);
    for (int a = 0; a < 3; a++) {
        double  base = ergi_fine_position(l, a, box.base[a]), step = l->step[a];
        int64_t at = box.base[a];
        b->ends.low[a] = base + step * (double)box.end_low[a];
        b->ends.high[a] = base + step * (double)box.end_high[a];
        b->starts.low[a] = base + step * (double)box.start_low[a];
        b->starts.high[a] = base + step * (double)box.start_high[a];
        fits =
            fits && box.end_low[a] > -most && box.end_high[a] < most && box.start_low[a] > -most &&
            box.start_high[a] < most &&
            (!l->periodic[a] || (at + box.end_low[a] >= 0 && at + box.end_high[a] <= UINT32_MAX));
    }
    return fits;
}

// The same for those of particles begin .. end-1 that must query the walls. A kernel finds the
// boxes of a wide range, many of which are clear: the path of each particle would take longer.
static void query_range(const pass *p, size_t begin, size_t end, const near_walls *near,
                        uint32_t *list, size_t walls, double travel)
{
    path      paths[GROUP];
    boxes     box;
    float    *known = p->u->travel;
    uint32_t *left = list;
    int       count = count_used_up(known, begin, end), n = 0;
    if (count == 0) return;
    if (count <= GROUP) {
        for (size_t i = begin; i < end; i++)
            if (!(known[i] > 0)) paths[n++] = path_of(p, (uint32_t)i);
        query_group(p, paths, count, near, list, walls, travel);
        return;
    }
    if (boxes_of_range(p, begin, end, &box)) {
        left = list + walls;
        walls = walls_left(p, &box, list, walls, left, &travel);
    }
    if (walls > 0) {
        size_t middle = begin + (end - begin) / 2;
        query_range(p, begin, middle, near, left, walls, travel);
        query_range(p, middle, end, near, left, walls, travel);
        return;
    }
    float clear = (float)(0.9999 * travel);
    for (size_t i = begin; i < end; i++) known[i] = known[i] > clear ? known[i] : clear;
}

static void query_exactly(const pass *p, size_t begin, size_t end, const near_walls *near,
                          bool everyone)
{
    const ergi_fine_walls *walls = &p->u->walls;
    for (size_t i = begin; everyone && i < end; i++) p->u->travel[i] = -1;
    use_up(p, begin, end);
    query_range(p, begin, end, near, near->exact, near->exact_count, walls->reach - walls->keep);
}

// Particles that touch the columns of a terrain.
static void move_off_ground(const pass *p, const ergi_height_field *field, size_t begin, size_t end,
                            const near_walls *near)
{
    const ergi_fine_walls *walls = &p->u->walls;
    uint16_t               list[ERGI_FINE_BLOCK];
    int count = ergi_fine_ground_touch(field, &p->u->clock.lattice, &p->job.fine, begin, end,
                                       (double)ERGI_FINE_CONTACT * walls->keep, list);
    for (int k = 0; k < count; k++) {
        path of = path_of(p, (uint32_t)(begin + list[k]));
        correct_one(p, &of, near);
    }
}

// ---- A block -----------------------------------------------------------------------------------
// False: the block lies across a periodic boundary, or is too wide for float coordinates.
static bool bounds_of(const pass *p, size_t begin, size_t end, ergi_block_paths *paths,
                      uint32_t centre[3])
{
    const ergi_fine_frame *l = &p->u->clock.lattice;
    ergi_path_box          box;
    bool                   fits = true;
    double                 middle[3], square = 0;
    p->u->kernels->path_box(&p->job, begin, end, p->u->walls.exact > 0, &box);
    for (int a = 0; a < 3; a++) {
        double  base = ergi_fine_position(l, a, box.base[a]), step = l->step[a];
        int64_t low = box.end_low[a], high = box.end_high[a];
        centre[a] = box.base[a] + (uint32_t)((low + high) / 2);
        paths->ends.low[a] = base + step * (double)low;
        paths->ends.high[a] = base + step * (double)high;
        paths->starts.low[a] = base + step * (double)box.start_low[a];
        paths->starts.high[a] = base + step * (double)box.start_high[a];
        paths->both.low[a] = fmin(paths->ends.low[a], paths->starts.low[a]);
        paths->both.high[a] = fmax(paths->ends.high[a], paths->starts.high[a]);
        paths->half[a] = 0.500001 * step * (double)(high - low);
        middle[a] = base + step * (double)((low + high) / 2);
        square += paths->half[a] * paths->half[a];
        int64_t at = box.base[a];
        if (l->periodic[a])
            fits = fits && at + low >= 0 && at + high <= UINT32_MAX;
        else
            fits = fits && high - low < ERGI_FINE_REACH;
    }
    paths->centre = ergi_vec3(middle[0], middle[1], middle[2]);
    paths->radius = sqrt(square);
    return fits;
}

static void move_block(const pass *p, size_t begin, size_t end, near_walls *near)
{
    const ergi_fine_walls *walls = &p->u->walls;
    ergi_block_paths       paths;
    ergi_block_walls       list;
    uint32_t               centre[3];
    const ergi_fine_wall  *ground = NULL;
    bool                   fits = bounds_of(p, begin, end, &paths, centre), everyone = !fits;
    uint32_t              *found = near->both;
    if (!fits) // everything may be near
        paths.both =
            (ergi_extents){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    size_t count = ergi_fine_walls_near(walls, paths.both, found);
    near->exact_count = near->simple_count = 0;
    list.count = 0;
    for (size_t k = 0; k < count; k++) {
        bool is_ground = walls->wall[found[k]].surface->kind == ERGI_SURFACE_HEIGHTS;
        if (fits && is_ground) ground = &walls->wall[found[k]];
        if (fits && (is_ground || ergi_block_walls_add(&list, walls, found[k], &paths)))
            near->simple[near->simple_count++] = found[k];
        else {
            near->exact[near->exact_count++] = found[k];
            everyone = everyone || walls->wall[found[k]].simple;
        }
    }
    if (near->exact_count > 0)
        query_exactly(p, begin, end, near, everyone);
    else if (walls->exact > 0) {
        float most = (float)(0.9999 * (walls->reach - walls->keep));
        for (size_t i = begin; i < end; i++) p->u->travel[i] = most;
    }
    if (ground) move_off_ground(p, ground->surface->heights, begin, end, near);
    if (list.count > 0) p->u->kernels->walls(&p->job, &list, centre, begin, end);
}

static void move_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    pass    *p = ctx;
    uint32_t few[(LEVELS + 2) * MOST_NEAR], *memory = few;
    size_t   walls = p->u->walls.count;
    (void)chunk;
    if (walls > MOST_NEAR) memory = malloc((LEVELS + 2) * walls * sizeof *memory);
    if (!memory) {
        atomic_store(&p->failed, true);
        return;
    }
    near_walls near = {
        .exact = memory, .simple = memory + LEVELS * walls, .both = memory + (LEVELS + 1) * walls};
    for (erg_index b = begin; b < end; b++) {
        size_t from = (size_t)b * ERGI_FINE_BLOCK, to = from + ERGI_FINE_BLOCK;
        move_block(p, from, to < p->job.fine.count ? to : p->job.fine.count, &near);
    }
    if (memory != few) free(memory);
}

erg_status ergi_upsample_collide_walls(erg_world *world, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    if (world->walls == 0 || u->fine.rows == 0) return ERG_OK;
    u->walls.keep = u->clock.radius;
    u->walls.reach = 4 * u->clock.radius / u->def.ratio;
    u->walls.friction = u->def.friction;
    erg_status status =
        ergi_fine_walls_set(&u->walls, world->wall, u->pose, world->wall_state, world->walls, err);
    if (status != ERG_OK) return status;
    pass p = {.u = u,
              .job = {.fine = ergi_upsample_columns(u),
                      .travel = u->travel,
                      .keep = (float)u->walls.keep,
                      .friction = (float)u->walls.friction}};
    for (int a = 0; a < 3; a++) {
        p.job.step[a] = (float)u->clock.lattice.step[a];
        p.job.scale[a] = ergi_fine_scale(&u->clock.lattice, a, (double)(1.0f / ERGI_FINE_RATE));
        p.job.most[a] = ergi_fine_max_displacement(&u->clock.lattice, a);
    }
    erg_index blocks = (erg_index)((u->fine.rows + ERGI_FINE_BLOCK - 1) / ERGI_FINE_BLOCK);
    ergi_parallel_for(&world->threads, blocks, BLOCKS, move_blocks, &p);
    return atomic_load(&p.failed)
               ? ergi_fail_memory(err, world->walls * sizeof(uint32_t), "walls of fine particles")
               : ERG_OK;
}
