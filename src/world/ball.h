// Balls: spheres of sizes that nobody defined, thrown into a running world by a command. Each size
// is a kind of grain behind the defined ones; the commands on record say which there are, so
// neither state nor fingerprint holds them.
#ifndef ERGI_BALL_H
#define ERGI_BALL_H

#include "world/world.h"

// Whether such a ball may be: dt, skin and periods were chosen for the grains that were defined.
erg_status ergi_ball_check(const erg_world *world, erg_id material, double radius, double density,
                           erg_error *err);

// The kind of such a ball, made when there is none yet. Lattices follow the largest kind.
erg_status ergi_ball_kind(erg_world *world, erg_id material, double radius, double density,
                          erg_id *kind, erg_error *err);

// As if no ball had been thrown yet. No grain may be of such a kind, or all are about to be
// replaced.
void ergi_balls_forget(erg_world *world);

#endif
