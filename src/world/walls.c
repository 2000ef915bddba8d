#include "world/walls.h"

void ergi_walls_pose(erg_world *world, double time)
{
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t         w = world->mover[k];
        ergi_wall_state *s = &world->wall_state[w];
        ergi_motion_pose(&world->wall[w].wall.motion, &s->motion, time, &s->pose);
    }
}

void ergi_walls_drive(erg_world *world, double time, double dt)
{
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t           w = world->mover[k];
        ergi_wall_state   *s = &world->wall_state[w];
        const ergi_motion *m = &world->wall[w].wall.motion;
        if (ergi_motion_dynamic(m))
            ergi_motion_step(m, &s->motion, time, dt,
                             (erg_vec3){s->force[0], s->force[1], s->force[2]},
                             (erg_vec3){s->torque[0], s->torque[1], s->torque[2]});
    }
}
