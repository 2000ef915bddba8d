// Which keys of a scene mean nothing to its solver.
#ifndef ERGI_SCENE_UNUSED_H
#define ERGI_SCENE_UNUSED_H

#include "erg/scene.h"

// Tells the log of the world, one line a key.
void ergi_scene_note_unused(const erg_scene *scene, const erg_world_def *def);

#endif
