// All walls of a world in a step; bodies that are not free are walls too.
#ifndef ERGI_WALLS_H
#define ERGI_WALLS_H

#include "world/world.h"

// Servos and walls that commands move go on by dt, under the forces of the step before.
void ergi_walls_drive(erg_world *world, double time, double dt);

// Walls to where they are at `time`; servos keep their place.
void ergi_walls_pose(erg_world *world, double time);

#endif
