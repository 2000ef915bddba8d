// Bodies in a step: motion, neighbour lists, and contacts with each other and with walls. Contacts
// of grains with bodies are wall contacts (wall_pass.h).
#ifndef ERGI_DEM_BODY_H
#define ERGI_DEM_BODY_H

#include "contact/body_pairs.h"
#include "dem/dem.h"

// First kick and drift of all free bodies, from time `now` to `next`. Afterwards poses are those at
// the end of the step, velocities those at mid-step; in driven axes both are those of the motion.
void ergi_body_start(erg_world *world, double now, double next);
// Second kick, with the forces on the bodies' walls.
void ergi_body_finish(erg_world *world);

// Rebuilds the lists of near inscribed spheres if a body has moved beyond the skin.
erg_status ergi_body_update_lists(erg_world *world, erg_error *err);

// Evaluates contacts between bodies, and of bodies with walls, at the current poses. Forces and
// torques are added to those of the walls.
erg_status ergi_body_contacts(erg_world *world, erg_error *err);

// Guards: true, with a message in `err`, if a body is too fast, or too deep in a wall or another
// body.
bool ergi_body_too_fast(const erg_world *world, double dt, erg_error *err);
bool ergi_body_too_deep(const erg_world *world, double dt, erg_error *err);

#endif
