#include "run/result.h"
#include "base/error.h"
#include "base/memory.h"
#include "erg/run.h"
#include "erg/terrain.h"
#include "erg/upsample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void erg_run_scene_name(const char *path, char *name, size_t room)
{
    if (!path || !name) return;
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t      length = strlen(base);
    const char *dot = strrchr(base, '.');
    if (dot && dot != base && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
        length = (size_t)(dot - base);
    if (room) snprintf(name, room, "%.*s", (int)(length < 4096 ? length : 4096), base);
}

void ergi_run_result_method(erg_run_result *r, erg_solver solver, erg_backend backend)
{
    const char *method = erg_solver_name(solver), *hardware = erg_backend_name(backend);
    snprintf(r->solver, sizeof r->solver, "%s", method ? method : "");
    snprintf(r->backend, sizeof r->backend, "%s", hardware ? hardware : "");
}

erg_status ergi_run_result_fill(erg_run_result *r, const erg_world *world, erg_error *err)
{
    erg_stats         stats;
    erg_terrain_stats terrain;
    erg_status        status = erg_world_stats(world, &stats, err);
    if (status == ERG_OK) status = erg_world_terrain_stats(world, &terrain, err);
    if (status != ERG_OK) return status;
    erg_world_def def = erg_world_get_def(world);
    ergi_run_result_method(r, def.solver, def.backend);
    r->threads = stats.threads;
    r->grains = stats.grains;
    r->spheres = stats.spheres;
    r->bodies = erg_world_body_count(world);
    r->fine = erg_world_fine_count(world);
    r->upsampled = erg_world_has_upsample(world);
    r->landscape = erg_world_has_terrain(world);
    r->columns = terrain.columns;
    r->awake = terrain.awake;
    r->contacts = stats.contacts;
    r->steps = erg_world_steps(world);
    r->dt = erg_world_dt(world);
    r->sim_time = erg_world_time(world);
    r->max_overlap_ratio = stats.max_overlap_ratio;
    r->kinetic_energy = stats.kinetic + stats.rotational;
    r->state_hash = erg_world_hash(world);
    return ERG_OK;
}

// The overlap of an impact is proportional to E^(-2/5); so are its duration and the time step.
bool ergi_run_overlap_warning(const erg_run_result *r, char *text, size_t room)
{
    const double limit = 0.05;
    if (!(r->max_overlap_ratio > limit)) return false;
    if (strcmp(r->solver, erg_solver_name(ERG_SOLVER_DEM)) != 0) return false; // of soft contacts
    double times = r->max_overlap_ratio / limit;
    snprintf(text, room,
             "grains overlapped by up to %.2g %% of a radius; above %g %% they are too soft for "
             "these impacts and loads: raise young (%.2g times as high gives about %g %%, with "
             "%.2g times as many steps), or lower the impact speed",
             100 * r->max_overlap_ratio, 100 * limit, pow(times, 2.5), 100 * limit, times);
    return true;
}

static void put_text(ergi_json *json, const char *key, const char *text)
{
    ergi_json_key(json, key);
    ergi_json_string(json, text && *text ? text : NULL);
}

static void put_count(ergi_json *json, const char *key, uint64_t value)
{
    ergi_json_key(json, key);
    ergi_json_unsigned(json, value);
}

static void put_number(ergi_json *json, const char *key, double value)
{
    ergi_json_key(json, key);
    ergi_json_number(json, value);
}

void ergi_run_result_put(ergi_json *json, const erg_run_result *r)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, r->state_hash);
    put_text(json, "scene", r->scene);
    put_text(json, "solver", r->solver);
    put_text(json, "backend", r->backend);
    put_count(json, "threads", (uint64_t)r->threads);
    put_count(json, "grains", r->grains);
    put_count(json, "spheres", r->spheres);
    put_count(json, "bodies", r->bodies);
    if (r->upsampled) put_count(json, "fine", r->fine);
    if (r->landscape) {
        put_count(json, "columns", r->columns);
        put_count(json, "awake", r->awake);
    }
    put_count(json, "steps", r->steps);
    put_number(json, "dt", r->dt);
    put_number(json, "sim_time", r->sim_time);
    put_number(json, "wall_s", r->wall_s);
    put_number(json, "sphere_steps_per_s", r->sphere_steps_per_s);
    put_number(json, "grain_steps_per_s", r->grain_steps_per_s);
    put_count(json, "contacts", r->contacts);
    put_number(json, "max_overlap_ratio", r->max_overlap_ratio);
    put_number(json, "kinetic_energy", r->kinetic_energy);
    put_text(json, "state_hash", hash);
    put_text(json, "out", r->out);
}

