// Creates worlds with a solver that is not in the table of solvers, for tests.
#ifndef ERGI_API_CREATE_H
#define ERGI_API_CREATE_H

#include "solver/solver.h"

erg_status ergi_world_create_with(const erg_world_def *def, const ergi_solver *solver,
                                  erg_world **world, erg_error *err);

#endif
