#include "api/load_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geom/vec3.h"
#include "solver/command.h"
#include "solver/solver.h"
#include "terrain/terrain.h"
#include "upsample/upsample.h"
#include "world/body_axes.h"
#include "world/grains.h"
#include "world/walls.h"

// Counters that grow by one stay far below this in any run; a double is exact up to it.
#define MOST_COUNTED ((uint64_t)1 << 53)
#define MOST_CONTACTS 64.0 // per sphere with others, or with one wall, on average

// Tolerance for derived values, which may have been computed on another machine.
#define ROUNDING 1e-6

static bool near(double value, double wanted)
{
    return fabs(value - wanted) <= ROUNDING * fabs(wanted);
}

static bool near_vector(erg_vec3 a, erg_vec3 b)
{
    return ergi_distance(a, b) <= ROUNDING * (1 + ergi_norm(b));
}

static bool is_unit(erg_quat q)
{
    return fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) <= ROUNDING;
}

static bool same_turn(erg_quat a, erg_quat b)
{
    return is_unit(a) && fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) >= 1 - ROUNDING;
}

static bool all_finite(const double *value, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(value[k])) return false;
    return true;
}

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static const ergi_clock *clock_of(const ergi_loaded *loaded)
{
    return ergi_loaded_plain(loaded, "world/clock");
}

static bool is_sum(double value) // of terms that are never negative
{
    return value >= 0 && isfinite(value);
}

// ---- Commands ----------------------------------------------------------------------------------
erg_status ergi_load_check_commands(const erg_world *world, const ergi_loaded *loaded,
                                    erg_error *err)
{
    const ergi_clock *now = clock_of(loaded);
    if (now->commands_done > loaded->commands)
        return ergi_load_misfit(err, "%llu of %zu commands were applied",
                                (unsigned long long)now->commands_done, loaded->commands);
    for (size_t k = 0; k < loaded->commands; k++) {
        const erg_command *c = &loaded->command[k];
        bool               done = k < now->commands_done;
        erg_error          why;
        // Earlier commands create the kinds of thrown spheres, which do not exist yet. A command
        // that adds a grain of such a kind is checked later, by check_grain_commands.
        erg_command known = *c;
        if (c->kind == ERG_COMMAND_ADD_GRAIN && c->id > world->kinds) {
            known.id = 1;
            known.value = 0;
        }
        if (ergi_command_check(world, &known, &why) != ERG_OK)
            return ergi_load_misfit(err, "command %zu: %s", k, why.text);
        if (c->kind == ERG_COMMAND_REMOVE_GRAIN && !(c->grain >= 1 && c->grain < now->next_id))
            return ergi_load_misfit(err, "command %zu removes grain %llu, which never existed", k,
                                    (unsigned long long)c->grain);
        if (done ? c->step > now->steps : c->step < now->steps)
            return ergi_load_misfit(err, "command %zu %s step %llu, the clock is at %llu", k,
                                    done ? "was applied at" : "waits for",
                                    (unsigned long long)c->step, (unsigned long long)now->steps);
        if (k > 0 && k != now->commands_done && c->step < c[-1].step)
            return ergi_load_misfit(err, "command %zu is for an earlier step than the one before",
                                    k);
    }
    return ERG_OK;
}

// Checks commands that add grains; by now the kinds of thrown spheres exist.
static erg_status check_grain_commands(const erg_world *world, const ergi_loaded *loaded,
                                       erg_error *err)
{
    for (size_t k = 0; k < loaded->commands; k++) {
        erg_error why;
        if (loaded->command[k].kind == ERG_COMMAND_ADD_GRAIN &&
            ergi_command_check(world, &loaded->command[k], &why) != ERG_OK)
            return ergi_load_misfit(err, "command %zu: %s", k, why.text);
    }
    return ERG_OK;
}

