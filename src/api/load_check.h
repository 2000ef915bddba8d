// Checks that what was read from a checkpoint can be a state of this world. The hashes of a file
// detect damage; this detects forged files and our own mistakes, before anything is changed: every
// value must be one that stepping or a public call could have produced.
#ifndef ERGI_API_LOAD_CHECK_H
#define ERGI_API_LOAD_CHECK_H

#include "world/world.h"

// Call it first, as the kinds of thrown spheres follow from the commands. Needs no tables.
erg_status ergi_load_check_commands(const erg_world *world, const ergi_loaded *loaded,
                                    erg_error *err);
// Checks the rest, including the solver's part. The kinds of thrown spheres must exist.
erg_status ergi_load_check(const erg_world *world, const ergi_loaded *loaded, erg_error *err);

#endif
