// Moves the walls of a world, including bodies. The solver moves bodies that are free in some axis.
// A wall that is attached to another moves in its frame.
#ifndef ERGI_WALLS_H
#define ERGI_WALLS_H

#include "world/world.h"

// Force and torque about the pivot of grains, bodies and the terrain on a wall [N] [N m].
void ergi_wall_load(const ergi_world_wall *wall, const ergi_wall_state *state, erg_vec3 *force,
                    erg_vec3 *torque);

// Advances servo and user motions by dt, under the forces of the previous step on the wall and on
// all that it carries.
void ergi_walls_drive(erg_world *world, double time, double dt);

// Sets the poses of moving walls at `time`; servo and user motions are as last advanced.
void ergi_walls_pose(erg_world *world, double time);

// The pose of wall `w` at `time`, from the states of motion alone.
void ergi_wall_pose(const ergi_world_wall *walls, const ergi_wall_state *states, size_t w,
                    double time, ergi_pose *out);

// Computes the inscribed spheres of all body shapes if some body is free. Messages name the first
// body of the shape.
erg_status ergi_walls_inscribe(erg_world *world, erg_error *err);

// Attaches wall `child` to `carrier`, both numbers from 1; for a carrier that was added after the
// child. Fails if the carrier is a free body or is itself carried by the child.
erg_status ergi_world_attach(erg_world *world, erg_id child, erg_id carrier, erg_error *err);

#endif
