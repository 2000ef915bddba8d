// Named shapes as closed meshes; erg/mesh.h describes each of them.
#ifndef ERGI_PRIMITIVE_H
#define ERGI_PRIMITIVE_H

#include "erg/mesh.h"
#include "geom/mesh.h"

// The mesh is overwritten; it is empty after a failure.
erg_status ergi_primitive(const erg_primitive *shape, ergi_mesh *mesh, erg_error *err);

#endif
