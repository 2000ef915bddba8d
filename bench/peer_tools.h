// What the peers share.
#ifndef ERG_BENCH_PEER_TOOLS_H
#define ERG_BENCH_PEER_TOOLS_H

#include "peer.h"

// ---- Programs that run one MPI rank a thread ---------------------------------------------------
typedef struct peer_program {
    const char *name;     // "LAMMPS"
    const char *package;  // "lammps"
    const char *variable; // of the environment, names another build: "ERG_LAMMPS"
    const char *usual;    // "lmp"
} peer_program;

typedef struct peer_variable {
    const char *name, *value;
} peer_variable;

// Runs a script of the folder, which finds the variables, up to one without a name, as ${name}; its
// words go to output.txt there.
erg_status peer_run_ranks(const peer_program *program, const char *folder, const char *script,
                          int ranks, const peer_variable *variables, erg_error *err);

// Says in `version` what the program calls itself behind `words`, or that it is not installed.
erg_status peer_ask_version(const peer_program *program, const char *folder, const char *words,
                            char version[64], erg_error *err);

// ---- Trials ------------------------------------------------------------------------------------
typedef struct peer_trial {
    erg_status (*run)(void *self, uint64_t steps, int threads, peer_window *window, erg_error *err);
    void    *self;
    int      threads, turns;
    uint64_t steps;
} peer_trial;

// Short windows, longer where there are few spheres.
peer_trial peer_trial_of(const peer *which, void *self, const peer_state *s, int threads);

// The least wall time of its windows, with the settings as they are now.
erg_status peer_try(const peer_trial *trial, double *wall, erg_error *err);

// Tries skins, set through `skin`, from a tenth of the radius upwards, and downwards if that found
// nothing faster, and leaves the fastest there. `wall` is its time.
erg_status peer_try_skins(const peer_trial *trial, double *skin, double radius, double *wall,
                          erg_error *err);

// Which way ranks divide the box, as the command `processors` names it; what it is now took `wall`.
#define PEER_LAYOUT "* * 1"
erg_status peer_try_layouts(const peer_trial *trial, const char **layout, double *wall,
                            erg_error *err);

#endif
