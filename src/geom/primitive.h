// Shapes by name as closed meshes; see erg/mesh.h for what each is.
#ifndef ERGI_PRIMITIVE_H
#define ERGI_PRIMITIVE_H

#include "erg/mesh.h"
#include "geom/mesh.h"

// The mesh is overwritten, and empty after a failure.
erg_status ergi_primitive(const erg_primitive *shape, ergi_mesh *mesh, erg_error *err);

#endif
