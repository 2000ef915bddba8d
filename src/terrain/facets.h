// Facets of a mesh: small plane pieces that stand for its surface.
#ifndef ERGI_FACETS_H
#define ERGI_FACETS_H

#include "geom/mesh.h"
#include "terrain/tools.h"

// About `side` wide, wider if there would be more than ERGI_TOOL_FACETS. `both`: a thin sheet, with
// facets for both of its sides. Appended to facets[*count], in a fixed order.
erg_status ergi_facets_add(const ergi_mesh *mesh, double side, bool both, ergi_facet **facets,
                           size_t *count, size_t *room, erg_error *err);

#endif
