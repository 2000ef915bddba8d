// What is wrong with a mesh, and where.
#ifndef ERGI_INSPECT_H
#define ERGI_INSPECT_H

#include "erg/mesh.h"
#include "geom/solid.h"

// Fills the report. The first ERG_MESH_PROBLEMS faults come with a place, all of them are counted.
erg_status ergi_inspect(const ergi_solid *solid, erg_mesh_report *report, erg_error *err);

#endif
