// Selects the kernels by instruction set. All give bitwise identical results: no multiply-add is
// fused, and square roots and divisions are correctly rounded in every instruction set.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "pbd/groups.h"

enum { PLAIN, AVX2, AVX512, WIDE };

static const char *const name[] = {"scalar", "avx2", "avx512", "avx512-wide"};

static int most_isa(void)
{
#if defined(ERG_X86_KERNELS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return WIDE;
    if (__builtin_cpu_supports("avx2")) return AVX2;
#endif
    return PLAIN;
}

erg_status ergi_pbd_choose(const ergi_pbd_kernels **kernels, erg_error *err)
{
    const char *asked = getenv("ERG_ISA");
    int         most = most_isa(), isa = most;
    if (asked && *asked) {
        for (isa = PLAIN; isa <= WIDE && strcmp(asked, name[isa]) != 0;) isa++;
        if (isa > WIDE)
            return ergi_fail(err, ERG_BAD_INPUT,
                             "ERG_ISA is '%.40s', expected scalar, avx2, avx512 or avx512-wide",
                             asked);
        if (isa > most)
            return ergi_fail(err, ERG_NOT_BUILT,
                             "ERG_ISA is %s, but this processor or build goes up to %s", asked,
                             name[most]);
    }
    *kernels = &ergi_pbd_kernels_plain;
#if defined(ERG_X86_KERNELS)
    if (isa == AVX2) *kernels = &ergi_pbd_kernels_avx2;
    if (isa >= AVX512) *kernels = &ergi_pbd_kernels_avx512; // both use groups of eight
#endif
    return ERG_OK;
}

const char *ergi_pbd_isa(const ergi_pbd_kernels *kernels)
{
    int isa = PLAIN;
#if defined(ERG_X86_KERNELS)
    if (kernels == &ergi_pbd_kernels_avx2) isa = AVX2;
    if (kernels == &ergi_pbd_kernels_avx512) isa = AVX512;
#else
    (void)kernels;
#endif
    return name[isa];
}
