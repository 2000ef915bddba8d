// Adds, removes, reads and writes grains in bulk.
#include <math.h>
#include <string.h>

#include "api/sphere_forces.h"
#include "base/error.h"
#include "base/memory.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "solver/command.h"
#include "solver/solver.h"
#include "upsample/upsample.h"
#include "world/grains.h"
#include "world/rollback.h"
#include "world/sources.h"

// ---- Adding and removing -----------------------------------------------------------------------
static erg_status check_kind(const erg_world *world, erg_id kind, const char *field, erg_error *err)
{
    if (kind >= 1 && kind <= world->kinds) return ERG_OK;
    return ergi_fail_at(err, field, ERG_ERROR_UNKNOWN,
                        "grains of kind %u were asked for, but the world has %zu kinds", kind,
                        world->kinds);
}

static double bytes_per_grain(const erg_world *world, erg_id kind)
{
    return ergi_solver_grain_bytes(world, world->kind[kind - 1].shape.count);
}

static double bytes_of_grains(const erg_world *world)
{
    double grains = (double)world->grains.rows;
    if (!(grains > 0)) return 0;
    return grains * ergi_solver_grain_bytes(world, (double)erg_world_sphere_count(world) / grains);
}

erg_status erg_world_fill(erg_world *world, const erg_fill_def *def, uint64_t *placed,
                          erg_error *err)
{
    if (!world || !def) return ergi_fail_null(err, __func__);
    erg_status status = check_kind(world, def->grain, "grain", err);
    if (status == ERG_OK)
        status = ergi_fail_within(err, ergi_region_check(&def->region, err), "region");
    if (status == ERG_OK && (!(def->jitter >= 0 && def->jitter <= 1)))
        status = ergi_fail_at(err, "jitter", ergi_code_of(def->jitter),
                              "jitter must be 0 to 1, got %g", def->jitter);
    if (status == ERG_OK && !(def->gap >= 0 && def->gap < 1e6))
        status = ergi_fail_at(err, "gap", ergi_code_of(def->gap), "gap must be at least 0, got %g",
                              def->gap);
    if (status == ERG_OK && (!ergi_finite(def->velocity) || !ergi_finite(def->spin)))
        status = ergi_fail_at(err, ergi_finite(def->velocity) ? "spin" : "velocity",
                              ERG_ERROR_NOT_FINITE, "velocity and spin must be finite");
    if (status == ERG_OK)
        status = ergi_sources_fill(world, def, bytes_per_grain(world, def->grain),
                                   bytes_of_grains(world), placed, err);
    if (status == ERG_OK) {
        ergi_rollback_drop(world);
        if (world->clock.steps == 0) world->prepared = false;
    }
    return status;
}

static erg_status check_grain(const ergi_kind *kind, const erg_grains *g, size_t i, erg_error *err)
{
    const char *infinite = !ergi_finite(g->position[i])                  ? "position"
                           : g->velocity && !ergi_finite(g->velocity[i]) ? "velocity"
                           : g->spin && !ergi_finite(g->spin[i])         ? "spin"
                                                                         : NULL;
    erg_status  status;
    if (infinite) {
        status = ergi_fail_code(err, ERG_ERROR_NOT_FINITE,
                                "grain %zu of %zu has a number that is not finite", i, g->count);
        return ergi_fail_within(err, status, "%s[%zu]", infinite, i);
    }
    if (g->size && !ergi_kind_takes_size(kind, g->size[i])) {
        status = ergi_fail_code(err, ergi_code_of(g->size[i]),
                                "grain %zu of %zu has size %g, which its kind does not have", i,
                                g->count, g->size[i]);
        return ergi_fail_within(err, status, "size[%zu]", i);
    }
    if (!g->orientation) return ERG_OK;
    erg_quat q = g->orientation[i];
    double   n2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (n2 > 0.25 && n2 < 4) return ERG_OK;
    status = ergi_fail_code(err, ergi_code_of(n2),
                            "grain %zu of %zu has an orientation of length %g, expected 1", i,
                            g->count, sqrt(n2));
    return ergi_fail_within(err, status, "orientation[%zu]", i);
}

static erg_status check_grains(const erg_world *world, const erg_grains *g, erg_error *err)
{
    erg_status status = check_kind(world, g->kind, "kind", err);
    for (size_t i = 0; i < g->count && status == ERG_OK; i++)
        status = check_grain(&world->kind[g->kind - 1], g, i, err);
    return status;
}

