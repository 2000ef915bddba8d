// The spheres of all grains, single or in clumps, that the fine particles follow. Frozen grains of
// a terrain are among them, at rest, so that their particles stay where they are.
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "terrain/terrain.h"
#include "upsample/upsample.h"

enum { POSITION, ORIENTATION }; // columns of u->before
enum { CHUNK = 512 };           // grains

typedef struct grain_pose {
    erg_vec3 position;
    erg_quat rotation;
} grain_pose;

static grain_pose pose_now(const erg_world *world, size_t i)
{
    const double *x = ERGI_GRAIN(world, POSITION, double) + 4 * i,
                 *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i;
    return (grain_pose){{x[0], x[1], x[2]}, {o[0], o[1], o[2], o[3]}};
}

static grain_pose pose_before(const ergi_upsample *u, size_t i)
{
    const double *x = (const double *)u->before.data[POSITION] + 3 * i,
                 *o = (const double *)u->before.data[ORIENTATION] + 4 * i;
    return (grain_pose){{x[0], x[1], x[2]}, {o[0], o[1], o[2], o[3]}};
}

static erg_vec3 vector_of(const erg_world *world, size_t i, int at)
{
    double v[3];
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, at, v);
    return ergi_vec3(v[0], v[1], v[2]);
}

// Displacement from one point to the nearest periodic image of another.
static erg_vec3 way_between(const ergi_space *space, erg_vec3 from, erg_vec3 to)
{
    double d[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    for (int a = 0; a < 3; a++)
        if (space->period[a] > 0) d[a] -= space->period[a] * floor(d[a] / space->period[a] + 0.5);
    return ergi_vec3(d[0], d[1], d[2]);
}

// A row that is new since the last frame is zero, and that of a grain that was placed elsewhere is
// cleared (ergi_upsample_place). All others have moved to where they are, however far: an impact
// may have stopped a fast grain meanwhile.
static bool is_known(const grain_pose *before)
{
    const erg_quat *q = &before->rotation;
    return q->x != 0 || q->y != 0 || q->z != 0 || q->w != 0;
}

void ergi_upsample_place(erg_world *world, size_t grain, erg_vec3 to)
{
    ergi_upsample *u = world->upsample;
    const double  *x = ERGI_GRAIN(world, POSITION, double) + 4 * grain;
    erg_vec3       way = way_between(&world->space, ergi_vec3(x[0], x[1], x[2]), to);
    if (!u || grain >= u->before.rows || ergi_norm(way) < 4 * x[3]) return;
    memset((double *)u->before.data[POSITION] + 3 * grain, 0, 3 * sizeof(double));
    memset((double *)u->before.data[ORIENTATION] + 4 * grain, 0, 4 * sizeof(double));
}

// Position of a grain's sphere at the last frame and its mean velocity since. A grain that is newer
// than that frame, or was placed elsewhere since, is assumed to have been in free flight. `old`: it
// existed at that frame, perhaps frozen. `now`: the current position, with the same mean velocity,
// which in free flight lags half a frame of gravity behind the current velocity.
static void put_sphere(const erg_world *world, size_t i, erg_vec3 offset, bool old, bool now,
                       double position[4], float velocity[3])
{
    const double *g = world->clock.gravity;
    grain_pose    p = pose_now(world, i);
    bool          centred = offset.x == 0 && offset.y == 0 && offset.z == 0;
    erg_vec3      arm = centred ? offset : ergi_quat_rotate(p.rotation, offset),
             at = ergi_add(p.position, arm);
    erg_vec3 v = vector_of(world, i, ERGI_VELOCITY);
    if (!centred) v = ergi_add(v, ergi_cross(vector_of(world, i, ERGI_SPIN), arm));
    erg_vec3   mean = ergi_madd(v, -0.5 / ERGI_FINE_RATE, ergi_vec3(g[0], g[1], g[2]));
    erg_vec3   from = ergi_madd(at, -1.0 / ERGI_FINE_RATE, mean);
    grain_pose b = pose_before(world->upsample, i);
    if (is_known(&b)) {
        erg_vec3 before =
            centred ? b.position : ergi_add(b.position, ergi_quat_rotate(b.rotation, offset));
        from = before;
        mean = ergi_scale(way_between(&world->space, before, at), ERGI_FINE_RATE);
    } else if (old && world->terrain) { // was frozen at the last frame
        from = at;
        mean = v;
    }
    erg_vec3 x = now ? at : from;
    position[0] = x.x;
    position[1] = x.y;
    position[2] = x.z;
    velocity[0] = (float)mean.x;
    velocity[1] = (float)mean.y;
    velocity[2] = (float)mean.z;
}

// NULL for single spheres added by a command ("balls"): they get no fine particles.
static const ergi_shape *shape_of(const erg_world *world, size_t i)
{
    uint32_t kind = ERGI_GRAIN(world, KIND, uint32_t)[i];
    return kind < world->kinds - world->ball_kinds ? &world->kind[kind].shape : NULL;
}

// Counts the spheres of all grains; lists the first of each chunk of grains.
static size_t count_spheres(const erg_world *world, uint32_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < world->grains.rows; i++) {
        const ergi_shape *shape = shape_of(world, i);
        if (i % CHUNK == 0) first[i / CHUNK] = (uint32_t)count;
        count += shape ? (size_t)shape->count : 0;
    }
    return count;
}

