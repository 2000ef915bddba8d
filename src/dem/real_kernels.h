// The table of passes for one erg_real. Included by the real_*.c alone.
#include "dem/motion_pass.h"
#include "dem/pair_pass.h"
#include "dem/wall_pass.h"

static void set_law(void *laws, size_t index, const ergi_pair *pair)
{
    ((ergi_pair_law *)laws)[index] = pair_law_of(pair);
}

static void set_coef(void *coefs, size_t index, const ergi_pair *pair, double radius_star,
                     double mass_star)
{
    double kn, cn, kt, ct;
    ergi_contact_coef(&pair->scales, radius_star, mass_star, &kn, &cn, &kt, &ct);
    ((ergi_coef *)coefs)[index] =
        (ergi_coef){(erg_real)kn, (erg_real)cn, (erg_real)kt, (erg_real)ct};
}

#define ERGI_REAL_KERNELS(real_type)                                                               \
    {                                                                                              \
        .contacts = contacts_pass, .advance = advance_pass, .pair_state = pair_state,              \
        .set_reference = set_reference, .wall_state = wall_state,                                  \
        .law_bytes = sizeof(ergi_pair_law), .coef_bytes = sizeof(ergi_coef), .set_law = set_law,   \
        .set_coef = set_coef, .real = real_type                                                    \
    }
