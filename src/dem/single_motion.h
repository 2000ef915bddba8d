// How single spheres move. Included by motion_pass.h alone.
#ifndef ERGI_SINGLE_MOTION_H
#define ERGI_SINGLE_MOTION_H

#include "dem/motion_rows.h"

// What is the same for all spheres of a pass, copied for the same reason as kick_rows.
typedef struct single_pass {
    kick_rows    kick;
    ergi_rows    slow;
    erg_real    *motion;
    double      *position;
    const void  *references;
    ergi_lattice lattice;
    size_t       listed;
} single_pass;

static single_pass single_pass_of(const ergi_motion_pass *p)
{
    const erg_real least = (erg_real)(SUSPICIOUS_WAY * p->least_radius);
    return (single_pass){
        .kick = kick_rows_of(p),
        .slow = ergi_rows_of(ergi_row_all(least), ergi_row_all(ERGI_R(SUSPICIOUS_WAY))),
        .motion = p->motion,
        .position = p->position,
        .references = p->s.reference,
        .lattice = *p->lattice,
        .listed = (size_t)p->s.count,
    };
}

ERG_FN void advance_singles(const ergi_motion_pass *p, erg_index begin, erg_index end,
                            const bool finish, const bool start, const bool energy,
                            const bool extras, ergi_report *report)
{
    const single_pass s = single_pass_of(p);
    const ergi_row    sure = ergi_row_all(ERGI_R(SURE_WAY));
    const erg_real   *loads = load_of(&p->s, (size_t)begin);
    ergi_rows_mask    fast = ergi_rows_unmarked();
    ergi_row_mask     far = {0};
    double            power_before = 0, power_after = 0;
    for (size_t i = (size_t)begin; i < (size_t)end;) {
        ergi_rows before = ergi_rows_all(0), after = ergi_rows_all(0);
        size_t    from = i, stop = i + POWERS < (size_t)end ? i + POWERS : (size_t)end;
        for (; i < stop; i++, loads += 8) {
            ergi_rows m = ergi_rows_load(s.motion + 8 * i), load = ergi_rows_load(loads);
            ergi_rows rate = kick_rate(m, load, s.kick.gravity);
            if (finish) {
                ergi_rows old = m;
                m = kicked(m, rate, s.kick.after);
                if (energy) after = ergi_rows_add(after, kick_power(load, old, m));
                if (extras) m = ergi_rows_mul(m, s.kick.kept);
            }
            if (start) {
                ergi_rows old = m;
                m = kicked(m, rate, s.kick.before);
                if (energy) before = ergi_rows_add(before, kick_power(load, old, m));
            }
            ergi_rows_store(s.motion + 8 * i, m);
            fast = ergi_rows_mark_beyond(fast, ergi_rows_mul(m, s.kick.step), s.slow);
            if (!start) continue;
            ergi_row64 now = ergi_row64_load(s.position + 4 * i) +
                             ergi_row_widen(ergi_rows_low(m)) * s.kick.drift;
            ergi_row64_store(s.position + 4 * i, now);
            if (i >= s.listed) continue; // added since: it has no lists yet
            place_row place = place_of_position(now, &s.lattice);
            far |= ergi_row_beyond(place_way(place, place_load(s.references, i)), sure);
        }
        if (extras && start && p->orient) turn_bodies(p, from, stop);
        if (energy) {
            power_before += rows_sum(before);
            power_after += rows_sum(after);
        }
    }
    report->work[0] = 0.5 * (1 - p->kick) * p->dt * power_after;
    report->work[1] = 0.5 * p->kick * p->dt * power_before;
    if (ergi_rows_marked(fast)) note_speeds(p, begin, end, report);
    if (ergi_row_marked(far))
        note_ways(p, (size_t)begin, (size_t)(end < p->s.count ? end : p->s.count), report);
}

#endif