erg_status erg_world_add_grains(erg_world *world, const erg_grains *grains, erg_gid *ids,
                                erg_error *err)
{
    if (!world || !grains || (!grains->position && grains->count > 0))
        return ergi_fail_null(err, __func__);
    erg_status status = check_grains(world, grains, err);
    if (status != ERG_OK || grains->count == 0) return status;
    const ergi_kind *kind = &world->kind[grains->kind - 1];
    double          *size = ergi_memory_new(grains->count, sizeof *size, "grains", err);
    erg_quat        *turn =
        grains->orientation ? ergi_memory_new(grains->count, sizeof *turn, "grains", err) : NULL;
    if (!size || (grains->orientation && !turn)) status = ERG_NO_MEMORY;
    erg_grains own = *grains;
    for (size_t i = 0; i < grains->count && status == ERG_OK; i++) {
        ergi_random random = {.seed = world->def.seed, .stream = 1, .id = world->clock.next_id + i};
        size[i] = grains->size ? grains->size[i] : ergi_sizes_draw(&kind->sizes, &random);
        if (turn) turn[i] = ergi_quat_mul(grains->orientation[i], kind->shape.principal_to_input);
    }
    own.orientation = turn;
    if (status == ERG_OK) status = ergi_grains_add(world, &own, size, ids, err);
    if (status == ERG_OK) {
        ergi_rollback_drop(world);
        if (world->clock.steps == 0) world->prepared = false;
    }
    ergi_memory_free(size);
    ergi_memory_free(turn);
    return status;
}

erg_status erg_world_remove_grains(erg_world *world, const erg_gid *ids, size_t count,
                                   erg_error *err)
{
    if (!world || (!ids && count > 0)) return ergi_fail_null(err, __func__);
    erg_status status = world->clock.steps > 0 ? erg_world_prepare(world, err) : ERG_OK;
    if (status == ERG_OK) status = ergi_grains_remove(world, ids, count, err);
    if (status == ERG_OK) {
        world->clock.removed += count;
        ergi_rollback_drop(world);
    }
    return status;
}

// ---- Fields ------------------------------------------------------------------------------------
size_t erg_world_grain_count(const erg_world *world)
{
    if (!world) return 0;
    return world->grains.rows;
}

size_t erg_world_sphere_count(const erg_world *world)
{
    if (!world) return 0;
    size_t          total = 0;
    const uint32_t *kind = ERGI_GRAIN(world, KIND, uint32_t);
    for (size_t i = 0; i < world->grains.rows; i++)
        total += (size_t)world->kind[kind[i]].shape.count;
    return total;
}

// Grains sorted by id, in the first half of an array that the caller frees with ergi_memory_free.
static uint32_t *by_id(const erg_world *world, erg_error *err)
{
    uint32_t *order = ergi_memory_new(2 * world->grains.rows, sizeof *order, "reading", err);
    if (order) ergi_grains_by_id(world, order);
    return order;
}

// Indices of the grains with these ids. `order` holds all grains by id.
static erg_status select_grains(const erg_world *world, const erg_gid *ids, size_t count,
                                uint32_t *order, uint32_t **selected, erg_error *err)
{
    size_t n = world->grains.rows;
    if (!ids) {
        if (count < n)
            return ergi_fail_code(err, ERG_ERROR_NO_FIT, "room for %zu grains, but there are %zu",
                                  count, n);
        *selected = order;
        return ERG_OK;
    }
    const uint64_t *id = ERGI_GRAIN(world, ID, uint64_t);
    uint32_t       *out = ergi_memory_new(count, sizeof *out, "reading", err);
    if (!out) return ERG_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        size_t low = 0, high = n;
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (id[order[mid]] < ids[k])
                low = mid + 1;
            else
                high = mid;
        }
        if (low == n || id[order[low]] != ids[k]) {
            ergi_memory_free(out);
            return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no grain %llu",
                                  (unsigned long long)ids[k]);
        }
        out[k] = order[low];
    }
    *selected = out;
    return ERG_OK;
}

static erg_quat grain_orientation(const erg_world *world, size_t i)
{
    const double *q = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i;
    erg_quat      p = world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape.principal_to_input;
    return ergi_quat_mul((erg_quat){q[0], q[1], q[2], q[3]}, ergi_quat_conjugate(p));
}

static void read_motion(const erg_world *world, size_t i, int at, double *out)
{
    ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i, at, out);
}

