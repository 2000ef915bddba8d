#include "run/probe.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/region.h"
#include "geom/vec3.h"
#include "run/coarse.h"
#include "run/probe_measure.h"

#include <stdio.h>
#include <string.h>

static const char *const COLUMNS[][ERGI_PROBE_MAX_COLUMNS] = {
    [ERG_PROBE_FLOW] = {"mass", "grains", "rate"},
    [ERG_PROBE_FORCE] = {"fx", "fy", "fz", "tx", "ty", "tz"},
    [ERG_PROBE_REGION] = {"grains", "mass"},
    [ERG_PROBE_CENTRE] = {"x", "y", "z"},
    [ERG_PROBE_REPOSE] = {"angle"},
    [ERG_PROBE_HEIGHT] = {"height"},
    [ERG_PROBE_CONTACTS] = {"count", "coordination", "mean_force", "max_force"},
    [ERG_PROBE_FIELD] = {NULL}, // writes its own files: fields.c
};

// The neighbour list is rebuilt and sinks are checked when a grain may have moved half a skin.
// Sampling the flow twenty times less often makes its cost negligible.
static const double SKINS_PER_SAMPLE = 10.0;

erg_probe_def erg_probe_def_default(void)
{
    return (erg_probe_def){.normal = {0.0, 0.0, 1.0}, .share = 0.99, .samples = 1};
}

// ---- Checking ----------------------------------------------------------------------------------
static erg_status check_name(const erg_probe_def *defs, size_t i, erg_error *err)
{
    const char *name = defs[i].name;
    if (!name || !*name)
        return ergi_fail_at(err, "name", ERG_ERROR_MISSING, "probe %zu has no name", i);
    if (strlen(name) >= ERGI_PROBE_NAME)
        return ergi_fail_at(err, "name", ERG_ERROR_OUT_OF_RANGE,
                            "the name of probe %zu is longer than %d bytes", i,
                            ERGI_PROBE_NAME - 1);
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == ',' || *c == '"')
            return ergi_fail_at(
                err, "name", ERG_ERROR_OUT_OF_RANGE,
                "the name of probe %zu contains a comma, quote or control character", i);
    for (size_t k = 0; k < i; k++)
        if (strcmp(defs[k].name, name) == 0)
            return ergi_fail_at(err, "name", ERG_ERROR_NAME_TAKEN, "two probes are named '%s'",
                                name);
    return ERG_OK;
}

static erg_status check(const erg_probe_def *def, const erg_world *world, erg_error *err)
{
    if ((unsigned)def->kind > ERG_PROBE_FIELD)
        return ergi_fail_at(err, "kind", ERG_ERROR_UNKNOWN, "probe '%s' is of unknown kind %d",
                            def->name, (int)def->kind);
    bool directed = def->kind == ERG_PROBE_FLOW || def->kind == ERG_PROBE_REPOSE;
    if (directed &&
        (!ergi_finite(def->point) || !ergi_finite(def->normal) || ergi_norm(def->normal) == 0.0))
        return ergi_fail_at(
            err, ergi_finite(def->point) ? "normal" : "point",
            ergi_finite(def->point) && ergi_finite(def->normal) ? ERG_ERROR_OUT_OF_RANGE
                                                                : ERG_ERROR_NOT_FINITE,
            "probe '%s' needs a finite point and a normal that is not zero", def->name);
    if (def->kind == ERG_PROBE_FLOW && !(def->radius >= 0.0 && isfinite(def->radius)))
        return ergi_fail_at(err, "radius", ergi_code_of(def->radius),
                            "probe '%s': radius must be 0 m or above, got %g", def->name,
                            def->radius);
    if (def->kind == ERG_PROBE_FLOW && !(def->every >= 0.0 && isfinite(def->every)))
        return ergi_fail_at(err, "every", ergi_code_of(def->every),
                            "probe '%s': every must be 0 s or above, got %g", def->name,
                            def->every);
    if (def->kind == ERG_PROBE_HEIGHT && !(def->share > 0.0 && def->share <= 1.0))
        return ergi_fail_at(err, "share", ergi_code_of(def->share),
                            "probe '%s': share must be above 0 and at most 1, got %g", def->name,
                            def->share);
    if (def->kind == ERG_PROBE_REGION && !def->has_region)
        return ergi_fail_at(err, "has_region", ERG_ERROR_MISSING,
                            "probe '%s' needs a region to count in", def->name);
    if (def->kind == ERG_PROBE_FORCE) {
        erg_wall_state state;
        if (erg_world_wall_state(world, def->wall, &state, NULL) != ERG_OK)
            return ergi_fail_at(err, "wall", ERG_ERROR_UNKNOWN,
                                "probe '%s' refers to wall %u, which does not exist", def->name,
                                (unsigned)def->wall);
    }
    if (def->kind == ERG_PROBE_FIELD) return ergi_coarse_check(def, err);
    return def->has_region ? ergi_fail_within(err, ergi_region_check(&def->region, err), "region")
                           : ERG_OK;
}

