// LIGGGHTS as a peer: Hertz with tangential history, walls of the same law, clumps as multispheres.
//
// Identical: positions, velocities, radii, density, walls, gravity, time step, friction, elastic
// constants, restitution. Differences are listed in `unmatched`.
#include "input_file.h"
#include "liggghts_input.h"
#include "peer.h"
#include "peer_tools.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct liggghts {
    const peer_state *state;
    char              folder[4200]; // of its files
    char              version[64];
    double            skin;   // [m]
    const char       *layout; // how ranks divide the box
} liggghts;

static const peer_program PROGRAM = {"LIGGGHTS", "liggghts", "ERG_LIGGGHTS", "liggghts"};

static erg_status run(const liggghts *l, const char *script, uint64_t steps, int ranks,
                      erg_error *err)
{
    char step_count[32], skin[32];
    snprintf(step_count, sizeof step_count, "%" PRIu64, steps);
    snprintf(skin, sizeof skin, "%g", l->skin);
    const peer_variable variables[] = {
        {"steps", step_count}, {"skin", skin}, {"layout", l->layout}, {NULL, NULL}};
    return peer_run_ranks(&PROGRAM, l->folder, script, ranks, variables, err);
}

// ---- Parsing the output ------------------------------------------------------------------------
// Processor time of the first rank, from two lines of user and system time; nan if they are missing
// [s].
static double cpu_time(const liggghts *l)
{
    double user[2], system[2], seconds = (double)NAN;
    char  *text = output_text(l->folder, "cpu.txt");
    if (text && sscanf(text, "%lf %lf %lf %lf", &user[0], &system[0], &user[1], &system[1]) == 4)
        seconds = (user[1] - user[0] + system[1] - system[0]) / (double)sysconf(_SC_CLK_TCK);
    free(text);
    return seconds;
}

static void read_window(const liggghts *l, const char *text, int ranks, peer_window *window)
{
    double spheres = (double)l->state->spheres;
    double rebuilds = output_gain(text, "Neighbor list builds = ");
    window->wall = output_number(text, "Loop time of ");
    window->cpu = cpu_time(l) * (double)ranks;
    window->coordination = output_number(text, "ERG coordination ");
    window->kinetic = output_number(text, "ERG kinetic ") / peer_energy_scale(l->state);
    window->bytes =
        output_number(text, "Memory usage per processor = ") * 1048576.0 * (double)ranks / spheres;
    window->skin = l->skin;
    window->rebuilds = rebuilds > 0 ? (uint64_t)rebuilds : 0;
}

static erg_status run_window(void *self, uint64_t steps, int ranks, peer_window *window,
                             erg_error *err)
{
    const liggghts *l = self;
    char            path[4300];
    snprintf(path, sizeof path, "%s/cpu.txt", l->folder);
    (void)unlink(path);
    erg_status status = run(l, "window.in", steps, ranks, err);
    if (status != ERG_OK) return status;
    char *text = output_text(l->folder, "output.txt");
    if (!text)
        return bench_fail(err, ERG_IO, "cannot read the output of LIGGGHTS in '%s'", l->folder);
    read_window(l, text, ranks, window);
    free(text);
    if (!(window->wall > 0))
        return bench_fail(err, ERG_IO, "LIGGGHTS printed no loop time; see output.txt in '%s'",
                          l->folder);
    return ERG_OK;
}

// ---- Preparation -------------------------------------------------------------------------------
static erg_status come_to_rest(liggghts *l, int ranks, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/" LIGGGHTS_REST, l->folder);
    if (!liggghts_keeps(l->state) || access(path, R_OK) == 0) return ERG_OK;
    bench_say("settling the grains in LIGGGHTS with its own contact law");
    erg_status status = liggghts_write_rest(l->folder, l->state, err);
    return status == ERG_OK ? run(l, "rest.in", 0, ranks, err) : status;
}

static erg_status prepare(const peer_state *state, const char *cache, int ranks, void **self,
                          erg_error *err)
{
    liggghts *l = calloc(1, sizeof *l);
    *self = l;
    if (!l) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    l->state = state;
    l->skin = 0.2 * state->radius;
    l->layout = PEER_LAYOUT;
    erg_status status = input_folder(l->folder, cache, "liggghts", state, err);
    if (status == ERG_OK)
        status = peer_ask_version(&PROGRAM, l->folder, "LIGGGHTS (Version ", l->version, err);
    if (status == ERG_OK) status = liggghts_write_window(l->folder, state, err);
    if (status == ERG_OK) status = come_to_rest(l, ranks, err);
    if (status == ERG_OK) return ERG_OK;
    free(l);
    *self = NULL;
    return status;
}

// Not for clumps: they must be inserted for every window, so each trial would take minutes.
static erg_status tune(void *self, int ranks, erg_error *err)
{
    liggghts  *l = self;
    peer_trial trial = peer_trial_of(&PEER_LIGGGHTS, l, l->state, ranks);
    double     wall;
    if (l->state->spheres > l->state->grains) return ERG_OK;
    l->layout = PEER_LAYOUT;
    erg_status status = peer_try_skins(&trial, &l->skin, l->state->radius, &wall, err);
    return status == ERG_OK ? peer_try_layouts(&trial, &l->layout, &wall, err) : status;
}

static void describe(const void *self, char version[64], char settings[128])
{
    const liggghts *l = self;
    snprintf(version, 64, "%s", l->version);
    snprintf(settings, 128, "skin %g mm, newton off, processors %s, one MPI rank per thread",
             1e3 * l->skin, l->layout);
}

static bool knows(peer_scene scene)
{
    return scene == PEER_PACK || scene == PEER_HOPPER || scene == PEER_TETRA;
}

const peer PEER_LIGGGHTS = {
    .name = "liggghts",
    .code = "LIGGGHTS hertz tangential history",
    .unmatched = "LIGGGHTS: damping follows e at every speed, in the tangential direction by its "
                 "own rule; a contact may pull as it ends; the tangential displacement is kept "
                 "when the overlap grows; a silo has flat facets; all in double precision",
    .knows = knows,
    .prepare = prepare,
    .tune = tune,
    .run = run_window,
    .describe = describe,
    .free = free,
};
