// Functions shared by the peers.
#ifndef ERG_BENCH_PEER_TOOLS_H
#define ERG_BENCH_PEER_TOOLS_H

#include "peer.h"

// ---- Programs with one MPI rank per thread -----------------------------------------------------
typedef struct peer_program {
    const char *name;     // "LAMMPS"
    const char *package;  // "lammps"
    const char *variable; // environment variable that names another executable: "ERG_LAMMPS"
    const char *usual;    // default executable: "lmp"
} peer_program;

typedef struct peer_variable {
    const char *name, *value;
} peer_variable;

// Runs a script of the folder and writes its output to output.txt there. `variables` ends with a
// NULL name; the script reads each as ${name}.
erg_status peer_run_ranks(const peer_program *program, const char *folder, const char *script,
                          int ranks, const peer_variable *variables, erg_error *err);

// Stores the version that the program prints after `words`, or reports that it is not installed.
erg_status peer_ask_version(const peer_program *program, const char *folder, const char *words,
                            char version[64], erg_error *err);

// ---- Trials ------------------------------------------------------------------------------------
typedef struct peer_trial {
    erg_status (*run)(void *self, uint64_t steps, int threads, peer_window *window, erg_error *err);
    void    *self;
    int      threads, turns;
    uint64_t steps;
} peer_trial;

// Short windows, longer if there are few spheres.
peer_trial peer_trial_of(const peer *which, void *self, const peer_state *s, int threads);

// The shortest wall time of its windows with the current settings.
erg_status peer_try(const peer_trial *trial, double *wall, erg_error *err);

// Tries skins, set through `skin`, from a tenth of the radius upwards, and downwards if that was no
// faster. Leaves the fastest one in `skin` and its time in `wall`.
erg_status peer_try_skins(const peer_trial *trial, double *skin, double radius, double *wall,
                          erg_error *err);

// Tries how ranks divide the box, in the syntax of the command `processors`; the current layout
// took `wall`.
#define PEER_LAYOUT "* * 1"
erg_status peer_try_layouts(const peer_trial *trial, const char **layout, double *wall,
                            erg_error *err);

#endif
