// Shells: parts of a mesh that are connected by edges, and how they enclose each other.
#ifndef ERGI_SHELLS_H
#define ERGI_SHELLS_H

#include "geom/solid.h"

// Sets shell[t] to the lowest triangle of the shell of t; returns the number of shells. Triangles
// without edges do not count as shells.
size_t ergi_shells_find(const ergi_solid *solid, uint32_t *shell);

typedef enum ergi_shell_state {
    ERGI_SHELL_FINE,
    ERGI_SHELL_INVERTED, // inside out, and not a cavity in another shell
    ERGI_SHELL_NESTED,   // inside the material of another shell
    ERGI_SHELL_UNCHECKED // not compared: too many shells enclose each other
} ergi_shell_state;

// For a closed and oriented mesh; `state` has one entry per triangle, written only for the lowest
// triangle of each shell.
erg_status ergi_shells_compare(const ergi_solid *solid, const uint32_t *shell,
                               ergi_shell_state *state, erg_error *err);

#endif
