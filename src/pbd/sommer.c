// The passes of a substep (sommer.h).
//
// Two corrections to the paper as printed: friction acts on the whole tangential displacement since
// the start of the step, not only on the contact's correction, and it is limited by the depth of
// the overlap, not by the diameter; pbd.friction_limit chooses the printed limit.
//
// Corrections are computed in parallel and added in the order of the contacts.
#include <math.h>
#include <string.h>

#include "pbd/pbd.h"

enum { STABILISING = 2, CHUNK = 1024 };

typedef struct ergi_sommer_pass {
    const erg_world *world;
    ergi_sommer     *s;
    bool             solving;
} pass_of;

// Inverse masses in a contact: scaled with height, unless a free body takes part.
static void masses(const ergi_sommer *s, const ergi_sommer_contact *c, float *wa, float *wb)
{
    const ergi_sommer_particle *a = &s->particle[c->a];
    const ergi_sommer_particle *b = c->b == ERGI_SOMMER_NONE ? NULL : &s->particle[c->b];
    bool body = a->body != ERGI_SOMMER_NONE || (b && b->body != ERGI_SOMMER_NONE);
    *wa = body ? a->w : a->scaled;
    *wb = !b ? 0 : body ? b->w : b->scaled;
}

// Displacement of a relative to b: by stabilisation, and (`move`) in the substep.
static void relative(const ergi_sommer *s, const ergi_sommer_contact *c, float shift[3],
                     float move[3])
{
    const ergi_sommer_particle *a = &s->particle[c->a];
    const ergi_sommer_particle *b = c->b == ERGI_SOMMER_NONE ? NULL : &s->particle[c->b];
    for (int k = 0; k < 3; k++) {
        shift[k] = a->shift[k] - (b ? b->shift[k] : 0);
        move[k] = a->move[k] - (b ? b->move[k] : c->way[k]);
    }
}

// Depth of the overlap after a displacement s of a relative to b, and the normal towards a.
static float depth_at(const ergi_sommer_contact *c, const float s[3], float n[3])
{
    if (c->flat) {
        memcpy(n, c->x, sizeof c->x);
        return c->reach - (n[0] * s[0] + n[1] * s[1] + n[2] * s[2]);
    }
    for (int k = 0; k < 3; k++) n[k] = c->x[k] + s[k];
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) n[k] = length > 0 ? n[k] / length : (float)(k == 2);
    return c->reach - length;
}

// What friction adds: static up to mu_s times the depth, else kinetic. `u`: displacement of a
// relative to b, after the correction d.
static void rub(const ergi_pbd_law *law, float limit, const float n[3], float u[3], float d[3])
{
    float along = u[0] * n[0] + u[1] * n[1] + u[2] * n[2], size2 = 0, share = 1;
    for (int k = 0; k < 3; k++) {
        u[k] -= along * n[k];
        size2 += u[k] * u[k];
    }
    float size = sqrtf(size2);
    if (size >= law->friction_static * limit)
        share = fminf(law->friction * limit / fmaxf(size, 1e-30f), 1);
    for (int k = 0; k < 3; k++) d[k] -= share * u[k];
}

static void correct(const pass_of *t, ergi_sommer_contact *c)
{
    float shift[3], move[3], s[3], n[3];
    relative(t->s, c, shift, move);
    for (int k = 0; k < 3; k++) s[k] = shift[k] + (t->solving ? move[k] : 0);
    float depth = depth_at(c, s, n);
    for (int k = 0; k < 3; k++) c->d[k] = depth > 0 ? depth * n[k] : 0;
    if (!t->solving || !(depth > 0)) return;
    bool printed = t->world->def.pbd.friction_limit == ERG_PBD_LIMIT_DIAMETER;
    for (int k = 0; k < 3; k++) move[k] += c->d[k];
    rub(&ergi_pbd_of(t->world)->law[c->law], printed ? c->diameter : depth, n, move, c->d);
}

static void correct_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const pass_of *t = ctx;
    (void)chunk;
    for (erg_index k = begin; k < end; k++) correct(t, &t->s->contact[k]);
}

static bool acts(const ergi_sommer_contact *c)
{
    return c->d[0] != 0 || c->d[1] != 0 || c->d[2] != 0;
}

static void add(ergi_sommer_particle *p, float share, const float d[3])
{
    for (int k = 0; k < 3; k++) p->sum[k] += share * d[k];
    p->count += 1;
}

static void book_push(ergi_sommer *s, ergi_sommer_contact *c)
{
    float                       wa, wb;
    const ergi_sommer_particle *a = &s->particle[c->a];
    masses(s, c, &wa, &wb);
    for (int k = 0; k < 3; k++) c->push[k] += wa / (wa + wb) * c->d[k] / (a->count * a->w);
}

