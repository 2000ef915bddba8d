#include "draw/range.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double SHARE = 0.02; // of the values beyond each end, such as grains in flight
static const double EDGE = 1e-9;  // of a step: tolerance for rounding of the ends
static const double STILL =
    0.003; // of the speed after a fall of one diameter: slower counts as rest

// ---- Ranks -------------------------------------------------------------------------------------
// Quickselect: puts the value of rank k in its position, with no larger one before it. After Hoare,
// Algorithm 65: Find, Comm. ACM 4 (1961) 321.
static void select_rank(double *v, size_t from, size_t to, size_t k)
{
    while (from < to) {
        double pivot = v[from + (to - from) / 2];
        size_t i = from, j = to;
        while (i <= j) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i > j) break;
            double t = v[i];
            v[i++] = v[j];
            v[j] = t;
            if (j == 0) break;
            j--;
        }
        if (k <= j)
            to = j;
        else if (k >= i)
            from = i;
        else
            return;
    }
}

void ergi_ranks(double *v, size_t count, size_t low, size_t high, double at[2])
{
    select_rank(v, 0, count - 1, low);
    at[0] = v[low];
    select_rank(v, low, count - 1, high);
    at[1] = v[high];
}

// ---- Rounding ----------------------------------------------------------------------------------
// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
static double round_step(double least)
{
    double power = pow(10, floor(log10(least)));
    double m = least / power * (1 - EDGE);
    return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

// Rounds up the end of a range that begins at 0.
static double round_end(double least)
{
    static const double ends[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
    double              power = pow(10, floor(log10(least)));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (least <= power * ends[i] * (1 + EDGE)) return power * ends[i];
    return 10 * power;
}

int ergi_range_ticks(double low, double high, bool whole, double tick[ERGI_TICKS])
{
    tick[0] = low;
    if (!(high > low) || !isfinite(high - low)) return 1;
    double step = round_step((high - low) / 6);
    if (whole) step = fmax(step, 1);
    if (!(step > 0)) return 1;
    int count = 0;
    for (double k = ceil(low / step - EDGE); k * step <= high + EDGE * step && count < ERGI_TICKS;
         k++)
        tick[count++] = k * step + 0.0; // avoids -0
    if (count == 0) tick[count++] = low;
    return count;
}

// ---- Range -------------------------------------------------------------------------------------
// The range of speeds and forces begins at 0 unless all are large. A range that has `grown` since
// the first picture of a film is extended by a large step, so that it grows rarely.
static void round_ends(double *low, double *high, bool from_zero, bool grown)
{
    if (from_zero && *low < 0.5 * *high) {
        *low = 0;
        *high = grown ? round_step(*high) : round_end(*high);
    } else if (*high > *low) {
        double step = round_step((*high - *low) / 6);
        if (!(step > 0)) return;
        *low = step * floor(*low / step + EDGE);
        *high = step * ceil(*high / step - EDGE);
    }
}

// During a film the range only widens, so that a colour keeps its meaning.
static void widen(erg_picture *p, double low, double high, bool rounded, bool from_zero)
{
    bool first = !p->ranged || p->ranged_by != p->look.colour;
    if (!first && low >= p->ranged_low && high <= p->ranged_high) return;
    if (!first) {
        low = fmin(low, p->ranged_low);
        high = fmax(high, p->ranged_high);
    }
    if (rounded) round_ends(&low, &high, from_zero, !first);
    p->ranged = true;
    p->ranged_by = p->look.colour;
    p->ranged_low = low;
    p->ranged_high = high;
}

erg_status ergi_picture_set_range(erg_picture *p, size_t count, erg_error *err)
{
    erg_colour_by by = p->look.colour;
    bool          flow = by == ERG_COLOUR_SPEED || by == ERG_COLOUR_FORCE;
    bool          cut = flow || by == ERG_COLOUR_HEIGHT;
    double        at[2] = {0, 0};
    if (count) {
        erg_status status = ergi_memory_grow(&p->ranks, &p->ranks_room, count, sizeof *p->ranks,
                                             "colours of spheres", err);
        if (status != ERG_OK) return status;
        memcpy(p->ranks, p->value, count * sizeof *p->ranks);
        size_t beyond = cut ? (size_t)(SHARE * (double)count) : 0;
        ergi_ranks(p->ranks, count, beyond, count - 1 - beyond, at);
    }
    if (by == ERG_COLOUR_SPEED) at[1] = fmax(at[1], STILL * p->fall);
    if (!flow || at[1] > 0) { // without motion or contacts the range is unknown
        widen(p, at[0], at[1], cut, flow);
        at[0] = p->ranged_low;
        at[1] = p->ranged_high;
    } else {
        at[1] = 1;
    }
    p->low = isnan(p->look.low) ? at[0] : p->look.low;
    p->high = isnan(p->look.high) ? at[1] : p->look.high;
    return ERG_OK;
}
