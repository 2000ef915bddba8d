// How grains move in a substep: predicted without contacts, corrected by the sweeps, advanced.
#include <math.h>
#include <string.h>

#include "geom/vec3.h"
#include "pbd/pbd.h"

#define REACH_MARGIN 0.02 // search distance beyond the displacement, share of the radius

// Velocity and spin of a grain, from either precision.
static inline void get_motion(const void *motion, ergi_type real, size_t i, float v[3],
                              float spin[3])
{
    if (real == ERGI_F32) {
        const float *m = (const float *)motion + 8 * i;
        for (int k = 0; k < 3; k++) {
            v[k] = m[ERGI_VELOCITY + k];
            spin[k] = m[ERGI_SPIN + k];
        }
    } else {
        const double *m = (const double *)motion + 8 * i;
        for (int k = 0; k < 3; k++) {
            v[k] = (float)m[ERGI_VELOCITY + k];
            spin[k] = (float)m[ERGI_SPIN + k];
        }
    }
}

static inline float length3(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// ---- Highest speed -----------------------------------------------------------------------------
// Bound for the distance of a clump's spheres from its centre. [m]
static double arm_of(const erg_world *world, size_t i)
{
    const ergi_shape *shape = &world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape;
    if (shape->is_sphere) return 0;
    return ERGI_GRAIN(world, SIZE, double)[i] * (shape->bounding_radius - shape->smallest_radius);
}

double ergi_pbd_max_speed(erg_world *world)
{
    ergi_pbd     *pbd = ergi_pbd_of(world);
    const double *g = world->clock.gravity;
    double        most = 0, dt = pbd->state.dt > 0 ? pbd->state.dt : world->clock.dt;
    float         most2 = 0;
    const void   *motion = world->grains.data[ERGI_GRAIN_MOTION];
    ergi_type     real = ergi_world_real(world);
    for (size_t i = 0; i < world->grains.rows; i++) {
        float v[3], spin[3];
        get_motion(motion, real, i, v, spin);
        float speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!pbd->single) {
            float speed = sqrtf(speed2) + length3(spin) * (float)arm_of(world, i);
            speed2 = speed * speed;
        }
        most2 = speed2 > most2 ? speed2 : most2;
    }
    most = sqrt((double)most2);
    for (size_t k = 0; k < world->movers; k++)
        most = fmax(most, ergi_pbd_wall_speed(world, world->mover[k]));
    return most + dt * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

// ---- Prediction --------------------------------------------------------------------------------
typedef struct ergi_pbd_motion_task {
    erg_world *world;
    float      dt, fall[3]; // g dt^2 [m]
} motion_task;

static motion_task task_of(erg_world *world, double dt)
{
    motion_task t = {.world = world, .dt = (float)dt};
    for (int k = 0; k < 3; k++) t.fall[k] = (float)(world->clock.gravity[k] * dt * dt);
    return t;
}

// A clump with its principal inertias, and its spin in their axes.
typedef struct ergi_pbd_clump {
    erg_quat q;
    double   inertia[3];
    erg_vec3 spin; // [rad/s]
} clump;

static clump clump_of(const erg_world *world, size_t i)
{
    const double *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i;
    clump         c = {.q = {o[0], o[1], o[2], o[3]}};
    double        spin[3];
    ergi_grain_inertia(world, (erg_index)i, c.inertia);
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, ERGI_SPIN, spin);
    c.spin = ergi_quat_unrotate(c.q, ergi_vec3(spin[0], spin[1], spin[2]));
    return c;
}

// Mean spin in the substep without torques, in the clump's axes: that at its middle, by Euler's
// equations. [rad/s]
static erg_vec3 mean_spin(const clump *c, double dt)
{
    const double *j = c->inertia;
    erg_vec3      w = c->spin,
             rate = {(j[1] - j[2]) * w.y * w.z / j[0], (j[2] - j[0]) * w.z * w.x / j[1],
                     (j[0] - j[1]) * w.x * w.y / j[2]};
    return ergi_madd(w, 0.5 * dt, rate);
}