// The last applied command of this kind for this wall, body or emitter (id 0: any); NULL: none.
static const erg_command *last_applied(const ergi_loaded *loaded, erg_command_kind kind, erg_id id)
{
    for (size_t k = (size_t)clock_of(loaded)->commands_done; k-- > 0;)
        if (loaded->command[k].kind == kind && (!id || loaded->command[k].id == id))
            return &loaded->command[k];
    return NULL;
}

// ---- Clock -------------------------------------------------------------------------------------
static erg_status check_time(const erg_world *world, const ergi_clock *c, erg_error *err)
{
    bool fixed = !ergi_solver_varies_dt(world);
    if (c->steps >= MOST_COUNTED)
        return ergi_load_misfit(err, "%llu steps are more than can be counted",
                                (unsigned long long)c->steps);
    if (!is_positive(c->dt)) return ergi_load_misfit(err, "dt is %g s", c->dt);
    if (fixed && world->def.dt > 0 && c->dt != world->def.dt)
        return ergi_load_misfit(err, "dt is %g s, expected %g s", c->dt, world->def.dt);
    if (!is_sum(c->time) || (fixed && c->time != (double)c->steps * c->dt) ||
        (c->steps == 0 && c->time != 0))
        return ergi_load_misfit(err, "the time is %g s after %llu steps of %g s", c->time,
                                (unsigned long long)c->steps, c->dt);
    if (!(c->time + c->dt > c->time))
        return ergi_load_misfit(err, "dt of %g s is too small to advance the clock at %g s", c->dt,
                                c->time);
    return ERG_OK;
}

static erg_status check_counts(const ergi_clock *c, erg_error *err)
{
    const uint64_t count[] = {
        c->next_id, c->rebuilds, c->rebuilds_since_sort, c->emitted,       c->removed,
        c->lost,    c->contacts, c->wall_contacts,       c->body_contacts, c->list_step};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        if (count[k] >= MOST_COUNTED)
            return ergi_load_misfit(err, "world/clock holds the count %llu, which is too large",
                                    (unsigned long long)count[k]);
    if (c->next_id < 1 || c->emitted >= c->next_id || c->removed >= c->next_id ||
        c->lost >= c->next_id || c->list_step > c->steps)
        return ergi_load_misfit(err, "world/clock counts more grains or steps than there were");
    return ERG_OK;
}

// Contacts of the last step, whose lists may be gone. Spheres of all grains that ever were bound
// them: a caller allocates as many contacts as are counted.
static erg_status check_contacts(const erg_world *world, const ergi_clock *c, erg_error *err)
{
    int most = 1;
    for (size_t k = 0; k < world->kinds; k++)
        if (world->kind[k].shape.count > most) most = world->kind[k].shape.count;
    double spheres = (double)most * (double)(c->next_id - 1);
    if ((double)c->contacts > MOST_CONTACTS * spheres)
        return ergi_load_misfit(err, "%llu contacts of grains", (unsigned long long)c->contacts);
    if ((double)c->wall_contacts > MOST_CONTACTS * (double)world->walls * spheres)
        return ergi_load_misfit(err, "%llu contacts on walls",
                                (unsigned long long)c->wall_contacts);
    return ERG_OK;
}

static erg_status check_sums(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_clock  *c = clock_of(loaded);
    const erg_command *turned = last_applied(loaded, ERG_COMMAND_GRAVITY, 0);
    erg_vec3           g = turned ? turned->vector : world->def.gravity;
    if (c->gravity[0] != g.x || c->gravity[1] != g.y || c->gravity[2] != g.z)
        return ergi_load_misfit(err, "gravity is (%g, %g, %g) m/s^2, expected (%g, %g, %g)",
                                c->gravity[0], c->gravity[1], c->gravity[2], g.x, g.y, g.z);
    if (!isfinite(c->work) || !isfinite(c->body_work) || !is_sum(c->max_overlap_ratio))
        return ergi_load_misfit(err, "world/clock holds a sum that is not finite or below 0");
    if (c->dirty > 1)
        return ergi_load_misfit(err, "world/clock holds a flag that is neither 0 nor 1");
    if (c->fills > UINT32_MAX / 2)
        return ergi_load_misfit(err, "%llu fills are more than can be counted",
                                (unsigned long long)c->fills);
    return ERG_OK;
}