typedef struct spheres {
    const erg_world *world;
    bool             now;
} spheres;

static void put_spheres(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const spheres       *of = ctx;
    const erg_world     *world = of->world;
    const ergi_upsample *u = world->upsample;
    size_t               s = u->coarse_first[chunk];
    for (erg_index i = begin; i < end; i++) {
        const ergi_shape *shape = shape_of(world, (size_t)i);
        double            size = ERGI_GRAIN(world, SIZE, double)[i];
        bool              old = ERGI_GRAIN(world, ID, uint64_t)[i] < u->clock.next_grain;
        for (int k = 0; shape && k < shape->count; k++, s++) {
            const double *o = shape->offset + 3 * k;
            u->coarse_position[4 * s + 3] = size * shape->radius[k];
            u->coarse_grain[s] = (uint32_t)i;
            put_sphere(world, (size_t)i, ergi_scale(ergi_vec3(o[0], o[1], o[2]), size), old,
                       of->now, u->coarse_position + 4 * s, u->coarse_velocity + 3 * s);
        }
    }
}

static erg_status make_room(ergi_upsample *u, size_t count, erg_error *err)
{
    const char *what = "coarse grains";
    erg_status  status = ergi_memory_grow(&u->coarse_position, &u->coarse_room[0], 4 * count,
                                          sizeof(double), what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&u->coarse_velocity, &u->coarse_room[1], 3 * count, sizeof(float),
                                  what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&u->coarse_grain, &u->coarse_room[2], count, sizeof(uint32_t),
                                  what, err);
    return status;
}

// ---- Frozen grains -----------------------------------------------------------------------------
static size_t frozen_count(const erg_world *world)
{
    return world->terrain ? world->terrain->frozen.rows : 0;
}

static const double *frozen_sphere(const erg_world *world, size_t f)
{
    return (const double *)world->terrain->frozen.data[ERGI_FROZEN_SPHERE] + 4 * f;
}

// Their numbers in coarse_grain follow those of the grains.
static void put_frozen(const erg_world *world, size_t first)
{
    const ergi_upsample *u = world->upsample;
    for (size_t f = 0, s = first; s < u->coarse_count; f++, s++) {
        memcpy(u->coarse_position + 4 * s, frozen_sphere(world, f), 4 * sizeof(double));
        memset(u->coarse_velocity + 3 * s, 0, 3 * sizeof(float));
        u->coarse_grain[s] = (uint32_t)(world->grains.rows + f);
    }
}

uint64_t ergi_upsample_grain_id(const erg_world *world, size_t grain)
{
    size_t rows = world->grains.rows;
    return grain < rows
               ? ERGI_GRAIN(world, ID, uint64_t)[grain]
               : ((const uint64_t *)world->terrain->frozen.data[ERGI_FROZEN_ID])[grain - rows];
}

static_assert(ERGI_MAX_MATERIALS <= UINT8_MAX,
              "the number of a material, from 1, fits into a byte");