static void set_turn(float *row, double dt, erg_vec3 spin)
{
    row[ERGI_PBD_TURN] = (float)(dt * spin.x);
    row[ERGI_PBD_TURN + 1] = (float)(dt * spin.y);
    row[ERGI_PBD_TURN + 2] = (float)(dt * spin.z);
}

// Inverse inertia tensor in the world's axes.
static void set_tensor(float *tensor, const clump *c, double mass)
{
    ergi_mat3 r = ergi_mat3_from_quat(c->q);
    double    a[3][3];
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++) {
            a[m][n] = 0;
            for (int k = 0; k < 3; k++) a[m][n] += r.m[m][k] * mass / c->inertia[k] * r.m[n][k];
        }
    const double six[6] = {a[0][0], a[1][1], a[2][2], a[0][1], a[0][2], a[1][2]};
    for (int k = 0; k < 6; k++) tensor[k] = (float)six[k];
    tensor[6] = tensor[7] = 0;
}

static bool is_isotropic(const erg_world *world, size_t i)
{
    return world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape.isotropic;
}

static void predict_clump(const motion_task *t, size_t i, float *row, float *tensor)
{
    const ergi_pbd *pbd = ergi_pbd_of(t->world);
    clump           c = clump_of(t->world, i);
    double          sum = 0;
    for (int k = 0; k < 3; k++) sum += pbd->mass / c.inertia[k];
    row[ERGI_PBD_IW] = (float)(sum / 3);
    set_tensor(tensor, &c, pbd->mass);
    if (is_isotropic(t->world, i)) return;
    set_turn(row, (double)t->dt, ergi_quat_rotate(c.q, mean_spin(&c, (double)t->dt)));
}

// Contacts change the angular momentum of a clump by I times the rotation that they added, over dt,
// with I at the start of the substep. The row gets the spin that it has at the end, with the new
// orientation `after`, and the tensor follows: what rebounds does so at the new place.
static void turn_clump(const erg_world *world, size_t i, double dt, erg_quat after, float *row,
                       float *tensor)
{
    clump    c = clump_of(world, i);
    erg_vec3 mean = mean_spin(&c, dt),
             turn = {(double)row[ERGI_PBD_TURN], (double)row[ERGI_PBD_TURN + 1],
                     (double)row[ERGI_PBD_TURN + 2]};
    erg_vec3 w = ergi_madd(ergi_sub(c.spin, mean), 1 / dt, ergi_quat_unrotate(c.q, turn));
    erg_vec3 l = {c.inertia[0] * w.x, c.inertia[1] * w.y, c.inertia[2] * w.z};
    l = ergi_quat_unrotate(after, ergi_quat_rotate(c.q, l));
    c.spin = ergi_vec3(l.x / c.inertia[0], l.y / c.inertia[1], l.z / c.inertia[2]);
    c.q = after;
    set_turn(row, dt, ergi_quat_rotate(after, c.spin));
    if (ergi_pbd_of(world)->rebound) set_tensor(tensor, &c, ergi_pbd_of(world)->mass);
}

static void predict_body(const motion_task *t, size_t i)
{
    const erg_world *world = t->world;
    ergi_pbd        *pbd = ergi_pbd_of(world);
    float           *row = pbd->row + ERGI_PBD_ROW * i, *shift = pbd->shift + 4 * i, v[3], spin[3];
    ergi_type        real = ergi_world_real(world);
    const void      *motion = world->grains.data[ERGI_GRAIN_MOTION];
    get_motion(motion, real, i, v, spin);
    for (int k = 0; k < 3; k++) {
        row[ERGI_PBD_MOVE + k] = t->dt * v[k] + t->fall[k];
        row[ERGI_PBD_TURN + k] = t->dt * spin[k];
        shift[k] = 0;
    }
    row[ERGI_PBD_W] = shift[3] = (float)(pbd->mass * ergi_real_at(motion, real, 8 * i + 3));
    row[ERGI_PBD_IW] = (float)(pbd->mass * ergi_real_at(motion, real, 8 * i + 7));
    if (!pbd->general) return;
    float *tensor = pbd->tensor + 8 * i;
    if (!pbd->single && !world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape.is_sphere) {
        predict_clump(t, i, row, tensor);
        return;
    }
    tensor[0] = tensor[1] = tensor[2] = row[ERGI_PBD_IW];
    for (int k = 3; k < 8; k++) tensor[k] = 0;
}

