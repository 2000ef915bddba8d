// Which spheres are near which walls: their list, with the memory of the contacts carried over.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dem/step.h"
#include "geom/vec3.h"

typedef struct task {
    erg_world         *world;
    const ergi_lists  *old;
    const uint32_t    *was;
    ergi_sphere_arrays s;
    uint32_t          *found; // walls near each sphere
    bool               fresh; // spheres are where the lists were made
} task;

// How far sphere i may still go before the lists are void: its margin, from the place where they
// were made; that may lie a margin behind it.
static double way_to_go(const task *t, size_t i)
{
    if (t->fresh) return (double)ergi_dem_of(t->world)->margin[i];
    return 2 * (ergi_dem_of(t->world)->margins_known ? (double)ergi_dem_of(t->world)->margin[i]
                                                     : ergi_dem_most_margin(t->world));
}

// Whether the sphere may touch the wall; *spare: how far the wall must go for that, at least [m].
static bool is_near(const task *t, size_t i, size_t w, float *spare)
{
    ergi_wall_hit    hits[ERGI_WALL_MAX_HITS];
    const erg_world *world = t->world;
    const double    *x = t->s.position + 4 * i;
    erg_vec3         centre = {x[0], x[1], x[2]};
    const ergi_wall *wall = &world->wall[w].wall;
    const ergi_pose *pose = &world->wall_state[w].pose;
    double           touch = x[3] + way_to_go(t, i), least = INFINITY;
    double           reach = touch + world->wall_state[w].list_margin;
    if (ergi_wall_far(wall, pose, centre, reach)) return false;
    int found = ergi_wall_hits(wall, pose, centre, reach, hits);
    for (int h = 0; h < found; h++) least = fmin(least, hits[h].gap);
    *spare = (float)((least - touch) * (1 - 1e-6));
    return found > 0;
}

static void count_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    task *t = ctx;
    for (erg_index i = begin; i < end; i++) {
        uint32_t n = 0;
        float    spare;
        for (size_t w = 0; w < t->world->walls; w++) n += is_near(t, (size_t)i, w, &spare);
        t->found[i] = n;
    }
}

// Row of an old sphere among those that were near walls, or -1. Rows ascend by sphere.
static long find_near(const ergi_lists *old, uint32_t sphere)
{
    const uint32_t *spheres = old->near.data[ERGI_NEAR_SPHERE];
    size_t          low = 0, high = old->near.rows ? old->near.rows - 1 : 0;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (spheres[mid] < sphere)
            low = mid + 1;
        else
            high = mid;
    }
    return old->near.rows && low < old->near.rows - 1 && spheres[low] == sphere ? (long)low : -1;
}

static void carry(const task *t, uint32_t sphere, uint32_t wall, float spare, size_t entry)
{
    ergi_table *to = &ergi_dem_of(t->world)->lists.wall_entry;
    uint32_t   *feature = (uint32_t *)to->data[ERGI_WALL_ENTRY_FEATURE] +
                        entry * (size_t)ergi_dem_of(t->world)->wall_slots;
    ergi_table_zero(to, entry, entry + 1);
    ((uint32_t *)to->data[ERGI_WALL_ENTRY_WALL])[entry] = wall;
    ((float *)to->data[ERGI_WALL_ENTRY_SPARE])[entry] = spare;
    for (int k = 0; k < ergi_dem_of(t->world)->wall_slots; k++) feature[k] = ERGI_NO_FEATURE;
    if (spare > 0) return; // it does not touch, and the pass will not look at it for a while

    uint32_t was = t->was ? t->was[sphere] : sphere;
    long     row = was < (uint32_t)t->old->spheres ? find_near(t->old, was) : -1;
    if (row < 0) return;
    const uint32_t *start = t->old->near.data[ERGI_NEAR_START];
    const uint32_t *walls = t->old->wall_entry.data[ERGI_WALL_ENTRY_WALL];
    for (uint32_t e = start[row]; e < start[row + 1]; e++) {
        if (walls[e] != wall) continue;
        for (int c = 0; c < ERGI_WALL_ENTRY_COLUMNS; c++) {
            size_t bytes = to->row_bytes[c];
            if (bytes && c != ERGI_WALL_ENTRY_SPARE)
                memcpy((char *)to->data[c] + entry * bytes,
                       (const char *)t->old->wall_entry.data[c] + e * bytes, bytes);
        }
        return;
    }
}

static void fill_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    task           *t = ctx;
    const uint32_t *sphere = ergi_dem_of(t->world)->lists.near.data[ERGI_NEAR_SPHERE];
    const uint32_t *start = ergi_dem_of(t->world)->lists.near.data[ERGI_NEAR_START];
    for (erg_index r = begin; r < end; r++) {
        size_t entry = start[r];
        float  spare;
        for (size_t w = 0; w < t->world->walls; w++)
            if (is_near(t, sphere[r], w, &spare)) carry(t, sphere[r], (uint32_t)w, spare, entry++);
    }
}

static erg_status make_lists(erg_world *world, const ergi_lists *old, const uint32_t *was,
                             bool fresh, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    task      t = {world, old, was, ergi_dem_spheres(world), NULL, fresh};
    ergi_dem_wall_margins(world);
    erg_status status = ergi_memory_grow(&dem->found, &dem->found_room, (size_t)t.s.count + 1,
                                         sizeof *dem->found, "wall lists", err);
    if (status != ERG_OK) return status;
    t.found = dem->found;
    ergi_parallel_for(&world->threads, t.s.count, ERGI_CHUNK, count_chunk, &t);

    size_t rows = 0, entries = 0;
    for (erg_index i = 0; i < t.s.count; i++) {
        rows += t.found[i] > 0;
        entries += t.found[i];
    }
    status = ergi_table_reset(&dem->lists.near, rows + 1, err);
    if (status == ERG_OK) status = ergi_table_reset(&dem->lists.wall_entry, entries, err);
    if (status != ERG_OK) return status;
    uint32_t *sphere = dem->lists.near.data[ERGI_NEAR_SPHERE],
             *start = dem->lists.near.data[ERGI_NEAR_START];
    uint32_t row = 0, sum = 0;
    for (erg_index i = 0; i < t.s.count; i++) {
        if (!t.found[i]) continue;
        sphere[row] = (uint32_t)i;
        start[row++] = sum;
        sum += t.found[i];
    }
    sphere[row] = UINT32_MAX;
    start[row] = sum;
    ergi_parallel_for(&world->threads, (erg_index)rows, ERGI_CHUNK, fill_chunk, &t);
    return ERG_OK;
}

erg_status ergi_near_walls(erg_world *world, const ergi_lists *old, const uint32_t *was,
                           erg_error *err)
{
    return make_lists(world, old, was, true, err);
}

static void swap_tables(ergi_table *a, ergi_table *b)
{
    ergi_table kept = *a;
    *a = *b;
    *b = kept;
}

erg_status ergi_near_walls_anew(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    ergi_dem_settle_lists(world, &dem->lists_spare);
    swap_tables(&dem->lists.near, &dem->lists_spare.near);
    swap_tables(&dem->lists.wall_entry, &dem->lists_spare.wall_entry);
    ergi_lists old = dem->lists_spare;
    old.spheres = dem->lists.spheres;
    erg_status status = make_lists(world, &old, NULL, false, err);
    if (status != ERG_OK) world->clock.dirty = true;
    return status;
}
