// Pours spheres into a periodic box, for the terrain of a world.
#ifndef ERGI_API_POUR_H
#define ERGI_API_POUR_H

#include "terrain/terrain.h"

ergi_pour_fn ergi_pour;

#endif