// ---- Making ------------------------------------------------------------------------------------
static erg_status add(erg_probes *probes, const erg_probe_def *def, double time, erg_error *err)
{
    ergi_probe *p = &probes->probe[probes->count];
    p->def = *def;
    p->def.has_region = false;
    memcpy(p->name, def->name, strlen(def->name) + 1);
    p->def.name = p->name;
    p->first_column = probes->columns;
    probes->count++;
    if (def->has_region) {
        if (ergi_region_copy(&def->region, &p->def.region, err) != ERG_OK) return ERG_NO_MEMORY;
        p->def.has_region = true;
    }
    if (def->kind == ERG_PROBE_FLOW) {
        probes->any_flow = true;
        p->flow = (ergi_flow){.point = def->point,
                              .normal = ergi_normalize(def->normal),
                              .radius = def->radius,
                              .row_time = time,
                              .rate = (double)NAN};
    }
    for (int c = 0; c < ERGI_PROBE_MAX_COLUMNS && COLUMNS[def->kind][c]; c++) {
        char *name = probes->column[probes->columns++].name;
        snprintf(name, sizeof(ergi_probe_column), "%s.%s", p->name, COLUMNS[def->kind][c]);
    }
    return ERG_OK;
}

erg_status erg_probes_create(const erg_probe_def *defs, size_t count, const erg_world *world,
                             erg_probes **out, erg_error *err)
{
    if (!world || !out || (count && !defs))
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "probes need definitions, a world and a pointer for the result");
    for (size_t i = 0; i < count; i++) {
        erg_status status = check_name(defs, i, err);
        if (status == ERG_OK) status = check(&defs[i], world, err);
        if (status != ERG_OK) return ergi_fail_within(err, status, "[%zu]", i);
    }

    erg_probes *probes = ergi_memory_new(1, sizeof *probes, "probes", err);
    if (!probes) return ERG_NO_MEMORY;
    probes->period = (double)INFINITY;
    probes->probe = ergi_memory_new(count, sizeof *probes->probe, "probes", err);
    probes->column =
        ergi_memory_new(count * ERGI_PROBE_MAX_COLUMNS, sizeof *probes->column, "probes", err);
    probes->saved_sums = ergi_memory_new(3 * count, sizeof(double), "probes", err);
    probes->saved_grains = ergi_memory_new(count, sizeof(int64_t), "probes", err);
    erg_status status = ERG_NO_MEMORY;
    if (probes->probe && probes->column && probes->saved_sums && probes->saved_grains)
        status = ERG_OK;
    for (size_t i = 0; i < count && status == ERG_OK; i++)
        status = add(probes, &defs[i], erg_world_time(world), err);
    if (status == ERG_OK) status = erg_probes_watch(probes, world, err);
    if (status != ERG_OK) {
        erg_probes_destroy(probes);
        return status;
    }
    *out = probes;
    return ERG_OK;
}

static void free_positions(ergi_past_positions *m)
{
    ergi_memory_free(m->id);
    ergi_memory_free(m->mass);
    ergi_memory_free(m->position);
}

void erg_probes_destroy(erg_probes *probes)
{
    if (!probes) return;
    for (size_t i = 0; i < probes->count; i++)
        if (probes->probe[i].def.has_region) ergi_region_free(&probes->probe[i].def.region);
    ergi_memory_free(probes->probe);
    ergi_memory_free(probes->column);
    ergi_memory_free(probes->saved_sums);
    ergi_memory_free(probes->saved_grains);
    free_positions(&probes->previous);
    free_positions(&probes->current);
    ergi_memory_free(probes);
}

size_t erg_probes_columns(const erg_probes *probes)
{
    if (!probes) return 0;
    return probes->columns;
}

const char *erg_probes_column_name(const erg_probes *probes, size_t column)
{
    if (!probes) return NULL;
    return column < probes->columns ? probes->column[column].name : NULL;
}

double erg_probes_period(const erg_probes *probes)
{
    if (!probes) return (double)INFINITY;
    return probes->period;
}

double ergi_probes_next_sample(const erg_probes *probes)
{
    return probes->any_flow ? probes->sample_time + probes->period : (double)INFINITY;
}

// ---- Sampling ----------------------------------------------------------------------------------
static erg_status make_room(ergi_past_positions *m, size_t n, erg_error *err)
{
    static const char what[] = "a flow probe";
    erg_status        status = ergi_memory_grow(&m->id, &m->room_id, n, sizeof *m->id, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&m->mass, &m->room_mass, n, sizeof *m->mass, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&m->position, &m->room_position, 3 * n, sizeof *m->position, what,
                                  err);
    return status;
}

