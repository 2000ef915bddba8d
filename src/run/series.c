#include "run/series.h"

#include "base/error.h"
#include "base/memory.h"
#include "erg/terrain.h"

#include <math.h>
#include <stdio.h>

static const char *const COLUMNS[] = {"time",    "kinetic",    "rotational", "potential",
                                      "elastic", "dissipated", "grains",     "contacts"};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

// Where there is a terrain.
static const char *const TERRAIN_COLUMNS[] = {"awake", "frozen", "column_mass"};
enum { TERRAIN_COLUMN_COUNT = sizeof TERRAIN_COLUMNS / sizeof *TERRAIN_COLUMNS };

// Columns of each body with a name, as `name.column`.
static const char *const BODY_COLUMNS[] = {"x",  "y",  "z",  "qx", "qy", "qz", "qw",
                                           "vx", "vy", "vz", "wx", "wy", "wz", "fx",
                                           "fy", "fz", "tx", "ty", "tz"};
enum { BODY_COLUMN_COUNT = sizeof BODY_COLUMNS / sizeof *BODY_COLUMNS, BODY_COLUMN_ROOM = 80 };

// ---- Bodies ------------------------------------------------------------------------------------
// Only bodies with a name: many anonymous bodies would bloat the file.
static erg_status find_bodies(ergi_series *series, const erg_world *world, char **names,
                              erg_error *err)
{
    size_t room = erg_world_body_count(world);
    series->body = ergi_memory_new(room + 1, sizeof *series->body, "the series", err);
    *names = ergi_memory_new(room * BODY_COLUMN_COUNT + 1, BODY_COLUMN_ROOM, "the series", err);
    erg_status status = series->body && *names ? ERG_OK : ERG_NO_MEMORY;
    for (erg_id id = 1; id <= erg_world_wall_count(world) && status == ERG_OK; id++) {
        erg_wall_surface surface;
        status = erg_world_wall_surface(world, id, (double)NAN, &surface, err);
        if (status != ERG_OK || !surface.body || !*surface.name) continue;
        char *name = *names + series->bodies * BODY_COLUMN_COUNT * BODY_COLUMN_ROOM;
        for (int c = 0; c < BODY_COLUMN_COUNT; c++, name += BODY_COLUMN_ROOM)
            snprintf(name, BODY_COLUMN_ROOM, "%s.%s", surface.name, BODY_COLUMNS[c]);
        series->body[series->bodies++] = id;
    }
    return status;
}

static double *put(double *to, erg_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

static erg_status read_bodies(const ergi_series *series, const erg_world *world, double *to,
                              erg_error *err)
{
    for (size_t i = 0; i < series->bodies; i++) {
        erg_body_state s;
        erg_status     status = erg_world_body_state(world, series->body[i], &s, err);
        if (status != ERG_OK) return status;
        to = put(put(to, s.centre), (erg_vec3){s.rotation.x, s.rotation.y, s.rotation.z});
        *to++ = s.rotation.w;
        to = put(put(put(put(to, s.velocity), s.spin), s.force), s.torque);
    }
    return ERG_OK;
}

// ---- Terrain -----------------------------------------------------------------------------------
static erg_status read_terrain(const erg_world *world, double to[TERRAIN_COLUMN_COUNT],
                               erg_error *err)
{
    erg_terrain_stats s;
    erg_status        status = erg_world_terrain_stats(world, &s, err);
    if (status != ERG_OK) return status;
    to[0] = (double)s.awake;
    to[1] = (double)s.frozen;
    to[2] = s.column_mass;
    return ERG_OK;
}

// ---- Series ------------------------------------------------------------------------------------
static erg_status open_columns(ergi_series *series, const char *path, const erg_probes *probes,
                               const char *bodies, uint64_t keep, erg_error *err)
{
    size_t       first = series->first_probe, own = erg_probes_columns(probes);
    size_t       count = first + own + series->bodies * BODY_COLUMN_COUNT;
    const char **names = ergi_memory_new(count, sizeof *names, "the series", err);
    series->values = ergi_memory_new(count, sizeof *series->values, "the series", err);
    series->first_body = first + own;
    erg_status status = names && series->values ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        for (size_t i = 0; i < count; i++)
            names[i] = i < COLUMN_COUNT ? COLUMNS[i]
                       : i < first      ? TERRAIN_COLUMNS[i - COLUMN_COUNT]
                       : i < series->first_body
                           ? erg_probes_column_name(probes, i - first)
                           : bodies + (i - series->first_body) * BODY_COLUMN_ROOM;
        status = keep ? ergi_csv_resume(path, names, count, keep, &series->csv, err)
                      : ergi_csv_create(path, names, count, &series->csv, err);
    }
    ergi_memory_free(names);
    return status;
}

erg_status ergi_series_open(ergi_series *series, const char *path, const erg_world *world,
                            const erg_probes *probes, uint64_t keep, erg_error *err)
{
    char *bodies = NULL;
    series->first_probe = COLUMN_COUNT + (erg_world_has_terrain(world) ? TERRAIN_COLUMN_COUNT : 0);
    erg_status status = find_bodies(series, world, &bodies, err);
    if (status == ERG_OK) status = open_columns(series, path, probes, bodies, keep, err);
    ergi_memory_free(bodies);
    return status;
}

erg_status ergi_series_row(ergi_series *series, const erg_world *world, erg_probes *probes,
                           erg_error *err)
{
    erg_stats  s;
    erg_status status = erg_world_stats(world, &s, err);
    double    *v = series->values;
    if (status == ERG_OK) status = erg_probes_read(probes, world, v + series->first_probe, err);
    if (status == ERG_OK && series->first_probe > COLUMN_COUNT)
        status = read_terrain(world, v + COLUMN_COUNT, err);
    if (status == ERG_OK) status = read_bodies(series, world, v + series->first_body, err);
    if (status != ERG_OK) return status;
    v[0] = erg_world_time(world);
    v[1] = s.kinetic;
    v[2] = s.rotational;
    v[3] = s.potential;
    v[4] = s.elastic;
    v[5] = s.dissipated + 0.0; // avoids -0
    v[6] = (double)s.grains;
    v[7] = (double)s.contacts;
    return ergi_csv_row(series->csv, v, err);
}

erg_status ergi_series_close(ergi_series *series, erg_error *err)
{
    erg_status status = ergi_csv_close(series->csv, err);
    ergi_memory_free(series->values);
    ergi_memory_free(series->body);
    *series = (ergi_series){0};
    return status;
}
