// Sources and sinks of grains: fills, emitters, sinks, and the edge of the domain.
#ifndef ERGI_SOURCES_H
#define ERGI_SOURCES_H

#include "world/world.h"

// Whether ergi_sources_emit may add grains now.
bool ergi_sources_due(const erg_world *world);
// Adds the grains that emitters released since the last call, each with the position and velocity
// it has reached by now.
erg_status ergi_sources_emit(erg_world *world, erg_error *err);
// Number of grains that an emitter will have released by `time` at its present rate, if there is
// space for all of them; INFINITY for one without an end at time INFINITY.
double ergi_sources_expected(const erg_world *world, size_t emitter, double time);
// Sets a new rate and restarts the count for the warning about too little space.
void ergi_sources_set_rate(erg_world *world, size_t emitter, double rate);

// Marks the grains that lie in a sink or left the domain, and counts them. *leaves is NULL if there
// are none; it belongs to the world and is valid until the next call.
erg_status ergi_sources_mark_leaving(erg_world *world, const uint8_t **leaves, erg_error *err);

// Fills a region with grains, clear of walls and existing grains. `bytes`: memory per grain during
// a run; `held`: of the grains that exist.
erg_status ergi_sources_fill(erg_world *world, const erg_fill_def *def, double bytes, double held,
                             uint64_t *placed, erg_error *err);

#endif
