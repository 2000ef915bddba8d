// Builds scenes with a solver that is not in the table of solvers, for tests.
#ifndef ERGI_SCENE_BUILD_H
#define ERGI_SCENE_BUILD_H

#include "erg/scene.h"

struct ergi_solver;

// Like erg_scene_build. NULL: the solver named in the scene.
erg_status ergi_scene_build_with(const erg_scene *scene, const struct ergi_solver     *solver,
                                 void (*adjust)(void *user, erg_world_def *def), void *user,
                                 erg_world **world, erg_error *err);

#endif
