#include "solver/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"
#include "solver/solver.h"
#include "world/ball.h"
#include "world/grains.h"
#include "world/sources.h"

// ---- Checking ----------------------------------------------------------------------------------
static erg_status check_id(erg_id id, size_t count, bool zero_allowed, const char *what,
                           erg_error *err)
{
    if (id <= count && (id > 0 || zero_allowed)) return ERG_OK;
    return ergi_fail_at(err, "id", ERG_ERROR_UNKNOWN,
                        "a command refers to %s %u, but the world has %zu", what, id, count);
}

static bool has_user_motion(const ergi_motion *motion)
{
    for (int k = 0; k < motion->count; k++)
        if (motion->part[k].kind == ERG_MOTION_USER) return true;
    return false;
}

erg_status ergi_command_check(const erg_world *world, const erg_command *c, erg_error *err)
{
    const char *infinite = !ergi_finite(c->point)     ? "point"
                           : !ergi_finite(c->vector)  ? "vector"
                           : !ergi_finite(c->vector2) ? "vector2"
                           : !isfinite(c->value)      ? "value"
                           : !isfinite(c->amount)     ? "amount"
                                                      : NULL;
    if (infinite)
        return ergi_fail_at(err, infinite, ERG_ERROR_NOT_FINITE,
                            "a command contains a number that is not finite");
    switch (c->kind) {
    case ERG_COMMAND_GRAVITY:
        return world->terrain && !ergi_world_gravity_down(c->vector, err) ? ERG_BAD_INPUT : ERG_OK;
    case ERG_COMMAND_FRICTION:
        if (c->value < 0 || c->value > ERG_MAX_FRICTION)
            return ergi_fail_at(err, "value", ERG_ERROR_OUT_OF_RANGE,
                                "friction must be 0 to %g, got %g", ERG_MAX_FRICTION, c->value);
        return check_id(c->id, world->materials, true, "material", err);
    case ERG_COMMAND_EMITTER_RATE:
        if (c->value < 0 || c->value > ERG_MAX_EMITTER_RATE)
            return ergi_fail_at(err, "value", ERG_ERROR_OUT_OF_RANGE,
                                "rate must be 0 to %g 1/s, got %g", ERG_MAX_EMITTER_RATE, c->value);
        return check_id(c->id, world->emitters, false, "emitter", err);
    case ERG_COMMAND_WALL_VELOCITY: {
        erg_status status = check_id(c->id, world->walls, false, "wall", err);
        if (status == ERG_OK && !has_user_motion(&world->wall[c->id - 1].wall.motion))
            status = ergi_fail_at(err, "id", ERG_ERROR_CONFLICT,
                                  "a command moves wall %u, which has no user motion", c->id);
        if (status == ERG_OK && c->value < 0)
            status = ergi_fail_at(
                err, "value", ERG_ERROR_OUT_OF_RANGE,
                "the largest force of a wall must be at least 0 N (0: any), got %g", c->value);
        return status;
    }
    case ERG_COMMAND_BODY_FORCE: {
        erg_status status = check_id(c->id, world->walls, false, "body", err);
        if (status == ERG_OK && !world->wall[c->id - 1].body.free)
            status = ergi_fail_at(err, "id", ERG_ERROR_CONFLICT,
                                  "a command pushes %u, which is not a free body: walls and driven "
                                  "bodies follow their motion",
                                  c->id);
        return status;
    }
    case ERG_COMMAND_PUSH:
    case ERG_COMMAND_PULL:
        return c->value > 0 ? ERG_OK
                            : ergi_fail_at(err, "value", ERG_ERROR_OUT_OF_RANGE,
                                           "a %s needs a radius above 0 m, got %g",
                                           c->kind == ERG_COMMAND_PUSH ? "push" : "pull", c->value);
    case ERG_COMMAND_ADD_BALL: return ergi_ball_check(world, c->id, c->value, c->amount, err);
    case ERG_COMMAND_ADD_GRAIN:
        if (c->value < 0)
            return ergi_fail_at(err, "value", ERG_ERROR_OUT_OF_RANGE,
                                "a grain's size must be at least 0 m (0: drawn at random), got %g",
                                c->value);
        if (c->id >= 1 && c->id <= world->kinds && c->value > 0 &&
            !ergi_kind_takes_size(&world->kind[c->id - 1], c->value))
            return ergi_fail_at(err, "value", ERG_ERROR_OUT_OF_RANGE,
                                "a grain's size is %g, which its kind does not have", c->value);
        return check_id(c->id, world->kinds, false, "grain kind", err);
    case ERG_COMMAND_REMOVE_GRAIN: return ERG_OK;
    }
    return ergi_fail_at(err, "kind", ERG_ERROR_UNKNOWN, "unknown command %d", (int)c->kind);
}