// ---- Grains ------------------------------------------------------------------------------------
static erg_status check_grain(const erg_world *world, const ergi_table *t, size_t i, erg_error *err)
{
    ergi_type     real = ergi_world_real(world);
    uint32_t      number = ((const uint32_t *)t->data[ERGI_GRAIN_KIND])[i];
    double        size = ((const double *)t->data[ERGI_GRAIN_SIZE])[i];
    const double *x = (const double *)t->data[ERGI_GRAIN_POSITION] + 4 * i;
    const double *q = (const double *)t->data[ERGI_GRAIN_ORIENTATION] + 4 * i;
    if (number >= world->kinds)
        return ergi_load_misfit(err, "grain %zu is of kind %u, the world has %zu", i, number,
                                world->kinds);
    const ergi_kind *kind = &world->kind[number];
    if (!ergi_kind_takes_size(kind, size))
        return ergi_load_misfit(err, "grain %zu has size %g, which its kind does not have", i,
                                size);
    if (!all_finite(x, 3))
        return ergi_load_misfit(err, "grain %zu has a position that is not finite", i);
    double radius = ergi_kind_radius(kind, size);
    if (!near(x[3], radius))
        return ergi_load_misfit(err, "grain %zu has radius %g m, expected %g m", i, x[3], radius);
    if (!is_unit((erg_quat){q[0], q[1], q[2], q[3]}))
        return ergi_load_misfit(err, "grain %zu has an orientation whose length is not 1", i);
    double row[2][8];
    for (size_t k = 0; k < 8; k++) {
        row[0][k] = ergi_real_at(t->data[ERGI_GRAIN_MOTION], real, 8 * i + k);
        row[1][k] = ergi_real_at(t->data[ERGI_GRAIN_FORCE_TORQUE], real, 8 * i + k);
    }
    if (!all_finite(row[0], 8) || !all_finite(row[1], 8))
        return ergi_load_misfit(err, "grain %zu has a motion or a load that is not finite", i);
    double inverse_mass, inverse_inertia = ergi_kind_inverse(kind, size, &inverse_mass);
    if (!near(row[0][3], inverse_mass) || !near(row[0][7], inverse_inertia))
        return ergi_load_misfit(err,
                                "grain %zu has an inverse mass of %g 1/kg, expected %g, or "
                                "an inverse inertia of %g 1/(kg m^2), expected %g",
                                i, row[0][3], inverse_mass, row[0][7], inverse_inertia);
    if (row[1][3] != 0 || row[1][7] != 0)
        return ergi_load_misfit(err, "grain %zu has a load that should be 0", i);
    return ERG_OK;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static erg_status check_ids(const ergi_table *t, uint64_t next_id, erg_error *err)
{
    size_t    n = t->rows;
    uint64_t *sorted = ergi_memory_new(n + 1, sizeof *sorted, "a checkpoint", err);
    if (!sorted) return ERG_NO_MEMORY;
    if (n) memcpy(sorted, t->data[ERGI_GRAIN_ID], n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_ids);
    erg_status status = ERG_OK;
    for (size_t i = 0; i < n && status == ERG_OK; i++)
        if (sorted[i] < 1 || sorted[i] >= next_id || (i > 0 && sorted[i] == sorted[i - 1]))
            status = ergi_load_misfit(err, "grain %llu exists twice, or was never created",
                                      (unsigned long long)sorted[i]);
    ergi_memory_free(sorted);
    return status;
}

static erg_status check_grains(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *t = ergi_loaded_table(loaded, "grains");
    if (t->rows > INT32_MAX / 2)
        return ergi_load_misfit(err, "%zu grains are more than one process holds", t->rows);
    erg_status status = check_ids(t, clock_of(loaded)->next_id, err);
    for (size_t i = 0; i < t->rows && status == ERG_OK; i++) status = check_grain(world, t, i, err);
    return status;
}

// ---- Walls -------------------------------------------------------------------------------------
static bool pose_is_finite(const ergi_pose *p)
{
    return ergi_finite(p->position) && ergi_finite(p->velocity) && ergi_finite(p->spin) &&
           is_unit(p->rotation);
}

static bool same_pose(const ergi_pose *a, const ergi_pose *b)
{
    return near_vector(a->position, b->position) && near_vector(a->velocity, b->velocity) &&
           near_vector(a->spin, b->spin) && same_turn(a->rotation, b->rotation);
}

// Whether servos, users and collisions can have produced this motion; other walls must be at rest.
static bool motion_fits(const ergi_world_wall *wall, const ergi_motion_state *m,
                        const erg_command *driven, const erg_command *pushed, bool terrain)
{
    const ergi_body  *r = &wall->body;
    ergi_motion_state still = ergi_motion_state_initial();
    erg_vec3          velocity = driven ? driven->vector : still.user_velocity,
             spin = driven ? driven->vector2 : still.user_spin,
             force = pushed ? pushed->vector : still.applied_force,
             torque = pushed ? pushed->vector2 : still.applied_torque;
    if (!pose_is_finite(&m->pose) || !ergi_finite(m->angular_momentum) ||
        !near_vector(m->user_velocity, velocity) || !near_vector(m->user_spin, spin) ||
        !near_vector(m->applied_force, force) || !near_vector(m->applied_torque, torque))
        return false;
    if (!ergi_finite(m->ground_force) || !ergi_finite(m->ground_torque) ||
        (!terrain && (ergi_norm(m->ground_force) > 0 || ergi_norm(m->ground_torque) > 0)))
        return false;
    if (r->free) {
        erg_quat q = ergi_quat_mul(m->pose.rotation, r->start);
        erg_vec3 l = m->angular_momentum;
        return near_vector(ergi_free_turn(r->free_axes, m->pose.spin), ergi_body_spin(r, q, l)) &&
               ergi_norm(ergi_driven_turn(r->free_axes, l)) == 0;
    }
    const erg_motion_def *joint = ergi_motion_joint(&wall->wall.motion);
    if (!joint && m->joint != 0) return false;
    if (joint) {
        ergi_pose at = ergi_joint_pose(joint, m->joint);
        if (!(m->joint >= joint->range[0] && m->joint <= joint->range[1]) ||
            !near_vector(m->pose.position, at.position) ||
            !same_turn(m->pose.rotation, at.rotation))
            return false;
    }
    return ergi_norm(m->angular_momentum) == 0 &&
           (ergi_motion_dynamic(&wall->wall.motion) || same_pose(&m->pose, &still.pose));
}

static erg_status check_walls(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_wall_state *state = ergi_loaded_plain(loaded, "world/walls");
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_world_wall *wall = &world->wall[w];
        const ergi_wall_state *s = &state[w];
        ergi_pose              now;
        erg_id                 id = (erg_id)(w + 1);
        if (!motion_fits(wall, &s->motion, last_applied(loaded, ERG_COMMAND_WALL_VELOCITY, id),
                         last_applied(loaded, ERG_COMMAND_BODY_FORCE, id), world->terrain != NULL))
            return ergi_load_misfit(err, "wall %zu has an impossible state of motion", w + 1);
        ergi_wall_pose(world->wall, state, w, clock_of(loaded)->time, &now);
        if (!pose_is_finite(&s->pose) || !same_pose(&s->pose, &now) ||
            (wall->body.free && !same_pose(&s->motion.pose, &now)))
            return ergi_load_misfit(err, "wall %zu is not where its motion takes it", w + 1);
        if (!pose_is_finite(&s->list_pose) || !is_sum(s->list_skin) || !is_sum(s->sweep) ||
            (!ergi_wall_moves(wall) &&
             (s->sweep > 0 || s->list_skin > 0 || !same_pose(&s->list_pose, &now))))
            return ergi_load_misfit(err, "the lists of wall %zu are for another position", w + 1);
        if (!all_finite(s->force, 3) || !all_finite(s->torque, 3))
            return ergi_load_misfit(err, "wall %zu has a force that is not finite", w + 1);
    }
    return ERG_OK;
}

