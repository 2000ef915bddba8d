#include "api/load_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/command.h"
#include "base/memory.h"
#include "dem/step.h"
#include "geom/vec3.h"
#include "world/bodies.h"

// Counters that grow by one stay far below this in any run, and are exact in double below it.
#define MOST_COUNTED ((uint64_t)1 << 53)

// Tolerance for derived values: the same code computed them, perhaps on another machine.
#define ROUNDING 1e-6

erg_status ergi_load_misfit(erg_error *err, const char *format, ...)
{
    char    what[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ergi_fail_code(
        err, ERG_ERROR_BAD_FILE,
        "the checkpoint does not fit together: %s; it was not written by this erg", what);
}

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

static bool is_sum(double value) // of terms that are never negative
{
    return value >= 0 && isfinite(value);
}

// ---- Commands ----------------------------------------------------------------------------------
erg_status ergi_load_check_commands(const erg_world *world, const ergi_loaded *loaded,
                                    erg_error *err)
{
    const ergi_loose *l = &loaded->loose;
    if (l->commands_done > loaded->commands)
        return ergi_load_misfit(err, "%llu of %zu commands were applied",
                                (unsigned long long)l->commands_done, loaded->commands);
    for (size_t k = 0; k < loaded->commands; k++) {
        const erg_command *c = &loaded->command[k];
        bool               done = k < l->commands_done;
        erg_error          why;
        // Earlier commands create the kinds of balls, and these do not exist yet: a command that
        // adds a grain of such a kind is checked later, by check_grain_commands.
        erg_command known = *c;
        if (c->kind == ERG_COMMAND_ADD_GRAIN && c->id > world->kinds) {
            known.id = 1;
            known.value = 0;
        }
        if (ergi_command_check(world, &known, &why) != ERG_OK)
            return ergi_load_misfit(err, "command %zu: %s", k, why.text);
        if (c->kind == ERG_COMMAND_REMOVE_GRAIN && !(c->grain >= 1 && c->grain < l->clock.next_id))
            return ergi_load_misfit(err, "command %zu removes grain %llu, which never existed", k,
                                    (unsigned long long)c->grain);
        if (done ? c->step > l->clock.steps : c->step < l->clock.steps)
            return ergi_load_misfit(err, "command %zu %s step %llu, the clock is at %llu", k,
                                    done ? "was applied at" : "waits for",
                                    (unsigned long long)c->step,
                                    (unsigned long long)l->clock.steps);
        if (k > 0 && k != l->commands_done && c->step < c[-1].step)
            return ergi_load_misfit(err, "command %zu is for an earlier step than the one before",
                                    k);
    }
    return ERG_OK;
}

// Commands that add grains, now that the kinds of balls exist.
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

// The last applied command of this kind for this wall, body or emitter (0: for any); NULL: none.
static const erg_command *last_applied(const ergi_loaded *loaded, erg_command_kind kind, erg_id id)
{
    for (size_t k = (size_t)loaded->loose.commands_done; k-- > 0;)
        if (loaded->command[k].kind == kind && (!id || loaded->command[k].id == id))
            return &loaded->command[k];
    return NULL;
}

// ---- Clock -------------------------------------------------------------------------------------
static erg_status check_time(const erg_world *world, const ergi_loose *l, erg_error *err)
{
    const ergi_clock *c = &l->clock;
    bool              fixed = world->def.integrator != ERG_RKF45;
    if (c->steps >= MOST_COUNTED)
        return ergi_load_misfit(err, "%llu steps are more than can be counted",
                                (unsigned long long)c->steps);
    if (!(is_positive(l->contact_time) && l->contact_time <= 1e3 * world->contact_time &&
          l->contact_time >= 1e-3 * world->contact_time))
        return ergi_load_misfit(err, "the shortest contact is %g s, expected about %g s",
                                l->contact_time, world->contact_time);
    double least = world->def.dt > 0 ? 0 : 1e-9 * l->contact_time; // a given dt may be any shorter
    if (!(c->dt > least && c->dt <= (0.1 + ROUNDING) * l->contact_time))
        return ergi_load_misfit(err, "dt is %g s with a shortest contact of %g s", c->dt,
                                l->contact_time);
    if (fixed && world->def.dt > 0 && c->dt != world->def.dt)
        return ergi_load_misfit(err, "dt is %g s, given was %g s", c->dt, world->def.dt);
    if (!is_sum(c->time) || (fixed && c->time != (double)c->steps * c->dt) ||
        (c->steps == 0 && c->time != 0))
        return ergi_load_misfit(err, "the time is %g s after %llu steps of %g s", c->time,
                                (unsigned long long)c->steps, c->dt);
    if (!(c->time + c->dt > c->time))
        return ergi_load_misfit(err, "dt is %g s, which does not move the clock from %g s", c->dt,
                                c->time);
    return ERG_OK;
}

static erg_status check_counts(const ergi_clock *c, erg_error *err)
{
    const uint64_t count[] = {c->next_id,  c->rebuilds,      c->rebuilds_since_sort,
                              c->emitted,  c->removed,       c->lost,
                              c->contacts, c->wall_contacts, c->list_step};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        if (count[k] >= MOST_COUNTED)
            return ergi_load_misfit(err, "world/state counts to %llu",
                                    (unsigned long long)count[k]);
    if (c->next_id < 1 || c->emitted >= c->next_id || c->removed >= c->next_id ||
        c->lost >= c->next_id || c->list_step > c->steps)
        return ergi_load_misfit(err, "world/state counts more grains than there were, or steps");
    return ERG_OK;
}

static erg_status check_sums(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_loose  *l = &loaded->loose;
    const ergi_clock  *c = &l->clock;
    const erg_command *turned = last_applied(loaded, ERG_COMMAND_GRAVITY, 0);
    erg_vec3           g = turned ? turned->vector : world->def.gravity;
    if (c->gravity[0] != g.x || c->gravity[1] != g.y || c->gravity[2] != g.z)
        return ergi_load_misfit(err, "gravity is (%g, %g, %g) m/s^2, expected (%g, %g, %g)",
                                c->gravity[0], c->gravity[1], c->gravity[2], g.x, g.y, g.z);
    const double sum[] = {c->work, c->rigid_work, l->wall_power, l->rigid_energy};
    if (!all_finite(sum, sizeof sum / sizeof *sum) || !is_sum(c->max_overlap_ratio) ||
        !is_sum(l->extent))
        return ergi_load_misfit(err, "world/state holds a sum that is not finite or below 0");
    double most = 2 * ergi_dem_most_margin(world) * (1 + ROUNDING);
    if (!is_positive(l->skin) || (!l->dirty && l->skin > most))
        return ergi_load_misfit(err, "the skin is %g m, at most %g m are possible", l->skin, most);
    return ERG_OK;
}

static erg_status check_flags(const ergi_loose *l, erg_error *err)
{
    if (l->single > 1 || l->dirty > 1 || l->new_clumps > 1 || l->class_per_material > 1)
        return ergi_load_misfit(err, "world/state holds a flag that is neither 0 nor 1");
    if (l->fills > UINT32_MAX / 2)
        return ergi_load_misfit(err, "%llu fills are more than can be counted",
                                (unsigned long long)l->fills);
    return ERG_OK;
}

// ---- Bodies ------------------------------------------------------------------------------------
static erg_status check_body(const erg_world *world, const ergi_table *t, size_t i, erg_error *err)
{
    ergi_type     real = ergi_world_real(world);
    uint32_t      number = ((const uint32_t *)t->data[ERGI_BODY_KIND])[i];
    double        size = ((const double *)t->data[ERGI_BODY_SIZE])[i];
    const double *x = (const double *)t->data[ERGI_BODY_POSITION] + 4 * i;
    const double *q = (const double *)t->data[ERGI_BODY_ORIENTATION] + 4 * i;
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
        row[0][k] = ergi_real_at(t->data[ERGI_BODY_MOTION], real, 8 * i + k);
        row[1][k] = ergi_real_at(t->data[ERGI_BODY_LOAD], real, 8 * i + k);
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
    if (n) memcpy(sorted, t->data[ERGI_BODY_ID], n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_ids);
    erg_status status = ERG_OK;
    for (size_t i = 0; i < n && status == ERG_OK; i++)
        if (sorted[i] < 1 || sorted[i] >= next_id || (i > 0 && sorted[i] == sorted[i - 1]))
            status = ergi_load_misfit(err, "grain %llu exists twice, or was never made",
                                      (unsigned long long)sorted[i]);
    ergi_memory_free(sorted);
    return status;
}

static erg_status check_bodies(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *t = &loaded->table[ERGI_STATE_BODIES];
    const ergi_loose *l = &loaded->loose;
    if (t->rows > INT32_MAX / 2 || t->rows < l->listed_bodies ||
        (!l->dirty && t->rows != l->listed_bodies))
        return ergi_load_misfit(err, "%llu of %zu grains are in lists",
                                (unsigned long long)l->listed_bodies, t->rows);
    erg_status status = check_ids(t, l->clock.next_id, err);
    for (size_t i = 0; i < t->rows && status == ERG_OK; i++) status = check_body(world, t, i, err);
    return status;
}

// ---- Spheres -----------------------------------------------------------------------------------
static erg_status check_classes(const erg_world *world, const ergi_loose *l, erg_error *err)
{
    if (l->classes > ERGI_MAX_CLASSES)
        return ergi_load_misfit(err, "%llu classes of spheres", (unsigned long long)l->classes);
    for (size_t c = 0; c < l->classes; c++) {
        const ergi_class *k = &l->klass[c];
        if (k->material >= world->materials || !is_positive(k->radius) || !is_positive(k->mass) ||
            2 * k->radius > world->largest_diameter * (1 + ROUNDING))
            return ergi_load_misfit(err, "class %zu has material %u, radius %g m and mass %g kg", c,
                                    k->material, k->radius, k->mass);
    }
    return ERG_OK;
}

static bool class_fits(const ergi_loose *l, uint32_t klass, const ergi_kind *kind, double radius,
                       double mass)
{
    if (l->class_per_material) return klass == kind->material;
    if (klass >= l->classes) return false;
    const ergi_class *c = &l->klass[klass];
    return c->material == kind->material && near(c->radius, radius) && near(c->mass, mass);
}

// Position of a sphere when the lists were built, and 1/margin, in units of the lattice.
static bool reference_fits(const erg_world *world, const ergi_table *t, size_t s)
{
    double inverse;
    if (ergi_world_real(world) == ERGI_F64) {
        const double *r = (const double *)t->data[ERGI_SPHERE_REFERENCE] + 4 * s;
        if (!all_finite(r, 3)) return false;
        inverse = r[3];
    } else {
        float bits;
        memcpy(&bits, (const uint32_t *)t->data[ERGI_SPHERE_REFERENCE] + 4 * s + 3, sizeof bits);
        inverse = (double)bits * world->lattice.inverse[3];
    }
    return is_positive(inverse) && 1 / inverse <= ergi_dem_most_margin(world) * (1 + 1e-5);
}

static erg_status check_spheres(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *bodies = &loaded->table[ERGI_STATE_BODIES],
                     *t = &loaded->table[ERGI_STATE_SPHERES];
    const ergi_loose *l = &loaded->loose;
    const uint32_t   *kind = bodies->data[ERGI_BODY_KIND], *first = bodies->data[ERGI_BODY_FIRST],
                   *klass = t->data[ERGI_SPHERE_CLASS], *body = t->data[ERGI_SPHERE_BODY];
    const double *size = bodies->data[ERGI_BODY_SIZE];
    size_t        s = 0;
    bool          single = true, new_clumps = false;
    if (t->rows != l->list_spheres || t->rows > ERGI_MOST_SPHERES)
        return ergi_load_misfit(err, "%zu spheres, %llu of them in lists", t->rows,
                                (unsigned long long)l->list_spheres);
    for (size_t i = 0; i < l->listed_bodies; i++) {
        const ergi_kind *k = &world->kind[kind[i]];
        double           mass = ergi_kind_mass(k, size[i]);
        single = single && k->shape.is_sphere;
        if (first[i] != s || s + (size_t)k->shape.count > t->rows)
            return ergi_load_misfit(err, "grain %zu begins with sphere %u, expected %zu", i,
                                    first[i], s);
        for (int p = 0; p < k->shape.count; p++, s++)
            if (!class_fits(l, klass[s], k, size[i] * k->shape.radius[p], mass) ||
                (body && body[s] != i) || (!l->dirty && !reference_fits(world, t, s)))
                return ergi_load_misfit(err, "sphere %zu is not one of grain %zu", s, i);
    }
    for (size_t i = (size_t)l->listed_bodies; i < bodies->rows; i++)
        new_clumps |= !world->kind[kind[i]].shape.is_sphere;
    if (s != t->rows || single != (l->single != 0) || new_clumps != (l->new_clumps != 0))
        return ergi_load_misfit(err, "%zu spheres of %llu grains", t->rows,
                                (unsigned long long)l->listed_bodies);
    return ERG_OK;
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

// Whether servos, users and collisions can have moved the wall like this; at rest without them.
static bool motion_fits(const ergi_world_wall *wall, const ergi_motion_state *m,
                        const erg_command *driven, const erg_command *pushed)
{
    const ergi_rigid *r = &wall->rigid;
    ergi_motion_state still = ergi_motion_state_initial();
    erg_vec3          velocity = driven ? driven->vector : still.user_velocity,
             spin = driven ? driven->vector2 : still.user_spin,
             force = pushed ? pushed->vector : still.applied_force,
             torque = pushed ? pushed->vector2 : still.applied_torque;
    if (!pose_is_finite(&m->pose) || !ergi_finite(m->angular_momentum) ||
        !near_vector(m->user_velocity, velocity) || !near_vector(m->user_spin, spin) ||
        !near_vector(m->applied_force, force) || !near_vector(m->applied_torque, torque))
        return false;
    if (r->free) {
        erg_quat q = ergi_quat_mul(m->pose.rotation, r->start);
        return near_vector(m->pose.spin, ergi_rigid_spin(r, q, m->angular_momentum));
    }
    return ergi_norm(m->angular_momentum) == 0 &&
           (ergi_motion_dynamic(&wall->wall.motion) || same_pose(&m->pose, &still.pose));
}

static erg_status check_walls(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    double most = world->def.skin > 0 ? 0.5 * world->def.skin : world->skin_scale;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_world_wall *wall = &world->wall[w];
        const ergi_wall_state *s = &loaded->wall[w];
        ergi_pose              now;
        erg_id                 id = (erg_id)(w + 1);
        if (!motion_fits(wall, &s->motion, last_applied(loaded, ERG_COMMAND_WALL_VELOCITY, id),
                         last_applied(loaded, ERG_COMMAND_BODY_FORCE, id)))
            return ergi_load_misfit(err, "wall %zu has a state of motion that it cannot have",
                                    w + 1);
        ergi_motion_pose(&wall->wall.motion, &s->motion, loaded->loose.clock.time, &now);
        if (!pose_is_finite(&s->pose) || !same_pose(&s->pose, &now))
            return ergi_load_misfit(err, "wall %zu is not where its motion takes it", w + 1);
        bool moves = ergi_wall_moves(wall);
        if (!pose_is_finite(&s->list_pose) ||
            !(s->list_margin >= 0 && s->list_margin <= most * (1 + ROUNDING)) ||
            !(s->sweep >= 0 && isfinite(s->sweep)) ||
            (!moves && (s->sweep > 0 || s->list_margin > 0 || !same_pose(&s->list_pose, &now))))
            return ergi_load_misfit(err, "the lists of wall %zu are for another position", w + 1);
        if (!all_finite(s->force, 3) || !all_finite(s->torque, 3))
            return ergi_load_misfit(err, "wall %zu has a force that is not finite", w + 1);
    }
    return ERG_OK;
}

// ---- Ways in and out ---------------------------------------------------------------------------
static erg_status check_emitters(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    uint64_t given = 0;
    for (size_t k = 0; k < world->emitters; k++) {
        const ergi_emitter_state *s = &loaded->emitter[k];
        const erg_command *set = last_applied(loaded, ERG_COMMAND_EMITTER_RATE, (erg_id)(k + 1));
        double             rate = set ? set->value : world->emitter_state[k].rate;
        uint64_t           limit = world->emitter[k].limit;
        if (s->rate != rate)
            return ergi_load_misfit(err, "emitter %zu has a rate of %g 1/s, expected %g", k + 1,
                                    s->rate, rate);
        double start = world->emitter[k].start;
        if (!(s->due >= 0 && s->due < (double)MOST_COUNTED) ||
            !(s->last == start || (s->last > start && s->last <= loaded->loose.clock.time)))
            return ergi_load_misfit(err, "emitter %zu has %g grains due since %g s", k + 1, s->due,
                                    s->last);
        if (!(s->short_time >= 0 && s->short_time <= loaded->loose.clock.time * (1 + ROUNDING)) ||
            s->short_given > s->given)
            return ergi_load_misfit(
                err, "emitter %zu released %llu grains in the %g s in which it had too little room",
                k + 1, (unsigned long long)s->short_given, s->short_time);
        if (s->given > s->tries || s->tries >= MOST_COUNTED || (limit && s->given > limit) ||
            !is_sum(s->mass) || (s->mass > 0) != (s->given > 0))
            return ergi_load_misfit(err, "emitter %zu gave %llu grains of %g kg in %llu tries",
                                    k + 1, (unsigned long long)s->given, s->mass,
                                    (unsigned long long)s->tries);
        given += s->given;
    }
    if (given != loaded->loose.clock.emitted)
        return ergi_load_misfit(err, "emitters gave %llu grains, %llu came from them",
                                (unsigned long long)given,
                                (unsigned long long)loaded->loose.clock.emitted);
    return ERG_OK;
}

static erg_status check_sinks(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    uint64_t left = loaded->loose.clock.removed;
    for (size_t k = 0; k < world->sinks; k++) {
        const ergi_sink_state *s = &loaded->sink[k];
        if (s->taken > left || !is_sum(s->mass) || (s->mass > 0) != (s->taken > 0) || s->opened > 1)
            return ergi_load_misfit(err, "sink %zu took %llu grains of %g kg", k + 1,
                                    (unsigned long long)s->taken, s->mass);
        left -= s->taken;
    }
    return ERG_OK;
}

erg_status ergi_load_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_loose *l = &loaded->loose;
    erg_status        status = check_flags(l, err);
    if (status == ERG_OK) status = check_grain_commands(world, loaded, err);
    if (status == ERG_OK) status = check_time(world, l, err);
    if (status == ERG_OK) status = check_counts(&l->clock, err);
    if (status == ERG_OK) status = check_sums(world, loaded, err);
    if (status == ERG_OK) status = check_classes(world, l, err);
    if (status == ERG_OK) status = check_bodies(world, loaded, err);
    if (status == ERG_OK) status = check_spheres(world, loaded, err);
    if (status == ERG_OK) status = check_walls(world, loaded, err);
    if (status == ERG_OK) status = check_emitters(world, loaded, err);
    return status == ERG_OK ? check_sinks(world, loaded, err) : status;
}
