// Number of solver iterations per substep. One is enough for sand under its own weight, since
// multipliers converge over many substeps. Under a heavy body or a press a small error of a
// multiplier is large compared with the weight of a grain, and sand that falls on a deep bed comes
// to rest faster than they converge: the bed would be crushed. So the
// number rises while the spheres of some region overlap by too much, and falls after a delay. It
// depends on the state alone.
#include "pbd/pbd.h"

#define CROWDED 0.05   // mean overlap of a region, share of the smaller radius
#define LOOSE 0.03     // below it fewer iterations will do
#define LEAST 200      // contacts of a region; a few grains may be wedged in without remedy
#define MOST 32        // iterations
#define LOOSE_TIME 0.5 // delay before the number falls [s]

int ergi_pbd_iterations(const erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    if (world->def.pbd.iterations > 0) return world->def.pbd.iterations;
    if (world->def.pbd.variant == ERG_PBD_SOMMER) return 4;
    return pbd->state.iterations > 1 ? (int)pbd->state.iterations : 1;
}

// The largest mean overlap of the contacts between two chunks, or within one.
static double most_crowded(const ergi_pbd *pbd)
{
    double most = 0;
    for (size_t t = 0; t < pbd->tasks; t++) {
        const ergi_pbd_task *k = &pbd->task[t];
        if (k->walls || k->groups == 0 || k->overlapping < LEAST) continue;
        double mean = (double)k->overlap / k->overlapping;
        if (mean > most) most = mean;
    }
    return most;
}

void ergi_pbd_adapt_iterations(erg_world *world, double dt)
{
    ergi_pbd_state *s = &ergi_pbd_of(world)->state;
    double          overlap = most_crowded(ergi_pbd_of(world));
    uint64_t        now = (uint64_t)ergi_pbd_iterations(world);
    if (overlap > CROWDED) {
        s->iterations = 2 * now < MOST ? 2 * now : MOST;
        s->loose = 0;
    } else if (overlap > LOOSE || now == 1) {
        s->loose = 0;
    } else if ((s->loose += dt) > LOOSE_TIME) {
        s->iterations = now / 2;
        s->loose = 0;
    }
}