// ---- Sources and sinks -------------------------------------------------------------------------
static erg_status check_emitters(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_emitter_state *state = ergi_loaded_plain(loaded, "world/emitters");
    const ergi_clock         *clock = clock_of(loaded);
    uint64_t                  given = 0;
    for (size_t k = 0; k < world->emitters; k++) {
        const ergi_emitter_state *s = &state[k];
        const erg_command *set = last_applied(loaded, ERG_COMMAND_EMITTER_RATE, (erg_id)(k + 1));
        double             rate = set ? set->value : world->emitter_state[k].rate;
        uint64_t           limit = world->emitter[k].limit;
        if (s->rate != rate)
            return ergi_load_misfit(err, "emitter %zu has a rate of %g 1/s, expected %g", k + 1,
                                    s->rate, rate);
        double start = world->emitter[k].start;
        if (!(s->due >= 0 && s->due < (double)MOST_COUNTED) ||
            !(s->last == start || (s->last > start && s->last <= clock->time)))
            return ergi_load_misfit(err, "emitter %zu has %g grains due since %g s", k + 1, s->due,
                                    s->last);
        if (!(s->short_time >= 0 && s->short_time <= clock->time * (1 + ROUNDING)) ||
            s->short_given > s->given)
            return ergi_load_misfit(
                err, "emitter %zu released %llu grains in the %g s in which it had too little room",
                k + 1, (unsigned long long)s->short_given, s->short_time);
        if (s->given > s->tries || s->tries >= MOST_COUNTED || (limit && s->given > limit) ||
            !is_sum(s->mass) || (s->mass > 0) != (s->given > 0))
            return ergi_load_misfit(
                err, "emitter %zu released %llu grains of %g kg in %llu attempts", k + 1,
                (unsigned long long)s->given, s->mass, (unsigned long long)s->tries);
        given += s->given;
    }
    if (given != clock->emitted)
        return ergi_load_misfit(err, "emitters released %llu grains, but %llu were emitted",
                                (unsigned long long)given, (unsigned long long)clock->emitted);
    return ERG_OK;
}

