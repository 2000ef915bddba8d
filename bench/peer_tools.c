#include "peer_tools.h"

#include "command.h"
#include "input_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Programs with one MPI rank per thread -----------------------------------------------------
static const char *name_of(const peer_program *program)
{
    const char *named = getenv(program->variable);
    return named && *named ? named : program->usual;
}

static erg_status explain(const peer_program *program, int code, const char *folder,
                          const char *script, erg_error *err)
{
    if (code == 0) return ERG_OK;
    if (code == COMMAND_MISSING)
        return bench_fail(err, ERG_NOT_BUILT,
                          "%s (%s), or mpirun for two threads, is not installed: make bench-peers "
                          "installs it, or apt-get install %s openmpi-bin",
                          program->name, name_of(program), program->package);
    return bench_fail(err, ERG_IO, "%s failed (exit %d) on %s/%s; see output.txt there",
                      program->name, code, folder, script);
}

// The program's own OpenMP threads are switched off.
erg_status peer_run_ranks(const peer_program *program, const char *folder, const char *script,
                          int ranks, const peer_variable *variables, erg_error *err)
{
    char        rank_count[16];
    const char *argv[40];
    int         n = 0;
    snprintf(rank_count, sizeof rank_count, "%d", ranks);
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
    argv[n++] = name_of(program);
    argv[n++] = "-in";
    argv[n++] = script;
    argv[n++] = "-log";
    argv[n++] = "none";
    for (const peer_variable *v = variables; v && v->name; v++) {
        argv[n++] = "-var";
        argv[n++] = v->name;
        argv[n++] = v->value;
    }
    argv[n] = NULL;
    return explain(program, command_run(folder, "output.txt", argv), folder, script, err);
}

// Runs the shortest possible script.
erg_status peer_ask_version(const peer_program *program, const char *folder, const char *words,
                            char version[64], erg_error *err)
{
    FILE *file = input_begin(folder, "version.in", err);
    if (!file) return ERG_IO;
    fputs("units si\n", file);
    erg_status status = input_end(file, folder, err);
    if (status == ERG_OK) status = peer_run_ranks(program, folder, "version.in", 1, NULL, err);
    if (status != ERG_OK) return status;
    char       *text = output_text(folder, "output.txt");
    const char *at = text ? strstr(text, words) : NULL;
    at = at ? at + strlen(words) : "unknown";
    snprintf(version, 64, "%.*s", (int)strcspn(at, "),\n"), at);
    free(text);
    return ERG_OK;
}

// ---- Trials ------------------------------------------------------------------------------------
peer_trial peer_trial_of(const peer *which, void *self, const peer_state *s, int threads)
{
    double steps = 3e6 / (double)s->spheres;
    double least = s->at_rest ? 30 : 200; // flows rebuild lists every 15 to 30 steps
    return (peer_trial){.run = which->run,
                        .self = self,
                        .threads = threads,
                        .turns = s->spheres > 500000 ? 1 : 3,
                        .steps = (uint64_t)fmax(least, fmin(1000, steps))};
}

erg_status peer_try(const peer_trial *trial, double *wall, erg_error *err)
{
    *wall = (double)INFINITY;
    for (int k = 0; k < trial->turns; k++) {
        peer_window window;
        erg_status  status = trial->run(trial->self, trial->steps, trial->threads, &window, err);
        if (status != ERG_OK) return status;
        *wall = fmin(*wall, window.wall);
    }
    return ERG_OK;
}

// Scales the skin by `factor`, starting from one that took `wall`, until two trials in a row are no
// faster than the best: a single one may have been disturbed by other processes.
static erg_status search_skin(const peer_trial *trial, double *skin, double factor, double radius,
                              double *wall, erg_error *err)
{
    double fastest = *skin, now;
    int    slower = 0;
    for (*skin *= factor; *skin > 0.01 * radius && *skin < 2 * radius; *skin *= factor) {
        erg_status status = peer_try(trial, &now, err);
        if (status != ERG_OK) return status;
        if (now < *wall) {
            *wall = now;
            fastest = *skin;
            slower = 0;
        } else if (++slower == 2) {
            break;
        }
    }
    *skin = fastest;
    return ERG_OK;
}

erg_status peer_try_skins(const peer_trial *trial, double *skin, double radius, double *wall,
                          erg_error *err)
{
    const double begin = 0.1 * radius;
    *skin = begin;
    erg_status status = peer_try(trial, wall, err);
    if (status == ERG_OK) status = search_skin(trial, skin, 2, radius, wall, err);
    if (status == ERG_OK && *skin == begin)
        status = search_skin(trial, skin, 0.5, radius, wall, err);
    return status;
}

erg_status peer_try_layouts(const peer_trial *trial, const char **layout, double *wall,
                            erg_error *err)
{
    static const char *const others[] = {"* 1 1", "1 * 1", "1 1 *"};
    const char              *best = *layout;
    erg_status               status = ERG_OK;
    for (int k = 0; k < 3 && trial->threads > 1 && status == ERG_OK; k++) {
        double now = (double)INFINITY;
        *layout = others[k];
        status = peer_try(trial, &now, err);
        if (now < *wall) best = *layout;
        *wall = fmin(*wall, now);
    }
    *layout = best;
    return status;
}
