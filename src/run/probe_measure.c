#include "run/probe_measure.h"

#include "base/memory.h"
#include "geom/region.h"
#include "geom/vec3.h"
#include "run/median.h"
#include "run/probe_repose.h"

#include <string.h>

static erg_vec3 at(const double *triples, size_t i)
{
    return ergi_vec3(triples[3 * i], triples[3 * i + 1], triples[3 * i + 2]);
}

static bool inside(const erg_probe_def *def, erg_vec3 p)
{
    return !def->has_region || ergi_region_contains(&def->region, p);
}

// ---- Reading the world -------------------------------------------------------------------------
static erg_status read_grains(ergi_probe_cache *s, erg_error *err)
{
    if (s->has_grains) return ERG_OK;
    s->grains = erg_world_grain_count(s->world);
    s->position = ergi_memory_new(3 * s->grains, sizeof *s->position, "probes", err);
    s->mass = ergi_memory_new(s->grains, sizeof *s->mass, "probes", err);
    if (!s->position || !s->mass) return ERG_NO_MEMORY;
    erg_status status =
        erg_world_read(s->world, ERG_FIELD_POSITION, NULL, s->grains, s->position, err);
    if (status == ERG_OK)
        status = erg_world_read(s->world, ERG_FIELD_MASS, NULL, s->grains, s->mass, err);
    s->has_grains = status == ERG_OK;
    return status;
}

static erg_status read_spheres(ergi_probe_cache *s, erg_error *err)
{
    if (s->has_spheres) return ERG_OK;
    s->spheres = erg_world_sphere_count(s->world);
    s->centre = ergi_memory_new(3 * s->spheres, sizeof *s->centre, "probes", err);
    s->radius = ergi_memory_new(s->spheres, sizeof *s->radius, "probes", err);
    s->scratch = ergi_memory_new(4 * s->spheres, sizeof *s->scratch, "probes", err);
    if (!s->centre || !s->radius || !s->scratch) return ERG_NO_MEMORY;
    erg_sphere_view view = {.count = s->spheres, .position = s->centre, .radius = s->radius};
    erg_status      status = erg_world_read_spheres(s->world, &view, err);
    s->has_spheres = status == ERG_OK;
    return status;
}

static erg_status read_contacts(ergi_probe_cache *s, erg_error *err)
{
    if (s->has_contacts) return ERG_OK;
    size_t room = erg_world_contact_count(s->world);
    s->contact = ergi_memory_new(room, sizeof *s->contact, "probes", err);
    if (!s->contact) return ERG_NO_MEMORY;
    erg_status status = erg_world_contacts(s->world, s->contact, room, &s->contacts, err);
    s->has_contacts = status == ERG_OK;
    return status;
}

void ergi_probe_cache_free(ergi_probe_cache *s)
{
    ergi_memory_free(s->position);
    ergi_memory_free(s->mass);
    ergi_memory_free(s->centre);
    ergi_memory_free(s->radius);
    ergi_memory_free(s->scratch);
    ergi_memory_free(s->contact);
    *s = (ergi_probe_cache){.world = s->world};
}

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status measure_force(const erg_probe_def *def, ergi_probe_cache *s, double *to,
                                erg_error *err)
{
    erg_wall_state wall;
    erg_status     status = erg_world_wall_state(s->world, def->wall, &wall, err);
    if (status != ERG_OK) return status;
    double felt[6] = {wall.force.x,  wall.force.y,  wall.force.z,
                      wall.torque.x, wall.torque.y, wall.torque.z};
    memcpy(to, felt, sizeof felt);
    return ERG_OK;
}

static erg_status measure_region(const erg_probe_def *def, ergi_probe_cache *s, double *to,
                                 erg_error *err)
{
    erg_status status = read_grains(s, err);
    size_t     count = 0;
    double     mass = 0.0;
    for (size_t i = 0; i < s->grains && status == ERG_OK; i++) {
        if (!inside(def, at(s->position, i))) continue;
        count++;
        mass += s->mass[i];
    }
    to[0] = (double)count;
    to[1] = mass;
    return status;
}

