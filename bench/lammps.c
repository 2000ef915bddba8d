#include "lammps.h"

#include "command.h"
#include "lammps_input.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char LAMMPS_UNMATCHED[] =
    "in LAMMPS damping is that of e 0.58 at 1 m/s, not 0.65; a contact may pull as it ends; the "
    "tangential stretch stays when the overlap grows; all is in double";

static const char *program(void)
{
    const char *named = getenv("ERG_LAMMPS");
    return named && *named ? named : "lmp";
}

// ---- Running it --------------------------------------------------------------------------------
static erg_status explain(const lammps *l, int code, const char *script, erg_error *err)
{
    if (code == 0) return ERG_OK;
    if (code == COMMAND_MISSING)
        return bench_fail(
            err, ERG_NOT_BUILT,
            "LAMMPS (%s), or mpirun for two threads, is not installed: make bench-peers "
            "installs it, or apt-get install lammps openmpi-bin",
            program());
    return bench_fail(err, ERG_IO,
                      "LAMMPS failed (exit %d) on %s/%s; its last words are in output.txt there",
                      code, l->folder, script);
}

// One MPI rank a thread; LAMMPS' own OpenMP stays out of it.
static erg_status run(const lammps *l, const char *script, uint64_t steps, int ranks,
                      erg_error *err)
{
    char        rank_count[16], step_count[32];
    const char *argv[24];
    int         n = 0;
    snprintf(rank_count, sizeof rank_count, "%d", ranks);
    snprintf(step_count, sizeof step_count, "%" PRIu64, steps);
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
    argv[n] = NULL;
    return explain(l, command_run(l->folder, "output.txt", argv), script, err);
}

// ---- Reading what it said ----------------------------------------------------------------------
// The number behind the last line that begins so; nan when there is none.
static double after(const char *text, const char *words)
{
    double number = (double)NAN;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        if (at == text || at[-1] == '\n') number = strtod(at + strlen(words), NULL);
    return number;
}

// The last "98.7% CPU use with ...": mean of the ranks. [%]
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

static char *read_output(const lammps *l)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/output.txt", l->folder);
    enum { MOST = 1 << 20 }; // far more than it says
    FILE *file = fopen(path, "r");
    char *text = malloc(MOST + 1);
    if (file && text) text[fread(text, 1, MOST, file)] = '\0';
    if (file) fclose(file);
    if (!file) free(text);
    return file ? text : NULL;
}

static void read_version(lammps *l)
{
    char *text = read_output(l);
    char *at = text ? strstr(text, "LAMMPS (") : NULL;
    snprintf(l->version, sizeof l->version, "%.*s", at ? (int)strcspn(at, "\n") : 7,
             at ? at : "unknown");
    free(text);
}

// ---- The two things asked of it ----------------------------------------------------------------
erg_status lammps_prepare(lammps *l, const pack *p, const char *cache, int ranks, erg_error *err)
{
    char path[4300];
    *l = (lammps){.pack = p};
    snprintf(l->folder, sizeof l->folder, "%s/lammps-%zu", cache, p->count);
    if (mkdir(l->folder, 0777) != 0 && errno != EEXIST)
        return bench_fail(err, ERG_IO, "cannot make the folder '%s': %s", l->folder,
                          strerror(errno));
    erg_status status = lammps_write_window(l->folder, p, err);
    snprintf(path, sizeof path, "%s/rest.restart", l->folder);
    if (status == ERG_OK && access(path, R_OK) != 0) {
        bench_say("LAMMPS brings the pack to rest by its own law");
        status = lammps_write_rest(l->folder, p, err);
        if (status == ERG_OK) status = run(l, "rest.in", 0, ranks, err);
    }
    if (status == ERG_OK) status = run(l, "window.in", 10, 1, err);
    if (status == ERG_OK) read_version(l);
    return status;
}

erg_status lammps_run(const lammps *l, uint64_t steps, int ranks, lammps_window *window,
                      erg_error *err)
{
    const double mass =
        4.0 / 3 * 3.14159265358979 * PACK_RADIUS * PACK_RADIUS * PACK_RADIUS * PACK_DENSITY;
    erg_status status = run(l, "window.in", steps, ranks, err);
    if (status != ERG_OK) return status;
    char *text = read_output(l);
    if (!text) return bench_fail(err, ERG_IO, "cannot read what LAMMPS said in '%s'", l->folder);
    double count = (double)l->pack->count;
    window->wall = after(text, "Loop time of ");
    window->cpu = window->wall * 0.01 * cpu_use(text) * (double)ranks;
    window->coordination = after(text, "ERG coordination ");
    window->kinetic = after(text, "ERG kinetic ") / (count * mass * PACK_GRAVITY * 2 * PACK_RADIUS);
    window->bytes = after(text, "Per MPI rank memory allocation (min/avg/max) = ") * 1048576.0 *
                    (double)ranks / count;
    double rebuilds = after(text, "Neighbor list builds = ");
    window->rebuilds = rebuilds >= 0 ? (uint64_t)rebuilds : 0;
    free(text);
    if (!(window->wall > 0))
        return bench_fail(err, ERG_IO, "LAMMPS told no loop time; see output.txt in '%s'",
                          l->folder);
    return ERG_OK;
}