static erg_status check_sinks(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_sink_state *state = ergi_loaded_plain(loaded, "world/sinks");
    uint64_t               left = clock_of(loaded)->removed;
    for (size_t k = 0; k < world->sinks; k++) {
        const ergi_sink_state *s = &state[k];
        if (s->taken > left || !is_sum(s->mass) || (s->mass > 0) != (s->taken > 0) || s->opened > 1)
            return ergi_load_misfit(err, "sink %zu removed %llu grains of %g kg", k + 1,
                                    (unsigned long long)s->taken, s->mass);
        left -= s->taken;
    }
    return ERG_OK;
}

erg_status ergi_load_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_clock *c = clock_of(loaded);
    erg_status        status = check_grain_commands(world, loaded, err);
    if (status == ERG_OK) status = check_time(world, c, err);
    if (status == ERG_OK) status = check_counts(c, err);
    if (status == ERG_OK) status = check_contacts(world, c, err);
    if (status == ERG_OK) status = check_sums(world, loaded, err);
    if (status == ERG_OK) status = check_grains(world, loaded, err);
    if (status == ERG_OK) status = check_walls(world, loaded, err);
    if (status == ERG_OK) status = check_emitters(world, loaded, err);
    if (status == ERG_OK) status = check_sinks(world, loaded, err);
    if (status == ERG_OK && world->terrain) status = ergi_terrain_check(world, loaded, err);
    if (status == ERG_OK) status = ergi_upsample_check(world, loaded, err);
    if (status != ERG_OK || !world->solver->check) return status;
    return world->solver->check(world, loaded, err);
}
