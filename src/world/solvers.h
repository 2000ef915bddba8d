// The solvers and backends that have a name: word in scenes and options, and whether this build
// holds it. In the order of erg_solver and erg_backend.
#ifndef ERGI_SOLVERS_H
#define ERGI_SOLVERS_H

#include "erg/world.h"

#define ERGI_SOLVERS(X) X(DEM, "dem", true) X(PBD, "pbd", false)
#define ERGI_BACKENDS(X) X(CPU, "cpu", true) X(CUDA, "cuda", false)

// ERG_BAD_INPUT for one that there is not, ERG_NOT_BUILT for one that this build does not hold.
erg_status ergi_solver_check(const erg_world_def *def, erg_error *err);

#endif
