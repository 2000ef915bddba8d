#include "run/series.h"

#include "base/memory.h"

static const char *const COLUMNS[] = {"time",    "kinetic",    "rotational", "potential",
                                      "elastic", "dissipated", "grains",     "contacts"};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

erg_status ergi_series_open(ergi_series *series, const char *path, const erg_probes *probes,
                            uint64_t keep, erg_error *err)
{
    size_t       own = erg_probes_columns(probes), count = COLUMN_COUNT + own;
    const char **names = ergi_memory_new(count, sizeof *names, "the series", err);
    series->values = ergi_memory_new(count, sizeof *series->values, "the series", err);
    erg_status status = names && series->values ? ERG_OK : ERG_NO_MEMORY;
    if (status == ERG_OK) {
        for (size_t i = 0; i < count; i++)
            names[i] =
                i < COLUMN_COUNT ? COLUMNS[i] : erg_probes_column_name(probes, i - COLUMN_COUNT);
        status = keep ? ergi_csv_resume(path, names, count, keep, &series->csv, err)
                      : ergi_csv_create(path, names, count, &series->csv, err);
    }
    ergi_memory_free(names);
    return status;
}

erg_status ergi_series_row(ergi_series *series, const erg_world *world, erg_probes *probes,
                           erg_error *err)
{
    erg_stats  s;
    erg_status status = erg_world_stats(world, &s, err);
    double    *v = series->values;
    if (status == ERG_OK) status = erg_probes_read(probes, world, v + COLUMN_COUNT, err);
    if (status != ERG_OK) return status;
    v[0] = erg_world_time(world);
    v[1] = s.kinetic;
    v[2] = s.rotational;
    v[3] = s.potential;
    v[4] = s.elastic;
    v[5] = s.dissipated + 0.0; // no -0
    v[6] = (double)s.grains;
    v[7] = (double)erg_world_contact_count(world);
    return ergi_csv_row(series->csv, v, err);
}

erg_status ergi_series_close(ergi_series *series, erg_error *err)
{
    erg_status status = ergi_csv_close(series->csv, err);
    ergi_memory_free(series->values);
    *series = (ergi_series){0};
    return status;
}
