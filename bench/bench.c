#include "bench.h"

#include <stdarg.h>
#include <stdio.h>

const bench BENCHES[] = {
    {"pack", "a settled pack of frictional spheres, history kept", false, bench_pack},
    {"peers", "the same pack in erg and in LAMMPS by turns", true, bench_peers},
    {0},
};

erg_status bench_fail(erg_error *err, erg_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    err->status = status;
    vsnprintf(err->text, sizeof err->text, format, list);
    va_end(list);
    return status;
}

void bench_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}