// ---- Removing ----------------------------------------------------------------------------------
static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Marks the grains with these ids in world->leaves; *found of them exist.
static erg_status mark_leaving(erg_world *world, const erg_gid *ids, size_t count, size_t *found,
                               erg_error *err)
{
    size_t     n = world->grains.rows;
    erg_status status = ergi_memory_grow(&world->leaves, &world->leaves_room, n, 1, "removal", err);
    if (status != ERG_OK) return status;
    erg_gid *sorted = ergi_memory_new(count, sizeof *sorted, "removal", err);
    if (!sorted) return ERG_NO_MEMORY;
    memcpy(sorted, ids, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_ids);
    const uint64_t *id = ERGI_GRAIN(world, ID, uint64_t);
    *found = 0;
    for (size_t i = 0; i < n; i++) {
        world->leaves[i] = bsearch(&id[i], sorted, count, sizeof *sorted, compare_ids) != NULL;
        *found += world->leaves[i];
    }
    ergi_memory_free(sorted);
    return ERG_OK;
}

erg_status ergi_grains_remove(erg_world *world, const erg_gid *ids, size_t count, erg_error *err)
{
    if (count == 0) return ERG_OK;
    size_t     found;
    erg_status status = mark_leaving(world, ids, count, &found, err);
    if (status == ERG_OK && found != count)
        status = ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                                "%zu grains are to be removed, but only %zu of them exist", count,
                                found);
    return status == ERG_OK ? world->solver->remove(world, err) : status;
}

// ---- Applying ----------------------------------------------------------------------------------
static void set_friction(erg_world *world, erg_id material, double value)
{
    for (size_t a = 0; a < world->materials; a++)
        for (size_t b = 0; b < world->materials; b++)
            if (!material || a == material - 1 || b == material - 1) {
                ergi_material_pair *p = &world->pair[a * world->materials + b];
                p->friction = p->friction_static = value;
            }
}

// The change of velocity of a grain at distance vector `d` from the point. A pull fades towards the
// rim, and near the point, where it has no direction.
static erg_vec3 nudge(const erg_command *c, erg_vec3 d)
{
    if (c->kind == ERG_COMMAND_PUSH) return c->vector;
    double share = ergi_norm(d) / c->value;
    return ergi_scale(d, -c->amount * (1 - share) / (c->value * (share + 0.1)));
}

// On a periodic axis the nearest image counts.
static void nudge_grains(erg_world *world, const erg_command *c)
{
    const double *x = ERGI_GRAIN(world, POSITION, double), *period = world->space.period;
    void         *motion = world->grains.data[ERGI_GRAIN_MOTION];
    ergi_type     real = ergi_world_real(world);
    for (size_t i = 0; i < world->grains.rows; i++) {
        erg_vec3 d = ergi_sub(ergi_vec3(x[4 * i], x[4 * i + 1], x[4 * i + 2]), c->point);
        if (period[0] > 0) d.x -= period[0] * nearbyint(d.x / period[0]);
        if (period[1] > 0) d.y -= period[1] * nearbyint(d.y / period[1]);
        if (ergi_dot(d, d) > c->value * c->value) continue;
        erg_vec3 u = nudge(c, d);
        double   v[3];
        ergi_get3(motion, real, i, ERGI_VELOCITY, v);
        v[0] += u.x;
        v[1] += u.y;
        v[2] += u.z;
        ergi_put3(motion, real, i, ERGI_VELOCITY, v);
    }
}

static erg_status add_grain(erg_world *world, const erg_command *c, erg_error *err)
{
    ergi_random random = {.seed = world->def.seed, .stream = 1, .id = world->clock.next_id};
    double size = c->value > 0 ? c->value : ergi_sizes_draw(&world->kind[c->id - 1].sizes, &random);
    erg_grains g = {.kind = c->id, .count = 1, .position = &c->point, .velocity = &c->vector};
    return ergi_grains_add(world, &g, &size, NULL, err);
}

static erg_status add_ball(erg_world *world, const erg_command *c, erg_error *err)
{
    erg_grains g = {.count = 1, .position = &c->point, .velocity = &c->vector};
    erg_status status = ergi_ball_kind(world, c->id, c->value, c->amount, &g.kind, err);
    return status == ERG_OK ? ergi_grains_add(world, &g, &c->value, NULL, err) : status;
}

static erg_status apply(erg_world *world, const erg_command *c, erg_error *err)
{
    switch (c->kind) {
    case ERG_COMMAND_GRAVITY:
        world->clock.gravity[0] = c->vector.x;
        world->clock.gravity[1] = c->vector.y;
        world->clock.gravity[2] = c->vector.z;
        break;
    case ERG_COMMAND_FRICTION:
        set_friction(world, c->id, c->value);
        return ergi_solver_changed(world, ERGI_CHANGED_LAWS, err);
    case ERG_COMMAND_EMITTER_RATE: ergi_sources_set_rate(world, c->id - 1, c->value); break;
    case ERG_COMMAND_WALL_VELOCITY:
        world->wall_state[c->id - 1].motion.user_velocity = c->vector;
        world->wall_state[c->id - 1].motion.user_spin = c->vector2;
        world->wall[c->id - 1].wall.motion.user_force = c->value;
        break;
    case ERG_COMMAND_BODY_FORCE:
        world->wall_state[c->id - 1].motion.applied_force = c->vector;
        world->wall_state[c->id - 1].motion.applied_torque = c->vector2;
        break;
    case ERG_COMMAND_PUSH:
    case ERG_COMMAND_PULL: nudge_grains(world, c); break;
    case ERG_COMMAND_ADD_BALL: return add_ball(world, c, err);
    case ERG_COMMAND_ADD_GRAIN: return add_grain(world, c, err);
    case ERG_COMMAND_REMOVE_GRAIN: break; // with others: see removals
    }
    return ERG_OK;
}

