// Parts of a mesh that hang together by edges, and which of them contradict each other.
#ifndef ERGI_SHELLS_H
#define ERGI_SHELLS_H

#include "geom/solid.h"

// Gives every triangle the lowest one of its shell, and says how many shells there are. Triangles
// that have no edges count for none.
size_t ergi_shells_find(const ergi_solid *solid, uint32_t *shell);

typedef enum ergi_shell_state {
    ERGI_SHELL_FINE,
    ERGI_SHELL_INVERTED, // inside out, and not the hollow of another
    ERGI_SHELL_NESTED,   // within another's matter
    ERGI_SHELL_UNSEEN    // too many lie around each other: it was not compared
} ergi_shell_state;

// Of a closed and oriented mesh; `state` holds one for each triangle and is written at the lowest
// of each shell.
erg_status ergi_shells_compare(const ergi_solid *solid, const uint32_t *shell,
                               ergi_shell_state *state, erg_error *err);

#endif