static erg_status read_positions(ergi_past_positions *m, const erg_world *world, erg_error *err)
{
    size_t     n = erg_world_grain_count(world);
    erg_status status = make_room(m, n, err);
    if (status == ERG_OK) status = erg_world_read(world, ERG_FIELD_ID, NULL, n, m->id, err);
    if (status == ERG_OK) status = erg_world_read(world, ERG_FIELD_MASS, NULL, n, m->mass, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_POSITION, NULL, n, m->position, err);
    m->count = status == ERG_OK ? n : 0;
    return status;
}

static erg_vec3 position_of(const ergi_past_positions *m, size_t i)
{
    return ergi_vec3(m->position[3 * i], m->position[3 * i + 1], m->position[3 * i + 2]);
}

static void count_one(erg_probes *probes, double mass, erg_vec3 from, erg_vec3 to)
{
    for (size_t i = 0; i < probes->count; i++) {
        if (probes->probe[i].def.kind != ERG_PROBE_FLOW) continue;
        ergi_flow *flow = &probes->probe[i].flow;
        int        direction = ergi_flow_crossing(flow, from, to);
        flow->mass += direction * mass;
        flow->grains += direction;
    }
}

// Both lists are sorted by id: merge them.
static void count_crossings(erg_probes *probes, double leap)
{
    const ergi_past_positions *was = &probes->previous, *is = &probes->current;
    for (size_t i = 0, k = 0; i < was->count && k < is->count;) {
        if (was->id[i] < is->id[k]) {
            i++;
        } else if (was->id[i] > is->id[k]) {
            k++;
        } else {
            erg_vec3 from = position_of(was, i), to = position_of(is, k);
            if (ergi_distance(from, to) <= leap) count_one(probes, is->mass[k], from, to);
            i++;
            k++;
        }
    }
}

// Depends only on the current state of the world, so that a resumed run samples at the same times.
static double choose_period(const erg_probes *probes, const erg_world *world, double speed)
{
    double period = (double)INFINITY;
    for (size_t i = 0; i < probes->count; i++) {
        const erg_probe_def *def = &probes->probe[i].def;
        if (def->kind != ERG_PROBE_FLOW) continue;
        double reach = SKINS_PER_SAMPLE * erg_world_skin(world);
        if (def->radius > 0.0 && (0.5 * def->radius < reach || !(reach > 0.0)))
            reach = 0.5 * def->radius;
        double own = def->every > 0.0 ? def->every : ergi_flow_period(speed, reach);
        if (own < period) period = own;
    }
    return period;
}

erg_status erg_probes_watch(erg_probes *probes, const erg_world *world, erg_error *err)
{
    if (!probes || !world) return ergi_fail_null(err, __func__);
    if (!probes->any_flow) return ERG_OK;
    erg_stats  stats;
    erg_status status = erg_world_stats(world, &stats, err);
    if (status == ERG_OK) status = read_positions(&probes->current, world, err);
    if (status != ERG_OK) return status;

    double time = erg_world_time(world);
    double speed = fmax(stats.max_speed, probes->sample_speed);
    count_crossings(probes, ergi_flow_jump_distance(speed, time - probes->sample_time));
    ergi_past_positions swap = probes->previous;
    probes->previous = probes->current;
    probes->current = swap;
    probes->sample_time = time;
    probes->sample_speed = stats.max_speed;
    probes->period = choose_period(probes, world, stats.max_speed);
    return ERG_OK;
}

// Mean since the last reading. A second reading at the same time returns the same value.
static double read_rate(ergi_flow *flow, double time)
{
    if (time > flow->row_time) flow->rate = (flow->mass - flow->row_mass) / (time - flow->row_time);
    flow->row_mass = flow->mass;
    flow->row_time = time;
    return flow->rate;
}

erg_status erg_probes_read(erg_probes *probes, const erg_world *world, double *values,
                           erg_error *err)
{
    if (!probes || !world || !values) return ergi_fail_null(err, __func__);
    ergi_probe_cache cache = {.world = world};
    erg_status       status = erg_probes_watch(probes, world, err);
    double           time = erg_world_time(world);
    for (size_t i = 0; i < probes->count && status == ERG_OK; i++) {
        ergi_probe *p = &probes->probe[i];
        double     *to = &values[p->first_column];
        if (p->def.kind != ERG_PROBE_FLOW) {
            status = ergi_measure(&p->def, &cache, to, err);
            continue;
        }
        to[0] = p->flow.mass;
        to[1] = (double)p->flow.grains;
        to[2] = read_rate(&p->flow, time);
    }
    ergi_probe_cache_free(&cache);
    return status;
}