erg_status ergi_command_restore_kinds(erg_world *world, const erg_command *command, size_t count,
                                      erg_error *err)
{
    erg_status status = ERG_OK;
    erg_id     kind;
    ergi_ball_kinds_clear(world);
    for (size_t k = 0; k < count && status == ERG_OK; k++) {
        const erg_command *c = &command[k];
        if (c->kind != ERG_COMMAND_ADD_BALL) continue;
        status = ergi_ball_check(world, c->id, c->value, c->amount, err);
        if (status == ERG_OK)
            status = ergi_ball_kind(world, c->id, c->value, c->amount, &kind, err);
    }
    return status == ERG_OK ? ergi_solver_changed(world, ERGI_CHANGED_KINDS, err) : status;
}

erg_status ergi_command_restore_laws(erg_world *world, erg_error *err)
{
    erg_status status =
        ergi_command_restore_kinds(world, world->command, world->clock.commands_done, err);
    if (status != ERG_OK) return status;
    for (size_t w = 0; w < world->walls; w++) world->wall[w].wall.motion.user_force = 0;
    for (size_t k = 0; k < world->materials * world->materials; k++) {
        ergi_material_pair *p = &world->pair[k];
        p->friction = p->friction_defined;
        p->friction_static = p->friction_static_defined;
    }
    for (size_t k = 0; k < world->clock.commands_done; k++) {
        const erg_command *c = &world->command[k];
        if (c->kind == ERG_COMMAND_FRICTION) set_friction(world, c->id, c->value);
        if (c->kind == ERG_COMMAND_WALL_VELOCITY && c->id >= 1 && c->id <= world->walls)
            world->wall[c->id - 1].wall.motion.user_force = c->value;
    }
    return ergi_solver_changed(world, ERGI_CHANGED_LAWS, err);
}

bool ergi_command_due(const erg_world *world, uint64_t step)
{
    return world->clock.commands_done < world->commands &&
           world->command[world->clock.commands_done].step <= step;
}

// Removing rebuilds the neighbour lists, so grains that commands of one boundary remove leave
// together: before the next command of another kind than adding, which does not see their rows.
typedef struct removals {
    erg_gid *id;
    size_t   count, room;
    bool     added; // grains were added after the last of these commands
} removals;

// Grains that do not exist are no error: a sink may have removed them.
static erg_status collect(const erg_world *world, removals *r, erg_gid id, erg_error *err)
{
    if (id >= world->clock.next_id) return ERG_OK; // not yet added
    erg_status status =
        ergi_memory_grow(&r->id, &r->room, r->count + 1, sizeof *r->id, "removal", err);
    if (status == ERG_OK) r->id[r->count++] = id;
    r->added = false;
    return status;
}

static erg_status remove_collected(erg_world *world, removals *r, erg_error *err)
{
    size_t     found = 0;
    erg_status status = r->count ? mark_leaving(world, r->id, r->count, &found, err) : ERG_OK;
    if (status == ERG_OK && found > 0) {
        bool added = r->added && world->clock.dirty;
        world->clock.removed += found;
        status = world->solver->remove(world, err);
        if (added) world->clock.dirty = true;
    }
    r->count = 0;
    return status;
}

static erg_status apply_next(erg_world *world, removals *r, erg_command *c, erg_error *err)
{
    if (c->kind == ERG_COMMAND_REMOVE_GRAIN) return collect(world, r, c->grain, err);
    r->added = c->kind == ERG_COMMAND_ADD_GRAIN || c->kind == ERG_COMMAND_ADD_BALL;
    erg_status status = r->added ? ERG_OK : remove_collected(world, r, err);
    return status == ERG_OK ? apply(world, c, err) : status;
}

erg_status ergi_command_apply(erg_world *world, erg_error *err)
{
    removals   r = {0};
    erg_status status = ERG_OK;
    while (status == ERG_OK && ergi_command_due(world, world->clock.steps)) {
        erg_command *c = &world->command[world->clock.commands_done];
        status = apply_next(world, &r, c, err);
        if (status != ERG_OK) break;
        c->step = world->clock.steps;
        world->clock.commands_done++;
    }
    if (status == ERG_OK) status = remove_collected(world, &r, err);
    ergi_memory_free(r.id);
    return status;
}
