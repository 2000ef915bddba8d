#include "world/walls.h"

#include "world/body_axes.h"

void ergi_wall_pose_at(const ergi_world_wall *wall, const ergi_motion_state *state, double time,
                       ergi_pose *out)
{
    const ergi_motion *motion = &wall->wall.motion;
    if (!ergi_body_partly_free(&wall->body)) {
        ergi_motion_pose(motion, state, time, out);
        return;
    }
    ergi_pose given;
    *out = state->pose;
    if (ergi_motion_dynamic(motion)) return;
    ergi_motion_at(motion, time, &given);
    ergi_body_impose(wall->body.free_axes, &given, out);
}

void ergi_walls_pose(erg_world *world, double time)
{
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t         w = world->mover[k];
        ergi_wall_state *s = &world->wall_state[w];
        ergi_wall_pose_at(&world->wall[w], &s->motion, time, &s->pose);
    }
}

void ergi_walls_drive(erg_world *world, double time, double dt)
{
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t           w = world->mover[k];
        ergi_wall_state   *s = &world->wall_state[w];
        const ergi_motion *m = &world->wall[w].wall.motion;
        if (ergi_motion_dynamic(m) && !world->wall[w].body.free)
            ergi_motion_step(m, &s->motion, time, dt,
                             (erg_vec3){s->force[0], s->force[1], s->force[2]},
                             (erg_vec3){s->torque[0], s->torque[1], s->torque[2]});
    }
}
