// Motion of grains. Included by real_kernels.h only.
//
// Velocity Verlet as kick, drift, kick. Rotation likewise: the torque kicks the angular momentum,
// the rigid body rotates freely, the torque kicks again.
//
// The second kick of a step and the first kick of the next are applied in one pass.
#ifndef ERGI_MOTION_PASS_H
#define ERGI_MOTION_PASS_H

#include "dem/clump_motion.h"
#include "dem/single_motion.h"

// Adds the partner forces from other chunks, in the order of their entries.
static void add_partner_forces(const ergi_motion_pass *p, size_t first_sphere, size_t end_sphere)
{
    const erg_real *partner_force = p->partner_force;
    const uint32_t *incoming = p->incoming, *sphere = p->incoming_sphere;
    erg_real       *force_torque = force_torque_of(&p->s, first_sphere);
    uint32_t        end = p->incoming_start[end_sphere];
    for (uint32_t k = p->incoming_start[first_sphere]; k < end; k++)
        add_rows(force_torque + 8 * (sphere[k] - first_sphere),
                 ergi_rows_load(partner_force + 8 * (size_t)incoming[k]));
}

static void advance_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_motion_pass *p = ctx;
    ergi_report            *report = &p->report[chunk];
    report->displacement2 = report->speed_ratio = report->work[0] = report->work[1] = 0;
    if (p->sum) {
        size_t last = (size_t)end - 1;
        add_partner_forces(
            p, p->single ? (size_t)begin : p->first[begin],
            p->single ? (size_t)end : p->first[last] + (size_t)p->kinds[p->kind[last]].shape.count);
    }
    bool extras = p->orient || p->spin_damping > 0;
    if (!p->single)
        advance_clumps(p, begin, end, report);
    else if (extras && (p->finish || p->start))
        advance_singles(p, begin, end, p->finish, p->start, p->energy, true, report);
    else if (p->finish && p->start && p->energy)
        advance_singles(p, begin, end, true, true, true, false, report);
    else if (p->finish && p->start)
        advance_singles(p, begin, end, true, true, false, false, report);
    else if (p->finish || p->start)
        advance_singles(p, begin, end, p->finish, p->start, p->energy, false, report);
    else if (p->place)
        note_displacements(p, (size_t)begin, (size_t)end, report);
}

static void set_reference(const ergi_motion_pass *p, const float *sphere_skin, erg_index begin,
                          erg_index end)
{
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        fixed_store(p->s.reference, i,
                    fixed_reference(fixed_from(p->s.position, 4 * i, p->fixed_point),
                                    (double)sphere_skin[i], p->fixed_point));
}

#endif