uint8_t ergi_upsample_grain_material(const erg_world *world, size_t grain)
{
    if (grain >= world->grains.rows) return (uint8_t)world->terrain->def.material;
    return (uint8_t)(world->kind[ERGI_GRAIN(world, KIND, uint32_t)[grain]].material + 1);
}

static double frozen_volume(const erg_world *world, size_t f)
{
    return 4.0 / 3 * ERGI_PI * pow(frozen_sphere(world, f)[3], 3);
}

double ergi_upsample_grain_volume(const erg_world *world, size_t i)
{
    if (i >= world->grains.rows) return frozen_volume(world, i - world->grains.rows);
    const ergi_shape *shape = shape_of(world, i);
    double            size = ERGI_GRAIN(world, SIZE, double)[i];
    return shape ? size * size * size * shape->volume : 0;
}

erg_status ergi_upsample_coarse(erg_world *world, bool now, erg_error *err)
{
    ergi_upsample *u = world->upsample;
    erg_index      grains = (erg_index)world->grains.rows;
    size_t         chunks = (size_t)ergi_chunk_count(grains, CHUNK);
    erg_status     status = ergi_memory_grow(&u->coarse_first, &u->coarse_room[3], chunks,
                                             sizeof(uint32_t), "coarse grains", err);
    if (status != ERG_OK) return status;
    size_t awake = count_spheres(world, u->coarse_first);
    u->coarse_count = awake + frozen_count(world);
    status = make_room(u, u->coarse_count, err);
    if (status != ERG_OK) return status;
    ergi_parallel_for(&world->threads, grains, CHUNK, put_spheres, &(spheres){world, now});
    put_frozen(world, awake);
    return ERG_OK;
}

static void store_poses(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const erg_world     *world = ctx;
    const ergi_upsample *u = world->upsample;
    double              *position = u->before.data[POSITION];
    (void)chunk;
    for (erg_index i = begin; i < end; i++) {
        const double *x = ERGI_GRAIN(world, POSITION, double) + 4 * (size_t)i;
        memcpy(position + 3 * (size_t)i, x, 3 * sizeof *x);
    }
    memcpy((double *)u->before.data[ORIENTATION] + 4 * (size_t)begin,
           ERGI_GRAIN(world, ORIENTATION, double) + 4 * (size_t)begin,
           4 * (size_t)(end - begin) * sizeof(double));
}

void ergi_upsample_store_poses(erg_world *world)
{
    ergi_upsample *u = world->upsample;
    ergi_parallel_for(&world->threads, (erg_index)world->grains.rows, CHUNK, store_poses, world);
    for (size_t w = 0; w < u->poses; w++) u->pose[w] = world->wall_state[w].pose;
    u->clock.next_grain = world->clock.next_id;
}

// ---- Sizes -------------------------------------------------------------------------------------
bool ergi_upsample_in_region(const erg_world *world, size_t i)
{
    const ergi_upsample *u = world->upsample;
    size_t               rows = world->grains.rows;
    const double        *x =
        i < rows ? ERGI_GRAIN(world, POSITION, double) + 4 * i : frozen_sphere(world, i - rows);
    return !u->def.region || ergi_region_contains(&u->region, ergi_vec3(x[0], x[1], x[2]));
}

double ergi_upsample_volume(const erg_world *world)
{
    double volume = 0;
    size_t count = world->grains.rows + frozen_count(world);
    for (size_t i = 0; i < count; i++)
        if (ergi_upsample_in_region(world, i)) volume += ergi_upsample_grain_volume(world, i);
    return volume;
}

double ergi_upsample_mean_radius(const erg_world *world)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < world->grains.rows; i++) {
        const ergi_shape *shape = shape_of(world, i);
        for (int k = 0; shape && k < shape->count; k++, count++)
            sum += ERGI_GRAIN(world, SIZE, double)[i] * shape->radius[k];
    }
    if (count > 0) return sum / count;
    // No grains yet: use the grain kinds that emitters may add.
    for (size_t k = 0; k < world->kinds - world->ball_kinds; k++, count++) {
        double least, most;
        ergi_sizes_range(&world->kind[k].sizes, &least, &most);
        sum += 0.5 * (least + most) * world->kind[k].shape.largest_radius;
    }
    return count > 0 ? sum / count : 0;
}
