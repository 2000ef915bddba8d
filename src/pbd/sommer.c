// The algorithm of Sommer et al. 2022 (after Macklin et al. 2014), for comparison: position-based
// contacts, Jacobi iteration with averaging, friction without history, no spin. Its heaps creep.
//
// Two corrections to the paper as printed: friction acts on the whole tangential displacement since
// the start of the step, not only on the contact's correction, and is limited by the overlap, not
// by the diameter. Walls are exact surfaces instead of sampled particles.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "pbd/pbd.h"

enum { STABILISING = 2, SOLVING = 4 }; // iterations

typedef struct ergi_pbd_jacobi {
    const erg_world *world;
    const ergi_pbd  *pbd;
    float           *sum; // of corrections, 4 per row: x y z and their number
} jacobi;

static const float *move_of(const jacobi *j, uint32_t row)
{
    return j->pbd->row + ERGI_PBD_ROW * (size_t)row;
}

static float inverse_mass(const jacobi *j, uint32_t row)
{
    return j->pbd->row[ERGI_PBD_ROW * (size_t)row + ERGI_PBD_W];
}

// Overlap and normal of a lane: at the start of the step, or (`moved`) after its displacement.
static float depth_at(const jacobi *j, const ergi_pbd_group *g, uint32_t l, bool walls, bool moved,
                      float n[3])
{
    const float *sa = j->pbd->shift + 4 * (size_t)g->a[l],
                *sb = j->pbd->shift + 4 * (size_t)g->b[l];
    const float *ma = move_of(j, g->a[l]), *mb = move_of(j, g->b[l]);
    float        s[3], len2 = 0;
    for (int k = 0; k < 3; k++) s[k] = sa[k] - sb[k] + (moved ? ma[k] - mb[k] : 0);
    if (walls) {
        for (int k = 0; k < 3; k++) n[k] = g->x[k][l];
        return g->gap[l] - (n[0] * s[0] + n[1] * s[1] + n[2] * s[2]);
    }
    for (int k = 0; k < 3; k++) {
        n[k] = g->x[k][l] + s[k];
        len2 += n[k] * n[k];
    }
    float len = sqrtf(len2);
    for (int k = 0; k < 3; k++) n[k] = len > 0 ? n[k] / len : (float)(k == 2);
    return g->gap[l] - len;
}

static void add(const jacobi *j, uint32_t row, float share, const float d[3])
{
    float *sum = j->sum + 4 * (size_t)row;
    for (int k = 0; k < 3; k++) sum[k] += share * d[k];
    sum[3] += 1;
}

// Normal correction, and friction: static up to mu_s times the overlap, else kinetic.
static void correct(const jacobi *j, ergi_pbd_group *g, uint32_t l, bool walls, bool solving)
{
    float n[3], d[3], depth = depth_at(j, g, l, walls, solving, n);
    if (!(depth > 0)) return;
    float wa = inverse_mass(j, g->a[l]), wb = inverse_mass(j, g->b[l]), w = wa + wb;
    for (int k = 0; k < 3; k++) d[k] = depth * n[k];
    if (solving) {
        uint32_t            law_index = j->world->materials > 1 ? g->law[l] : 0;
        const ergi_pbd_law *law = j->pbd->law + law_index;
        const float        *ma = move_of(j, g->a[l]), *mb = move_of(j, g->b[l]);
        float               u[3], along = 0, size2 = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = ma[k] - mb[k] + d[k];
            along += u[k] * n[k];
        }
        for (int k = 0; k < 3; k++) {
            u[k] -= along * n[k];
            size2 += u[k] * u[k];
        }
        float size = sqrtf(size2), share = 1;
        if (size >= law->friction_static * depth)
            share = fminf(law->friction * depth / fmaxf(size, 1e-30f), 1);
        for (int k = 0; k < 3; k++) d[k] -= share * u[k];
        g->p[l] += depth / w / SOLVING;
    }
    add(j, g->a[l], wa / w, d);
    add(j, g->b[l], -wb / w, d);
}

static void pass(const jacobi *j, bool solving)
{
    ergi_pbd *pbd = ergi_pbd_of(j->world);
    size_t    n = j->world->grains.rows;
    memset(j->sum, 0, 4 * pbd->rows * sizeof *j->sum);
    for (size_t t = 0; t < pbd->tasks; t++)
        for (size_t k = 0; k < pbd->task[t].groups; k++) {
            ergi_pbd_group *g = pbd->group + pbd->task[t].group + k;
            for (uint32_t l = 0; l < g->count; l++) correct(j, g, l, pbd->task[t].walls, solving);
        }
    for (size_t i = 0; i < n; i++) {
        const float *sum = j->sum + 4 * i;
        float       *to = solving ? pbd->row + ERGI_PBD_ROW * i : pbd->shift + 4 * i;
        for (int k = 0; k < 3 && sum[3] > 0; k++) to[k] += sum[k] / sum[3];
    }
}

// Stores P for output (contact list, forces). The next step does not use it.
static void keep(ergi_pbd *pbd)
{
    for (size_t t = 0; t < pbd->tasks; t++)
        for (size_t k = 0; k < pbd->task[t].groups; k++) {
            ergi_pbd_group *g = pbd->group + pbd->task[t].group + k;
            float          *history = pbd->task[t].walls ? pbd->touch_history
                                                         : (float *)pbd->pairs.pair.data[ERGI_PAIRS_HISTORY];
            g->touched = 0;
            for (uint32_t l = 0; l < g->count; l++) {
                float *h = history + ERGI_PBD_HISTORY * (size_t)g->entry[l];
                memset(h, 0, ERGI_PBD_HISTORY * sizeof *h);
                h[ERGI_PBD_P] = g->p[l];
                g->touched |= (uint32_t)(g->p[l] > 0) << l;
                if (!pbd->task[t].walls) pbd->held[g->entry[l]] = g->p[l] != 0;
            }
        }
}

erg_status ergi_pbd_sommer(erg_world *world, const ergi_pbd_pass *own, double dt, erg_error *err)
{
    static const ergi_pbd_sweep find[] = {ERGI_PBD_FIND},
                                move[] = {ERGI_PBD_ADVANCE, ERGI_PBD_FINISH};
    ergi_pbd *pbd = ergi_pbd_of(world);
    jacobi    j = {.world = world, .pbd = pbd};
    j.sum = ergi_memory_new(4 * pbd->rows + 4, sizeof *j.sum, "corrections", err);
    if (!j.sum) return ERG_NO_MEMORY;
    ergi_pbd_sweeps(world, own, dt, find, 1);
    for (size_t t = 0; t < pbd->tasks; t++)
        for (size_t k = 0; k < pbd->task[t].groups; k++) {
            ergi_pbd_group *g = pbd->group + pbd->task[t].group + k;
            memset(g->p, 0, sizeof g->p);
            memset(g->pt, 0, sizeof g->pt);
            memset(g->q, 0, sizeof g->q);
        }
    for (int k = 0; k < STABILISING; k++) pass(&j, false);
    for (int k = 0; k < SOLVING; k++) pass(&j, true);
    keep(pbd);
    ergi_memory_free(j.sum);
    ergi_pbd_sweeps(world, own, dt, move, 2);
    return ERG_OK;
}
