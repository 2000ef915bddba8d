// Balls: single spheres of any size, added to a running world by a command. Each combination of
// material, radius and density is a grain kind after the defined ones. The recorded commands
// determine these kinds, so neither state nor fingerprint contains them.
#ifndef ERGI_BALL_H
#define ERGI_BALL_H

#include "world/world.h"

// Whether such a ball is allowed: dt, skin and periods were chosen for the defined grains.
erg_status ergi_ball_check(const erg_world *world, erg_id material, double radius, double density,
                           erg_error *err);

// The kind of such a ball, added if it does not exist yet.
erg_status ergi_ball_kind(erg_world *world, erg_id material, double radius, double density,
                          erg_id *kind, erg_error *err);

// Removes all kinds of balls. No grain may have such a kind, unless all grains are about to be
// replaced.
void ergi_ball_kinds_clear(erg_world *world);

#endif
