// Which candidate pairs become contacts in this substep: those within the sum of their reaches.
// Included only by the kernels_*.c files.
#ifndef ERGI_PBD_FIND_H
#define ERGI_PBD_FIND_H

#include "pbd/groups.h"
#include "pbd/lanes.h"

enum { AHEAD = 24 }; // prefetch distance for history, in candidates

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
        g->law[l] = 0;
        for (int k = 0; k < 3; k++) {
            g->x[k][l] = k == 2;
            g->pt[k][l] = g->q[k][l] = g->arm_a[k][l] = g->arm_b[k][l] = 0;
        }
        g->gap[l] = -1e9f;
        g->ra[l] = g->rb[l] = g->rolling_radius[l] = 1;
        g->approach[l] = g->p[l] = g->pull[l] = 0;
    }
}

ERGI_PBD_FN void add_contact(const ergi_pbd_pass *pass, ergi_pbd_group *g,
                             const ergi_pbd_candidate *c, ergi_pbd_quad d, const float *h)
{
    uint32_t l = g->count++;
    float    ra = (float)pass->position[4 * (size_t)c->i + 3],
          rb = (float)pass->position[4 * (size_t)c->j + 3];
    g->a[l] = pass->body ? pass->body[c->i] : c->i;
    g->b[l] = pass->body ? pass->body[c->j] : c->j;
    g->entry[l] = c->entry;
    if (pass->material) g->law[l] = pass->material[c->i] * pass->materials + pass->material[c->j];
    g->gap[l] = ra + rb;
    g->ra[l] = ra;
    g->rb[l] = rb;
    g->p[l] = h[ERGI_PBD_P];
    for (int k = 0; k < 3; k++) {
        g->x[k][l] = d[k];
        g->pt[k][l] = h[ERGI_PBD_PT + k];
    }
    // Fields that the laws of this world do not use are left unwritten, to save cache.
    if (pass->rolling || pass->cohesion) g->rolling_radius[l] = ra * rb / (ra + rb);
    if (pass->rolling)
        for (int k = 0; k < 3; k++) g->q[k][l] = h[ERGI_PBD_Q + k];
    if (!pass->general) return;
    for (int k = 0; k < 3; k++) {
        g->arm_a[k][l] = pass->offset[4 * (size_t)c->i + (size_t)k];
        g->arm_b[k][l] = pass->offset[4 * (size_t)c->j + (size_t)k];
    }
}

ERGI_PBD_FN void find_in(const ergi_pbd_pass *pass, ergi_pbd_task *task, bool periodic)
{
    ergi_pbd_group *g = pass->group + task->group;
    task->groups = 0;
    for (size_t k = task->colour; k < task->colour + task->colours; k++) {
        g->count = 0;
        for (size_t n = pass->colour[k].first; n < pass->colour[k].end; n++) {
            const ergi_pbd_candidate *c = pass->candidate + n;
            float                    *h = pass->history + ERGI_PBD_HISTORY * (size_t)c->entry;
            ergi_pbd_quad             d = separation(pass, c->i, c->j, periodic);
            float                     reach = pass->reach[c->i] + pass->reach[c->j];
            // History is in list order, not colour order, hence the prefetch. The candidate array
            // is padded, so c[AHEAD] is always readable.
            __builtin_prefetch(pass->history + ERGI_PBD_HISTORY * (size_t)c[AHEAD].entry, 1);
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach) {
                if (h[ERGI_PBD_P] != 0) memset(h, 0, ERGI_PBD_HISTORY * sizeof *h);
                continue;
            }
            add_contact(pass, g, c, d, h);
            if (g->count < ERGI_PBD_LANES) continue;
            task->groups++;
            (++g)->count = 0;
        }
        if (g->count == 0) continue;
        close_group(pass, task, g++);
        task->groups++;
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