static void read_force_torque(const erg_world *world, size_t i, int at, double *out)
{
    ergi_get3(world->grains.data[ERGI_GRAIN_FORCE_TORQUE], ergi_world_real(world), i, at, out);
}

static void read_one(const erg_world *world, erg_field field, size_t i, void *buffer, size_t k)
{
    double *d = buffer;
    switch (field) {
    case ERG_FIELD_ID: ((uint64_t *)buffer)[k] = ERGI_GRAIN(world, ID, uint64_t)[i]; break;
    case ERG_FIELD_KIND: ((uint32_t *)buffer)[k] = ERGI_GRAIN(world, KIND, uint32_t)[i] + 1; break;
    case ERG_FIELD_SIZE: d[k] = ERGI_GRAIN(world, SIZE, double)[i]; break;
    case ERG_FIELD_MASS: d[k] = ergi_grain_mass(world, (erg_index)i); break;
    case ERG_FIELD_POSITION:
        memcpy(d + 3 * k, ERGI_GRAIN(world, POSITION, double) + 4 * i, 3 * sizeof *d);
        break;
    case ERG_FIELD_ORIENTATION: {
        erg_quat q = grain_orientation(world, i);
        memcpy(d + 4 * k, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof *d);
        break;
    }
    case ERG_FIELD_VELOCITY: read_motion(world, i, ERGI_VELOCITY, d + 3 * k); break;
    case ERG_FIELD_SPIN: read_motion(world, i, ERGI_SPIN, d + 3 * k); break;
    case ERG_FIELD_FORCE: read_force_torque(world, i, ERGI_FORCE, d + 3 * k); break;
    case ERG_FIELD_TORQUE: read_force_torque(world, i, ERGI_TORQUE, d + 3 * k); break;
    }
}

erg_status erg_world_read(const erg_world *world, erg_field field, const erg_gid *ids, size_t count,
                          void *buffer, erg_error *err)
{
    if (!world || (!buffer && count > 0)) return ergi_fail_null(err, __func__);
    if ((int)field < ERG_FIELD_ID || field > ERG_FIELD_TORQUE)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no field %d", (int)field);
    uint32_t *order = by_id(world, err), *selected = NULL;
    if (!order) return ERG_NO_MEMORY;
    erg_status status = select_grains(world, ids, count, order, &selected, err);
    if (status == ERG_OK) {
        size_t n = ids ? count : world->grains.rows;
        for (size_t k = 0; k < n; k++) read_one(world, field, selected[k], buffer, k);
        if (selected != order) ergi_memory_free(selected);
    }
    ergi_memory_free(order);
    return status;
}

static void write_one(erg_world *world, erg_field field, size_t i, const double *d, size_t k)
{
    if (field == ERG_FIELD_POSITION) {
        ergi_upsample_place(world, i, ergi_vec3(d[3 * k], d[3 * k + 1], d[3 * k + 2]));
        memcpy(ERGI_GRAIN(world, POSITION, double) + 4 * i, d + 3 * k, 3 * sizeof *d);
    } else if (field == ERG_FIELD_ORIENTATION) {
        erg_quat p = world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape.principal_to_input;
        erg_quat q = ergi_quat_mul(
            ergi_quat_normalize((erg_quat){d[4 * k], d[4 * k + 1], d[4 * k + 2], d[4 * k + 3]}), p);
        memcpy(ERGI_GRAIN(world, ORIENTATION, double) + 4 * i, (double[]){q.x, q.y, q.z, q.w},
               4 * sizeof *d);
    } else {
        ergi_put3(world->grains.data[ERGI_GRAIN_MOTION], ergi_world_real(world), i,
                  field == ERG_FIELD_VELOCITY ? ERGI_VELOCITY : ERGI_SPIN, d + 3 * k);
    }
}

static erg_status check_numbers(erg_field field, const double *d, size_t count, erg_error *err)
{
    size_t width = field == ERG_FIELD_ORIENTATION ? 4 : 3;
    for (size_t k = 0; k < width * count; k++)
        if (!isfinite(d[k]))
            return ergi_fail_code(err, ERG_ERROR_NOT_FINITE,
                                  "grain %zu of %zu: the new value is not finite", k / width,
                                  count);
    for (size_t k = 0; width == 4 && k < count; k++) {
        const double *q = d + 4 * k;
        double        n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(n > 0.25 && n < 4))
            return ergi_fail_code(err, ERG_ERROR_OUT_OF_RANGE,
                                  "grain %zu of %zu: the new orientation has length %g, expected 1",
                                  k, count, sqrt(n));
    }
    return ERG_OK;
}

