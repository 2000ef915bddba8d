// YADE as a peer: Hertz and Mindlin, walls of the same law, clumps; threads by OpenMP.
//
// Identical: positions, velocities, radii, density, walls, gravity, time step, friction, elastic
// constants, restitution, and in beds at rest the tangential force of each contact. Differences are
// listed in `unmatched`.
#include "command.h"
#include "input_file.h"
#include "peer.h"
#include "peer_tools.h"
#include "yade_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct yade {
    const peer_state *state;
    char              folder[4200]; // of its files
    char              version[64];
    double            skin; // between two spheres [m]
} yade;

static const char *program(void)
{
    const char *named = getenv("ERG_YADE");
    return named && *named ? named : "yade";
}

// ---- Running -----------------------------------------------------------------------------------
static erg_status run(const yade *y, const char *script, uint64_t steps, int threads,
                      erg_error *err)
{
    char thread_count[16], step_count[32], skin[32];
    snprintf(thread_count, sizeof thread_count, "-j%d", threads);
    snprintf(step_count, sizeof step_count, "STEPS=%" PRIu64, steps);
    snprintf(skin, sizeof skin, "SKIN=%g", y->skin);
    const char *argv[] = {"env", step_count, skin,   program(), thread_count,
                          "-n",  "-x",       script, NULL};
    int         code = command_run(y->folder, "output.txt", argv);
    if (code == 0) return ERG_OK;
    if (code == COMMAND_MISSING)
        return bench_fail(err, ERG_NOT_BUILT,
                          "YADE (%s) is not installed: make bench-peers installs it, or apt-get "
                          "install yade",
                          program());
    return bench_fail(err, ERG_IO, "YADE failed (exit %d) on %s/%s; see output.txt there", code,
                      y->folder, script);
}

static void read_window(const yade *y, const char *text, peer_window *window)
{
    double rebuilds = output_number(text, "ERG rebuilds ");
    window->wall = output_number(text, "ERG wall ");
    window->cpu = output_number(text, "ERG cpu ");
    window->coordination = output_number(text, "ERG coordination ");
    window->kinetic = output_number(text, "ERG kinetic ") / peer_energy_scale(y->state);
    window->bytes = output_number(text, "ERG bytes ");
    window->skin = y->skin;
    window->rebuilds = rebuilds >= 0 ? (uint64_t)rebuilds : 0;
}

static void read_version(yade *y)
{
    char       *text = output_text(y->folder, "output.txt");
    const char *begin = "ERG version ";
    const char *at = text ? strstr(text, begin) : NULL;
    at = at ? at + strlen(begin) : "unknown";
    snprintf(y->version, sizeof y->version, "%.*s", (int)strcspn(at, " \n"), at);
    free(text);
}

static erg_status run_window(void *self, uint64_t steps, int threads, peer_window *window,
                             erg_error *err)
{
    const yade *y = self;
    erg_status  status = run(y, "window.py", steps, threads, err);
    if (status != ERG_OK) return status;
    char *text = output_text(y->folder, "output.txt");
    if (!text) return bench_fail(err, ERG_IO, "cannot read the output of YADE in '%s'", y->folder);
    read_window(y, text, window);
    free(text);
    if (!(window->wall > 0))
        return bench_fail(err, ERG_IO, "YADE printed no time; see output.txt in '%s'", y->folder);
    return ERG_OK;
}

// ---- Preparation -------------------------------------------------------------------------------
static erg_status prepare(const peer_state *state, const char *cache, int threads, void **self,
                          erg_error *err)
{
    yade *y = calloc(1, sizeof *y);
    *self = y;
    if (!y) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    y->state = state;
    y->skin = 0.2 * state->radius;
    erg_status status = input_folder(y->folder, cache, "yade", state, err);
    if (status == ERG_OK) status = yade_write_window(y->folder, state, err);
    (void)threads;
    if (status == ERG_OK) return ERG_OK;
    free(y);
    *self = NULL;
    return status;
}

// One window per skin: each must read the state first, and YADE is so slow that fine tuning would
// not matter.
static erg_status tune(void *self, int threads, erg_error *err)
{
    yade      *y = self;
    peer_trial trial = peer_trial_of(&PEER_YADE, y, y->state, threads);
    double     wall;
    trial.turns = 1;
    erg_status status = peer_try_skins(&trial, &y->skin, y->state->radius, &wall, err);
    if (status == ERG_OK) read_version(y);
    return status;
}

static void describe(const void *self, char version[64], char settings[128])
{
    const yade *y = self;
    snprintf(version, 64, "%s", y->version);
    snprintf(settings, 128, "skin %g mm", 1e3 * y->skin);
}

static bool knows(peer_scene scene)
{
    return scene == PEER_PACK || scene == PEER_HOPPER || scene == PEER_TETRA;
}

const peer PEER_YADE = {
    .name = "yade",
    .code = "YADE Mindlin",
    .unmatched = "YADE: damping follows e at every speed, the same in the tangential and the "
                 "normal direction; the tangential force is kept also when the overlap shrinks; a "
                 "silo has flat facets, which are softer than a plane; all in double precision",
    .most = 50000, // several times slower than the others, and loading takes longer than running
    .knows = knows,
    .prepare = prepare,
    .tune = tune,
    .run = run_window,
    .describe = describe,
    .free = free,
};