// Sets the search radius for contacts of the sphere. False if it exceeds the sphere's skin.
static bool reach_of(const erg_world *world, size_t s, const float *row)
{
    ergi_pbd     *pbd = ergi_pbd_of(world);
    const double *x = ergi_pbd_sphere_positions(world) + 4 * s;
    const double *ref = (const double *)pbd->reference.data[ERGI_PBD_REFERENCE_POSITION] + 4 * s;
    double        way = (double)length3(row + ERGI_PBD_MOVE) + REACH_MARGIN * x[3];
    if (!pbd->single) way += (double)(length3(row + ERGI_PBD_TURN) * length3(pbd->offset + 4 * s));
    pbd->reach[2 * s] = (float)(x[3] + way);
    pbd->reach[2 * s + 1] = (float)x[3];
    double dx = x[0] - ref[0], dy = x[1] - ref[1], dz = x[2] - ref[2];
    double left = ref[3] - way;
    return left >= 0 && dx * dx + dy * dy + dz * dz <= left * left;
}

static void predict_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const motion_task *t = ctx;
    const erg_world   *world = t->world;
    ergi_pbd          *pbd = ergi_pbd_of(world);
    const uint32_t    *first = ERGI_GRAIN(world, FIRST, uint32_t),
                   *kind = ERGI_GRAIN(world, KIND, uint32_t);
    bool stale = false;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        predict_body(t, i);
        const float *row = pbd->row + ERGI_PBD_ROW * i;
        if (pbd->single) {
            stale |= !reach_of(world, i, row);
            continue;
        }
        for (int p = 0; p < world->kind[kind[i]].shape.count; p++)
            stale |= !reach_of(world, first[i] + (size_t)p, row);
    }
    pbd->report[chunk].stale = stale;
}

bool ergi_pbd_predict(erg_world *world, double dt)
{
    ergi_pbd   *pbd = ergi_pbd_of(world);
    motion_task t = task_of(world, dt);
    size_t      n = world->grains.rows;
    bool        holds = true;
    if (!pbd->single) ergi_pbd_spheres_place(world);
    for (size_t c = 0; c < pbd->chunks; c++) pbd->report[c].stale = pbd->report[c].bad = false;
    ergi_parallel_for(&world->threads, (erg_index)n, ERGI_PBD_CHUNK, predict_range, &t);
    for (size_t c = 0; c < pbd->chunks; c++) {
        float *row = pbd->row + ERGI_PBD_ROW * (n + c), *shift = pbd->shift + 4 * (n + c);
        holds = holds && !pbd->report[c].stale;
        memset(row, 0, ERGI_PBD_ROW * sizeof *row); // written by padding lanes
        memset(shift, 0, 4 * sizeof *shift);
        row[ERGI_PBD_W] = row[ERGI_PBD_IW] = shift[3] = 1;
        if (!pbd->general) continue;
        float *tensor = pbd->tensor + 8 * (n + c);
        memset(tensor, 0, 8 * sizeof *tensor);
        tensor[0] = tensor[1] = tensor[2] = 1;
    }
    return holds;
}

// ---- Positions ---------------------------------------------------------------------------------
static void chunk_bounds(const erg_world *world, uint32_t chunk, size_t *begin, size_t *end)
{
    size_t n = world->grains.rows;
    *begin = (size_t)chunk * ERGI_PBD_CHUNK;
    *end = *begin + ERGI_PBD_CHUNK < n ? *begin + ERGI_PBD_CHUNK : n;
}

// The rotation by a vector, up to a factor: tan(t/2) as a series, since sin and cos cost as much as
// the rest of a clump's motion. The error at 1 rad is 7e-4 rad.
static erg_quat turn_by(erg_vec3 by)
{
    double   t2 = ergi_dot(by, by);
    erg_vec3 v = ergi_scale(by, 0.5 * (1 + t2 * (1.0 / 12 + t2 / 120)));
    return (erg_quat){v.x, v.y, v.z, 1};
}

