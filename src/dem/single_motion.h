// Motion of single spheres. Included by motion_pass.h only.
#ifndef ERGI_SINGLE_MOTION_H
#define ERGI_SINGLE_MOTION_H

#include "dem/motion_rows.h"

// Constants of a pass, copied for the same reason as kick_rows.
typedef struct single_pass {
    kick_rows        kick;
    erg_real        *motion;
    double          *position;
    const void      *references;
    ergi_fixed_point fixed_point;
    ergi_row         ratio;
    size_t           listed;
} single_pass;

static single_pass single_pass_of(const ergi_motion_pass *p)
{
    return (single_pass){
        .kick = kick_rows_of(p),
        .motion = p->motion,
        .position = p->position,
        .references = p->s.reference,
        .fixed_point = *p->fixed_point,
        .ratio = fixed_ratio(p->fixed_point),
        .listed = (size_t)p->s.count,
    };
}

// Whether a grain may be too fast; `sizes` are the largest magnitudes of motion in the chunk.
ERG_FN bool suspicious(const ergi_motion_pass *p, const kick_rows *kick, ergi_rows sizes)
{
    const erg_real  least = (erg_real)(SUSPICIOUS_STEP * p->least_radius);
    const ergi_rows slow = ergi_rows_of(ergi_row_all(least), ergi_row_all(ERGI_R(SUSPICIOUS_STEP)));
    return ergi_rows_marked(
        ergi_rows_mark_beyond(ergi_rows_unmarked(), ergi_rows_mul(sizes, kick->step), slow));
}

ERG_FN double largest3(ergi_row sizes)
{
    double most = fmax((double)sizes[0], fmax((double)sizes[1], (double)sizes[2]));
    return isnan(sizes[0] + sizes[1] + sizes[2]) ? (double)INFINITY : most;
}

// ---- Displacement of a chunk since the list build ----------------------------------------------
// The largest displacements of each step add up to a bound for all spheres. While this sum is well
// below the smallest skin, displacements need not be measured.
ERG_FN bool must_measure(const ergi_chunk_displacement *w)
{
    return !(w->displacement + 2 * w->step <= BOUND_DISPLACEMENT);
}

// `displacements`: the largest results of fixed_displacement in the chunk.
ERG_FN void set_displacement(const ergi_motion_pass *p, ergi_chunk_displacement *w,
                             ergi_row displacements, size_t begin, size_t end, ergi_report *report)
{
    w->displacement = largest3(displacements);
    w->inverse = fixed_length((double)displacements[3], p->fixed_point);
    if (!(w->displacement <= SURE_DISPLACEMENT)) note_displacements(p, begin, end, report);
}

// Adds a step's displacement to the bound; measures if the bound is exceeded.
ERG_FN void add_displacement(const ergi_motion_pass *p, ergi_chunk_displacement *w, size_t begin,
                             size_t end, ergi_report *report)
{
    const ergi_row ratio = fixed_ratio(p->fixed_point);
    ergi_row       displacements = ergi_row_all(0);
    w->displacement += w->step;
    if (w->displacement <= BOUND_DISPLACEMENT) return;
    for (size_t i = begin; i < end; i++)
        displacements = ergi_row_larger(
            displacements, fixed_displacement(fixed_from(p->s.position, 4 * i, p->fixed_point),
                                              fixed_load(p->s.reference, i), ratio));
    set_displacement(p, w, displacements, begin, end, report);
}

ERG_FN void advance_singles(const ergi_motion_pass *p, erg_index begin, erg_index end,
                            const bool finish, const bool start, const bool energy,
                            const bool extras, ergi_report *report)
{
    const single_pass        s = single_pass_of(p);
    const erg_real          *force_torques = force_torque_of(&p->s, (size_t)begin);
    ergi_chunk_displacement *displacement = &p->displacements[begin / ERGI_CHUNK];
    const bool               measure = start && must_measure(displacement);
    ergi_rows                sizes = ergi_rows_all(0);
    ergi_row                 displacements = ergi_row_all(0);
    double                   power_before = 0, power_after = 0;
    for (size_t i = (size_t)begin; i < (size_t)end;) {
        ergi_rows before = ergi_rows_all(0), after = ergi_rows_all(0);
        size_t    from = i, stop = i + GROUP < (size_t)end ? i + GROUP : (size_t)end;
        for (; i < stop; i++, force_torques += 8) {
            ergi_rows m = ergi_rows_load(s.motion + 8 * i),
                      force_torque = ergi_rows_load(force_torques);
            ergi_rows rate = kick_rate(m, force_torque, s.kick.gravity);
            if (finish) {
                ergi_rows old = m;
                m = kicked(m, rate, s.kick.after);
                if (energy) after = ergi_rows_add(after, kick_power(force_torque, old, m));
                if (extras) m = ergi_rows_mul(m, s.kick.damping);
            }
            if (start) {
                ergi_rows old = m;
                m = kicked(m, rate, s.kick.before);
                if (energy) before = ergi_rows_add(before, kick_power(force_torque, old, m));
            }
            ergi_rows_store(s.motion + 8 * i, m);
            sizes = ergi_rows_larger(sizes, m);
            if (!start) continue;
            ergi_row64 now = ergi_row64_load(s.position + 4 * i) +
                             ergi_row_widen(ergi_rows_low(m)) * s.kick.drift;
            ergi_row64_store(s.position + 4 * i, now);
            if (!measure || i >= s.listed)
                continue; // grains from `listed` on are not in the lists yet
            displacements = ergi_row_larger(
                displacements, fixed_displacement(fixed_of_position(now, &s.fixed_point),
                                                  fixed_load(s.references, i), s.ratio));
        }
        if (extras && start && p->orient) turn_grains(p, from, stop);
        if (energy) {
            power_before += rows_sum(before);
            power_after += rows_sum(after);
        }
    }
    report->work[0] = 0.5 * (1 - p->kick) * p->dt * power_after;
    report->work[1] = 0.5 * p->kick * p->dt * power_before;
    if (suspicious(p, &s.kick, sizes)) note_speeds(p, begin, end, report);
    if (!start) return;
    size_t listed = (size_t)(end < p->s.count ? end : p->s.count);
    if (measure) set_displacement(p, displacement, displacements, (size_t)begin, listed, report);
    displacement->step = p->dt * largest3(ergi_rows_low(sizes)) * displacement->inverse;
    if (!measure) add_displacement(p, displacement, (size_t)begin, listed, report);
}

#endif