static void pass(erg_world *world, bool solving)
{
    ergi_sommer *s = &ergi_pbd_of(world)->sommer;
    pass_of      t = {.world = world, .s = s, .solving = solving};
    ergi_parallel_for(&world->threads, (erg_index)s->contacts, CHUNK, correct_range, &t);
    for (size_t i = 0; i < s->particles; i++) {
        memset(s->particle[i].sum, 0, sizeof s->particle[i].sum);
        s->particle[i].count = 0;
    }
    for (size_t k = 0; k < s->contacts; k++) {
        const ergi_sommer_contact *c = &s->contact[k];
        float                      wa, wb;
        if (!acts(c)) continue;
        masses(s, c, &wa, &wb);
        add(&s->particle[c->a], wa / (wa + wb), c->d);
        if (c->b != ERGI_SOMMER_NONE) add(&s->particle[c->b], -wb / (wa + wb), c->d);
    }
    if (solving) ergi_sommer_match(world);
    for (size_t i = 0; i < s->particles; i++) {
        ergi_sommer_particle *p = &s->particle[i];
        float                *to = solving ? p->move : p->shift;
        for (int k = 0; k < 3 && p->count > 0; k++) to[k] += p->sum[k] / p->count;
    }
    for (size_t k = 0; k < s->contacts && solving; k++)
        if (acts(&s->contact[k])) book_push(s, &s->contact[k]);
}

// ---- Output ------------------------------------------------------------------------------------
// The next substep does not use the multipliers: they are for the contact list and the forces.
static bool multipliers(const ergi_sommer_contact *c, float h[ERGI_PBD_HISTORY])
{
    static const float none[3] = {0};
    float              n[3], p = 0;
    (void)depth_at(c, none, n);
    memset(h, 0, ERGI_PBD_HISTORY * sizeof *h);
    for (int k = 0; k < 3; k++) p += c->push[k] * n[k];
    if (!(p > 0)) return false;
    h[ERGI_PBD_P] = p;
    for (int k = 0; k < 3; k++) h[ERGI_PBD_PT + k] = c->push[k] - p * n[k];
    return true;
}

static void write_pairs(erg_world *world)
{
    ergi_pbd    *pbd = ergi_pbd_of(world);
    ergi_sommer *s = &pbd->sommer;
    float       *history = pbd->pairs.pair.data[ERGI_PAIRS_HISTORY];
    size_t       rows = pbd->pairs.pair.rows;
    if (rows > 0) memset(history, 0, ERGI_PBD_HISTORY * rows * sizeof *history);
    world->clock.contacts = 0;
    for (size_t k = 0; k < s->pairs; k++)
        world->clock.contacts +=
            multipliers(&s->contact[k], history + ERGI_PBD_HISTORY * (size_t)s->entry[k]);
}

// Groups of contacts with walls, in the order in which they became contacts (`next`), or of bodies
// (next: NULL), whose contacts begin at `first`.
static void write_groups(const ergi_sommer *s, ergi_pbd_group *group, size_t groups, float *history,
                         size_t first, size_t *next)
{
    for (size_t k = 0; k < groups; k++) {
        ergi_pbd_group *g = &group[k];
        g->touched = 0;
        for (uint32_t l = 0; l < g->count; l++) {
            const ergi_sommer_contact *c = &s->contact[next ? (*next)++ : first + g->entry[l]];
            float                     *h = history + ERGI_PBD_HISTORY * (size_t)g->entry[l], n[3];
            static const float         none[3] = {0};
            g->touched |= (uint32_t)multipliers(c, h) << l;
            g->p[l] = h[ERGI_PBD_P];
            (void)depth_at(c, none, n);
            for (int d = 0; d < 3; d++) {
                g->x[d][l] = n[d];
                g->pt[d][l] = h[ERGI_PBD_PT + d];
                g->q[d][l] = 0;
            }
        }
    }
}

static void write(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    size_t    next = pbd->sommer.pairs;
    write_pairs(world);
    for (size_t t = pbd->pair_tasks; t < pbd->tasks; t++)
        write_groups(&pbd->sommer, pbd->group + pbd->task[t].group, pbd->task[t].groups,
                     pbd->touch_history, 0, &next);
    if (pbd->bodies > 0 && pbd->body_contacts > 0)
        write_groups(&pbd->sommer, pbd->body_group, pbd->body_task.groups, pbd->body_history, next,
                     NULL);
}

// Largest overlap after stabilisation, over the smaller radius.
static void find_deepest(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    pbd->deepest = 0;
    for (size_t k = 0; k < pbd->sommer.contacts; k++) {
        const ergi_sommer_contact *c = &pbd->sommer.contact[k];
        float                      shift[3], move[3], n[3];
        relative(&pbd->sommer, c, shift, move);
        float ratio = depth_at(c, shift, n) / c->radius;
        pbd->deepest = ratio > pbd->deepest ? ratio : pbd->deepest;
    }
    world->clock.max_overlap_ratio = fmax(world->clock.max_overlap_ratio, (double)pbd->deepest);
}

erg_status ergi_pbd_sommer(erg_world *world, const ergi_pbd_pass *own, double dt, erg_error *err)
{
    static const ergi_pbd_sweep move[] = {ERGI_PBD_ADVANCE, ERGI_PBD_FINISH};
    int                         iterations = ergi_pbd_iterations(world);
    erg_status                  status = ergi_sommer_particles(world, err);
    if (status == ERG_OK) status = ergi_sommer_find(world, err);
    if (status != ERG_OK) return status;
    for (int k = 0; k < STABILISING; k++) pass(world, false);
    find_deepest(world);
    for (int k = 0; k < iterations; k++) pass(world, true);
    write(world);
    ergi_sommer_settle(world);
    ergi_pbd_sweeps(world, own, dt, move, 2);
    return ERG_OK;
}
