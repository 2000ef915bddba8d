// Which candidate pairs become contacts in this substep: those within the sum of their reaches.
// Included only by the kernels_*.c files.
#ifndef ERGI_PBD_FIND_H
#define ERGI_PBD_FIND_H

#include "pbd/groups.h"
#include "pbd/lanes.h"

typedef double ergi_pbd_row64 __attribute__((vector_size(32)));

// The nearest image along a periodic axis.
ERGI_PBD_FN void nearest_image(const ergi_space *space, ergi_pbd_row64 *d)
{
    for (int k = 0; k < 2; k++)
        if (space->period[k] > 0)
            (*d)[k] -= space->period[k] * nearbyint((*d)[k] / space->period[k]);
}

ERGI_PBD_FN ergi_pbd_quad separation(const ergi_pbd_pass *pass, uint32_t i, uint32_t j,
                                     bool periodic)
{
    ergi_pbd_row64 xi, xj;
    memcpy(&xi, pass->position + 4 * (size_t)i, sizeof xi);
    memcpy(&xj, pass->position + 4 * (size_t)j, sizeof xj);
    ergi_pbd_row64 d = xi - xj;
    if (periodic) nearest_image(&pass->space, &d);
    return __builtin_convertvector(d, ergi_pbd_quad);
}

// Fills unused lanes with padding: a contact of the chunk's padding row with itself, with a large
// gap, so that it never acts.
static void close_group(const ergi_pbd_pass *pass, const ergi_pbd_task *task, ergi_pbd_group *g)
{
    for (uint32_t l = g->count; l < ERGI_PBD_LANES; l++) {
        g->a[l] = g->b[l] = pass->spare + task->chunk[0];
        g->law[l] = g->law[0];
        for (int k = 0; k < 3; k++) {
            g->x[k][l] = k == 2;
            g->pt[k][l] = g->q[k][l] = g->arm_a[k][l] = g->arm_b[k][l] = 0;
        }
        g->gap[l] = -1e9f;
        g->ra[l] = g->rb[l] = g->rolling_radius[l] = 1;
        g->approach[l] = g->p[l] = g->pull[l] = 0;
    }
}

// Contacts on their way into a group: eight at a time are moved from rows to lanes.
typedef struct ergi_pbd_filling {
    const ergi_pbd_candidate *candidate[ERGI_PBD_LANES];
    ergi_pbd_quad             x[ERGI_PBD_LANES]; // separation
    uint32_t                  count;
} filling;

// Fields that the laws of this world do not use are left unwritten, to save cache.
ERGI_PBD_FN void fill_group(const ergi_pbd_pass *pass, const filling *f, ergi_pbd_group *g)
{
    static const float none[ERGI_PBD_HISTORY] = {0};
    ergi_pbd_vec       h[ERGI_PBD_LANES], x[4];
    g->count = f->count;
    for (uint32_t l = 0; l < ERGI_PBD_LANES; l++) {
        const ergi_pbd_candidate *c = f->candidate[l < f->count ? l : 0];
        float ra = pass->reach[2 * (size_t)c->i + 1], rb = pass->reach[2 * (size_t)c->j + 1];
        g->a[l] = pass->body ? pass->body[c->i] : c->i;
        g->b[l] = pass->body ? pass->body[c->j] : c->j;
        g->entry[l] = c->entry;
        g->ra[l] = ra;
        g->rb[l] = rb;
        h[l] = load8(pass->held[c->entry] ? pass->history + ERGI_PBD_HISTORY * (size_t)c->entry
                                          : none);
    }
    if (pass->material)
        for (uint32_t l = 0; l < f->count; l++)
            g->law[l] = pass->material[f->candidate[l]->i] * pass->materials +
                        pass->material[f->candidate[l]->j];
    for (uint32_t l = 0; l < 4; l++)
        x[l] = ergi_pbd_shuffle(f->x[l < f->count ? l : 0], f->x[l + 4 < f->count ? l + 4 : 0], 0,
                                1, 2, 3, 4, 5, 6, 7);
    quads_transpose(x);
    transpose8(h);
    ergi_pbd_vec ra = load8(g->ra), rb = load8(g->rb);
    store8(g->gap, ra + rb);
    store8(g->p, h[ERGI_PBD_P]);
    for (int k = 0; k < 3; k++) {
        store8(g->x[k], x[k]);
        store8(g->pt[k], h[ERGI_PBD_PT + k]);
        if (pass->rolling) store8(g->q[k], h[ERGI_PBD_Q + k]);
    }
    if (pass->rolling || pass->cohesion) store8(g->rolling_radius, ra * rb / (ra + rb));
    if (!pass->clumps) return;
    for (uint32_t l = 0; l < f->count; l++)
        for (size_t k = 0; k < 3; k++) {
            g->arm_a[k][l] = pass->offset[4 * (size_t)f->candidate[l]->i + k];
            g->arm_b[k][l] = pass->offset[4 * (size_t)f->candidate[l]->j + k];
        }
}

ERGI_PBD_FN void find_in(const ergi_pbd_pass *pass, ergi_pbd_task *task, bool periodic)
{
    ergi_pbd_group *g = pass->group + task->group;
    filling         f = {.count = 0};
    task->groups = 0;
    for (size_t k = task->colour; k < task->colour + task->colours; k++) {
        for (size_t n = pass->colour[k].first; n < pass->colour[k].end; n++) {
            const ergi_pbd_candidate *c = pass->candidate + n;
            ergi_pbd_quad             d = separation(pass, c->i, c->j, periodic);
            float reach = pass->reach[2 * (size_t)c->i] + pass->reach[2 * (size_t)c->j];
            // About half of the candidates are in contact, which no processor can predict: added
            // without a branch.
            uint8_t near = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach;
            f.candidate[f.count] = c;
            f.x[f.count] = d;
            f.count += near;
            if (pass->held[c->entry] > near) {
                memset(pass->history + ERGI_PBD_HISTORY * (size_t)c->entry, 0,
                       ERGI_PBD_HISTORY * sizeof *pass->history);
                pass->held[c->entry] = 0;
            }
            // History is in list order, not colour order.
            __builtin_prefetch(pass->history + ERGI_PBD_HISTORY * (size_t)c->entry, 1);
            if (f.count < ERGI_PBD_LANES) continue;
            fill_group(pass, &f, g++);
            task->groups++;
            f.count = 0;
        }
        if (f.count == 0) continue;
        fill_group(pass, &f, g);
        close_group(pass, task, g++);
        task->groups++;
        f.count = 0;
    }
}

static void find(const ergi_pbd_pass *pass, ergi_pbd_task *task)
{
    if (pass->space.period[0] > 0 || pass->space.period[1] > 0)
        find_in(pass, task, true);
    else
        find_in(pass, task, false);
}

#endif
