// Moves the walls of a world, including bodies. The solver moves bodies that are free in some axis.
#ifndef ERGI_WALLS_H
#define ERGI_WALLS_H

#include "world/world.h"

// Pose of a wall or body at `time`; what is not scripted is as last advanced.
void ergi_wall_pose_at(const ergi_world_wall *wall, const ergi_motion_state *state, double time,
                       ergi_pose *out);

// Advances servo and user motions by dt, under the forces of the previous step.
void ergi_walls_drive(erg_world *world, double time, double dt);

// Sets the poses of moving walls at `time`; servo and user motions are as last advanced.
void ergi_walls_pose(erg_world *world, double time);

#endif
