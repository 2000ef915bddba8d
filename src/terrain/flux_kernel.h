// The sum of flux.h, compiled once per instruction set: define ERGI_FLUX_NAME and include.
#include "terrain/flux.h"

#include <math.h>

typedef struct sums {
    double net, moved;
} sums;

// Sand from a neighbour, or to it.
static inline void exchange(sums *s, double h, double limit, double other, double other_limit,
                            double open)
{
    // Rounding (n - 4) / 9 to the nearest whole number is n / 9 rounded down. Adding 1.5 * 2^52
    // leaves no digits behind the point.
    const double whole = 6755399441055744.0;
    double       x = other - h, least = limit < other_limit ? limit : other_limit;
    double       excess = fabs(x) - least;
    excess = excess > 0 ? excess : 0;
    double flux = (((excess - 4) * (1.0 / 9.0) + whole) - whole) * open;
    s->moved += flux;
    s->net += copysign(flux, x);
}

uint64_t ERGI_FLUX_NAME(const ergi_flux_window *w, double net[ERGI_PATCH_COLUMNS])
{
    double moved[ERGI_PATCH_COLUMNS];
    for (int j = 0; j < ERGI_PATCH_SIDE; j++) {
        const double *h0 = w->height[j], *h1 = w->height[j + 1], *h2 = w->height[j + 2];
        const double *s0 = w->straight[j], *s1 = w->straight[j + 1], *s2 = w->straight[j + 2];
        const double *d0 = w->diagonal[j], *d1 = w->diagonal[j + 1], *d2 = w->diagonal[j + 2];
        const double *o0 = w->open[j], *o1 = w->open[j + 1], *o2 = w->open[j + 2];
#pragma omp simd
        for (int i = 0; i < ERGI_PATCH_SIDE; i++) {
            sums   s = {0, 0};
            double h = h1[i + 1], straight = s1[i + 1], diagonal = d1[i + 1];
            exchange(&s, h, diagonal, h0[i], d0[i], o0[i]);
            exchange(&s, h, straight, h0[i + 1], s0[i + 1], o0[i + 1]);
            exchange(&s, h, diagonal, h0[i + 2], d0[i + 2], o0[i + 2]);
            exchange(&s, h, straight, h1[i], s1[i], o1[i]);
            exchange(&s, h, straight, h1[i + 2], s1[i + 2], o1[i + 2]);
            exchange(&s, h, diagonal, h2[i], d2[i], o2[i]);
            exchange(&s, h, straight, h2[i + 1], s2[i + 1], o2[i + 1]);
            exchange(&s, h, diagonal, h2[i + 2], d2[i + 2], o2[i + 2]);
            net[j * ERGI_PATCH_SIDE + i] = s.net;
            moved[j * ERGI_PATCH_SIDE + i] = s.moved;
        }
    }
    uint64_t bits = 0;
    for (int k = 0; k < ERGI_PATCH_COLUMNS; k++) bits |= (uint64_t)(moved[k] > 0) << k;
    return bits;
}
