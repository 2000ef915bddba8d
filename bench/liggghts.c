// Beds in LIGGGHTS: Hertz with tangential history, walls of the same law, clumps as multispheres.
//
// What is the same: places, velocities, radii, density, walls, gravity, time step, friction,
// elastic constants, restitution. What cannot be made the same stands in `unmatched`.
#include "command.h"
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
    char              folder[4200]; // where its files are
    char              version[64];
    double            skin; // [m]
} liggghts;

static const char *program(void)
{
    const char *named = getenv("ERG_LIGGGHTS");
    return named && *named ? named : "liggghts";
}

// ---- Running it --------------------------------------------------------------------------------
static erg_status explain(const liggghts *l, int code, const char *script, erg_error *err)
{
    if (code == 0) return ERG_OK;
    if (code == COMMAND_MISSING)
        return bench_fail(err, ERG_NOT_BUILT,
                          "LIGGGHTS (%s), or mpirun for two threads, is not installed: make "
                          "bench-peers installs it, or apt-get install liggghts openmpi-bin",
                          program());
    return bench_fail(err, ERG_IO,
                      "LIGGGHTS failed (exit %d) on %s/%s; its last words are in output.txt there",
                      code, l->folder, script);
}

// One MPI rank a thread.
static erg_status run(const liggghts *l, const char *script, uint64_t steps, int ranks,
                      erg_error *err)
{
    char        rank_count[16], step_count[32], skin[32];
    const char *argv[24];
    int         n = 0;
    snprintf(rank_count, sizeof rank_count, "%d", ranks);
    snprintf(step_count, sizeof step_count, "%" PRIu64, steps);
    snprintf(skin, sizeof skin, "%g", l->skin);
    argv[n++] = "env";
    argv[n++] = "OMP_NUM_THREADS=1";
    if (ranks > 1) {
        argv[n++] = "mpirun";
        if (geteuid() == 0) argv[n++] = "--allow-run-as-root";
        argv[n++] = "--oversubscribe";
        argv[n++] = "--bind-to";
        argv[n++] = "none";
        argv[n++] = "-np";
        argv[n++] = rank_count;
    }
    argv[n++] = program();
    argv[n++] = "-in";
    argv[n++] = script;
    argv[n++] = "-log";
    argv[n++] = "none";
    argv[n++] = "-var";
    argv[n++] = "steps";
    argv[n++] = step_count;
    argv[n++] = "-var";
    argv[n++] = "skin";
    argv[n++] = skin;
    argv[n] = NULL;
    return explain(l, command_run(l->folder, "output.txt", argv), script, err);
}

// ---- Reading what it said ----------------------------------------------------------------------
static void read_version(liggghts *l)
{
    char       *text = output_text(l->folder, "output.txt");
    const char *begin = "LIGGGHTS (Version ";
    const char *at = text ? strstr(text, begin) : NULL;
    at = at ? at + strlen(begin) : "unknown";
    snprintf(l->version, sizeof l->version, "%.*s", (int)strcspn(at, ",\n"), at);
    free(text);
}

// Of the first rank, from two lines of user and system time; nan when they are not there. [s]
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
    double rebuilds = output_number(text, "Neighbor list builds = ");
    window->wall = output_number(text, "Loop time of ");
    window->cpu = cpu_time(l) * (double)ranks;
    window->coordination = output_number(text, "ERG coordination ");
    window->kinetic = output_number(text, "ERG kinetic ") / peer_energy_scale(l->state);
    window->bytes =
        output_number(text, "Memory usage per processor = ") * 1048576.0 * (double)ranks / spheres;
    window->skin = l->skin;
    window->rebuilds = rebuilds >= 0 ? (uint64_t)rebuilds : 0;
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
    if (!text) return bench_fail(err, ERG_IO, "cannot read what LIGGGHTS said in '%s'", l->folder);
    read_window(l, text, ranks, window);
    free(text);
    if (!(window->wall > 0))
        return bench_fail(err, ERG_IO, "LIGGGHTS told no loop time; see output.txt in '%s'",
                          l->folder);
    return ERG_OK;
}

// ---- Getting ready -----------------------------------------------------------------------------
// The shortest script there is: says its version, and whether it is there at all.
static erg_status ask_version(liggghts *l, erg_error *err)
{
    FILE *file = input_begin(l->folder, "version.in", err);
    if (!file) return ERG_IO;
    fputs("units si\n", file);
    erg_status status = input_end(file, l->folder, err);
    if (status == ERG_OK) status = run(l, "version.in", 0, 1, err);
    if (status == ERG_OK) read_version(l);
    return status;
}

static erg_status come_to_rest(liggghts *l, int ranks, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/rest.restart", l->folder);
    if (!liggghts_keeps(l->state) || access(path, R_OK) == 0) return ERG_OK;
    bench_say("LIGGGHTS brings the grains to rest by its own law");
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
    erg_status status = input_folder(l->folder, cache, "liggghts", state, err);
    if (status == ERG_OK) status = ask_version(l, err);
    if (status == ERG_OK) status = liggghts_write_window(l->folder, state, err);
    if (status == ERG_OK) status = come_to_rest(l, ranks, err);
    // A trial of clumps would take minutes: they have to be put in anew each time.
    if (status == ERG_OK && state->spheres == state->grains)
        status = peer_try_skins(run_window, l, &l->skin, state, ranks, err);
    if (status == ERG_OK) return ERG_OK;
    free(l);
    *self = NULL;
    return status;
}

static void describe(const void *self, char version[64], char settings[128])
{
    const liggghts *l = self;
    snprintf(version, 64, "%s", l->version);
    snprintf(settings, 128, "skin %g mm, newton off", 1e3 * l->skin);
}

static bool knows(peer_scene scene)
{
    return scene == PEER_PACK || scene == PEER_HOPPER || scene == PEER_TETRA;
}

const peer PEER_LIGGGHTS = {
    .name = "liggghts",
    .code = "LIGGGHTS hertz tangential history",
    .unmatched =
        "in LIGGGHTS damping follows e at every speed, along the surface by a rule of its "
        "own; a contact may pull as it ends; the tangential stretch stays when the overlap "
        "grows; a silo has flat facets; all is in double",
    .knows = knows,
    .prepare = prepare,
    .run = run_window,
    .describe = describe,
    .free = free,
};
