// Checks that data read from a checkpoint is a valid state of the solver.
#include <math.h>

#include "geom/vec3.h"
#include "pbd/pbd.h"

#define ROUNDING 1e-6

// A clump may turn by many radii in a substep; beyond this many, a reference position is not of it.
static const double MOST_RADII = 1000;

static size_t spheres_of(const erg_world *world, const ergi_table *bodies, size_t count)
{
    const uint32_t *kind = bodies->data[ERGI_GRAIN_KIND];
    size_t          spheres = 0;
    for (size_t i = 0; i < count; i++) spheres += (size_t)world->kind[kind[i]].shape.count;
    return spheres;
}

static erg_status check_plain(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_pbd_state *s = ergi_loaded_plain(loaded, "pbd/state");
    const ergi_clock     *clock = ergi_loaded_plain(loaded, "world/clock");
    const ergi_table     *bodies = ergi_loaded_table(loaded, "grains");
    bool                  ran = clock->steps > 0;
    if (s->substeps > 1024 || !(s->calm >= 0 && s->calm <= 1))
        return ergi_load_misfit(err, "%llu substeps, calm for %g s",
                                (unsigned long long)s->substeps, s->calm);
    if (s->iterations > 64 || !(s->loose >= 0 && s->loose <= 1))
        return ergi_load_misfit(err, "%llu iterations, loose for %g s",
                                (unsigned long long)s->iterations, s->loose);
    if (!(s->dt >= 0 && s->dt <= (world->def.dt > 0 ? world->def.dt : 1.0 / 60) * (1 + ROUNDING)) ||
        (s->dt > 0) != ran || (ran && s->dt != clock->dt))
        return ergi_load_misfit(err, "the last substep took %g s", s->dt);
    if (!(s->skin >= 0 && isfinite(s->skin)))
        return ergi_load_misfit(err, "the skin is %g m", s->skin);
    if (s->listed_grains > bodies->rows || (!clock->dirty && s->listed_grains != bodies->rows))
        return ergi_load_misfit(err, "%llu of %zu grains are in lists",
                                (unsigned long long)s->listed_grains, bodies->rows);
    return ERG_OK;
}

static bool all_finite(const float *v, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(v[k])) return false;
    return true;
}

static erg_status check_pairs(const ergi_loaded *loaded, size_t spheres, erg_error *err)
{
    const ergi_table *start = ergi_loaded_table(loaded, "pbd pairs"),
                     *pair = ergi_loaded_table(loaded, "pbd pair");
    const uint32_t *first = start->data[ERGI_PAIRS_START], *other = pair->data[ERGI_PAIRS_OTHER];
    const float    *history = pair->data[ERGI_PAIRS_HISTORY];
    if (start->rows == 0 && pair->rows == 0) return ERG_OK;
    if (start->rows != spheres + 1 || first[0] != 0 || first[spheres] != pair->rows)
        return ergi_load_misfit(err, "%zu pairs of %zu spheres", pair->rows, spheres);
    for (size_t i = 0; i < spheres; i++) {
        if (first[i + 1] < first[i] || first[i + 1] > pair->rows)
            return ergi_load_misfit(err, "sphere %zu has a neighbour list that cannot be", i);
        for (uint32_t e = first[i]; e < first[i + 1]; e++)
            if (other[e] >= spheres || other[e] == i ||
                !all_finite(history + ERGI_PBD_HISTORY * (size_t)e, ERGI_PBD_HISTORY))
                return ergi_load_misfit(err, "sphere %zu has a neighbour that it cannot have", i);
    }
    return ERG_OK;
}

// What is remembered of a contact with a surface.
static bool contact_fits(const ergi_surface *surface, uint32_t feature, const float *history,
                         const float n[3])
{
    return ergi_surface_has_feature(surface, feature) && all_finite(history, ERGI_PBD_HISTORY) &&
           fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-4f;
}

static erg_status check_walls(const erg_world *world, const ergi_loaded *loaded, size_t spheres,
                              erg_error *err)
{
    const ergi_table *t = ergi_loaded_table(loaded, "pbd walls");
    const uint32_t   *sphere = t->data[ERGI_PBD_WALL_SPHERE], *wall = t->data[ERGI_PBD_WALL_WALL],
                   *feature = t->data[ERGI_PBD_WALL_FEATURE];
    const float *history = t->data[ERGI_PBD_WALL_HISTORY], *normal = t->data[ERGI_PBD_WALL_NORMAL];
    for (size_t r = 0; r < t->rows; r++) {
        if (sphere[r] >= spheres || wall[r] >= world->walls || (r > 0 && sphere[r] < sphere[r - 1]))
            return ergi_load_misfit(err, "wall contact %zu is of sphere %u and wall %u", r,
                                    sphere[r], wall[r]);
        if (!contact_fits(&world->wall[wall[r]].wall.surface, feature[r],
                          history + ERGI_PBD_HISTORY * r, normal + 4 * r))
            return ergi_load_misfit(err, "wall contact %zu holds what it cannot have", r);
    }
    return ERG_OK;
}

