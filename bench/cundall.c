// The bench `cundall`: grain-steps per second (the Cundall number) of settled tetrahedra, compared
// with a published figure.
#include "scene.h"

static const double PUBLISHED = 1.49e6; // on a GeForce 8800 GTX, the lowest for 16K to 256K grains
static const size_t GRAINS[] = {16 << 10, 64 << 10, 256 << 10};

static erg_status measure(const bench_options *options, bench_rows *rows, erg_error *err)
{
    size_t     from = rows->count;
    erg_status status = scene_measure(&SCENE_TETRA, options, rows, err);
    for (size_t k = from; k < rows->count && status == ERG_OK; k++) {
        bench_row *row = &rows->row[k];
        double     rate = bench_row_find(row, "grain_steps_per_s")->number;
        bench_row_text(row, "name", "cundall");
        bench_row_number(row, "published_grain_steps_per_s", PUBLISHED);
        bench_row_number(row, "over_published", rate / PUBLISHED);
    }
    return status;
}

erg_status bench_cundall(const bench_options *options, bench_rows *rows, erg_error *err)
{
    if (options->count_given) return measure(options, rows, err);
    erg_status status = ERG_OK;
    for (size_t k = 0; k < sizeof GRAINS / sizeof *GRAINS && status == ERG_OK; k++) {
        bench_options one = *options;
        one.count = 4 * GRAINS[k];
        status = measure(&one, rows, err);
    }
    return status;
}
