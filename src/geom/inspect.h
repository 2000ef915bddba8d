// Inspects a mesh for faults and locates them.
#ifndef ERGI_INSPECT_H
#define ERGI_INSPECT_H

#include "erg/mesh.h"
#include "geom/solid.h"

// Fills the report. All faults are counted; the first ERG_MESH_PROBLEMS are described with
// position.
erg_status ergi_inspect(const ergi_solid *solid, erg_mesh_report *report, erg_error *err);

#endif
