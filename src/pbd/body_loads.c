// What rests on what, and light bodies under heavy ones.
//
// A sweep moves forces across the contacts of a light body only slowly: a heavy body on it pushes
// it down, the floor pushes it back, and it takes about as many rounds as the ratio of the masses
// until both pushes agree. Meanwhile the heavy body sinks in. So a body that rests on something and
// carries more than MOST_LOAD times its own mass gets inertia, but not weight: it counts as
// load/MOST_LOAD in this substep, and falls accordingly less. At rest all forces are the right
// ones; when it is moved together with its load, the sum of both is too heavy by 1/MOST_LOAD. The
// number of sweeps grows with the load. A body that rests on nothing keeps its mass, so that
// collisions conserve momentum.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pbd/pbd.h"
#include "world/body_axes.h"

#define UPRIGHT 0.3 // least vertical part of the normal of a contact that carries
#define FLOATING UINT32_MAX
#define MOST_LOAD 50.0
#define SWEEPS 8       // over contacts of bodies per solve of all contacts, at least
#define MOST_SWEEPS 48 // where loads are heavy

uint32_t ergi_pbd_body_level(const ergi_pbd *pbd, uint32_t wall)
{
    uint32_t number = pbd->body_of[wall];
    return number == UINT32_MAX ? 0 : pbd->body[number].level;
}

// ---- Pairs -------------------------------------------------------------------------------------
static int by_walls(const void *a, const void *b)
{
    const ergi_pbd_body_pair *p = a, *q = b;
    if (p->above != q->above) return p->above < q->above ? -1 : 1;
    return p->below < q->below ? -1 : p->below > q->below;
}

static int downwards(const void *a, const void *b)
{
    const ergi_pbd_body_pair *p = a, *q = b;
    if (p->level != q->level) return p->level > q->level ? -1 : 1;
    return by_walls(a, b);
}

// The free bodies that lie on something, or are about to. Returns the number of pairs.
static erg_status find_pairs(erg_world *world, size_t *pairs, erg_error *err)
{
    ergi_pbd           *pbd = ergi_pbd_of(world);
    const double       *g = world->clock.gravity;
    erg_vec3            down = {g[0], g[1], g[2]};
    double              least = UPRIGHT * ergi_norm(down);
    size_t              count = 0;
    ergi_pbd_body_pair *last = NULL;
    *pairs = 0;
    if (!(least > 0)) return ERG_OK;
    erg_status status =
        ergi_memory_grow(&pbd->body_pair, &pbd->body_pair_room, pbd->body_contacts + 1,
                         sizeof *pbd->body_pair, "contacts of bodies", err);
    if (status != ERG_OK) return status;
    for (size_t n = 0; n < pbd->body_contacts; n++) {
        const ergi_pbd_body_contact *c = &pbd->body_contact[n];
        double                       up = -ergi_dot(c->normal, down);
        uint32_t above = up > 0 ? c->own : c->other, below = up > 0 ? c->other : c->own;
        if (fabs(up) < least || pbd->body_of[above] == UINT32_MAX) continue;
        bool carries = c->history[ERGI_PBD_P] != 0;
        if (last && last->above == above && last->below == below) {
            last->carries |= carries;
            continue;
        }
        last = &pbd->body_pair[count++];
        *last = (ergi_pbd_body_pair){.above = above, .below = below, .carries = carries};
    }
    if (count) qsort(pbd->body_pair, count, sizeof *pbd->body_pair, by_walls);
    for (size_t k = 0; k < count; k++) { // each pair has contacts in both directions
        last = *pairs ? &pbd->body_pair[*pairs - 1] : NULL;
        if (last && by_walls(last, &pbd->body_pair[k]) == 0)
            last->carries |= pbd->body_pair[k].carries;
        else
            pbd->body_pair[(*pairs)++] = pbd->body_pair[k];
    }
    return ERG_OK;
}

