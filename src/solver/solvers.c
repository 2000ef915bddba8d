#include "solver/solvers.h"

#include "base/error.h"

typedef struct solver_entry {
    const char        *name;
    const ergi_solver *table;
} solver_entry;

typedef struct backend_entry {
    const char *name;
    bool        built;
} backend_entry;

#define ENTRY_OF_SOLVER(NAME, name, built, table) [ERG_SOLVER_##NAME] = {name, table},
#define ENTRY_OF_BACKEND(NAME, name, built) [ERG_BACKEND_##NAME] = {name, built},
static const solver_entry  solvers[] = {ERGI_SOLVERS(ENTRY_OF_SOLVER)};
static const backend_entry backends[] = {ERGI_BACKENDS(ENTRY_OF_BACKEND)};
enum { SOLVERS = sizeof solvers / sizeof *solvers, BACKENDS = sizeof backends / sizeof *backends };

const char *erg_solver_name(erg_solver solver)
{
    return (unsigned)solver < SOLVERS ? solvers[solver].name : NULL;
}

const char *erg_backend_name(erg_backend backend)
{
    return (unsigned)backend < BACKENDS ? backends[backend].name : NULL;
}

bool erg_solver_built(erg_solver solver)
{
    return (unsigned)solver < SOLVERS && solvers[solver].table;
}

bool erg_backend_built(erg_backend backend)
{
    return (unsigned)backend < BACKENDS && backends[backend].built;
}

static erg_status check(const char *field, const char *name, bool built, int number, erg_error *err)
{
    if (!name)
        return ergi_fail_at(err, field, ERG_ERROR_UNKNOWN, "there is no %s number %d", field,
                            number);
    if (built) return ERG_OK;
    return ergi_fail_at(err, field, ERG_ERROR_NOT_BUILT, "%s %s is not in this build of erg", field,
                        name);
}

erg_status ergi_solver_check(const erg_world_def *def, erg_error *err)
{
    erg_status status = check("solver", erg_solver_name(def->solver), erg_solver_built(def->solver),
                              (int)def->solver, err);
    if (status != ERG_OK) return status;
    return check("backend", erg_backend_name(def->backend), erg_backend_built(def->backend),
                 (int)def->backend, err);
}

const ergi_solver *ergi_solver_of(erg_solver solver)
{
    return solvers[solver].table;
}