erg_status erg_world_write(erg_world *world, erg_field field, const erg_gid *ids, size_t count,
                           const void *buffer, erg_error *err)
{
    if (!world || (!buffer && count > 0)) return ergi_fail_null(err, __func__);
    if (field != ERG_FIELD_POSITION && field != ERG_FIELD_ORIENTATION &&
        field != ERG_FIELD_VELOCITY && field != ERG_FIELD_SPIN)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                              "only position, orientation, velocity and spin can be written");
    size_t     n = ids ? count : world->grains.rows;
    erg_status status =
        count < n ? ergi_fail_code(err, ERG_ERROR_NO_FIT, "%zu values for %zu grains", count, n)
                  : check_numbers(field, buffer, n, err);
    if (status != ERG_OK) return status;
    uint32_t *order = by_id(world, err), *selected = NULL;
    if (!order) return ERG_NO_MEMORY;
    status = select_grains(world, ids, count, order, &selected, err);
    if (status == ERG_OK) {
        for (size_t k = 0; k < n; k++) write_one(world, field, selected[k], buffer, k);
        if (selected != order) ergi_memory_free(selected);
        if (field == ERG_FIELD_POSITION || field == ERG_FIELD_ORIENTATION)
            world->clock.dirty = true;
        if (world->clock.steps == 0) world->prepared = false;
        ergi_rollback_drop(world);
    }
    ergi_memory_free(order);
    return status;
}

// ---- Spheres -----------------------------------------------------------------------------------
erg_status erg_world_read_spheres(const erg_world *world, const erg_sphere_view *view,
                                  erg_error *err)
{
    if (!world || !view) return ergi_fail_null(err, __func__);
    if (view->count < erg_world_sphere_count(world))
        return ergi_fail_at(err, "count", ERG_ERROR_NO_FIT,
                            "room for %zu spheres, but there are %zu", view->count,
                            erg_world_sphere_count(world));
    uint32_t *order = by_id(world, err);
    if (!order) return ERG_NO_MEMORY;
    size_t    s = 0;
    uint32_t *first = order + world->grains.rows; // the second half, which by_id leaves unused
    for (size_t k = 0; k < world->grains.rows; k++) {
        size_t i = order[k];
        first[i] = (uint32_t)s;
        const ergi_kind *kind = &world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]];
        const double    *x = ERGI_GRAIN(world, POSITION, double) + 4 * i,
                     *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i;
        double   size = ERGI_GRAIN(world, SIZE, double)[i], v[3], w[3];
        erg_quat q = {o[0], o[1], o[2], o[3]}, turn = grain_orientation(world, i);
        read_motion(world, i, ERGI_VELOCITY, v);
        read_motion(world, i, ERGI_SPIN, w);
        for (int p = 0; p < kind->shape.count; p++, s++) {
            const double *offset = kind->shape.offset + 3 * p;
            erg_vec3      arm =
                ergi_quat_rotate(q, ergi_scale(ergi_vec3(offset[0], offset[1], offset[2]), size));
            erg_vec3 u =
                ergi_add(ergi_vec3(v[0], v[1], v[2]), ergi_cross(ergi_vec3(w[0], w[1], w[2]), arm));
            if (view->position)
                memcpy(view->position + 3 * s, (double[]){x[0] + arm.x, x[1] + arm.y, x[2] + arm.z},
                       3 * sizeof(double));
            if (view->velocity)
                memcpy(view->velocity + 3 * s, (double[]){u.x, u.y, u.z}, 3 * sizeof(double));
            if (view->radius) view->radius[s] = size * kind->shape.radius[p];
            if (view->grain) view->grain[s] = ERGI_GRAIN(world, ID, uint64_t)[i];
            if (view->slot) view->slot[s] = (uint32_t)p;
            if (view->material) view->material[s] = kind->material + 1;
            if (view->kind) view->kind[s] = ERGI_GRAIN(world, KIND, uint32_t)[i] + 1;
            if (view->spin) memcpy(view->spin + 3 * s, w, sizeof w);
            if (view->orientation)
                memcpy(view->orientation + 4 * s, (double[]){turn.x, turn.y, turn.z, turn.w},
                       4 * sizeof(double));
        }
    }
    ergi_sphere_forces(world, first, s, view);
    ergi_memory_free(order);
    return ERG_OK;
}
