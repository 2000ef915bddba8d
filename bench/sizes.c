// The bench `sizes`: the cost of a particle-step of the pack in beds of 200,000 to 4,000,000
// spheres, measured alternately.
#include "turns.h"

enum { SIZES = 3 };
static const size_t TIMES[SIZES] = {1, 5, 20}; // multiples of the smallest
static const size_t SMALLEST = 200000;         // spheres

static erg_status measure(const bench_options *options, int threads, bench_rows *rows,
                          erg_error *err)
{
    size_t  from = rows->count, smallest = options->count_given ? options->count : SMALLEST;
    entrant e[SIZES];
    for (int k = 0; k < SIZES; k++)
        e[k] = (entrant){.grains = SCENE_PACK.grains(TIMES[k] * smallest), .threads = threads};
    erg_status status = turns_measure(&SCENE_PACK, options, e, SIZES, rows, err);
    for (int k = 0; k < SIZES && status == ERG_OK; k++) {
        bench_row *row = &rows->row[from + (size_t)k];
        bench_row_text(row, "name", "sizes");
        bench_row_number(row, "cost_over_smallest",
                         turns_over(&e[k], &e[0]) * (double)e[0].grains / (double)e[k].grains);
    }
    return status;
}

erg_status bench_sizes(const bench_options *options, bench_rows *rows, erg_error *err)
{
    erg_status status = measure(options, options->threads[0], rows, err);
    if (status == ERG_OK && options->threads[1])
        status = measure(options, options->threads[1], rows, err);
    return status;
}
