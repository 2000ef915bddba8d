// LAMMPS as a peer: pair_style gran/hertz/history with walls of the same law; fix rigid/small moves
// grains of several spheres.
//
// Identical: the state, density, walls, gravity, time step, friction, elastic constants of Hertz
// (4/3 E*) and Mindlin (8 G*). Differences are listed in `unmatched` below.
#include "input_file.h"
#include "lammps_input.h"
#include "peer.h"
#include "peer_tools.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct lammps {
    const peer_state *state;
    char              folder[4200]; // of its files
    char              version[64];
    double            skin; // [m]
    bool              newton;
    const char       *layout; // how ranks divide the box
} lammps;

static const peer_program PROGRAM = {"LAMMPS", "lammps", "ERG_LAMMPS", "lmp"};

static erg_status run(const lammps *l, const char *script, uint64_t steps, int ranks,
                      erg_error *err)
{
    char step_count[32], skin[32];
    snprintf(step_count, sizeof step_count, "%" PRIu64, steps);
    snprintf(skin, sizeof skin, "%g", l->skin);
    const peer_variable variables[] = {{"steps", step_count},
                                       {"skin", skin},
                                       {"newton", l->newton ? "on" : "off"},
                                       {"layout", l->layout},
                                       {NULL, NULL}};
    return peer_run_ranks(&PROGRAM, l->folder, script, ranks, variables, err);
}

// ---- Parsing the output ------------------------------------------------------------------------
// The last "98.7% CPU use with ...": mean of the ranks [%].
static double cpu_use(const char *text)
{
    double      number = (double)NAN;
    const char *words = "% CPU use with ";
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
        const char *begin = at;
        while (begin > text && begin[-1] != '\n') begin--;
        number = strtod(begin, NULL);
    }
    return number;
}

// Mean of the ranks [bytes].
static double memory_of(const char *text)
{
    const char *words = "Per MPI rank memory allocation (min/avg/max) = ";
    const char *at = strstr(text, words);
    double      least, mean;
    bool        told = at && sscanf(at + strlen(words), "%lf | %lf", &least, &mean) == 2;
    return told ? 1048576.0 * mean : (double)NAN;
}

// ---- Timed window ------------------------------------------------------------------------------
static erg_status run_window(void *self, uint64_t steps, int ranks, peer_window *window,
                             erg_error *err)
{
    lammps           *l = self;
    const peer_state *p = l->state;
    erg_status        status = run(l, "window.in", steps, ranks, err);
    if (status != ERG_OK) return status;
    char *text = output_text(l->folder, "output.txt");
    if (!text)
        return bench_fail(err, ERG_IO, "cannot read the output of LAMMPS in '%s'", l->folder);
    char *timed = strstr(text, "ERG timed"); // the final evaluation follows
    if (timed) *timed = '\0';
    double rebuilds = output_gain(text, "Neighbor list builds = ");
    window->wall = output_number(text, "Loop time of ");
    window->cpu = window->wall * 0.01 * cpu_use(text) * (double)ranks;
    window->rebuilds = rebuilds > 0 ? (uint64_t)rebuilds : 0;
    window->bytes = memory_of(text) * (double)ranks / (double)p->spheres;
    window->skin = l->skin;
    if (timed) *timed = 'E';
    window->coordination = output_number(text, "ERG coordination ");
    window->kinetic = output_number(text, "ERG kinetic ") / peer_energy_scale(p);
    free(text);
    if (window->wall > 0) return ERG_OK;
    return bench_fail(err, ERG_IO, "LAMMPS printed no loop time; see output.txt in '%s'",
                      l->folder);
}

// ---- Tuning ------------------------------------------------------------------------------------
// Tunes one setting after the other: the skin, newton, and the layout of the ranks.
static erg_status tune(void *self, int ranks, erg_error *err)
{
    lammps    *l = self;
    peer_trial trial = peer_trial_of(&PEER_LAMMPS, l, l->state, ranks);
    double     least, now;
    l->newton = false;
    l->layout = PEER_LAYOUT;
    erg_status status = peer_try_skins(&trial, &l->skin, l->state->radius, &least, err);
    l->newton = true;
    if (status == ERG_OK) status = peer_try(&trial, &now, err);
    if (status != ERG_OK) return status;
    l->newton = now < least;
    least = fmin(least, now);
    status = peer_try_layouts(&trial, &l->layout, &least, err);
    if (status != ERG_OK) return status;
    bench_say("LAMMPS on %d rank%s runs fastest with skin %g mm, newton %s and processors %s",
              ranks, ranks > 1 ? "s" : "", 1e3 * l->skin, l->newton ? "on" : "off", l->layout);
    return ERG_OK;
}

static erg_status come_to_rest(lammps *l, int ranks, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/" LAMMPS_REST, l->folder);
    if (access(path, R_OK) == 0) return ERG_OK;
    bench_say("settling the grains in LAMMPS with its own contact law");
    return run(l, "rest.in", 0, ranks, err);
}

static erg_status begin(lammps *l, const char *cache, int ranks, erg_error *err)
{
    erg_status status = input_folder(l->folder, cache, "lammps", l->state, err);
    if (status == ERG_OK)
        status = peer_ask_version(&PROGRAM, l->folder, "LAMMPS (", l->version, err);
    if (status == ERG_OK) status = lammps_write_window(l->folder, l->state, err);
    if (status == ERG_OK) status = lammps_write_state(l->folder, l->state, err);
    if (status == ERG_OK && l->state->at_rest) status = come_to_rest(l, ranks, err);
    return status;
}

static erg_status prepare(const peer_state *state, const char *cache, int ranks, void **self,
                          erg_error *err)
{
    lammps *l = malloc(sizeof *l);
    if (!l) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    *l = (lammps){.state = state, .skin = 0.1 * state->radius, .layout = PEER_LAYOUT};
    erg_status status = begin(l, cache, ranks, err);
    if (status != ERG_OK) free(l);
    *self = status == ERG_OK ? l : NULL;
    return status;
}

static void describe(const void *self, char version[64], char settings[128])
{
    const lammps *l = self;
    snprintf(version, 64, "%s", l->version);
    snprintf(settings, 128, "skin %g mm, newton %s, processors %s, one MPI rank per thread",
             1e3 * l->skin, l->newton ? "on" : "off", l->layout);
}

static bool knows(peer_scene scene)
{
    (void)scene;
    return true;
}

const peer PEER_LAMMPS = {
    .name = "lammps",
    .code = "LAMMPS gran/hertz/history",
    .unmatched =
        "LAMMPS: damping is that of e = 0.58 at 1 m/s, not 0.65; a contact may pull as it ends; "
        "the tangential displacement is kept when the overlap grows; all in double precision",
    .rolling_code = "LAMMPS granular hertz/material, mindlin, rolling sds",
    .rolling_unmatched =
        "LAMMPS: damping is that of e = 0.58 at 1 m/s, not 0.65; a contact may pull as it ends; "
        "the tangential displacement is kept when the overlap grows; rolling stiffness and damping "
        "are constant; all in double precision",
    .knows = knows,
    .prepare = prepare,
    .tune = tune,
    .run = run_window,
    .describe = describe,
    .free = free,
};
