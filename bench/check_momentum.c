// Momentum of a cloud of grains that collide in free space.
#include "matter.h"
#include "realtime_check.h"

#include <math.h>
#include <stdlib.h>

static const double RADIUS = 5e-3; // mean [m]
static const double SPEED = 1;     // random velocities and those towards the centre [m/s]
static const double SPIN = 20;     // [rad/s]
static const double TIME = 0.5;    // [s]

// Momentum and angular momentum about the origin, and the sums of the sizes of their terms.
typedef struct momentum {
    erg_vec3 p, l;
    double   p_size, l_size;
} momentum;

typedef struct cloud {
    size_t    count;
    double   *mass, *radius;
    erg_vec3 *x, *v, *w; // position, velocity, spin
} cloud;

static bool cloud_make(cloud *c, size_t count)
{
    double *all = malloc(11 * count * sizeof *all);
    *c = (cloud){.count = count, .mass = all};
    if (!all) return false;
    c->radius = all + count;
    c->x = (erg_vec3 *)(all + 2 * count);
    c->v = c->x + count;
    c->w = c->v + count;
    return true;
}

// ---- Sums --------------------------------------------------------------------------------------
static double norm(erg_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void add(erg_vec3 *sum, double *size, erg_vec3 a)
{
    *sum = (erg_vec3){sum->x + a.x, sum->y + a.y, sum->z + a.z};
    *size += norm(a);
}

static erg_status measure(const erg_world *world, cloud *c, momentum *sum, erg_error *err)
{
    const struct {
        erg_field field;
        void     *to;
    } FIELDS[] = {{ERG_FIELD_MASS, c->mass},
                  {ERG_FIELD_SIZE, c->radius},
                  {ERG_FIELD_POSITION, c->x},
                  {ERG_FIELD_VELOCITY, c->v},
                  {ERG_FIELD_SPIN, c->w}};
    erg_status status = ERG_OK;
    for (int k = 0; k < 5 && status == ERG_OK; k++)
        status = erg_world_read(world, FIELDS[k].field, NULL, c->count, FIELDS[k].to, err);
    *sum = (momentum){0};
    for (size_t k = 0; k < c->count && status == ERG_OK; k++) {
        double   m = c->mass[k], inertia = 0.4 * m * c->radius[k] * c->radius[k];
        erg_vec3 x = c->x[k], w = c->w[k], p = {m * c->v[k].x, m * c->v[k].y, m * c->v[k].z};
        add(&sum->p, &sum->p_size, p);
        add(&sum->l, &sum->l_size,
            (erg_vec3){x.y * p.z - x.z * p.y, x.z * p.x - x.x * p.z, x.x * p.y - x.y * p.x});
        add(&sum->l, &sum->l_size, (erg_vec3){inertia * w.x, inertia * w.y, inertia * w.z});
    }
    return status;
}

// ---- The cloud ---------------------------------------------------------------------------------
static erg_status build(const check_run *run, double size, erg_world **world, erg_error *err)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    erg_fill_def     fill = erg_fill_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.gravity = (erg_vec3){0, 0, 0};
    def.threads = run->threads;
    def.fixed_threads = true;
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.7 * RADIUS, .max = 1.3 * RADIUS};
    fill.count = run->count;
    fill.placing = ERG_PLACE_RANDOM;
    fill.region = (erg_region){.shape = ERG_REGION_SPHERE, .radius = size};
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &grain.material, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(*world, &grain, &fill.grain, err);
    return status == ERG_OK ? erg_world_fill(*world, &fill, NULL, err) : status;
}

// Towards the centre, about the z axis, and at random.
static erg_status set_in_motion(erg_world *world, cloud *c, double size, erg_error *err)
{
    uint64_t   state = 1;
    momentum   ignored;
    erg_status status = measure(world, c, &ignored, err);
    for (size_t k = 0; k < c->count; k++) {
        erg_vec3 x = {c->x[k].x / size, c->x[k].y / size, c->x[k].z / size};
        c->v[k].x = SPEED * (matter_shake(&state) - x.x - x.y);
        c->v[k].y = SPEED * (matter_shake(&state) - x.y + x.x);
        c->v[k].z = SPEED * (matter_shake(&state) - x.z);
        c->w[k].x = SPIN * matter_shake(&state);
        c->w[k].y = SPIN * matter_shake(&state);
        c->w[k].z = SPIN * matter_shake(&state);
    }
    if (status == ERG_OK)
        status = erg_world_write(world, ERG_FIELD_VELOCITY, NULL, c->count, c->v, err);
    if (status == ERG_OK)
        status = erg_world_write(world, ERG_FIELD_SPIN, NULL, c->count, c->w, err);
    return status;
}

static double change(erg_vec3 a, erg_vec3 b)
{
    return norm((erg_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

erg_status check_momentum(check_run *run, erg_error *err)
{
    double     size = 2 * RADIUS * cbrt((double)run->count); // a volume fraction of 0.12
    erg_world *world = NULL;
    cloud      c;
    momentum   before, after;
    if (!cloud_make(&c, run->count)) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    erg_status status = build(run, size, &world, err);
    if (status == ERG_OK) status = set_in_motion(world, &c, size, err);
    if (status == ERG_OK) status = measure(world, &c, &before, err);
    if (status == ERG_OK) status = erg_world_run(world, TIME, NULL, NULL, err);
    if (status == ERG_OK) status = measure(world, &c, &after, err);
    free(c.mass);
    erg_world_destroy(world);
    if (status == ERG_OK)
        status = check_below(run, "change of momentum, share of the sum of sizes",
                             change(before.p, after.p) / before.p_size, 1e-6, err);
    if (status == ERG_OK)
        status = check_below(run, "change of angular momentum, share of the sum of sizes",
                             change(before.l, after.l) / before.l_size, 1e-3, err);
    return status;
}
