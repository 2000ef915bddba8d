// Reports scene keys that the chosen solver ignores.
#ifndef ERGI_SCENE_UNUSED_H
#define ERGI_SCENE_UNUSED_H

#include "erg/scene.h"

// Writes one line per key to the world's log.
void ergi_scene_note_unused(const erg_scene *scene, const erg_world_def *def);

#endif
