#include "realtime_check.h"

#include "measure.h"
#include "realtime.h"

#include <string.h>

enum { COUNT = 10000 };

typedef struct check {
    const char *name;
    erg_status (*run)(check_run *run, erg_error *err);
} check;

static const check CHECKS[] = {
    {"heap-rest", check_heap_rest},
    {"heap-dem", check_heap_dem},
    {"heap-friction", check_heap_friction},
    {"hourglass-spheres", check_hourglass},
    {"overlap", check_overlap},
    {"momentum", check_momentum},
    {"threads", check_threads},
    {0},
};

const char *realtime_check_name(int k)
{
    return CHECKS[k].name;
}

// ---- Rows --------------------------------------------------------------------------------------
erg_status check_add(check_run *run, const char *quantity, double measured, double allowed,
                     bool pass, erg_error *err)
{
    bench_row *row = bench_rows_add(run->rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bench_row_text(row, "name", run->name);
    bench_row_number(row, "measured", measured);
    bench_row_number(row, "allowed", allowed);
    bench_row_flag(row, "pass", pass);
    bench_row_text(row, "quantity", quantity);
    bench_say("%-17s %10.4g %10.4g  %s  %s", run->name, measured, allowed, pass ? "pass" : "FAIL",
              quantity);
    run->failed += !pass;
    return ERG_OK;
}

erg_status check_below(check_run *run, const char *quantity, double measured, double allowed,
                       erg_error *err)
{
    return check_add(run, quantity, measured, allowed, measured < allowed, err);
}

// ---- Running -----------------------------------------------------------------------------------
static bool is_wanted(const bench_options *options, const char *name)
{
    bool named = false;
    for (int k = 0; k < options->check_count; k++) {
        if (strcmp(options->checks[k], name) == 0) return true;
        named |= strcmp(options->checks[k], "realtime") != 0;
    }
    return !named;
}

erg_status realtime_check(const bench_options *options, bench_rows *rows, erg_error *err)
{
    check_run  run = {.threads = options->threads[options->threads[1] ? 1 : 0],
                      .count = options->count_given ? options->count : COUNT,
                      .rows = rows};
    erg_status status = ERG_OK;
    for (const check *c = CHECKS; c->name && status == ERG_OK; c++) {
        if (!is_wanted(options, c->name)) continue;
        double start = bench_wall_seconds();
        run.name = c->name;
        status = c->run(&run, err);
        bench_say("%s took %.0f s", c->name, bench_wall_seconds() - start);
    }
    if (status == ERG_OK && run.failed)
        status = bench_fail(err, ERG_BAD_PHYSICS, "%d of %zu values are not within their bounds",
                            run.failed, rows->count);
    return status;
}
