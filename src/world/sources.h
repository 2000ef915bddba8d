// Grains that come and go by themselves: emitters, sinks, and the edge of the domain.
#ifndef ERGI_SOURCES_H
#define ERGI_SOURCES_H

#include "world/world.h"

// Whether ergi_sources_emit may add grains now.
bool ergi_sources_due(const erg_world *world);
// Adds the grains that emitters released since the last time, each with the position and velocity
// it has reached by now.
erg_status ergi_sources_emit(erg_world *world, erg_error *err);
// A new rate from now on. The warning about too little room starts to count again.
void ergi_sources_set_rate(erg_world *world, size_t emitter, double rate);

// Marks the grains that lie in a sink or left the domain, and counts them. *leaves is NULL when
// none does; it belongs to the world until the next call.
erg_status ergi_sources_mark_leaving(erg_world *world, const uint8_t **leaves, erg_error *err);

// Grains placed by a fill: free of walls and of the grains there are. `bytes`: of memory per grain
// during a run.
erg_status ergi_sources_fill(erg_world *world, const erg_fill_def *def, double bytes,
                             uint64_t *placed, erg_error *err);

#endif
