// The functions of DEM's solver table that are defined outside dem/solver.c.
#ifndef ERGI_DEM_SOLVER_H
#define ERGI_DEM_SOLVER_H

#include "dem/dem.h"
#include "solver/solver.h"

void ergi_dem_visit(const erg_world *world, bool forces, ergi_contact_fn *visit, void *user);

void   ergi_dem_stats(const erg_world *world, erg_stats *stats);
size_t ergi_dem_bytes(const erg_world *world);
double ergi_dem_grain_bytes(const erg_world *world, double spheres);
double ergi_dem_expected_bytes(const erg_world *world, double spheres);

// Checks of a loaded state: plain data and spheres, then the lists that refer to them and the body
// contacts.
erg_status ergi_dem_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);
erg_status ergi_dem_check_lists(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

// The tables of `lists`, and whether table k is an index that ergi_lists_index derives from the
// others.
enum { ERGI_LIST_TABLES = 2 * ERGI_LIST_KINDS + 5 };
void ergi_dem_list_tables(ergi_lists *lists, ergi_table *tables[ERGI_LIST_TABLES]);
bool ergi_dem_is_index(int k);

#endif
