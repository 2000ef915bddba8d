// Overrides from the command line: `--set fill.top.count=27427`, applied to the tree in the order
// they were given and before anything is checked against the schema.
#ifndef ERGI_SET_H
#define ERGI_SET_H

#include "scene/tree.h"

// Applies report->sets. Path segments are keys joined by dots; in a list, a zero-based index or an
// entry's `name`. The value is YAML and replaces what stood there; a key that is absent is added,
// with the maps above it. A root that is no map stays as it is.
void ergi_set_apply_all(ergi_node *root, ergi_arena *arena, ergi_diagnostics *report);

#endif
