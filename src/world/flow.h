// Grains that come and go by themselves: emitters, sinks, and the edge of the domain.
#ifndef ERGI_FLOW_H
#define ERGI_FLOW_H

#include "world/world.h"

// Whether ergi_flow_in may add grains now.
bool ergi_flow_due(const erg_world *world);
// Adds the grains that emitters released since the last time, each with the position and velocity
// it has reached by now.
erg_status ergi_flow_in(erg_world *world, erg_error *err);
// A new rate from now on. The warning about too little room starts to count again.
void ergi_flow_set_rate(erg_world *world, size_t emitter, double rate);

// Marks the grains that lie in a sink or left the domain, and counts them. *leaves is NULL when
// none does; it belongs to the world until the next call.
erg_status ergi_flow_out(erg_world *world, const uint8_t **leaves, erg_error *err);

// Grains placed by a fill: free of walls and of the grains there are. `bytes`: of memory per grain
// during a run.
erg_status ergi_flow_fill(erg_world *world, const erg_fill_def *def, double bytes, uint64_t *placed,
                          erg_error *err);

#endif
