// Skins: how far each sphere may move before the neighbour lists must be renewed, and which spheres
// need a new one.
//
// A sphere may move within its skin around a reference position. That is not where it is now but
// the middle of its path during the planned life of the lists, so that a fast sphere needs half the
// skin; if it is stopped on the way, it stays within. When lists are renewed because one sphere has
// left its skin, most others have used little of theirs: they keep reference and skin, and the
// pairs of two such spheres stay as they are.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "contact/skin.h"
#include "pbd/pbd.h"

// Smallest skin, share of the smallest diameter. An impact can accelerate a grain at rest to the
// highest speed within one substep; with a skin as thin as a bed at rest needs, every impact would
// cause a rebuild.
#define LEAST_SKIN 0.12
#define MOST_SKIN 1.5 // largest skin, share of the smallest diameter
#define DEFLECTED 0.3 // speed of a grain after an impact, share of the relative speed before it
#define BUILD_COST 20 // of a rebuild, in substeps over the candidates of lists without skin
#define REACH_MARGIN 0.025 // of a radius, added to the displacement of the substep: see motion.c
// A sphere keeps its skin if at both ends of its path LEFT times what a new one would leave there
// is left, and the old skin is at most LARGER times the new one.
#define LEFT 0.5
#define LARGER 1.5

enum { BLOCK = 512 }; // spheres

// ---- Speeds ------------------------------------------------------------------------------------
// Velocity of a sphere, and an upper bound of its speed in the coming substep. [m/s]
static double speed_of(const erg_world *world, size_t i, double v[3])
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const void     *motion = world->grains.data[ERGI_GRAIN_MOTION];
    const double   *g = world->clock.gravity;
    size_t          grain = ergi_pbd_grain_of(pbd, (uint32_t)i);
    double          spin[3], turning = 0;
    ergi_get3(motion, ergi_world_real(world), grain, ERGI_VELOCITY, v);
    if (!pbd->single) {
        const float *o = pbd->offset + 4 * i;
        ergi_get3(motion, ergi_world_real(world), grain, ERGI_SPIN, spin);
        turning = sqrt((spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]) *
                       (double)(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]));
    }
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning +
           world->clock.dt * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

static inline void velocity_of(const void *motion, ergi_type real, size_t grain, float v[3])
{
    for (size_t k = 0; k < 3; k++)
        v[k] = real == ERGI_F32 ? ((const float *)motion)[8 * grain + ERGI_VELOCITY + k]
                                : (float)((const double *)motion)[8 * grain + ERGI_VELOCITY + k];
}

// The order in which threads do this leaves no trace. Numbers that are not negative compare like
// their bits.
static void raise_to(_Atomic uint32_t *most, float to)
{
    uint32_t bits, seen = atomic_load_explicit(most, memory_order_relaxed);
    memcpy(&bits, &to, sizeof bits);
    while (bits > seen && !atomic_compare_exchange_weak_explicit(
                              most, &seen, bits, memory_order_relaxed, memory_order_relaxed)) {}
}

static void agitation_range(void *ctx, erg_index begin, erg_index end, int block)
{
    (void)block;
    const erg_world *world = ctx;
    ergi_pbd        *pbd = ergi_pbd_of(world);
    const uint32_t  *start = pbd->pairs.start.data[ERGI_PAIRS_START];
    const uint32_t  *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    const void      *motion = world->grains.data[ERGI_GRAIN_MOTION];
    const ergi_type  real = ergi_world_real(world);
    for (erg_index i = begin; i < end; i++) {
        float v[3], u[3], most = 0;
        velocity_of(motion, real, ergi_pbd_grain_of(pbd, (uint32_t)i), v);
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            velocity_of(motion, real, ergi_pbd_grain_of(pbd, other[e]), u);
            const float d[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
            float       speed = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            most = speed > most ? speed : most;
            raise_to(&pbd->agitation[other[e]], speed);
        }
        raise_to(&pbd->agitation[i], most);
    }
}

// An impact deflects grains and sets others in motion, in any direction. So each sphere's skin also
// grows with the highest relative speed among the pairs that it is listed in, before the old lists
// go. With skins that follow from the own velocity alone, every impact would cause a rebuild.
erg_status ergi_pbd_measure_agitation(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = ergi_pairs_spheres(&pbd->pairs);
    erg_status status = ergi_memory_grow(&pbd->agitation, &pbd->agitation_room, n,
                                         sizeof *pbd->agitation, "skins", err);
    if (status != ERG_OK || n == 0) return status;
    memset(pbd->agitation, 0, n * sizeof *pbd->agitation);
    ergi_parallel_for(&world->threads, (erg_index)n, BLOCK, agitation_range, world);
    return ERG_OK;
}

// ---- Skins -------------------------------------------------------------------------------------
typedef struct plan {
    erg_world      *world;
    const uint32_t *was;         // see ergi_pbd_set_skins
    double          least;       // smallest skin [m]
    size_t          old;         // spheres in the old lists
    bool            given, keep; // the skin is given; skins may be kept
} plan;

static size_t old_of(const plan *p, size_t i)
{
    return p->was ? p->was[i] : i;
}

static double agitation_of(const plan *p, size_t i)
{
    const _Atomic uint32_t *agitation = ergi_pbd_of(p->world)->agitation;
    size_t                  old = old_of(p, i);
    float                   speed = 0;
    if (old >= p->old) return 0;
    uint32_t bits = atomic_load_explicit(&agitation[old], memory_order_relaxed);
    memcpy(&speed, &bits, sizeof speed);
    return (double)speed;
}

