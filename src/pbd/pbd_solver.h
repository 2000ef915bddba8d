// Functions of the solver's table (solver.c) that pbd.h does not declare.
#ifndef ERGI_PBD_SOLVER_H
#define ERGI_PBD_SOLVER_H

#include "pbd/pbd.h"
#include "solver/solver.h"

void ergi_pbd_visit(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user);

#endif
