// Skins of spheres (contact/skin.h) and of walls.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "contact/skin.h"
#include "dem/step.h"
#include "geom/vec3.h"

// Skins are in units of the smallest diameter.
#define LEAST_SKIN 0.005 // more than the vibration of a bed at rest
#define MOST_SKIN 0.75
#define MOST_SINK_SKIN 0.3 // sinks remove grains at list builds, which must then be frequent
#define BUILD_COST 40      // of a rebuild, in steps over the candidates of lists without skin
#define WALL_LIFE 64       // steps for which the lists of a moving wall should stay valid
#define LEAST_WALL_SKIN 0.05
#define MOST_WALL_SKIN 1.0

// A moving wall's skin is its displacement in WALL_LIFE steps; its lists are rebuilt separately
// from the pair lists.
void ergi_dem_wall_skins(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    double    d = dem->skin_scale;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_wall *wall = &world->wall[w].wall;
        ergi_wall_state *s = &world->wall_state[w];
        double           extent = ergi_surface_extent(&wall->surface), displacement = 0;
        if (ergi_wall_moves(&world->wall[w])) {
            double turning = isfinite(extent) ? ergi_norm(s->pose.spin) * extent : 0;
            displacement = WALL_LIFE * world->clock.dt * (ergi_norm(s->pose.velocity) + turning);
            displacement = fmin(fmax(displacement, LEAST_WALL_SKIN * d), MOST_WALL_SKIN * d);
            if (ergi_wall_is_terrain(&world->wall[w])) displacement = ERGI_TERRAIN_SKIN * d;
            if (world->def.skin > 0) displacement = 0.5 * world->def.skin;
        }
        s->list_skin = displacement;
        s->list_pose = s->pose;
        s->sweep = 0;
    }
}

double ergi_dem_largest_skin(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return world->def.skin > 0 ? 0.5 * world->def.skin : MOST_SKIN * dem->skin_scale;
}

erg_status ergi_dem_sphere_skins(erg_world *world, erg_error *err)
{
    ergi_dem          *dem = ergi_dem_of(world);
    ergi_sphere_arrays s = ergi_dem_spheres(world);
    size_t             n = (size_t)s.count;
    erg_status         status = ergi_memory_grow(&dem->sphere_skin, &dem->sphere_skin_room, n,
                                                 sizeof *dem->sphere_skin, "neighbour lists", err);
    if (status != ERG_OK) return status;
    double least = LEAST_SKIN * dem->skin_scale;
    double share = world->sinks ? MOST_SINK_SKIN : MOST_SKIN;
    double most = fmin(share * dem->skin_scale, 0.5 * dem->skin_most);
    dem->skins_known = true;
    if (world->def.skin > 0) {
        for (size_t i = 0; i < n; i++) dem->sphere_skin[i] = (float)(0.5 * world->def.skin);
        return ERG_OK;
    }
    for (size_t i = 0; i < n; i++) {
        double v[3];
        ergi_get3(s.motion, ergi_world_real(world), i, ERGI_VELOCITY, v);
        dem->sphere_skin[i] = (float)sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    ergi_skin skin = {dem->skin_scale, least, most, world->clock.dt, BUILD_COST};
    double    mean = ergi_skin_choose(&skin, dem->sphere_skin, n);
    if (n) dem->state.skin = 2 * mean;
    return ERG_OK;
}
