// The table of passes for one erg_real. Included by real_*.c only.
#include "dem/motion_pass.h"
#include "dem/pair_pass.h"
#include "dem/wall_pass.h"

static void set_law(void *laws, size_t index, const ergi_material_pair *pair)
{
    ((ergi_pair_law *)laws)[index] = pair_law_of(pair);
}

static void set_coefs(void *coefs, size_t first, size_t count, const ergi_material_pair *pair,
                      const double *radius_a, const double *radius_b, const double *mass_a,
                      const double *mass_b)
{
    const ergi_coef_scales scales = pair->coefs;
    ergi_coef             *row = (ergi_coef *)coefs + first;
#pragma omp simd
    for (size_t k = 0; k < count; k++) {
        ergi_coefs c =
            ergi_coefs_of(&scales, radius_a[k] * radius_b[k] / (radius_a[k] + radius_b[k]),
                          mass_a[k] * mass_b[k] / (mass_a[k] + mass_b[k]));
        row[k].kn = (erg_real)c.kn;
        row[k].cn = (erg_real)c.cn;
        row[k].kt = (erg_real)c.kt;
        row[k].ct = (erg_real)c.ct;
    }
}

#define ERGI_REAL_KERNELS(real_type)                                                               \
    {                                                                                              \
        .contacts = contacts_pass, .advance = advance_pass, .pair_state = pair_state,              \
        .set_reference = set_reference, .wall_state = wall_state,                                  \
        .law_bytes = sizeof(ergi_pair_law), .coef_bytes = sizeof(ergi_coef), .set_law = set_law,   \
        .set_coefs = set_coefs, .real = real_type                                                  \
    }
