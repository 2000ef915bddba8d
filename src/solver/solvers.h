// All solvers and backends: their names in scenes and options, and whether this build includes
// them. In the order of erg_solver and erg_backend. A new solver needs a line here.
#ifndef ERGI_SOLVERS_H
#define ERGI_SOLVERS_H

#include "solver/solver.h"

extern const ergi_solver ergi_dem_solver, ergi_pbd_solver;

// X(NAME, word, built, table); the table is NULL if it is not in this build.
#define ERGI_SOLVERS(X) X(DEM, "dem", true, &ergi_dem_solver) X(PBD, "pbd", true, &ergi_pbd_solver)
#define ERGI_BACKENDS(X) X(CPU, "cpu", true) X(CUDA, "cuda", false)

// ERG_BAD_INPUT for an unknown solver or backend, ERG_NOT_BUILT for one that is not in this build.
erg_status ergi_solver_check(const erg_world_def *def, erg_error *err);

const ergi_solver *ergi_solver_of(erg_solver solver); // `solver` must be built

#endif