// While the lists are valid, each sphere is near its reference position.
static erg_status check_reach(const erg_world *world, const ergi_loaded *loaded,
                              const double *reference, erg_error *err)
{
    const ergi_pbd_state *state = ergi_loaded_plain(loaded, "pbd/state");
    const ergi_table     *bodies = ergi_loaded_table(loaded, "grains");
    const uint32_t       *kind = bodies->data[ERGI_GRAIN_KIND];
    const double *at = bodies->data[ERGI_GRAIN_POSITION], *size = bodies->data[ERGI_GRAIN_SIZE];
    size_t        sphere = 0;
    for (size_t i = 0; i < state->listed_grains; i++) {
        const ergi_shape *shape = &world->kind[kind[i]].shape;
        double            slack = MOST_RADII * size[i] * shape->bounding_radius;
        for (int k = 0; k < shape->count; k++, sphere++) {
            const double *r = reference + 4 * sphere, *x = at + 4 * i;
            double way = ergi_distance(ergi_vec3(r[0], r[1], r[2]), ergi_vec3(x[0], x[1], x[2]));
            if (!(r[3] <= world->def.skin + slack) || !(way <= r[3] + slack))
                return ergi_load_misfit(
                    err, "sphere %zu has a skin of %g m around a point %g m from its grain", sphere,
                    r[3], way);
        }
    }
    return ERG_OK;
}

static erg_status check_reference(const erg_world *world, const ergi_loaded *loaded, size_t spheres,
                                  erg_error *err)
{
    const ergi_table *t = ergi_loaded_table(loaded, "pbd reference");
    const ergi_clock *clock = ergi_loaded_plain(loaded, "world/clock");
    const double     *x = t->data[ERGI_PBD_REFERENCE_POSITION];
    if (t->rows != spheres && !(clock->dirty && t->rows == 0))
        return ergi_load_misfit(err, "%zu places of %zu spheres", t->rows, spheres);
    for (size_t i = 0; i < t->rows; i++)
        if (!isfinite(x[4 * i] + x[4 * i + 1] + x[4 * i + 2]) ||
            !(x[4 * i + 3] >= 0 && isfinite(x[4 * i + 3])))
            return ergi_load_misfit(err, "sphere %zu has a skin of %g m", i, x[4 * i + 3]);
    return clock->dirty ? ERG_OK : check_reach(world, loaded, x, err);
}

static erg_status check_bodies(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *t = ergi_loaded_table(loaded, "pbd bodies");
    const uint32_t *walls = t->data[ERGI_PBD_BODY_WALLS], *place = t->data[ERGI_PBD_BODY_FEATURES];
    const float *history = t->data[ERGI_PBD_BODY_HISTORY], *normal = t->data[ERGI_PBD_BODY_NORMAL];
    for (size_t r = 0; r < t->rows; r++) {
        uint32_t a = walls[2 * r], b = walls[2 * r + 1];
        if (a >= world->walls || b >= world->walls || a == b || !world->wall[a].body.free ||
            ergi_wall_is_terrain(&world->wall[b]))
            return ergi_load_misfit(err, "walls %u and %u touch, which they cannot", a, b);
        ergi_surface felt = world->wall[b].wall.surface;
        // Bodies collide with triangles, except in variant sommer: see hits_of in body_contacts.c.
        if (felt.kind == ERGI_SURFACE_CLOUD && world->def.pbd.variant != ERG_PBD_SOMMER)
            felt.kind = ERGI_SURFACE_MESH;
        if (place[2 * r] >= world->body_shape[world->wall[a].body.shape].balls.count ||
            !contact_fits(&felt, place[2 * r + 1], history + ERGI_PBD_HISTORY * r, normal + 4 * r))
            return ergi_load_misfit(err, "walls %u and %u touch where they cannot", a, b);
    }
    return ERG_OK;
}

erg_status ergi_pbd_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_pbd_state *s = ergi_loaded_plain(loaded, "pbd/state");
    const ergi_table     *bodies = ergi_loaded_table(loaded, "grains");
    erg_status            status = check_plain(world, loaded, err);
    if (status != ERG_OK) return status;
    size_t spheres = spheres_of(world, bodies, (size_t)s->listed_grains);
    status = check_pairs(loaded, spheres, err);
    if (status == ERG_OK) status = check_walls(world, loaded, spheres, err);
    if (status == ERG_OK) status = check_bodies(world, loaded, err);
    if (status == ERG_OK) status = check_reference(world, loaded, spheres, err);
    return status;
}