void ergi_pbd_advance(erg_world *world, uint32_t chunk, double dt)
{
    size_t begin, end;
    chunk_bounds(world, chunk, &begin, &end);
    ergi_pbd *pbd = ergi_pbd_of(world);
    double   *x = ERGI_GRAIN(world, POSITION, double), *o = ERGI_GRAIN(world, ORIENTATION, double);
    bool      turns = world->def.orient_spheres || !pbd->single;
    bool      clumps = !pbd->single && world->def.pbd.variant != ERG_PBD_SOMMER;
    for (size_t i = begin; i < end; i++) {
        float *row = pbd->row + ERGI_PBD_ROW * i, *shift = pbd->shift + 4 * i;
        for (int k = 0; k < 3; k++) {
            x[4 * i + (size_t)k] += (double)shift[k] + (double)row[ERGI_PBD_MOVE + k];
            shift[k] = row[ERGI_PBD_MOVE + k]; // since freezing, for the rebound
        }
        if (!turns) continue;
        erg_vec3 by = {(double)row[ERGI_PBD_TURN], (double)row[ERGI_PBD_TURN + 1],
                       (double)row[ERGI_PBD_TURN + 2]};
        erg_quat q = {o[4 * i], o[4 * i + 1], o[4 * i + 2], o[4 * i + 3]};
        q = ergi_quat_normalize(ergi_quat_mul(pbd->single ? ergi_quat_exp(by) : turn_by(by), q));
        if (clumps && !is_isotropic(world, i))
            turn_clump(world, i, dt, q, row, pbd->tensor + 8 * i);
        const double to[4] = {q.x, q.y, q.z, q.w};
        memcpy(o + 4 * i, to, sizeof to);
    }
}

// ---- Velocities --------------------------------------------------------------------------------
static inline void put_row(void *rows, ergi_type real, size_t i, int at, const float v[3])
{
    for (size_t k = 0; k < 3; k++) {
        if (real == ERGI_F32)
            ((float *)rows)[8 * i + (size_t)at + k] = v[k];
        else
            ((double *)rows)[8 * i + (size_t)at + k] = (double)v[k];
    }
}

// Force and torque follow from the change of displacement and rotation made by contacts.
void ergi_pbd_finish(erg_world *world, uint32_t chunk, double dt)
{
    const motion_task task = task_of(world, dt), *t = &task;
    ergi_pbd         *pbd = ergi_pbd_of(world);
    size_t            begin, end;
    chunk_bounds(world, chunk, &begin, &end);
    void *motion = world->grains.data[ERGI_GRAIN_MOTION],
         *load = world->grains.data[ERGI_GRAIN_FORCE_TORQUE];
    ergi_type real = ergi_world_real(world);
    float     inverse = 1 / t->dt, per = (float)(pbd->mass / ((double)t->dt * (double)t->dt));
    float     limit = (float)(ERGI_PBD_MAX_DISPLACEMENT * pbd->radius) * inverse;
    bool      bad = false;
    for (size_t i = begin; i < end; i++) {
        const float *row = pbd->row + ERGI_PBD_ROW * i;
        float        v[3], spin[3], force[3], torque[3];
        get_motion(motion, real, i, v, spin);
        float m = per / row[ERGI_PBD_W], inertia = per / row[ERGI_PBD_IW];
        for (int k = 0; k < 3; k++) {
            force[k] = m * (row[ERGI_PBD_MOVE + k] - (t->dt * v[k] + t->fall[k]));
            torque[k] = inertia * (row[ERGI_PBD_TURN + k] - t->dt * spin[k]);
            v[k] = inverse * row[ERGI_PBD_MOVE + k];
            spin[k] = inverse * row[ERGI_PBD_TURN + k];
        }
        float way2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        bad |= !(way2 <= limit * limit && fabsf(spin[0] + spin[1] + spin[2]) < INFINITY);
        put_row(motion, real, i, ERGI_VELOCITY, v);
        put_row(motion, real, i, ERGI_SPIN, spin);
        put_row(load, real, i, ERGI_FORCE, force);
        put_row(load, real, i, ERGI_TORQUE, torque);
    }
    pbd->report[chunk].bad = bad;
}