static double largest_skin(const erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    double          most = MOST_SKIN * 2 * pbd->radius;
    for (int a = 0; a < 2; a++) // no sphere may have two images of another in its list
        if (world->space.period[a] > 0)
            most = fmin(most, 0.25 * world->space.period[a] - pbd->largest);
    return most;
}

static void speed_range(void *ctx, erg_index begin, erg_index end, int block)
{
    (void)block;
    const plan *p = ctx;
    float      *speed = ergi_pbd_of(p->world)->sphere_skin;
    double      v[3];
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        speed[i] = (float)(0.5 * speed_of(p->world, i, v) + DEFLECTED * agitation_of(p, i));
}

static double distance2(const double *a, const double *b)
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    return dx * dx + dy * dy + dz * dz;
}

// Whether a sphere at x, at x + way at the end of its path, can keep an old reference and skin.
// `needed`: what must be left of the skin there; `planned`: a new one. [m]
static bool can_keep(const double *old, const double *x, const double way[3], double needed,
                     double planned)
{
    const double end[3] = {x[0] + way[0], x[1] + way[1], x[2] + way[2]};
    double       left = old[3] - needed;
    return left >= 0 && old[3] <= LARGER * planned && distance2(x, old) <= left * left &&
           distance2(end, old) <= left * left;
}

// Sets reference position and skin of a sphere. sphere_skin holds the planned skin, which covers
// half the path and what impacts may add; a new one covers at least the coming substep.
static void refer(const plan *p, size_t i)
{
    ergi_pbd     *pbd = ergi_pbd_of(p->world);
    const double *x = ergi_pbd_sphere_positions(p->world) + 4 * i,
                 *old = pbd->reference.data[ERGI_PBD_REFERENCE_POSITION];
    double *to = pbd->centre + 4 * i, v[3], speed = speed_of(p->world, i, v), way[3];
    double  needed = 1.001 * (p->world->clock.dt * speed + REACH_MARGIN * x[3]);
    double  own = 0.5 * speed, all = own + DEFLECTED * agitation_of(p, i);
    double  extra = p->given ? 0 : fmax((double)pbd->sphere_skin[i] - p->least, 0);
    double  half = all > 0 ? extra * own / all : 0; // half the path
    double  around = fmax(p->least + extra - half, needed), skin = around + half;
    size_t  was = old_of(p, i);
    for (int k = 0; k < 3; k++) way[k] = half > 0 ? 2 * half * v[k] / speed : 0;
    pbd->fresh[i] = !(p->keep && was < p->old &&
                      can_keep(old + 4 * was, x, way, fmax(LEFT * around, needed), skin));
    for (int k = 0; k < 3; k++) to[k] = pbd->fresh[i] ? x[k] + 0.5 * way[k] : old[4 * was + k];
    pbd->sphere_skin[i] = (float)(pbd->fresh[i] ? skin : old[4 * was + 3]);
    to[3] = x[3];
}

static void refer_range(void *ctx, erg_index begin, erg_index end, int block)
{
    (void)block;
    for (erg_index i = begin; i < end; i++) refer(ctx, (size_t)i);
}

static erg_status reserve(ergi_pbd *pbd, erg_error *err)
{
    size_t     n = pbd->spheres;
    erg_status status = ergi_memory_grow(&pbd->sphere_skin, &pbd->sphere_skin_room, n,
                                         sizeof *pbd->sphere_skin, "skins", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->centre, &pbd->centre_room, 4 * n, sizeof *pbd->centre,
                                  "skins", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->fresh, &pbd->fresh_room, n, 1, "skins", err);
    return status;
}

static erg_status store_references(ergi_pbd *pbd, erg_error *err)
{
    erg_status status = ergi_table_reset(&pbd->reference, pbd->spheres, err);
    if (status != ERG_OK) return status;
    double *to = pbd->reference.data[ERGI_PBD_REFERENCE_POSITION];
    for (size_t i = 0; i < pbd->spheres; i++) {
        memcpy(to + 4 * i, pbd->centre + 4 * i, 3 * sizeof *to);
        to[4 * i + 3] = (double)pbd->sphere_skin[i];
    }
    return ERG_OK;
}

erg_status ergi_pbd_set_skins(erg_world *world, const uint32_t *was, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = pbd->spheres, old = ergi_pairs_spheres(&pbd->pairs);
    double     d = 2 * pbd->radius, most = largest_skin(world);
    plan       p = {.world = world,
                    .was = was,
                    .least = fmin(LEAST_SKIN * d, most),
                    .old = old,
                    .given = world->def.skin > 0,
                    .keep = pbd->reference.rows == old};
    erg_status status = reserve(pbd, err);
    if (status != ERG_OK) return status;
    if (p.given) {
        p.least = 0.5 * world->def.skin;
        pbd->state.skin = world->def.skin;
    } else if (n > 0) {
        ergi_skin skin = {d, p.least, most, world->clock.dt, BUILD_COST};
        ergi_parallel_for(&world->threads, (erg_index)n, BLOCK, speed_range, &p);
        pbd->state.skin = 2 * ergi_skin_choose(&skin, pbd->sphere_skin, n);
    }
    ergi_parallel_for(&world->threads, (erg_index)n, BLOCK, refer_range, &p);
    return store_references(pbd, err);
}
