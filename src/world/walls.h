// Moves the walls of a world, including bodies that are not free.
#ifndef ERGI_WALLS_H
#define ERGI_WALLS_H

#include "world/world.h"

// Advances servo and user motions by dt, under the forces of the previous step.
void ergi_walls_drive(erg_world *world, double time, double dt);

// Sets the poses of moving walls at `time`; servo and user motions are as last advanced.
void ergi_walls_pose(erg_world *world, double time);

#endif