static erg_status measure_centre(const erg_probe_def *def, ergi_probe_cache *s, double *to,
                                 erg_error *err)
{
    erg_status status = read_grains(s, err);
    double     mass = 0.0;
    erg_vec3   sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->grains && status == ERG_OK; i++) {
        erg_vec3 x = at(s->position, i);
        if (!inside(def, x)) continue;
        mass += s->mass[i];
        sum = ergi_madd(sum, s->mass[i], x);
    }
    to[0] = mass > 0.0 ? sum.x / mass : (double)NAN;
    to[1] = mass > 0.0 ? sum.y / mass : (double)NAN;
    to[2] = mass > 0.0 ? sum.z / mass : (double)NAN;
    return status;
}

static erg_status measure_height(const erg_probe_def *def, ergi_probe_cache *s, double *to,
                                 erg_error *err)
{
    erg_status status = read_grains(s, err);
    if (status != ERG_OK) return status;
    double *level = ergi_memory_new(s->grains, sizeof *level, "a height probe", err);
    if (!level) return ERG_NO_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < s->grains; i++)
        if (inside(def, at(s->position, i))) level[count++] = s->position[3 * i + 2];
    *to = ergi_quantile(level, count, def->share);
    ergi_memory_free(level);
    return ERG_OK;
}

static erg_status measure_repose(const erg_probe_def *def, ergi_probe_cache *s, double *to,
                                 erg_error *err)
{
    erg_status status = read_spheres(s, err);
    if (status != ERG_OK) return status;
    double *centre = s->scratch, *radius = s->scratch + 3 * s->spheres;
    size_t  count = 0;
    for (size_t i = 0; i < s->spheres; i++) {
        if (!inside(def, at(s->centre, i))) continue;
        memcpy(&centre[3 * count], &s->centre[3 * i], 3 * sizeof *centre);
        radius[count++] = s->radius[i];
    }
    return ergi_repose_angle(centre, radius, count, def->point, ergi_normalize(def->normal), to,
                             err);
}

// With a region: contacts whose point is in it, divided by the grains whose centre is in it.
static erg_status measure_contacts(const erg_probe_def *def, ergi_probe_cache *s, double *to,
                                   erg_error *err)
{
    erg_status status = read_contacts(s, err);
    if (status == ERG_OK) status = read_grains(s, err);
    if (status != ERG_OK) return status;
    size_t grains = 0, count = 0, touches = 0;
    double sum = 0.0, largest = 0.0;
    for (size_t i = 0; i < s->grains; i++) grains += inside(def, at(s->position, i));
    for (size_t i = 0; i < s->contacts; i++) {
        const erg_contact *c = &s->contact[i];
        if (!inside(def, c->point)) continue;
        count++;
        touches += c->grain_b ? 2 : 1; // a wall is no grain
        sum += c->normal_force;
        largest = fmax(largest, c->normal_force);
    }
    to[0] = (double)count;
    to[1] = grains ? (double)touches / (double)grains : (double)NAN;
    to[2] = count ? sum / (double)count : (double)NAN;
    to[3] = count ? largest : (double)NAN;
    return ERG_OK;
}

erg_status ergi_measure(const erg_probe_def *def, ergi_probe_cache *s, double *values,
                        erg_error *err)
{
    switch (def->kind) {
    case ERG_PROBE_FORCE: return measure_force(def, s, values, err);
    case ERG_PROBE_REGION: return measure_region(def, s, values, err);
    case ERG_PROBE_CENTRE: return measure_centre(def, s, values, err);
    case ERG_PROBE_REPOSE: return measure_repose(def, s, values, err);
    case ERG_PROBE_HEIGHT: return measure_height(def, s, values, err);
    case ERG_PROBE_CONTACTS: return measure_contacts(def, s, values, err);
    case ERG_PROBE_FIELD: break; // writes files instead of columns: fields.c
    case ERG_PROBE_FLOW: break;  // has a state: probe.c
    }
    return ERG_OK;
}
