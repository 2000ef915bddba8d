// Overrides from the command line: `--set fill.top.count=27427`. They are applied to the tree in
// the order given, before anything is checked against the schema.
#ifndef ERGI_SET_H
#define ERGI_SET_H

#include "scene/tree.h"

// Applies report->sets. A path consists of keys joined by dots; in a list, a zero-based index or an
// entry's `name`. The value is YAML and replaces the old one; missing keys are added, with the maps
// above them. A root that is no map is left unchanged.
void ergi_set_apply_all(ergi_node *root, ergi_arena *arena, ergi_diagnostics *report);

#endif
