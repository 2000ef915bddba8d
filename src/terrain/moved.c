// How far the surface of the terrain has moved since the lists of spheres near it were built.
#include "terrain/terrain.h"

void ergi_terrain_moved(erg_world *world, double distance)
{
    world->wall_state[world->terrain->wall].sweep += distance;
}
