#include "bench.h"

#include "landscape.h"
#include "realtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const bench BENCHES[] = {
    {"pack", "a settled pack of frictional spheres, history kept", false, bench_pack},
    {"hopper", "grains flowing out of a conical silo", false, bench_hopper},
    {"tetra", "a settled pack of rigid grains of four spheres", false, bench_tetra},
    {"poly", "settled beds of sizes 1:1, 1:10 and 1:20", false, bench_poly},
    {"pour", "a box that fills from empty", false, bench_pour},
    {"quiet", "the pack long after it has come to rest", false, bench_quiet},
    {"draw", "pictures of a heap, with and without culling", true, bench_draw},
    {"sizes", "cost per particle-step in beds of 200,000 to 4,000,000 spheres", true, bench_sizes},
    {"laws", "every contact law compared with Hertz-Mindlin", true, bench_laws},
    {"bodies", "1,000 bodies far from all grains, compared with no bodies", true, bench_bodies},
    {"cundall", "settled tetrahedra compared with a published figure", true, bench_cundall},
    {"realtime", "frames of 1/60 s of the real-time solver with upsampling", true, bench_realtime},
    {"landscape", "columns that wake and grains that sleep, compared with grains alone", true,
     bench_landscape},
    {"peers", "the same scenes in erg and in other DEM codes, run alternately", true, bench_peers},
    {0},
};

const char *bench_check_name(const char *name, int k)
{
    return strcmp(name, "landscape") == 0 ? landscape_check_name(k) : realtime_check_name(k);
}

void bench_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}
