// Chooses the copy of the passes for this processor's instruction set. All copies give bitwise the
// same results: products and sums are fused only where ergi_fma is written (law/real.h), and square
// roots and divisions are correctly rounded in every instruction set.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dem/kernels.h"

enum { SCALAR, AVX2, AVX512, AVX512_WIDE };

static const char *const name[] = {"scalar", "avx2", "avx512", "avx512-wide"};

// The highest instruction set that processor and build support.
static int most_isa(void)
{
#if defined(ERG_X86_KERNELS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("fma"))
        return AVX512_WIDE;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return AVX2;
#endif
    return SCALAR;
}

// Rows of sixteen were slower on Intel Ice Lake, which seems to lower its clock for them, and
// faster on AMD Zen 4; other processors were not measured.
static int best_isa(void)
{
    int most = most_isa();
#if defined(ERG_X86_KERNELS)
    if (most == AVX512_WIDE && !__builtin_cpu_is("amd")) return AVX512;
#endif
    return most;
}

erg_status ergi_dem_choose_kernels(erg_precision precision, const ergi_dem_kernels **kernels,
                                   erg_error *err)
{
    const char *asked = getenv("ERG_ISA");
    int         most = most_isa(), isa = best_isa();
    if (asked && *asked) {
        for (isa = SCALAR; isa <= AVX512_WIDE && strcmp(asked, name[isa]) != 0;) isa++;
        if (isa > AVX512_WIDE)
            return ergi_fail(err, ERG_BAD_INPUT,
                             "ERG_ISA is '%.40s', expected scalar, avx2, avx512 or avx512-wide",
                             asked);
        if (isa > most)
            return ergi_fail(err, ERG_NOT_BUILT,
                             "ERG_ISA is %s, but this processor or build supports at most %s",
                             asked, name[most]);
    }
    *kernels = precision == ERG_DOUBLE ? &ergi_dem_double : &ergi_dem_float;
#if defined(ERG_X86_KERNELS)
    if (precision == ERG_FLOAT && isa == AVX2) *kernels = &ergi_dem_float_avx2;
    if (precision == ERG_FLOAT && isa == AVX512) *kernels = &ergi_dem_float_avx512;
    if (precision == ERG_FLOAT && isa == AVX512_WIDE) *kernels = &ergi_dem_float_avx512_wide;
#endif
    return ERG_OK;
}

const char *ergi_dem_isa(const ergi_dem_kernels *kernels)
{
    int isa = SCALAR;
#if defined(ERG_X86_KERNELS)
    if (kernels == &ergi_dem_float_avx2) isa = AVX2;
    if (kernels == &ergi_dem_float_avx512) isa = AVX512;
    if (kernels == &ergi_dem_float_avx512_wide) isa = AVX512_WIDE;
#else
    (void)kernels;
#endif
    return name[isa];
}