// ---- Checkpoints -------------------------------------------------------------------------------
size_t ergi_probes_items(erg_probes *probes, ergi_container_item *items)
{
    if (!probes->any_flow) return 0;
    for (size_t i = 0; i < probes->count; i++) {
        const ergi_flow *flow = &probes->probe[i].flow;
        probes->saved_sums[3 * i] = flow->mass;
        probes->saved_sums[3 * i + 1] = flow->row_mass;
        probes->saved_sums[3 * i + 2] = flow->row_time;
        probes->saved_grains[i] = flow->grains;
    }
    probes->saved_sample[0] = probes->sample_time;
    probes->saved_sample[1] = probes->sample_speed;
    probes->saved_sample[2] = probes->period;
    const ergi_past_positions *previous = &probes->previous;
    size_t                     n = 0;
    items[n++] =
        (ergi_container_item){"probes/look", ERGI_CONTAINER_F64, 3, 1, probes->saved_sample};
    items[n++] = (ergi_container_item){"probes/sums", ERGI_CONTAINER_F64, 3, probes->count,
                                       probes->saved_sums};
    items[n++] = (ergi_container_item){"probes/grains", ERGI_CONTAINER_I64, 1, probes->count,
                                       probes->saved_grains};
    items[n++] = (ergi_container_item){"probes/seen_id", ERGI_CONTAINER_U64, 1, previous->count,
                                       previous->id};
    items[n++] = (ergi_container_item){"probes/seen_position", ERGI_CONTAINER_F64, 3,
                                       previous->count, previous->position};
    return n;
}

// Whether sampling the flow can have produced these values.
static bool flow_fits(const double sample[3], const double *sums, const int64_t *grains,
                      size_t count, double time)
{
    const int64_t most = (int64_t)1 << 53;
    bool fits = sample[0] >= 0.0 && sample[0] <= time && sample[1] >= 0.0 && isfinite(sample[1]) &&
                sample[2] > 0.0;
    for (size_t i = 0; i < count && fits; i++)
        fits = isfinite(sums[3 * i]) && isfinite(sums[3 * i + 1]) && sums[3 * i + 2] >= 0.0 &&
               sums[3 * i + 2] <= time && grains[i] > -most && grains[i] < most;
    return fits;
}

static bool positions_fit(const erg_gid *id, const double *position, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double *x = &position[3 * i];
        if (id[i] < 1 || (i > 0 && id[i - 1] >= id[i]) || !isfinite(x[0]) || !isfinite(x[1]) ||
            !isfinite(x[2]))
            return false;
    }
    return true;
}

erg_status ergi_probes_restore(erg_probes *probes, double time, const ergi_container *container,
                               erg_error *err)
{
    if (!probes->any_flow) return ERG_OK;
    size_t        rows[5];
    const double *sample =
        ergi_container_get(container, "probes/look", ERGI_CONTAINER_F64, 3, &rows[0], err);
    const double *sums =
        sample ? ergi_container_get(container, "probes/sums", ERGI_CONTAINER_F64, 3, &rows[1], err)
               : NULL;
    const int64_t *grains =
        sums ? ergi_container_get(container, "probes/grains", ERGI_CONTAINER_I64, 1, &rows[2], err)
             : NULL;
    const erg_gid *id = grains ? ergi_container_get(container, "probes/seen_id", ERGI_CONTAINER_U64,
                                                    1, &rows[3], err)
                               : NULL;
    const double  *position = id ? ergi_container_get(container, "probes/seen_position",
                                                      ERGI_CONTAINER_F64, 3, &rows[4], err)
                                 : NULL;
    if (!position) return ERG_BAD_INPUT;
    if (rows[0] != 1 || rows[1] != probes->count || rows[2] != probes->count || rows[3] != rows[4])
        return ergi_fail_code(err, ERG_ERROR_OTHER_WORLD,
                              "the checkpoint was written with other probes");
    if (!flow_fits(sample, sums, grains, probes->count, time) ||
        !positions_fit(id, position, rows[3]))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "the checkpoint is inconsistent: the counts of a flow probe are "
                              "impossible; it was not written by this erg");

    ergi_past_positions *previous = &probes->previous;
    size_t               n = rows[3];
    erg_status           status = make_room(previous, n, err);
    if (status != ERG_OK) return status;
    memcpy(previous->id, id, n * sizeof *id);
    memcpy(previous->position, position, 3 * n * sizeof *position);
    previous->count = n;
    probes->sample_time = sample[0];
    probes->sample_speed = sample[1];
    probes->period = sample[2];
    for (size_t i = 0; i < probes->count; i++) {
        ergi_flow *flow = &probes->probe[i].flow;
        flow->mass = sums[3 * i];
        flow->row_mass = sums[3 * i + 1];
        flow->row_time = sums[3 * i + 2];
        flow->grains = grains[i];
    }
    return ERG_OK;
}