size_t erg_run_result_json(const erg_run_result *r, const char *problem, char *text, size_t room)
{
    if (!r || (!text && room > 0)) return 0;
    const char *whole = "";
    ergi_json   json = ergi_json_begin(0);
    ergi_json_open_object(&json);
    ergi_run_result_put(&json, r);
    if (problem) {
        put_text(&json, "error", problem);
        put_text(&json, "checkpoint", r->checkpoint);
    }
    ergi_json_close_object(&json);
    if (ergi_json_finish(&json, &whole, NULL) != ERG_OK) whole = "{\"error\":\"out of memory\"}";
    size_t length = strlen(whole);
    if (room) snprintf(text, room, "%s", whole);
    ergi_json_free(&json);
    return length;
}

// ---- summary.json ------------------------------------------------------------------------------
static void put_energies(ergi_json *json, const erg_stats *s)
{
    ergi_json_key(json, "energy");
    ergi_json_open_object(json);
    put_number(json, "kinetic", s->kinetic);
    put_number(json, "rotational", s->rotational);
    put_number(json, "potential", s->potential);
    put_number(json, "elastic", s->elastic);
    put_number(json, "dissipated", s->dissipated);
    ergi_json_close_object(json);
}

// Lowest and highest z of the surface [m].
static erg_status read_range(const erg_world *world, double range[2], erg_error *err)
{
    erg_terrain_grid grid;
    erg_status       status = erg_world_terrain_grid(world, &grid, err);
    if (status != ERG_OK) return status;
    float *row = ergi_memory_new(grid.count[0], sizeof *row, "the summary", err);
    if (!row) return ERG_NO_MEMORY;
    range[0] = (double)INFINITY;
    range[1] = -(double)INFINITY;
    for (size_t j = 0; j < grid.count[1] && status == ERG_OK; j++) {
        status = erg_world_terrain_read(world, 0, j, grid.count[0], 1, 1, row, err);
        for (size_t i = 0; i < grid.count[0] && status == ERG_OK; i++) {
            range[0] = fmin(range[0], (double)row[i]);
            range[1] = fmax(range[1], (double)row[i]);
        }
    }
    ergi_memory_free(row);
    return status;
}

static erg_status put_terrain(ergi_json *json, const erg_world *world, erg_error *err)
{
    erg_terrain_stats s;
    double            range[2];
    if (!erg_world_has_terrain(world)) return ERG_OK;
    erg_status status = erg_world_terrain_stats(world, &s, err);
    if (status == ERG_OK) status = read_range(world, range, err);
    if (status != ERG_OK) return status;
    ergi_json_key(json, "terrain");
    ergi_json_open_object(json);
    put_number(json, "low", range[0]);
    put_number(json, "high", range[1]);
    put_number(json, "column_mass", s.column_mass);
    put_count(json, "frozen", s.frozen);
    put_number(json, "frozen_mass", s.frozen_mass);
    put_number(json, "compressed_mass", s.compressed);
    put_count(json, "woken", s.woken);
    put_count(json, "slept", s.slept);
    ergi_json_close_object(json);
    return ERG_OK;
}

static void put_probes(ergi_json *json, const erg_probes *probes, const double *values)
{
    ergi_json_key(json, "probes");
    ergi_json_open_object(json);
    for (size_t i = 0; i < erg_probes_columns(probes); i++)
        put_number(json, erg_probes_column_name(probes, i), values[i]);
    ergi_json_close_object(json);
}

erg_status ergi_run_summary(const char *path, const erg_run_result *r, const char *title,
                            erg_status outcome, const char *problem, const erg_world *world,
                            const erg_probes *probes, const double *values, erg_error *err)
{
    erg_stats  stats;
    erg_status status = erg_world_stats(world, &stats, err);
    if (status != ERG_OK) return status;
    char        warning[320];
    const char *word = outcome == ERG_OK ? "done" : outcome == ERG_CANCELLED ? "stopped" : "failed";
    ergi_json   json = ergi_json_begin(2);
    ergi_json_open_object(&json);
    put_text(&json, "title", title);
    put_text(&json, "status", word);
    if (problem) {
        put_text(&json, "error", problem);
        put_text(&json, "checkpoint", r->checkpoint);
    }
    ergi_run_result_put(&json, r);
    if (ergi_run_overlap_warning(r, warning, sizeof warning)) put_text(&json, "warning", warning);
    put_text(&json, "dt_reason", erg_world_dt_reason(world));
    put_number(&json, "mass", stats.mass);
    put_energies(&json, &stats);
    status = put_terrain(&json, world, err);
    put_count(&json, "emitted", stats.emitted);
    put_count(&json, "removed", stats.removed);
    put_count(&json, "lost", stats.lost);
    put_count(&json, "memory_bytes", stats.bytes);
    put_count(&json, "rows", r->rows);
    put_count(&json, "snapshots", r->frames);
    put_probes(&json, probes, values);
    ergi_json_close_object(&json);

    const char *text;
    ergi_file  *file = NULL;
    if (status == ERG_OK) status = ergi_json_finish(&json, &text, err);
    if (status == ERG_OK) status = ergi_file_begin(path, &file, err);
    if (status == ERG_OK) {
        ergi_file_text(file, text);
        ergi_file_text(file, "\n");
        status = ergi_file_commit(file, NULL, err);
    }
    ergi_json_free(&json);
    return status;
}