static void find_levels(ergi_pbd *pbd, size_t pairs)
{
    bool changed = true;
    for (size_t round = 0; changed && round < pbd->bodies; round++) {
        changed = false;
        for (size_t k = 0; k < pairs; k++) {
            const ergi_pbd_body_pair *p = &pbd->body_pair[k];
            ergi_pbd_body            *body = &pbd->body[pbd->body_of[p->above]];
            uint32_t                  level = ergi_pbd_body_level(pbd, p->below);
            if (!p->carries || level == FLOATING || body->level <= level + 1) continue;
            body->level = level + 1;
            changed = true;
        }
    }
}

// ---- Loads -------------------------------------------------------------------------------------
static bool rests(const ergi_pbd *pbd, const ergi_pbd_body_pair *p)
{
    return ergi_pbd_body_level(pbd, p->below) < p->level;
}

// From the top downwards. A body that rests on several loads them equally.
static void find_loads(erg_world *world, size_t pairs)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pairs; k++) {
        ergi_pbd_body_pair *p = &pbd->body_pair[k];
        p->level = ergi_pbd_body_level(pbd, p->above);
        pbd->body[pbd->body_of[p->above]].supports += rests(pbd, p);
    }
    if (pairs) qsort(pbd->body_pair, pairs, sizeof *pbd->body_pair, downwards);
    for (size_t k = 0; k < pairs; k++) {
        const ergi_pbd_body_pair *p = &pbd->body_pair[k];
        const ergi_pbd_body      *above = &pbd->body[pbd->body_of[p->above]];
        if (!rests(pbd, p) || pbd->body_of[p->below] == UINT32_MAX) continue;
        double mass = world->wall[p->above].body.mass + above->load;
        pbd->body[pbd->body_of[p->below]].load += mass / above->supports;
    }
}

// The rest of the weight, of which the prediction has all, is taken back.
static void add_inertia(const erg_world *world, ergi_pbd_body *body, double share, double dt)
{
    const ergi_body         *r = &world->wall[body->wall].body;
    const ergi_motion_state *m = &world->wall_state[body->wall].motion;
    const double            *g = world->clock.gravity;
    erg_vec3                 push = ergi_add(m->applied_force, m->ground_force);
    erg_vec3                 a = ergi_madd(ergi_vec3(g[0], g[1], g[2]), r->inverse_mass, push);
    erg_vec3     less = ergi_free_move(r->free_axes, ergi_scale(a, (share - 1) * dt * dt));
    const double three[3] = {less.x, less.y, less.z};
    for (int k = 0; k < 3; k++) {
        body->row[ERGI_PBD_MOVE + k] += (float)three[k];
        body->start[ERGI_PBD_MOVE + k] = body->row[ERGI_PBD_MOVE + k];
    }
    body->row[ERGI_PBD_W] *= (float)share;
    body->row[ERGI_PBD_IW] *= (float)share;
    body->shift[3] *= (float)share;
    for (int k = 0; k < 6; k++) body->tensor[k] *= (float)share;
}

erg_status ergi_pbd_body_loads(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    double    most = 0;
    size_t    pairs = 0;
    for (size_t k = 0; k < pbd->bodies; k++) {
        pbd->body[k].level = FLOATING;
        pbd->body[k].load = pbd->body[k].supports = 0;
    }
    erg_status status = find_pairs(world, &pairs, err);
    if (status != ERG_OK) return status;
    find_levels(pbd, pairs);
    find_loads(world, pairs);
    for (size_t k = 0; k < pbd->bodies; k++) {
        ergi_pbd_body *body = &pbd->body[k];
        double         ratio = body->load / world->wall[body->wall].body.mass;
        most = fmax(most, ratio);
        if (ratio > MOST_LOAD) add_inertia(world, body, MOST_LOAD / ratio, dt);
    }
    pbd->body_sweeps = (int)fmin(fmax(SWEEPS, most), MOST_SWEEPS);
    return ERG_OK;
}
