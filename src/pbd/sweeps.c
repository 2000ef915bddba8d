// Runs tasks on threads. All tasks of all sweeps form one task queue, from which each thread takes
// the next. A task starts when all earlier tasks on its chunks are done. So the contacts of any
// grain are solved in a fixed order, and there is no barrier between sweeps. There is no deadlock:
// the earliest unfinished task never has to wait.
#include <math.h>
#include <sched.h>

#include "pbd/pbd.h"

// Contacts of bodies are swept until nothing moves by more than this share of the distance below
// which nothing rebounds (2 g dt^2).
#define BODY_ACCURACY 1e-6

#define MOST_REBOUNDS 32 // sweeps over contacts of bodies that rebound

#define SPINS 2000 // polls before the thread yields

ergi_pbd_pass ergi_pbd_pass_of(const erg_world *world, double dt)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    const double   *g = world->clock.gravity;
    double          before = pbd->state.dt, change = before > 0 ? dt / before : 1;
    double          fall = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * dt * dt;
    double          floor = 1e-4 * pbd->radius;
    return (ergi_pbd_pass){.row = pbd->row,
                           .shift = pbd->shift,
                           .tensor = pbd->tensor,
                           .position = ergi_pbd_sphere_positions(world),
                           .reach = pbd->reach,
                           .offset = pbd->offset,
                           .body = pbd->single ? NULL : pbd->sphere_grain,
                           .material = world->materials > 1 ? pbd->sphere_material : NULL,
                           .law = pbd->law,
                           .history = pbd->pairs.pair.data[ERGI_PAIRS_HISTORY],
                           .held = pbd->held,
                           .wall_history = pbd->touch_history,
                           .candidate = pbd->candidate,
                           .colour = pbd->colour,
                           .group = pbd->group,
                           .space = world->space,
                           .materials = (uint32_t)world->materials,
                           .spare = (uint32_t)world->grains.rows,
                           .scale = (float)(change * change),
                           .threshold = (float)(2 * fall > floor ? 2 * fall : floor),
                           .dt2 = (float)(dt * dt),
                           .rolling = pbd->rolling,
                           .rebound = pbd->rebound,
                           .cohesion = pbd->cohesion,
                           .clumps = !pbd->single,
                           .general = pbd->general};
}

typedef struct ergi_pbd_run {
    erg_world            *world;
    ergi_pbd             *pbd;
    double                dt;
    const ergi_pbd_pass  *pass;
    const ergi_pbd_sweep *sweep;
    uint32_t              sweeps;
    _Atomic uint32_t      next;
} run;

static void wait_for(const ergi_pbd *pbd, uint32_t chunk, uint32_t turn)
{
    for (int k = 0; atomic_load_explicit(&pbd->turns[chunk], memory_order_acquire) != turn; k++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        if (k > SPINS) {
            sched_yield();
            k = 0;
        }
    }
}

// The wall task is the last on its chunk in every sweep, so it also does the work per grain.
static void do_task(const run *r, ergi_pbd_task *t, ergi_pbd_sweep sweep)
{
    const ergi_pbd_kernels *kernels = r->pbd->kernels;
    switch (sweep) {
    case ERGI_PBD_FIND_STABILISE:
    case ERGI_PBD_FIND:
        if (!t->walls) kernels->find(r->pass, t);
        if (sweep == ERGI_PBD_FIND_STABILISE) kernels->sweep(r->pass, t, ERGI_PBD_STABILISE);
        break;
    case ERGI_PBD_ADVANCE:
        if (t->walls) ergi_pbd_advance(r->world, t->chunk[0], r->dt);
        break;
    case ERGI_PBD_FINISH:
        if (t->walls) ergi_pbd_finish(r->world, t->chunk[0], r->dt);
        break;
    default: kernels->sweep(r->pass, t, sweep); break;
    }
}

static void run_tasks(void *ctx, int part)
{
    (void)part;
    run      *r = ctx;
    ergi_pbd *pbd = r->pbd;
    uint32_t  tasks = (uint32_t)pbd->tasks, all = tasks * r->sweeps;
    for (;;) {
        uint32_t next = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
        if (next >= all) return;
        uint32_t       s = next / tasks;
        ergi_pbd_task *t = &pbd->task[next % tasks];
        uint32_t       a = t->chunk[0], b = t->chunk[1];
        wait_for(pbd, a, s * pbd->task_turns[a] + t->turn[0]);
        if (a != b) wait_for(pbd, b, s * pbd->task_turns[b] + t->turn[1]);
        do_task(r, t, r->sweep[s]);
        atomic_fetch_add_explicit(&pbd->turns[a], 1, memory_order_release);
        if (a != b) atomic_fetch_add_explicit(&pbd->turns[b], 1, memory_order_release);
    }
}

static void sweep_grains(erg_world *world, const ergi_pbd_pass *pass, double dt,
                         const ergi_pbd_sweep *sweep, int count)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    run       r = {.world = world,
                   .pbd = pbd,
                   .dt = dt,
                   .pass = pass,
                   .sweep = sweep,
                   .sweeps = (uint32_t)count};
    if (pbd->tasks == 0) return;
    for (size_t c = 0; c < pbd->chunks; c++) atomic_store(&pbd->turns[c], 0);
    int parts = world->threads.count;
    if (parts > (int)pbd->chunks) parts = (int)pbd->chunks;
    ergi_parallel_parts(&world->threads, parts, run_tasks, &r);
}

// Whether contacts act in the sweep.
static bool pushes(ergi_pbd_sweep sweep)
{
    return sweep != ERGI_PBD_FIND && sweep != ERGI_PBD_ADVANCE && sweep != ERGI_PBD_FINISH;
}

// With free bodies there is a barrier between sweeps: for contacts with grains, copies of their
// rows are made before each sweep and averaged after it.
static void sweep_bodies(erg_world *world, const ergi_pbd_pass *pass, double dt,
                         ergi_pbd_sweep sweep)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    bool      touch = pbd->body_contacts > 0;
    double    enough = (double)pass->threshold * BODY_ACCURACY;
    if (sweep == ERGI_PBD_SOLVE || sweep == ERGI_PBD_SOLVE_LAST)
        for (int k = 1; k < pbd->body_sweeps && touch; k++)
            if (ergi_pbd_body_sweep(world, pass, ERGI_PBD_SOLVE) < enough) break;
    if (pushes(sweep)) ergi_pbd_body_share(world);
    sweep_grains(world, pass, dt, &sweep, 1);
    if (sweep == ERGI_PBD_ADVANCE) ergi_pbd_body_advance(world);
    if (!pushes(sweep)) return;
    ergi_pbd_body_average(world);
    if (!touch) return;
    if (sweep != ERGI_PBD_REBOUND) {
        (void)ergi_pbd_body_sweep(world, pass, sweep);
        return;
    }
    (void)ergi_pbd_body_sweep(world, pass, ERGI_PBD_REBOUND_AIM);
    for (int k = 0; k < MOST_REBOUNDS; k++)
        if (ergi_pbd_body_sweep(world, pass, ERGI_PBD_REBOUND_BODIES) < enough) break;
}

void ergi_pbd_sweeps(erg_world *world, const ergi_pbd_pass *pass, double dt,
                     const ergi_pbd_sweep *sweep, int count)
{
    if (ergi_pbd_of(world)->bodies == 0)
        sweep_grains(world, pass, dt, sweep, count);
    else
        for (int s = 0; s < count; s++) sweep_bodies(world, pass, dt, sweep[s]);
}
